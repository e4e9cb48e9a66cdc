//! `synod ring rule`

use std::process::ExitCode;

use clap::{ArgGroup, Args};

use super::{Context, item, tell};
use crate::agent::AgentArgs;
use crate::fail::Result;
use crate::wire::{self, ActionRequest, ItemRef};

/// Accept or decline a change to your proposal.
///
/// You do not need the floor for this.
#[derive(Debug, Args)]
#[command(group = ArgGroup::new("ruling").required(true))]
#[command(after_help = "Example:\n  synod ring rule --as ann A --accept")]
pub(crate) struct RingRuleArgs {
    /// The id of the change, or the proposal's letter if it has only one open change.
    #[arg(value_name = "AMENDMENT")]
    change: String,
    /// Accept it: it becomes part of the proposal.
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

impl RingRuleArgs {
    pub(crate) async fn run(self, context: &Context) -> Result<ExitCode> {
        let amendment = item(&self.change)?;
        let ruling = wire::RulingBody { amendment, accept: self.accept, why: self.why };
        let done = self.agent.agent(&context.house)?.act(ActionRequest::Rule(ruling)).await?;
        let change = match amendment {
            ItemRef::Letter(letter) => format!("the change to proposal {letter}"),
            ItemRef::Id(id) => format!("change {id}"),
        };
        let became = if self.accept { "accepted" } else { "declined" };
        Ok(tell(context, &done, &format!("{change} is {became}")))
    }
}
