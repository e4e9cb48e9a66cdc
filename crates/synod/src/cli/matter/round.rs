//! `synod matter round`

use std::process::ExitCode;

use clap::Args;
use synod_core::Refusal;
use synod_core::kernel::Who;
use synod_core::view::RoundReport;

use super::{Context, matter_then};
use crate::fail::{Fail, Result, code};
use crate::house::{pick, runs};
use crate::{out, render};

/// Show one round whole: what was said, who is missing, what was found in it and how it was judged.
///
/// `round K` is of the last matter, `round MATTER K` of that one.
#[derive(Debug, Args)]
#[command(override_usage = "synod matter round [OPTIONS] [MATTER] <K>")]
pub(crate) struct Round {
    /// The round, counted from 1, and before it the matter; the last one if left out.
    #[arg(required = true, num_args = 1..=2, value_names = ["MATTER", "K"])]
    words: Vec<String>,
}

impl Round {
    pub(crate) fn run(self, context: &Context) -> Result<ExitCode> {
        let (matter, written) = matter_then(&self.words, "K")?;
        let round: u32 = written
            .parse()
            .map_err(|_| Fail::usage(format!("`{written}` is no round: write a number such as 2")))?;
        let (house, held) = context.house.look()?;
        let matter = pick(&house, matter)?;
        let Some(case) = house.case(matter) else { return Ok(ExitCode::SUCCESS) };
        let Some(view) = RoundReport::of(case, round) else {
            let refusal = Refusal::NoSuchRound { matter, round, had: case.rounds_over() };
            return Err(Fail::new(code::USAGE, refusal.code(), refusal.to_string()));
        };
        let view = view.stands(runs(case, held));
        if context.json {
            out::json(&view);
            return Ok(ExitCode::SUCCESS);
        }
        let flag = context.house.flag();
        let again = |who: &Who| format!("synod matter judge {matter} --round {round} --judge {who}{flag}");
        out::text(&render::steer::round(&view, &again));
        Ok(ExitCode::SUCCESS)
    }
}
