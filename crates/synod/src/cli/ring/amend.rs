//! `synod amend`

use std::process::ExitCode;

use clap::Args;
use synod_core::kernel::AskId;

use super::{Context, born, item, named, tell, text};
use crate::agent::AgentArgs;
use crate::fail::Result;
use crate::wire::{self, Action};

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
        let change = wire::Amendment {
            ask: named(self.turn),
            proposal: item(&self.proposal)?,
            text: text(&self.text, "change")?,
            why: self.why,
            keep: self.keep,
        };
        let done = self.agent.agent(&context.house)?.act(Action::Amend(change)).await?;
        Ok(tell(context, &done, &format!("asked for a change{}", born(&done, "table/amended"))))
    }
}
