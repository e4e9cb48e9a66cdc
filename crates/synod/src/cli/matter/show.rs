//! `synod matter show`

use std::process::ExitCode;

use clap::Args;
use synod_core::kernel::MatterId;
use synod_core::view::Report;

use super::Context;
use crate::fail::Result;
use crate::house::pick;
use crate::{out, render};

/// Show a matter: result, votes, dissent, what is missing.
#[derive(Debug, Args)]
pub(crate) struct Show {
    /// The matter; the last one if left out.
    matter: Option<MatterId>,
}

impl Show {
    pub(crate) fn run(self, context: &Context) -> Result<ExitCode> {
        let (house, _) = context.house.read()?;
        let matter = pick(&house, self.matter)?;
        if let Some(report) = house.case(matter).map(Report::of) {
            if context.json {
                out::json(&report);
            } else {
                out::text(&render::text::summary(&report));
            }
        }
        Ok(ExitCode::SUCCESS)
    }
}
