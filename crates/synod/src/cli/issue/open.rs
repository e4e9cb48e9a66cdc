//! `synod issue open`

use std::process::ExitCode;

use clap::Args;
use serde_json::json;
use synod_core::kernel::{Impact, Priority};

use super::{AuthorArg, Context, TextArg, told, word};
use crate::fail::Result;
use crate::matter_arg::MatterArg;
use crate::wire::{IssueBody, IssueRef, WorkshopAction};

/// Open an issue.
#[derive(Debug, Args)]
#[command(
    after_help = "Examples:\n  synod issue open \"The reactor fails too early\" --tag timeline --impact structural\n  synod issue open \"Rename the flag\" --edit --assign writer"
)]
pub(crate) struct IssueOpenArgs {
    /// What it is called, in one line.
    title: String,
    #[command(flatten)]
    text: TextArg,
    /// A tag it is found by (repeatable).
    #[arg(long = "tag", value_name = "TAG")]
    tags: Vec<String>,
    /// How urgent it is: critical, high, normal or low.
    #[arg(long, value_name = "PRIORITY", value_parser = |given: &str| word(&Priority::WORDS, given))]
    priority: Option<Priority>,
    /// How much it would change: cosmetic, minor, structural or canon-changing.
    #[arg(long, value_name = "IMPACT", value_parser = |given: &str| word(&Impact::WORDS, given))]
    impact: Option<Impact>,
    /// Who should see to it.
    #[arg(long, value_name = "NAME")]
    assign: Option<String>,
    /// An issue that belongs to it: number or id (repeatable).
    #[arg(long, value_name = "ISSUE")]
    related: Vec<MatterArg>,
    #[command(flatten)]
    author: AuthorArg,
}

impl IssueOpenArgs {
    pub(crate) async fn run(self, context: &Context) -> Result<ExitCode> {
        let body = IssueBody {
            body: self.text.read()?,
            title: self.title,
            tags: self.tags,
            priority: self.priority,
            impact: self.impact,
            assignee: self.assign,
            related: self.related.into_iter().map(IssueRef).collect(),
        };
        let done = self.author.act(context, &WorkshopAction::Open(body)).await?;
        let words = format!("issue #{} opened", done.number.unwrap_or_default());
        Ok(told(context, &done, &words, json!({})))
    }
}
