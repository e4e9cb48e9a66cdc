//! `synod lab simulate` and `synod lab ablate`

use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use clap::Args;
use synod_lab::report::{percent, points, table};
use synod_lab::simulate::{AblationReport, SimulatedHouse, SimulationFault, SimulationReport, ablate};
use synod_lab::stats::Interval;
use synod_lab::study::Study;

use crate::cli::Context;
use crate::fail::{Fail, Result, code};
use crate::house::{charter, read_text};
use crate::out;

/// How often progress is shown.
const TOLD_MS: u64 = 500;

/// Simulate matters with declared seats through the real house.
///
/// No model is called. The study names a charter and who sits there: how often each is right, how much seats of one model judge alike,
/// how stubborn and conforming they are, how they take orders. The same seed gives the same result on any number of threads.
#[derive(Debug, Args)]
#[command(
    after_help = "Examples:\n  synod lab simulate study.toml\n  synod lab simulate study.toml --matters 200 --json\n\n\
              study.toml:\n  name = \"three models\"\n  seed = 7\n  matters = 1000\n  charter = \"collaborative\"\n  \
              [[cast]]\n  model = \"large\"\n  seats = 3\n  competence = 0.8\n  correlation = 0.3\n  conformity = 0.5"
)]
pub(super) struct LabSimulateArgs {
    #[command(flatten)]
    study: LabStudyArgs,
}

/// Show which layer of the rules moves the result: every combination of the study's layers, on the same simulated matters.
///
/// For each layer: its effect alone, its effect when all others are on, and its share over all orders (Shapley).
#[derive(Debug, Args)]
#[command(
    after_help = "Examples:\n  synod lab ablate study.toml\n\nA layer in study.toml:\n  [[layer]]\n  name = \"debate\"\n  \
              on = { charter = \"collaborative\" }\n  off = { charter = \"blind-vote\" }"
)]
pub(super) struct LabAblateArgs {
    #[command(flatten)]
    study: LabStudyArgs,
}

/// What both read.
#[derive(Debug, Args)]
struct LabStudyArgs {
    /// The study (TOML).
    study: PathBuf,
    /// Another number of matters than the study says.
    #[arg(long, value_name = "N")]
    matters: Option<u64>,
    /// Another seed than the study says.
    #[arg(long)]
    seed: Option<u64>,
    /// Threads; as many as there are processors if left out.
    #[arg(long, value_name = "N")]
    threads: Option<usize>,
}

fn failed(fault: SimulationFault) -> Fail {
    Fail::new(code::DATA, "lab/not-simulated", fault.0)
}

impl LabStudyArgs {
    fn read(&self) -> Result<Study> {
        let text = read_text(&self.study, "study")?;
        let mut study = Study::parse(&text).map_err(|flaws| {
            let message = format!("{} is not a study:\n{}", self.study.display(), flaws.join("\n"));
            Fail::new(code::DATA, "lab/flawed-study", message)
        })?;
        study.matters = self.matters.unwrap_or(study.matters).max(1);
        study.seed = self.seed.unwrap_or(study.seed);
        Ok(study)
    }

    fn threads(&self) -> usize {
        let there = || std::thread::available_parallelism().map_or(1, std::num::NonZero::get);
        self.threads.unwrap_or_else(there).max(1)
    }
}

/// Runs something beside a line of progress, where somebody sees it.
fn told<T: Send>(all: u64, run: impl FnOnce(&AtomicU64) -> T + Send) -> T {
    let done = AtomicU64::new(0);
    std::thread::scope(|scope| {
        let running = scope.spawn(|| run(&done));
        let mut waited = Duration::ZERO;
        let step = Duration::from_millis(20);
        let mut shown = false;
        while !running.is_finished() {
            std::thread::sleep(step);
            waited += step;
            if out::error_is_seen() && (waited.as_millis() as u64).is_multiple_of(TOLD_MS) {
                shown = true;
                out::error(&format!("{} of {all} matters", done.load(Ordering::Relaxed)));
            }
        }
        if shown {
            out::error(&format!("{all} of {all} matters"));
        }
        match running.join() {
            Ok(found) => found,
            Err(panic) => std::panic::resume_unwind(panic),
        }
    })
}

