//! Ballots: what was decided, by exact arithmetic.
//!
//! A ballot carries the rule it is judged by, copied in when it opens. Counting knows numbers of votes and
//! nothing of who cast them. One side each is a [`Tally`]; ballots that rank, approve or score, weights,
//! vetoes and carried votes are a [`Poll`]. To add a way of counting: a [`Method`], a file here, and its arm in
//! [`Method::count`].

mod graded;
mod margin;
mod poll;
mod ranked;
mod rated;
mod refusal;
mod route;
mod runoff;
mod seal;
mod search;
mod standing;
mod stated;
mod table;
mod tally;

use std::collections::BTreeMap;
use std::fmt;

use serde::{Deserialize, Serialize};

pub use graded::{BallotSheet, Grade, GradeCount, GradedVote, ProposalRanking, margin_of_grades, rank};
pub use poll::{KnownWeights, Paper, Poll};
pub use refusal::Refusal;
pub use route::{Loss, LostVote, Routes, route};
pub use seal::{SALT_LEAST, SALT_MOST, SealInput, is_salt};
pub use search::Margin;
pub use standing::{EliminationRound, Method, Standing, StandingNumbers};
pub use stated::conditions;
pub use table::{BasisShare, THRESHOLDS, pass_table};
pub use tally::Tally;

use crate::kernel::{
    About, AskChange, AskId, At, BallotId, ByRecord, Choice, Decision, Digest, How, Id, Marks, MatterId,
    Permille, ProposalId, Ratio, RecordWeights, Repair, Threshold, WeighedBy, Who, words,
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

/// Who learns how somebody voted.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Secrecy {
    /// Everybody, at once.
    #[default]
    Open,
    /// Everybody, once the ballot is closed.
    UntilClosed,
    /// Nobody: only counts and seals are shown.
    Secret,
}

impl Secrecy {
    /// The word charters use.
    pub fn word(self) -> &'static str {
        match self {
            Self::Open => "open",
            Self::UntilClosed => "until-closed",
            Self::Secret => "secret",
        }
    }

    fn is_open(&self) -> bool {
        *self == Self::Open
    }
}

/// What a vote counts for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Weights {
    /// One vote.
    #[default]
    Equal,
    /// As much of a vote as the voter is sure. A vote that does not say how sure cannot be weighed, and so
    /// cannot be read.
    Confidence,
    /// As much of a vote as the record of who was right is worth, as far as there is one.
    Reliability,
}

impl Weights {
    /// The word charters use.
    pub fn word(self) -> &'static str {
        match self {
            Self::Equal => "none",
            Self::Confidence => "confidence",
            Self::Reliability => "reliability",
        }
    }

    /// All of them.
    pub const ALL: [Self; 3] = [Self::Equal, Self::Confidence, Self::Reliability];

    /// Whether every vote is one vote.
    pub fn is_equal(&self) -> bool {
        *self == Self::Equal
    }
}

/// How votes are judged.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Rules {
    /// What the share is taken of.
    pub basis: Basis,
    /// Whether a vote may be changed while voting lasts; the last counts.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub change: bool,
    /// Whether a changed vote has to name the argument that changed it.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub change_needs_argument: bool,
    /// Whether a seat may pass its vote on to another.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub delegation: bool,
    /// One side with at least this share settles the matter at this vote; with less, deliberation goes on.
    /// `None`: this vote settles it in any case.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub early: Option<Threshold>,
    /// How ballots are marked and counted where there are options.
    #[serde(default, skip_serializing_if = "Method::is_plurality")]
    pub method: Method,
    /// What carries the question or an option.
    pub pass: Threshold,
    /// The part of the seats that must vote, abstentions included. The number is rounded up.
    pub quorum: Ratio,
    /// How far the record is believed, where votes are weighed by it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub record: Option<ByRecord>,
    /// Who learns how somebody voted.
    #[serde(default, skip_serializing_if = "Secrecy::is_open")]
    pub secrecy: Secrecy,
    /// Equal divisions.
    pub tie: Tie,
    /// How often a seat whose vote cannot be read is asked again.
    pub unparsed_retries: u32,
    /// Seats that block what they turn down.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub veto: Vec<Who>,
    /// What a vote counts for.
    #[serde(default, skip_serializing_if = "Weights::is_equal")]
    pub weights: Weights,
}

impl Rules {
    /// Whether a stated side can be a vote here: one side is all that is asked for, and it is no secret.
    pub fn counts_stances(&self) -> bool {
        self.method.is_plurality() && self.secrecy == Secrecy::Open
    }

    /// Whether votes are one side each, all count alike and nobody can block anything: then a [`Tally`] is all
    /// there is to count.
    pub fn is_plain(&self) -> bool {
        self.method.is_plurality() && self.weights.is_equal() && self.veto.is_empty() && !self.delegation
    }
}

/// The weight of votes by the record of who was right, as it was when a ballot opened.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum RecordTrust {
    /// So much for each seat, and why. Boxed: most ballots have none.
    Learned(Box<RecordWeights>),
    /// So much for each seat, in thousandths of a vote: the rule of edition 2.
    Weights(BTreeMap<Who, u32>),
    /// One vote each: fewer than half of the seats have a record.
    TooFew {
        /// Seats that have one.
        known: u32,
    },
    /// One vote each: no seat was right more often than wrong.
    NoneAhead,
}

impl RecordTrust {
    /// Whether every seat has one vote after all.
    pub fn is_equal(&self) -> bool {
        match self {
            Self::Learned(learned) => learned.by == WeighedBy::Equal,
            Self::Weights(_) => false,
            Self::TooFew { .. } | Self::NoneAhead => true,
        }
    }

