//! `synod amend`

use std::process::ExitCode;

use clap::Args;
use synod_core::kernel::AskId;
use synod_core::procedure::ring::Action;

use super::{Context, born, in_turn, tell, text};
use crate::agent::AgentArgs;
use crate::fail::Result;

/// Ask for a change to a proposal while you have the floor. Who put it takes the change or declines it.
#[derive(Debug, Args)]
#[command(
    after_help = "Example: synod amend --as bob A \"Put a Redis before the database, with a TTL of 60 s.\""
)]
pub(crate) struct Amend {
    /// The proposal, by letter or id.
    proposal: String,
    /// The whole text as it should be; `-` reads it from standard input.
    text: String,
    /// The reason.
    #[arg(long, value_name = "TEXT")]
    why: Option<String>,
    /// Keep the floor for more.
    #[arg(long)]
    keep: bool,
    /// The turn this belongs to; your open one if left out.
    #[arg(long, value_name = "ASK")]
    turn: Option<AskId>,
    #[command(flatten)]
    agent: AgentArgs,
}

impl Amend {
    pub(crate) async fn run(self, context: &Context) -> Result<ExitCode> {
        let text = text(&self.text, "change")?;
        let agent = self.agent.agent(&context.house).await?;
        let proposal = agent.ring().await?.proposal(&self.proposal)?.id;
        let amend = |ask| Action::Amend { ask, keep: self.keep, proposal, text, why: self.why };
        let told = in_turn(&agent, self.turn, &["speak"], amend).await?;
        Ok(tell(context, &agent, &told, &format!("asked for a change{}", born(&told, "table/amended"))))
    }
}
