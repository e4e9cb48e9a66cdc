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
    /// Whether one of them that counts is sealed with just this vote and salt.
    pub proven: bool,
    /// Whether the seat voted so and then otherwise: only the later vote counts.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub replaced: bool,
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
    /// A later vote took its place, so it was not counted.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub replaced: bool,
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
        let row = |recorded, replaced| CheckedSeal {
            ballot: ballot.id,
            stage: stage.clone(),
            text: text.clone(),
            seal,
            recorded,
            replaced,
        };
        let own: Vec<_> = ballot.graded.iter().filter(|vote| vote.who == *who).collect();
        let graded = own.iter().enumerate().filter_map(|(nth, vote)| {
            let later = own.get(nth + 1..).into_iter().flatten();
            let replaced = later.into_iter().any(|later| later.proposal == vote.proposal);
            Some(row(vote.seal?, replaced))
        });
        votes.chain(passed).map(|recorded| row(recorded, false)).chain(graded).collect::<Vec<_>>()
    };
    let ballots: Vec<CheckedSeal> = case.ballots.iter().flat_map(|ballot| check(ballot)).collect();
    let is_so = |row: &&CheckedSeal| row.seal == row.recorded;
    let proven = ballots.iter().filter(is_so).any(|row| !row.replaced);
    let replaced = !proven && ballots.iter().any(|row| is_so(&row));
    Some(VoteProof { matter: case.id, who: who.clone(), choice, ballots, proven, replaced })
}
