//! How the workshop is doing: what is frozen, what is stuck, who is reliable, what to do next. Derived from the house alone.

use std::collections::BTreeSet;

use serde::Serialize;

use super::author::is_user_or_house;
use super::credit_rules;
use super::notices::{missing_readers, readers_in_words, still_needs_somebody};
use super::seat::UNREADABLE;
use super::view::{IssueRow, escalation_at, issue_rows};
use crate::house::{House, Reader};
use crate::issue::{AgentTally, DocketRow, Freedom, IssueStatus, IssueTally, NoticeKind, Topic};
use crate::kernel::{At, Epistemic, Who, text};
use crate::ledger::{EscalationLevel, ProfilePeriods};

/// After so many comments that were turned away a thread does not get anywhere by itself.
const REFUSED_STUCK: u32 = 3;
/// From this share of its comments on an issue is about to run out of them, in percent.
const FULL_STUCK: u32 = 80;

/// See the module.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct WorkshopReport {
    /// Issues by status: open, frozen, resolved, closed; and apart from these how many the house itself opened that are not over.
    pub issues: IssueCounts,
    /// Frozen issues.
    pub frozen: Vec<ReportedIssue>,
    /// Open issues that do not get anywhere.
    pub stuck: Vec<ReportedIssue>,
    /// Every agent that commented or opened something, in the order of their names.
    pub agents: Vec<ReportedAgent>,
    /// Topics with issues, those that are circled first.
    pub topics: Vec<ReportedTopic>,
    /// What the house holds to be true, and what contradicts it.
    pub canon: ReportedCanon,
    /// What to do, most pressing first.
    pub recommendations: Vec<ReportAdvice>,
}

/// Issues by status.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize)]
pub struct IssueCounts {
    /// Anybody may comment.
    pub open: u32,
    /// They rest.
    pub frozen: u32,
    /// They were resolved.
    pub resolved: u32,
    /// They were closed without a resolution.
    pub closed: u32,
    /// Not over, and opened by the house itself: somebody is to see to another issue or a topic. Those above do not hold them.
    pub own: u32,
}

/// An issue that needs somebody.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct ReportedIssue {
    /// Its number.
    pub number: u64,
    /// What it is called.
    pub title: String,
    /// Why it is here.
    pub why: String,
}

/// What one agent did.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct ReportedAgent {
    /// Who.
    pub who: Who,
    /// Comments that stand.
    pub comments: u32,
    /// Of those, with evidence.
    pub with_evidence: u32,
    /// The same in percent.
    pub evidence_percent: u32,
    /// Comments that were turned away.
    pub refused: u32,
    /// The same of all they tried, in percent.
    pub refused_percent: u32,
    /// Issues that they froze.
    pub froze: u32,
    /// Issues opened.
    pub opened: u32,
    /// Of those, applied in the work.
    pub applied: u32,
    /// Of those, irrelevant.
    pub irrelevant: u32,
    /// Its credits with the model that answers for it.
    pub credits: i64,
    /// How reliable its citations are.
    pub tier: &'static str,
    /// How far it may go by itself.
    pub trust: &'static str,
    /// How closely it is watched.
    pub level: &'static str,
    /// How free it is to take part, where somebody limited it.
    pub freedom: Freedom,
    /// A placeholder of a rehearsal: nothing of this says anything about anybody.
    pub rehearsal: bool,
}

/// How canon is doing.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize)]
pub struct ReportedCanon {
    /// Entries that hold.
    pub entries: u32,
    /// Entries whose time is up.
    pub expired: Vec<String>,
    /// Conflicts that nobody has decided, the oldest first.
    pub conflicts: Vec<ReportedConflict>,
    /// Claims that a model proposed and nobody has decided.
    pub proposals: u32,
    /// Issues that are agreed and not canon yet.
    pub agreed: Vec<u64>,
}

/// A text that contradicts an entry. Its words are not here: `synod canon conflicts` shows them.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct ReportedConflict {
    /// The issue.
    pub number: u64,
    /// The entry at the version that held.
    pub entry: String,
    /// Who wrote the text.
    pub who: Who,
    /// The record of it.
    pub id: String,
}

