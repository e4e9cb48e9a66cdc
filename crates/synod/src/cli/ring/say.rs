//! `synod ring say`

use std::process::ExitCode;

use clap::{Args, ValueEnum};
use synod_core::command::Part;
use synod_core::kernel::AskId;
use synod_core::table;

use super::{Context, born, in_turn, tell, text};
use crate::agent::AgentArgs;
use crate::fail::Result;

/// Make a statement while you have the floor.
///
/// This passes the floor on, unless you add --keep.
#[derive(Debug, Args)]
#[command(
    after_help = "Examples:\n  synod ring say --as ann \"It halves the load.\"\n  git diff --stat | synod ring say --as ann -"
)]
pub(crate) struct Say {
    /// The statement; `-` reads it from standard input.
    text: String,
    /// The kind of statement.
    #[arg(long, value_enum, default_value = "opinion")]
    kind: Kind,
    /// What it answers: the letter of a proposal, or the id of a statement, proposal or change.
    #[arg(long, value_name = "ID")]
    to: Option<String>,
    /// Keep the floor to say more.
    #[arg(long)]
    keep: bool,
    /// The turn this belongs to; your open turn if left out.
    #[arg(long, value_name = "ASK")]
    turn: Option<AskId>,
    #[command(flatten)]
    agent: AgentArgs,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Kind {
    /// An opinion.
    Opinion,
    /// A question to the others.
    Question,
    /// A summary of the discussion.
    Synthesis,
}

impl Say {
    pub(crate) async fn run(self, context: &Context) -> Result<ExitCode> {
        let text = text(&self.text, "text")?;
        let agent = self.agent.agent(&context.house).await?;
        let to = match &self.to {
            Some(to) => Some(agent.ring().await?.anything(to)?),
            None => None,
        };
        let kind = match self.kind {
            Kind::Opinion => table::Kind::Opinion,
            Kind::Question => table::Kind::Question,
            Kind::Synthesis => table::Kind::Synthesis,
        };
        let say = |ask| Part::Say { ask, keep: self.keep, kind, text, to };
        let told = in_turn(&agent, self.turn, &["speak"], say).await?;
        Ok(tell(context, &agent, &told, &format!("said{}", born(&told, "table/said"))))
    }
}
