//! Who is next, and when somebody has to object.

use std::collections::BTreeSet;

use crate::kernel::Who;

/// Somebody who could be ordered to object.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DissentCandidate {
    /// How often they were assigned lately.
    pub assigned: u32,
    /// Whether they took part in the matter.
    pub involved: bool,
    /// Who.
    pub who: Who,
}

/// The next in the rotation: never somebody who took part, the fewest assignments first, then by id.
pub fn next_in_rotation(candidates: impl IntoIterator<Item = DissentCandidate>) -> Option<Who> {
    let free = candidates.into_iter().filter(|one| !one.involved);
    free.min_by(|one, other| (one.assigned, &one.who).cmp(&(other.assigned, &other.who))).map(|one| one.who)
}

/// An agent's own stance in a comment, with what was checked for it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ApprovalFacts<'a> {
    /// Who.
    pub who: &'a Who,
    /// Whether the stance is an approval.
    pub approves: bool,
    /// Whether it is an objection.
    pub objects: bool,
    /// References that were found to be true.
    pub verified: u32,
}

/// Whether so many different agents approve in these comments, none of them with enough verified references.
pub fn approved_quickly(comments: &[ApprovalFacts<'_>], least: u32, references: u32) -> bool {
    let approvals = || comments.iter().filter(|one| one.approves);
    let authors: BTreeSet<&Who> = approvals().map(|one| one.who).collect();
    authors.len() as u64 >= u64::from(least) && approvals().all(|one| one.verified < references)
}

/// Whether so many different agents approve, none objects, and nothing at all was verified.
pub fn approved_without_evidence(comments: &[ApprovalFacts<'_>], least: u32) -> bool {
    let authors: BTreeSet<&Who> = comments.iter().filter(|one| one.approves).map(|one| one.who).collect();
    authors.len() as u64 >= u64::from(least) && comments.iter().all(|one| !one.objects && one.verified == 0)
}
