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
pub(crate) mod phrase;
mod poles;
mod sketch;
mod stance;
pub(crate) mod token;
mod turned;
mod words;

pub(crate) use likeness::Prose;
pub use likeness::{likeness, opposed, same};
pub(crate) use poles::against;
pub(crate) use sketch::{FigureBits, Sketch};
pub(crate) use stance::says;
pub use stance::{Stance, stance};
pub(crate) use turned::turns_against;

/// Whether a word denies by itself: `not`, `kein`, `nobody`.
pub(crate) fn denies(word: &str) -> bool {
    words::denies(word).is_some_and(|how| !matches!(how, words::Deny::Ne | words::Deny::AfterNe))
}
