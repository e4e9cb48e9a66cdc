//! Everything a house can be told to do. Imperative; whether it happens is judged by `decide`.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use crate::kernel::{AskId, Call, Cause, Digest, MatterId, Seat, Seq, Who};
use crate::matter::{Pause, Question};
use crate::meter::{Limits, Worst};

/// A command.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Command {
    /// Found the house. The first act of every journal.
    Found {
        /// The public key its receipts are signed with, in hex.
        key: String,
    },
    /// Take a charter into the house.
    Adopt {
        /// Its TOML text, whole.
        source: String,
    },
    /// Take a participant into the house, or change one.
    Enrol {
        /// As they shall be.
        seat: Seat,
    },
    /// Open a matter.
    Open(Box<Open>),
    /// Reserve one call for an ask, and start its time.
    Begin {
        /// The ask.
        ask: AskId,
        /// The worst the call can take.
        worst: Worst,
    },
    /// Answer an ask.
    Answer {
        /// The ask.
        ask: AskId,
        /// What getting it took.
        call: Box<Call>,
        /// What was said, as it came.
        text: String,
    },
    /// Report that an ask will not be answered.
    Fail {
        /// The ask.
        ask: AskId,
        /// What trying took.
        call: Box<Call>,
        /// Why.
        cause: Cause,
    },
    /// Let a matter rest.
    Pause {
        /// The matter.
        matter: MatterId,
        /// Why.
        why: Pause,
    },
    /// Let a matter go on.
    Resume {
        /// The matter.
        matter: MatterId,
    },
    /// End a matter as it stands.
    Stop {
        /// The matter.
        matter: MatterId,
    },
    /// Lapse what is overdue.
    Tick,
    /// Take the words of a matter that is over out of the record.
    Redact {
        /// The matter.
        matter: MatterId,
        /// Each act that holds words of it, and the SHA-256 of its body without them.
        acts: Vec<(Seq, Digest)>,
    },
}

/// What it takes to open a matter.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Open {
    /// The question.
    pub question: Question,
    /// The charter, by the digest of its source.
    pub charter: Digest,
    /// Who takes part, in speaking order.
    pub seats: Vec<Who>,
    /// The most it may use up.
    #[serde(default)]
    pub limits: Limits,
    /// Ranged knobs of the charter to move, by name.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub moved: BTreeMap<String, u64>,
}
