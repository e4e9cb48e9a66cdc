//! `synod issue unfreeze`

use std::process::ExitCode;

use clap::Args;

use super::{AuthorArg, Context, step};
use crate::fail::Result;
use crate::matter_arg::MatterArg;
use crate::wire::{GuidanceBody, IssueStep};

/// Let a frozen issue go on, with guidance for those who take part.
#[derive(Debug, Args)]
#[command(after_help = "Example:\n  synod issue unfreeze 3 --guidance \"Cite the scene you mean.\"")]
pub(crate) struct IssueUnfreezeArgs {
    /// The issue: number, id or `last`.
    issue: MatterArg,
    /// What those who go on should heed.
    #[arg(long, value_name = "TEXT")]
    guidance: String,
    #[command(flatten)]
    author: AuthorArg,
}

impl IssueUnfreezeArgs {
    pub(crate) async fn run(self, context: &Context) -> Result<ExitCode> {
        let body = GuidanceBody { guidance: self.guidance };
        step(context, &self.author, self.issue, IssueStep::Unfreeze(body), "goes on").await
    }
}
