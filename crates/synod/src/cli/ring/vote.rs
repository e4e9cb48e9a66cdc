//! `synod vote`

use std::process::ExitCode;

use clap::Args;

use super::{Context, item, tell};
use crate::agent::AgentArgs;
use crate::fail::{Fail, Result};
use crate::out;
use crate::tokens::secret;
use crate::wire::{self, Action};

/// Vote on a proposal: approve, approve_with_concerns, abstain, request_changes or reject.
///
/// Vote on every proposal. With a single one its letter may be left out. An abstention counts in the whole and
/// approves nothing.
#[derive(Debug, Args)]
#[command(
    after_help = "Examples: synod vote --as ann approve --rationale \"It halves the load.\"\n          \
                        synod vote --as bob A request_changes --change \"Name the TTL.\""
)]
pub(crate) struct Vote {
    /// The grade, and before it the proposal by letter or id; the only one if left out.
    #[arg(required = true, num_args = 1..=2, value_names = ["PROPOSAL", "GRADE"])]
    words: Vec<String>,
    /// Why.
    #[arg(long, value_name = "TEXT")]
    rationale: Option<String>,
    /// What the vote hangs on. May be given several times.
    #[arg(long = "condition", value_name = "TEXT")]
    conditions: Vec<String>,
    /// A change that would have to be made. May be given several times.
    #[arg(long = "change", value_name = "TEXT")]
    changes: Vec<String>,
    /// What seals the vote where votes are not open: 16 to 64 letters, digits, `-` or `_`. Drawn at random and shown
    /// once if left out; who knows it can prove how you voted.
    #[arg(long, value_name = "SALT")]
    salt: Option<String>,
    #[command(flatten)]
    agent: AgentArgs,
}

impl Vote {
    pub(crate) async fn run(self, context: &Context) -> Result<ExitCode> {
        let (proposal, word) = match self.words.as_slice() {
            [grade] => (None, grade),
            [proposal, grade] => (Some(proposal), grade),
            _ => return Err(Fail::usage("too many words: write GRADE, or PROPOSAL GRADE")),
        };
        let grade = wire::grade(word).map_err(Fail::usage)?;
        // Drawn before it is known whether votes are sealed: finding out would cost another request.
        let salt = self.salt.map_or_else(secret, Ok)?;
        let vote = wire::Vote {
            proposal: proposal.map(|written| item(written)).transpose()?,
            grade,
            rationale: self.rationale,
            conditions: self.conditions,
            changes: self.changes,
            salt: Some(salt.clone()),
        };
        let named = vote.proposal.map_or_else(|| "the proposal".into(), |named| format!("proposal {named}"));
        let done = self.agent.agent(&context.house)?.act(Action::Vote(vote)).await?;
        if done.sealed {
            out::error(&format!(
                "sealed with the salt {salt}; keep it if you may want to prove how you voted"
            ));
        }
        Ok(tell(context, &done, &format!("voted {grade} on {named}")))
    }
}
