//! How urgent a thing is.

use std::fmt;

use serde::{Deserialize, Serialize};

/// From the most urgent to the least, which is also the order of sorting.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Priority {
    /// Security, production: everybody must agree.
    Critical,
    /// Important.
    High,
    /// As usual.
    Normal,
    /// When there is time.
    Low,
}

impl Priority {
    /// All of them with their words, most urgent first.
    pub const WORDS: [(&'static str, Self); 4] =
        [("critical", Self::Critical), ("high", Self::High), ("normal", Self::Normal), ("low", Self::Low)];

    /// The word for it.
    pub fn word(self) -> &'static str {
        match self {
            Self::Critical => "critical",
            Self::High => "high",
            Self::Normal => "normal",
            Self::Low => "low",
        }
    }
}

impl fmt::Display for Priority {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.word())
    }
}
