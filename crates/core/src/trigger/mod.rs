//! Triggers: what calls a council together, and when it does not.
//!
//! A trigger is judged by its own rule first, then by its cooldown. One that does not fire says why; that is an
//! outcome and no error. It never opens anything itself: `house/` does, and puts down what came of it.
//!
//! A cooldown is open at its end: a trigger that rests for a minute may fire again exactly a minute later. It
//! belongs to a trigger together with what it watches (the checkpoint, the phase, the measure, the pattern), so
//! that one security change cannot hide a breaking one. Where the rules say so it also belongs to the subject: the file
//! or topic of a pattern, the reason of an agent. Otherwise noise about one thing silences all others.
//!
//! To add a trigger: a file here, a variant of [`TriggerKind`] and of [`TriggerCause`], its rules in [`Rules`], its table in
//! `rules/triggers.toml`, and a script in the tests.

pub mod agent;
pub mod checkpoint;
pub mod monitor;
pub mod phase;
mod refusal;
pub mod scheduled;
pub mod threshold;
pub mod user;

use std::collections::BTreeMap;
use std::fmt;

use serde::{Deserialize, Serialize};

pub use refusal::Refusal;

use crate::kernel::{At, Digest, MatterId, Permille, Priority, Who, text, words};

/// A council needs so many: one alone has nobody to agree with.
pub const SEATS_LEAST: usize = 2;

/// The longest name of a checkpoint, a phase or a measure, in characters.
pub const NAME_MOST: usize = 100;
/// The longest reason of an agent, in characters.
pub const REASON_MOST: usize = 500;
/// The longest description, in characters.
pub const DESCRIPTION_MOST: usize = 8000;

/// The numbers of the triggers.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Rules {
    /// An agent asks for a council.
    pub agent: agent::Rules,
    /// A checkpoint is reached.
    pub checkpoint: checkpoint::Rules,
    /// The monitor finds something.
    pub monitor: monitor::Rules,
    /// A phase is left.
    pub phase: phase::Rules,
    /// Time passes.
    pub scheduled: scheduled::Rules,
    /// A measure is high.
    pub threshold: threshold::Rules,
    /// A person asks for a council.
    pub user: user::Rules,
}

/// The charter for each priority, by digest.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Charters {
    /// For what is critical.
    pub critical: Digest,
    /// For what is important.
    pub high: Digest,
    /// For what can wait.
    pub low: Digest,
    /// As usual.
    pub normal: Digest,
}

impl Charters {
    /// The charter for a priority.
    pub fn of(&self, priority: Priority) -> Digest {
        match priority {
            Priority::Critical => self.critical,
            Priority::High => self.high,
            Priority::Normal => self.normal,
            Priority::Low => self.low,
        }
    }
}

/// The triggers.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum TriggerKind {
    /// A person asked.
    User,
    /// An agent asked.
    Agent,
    /// The monitor found something.
    Monitor,
    /// A checkpoint was reached.
    Checkpoint,
    /// A phase was left.
    Phase,
    /// A measure was high.
    Threshold,
    /// It was time.
    Scheduled,
}

impl TriggerKind {
    /// All of them.
    pub const ALL: [Self; 7] = [
        Self::User,
        Self::Agent,
        Self::Monitor,
        Self::Checkpoint,
        Self::Phase,
        Self::Threshold,
        Self::Scheduled,
    ];

    /// Its name.
    pub fn word(self) -> &'static str {
        match self {
            Self::User => "user",
            Self::Agent => "agent",
            Self::Monitor => "monitor",
            Self::Checkpoint => "checkpoint",
            Self::Phase => "phase",
            Self::Threshold => "threshold",
            Self::Scheduled => "scheduled",
        }
    }
}

impl fmt::Display for TriggerKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.word())
    }
}

/// A request for a council.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct CouncilRequest {
    /// What it rests on.
    pub cause: TriggerCause,
    /// More about it, put before the council.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub description: Option<String>,
    /// Who shall take part.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub participants: Vec<Who>,
    /// The question; where it is left out the cause gives one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub topic: Option<String>,
}

