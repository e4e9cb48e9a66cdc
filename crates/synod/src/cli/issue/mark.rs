//! `synod issue mark`

use std::process::ExitCode;

use clap::Args;
use synod_core::ledger::CitationOutcome;

use super::{AuthorArg, Context, step, word};
use crate::fail::{Fail, Result};
use crate::matter_arg::MatterArg;
use crate::wire::{IssueStep, MarkBody, MarkWord, OutcomeBody, WrittenId};

const MARKS: [(&str, MarkWord); 3] =
    [("applied", MarkWord::Applied), ("irrelevant", MarkWord::Irrelevant), ("helpful", MarkWord::Helpful)];

/// Say what came of an issue: it was applied in the work, or has nothing to do with the project. With --comment, say what came of
/// a comment and of what it cites.
#[derive(Debug, Args)]
#[command(
    after_help = "Examples:\n  synod issue mark 3 applied\n  synod issue mark 3 helpful --comment 57.1\n  \
              synod issue mark 3 prevented-error --comment 57.1"
)]
pub(crate) struct IssueMarkArgs {
    /// The issue: number, id or `last`.
    issue: MatterArg,
    /// `applied` or `irrelevant`; of a comment `helpful`, or an outcome such as prevented-error or informed-decision.
    #[arg(value_name = "MARK")]
    mark: String,
    /// The comment that is meant, by its id in `synod issue show`.
    #[arg(long, value_name = "ID")]
    comment: Option<WrittenId>,
    #[command(flatten)]
    author: AuthorArg,
}

impl IssueMarkArgs {
    pub(crate) async fn run(self, context: &Context) -> Result<ExitCode> {
        let what = format!("marked {}", self.mark);
        let done = match (self.comment, word(&MARKS, &self.mark)) {
            (comment, Ok(mark)) => IssueStep::Mark(MarkBody { mark, comment }),
            (Some(comment), Err(_)) => {
                let outcome = word(&CitationOutcome::WORDS, &self.mark)
                    .map_err(|list| Fail::usage(format!("{list}, or helpful")))?;
                IssueStep::Outcome(OutcomeBody { comment, outcome })
            }
            (None, Err(list)) => {
                let outcomes: Vec<&str> = CitationOutcome::WORDS.iter().map(|(word, _)| *word).collect();
                let of_comments = outcomes.join(", ");
                return Err(Fail::usage(format!("{list}; with --comment also {of_comments}")));
            }
        };
        step(context, &self.author, self.issue, done, &what).await
    }
}
