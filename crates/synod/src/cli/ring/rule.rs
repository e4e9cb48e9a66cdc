//! `synod rule`

use std::process::ExitCode;

use clap::{ArgGroup, Args};
use synod_core::procedure::ring::Action;

use super::{Context, tell};
use crate::agent::AgentArgs;
use crate::fail::Result;

/// Take a change that somebody wants to your proposal, or decline it. Needs no floor.
#[derive(Debug, Args)]
#[command(group = ArgGroup::new("ruling").required(true))]
#[command(after_help = "Example: synod rule --as ann A --accept")]
pub(crate) struct Rule {
    /// The change, by its id, or by the proposal's letter if only one change is open.
    #[arg(value_name = "AMENDMENT")]
    change: String,
    /// Take it: it is voted on as part of the proposal.
    #[arg(long, group = "ruling")]
    accept: bool,
    /// Decline it.
    #[arg(long, group = "ruling")]
    decline: bool,
    /// The reason.
    #[arg(long, value_name = "TEXT")]
    why: Option<String>,
    #[command(flatten)]
    agent: AgentArgs,
}

impl Rule {
    pub(crate) async fn run(self, context: &Context) -> Result<ExitCode> {
        let agent = self.agent.agent(&context.house).await?;
        let amendment = agent.ring().await?.change(&self.change)?;
        let told = agent.partake(Action::Rule { accept: self.accept, amendment, why: self.why }).await?;
        let became = if self.accept { "taken" } else { "declined" };
        Ok(tell(context, &agent, &told, &format!("change {amendment} is {became}")))
    }
}
