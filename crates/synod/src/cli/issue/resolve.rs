//! `synod issue resolve`

use std::process::ExitCode;

use clap::Args;
use synod_core::kernel::{CommentDeed, CommentKind};

use super::comment::CommentDetails;
use super::{Context, TextArg};
use crate::fail::Result;
use crate::matter_arg::MatterArg;

/// Resolve an issue with a comment that says how.
#[derive(Debug, Args)]
#[command(after_help = "Example:\n  synod issue resolve 3 --file resolution.md")]
pub(crate) struct IssueResolveArgs {
    /// The issue: number, id or `last`.
    issue: MatterArg,
    #[command(flatten)]
    text: TextArg,
    #[command(flatten)]
    details: CommentDetails,
}

impl IssueResolveArgs {
    pub(crate) async fn run(self, context: &Context) -> Result<ExitCode> {
        let body = self.text.read_or_ask("Say how the issue is resolved, and what it rests on.")?;
        let deed = Some(CommentDeed::Resolved);
        self.details.write(context, self.issue, (&self.text, body), CommentKind::Comment, deed).await
    }
}
