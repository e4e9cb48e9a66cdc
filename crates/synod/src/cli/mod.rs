//! The commands: one file each, and one folder for each group. They read arguments, call the engine and show the
//! result; no rule of deliberation lives here.
//!
//! To add one: a file with its `Args`, a variant of `Command`, a line in `groups.rs`, an example in its help.

mod answer;
mod backup;
mod ballot;
mod bench;
mod charter;
mod citations;
mod compare;
mod completions;
mod continue_matter;
mod debate;
mod delete;
mod demo;
mod doctor;
mod export;
mod fork;
mod groups;
mod hint;
mod hook;
mod init;
mod judge;
mod key;
mod kind;
mod limits;
mod list;
mod outcome;
mod pause;
pub(crate) mod proof;
mod receipt;
mod reference;
mod refusals;
mod repair;
mod replay;
mod requests;
mod restore;
mod resume;
mod ring;
mod round;
mod seats;
mod serve;
mod served;
mod show;
pub(crate) mod sources;
mod stop;
mod synthesize;
mod thoughts;
mod token;
mod trigger;
mod trust;
mod verify;
mod waive;
mod watch;
mod when;
mod witness;

use std::process::ExitCode;

use clap::parser::ValueSource;
use clap::{CommandFactory as _, FromArgMatches as _, Parser, Subcommand};

pub(crate) use kind::OTHER_KIND;
pub(crate) use limits::affordable;

use crate::fail::{Fail, Result, code};
use crate::matter_arg::MatterArg;

pub(crate) use hint::hint;

/// Decisions among AI agents and people, under written rules, with a record anyone can check.
#[derive(Debug, Parser)]
#[command(name = "synod", version, propagate_version = true, max_term_width = 100)]
#[command(after_help = "Examples:\n  \
              synod demo                                         watch a scripted council first\n  \
              synod init                                         find models and set up seats\n  \
              synod debate \"Should we cache the search index?\"   ask a council\n  \
              synod show                                         show the newest matter\n  \
              synod export last --format html --out it.html\n\n\
              A matter is named by its number (3), its id (m57) or `last`. Commands without one use the newest.\n\
              Exit codes: 0 passed, 1 rejected, 2 undecided or contested, 64 and above for usage errors and\n\
              faults (70: no model).")]
pub(crate) struct Cli {
    #[command(subcommand)]
    command: Command,
    /// Print the result as JSON on stdout.
    #[arg(long, global = true, help_heading = "Global options")]
    json: bool,
    #[command(flatten)]
    house: crate::house::HouseArg,
}

#[derive(Debug, Subcommand)]
enum Command {
    Debate(Box<debate::Debate>),
    Init(init::Init),
    Demo(demo::Demo),
    Seats(seats::Seats),
    Ring(ring::Ring),
    Trigger(trigger::Trigger),
    Watch(watch::Watch),
    Hook(hook::Hook),
    List(list::List),
    Show(show::Show),
    Round(round::Round),
    Thoughts(thoughts::Thoughts),
    Citations(citations::Citations),
    Compare(compare::Compare),
    Export(export::Export),
    Continue(continue_matter::Continue),
    Pause(pause::Pause),
    Resume(resume::Resume),
    Stop(stop::Stop),
    Fork(Box<fork::Fork>),
    Answer(answer::Answer),
    Waive(waive::Waive),
    Judge(judge::Judge),
    Synthesize(synthesize::Synthesize),
    Verify(verify::Verify),
    Proof(proof::Proof),
    Witness(witness::Witness),
    Replay(replay::Replay),
    Receipt(receipt::Receipt),
    Backup(backup::Backup),
    Restore(restore::Restore),
    Repair(repair::Repair),
    Key(key::Key),
    Outcome(outcome::Outcome),
    Refusals(refusals::Refusals),
    Ballot(ballot::Ballot),
    Delete(delete::Delete),
    Charter(charter::Charter),
    Serve(serve::Serve),
    Token(token::Token),
    Trust(trust::Trust),
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
    /// Reads the command line of this process.
    pub(crate) fn read() -> std::result::Result<Self, clap::Error> {
        let matches = Self::definition().try_get_matches()?;
        let mut cli = Self::from_arg_matches(&matches)?;
        if house_source(&matches) == Some(ValueSource::DefaultValue) {
            cli.house.locate();
        }
        Ok(cli)
    }

