//! What one act costs as things grow long: a ring with thousands of contributions, a house with thousands of matters.
//! On the core alone, without journal and threads: a figure that grows here grows everywhere. What whole commands take
//! in such a house is in `commands`.

use std::time::Duration;

use serde_json::{Value, json};
use synod_core::command::Open;
use synod_core::kernel::{Actor, AskId, At, Digest, Id, MatterId, Seat, SeatKind, Seq, Who};
use synod_core::matter::Question;
use synod_core::procedure::ring::{self, Remark};
use synod_core::view::TurnSheet;
use synod_core::{Act, Command, House, Outcome, Task, charter};

use super::commands;
use super::in_process::seats;
use super::measure::{cpu, micros, peak_mb, reset_peak};
use super::phrases::SpokenLanguages;
use crate::fail::{Fail, Result, code};

/// Contributions after which a ring is looked at.
const CONTRIBUTIONS: [usize; 4] = [10, 200, 1_000, 5_000];
/// Acts that are timed together.
const TIMED: usize = 100;

pub(super) fn failed(what: impl std::fmt::Display) -> Fail {
    Fail::new(code::DATA, "bench", format!("the benchmark of houses failed: {what}"))
}

/// A house whose acts are judged and applied one after the other.
#[derive(Default)]
pub(super) struct BenchHouse {
    pub(super) house: House,
    pub(super) acts: Vec<Act>,
    pub(super) keep: bool,
    now: u64,
}

impl BenchHouse {
    pub(super) fn submit(&mut self, by: Actor, command: Command) -> Result<Seq> {
        self.now += 1;
        let (act, house) = self.house.judge(At(self.now), by, None, command);
        if let Outcome::Refused { message, .. } = &act.outcome {
            return Err(failed(message));
        }
        self.house = house;
        let seq = act.seq;
        if self.keep {
            self.acts.push(act);
        }
        Ok(seq)
    }

    fn found(charter: &str, table: &[Seat]) -> Result<(Self, Digest)> {
        Self::found_with(charter, table, "00")
    }

    pub(super) fn found_with(charter: &str, table: &[Seat], key: &str) -> Result<(Self, Digest)> {
        let shipped = charter::shipped(charter).ok_or_else(|| failed("a charter is missing"))?;
        let mut bench = Self { keep: true, ..Self::default() };
        bench.submit(
            Actor::Operator,
            Command::Found { edition: synod_core::edition::CURRENT, key: key.into() },
        )?;
        bench.submit(Actor::Operator, Command::Adopt { source: shipped.source.into() })?;
        for seat in table {
            bench.submit(Actor::Operator, Command::Enrol { seat: seat.clone() })?;
        }
        bench.keep = false;
        Ok((bench, Digest::of(shipped.source.as_bytes())))
    }

    pub(super) fn open(
        &mut self,
        charter: Digest,
        table: &[Seat],
        moved: &[(&str, u64)],
    ) -> Result<MatterId> {
        let question = Question::parse("Should we cache the search index?", &[]).map_err(failed)?;
        let who = table.iter().map(|seat| seat.who.clone()).collect();
        let moved = moved.iter().map(|(knob, to)| (knob.to_string(), (*to).into())).collect();
        let open = Open { moved, ..Open::new(question, charter, who) };
        let act = self.submit(Actor::Operator, Command::Open(Box::new(open)))?;
        Ok(MatterId(Id { act, nth: 0 }))
    }

    pub(super) fn asked(&self, wanted: impl Fn(Task) -> bool) -> Option<(AskId, Who)> {
        let mut asks = self.house.open_asks();
        asks.find_map(|(id, ask)| Some((id, ask.who().filter(|_| ask.task().is_some_and(&wanted))?.clone())))
    }
}

/// Everything, as far as it is asked for.
pub(super) fn measure(quick: bool) -> Result<Value> {
    let most = if quick { 1_000 } else { 5_000 };
    let (open, settled): (&[usize], &[usize]) =
        if quick { (&[100, 1_000], &[1_000]) } else { (&[100, 1_000, 10_000], &[1_000, 10_000, 50_000]) };
    let each = |counts: &[usize], measure: fn(usize) -> Result<Value>| {
        counts.iter().map(|count| measure(*count)).collect::<Result<Vec<_>>>()
    };
    Ok(json!({
        "ring": ring(0, most)?,
        "ring_in_cyrillic": ring(4, most)?,
        "open_matters": each(open, open_matters)?,
        "settled_matters": each(settled, settled_matters)?,
        "commands": each(settled, commands::measure)?,
    }))
}

