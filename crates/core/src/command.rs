//! Everything a house can be told to do. Imperative; whether it happens is judged by `decide`.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use crate::context::{FileReading, Material};
use crate::event::{HouseRepair, KeyChange, TimeAdjusted};
use crate::evidence::FileFinding;
use crate::kernel::{
    About, AskId, Call, Cause, Digest, MatterId, Perspective, Seat, Seq, SettingValue, Who, words,
};
use crate::matter::{Pause, Question, SummaryBy};
use crate::meter::{Limits, Worst};
use crate::monitor::{self, Observation};
use crate::procedure::{council, ring, workshop};
use crate::rejections;
use crate::roster::Appointment;
use crate::track;
use crate::trigger;

/// A command.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Command {
    /// Found the house. The first act of every journal.
    Found {
        /// The edition of the rules it is judged by.
        edition: u32,
        /// The public key its receipts are signed with, in hex.
        key: String,
    },
    /// Judge by a later edition of the rules from now on.
    Upgrade {
        /// Which.
        edition: u32,
    },
    /// Note that the time of the house and the clock of the machine went apart.
    AdjustTime(TimeAdjusted),
    /// Sign with another key from now on.
    ChangeKey {
        /// Why, and what vouches for it.
        how: KeyChange,
        /// The public key, in hex.
        key: String,
    },
    /// Note that acts were lost, and go on without them.
    NoteRepair(HouseRepair),
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
    /// Let a participant sign with a key from now on, or with none.
    Key {
        /// The public key, Ed25519 in hex; none takes the key away.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        key: Option<String>,
        /// Who.
        who: Who,
    },
    /// Open a matter.
    Open(Box<Open>),
    /// Reserve one call for an ask, and start its time.
    Begin {
        /// The ask.
        ask: AskId,
        /// How long whoever performs it may take at least, where that is longer than a turn: some models think first.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        patience_ms: Option<u64>,
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
    /// Report that an ask cannot be performed as things are (a wrong key, an unknown model): the matter rests until somebody
    /// has seen to it, before others are paid.
    Halt {
        /// The ask. It stays open.
        ask: AskId,
        /// What trying took.
        call: Box<Call>,
        /// Why.
        cause: Cause,
    },
    /// Deliver what the world was asked for.
    Deliver {
        /// The ask.
        ask: AskId,
        /// What came of it.
        delivered: Box<Delivered>,
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
    /// Take over the numbers of triggers and monitor.
    ConfigureTriggers(Box<ConfigureTriggers>),
    /// Note what an agent was seen to do.
    Observe {
        /// Who, and what.
        observation: Observation,
    },
    /// Judge a wish for a council.
    Trigger(Box<trigger::CouncilRequest>),
    /// Record what turned out to be true of a matter that is over.
    RecordOutcome {
        /// The matter.
        matter: MatterId,
        /// What was true.
        verdict: track::Verdict,
    },
    /// Put down requests that were rejected before the house could judge them.
    ReportRejections {
        /// How often each.
        sums: Vec<rejections::Rejection>,
    },
    /// A command to a council.
    Council(council::Command),
    /// A command to a ring.
    Ring(ring::Command),
    /// A command to the workshop.
    Workshop(workshop::Command),
    /// Give a participant a role among agents that work together, or another standing.
    Appoint {
        /// As it shall be.
        appointment: Appointment,
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
    /// What getting an answer took, or trying to get one.
    pub fn call(&self) -> Option<&Call> {
        match self {
            Self::Answer { call, .. } | Self::Fail { call, .. } | Self::Halt { call, .. } => Some(call),
            _ => None, // no other command comes of a call
        }
    }

    /// What this command is about, whatever comes of it. What a tick finds overdue, and what is opened, shows only
    /// in the events.
    pub fn about(&self) -> About {
        match self {
            Self::Found { .. } | Self::Upgrade { .. } => About::House,
            Self::AdjustTime(_) | Self::ChangeKey { .. } | Self::NoteRepair(_) => About::House,
            Self::Adopt { .. } | Self::Enrol { .. } => About::House,
            Self::Key { .. } => About::House,
            Self::Open(_) | Self::Tick => About::House,
            Self::ConfigureTriggers(_) | Self::Observe { .. } | Self::Trigger(_) => About::House,
            Self::ReportRejections { .. } => About::House,
            Self::Begin { ask, .. }
            | Self::Answer { ask, .. }
            | Self::Fail { ask, .. }
            | Self::Halt { ask, .. }
            | Self::Deliver { ask, .. } => About::Ask(*ask),
            Self::Pause { matter, .. }
            | Self::Resume { matter }
            | Self::Stop { matter }
            | Self::RecordOutcome { matter, .. }
            | Self::Redact { matter, .. } => About::Matter(*matter),
            Self::Council(command) => About::Matter(command.matter()),
            Self::Ring(command) => About::Matter(command.matter()),
            Self::Workshop(command) => command.about(),
            Self::Appoint { .. } => About::House,
        }
    }

    /// The newest act that an id in this command names. Only a reader of that act can mean it.
    pub fn newest_named(&self) -> Option<Seq> {
        if let Self::Ring(command) = self {
            return Some(command.newest_named());
        }
        match self.about() {
            About::House => None,
            About::Matter(matter) => Some(matter.0.act),
            About::Ask(ask) => Some(ask.0.act),
        }
    }
}

/// What the world was asked for, one variant for each of its tasks.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Delivered {
    /// What came of reading a file.
    Read(FileReading),
    /// What came of holding cited files against what stands in them, one for each.
    Checked(Vec<FileFinding>),
}

/// The numbers of triggers and monitor, and the charters councils are held under.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ConfigureTriggers {
    /// The charter for each priority, by digest. The house must have adopted them.
    pub charters: trigger::Charters,
    /// The numbers of the monitor.
    pub monitor: monitor::Rules,
    /// The numbers of the triggers.
    pub trigger: trigger::Rules,
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
    /// Settings of the charter to move, by name.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub moved: BTreeMap<String, SettingValue>,
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
    /// Who puts the motion, and how it begins; for charters of a parliament.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub proposal: Option<MotionProposal>,
    /// Every host that is sent anything and every program that is run, as they were when it was opened. Judged by nobody.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub reaches: Vec<String>,
    /// Whether seats may ask to see files, which are read for them below a folder that the operator names to whoever reads.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub sources: bool,
    /// Whether it rests before each round.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub stepwise: bool,
    /// Who sums it up once a vote has decided it; nobody if left out.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub synthesis: Option<SummaryBy>,
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
            proposal: None,
            reaches: Vec::new(),
            sources: false,
            stepwise: false,
            synthesis: None,
        }
    }
}

