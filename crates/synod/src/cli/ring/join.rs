//! `synod join`

use std::process::ExitCode;

use clap::Args;
use synod_core::procedure::ring::Action;

use super::{Context, tell};
use crate::agent::AgentArgs;
use crate::fail::Result;

/// Take part in a ring you are invited to, or take part again.
///
/// Who joins late is called from the next round on. Nobody joins once the vote is open.
#[derive(Debug, Args)]
#[command(after_help = "Example: synod join --as ann")]
pub(crate) struct Join {
    #[command(flatten)]
    agent: AgentArgs,
}

impl Join {
    pub(crate) async fn run(self, context: &Context) -> Result<ExitCode> {
        let agent = self.agent.agent(&context.house).await?;
        let told = agent.partake(Action::Join).await?;
        let words = format!("{} takes part in matter {}", agent.who, agent.matter);
        Ok(tell(context, &agent, &told, &words))
    }
}
