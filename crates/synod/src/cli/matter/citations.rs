//! `synod matter citations`

use std::process::ExitCode;

use clap::Args;
use synod_core::kernel::MatterId;
use synod_core::view::Report;

use super::Context;
use crate::fail::Result;
use crate::house::pick;
use crate::{out, render};

/// List the sources that seats named, each once by its address, with who named it and when. Nobody has
/// checked them.
#[derive(Debug, Args)]
pub(crate) struct Citations {
    /// The matter; the last one if left out.
    matter: Option<MatterId>,
}

impl Citations {
    pub(crate) fn run(self, context: &Context) -> Result<ExitCode> {
        let (house, _) = context.house.read()?;
        let matter = pick(&house, self.matter)?;
        let Some(report) = house.case(matter).map(Report::of) else { return Ok(ExitCode::SUCCESS) };
        if context.json {
            out::json(&report.citations);
        } else if report.citations.is_empty() {
            out::line(&format!("no source was named in matter {matter}"));
        } else {
            out::text(&render::steer::citations(&report.citations));
        }
        Ok(ExitCode::SUCCESS)
    }
}
