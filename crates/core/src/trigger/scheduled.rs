//! Every so often what is pending is looked through, if anything is and there are agents to do it.

use serde::{Deserialize, Serialize};

use super::{Declined, TriggerJudgement};
use crate::kernel::Priority;

/// The numbers.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Rules {
    /// So many agents must be active.
    pub active_least: u32,
    /// How often.
    pub interval_ms: u64,
    /// Whether it happens by itself.
    pub on: bool,
    /// How urgent it is.
    pub priority: Priority,
}

/// Whether it fires.
pub fn judge(rules: &Rules, pending: usize, active: usize) -> TriggerJudgement {
    let active = u32::try_from(active).unwrap_or(u32::MAX);
    match (pending, active) {
        (0, _) => Err(Declined::NothingPending),
        (_, active) if active < rules.active_least => {
            Err(Declined::TooFewActive { active, least: rules.active_least })
        }
        (..) => Ok(rules.priority),
    }
}
