//! Messages: sentences worded by Synod itself, such as the detail of a fault or of a repair.
//!
//! They are recorded so that readers of a record see what participants were told, and left out when a replay compares
//! (`Act::agrees_with`): a later build may word them better without coming out otherwise. What a message is about is always said by a code or a typed field
//! beside it.

use std::fmt;
use std::ops::Deref;

use serde::{Deserialize, Serialize};

use super::Words;

/// See the module.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Message(String);

impl PartialEq<str> for Message {
    fn eq(&self, text: &str) -> bool {
        self.0 == text
    }
}

impl PartialEq<&str> for Message {
    fn eq(&self, text: &&str) -> bool {
        self.0 == *text
    }
}

impl Deref for Message {
    type Target = str;
    fn deref(&self) -> &str {
        &self.0
    }
}

impl From<String> for Message {
    fn from(text: String) -> Self {
        Self(text)
    }
}

impl From<&str> for Message {
    fn from(text: &str) -> Self {
        Self(text.into())
    }
}

impl From<Message> for String {
    fn from(message: Message) -> Self {
        message.0
    }
}

impl fmt::Display for Message {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// A message may quote what somebody wrote.
impl Words for Message {
    fn visit_words(&mut self, visit: &mut dyn FnMut(&mut String)) {
        visit(&mut self.0);
    }

    fn visit_messages(&mut self, visit: &mut dyn FnMut(&mut String)) {
        visit(&mut self.0);
    }
}
