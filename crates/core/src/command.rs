//! Everything a house can be told to do. Imperative; whether it happens is judged by `decide`.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use crate::ballot::Grade;
use crate::context::Material;
use crate::door;
use crate::event::About;
use crate::kernel::{
    AmendmentId, AskId, Call, Cause, Digest, Id, MatterId, Perspective, ProposalId, Seat, Seq, Who,
};
use crate::matter::{Pause, Question};
use crate::meter::{Limits, Worst};
use crate::monitor::{self, Observation};
use crate::table::{Kind, Reaction};
use crate::track;
use crate::trigger;

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
    /// Take over the numbers of triggers and monitor.
    Regulate(Box<Regulate>),
    /// Note what an agent was seen to do.
    Observe {
        /// Who, and what.
        observation: Observation,
    },
    /// Judge a wish for a council.
    Trigger(Box<trigger::Request>),
    /// Take in what was true of a matter that is over.
    Learn {
        /// The matter.
        matter: MatterId,
        /// What was true.
        told: track::Told,
    },
    /// Put down who was turned away at the door.
    TurnAway {
        /// How often each.
        sums: Vec<door::Turned>,
    },
    /// Take part in a matter: what a participant does for itself.
    Partake {
        /// The matter.
        matter: MatterId,
        /// What it does.
        part: Part,
    },
    /// Begin a ring with those who joined.
    Start {
        /// The matter.
        matter: MatterId,
    },
    /// Take a participant out of a ring.
    Remove {
        /// The matter.
        matter: MatterId,
        /// Who.
        who: Who,
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
            Self::Regulate(_) | Self::Observe { .. } | Self::Trigger(_) => About::House,
            Self::TurnAway { .. } => About::House,
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
            | Self::Partake { matter, .. }
            | Self::Start { matter }
            | Self::Remove { matter, .. }
            | Self::Learn { matter, .. }
            | Self::Redact { matter, .. } => About::Matter(*matter),
        }
    }
}

/// The numbers of triggers and monitor, and the charters councils are held under.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Regulate {
    /// The charter for each priority, by digest. The house must have adopted them.
    pub charters: trigger::Charters,
    /// The numbers of the monitor.
    pub monitor: monitor::Rules,
    /// The numbers of the triggers.
    pub trigger: trigger::Rules,
}

/// What a participant of a ring does. What needs the floor names the turn it belongs to: a late, a double and
/// an unknown one are the same refusal.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Part {
    /// Take part, or take part again.
    Join,
    /// Take part no longer.
    Leave,
    /// Say that a turn arrived: it counts as delivered only then.
    Acknowledge {
        /// The turn.
        ask: AskId,
    },
    /// Say something.
    Say {
        /// The turn.
        ask: AskId,
        /// Whether to keep the floor for more.
        #[serde(default, skip_serializing_if = "std::ops::Not::not")]
        keep: bool,
        /// What it is meant as.
        kind: Kind,
        /// What.
        text: String,
        /// What it answers.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        to: Option<Id>,
    },
    /// Put a proposal forward.
    Propose {
        /// The turn.
        ask: AskId,
        /// Whether to keep the floor for more.
        #[serde(default, skip_serializing_if = "std::ops::Not::not")]
        keep: bool,
        /// What is proposed.
        text: String,
        /// The same in one line.
        title: String,
    },
    /// Put a change forward.
    Amend {
        /// The turn.
        ask: AskId,
        /// Whether to keep the floor for more.
        #[serde(default, skip_serializing_if = "std::ops::Not::not")]
        keep: bool,
        /// What is to change.
        proposal: ProposalId,
        /// The whole text as it should be.
        text: String,
        /// The reason.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        why: Option<String>,
    },
    /// React to something on the table.
    React {
        /// The turn.
        ask: AskId,
        /// Whether to keep the floor for more.
        #[serde(default, skip_serializing_if = "std::ops::Not::not")]
        keep: bool,
        /// How.
        reaction: Reaction,
        /// A word to it.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        text: Option<String>,
        /// To what.
        to: Id,
    },
    /// Give the floor back.
    Release {
        /// The turn.
        ask: AskId,
    },
    /// Say nothing this time.
    Skip {
        /// The turn.
        ask: AskId,
        /// The reason.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        why: Option<String>,
    },
    /// Take a change that is wanted to one's own proposal, or not.
    Rule {
        /// Whether to take it.
        accept: bool,
        /// The change.
        amendment: AmendmentId,
        /// The reason.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        why: Option<String>,
    },
    /// Vote on a proposal.
    Vote {
        /// Changes that would have to be made.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        changes: Vec<String>,
        /// What the vote hangs on.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        conditions: Vec<String>,
        /// How far it is supported.
        grade: Grade,
        /// The proposal.
        proposal: ProposalId,
        /// Why.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        rationale: Option<String>,
        /// What seals the vote where votes are secret. Who knows it can prove how they voted.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        salt: Option<String>,
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
    /// The kind of motion it is, of those the charter knows.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub motion: Option<String>,
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
            motion: None,
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
