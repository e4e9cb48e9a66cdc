//! What a participant is among agents that work together. Only the operator appoints: a role is power, and a name is not.

use serde::{Deserialize, Serialize};

/// A role among agents that work together.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum WorkRole {
    /// Sees to threads, not to what is written.
    Moderator,
    /// Slices work and paces it. A team has exactly one.
    Assistant,
    /// Reads what is proposed.
    Critic,
    /// Watches that things fit together.
    Continuity,
    /// Does the work.
    Writer,
    /// Leads, as the user does.
    Lead,
}

impl WorkRole {
    /// All of them, with the words they are written as.
    pub const WORDS: [(&'static str, Self); 6] = [
        ("moderator", Self::Moderator),
        ("assistant", Self::Assistant),
        ("critic", Self::Critic),
        ("continuity", Self::Continuity),
        ("writer", Self::Writer),
        ("lead", Self::Lead),
    ];

    /// The word it is written as.
    pub fn word(self) -> &'static str {
        match self {
            Self::Moderator => "moderator",
            Self::Assistant => "assistant",
            Self::Critic => "critic",
            Self::Continuity => "continuity",
            Self::Writer => "writer",
            Self::Lead => "lead",
        }
    }
}

/// The role and standing of a participant.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Appointment {
    /// Whether it can be told to object.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub can_be_devils_advocate: bool,
    /// Whether it takes part at all.
    pub enabled: bool,
    /// Its role.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub role: Option<WorkRole>,
}

/// As somebody is whom nobody appointed.
impl Default for Appointment {
    fn default() -> Self {
        Self { can_be_devils_advocate: false, enabled: true, role: None }
    }
}
