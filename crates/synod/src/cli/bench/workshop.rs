//! Comments by many agents on many issues through the engine, with the journal on disk.

use std::path::Path;
use std::time::Instant;

use serde_json::{Value, json};
use synod_core::charter;
use synod_core::kernel::{Actor, Digest, Id, Impact, MatterId, Seat, SeatKind, Who};
use synod_core::procedure::workshop::{Command as WorkshopCommand, OpenIssue, WriteComment};
use synod_core::{Command, Outcome};
use synod_engine::{Engine, EngineOptions, Order};
use synod_journal::{LockHolder, Sqlite};

use super::measure::{cpu, micros, peak_mb, reset_peak};
use crate::cli::on_runtime;
use crate::fail::{Fail, Result, code};
use crate::house::give_all;

/// The charter with room for twenty comments on an issue.
const CHARTER: &str = "workshop-light";
const AGENTS: usize = 50;
/// Comments of one issue: as many as the charter allows.
const EACH: usize = 20;
/// Orders that are given together.
const BATCH: usize = 500;

/// Measures so many comments, and a tenth of them on a tenth of the issues.
pub(super) fn measure(comments: usize, dir: &Path) -> Result<Value> {
    let few = on_runtime(measured((comments / 10).max(EACH), &dir.join("few")))?;
    let many = on_runtime(measured(comments, &dir.join("many")))?;
    let per = |of: &Value| of["cpu_us_per_comment"].as_f64().unwrap_or_default();
    let growth = if per(&few) > 0.0 { per(&many) / per(&few) } else { 0.0 };
    Ok(json!({ "few": few, "many": many, "cpu_per_comment_many_to_few": growth }))
}

async fn measured(comments: usize, dir: &Path) -> Result<Value> {
    let broken = |what: &str| Fail::new(code::DATA, "bench", what.to_string());
    let source = charter::shipped(CHARTER).map(|shipped| shipped.source);
    let source = source.ok_or_else(|| broken("the charter for the benchmark is not shipped"))?;
    let issues = comments.div_ceil(EACH);
    let agents: Vec<Who> = (0..AGENTS).filter_map(|n| Who::parse(&format!("agent-{n:02}")).ok()).collect();
    let journal = || Sqlite::open(dir, &LockHolder::this_process("synod bench"));
    reset_peak();
    let engine = Engine::open(Box::new(journal()?), Default::default(), EngineOptions::default())?;
    give_all(&engine, prepared(source, &agents)).await?;
    let opened = open_all(&engine, issues).await?;
    let (before, begun) = (cpu(), Instant::now());
    let mut posted = 0usize;
    let mut next = 0usize;
    while next < comments {
        let batch: Vec<Order> =
            (next..comments.min(next + BATCH)).map(|n| order(n, &opened, &agents)).collect();
        next += batch.len();
        for done in engine.submit_all(batch).await? {
            let act = done?.act;
            posted += usize::from(synod_core::procedure::workshop::CommentOutcome::of(&act).is_some_and(
                |outcome| matches!(outcome, synod_core::procedure::workshop::CommentOutcome::Posted { .. }),
            ));
        }
    }
    let (wall, used) = (begun.elapsed(), cpu().saturating_sub(before));
    let peak = peak_mb();
    let balances = engine.read(|house| house.ledger().clone());
    engine.end();
    if posted != comments {
        return Err(broken(&format!("{posted} of {comments} comments were posted")));
    }
    let begun = Instant::now();
    let again = Engine::open(Box::new(journal()?), Default::default(), EngineOptions::default())?;
    let replay = begun.elapsed();
    let kept = again.read(|house| house.docket().tally().comments) as usize;
    let same = again.read(|house| *house.ledger() == balances);
    again.end();
    if kept != comments {
        return Err(broken("the replay does not know all comments"));
    }
    if !same {
        return Err(broken("the replay comes to other balances"));
    }
    Ok(json!({
        "issues": issues,
        "agents": AGENTS,
        "comments": comments,
        "acts_per_second": (comments as f64 / wall.as_secs_f64()).round(),
        "cpu_us_per_comment": micros(used) / comments as f64,
        "wall_us_per_comment": micros(wall) / comments as f64,
        "peak_mb": peak,
        "open_again_ms": micros(replay) / 1000.0,
    }))
}

