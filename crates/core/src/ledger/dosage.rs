//! How a task is cut for an agent that struggles, and what each slice is worth.

use serde::Serialize;

use super::{AgentTrust, CreditRate, EscalationLevel, Ledger, ReliabilityTier, RemediationConstraint, Rules};
use crate::kernel::Who;

/// The most slices of a task.
pub const SLICES_MOST: u32 = 100;

/// A whole in so many slices that together are the whole again; the first ones take what is left over. Ten in three are four,
/// three and three. Nothing is left of a whole in no slices.
pub fn slices(whole: i64, count: u32) -> Vec<i64> {
    let parts = i64::from(count.max(1));
    let (each, rest) = (whole / parts, whole % parts);
    let nth = |nth: u32| each + if i64::from(nth) < rest.abs() { rest.signum() } else { 0 };
    (0..count).map(nth).collect()
}

/// What the assistant has to know to give an agent a task of the right size.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct TaskDosage {
    /// Whether the assistant should lead the agent step by step.
    pub assisted: bool,
    /// What the agent has to heed.
    pub constraints: Vec<RemediationConstraint>,
    /// How closely it is watched.
    pub level: EscalationLevel,
    /// Its last actions that cost something.
    pub recent: CreditRate,
    /// Into how many slices to cut a task.
    pub slices: u32,
    /// How reliable it is.
    pub tier: ReliabilityTier,
    /// How far it may go by itself.
    pub trust: AgentTrust,
    /// Who.
    pub who: Who,
}

impl Ledger {
    /// What tasks an agent should get, by the record of the model that answers for it now.
    pub fn dosage(&self, rules: &Rules, who: &Who) -> TaskDosage {
        let record = self.active_record(who).cloned().unwrap_or_default();
        let trust = record.tally.trust(&rules.trust);
        let by_level = match record.level {
            EscalationLevel::Normal => rules.dosage.normal,
            EscalationLevel::Watch => rules.dosage.watch,
            EscalationLevel::Remediation => rules.dosage.remediation,
            EscalationLevel::Flagged => rules.dosage.flagged,
        };
        let by_trust = if trust == AgentTrust::Low { rules.dosage.watch } else { 1 };
        let (part, whole) = record.recent(rules.ladder.window);
        TaskDosage {
            assisted: record.level >= EscalationLevel::Remediation || trust == AgentTrust::Low,
            constraints: record.constraints(&rules.ladder),
            level: record.level,
            recent: CreditRate { part, whole },
            slices: by_level.max(by_trust).clamp(1, SLICES_MOST),
            tier: record.tally.tier(&rules.tiers),
            trust,
            who: who.clone(),
        }
    }
}
