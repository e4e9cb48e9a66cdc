//! `synod issue escalate`

use std::process::ExitCode;

use clap::Args;

use super::{AuthorArg, Context, step};
use crate::fail::Result;
use crate::matter_arg::MatterArg;
use crate::wire::{EscalationBody, IssueStep};

/// Ask the user to look at an issue.
#[derive(Debug, Args)]
#[command(after_help = "Example:\n  synod issue escalate 3 --summary \"Two scenes contradict each other.\"")]
pub(crate) struct IssueEscalateArgs {
    /// The issue: number, id or `last`.
    issue: MatterArg,
    /// What it is about, in a few sentences.
    #[arg(long, value_name = "TEXT")]
    summary: String,
    #[command(flatten)]
    author: AuthorArg,
}

impl IssueEscalateArgs {
    pub(crate) async fn run(self, context: &Context) -> Result<ExitCode> {
        let body = EscalationBody { summary: self.summary };
        step(context, &self.author, self.issue, IssueStep::Escalate(body), "is before the user").await
    }
}
