//! `synod matter`: look at matters and steer them.

mod delete;
mod export;
mod list;
mod resume;
mod show;
mod steer;

use std::process::ExitCode;

use clap::{Args, Subcommand};

use super::{Context, on_runtime};
use crate::fail::Result;

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
            Command::Export(command) => command.run(context),
            Command::Delete(command) => on_runtime(command.run(context)),
        }
    }
}
