//! `synod matter show`

use std::process::ExitCode;

use clap::Args;
use synod_core::kernel::MatterId;
use synod_core::view::Report;

use super::Context;
use crate::fail::Result;
use crate::house::{pick, runs};
use crate::{out, render};

/// Show a matter: what it waits for, result, advice, votes, dissent, what is missing or marked.
#[derive(Debug, Args)]
pub(crate) struct Show {
    /// The matter; the last one if left out.
    matter: Option<MatterId>,
}

impl Show {
    pub(crate) fn run(self, context: &Context) -> Result<ExitCode> {
        let (house, held) = context.house.look()?;
        let matter = pick(&house, self.matter)?;
        if let Some(case) = house.case(matter) {
            let report = Report::of(case).stands(runs(case, held));
            if context.json {
                out::json(&report.whole());
            } else {
                // What a matter waits for comes first: nothing below it changes until somebody acts.
                if let Some(waits) = render::waits(&context.house, &report) {
                    out::text(&waits.text);
                }
                out::text(&render::text::summary(&report));
            }
        }
        Ok(ExitCode::SUCCESS)
    }
}
