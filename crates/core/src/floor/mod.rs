//! The floor: who may speak now.
//!
//! It sees ids and an order, nothing of what is said. To add a way of giving the floor: a variant of
//! [`FloorOrder`] and its arm in [`next`].

mod refusal;

use serde::{Deserialize, Serialize};

pub use refusal::Refusal;

use crate::kernel::{About, AskChange, AskId, At, Cause, MatterId, Who, words};

/// The ways of giving the floor.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum FloorOrder {
    /// All are called at once.
    Parallel,
    /// One after the other, in seat order.
    Sequential,
    /// Two teams at once, within each one after the other: even seats are one team, odd seats the other.
    Teams,
}

impl FloorOrder {
    /// Whether nobody more is called before all who were called are done.
    pub fn waits_for_all(self) -> bool {
        match self {
            Self::Parallel | Self::Sequential => true,
            Self::Teams => false,
        }
    }
}

/// The team of the seat at a place counted from 0: even seats are team 0, odd seats team 1.
pub fn team(place: usize) -> usize {
    place % 2
}

/// The next step of the floor.
#[derive(Debug, PartialEq, Eq)]
pub enum FloorStep<'a> {
    /// Call these.
    Call(Vec<&'a Who>),
    /// Somebody who was called has not finished.
    Wait,
    /// Everyone has been called and has finished.
    Over,
}

/// Whom to call: `seats` may speak, each with its place at the table; `called` were called in this round,
/// `speaking` of them are not done.
pub fn next<'a>(
    order: FloorOrder,
    seats: impl Iterator<Item = (usize, &'a Who)>,
    called: impl Iterator<Item = &'a Who> + Clone,
    speaking: &[(usize, &Who)],
) -> FloorStep<'a> {
    // Seats are mostly called in their order: whoever stands at the same place of both lists was called, and only
    // others are looked for among all.
    let mut order_of_calls = called.clone().peekable();
    let mut was_called = |who: &Who| {
        order_of_calls.next_if(|next| *next == who).is_some() || called.clone().any(|known| known == who)
    };
    let waiting = seats.filter(|(_, who)| !was_called(who));
    let call: Vec<&Who> = match order {
        FloorOrder::Parallel if speaking.is_empty() => waiting.map(|(_, who)| who).collect(),
        FloorOrder::Sequential if speaking.is_empty() => waiting.map(|(_, who)| who).take(1).collect(),
        FloorOrder::Parallel | FloorOrder::Sequential => Vec::new(),
        FloorOrder::Teams => {
            let mut free = [0, 1].map(|of| speaking.iter().all(|(place, _)| team(*place) != of));
            let takes = |(place, _): &(usize, &Who)| std::mem::take(&mut free[team(*place)]);
            waiting.filter(takes).map(|(_, who)| who).collect()
        }
    };
    match (call.is_empty(), speaking.is_empty()) {
        (false, _) => FloorStep::Call(call),
        (true, false) => FloorStep::Wait,
        (true, true) => FloorStep::Over,
    }
}

/// How large a panel grows when its members do not agree: the next step above what it is, if there are
/// seats for it.
pub fn wider(steps: &[u32], seats: u32, now: u32) -> Option<u32> {
    steps.iter().copied().find(|step| *step > now).map(|step| step.min(seats)).filter(|step| *step > now)
}

/// What happens on the floor.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Event {
    /// A round began.
    RoundOpened {
        /// The matter.
        matter: MatterId,
        /// Counted from 1 through the whole matter.
        round: u32,
    },
    /// A seat has the floor. The ask's id is the id of this event.
    Called {
        /// The matter.
        matter: MatterId,
        /// The round.
        round: u32,
        /// When the turn lapses.
        until: At,
        /// Whose turn it is.
        who: Who,
    },
    /// So many seats, the first in order, are asked; the others stay in reserve unless they are needed.
    Impanelled {
        /// The matter.
        matter: MatterId,
        /// How many.
        seats: u32,
    },
    /// A seat takes over the part of one that did not make its case, from the next round on.
    PartTaken {
        /// Whose part it was.
        from: Who,
        /// The matter.
        matter: MatterId,
        /// The part's name in the charter.
        part: String,
        /// Who takes it over.
        who: Who,
    },
    /// A seat is not called any more in this matter.
    Absent {
        /// What made it absent.
        cause: Cause,
        /// The matter.
        matter: MatterId,
        /// Who.
        who: Who,
    },
    /// Somebody takes part from a round on.
    Joined {
        /// The first round they are called in.
        from_round: u32,
        /// The matter.
        matter: MatterId,
        /// Their place in the order of the floor, counted from 0: those who join while a ring gathers stand in the
        /// order of the invitations, latecomers last.
        place: u32,
        /// Who.
        who: Who,
    },
    /// Somebody takes part no longer.
    Gone {
        /// Why.
        cause: Cause,
        /// The matter.
        matter: MatterId,
        /// Who.
        who: Who,
    },
    /// Whoever had the floor has given it back.
    Released {
        /// The turn.
        ask: AskId,
    },
    /// Whoever had the floor said nothing.
    Skipped {
        /// The turn.
        ask: AskId,
        /// The reason given.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        why: Option<String>,
    },
    /// A round ended. With no answers at all it failed, and says so.
    RoundClosed {
        /// Admitted contributions.
        answered: u32,
        /// Turns that lapsed or were rejected.
        lapsed: u32,
        /// The matter.
        matter: MatterId,
        /// The round.
        round: u32,
    },
}

words!(enum Event {
    RoundOpened { | matter, round },
    Called { | matter, round, until, who },
    Impanelled { | matter, seats },
    PartTaken { | from, matter, part, who },
    Absent { cause | matter, who },
    Joined { | from_round, matter, place, who },
    Gone { cause | matter, who },
    Released { | ask },
    Skipped { why | ask },
    RoundClosed { | answered, lapsed, matter, round },
});

impl Event {
    /// What it is about.
    pub fn about(&self) -> About {
        match self {
            Self::RoundOpened { matter, .. }
            | Self::Called { matter, .. }
            | Self::Impanelled { matter, .. }
            | Self::PartTaken { matter, .. }
            | Self::Absent { matter, .. }
            | Self::Joined { matter, .. }
            | Self::Gone { matter, .. }
            | Self::RoundClosed { matter, .. } => About::Matter(*matter),
            Self::Released { ask } | Self::Skipped { ask, .. } => About::Ask(*ask),
        }
    }

    /// What it does to an ask.
    pub fn ask(&self) -> AskChange {
        match self {
            Self::Called { .. } => AskChange::Opens,
            Self::Released { ask } | Self::Skipped { ask, .. } => AskChange::Answers(*ask),
            Self::RoundOpened { .. } | Self::Impanelled { .. } | Self::Absent { .. } => AskChange::None,
            Self::Joined { .. } | Self::Gone { .. } | Self::RoundClosed { .. } => AskChange::None,
            Self::PartTaken { .. } => AskChange::None,
        }
    }
}