/// A topic.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct ReportedTopic {
    /// Its tag.
    pub tag: String,
    /// Issues.
    pub issues: u32,
    /// Accesses.
    pub accesses: u32,
    /// How often one of them was applied.
    pub applied: u32,
    /// Whether it is worked on again and again with little result.
    pub circled: bool,
    /// Why agents may open nothing under it for now, where its tag is frozen.
    pub frozen: Option<String>,
}

/// Something to do.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct ReportAdvice {
    /// Why.
    pub why: String,
    /// What to type.
    pub command: String,
}

impl WorkshopReport {
    /// How the workshop is doing at a moment; of agents, since a tally was taken.
    pub fn of(house: &House, at: At, since: Option<&IssueTally>) -> Self {
        let mut counts = IssueCounts::default();
        let (mut frozen, mut stuck) = (Vec::new(), Vec::new());
        for row in issue_rows(house, Reader::Operator, at) {
            if house.docket().row(row.id).is_none_or(|known| known.meta.is_some()) {
                counts.own += u32::from(!row.status.is_over());
                continue;
            }
            match row.status {
                IssueStatus::Open => {
                    counts.open += 1;
                    stuck.extend(is_stuck(house, &row).map(|why| reported(&row, why)));
                }
                IssueStatus::Frozen => {
                    counts.frozen += 1;
                    let until = row.frozen_until.map(|until| format!(", until {until}")).unwrap_or_default();
                    frozen.push(reported(&row, format!("{}{until}", row.frozen_by.unwrap_or("frozen"))));
                }
                IssueStatus::Resolved => counts.resolved += 1,
                IssueStatus::Closed => counts.closed += 1,
            }
        }
        let agents = agents(house, since);
        let (topics, canon) = (topics(house), canon(house, at));
        let mut report =
            Self { issues: counts, frozen, stuck, agents, topics, canon, recommendations: Vec::new() };
        report.recommendations = recommend(house, at, &report);
        report
    }
}

fn reported(row: &IssueRow<'_>, why: String) -> ReportedIssue {
    ReportedIssue { number: row.number, title: row.title.clone(), why }
}

/// Why an open issue does not get anywhere, if it does not.
fn is_stuck(house: &House, row: &IssueRow<'_>) -> Option<String> {
    let known = house.docket().row(row.id)?;
    let digest = house.summary(row.id)?.digest;
    let total = house.charter(&digest)?.rules.workshop()?.comments_total.is;
    if row.tags.contains(&"stuck") {
        return Some("tagged #stuck".into());
    }
    if known.refused >= REFUSED_STUCK {
        return Some(format!("{} comments were refused", known.refused));
    }
    let unread = house.case(row.id)?.lapses.iter().filter(|lapse| lapse.cause.code == UNREADABLE).count();
    if unread > 0 {
        return Some(format!("{} of seats could not be read", text::counted(unread as u64, "answer")));
    }
    // What counts since its budgets were last renewed, not all that was ever said.
    let used = house.case(row.id)?.issue()?.counted;
    let full = u64::from(used) * 100 >= total * u64::from(FULL_STUCK);
    full.then(|| format!("{used} of {total} comments are used up without a resolution"))
}

fn percent(part: u32, whole: u32) -> u32 {
    if whole == 0 { 0 } else { (u64::from(part) * 100 / u64::from(whole)) as u32 }
}

fn agents(house: &House, since: Option<&IssueTally>) -> Vec<ReportedAgent> {
    let rules = credit_rules(house);
    let before = |who: &Who| since.and_then(|tally| tally.agents.get(who).copied()).unwrap_or_default();
    let row = |(who, now): (&Who, &AgentTally)| {
        let then = before(who);
        let comments = now.comments.saturating_sub(then.comments);
        let refused = now.refused.saturating_sub(then.refused);
        let with_evidence = now.with_evidence.saturating_sub(then.with_evidence);
        let profile = house.ledger().profile(&rules, who, &house.model_of(who), ProfilePeriods::default());
        ReportedAgent {
            who: who.clone(),
            comments,
            with_evidence,
            evidence_percent: percent(with_evidence, comments),
            refused,
            refused_percent: percent(refused, comments.saturating_add(refused)),
            froze: now.froze.saturating_sub(then.froze),
            opened: now.opened.saturating_sub(then.opened),
            applied: now.applied.saturating_sub(then.applied),
            irrelevant: now.irrelevant.saturating_sub(then.irrelevant),
            credits: profile.lifetime,
            tier: profile.tier.word(),
            trust: profile.trust.word(),
            level: profile.level.word(),
            freedom: house.docket().freedom(who),
            rehearsal: house.roster().is_placeholder(who),
        }
    };
    house.docket().tally().agents.iter().filter(|(who, _)| !is_user_or_house(who)).map(row).collect()
}

