//! A checkpoint is reached: some always call for a council, others if they are flagged.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use super::{Declined, TriggerJudgement};
use crate::kernel::Priority;

/// The numbers.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Rules {
    /// Those that always call for a council, and how urgent each is.
    pub always: BTreeMap<String, Priority>,
    /// How long a checkpoint rests after it fired.
    pub cooldown_ms: u64,
    /// How urgent the others are.
    pub flagged: Priority,
}

/// Whether it fires.
pub fn judge(rules: &Rules, name: &str, flagged: bool) -> TriggerJudgement {
    match rules.always.get(name) {
        Some(priority) => Ok(*priority),
        None if flagged => Ok(rules.flagged),
        None => Err(Declined::Unflagged),
    }
}