/// The cause of a request for a council.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum TriggerCause {
    /// A person asks.
    User {
        /// How urgent it is.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        priority: Option<Priority>,
    },
    /// An agent asks.
    Agent {
        /// Who.
        agent: Who,
        /// How sure it is that a council is needed.
        confidence: Permille,
        /// Why, as a listed name or in words.
        reason: String,
    },
    /// A checkpoint is reached.
    Checkpoint {
        /// It is marked as one for a council.
        #[serde(default, skip_serializing_if = "std::ops::Not::not")]
        flagged: bool,
        /// Which.
        name: String,
    },
    /// A phase is left for another.
    Phase {
        /// The one that is left.
        from: String,
        /// The one that follows.
        to: String,
    },
    /// Something is measured.
    Threshold {
        /// What.
        name: String,
        /// How high it is.
        value: Permille,
    },
    /// Whatever is pending is looked through.
    Scheduled,
}

impl TriggerCause {
    /// Which trigger it is.
    pub fn kind(&self) -> TriggerKind {
        match self {
            Self::User { .. } => TriggerKind::User,
            Self::Agent { .. } => TriggerKind::Agent,
            Self::Checkpoint { .. } => TriggerKind::Checkpoint,
            Self::Phase { .. } => TriggerKind::Phase,
            Self::Threshold { .. } => TriggerKind::Threshold,
            Self::Scheduled => TriggerKind::Scheduled,
        }
    }
}

/// Problems with a request for a council.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum MalformedRequest {
    /// Nothing stands there.
    #[error("the {what} of the trigger is empty")]
    Empty {
        /// What.
        what: &'static str,
    },
    /// More stands there than can be kept.
    #[error("the {what} of the trigger has {given} characters, at most {most} are kept: shorten it")]
    TooLong {
        /// What.
        what: &'static str,
        /// So many.
        given: usize,
        /// Allowed.
        most: usize,
    },
    /// A person who asks for a council has to say what about.
    #[error("a {kind} trigger needs a topic: say what the council shall decide")]
    NoTopic {
        /// Which trigger.
        kind: TriggerKind,
    },
}

impl CouncilRequest {
    /// Refuses what cannot be a wish.
    pub fn check(&self) -> Result<(), MalformedRequest> {
        match &self.cause {
            TriggerCause::User { .. } if self.topic.is_none() => {
                return Err(MalformedRequest::NoTopic { kind: TriggerKind::User });
            }
            TriggerCause::User { .. } | TriggerCause::Scheduled => (),
            TriggerCause::Agent { reason, .. } => fits("reason", reason, REASON_MOST)?,
            TriggerCause::Checkpoint { name, .. } | TriggerCause::Threshold { name, .. } => {
                fits("name", name, NAME_MOST)?
            }
            TriggerCause::Phase { from, to } => {
                fits("phase that is left", from, NAME_MOST)?;
                fits("phase that follows", to, NAME_MOST)?;
            }
        }
        match &self.description {
            Some(description) => fits("description", description, DESCRIPTION_MOST),
            None => Ok(()),
        }
    }
}

fn fits(what: &'static str, said: &str, most: usize) -> Result<(), MalformedRequest> {
    let given = text::length(said);
    match given {
        0 => Err(MalformedRequest::Empty { what }),
        given if given > most => Err(MalformedRequest::TooLong { what, given, most }),
        _ => Ok(()),
    }
}

/// The name of a thing in one spelling: `Security change` and `security-change` are `security_change`.
pub fn code(name: &str) -> String {
    text::fold(name.trim()).replace([' ', '-'], "_")
}