/// A tag that no issue has.
const NO_TOPIC: Topic = Topic { issues: 0, accesses: 0, applied: 0, irrelevant: 0, warned: None };

fn topics(house: &House) -> Vec<ReportedTopic> {
    let adopted = house.docket().charter().and_then(|digest| house.charter(&digest));
    let health = adopted.and_then(|adopted| adopted.rules.workshop()).map(|rules| rules.topic_health());
    let row = |(tag, topic): (&crate::issue::Tag, &crate::issue::Topic)| ReportedTopic {
        tag: tag.to_string(),
        issues: topic.issues,
        accesses: topic.accesses,
        applied: topic.applied,
        circled: health.as_ref().is_some_and(|health| health.is_circled(topic)),
        frozen: house.docket().frozen_tag(tag).map(str::to_string),
    };
    // A frozen tag is shown also where nobody has used it.
    let frozen = house.docket().frozen_tags().map(|(tag, _)| (tag, &NO_TOPIC));
    let frozen = frozen.filter(|(tag, _)| house.docket().topic(tag).is_none_or(|topic| topic.issues == 0));
    let used = house.docket().topics().filter(|(_, topic)| topic.issues > 0);
    let mut topics: Vec<ReportedTopic> = used.chain(frozen).map(row).collect();
    topics.sort_by_key(|topic| (!topic.circled, std::cmp::Reverse(topic.accesses)));
    topics
}

fn canon(house: &House, at: At) -> ReportedCanon {
    let canon = house.canon();
    let mut conflicts = Vec::new();
    for found in canon.found().filter(|found| canon.is_open(found, at)) {
        let Some(row) = house.docket().row(found.matter) else { continue };
        let open = found.conflicts.iter().filter(|note| canon.is_undecided(found, note, at));
        let mut entries: Vec<String> = open.map(|note| note.entry.to_string()).collect();
        entries.dedup();
        conflicts.extend(entries.into_iter().map(|entry| ReportedConflict {
            number: row.number,
            entry,
            who: found.who.clone(),
            id: found.id.to_string(),
        }));
    }
    // Not what the house opened itself, nor what was closed without a resolution, nor what has nothing to do with the project: none of it
    // says anything about the world.
    let says_something =
        |row: &DocketRow| row.meta.is_none() && row.status != IssueStatus::Closed && !row.irrelevant;
    let is_deleted = |id| house.summary(id).is_none_or(|known| known.redacted_by.is_some());
    let agreed = house
        .docket()
        .rows()
        .filter(|(id, row)| row.epistemic == Epistemic::Agreed && says_something(row) && !is_deleted(*id))
        // Whoever ended what was made of it does not want it again.
        .filter(|(id, _)| !canon.ever_rested_on(*id));
    ReportedCanon {
        entries: canon.current(at).count() as u32,
        expired: canon.expired(at).map(|(name, _)| name.to_string()).collect(),
        conflicts,
        proposals: canon.proposals().filter(|proposed| proposed.decided.is_none()).count() as u32,
        agreed: agreed.map(|(_, row)| row.number).collect(),
    }
}

/// More than this share of what an agent tried was refused, in percent: it is not left to itself.
const REFUSED_MUCH: u32 = 30;
/// Fewer attempts say nothing about an agent.
const ATTEMPTS_LEAST: u32 = 5;

