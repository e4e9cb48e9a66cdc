//! Durable acts per second through the whole engine, beside raw SQLite that inserts as many bytes in
//! batches of the same size.

use std::path::Path;
use std::time::{Duration, Instant};

use serde_json::{Value, json};
use synod_core::Command;
use synod_core::kernel::{Digest, Seq};
use synod_engine::{Engine, EngineOptions, Order};
use synod_journal::{JournalReader as _, LockHolder, Sqlite, SqliteReader};

use super::in_process::{self, DebateShape, seats};
use super::measure::{cpu, micros, ratio};
use super::seat::BenchWords;
use crate::cli::on_runtime;
use crate::fail::{Fail, Result, code};
use crate::house::give;

/// Orders given together, and rows in one raw transaction.
const BATCH: usize = 512;
/// So many times as many orders are under way at once.
const IN_FLIGHT: usize = 4;

fn failed(what: impl std::fmt::Display) -> Fail {
    Fail::new(code::IO, "bench", format!("the disk benchmark failed: {what}"))
}

/// Measures both in turn, several times, and takes the middle of each.
pub(super) fn measure(acts: usize) -> Result<Value> {
    let dir = std::env::current_dir().map_err(failed)?.join(format!(".synod-bench-{}", std::process::id()));
    let done = alternate(&dir, acts);
    let cleared = std::fs::remove_dir_all(&dir);
    let figures = done?;
    cleared.map_err(failed)?;
    Ok(figures)
}

/// Whole debates with the journal on disk, one charter of each kind of floor.
pub(super) fn debates(quick: bool) -> Result<Value> {
    let dir = std::env::current_dir().map_err(failed)?.join(format!(".synod-bench-{}", std::process::id()));
    let measured = ["collaborative", "adversarial", "red-team-blue-team"].into_iter().flat_map(|charter| {
        [3, 24, 72].map(|seats| {
            let shape = DebateShape::of(charter, seats, 3, BenchWords::Differing)?;
            in_process::measure(shape, if quick { 3 } else { 11 }, Some(&dir))
        })
    });
    let rows: Result<Vec<Value>> = measured.collect();
    let cleared = std::fs::remove_dir_all(&dir);
    let rows = rows?;
    cleared.map_err(failed)?;
    Ok(json!(rows))
}

fn alternate(dir: &Path, acts: usize) -> Result<Value> {
    let (mut ours, mut raw, mut single) = (Vec::new(), Vec::new(), Vec::new());
    let mut acknowledged = Vec::new();
    let mut bytes = 0;
    for turn in 0..9 {
        let house = dir.join(format!("house-{turn}"));
        ours.push(on_runtime(engine_acts(&house, acts, ProofMode::None))?);
        acknowledged.push(on_runtime(engine_acts(
            &house.with_extension("acknowledged"),
            acts,
            ProofMode::EveryAct,
        ))?);
        let bodies = bodies(&house, acts)?;
        bytes = bodies.iter().map(String::len).sum::<usize>() / bodies.len().max(1);
        raw.push(raw_rows(&dir.join(format!("raw-{turn}.db")), &bodies, BATCH)?);
        single.push(on_runtime(one_by_one(&house.with_extension("single"), acts / 100))?);
    }
    let least = |times: &[(Duration, Duration)]| times.iter().map(|(_, cpu)| *cpu).min().unwrap_or_default();
    let (cpu, cpu_acknowledged) = (least(&ours), least(&acknowledged));
    let walls = |times: Vec<(Duration, Duration)>| {
        super::measure::median(times.into_iter().map(|(wall, _)| wall).collect())
    };
    let (ours, acknowledged, raw) = (walls(ours), walls(acknowledged), super::measure::median(raw));
    let rate = |time: Duration, count: usize| (count as f64 / time.as_secs_f64()).round();
    Ok(json!({
        "acts": acts,
        "bytes_per_act": bytes,
        "batch": BATCH,
        "in_flight": BATCH * IN_FLIGHT,
        "acts_per_second": rate(ours, acts),
        "raw_rows_per_second": rate(raw, acts),
        "of_raw": ratio(raw.as_secs_f64(), ours.as_secs_f64()),
        "us_per_act": micros(ours / acts as u32),
        "acknowledged_acts_per_second": rate(acknowledged, acts),
        "acknowledged_of_bare": ratio(ours.as_secs_f64(), acknowledged.as_secs_f64()),
        "cpu_us_per_act": micros(cpu / acts as u32),
        "cpu_us_per_acknowledged_act": micros(cpu_acknowledged / acts as u32),
        "one_at_a_time_acts_per_second": rate(super::measure::median(single), acts / 100),
    }))
}

