//! Approval and score: options rated one by one.

use super::standing::{Standing, StandingNumbers, by_groups, groups, supported};
use crate::kernel::Marks;

/// The most approved leads.
pub(super) fn approval(options: u8, papers: &[(&Marks, u64)]) -> Standing {
    let approvals = supported(options, papers);
    by_groups(groups(&approvals), approvals.clone(), StandingNumbers::Approval { approvals })
}

/// The highest sum leads. Every ballot scores every option, so the highest mean is the same.
pub(super) fn score(options: u8, papers: &[(&Marks, u64)]) -> Standing {
    let sum = |option| papers.iter().map(|(marks, votes)| votes * u64::from(marks.score(option))).sum();
    let sums: Vec<u64> = (0..options).map(sum).collect();
    let votes = papers.iter().map(|(_, votes)| votes).sum();
    by_groups(groups(&sums), sums.clone(), StandingNumbers::Score { sums, votes })
}
