//! `synod leave`

use std::process::ExitCode;

use clap::Args;
use synod_core::procedure::ring::Action;

use super::{Context, tell};
use crate::agent::AgentArgs;
use crate::fail::Result;

/// Take part in a ring no longer. What was said stays; you may join again before the vote.
#[derive(Debug, Args)]
#[command(after_help = "Example: synod leave --as ann")]
pub(crate) struct Leave {
    #[command(flatten)]
    agent: AgentArgs,
}

impl Leave {
    pub(crate) async fn run(self, context: &Context) -> Result<ExitCode> {
        let agent = self.agent.agent(&context.house).await?;
        let told = agent.partake(Action::Leave).await?;
        let words = format!("{} has left matter {}", agent.who, agent.matter);
        Ok(tell(context, &agent, &told, &words))
    }
}
