//! `synod release`

use std::process::ExitCode;

use clap::Args;
use synod_core::kernel::AskId;
use synod_core::procedure::ring::Action;

use super::{Context, in_turn, tell};
use crate::agent::AgentArgs;
use crate::fail::Result;

/// Give the floor back after something you kept it for. With nothing put down it is a skip.
#[derive(Debug, Args)]
#[command(after_help = "Example: synod release --as ann")]
pub(crate) struct Release {
    /// The turn; your open one if left out.
    #[arg(long, value_name = "ASK")]
    turn: Option<AskId>,
    #[command(flatten)]
    agent: AgentArgs,
}

impl Release {
    pub(crate) async fn run(self, context: &Context) -> Result<ExitCode> {
        let agent = self.agent.agent(&context.house).await?;
        let told = in_turn(&agent, self.turn, &["speak", "propose"], |ask| Action::Release { ask }).await?;
        Ok(tell(context, &agent, &told, "the turn is over"))
    }
}
