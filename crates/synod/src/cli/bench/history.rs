//! What models are sent: every brief of whole debates under every shipped charter, its length, and how much
//! of it a provider's prefix cache has seen. Counts bytes, never time: the same in every run.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::sync::{Arc, Mutex};

use serde_json::{Value, json};
use synod_core::brief::Brief;
use synod_core::charter::Shipped;
use synod_core::kernel::{SettingValue, Usage};
use synod_journal::Memory;
use synod_minds::{Answering, AskContext, CallFailure, Face, Mind, MindTask, Pass, Reply};

use super::in_process::{debate, debates, engine, floor, moves, opening, seats, settled};
use super::measure::ratio;
use super::phrases::SpokenLanguages;
use super::prose;
use super::seat::{face, place};
use crate::cli::on_runtime;
use crate::fail::{Fail, Result, code};

/// Seats that are measured.
const SEATS: [usize; 4] = [3, 8, 24, 72];
/// Rounds of speech in every debate; votes come on top.
const ROUNDS: u64 = 3;
/// The name under which the engine knows the mind below.
const TAPE: &str = "tape";

/// Tools that repeat the whole history in every request, with a fixed answer of 127 tokens and three rounds:
/// bytes per turn at these seats, megabytes of 72 × 3, share of the request before, of the best earlier one.
const FULL_HISTORY: ([u64; 4], f64, f64, f64) = ([3_274, 8_554, 25_450, 76_138], 16.4, 0.003, 0.446);

/// One request as the seat received it.
#[derive(Debug)]
struct RecordedBrief {
    text: String,
    stable: usize,
    shared: usize,
    /// Bytes of the whole request: the text as JSON, the schema, and what stands around both.
    request: usize,
    vote: bool,
}

/// What a chat completion request holds besides text and schema: names of keys, model, limits.
const ENVELOPE: usize = 190;

/// Bytes of a request with this brief.
fn request(brief: &Brief) -> usize {
    let json = |text: &str| serde_json::to_string(text).map_or(0, |json| json.len());
    let user = [brief.shared.text(), &brief.own].concat();
    json(brief.stable.text()) + json(&user) + brief.form.schema().len() + ENVELOPE
}

/// A seat that keeps every brief and answers at once.
#[derive(Debug)]
struct RecordingSeat {
    face: Face,
    told: Mutex<Vec<RecordedBrief>>,
}

impl RecordingSeat {
    fn answer(&self, question: &AskContext, brief: &Brief) -> Reply {
        let told = RecordedBrief {
            text: brief.text(),
            stable: brief.stable.text().len(),
            shared: brief.shared.text().len(),
            request: request(brief),
            vote: question.task == MindTask::Vote,
        };
        self.told.lock().unwrap_or_else(std::sync::PoisonError::into_inner).push(told);
        let text = prose::answer(SpokenLanguages::English, place(question), question, &brief.form);
        Reply { text, model: None, usage: Usage::default(), retries: Vec::new() }
    }
}

impl Mind for RecordingSeat {
    fn ask<'a>(&'a self, question: &'a AskContext, brief: &'a Brief, _pass: &'a dyn Pass) -> Answering<'a> {
        Box::pin(async move { Ok(self.answer(question, brief)) })
    }

    fn at_once(
        &self,
        question: &AskContext,
        brief: &Brief,
    ) -> Option<std::result::Result<Reply, CallFailure>> {
        Some(Ok(self.answer(question, brief)))
    }

    fn face(&self) -> &Face {
        &self.face
    }
}

/// Measures every charter at every size.
pub(super) fn measure() -> Result<Value> {
    let mut rows = Vec::new();
    for shipped in debates() {
        for count in SEATS {
            rows.push(on_runtime(row(shipped, count))?);
        }
    }
    let (per_turn, megabytes, previous, best) = FULL_HISTORY;
    let growth: serde_json::Map<String, Value> =
        debates().map(|shipped| (shipped.name.to_string(), growth(&rows, shipped.name))).collect();
    Ok(json!({
        "rounds": ROUNDS,
        "statement_bytes": prose::STATEMENT_BYTES,
        "rows": rows,
        "growth_24_to_72_of_seats": growth,
        "full_history_tools": {
            "seats": SEATS,
            "bytes_per_turn": per_turn,
            "megabytes_72x3": megabytes,
            "shared_with_previous": previous,
            "shared_with_best_earlier": best,
        },
    }))
}

