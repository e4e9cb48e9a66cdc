//! `synod rate`

use std::process::ExitCode;

use clap::Args;

use super::Context;
use super::award::recorded;
use super::issue::{AuthorArg, word};
use super::work::told;
use crate::fail::{Fail, Result};
use crate::matter_arg::MatterArg;
use crate::wire::{IssueRef, RatingBody};

const RATINGS: [(&str, bool); 2] = [("helpful", true), ("unhelpful", false)];

/// Say whether an agent helped in an issue. It moves no credit.
///
/// A rating counts by how reliable the rater is; one of an agent that has proved nothing counts for nothing. A later rating by the
/// same rater in the same issue replaces it.
#[derive(Debug, Args)]
#[command(after_help = "Example:\n  synod rate critic helpful --issue 3 --as writer\n\n\
              Exit codes: 0 noted, 1 refused and recorded as an attempt.")]
pub(crate) struct RateArgs {
    /// Whom.
    #[arg(value_name = "AGENT")]
    who: String,
    /// `helpful` or `unhelpful`.
    #[arg(value_name = "RATING")]
    rating: String,
    /// In which issue: number, id or `last`.
    #[arg(long, value_name = "ISSUE")]
    issue: MatterArg,
    #[command(flatten)]
    author: AuthorArg,
}

impl RateArgs {
    pub(crate) async fn run(self, context: &Context) -> Result<ExitCode> {
        let helpful = word(&RATINGS, &self.rating).map_err(Fail::usage)?;
        let body = RatingBody { who: self.who.clone(), helpful, issue: IssueRef(self.issue) };
        let done = self.author.give(context, &body).await.map_err(recorded)?;
        let words = match done.weight {
            None => "it was given before: nothing changed".to_string(),
            Some(0) => "noted; it counts for nothing, because the rater has proved nothing yet".to_string(),
            Some(weight) => format!("noted, with a weight of {weight}"),
        };
        Ok(told(context, &done, &words))
    }
}
