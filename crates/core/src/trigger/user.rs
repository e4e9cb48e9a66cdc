//! A person asks for a council. Nothing stands in the way.

use serde::{Deserialize, Serialize};

use super::TriggerJudgement;
use crate::kernel::Priority;

/// The numbers.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Rules {
    /// How long it rests after it fired.
    pub cooldown_ms: u64,
    /// How urgent it is where nothing is said.
    pub priority: Priority,
}

/// It fires, as urgent as was said.
pub fn judge(rules: &Rules, said: Option<Priority>) -> TriggerJudgement {
    Ok(said.unwrap_or(rules.priority))
}
