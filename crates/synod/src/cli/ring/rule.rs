//! `synod rule`

use std::process::ExitCode;

use clap::{ArgGroup, Args};

use super::{Context, item, tell};
use crate::agent::AgentArgs;
use crate::fail::Result;
use crate::wire::{self, Action, ItemRef};

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
        let amendment = item(&self.change)?;
        let ruling = wire::Ruling { amendment, accept: self.accept, why: self.why };
        let done = self.agent.agent(&context.house)?.act(Action::Rule(ruling)).await?;
        let change = match amendment {
            ItemRef::Letter(letter) => format!("the change to proposal {letter}"),
            ItemRef::Id(id) => format!("change {id}"),
        };
        let became = if self.accept { "accepted" } else { "declined" };
        Ok(tell(context, &done, &format!("{change} is {became}")))
    }
}
