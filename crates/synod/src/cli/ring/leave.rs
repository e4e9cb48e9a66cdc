//! `synod ring leave`

use std::process::ExitCode;

use clap::Args;
use synod_core::command::Part;

use super::{Context, tell};
use crate::agent::AgentArgs;
use crate::fail::Result;

/// Leave a ring.
///
/// What you said stays; you can join again before the vote.
#[derive(Debug, Args)]
#[command(after_help = "Example:\n  synod ring leave --as ann")]
pub(crate) struct Leave {
    #[command(flatten)]
    agent: AgentArgs,
}

impl Leave {
    pub(crate) async fn run(self, context: &Context) -> Result<ExitCode> {
        let agent = self.agent.agent(&context.house).await?;
        let told = agent.partake(Part::Leave).await?;
        let words = format!("{} left matter {}", agent.who, agent.matter);
        Ok(tell(context, &agent, &told, &words))
    }
}
