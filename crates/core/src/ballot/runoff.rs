//! Instant run-off: the option that the fewest ballots have on top drops out, and these ballots go to what
//! they name next, until one option is left.

use std::collections::BTreeMap;

use super::standing::{EliminationRound, Standing, StandingNumbers, supported};
use crate::kernel::Marks;

/// So many sets of options are looked at where equal last places branch. Beyond, every option that is left
/// in a branch could lead: a tie is then claimed rather than overlooked. Up to twelve options have fewer.
const BRANCHES: usize = 4096;

/// A set of options, a bit each.
type Set = u32;

fn members(set: Set) -> impl Iterator<Item = u8> {
    (0..32).filter(move |option| set & (1 << option) != 0)
}

fn set(options: impl IntoIterator<Item = u8>) -> Set {
    options.into_iter().fold(0, |set, option| set | 1 << option)
}

/// The ballots, each with its groups as sets.
struct Stack {
    papers: Vec<(Vec<Set>, u64)>,
    unit: u64,
}

impl Stack {
    fn of(papers: &[(&Marks, u64)]) -> Self {
        let groups = |marks: &Marks| match marks {
            Marks::Ranking(groups) => groups.iter().map(|group| set(group.iter().copied())).collect(),
            Marks::Approved(options) => vec![set(options.iter().copied())],
            Marks::Scores(_) => Vec::new(),
        };
        let papers: Vec<(Vec<Set>, u64)> =
            papers.iter().map(|(marks, votes)| (groups(marks), *votes)).collect();
        let widest = papers.iter().flat_map(|(groups, _)| groups).map(|group| group.count_ones()).max();
        Self { papers, unit: (1..=u64::from(widest.unwrap_or(1))).fold(1, lcm) }
    }

    /// The votes of each option of a set, in parts of a vote, and those on which none of the set is named.
    fn votes(&self, left: Set) -> (BTreeMap<u8, u64>, u64) {
        let mut votes: BTreeMap<u8, u64> = members(left).map(|option| (option, 0)).collect();
        let mut exhausted = 0;
        for (groups, count) in &self.papers {
            match groups.iter().map(|group| group & left).find(|group| *group != 0) {
                Some(top) => {
                    let share = count * self.unit / u64::from(top.count_ones());
                    members(top).for_each(|option| *votes.entry(option).or_default() += share);
                }
                None => exhausted += count * self.unit,
            }
        }
        (votes, exhausted)
    }

    /// What may drop out next: everything that nobody names on top, at once; else any of those with the fewest.
    fn next(&self, left: Set) -> Drop {
        let (votes, exhausted) = self.votes(left);
        let fewest = votes.values().copied().min().unwrap_or(0);
        let last = set(votes.iter().filter(|(_, has)| **has == fewest).map(|(option, _)| *option));
        Drop { exhausted, last, together: fewest == 0 && last != left, votes }
    }

    /// Every option that is left last in one way or another of breaking ties among the fewest.
    fn possible(&self, left: Set, seen: &mut BTreeMap<Set, Set>) -> Set {
        if left.count_ones() <= 1 {
            return left;
        }
        if let Some(known) = seen.get(&left) {
            return *known;
        }
        if seen.len() >= BRANCHES {
            return left;
        }
        let next = self.next(left);
        let found = match next.together {
            true => self.possible(left & !next.last, seen),
            // Where nobody names any of them, none stands out.
            false if next.votes.values().all(|has| *has == 0) => left,
            false => members(next.last).fold(0, |found, out| found | self.possible(left & !(1 << out), seen)),
        };
        seen.insert(left, found);
        found
    }
}

struct Drop {
    exhausted: u64,
    last: Set,
    together: bool,
    votes: BTreeMap<u8, u64>,
}

pub(super) fn count(options: u8, papers: &[(&Marks, u64)]) -> Standing {
    let stack = Stack::of(papers);
    let all = set(0..options);
    let winners: Vec<u8> = members(stack.possible(all, &mut BTreeMap::new())).collect();
    let mut left = all;
    let mut rounds: Vec<EliminationRound> = Vec::new();
    let mut order: Vec<Vec<u8>> = Vec::new();
    while left.count_ones() > 1 {
        let next = stack.next(left);
        // Of equals the one named last drops out, as the earlier leads.
        let out: Vec<u8> = match next.together {
            true => members(next.last).collect(),
            false => members(next.last).last().into_iter().collect(),
        };
        let tied = members(next.last).filter(|option| !out.contains(option)).collect();
        let votes = next.votes.into_iter().collect();
        left &= !set(out.iter().copied());
        order.push(out.clone());
        rounds.push(EliminationRound { exhausted: next.exhausted, out, tied, votes });
    }
    order.push(members(left).collect());
    order.reverse();
    let leader = members(left).next().unwrap_or(0);
    let numbers = StandingNumbers::InstantRunoff { rounds, unit: stack.unit };
    Standing { leader, numbers, order, support: supported(options, papers), winners }
}

fn lcm(one: u64, other: u64) -> u64 {
    let (mut a, mut b) = (one, other);
    while b != 0 {
        (a, b) = (b, a % b);
    }
    one / a * other
}