/// What the house has to know first.
fn prepared(source: &str, agents: &[Who]) -> Vec<Command> {
    let found = Command::Found { edition: synod_core::edition::CURRENT, key: "00".into() };
    let adopt = Command::Adopt { source: source.into() };
    let configure = WorkshopCommand::Configure { charter: Digest::of(source.as_bytes()) };
    let enrol = agents.iter().map(|who| {
        let (kind, backend, name) = (SeatKind::Outside, "outside".into(), who.to_string());
        Command::Enrol {
            seat: Seat { kind, backend, model: None, name, persona: None, profile: None, who: who.clone() },
        }
    });
    [found, adopt, Command::Workshop(configure)].into_iter().chain(enrol).collect()
}

async fn open_all(engine: &Engine, issues: usize) -> Result<Vec<MatterId>> {
    let mut opened = Vec::with_capacity(issues);
    let open = |n: usize| {
        let title =
            format!("Question {n}: {} in {}", SUBJECTS[n % SUBJECTS.len()], PLACES[n * 7 % PLACES.len()]);
        Order::operator(Command::Workshop(WorkshopCommand::Open(Box::new(OpenIssue::new(&title, "")))))
    };
    let numbers: Vec<usize> = (0..issues).collect();
    for batch in numbers.chunks(BATCH) {
        for done in engine.submit_all(batch.iter().copied().map(open).collect()).await? {
            let act = done?.act;
            if let Outcome::Refused { message, .. } = &act.outcome {
                return Err(Fail::new(code::DATA, "bench", message.clone()));
            }
            opened.push(MatterId(Id { act: act.seq, nth: 0 }));
        }
    }
    Ok(opened)
}

const SUBJECTS: [&str; 7] = ["timeouts", "names", "limits", "retries", "ordering", "defaults", "errors"];
const PLACES: [&str; 11] = [
    "the client",
    "the cache",
    "the parser",
    "the journal",
    "the feed",
    "the index",
    "the queue",
    "the reader",
    "the writer",
    "the gate",
    "the docket",
];
const FINDINGS: [&str; 5] = [
    "the value is read twice and only the second reading is checked against what the caller wrote down",
    "two branches handle an empty list differently, although their callers expect one answer from both",
    "a comment above promises an order that nothing in the loop below keeps once the map is rebuilt",
    "the default covers the common case while the rare one falls through to a message nobody understands",
    "a bound is stated in seconds here and compared with milliseconds further down in the same function",
];

/// The comment of that number. Threads are written to in turn, and agents alternate so that nobody answers back and forth.
fn order(n: usize, issues: &[MatterId], agents: &[Who]) -> Order {
    let (issue, turn) = (n % issues.len(), n / issues.len());
    let who = &agents[(issue * 13 + turn) % agents.len()];
    let body = format!(
        "Looking at {} near line {}, {}. That matters for {} as reading {} shows; I would change the {} first and measure again.",
        PLACES[n % PLACES.len()],
        n * 31 % 997,
        FINDINGS[n * 3 % FINDINGS.len()],
        SUBJECTS[n * 5 % SUBJECTS.len()],
        n,
        PLACES[n * 3 % PLACES.len()].trim_start_matches("the "),
    );
    let comment = WriteComment { impact: Some(Impact::Cosmetic), ..WriteComment::new(issues[issue], &body) };
    let command = Command::Workshop(WorkshopCommand::Comment(Box::new(comment)));
    Order { by: Actor::Seat(who.clone()), key: None, command, vouched: Some(synod_core::Vouched::by_owner()) }
}

/// The figures as a table.
pub(super) fn table(figures: &Value) -> String {
    let mut out = String::from("issues  comments  acts/s  CPU µs/comment  peak MB  open again ms\n");
    for part in ["few", "many"] {
        let row = &figures[part];
        let number = |key: &str| row[key].as_f64().unwrap_or_default();
        out.push_str(&format!(
            "{:>6}  {:>8}  {:>6.0}  {:>14.1}  {:>7.0}  {:>13.0}\n",
            number("issues"),
            number("comments"),
            number("acts_per_second"),
            number("cpu_us_per_comment"),
            number("peak_mb"),
            number("open_again_ms")
        ));
    }
    let growth = figures["cpu_per_comment_many_to_few"].as_f64().unwrap_or_default();
    out.push_str(&format!("CPU of a comment with ten times the issues: {growth:.2} times\n"));
    out
}
