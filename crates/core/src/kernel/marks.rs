//! What a voter puts on a ballot that asks for more than one side.

use std::fmt;

use serde::{Deserialize, Serialize};

use super::Choice;

/// The marks on a ballot, by the options' places. An option is *supported* where a voter would rather have it
/// than nothing; marks that support none are no marks but the choice NO, said NONE.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Marks {
    /// Options in groups, the most preferred first; those of one group are equal and stand in their order.
    /// Options left out are equal, below all that are named, and not supported.
    Ranking(Vec<Vec<u8>>),
    /// The options approved of, in their order.
    Approved(Vec<u8>),
    /// A score from 0 to [`Marks::BEST`] for every option, in the options' order.
    Scores(Vec<u8>),
}

impl Marks {
    /// The highest score.
    pub const BEST: u8 = 10;

    /// Whether the voter would rather have this option than nothing.
    pub fn supports(&self, option: u8) -> bool {
        match self {
            Self::Ranking(groups) => groups.iter().any(|group| group.contains(&option)),
            Self::Approved(options) => options.contains(&option),
            Self::Scores(_) => self.score(option) > 0,
        }
    }

    /// Where an option stands: 0 is best, equal numbers are equal options.
    pub fn place(&self, option: u8) -> usize {
        match self {
            Self::Ranking(groups) => {
                groups.iter().position(|group| group.contains(&option)).unwrap_or(groups.len())
            }
            Self::Approved(options) => usize::from(!options.contains(&option)),
            Self::Scores(_) => usize::from(Self::BEST.saturating_sub(self.score(option))),
        }
    }

    /// The score of an option; 0 where there are no scores.
    pub fn score(&self, option: u8) -> u8 {
        match self {
            Self::Scores(scores) => scores.get(usize::from(option)).copied().unwrap_or(0),
            Self::Ranking(_) | Self::Approved(_) => 0,
        }
    }

    /// Whether no option is put above this one.
    pub fn is_top(&self, option: u8) -> bool {
        let best = match self {
            Self::Ranking(_) | Self::Approved(_) => 0,
            Self::Scores(scores) => {
                usize::from(Self::BEST.saturating_sub(scores.iter().copied().max().unwrap_or(0)))
            }
        };
        self.supports(option) && self.place(option) == best
    }

    /// The one side these marks come to in lists of sides: the earliest of the options put highest. No option
    /// is counted by it, only that a side was taken.
    pub fn side(&self) -> Choice {
        let first = match self {
            Self::Ranking(groups) => groups.iter().flatten().next().copied(),
            Self::Approved(options) => options.first().copied(),
            Self::Scores(scores) => (0..scores.len() as u8).find(|option| self.is_top(*option)),
        };
        first.map_or(Choice::No, Choice::Option)
    }
}

impl fmt::Display for Marks {
    /// `B > A = C`, `A, C`, `A=7, B=0`: the form that voters may write and that a seal is made of.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let letters = |options: &[u8], between: &str| {
            let letters: Vec<String> =
                options.iter().map(|option| Choice::letter(*option).to_string()).collect();
            letters.join(between)
        };
        match self {
            Self::Ranking(groups) => {
                let groups: Vec<String> = groups.iter().map(|group| letters(group, " = ")).collect();
                f.write_str(&groups.join(" > "))
            }
            Self::Approved(options) => f.write_str(&letters(options, ", ")),
            Self::Scores(scores) => {
                let each = scores.iter().enumerate();
                let each: Vec<String> =
                    each.map(|(option, score)| format!("{}={score}", Choice::letter(option as u8))).collect();
                f.write_str(&each.join(", "))
            }
        }
    }
}
