//! What the operator can tell a council to do.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use crate::context::Material;
use crate::kernel::{Digest, Id, MatterId, SettingValue, Who, words};
use crate::meter::Limits;

/// A command to a council.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Command {
    /// Hold the next round of a matter that waits for it.
    Continue {
        /// Material to put before the council first.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        context: Vec<Material>,
        /// What the round shall turn to.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        focus: Option<String>,
        /// The matter.
        matter: MatterId,
        /// Whether it goes on to its end from now on.
        #[serde(default, skip_serializing_if = "std::ops::Not::not")]
        to_end: bool,
    },
    /// Open a matter that shares its first rounds with another.
    Fork(Box<Fork>),
    /// Answer what a participant asked for.
    Supply {
        /// The matter.
        matter: MatterId,
        /// The request.
        request: Id,
        /// The answer.
        text: String,
    },
    /// Let the council go on without what a participant asked for.
    Waive {
        /// The matter.
        matter: MatterId,
        /// The request.
        request: Id,
    },
    /// Have a matter summed up by one of its seats.
    Synthesise {
        /// The seat.
        by: Who,
        /// The matter.
        matter: MatterId,
    },
    /// Second a motion, so that it is debated. Whoever put it cannot.
    Second {
        /// The seat.
        by: Who,
        /// The matter.
        matter: MatterId,
    },
    /// Take a motion back before the vote.
    Withdraw {
        /// Whoever put it; the operator if left out.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        by: Option<Who>,
        /// The matter.
        matter: MatterId,
    },
    /// Set a motion aside before the vote.
    Table {
        /// The matter.
        matter: MatterId,
    },
    /// Have a round weighed, again or for the first time, by a judge of the house.
    Judge {
        /// The judge.
        by: Who,
        /// The matter.
        matter: MatterId,
        /// The round.
        round: u32,
    },
}

impl Command {
    /// The matter it is about.
    pub fn matter(&self) -> MatterId {
        match self {
            Self::Fork(fork) => fork.from,
            Self::Continue { matter, .. }
            | Self::Supply { matter, .. }
            | Self::Waive { matter, .. }
            | Self::Synthesise { matter, .. }
            | Self::Second { matter, .. }
            | Self::Withdraw { matter, .. }
            | Self::Table { matter }
            | Self::Judge { matter, .. } => *matter,
        }
    }
}

/// What it takes to branch off from a matter.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Fork {
    /// The matter to branch off from.
    pub from: MatterId,
    /// The last round both share.
    pub round: u32,
    /// Another charter, by digest; the same if left out.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub charter: Option<Digest>,
    /// Other seats; the same if left out.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub seats: Option<Vec<Who>>,
    /// The most it may use up.
    #[serde(default)]
    pub limits: Limits,
    /// Settings to move; those of the other matter if the charter is the same.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub moved: BTreeMap<String, SettingValue>,
    /// What the next round shall turn to.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub focus: Option<String>,
    /// Whether it rests before each round.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub stepwise: bool,
}

words!(struct Fork { focus | from, round, charter, seats, limits, moved, stepwise });
words!(enum Command {
    Continue { context, focus | matter, to_end },
    Fork[fork],
    Supply { text | matter, request },
    Waive { | matter, request },
    Synthesise { | by, matter },
    Second { | by, matter },
    Withdraw { | by, matter },
    Table { | matter },
    Judge { | by, matter, round },
});
