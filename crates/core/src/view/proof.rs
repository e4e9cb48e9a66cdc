//! Proving a sealed vote: who knows the salt shows how it was cast, and anyone can check it against the seal
//! that the record has held since.

use serde::Serialize;

use crate::ballot::SealInput;
use crate::house::Case;
use crate::kernel::{BallotId, Digest, MatterId, Who};
use crate::procedure;

/// A vote held against its seals.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct VoteProof {
    /// The matter.
    pub matter: MatterId,
    /// Who claims to have voted so.
    pub who: Who,
    /// The vote, as it is spelled where it is sealed.
    pub choice: String,
    /// The ballots on which the seat's vote is sealed, in order.
    pub ballots: Vec<CheckedSeal>,
    /// Whether one of them is sealed with just this vote and salt.
    pub proven: bool,
}

/// One seal, checked.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct CheckedSeal {
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
pub fn prove(case: &Case, who: &Who, said: &str, salt: &str) -> Option<VoteProof> {
    let choice = procedure::spelled(case, said)?;
    let check = |ballot: &crate::house::Ballot| {
        let votes = ballot.votes.iter().filter(|vote| vote.who == *who).filter_map(|vote| vote.seal);
        let passed = ballot.delegations.iter().filter(|vote| vote.who == *who).filter_map(|vote| vote.seal);
        let stage = case.ballot_name(ballot).to_string();
        let sealed = SealInput { ballot: ballot.id, choice: &choice, salt, who };
        let (text, seal) = (sealed.text(), sealed.seal());
        let row = |recorded| CheckedSeal {
            ballot: ballot.id,
            stage: stage.clone(),
            text: text.clone(),
            seal,
            recorded,
        };
        let graded = ballot.graded.iter().filter(|vote| vote.who == *who).filter_map(|vote| vote.seal);
        votes.chain(passed).chain(graded).map(row).collect::<Vec<_>>()
    };
    let ballots: Vec<CheckedSeal> = case.ballots.iter().flat_map(|ballot| check(ballot)).collect();
    let proven = ballots.iter().any(|row| row.seal == row.recorded);
    Some(VoteProof { matter: case.id, who: who.clone(), choice, ballots, proven })
}
