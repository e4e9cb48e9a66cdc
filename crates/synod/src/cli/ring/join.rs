//! `synod ring join`

use std::process::ExitCode;

use clap::Args;
use synod_core::kernel::Who;

use super::{Context, tell};
use crate::agent::AgentArgs;
use crate::fail::Result;
use crate::wire::ActionRequest;

/// Join a ring you are invited to, or join it again.
///
/// Latecomers get turns from the next round on. You cannot join once the vote is open.
#[derive(Debug, Args)]
#[command(after_help = "Example:\n  synod ring join --as ann")]
pub(crate) struct RingJoinArgs {
    #[command(flatten)]
    agent: AgentArgs,
}

impl RingJoinArgs {
    pub(crate) async fn run(self, context: &Context) -> Result<ExitCode> {
        let done = self.agent.agent(&context.house)?.act(ActionRequest::Join).await?;
        let who = done.participant.as_ref().map(Who::as_str).unwrap_or_default();
        Ok(tell(context, &done, &format!("{who} joined")))
    }
}
