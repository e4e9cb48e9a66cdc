//! `synod bench`: what the engine costs, measured here and now. Every figure comes from this run.

mod beside;
mod commands;
mod disk;
mod evidence;
mod growth;
mod history;
mod houses;
mod http;
mod in_process;
mod lab;
mod measure;
mod phrases;
mod prose;
mod seat;
mod server;
mod service;
mod start;
mod workshop;

use std::path::PathBuf;
use std::process::ExitCode;
use std::time::Duration;

use clap::Args;

use self::in_process::DebateShape;
use self::seat::BenchWords;
use super::{Context, on_runtime};
use crate::fail::Result;
use crate::out;

/// Measure the engine on this machine and print the figures as JSON.
///
/// Compare figures of the same run only: shared machines are noisy. `synod bench history`, `service`, `feed`, `evidence` or `workshop`
/// alone print a table, or JSON with --json. `history` counts bytes, which are the same in every run.
#[derive(Debug, Args)]
#[command(after_help = "Examples:\n  synod bench --quick\n  synod bench history")]
pub(crate) struct BenchArgs {
    /// Fewer repetitions, for a quick look.
    #[arg(long)]
    quick: bool,
    /// Only these parts.
    #[arg(value_name = "PART", value_enum)]
    parts: Vec<BenchPart>,
    /// Only this shape of debate in process, such as 3x2; for profilers.
    #[arg(long, value_name = "SEATSxROUNDS", value_parser = shape)]
    shape: Option<(usize, u64)>,
    /// The charter of that shape.
    #[arg(long, value_name = "NAME", default_value = in_process::CHARTER, requires = "shape")]
    charter: String,
    /// Let all seats of that shape say the same, as older builds were measured.
    #[arg(long, requires = "shape")]
    equal: bool,
    /// Run another binary, such as an older build, in turn with this one on the same debates; CPU time of whole commands.
    #[arg(long, value_name = "BINARY", conflicts_with_all = ["parts", "shape"])]
    beside: Option<PathBuf>,
    /// Readers of the feed.
    #[arg(long, value_name = "N", default_value_t = 1000)]
    readers: usize,
    /// Comments that `workshop` posts, 20 on each issue.
    #[arg(long, value_name = "N", default_value_t = 10_000, value_parser = clap::value_parser!(u32).range(200..=1_000_000))]
    comments: u32,
    /// A Python with rapidfuzz, to measure `evidence` beside: `python3 -m venv v && v/bin/pip install rapidfuzz` makes v/bin/python.
    #[arg(long, value_name = "PROGRAM", default_value = "python3")]
    python: PathBuf,
    /// Repetitions of one shape.
    #[arg(long, value_name = "N", default_value_t = 1000, requires = "shape")]
    runs: usize,
    /// Serve a fixed chat completion on loopback; what the HTTP part measures against.
    #[arg(long, hide = true)]
    serve: bool,
    /// Answer an empty 200 on loopback; what the service is measured against.
    #[arg(long, hide = true)]
    serve_nothing: bool,
}

/// A part of the benchmark.
#[derive(Debug, Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
enum BenchPart {
    /// Whole debates under every charter in process, seats that answer at once; growth with the number of seats.
    InProcess,
    /// Whole debates over HTTP on loopback, beside a bare request loop.
    Http,
    /// Durable acts per second, beside raw SQLite.
    Durable,
    /// Starting the program.
    Start,
    /// What models are sent under every shipped charter, and how much of it a prefix cache knows.
    History,
    /// One act in a long ring and in a house with many matters, on the core alone; whole commands in such a house.
    Houses,
    /// 200 agents on one service over HTTP on loopback, beside the same stack answering an empty 200.
    Service,
    /// Many readers of one feed: CPU per reader and act, descriptors and memory per reader.
    Feed,
    /// Finding a quote of 200 characters in texts of 10 kB to 10 MB, beside rapidfuzz where Python has it.
    Evidence,
    /// Comments by 50 agents through the engine with the journal on disk, beside a tenth of them on a tenth of the issues.
    Workshop,
    /// Simulated matters per second through the real house, on the core alone; growth with seats and rounds.
    Lab,
}

/// Seats and rounds that are measured over HTTP.
const SHAPES: [(usize, u64); 4] = [(3, 2), (8, 3), (24, 3), (72, 3)];

fn shape(written: &str) -> std::result::Result<(usize, u64), String> {
    let numbers =
        written.split_once('x').and_then(|(seats, rounds)| Some((seats.parse().ok()?, rounds.parse().ok()?)));
    numbers.ok_or_else(|| "write seats and rounds such as 3x2".into())
}

