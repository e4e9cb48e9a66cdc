//! Whole debates with seats that answer at once, in process, under any shipped charter.

use std::collections::BTreeMap;
use std::path::Path;
use std::time::Instant;

use serde_json::{Value, json};
use synod_core::charter::{self, Charter, Council, Shipped};
use synod_core::command::Open;
use synod_core::kernel::SettingValue;
use synod_core::kernel::{Digest, Id, MatterId, Seat, SeatKind, Who};
use synod_core::matter::{Question, Status};
use synod_core::{Command, Event, matter};
use synod_engine::{Engine, EngineOptions, Feed};
use synod_journal::{Journal, LockHolder, Memory, Sqlite};

use super::measure::{cpu, median, micros, peak_mb, reset_peak};
use super::seat::{BenchWords, SPEAKER, Speaker};
use crate::cli::on_runtime;
use crate::fail::{Fail, Result, code};
use crate::house::give;

/// The charter that is measured: rounds of parallel speech, then a vote.
pub(super) const CHARTER: &str = "collaborative";

/// A statement of about 120 tokens.
pub(super) const STATEMENT: &str = r#"{"stance":"YES","position":"Keep the index in one place and cache the hot part of it for a minute, no longer.","reasoning":"Reads outnumber writes by two orders of magnitude and the hot part fits into memory many times over. A minute of staleness is within what the product promises. What speaks against it is one more thing to watch, and that is a cost we know how to carry.","key_points":["reads dominate","a minute of staleness is allowed","one more thing to watch"],"open_questions":"How often does the hot part change within a minute?","confidence":0.8}"#;

/// A vote.
pub(super) const VOTE: &str = r#"{"vote":"YES","reason":"Reads dominate and a minute of staleness is allowed.","change_if":"Writes outnumbered reads.","confidence":0.8}"#;

