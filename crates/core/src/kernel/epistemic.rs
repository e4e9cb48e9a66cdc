//! How far what an issue says is to be relied on: the steps from an idea to what the house holds to be true.

use serde::{Deserialize, Serialize};

/// How far what an issue says is to be relied on.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Default, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Epistemic {
    /// An idea that nobody looked at.
    #[default]
    Draft,
    /// Somebody besides its author finds it sound.
    Tentative,
    /// Several do, and nobody objects. It may be referred to, and still be wrong.
    Agreed,
    /// The house holds it to be true.
    Canon,
}

impl Epistemic {
    /// All of them, with the words they are written as, from the bottom.
    pub const WORDS: [(&'static str, Self); 4] = [
        ("draft", Self::Draft),
        ("tentative", Self::Tentative),
        ("agreed", Self::Agreed),
        ("canon", Self::Canon),
    ];

    /// The word it is written as.
    pub fn word(self) -> &'static str {
        match self {
            Self::Draft => "draft",
            Self::Tentative => "tentative",
            Self::Agreed => "agreed",
            Self::Canon => "canon",
        }
    }

    /// The step above; none above canon.
    pub fn next(self) -> Option<Self> {
        match self {
            Self::Draft => Some(Self::Tentative),
            Self::Tentative => Some(Self::Agreed),
            Self::Agreed => Some(Self::Canon),
            Self::Canon => None,
        }
    }

    /// How many participants besides the author must support an issue for an agent to lift it here.
    pub fn support_needed(self) -> u32 {
        match self {
            Self::Draft => 0,
            Self::Tentative => 1,
            Self::Agreed => 2,
            Self::Canon => 0, // promotion has a rule of its own
        }
    }
}
