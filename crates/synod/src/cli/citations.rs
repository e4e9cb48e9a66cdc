//! `synod citations`

use std::process::ExitCode;

use clap::Args;
use synod_core::view::Report;

use super::Context;
use crate::fail::Result;
use crate::matter_arg::{MatterArg, pick};
use crate::{out, render};

/// List the sources that seats cited, each once, with who cited it and when.
///
/// Synod does not check these sources.
#[derive(Debug, Args)]
#[command(after_help = "Example:\n  synod citations 3")]
pub(crate) struct CitationsArgs {
    /// The matter: number, id or `last`; the newest if left out.
    matter: Option<MatterArg>,
}

impl CitationsArgs {
    pub(crate) fn run(self, context: &Context) -> Result<ExitCode> {
        let (mut house, _) = context.house.read()?;
        let matter = pick(&mut house, self.matter)?;
        let Some(report) = house.case(matter).map(Report::of) else { return Ok(ExitCode::SUCCESS) };
        if context.json {
            out::json(&report.citations);
        } else if report.citations.is_empty() {
            out::line(&format!("no sources were cited in matter {}", report.number));
        } else {
            out::text(&render::steer::citations(&report.citations));
        }
        Ok(ExitCode::SUCCESS)
    }
}
