//! Whole commands in a house with many matters that are over: with its snapshot, and without.

use std::fs;
use std::path::Path;
use std::process::{Command as Process, Stdio};
use std::time::Duration;

use serde_json::{Value, json};
use synod_core::kernel::{Actor, Call};
use synod_core::{Command, Task};
use synod_journal::{Head, HouseKey, Journal as _, LockHolder, Record, Sqlite, chain};

use super::beside::children_cpu;
use super::houses::{BenchHouse, failed};
use super::in_process::seats;
use super::measure::{micros, peak_of};
use crate::fail::Result;

/// What is run, and how often: CPU time is told in hundredths of a second.
const COMMANDS: [&[&str]; 5] =
    [&["list"], &["show", "7"], &["show"], &["receipt", "7"], &["outcome", "7", "right"]];
const RUNS: u32 = 10;
/// Records that are appended together.
const TOGETHER: usize = 10_000;

/// A house with so many settled matters: what commands take.
pub(super) fn measure(count: usize) -> Result<Value> {
    let dir = std::env::temp_dir().join(format!("synod-bench-commands-{}", std::process::id()));
    let done = in_dir(&dir, count);
    let cleared = fs::remove_dir_all(&dir);
    let figures = done?;
    cleared.map_err(failed)?;
    Ok(figures)
}

fn in_dir(dir: &Path, count: usize) -> Result<Value> {
    let house = dir.join(".synod");
    let acts = write(&house, count)?;
    let size = |name: &str| fs::metadata(house.join(name)).map_or(0.0, |file| file.len() as f64 / 1e6);
    // The first command that writes folds everything and leaves a snapshot.
    let first = run(dir, &["outcome", "5", "right"], 1)?;
    let with = rows(dir, RUNS)?;
    let (journal_mb, snapshot_mb) = (size("journal.db"), size("snapshot"));
    let mut without = Vec::new();
    for command in COMMANDS {
        fs::remove_file(house.join("snapshot")).or_else(gone).map_err(failed)?;
        without.push(run(dir, command, 1)?);
    }
    Ok(json!({
        "settled": count,
        "acts": acts,
        "journal_mb": journal_mb.round(),
        "snapshot_mb": (10.0 * snapshot_mb).round() / 10.0,
        "first_write": first,
        "with_snapshot": with,
        "without": without,
    }))
}

fn gone(error: std::io::Error) -> std::io::Result<()> {
    if error.kind() == std::io::ErrorKind::NotFound { Ok(()) } else { Err(error) }
}

fn rows(dir: &Path, runs: u32) -> Result<Vec<Value>> {
    COMMANDS.iter().map(|command| run(dir, command, runs)).collect()
}

/// Runs a command some times: CPU time of each on average, and the most memory any of them took.
fn run(dir: &Path, command: &[&str], runs: u32) -> Result<Value> {
    let program = std::env::current_exe().map_err(failed)?;
    let (before, mut peak) = (children_cpu(), 0.0_f64);
    for _ in 0..runs {
        let child = Process::new(&program)
            .args(command)
            .current_dir(dir)
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn();
        let mut child = child.map_err(failed)?;
        let ended = loop {
            // The highest so far, so that the last look before the end tells it.
            peak = peak.max(peak_of(child.id()).unwrap_or(0.0));
            match child.try_wait().map_err(failed)? {
                Some(ended) => break ended,
                None => std::thread::sleep(Duration::from_micros(300)),
            }
        };
        if !ended.success() {
            return Err(failed(format!("`synod {}` ended with {ended}", command.join(" "))));
        }
    }
    let each = children_cpu().saturating_sub(before) / runs;
    Ok(json!({ "command": command.join(" "), "cpu_ms": micros(each) / 1000.0, "peak_mb": peak }))
}

/// Writes a house in which so many matters were answered to their end. Gives the number of acts.
fn write(house: &Path, count: usize) -> Result<u64> {
    let mut journal = Sqlite::open(house, &LockHolder::this_process("synod bench"))?;
    let key = HouseKey::load_or_create(house)?.public_hex();
    let table = seats(3, "rehearsal");
    let (mut bench, charter) = BenchHouse::found_with("blind-vote", &table, &key)?;
    bench.keep = true;
    for _ in 0..count {
        bench.open(charter, &table, &[])?;
        while let Some((ask, who)) = bench.asked(|_| true) {
            let vote = bench.house.ask(ask).is_some_and(|ask| matches!(ask.task(), Some(Task::Vote { .. })));
            let text = match vote {
                true => r#"{"vote":"YES","reason":"It pays for itself within a year.","confidence":0.8}"#,
                false => {
                    r#"{"stance":"YES","position":"We should, for the reads dominate.","reasoning":"Nine requests of ten only read, and the index changes once an hour.","key_points":["reads dominate","stale for an hour at most"],"confidence":0.7}"#
                }
            };
            let (text, call) = (text.to_string(), Box::new(Call::default()));
            bench.submit(Actor::Seat(who), Command::Answer { ask, salt: None, text, call })?;
        }
        bench.house.archive_idle(0);
        if bench.acts.len() > TOGETHER {
            append(&mut journal, &mut bench)?;
        }
    }
    append(&mut journal, &mut bench)?;
    Ok(journal.head().seq.0)
}

fn append(journal: &mut Sqlite, bench: &mut BenchHouse) -> Result<()> {
    let mut head: Head = journal.head();
    let mut records: Vec<Record> = Vec::with_capacity(bench.acts.len());
    for act in bench.acts.drain(..) {
        let record = chain::seal(head, &act)?;
        head = record.head();
        records.push(record);
    }
    journal.append(journal.head(), &records)?;
    Ok(())
}