/// What to do, most pressing first.
fn recommend(house: &House, at: At, report: &WorkshopReport) -> Vec<ReportAdvice> {
    let mut all: Vec<ReportAdvice> = report.frozen.iter().map(thaw).collect();
    all.extend(asked_for(house, at));
    all.extend(report.canon.conflicts.iter().map(decide));
    let health = house.health(crate::roster::HealthMode::Editor);
    all.extend(health.flaws.iter().map(|flaw| advice(flaw.message(), flaw.fix().to_string())));
    all.extend(report.stuck.iter().map(force));
    all.extend(report.agents.iter().filter_map(restrain));
    for topic in report.topics.iter().filter(|topic| topic.circled && topic.frozen.is_none()) {
        let tag = topic.tag.trim_start_matches('#');
        all.push(advice(
            format!("{} is circled: {} accesses, {} applied", topic.tag, topic.accesses, topic.applied),
            format!("synod issue freeze-tag {tag} --because \"…\""),
        ));
    }
    if report.canon.proposals > 0 {
        let proposals = text::counted(report.canon.proposals.into(), "proposal");
        all.push(advice(format!("{proposals} of claims not decided"), "synod canon list".into()));
    }
    all.extend(report.canon.agreed.iter().map(|number| {
        advice(
            format!("#{number} is agreed and not canon yet"),
            format!("synod canon promote NAME --issue {number}"),
        )
    }));
    all
}

fn advice(why: String, command: String) -> ReportAdvice {
    ReportAdvice { why, command }
}

fn thaw(issue: &ReportedIssue) -> ReportAdvice {
    let number = issue.number;
    advice(
        format!("#{number} is frozen ({})", issue.why),
        format!("synod issue unfreeze {number} --guidance \"…\""),
    )
}

fn decide(conflict: &ReportedConflict) -> ReportAdvice {
    let ReportedConflict { number, entry, who, id } = conflict;
    let name = entry.trim_start_matches("canon:");
    advice(
        format!("{who} contradicts {entry} in #{number}: override, keep or discuss"),
        format!("synod canon decide {name} keep --conflict {id}"),
    )
}

fn force(issue: &ReportedIssue) -> ReportAdvice {
    let number = issue.number;
    advice(
        format!("#{number} is stuck: {}", issue.why),
        format!("synod issue force {number} --decision \"…\" --because \"…\""),
    )
}

/// What notices ask for that nothing else here says: somebody wants an issue looked at, or nobody can object or review. Once for each
/// issue, the newest first.
fn asked_for(house: &House, at: At) -> Vec<ReportAdvice> {
    let open = house.docket().notices().rev().filter(|notice| still_needs_somebody(house, notice, at));
    let mut told = BTreeSet::new();
    let mut all = Vec::new();
    for notice in open {
        let Some(row) = house.docket().row(notice.matter) else { continue };
        let number = row.number;
        let (why, command) = match &notice.what {
            NoticeKind::Escalated => {
                let asked = house.case(notice.matter).and_then(|case| escalation_at(case, notice.at));
                let who = asked.map_or("somebody", |(who, _)| who.as_str());
                (format!("{who} wants you to look at #{number}"), format!("synod issue show {number}"))
            }
            NoticeKind::NoDevilsAdvocate => (
                format!("nobody is available to object in #{number}"),
                "synod agents appoint NAME --devils-advocate".into(),
            ),
            NoticeKind::NoBlindReader => {
                let missing = missing_readers(house);
                let role = missing.first().map_or("critic", |role| role.word());
                let lacks = readers_in_words(&missing);
                (
                    format!("#{number} is a large change and lacks {lacks}"),
                    format!("synod agents appoint NAME --role {role}"),
                )
            }
            NoticeKind::Frozen { .. } | NoticeKind::Leech | NoticeKind::CanonConflict => continue,
            NoticeKind::AgentWatched { .. } | NoticeKind::AgentFlagged { .. } => continue,
        };
        if told.insert(why.clone()) {
            all.push(advice(why, command));
        }
    }
    all
}

/// What to do about an agent, if anything: one that is flagged first, then one that is refused often. Not again about one whom somebody
/// limited already, nor about a placeholder.
fn restrain(agent: &ReportedAgent) -> Option<ReportAdvice> {
    let who = &agent.who;
    if agent.rehearsal || agent.freedom != Freedom::Full {
        return None;
    }
    if agent.level == EscalationLevel::Flagged.word() {
        let why = format!("{who} is flagged: too many of its last actions cost credits");
        return Some(advice(why, format!("synod issue freedom {who} limited")));
    }
    let tried = agent.comments + agent.refused >= ATTEMPTS_LEAST;
    (tried && agent.refused_percent > REFUSED_MUCH).then(|| {
        advice(
            format!("{}% of what {who} wrote was refused", agent.refused_percent),
            format!("synod issue freedom {who} limited"),
        )
    })
}
