//! `synod agents`

use std::process::ExitCode;

use clap::{Args, Subcommand};
use synod_core::house::Reader;
use synod_core::kernel::Who;
use synod_core::roster::WorkRole;

use super::issue::{AuthorArg, word};
use super::work::{look, told};
use super::{Context, on_runtime};
use crate::client::ServiceArgs;
use crate::fail::Result;
use crate::house::Looked;
use crate::out;
use crate::wire::{AgentPage, AgentView, AppointmentBody, ModelBody, StandingView, WorkshopAction};

/// Give participants their roles among agents that work together.
#[derive(Debug, Args)]
#[command(after_help = "Example:\n  synod agents appoint mo --role moderator\n  synod agents list")]
pub(crate) struct AgentsArgs {
    #[command(subcommand)]
    command: AgentsCommand,
}

#[derive(Debug, Subcommand)]
enum AgentsCommand {
    Appoint(AppointArgs),
    List(AgentListArgs),
    Model(AgentModelArgs),
}

/// Say which model answers for an agent from outside.
///
/// Credits and rates are kept for each model: another model starts its own record, and going back takes the old one up again.
#[derive(Debug, Args)]
#[command(after_help = "Example:\n  synod agents model critic gpt-4.1")]
pub(crate) struct AgentModelArgs {
    /// Who.
    #[arg(value_parser = Who::parse)]
    name: Who,
    /// The model.
    model: String,
    #[command(flatten)]
    author: AuthorArg,
}

impl AgentModelArgs {
    async fn run(self, context: &Context) -> Result<ExitCode> {
        let body = ModelBody { who: self.name.to_string(), model: self.model.clone() };
        let done = self.author.give(context, &body).await?;
        Ok(told(context, &done, &format!("{} answers for {} from now on", self.model, self.name)))
    }
}

/// Give a participant a role, or switch it on or off. One that is not known is enrolled.
#[derive(Debug, Args)]
#[command(after_help = "Example:\n  synod agents appoint critic --role critic --devils-advocate")]
pub(crate) struct AppointArgs {
    /// Who.
    #[arg(value_parser = Who::parse)]
    name: Who,
    /// moderator, assistant, critic, continuity, writer or lead.
    #[arg(long, value_name = "ROLE", value_parser = |given: &str| word(&WorkRole::WORDS, given))]
    role: Option<WorkRole>,
    /// It can be asked to object.
    #[arg(long)]
    devils_advocate: bool,
    /// It takes no part for now.
    #[arg(long, conflicts_with = "enable")]
    disable: bool,
    /// It takes part again.
    #[arg(long)]
    enable: bool,
    #[command(flatten)]
    author: AuthorArg,
}

/// List participants with their roles, and how those stand who work on issues: credits, tier, trust and level.
///
/// Levels are normal, watch, remediation (constraints stand in the brief and are enforced) and flagged (you were notified).
#[derive(Debug, Args)]
#[command(after_help = "Example:\n  synod agents list --json")]
pub(crate) struct AgentListArgs {
    #[command(flatten)]
    service: ServiceArgs,
}

impl AgentsArgs {
    pub(crate) fn run(self, context: &Context) -> Result<ExitCode> {
        match self.command {
            AgentsCommand::Appoint(args) => on_runtime(args.run(context)),
            AgentsCommand::List(args) => on_runtime(args.run(context)),
            AgentsCommand::Model(args) => on_runtime(args.run(context)),
        }
    }
}

impl AppointArgs {
    async fn run(self, context: &Context) -> Result<ExitCode> {
        let who = &self.name;
        let enabled = if self.disable { Some(false) } else { self.enable.then_some(true) };
        let devils_advocate = self.devils_advocate.then_some(true);
        let body = AppointmentBody { role: self.role, devils_advocate, enabled };
        self.author.act(context, &WorkshopAction::Appoint(who.to_string(), body)).await?;
        let here = |house: &Looked, _| Ok(AgentPage::of(house, Reader::Operator));
        let page: AgentPage = self.author.look(context, "/v1/agents", here).await?;
        for agent in page.agents.iter().filter(|agent| agent.who == *who) {
            match context.json {
                true => out::json(agent),
                false => out::line(&out::clean(&line(agent))),
            }
        }
        Ok(ExitCode::SUCCESS)
    }
}

impl AgentListArgs {
    async fn run(self, context: &Context) -> Result<ExitCode> {
        let here = |house: &Looked, _| Ok(AgentPage::of(house, Reader::Operator));
        let AgentPage { agents } = look(context, &self.service, "/v1/agents", here).await?;
        if context.json {
            out::json(&agents);
            return Ok(ExitCode::SUCCESS);
        }
        for agent in &agents {
            let mut words = line(agent);
            if let Some(StandingView { credits, tier, trust, level, .. }) = &agent.standing {
                words.push_str(&format!("; {credits} credits, tier {tier}, trust {trust}, level {level}"));
            }
            out::line(&out::clean(&words));
        }
        Ok(ExitCode::SUCCESS)
    }
}

fn line(agent: &AgentView) -> String {
    let role = agent.role.as_deref().unwrap_or("no role");
    let able = if agent.devils_advocate { ", can object" } else { "" };
    let off = if agent.enabled { "" } else { ", switched off" };
    let freedom = agent.freedom.as_ref().map(|word| format!(", {word}")).unwrap_or_default();
    let rehearsal = if agent.rehearsal { " (rehearsal)" } else { "" };
    format!("{}{rehearsal}: {role}{able}{off}{freedom}", agent.who)
}
