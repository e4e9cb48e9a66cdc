//! The commands: one file each, and one folder for each group. They read arguments, call the engine and show the
//! result; no rule of deliberation lives here.
//!
//! To add one: a file with its `Args`, a variant of `CliCommand`, a line in `groups.rs`, an example in its help.

mod agents;
mod answer;
mod award;
mod backup;
mod ballot;
mod bench;
mod canon;
mod charter;
mod citations;
mod compare;
mod completions;
mod continue_matter;
mod debate;
mod delete;
mod demo;
mod doctor;
mod evidence;
mod export;
mod fork;
mod goals;
mod groups;
mod health;
mod hint;
mod hook;
mod init;
mod issue;
mod judge;
mod key;
mod kind;
mod lab;
mod leaderboard;
mod lease;
mod ledger;
mod limits;
mod list;
mod motion;
mod outcome;
mod pause;
mod period;
pub(crate) mod proof;
mod rate;
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
mod work;
mod workshop;

use std::pin::Pin;
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
    command: CliCommand,
    /// Print the result as JSON on stdout.
    #[arg(long, global = true, help_heading = "Global options")]
    json: bool,
    #[command(flatten)]
    house: crate::house::HouseArg,
}

#[derive(Debug, Subcommand)]
enum CliCommand {
    Debate(Box<debate::DebateArgs>),
    Init(init::InitArgs),
    Demo(demo::DemoArgs),
    Seats(seats::SeatListArgs),
    Motion(motion::MotionArgs),
    Ring(ring::RingArgs),
    Issue(issue::IssueArgs),
    Canon(canon::CanonArgs),
    Lab(lab::LabArgs),
    Lease(lease::LeaseArgs),
    Agents(agents::AgentsArgs),
    Health(health::HealthArgs),
    Period(period::PeriodArgs),
    Ledger(ledger::LedgerArgs),
    Leaderboard(leaderboard::LeaderboardArgs),
    Goals(goals::GoalsArgs),
    Award(award::AwardArgs),
    Rate(rate::RateArgs),
    Workshop(workshop::WorkshopArgs),
    Trigger(trigger::TriggerArgs),
    Watch(watch::WatchArgs),
    Hook(hook::Hook),
    List(list::ListArgs),
    Show(show::ShowArgs),
    Round(round::RoundArgs),
    Thoughts(thoughts::ThoughtsArgs),
    Citations(citations::CitationsArgs),
    Evidence(evidence::EvidenceArgs),
    Compare(compare::CompareArgs),
    Export(export::ExportArgs),
    Continue(continue_matter::ContinueArgs),
    Pause(pause::PauseArgs),
    Resume(resume::ResumeArgs),
    Stop(stop::StopArgs),
    Fork(Box<fork::ForkArgs>),
    Answer(answer::AnswerArgs),
    Waive(waive::WaiveArgs),
    Judge(judge::JudgeArgs),
    Synthesize(synthesize::SynthesizeArgs),
    Verify(verify::VerifyArgs),
    Proof(proof::ProofArgs),
    Witness(witness::WitnessArgs),
    Replay(replay::ReplayArgs),
    Receipt(receipt::ReceiptArgs),
    Backup(backup::BackupArgs),
    Restore(restore::RestoreArgs),
    Repair(repair::RepairArgs),
    Key(key::KeyArgs),
    Outcome(outcome::OutcomeArgs),
    Refusals(refusals::RefusalsArgs),
    Ballot(ballot::BallotArgs),
    Delete(delete::DeleteArgs),
    Charter(charter::CharterArgs),
    Serve(serve::ServeArgs),
    Token(token::TokenArgs),
    Trust(trust::TrustHouseArgs),
    Doctor(doctor::DoctorArgs),
    Completions(completions::CompletionsArgs),
    Bench(bench::BenchArgs),
    Reference(reference::ReferenceArgs),
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
        let args = hint::without_double_help(std::env::args_os().collect());
        let matches = without_empty(Self::definition()).try_get_matches_from(args)?;
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
            CliCommand::Debate(command) => on_runtime(command.run(&context)),
            CliCommand::Demo(command) => on_runtime(command.run(&context)),
            CliCommand::Init(command) => on_runtime(command.run(&context)),
            CliCommand::Seats(command) => on_runtime(command.run(&context)),
            CliCommand::Motion(command) => command.run(&context),
            CliCommand::Ring(command) => command.run(&context),
            CliCommand::Issue(command) => command.run(&context),
            CliCommand::Canon(command) => command.run(&context),
            CliCommand::Lab(command) => command.run(&context),
            CliCommand::Lease(command) => command.run(&context),
            CliCommand::Agents(command) => command.run(&context),
            CliCommand::Health(command) => on_runtime(command.run(&context)),
            CliCommand::Period(command) => command.run(&context),
            CliCommand::Ledger(command) => on_runtime(command.run(&context)),
            CliCommand::Leaderboard(command) => on_runtime(command.run(&context)),
            CliCommand::Goals(command) => command.run(&context),
            CliCommand::Award(command) => on_runtime(command.run(&context)),
            CliCommand::Rate(command) => on_runtime(command.run(&context)),
            CliCommand::Workshop(command) => command.run(&context),
            CliCommand::Trigger(command) => command.run(&context),
            CliCommand::Watch(command) => on_runtime(command.run(&context)),
            CliCommand::Hook(command) => Ok(command.run(&context)),
            CliCommand::List(command) => command.run(&context),
            CliCommand::Show(command) => command.run(&context),
            CliCommand::Round(command) => command.run(&context),
            CliCommand::Thoughts(command) => command.run(&context),
            CliCommand::Citations(command) => command.run(&context),
            CliCommand::Evidence(command) => command.run(&context),
            CliCommand::Compare(command) => command.run(&context),
            CliCommand::Export(command) => command.run(&context),
            CliCommand::Continue(command) => on_runtime(command.run(&context)),
            CliCommand::Pause(command) => on_runtime(command.run(&context)),
            CliCommand::Resume(command) => on_runtime(command.run(&context)),
            CliCommand::Stop(command) => on_runtime(command.run(&context)),
            CliCommand::Fork(command) => on_runtime(command.run(&context)),
            CliCommand::Answer(command) => on_runtime(command.run(&context)),
            CliCommand::Waive(command) => on_runtime(command.run(&context)),
            CliCommand::Judge(command) => on_runtime(command.run(&context)),
            CliCommand::Synthesize(command) => on_runtime(command.run(&context)),
            CliCommand::Verify(command) => command.run(&context),
            CliCommand::Proof(command) => command.run(&context),
            CliCommand::Witness(command) => command.run(&context),
            CliCommand::Replay(command) => command.run(&context),
            CliCommand::Receipt(command) => command.run(&context),
            CliCommand::Backup(command) => command.run(&context),
            CliCommand::Restore(command) => command.run(&context),
            CliCommand::Repair(command) => command.run(&context),
            CliCommand::Key(command) => command.run(&context),
            CliCommand::Outcome(command) => on_runtime(command.run(&context)),
            CliCommand::Refusals(command) => command.run(&context),
            CliCommand::Ballot(command) => command.run(&context),
            CliCommand::Delete(command) => on_runtime(command.run(&context)),
            CliCommand::Charter(command) => command.run(&context),
            CliCommand::Serve(command) => command.run(&context),
            CliCommand::Token(command) => command.run(&context),
            CliCommand::Trust(command) => command.run(&context),
            CliCommand::Doctor(command) => on_runtime(command.run(&context)),
            CliCommand::Completions(command) => command.run(&context),
            CliCommand::Bench(command) => command.run(&context),
            CliCommand::Reference(command) => command.run(&context),
        }
    }
}

