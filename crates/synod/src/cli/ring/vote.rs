//! `synod ring vote`

use std::process::ExitCode;

use clap::Args;

use super::{Context, item, tell};
use crate::agent::AgentArgs;
use crate::fail::{Fail, Result};
use crate::out;
use crate::tokens::secret;
use crate::wire::{self, ActionRequest};

/// Vote on a proposal: approve, approve_with_concerns, abstain, request_changes or reject.
///
/// Vote on every proposal. If there is only one, its letter can be left out. An abstention counts as a vote that does
/// not approve.
#[derive(Debug, Args)]
#[command(
    override_usage = "synod ring vote [OPTIONS] [PROPOSAL] <VOTE>",
    after_help = "Examples:\n  synod ring vote --as ann approve --rationale \"It halves the load.\"\n  \
                  synod ring vote --as bob A request_changes --change \"Name the TTL.\""
)]
pub(crate) struct RingVoteArgs {
    /// The vote. If there is more than one proposal, its letter or id stands before it.
    #[arg(required = true, num_args = 1..=2, value_name = "PROPOSAL VOTE")]
    words: Vec<String>,
    /// The reason.
    #[arg(long, value_name = "TEXT")]
    rationale: Option<String>,
    /// A condition of your approval (repeatable).
    #[arg(long = "condition", value_name = "TEXT")]
    conditions: Vec<String>,
    /// A change you request (repeatable).
    #[arg(long = "change", value_name = "TEXT")]
    changes: Vec<String>,
    /// The salt that seals the vote where votes are not open: 16 to 64 letters, digits, `-` or `_`. If left out, a
    /// random salt is shown once. Anyone who knows the salt can prove how you voted.
    #[arg(long, value_name = "SALT")]
    salt: Option<String>,
    #[command(flatten)]
    agent: AgentArgs,
}

impl RingVoteArgs {
    pub(crate) async fn run(self, context: &Context) -> Result<ExitCode> {
        let (proposal, word) = match self.words.as_slice() {
            [grade] => (None, grade),
            [proposal, grade] => (Some(proposal), grade),
            _ => return Err(Fail::usage("too many words: write VOTE, or PROPOSAL VOTE")),
        };
        let grade = wire::grade(word).map_err(Fail::usage)?;
        // Drawn before it is known whether votes are sealed: finding out would cost another request.
        let salt = self.salt.map_or_else(secret, Ok)?;
        let vote = wire::VoteBody {
            proposal: proposal.map(|written| item(written)).transpose()?,
            grade,
            rationale: self.rationale,
            conditions: self.conditions,
            changes: self.changes,
            salt: Some(salt.clone()),
        };
        let named = vote.proposal.map_or_else(|| "the proposal".into(), |named| format!("proposal {named}"));
        let done = self.agent.agent(&context.house)?.act(ActionRequest::Vote(vote)).await?;
        if done.sealed {
            out::error(&format!(
                "sealed with the salt {salt}; save it if you want to be able to prove how you voted"
            ));
        }
        Ok(tell(context, &done, &format!("voted {grade} on {named}")))
    }
}
