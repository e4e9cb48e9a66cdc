//! Everything a house can be told to do. Imperative; whether it happens is judged by `decide`.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use crate::context::Material;
use crate::event::About;
use crate::kernel::{AskId, Call, Cause, Digest, Id, MatterId, Perspective, Seat, Seq, Who};
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
        /// What a vote is sealed with where votes are not open. Drawn at random by whoever gives the answer.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        salt: Option<String>,
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
    /// Have a round weighed, again or for the first time, by a judge of the house.
    Judge {
        /// The judge.
        by: Who,
        /// The matter.
        matter: MatterId,
        /// The round.
        round: u32,
    },
    /// Take the words of a matter that is over out of the record.
    Redact {
        /// The matter.
        matter: MatterId,
        /// Each act that holds words of it, and the SHA-256 of its body without them.
        acts: Vec<(Seq, Digest)>,
    },
}

impl Command {
    /// What this command is about, whatever comes of it. What a tick finds overdue, and what is opened, shows only
    /// in the events.
    pub fn about(&self) -> About {
        match self {
            Self::Found { .. } | Self::Adopt { .. } | Self::Enrol { .. } => About::House,
            Self::Open(_) | Self::Tick => About::House,
            Self::Fork(fork) => About::Matter(fork.from),
            Self::Begin { ask, .. } | Self::Answer { ask, .. } | Self::Fail { ask, .. } => About::Ask(*ask),
            Self::Pause { matter, .. }
            | Self::Resume { matter }
            | Self::Stop { matter }
            | Self::Continue { matter, .. }
            | Self::Supply { matter, .. }
            | Self::Waive { matter, .. }
            | Self::Synthesise { matter, .. }
            | Self::Judge { matter, .. }
            | Self::Redact { matter, .. } => About::Matter(*matter),
        }
    }
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
    /// Who weighs each round.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub judges: Vec<Who>,
    /// Who digests and finds perspectives.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub scribe: Option<Who>,
    /// Material to put before the council.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub context: Vec<Material>,
    /// What the first round shall turn to.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub focus: Option<String>,
    /// The fields the seats speak for.
    #[serde(default, skip_serializing_if = "Perspectives::is_usual")]
    pub perspectives: Perspectives,
    /// Whether it rests before each round.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub stepwise: bool,
}

impl Open {
    /// What it takes at the least: nothing limited, nothing moved, nobody but the seats.
    pub fn new(question: Question, charter: Digest, seats: Vec<Who>) -> Self {
        Self {
            question,
            charter,
            seats,
            limits: Limits::default(),
            moved: BTreeMap::new(),
            judges: Vec::new(),
            scribe: None,
            context: Vec::new(),
            focus: None,
            perspectives: Perspectives::Usual,
            stepwise: false,
        }
    }
}

/// Where the fields come from that seats speak for.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Perspectives {
    /// From the charter, if it has any.
    #[default]
    Usual,
    /// These, in turn.
    Given(Vec<Perspective>),
    /// A mind is asked for them: the scribe, else the first seat.
    Generated,
}

impl Perspectives {
    fn is_usual(&self) -> bool {
        *self == Self::Usual
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
    /// Knobs to move; those of the other matter if the charter is the same.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub moved: BTreeMap<String, u64>,
    /// What the next round shall turn to.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub focus: Option<String>,
    /// Whether it rests before each round.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub stepwise: bool,
}