async fn row(shipped: Shipped, count: usize) -> Result<Value> {
    let charter = settled(shipped)?;
    let moved = moves(&charter, ROUNDS);
    let told = run(shipped, count, moved.clone()).await?;
    let mut whole = moved;
    let Some(council) = charter.council() else {
        return Err(Fail::new(code::DATA, "bench", "a ring has no briefs"));
    };
    whole.insert(HISTORY.into(), council.turn.history_chars.to.into());
    let whole: usize = run(shipped, count, whole).await?.iter().map(|told| told.text.len()).sum();

    let budget = council.turn.history_chars.is as usize;
    let bytes: usize = told.iter().map(|told| told.text.len()).sum();
    let sent: usize = told.iter().map(|told| told.request).sum();
    let per_turn = sent as u64 / (count as u64 * ROUNDS);
    let bare =
        SEATS.iter().zip(FULL_HISTORY.0).find(|(seats, _)| **seats == count).map_or(0, |(_, bytes)| bytes);
    let most = told.iter().map(|told| told.text.len()).max().unwrap_or(0);
    let own = |told: &RecordedBrief| told.text.len() - told.stable - told.shared;
    let bound = told.iter().map(|told| told.stable + budget + own(told)).max().unwrap_or(0);
    let previous: Vec<f64> = told.windows(2).map(|pair| shared(&pair[1], &pair[0])).collect();
    let spoken = told.windows(2).filter(|pair| !pair[1].vote).map(|pair| shared(&pair[1], &pair[0]));
    let best = (1..told.len()).map(|i| {
        let earlier = told[..i].iter().rev().map(|earlier| shared(&told[i], earlier));
        earlier.fold(0.0, f64::max)
    });
    Ok(json!({
        "charter": shipped.name,
        "floor": floor(&charter),
        "seats": count,
        "calls": told.len(),
        "bytes_per_call": bytes / told.len().max(1),
        "bytes_most": most,
        "bound": bound,
        "within": told.iter().all(|told| told.shared <= budget),
        "bytes": bytes,
        "request_bytes": sent,
        "request_bytes_per_turn": per_turn,
        "times_bare_loop": ratio(per_turn as f64, bare as f64),
        "bytes_if_history_were_whole": whole,
        "own_share": mean(told.iter().map(|told| own(told) as f64 / told.text.len() as f64)),
        "shared_with_previous": mean(previous),
        "shared_with_previous_speeches": mean(spoken),
        "shared_with_best_earlier": mean(best),
    }))
}

const HISTORY: &str = "turn.history_chars";

async fn run(
    shipped: Shipped,
    count: usize,
    moved: BTreeMap<String, SettingValue>,
) -> Result<Vec<RecordedBrief>> {
    let tape = Arc::new(RecordingSeat { face: face(TAPE), told: Mutex::default() });
    let mind: Arc<dyn Mind> = tape.clone();
    let seats = seats(count, TAPE);
    let minds = BTreeMap::from([(TAPE.to_string(), mind)]);
    let engine = engine(Box::new(Memory::new()), minds, &seats, shipped.source).await?;
    let mut feed = engine.feed(engine.read(synod_core::House::seq).next()).await?;
    debate(&engine, &mut feed, opening(shipped.source, &seats, moved)?).await?;
    engine.end();
    let mut told = tape.told.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
    Ok(std::mem::take(&mut told))
}

