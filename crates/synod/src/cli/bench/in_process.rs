//! Whole debates with seats that answer at once, in process, journal in memory.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Instant;

use serde_json::{Value, json};
use synod_core::brief::Brief;
use synod_core::charter;
use synod_core::command::Open;
use synod_core::kernel::{Actor, Digest, Id, MatterId, Seat, SeatKind, Usage, Who};
use synod_core::matter::{Question, Status};
use synod_core::{Command, Event, matter};
use synod_engine::{Engine, Feed, Options, Order};
use synod_journal::{Journal, Memory};
use synod_minds::{Answering, Face, Failure, Kind, Mind, Pass, Reply, Task};

use super::measure::{cpu, median, micros, peak_mb, reset_peak};
use crate::cli::on_runtime;
use crate::fail::{Fail, Result, code};
use crate::house::give;

/// The charter that is measured: rounds of parallel speech, then a vote.
pub(super) const CHARTER: &str = "collaborative";

/// A statement of about 120 tokens.
pub(super) const STATEMENT: &str = r#"{"stance":"YES","position":"Keep the index in one place and cache the hot part of it for a minute, no longer.","reasoning":"Reads outnumber writes by two orders of magnitude and the hot part fits into memory many times over. A minute of staleness is within what the product promises. What speaks against it is one more thing to watch, and that is a cost we know how to carry.","key_points":["reads dominate","a minute of staleness is allowed","one more thing to watch"],"open_questions":"How often does the hot part change within a minute?","confidence":0.8}"#;

/// A vote.
pub(super) const VOTE: &str = r#"{"vote":"YES","reason":"Reads dominate and a minute of staleness is allowed.","change_if":"Writes outnumbered reads.","confidence":0.8}"#;

/// The name under which the engine knows the mind below.
const ECHO: &str = "echo";

/// The face of a mind in this process that costs nothing.
pub(super) fn face(spec: &str) -> Face {
    let (kind, spec) = (Kind::Scripted, spec.to_string());
    Face { kind, spec, model: None, provider: None, price: None, metered: false, output_most: 0 }
}

/// A seat that says the same thing at once, and counts what it is told.
#[derive(Debug)]
struct Echo {
    face: Face,
    told: Arc<AtomicU64>,
}

impl Mind for Echo {
    fn ask<'a>(
        &'a self,
        question: &'a synod_minds::Question,
        brief: &'a Brief,
        _pass: &'a dyn Pass,
    ) -> Answering<'a> {
        Box::pin(async move { Ok(self.answer(question, brief)) })
    }

    fn at_once(
        &self,
        question: &synod_minds::Question,
        brief: &Brief,
    ) -> Option<std::result::Result<Reply, Failure>> {
        Some(Ok(self.answer(question, brief)))
    }

    fn face(&self) -> &Face {
        &self.face
    }
}

impl Echo {
    fn answer(&self, question: &synod_minds::Question, brief: &Brief) -> Reply {
        self.told.fetch_add(brief.len() as u64, Ordering::Relaxed);
        let text = match question.task {
            Task::Speak => STATEMENT,
            Task::Vote => VOTE,
            // No clerk sits in a benchmark.
            Task::Judge | Task::Digest | Task::Perspectives | Task::Synthesise => "{}",
        };
        Reply { text: text.into(), model: None, usage: Usage::default(), retries: Vec::new() }
    }
}

/// Seats for a debate, all answered by one mind.
pub(super) fn seats(count: usize, mind: &str) -> Vec<Seat> {
    let seat = |i: usize| {
        let name = format!("seat-{i:02}");
        let who = Who::parse(&name).ok()?;
        Some(Seat { who, name, kind: SeatKind::Scripted, mind: mind.into(), model: None, persona: None })
    };
    (0..count).filter_map(seat).collect()
}

/// An engine whose house knows the charter and the seats.
pub(super) async fn engine(
    journal: Box<dyn Journal>,
    minds: synod_engine::Minds,
    seats: &[Seat],
    source: &str,
) -> Result<Engine> {
    let engine = Engine::open(journal, minds, Options::default())?;
    give(&engine, Command::Found { key: "00".into() }).await?;
    give(&engine, Command::Adopt { source: source.into() }).await?;
    for seat in seats {
        give(&engine, Command::Enrol { seat: seat.clone() }).await?;
    }
    Ok(engine)
}

