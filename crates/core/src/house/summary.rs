//! A summary: what is known of a matter that left memory. Enough to list it, to find it and to fold it again from
//! the record; never enough to decide anything about it.

use std::sync::Arc;

use super::Case;
use crate::kernel::{At, Digest, MatterId, SeatKind, Seq, Who};
use crate::matter::{Forked, Status};

/// See the module.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Summary {
    /// The matter.
    pub id: MatterId,
    /// Its running number in the house.
    pub number: u64,
    /// When it was opened.
    pub opened: At,
    /// When the last thing happened to it.
    pub last: At,
    /// The question, without its options.
    pub topic: Arc<str>,
    /// The name of its charter.
    pub charter: Arc<str>,
    /// The digest of its charter's source.
    pub digest: Digest,
    /// Where it stands.
    pub status: Status,
    /// Whether it is a ring.
    pub ring: bool,
    /// Whether it is an issue.
    pub issue: bool,
    /// Whether something may still happen in it by itself.
    pub active: bool,
    /// Who sits at its table.
    pub seats: Arc<[(Who, SeatKind)]>,
    /// Rounds begun.
    pub rounds: u32,
    /// Where it branches off from another matter.
    pub forked: Option<Forked>,
    /// The last act that redacted it.
    pub redacted_by: Option<Seq>,
    /// The acts it is made of, in order.
    pub acts: Arc<[Seq]>,
}

impl Summary {
    /// Whether only placeholders sit at its table.
    pub fn is_rehearsal(&self) -> bool {
        !self.seats.is_empty() && self.seats.iter().all(|(_, kind)| *kind == SeatKind::Rehearsal)
    }

    /// The summary of a matter that is here.
    pub fn of(case: &Case) -> Self {
        let opening = &case.opening;
        Self {
            id: case.id,
            number: case.number,
            opened: case.opened,
            last: case.last,
            topic: opening.question.topic.clone(),
            charter: opening.charter.name.as_str().into(),
            digest: opening.charter.digest,
            status: case.status(),
            ring: case.ring().is_some(),
            issue: case.workshop().is_some(),
            active: !case.is_idle(),
            seats: opening.seats.iter().map(|seat| (seat.who.clone(), seat.kind)).collect(),
            rounds: case.round(),
            forked: opening.forked,
            redacted_by: case.redacted_by,
            acts: case.acts.iter().copied().collect(),
        }
    }

    /// Whether it is settled.
    pub fn is_over(&self) -> bool {
        matches!(self.status, Status::Settled(_))
    }

    /// What kind of seat a participant has in it.
    pub fn seat(&self, who: &Who) -> Option<SeatKind> {
        self.seats.iter().find(|(seated, _)| seated == who).map(|(_, kind)| *kind)
    }

    /// The last act it is made of.
    pub fn last_act(&self) -> Seq {
        self.acts.last().copied().unwrap_or(self.id.0.act)
    }
}

impl Case {
    /// The last act it is made of.
    pub fn last_act(&self) -> Seq {
        self.acts.last().copied().unwrap_or(self.id.0.act)
    }

    /// Whether nothing happens in it by itself any more: it is settled, and nothing is asked.
    pub(super) fn is_idle(&self) -> bool {
        matches!(self.status(), Status::Settled(_)) && self.asks().is_empty()
    }
}
