//! `synod issue freedom`

use std::process::ExitCode;

use clap::Args;
use serde_json::json;
use synod_core::issue::Freedom;

use super::{AuthorArg, Context, told, word};
use crate::fail::Result;
use crate::wire::{FreedomBody, WorkshopAction};

/// Tighten or relax the limits of an agent.
#[derive(Debug, Args)]
#[command(after_help = "Example:\n  synod issue freedom writer limited")]
pub(crate) struct IssueFreedomArgs {
    /// Which agent.
    #[arg(value_name = "NAME")]
    who: String,
    /// `full`, `limited` (one comment on each issue, evidence for all but wording) or `read-only`.
    #[arg(value_name = "FREEDOM", value_parser = |given: &str| word(&Freedom::WORDS, given))]
    freedom: Freedom,
    #[command(flatten)]
    author: AuthorArg,
}

impl IssueFreedomArgs {
    pub(crate) async fn run(self, context: &Context) -> Result<ExitCode> {
        let action = WorkshopAction::SetFreedom(self.who.clone(), FreedomBody { freedom: self.freedom });
        let done = self.author.act(context, &action).await?;
        Ok(told(
            context,
            &done,
            &format!("{}: {}", self.who, self.freedom.word()),
            json!({ "who": self.who }),
        ))
    }
}
