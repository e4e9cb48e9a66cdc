//! Rings: the operator convenes them, participants that come by themselves take part. One file per command.

mod amend;
mod convene;
mod hook;
mod join;
mod leave;
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

use clap::Subcommand;
use serde_json::json;
use synod_core::kernel::{AskId, Id, Seq};
use synod_core::procedure::ring::Action;

use super::{Context, on_runtime};
use crate::agent::{Agent, Sheet, Told};
use crate::fail::{Fail, Result, code};
use crate::out;

#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    Convene(Box<convene::Convene>),
    Start(start::Start),
    Remove(remove::Remove),
    Status(status::Status),
    Join(join::Join),
    Leave(leave::Leave),
    Turn(turn::Turn),
    Say(say::Say),
    Propose(propose::Propose),
    Amend(amend::Amend),
    React(react::React),
    Rule(rule::Rule),
    Release(release::Release),
    Skip(skip::Skip),
    Vote(vote::Vote),
    Hook(hook::Hook),
}

impl Command {
    pub(crate) fn run(self, context: &Context) -> Result<ExitCode> {
        // Agents tell refusals apart by their codes.
        self.done(context).map_err(Fail::coded)
    }

    fn done(self, context: &Context) -> Result<ExitCode> {
        match self {
            Self::Convene(command) => on_runtime(command.run(context)),
            Self::Start(command) => on_runtime(command.run(context)),
            Self::Remove(command) => on_runtime(command.run(context)),
            Self::Status(command) => on_runtime(command.run(context)),
            Self::Join(command) => on_runtime(command.run(context)),
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
            Self::Hook(command) => Ok(command.run(context)),
        }
    }
}

/// Tells what a participant did.
fn tell(context: &Context, agent: &Agent, told: &Told, words: &str) -> ExitCode {
    if context.json {
        out::json(&json!({
            "matter": agent.matter, "who": agent.who, "act": told.act, "events": told.events,
        }));
    } else {
        out::line(&out::clean(words));
    }
    ExitCode::SUCCESS
}

/// The id of what a write put on the table.
fn born(told: &Told, kind: &str) -> String {
    let found = told.events.iter().find(|event| event.kind == kind);
    found.map(|event| format!(", id {}", event.id)).unwrap_or_default()
}

/// Does something in a turn: the one named, else the participant's own open one for one of these tasks. With none
/// it is sent all the same: the house refuses it, and has it on record.
async fn in_turn(
    agent: &Agent,
    named: Option<AskId>,
    tasks: &[&str],
    part: impl FnOnce(AskId) -> Part,
) -> Result<Told> {
    if let Some(ask) = named {
        return agent.partake(part(ask)).await;
    }
    let open: Vec<Sheet> = agent.turns().await?;
    if let Some(sheet) = open.iter().find(|sheet| tasks.contains(&sheet.task.as_str())) {
        return agent.partake(part(sheet.ask)).await;
    }
    let ring = agent.ring().await?;
    let now = match (open.first(), &ring.holder) {
        (Some(sheet), _) => format!("you are asked to {}", sheet.task),
        (None, Some(holder)) => format!("{} has the floor until {}", holder.who, holder.until),
        (None, None) => format!("nothing is asked of you in {}", ring.phase),
    };
    let ask = ring.holder.filter(|holder| holder.who != agent.who).map_or(NO_TURN, |holder| holder.ask);
    let hint = format!(
        "{} has no turn for this in matter {} now: {now}. `synod turn --wait 60s` waits for one",
        agent.who, agent.matter
    );
    agent.partake(part(ask)).await.map_err(|fail| match fail.name() {
        // That no turn is no turn says less.
        "ask/not-open" => Fail::new(fail.code(), fail.name(), hint),
        _ => fail.and(&hint),
    })
}

/// What no turn and no proposal is ever called: a house begins with its first act.
const NOTHING: Id = Id { act: Seq(0), nth: 0 };
const NO_TURN: AskId = AskId(NOTHING);

/// A text as it was given, or from standard input for `-`.
fn text(written: &str, what: &str) -> Result<String> {
    /// More than the longest contribution any charter allows, in its longest encoding.
    const MOST: u64 = 400_004;
    if written != "-" {
        return Ok(written.into());
    }
    let mut bytes = Vec::new();
    let mut stdin = std::io::stdin().lock().take(MOST);
    stdin.read_to_end(&mut bytes).map_err(|error| {
        Fail::new(code::IO, "stdin", format!("the {what} cannot be read from stdin: {error}"))
    })?;
    if bytes.len() as u64 == MOST {
        let message = format!("the {what} on stdin is far too long: shorten it and refer to files");
        return Err(Fail::new(code::USAGE, "table/too-long", message));
    }
    String::from_utf8(bytes).map_err(|_| {
        let message = format!("the {what} on stdin is not UTF-8 text: save it as UTF-8");
        Fail::new(code::DATA, "stdin/not-utf8", message)
    })
}
