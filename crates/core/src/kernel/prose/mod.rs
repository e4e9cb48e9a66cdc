//! Reading prose without understanding it: words and clauses in any script, what denies and what only seems to,
//! opposites, and how like two texts are.
//!
//! Two organs read prose: the watch compares what seats said, the monitor what agents were seen to say. Nothing
//! here judges; what cannot be told from the words is left untold.
//!
//! To teach it a language: `words.rs`.

mod align;
pub(crate) mod index;
mod light;
mod likeness;
mod nothing;
pub(crate) mod phrase;
mod poles;
mod signs;
mod sketch;
mod stance;
pub(crate) mod token;
mod turned;
mod words;

pub(crate) use likeness::{Glance, Prose};
pub use likeness::{likeness, opposed, same};
pub(crate) use nothing::{Nameable, is_gone, says_none};
pub(crate) use poles::against;
pub(crate) use sketch::{FigureBits, Sketch};
pub(crate) use stance::says;
pub use stance::{Stance, stance};
pub(crate) use turned::turns_against;

/// How closely texts are read. What an edition of the rules overlooked stays overlooked where its acts are judged again.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Reading {
    /// Words and the denials before them: edition 2.
    Early,
    /// Also signs beside words, and denials behind them.
    #[default]
    Close,
}

/// Whether a denial between these two words is only part of a set phrase: `not only`.
pub(crate) fn seems(before: Option<&str>, word: &str, after: Option<&str>) -> bool {
    words::seems(before, word, after)
}

/// Whether a word denies by itself: `not`, `kein`, `nobody`.
pub(crate) fn denies(word: &str) -> bool {
    words::denies(word).is_some_and(|how| !matches!(how, words::Deny::Ne | words::Deny::AfterNe))
}
