//! A seat: a participant as one matter knows them, copied in when the matter opens so that later changes
//! of the roster cannot rewrite who took part.

use std::fmt;

use serde::{Deserialize, Serialize};

use super::{Who, words};

/// What kind of participant sits there.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum SeatKind {
    /// A language model behind an API.
    Model,
    /// A person.
    Person,
    /// A file of answers.
    Scripted,
    /// A program that reads the brief and prints an answer.
    CommandLine,
    /// A stand-in that does not reason. Labelled as such wherever its words appear.
    Rehearsal,
    /// An agent or a person that comes for its turns by itself. Nobody calls it.
    Outside,
}

impl fmt::Display for SeatKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Model => "model",
            Self::Person => "person",
            Self::Scripted => "scripted",
            Self::CommandLine => "command line",
            Self::Rehearsal => "rehearsal",
            Self::Outside => "outside",
        })
    }
}

/// A participant in a matter.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Seat {
    /// What sits there.
    pub kind: SeatKind,
    /// How its answers are got, as the operator wrote it, such as `openai:MODEL`. Never holds a secret. The record has had
    /// another name for it since its first edition, and its bytes are frozen.
    #[serde(rename = "mind")]
    pub backend: String,
    /// The model asked for.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub model: Option<String>,
    /// The name as people wrote it.
    pub name: String,
    /// A point of view it is asked to bring.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub persona: Option<String>,
    /// The canonical id.
    pub who: Who,
}

/// A field to speak for.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Perspective {
    /// Its name.
    pub name: String,
    /// What it looks at.
    pub view: String,
}

impl Perspective {
    /// A perspective written as `name: view`, or as a view alone.
    pub fn from_text(written: &str) -> Self {
        let written = super::text::one_line(written);
        match written.split_once(':') {
            Some((name, view)) if !name.trim().is_empty() && !view.trim().is_empty() => {
                Self { name: name.trim().into(), view: view.trim().into() }
            }
            Some(_) | None => Self { name: written.clone(), view: written },
        }
    }
}

words!(struct Seat { persona | kind, backend, model, name, who });
words!(struct Perspective { name, view | });
