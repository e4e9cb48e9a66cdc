//! `synod ring propose`

use std::process::ExitCode;

use clap::Args;
use synod_core::kernel::AskId;

use super::{Context, born, named, tell, text};
use crate::agent::AgentArgs;
use crate::fail::Result;
use crate::wire::{self, ActionRequest};

/// Make a proposal, when you are asked for one or while you have the floor.
#[derive(Debug, Args)]
#[command(
    after_help = "Example:\n  synod ring propose --as ann --title \"Redis\" \"Put Redis in front of the database.\""
)]
pub(crate) struct RingProposeArgs {
    /// The proposal; `-` reads it from standard input.
    text: String,
    /// A title of one line.
    #[arg(long, value_name = "TITLE")]
    title: String,
    /// Keep the floor to say more.
    #[arg(long)]
    keep: bool,
    /// The turn this belongs to; your open turn if left out.
    #[arg(long, value_name = "ASK")]
    turn: Option<AskId>,
    #[command(flatten)]
    agent: AgentArgs,
}

impl RingProposeArgs {
    pub(crate) async fn run(self, context: &Context) -> Result<ExitCode> {
        let text = text(&self.text, "proposal")?;
        let put = wire::ProposalBody { ask: named(self.turn), title: self.title, text, keep: self.keep };
        let done = self.agent.agent(&context.house)?.act(ActionRequest::Propose(put)).await?;
        Ok(tell(context, &done, &format!("proposed{}", born(&done, "contribution/proposal"))))
    }
}
