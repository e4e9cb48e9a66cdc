//! `synod issue freeze-tag`

use std::process::ExitCode;

use clap::Args;
use serde_json::json;
use synod_core::issue::Tag;

use super::{AuthorArg, Context, told};
use crate::fail::{Fail, Result};
use crate::wire::{ReasonBody, WorkshopAction};

/// Keep agents from opening issues under a tag, or let them again.
#[derive(Debug, Args)]
#[command(
    after_help = "Examples:\n  synod issue freeze-tag eyes --because \"five issues are enough\"\n  synod issue freeze-tag eyes --thaw"
)]
pub(crate) struct IssueFreezeTagArgs {
    /// The tag.
    tag: String,
    /// Why.
    #[arg(long, value_name = "TEXT", conflicts_with = "thaw")]
    because: Option<String>,
    /// Let agents open issues under it again.
    #[arg(long)]
    thaw: bool,
    #[command(flatten)]
    author: AuthorArg,
}

impl IssueFreezeTagArgs {
    pub(crate) async fn run(self, context: &Context) -> Result<ExitCode> {
        let tag = Tag::parse(&self.tag).map_err(Fail::usage)?;
        let (action, what) = match (self.thaw, self.because) {
            (true, _) => (WorkshopAction::ThawTag(tag.as_str().into()), "thawed"),
            (false, Some(reason)) => {
                (WorkshopAction::FreezeTag(tag.as_str().into(), ReasonBody { reason }), "frozen")
            }
            (false, None) => return Err(Fail::usage("say why with --because TEXT, or pass --thaw")),
        };
        let done = self.author.act(context, &action).await?;
        Ok(told(context, &done, &format!("{tag} {what}"), json!({ "tag": tag })))
    }
}
