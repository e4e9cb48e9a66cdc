//! Acts, commands and events as JSON text.
//!
//! They are made of most types of this crate, so the code that reads and writes them is large, and being generic it would be
//! compiled again in every crate that calls it. These functions are not generic: it is compiled here, once.

use crate::{Act, Command, Event};

/// What is wrong with a text that should be an act or a command.
pub type JsonError = serde_json::Error;

impl Act {
    /// Reads an act.
    pub fn from_json(text: &str) -> Result<Self, JsonError> {
        serde_json::from_str(text)
    }

    /// The act as JSON, keys in the order of its fields.
    pub fn to_json(&self) -> Result<String, JsonError> {
        serde_json::to_string(self)
    }
}

impl Command {
    /// Reads a command.
    pub fn from_json(text: &str) -> Result<Self, JsonError> {
        serde_json::from_str(text)
    }

    /// The command as JSON, keys in the order of its fields.
    pub fn to_json(&self) -> Result<String, JsonError> {
        serde_json::to_string(self)
    }
}

impl Event {
    /// The event as JSON, keys in the order of its fields.
    pub fn to_json(&self) -> Result<String, JsonError> {
        serde_json::to_string(self)
    }
}
