//! `synod ring say`

use std::process::ExitCode;

use clap::{Args, ValueEnum};
use synod_core::kernel::AskId;

use super::{Context, born, item, named, tell, text};
use crate::agent::AgentArgs;
use crate::fail::Result;
use crate::wire::{self, ActionRequest};

/// Make a statement while you have the floor.
///
/// This passes the floor on, unless you add --keep.
#[derive(Debug, Args)]
#[command(
    after_help = "Examples:\n  synod ring say --as ann \"It halves the load.\"\n  git diff --stat | synod ring say --as ann -"
)]
pub(crate) struct RingSayArgs {
    /// The statement; `-` reads it from standard input.
    text: String,
    /// The kind of statement.
    #[arg(long, value_enum, default_value = "opinion")]
    kind: RemarkWord,
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
enum RemarkWord {
    /// An opinion.
    Opinion,
    /// A question to the others.
    Question,
    /// A summary of the discussion.
    Synthesis,
}

impl RingSayArgs {
    pub(crate) async fn run(self, context: &Context) -> Result<ExitCode> {
        let kind = match self.kind {
            RemarkWord::Opinion => synod_core::procedure::ring::Remark::Opinion,
            RemarkWord::Question => synod_core::procedure::ring::Remark::Question,
            RemarkWord::Synthesis => synod_core::procedure::ring::Remark::Synthesis,
        };
        let said = wire::StatementBody {
            ask: named(self.turn),
            kind: Some(kind),
            text: text(&self.text, "text")?,
            to: self.to.as_deref().map(item).transpose()?,
            keep: self.keep,
        };
        let done = self.agent.agent(&context.house)?.act(ActionRequest::Say(said)).await?;
        Ok(tell(context, &done, &format!("said{}", born(&done, &format!("contribution/{kind}")))))
    }
}