/// The part of a request that is the beginning of an earlier one.
fn shared(request: &RecordedBrief, earlier: &RecordedBrief) -> f64 {
    const PIECE: usize = 64;
    let (a, b) = (request.text.as_bytes(), earlier.text.as_bytes());
    let pieces = a.chunks_exact(PIECE).zip(b.chunks_exact(PIECE));
    let begun = PIECE * pieces.take_while(|(a, b)| a == b).count();
    let rest = a[begun..].iter().zip(&b[begun..]).take_while(|(a, b)| a == b).count();
    (begun + rest) as f64 / a.len().max(1) as f64
}

/// The mean, in thousandths.
fn mean(shares: impl IntoIterator<Item = f64>) -> f64 {
    let (sum, count) = shares.into_iter().fold((0.0, 0), |(sum, count), share| (sum + share, count + 1));
    (1000.0 * sum / f64::from(count.max(1))).round() / 1000.0
}

/// How much faster bytes grow than seats: 1 is linear, 3 is the square.
fn growth(rows: &[Value], charter: &str) -> Value {
    let bytes = |seats: u64| {
        let row = rows.iter().find(|row| row["charter"] == charter && row["seats"] == seats)?;
        row["bytes"].as_f64()
    };
    match (bytes(24), bytes(72)) {
        (Some(some), Some(many)) => json!(ratio(many / some, 3.0)),
        _ => Value::Null,
    }
}

/// The figures as a table for people.
pub(super) fn table(figures: &Value) -> String {
    let mut out = String::new();
    let _ = writeln!(
        out,
        "{} rounds of speech and the votes of the charter; statements of {} bytes.\n\
         request/turn: all requests with their schemas, votes included, over the statements; ×bare: of a bare loop's.\n\
         shared: of a request, the part that begins like the one before it; like the best earlier one.\n",
        figures["rounds"], figures["statement_bytes"]
    );
    let _ = writeln!(
        out,
        "{:<19} {:<10} {:>5} {:>5} {:>10} {:>12} {:>5} {:>8} {:>8} {:>6} {:>10} {:>11} {:>7} {:>8} {:>6}",
        "charter",
        "floor",
        "seats",
        "calls",
        "bytes/call",
        "request/turn",
        "×bare",
        "most",
        "bound",
        "within",
        "bytes",
        "sent whole",
        "shared",
        "speeches",
        "best"
    );
    for row in figures["rows"].as_array().into_iter().flatten() {
        let text = |key: &str| row[key].as_str().map_or_else(|| row[key].to_string(), String::from);
        let share = |key: &str| format!("{:.1} %", 100.0 * row[key].as_f64().unwrap_or(0.0));
        let _ = writeln!(
            out,
            "{:<19} {:<10} {:>5} {:>5} {:>10} {:>12} {:>5} {:>8} {:>8} {:>6} {:>10} {:>11} {:>7} {:>8} {:>6}",
            text("charter"),
            text("floor"),
            text("seats"),
            text("calls"),
            text("bytes_per_call"),
            text("request_bytes_per_turn"),
            text("times_bare_loop"),
            text("bytes_most"),
            text("bound"),
            if row["within"] == true { "yes" } else { "NO" },
            text("bytes"),
            text("bytes_if_history_were_whole"),
            share("shared_with_previous"),
            share("shared_with_previous_speeches"),
            share("shared_with_best_earlier"),
        );
    }
    let growth = figures["growth_24_to_72_of_seats"].as_object();
    let growth: Vec<String> =
        growth.into_iter().flatten().map(|(charter, times)| format!("{charter} {times}")).collect();
    let _ =
        writeln!(out, "\nGrowth of bytes from 24 to 72 seats over growth of seats: {}", growth.join(", "));
    let tools = &figures["full_history_tools"];
    let _ = writeln!(
        out,
        "Tools that send the whole history, measured elsewhere at {} seats: {} bytes a turn, {} MB for 72 × 3,\n\
         {:.1} % shared with the request before, {:.1} % with the best earlier one.",
        tools["seats"],
        tools["bytes_per_turn"],
        tools["megabytes_72x3"],
        100.0 * FULL_HISTORY.2,
        100.0 * FULL_HISTORY.3,
    );
    out
}
