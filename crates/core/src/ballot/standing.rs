//! What a method of counting makes of marked ballots: an order of all options, and the numbers behind it.

use serde::{Deserialize, Serialize};

use crate::kernel::Marks;

/// How ballots are marked and counted. With a plain question every method is a plain vote.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Method {
    /// One side each; the most named leads.
    #[default]
    Plurality,
    /// Rankings; an option has a point for each option below it, half a point for each equal one.
    Borda,
    /// Rankings; who wins by the strongest chains of pairwise victories leads.
    Schulze,
    /// Rankings; the least named on top drops out, until one is left.
    InstantRunoff,
    /// Any number of options are approved of; the most approved leads.
    Approval,
    /// Every option has a score; the highest sum leads.
    Score,
}

impl Method {
    /// All of them, each with the word charters use.
    pub const ALL: [(&'static str, Self); 6] = [
        ("plurality", Self::Plurality),
        ("borda", Self::Borda),
        ("schulze", Self::Schulze),
        ("instant-runoff", Self::InstantRunoff),
        ("approval", Self::Approval),
        ("score", Self::Score),
    ];

    /// The word charters use.
    pub fn word(self) -> &'static str {
        Self::ALL.into_iter().find(|(_, method)| *method == self).map_or("", |(word, _)| word)
    }

    pub fn is_plurality(&self) -> bool {
        *self == Self::Plurality
    }

    /// The standing of so many options by these ballots, each with the votes it counts for; `None` where
    /// ballots have no marks.
    pub fn count(self, options: u8, papers: &[(&Marks, u64)]) -> Option<Standing> {
        match self {
            Self::Plurality => None,
            Self::Borda => Some(super::ranked::borda(options, papers)),
            Self::Schulze => Some(super::ranked::schulze(options, papers)),
            Self::InstantRunoff => Some(super::runoff::count(options, papers)),
            Self::Approval => Some(super::rated::approval(options, papers)),
            Self::Score => Some(super::rated::score(options, papers)),
        }
    }
}

/// An order of all options, and what it rests on.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Standing {
    /// What leads where the earlier of equal options does.
    pub leader: u8,
    /// The numbers.
    pub numbers: StandingNumbers,
    /// All options in groups, best first; those of one group are equal.
    pub order: Vec<Vec<u8>>,
    /// For each option the votes that would rather have it than nothing; with scores, their sum.
    pub support: Vec<u64>,
    /// What could lead: more than one is a tie, which the charter's rule breaks.
    pub winners: Vec<u8>,
}

/// The numbers behind an order. Where votes are weighed they are thousandths of votes.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum StandingNumbers {
    /// Points of each option.
    Borda {
        /// In halves of a point.
        halves: Vec<u64>,
    },
    /// Pairwise comparisons.
    Schulze {
        /// Votes that put the option of the row above that of the column.
        pairs: Vec<Vec<u64>>,
        /// The strength of the strongest chain of victories from the option of the row to that of the column.
        paths: Vec<Vec<u64>>,
    },
    /// Rounds of elimination.
    InstantRunoff {
        /// In order.
        rounds: Vec<EliminationRound>,
        /// A vote is so many parts: equal options on top of a ballot share it.
        unit: u64,
    },
    /// Ballots that approve of each option.
    Approval {
        /// In the options' order.
        approvals: Vec<u64>,
    },
    /// Scores. The mean of an option is its sum by the votes.
    Score {
        /// In the options' order.
        sums: Vec<u64>,
        /// Votes that score.
        votes: u64,
    },
}

/// One round of elimination.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct EliminationRound {
    /// Votes on which no option is left.
    pub exhausted: u64,
    /// What drops out: all that nobody names on top, else the last of those with the fewest votes.
    pub out: Vec<u8>,
    /// Options with equally few votes as the one that drops out.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub tied: Vec<u8>,
    /// The options still in, each with its votes.
    pub votes: Vec<(u8, u64)>,
}

/// Groups of options with equal values, the highest first.
pub(super) fn groups(values: &[u64]) -> Vec<Vec<u8>> {
    let mut order: Vec<u8> = (0..values.len() as u8).collect();
    order.sort_by_key(|option| std::cmp::Reverse(values[usize::from(*option)]));
    let mut groups: Vec<Vec<u8>> = Vec::new();
    for option in order {
        let value = values[usize::from(option)];
        match groups.last_mut() {
            Some(group) if values[usize::from(group[0])] == value => group.push(option),
            Some(_) | None => groups.push(vec![option]),
        }
    }
    groups
}

/// A standing in which the first group is what could lead.
pub(super) fn by_groups(order: Vec<Vec<u8>>, support: Vec<u64>, numbers: StandingNumbers) -> Standing {
    let winners = order.first().cloned().unwrap_or_default();
    Standing { leader: winners.first().copied().unwrap_or(0), numbers, order, support, winners }
}

/// For each option the votes that would rather have it than nothing.
pub(super) fn supported(options: u8, papers: &[(&Marks, u64)]) -> Vec<u64> {
    let votes =
        |option| papers.iter().filter(|(marks, _)| marks.supports(option)).map(|(_, votes)| votes).sum();
    (0..options).map(votes).collect()
}
