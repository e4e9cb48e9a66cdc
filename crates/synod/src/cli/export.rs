//! `synod export`

use std::path::PathBuf;
use std::process::ExitCode;

use clap::{Args, ValueEnum};
use serde_json::json;
use synod_core::view::Report;

use super::Context;
use crate::fail::Result;
use crate::house::runs;
use crate::matter_arg::{MatterArg, pick};
use crate::{out, render};

/// Export a matter as Markdown, a decision record, HTML or JSON.
///
/// Markdown, HTML and JSON contain everything that was said and voted, and who is missing. A decision record (adr) has the
/// decision, its reasons, conditions, dissent and votes, without the statements of each round.
#[derive(Debug, Args)]
#[command(
    after_help = "Examples:\n  synod export 3\n  synod export last --format html --out decision.html\n  synod export last --format adr --out docs/adr/0003-cache.md"
)]
pub(crate) struct ExportArgs {
    /// The matter: number, id or `last`; the newest if left out.
    matter: Option<MatterArg>,
    /// The format; md if left out, json with --json.
    #[arg(long, value_enum)]
    format: Option<ExportFormat>,
    /// The file to write; stdout if left out. Existing files are not overwritten.
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum ExportFormat {
    /// Markdown, ready to paste into a pull request.
    Md,
    /// An Architecture Decision Record in Markdown.
    Adr,
    /// The whole report as JSON; docs/reference/answer.schema.json describes its `answer`.
    Json,
    /// One self-contained page.
    Html,
}

impl ExportArgs {
    pub(crate) fn run(self, context: &Context) -> Result<ExitCode> {
        let (mut house, held) = context.house.look()?;
        let matter = pick(&mut house, self.matter)?;
        let Some(case) = house.case(matter) else { return Ok(ExitCode::SUCCESS) };
        let report = Report::of(case).stands(runs(case, held), synod_engine::now());
        let usual = if context.json && self.out.is_none() { ExportFormat::Json } else { ExportFormat::Md };
        let written = match self.format.unwrap_or(usual) {
            ExportFormat::Md => render::markdown::matter(&report),
            ExportFormat::Adr => render::adr::matter(&report),
            ExportFormat::Html => render::html::matter(&report),
            ExportFormat::Json => crate::json::pretty(&report.whole())
                .map(|json| out::plain_json(json) + "\n")
                .unwrap_or_default(),
        };
        let Some(path) = self.out else {
            out::text(&written);
            return Ok(ExitCode::SUCCESS);
        };
        out::new_file(&path, &written)?;
        let shown = path.display();
        if context.json {
            out::json(&json!({ "matter": matter, "number": report.number, "file": path }));
        } else {
            out::line(&format!("matter {} written to {shown}", report.number));
        }
        Ok(ExitCode::SUCCESS)
    }
}
