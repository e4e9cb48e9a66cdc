//! Two authors who answer each other back and forth.

use super::{CommentLimits, OfferedComment, ThreadFacts};
use crate::gate::Breach;
use crate::kernel::{CommentKind, Who};

/// With this comment the last `exchanges_most` exchanges are all between the same two: A, B, A, B are two.
pub(super) fn ping_pong(
    limits: &CommentLimits,
    offered: &OfferedComment<'_>,
    thread: &ThreadFacts<'_>,
) -> Option<Breach> {
    let other = *thread.latest.first()?;
    let counts = offered.uses_budget && offered.kind != CommentKind::Acknowledgement;
    let alternate = counts && alternates(limits.exchanges_most, &thread.latest, offered.who);
    alternate.then(|| Breach::PingPong { exchanges: limits.exchanges_most, with: other.clone() })
}

/// Whether a comment of somebody would make the last exchanges all their own and one other's. `latest` is latest first.
pub fn alternates(exchanges_most: u32, latest: &[&Who], who: &Who) -> bool {
    let before = (exchanges_most as usize).saturating_mul(2).saturating_sub(1);
    let Some(other) = latest.first().filter(|other| **other != who) else { return false };
    // Latest first: the other, the author, the other, …
    let due = |nth: usize| if nth.is_multiple_of(2) { *other } else { who };
    latest.len() >= before && latest[..before].iter().enumerate().all(|(nth, one)| *one == due(nth))
}
