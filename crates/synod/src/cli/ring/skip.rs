//! `synod skip`

use std::process::ExitCode;

use clap::Args;
use synod_core::kernel::AskId;
use synod_core::procedure::ring::Action;

use super::{Context, in_turn, tell};
use crate::agent::AgentArgs;
use crate::fail::Result;

/// Say nothing this time. A charter sets how many skips in a row make a participant absent; joining again ends that.
#[derive(Debug, Args)]
#[command(after_help = "Example: synod skip --as bob --why \"nothing to add\"")]
pub(crate) struct Skip {
    /// The reason.
    #[arg(long, value_name = "TEXT")]
    why: Option<String>,
    /// The turn; your open one if left out.
    #[arg(long, value_name = "ASK")]
    turn: Option<AskId>,
    #[command(flatten)]
    agent: AgentArgs,
}

impl Skip {
    pub(crate) async fn run(self, context: &Context) -> Result<ExitCode> {
        let agent = self.agent.agent(&context.house).await?;
        let skip = |ask| Action::Skip { ask, why: self.why };
        let told = in_turn(&agent, self.turn, &["speak", "propose", "weigh"], skip).await?;
        Ok(tell(context, &agent, &told, "skipped"))
    }
}
