//! Ballots: what was decided, by exact arithmetic.
//!
//! A ballot carries the rule it is judged by, copied in when it opens. Counting knows numbers of votes and
//! nothing of who cast them. To add a way of counting: a file here, and its arm in [`Tally::decision`].

mod graded;
mod margin;
mod table;
mod tally;

use std::fmt;

use serde::{Deserialize, Serialize};

pub use graded::{Grade, GradedVote, Rank, Standing, rank};
pub use table::{Line, THRESHOLDS, pass_table};
pub use tally::Tally;

use crate::kernel::{
    AskId, At, BallotId, Choice, Decision, How, MatterId, Permille, ProposalId, Ratio, Repair, Threshold, Who,
};

/// What a share is taken of. Sources disagree, so the charter must name it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Basis {
    /// Votes for and against.
    Cast,
    /// All ballots, abstentions included.
    Votes,
    /// Seats that took part in the matter.
    Present,
    /// All seats.
    Seats,
}

impl Basis {
    /// All of them, in the order results print them.
    pub const ALL: [Self; 4] = [Self::Cast, Self::Votes, Self::Present, Self::Seats];
}

impl fmt::Display for Basis {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Cast => "cast",
            Self::Votes => "votes",
            Self::Present => "present",
            Self::Seats => "seats",
        })
    }
}

/// What an equal division means.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Tie {
    /// The question fails.
    Fails,
    /// There is no answer.
    Undecided,
    /// Of equal options the one named earlier leads.
    Earlier,
}

/// How votes are judged.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Rules {
    /// What the share is taken of.
    pub basis: Basis,
    /// Whether a vote may be changed while the ballot is open. The last one counts.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub change: bool,
    /// Whether a changed vote has to name the argument that changed it.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub change_needs_argument: bool,
    /// One side with at least this share settles the matter at this vote; with less, deliberation goes on.
    /// `None`: this vote settles it in any case.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub early: Option<Threshold>,
    /// What carries the question or an option.
    pub pass: Threshold,
    /// The part of the seats that must vote, abstentions included. The number is rounded up.
    pub quorum: Ratio,
    /// Equal divisions.
    pub tie: Tie,
    /// How often a seat whose vote cannot be read is asked again.
    pub unparsed_retries: u32,
}

/// A vote as it was cast.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Vote {
    /// The argument that changed it, in the voter's words.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub argument: Option<String>,
    /// What would change the vote, in the voter's words.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub change_if: Option<String>,
    /// Where the same seat stood before, by its last vote or else its last free statement, where it was another.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub changed_from: Option<Choice>,
    /// For what.
    pub choice: Choice,
    /// How sure.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub confidence: Option<Permille>,
    /// It changed and no new argument is named: the voter went along.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub conformity: bool,
    /// How it was read.
    pub how: How,
    /// Why, in the voter's words.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
    /// What had to be mended to read it.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub repairs: Vec<Repair>,
    /// Who voted.
    pub who: Who,
}

/// What happens to a ballot.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Event {
    /// Voting began. The ballot's id is the id of this event.
    Opened {
        /// The matter.
        matter: MatterId,
        /// Options to choose from; 0 for a plain question.
        options: u8,
        /// The rule it is judged by.
        rule: Rules,
        /// Seats of the matter.
        seats: u32,
    },
    /// A seat is asked for its vote. The ask's id is the id of this event.
    Asked {
        /// 1 for the first time.
        attempt: u32,
        /// The ballot.
        ballot: BallotId,
        /// The matter.
        matter: MatterId,
        /// When the ask lapses.
        until: At,
        /// Who.
        who: Who,
    },
    /// A vote was cast.
    Cast {
        /// The ask it answers.
        ask: AskId,
        /// The vote.
        vote: Box<Vote>,
    },
    /// A vote could not be read. It is no abstention.
    Unparsed {
        /// Whether the seat is asked once more.
        again: bool,
        /// The ask it answers.
        ask: AskId,
        /// The beginning of what was said instead.
        said: String,
    },
    /// A vote on one of several proposals.
    Graded {
        /// The ballot.
        ballot: BallotId,
        /// The matter.
        matter: MatterId,
        /// The vote.
        vote: Box<GradedVote>,
    },
    /// The votes on every proposal were counted.
    Counted {
        /// The ballot.
        ballot: BallotId,
        /// The matter.
        matter: MatterId,
        /// Each proposal, in the order they were put.
        standings: Vec<Standing>,
        /// Proposals that share the first place, where the tie rule had to part them.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        tied: Vec<ProposalId>,
    },
    /// Voting ended.
    Closed {
        /// The ballot.
        ballot: BallotId,
        /// What the rule makes of it.
        decision: Decision,
        /// The matter.
        matter: MatterId,
        /// Whether that ends the matter.
        settles: bool,
        /// The count.
        tally: Tally,
    },
}
