//! `synod issue force`

use std::process::ExitCode;

use clap::Args;

use super::{AuthorArg, Context, step};
use crate::fail::Result;
use crate::matter_arg::MatterArg;
use crate::wire::{ForceBody, IssueStep};

/// Resolve an issue whatever its thread has come to.
#[derive(Debug, Args)]
#[command(
    after_help = "Example:\n  synod issue force 3 --decision \"Keep the scene.\" --because \"It is cited twice.\""
)]
pub(crate) struct IssueForceArgs {
    /// The issue: number, id or `last`.
    issue: MatterArg,
    /// Why.
    #[arg(long, value_name = "TEXT")]
    because: String,
    /// What is decided.
    #[arg(long, value_name = "TEXT")]
    decision: String,
    #[command(flatten)]
    author: AuthorArg,
}

impl IssueForceArgs {
    pub(crate) async fn run(self, context: &Context) -> Result<ExitCode> {
        let body = ForceBody { reasoning: self.because, decision: self.decision };
        step(context, &self.author, self.issue, IssueStep::Force(body), "resolved").await
    }
}