/// Why a trigger did not fire.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Declined {
    /// Whoever asked is not sure enough, or what was measured is too low.
    Below {
        /// As given.
        given: Permille,
        /// From here on it fires.
        least: Permille,
    },
    /// The reason is none of those that call for a council.
    Unlisted,
    /// It fired lately.
    Resting {
        /// From then on it may fire again.
        until: At,
    },
    /// The checkpoint is none that always calls for a council, and was not marked.
    Unflagged,
    /// Leaving this phase calls for no council.
    OtherPhase,
    /// Nothing waits for a decision.
    NothingPending,
    /// Too few are active.
    TooFewActive {
        /// So many.
        active: u32,
        /// Needed.
        least: u32,
    },
    /// It is switched off.
    Off,
}

impl Declined {
    /// Its stable code.
    pub fn code(&self) -> &'static str {
        match self {
            Self::Below { .. } => "below",
            Self::Unlisted => "unlisted",
            Self::Resting { .. } => "resting",
            Self::Unflagged => "unflagged",
            Self::OtherPhase => "other_phase",
            Self::NothingPending => "nothing_pending",
            Self::TooFewActive { .. } => "too_few_active",
            Self::Off => "off",
        }
    }

    /// In words.
    pub fn words(&self) -> String {
        match self {
            Self::Below { given, least } => format!("{given} is below {least}"),
            Self::Unlisted => "the reason is none of those that call for a council".into(),
            Self::Resting { until } => format!("it fired lately and rests until {until}"),
            Self::Unflagged => "this checkpoint needs no council unless it is flagged".into(),
            Self::OtherPhase => "leaving this phase needs no council".into(),
            Self::NothingPending => "nothing waits for a decision".into(),
            Self::TooFewActive { active, least } => {
                format!("{} active, {least} are needed", text::counted(u64::from(*active), "agent"))
            }
            Self::Off => "it is switched off".into(),
        }
    }
}

/// Why a trigger that fired opened no matter.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Unopened {
    /// There are not two to take part.
    TooFewSeats,
    /// The rules of matters said no.
    Refused {
        /// The code of the refusal.
        code: String,
    },
}

impl Unopened {
    /// In words.
    pub fn words(&self) -> String {
        match self {
            Self::TooFewSeats => format!(
                "a council needs {SEATS_LEAST} participants: name them, or let agents be seen at work"
            ),
            Self::Refused { code } => format!("the matter was refused: {code}"),
        }
    }
}

/// What the triggers put on record.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Event {
    /// From now on these numbers and charters hold.
    Regulated {
        /// The charter for each priority.
        charters: Charters,
        /// The numbers.
        rules: Box<Rules>,
    },
    /// A trigger fired.
    Fired {
        /// Which.
        kind: TriggerKind,
        /// The matter it opened, if it did.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        matter: Option<MatterId>,
        /// What it watched: the listed reason, the checkpoint, the phase, the measure, the pattern.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        of: Option<String>,
        /// How urgent it is.
        priority: Priority,
        /// Until then it rests.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        rests_until: Option<At>,
        /// What rests with it, where that is less than all it watches: a reason, or the beginning of a digest.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        subject: Option<String>,
        /// Why no matter was opened.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        unopened: Option<Unopened>,
    },
    /// A trigger did not fire.
    Declined {
        /// Which.
        kind: TriggerKind,
        /// What it watched.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        of: Option<String>,
        /// Why not.
        why: Declined,
    },
}

/// Judged by its own rule: it fires with a priority, or why it does not.
pub type TriggerJudgement = Result<Priority, Declined>;

/// What the house remembers of its triggers.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct Triggers {
    regulated: Option<(Charters, Box<Rules>)>,
    /// When each fired last.
    last: BTreeMap<TriggerKind, At>,
    /// Which rest, and until when.
    #[serde(with = "crate::kernel::pairs")]
    resting: BTreeMap<(TriggerKind, String), At>,
    /// When what is pending was last looked through, or first could have been.
    looked: Option<At>,
}

impl Triggers {
    /// The numbers, if there are any yet.
    pub fn rules(&self) -> Option<&Rules> {
        self.regulated.as_ref().map(|(_, rules)| &**rules)
    }