    /// What a seat's vote counts for.
    pub fn weight(&self, who: &Who) -> u32 {
        match self {
            Self::Learned(learned) => learned.seats.get(who).map_or(0, |seat| seat.weight),
            Self::Weights(weights) => weights.get(who).copied().unwrap_or(0),
            Self::TooFew { .. } | Self::NoneAhead => poll::WHOLE,
        }
    }
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
    /// What the vote depends on, such as "only with a kill switch", in the voter's words.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub conditions: Vec<String>,
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
    /// What stands on the ballot, where it asks for more than one side.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub marks: Option<Marks>,
    /// Why, in the voter's words.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
    /// What had to be repaired to read it.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub repairs: Vec<Repair>,
    /// The digest that stands for it where votes are not open.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub seal: Option<Digest>,
    /// The statement that took this side, where a statement counts as the vote.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub stated: Option<Id>,
    /// Who voted.
    pub who: Who,
}

impl Vote {
    /// The vote as one writes it on a ballot: `YES`, `B > A = C`, `A=7, B=0`, `NONE`, `ABSTAIN`.
    pub fn spelled(&self, options: usize) -> String {
        match &self.marks {
            Some(marks) => marks.to_string(),
            None => self.choice.ballot_word(options),
        }
    }

    /// Whether it puts something above this option, or turns it down.
    pub fn is_against(&self, option: u8) -> bool {
        match (&self.marks, self.choice) {
            (_, Choice::Neutral) => false,
            (Some(marks), _) => !marks.is_top(option),
            (None, choice) => choice != Choice::Option(option),
        }
    }
}

/// A vote that is passed on to another seat.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Delegation {
    /// How it was read.
    pub how: How,
    /// Why, in the words of who passes it on.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
    /// What had to be repaired to read it.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub repairs: Vec<Repair>,
    /// The digest that stands for it where votes are not open.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub seal: Option<Digest>,
    /// To whom.
    pub to: Who,
    /// Whose vote it is.
    pub who: Who,
}

/// What was counted where a [`Tally`] does not say it all.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct Count {
    /// Who vetoed what would have been carried.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub blocked: Vec<Who>,
    /// Who voted for others too, or with a weight.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub carried: Vec<CarriedVotes>,
    /// Delegated votes that reached nobody. They are missing in the tally.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub lost: Vec<LostVote>,
    /// The order of options, where ballots rank, approve or score.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub standing: Option<Standing>,
    /// The tally in thousandths of votes, where votes are weighed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub weighed: Option<Tally>,
}

/// The votes that one voter carried, and their weight.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct CarriedVotes {
    /// Who voted.
    pub by: Who,
    /// Whose votes were carried besides.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub of: Vec<Who>,
    /// What it counted for in all, in thousandths of a vote, where votes are weighed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub weight: Option<u32>,
}

fn is_first(stage: &u16) -> bool {
    *stage == 0
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
        /// Those who may vote, in seat order.
        seats: Vec<Who>,
        /// The stage of a council's charter it belongs to.
        #[serde(default, skip_serializing_if = "is_first")]
        stage: u16,
        /// What their records are worth, where votes are weighed by them.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        trust: Option<RecordTrust>,
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
    /// A side taken in a statement counts as a vote.
    Stated {
        /// The ballot.
        ballot: BallotId,
        /// The matter.
        matter: MatterId,
        /// The vote; it names the statement.
        vote: Box<Vote>,
    },
    /// A vote was passed on to another seat.
    Delegated {
        /// The ask it answers.
        ask: AskId,
        /// Whose, and to whom.
        delegation: Box<Delegation>,
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
        standings: Vec<GradeCount>,
        /// Proposals that share the first place, where the tie rule had to part them.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        tied: Vec<ProposalId>,
    },
    /// Voting ended.
    Closed {
        /// The ballot.
        ballot: BallotId,
        /// What was counted besides the tally.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        count: Option<Box<Count>>,
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

words!(struct Vote {
    argument, change_if, conditions, reason, repairs
        | changed_from, choice, confidence, conformity, how, marks, seal, stated, who
});
words!(struct Delegation { reason, repairs | how, seal, to, who });
words!(enum Event {
    Opened { | matter, options, rule, seats, stage, trust },
    Asked { | attempt, ballot, matter, until, who },
    Cast { vote | ask },
    Stated { vote | ballot, matter },
    Delegated { delegation | ask },
    Unparsed { said | again, ask },
    Graded { vote | ballot, matter },
    Counted { | ballot, matter, standings, tied },
    Closed { | ballot, count, decision, matter, settles, tally },
});

impl Event {
    /// What it is about.
    pub fn about(&self) -> About {
        match self {
            Self::Opened { matter, .. }
            | Self::Asked { matter, .. }
            | Self::Stated { matter, .. }
            | Self::Graded { matter, .. }
            | Self::Counted { matter, .. }
            | Self::Closed { matter, .. } => About::Matter(*matter),
            Self::Cast { ask, .. } | Self::Delegated { ask, .. } | Self::Unparsed { ask, .. } => {
                About::Ask(*ask)
            }
        }
    }

    /// What it does to an ask.
    pub fn ask(&self) -> AskChange {
        match self {
            Self::Asked { .. } => AskChange::Opens,
            Self::Cast { ask, .. } | Self::Delegated { ask, .. } | Self::Unparsed { ask, .. } => {
                AskChange::Answers(*ask)
            }
            Self::Opened { .. } | Self::Stated { .. } => AskChange::None,
            Self::Graded { .. } | Self::Counted { .. } | Self::Closed { .. } => AskChange::None,
        }
    }
}
