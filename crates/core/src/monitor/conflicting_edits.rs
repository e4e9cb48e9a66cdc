//! Several agents write one file. Reading is no edit.

use super::{Finding, Monitor, Pattern, Rules, distinct};

pub(super) fn find(rules: &Rules, monitor: &Monitor, path: &str) -> Option<Finding> {
    let rules = &rules.conflicting_edits;
    let agents = distinct(monitor.edits.iter().filter(|edit| *edit.path == *path).map(|edit| &edit.agent));
    let count = agents.len() as u64;
    let subject = Some(path.to_string());
    (rules.on && count >= u64::from(rules.least)).then_some(Finding {
        agents,
        count,
        pattern: Pattern::ConflictingEdits,
        subject,
    })
}