    /// The charter for each priority.
    pub fn charters(&self) -> Option<&Charters> {
        self.regulated.as_ref().map(|(charters, _)| charters)
    }

    /// When a trigger fired last.
    pub fn last(&self, kind: TriggerKind) -> Option<At> {
        self.last.get(&kind).copied()
    }

    /// What of a trigger rests at a time, and until when.
    pub fn resting(&self, kind: TriggerKind, at: At) -> impl Iterator<Item = (&str, At)> {
        let all = self.resting.iter().filter(move |((of, _), until)| *of == kind && **until > at);
        all.map(|((_, name), until)| (name.as_str(), *until))
    }

    /// When what is pending is to be looked through again; none if that is switched off.
    pub fn due(&self) -> Option<At> {
        let rules = &self.rules()?.scheduled;
        rules.on.then_some(self.looked?.plus(rules.interval_ms))
    }

    /// Why a trigger that would fire may not yet.
    pub fn rested(
        &self,
        at: At,
        kind: TriggerKind,
        of: Option<&str>,
        subject: Option<&str>,
    ) -> Result<(), Declined> {
        match self.resting.get(&mark(kind, of, subject)) {
            Some(until) if *until > at => Err(Declined::Resting { until: *until }),
            Some(_) | None => Ok(()),
        }
    }

    /// Until when a trigger rests that fires now.
    pub fn rests_until(&self, at: At, kind: TriggerKind) -> Option<At> {
        let rules = self.rules()?;
        let cooldown_ms = match kind {
            TriggerKind::User => rules.user.cooldown_ms,
            TriggerKind::Agent => rules.agent.cooldown_ms,
            TriggerKind::Monitor => rules.monitor.cooldown_ms,
            TriggerKind::Checkpoint => rules.checkpoint.cooldown_ms,
            TriggerKind::Phase => rules.phase.cooldown_ms,
            TriggerKind::Threshold => rules.threshold.cooldown_ms,
            // It rests by its interval.
            TriggerKind::Scheduled => rules.scheduled.interval_ms,
        };
        (cooldown_ms > 0).then(|| at.plus(cooldown_ms))
    }

    /// Records an event.
    pub fn apply(&mut self, at: At, event: &Event) {
        match event {
            Event::Regulated { charters, rules } => {
                self.regulated = Some((*charters, rules.clone()));
                self.looked.get_or_insert(at);
            }
            Event::Fired { kind, of, rests_until, subject, .. } => {
                self.last.insert(*kind, at);
                if let Some(until) = rests_until {
                    self.resting.insert(mark(*kind, of.as_deref(), subject.as_deref()), *until);
                }
                self.look(*kind, at);
            }
            Event::Declined { kind, .. } => self.look(*kind, at),
        }
        self.resting.retain(|_, until| *until > at);
    }

    fn look(&mut self, kind: TriggerKind, at: At) {
        if kind == TriggerKind::Scheduled {
            self.looked = Some(at);
        }
    }
}

/// What rests together.
fn mark(kind: TriggerKind, of: Option<&str>, subject: Option<&str>) -> (TriggerKind, String) {
    let of = match kind {
        TriggerKind::User | TriggerKind::Agent | TriggerKind::Scheduled => String::new(),
        TriggerKind::Monitor | TriggerKind::Checkpoint | TriggerKind::Phase | TriggerKind::Threshold => {
            of.unwrap_or_default().into()
        }
    };
    match (of.is_empty(), subject) {
        (_, None) => (kind, of),
        (true, Some(subject)) => (kind, subject.into()),
        (false, Some(subject)) => (kind, format!("{of} {subject}")),
    }
}

// Names of checkpoints, phases and measures are names.
words!(enum TriggerCause {
    User { | priority },
    Agent { reason | agent, confidence },
    Checkpoint { | flagged, name },
    Phase { | from, to },
    Threshold { | name, value },
    Scheduled,
});
words!(struct CouncilRequest { cause, description, topic | participants });
