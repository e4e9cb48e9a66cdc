//! An agent asks for a council: for a listed reason, and if it is sure enough.

use serde::{Deserialize, Serialize};

use super::{Declined, TriggerJudgement, code};
use crate::kernel::prose::says;
use crate::kernel::{Permille, Priority, Reading};

/// The numbers.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Rules {
    /// Whether each reason rests by itself. Else one agent's noise about one thing silences every other reason.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub by_reason: bool,
    /// How long it rests after it fired.
    pub cooldown_ms: u64,
    /// From here on it is important.
    pub high: Permille,
    /// From here on it fires.
    pub least: Permille,
    /// The reasons that call for a council.
    pub reasons: Vec<ListedReason>,
}

/// A listed reason.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ListedReason {
    /// Its name.
    pub name: String,
    /// How it is said: beginnings of words that stand one after the other.
    pub says: Vec<String>,
}

/// The listed reason behind what an agent said: its name, or words for it that nothing denies.
pub fn listed<'a>(rules: &'a Rules, said: &str, reading: Reading) -> Option<&'a str> {
    let name = code(said);
    let named = rules.reasons.iter().find(|reason| reason.name == name);
    let meant =
        || rules.reasons.iter().find(|reason| reason.says.iter().any(|phrase| says(said, phrase, reading)));
    named.or_else(meant).map(|reason| reason.name.as_str())
}

/// Whether it fires.
pub fn judge(rules: &Rules, reason: Option<&str>, confidence: Permille) -> TriggerJudgement {
    match reason {
        None => Err(Declined::Unlisted),
        Some(_) if confidence < rules.least => Err(Declined::Below { given: confidence, least: rules.least }),
        Some(_) if confidence >= rules.high => Ok(Priority::High),
        Some(_) => Ok(Priority::Normal),
    }
}
