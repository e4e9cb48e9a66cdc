//! `synod ring amend`

use std::process::ExitCode;

use clap::Args;
use synod_core::kernel::AskId;

use super::{Context, born, item, named, tell, text};
use crate::agent::AgentArgs;
use crate::fail::Result;
use crate::wire::{self, ActionRequest};

/// Suggest a change to a proposal while you have the floor.
///
/// The author of the proposal accepts or declines it.
#[derive(Debug, Args)]
#[command(
    after_help = "Example:\n  synod ring amend --as bob A \"Put Redis in front of the database, with a TTL of 60 s.\""
)]
pub(crate) struct RingAmendArgs {
    /// The proposal, by letter or id.
    proposal: String,
    /// The whole new text; `-` reads it from standard input.
    text: String,
    /// The reason.
    #[arg(long, value_name = "TEXT")]
    why: Option<String>,
    /// Keep the floor to say more.
    #[arg(long)]
    keep: bool,
    /// The turn this belongs to; your open turn if left out.
    #[arg(long, value_name = "ASK")]
    turn: Option<AskId>,
    #[command(flatten)]
    agent: AgentArgs,
}

impl RingAmendArgs {
    pub(crate) async fn run(self, context: &Context) -> Result<ExitCode> {
        let change = wire::AmendmentBody {
            ask: named(self.turn),
            proposal: item(&self.proposal)?,
            text: text(&self.text, "change")?,
            why: self.why,
            keep: self.keep,
        };
        let done = self.agent.agent(&context.house)?.act(ActionRequest::Amend(change)).await?;
        Ok(tell(context, &done, &format!("suggested a change{}", born(&done, "contribution/amendment"))))
    }
}
