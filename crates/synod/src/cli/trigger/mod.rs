//! `synod trigger`: call a council, or see what would.

mod list;
mod rules;

use std::process::ExitCode;
use std::sync::Arc;

use clap::{Args, Subcommand};
use synod_core::Command;
use synod_core::kernel::{Actor, Key, Permille, Priority, Who};
use synod_core::trigger::{CouncilRequest, TriggerCause};
use synod_engine::Order;

use super::{Context, on_runtime};
use crate::client::ServiceArgs;
use crate::fail::{Fail, Result, code};
use crate::house::order;
use crate::out;
use crate::triggers::{RulesLoading, notices, prepare};
use crate::wire::observation::{Called, Noted, Notice};

/// Call a council of outside agents, or see what would call one.
///
/// A trigger that fires opens a matter under ring-critical, ring-strict, ring-default or ring-quick, depending on
/// urgency. A trigger that does not fire says why.
#[derive(Debug, Args)]
#[command(
    after_help = "Example:\n  synod trigger user \"Roll back the release?\" --priority high --with ann --with bob\n\nExit codes: 0 fired and opened a matter, 1 did not fire, 2 fired but opened no matter."
)]
pub(crate) struct TriggerArgs {
    #[command(subcommand)]
    command: TriggerCommand,
}

#[derive(Debug, Subcommand)]
enum TriggerCommand {
    User(UserTriggerArgs),
    Agent(AgentTriggerArgs),
    Checkpoint(CheckpointTriggerArgs),
    Phase(PhaseTriggerArgs),
    Threshold(ThresholdTriggerArgs),
    Scheduled(ScheduledTriggerArgs),
    List(list::TriggerListArgs),
    Rules(rules::TriggerRulesArgs),
}

/// Call a council on a question. This trigger has no cooldown.
#[derive(Debug, Args)]
#[command(
    after_help = "Example:\n  synod trigger user \"Roll back the release?\" --priority high --with ann --with bob"
)]
struct UserTriggerArgs {
    /// The question.
    topic: String,
    /// How urgent it is.
    #[arg(long, value_parser = priority)]
    priority: Option<Priority>,
    #[command(flatten)]
    with: TriggerOptionArgs,
}

/// Report that an agent asks for a council; it needs a listed reason and enough confidence.
#[derive(Debug, Args)]
#[command(
    after_help = "Example:\n  synod trigger agent ann --reason security_concern --confidence 0.9 --with bob"
)]
struct AgentTriggerArgs {
    /// The agent that asks.
    agent: String,
    /// The reason: a listed name such as security_concern, or its keywords. `synod trigger rules` lists them.
    #[arg(long)]
    reason: String,
    /// How confident the agent is that a council is needed, 0 to 1.
    #[arg(long)]
    confidence: Permille,
    /// The question.
    #[arg(long)]
    topic: Option<String>,
    #[command(flatten)]
    with: TriggerOptionArgs,
}

/// Report that a checkpoint is reached, such as security_change or deployment_approval.
#[derive(Debug, Args)]
#[command(after_help = "Example:\n  synod trigger checkpoint deployment_approval --with ann --with bob")]
struct CheckpointTriggerArgs {
    /// The checkpoint.
    name: String,
    /// This one needs a council even if it is not on the list of those that always do.
    #[arg(long)]
    flagged: bool,
    /// The question.
    #[arg(long)]
    topic: Option<String>,
    #[command(flatten)]
    with: TriggerOptionArgs,
}

/// Report that work moves from one phase to another.
#[derive(Debug, Args)]
#[command(after_help = "Example:\n  synod trigger phase design implementation --with ann --with bob")]
struct PhaseTriggerArgs {
    /// The phase that ends.
    from: String,
    /// The phase that begins.
    to: String,
    /// The question.
    #[arg(long)]
    topic: Option<String>,
    #[command(flatten)]
    with: TriggerOptionArgs,
}

/// Report a measurement; a high value calls a council.
#[derive(Debug, Args)]
#[command(after_help = "Example:\n  synod trigger threshold error_rate 0.85 --with ann --with bob")]
struct ThresholdTriggerArgs {
    /// The name of the measurement.
    name: String,
    /// The value, 0 to 1.
    value: Permille,
    /// The question.
    #[arg(long)]
    topic: Option<String>,
    #[command(flatten)]
    with: TriggerOptionArgs,
}

/// Check the decisions that agents reported as pending.
#[derive(Debug, Args)]
#[command(after_help = "Example:\n  synod trigger scheduled")]
struct ScheduledTriggerArgs {
    /// Idempotency key: remembered for ever if a matter was opened, else for 24 hours.
    #[arg(long, value_name = "KEY")]
    key: Option<String>,
}

