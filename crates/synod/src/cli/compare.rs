//! `synod compare`

use std::process::ExitCode;

use clap::Args;
use synod_core::view::{Comparison, Report};

use super::Context;
use crate::fail::Result;
use crate::house::runs;
use crate::matter_arg::{MatterArg, pick};
use crate::{out, render};

/// Show two matters side by side.
///
/// Compares rules, seats, rounds, result, support, positions, votes and cost.
#[derive(Debug, Args)]
#[command(
    after_help = "Examples:\n  synod compare 3 5\n  synod compare 3       compares matter 3 with the newest"
)]
pub(crate) struct CompareArgs {
    /// The first matter: number, id or `last`.
    #[arg(value_name = "A")]
    one: MatterArg,
    /// The second, such as a fork of the first; the newest if left out.
    #[arg(value_name = "B")]
    other: Option<MatterArg>,
}

impl CompareArgs {
    pub(crate) fn run(self, context: &Context) -> Result<ExitCode> {
        let (mut house, held) = context.house.look()?;
        let (one, other) = (pick(&mut house, Some(self.one))?, pick(&mut house, self.other)?);
        if let (Some(one), Some(other)) = (house.case(one), house.case(other)) {
            let report = |case| Report::of(case).stands(runs(case, held), synod_engine::now());
            let comparison = Comparison::of(&report(one), &report(other));
            if context.json {
                out::json(&comparison);
            } else {
                out::text(&render::compare::table(&comparison, out::width()));
            }
        }
        Ok(ExitCode::SUCCESS)
    }
}
