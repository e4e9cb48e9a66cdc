//! `synod lab fit`

use std::path::PathBuf;
use std::process::ExitCode;

use clap::Args;
use synod_lab::fit::fit;

use super::ReportOutput;
use super::import::sessions;
use crate::cli::Context;
use crate::fail::Result;

/// Estimate the parameters of a study from recorded sessions, with intervals, and say what the sessions cannot tell.
///
/// Forced speech tells only how orders are taken. Seats are grouped by model where models are known.
#[derive(Debug, Args)]
#[command(
    after_help = "Examples:\n  synod lab fit sessions.json\n  synod lab fit transcript.md --casts casts.toml"
)]
pub(super) struct LabFitArgs {
    /// Sessions: what `synod lab import` reads or writes.
    #[arg(required = true, value_name = "FILE|FOLDER")]
    paths: Vec<PathBuf>,
    #[command(flatten)]
    output: ReportOutput,
    /// Also write the estimates to this file as `[[cast]]` tables of a study.
    #[arg(long, value_name = "FILE")]
    casts: Option<PathBuf>,
}

impl LabFitArgs {
    pub(super) fn run(self, context: &Context) -> Result<ExitCode> {
        let found = fit(&sessions(&self.paths)?);
        if let Some(path) = &self.casts {
            super::write(path, &found.casts())?;
        }
        self.output.show(context, &found.report(), &found)?;
        Ok(ExitCode::SUCCESS)
    }
}