/// A command whose act has about the size of a statement's.
fn order(i: usize) -> Order {
    let mut seat = seats(1, "rehearsal").remove(0);
    seat.persona = Some(format!("{i} {}", "a point of view that is put at some length ".repeat(7)));
    Order::operator(Command::Enrol { seat })
}

/// The proofs that are made for those who wait.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum ProofMode {
    /// Nothing: no tree, no signature.
    None,
    /// Each gets its acknowledgement, and checkpoints are signed.
    EveryAct,
}

async fn open(house: &Path, proof: ProofMode) -> Result<Engine> {
    let journal = Sqlite::open(house, &LockHolder::this_process("synod bench"))?;
    let options = EngineOptions { tree: proof == ProofMode::EveryAct, ..EngineOptions::default() };
    let engine = Engine::open(Box::new(journal), Default::default(), options)?;
    let key = synod_journal::HouseKey::load_or_create(house)?.public_hex();
    give(&engine, Command::Found { edition: synod_core::edition::CURRENT, key }).await?;
    Ok(engine)
}

/// Wall time and CPU time.
async fn engine_acts(house: &Path, acts: usize, proof: ProofMode) -> Result<(Duration, Duration)> {
    let engine = std::sync::Arc::new(open(house, proof).await?);
    let orders: Vec<Order> = (0..acts).map(order).collect();
    let mut batches: Vec<Vec<Order>> = orders.chunks(BATCH).map(<[Order]>::to_vec).collect();
    batches.reverse();
    let mut flying = tokio::task::JoinSet::new();
    let give = |batch: Vec<Order>| {
        let engine = engine.clone();
        async move {
            engine.submit_all(batch).await?.into_iter().try_for_each(|done| {
                let promise = done?.promise.filter(|_| proof == ProofMode::EveryAct);
                std::hint::black_box(promise.map(|promise| promise.acknowledgement()));
                Ok::<(), synod_engine::Fault>(())
            })
        }
    };
    let (before, begun) = (cpu(), Instant::now());
    for _ in 0..IN_FLIGHT {
        if let Some(batch) = batches.pop() {
            flying.spawn(give(batch));
        }
    }
    while let Some(done) = flying.join_next().await {
        done.map_err(failed)??;
        if let Some(batch) = batches.pop() {
            flying.spawn(give(batch));
        }
    }
    Ok((begun.elapsed(), cpu().saturating_sub(before)))
}

async fn one_by_one(house: &Path, acts: usize) -> Result<Duration> {
    let engine = open(house, ProofMode::EveryAct).await?;
    let begun = Instant::now();
    for i in 0..acts {
        engine.submit(order(i)).await?;
    }
    Ok(begun.elapsed())
}

fn bodies(house: &Path, acts: usize) -> Result<Vec<String>> {
    let records = SqliteReader::open(house)?.read(Seq(2), acts)?;
    Ok(records.into_iter().map(|record| record.body).collect())
}

/// The same rows with nothing around them.
fn raw_rows(path: &Path, bodies: &[String], batch: usize) -> Result<Duration> {
    let mut db = rusqlite::Connection::open(path).map_err(failed)?;
    db.pragma_update(None, "journal_mode", "WAL").map_err(failed)?;
    db.pragma_update(None, "synchronous", "FULL").map_err(failed)?;
    let table = "CREATE TABLE acts (seq INTEGER PRIMARY KEY, hash BLOB NOT NULL, body TEXT NOT NULL) STRICT";
    db.execute(table, []).map_err(failed)?;
    let hash = Digest::of(b"raw");
    let begun = Instant::now();
    for (i, rows) in bodies.chunks(batch).enumerate() {
        let transaction = db.transaction().map_err(failed)?;
        {
            let mut insert = transaction
                .prepare("INSERT INTO acts (seq, hash, body) VALUES (?1, ?2, ?3)")
                .map_err(failed)?;
            for (j, body) in rows.iter().enumerate() {
                insert.execute(((i * batch + j + 1) as i64, &hash.0[..], body)).map_err(failed)?;
            }
        }
        transaction.commit().map_err(failed)?;
    }
    Ok(begun.elapsed())
}
