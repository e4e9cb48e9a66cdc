//! One agent is corrected several times.

use super::{Finding, Monitor, Pattern, Rules};
use crate::kernel::Who;

pub(super) fn find(rules: &Rules, monitor: &Monitor, agent: &Who) -> Option<Finding> {
    let rules = &rules.repeated_corrections;
    let count = monitor.corrections.iter().filter(|corrected| *corrected == agent).count() as u64;
    let agents = vec![agent.clone()];
    (rules.on && count >= u64::from(rules.least)).then_some(Finding {
        agents,
        count,
        pattern: Pattern::RepeatedCorrections,
        subject: None,
    })
}
