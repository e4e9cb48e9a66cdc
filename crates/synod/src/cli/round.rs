//! `synod round`

use std::process::ExitCode;

use clap::Args;
use synod_core::kernel::Who;
use synod_core::view::RoundReport;

use super::{Context, matter_then};
use crate::fail::{Fail, Result, code};
use crate::house::runs;
use crate::matter_arg::pick;
use crate::{out, render};

/// Show one round in full: statements, missing answers, analysis and judges.
#[derive(Debug, Args)]
#[command(
    override_usage = "synod round [OPTIONS] [MATTER] <K>",
    after_help = "Examples:\n  synod round 2       round 2 of the newest matter\n  synod round 3 2     round 2 of matter 3"
)]
pub(crate) struct RoundArgs {
    /// The matter (the newest if left out), then the round, counted from 1.
    #[arg(required = true, num_args = 1..=2, value_names = ["MATTER", "K"])]
    words: Vec<String>,
}

impl RoundArgs {
    pub(crate) fn run(self, context: &Context) -> Result<ExitCode> {
        let (matter, written) = matter_then(&self.words, "K")?;
        let round: u32 = written
            .parse()
            .map_err(|_| Fail::usage(format!("`{written}` is not a round: write a number such as 2")))?;
        let (mut house, held) = context.house.look()?;
        let matter = pick(&mut house, matter)?;
        let Some(case) = house.case(matter) else { return Ok(ExitCode::SUCCESS) };
        let Some(view) = RoundReport::of(case, round) else {
            let refusal = synod_core::matter::Refusal::NoSuchRound { matter, round, had: case.rounds_over() };
            return Err(Fail::new(code::USAGE, refusal.code(), refusal.to_string()));
        };
        let view = view.stands(runs(case, held));
        if context.json {
            out::json(&view);
            return Ok(ExitCode::SUCCESS);
        }
        let flag = context.house.flag();
        let number = case.number;
        let again = |who: &Who| format!("synod judge {number} --round {round} --judge {who}{flag}");
        out::text(&render::steer::round(&view, &again));
        Ok(ExitCode::SUCCESS)
    }
}