/// Where the house was named. A global option is told to the innermost command that was given.
/// The same command, for which an empty variable of the environment is one that is not set.
fn without_empty(command: clap::Command) -> clap::Command {
    let is_empty =
        |arg: &clap::Arg| arg.get_env().and_then(std::env::var_os).is_some_and(|value| value.is_empty());
    command
        .mut_args(|arg| if is_empty(&arg) { arg.env(None::<&'static str>) } else { arg })
        .mut_subcommands(without_empty)
}

/// Whether the command line is for `synod hook`, however wrong the rest of it is.
pub(crate) fn is_for_hook() -> bool {
    let lenient = without_empty(Cli::definition()).ignore_errors(true);
    lenient
        .try_get_matches_from(std::env::args_os())
        .is_ok_and(|found| found.subcommand_name() == Some("hook"))
}

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
///
/// Boxed: compiled for the type of each command, the runtime was a twentieth of this crate's machine code.
pub(crate) fn on_runtime<T>(work: impl Future<Output = Result<T>>) -> Result<T> {
    block_on(Box::pin(work))
}

fn block_on<T>(work: Pin<Box<dyn Future<Output = Result<T>> + '_>>) -> Result<T> {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().map_err(|error| {
        Fail::new(code::IO, "runtime", format!("the async runtime cannot be started: {error}"))
    })?;
    let done = runtime.block_on(work);
    // A person may still be asked on the terminal; nobody waits for that answer any more.
    runtime.shutdown_background();
    done
}
