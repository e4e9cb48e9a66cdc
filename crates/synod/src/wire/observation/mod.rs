//! Observations and requests for a council: one shape and one reader, whether they come as a line on stdin, a request
//! over HTTP or a message on Redis.
//!
//! `read` reads them, `notice` says what came of them.

mod notice;
mod read;

use serde::Serialize;
use synod_core::kernel::{Permille, Priority, Stance, Who};
use synod_core::monitor::{Observation, ObservedAction};
use synod_core::trigger::{CouncilRequest, TriggerCause};
use utoipa::ToSchema;

use super::words;

pub(crate) use notice::{Noted, Notice, PatternNotice, TriggerNotice};
pub(crate) use read::{UnreadableInput, from_line, observation, request};

/// Something an agent was seen to do. A participant reports what it does itself.
#[derive(Debug, Clone, Serialize, ToSchema)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub(crate) enum Observed {
    /// A file was written.
    Write {
        #[schema(min_length = 1)]
        agent: String,
        path: String,
    },
    /// A file was read.
    Read {
        #[schema(min_length = 1)]
        agent: String,
        path: String,
    },
    /// An opinion was stated.
    Opinion {
        #[schema(min_length = 1)]
        agent: String,
        topic: String,
        text: String,
        stance: Option<words::StanceWord>,
    },
    /// The agent was corrected.
    Correction {
        #[schema(min_length = 1)]
        agent: String,
        text: Option<String>,
    },
    /// Something was found out.
    Insight {
        #[schema(min_length = 1)]
        agent: String,
        subject: String,
        text: String,
    },
    /// Work went on, or is done.
    Progress {
        #[schema(min_length = 1)]
        agent: String,
        text: Option<String>,
        done: Option<bool>,
    },
    /// A person was asked for.
    Escalation {
        #[schema(min_length = 1)]
        agent: String,
        text: Option<String>,
    },
    /// A decision is needed.
    Pending {
        #[schema(min_length = 1)]
        agent: String,
        topic: String,
    },
    /// It is needed no longer.
    Decided {
        #[schema(min_length = 1)]
        agent: String,
        topic: String,
    },
}

/// A request for a council. A participant asks with the kind `agent` and its own name. With every kind `topic` is the
/// question, `description` is put before the council, and `participants` take part; those concerned if left out.
#[derive(Debug, Clone, Serialize, ToSchema)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub(crate) enum Called {
    /// A person asks.
    User {
        #[serde(skip_serializing_if = "Option::is_none")]
        #[schema(value_type = Option<words::PriorityWord>)]
        priority: Option<Priority>,
        #[serde(skip_serializing_if = "Option::is_none")]
        topic: Option<String>,
        #[serde(skip_serializing_if = "Option::is_none")]
        description: Option<String>,
        #[serde(skip_serializing_if = "Vec::is_empty")]
        #[schema(value_type = Option<Vec<String>>)]
        participants: Vec<Who>,
    },
    /// An agent asks, for a listed reason.
    Agent {
        #[schema(value_type = String, min_length = 1)]
        agent: Who,
        reason: String,
        #[schema(value_type = f64, minimum = 0, maximum = 1)]
        confidence: f64,
        #[serde(skip_serializing_if = "Option::is_none")]
        topic: Option<String>,
        #[serde(skip_serializing_if = "Option::is_none")]
        description: Option<String>,
        #[serde(skip_serializing_if = "Vec::is_empty")]
        #[schema(value_type = Option<Vec<String>>)]
        participants: Vec<Who>,
    },
    /// A checkpoint is reached.
    Checkpoint {
        name: String,
        #[schema(value_type = Option<bool>)]
        flagged: bool,
        #[serde(skip_serializing_if = "Option::is_none")]
        topic: Option<String>,
        #[serde(skip_serializing_if = "Option::is_none")]
        description: Option<String>,
        #[serde(skip_serializing_if = "Vec::is_empty")]
        #[schema(value_type = Option<Vec<String>>)]
        participants: Vec<Who>,
    },
    /// One phase of work ends and another begins.
    Phase {
        from: String,
        to: String,
        #[serde(skip_serializing_if = "Option::is_none")]
        topic: Option<String>,
        #[serde(skip_serializing_if = "Option::is_none")]
        description: Option<String>,
        #[serde(skip_serializing_if = "Vec::is_empty")]
        #[schema(value_type = Option<Vec<String>>)]
        participants: Vec<Who>,
    },
    /// A measure is high.
    Threshold {
        name: String,
        #[schema(value_type = f64, minimum = 0, maximum = 1)]
        value: f64,
        #[serde(skip_serializing_if = "Option::is_none")]
        topic: Option<String>,
        #[serde(skip_serializing_if = "Option::is_none")]
        description: Option<String>,
        #[serde(skip_serializing_if = "Vec::is_empty")]
        #[schema(value_type = Option<Vec<String>>)]
        participants: Vec<Who>,
    },
    /// It is time to look through pending decisions.
    Scheduled {
        #[serde(skip_serializing_if = "Option::is_none")]
        topic: Option<String>,
        #[serde(skip_serializing_if = "Option::is_none")]
        description: Option<String>,
        #[serde(skip_serializing_if = "Vec::is_empty")]
        #[schema(value_type = Option<Vec<String>>)]
        participants: Vec<Who>,
    },
}

impl From<&Observation> for Observed {
    fn from(observation: &Observation) -> Self {
        let agent = observation.agent.to_string();
        match observation.seen.clone() {
            ObservedAction::Write { path } => Self::Write { agent, path },
            ObservedAction::Read { path } => Self::Read { agent, path },
            ObservedAction::Opinion { stance, text, topic } => {
                let stance = stance.map(|stance| match stance {
                    Stance::For => words::StanceWord::For,
                    Stance::Against => words::StanceWord::Against,
                    Stance::Neutral => words::StanceWord::Neutral,
                });
                Self::Opinion { agent, topic, text, stance }
            }
            ObservedAction::Correction { text } => Self::Correction { agent, text },
            ObservedAction::Insight { subject, text } => Self::Insight { agent, subject, text },
            ObservedAction::Progress { done, text } => Self::Progress { agent, text, done: Some(done) },
            ObservedAction::Escalation { text } => Self::Escalation { agent, text },
            ObservedAction::Pending { topic } => Self::Pending { agent, topic },
            ObservedAction::Decided { topic } => Self::Decided { agent, topic },
        }
    }
}

impl From<&CouncilRequest> for Called {
    fn from(request: &CouncilRequest) -> Self {
        let CouncilRequest { cause, description, participants, topic } = request.clone();
        match cause {
            TriggerCause::User { priority } => Self::User { priority, topic, description, participants },
            TriggerCause::Agent { agent, confidence, reason } => {
                let confidence = share(confidence);
                Self::Agent { agent, reason, confidence, topic, description, participants }
            }
            TriggerCause::Checkpoint { flagged, name } => {
                Self::Checkpoint { name, flagged, topic, description, participants }
            }
            TriggerCause::Phase { from, to } => Self::Phase { from, to, topic, description, participants },
            TriggerCause::Threshold { name, value } => {
                Self::Threshold { name, value: share(value), topic, description, participants }
            }
            TriggerCause::Scheduled => Self::Scheduled { topic, description, participants },
        }
    }
}

/// A share as JSON writes it.
fn share(share: Permille) -> f64 {
    f64::from(share.get()) / 1000.0
}
