//! What an agent was seen to do: as it is told, and as it is understood.

use serde::{Deserialize, Serialize};

use crate::kernel::prose::stance;
use crate::kernel::{Reading, Stance, Who, text};

/// The longest path, in characters.
pub const PATH_MOST: usize = 1000;
/// The longest topic or subject, in characters.
pub const TOPIC_MOST: usize = 500;
/// The longest text, in characters.
pub const TEXT_MOST: usize = 4000;

/// Who did what.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Observation {
    /// Who.
    pub agent: Who,
    /// What.
    pub seen: ObservedAction,
}

/// The action that an agent was seen to do.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ObservedAction {
    /// The agent wrote a file.
    Write {
        /// Which.
        path: String,
    },
    /// The agent read a file.
    Read {
        /// Which.
        path: String,
    },
    /// The agent gave an opinion.
    Opinion {
        /// The side, where it was said outright; else the text is read for one.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        stance: Option<Stance>,
        /// In its words.
        text: String,
        /// On what.
        topic: String,
    },
    /// The agent was corrected.
    Correction {
        /// How.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        text: Option<String>,
    },
    /// The agent found something out.
    Insight {
        /// About what.
        subject: String,
        /// What.
        text: String,
    },
    /// The agent got further, or is done.
    Progress {
        /// There is nothing left to do.
        #[serde(default, skip_serializing_if = "std::ops::Not::not")]
        done: bool,
        /// How far.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        text: Option<String>,
    },
    /// The agent turned to a person, or a person stepped in.
    Escalation {
        /// Over what.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        text: Option<String>,
    },
    /// A decision waits for somebody to take it.
    Pending {
        /// Which.
        topic: String,
    },
    /// A decision that waited was taken.
    Decided {
        /// Which.
        topic: String,
    },
}

/// The part of an observation that the house keeps.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ObservationNote {
    /// A file was written.
    Write {
        /// Its path, in one spelling.
        path: String,
    },
    /// Something was read.
    Read,
    /// A side was taken.
    Opinion {
        /// Which.
        stance: Stance,
        /// On what.
        topic: String,
    },
    /// It was corrected.
    Correction,
    /// It found something out.
    Insight {
        /// About what.
        subject: String,
        /// What.
        text: String,
    },
    /// It got further.
    Progress {
        /// It is done.
        done: bool,
    },
    /// A person was turned to.
    Escalation,
    /// A decision waits.
    Pending {
        /// Which.
        topic: String,
    },
    /// A decision was taken.
    Decided {
        /// Which.
        topic: String,
    },
}

/// Problems with an observation.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum MalformedObservation {
    /// Nothing stands there.
    #[error("the {what} of the observation is empty: say what was seen")]
    Empty {
        /// What.
        what: &'static str,
    },
    /// More stands there than can be kept.
    #[error("the {what} of the observation has {given} characters, at most {most} are kept: shorten it")]
    TooLong {
        /// What.
        what: &'static str,
        /// So many.
        given: usize,
        /// Allowed.
        most: usize,
    },
}

impl Observation {
    /// What to keep of it, or what is wrong with it.
    pub fn note(&self) -> Result<ObservationNote, MalformedObservation> {
        self.note_by(Reading::Close)
    }

    /// The same as an edition of the rules reads it.
    pub(crate) fn note_by(&self, reading: Reading) -> Result<ObservationNote, MalformedObservation> {
        let remark = |text: &Option<String>| match text {
            Some(text) => fits("text", text, TEXT_MOST).map(drop),
            None => Ok(()),
        };
        Ok(match &self.seen {
            ObservedAction::Write { path } => {
                ObservationNote::Write { path: one_path(fits("path", path, PATH_MOST)?) }
            }
            ObservedAction::Read { path } => {
                fits("path", path, PATH_MOST)?;
                ObservationNote::Read
            }
            ObservedAction::Opinion { stance: told, text: said, topic } => {
                let topic = text::one_line(fits("topic", topic, TOPIC_MOST)?);
                let said = fits("text", said, TEXT_MOST)?;
                ObservationNote::Opinion { stance: told.unwrap_or_else(|| stance(said, reading)), topic }
            }
            ObservedAction::Correction { text } => {
                remark(text)?;
                ObservationNote::Correction
            }
            ObservedAction::Insight { subject, text: said } => ObservationNote::Insight {
                subject: text::one_line(fits("subject", subject, TOPIC_MOST)?),
                text: fits("text", said, TEXT_MOST)?.to_string(),
            },
            ObservedAction::Progress { done, text } => {
                remark(text)?;
                ObservationNote::Progress { done: *done }
            }
            ObservedAction::Escalation { text } => {
                remark(text)?;
                ObservationNote::Escalation
            }
            ObservedAction::Pending { topic } => {
                ObservationNote::Pending { topic: text::one_line(fits("topic", topic, TOPIC_MOST)?) }
            }
            ObservedAction::Decided { topic } => {
                ObservationNote::Decided { topic: text::one_line(fits("topic", topic, TOPIC_MOST)?) }
            }
        })
    }
}

fn fits<'a>(what: &'static str, text: &'a str, most: usize) -> Result<&'a str, MalformedObservation> {
    let (trimmed, given) = (text.trim(), text::length(text));
    if text::one_line(trimmed).is_empty() {
        return Err(MalformedObservation::Empty { what });
    }
    if given > most { Err(MalformedObservation::TooLong { what, given, most }) } else { Ok(trimmed) }
}

/// One spelling of a path: `./src//a.rs` and `src\a.rs` are `src/a.rs`. Upper and lower case are kept apart, as
/// most file systems do.
fn one_path(path: &str) -> String {
    let path = text::one_line(path).replace('\\', "/");
    let mut steps: Vec<&str> = Vec::new();
    for step in path.split('/').filter(|step| !step.is_empty() && *step != ".") {
        match (step, steps.last()) {
            ("..", Some(last)) if *last != ".." => drop(steps.pop()),
            (step, _) => steps.push(step),
        }
    }
    let root = if path.starts_with('/') { "/" } else { "" };
    format!("{root}{}", steps.join("/"))
}
