//! A measure, such as how far agents are apart, is high.

use serde::{Deserialize, Serialize};

use super::{Declined, TriggerJudgement};
use crate::kernel::{Permille, Priority};

/// The numbers.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Rules {
    /// How long a measure rests after it fired.
    pub cooldown_ms: u64,
    /// From here on it is important.
    pub high: Permille,
    /// From here on it fires.
    pub least: Permille,
}

/// Whether it fires.
pub fn judge(rules: &Rules, value: Permille) -> TriggerJudgement {
    if value < rules.least {
        return Err(Declined::Below { given: value, least: rules.least });
    }
    Ok(if value >= rules.high { Priority::High } else { Priority::Normal })
}
