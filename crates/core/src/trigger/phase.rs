//! A phase of work is left for another: what some of them came to is decided together first.

use serde::{Deserialize, Serialize};

use super::{Declined, TriggerJudgement};
use crate::kernel::Priority;

/// The numbers.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Rules {
    /// How long a phase rests after it fired.
    pub cooldown_ms: u64,
    /// Leaving these calls for a council.
    pub from: Vec<String>,
    /// How urgent it is.
    pub priority: Priority,
}

/// Whether it fires.
pub fn judge(rules: &Rules, from: &str) -> TriggerJudgement {
    if rules.from.iter().any(|known| known == from) { Ok(rules.priority) } else { Err(Declined::OtherPhase) }
}
