//! `synod thoughts`

use std::process::ExitCode;

use clap::Args;
use synod_core::house::Case;
use synod_core::kernel::{Who, text};
use synod_core::view::Thoughts;

use super::{Context, matter_then};
use crate::fail::{Fail, Result, code};
use crate::house::runs;
use crate::matter_arg::pick;
use crate::{out, render};

/// Show everything one seat said and voted, and where it changed its position.
#[derive(Debug, Args)]
#[command(
    override_usage = "synod thoughts [OPTIONS] [MATTER] <SEAT>",
    after_help = "Examples:\n  synod thoughts ann      in the newest matter\n  synod thoughts 3 ann    in matter 3"
)]
pub(crate) struct ThoughtsArgs {
    /// The matter (the newest if left out), then the seat.
    #[arg(required = true, num_args = 1..=2, value_names = ["MATTER", "SEAT"])]
    words: Vec<String>,
}

impl ThoughtsArgs {
    pub(crate) fn run(self, context: &Context) -> Result<ExitCode> {
        let (matter, name) = matter_then(&self.words, "SEAT")?;
        let (mut house, held) = context.house.look()?;
        let matter = pick(&mut house, matter)?;
        let Some(case) = house.case(matter) else { return Ok(ExitCode::SUCCESS) };
        let view = Who::parse(name).ok().and_then(|who| Thoughts::of(case, &who));
        let view = view.ok_or_else(|| no_seat(case, name))?.stands(runs(case, held));
        if context.json {
            out::json(&view);
        } else {
            out::text(&render::steer::thoughts(&view));
        }
        Ok(ExitCode::SUCCESS)
    }
}

/// An unknown seat: lists the seats there are.
pub(in crate::cli) fn no_seat(case: &Case, name: &str) -> Fail {
    if let Some(row) = case.issue() {
        let message = format!(
            "matter {} is an issue, in which nobody has a seat: `synod issue show {}` shows its {}",
            case.number,
            case.number,
            text::counted(row.stored.into(), "comment")
        );
        return Fail::new(code::USAGE, "roster/unknown-seat", message);
    }
    let names: Vec<&str> = case.opening.seats.iter().map(|seat| seat.name.as_str()).collect();
    let message = format!("matter {} has no seat `{name}`; its seats are {}", case.number, names.join(", "));
    Fail::new(code::USAGE, "roster/unknown-seat", message)
}
