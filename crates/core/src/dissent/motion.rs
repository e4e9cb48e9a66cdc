//! Forced dissent in the debate of a motion: when a consensus is broken, whom a red team is made of, and what is opinion.
//!
//! What is said under an order is counted apart everywhere: `all` counts every entry, `free` only those that nobody
//! ordered. Pure functions over counts and lists; what follows is the flows' business.

use serde::{Deserialize, Serialize};

use crate::kernel::{Choice, Hasher, MatterId, Ratio, Threshold, Who, words};

/// How many entries took which side.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct StanceCount {
    /// For the motion.
    pub yes: u32,
    /// Against it.
    pub no: u32,
    /// On neither side.
    pub neutral: u32,
    /// Nobody knows: the entry took no side that could be read.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub unknown: u32,
}

fn is_zero(count: &u32) -> bool {
    *count == 0
}

words!(struct StanceCount { | yes, no, neutral, unknown });

impl StanceCount {
    /// Counts one more entry.
    pub fn add(&mut self, stance: Option<Choice>) {
        match stance {
            Some(Choice::Yes) => self.yes += 1,
            Some(Choice::No) => self.no += 1,
            Some(Choice::Neutral | Choice::Option(_)) => self.neutral += 1,
            None => self.unknown += 1,
        }
    }

    /// All entries.
    pub fn entries(&self) -> u32 {
        self.yes + self.no + self.neutral + self.unknown
    }

    /// The side with more entries, if one has.
    pub fn majority(&self) -> Option<Choice> {
        match self.yes.cmp(&self.no) {
            std::cmp::Ordering::Greater => Some(Choice::Yes),
            std::cmp::Ordering::Less => Some(Choice::No),
            std::cmp::Ordering::Equal => None,
        }
    }

    /// The entries on a side.
    pub fn on(&self, side: Choice) -> u32 {
        match side {
            Choice::Yes => self.yes,
            Choice::No => self.no,
            Choice::Neutral | Choice::Option(_) => self.neutral,
        }
    }

    /// The side that at least this share of the entries is on.
    pub fn consensus(&self, at: Threshold) -> Option<Choice> {
        let whole = self.entries();
        self.majority().filter(|side| whole > 0 && at.is_met_by(self.on(*side), whole))
    }

    /// Whether nearly all entries of a debate that has begun in earnest are on one side: more than nine in ten of at least
    /// five.
    pub fn is_cascade(&self) -> bool {
        let most = u64::from(self.yes.max(self.no));
        self.entries() >= 5 && 10 * most > 9 * u64::from(self.entries())
    }

    /// It in words for people: `11 FOR, 181 AGAINST, 3 NEUTRAL`.
    pub fn words(&self) -> String {
        let unknown = if self.unknown > 0 { format!(", {} unknown", self.unknown) } else { String::new() };
        format!("{} FOR, {} AGAINST, {} NEUTRAL{unknown}", self.yes, self.no, self.neutral)
    }
}

/// The other side of a motion.
pub fn other_side(side: Choice) -> Choice {
    match side {
        Choice::Yes => Choice::No,
        Choice::No | Choice::Neutral | Choice::Option(_) => Choice::Yes,
    }
}

/// When a consensus is broken.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct BreakRule {
    /// This share on one side is too much.
    pub at: Threshold,
    /// Of at least so many entries.
    pub least: u64,
    /// Not within so many entries after the last time.
    pub pause: u64,
}

/// The side that a debate leans to so much that the next speakers have to argue the other one. `since` counts the entries
/// since the last time; none before the first.
pub fn breaks(rule: BreakRule, count: &StanceCount, since: Option<u32>) -> Option<Choice> {
    let enough = u64::from(count.entries()) >= rule.least;
    let rested = since.is_none_or(|since| u64::from(since) >= rule.pause);
    count.consensus(rule.at).filter(|_| enough && rested)
}

/// Somebody who could be on a red team.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TeamCandidate {
    /// Their rank, by place; those without one share the last.
    pub rank: Option<u16>,
    /// Whether they freely took the side that the team argues against.
    pub with_majority: bool,
    /// Who.
    pub who: Who,
}

