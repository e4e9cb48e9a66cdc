//! `synod ring amend`

use std::process::ExitCode;

use clap::Args;
use synod_core::command::Part;
use synod_core::kernel::AskId;

use super::{Context, born, in_turn, tell, text};
use crate::agent::AgentArgs;
use crate::fail::Result;

/// Suggest a change to a proposal while you have the floor.
///
/// The author of the proposal accepts or declines it.
#[derive(Debug, Args)]
#[command(
    after_help = "Example:\n  synod ring amend --as bob A \"Put Redis in front of the database, with a TTL of 60 s.\""
)]
pub(crate) struct Amend {
    /// The proposal, by letter or id.
    proposal: String,
    /// The whole new text; `-` reads it from standard input.
    text: String,
    /// The reason.
    #[arg(long, value_name = "TEXT")]
    why: Option<String>,
    /// Keep the floor to say more.
    #[arg(long)]
    keep: bool,
    /// The turn this belongs to; your open turn if left out.
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
        let amend = |ask| Part::Amend { ask, keep: self.keep, proposal, text, why: self.why };
        let told = in_turn(&agent, self.turn, &["speak"], amend).await?;
        Ok(tell(context, &agent, &told, &format!("suggested a change{}", born(&told, "table/amended"))))
    }
}
