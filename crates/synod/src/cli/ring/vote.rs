//! `synod ring vote`

use std::process::ExitCode;

use clap::Args;
use synod_core::ballot::{Grade, Secrecy};
use synod_core::command::Part;
use synod_core::kernel::{ProposalId, text};

use super::{Context, NOTHING, tell};
use crate::agent::AgentArgs;
use crate::fail::{Fail, Result};
use crate::out;
use crate::tokens::secret;

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
pub(crate) struct Vote {
    /// The proposal, by letter or id (can be left out if there is only one), then the vote.
    #[arg(required = true, num_args = 1..=2, value_names = ["PROPOSAL", "VOTE"])]
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

impl Vote {
    pub(crate) async fn run(self, context: &Context) -> Result<ExitCode> {
        let (proposal, word) = match self.words.as_slice() {
            [grade] => (None, grade),
            [proposal, grade] => (Some(proposal), grade),
            _ => return Err(Fail::usage("too many words: write VOTE, or PROPOSAL VOTE")),
        };
        let grade = grade(word)?;
        let agent = self.agent.agent(&context.house).await?;
        let ring = agent.ring().await?;
        let (proposal, letter) = match ring.proposals.is_empty() {
            // Sent all the same: the house refuses it and records the attempt.
            true => (ProposalId(NOTHING), ' '),
            false => proposal
                .map_or_else(|| ring.only_proposal(), |written| ring.proposal(written))
                .map(|put| (put.id, put.letter))?,
        };
        let sealed = ring.vote.as_ref().is_some_and(|vote| vote.rule.secrecy != Secrecy::Open);
        let salt = match (self.salt, sealed) {
            (None, true) => Some(secret()?),
            (given, _) => given,
        };
        let drawn = salt.clone().filter(|_| sealed);
        let vote = Part::Vote {
            changes: self.changes,
            conditions: self.conditions,
            grade,
            proposal,
            rationale: self.rationale,
            salt,
        };
        let told = agent.partake(vote).await?;
        if let Some(salt) = drawn {
            out::error(&format!(
                "sealed with the salt {salt}; save it if you want to be able to prove how you voted"
            ));
        }
        Ok(tell(context, &agent, &told, &format!("voted {grade} on proposal {letter}")))
    }
}

fn grade(written: &str) -> Result<Grade> {
    let folded = text::fold(written.trim()).replace('-', "_");
    let words = || Grade::ALL.map(|grade| text::fold(grade.word()));
    Grade::ALL.into_iter().find(|grade| text::fold(grade.word()) == folded).ok_or_else(|| {
        let known = words();
        let near = text::nearest(&folded, known.iter().map(String::as_str));
        let near = near.map(|near| format!(" Did you mean `{near}`?")).unwrap_or_default();
        Fail::usage(format!("`{written}` is not a valid vote.{near} Write one of {}", known.join(", ")))
    })
}
