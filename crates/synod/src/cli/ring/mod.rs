//! `synod ring`: rings of agents that come for their turns by themselves. One file per command.
//!
//! To add a command: a file here, a variant of `RingCommand`, a line in `cli/groups.rs`.

mod amend;
mod join;
mod key;
mod leave;
mod open;
mod propose;
mod react;
mod release;
mod remove;
mod rule;
mod say;
mod skip;
mod start;
mod status;
mod turn;
mod vote;

use std::io::Read as _;
use std::process::ExitCode;

use clap::{Args, Subcommand};
use serde_json::json;
use synod_core::kernel::AskId;

use super::{Context, on_runtime};
use crate::fail::{Fail, Result, code};
use crate::out;
use crate::wire::{Done, ItemRef, WrittenId};

pub(super) use turn::answers;

/// Hold a ring: agents that come for their turns by themselves discuss, propose and vote.
///
/// The operator opens a ring with `synod ring open`. Each agent joins with `synod ring join`, fetches its turns with
/// `synod ring turn`, and answers them with the other commands. See docs/agents.md.
#[derive(Debug, Args)]
#[command(after_help = "Examples:\n  \
              synod ring open \"Cache the index?\" --invite ann --invite bob --charter quick\n  \
              synod ring join --as ann\n  \
              synod ring turn --as ann --wait 60s")]
pub(crate) struct RingArgs {
    #[command(subcommand)]
    command: RingCommand,
}

#[derive(Debug, Subcommand)]
enum RingCommand {
    Open(Box<open::RingOpenArgs>),
    Start(start::RingStartArgs),
    Remove(remove::RingRemoveArgs),
    Status(status::RingStatusArgs),
    Join(join::RingJoinArgs),
    Key(key::RingKeyArgs),
    Leave(leave::RingLeaveArgs),
    Turn(turn::RingTurnArgs),
    Say(say::RingSayArgs),
    Propose(propose::RingProposeArgs),
    Amend(amend::RingAmendArgs),
    React(react::RingReactArgs),
    Rule(rule::RingRuleArgs),
    Release(release::RingReleaseArgs),
    Skip(skip::RingSkipArgs),
    Vote(vote::RingVoteArgs),
}

impl RingArgs {
    pub(crate) fn run(self, context: &Context) -> Result<ExitCode> {
        // Agents tell refusals apart by their codes.
        self.command.run(context).map_err(Fail::coded)
    }
}

impl RingCommand {
    fn run(self, context: &Context) -> Result<ExitCode> {
        match self {
            Self::Open(command) => on_runtime(command.run(context)),
            Self::Start(command) => on_runtime(command.run(context)),
            Self::Remove(command) => on_runtime(command.run(context)),
            Self::Status(command) => on_runtime(command.run(context)),
            Self::Join(command) => on_runtime(command.run(context)),
            Self::Key(command) => on_runtime(command.run(context)),
            Self::Leave(command) => on_runtime(command.run(context)),
            Self::Turn(command) => on_runtime(command.run(context)),
            Self::Say(command) => on_runtime(command.run(context)),
            Self::Propose(command) => on_runtime(command.run(context)),
            Self::Amend(command) => on_runtime(command.run(context)),
            Self::React(command) => on_runtime(command.run(context)),
            Self::Rule(command) => on_runtime(command.run(context)),
            Self::Release(command) => on_runtime(command.run(context)),
            Self::Skip(command) => on_runtime(command.run(context)),
            Self::Vote(command) => on_runtime(command.run(context)),
        }
    }
}

/// Shows what a participant did, and in which ring.
fn tell(context: &Context, done: &Done, words: &str) -> ExitCode {
    if context.json {
        out::json(&json!({
            "matter": done.matter, "number": done.number, "question": done.question, "who": done.participant, "act": done.act, "events": done.events,
            "acknowledgement": done.acknowledgement,
        }));
    } else {
        out::line(&out::clean(&format!("{words} · {}", done.ring())));
    }
    ExitCode::SUCCESS
}

/// The id of what was added to the table.
fn born(done: &Done, kind: &str) -> String {
    let found = done.events.iter().find(|event| event.kind == kind);
    found.map(|event| format!(", id {}", event.id)).unwrap_or_default()
}

/// Something on the table, as a person names it.
fn item(written: &str) -> Result<ItemRef> {
    written.parse().map_err(Fail::usage)
}

/// A turn that was named.
fn named(turn: Option<AskId>) -> Option<WrittenId> {
    turn.map(|ask| WrittenId(ask.0))
}

/// The text as given, or standard input for `-`.
fn text(written: &str, what: &str) -> Result<String> {
    /// More than the longest contribution any charter allows, in its longest encoding.
    const MOST: u64 = 400_004;
    if written != "-" {
        return Ok(written.into());
    }
    let mut bytes = Vec::new();
    let mut stdin = std::io::stdin().lock().take(MOST);
    stdin.read_to_end(&mut bytes).map_err(|error| {
        Fail::new(code::IO, "stdin", format!("the {what} cannot be read from standard input: {error}"))
    })?;
    if bytes.len() as u64 == MOST {
        let message = format!("the {what} on standard input is far too long: shorten it and refer to files");
        return Err(Fail::new(code::USAGE, "table/too-long", message));
    }
    String::from_utf8(bytes).map_err(|_| {
        let message = format!("the {what} on standard input is not UTF-8 text: save it as UTF-8");
        Fail::new(code::DATA, "stdin/not-utf8", message)
    })
}
