//! What a period taught: what went right, what went wrong, which topics were circled, and which credits went with results.
//! Derived from the house alone, so it can be read again at any time, also while the period is open.

use std::collections::BTreeMap;

use serde::Serialize;

use super::author::is_user_or_house;
use crate::house::House;
use crate::issue::{IssueTally, PeriodReflection, ReflectedAgent};
use crate::kernel::text::counted;
use crate::kernel::{At, Id, Who};
use crate::ledger::{CreditReason, CreditTally};
use crate::period::Period;

/// See the module.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct ReflectionReport {
    /// The name of the period.
    pub period: String,
    /// When it began.
    pub opened: At,
    /// When it ended; absent while it is open.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub closed: Option<At>,
    /// What happened, counted.
    pub counts: ReflectedCounts,
    /// What went right, in sentences.
    pub right: Vec<String>,
    /// What went wrong, in sentences.
    pub wrong: Vec<String>,
    /// Topics that were worked on again and again with little result, most accesses first.
    pub circled: Vec<CircledTopic>,
    /// What each agent did, most comments first.
    pub agents: Vec<AgentReflection>,
    /// What credits were given for, and whether they went to agents with results.
    pub credits: Vec<ReflectedCredit>,
}

/// What happened in a period, counted.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize)]
pub struct ReflectedCounts {
    /// Issues opened.
    pub opened: u32,
    /// Issues resolved.
    pub resolved: u32,
    /// Issues closed without a resolution.
    pub closed: u32,
    /// Marks that something was applied.
    pub applied: u32,
    /// Marks that something is irrelevant.
    pub irrelevant: u32,
    /// Comments that stand.
    pub comments: u32,
    /// Comments that were refused.
    pub refused: u32,
    /// Comments that escalated.
    pub escalations: u32,
    /// Freezes.
    pub frozen: u32,
}

/// A topic that was circled in a period.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct CircledTopic {
    /// Its tag.
    pub tag: String,
    /// Accesses.
    pub accesses: u32,
    /// How often something of it was applied.
    pub applied: u32,
}

/// What one agent did in a period.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct AgentReflection {
    /// Who.
    pub who: Who,
    /// Comments that stand.
    pub comments: u32,
    /// Comments that were refused.
    pub refused: u32,
    /// Issues that it froze.
    pub froze: u32,
    /// Issues that it resolved.
    pub resolved: u32,
    /// Of the issues that it opened, those that were applied.
    pub applied: u32,
    /// Citations that hold.
    pub verified: u32,
    /// Citations that do not hold.
    pub false_citations: u32,
    /// Credits.
    pub credits: i64,
}

impl AgentReflection {
    /// Whether something came of its work that somebody else can see.
    fn has_results(&self) -> bool {
        self.resolved + self.applied > 0
    }
}

/// What one reason for credit came to in a period.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct ReflectedCredit {
    /// The reason.
    pub reason: &'static str,
    /// How often.
    pub times: u32,
    /// Credits to agents who resolved an issue, or whose issue was applied.
    pub with_results: i64,
    /// Credits to all others.
    pub without_results: i64,
}

impl ReflectionReport {
    /// What a period taught so far. `None` where issues were never configured.
    pub fn of(house: &House, period: &Period) -> Option<Self> {
        let adopted = house.docket().charter().and_then(|digest| house.charter(&digest))?;
        let health = adopted.rules.workshop()?.topic_health();
        let (from, to) = house.docket().period(period.id)?;
        let found = PeriodReflection::between(from, to.unwrap_or(house.docket().tally()), &health);
        let resolvers = found.agents.iter().filter(|agent| agent.tally.resolved > 0);
        let resolvers: Vec<String> =
            resolvers.map(|agent| format!("{} {}", agent.who, agent.tally.resolved)).collect();
        let agents = agents(house, period.id, &found.agents);
        let circled = found.circled.iter().map(|(tag, accesses, applied)| CircledTopic {
            tag: tag.to_string(),
            accesses: *accesses,
            applied: *applied,
        });
        let (counts, circled) = (counts(&found.tally), circled.collect::<Vec<_>>());
        Some(Self {
            right: right(house, period.id, &counts, &agents, &resolvers),
            wrong: wrong(&counts, &agents, &circled),
            credits: credits(house, period.id, &agents),
            period: period.name.clone(),
            opened: period.opened,
            closed: period.closed,
            counts,
            circled,
            agents,
        })
    }
}

