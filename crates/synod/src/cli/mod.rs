//! The commands: one file each. They read arguments, call the engine and show what came of it.

mod ballot;
mod bench;
mod charter;
mod completions;
mod debate;
mod doctor;
mod limits;
mod matter;
mod outcome;
mod receipt;
mod reference;
mod replay;
mod ring;
mod serve;
mod token;
mod trigger;
mod verify;
mod watch;

use std::process::ExitCode;

use clap::{Parser, Subcommand};

pub(crate) use limits::affordable;

use crate::fail::{Fail, Result, code};

/// Decisions among AI agents and people, under written rules, with a record anyone can check.
#[derive(Debug, Parser)]
#[command(name = "synod", version, propagate_version = true, max_term_width = 100)]
#[command(
    after_help = "Exit codes: 0 passed, 1 failed, 2 undecided or contested, 64 and above for usage and faults.\n\
                        Start here: synod debate \"Should we cache the index?\""
)]
pub(crate) struct Cli {
    #[command(subcommand)]
    command: Command,
    /// Print the result as JSON on stdout.
    #[arg(long, global = true)]
    json: bool,
    #[command(flatten)]
    house: crate::house::HouseArg,
}

#[derive(Debug, Subcommand)]
enum Command {
    Debate(Box<debate::Debate>),
    Matter(matter::Matter),
    #[command(flatten)]
    Ring(ring::Command),
    Trigger(trigger::Trigger),
    Watch(watch::Watch),
    Outcome(outcome::Outcome),
    Receipt(receipt::Receipt),
    Ballot(ballot::Ballot),
    Verify(verify::Verify),
    Replay(replay::Replay),
    Charter(charter::Charter),
    Serve(serve::Serve),
    Token(token::Token),
    Doctor(doctor::Doctor),
    Completions(completions::Completions),
    Bench(bench::Bench),
    Reference(reference::Reference),
}

/// What every command is given.
#[derive(Debug)]
pub(crate) struct Context {
    pub(crate) json: bool,
    pub(crate) house: crate::house::HouseArg,
}

impl Cli {
    /// Whether results and errors are wanted as JSON.
    pub(crate) fn wants_json(&self) -> bool {
        self.json
    }

    /// Runs the command.
    pub(crate) fn run(self) -> Result<ExitCode> {
        let context = Context { json: self.json, house: self.house };
        match self.command {
            Command::Debate(command) => on_runtime(command.run(&context)),
            Command::Matter(command) => command.run(&context),
            Command::Ring(command) => command.run(&context),
            Command::Trigger(command) => command.run(&context),
            Command::Watch(command) => on_runtime(command.run(&context)),
            Command::Outcome(command) => on_runtime(command.run(&context)),
            Command::Receipt(command) => command.run(&context),
            Command::Ballot(command) => command.run(&context),
            Command::Verify(command) => command.run(&context),
            Command::Replay(command) => command.run(&context),
            Command::Charter(command) => command.run(&context),
            Command::Serve(command) => command.run(&context),
            Command::Token(command) => command.run(&context),
            Command::Doctor(command) => on_runtime(command.run(&context)),
            Command::Completions(command) => command.run(&context),
            Command::Bench(command) => command.run(&context),
            Command::Reference(command) => command.run(&context),
        }
    }
}

/// Runs a command that waits for the world. One thread is enough: models are what takes time.
pub(crate) fn on_runtime<T>(work: impl Future<Output = Result<T>>) -> Result<T> {
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()
        .map_err(|error| Fail::new(code::IO, "runtime", format!("no runtime could be started: {error}")))?;
    let done = runtime.block_on(work);
    // A person may still be asked on the terminal; nobody waits for that answer any more.
    runtime.shutdown_background();
    done
}
