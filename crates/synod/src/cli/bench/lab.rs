//! Simulated matters per second through the real house, on the core alone.

use std::sync::atomic::AtomicU64;
use std::time::Instant;

use serde_json::{Value, json};
use synod_lab::simulate::{SimulatedHouse, SimulationFault};
use synod_lab::study::{Cast, Study, StudySetting};

use super::measure::{cpu, peak_mb, reset_peak};
use crate::fail::{Fail, Result, code};

/// Motions: everybody speaks in each round one after the other, forced speeches and a red team among them, then all vote.
const MOTIONS: &str = "parliament-legacy";
/// Debates: everybody speaks in each round, then all vote.
const DEBATES: &str = "collaborative";
const THREADS: usize = 2;
/// Seats and rounds; the first is what is aimed at.
const SHAPES: [(u32, u64); 6] = [(72, 3), (18, 3), (36, 3), (144, 3), (72, 1), (72, 6)];

fn study(charter: &str, seats: u32, rounds: u64, matters: u64) -> Study {
    let cast = |model: &str, seats: u32, competence: f64| Cast {
        correlation: 0.3,
        stubbornness: 0.5,
        conformity: 0.5,
        unreadable: 0.01,
        abstains: 0.02,
        ..Cast::plain(model, seats, competence)
    };
    let setting = if charter == MOTIONS { "debate.rounds" } else { "rounds" };
    Study {
        name: "bench".into(),
        seed: 1,
        matters,
        charter: charter.into(),
        motion: None,
        settings: [(setting.to_string(), StudySetting::Number(rounds))].into(),
        truth_yes: 0.5,
        cast: vec![cast("large", seats / 3, 0.8), cast("small", seats - seats / 3, 0.65)],
        layer: Vec::new(),
        text: "Shall we do it?".into(),
        feature: Vec::new(),
        grid: std::collections::BTreeMap::new(),
    }
}

/// Matters per second, by seats and rounds, and the memory that many take beside few.
pub(super) fn measure(quick: bool) -> Result<Value> {
    let failed = |fault: SimulationFault| Fail::new(code::DATA, "bench", fault.0);
    let run = |charter: &str, seats: u32, rounds: u64, matters: u64| -> Result<Value> {
        let source = synod_core::charter::shipped(charter).map(|shipped| shipped.source).unwrap_or_default();
        let stage = SimulatedHouse::set(&study(charter, seats, rounds, matters), source).map_err(failed)?;
        reset_peak();
        let (began, before) = (Instant::now(), cpu());
        let report = stage.run(THREADS, &AtomicU64::new(0)).map_err(failed)?;
        let (took, spent) = (began.elapsed().as_secs_f64(), cpu().saturating_sub(before).as_secs_f64());
        Ok(json!({
            "charter": charter,
            "seats": seats,
            "rounds": report.rounds,
            "matters": matters,
            "matters_per_second": matters as f64 / took,
            "matters_per_cpu_second": matters as f64 / spent,
            "commands_per_cpu_second": report.commands as f64 / spent,
            "micros_of_cpu_per_command": spent * 1e6 / report.commands as f64,
            "peak_mb": peak_mb(),
        }))
    };
    let matters = if quick { 20 } else { 200 };
    let shapes = SHAPES.iter().map(|(seats, rounds)| run(MOTIONS, *seats, *rounds, matters));
    let shapes: Vec<Value> = shapes.collect::<Result<_>>()?;
    // Memory is flat in the number of matters.
    let more = run(MOTIONS, 72, 3, matters * 5)?;
    let debates = run(DEBATES, 72, 3, matters)?;
    Ok(json!({ "threads": THREADS, "motions": shapes, "five_times_as_many": more, "debates": debates }))
}