/// Who takes part, and what they are told.
#[derive(Debug, Args)]
struct TriggerOptionArgs {
    /// A participant (repeatable). Unknown names are added as outside agents. If left out: the agents concerned, else
    /// all agents seen lately.
    #[arg(long = "with", value_name = "NAME")]
    with: Vec<String>,
    /// More information for the council.
    #[arg(long, value_name = "TEXT")]
    description: Option<String>,
    /// Idempotency key: remembered for ever if a matter was opened, else for 24 hours.
    #[arg(long, value_name = "KEY")]
    key: Option<String>,
}

fn priority(written: &str) -> std::result::Result<Priority, String> {
    let found = Priority::WORDS.iter().find(|(word, _)| *word == written);
    found.map(|(_, priority)| *priority).ok_or_else(|| "write critical, high, normal or low".into())
}

impl TriggerArgs {
    pub(crate) fn run(self, context: &Context) -> Result<ExitCode> {
        match self.command {
            TriggerCommand::User(it) => {
                call(context, TriggerCause::User { priority: it.priority }, Some(it.topic), it.with)
            }
            TriggerCommand::Agent(it) => {
                let agent = Who::parse(&it.agent).map_err(Fail::usage)?;
                let cause = TriggerCause::Agent { agent, confidence: it.confidence, reason: it.reason };
                call(context, cause, it.topic, it.with)
            }
            TriggerCommand::Checkpoint(it) => call(
                context,
                TriggerCause::Checkpoint { flagged: it.flagged, name: it.name },
                it.topic,
                it.with,
            ),
            TriggerCommand::Phase(it) => {
                call(context, TriggerCause::Phase { from: it.from, to: it.to }, it.topic, it.with)
            }
            TriggerCommand::Threshold(it) => {
                call(context, TriggerCause::Threshold { name: it.name, value: it.value }, it.topic, it.with)
            }
            TriggerCommand::Scheduled(it) => {
                let with = TriggerOptionArgs { with: Vec::new(), description: None, key: it.key };
                call(context, TriggerCause::Scheduled, None, with)
            }
            TriggerCommand::List(command) => command.run(context),
            TriggerCommand::Rules(command) => command.run(context),
        }
    }
}

fn call(
    context: &Context,
    cause: TriggerCause,
    topic: Option<String>,
    with: TriggerOptionArgs,
) -> Result<ExitCode> {
    let participants: Vec<Who> = with
        .with
        .iter()
        .map(|name| Who::parse(name))
        .collect::<std::result::Result<_, _>>()
        .map_err(Fail::usage)?;
    let request = CouncilRequest { cause, description: with.description, participants, topic };
    // Checked first: an invalid trigger must not add participants.
    request.check().map_err(|wrong| Fail::new(code::USAGE, "trigger/malformed", wrong.to_string()))?;
    on_runtime(judge(context, request, with.key))
}

async fn judge(context: &Context, request: CouncilRequest, key: Option<String>) -> Result<ExitCode> {
    if let Some(client) = ServiceArgs::default().client(&context.house)? {
        let answer: Noted = client.post_once("/v1/triggers", &Called::from(&request), key.as_deref()).await?;
        return Ok(told(context, answer.notices.into_iter().next()));
    }
    let engine = context.house.engine("synod trigger", Default::default()).await?;
    let asking = match &request.cause {
        TriggerCause::Agent { agent, .. } => Some(agent),
        TriggerCause::User { .. }
        | TriggerCause::Checkpoint { .. }
        | TriggerCause::Phase { .. }
        | TriggerCause::Threshold { .. }
        | TriggerCause::Scheduled => None,
    };
    let agents: Vec<&Who> = request.participants.iter().chain(asking).collect();
    for who in prepare(&engine, RulesLoading::Once(context.house.dir()), &agents).await? {
        out::error(&format!("note: {who} is new in this house and was added as an outside agent"));
    }
    let command = Command::Trigger(Box::new(request));
    let key = key.map(|key| Key(Arc::from(key.as_str())));
    let act =
        order(&engine, Order { by: Actor::Operator, key, command: command.clone(), vouched: None }).await?;
    if act.command != command {
        let message = "this key was already used for another command; use another key";
        return Err(Fail::new(code::USAGE, "trigger/key-taken", message));
    }
    let last = engine.read(|house| notices(house, &act)).pop();
    engine.end();
    Ok(told(context, last))
}

/// Tells what came of it.
fn told(context: &Context, notice: Option<Notice>) -> ExitCode {
    let Some(mut notice) = notice else { return ExitCode::SUCCESS };
    let line = notice.take_line();
    match context.json {
        true => out::json(&notice),
        false => out::line(&out::clean(&line)),
    }
    ExitCode::from(match notice {
        Notice::Found(_) => code::PASSED,
        Notice::Fired(judged) if judged.matter.is_some() => code::PASSED,
        Notice::Fired(_) => code::UNDECIDED,
        Notice::Declined(_) => code::FAILED,
    })
}