    /// The whole command line, with its commands grouped under headings.
    pub(crate) fn definition() -> clap::Command {
        groups::grouped(Self::command())
    }

    /// Whether results and errors are wanted as JSON.
    pub(crate) fn wants_json(&self) -> bool {
        self.json
    }

    /// Runs the command.
    pub(crate) fn run(self) -> Result<ExitCode> {
        let context = Context { json: self.json, house: self.house };
        match self.command {
            Command::Debate(command) => on_runtime(command.run(&context)),
            Command::Demo(command) => on_runtime(command.run(&context)),
            Command::Init(command) => on_runtime(command.run(&context)),
            Command::Seats(command) => on_runtime(command.run(&context)),
            Command::Ring(command) => command.run(&context),
            Command::Trigger(command) => command.run(&context),
            Command::Watch(command) => on_runtime(command.run(&context)),
            Command::Hook(command) => Ok(command.run(&context)),
            Command::List(command) => command.run(&context),
            Command::Show(command) => command.run(&context),
            Command::Round(command) => command.run(&context),
            Command::Thoughts(command) => command.run(&context),
            Command::Citations(command) => command.run(&context),
            Command::Compare(command) => command.run(&context),
            Command::Export(command) => command.run(&context),
            Command::Continue(command) => on_runtime(command.run(&context)),
            Command::Pause(command) => on_runtime(command.run(&context)),
            Command::Resume(command) => on_runtime(command.run(&context)),
            Command::Stop(command) => on_runtime(command.run(&context)),
            Command::Fork(command) => on_runtime(command.run(&context)),
            Command::Answer(command) => on_runtime(command.run(&context)),
            Command::Waive(command) => on_runtime(command.run(&context)),
            Command::Judge(command) => on_runtime(command.run(&context)),
            Command::Synthesize(command) => on_runtime(command.run(&context)),
            Command::Verify(command) => command.run(&context),
            Command::Proof(command) => command.run(&context),
            Command::Witness(command) => command.run(&context),
            Command::Replay(command) => command.run(&context),
            Command::Receipt(command) => command.run(&context),
            Command::Backup(command) => command.run(&context),
            Command::Restore(command) => command.run(&context),
            Command::Repair(command) => command.run(&context),
            Command::Key(command) => command.run(&context),
            Command::Outcome(command) => on_runtime(command.run(&context)),
            Command::Refusals(command) => command.run(&context),
            Command::Ballot(command) => command.run(&context),
            Command::Delete(command) => on_runtime(command.run(&context)),
            Command::Charter(command) => command.run(&context),
            Command::Serve(command) => command.run(&context),
            Command::Token(command) => command.run(&context),
            Command::Trust(command) => command.run(&context),
            Command::Doctor(command) => on_runtime(command.run(&context)),
            Command::Completions(command) => command.run(&context),
            Command::Bench(command) => command.run(&context),
            Command::Reference(command) => command.run(&context),
        }
    }
}

/// Where the house was named. A global option is told to the innermost command that was given.
fn house_source(matches: &clap::ArgMatches) -> Option<ValueSource> {
    match matches.subcommand() {
        Some((_, inner)) => house_source(inner),
        None => matches.value_source("house"),
    }
}

/// Splits `[MATTER] WORD`. The last word is never read as a matter, so that a seat may be called `7`.
fn matter_then<'a>(words: &'a [String], what: &str) -> Result<(Option<MatterArg>, &'a str)> {
    match words {
        [last] => Ok((None, last)),
        [matter, last] => Ok((Some(matter.parse().map_err(Fail::usage)?), last)),
        _ => Err(Fail::usage(format!("too many words: write {what}, or MATTER {what}"))),
    }
}

/// Runs a command that waits for the world. One thread is enough: models are what takes time.
pub(crate) fn on_runtime<T>(work: impl Future<Output = Result<T>>) -> Result<T> {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().map_err(|error| {
        Fail::new(code::IO, "runtime", format!("the async runtime cannot be started: {error}"))
    })?;
    let done = runtime.block_on(work);
    // A person may still be asked on the terminal; nobody waits for that answer any more.
    runtime.shutdown_background();
    done
}
