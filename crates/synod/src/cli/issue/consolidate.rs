//! `synod issue consolidate`

use std::process::ExitCode;

use clap::Args;
use serde_json::json;

use super::{AuthorArg, Context, TextArg, told};
use crate::fail::Result;
use crate::matter_arg::MatterArg;
use crate::wire::{ConsolidationBody, IssueRef, WorkshopAction};

/// Put several issues together into a new one; they are closed and point to it.
#[derive(Debug, Args)]
#[command(after_help = "Example:\n  synod issue consolidate 3 5 8 --title \"Eye colours\"")]
pub(crate) struct IssueConsolidateArgs {
    /// The issues: numbers or ids.
    #[arg(num_args = 2.., required = true, value_name = "ISSUE")]
    issues: Vec<MatterArg>,
    /// What the new one is called.
    #[arg(long, value_name = "TITLE")]
    title: String,
    #[command(flatten)]
    text: TextArg,
    #[command(flatten)]
    author: AuthorArg,
}

impl IssueConsolidateArgs {
    pub(crate) async fn run(self, context: &Context) -> Result<ExitCode> {
        let issues = self.issues.iter().copied().map(IssueRef).collect();
        let body = ConsolidationBody { issues, title: self.title, body: self.text.read()? };
        let done = self.author.act(context, &WorkshopAction::Consolidate(body)).await?;
        let words = format!("put together in issue #{}", done.number.unwrap_or_default());
        Ok(told(context, &done, &words, json!({})))
    }
}
