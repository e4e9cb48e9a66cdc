//! `synod synthesize`

use std::process::ExitCode;

use clap::Args;
use serde_json::json;
use synod_core::Command;
use synod_core::kernel::Who;
use synod_core::procedure::council;

use super::Context;
use super::thoughts::no_seat;
use crate::casting::PerformArgs;
use crate::fail::{Fail, Result, code};
use crate::house::ahead;
use crate::matter_arg::{MatterArg, pick};
use crate::run::sum_up;
use crate::seats::again;
use crate::{out, render};

/// Have a seat summarize a matter that is over or waiting.
///
/// The summary decides nothing.
#[derive(Debug, Args)]
#[command(after_help = "Example:\n  synod synthesize 3 --by ann")]
pub(crate) struct SynthesizeArgs {
    /// The matter: number, id or `last`; the newest if left out.
    matter: Option<MatterArg>,
    /// The seat that writes the summary; a judge or the scribe of the matter can do it too.
    #[arg(long, value_name = "SEAT")]
    by: String,
    #[command(flatten)]
    perform: PerformArgs,
}

impl SynthesizeArgs {
    pub(crate) async fn run(self, context: &Context) -> Result<ExitCode> {
        let (mut house, _) = context.house.read()?;
        let matter = pick(&mut house, self.matter)?;
        let Some(case) = house.case(matter) else { return Ok(ExitCode::SUCCESS) };
        let who = Who::parse(&self.by).ok();
        let seat = who.and_then(|who| case.participant(&who)).ok_or_else(|| no_seat(case, &self.by))?;
        ahead(&house, &Command::Council(council::Command::Synthesise { by: seat.who.clone(), matter }))?;
        let minds = again(context.house.dir(), std::slice::from_ref(seat), &self.perform)?;
        let engine = context.house.engine("synod synthesize", minds).await?;
        if let Some(cause) = sum_up(&engine, matter, &seat.who).await? {
            let message =
                format!("{} could not summarize matter {}: {}", seat.name, case.number, cause.detail);
            return Err(Fail::new(code::UNAVAILABLE, &cause.code, message));
        }
        let syntheses = engine
            .read_with([matter], |house| house.case(matter).map(|case| case.dossier.syntheses.clone()))?;
        engine.end();
        let of_seat = |(by, _): &(Who, _)| *by == seat.who;
        let Some((_, synthesis)) = syntheses.unwrap_or_default().into_iter().rfind(of_seat) else {
            let message = format!("{} gave no summary of matter {}", seat.name, case.number);
            return Err(Fail::new(code::UNAVAILABLE, "clerk/unreadable", message));
        };
        if context.json {
            out::json(&json!({
                "matter": matter, "number": case.number, "by": seat.who, "decides": false,
                "synthesis": synthesis,
            }));
        } else {
            out::text(&render::steer::synthesis(&seat.name, &synthesis));
        }
        Ok(ExitCode::SUCCESS)
    }
}
