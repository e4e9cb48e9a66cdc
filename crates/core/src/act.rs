//! What a journal keeps: acts.

use std::sync::Arc;

use serde::{Deserialize, Serialize};

use crate::kernel::{Actor, At, Digest, Key, Message, Seq, Words};
use crate::{Command, Event, context, matter};

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
    /// Random, for what a participant gave. Hashes of acts get out with proofs and acknowledgements, and a vote that nobody may
    /// know yet must not be guessed from its hash. It goes when the words are deleted.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub salt: Option<String>,
    /// Who vouched that the command is its author's; nobody where the house itself, its owner or its engine gave it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub vouched: Option<Vouched>,
}

/// Who vouched that a command is its author's, and what proves it. It is kept for readers; of all of it the rules look
/// only at whether there is a signature, where one is due.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Vouched {
    /// `owner` if the process that holds the house speaks for the author, else `token:` and the id of the token that was shown.
    pub by: String,
    /// Binds the command to the token that was shown.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub mac: Option<Mac>,
    /// The record that the author had seen when it signed. It is part of the signed text: ids alone name something else in
    /// another history.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub seen: Option<SeenRecord>,
    /// The author's own signature, in hex. Checked before the command was judged.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub signature: Option<String>,
}

/// One record of the journal. Its hash covers everything before it, so it names a whole history.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct SeenRecord {
    /// The number of the act.
    pub act: Seq,
    /// The hash of its record.
    pub hash: Digest,
}

impl Vouched {
    /// Vouched for by the process that holds the house.
    pub fn by_owner() -> Self {
        Self { by: "owner".into(), mac: None, seen: None, signature: None }
    }

    /// The id of the token that was shown.
    pub fn token(&self) -> Option<&str> {
        self.by.strip_prefix("token:")
    }
}

/// A message authentication code over author, command and key, by a secret that follows from the token.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Mac {
    /// Random, so that no two are the same.
    pub nonce: String,
    /// The code.
    pub tag: Digest,
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
        message: Message,
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

    /// Whether the same command came to the same, however it was worded: messages are never compared, and neither is a
    /// question that the house itself put.
    pub fn agrees_with(&self, other: &Self) -> bool {
        self == other || self.unworded() == other.unworded()
    }

    /// The act without messages, without questions that the house itself put, and without what it gave as the reason
    /// for them.
    fn unworded(&self) -> Self {
        let mut act = self.clone();
        act.salt = None; // chance, not judged
        match &mut act.outcome {
            Outcome::Done(events) => events.visit_messages(&mut String::clear),
            Outcome::Refused { message, .. } => message.visit_messages(&mut String::clear),
        }
        if let Command::Workshop(command) = &act.command {
            // What the house itself opens it words itself.
            let given = usize::from(command.opens());
            if let Outcome::Done(events) = &mut act.outcome {
                for event in events.iter_mut().skip(given) {
                    if let Event::Matter(matter::Event::Opened(opening)) = event {
                        Arc::make_mut(opening).question.topic = "".into();
                    }
                }
            }
            return act;
        }
        // Whatever else opens a matter is given the question.
        let asked = if let Command::Trigger(request) = &act.command {
            request.topic.is_some()
        } else if matches!(act.command, Command::Observe { .. } | Command::Tick) {
            false
        } else {
            return act;
        };
        let Outcome::Done(events) = &mut act.outcome else { return act };
        for event in events {
            if let Event::Matter(matter::Event::Opened(opening)) = event
                && !asked
            {
                Arc::make_mut(opening).question.topic = "".into();
            }
            if let Event::Context(context::Event::Given { material, .. }) = event {
                material.text.clear();
            }
        }
        act
    }
}