/// Seats for a debate, all answered by one mind.
pub(super) fn seats(count: usize, mind: &str) -> Vec<Seat> {
    let seat = |i: usize| {
        let name = format!("seat-{i:02}");
        let who = Who::parse(&name).ok()?;
        Some(Seat {
            who,
            name,
            kind: SeatKind::Model,
            backend: mind.into(),
            model: None,
            persona: None,
            profile: None,
        })
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
    let engine = Engine::open(journal, minds, EngineOptions::default())?;
    give(&engine, Command::Found { edition: synod_core::edition::CURRENT, key: "00".into() }).await?;
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
    let moved = [("rounds".to_string(), rounds.into()), ("watch.early".to_string(), 0.into())];
    opening(source()?, seats, BTreeMap::from(moved))
}

/// What opens a debate under a charter, with some knobs moved.
pub(super) fn opening(source: &str, seats: &[Seat], moved: BTreeMap<String, SettingValue>) -> Result<Open> {
    let question = Question::parse("Should we cache the search index?", &[])
        .map_err(|wrong| Fail::usage(wrong.to_string()))?;
    let seats = seats.iter().map(|seat| seat.who.clone()).collect();
    Ok(Open { moved, ..Open::new(question, Digest::of(source.as_bytes()), seats) })
}

/// Runs one whole debate and waits for its end.
pub(super) async fn debate(engine: &Engine, feed: &mut Feed, open: Open) -> Result<()> {
    let id = MatterId(Id { act: give(engine, Command::Open(Box::new(open))).await?.seq, nth: 0 });
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

/// The shipped charters under which seats take sides in rounds, and vote. Open questions and estimates are answered in other
/// forms, and motions are no matters that one opens alone.
pub(super) fn debates() -> impl Iterator<Item = Shipped> {
    let is_debate = |charter: Charter| {
        let speaks = |council: &Council| council.stages.iter().any(|stage| stage.kind.speech().is_some());
        charter.kind().is_none() && charter.parliament().is_none() && charter.council().is_some_and(speaks)
    };
    charter::councils().filter(move |shipped| settled(*shipped).is_ok_and(is_debate))
}

/// One debate to measure.
#[derive(Debug, Clone, Copy)]
pub(super) struct DebateShape {
    pub(super) charter: Shipped,
    pub(super) seats: usize,
    pub(super) rounds: u64,
    pub(super) words: BenchWords,
}

impl DebateShape {
    /// A shape under the charter of that name.
    pub(super) fn of(charter: &str, seats: usize, rounds: u64, words: BenchWords) -> Result<Self> {
        let unknown = || Fail::usage(format!("no shipped debate charter is called `{charter}`"));
        let charter = debates().find(|shipped| shipped.name == charter).ok_or_else(unknown)?;
        Ok(Self { charter, seats, rounds, words })
    }
}

/// A shipped charter, read.
pub(super) fn settled(shipped: Shipped) -> Result<Charter> {
    let flawed = || Fail::new(code::DATA, "bench", format!("the charter {} has flaws", shipped.name));
    Charter::parse(shipped.source).map(|(charter, _)| charter).map_err(|_| flawed())
}

/// So many rounds of speech however stages divide them, all held, and every seat heard.
pub(super) fn moves(charter: &Charter, rounds: u64) -> BTreeMap<String, SettingValue> {
    let settings = charter.settings();
    let panels = settings.keys().filter(|name| name.ends_with(".panel"));
    let mut moved: BTreeMap<String, SettingValue> = panels.map(|name| (name.clone(), 0.into())).collect();
    let fixed = settings.iter().filter(|(name, is)| name.ends_with(".rounds") && is.is_fixed());
    let held: u64 = fixed.filter_map(|(_, setting)| setting.is.number()).sum();
    let left = rounds.saturating_sub(held);
    moved.extend([("rounds".to_string(), left.into()), ("watch.early".to_string(), 0.into())]);
    moved
}

/// How the first stage gives the floor.
pub(super) fn floor(charter: &Charter) -> String {
    let stages = charter.council().map_or(&[][..], |council| &council.stages);
    let first = stages.iter().find_map(|stage| stage.kind.speech());
    let order = first.map(|speak| format!("{:?}", speak.floor).to_lowercase());
    order.unwrap_or_default()
}

/// Measures one shape; the journal lies in memory, or where `disk` says.
pub(super) fn measure(shape: DebateShape, runs: usize, disk: Option<&Path>) -> Result<Value> {
    on_runtime(measured(shape, runs, disk))
}

async fn measured(shape: DebateShape, runs: usize, disk: Option<&Path>) -> Result<Value> {
    let charter = settled(shape.charter)?;
    let moved = moves(&charter, shape.rounds);
    let speaker = Speaker::new(shape.words);
    let seats = seats(shape.seats, SPEAKER);
    let (mut walls, mut cpus) = (Vec::new(), Vec::new());
    reset_peak();
    // The first runs warm the caches and fill the speaker's list of answers.
    for run in 0..runs + 2 {
        let journal: Box<dyn Journal> = match disk {
            None => Box::new(Memory::new()),
            Some(dir) => {
                let house = dir.join(format!("{}-{}-{run}", shape.charter.name, shape.seats));
                Box::new(Sqlite::open(&house, &LockHolder::this_process("synod bench"))?)
            }
        };
        let minds = BTreeMap::from([(SPEAKER.to_string(), speaker.mind())]);
        let engine = engine(journal, minds, &seats, shape.charter.source).await?;
        speaker.forget_counts();
        let mut feed = engine.feed(engine.read(synod_core::House::seq).next()).await?;
        let open = opening(shape.charter.source, &seats, moved.clone())?;
        let (before, begun) = (cpu(), Instant::now());
        debate(&engine, &mut feed, open).await?;
        let (wall, used) = (begun.elapsed(), cpu().saturating_sub(before));
        if run >= 2 {
            walls.push(wall);
            cpus.push(used);
        }
        engine.end();
    }
    let (calls, bytes) = speaker.counts();
    let turns = shape.seats as u64 * shape.rounds;
    let (least, middle) = (cpus.iter().min().copied().unwrap_or_default(), median(cpus));
    Ok(json!({
        "charter": shape.charter.name,
        "floor": floor(&charter),
        "seats": shape.seats,
        "rounds": shape.rounds,
        "turns": turns,
        "calls": calls,
        "on_disk": disk.is_some(),
        "cpu_us": micros(middle),
        "cpu_us_least": micros(least),
        "cpu_us_per_turn": micros(middle / turns as u32),
        "whole_us": micros(median(walls)),
        "peak_mb": peak_mb(),
        "bytes_told": bytes,
        "bytes_told_per_seat": bytes / shape.seats as u64,
        "bytes_told_per_call": bytes / calls.max(1),
    }))
}

#[cfg(test)]
mod tests {
    use super::{DebateShape, debates, measure};
    use crate::cli::bench::seat::BenchWords;

    /// A charter that refuses the measured question would stop the whole benchmark.
    #[test]
    fn every_charter_that_is_measured_holds_the_debate() {
        let names: Vec<&str> = debates().map(|shipped| shipped.name).collect();
        assert!(names.contains(&"collaborative") && names.contains(&"red-team-blue-team"), "{names:?}");
        for name in names {
            let shape = DebateShape::of(name, 3, 3, BenchWords::Differing).unwrap();
            let figures = measure(shape, 1, None).unwrap_or_else(|fail| panic!("{name}: {}", fail.message()));
            assert!(figures["calls"].as_u64() >= Some(9), "{name}: {figures}");
        }
    }
}
