//! `synod skip`

use std::process::ExitCode;

use clap::Args;
use synod_core::command::Part;
use synod_core::kernel::AskId;

use super::{Context, tell, turn_for};
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
        let ask = turn_for(&agent, self.turn, &["speak", "propose", "weigh"]).await?;
        let told = agent.partake(Part::Skip { ask, why: self.why }).await?;
        Ok(tell(context, &agent, &told, "skipped"))
    }
}