/// One long ring of 16; the seat at `tongue` of a mixed council lends its language.
fn ring(tongue: usize, most: usize) -> Result<Vec<Value>> {
    let mut table = seats(16, "outside");
    table.iter_mut().for_each(|seat| seat.kind = SeatKind::Outside);
    let (mut bench, charter) = BenchHouse::found("ring-default", &table)?;
    // So long that nothing lapses while it is measured.
    let moved = [("ring.rounds", 50), ("ring.token_ms", 3_600_000), ("ring.session_ms", 86_400_000)];
    let matter = bench.open(charter, &table, &moved)?;
    for seat in &table {
        bench.submit(
            Actor::Seat(seat.who.clone()),
            Command::Ring(ring::Command::Participate { matter, action: ring::Action::Join }),
        )?;
    }
    while let Some((ask, who)) = bench.asked(|task| task == Task::Propose) {
        let part = ring::Action::Skip { ask, why: None };
        bench.submit(Actor::Seat(who), Command::Ring(ring::Command::Participate { matter, action: part }))?;
    }
    let (mut rows, mut said, mut spent) = (Vec::new(), 0, Duration::ZERO);
    let reasons = SpokenLanguages::Mixed.of(tongue).reasons;
    while said < most {
        let Some((ask, who)) = bench.asked(|task| matches!(task, Task::Speak { .. })) else {
            return Err(failed(format!("the ring ended after {said} contributions")));
        };
        let text = reasons[said % reasons.len()].replace('#', &said.to_string());
        // Eight contributions a turn, as the charter allows.
        let part = ring::Action::Say { ask, keep: said % 8 != 7, kind: Remark::Opinion, text, to: None };
        let before = cpu();
        bench.submit(Actor::Seat(who), Command::Ring(ring::Command::Participate { matter, action: part }))?;
        spent += cpu().saturating_sub(before);
        said += 1;
        if CONTRIBUTIONS.contains(&said) {
            let before = rows.last().and_then(|row: &Value| row["contributions"].as_u64()).unwrap_or(0);
            let timed = said as u32 - before as u32;
            rows.push(json!({
                "contributions": said,
                "us_per_contribution_since": micros(spent / timed),
                "prompt_bytes": prompt(&bench, matter),
            }));
            spent = Duration::ZERO;
        }
    }
    Ok(rows)
}

/// How long the prompt is of whoever is asked now.
fn prompt(bench: &BenchHouse, matter: MatterId) -> Option<usize> {
    let (ask, _) = bench.asked(|task| matches!(task, Task::Speak { .. }))?;
    Some(TurnSheet::of(bench.house.case(matter)?, ask)?.prompt.len())
}

/// A write in a house with so many matters that wait for answers.
fn open_matters(count: usize) -> Result<Value> {
    let table = seats(3, "rehearsal");
    let (mut bench, charter) = BenchHouse::found("collaborative", &table)?;
    for _ in 0..count {
        bench.open(charter, &table, &[])?;
    }
    let before = cpu();
    for _ in 0..TIMED {
        let matter = bench.open(charter, &table, &[])?;
        // The judge looks for what is due before and after every batch.
        let due = [bench.house.next_deadline(), bench.house.next_deadline()];
        bench.submit(Actor::Operator, Command::Stop { matter })?;
        std::hint::black_box(due);
    }
    let spent = cpu().saturating_sub(before);
    Ok(json!({ "open": count, "us_per_write": micros(spent / (2 * TIMED as u32)) }))
}

/// Folding a house with so many matters that are over.
fn settled_matters(count: usize) -> Result<Value> {
    let table = seats(3, "rehearsal");
    let (mut bench, charter) = BenchHouse::found("collaborative", &table)?;
    bench.acts.clear();
    bench.keep = true;
    for _ in 0..count {
        let matter = bench.open(charter, &table, &[])?;
        bench.submit(Actor::Operator, Command::Stop { matter })?;
    }
    let acts: Vec<Act> = std::mem::take(&mut bench.acts);
    drop(bench);
    reset_peak();
    let before = cpu();
    let (mut house, founding) = (House::default(), BenchHouse::found("collaborative", &table)?.0);
    house.clone_from(&founding.house);
    acts.iter().for_each(|act| house.evolve(act));
    let spent = cpu().saturating_sub(before);
    Ok(json!({
        "settled": count,
        "acts": acts.len(),
        "fold_ms": micros(spent) / 1000.0,
        "us_per_act": micros(spent / acts.len().max(1) as u32),
        "peak_mb": peak_mb(),
    }))
}