/// The text of [`CHARTER`].
pub(super) fn source() -> Result<&'static str> {
    let shipped = charter::shipped(CHARTER).map(|charter| charter.source);
    shipped.ok_or_else(|| Fail::new(code::DATA, "bench", "the charter for the benchmark is not shipped"))
}

/// A debate of the measured charter in which all rounds are held, so that its length is known.
pub(super) fn of_rounds(seats: &[Seat], rounds: u64) -> Result<Open> {
    let moved = [("rounds".to_string(), rounds), ("watch.early".to_string(), 0)];
    opening(source()?, seats, BTreeMap::from(moved))
}

/// What opens a debate under a charter, with some knobs moved.
pub(super) fn opening(source: &str, seats: &[Seat], moved: BTreeMap<String, u64>) -> Result<Open> {
    let question = Question::parse("Should we cache the search index?", &[])
        .map_err(|wrong| Fail::usage(wrong.to_string()))?;
    let seats = seats.iter().map(|seat| seat.who.clone()).collect();
    Ok(Open { moved, ..Open::new(question, Digest::of(source.as_bytes()), seats) })
}

/// Runs one whole debate and waits for its end.
pub(super) async fn debate(engine: &Engine, feed: &mut Feed, open: Open) -> Result<()> {
    let order = Order { by: Actor::Operator, key: None, command: Command::Open(Box::new(open)) };
    let id = MatterId(Id { act: engine.submit(order).await?.act.seq, nth: 0 });
    while let Some(act) = feed.next().await? {
        let over = |event: &Event| matches!(event, Event::Matter(matter::Event::Settled { matter, .. }) if *matter == id);
        if act.events().iter().any(over) {
            return Ok(());
        }
    }
    let status = engine.read(|house| house.case(id).map(synod_core::house::Case::status));
    match status {
        Some(Status::Settled(_)) => Ok(()),
        Some(Status::Running | Status::Paused(_)) | None => {
            Err(Fail::new(code::DATA, "bench", "the debate did not end"))
        }
    }
}

/// Measures one shape.
pub(super) fn measure(count: usize, rounds: u64, runs: usize) -> Result<Value> {
    on_runtime(async move {
        let told = Arc::new(AtomicU64::new(0));
        let mind: Arc<dyn Mind> = Arc::new(Echo { face: face(ECHO), told: told.clone() });
        let seats = seats(count, ECHO);
        let (mut walls, mut cpus) = (Vec::new(), Vec::new());
        reset_peak();
        for run in 0..runs + 3 {
            let minds = BTreeMap::from([(ECHO.to_string(), mind.clone())]);
            let engine = engine(Box::new(Memory::new()), minds, &seats, source()?).await?;
            told.store(0, Ordering::Relaxed);
            let mut feed = engine.feed(engine.read(synod_core::House::seq).next()).await?;
            let open = of_rounds(&seats, rounds)?;
            let (before, begun) = (cpu(), Instant::now());
            debate(&engine, &mut feed, open).await?;
            let (wall, used) = (begun.elapsed(), cpu().saturating_sub(before));
            if run >= 3 {
                walls.push(wall); // the first runs warm the caches
                cpus.push(used);
            }
            engine.end();
        }
        let turns = count as u64 * rounds;
        let calls = turns + count as u64;
        let bytes = told.load(Ordering::Relaxed);
        Ok(json!({
            "seats": count,
            "rounds": rounds,
            "turns": turns,
            "calls": calls,
            "whole_us": micros(median(walls)),
            "cpu_us_per_turn": micros(median(cpus) / turns as u32),
            "peak_mb": peak_mb(),
            "bytes_told": bytes,
            "bytes_told_per_seat": bytes / count as u64,
            "bytes_told_per_call": bytes / calls,
        }))
    })
}

/// How much more one seat costs in a large council than in a smaller one: 1 is linear in all.
pub(super) fn growth(rows: &[Value]) -> Value {
    let per_seat = |seats: u64| {
        let row = rows.iter().find(|row| row["seats"] == seats);
        row.and_then(|row| row["bytes_told_per_seat"].as_f64())
    };
    match (per_seat(8), per_seat(24), per_seat(72)) {
        (Some(few), Some(some), Some(many)) => json!({
            "8_to_24": super::measure::ratio(some, few),
            "24_to_72": super::measure::ratio(many, some),
        }),
        _ => Value::Null,
    }
}
