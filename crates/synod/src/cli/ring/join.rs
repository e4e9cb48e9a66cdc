//! `synod ring join`

use std::process::ExitCode;

use clap::Args;
use synod_core::command::Part;

use super::{Context, tell};
use crate::agent::AgentArgs;
use crate::fail::Result;

/// Join a ring you are invited to, or join it again.
///
/// Latecomers get turns from the next round on. You cannot join once the vote is open.
#[derive(Debug, Args)]
#[command(after_help = "Example:\n  synod ring join --as ann")]
pub(crate) struct Join {
    #[command(flatten)]
    agent: AgentArgs,
}

impl Join {
    pub(crate) async fn run(self, context: &Context) -> Result<ExitCode> {
        let agent = self.agent.agent(&context.house).await?;
        let told = agent.partake(Part::Join).await?;
        let words = format!("{} joined matter {}", agent.who, agent.matter);
        Ok(tell(context, &agent, &told, &words))
    }
}
