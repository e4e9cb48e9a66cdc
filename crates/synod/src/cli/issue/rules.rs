//! `synod issue rules`

use std::process::ExitCode;

use clap::Args;
use serde_json::json;

use super::{AuthorArg, Context, told};
use crate::fail::Result;
use crate::wire::{RulesBody, WorkshopAction};

/// Choose the charter that issues are opened under: workshop, workshop-light, workshop-strict or one of your own.
#[derive(Debug, Args)]
#[command(after_help = "Example:\n  synod issue rules workshop-strict")]
pub(crate) struct IssueRulesArgs {
    /// The charter, by name or file.
    charter: String,
    #[command(flatten)]
    author: AuthorArg,
}

impl IssueRulesArgs {
    pub(crate) async fn run(self, context: &Context) -> Result<ExitCode> {
        let body = RulesBody { charter: self.charter.clone() };
        let done = self.author.act(context, &WorkshopAction::Configure(body)).await?;
        let words = format!("issues are opened under {} from now on", self.charter);
        Ok(told(context, &done, &words, json!({ "charter": self.charter })))
    }
}