impl LabSimulateArgs {
    pub(super) fn run(self, context: &Context) -> Result<ExitCode> {
        let study = self.study.read()?;
        let source = charter(context.house.dir(), &study.charter)?.source;
        let stage = SimulatedHouse::set(&study, &source).map_err(failed)?;
        let threads = self.study.threads();
        let report = told(study.matters, |done| stage.run(threads, done)).map_err(failed)?;
        if context.json {
            out::json(&report);
        } else {
            out::text(&out::clean(&lines(&report)));
        }
        Ok(ExitCode::SUCCESS)
    }
}

impl LabAblateArgs {
    pub(super) fn run(self, context: &Context) -> Result<ExitCode> {
        let study = self.study.read()?;
        let house = context.house.dir().to_path_buf();
        let source = |name: &str| source_of(&house, name);
        let all = study.matters << study.layer.len().min(16);
        let threads = self.study.threads();
        let report = told(all, |done| ablate(&study, threads, done, &source)).map_err(failed)?;
        if context.json {
            out::json(&report);
        } else {
            out::text(&out::clean(&ablation(&report)));
        }
        Ok(ExitCode::SUCCESS)
    }
}

fn source_of(house: &Path, name: &str) -> std::result::Result<String, SimulationFault> {
    charter(house, name).map(|sourced| sourced.source).map_err(|fail| SimulationFault(fail.message().into()))
}

fn share(estimate: Option<&Interval>) -> String {
    estimate.map_or_else(
        || "-".into(),
        |it| format!("{} % [{} to {}]", percent(it.mean), percent(it.low), percent(it.high)),
    )
}

fn lines(report: &SimulationReport) -> String {
    let SimulationReport { study, seed, charter, charter_digest, matters, seats, .. } = report;
    let rows = [
        ("right", share(report.right.as_ref())),
        ("wrong", share(report.wrong.as_ref())),
        ("passed, but NO was right", share(report.false_pass.as_ref())),
        ("not passed, but YES was right", share(report.false_reject.as_ref())),
        ("answers per matter", format!("{:.1}", report.answers)),
        ("rounds per matter", format!("{:.2}", report.rounds)),
    ];
    let rows: Vec<Vec<String>> =
        rows.into_iter().map(|(what, figure)| vec![what.to_string(), figure]).collect();
    format!(
        "simulated, no model was asked: {study}, {matters} matters of {seats} seats, seed {seed}\ncharter {charter} ({charter_digest})\n{}",
        table(&rows)
    )
}

fn ablation(report: &AblationReport) -> String {
    let mut rows =
        vec![["layers on", "right", "false pass", "false reject", "answers"].map(str::to_string).to_vec()];
    for row in &report.rows {
        let on = if row.on.is_empty() { "none".to_string() } else { row.on.join(" + ") };
        let result = &row.result;
        rows.push(vec![
            on,
            share(result.right.as_ref()),
            share(result.false_pass.as_ref()),
            share(result.false_reject.as_ref()),
            format!("{:.1}", result.answers),
        ]);
    }
    let mut effects = vec![["layer", "alone", "last", "Shapley share"].map(str::to_string).to_vec()];
    let shift = |estimate: Option<&Interval>| {
        estimate.map_or_else(
            || "-".into(),
            |it| format!("{} [{} to {}]", points(it.mean), points(it.low), points(it.high)),
        )
    };
    effects.extend(report.layers.iter().map(|layer| {
        vec![
            layer.layer.clone(),
            shift(layer.alone.as_ref()),
            shift(layer.last.as_ref()),
            points(layer.shapley),
        ]
    }));
    let study = report.rows.first().map(|row| &row.result);
    let head = study.map(|result| {
        format!(
            "simulated, no model was asked: {}, {} matters each, seed {}",
            result.study, result.matters, result.seed
        )
    });
    format!(
        "{}\n{}\nEffect on how often the result is right, in points, with 95 % intervals over matters:\n{}",
        head.unwrap_or_default(),
        table(&rows),
        table(&effects)
    )
}
