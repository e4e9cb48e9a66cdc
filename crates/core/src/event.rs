//! Everything that can happen in a house: one variant per organ.

use std::sync::Arc;

use serde::{Deserialize, Serialize};

use crate::charter::Charter;
use crate::kernel::{About, AskChange, Digest, Seq, words};
use crate::{
    ask, ballot, canon, context, dissent, evidence, floor, gate, issue, lease, ledger, matter, meter,
    monitor, period, rejections, roster, table, track, trigger, watch,
};

/// What happened. Past tense; only `decide` judges.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Event {
    /// The house itself.
    House(HouseEvent),
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
    /// The phases of a ring, and what became of proposals.
    Table(table::Event),
    /// Requests that were rejected before the house could judge them.
    Rejections(rejections::Event),
    /// What became known later of who was right.
    Track(track::Event),
    /// Issues and their threads.
    Issue(issue::Event),
    /// Who must object, or read without hearing others.
    Dissent(dissent::Event),
    /// Named stretches of work.
    Period(period::Event),
    /// What was found of what comments cite.
    Evidence(evidence::Event),
    /// Credits.
    Ledger(ledger::Event),
    /// What the house holds to be true.
    Canon(canon::Event),
    /// Who works on which files.
    Lease(lease::Event),
}

/// What happens to the house itself.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum HouseEvent {
    /// It was founded.
    Founded(Founded),
    /// It is judged by a later edition of the rules from the next act on.
    Upgraded {
        /// Which.
        edition: u32,
    },
    /// The time of the house and the clock of the machine went apart. The time of the house went on as if they had not.
    TimeAdjusted(TimeAdjusted),
    /// Another key signs from the next act on.
    KeyChanged(KeyChanged),
    /// Acts of this house were lost, and it goes on without them.
    Repaired(HouseRepair),
}

/// Why and how far the time of the house and the clock of the machine went apart.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct TimeAdjusted {
    /// How far the time of the house is ahead of the clock from now on, in milliseconds; negative: behind.
    pub ahead_ms: i64,
    /// What could not be done, where the journal could not be written.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cause: Option<String>,
    /// How far the clock jumped, in milliseconds; negative: back.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub jumped_ms: i64,
    /// Time that is taken out, in milliseconds: nothing could be written, or no process had the house. Nobody is charged for it.
    #[serde(default, skip_serializing_if = "is_none")]
    pub stalled_ms: u64,
}

fn is_zero(ms: &i64) -> bool {
    *ms == 0
}

fn is_none(ms: &u64) -> bool {
    *ms == 0
}

/// How the house came to another key.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct KeyChanged {
    /// The key before, in hex.
    pub from: String,
    /// Why, and what vouches for it.
    pub how: KeyChange,
    /// The public key that signs from now on, in hex.
    pub key: String,
}

/// Why the house has another key.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum KeyChange {
    /// The key before signed the new one.
    Rotated {
        /// Its signature, in hex.
        signature: String,
    },
    /// The same, and the key before is not trusted any more: others may have it.
    Revoked {
        /// Its signature, in hex.
        signature: String,
    },
    /// The key before was lost. Nothing but this record vouches for the new one.
    Recovered,
}

/// A repair of a house, with the acts that it lost.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct HouseRepair {
    /// The hash of the last act that was known to be durable.
    pub hash: Digest,
    /// The last act that was left. Those after it are not those that were lost.
    pub kept: Seq,
    /// The last act that was known to be durable.
    pub lost: Seq,
    /// Whether an older copy was put in place on purpose.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub restored: bool,
}

/// How the house was founded.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Founded {
    /// The edition of the rules it is judged by.
    pub edition: u32,
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

impl Event {
    /// What this event is about.
    pub fn about(&self) -> About {
        match self {
            Self::House(_) | Self::Charter(_) | Self::Roster(_) | Self::Monitor(_) => About::House,
            // The matter it opened has events of its own; this one is the house's.
            Self::Trigger(_) => About::House,
            // What somebody tried in a matter is not part of it.
            Self::Rejections(_) => About::House,
            Self::Track(track::Event::Learned(learned)) => About::Matter(learned.matter),
            Self::Matter(event) => event.about(),
            Self::Floor(event) => event.about(),
            Self::Gate(event) => event.about(),
            Self::Ballot(event) => event.about(),
            Self::Meter(event) => event.about(),
            Self::Ask(event) => event.about(),
            Self::Table(event) => event.about(),
            Self::Context(event) => event.about(),
            Self::Watch(event) => event.about(),
            Self::Issue(event) => event.about(),
            Self::Dissent(event) => event.about(),
            Self::Period(event) => event.about(),
            Self::Evidence(event) => event.about(),
            Self::Ledger(event) => event.about(),
            Self::Canon(event) => event.about(),
            Self::Lease(event) => event.about(),
        }
    }

    /// What it does to an ask.
    pub fn ask(&self) -> AskChange {
        match self {
            Self::Matter(event) => event.ask(),
            Self::Floor(event) => event.ask(),
            Self::Gate(event) => event.ask(),
            Self::Ballot(event) => event.ask(),
            Self::Ask(event) => event.ask(),
            Self::Context(event) => event.ask(),
            Self::Watch(event) => event.ask(),
            Self::Issue(event) => event.ask(),
            Self::Dissent(event) => event.ask(),
            Self::Period(event) => event.ask(),
            Self::Evidence(event) => event.ask(),
            Self::Ledger(event) => event.ask(),
            Self::Canon(event) => event.ask(),
            Self::Lease(event) => event.ask(),
            Self::House(_) | Self::Charter(_) | Self::Roster(_) | Self::Monitor(_) => AskChange::None,
            Self::Trigger(_) | Self::Rejections(_) | Self::Track(_) => AskChange::None,
            Self::Meter(_) | Self::Table(_) => AskChange::None,
        }
    }
}

// Participants, charters and what agents were seen to do belong to the house and are never redacted.
words!(enum Event {
    House(founded),
    Charter(adopted),
    Roster(event),
    Matter[event],
    Floor[event],
    Gate[event],
    Ballot[event],
    Meter[event],
    Ask[event],
    Context[event],
    Watch[event],
    Monitor(event),
    Trigger(event),
    Table[event],
    Rejections(event),
    Track(event),
    Issue[event],
    Dissent(event),
    Period(event),
    Evidence[event],
    Ledger[event],
    Canon[event],
    Lease[event],
});
