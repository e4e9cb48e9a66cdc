//! Proving a sealed vote: who knows the salt shows how it was cast, and anyone can check it against the seal
//! that the record has held since.

use serde::Serialize;

use crate::ballot::{Grade, Sealed};
use crate::house::{Case, spelled};
use crate::kernel::{BallotId, Digest, MatterId, Who};
use crate::table::Proposal;

/// A vote held against its seals.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Proof {
    /// The matter.
    pub matter: MatterId,
    /// Who claims to have voted so.
    pub who: Who,
    /// The vote, as it is spelled where it is sealed.
    pub choice: String,
    /// The ballots on which the seat's vote is sealed, in order.
    pub ballots: Vec<Checked>,
    /// Whether one of them is sealed with just this vote and salt.
    pub proven: bool,
}

/// One seal, checked.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Checked {
    /// The ballot.
    pub ballot: BallotId,
    /// The charter's name for it.
    pub stage: String,
    /// The text whose SHA-256 the seal must be.
    pub text: String,
    /// What it is.
    pub seal: Digest,
    /// What the record has.
    pub recorded: Digest,
}

/// Holds a claimed vote against what the record has of a seat; `None` if the words are no vote here.
pub fn prove(case: &Case, who: &Who, said: &str, salt: &str) -> Option<Proof> {
    let choice = if case.charter.ring.is_some() { graded(case, said)? } else { spelled(case, said)? };
    let check = |ballot: &crate::house::Ballot| {
        let votes = ballot.votes.iter().filter(|vote| vote.who == *who).filter_map(|vote| vote.seal);
        let passed = ballot.delegations.iter().filter(|vote| vote.who == *who).filter_map(|vote| vote.seal);
        let stage = case.charter.stages.get(ballot.stage).map(|stage| stage.name.clone()).unwrap_or_default();
        let sealed = Sealed { ballot: ballot.id, choice: &choice, salt, who };
        let (text, seal) = (sealed.text(), sealed.seal());
        let row = |recorded| Checked {
            ballot: ballot.id,
            stage: stage.clone(),
            text: text.clone(),
            seal,
            recorded,
        };
        let graded = ballot.graded.iter().filter(|vote| vote.who == *who).filter_map(|vote| vote.seal);
        votes.chain(passed).chain(graded).map(row).collect::<Vec<_>>()
    };
    let ballots: Vec<Checked> = case.ballots.iter().flat_map(check).collect();
    let proven = ballots.iter().any(|row| row.seal == row.recorded);
    Some(Proof { matter: case.id, who: who.clone(), choice, ballots, proven })
}

/// A vote of a ring as it is sealed: the proposal, named by letter or id, and the grade. With one proposal the
/// grade is enough.
fn graded(case: &Case, said: &str) -> Option<String> {
    let (of, word) = said.trim().rsplit_once(char::is_whitespace).unwrap_or(("", said.trim()));
    let grade = Grade::ALL.into_iter().find(|grade| grade.word().eq_ignore_ascii_case(word))?;
    let named = |put: &&std::sync::Arc<Proposal>| {
        let of = of.trim();
        of.eq_ignore_ascii_case(&put.letter().to_string()) || of == put.id.to_string()
    };
    let put = match (case.table.proposals.as_slice(), of.trim()) {
        ([only], "") => only,
        (all, _) => all.iter().find(named)?,
    };
    Some(format!("{} {grade}", put.id))
}
