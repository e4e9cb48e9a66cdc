//! `synod award`

use std::process::ExitCode;

use clap::Args;

use super::Context;
use super::issue::AuthorArg;
use super::work::told;
use crate::fail::{Fail, Result, code};
use crate::matter_arg::MatterArg;
use crate::wire::{AwardBody, IssueRef, WrittenSlice};

/// Give an agent credit for something in an issue, or take it.
///
/// You give what the user verifies (proposal-accepted-by-user, user-marked-helpful); a moderator, with --as, gives
/// clean-unfreeze, moderator-commendation (1 to 3) and moderator-penalty (-1 to -3). All other reasons are the house's own.
/// You cannot award yourself, whatever the spelling of your name. Every refused attempt is recorded.
#[derive(Debug, Args)]
#[command(after_help = "Examples:\n  \
              synod award critic proposal-accepted-by-user --issue 3\n  \
              synod award critic moderator-commendation --amount 2 --issue 3 --as mo\n  \
              synod award writer proposal-accepted-by-user --issue 3 --slice 1/3\n\n\
              Exit codes: 0 given, 1 refused and recorded as an attempt, 64 the command is wrong.")]
pub(crate) struct AwardArgs {
    /// To whom.
    #[arg(value_name = "AGENT")]
    to: String,
    /// Why.
    reason: String,
    /// The issue it is about: number, id or `last`.
    #[arg(long, value_name = "ISSUE")]
    issue: MatterArg,
    /// How much; may be left out where the reason has one amount.
    #[arg(long, value_name = "CREDITS", allow_negative_numbers = true)]
    amount: Option<i64>,
    /// Only this slice of a task that was cut, such as 1/3. All slices together are worth the amount.
    #[arg(long, value_name = "NTH/OF")]
    slice: Option<WrittenSlice>,
    #[command(flatten)]
    author: AuthorArg,
}

impl AwardArgs {
    pub(crate) async fn run(self, context: &Context) -> Result<ExitCode> {
        let body = AwardBody {
            to: self.to.clone(),
            reason: self.reason.clone(),
            issue: IssueRef(self.issue),
            amount: self.amount,
            slice: self.slice,
        };
        let done = self.author.give(context, &body).await.map_err(recorded)?;
        let words = match &done.posting {
            Some(posting) => format!("{} {:+} for {}", posting.who, posting.amount, posting.reason),
            None => "it was given before: nothing changed".to_string(),
        };
        Ok(told(context, &done, &words))
    }
}

/// A refused attempt to move credit is an answer, also if a service gave it: the command itself was right.
pub(super) fn recorded(fail: Fail) -> Fail {
    if fail.name().starts_with("ledger/") {
        Fail::new(code::REJECTED, fail.name(), fail.message())
    } else {
        fail
    }
}
