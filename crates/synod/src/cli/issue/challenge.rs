//! `synod issue challenge`

use std::process::ExitCode;

use clap::Args;
use serde_json::json;

use super::{AuthorArg, Context, about, told};
use crate::fail::{Result, code};
use crate::matter_arg::MatterArg;
use crate::wire::{ChallengeBody, IssueRef, IssueStep, WorkshopAction};

/// Have a participant object in an issue: the next in the rotation, or one you name.
#[derive(Debug, Args)]
#[command(
    after_help = "Example:\n  synod issue challenge 3 --who critic\n\nExit codes: 0 somebody is asked to object, 1 nobody is able to (recorded, and you are notified)."
)]
pub(crate) struct IssueChallengeArgs {
    /// The issue: number, id or `last`.
    issue: MatterArg,
    /// Who should object.
    #[arg(long, value_name = "NAME")]
    who: Option<String>,
    #[command(flatten)]
    author: AuthorArg,
}

impl IssueChallengeArgs {
    pub(crate) async fn run(self, context: &Context) -> Result<ExitCode> {
        let body = ChallengeBody { who: self.who };
        let done = self
            .author
            .act(context, &WorkshopAction::On(IssueRef(self.issue), IssueStep::Challenge(body)))
            .await?;
        let assigned = done.events.iter().any(|event| event.kind == "dissent/ordered");
        let what = match assigned {
            true => "is challenged: see `synod issue show` for who objects until when",
            false => {
                "has nobody who could object; the user makes somebody able to: synod agents appoint NAME --devils-advocate"
            }
        };
        let shown = told(context, &done, &about(&done, what), json!({ "assigned": assigned }));
        Ok(if assigned { shown } else { ExitCode::from(code::REJECTED) })
    }
}
