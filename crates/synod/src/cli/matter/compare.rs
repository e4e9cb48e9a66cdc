//! `synod matter compare`

use std::process::ExitCode;

use clap::Args;
use synod_core::kernel::MatterId;
use synod_core::view::{Comparison, Report};

use super::Context;
use crate::fail::Result;
use crate::house::{pick, runs};
use crate::{out, render};

/// Put two matters side by side: rules, seats, rounds, result, support, stances, votes and cost.
#[derive(Debug, Args)]
pub(crate) struct Compare {
    /// The one.
    #[arg(value_name = "A")]
    one: MatterId,
    /// The other, such as a fork of it.
    #[arg(value_name = "B")]
    other: MatterId,
}

impl Compare {
    pub(crate) fn run(self, context: &Context) -> Result<ExitCode> {
        let (house, held) = context.house.look()?;
        let (one, other) = (pick(&house, Some(self.one))?, pick(&house, Some(self.other))?);
        if let (Some(one), Some(other)) = (house.case(one), house.case(other)) {
            let stands = |case| Report::of(case).stands(runs(case, held));
            let comparison = Comparison::of(&stands(one), &stands(other));
            if context.json {
                out::json(&comparison);
            } else {
                out::text(&render::compare::table(&comparison, out::width()));
            }
        }
        Ok(ExitCode::SUCCESS)
    }
}
