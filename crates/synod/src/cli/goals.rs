//! `synod goals`

use std::process::ExitCode;

use clap::{Args, Subcommand};
use synod_core::kernel::{Id, Who, text};
use synod_core::ledger::GoalMetric;

use super::issue::{AuthorArg, word};
use super::when::{self, When};
use super::work::{look, told};
use super::{Context, on_runtime};
use crate::client::ServiceArgs;
use crate::fail::Result;
use crate::out;
use crate::wire::{GoalBody, GoalDropBody, GoalPage, WrittenId};

/// Goals of the team and of agents: list them, set one, take one back.
///
/// Without a command, lists those that are open, with how far they are. Nobody is held to a goal; one that the team reaches is worth
/// credit to the team.
#[derive(Debug, Args)]
#[command(
    args_conflicts_with_subcommands = true,
    after_help = "Examples:\n  \
              synod goals\n  \
              synod goals set \"Ground every claim\" --metric verified-citations --target 20\n  \
              synod goals drop 57.1"
)]
pub(crate) struct GoalsArgs {
    #[command(subcommand)]
    command: Option<GoalsCommand>,
    /// Also those that were reached, missed or taken back.
    #[arg(long)]
    all: bool,
    #[command(flatten)]
    service: ServiceArgs,
}

#[derive(Debug, Subcommand)]
enum GoalsCommand {
    Set(GoalSetArgs),
    Drop(GoalDropArgs),
}

/// Set a goal for an agent or the team.
#[derive(Debug, Args)]
#[command(
    after_help = "Example:\n  synod goals set \"A calm session\" --metric zero-penalties --target 1 --period \"Session 4\""
)]
pub(crate) struct GoalSetArgs {
    /// The goal as a sentence.
    sentence: String,
    /// What is counted: total-credits, verified-citations, issues-resolved, issues-applied-in-work, zero-penalties or
    /// devils-advocate-consultations.
    #[arg(long, value_name = "METRIC", value_parser = |given: &str| word(&GoalMetric::WORDS, given))]
    metric: GoalMetric,
    /// How many.
    #[arg(long, value_name = "N", default_value_t = 1)]
    target: u32,
    /// For this agent; for the team if left out.
    #[arg(long, value_name = "AGENT", value_parser = Who::parse)]
    agent: Option<Who>,
    /// For this open period; from now on if left out.
    #[arg(long, value_name = "NAME")]
    period: Option<String>,
    /// Until this day or moment.
    #[arg(long, value_name = "DATE", value_parser = when::parse)]
    until: Option<When>,
    #[command(flatten)]
    author: AuthorArg,
}

/// Take a goal back.
#[derive(Debug, Args)]
#[command(after_help = "Example:\n  synod goals drop 57.1")]
pub(crate) struct GoalDropArgs {
    /// Its id, as `synod goals` shows it.
    goal: Id,
    #[command(flatten)]
    author: AuthorArg,
}

impl GoalsArgs {
    pub(crate) fn run(self, context: &Context) -> Result<ExitCode> {
        match self.command {
            Some(GoalsCommand::Set(args)) => on_runtime(args.run(context)),
            Some(GoalsCommand::Drop(args)) => on_runtime(args.run(context)),
            None => on_runtime(list(context, &self.service, self.all)),
        }
    }
}

async fn list(context: &Context, service: &ServiceArgs, all: bool) -> Result<ExitCode> {
    let route = format!("/v1/goals?all={all}");
    let GoalPage { goals, ended } =
        look(context, service, &route, |house, _| Ok(GoalPage::of(house, all))).await?;
    if context.json {
        out::json(&goals);
        return Ok(ExitCode::SUCCESS);
    }
    if goals.is_empty() {
        let kind = if ended > 0 { "no open goals" } else { "no goals" };
        out::line(&format!("{kind}; `synod goals set` sets one"));
    }
    for goal in goals {
        let whose = goal.agent.as_ref().map_or("the team", Who::as_str);
        let status = goal.status.replace('-', " ");
        out::line(&out::clean(&format!(
            "{} · {} · {whose}: {} {} of {} · {status}",
            goal.id, goal.sentence, goal.metric, goal.current, goal.target
        )));
    }
    if ended > 0 && !all {
        let goals = text::counted(ended, "goal");
        out::line(&format!("{goals} reached, missed or taken back: synod goals --all"));
    }
    Ok(ExitCode::SUCCESS)
}

impl GoalSetArgs {
    async fn run(self, context: &Context) -> Result<ExitCode> {
        let goal = GoalBody {
            sentence: self.sentence.clone(),
            metric: self.metric,
            target: Some(self.target),
            agent: self.agent.as_ref().map(ToString::to_string),
            period: self.period.clone(),
            until: self.until.map(|until| until.to.0),
        };
        let done = self.author.give(context, &goal).await?;
        let words = format!("goal {} is set", done.goal.as_deref().unwrap_or_default());
        Ok(told(context, &done, &words))
    }
}

impl GoalDropArgs {
    async fn run(self, context: &Context) -> Result<ExitCode> {
        let done = self.author.give(context, &GoalDropBody { goal: WrittenId(self.goal) }).await?;
        Ok(told(context, &done, &format!("goal {} is taken back", self.goal)))
    }
}
