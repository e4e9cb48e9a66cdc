//! Everything that can happen in a house: one variant per organ.

use std::sync::Arc;

use serde::{Deserialize, Serialize};

use crate::charter::Charter;
use crate::kernel::{AskId, Digest, MatterId};
use crate::{
    ask, ballot, context, door, floor, gate, matter, meter, monitor, roster, table, track, trigger, watch,
};

/// What happened. Past tense; only `decide` judges.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Event {
    /// The house itself.
    House(Founded),
    /// The charters in its hands.
    Charter(Adopted),
    /// Who belongs to it.
    Roster(roster::Event),
    /// A matter as a whole.
    Matter(matter::Event),
    /// Who may speak.
    Floor(floor::Event),
    /// What was admitted.
    Gate(gate::Event),
    /// What was voted.
    Ballot(ballot::Event),
    /// What was used up.
    Meter(meter::Event),
    /// What became of an ask.
    Ask(ask::Event),
    /// What the council has before it.
    Context(context::Event),
    /// What was found in what was said.
    Watch(watch::Event),
    /// What agents were seen to do, and what was found in it.
    Monitor(monitor::Event),
    /// What called a council, or did not.
    Trigger(trigger::Event),
    /// What was put forward.
    Table(table::Event),
    /// Who was turned away before anything was judged.
    Door(door::Event),
    /// What became known later of who was right.
    Track(track::Event),
}

/// The house was founded.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Founded {
    /// The public key its receipts are signed with, in hex.
    pub key: String,
}

/// A charter was taken into the house.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Adopted {
    /// SHA-256 of its source text.
    pub digest: Digest,
    /// The rules as they were read from the source: later readers need not read it again.
    pub rules: Arc<Charter>,
}

/// What an event is about.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum About {
    /// The house.
    House,
    /// A matter.
    Matter(MatterId),
    /// An ask, and so its matter.
    Ask(AskId),
}

impl Event {
    /// What this event is about.
    pub fn about(&self) -> About {
        match self {
            Self::House(_) | Self::Charter(_) | Self::Roster(_) | Self::Monitor(_) => About::House,
            // The matter it opened has events of its own; this one is the house's.
            Self::Trigger(_) => About::House,
            // What somebody tried in a matter is no part of it.
            Self::Door(_) => About::House,
            Self::Track(track::Event::Learned(learned)) => About::Matter(learned.matter),
            Self::Matter(event) => match event {
                matter::Event::Opened(_) => About::House,
                matter::Event::StageEntered { matter, .. }
                | matter::Event::Paused { matter, .. }
                | matter::Event::Resumed { matter }
                | matter::Event::Stepped { matter, .. }
                | matter::Event::Redacted { matter }
                | matter::Event::Settled { matter, .. } => About::Matter(*matter),
            },
            Self::Floor(event) => match event {
                floor::Event::RoundOpened { matter, .. }
                | floor::Event::Called { matter, .. }
                | floor::Event::Impanelled { matter, .. }
                | floor::Event::Absent { matter, .. }
                | floor::Event::Joined { matter, .. }
                | floor::Event::Gone { matter, .. }
                | floor::Event::RoundClosed { matter, .. } => About::Matter(*matter),
                floor::Event::Released { ask } | floor::Event::Skipped { ask, .. } => About::Ask(*ask),
            },
            Self::Gate(gate::Event::Admitted(said)) => About::Ask(said.ask),
            Self::Gate(gate::Event::Rejected { ask, .. }) => About::Ask(*ask),
            Self::Ballot(event) => match event {
                ballot::Event::Opened { matter, .. }
                | ballot::Event::Asked { matter, .. }
                | ballot::Event::Graded { matter, .. }
                | ballot::Event::Counted { matter, .. }
                | ballot::Event::Closed { matter, .. } => About::Matter(*matter),
                ballot::Event::Cast { ask, .. }
                | ballot::Event::Delegated { ask, .. }
                | ballot::Event::Unparsed { ask, .. } => About::Ask(*ask),
            },
            Self::Meter(meter::Event::Limited { matter, .. }) => About::Matter(*matter),
            Self::Meter(meter::Event::Reserved { ask, .. } | meter::Event::Spent { ask, .. }) => {
                About::Ask(*ask)
            }
            Self::Ask(ask::Event::Opened { matter, .. } | ask::Event::Wanted { matter, .. }) => {
                About::Matter(*matter)
            }
            Self::Table(event) => match event {
                table::Event::Said { matter, .. }
                | table::Event::Proposed { matter, .. }
                | table::Event::Amended { matter, .. }
                | table::Event::Ruled { matter, .. }
                | table::Event::Reacted { matter, .. } => About::Matter(*matter),
            },
            Self::Context(event) => match event {
                context::Event::Given { matter, .. }
                | context::Event::Focused { matter, .. }
                | context::Event::Requested { matter, .. }
                | context::Event::Refused { matter, .. }
                | context::Event::Answered { matter, .. }
                | context::Event::Waived { matter, .. } => About::Matter(*matter),
                context::Event::Perspectives { ask, .. }
                | context::Event::Digested { ask, .. }
                | context::Event::Synthesised { ask, .. } => About::Ask(*ask),
            },
            Self::Watch(event) => match event {
                watch::Event::Analysed { matter, .. } | watch::Event::Left { matter, .. } => {
                    About::Matter(*matter)
                }
                watch::Event::Judged { ask, .. } => About::Ask(*ask),
            },
            Self::Ask(
                ask::Event::Begun { ask, .. }
                | ask::Event::Lapsed { ask, .. }
                | ask::Event::Met { ask }
                | ask::Event::Renewed { ask, .. },
            ) => About::Ask(*ask),
        }
    }
}
