//! `synod matter`: look at matters and steer them.

mod answer;
mod citations;
mod compare;
mod delete;
mod export;
mod fork;
mod go_on;
mod judge;
mod list;
mod refusals;
mod resume;
mod round;
mod served;
mod show;
mod steer;
mod synthesize;
mod thoughts;
mod when;

use std::process::ExitCode;

use clap::{Args, Subcommand};

use synod_core::kernel::MatterId;
use synod_core::procedure::council;

pub(super) use thoughts::no_seat;

use super::{Context, on_runtime};
use crate::fail::{Fail, Result};

/// Look at matters and steer them.
#[derive(Debug, Args)]
pub(crate) struct Matter {
    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, Subcommand)]
enum Command {
    List(list::List),
    Show(show::Show),
    Resume(resume::Resume),
    Pause(steer::Pause),
    Stop(steer::Stop),
    Continue(go_on::Continue),
    Answer(answer::Answer),
    Waive(answer::Waive),
    Fork(Box<fork::Fork>),
    Compare(compare::Compare),
    Thoughts(thoughts::Thoughts),
    Round(round::Round),
    Citations(citations::Citations),
    Refusals(refusals::Refusals),
    Synthesize(synthesize::Synthesize),
    Judge(judge::Judge),
    Export(export::Export),
    Delete(delete::Delete),
}

impl Matter {
    pub(crate) fn run(self, context: &Context) -> Result<ExitCode> {
        match self.command {
            Command::List(command) => command.run(context),
            Command::Show(command) => command.run(context),
            Command::Resume(command) => on_runtime(command.run(context)),
            Command::Pause(command) => on_runtime(command.run(context)),
            Command::Stop(command) => on_runtime(command.run(context)),
            Command::Council(council::Command::Continue(command)) => on_runtime(command.run(context)),
            Command::Answer(command) => on_runtime(command.run(context)),
            Command::Council(council::Command::Waive(command)) => on_runtime(command.run(context)),
            Command::Council(council::Command::Fork(command)) => on_runtime(command.run(context)),
            Command::Compare(command) => command.run(context),
            Command::Thoughts(command) => command.run(context),
            Command::Round(command) => command.run(context),
            Command::Citations(command) => command.run(context),
            Command::Refusals(command) => command.run(context),
            Command::Synthesize(command) => on_runtime(command.run(context)),
            Command::Council(council::Command::Judge(command)) => on_runtime(command.run(context)),
            Command::Export(command) => command.run(context),
            Command::Delete(command) => on_runtime(command.run(context)),
        }
    }
}

/// What stands last among the words, and the matter where one stands before it. The last word is never
/// taken for a matter, so that seats may be called by numbers.
fn matter_then<'a>(words: &'a [String], what: &str) -> Result<(Option<MatterId>, &'a str)> {
    match words {
        [last] => Ok((None, last)),
        [matter, last] => Ok((Some(matter.parse().map_err(Fail::usage)?), last)),
        _ => Err(Fail::usage(format!("too many words: write {what}, or MATTER {what}"))),
    }
}
