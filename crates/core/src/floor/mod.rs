//! The floor: who may speak now.
//!
//! It sees ids and an order, nothing of what is said. To add a way of giving the floor: a variant of
//! [`Order`] and its arm in [`next`].

use serde::{Deserialize, Serialize};

use crate::kernel::{At, Cause, MatterId, Who};

/// The ways of giving the floor.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Order {
    /// All are called at once.
    Parallel,
    /// One after the other, in seat order.
    Sequential,
}

/// What the floor does next.
#[derive(Debug, PartialEq, Eq)]
pub enum Next<'a> {
    /// Call these.
    Call(Vec<&'a Who>),
    /// Somebody who was called has not finished.
    Wait,
    /// Everyone has been called and has finished.
    Over,
}

/// Whom to call: `seats` may speak, `called` were called in this round, `speaking` of them are not done.
pub fn next<'a>(order: Order, seats: &'a [Who], called: &[Who], speaking: usize) -> Next<'a> {
    let mut waiting = seats.iter().filter(|who| !called.contains(who));
    match order {
        Order::Parallel if called.is_empty() && !seats.is_empty() => Next::Call(waiting.collect()),
        Order::Sequential if speaking == 0 => match waiting.next() {
            Some(who) => Next::Call(vec![who]),
            None => Next::Over,
        },
        Order::Parallel | Order::Sequential if speaking > 0 => Next::Wait,
        Order::Parallel | Order::Sequential => Next::Over,
    }
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
    /// A seat is not called any more in this matter.
    Absent {
        /// What made it absent.
        cause: Cause,
        /// The matter.
        matter: MatterId,
        /// Who.
        who: Who,
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
