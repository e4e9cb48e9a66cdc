//! Agents turn to people several times, whoever of them it is.

use super::{Finding, Monitor, Pattern, Rules, distinct};

pub(super) fn find(rules: &Rules, monitor: &Monitor) -> Option<Finding> {
    let rules = &rules.human_escalation_cluster;
    let count = monitor.escalations.iter().count() as u64;
    let agents = distinct(monitor.escalations.iter());
    (rules.on && count >= u64::from(rules.least)).then_some(Finding {
        agents,
        count,
        pattern: Pattern::HumanEscalationCluster,
        subject: None,
    })
}
