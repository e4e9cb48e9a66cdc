//! What an event is about, and what it does to an ask. Each organ says so of its own events.

use super::{AskId, MatterId};

/// What an event or a command is about.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum About {
    /// The house.
    House,
    /// A matter.
    Matter(MatterId),
    /// An ask, and so its matter.
    Ask(AskId),
}

/// What an event does to an ask.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum AskChange {
    /// Nothing.
    None,
    /// It opens one, whose id is the id of the event.
    Opens,
    /// It was answered: whoever performed it is done.
    Answers(AskId),
    /// It will not be answered: whoever performs it should stop.
    Lapses(AskId),
    /// It is asked anew.
    Renews(AskId),
    /// Every open ask of the matter is over or rests.
    Interrupts(MatterId),
}
