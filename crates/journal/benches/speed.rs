//! What sealing and keeping cost: `cargo bench -p synod-journal`. It measures and judges nothing.

#[allow(dead_code, reason = "shared with the tests, which use more of it")]
#[path = "../tests/all/sample.rs"]
mod sample;

use std::hint::black_box;
use std::time::{Duration, Instant};

use rusqlite::Connection;
use synod_journal::{Error, Head, Journal as _, Memory, Record, canon, chain};
use tempfile::TempDir;

use sample::{act, records, say, writer};

fn each(count: u32, mut work: impl FnMut()) -> Duration {
    let start = Instant::now();
    (0..count).for_each(|_| work());
    start.elapsed() / count
}

fn speed_of_the_chain() {
    let act = act(1);
    let record = chain::seal(Head::default(), &act).unwrap();
    say(&format!("an act of {} bytes", record.body.len()));
    let value: serde_json::Value = serde_json::from_str(&record.body).unwrap();
    for (what, cost) in [
        ("seal", each(200_000, || drop(black_box(chain::seal(Head::default(), black_box(&act)))))),
        ("open", each(100_000, || drop(black_box(chain::open(Head::default(), black_box(&record)))))),
        ("canon::to_string", each(200_000, || drop(black_box(canon::to_string(black_box(&value)))))),
        ("canon::check", each(200_000, || drop(black_box(canon::check(black_box(&record.body)))))),
        (
            "serde_json_canonicalizer",
            each(50_000, || drop(black_box(serde_json_canonicalizer::to_string(black_box(&value))))),
        ),
    ] {
        say(&format!("{what}: {cost:?}"));
    }
}

fn speed_of_a_walk() {
    let mut journal = Memory::new();
    journal.append(Head::default(), &records(Head::default(), ACTS)).unwrap();
    let reader = journal.reader().unwrap();
    let cost = each(1, || drop(chain::walk(&*reader, Head::default(), |_, _| Ok::<(), Error>(()))));
    say(&format!("walk: {:?} per act", cost / ACTS as u32));
}

const ACTS: u64 = 40_000;

/// Others use the disk too, so one run says little: nine of each, taking turns at going first, and the median.
/// The raw one is measured twice; how far it is from itself tells what the other ratio is worth.
fn speed_of_durable_batches() {
    let records = records(Head::default(), ACTS);
    for batch in [1, 10, 100, 1000] {
        let records = &records[..records.len().min(batch * 400)];
        let mut spent = [const { Vec::new() }; 3];
        for round in 0..9 {
            for turn in 0..3 {
                let which = (round + turn) % 3;
                spent[which].push(if which == 0 { keep(records, batch) } else { keep_raw(records, batch) });
            }
        }
        let [ours, raw, again] = spent.map(|times| records.len() as f64 / median(times));
        say(&format!(
            "batches of {batch}: {ours:.0} acts/s, raw {raw:.0}, ratio {:.2} (raw to itself {:.2})",
            ours / raw,
            again / raw
        ));
    }
}

fn median(mut times: Vec<f64>) -> f64 {
    times.sort_by(f64::total_cmp);
    times[times.len() / 2]
}

fn keep(records: &[Record], batch: usize) -> f64 {
    let dir = TempDir::new().unwrap();
    let mut journal = writer(dir.path());
    let start = Instant::now();
    for batch in records.chunks(batch) {
        journal.append(journal.head(), batch).unwrap();
    }
    start.elapsed().as_secs_f64()
}

/// The same rows, by hand.
fn keep_raw(records: &[Record], batch: usize) -> f64 {
    let dir = TempDir::new().unwrap();
    let mut raw = Connection::open(dir.path().join("raw.db")).unwrap();
    raw.execute_batch(
        "PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL;
         CREATE TABLE acts (seq INTEGER PRIMARY KEY, hash BLOB NOT NULL, body TEXT NOT NULL) STRICT",
    )
    .unwrap();
    let start = Instant::now();
    for batch in records.chunks(batch) {
        let transaction = raw.transaction().unwrap();
        let mut insert = transaction.prepare("INSERT INTO acts VALUES (?1, ?2, ?3)").unwrap();
        for record in batch {
            insert.execute((record.seq.0 as i64, record.hash.0, &record.body)).unwrap();
        }
        drop(insert);
        transaction.commit().unwrap();
    }
    start.elapsed().as_secs_f64()
}

fn main() {
    speed_of_the_chain();
    speed_of_a_walk();
    speed_of_durable_batches();
}
