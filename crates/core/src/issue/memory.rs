//! What the house should let go of: topics that are circled, issues that touch nothing any more, and what a period taught.
//! Pure functions of the docket and of numbers that a charter sets; what they find changes nothing by itself.

use super::{AgentTally, Docket, DocketRow, IssueTally, Tag, Topic};
use crate::kernel::{At, Priority, Ratio, Who};

/// The numbers by which a topic counts as circled.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct TopicHealth {
    /// From this many issues on.
    pub issues: u32,
    /// From this many accesses on.
    pub accesses: u32,
    /// With less than this share of the accesses applied.
    pub applied: Ratio,
}

impl TopicHealth {
    /// Whether a topic is circled: many issues, many accesses, and too little that came of them.
    pub fn is_circled(&self, topic: &Topic) -> bool {
        topic.issues >= self.issues
            && topic.accesses >= self.accesses
            && topic.accesses > 0
            && !self.applied.is_met_by(topic.applied.min(topic.accesses), topic.accesses)
    }

    /// All topics that are circled, by tag.
    pub fn circled<'d>(&'d self, docket: &'d Docket) -> impl Iterator<Item = (&'d Tag, &'d Topic)> {
        docket.topics().filter(|(_, topic)| self.is_circled(topic))
    }
}

/// How urgent an issue still is after a time in which it touched no file of the project.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct FadedPriority {
    /// What is left of its priority.
    pub priority: Priority,
    /// Whether it belongs to the archive: it had the lowest priority and touched nothing for as long again. It comes back
    /// with the next comment that touches a file.
    pub archived: bool,
}

impl FadedPriority {
    /// Each time `fade_ms` passes without a file, an issue loses a step of priority; after the last step it is archived.
    pub fn of(row: &DocketRow, at: At, fade_ms: u64) -> Self {
        let mut steps = at.since(row.touched) / fade_ms.max(1);
        let mut priority = row.priority;
        while steps > 0 {
            steps -= 1;
            priority = match priority {
                Priority::Critical => Priority::High,
                Priority::High => Priority::Normal,
                Priority::Normal => Priority::Low,
                Priority::Low => return Self { priority, archived: true },
            };
        }
        Self { priority, archived: false }
    }
}

/// What went well and what did not between two moments.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PeriodReflection {
    /// What happened, counted.
    pub tally: IssueTally,
    /// Topics with more accesses than anything that came of them would explain, most accesses first.
    pub circled: Vec<(Tag, u32, u32)>,
    /// What each agent did, most comments first.
    pub agents: Vec<ReflectedAgent>,
}

/// What one agent did in a period.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ReflectedAgent {
    /// Who.
    pub who: Who,
    /// What, counted.
    pub tally: AgentTally,
}

impl PeriodReflection {
    /// What happened between two tallies.
    pub fn between(from: &IssueTally, to: &IssueTally, health: &TopicHealth) -> Self {
        let agents = to.agents.iter().map(|(who, tally)| {
            let before = from.agents.get(who).copied().unwrap_or_default();
            ReflectedAgent { who: who.clone(), tally: minus(*tally, before) }
        });
        let mut agents: Vec<ReflectedAgent> =
            agents.filter(|agent| agent.tally != AgentTally::default()).collect();
        agents.sort_by(|one, other| (other.tally.comments, &one.who).cmp(&(one.tally.comments, &other.who)));
        let topics = to.topics.iter().map(|(tag, (accesses, applied))| {
            let (seen, used) = from.topics.get(tag).copied().unwrap_or_default();
            (tag.clone(), accesses.saturating_sub(seen), applied.saturating_sub(used))
        });
        let topics: Vec<(Tag, u32, u32)> = topics.filter(|(_, accesses, _)| *accesses > 0).collect();
        let circles = |(_, accesses, applied): &(Tag, u32, u32)| {
            *accesses >= health.accesses && !health.applied.is_met_by((*applied).min(*accesses), *accesses)
        };
        let mut circled: Vec<(Tag, u32, u32)> =
            topics.iter().filter(|topic| circles(topic)).cloned().collect();
        circled.sort_by(|one, other| (other.1, &one.0).cmp(&(one.1, &other.0)));
        let less = |of: fn(&IssueTally) -> u32| of(to).saturating_sub(of(from));
        let tally = IssueTally {
            opened: less(|tally| tally.opened),
            resolved: less(|tally| tally.resolved),
            closed: less(|tally| tally.closed),
            comments: less(|tally| tally.comments),
            refused: less(|tally| tally.refused),
            escalations: less(|tally| tally.escalations),
            frozen: less(|tally| tally.frozen),
            applied: less(|tally| tally.applied),
            irrelevant: less(|tally| tally.irrelevant),
            agents: agents.iter().map(|agent| (agent.who.clone(), agent.tally)).collect(),
            topics: topics.into_iter().map(|(tag, accesses, applied)| (tag, (accesses, applied))).collect(),
        };
        Self { tally, circled, agents }
    }
}

fn minus(now: AgentTally, before: AgentTally) -> AgentTally {
    AgentTally {
        opened: now.opened.saturating_sub(before.opened),
        applied: now.applied.saturating_sub(before.applied),
        irrelevant: now.irrelevant.saturating_sub(before.irrelevant),
        resolved: now.resolved.saturating_sub(before.resolved),
        comments: now.comments.saturating_sub(before.comments),
        with_evidence: now.with_evidence.saturating_sub(before.with_evidence),
        refused: now.refused.saturating_sub(before.refused),
        froze: now.froze.saturating_sub(before.froze),
    }
}
