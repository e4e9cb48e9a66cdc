//! `synod ring release`

use std::process::ExitCode;

use clap::Args;
use synod_core::command::Part;
use synod_core::kernel::AskId;

use super::{Context, in_turn, tell};
use crate::agent::AgentArgs;
use crate::fail::Result;

/// Pass the floor on after --keep.
///
/// If you said nothing, it counts as a skip.
#[derive(Debug, Args)]
#[command(after_help = "Example:\n  synod ring release --as ann")]
pub(crate) struct Release {
    /// The turn; your open turn if left out.
    #[arg(long, value_name = "ASK")]
    turn: Option<AskId>,
    #[command(flatten)]
    agent: AgentArgs,
}

impl Release {
    pub(crate) async fn run(self, context: &Context) -> Result<ExitCode> {
        let agent = self.agent.agent(&context.house).await?;
        let told = in_turn(&agent, self.turn, &["speak", "propose"], |ask| Part::Release { ask }).await?;
        Ok(tell(context, &agent, &told, "passed the floor on"))
    }
}
