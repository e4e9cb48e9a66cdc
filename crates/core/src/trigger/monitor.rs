//! The monitor found something. How urgent that is says the pattern.

use serde::{Deserialize, Serialize};

use super::{Declined, TriggerJudgement};
use crate::kernel::Priority;

/// The numbers.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Rules {
    /// Whether each subject of a pattern (a file, a topic, an agent) rests by itself.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub by_subject: bool,
    /// How long a pattern rests after it fired.
    pub cooldown_ms: u64,
    /// Whether findings open matters; they are recorded in any case.
    pub on: bool,
}

/// Whether it fires.
pub fn judge(rules: &Rules, priority: Priority) -> TriggerJudgement {
    if rules.on { Ok(priority) } else { Err(Declined::Off) }
}
