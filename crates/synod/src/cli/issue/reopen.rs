//! `synod issue reopen`

use std::process::ExitCode;

use clap::Args;

use super::{AuthorArg, Context, step};
use crate::fail::Result;
use crate::matter_arg::MatterArg;
use crate::wire::IssueStep;

/// Open an issue again that is over.
#[derive(Debug, Args)]
#[command(after_help = "Example:\n  synod issue reopen 3")]
pub(crate) struct IssueReopenArgs {
    /// The issue: number, id or `last`.
    issue: MatterArg,
    #[command(flatten)]
    author: AuthorArg,
}

impl IssueReopenArgs {
    pub(crate) async fn run(self, context: &Context) -> Result<ExitCode> {
        step(context, &self.author, self.issue, IssueStep::Reopen, "reopened").await
    }
}
