//! `synod ring release`

use std::process::ExitCode;

use clap::Args;
use synod_core::kernel::AskId;

use super::{Context, named, tell};
use crate::agent::AgentArgs;
use crate::fail::Result;
use crate::wire::{self, ActionRequest};

/// Pass the floor on after --keep.
///
/// If you said nothing, it counts as a skip.
#[derive(Debug, Args)]
#[command(after_help = "Example:\n  synod ring release --as ann")]
pub(crate) struct RingReleaseArgs {
    /// The turn; your open turn if left out.
    #[arg(long, value_name = "ASK")]
    turn: Option<AskId>,
    #[command(flatten)]
    agent: AgentArgs,
}

impl RingReleaseArgs {
    pub(crate) async fn run(self, context: &Context) -> Result<ExitCode> {
        let release = wire::ReleaseBody { ask: named(self.turn) };
        let done = self.agent.agent(&context.house)?.act(ActionRequest::Release(release)).await?;
        Ok(tell(context, &done, "passed the floor on"))
    }
}
