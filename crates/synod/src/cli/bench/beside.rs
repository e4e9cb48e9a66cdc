//! Two binaries side by side: this one and another, often an older build, run in turn on the same work, so that what
//! else happens on the machine falls on both. Only commands that both know are given.
//!
//! To add a row: one more [`ComparedRun`].

use std::path::{Path, PathBuf};
use std::process::{Command as Process, Stdio};
use std::time::{Duration, Instant};

use serde_json::{Value, json};
use synod_core::brief::Form;
use synod_core::charter::{Shipped, councils};
use synod_core::kernel::Who;
use synod_minds::{AskContext, MindTask};

use super::in_process::{moves, settled};
use super::measure::{median, micros, ratio};
use super::phrases::SpokenLanguages;
use super::prose;
use crate::fail::{Fail, Result, code};

/// Whole `synod debate` commands: charter, seats, rounds.
const COLD: [(&str, usize, u64); 5] = [
    ("collaborative", 3, 3),
    ("collaborative", 72, 3),
    ("adversarial", 24, 3),
    ("adversarial", 72, 3),
    ("red-team-blue-team", 72, 3),
];

fn failed(what: impl std::fmt::Display) -> Fail {
    Fail::new(code::IO, "bench", format!("the comparison of two binaries failed: {what}"))
}

/// A run that both binaries are made to do.
struct ComparedRun {
    what: String,
    args: Vec<String>,
    /// Where it is done; made anew for every run.
    dir: PathBuf,
}

/// What one binary took, over all runs.
#[derive(Default)]
struct Took {
    cpu: Duration,
    walls: Vec<Duration>,
}

/// Runs everything with both in turn.
pub(super) fn measure(other: &Path, runs: usize) -> Result<Value> {
    let own = std::env::current_exe().map_err(failed)?;
    let dir = std::env::current_dir().map_err(failed)?.join(format!(".synod-bench-{}", std::process::id()));
    let done = rows(&dir, [&own, other], runs);
    let cleared = std::fs::remove_dir_all(&dir);
    let rows = done?;
    cleared.map_err(failed)?;
    Ok(json!({ "other": other.display().to_string(), "runs": runs, "rows": rows }))
}

fn rows(dir: &Path, programs: [&Path; 2], runs: usize) -> Result<Vec<Value>> {
    let mut rows = Vec::new();
    for (charter, seats, rounds) in COLD {
        let shipped = councils().find(|shipped| shipped.name == charter);
        let shipped = shipped.ok_or_else(|| failed(format!("there is no charter `{charter}`")))?;
        rows.push(row(&cold(dir, shipped, seats, rounds)?, programs, runs)?);
    }
    Ok(rows)
}

fn row(work: &ComparedRun, programs: [&Path; 2], runs: usize) -> Result<Value> {
    let mut took = [Took::default(), Took::default()];
    for run in 0..runs {
        // Whoever begins finds colder caches, so they take turns at it.
        for at in if run % 2 == 0 { [0, 1] } else { [1, 0] } {
            let (cpu, wall) = once(work, programs[at])?;
            took[at].cpu += cpu;
            took[at].walls.push(wall);
        }
    }
    let [new, old] = took.map(|took| (took.cpu / runs as u32, median(took.walls)));
    Ok(json!({
        "what": work.what,
        "cpu_ms": micros(new.0) / 1000.0,
        "cpu_ms_other": micros(old.0) / 1000.0,
        "of_other": ratio(new.0.as_secs_f64(), old.0.as_secs_f64()),
        "wall_ms": micros(new.1) / 1000.0,
        "wall_ms_other": micros(old.1) / 1000.0,
    }))
}

/// One run in a fresh folder: CPU time of the process and its wall time.
fn once(work: &ComparedRun, program: &Path) -> Result<(Duration, Duration)> {
    let house = work.dir.join(".synod");
    if house.exists() {
        std::fs::remove_dir_all(&house).map_err(failed)?;
    }
    let (before, begun) = (children_cpu(), Instant::now());
    let done = Process::new(program)
        .env("SYNOD_TRUST", "1") // leaves nothing with the user
        .args(&work.args)
        .current_dir(&work.dir)
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .status();
    let wall = begun.elapsed();
    // A council may come to a no, which is an exit code of its own; it must only come to an end.
    match done.map_err(failed)?.code() {
        Some(0..=9) => Ok((children_cpu().saturating_sub(before), wall)),
        other => Err(failed(format!("`{} {}` ended with {other:?}", program.display(), work.args.join(" ")))),
    }
}

/// CPU time of all children that have ended. The kernel tells it in hundredths of a second, so only sums over several
/// runs mean anything.
pub(super) fn children_cpu() -> Duration {
    let stat = std::fs::read_to_string("/proc/self/stat").unwrap_or_default();
    let fields = stat.rsplit_once(')').map_or("", |(_, fields)| fields).split_whitespace();
    let ticks: u64 = fields.skip(13).take(2).filter_map(|field| field.parse::<u64>().ok()).sum();
    Duration::from_millis(10 * ticks)
}

/// A whole `synod debate`, its answers in a script: starting, founding the house, talking, voting, telling the result.
fn cold(dir: &Path, shipped: Shipped, seats: usize, rounds: u64) -> Result<ComparedRun> {
    let charter = settled(shipped)?;
    let dir = dir.join(format!("{}-{seats}", shipped.name));
    std::fs::create_dir_all(&dir).map_err(failed)?;
    let mut table = String::new();
    for place in 0..seats {
        let name = format!("seat-{place:02}");
        std::fs::write(dir.join(format!("{name}.txt")), script(&charter, place, rounds)?).map_err(failed)?;
        table.push_str(&format!("[[seat]]\nname = \"{name}\"\nbackend = \"script:{name}.txt\"\n"));
    }
    std::fs::write(dir.join("seats.toml"), table).map_err(failed)?;
    let mut args: Vec<String> =
        ["debate", "Should we cache the search index?", "--charter", shipped.name, "--seats", "seats.toml"]
            .map(String::from)
            .into();
    args.extend(
        moves(&charter, rounds).into_iter().flat_map(|(knob, to)| ["--set".into(), format!("{knob}={to}")]),
    );
    Ok(ComparedRun { what: format!("synod debate, {} {seats}x{rounds}", shipped.name), args, dir })
}

/// What one seat says in each round and on the ballot.
fn script(charter: &synod_core::charter::Charter, place: usize, rounds: u64) -> Result<String> {
    let Some(council) = charter.council() else { return Err(failed("not a debate")) };
    let forms = [Form::speech(0, &council.brief.first), Form::speech(0, &council.brief.later)];
    let seat = Who::parse(&format!("seat-{place:02}")).map_err(failed)?;
    let question = |task, round| AskContext {
        seat: seat.clone(),
        task,
        round,
        attempt: 1,
        topic: "".into(),
        options: 0,
        option_texts: Vec::new(),
        side: None,
        limit_ms: None,
    };
    let mut blocks = Vec::new();
    for round in 1..=rounds as u32 {
        let form = &forms[usize::from(round > 1)];
        let said = prose::answer(SpokenLanguages::Mixed, place, &question(MindTask::Speak, round), form);
        blocks.push(format!("@speak {round}\n{said}\n"));
    }
    let vote =
        prose::answer(SpokenLanguages::Mixed, place, &question(MindTask::Vote, rounds as u32), &forms[1]);
    blocks.push(format!("@vote\n{vote}\n"));
    Ok(blocks.join("---\n"))
}
