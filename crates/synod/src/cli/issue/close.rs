//! `synod issue close`

use std::process::ExitCode;

use clap::Args;

use super::{AuthorArg, Context, step};
use crate::fail::Result;
use crate::matter_arg::MatterArg;
use crate::wire::IssueStep;

/// Close an issue without a resolution.
#[derive(Debug, Args)]
#[command(after_help = "Example:\n  synod issue close 3")]
pub(crate) struct IssueCloseArgs {
    /// The issue: number, id or `last`.
    issue: MatterArg,
    #[command(flatten)]
    author: AuthorArg,
}

impl IssueCloseArgs {
    pub(crate) async fn run(self, context: &Context) -> Result<ExitCode> {
        step(context, &self.author, self.issue, IssueStep::Close, "closed").await
    }
}