fn counts(tally: &IssueTally) -> ReflectedCounts {
    ReflectedCounts {
        opened: tally.opened,
        resolved: tally.resolved,
        closed: tally.closed,
        applied: tally.applied,
        irrelevant: tally.irrelevant,
        comments: tally.comments,
        refused: tally.refused,
        escalations: tally.escalations,
        frozen: tally.frozen,
    }
}

/// Every agent that did something or got credit. The user and the house are none.
fn agents(house: &House, period: Id, done: &[ReflectedAgent]) -> Vec<AgentReflection> {
    let mut earned: BTreeMap<Who, CreditTally> = house.ledger().period_totals(period).into_iter().collect();
    let row = |who: &Who, agent: Option<&ReflectedAgent>, credit: CreditTally| {
        let tally = agent.map(|agent| agent.tally).unwrap_or_default();
        AgentReflection {
            who: who.clone(),
            comments: tally.comments,
            refused: tally.refused,
            froze: tally.froze,
            resolved: tally.resolved,
            applied: tally.applied,
            verified: credit.verified,
            false_citations: credit.citations.saturating_sub(credit.verified),
            credits: credit.credits,
        }
    };
    let mut rows: Vec<AgentReflection> = done
        .iter()
        .filter(|agent| !is_user_or_house(&agent.who))
        .map(|agent| row(&agent.who, Some(agent), earned.remove(&agent.who).unwrap_or_default()))
        .collect();
    rows.extend(earned.into_iter().map(|(who, credit)| row(&who, None, credit)));
    rows
}

fn right(
    house: &House,
    period: Id,
    counts: &ReflectedCounts,
    agents: &[AgentReflection],
    resolvers: &[String],
) -> Vec<String> {
    let mut said = Vec::new();
    let mut add = |count: u32, words: &dyn Fn(String) -> String, noun: &str| {
        if count > 0 {
            said.push(words(counted(count.into(), noun)));
        }
    };
    let by = if resolvers.is_empty() { String::new() } else { format!(" ({})", resolvers.join(", ")) };
    add(counts.resolved, &|issues| format!("{issues} resolved{by}"), "issue");
    add(counts.applied, &|results| format!("{results} applied in the work"), "result");
    let verified = agents.iter().map(|agent| agent.verified).sum();
    add(verified, &|citations| format!("{citations} verified"), "citation");
    let team = house.ledger().team_credits(Some(period));
    if team != 0 {
        said.push(format!("the team earned {}", counted(team.unsigned_abs(), "credit")));
    }
    said
}

fn wrong(counts: &ReflectedCounts, agents: &[AgentReflection], circled: &[CircledTopic]) -> Vec<String> {
    let mut said = Vec::new();
    let mut add = |count: u32, noun: &str, words: &str, who: Vec<String>| {
        if count > 0 {
            let who = if who.is_empty() { String::new() } else { format!(" ({})", who.join(", ")) };
            said.push(format!("{} {words}{who}", counted(count.into(), noun)));
        }
    };
    let most = |of: &dyn Fn(&AgentReflection) -> u32| -> Vec<String> {
        let named = agents.iter().filter(|agent| of(agent) > 0);
        named.map(|agent| format!("{} {}", agent.who, of(agent))).collect()
    };
    add(counts.refused, "comment", "refused", most(&|agent| agent.refused));
    add(counts.frozen, "issue", "frozen", most(&|agent| agent.froze));
    let lies = agents.iter().map(|agent| agent.false_citations).sum();
    add(lies, "citation", "did not hold", most(&|agent| agent.false_citations));
    add(counts.irrelevant, "issue", "marked irrelevant", Vec::new());
    for topic in circled {
        let CircledTopic { tag, accesses, applied } = topic;
        said.push(format!("{tag} was circled: {accesses} accesses, {applied} applied"));
    }
    said
}

fn credits(house: &House, period: Id, agents: &[AgentReflection]) -> Vec<ReflectedCredit> {
    let mut rows: BTreeMap<CreditReason, ReflectedCredit> = BTreeMap::new();
    for (who, tally) in house.ledger().period_totals(period) {
        let results = agents.iter().any(|agent| agent.who == who && agent.has_results());
        for (reason, (times, credits)) in &tally.reasons {
            let row = rows.entry(*reason).or_insert_with(|| ReflectedCredit {
                reason: reason.word(),
                times: 0,
                with_results: 0,
                without_results: 0,
            });
            row.times += times;
            let side = if results { &mut row.with_results } else { &mut row.without_results };
            *side += credits;
        }
    }
    let mut rows: Vec<ReflectedCredit> = rows.into_values().collect();
    rows.sort_by_key(|row| (-row.with_results, row.without_results, row.reason));
    rows
}
