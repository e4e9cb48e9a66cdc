//! `synod matter continue`

use std::path::PathBuf;
use std::process::ExitCode;

use clap::Args;
use synod_core::Command;
use synod_core::house::Case;
use synod_core::kernel::MatterId;
use synod_core::matter::Status;
use synod_core::procedure::council;

use super::Context;
use crate::fail::{Fail, Result, code};
use crate::house::{ahead, give, given, pick_open};
use crate::run::{Interrupts, Show, through};
use crate::seats::{CassetteArgs, again, serving};

/// Hold the next round of a matter that waits for it.
///
/// A matter opened with `synod debate --step` waits after each round. What it has before it can be
/// changed then: a focus question, more material. One that was paused goes on with `synod matter resume`.
#[derive(Debug, Args)]
pub(crate) struct Continue {
    /// The matter; the last open one if left out.
    matter: Option<MatterId>,
    /// A question the next round shall answer first.
    #[arg(long, value_name = "TEXT")]
    focus: Option<String>,
    /// A text file to put before the council. May be given several times.
    #[arg(long, value_name = "FILE")]
    context: Vec<PathBuf>,
    /// Do not wait between rounds any more: see it through to its end.
    #[arg(long)]
    to_end: bool,
    #[command(flatten)]
    cassettes: CassetteArgs,
    /// No progress, only what it comes to.
    #[arg(long, short)]
    quiet: bool,
}

impl Continue {
    pub(crate) async fn run(self, context: &Context) -> Result<ExitCode> {
        let (house, _) = context.house.read()?;
        let matter = pick_open(&house, self.matter)?;
        let material = given(&self.context)?;
        let command = Command::Council(council::Command::Continue {
            context: material,
            focus: self.focus,
            matter,
            to_end: self.to_end,
        });
        // One that the journal calls running is held by somebody, or was left behind; the engine finds out.
        let running = house.case(matter).is_some_and(|case| case.status() == Status::Running);
        if !running {
            ahead(&house, &command)?;
        }
        let rounds = house.case(matter).map(Case::round);
        let seats = house.case(matter).map(serving).unwrap_or_default();
        let minds = again(context.house.dir(), &seats, &self.cassettes)?;
        let interrupts = Interrupts::listen().await;
        let engine = context.house.engine("synod matter continue", minds).await?;
        if engine.read(|house| house.case(matter).map(Case::round)) != rounds {
            // Two who ask for the next round at once mean the same round.
            let message = format!(
                "another process has just held the next round of matter {matter}; `synod matter round` shows it"
            );
            return Err(Fail::new(code::HELD, "matter/moved-on", message));
        }
        let held = give(&engine, command).await?;
        let show = Show { json: context.json, quiet: self.quiet, synthesist: None, beside: None };
        through(&context.house, engine, matter, held.seq, None, show, interrupts).await
    }
}
