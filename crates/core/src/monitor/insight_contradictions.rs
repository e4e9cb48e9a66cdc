//! Insights of different agents about one subject contradict each other.
//!
//! Each agent counts with its last word on the subject: whoever corrects themself contradicts nobody. Two
//! insights contradict each other if one denies what the other says in the same words, if they give other figures
//! in the same words, or if one is for the subject and the other against it. What is counted are the
//! insights that stand against another.

use std::collections::BTreeMap;

use super::{Finding, Monitor, Pattern, Rules};
use crate::kernel::prose::{Prose, Stance, stance};
use crate::kernel::{Reading, Who, text};

pub(super) fn find(rules: &Rules, monitor: &Monitor, subject: &str, reading: Reading) -> Option<Finding> {
    let rules = &rules.insight_contradictions;
    let key = text::fold(subject);
    let told = monitor.insights.iter().filter(|insight| *insight.subject == *key);
    let last: BTreeMap<&Who, &str> = told.map(|insight| (&insight.agent, &*insight.text)).collect();
    let read: Vec<ReadInsight<'_>> =
        last.iter().map(|(who, said)| ReadInsight::of(who, said, reading)).collect();
    let disputed =
        |one: &&ReadInsight<'_>| read.iter().any(|other| one.agent != other.agent && one.disputes(other));
    let agents: Vec<Who> = read.iter().filter(disputed).map(|one| one.agent.clone()).collect();
    let (count, subject) = (agents.len() as u64, Some(subject.to_string()));
    (rules.on && count >= u64::from(rules.least)).then_some(Finding {
        agents,
        count,
        pattern: Pattern::InsightContradictions,
        subject,
    })
}

struct ReadInsight<'a> {
    agent: &'a Who,
    prose: Prose,
    stance: Stance,
}

impl<'a> ReadInsight<'a> {
    fn of(agent: &'a Who, said: &str, reading: Reading) -> Self {
        Self { agent, prose: Prose::read(said, reading), stance: stance(said, reading) }
    }

    fn disputes(&self, other: &Self) -> bool {
        let sides = (self.stance, other.stance);
        self.prose.disputes(&other.prose)
            || sides == (Stance::For, Stance::Against)
            || sides == (Stance::Against, Stance::For)
    }
}
