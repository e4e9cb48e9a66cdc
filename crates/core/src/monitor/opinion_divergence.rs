//! Agents stand against each other over one topic.
//!
//! Each agent counts with the last opinion it gave. The score is twice the smaller side over all that were
//! heard, those on neither side included: two against two is 1, one against three 0.5, agreement 0.

use std::collections::BTreeMap;

use super::{Finding, Monitor, Pattern, Rules};
use crate::kernel::{Permille, Stance, Who, text};

pub(super) fn find(rules: &Rules, monitor: &Monitor, topic: &str) -> Option<Finding> {
    let rules = &rules.opinion_divergence;
    let key = text::fold(topic);
    let heard = monitor.opinions.iter().filter(|opinion| *opinion.topic == *key);
    let last: BTreeMap<&Who, Stance> = heard.map(|opinion| (&opinion.agent, opinion.stance)).collect();
    let on = |side: Stance| last.values().filter(|stance| **stance == side).count();
    let score = score(on(Stance::For), on(Stance::Against), last.len())?;
    let sided = last.iter().filter(|(_, stance)| **stance != Stance::Neutral);
    let agents = sided.map(|(who, _)| (*who).clone()).collect();
    let (count, subject) = (u64::from(score.get()), Some(topic.to_string()));
    (rules.on && score >= rules.least).then_some(Finding {
        agents,
        count,
        pattern: Pattern::OpinionDivergence,
        subject,
    })
}

/// Rounded down, so that nothing below a threshold is rounded up to it. Unknown if nobody was heard.
fn score(one: usize, other: usize, heard: usize) -> Option<Permille> {
    Permille::new((2000 * one.min(other)).checked_div(heard)? as u16)
}
