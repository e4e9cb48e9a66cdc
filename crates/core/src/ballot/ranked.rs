//! Borda and Schulze: rankings compared option by option.

use super::standing::{Standing, StandingNumbers, by_groups, groups, supported};
use crate::kernel::Marks;

/// An option has two halves of a point for each option below it on a ballot, and one for each equal one. So
/// an option that was left out shares the points of the last places with the others left out.
pub(super) fn borda(options: u8, papers: &[(&Marks, u64)]) -> Standing {
    let mut halves = vec![0; usize::from(options)];
    for (marks, votes) in papers {
        for one in 0..options {
            for other in (0..options).filter(|other| *other != one) {
                halves[usize::from(one)] += votes
                    * match marks.place(one).cmp(&marks.place(other)) {
                        std::cmp::Ordering::Less => 2,
                        std::cmp::Ordering::Equal => 1,
                        std::cmp::Ordering::Greater => 0,
                    };
            }
        }
    }
    by_groups(groups(&halves), supported(options, papers), StandingNumbers::Borda { halves })
}

/// A victory of one option over another is as strong as the votes for it; a chain of victories is as strong
/// as its weakest; an option stands above another where its strongest chain to it is the stronger.
pub(super) fn schulze(options: u8, papers: &[(&Marks, u64)]) -> Standing {
    let pairs = pairs(options, papers);
    let paths = paths(&pairs);
    // What nothing left stands above comes next. Being above is transitive, so there is always something.
    let mut left: Vec<u8> = (0..options).collect();
    let mut order: Vec<Vec<u8>> = Vec::new();
    while !left.is_empty() {
        let strength = |one: u8, other: u8| paths[usize::from(one)][usize::from(other)];
        let free = |one: &u8| left.iter().all(|other| strength(*one, *other) >= strength(*other, *one));
        let group: Vec<u8> = left.iter().copied().filter(free).collect();
        left.retain(|option| !group.contains(option));
        order.push(group);
    }
    by_groups(order, supported(options, papers), StandingNumbers::Schulze { pairs, paths })
}

/// Votes that put the option of the row above that of the column.
pub(super) fn pairs(options: u8, papers: &[(&Marks, u64)]) -> Vec<Vec<u64>> {
    let mut pairs = vec![vec![0; usize::from(options)]; usize::from(options)];
    for (marks, votes) in papers {
        for one in 0..options {
            for other in 0..options {
                if marks.place(one) < marks.place(other) {
                    pairs[usize::from(one)][usize::from(other)] += votes;
                }
            }
        }
    }
    pairs
}

/// The strongest chains, by the algorithm of Floyd and Warshall.
fn paths(pairs: &[Vec<u64>]) -> Vec<Vec<u64>> {
    let all = 0..pairs.len();
    let victory = |one: usize, other: usize| {
        if pairs[one][other] > pairs[other][one] { pairs[one][other] } else { 0 }
    };
    let mut paths: Vec<Vec<u64>> =
        all.clone().map(|one| all.clone().map(|other| victory(one, other)).collect()).collect();
    for over in all.clone() {
        for one in all.clone().filter(|one| *one != over) {
            for other in all.clone().filter(|other| *other != over && *other != one) {
                let chain = paths[one][over].min(paths[over][other]);
                paths[one][other] = paths[one][other].max(chain);
            }
        }
    }
    paths
}
