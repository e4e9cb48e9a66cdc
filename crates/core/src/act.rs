//! What a journal keeps: acts.

use serde::{Deserialize, Serialize};

use crate::kernel::{Actor, At, Key, Seq};
use crate::{Command, Event};

/// One command, who gave it and when, and what came of it.
///
/// Events rebuild the house; commands are what a replay judges again.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Act {
    /// Its number in the journal.
    pub seq: Seq,
    /// When it was judged.
    pub at: At,
    /// Who gave the command.
    pub by: Actor,
    /// The idempotency key, where one was given.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub key: Option<Key>,
    /// What was commanded.
    pub command: Command,
    /// What came of it.
    pub outcome: Outcome,
}

/// What came of a command.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Outcome {
    /// It was allowed and caused these events, in this order.
    Done(Vec<Event>),
    /// The rules said no. Nothing changed.
    Refused {
        /// The stable code of the refusal.
        code: String,
        /// The refusal in one sentence.
        message: String,
    },
}

impl Act {
    /// The events, none if the command was refused.
    pub fn events(&self) -> &[Event] {
        match &self.outcome {
            Outcome::Done(events) => events,
            Outcome::Refused { .. } => &[],
        }
    }
}