impl BenchArgs {
    pub(crate) fn run(self, context: &Context) -> Result<ExitCode> {
        if self.serve {
            return on_runtime(server::serve());
        }
        if self.serve_nothing {
            return service::serve_nothing();
        }
        if let Some((seats, rounds)) = self.shape {
            let words = if self.equal { BenchWords::Equal } else { BenchWords::Differing };
            let shape = DebateShape::of(&self.charter, seats, rounds, words)?;
            out::json(&in_process::measure(shape, self.runs, None)?);
            return Ok(ExitCode::SUCCESS);
        }
        if let Some(other) = &self.beside {
            out::json(&beside::measure(other, if self.quick { 5 } else { 21 })?);
            return Ok(ExitCode::SUCCESS);
        }
        if self.parts == [BenchPart::History] && !context.json {
            out::text(&history::table(&history::measure()?));
            return Ok(ExitCode::SUCCESS);
        }
        let time = Duration::from_secs(if self.quick { 2 } else { 10 });
        if self.parts == [BenchPart::Service] && !context.json {
            out::text(&service::table(&service::measure(time)?));
            return Ok(ExitCode::SUCCESS);
        }
        let feed = || service::feed::measure(self.readers, if self.quick { 100 } else { 500 });
        if self.parts == [BenchPart::Feed] && !context.json {
            out::text(&service::feed::table(&feed()?));
            return Ok(ExitCode::SUCCESS);
        }
        let evidence = || evidence::measure(&self.python, if self.quick { 3 } else { 15 });
        if self.parts == [BenchPart::Evidence] && !context.json {
            out::text(&evidence::table(&evidence()?));
            return Ok(ExitCode::SUCCESS);
        }
        let workshop = || in_new_dir("workshop", |dir| workshop::measure(self.comments as usize, dir));
        if self.parts == [BenchPart::Workshop] && !context.json {
            out::text(&workshop::table(&workshop()?));
            return Ok(ExitCode::SUCCESS);
        }
        let wanted = |part| self.parts.is_empty() || self.parts.contains(&part);
        let runs = if self.quick { 5 } else { 31 };
        let mut figures = serde_json::Map::new();
        figures.insert("version".into(), env!("CARGO_PKG_VERSION").into());
        figures.insert("debug_build".into(), cfg!(debug_assertions).into());
        if wanted(BenchPart::Start) {
            figures.insert("cold_start".into(), start::measure(runs)?);
        }
        self.on_the_core(&mut figures)?;
        if wanted(BenchPart::Http) {
            figures.insert("http".into(), http::measure(if self.quick { 3 } else { 11 })?);
        }
        if wanted(BenchPart::Durable) {
            figures.insert("durable".into(), disk::measure(if self.quick { 4_000 } else { 40_000 })?);
        }
        if wanted(BenchPart::History) {
            figures.insert("history".into(), history::measure()?);
        }
        if wanted(BenchPart::Houses) {
            figures.insert("houses".into(), houses::measure(self.quick)?);
        }
        if wanted(BenchPart::Service) {
            figures.insert("service".into(), service::measure(time)?);
        }
        if wanted(BenchPart::Feed) {
            figures.insert("feed".into(), feed()?);
        }
        if wanted(BenchPart::Evidence) {
            figures.insert("evidence".into(), evidence()?);
        }
        if wanted(BenchPart::Workshop) {
            figures.insert("workshop".into(), workshop()?);
        }
        out::json(&figures);
        Ok(ExitCode::SUCCESS)
    }
}

impl BenchArgs {
    /// The parts that need neither network nor service.
    fn on_the_core(&self, figures: &mut serde_json::Map<String, serde_json::Value>) -> Result<()> {
        let wanted = |part| self.parts.is_empty() || self.parts.contains(&part);
        if wanted(BenchPart::InProcess) {
            figures.insert("in_process".into(), growth::all(self.quick)?);
            figures.insert("in_process_on_disk".into(), disk::debates(self.quick)?);
        }
        if wanted(BenchPart::Lab) {
            figures.insert("lab".into(), lab::measure(self.quick)?);
        }
        Ok(())
    }
}

/// Runs something in a directory of its own, which is taken away again.
fn in_new_dir<T>(name: &str, run: impl FnOnce(&std::path::Path) -> Result<T>) -> Result<T> {
    let dir = std::env::temp_dir().join(format!("synod-bench-{name}-{}", std::process::id()));
    let done = run(&dir);
    let _ = std::fs::remove_dir_all(&dir);
    done
}