/// Everybody who could be on the red team of a motion, in the order in which they are chosen: one of each rank first, drawn
/// by a digest that nobody can steer. Those who took the majority's side freely come before the others: the team is there
/// to make them argue against themselves.
pub fn draw_team(matter: MatterId, seats: u64, candidates: Vec<TeamCandidate>) -> Vec<Who> {
    let with = candidates.iter().filter(|one| one.with_majority).count() as u64;
    let pool = |one: &TeamCandidate| with >= seats && !one.with_majority;
    let mut drawn: Vec<(bool, [u8; 32], TeamCandidate)> =
        candidates.into_iter().map(|one| (pool(&one), lot(matter, &one.who), one)).collect();
    drawn.sort_by_key(|(apart, lot, _)| (*apart, *lot));
    let mut ranks: Vec<Option<u16>> = Vec::new();
    let (mut first, mut rest) = (Vec::new(), Vec::new());
    for (apart, _, one) in drawn {
        match !apart && !ranks.contains(&one.rank) {
            true => {
                ranks.push(one.rank);
                first.push(one.who);
            }
            false => rest.push(one.who),
        }
    }
    first.append(&mut rest);
    first
}

fn lot(matter: MatterId, who: &Who) -> [u8; 32] {
    let mut hasher = Hasher::default();
    hasher.update(b"red team\0");
    hasher.update(matter.0.to_string().as_bytes());
    hasher.update(b"\0");
    hasher.update(who.as_str().as_bytes());
    hasher.finish().0
}

/// Whether so many of the seats have spoken that something begins which waits for that.
pub fn has_spoken_enough(after: Ratio, spoken: u32, seats: u32) -> bool {
    after.is_met_by(spoken, seats)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::kernel::{Id, Seq};

    fn count(yes: u32, no: u32, neutral: u32) -> StanceCount {
        StanceCount { yes, no, neutral, unknown: 0 }
    }

    #[test]
    fn a_break_needs_enough_entries_enough_agreement_and_a_pause() {
        let rule = BreakRule { at: Threshold::at_least(85, 100), least: 10, pause: 10 };
        assert_eq!(breaks(rule, &count(9, 0, 0), None), None);
        assert_eq!(breaks(rule, &count(10, 0, 0), None), Some(Choice::Yes));
        assert_eq!(breaks(rule, &count(3, 17, 0), Some(10)), Some(Choice::No));
        assert_eq!(breaks(rule, &count(3, 17, 0), Some(9)), None);
        assert_eq!(breaks(rule, &count(3, 16, 1), None), None);
        assert_eq!(breaks(rule, &count(0, 0, 10), None), None);
    }

    #[test]
    fn a_team_has_one_of_each_rank_first_and_prefers_the_majority() {
        let matter = MatterId(Id { act: Seq(7), nth: 0 });
        let candidate = |name: &str, rank: u16, with_majority| TeamCandidate {
            rank: Some(rank),
            with_majority,
            who: Who::parse(name).expect("a name"),
        };
        let all: Vec<TeamCandidate> =
            (0..12).map(|n| candidate(&format!("s{n}"), n / 4, n % 2 == 0)).collect();
        let rank = |who: &Who| all.iter().find(|one| one.who == *who).and_then(|one| one.rank);
        let drawn = draw_team(matter, 5, all.clone());
        let mut first: Vec<_> = drawn[..3].iter().map(rank).collect();
        first.sort();
        assert_eq!(first, [Some(0), Some(1), Some(2)]);
        let with = |who: &Who| all.iter().any(|one| one.who == *who && one.with_majority);
        assert!(drawn[..6].iter().all(with) && !drawn[6..].iter().any(with));
        assert_eq!(drawn.len(), 12);
        assert_eq!(drawn, draw_team(matter, 5, all.clone()), "the same for the same motion");
        let other = MatterId(Id { act: Seq(8), nth: 0 });
        assert_ne!(drawn, draw_team(other, 5, all), "and another for another");
    }
}