/// How a motion is put.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct MotionProposal {
    /// The seat that puts it; the operator if left out.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub by: Option<Who>,
    /// Whether it waits until somebody calls it up.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub listed: bool,
    /// The seat that seconds it; if left out, seats are asked.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub seconder: Option<Who>,
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

words!(struct Open {
    question, context, focus, perspectives
        | charter, seats, limits, moved, judges, scribe, motion, proposal, reaches, sources, stepwise, synthesis
});
words!(enum Delivered { Read[reading], Checked[findings] });
words!(enum Perspectives { Usual, Given[given], Generated });
words!(enum Command {
    Found { | edition, key },
    Upgrade { | edition },
    AdjustTime(adjusted),
    ChangeKey { | how, key },
    NoteRepair(repaired),
    Adopt { | source },
    Enrol { | seat },
    Key { | key, who },
    Open[open],
    Begin { | ask, patience_ms, worst },
    Answer { call, text | ask, salt },
    Fail { call, cause | ask },
    Halt { call, cause | ask },
    Deliver { delivered | ask },
    Pause { | matter, why },
    Resume { | matter },
    Stop { | matter },
    Tick,
    ConfigureTriggers(given),
    Observe { | observation },
    Trigger[request],
    RecordOutcome { | matter, verdict },
    ReportRejections { | sums },
    Council[command],
    Ring[command],
    Workshop[command],
    Appoint { | appointment, who },
    Redact { | matter, acts },
});
