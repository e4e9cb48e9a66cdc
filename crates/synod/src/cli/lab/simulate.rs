//! `synod lab simulate`, `ablate` and `calibrate`

use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use clap::Args;
use synod_lab::session::{SESSION_FORM, SessionBook};
use synod_lab::simulate::{
    CalibrationReport, CalibrationTarget, SimulatedHouse, SimulationFault, ablate, calibrate,
};
use synod_lab::study::Study;

use super::ReportOutput;
use crate::cli::Context;
use crate::fail::{Fail, Result, code};
use crate::house::{charter, read_text};
use crate::out;

/// The most matters that are written down as sessions.
const RECORDED_MOST: u64 = 2_000;
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
    #[command(flatten)]
    output: ReportOutput,
    /// Also write the matters as recorded sessions to this file, for `synod lab fit` and `replay`; at most 2,000.
    #[arg(long, value_name = "FILE")]
    record: Option<PathBuf>,
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
    #[command(flatten)]
    output: ReportOutput,
}

/// Find rules, rounds and layers that keep false passes and false rejections below a target, and what they cost.
///
/// Runs every combination of the study's grid and layers on the same simulated matters. A combination meets the target if both intervals lie
/// within it. The cheapest one is run again on other matters.
#[derive(Debug, Args)]
#[command(
    after_help = "Examples:\n  synod lab calibrate study.toml --false-pass 0.05 --false-reject 0.10\n  \
              synod lab calibrate study.toml --matters 2000 --format html --out calibrate.html\n\nA grid in study.toml:\n  [grid]\n  \
              rounds = [1, 2, 3]\n  charter = [\"collaborative\", \"blind-vote\"]"
)]
pub(super) struct LabCalibrateArgs {
    #[command(flatten)]
    study: LabStudyArgs,
    #[command(flatten)]
    output: ReportOutput,
    /// Of the motions that should not pass, the share that may.
    #[arg(long, value_name = "SHARE", default_value_t = 0.05)]
    false_pass: f64,
    /// Of the motions that should pass, the share that may not.
    #[arg(long, value_name = "SHARE", default_value_t = 0.10)]
    false_reject: f64,
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
        if let Some(path) = &self.record {
            let sessions = stage.recorded(RECORDED_MOST).map_err(failed)?;
            let book = SessionBook { format: SESSION_FORM.into(), sessions };
            super::write_json(path, &book)?;
        }
        self.output.show(context, &report.report(), &report)?;
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
        self.output.show(context, &report.report(), &report)?;
        Ok(ExitCode::SUCCESS)
    }
}

impl LabCalibrateArgs {
    pub(super) fn run(self, context: &Context) -> Result<ExitCode> {
        let target = CalibrationTarget { false_pass: self.false_pass, false_reject: self.false_reject };
        for (name, share) in [("--false-pass", self.false_pass), ("--false-reject", self.false_reject)] {
            if !(0.0..=1.0).contains(&share) {
                return Err(Fail::usage(format!("{name} {share} is not a share from 0 to 1")));
            }
        }
        let study = self.study.read()?;
        let house = context.house.dir().to_path_buf();
        let source = |name: &str| source_of(&house, name);
        let threads = self.study.threads();
        let all = CalibrationReport::matters(&study);
        let report = told(all, |done| calibrate(&study, target, threads, done, &source)).map_err(failed)?;
        self.output.show(context, &report.report(), &report)?;
        Ok(ExitCode::SUCCESS)
    }
}

fn source_of(house: &Path, name: &str) -> std::result::Result<String, SimulationFault> {
    charter(house, name).map(|sourced| sourced.source).map_err(|fail| SimulationFault(fail.message().into()))
}
