//! `synod matter thoughts`

use std::process::ExitCode;

use clap::Args;
use synod_core::house::Case;
use synod_core::kernel::Who;
use synod_core::view::Thoughts as View;

use super::{Context, matter_then};
use crate::fail::{Fail, Result, code};
use crate::house::{pick, runs};
use crate::{out, render};

/// Show everything one seat said and voted, round by round, with where it changed its mind.
///
/// `thoughts SEAT` is of the last matter, `thoughts MATTER SEAT` of that one.
#[derive(Debug, Args)]
#[command(override_usage = "synod matter thoughts [OPTIONS] [MATTER] <SEAT>")]
pub(crate) struct Thoughts {
    /// The seat, and before it the matter; the last one if left out.
    #[arg(required = true, num_args = 1..=2, value_names = ["MATTER", "SEAT"])]
    words: Vec<String>,
}

impl Thoughts {
    pub(crate) fn run(self, context: &Context) -> Result<ExitCode> {
        let (matter, name) = matter_then(&self.words, "SEAT")?;
        let (house, held) = context.house.look()?;
        let matter = pick(&house, matter)?;
        let Some(case) = house.case(matter) else { return Ok(ExitCode::SUCCESS) };
        let view = Who::parse(name).ok().and_then(|who| View::of(case, &who));
        let view = view.ok_or_else(|| no_seat(case, name))?.stands(runs(case, held));
        if context.json {
            out::json(&view);
        } else {
            out::text(&render::steer::thoughts(&view));
        }
        Ok(ExitCode::SUCCESS)
    }
}

/// Nobody of that name sits there: who does.
pub(in crate::cli) fn no_seat(case: &Case, name: &str) -> Fail {
    let names: Vec<&str> = case.opening.seats.iter().map(|seat| seat.name.as_str()).collect();
    let message =
        format!("no seat of matter {} is called `{name}`; the seats are {}", case.id, names.join(", "));
    Fail::new(code::USAGE, "roster/unknown-seat", message)
}
