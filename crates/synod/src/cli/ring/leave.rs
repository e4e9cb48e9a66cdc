//! `synod ring leave`

use std::process::ExitCode;

use clap::Args;
use synod_core::kernel::Who;

use super::{Context, tell};
use crate::agent::AgentArgs;
use crate::fail::Result;
use crate::wire::ActionRequest;

/// Leave a ring.
///
/// What you said stays; you can join again before the vote.
#[derive(Debug, Args)]
#[command(after_help = "Example:\n  synod ring leave --as ann")]
pub(crate) struct RingLeaveArgs {
    #[command(flatten)]
    agent: AgentArgs,
}

impl RingLeaveArgs {
    pub(crate) async fn run(self, context: &Context) -> Result<ExitCode> {
        let done = self.agent.agent(&context.house)?.act(ActionRequest::Leave).await?;
        let who = done.participant.as_ref().map(Who::as_str).unwrap_or_default();
        Ok(tell(context, &done, &format!("{who} left")))
    }
}
