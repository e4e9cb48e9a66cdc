//! What came of a matter or a ballot.

use serde::{Deserialize, Serialize};

use super::{Choice, Spread};

/// The ways a question can end. A degraded result is never dressed up as one of the first three.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Decision {
    /// The question is carried or, with options, one of them is chosen.
    Passed {
        /// Which option; none for a plain question.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        option: Option<u8>,
    },
    /// The question is not carried, or every option is turned down.
    Rejected,
    /// The question asks for a number, and the seats gave theirs.
    Estimated(Spread),
    /// The rule gives no answer.
    Undecided(UndecidedReason),
    /// Ballots that could not be read might have changed the answer.
    Contested,
    /// An issue was resolved in its thread. Nobody voted.
    Resolved,
    /// An issue was closed without a resolution.
    Closed,
}

/// The reason why a matter ended without a decision.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum UndecidedReason {
    /// Too few seats voted.
    Quorum,
    /// Sides or leading options are equal and the charter breaks no tie.
    Tie,
    /// The leading option stayed below the threshold.
    Below,
    /// In a whole round nobody answered.
    NoAnswers,
    /// The time allowed for the matter ran out.
    Time,
    /// The operator stopped it.
    Stopped,
    /// Nothing lay on the table when it came to the vote.
    NoProposal,
    /// Too few of those invited joined, or too few of them stayed.
    Few,
    /// A seat with a veto turned down the option that leads.
    Vetoed,
    /// Nobody whose vote counts for something took a side.
    Weightless,
    /// Too few answers could be read: proposals, or numbers.
    Unreadable,
    /// Nobody seconded the motion, so it was not debated.
    NoSecond,
    /// Whoever put the motion took it back.
    Withdrawn,
    /// The motion was set aside before the vote.
    Tabled,
}

impl Decision {
    /// The answer it gives to the question, if it gives one.
    pub fn answer(self) -> Option<Choice> {
        match self {
            Self::Passed { option } => Some(option.map_or(Choice::Yes, Choice::Option)),
            Self::Rejected => Some(Choice::No),
            // A number is neither for nor against anything.
            Self::Estimated(_) | Self::Undecided(_) | Self::Contested => None,
            // How an issue was resolved stands in its thread.
            Self::Resolved | Self::Closed => None,
        }
    }

    /// Whether two decisions come to the same for whoever acts on them: why nothing was decided makes no difference.
    pub fn comes_to(self, other: Self) -> bool {
        match (self, other) {
            (Self::Undecided(_), Self::Undecided(_)) => true,
            (one, other) => one == other,
        }
    }

    /// One word for people and scripts.
    pub fn word(&self) -> &'static str {
        match self {
            Self::Passed { .. } => "passed",
            Self::Rejected => "rejected",
            Self::Estimated(_) => "estimated",
            Self::Undecided(_) => "undecided",
            Self::Contested => "contested",
            Self::Resolved => "resolved",
            Self::Closed => "closed",
        }
    }
}

impl UndecidedReason {
    /// The reason in a few words.
    pub fn words(self) -> &'static str {
        match self {
            Self::Quorum => "too few seats voted",
            Self::Tie => "a tie",
            Self::Below => "the leading option stayed below the threshold",
            Self::NoAnswers => "no seat answered in a whole round",
            Self::Time => "the time allowed ran out",
            Self::Stopped => "stopped by the operator",
            Self::NoProposal => "there was no proposal to vote on",
            Self::Few => "too few joined or stayed",
            Self::Vetoed => "a veto blocks the leading option",
            Self::Weightless => "every vote cast has weight 0",
            Self::Unreadable => "too few answers could be read",
            Self::NoSecond => "nobody seconded the motion",
            Self::Withdrawn => "the motion was withdrawn",
            Self::Tabled => "the motion was tabled",
        }
    }
}
