//! `synod show`

use std::process::ExitCode;

use clap::Args;
use synod_core::view::Report;

use super::Context;
use crate::fail::Result;
use crate::house::runs;
use crate::matter_arg::{MatterArg, pick};
use crate::{out, render};

/// Show a matter: what it waits for, the result, advice, votes, dissent and problems.
#[derive(Debug, Args)]
#[command(
    after_help = "Examples:\n  synod show            the newest matter\n  synod show 3\n  synod show m57 --json"
)]
pub(crate) struct ShowArgs {
    /// The matter: number, id or `last`; the newest if left out.
    matter: Option<MatterArg>,
}

impl ShowArgs {
    pub(crate) fn run(self, context: &Context) -> Result<ExitCode> {
        let (mut house, held) = context.house.look()?;
        let matter = pick(&mut house, self.matter)?;
        if let Some(case) = house.case(matter) {
            let report = Report::of(case).stands(runs(case, held), synod_engine::now());
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
