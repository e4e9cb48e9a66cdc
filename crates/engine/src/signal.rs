//! Signals: how asks are getting on, for whoever looks while they are under way.
//!
//! Nothing is recorded and nothing follows from them; one that nobody looks at, or that comes faster than it is looked at, is
//! lost. Whether a reader may see a line that is being written is for the lens to say, not for whoever sends it.

use synod_core::kernel::{AskId, Cause, MatterId, Who};

/// How one ask is getting on.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Signal {
    /// The ask.
    pub ask: AskId,
    /// Its matter.
    pub matter: MatterId,
    /// Who is asked.
    pub who: Who,
    /// What happens.
    pub live: AskProgress,
}

/// The progress of an ask that is under way.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum AskProgress {
    /// Its turn began.
    Started,
    /// A try failed, and another follows.
    Retrying {
        /// Why it failed.
        cause: Cause,
        /// What is waited before the next.
        wait_ms: u64,
    },
    /// The answer is being written. The first of these is its first token.
    Writing {
        /// About so many tokens so far.
        tokens: u64,
        /// Its first line, once there is one.
        line: Option<String>,
    },
    /// A tool is used.
    Tool {
        /// Which.
        name: String,
    },
    /// It is answered.
    Answered,
    /// It failed.
    Failed {
        /// Why.
        cause: Cause,
    },
}
