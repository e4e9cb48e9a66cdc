//! Refusals: the rules say no, and nothing changed.
//!
//! Each organ and procedure defines its own `Refusal` in its own folder; here they become one type. This file knows
//! no single refusal and no code, only whose they are.
//!
//! To add a refusal: an entry in the `refusal.rs` of its organ. To add an organ: its line in the list below.

use crate::kernel::{RefusalEntry, RefusalKind};
use crate::procedure::{council, ring, workshop};
use crate::{
    ask, ballot, canon, charter, context, floor, house, lease, ledger, matter, meter, monitor, period,
    rejections, roster, table, track, trigger,
};

/// Makes the enum and everything that only passes on to the organ.
macro_rules! organs {
    ($($(#[doc = $doc:literal])+ $organ:ident($refusal:ty) $prefix:literal,)+) => {
        /// Why a command was refused. Nothing changed.
        #[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
        pub enum Refusal {
            $(
                $(#[doc = $doc])+
                #[error(transparent)]
                $organ(#[from] $refusal),
            )+
        }

        impl Refusal {
            /// Every refusal there is, by the word its codes begin with.
            pub const ALL: &'static [(&'static str, &'static [RefusalEntry])] =
                &[$(($prefix, <$refusal>::ALL),)+];

            /// The stable code, for scripts and for the record.
            pub fn code(&self) -> &'static str {
                match self {
                    $(Self::$organ(refusal) => refusal.code(),)+
                }
            }

            /// What sort of "no" it is. Edges derive their status from this.
            pub fn kind(&self) -> RefusalKind {
                match self {
                    $(Self::$organ(refusal) => refusal.kind(),)+
                }
            }
        }
    };
}

organs! {
    /// The house as a whole.
    House(house::refusal::Refusal) "house",
    /// Charters and their settings.
    Charter(charter::Refusal) "charter",
    /// Participants and seats.
    Roster(roster::Refusal) "roster",
    /// A matter as a whole.
    Matter(matter::Refusal) "matter",
    /// Asks and their answers.
    Ask(ask::Refusal) "ask",
    /// Budgets.
    Meter(meter::Refusal) "budget",
    /// Material, focus questions and requests.
    Context(context::Refusal) "context",
    /// Votes.
    Ballot(ballot::Refusal) "ballot",
    /// The floor.
    Floor(floor::Refusal) "floor",
    /// Statements, proposals and amendments of a ring.
    Table(table::Refusal) "table",
    /// Debates.
    Council(council::Refusal) "council",
    /// Rings.
    Ring(ring::Refusal) "ring",
    /// Issues.
    Workshop(workshop::Refusal) "workshop",
    /// Canon.
    Canon(canon::Refusal) "canon",
    /// Leases.
    Lease(lease::Refusal) "lease",
    /// Periods.
    Period(period::Refusal) "period",
    /// Triggers.
    Trigger(trigger::Refusal) "trigger",
    /// Observations.
    Monitor(monitor::Refusal) "monitor",
    /// Reports of rejected requests.
    Rejections(rejections::Refusal) "rejections",
    /// Credits.
    Ledger(ledger::Refusal) "ledger",
    /// Track records.
    Track(track::Refusal) "track",
}

impl Refusal {
    /// What is known of a code. `None` for a code that this build does not know, such as one that a later build
    /// recorded. Acts keep only the code of a refusal.
    pub fn listed(code: &str) -> Option<&'static RefusalEntry> {
        let (prefix, _) = code.split_once('/')?;
        let of_prefix = Self::ALL.iter().filter(|(known, _)| *known == prefix);
        of_prefix.flat_map(|(_, entries)| entries.iter()).find(|entry| entry.code == code)
    }
}
