//! `synod propose`

use std::process::ExitCode;

use clap::Args;
use synod_core::kernel::AskId;
use synod_core::procedure::ring::Action;

use super::{Context, born, in_turn, tell, text};
use crate::agent::AgentArgs;
use crate::fail::Result;

/// Put a proposal on the table: when proposals are asked for, or while you have the floor.
#[derive(Debug, Args)]
#[command(
    after_help = "Example: synod propose --as ann --title \"Redis\" \"Put a Redis before the database.\""
)]
pub(crate) struct Propose {
    /// What is proposed; `-` reads it from standard input.
    text: String,
    /// The same in one line.
    #[arg(long, value_name = "TITLE")]
    title: String,
    /// Keep the floor for more.
    #[arg(long)]
    keep: bool,
    /// The turn this belongs to; your open one if left out.
    #[arg(long, value_name = "ASK")]
    turn: Option<AskId>,
    #[command(flatten)]
    agent: AgentArgs,
}

impl Propose {
    pub(crate) async fn run(self, context: &Context) -> Result<ExitCode> {
        let text = text(&self.text, "proposal")?;
        let agent = self.agent.agent(&context.house).await?;
        let propose = |ask| Action::Propose { ask, keep: self.keep, text, title: self.title };
        let told = in_turn(&agent, self.turn, &["propose", "speak"], propose).await?;
        Ok(tell(context, &agent, &told, &format!("proposed{}", born(&told, "table/proposed"))))
    }
}
