//! `synod vote`

use std::process::ExitCode;

use clap::Args;
use synod_core::ballot::{Grade, Secrecy};
use synod_core::kernel::{ProposalId, text};
use synod_core::procedure::ring::Action;

use super::{Context, NOTHING, tell};
use crate::agent::AgentArgs;
use crate::fail::{Fail, Result};
use crate::out;
use crate::tokens::secret;

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
        let grade = grade(word)?;
        let agent = self.agent.agent(&context.house).await?;
        let ring = agent.ring().await?;
        let (proposal, letter) = match ring.proposals.is_empty() {
            // The house says what is wrong, and has it on record.
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
        let vote = Action::Vote {
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
                "sealed with the salt {salt}; keep it if you may want to prove how you voted"
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
        Fail::usage(format!("`{written}` is no grade.{near} Write one of {}", known.join(", ")))
    })
}
