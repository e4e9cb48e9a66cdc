//! A seat: a participant as one matter knows them, copied in when the matter opens so that later changes
//! of the roster cannot rewrite who took part.

use std::fmt;
use std::sync::Arc;

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
    /// Rank and lines, for a seat that comes from a roster.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub profile: Option<Arc<SeatProfile>>,
    /// The canonical id.
    pub who: Who,
}

/// A seat as a roster describes it beyond its point of view.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct SeatProfile {
    /// What it is there to support.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub green_lines: Vec<String>,
    /// Where it speaks among the others.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub rank: Option<Rank>,
    /// What it does not accept.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub red_lines: Vec<String>,
    /// What it is called besides its name.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub title: Option<String>,
}

/// A rank: those of a lower place speak first.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Rank {
    /// Counted from 1, the highest rank.
    pub place: u16,
    /// The rank in a word.
    pub name: String,
}

impl Seat {
    /// Its rank, if it has one.
    pub fn rank(&self) -> Option<&Rank> {
        self.profile.as_ref()?.rank.as_ref()
    }
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

words!(struct Seat { persona, profile | kind, backend, model, name, who });
words!(struct SeatProfile { green_lines, red_lines, title | rank });
words!(struct Perspective { name, view | });
