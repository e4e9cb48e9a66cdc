//! `synod ring skip`

use std::process::ExitCode;

use clap::Args;
use synod_core::kernel::AskId;

use super::{Context, named, tell};
use crate::agent::AgentArgs;
use crate::fail::Result;
use crate::wire::{self, ActionRequest};

/// Skip your turn.
///
/// After several skips in a row (the charter says how many) you count as absent until you join again.
#[derive(Debug, Args)]
#[command(after_help = "Example:\n  synod ring skip --as bob --why \"nothing to add\"")]
pub(crate) struct RingSkipArgs {
    /// The reason.
    #[arg(long, value_name = "TEXT")]
    why: Option<String>,
    /// The turn; your open turn if left out.
    #[arg(long, value_name = "ASK")]
    turn: Option<AskId>,
    #[command(flatten)]
    agent: AgentArgs,
}

impl RingSkipArgs {
    pub(crate) async fn run(self, context: &Context) -> Result<ExitCode> {
        let skip = wire::SkipBody { ask: named(self.turn), why: self.why };
        let done = self.agent.agent(&context.house)?.act(ActionRequest::Skip(skip)).await?;
        Ok(tell(context, &done, "skipped"))
    }
}
