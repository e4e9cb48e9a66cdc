//! The docket: what the house knows of all issues together, those included that left memory.
//!
//! **Accesses.** A topic is accessed when a participant does something that is on the record anyway: a comment on one of its
//! issues, one that was turned away, and a comment elsewhere that cites one of them. Reading is not on the record, so it
//! is no access; neither is what the user, the moderator or the house itself does: they see to topics, they do not circle
//! them. Issues that the house itself opened belong to no topic, else a warning would feed what it warns of.

use imbl::{OrdMap, Vector};
use serde::{Deserialize, Serialize};

use super::{
    Epistemic, Event, Freedom, IssueChange, IssueMark, IssueStatus, MetaIssue, NoticeKind, NoticeTo, Tag,
};
use crate::kernel::{
    At, AuthorClass, Breaker, CommentDeed, Contribution, Digest, Id, MatterId, Priority, Seq, Who,
    shared_list, shared_pairs,
};

/// How many notices are kept: a list that nobody reads to its end need not grow for ever.
const NOTICES_MOST: usize = 1000;
/// How many times of an agent are kept: more than any charter asks for.
const TIMES_MOST: usize = 100;

/// See the module. Copies are cheap: everything that grows is shared.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct Docket {
    #[serde(with = "shared_pairs")]
    rows: OrdMap<MatterId, DocketRow>,
    #[serde(with = "shared_pairs")]
    numbers: OrdMap<u64, MatterId>,
    #[serde(with = "shared_pairs")]
    topics: OrdMap<Tag, Topic>,
    #[serde(with = "shared_pairs")]
    frozen_tags: OrdMap<Tag, String>,
    #[serde(with = "shared_pairs")]
    freedoms: OrdMap<Who, Freedom>,
    #[serde(with = "shared_pairs")]
    tempers: OrdMap<Who, Temper>,
    #[serde(with = "shared_list")]
    notices: Vector<IssueNotice>,
    tally: IssueTally,
    /// The rules that issues are opened under.
    charter: Option<Digest>,
    /// The tally as it was when a period began, and when it ended.
    #[serde(with = "shared_pairs")]
    periods: OrdMap<Id, (IssueTally, Option<IssueTally>)>,
}

/// One issue in the docket.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct DocketRow {
    /// Its running number.
    pub number: u64,
    /// When it was opened.
    pub opened: At,
    /// Who opened it.
    pub by: Who,
    /// In which capacity.
    pub class: AuthorClass,
    /// Where it stands.
    pub status: IssueStatus,
    /// The act that settled it, while it is over.
    #[serde(default)]
    pub settled_by: Option<Seq>,
    /// Whose comment resolved it, while it is resolved.
    #[serde(default)]
    pub resolved_by: Option<Who>,
    /// The issue it went into.
    #[serde(default)]
    pub into: Option<MatterId>,
    /// Since when it rests, while it is frozen.
    pub frozen: Option<At>,
    /// Until when it rests, while it is frozen.
    pub until: Option<At>,
    /// What froze it, while it is frozen.
    pub breaker: Option<Breaker>,
    /// Who sees to it.
    pub assignee: Option<Who>,
    /// How urgent it is.
    pub priority: Priority,
    /// How far it is to be relied on.
    pub epistemic: Epistemic,
    /// How far it was to be relied on before something of it became canon.
    #[serde(default)]
    pub before_canon: Option<Epistemic>,
    /// What it is found by, in order.
    pub tags: Vec<Tag>,
    /// Why the house itself opened it.
    pub meta: Option<MetaIssue>,
    /// The issue that the house opened when this one was first frozen.
    pub meta_issue: Option<MatterId>,
    /// Comments.
    pub comments: u32,
    /// Of those, comments of placeholders in a rehearsal.
    #[serde(default)]
    pub rehearsed: u32,
    /// Comments that were turned away.
    pub refused: u32,
    /// Accesses, as topics count them.
    pub accesses: u32,
    /// How often it was marked as applied.
    pub applied: u32,
    /// Whether it was marked as irrelevant.
    pub irrelevant: bool,
    /// When it last touched a file of the project, or was opened.
    pub touched: At,
    /// When something last happened to it.
    pub last: At,
}

impl DocketRow {
    /// Where it stands at a moment.
    pub fn stands(&self, at: At) -> IssueStatus {
        self.status.at(self.until, at)
    }
}

/// A tag and what became of its issues.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct Topic {
    /// Issues that have it.
    pub issues: u32,
    /// Accesses of them.
    pub accesses: u32,
    /// How often one of them was applied.
    pub applied: u32,
    /// How many were marked as irrelevant.
    pub irrelevant: u32,
    /// The issue that warns of it.
    pub warned: Option<MatterId>,
}

/// How calm an agent was lately.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct Temper {
    /// When its comments escalated, latest last.
    pub escalations: Vec<At>,
    /// When its comments froze an issue, latest last.
    pub freezes: Vec<At>,
}

/// Something that somebody is told.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct IssueNotice {
    /// When.
    pub at: At,
    /// Of which issue.
    pub matter: MatterId,
    /// Who is told.
    pub to: NoticeTo,
    /// What.
    pub what: NoticeKind,
}

/// What happened in issues so far, counted. What happened in a period is the difference of two of them.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct IssueTally {
    /// Issues opened by participants.
    pub opened: u32,
    /// Issues resolved.
    pub resolved: u32,
    /// Issues closed without a resolution.
    pub closed: u32,
    /// Comments.
    pub comments: u32,
    /// Comments turned away.
    pub refused: u32,
    /// Comments that escalated.
    pub escalations: u32,
    /// Freezes.
    pub frozen: u32,
    /// Marks that something was applied.
    pub applied: u32,
    /// Marks that something is irrelevant.
    pub irrelevant: u32,
    /// The same for each agent.
    #[serde(with = "shared_pairs")]
    pub agents: OrdMap<Who, AgentTally>,
    /// Accesses and applications of each topic.
    #[serde(with = "shared_pairs")]
    pub topics: OrdMap<Tag, (u32, u32)>,
}

/// What one agent did in issues, counted.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct AgentTally {
    /// Issues opened.
    pub opened: u32,
    /// Of those, marks as applied.
    pub applied: u32,
    /// Of those, marks as irrelevant.
    pub irrelevant: u32,
    /// Issues that a comment of theirs resolved.
    pub resolved: u32,
    /// Comments.
    pub comments: u32,
    /// Of those, with evidence.
    pub with_evidence: u32,
    /// Comments turned away.
    pub refused: u32,
    /// Issues frozen by them.
    pub froze: u32,
}

/// Questions.
impl Docket {
    /// The charter that issues are opened under, once one was chosen.
    pub fn charter(&self) -> Option<Digest> {
        self.charter
    }

    /// The issue of a matter.
    pub fn row(&self, matter: MatterId) -> Option<&DocketRow> {
        self.rows.get(&matter)
    }

    /// All issues, oldest first.
    pub fn rows(&self) -> impl DoubleEndedIterator<Item = (MatterId, &DocketRow)> {
        self.rows.iter().map(|(matter, row)| (*matter, row))
    }

    /// The issue of a number.
    pub fn numbered(&self, number: u64) -> Option<MatterId> {
        self.numbers.get(&number).copied()
    }

    /// What became of a topic.
    pub fn topic(&self, tag: &Tag) -> Option<&Topic> {
        self.topics.get(tag)
    }

    /// All topics, by tag.
    pub fn topics(&self) -> impl Iterator<Item = (&Tag, &Topic)> {
        self.topics.iter()
    }

    /// Why agents may open nothing under a tag, if they may not.
    pub fn frozen_tag(&self, tag: &Tag) -> Option<&str> {
        self.frozen_tags.get(tag).map(String::as_str)
    }

    /// All tags under which agents may open nothing, with the reasons.
    pub fn frozen_tags(&self) -> impl Iterator<Item = (&Tag, &str)> {
        self.frozen_tags.iter().map(|(tag, why)| (tag, why.as_str()))
    }

    /// How free an agent is.
    pub fn freedom(&self, who: &Who) -> Freedom {
        self.freedoms.get(who).copied().unwrap_or_default()
    }

    /// How often an agent's comments escalated since a moment.
    pub fn escalations(&self, who: &Who, since: At) -> u32 {
        self.tempers.get(who).map_or(0, |temper| count(&temper.escalations, since))
    }

    /// How often an agent froze an issue since a moment.
    pub fn freezes(&self, who: &Who, since: At) -> u32 {
        self.tempers.get(who).map_or(0, |temper| count(&temper.freezes, since))
    }

    /// What somebody was told, oldest first.
    pub fn notices(&self) -> impl DoubleEndedIterator<Item = &IssueNotice> {
        self.notices.iter()
    }

    /// What happened so far.
    pub fn tally(&self) -> &IssueTally {
        &self.tally
    }

    /// What had happened when a period began, and when it ended.
    pub fn period(&self, period: Id) -> Option<(&IssueTally, Option<&IssueTally>)> {
        self.periods.get(&period).map(|(from, to)| (from, to.as_ref()))
    }
}

fn count(times: &[At], since: At) -> u32 {
    times.iter().filter(|at| **at > since).count() as u32
}

fn note(times: &mut Vec<At>, at: At) {
    times.push(at);
    if times.len() > TIMES_MOST {
        times.remove(0);
    }
}

/// Recording. Total: an issue that is not known is passed over.
impl Docket {
    /// Records an event of issues. `number` is that of the issue it opens.
    pub(crate) fn apply(&mut self, at: At, event: &Event, number: u64) {
        match event {
            Event::Filed { .. } => self.file(at, event, number),
            Event::Changed { change, matter, .. } => self.change(at, *matter, change),
            Event::Frozen { breaker, by, matter, until } => {
                self.tally.frozen += 1;
                self.agent(by, |agent| agent.froze += 1);
                note(&mut self.tempers.entry(by.clone()).or_default().freezes, at);
                self.with_row(at, *matter, |row| {
                    (row.status, row.until, row.breaker) =
                        (IssueStatus::Frozen, Some(*until), Some(*breaker));
                    row.frozen = Some(at);
                });
            }
            Event::Thawed { matter, .. } => self.with_row(at, *matter, |row| {
                (row.status, row.until, row.breaker) = (IssueStatus::Open, None, None);
                row.frozen = None;
            }),
            Event::Raised { epistemic, matter } => {
                self.with_row(at, *matter, |row| {
                    if *epistemic == Epistemic::Canon && row.epistemic != Epistemic::Canon {
                        row.before_canon = Some(row.epistemic);
                    }
                    row.epistemic = *epistemic;
                });
            }
            Event::Noticed { matter, to, what } => {
                self.notices.push_back(IssueNotice { at, matter: *matter, to: *to, what: what.clone() });
                if self.notices.len() > NOTICES_MOST {
                    self.notices.pop_front();
                }
            }
            Event::Marked { mark, matter, .. } => self.mark(at, *matter, *mark),
            Event::Configured { charter } => self.charter = Some(*charter),
            Event::Consolidated { into, matter } => {
                self.with_row(at, *matter, |row| row.into = Some(*into));
            }
            Event::Escalated { matter, .. } | Event::Reported { matter, .. } => {
                self.with_row(at, *matter, |_| ());
            }
            Event::TagFrozen { reason, tag, .. } => {
                self.frozen_tags.insert(tag.clone(), reason.clone());
            }
            Event::TagThawed { tag, .. } => drop(self.frozen_tags.remove(tag)),
            Event::FreedomSet { freedom: Freedom::Full, who, .. } => drop(self.freedoms.remove(who)),
            Event::FreedomSet { freedom, who, .. } => drop(self.freedoms.insert(who.clone(), *freedom)),
        }
    }

    fn file(&mut self, at: At, event: &Event, number: u64) {
        let Event::Filed { assignee, by, class, epistemic, matter, meta, priority, tags, .. } = event else {
            return;
        };
        let mut tags = tags.clone();
        tags.sort();
        tags.dedup();
        if let Some(MetaIssue::Frozen { issue, .. }) = meta {
            let of = *issue;
            self.with_row(at, of, |row| row.meta_issue = row.meta_issue.or(Some(*matter)));
        }
        if let Some(MetaIssue::Leech { tag, .. }) = meta {
            self.topics.entry(tag.clone()).or_default().warned = Some(*matter);
        }
        if meta.is_none() {
            self.tally.opened += 1;
            self.agent(by, |agent| agent.opened += 1);
            for tag in &tags {
                self.topics.entry(tag.clone()).or_default().issues += 1;
            }
        }
        self.numbers.insert(number, *matter);
        let row = DocketRow {
            number,
            opened: at,
            by: by.clone(),
            class: *class,
            status: IssueStatus::Open,
            settled_by: None,
            resolved_by: None,
            into: None,
            frozen: None,
            until: None,
            breaker: None,
            assignee: assignee.clone(),
            priority: *priority,
            epistemic: *epistemic,
            before_canon: None,
            tags,
            meta: meta.clone(),
            meta_issue: None,
            comments: 0,
            rehearsed: 0,
            refused: 0,
            accesses: 0,
            applied: 0,
            irrelevant: false,
            touched: at,
            last: at,
        };
        self.rows.insert(*matter, row);
    }

    fn change(&mut self, at: At, matter: MatterId, change: &IssueChange) {
        match change {
            IssueChange::Assign { to } => self.with_row(at, matter, |row| row.assignee.clone_from(to)),
            IssueChange::Priority { priority } => self.with_row(at, matter, |row| row.priority = *priority),
            IssueChange::Tag { tag } => self.retag(at, matter, tag, true),
            IssueChange::Untag { tag } => self.retag(at, matter, tag, false),
            IssueChange::Relate { .. } | IssueChange::Unrelate { .. } => self.with_row(at, matter, |_| ()),
        }
    }

    /// What is known of an issue comes to a topic with it, and leaves with it.
    fn retag(&mut self, at: At, matter: MatterId, tag: &Tag, has: bool) {
        let Some(row) = self.rows.get_mut(&matter) else { return };
        row.last = at;
        if row.tags.contains(tag) == has {
            return;
        }
        match has {
            true => row.tags.push(tag.clone()),
            false => row.tags.retain(|one| one != tag),
        }
        row.tags.sort();
        if row.meta.is_some() {
            return;
        }
        let (accesses, applied, irrelevant) = (row.accesses, row.applied, u32::from(row.irrelevant));
        let topic = self.topics.entry(tag.clone()).or_default();
        let shift = |sum: u32, by: u32| if has { sum + by } else { sum.saturating_sub(by) };
        topic.issues = shift(topic.issues, 1);
        topic.accesses = shift(topic.accesses, accesses);
        topic.applied = shift(topic.applied, applied);
        topic.irrelevant = shift(topic.irrelevant, irrelevant);
    }

    fn mark(&mut self, at: At, matter: MatterId, mark: IssueMark) {
        let Some(row) = self.rows.get_mut(&matter) else { return };
        row.last = at;
        let (tags, by) = (row.tags.clone(), row.by.clone());
        let is_meta = row.meta.is_some();
        match mark {
            IssueMark::Applied => {
                row.applied += 1;
                row.touched = at;
                if !is_meta {
                    self.tally.applied += 1;
                    self.agent(&by, |agent| agent.applied += 1);
                }
                for tag in tags.iter().filter(|_| !is_meta) {
                    self.topics.entry(tag.clone()).or_default().applied += 1;
                    self.tally.topics.entry(tag.clone()).or_default().1 += 1;
                }
            }
            IssueMark::Irrelevant if !row.irrelevant => {
                row.irrelevant = true;
                if !is_meta {
                    self.tally.irrelevant += 1;
                    self.agent(&by, |agent| agent.irrelevant += 1);
                }
                for tag in tags.iter().filter(|_| !is_meta) {
                    self.topics.entry(tag.clone()).or_default().irrelevant += 1;
                }
            }
            IssueMark::Irrelevant | IssueMark::Helpful { .. } => (),
        }
    }

    /// Records a comment.
    pub(crate) fn post(&mut self, at: At, matter: MatterId, said: &Contribution) {
        let Some(comment) = said.comment() else { return };
        let is_meta = self.rows.get(&matter).is_some_and(|row| row.meta.is_some());
        let resolves = comment.did(CommentDeed::Resolved) && !is_meta;
        self.tally.comments += 1;
        self.agent(&said.who, |agent| {
            agent.comments += 1;
            agent.resolved += u32::from(resolves);
            agent.with_evidence += u32::from(!comment.evidence.is_empty());
        });
        self.with_row(at, matter, |row| {
            row.comments += 1;
            row.rehearsed += u32::from(comment.rehearsed);
            if comment.did(CommentDeed::Resolved) {
                row.resolved_by = Some(said.who.clone());
            }
            if comment.touches_files() {
                row.touched = at;
            }
        });
        if comment.class != AuthorClass::Agent {
            return;
        }
        self.access(matter);
        let cited: Vec<MatterId> =
            comment.cited_issues().filter_map(|number| self.numbered(number)).collect();
        for other in cited.into_iter().filter(|other| *other != matter) {
            self.access(other);
        }
    }

    /// Records that a comment of an agent was turned away.
    pub(crate) fn refuse(&mut self, at: At, matter: MatterId, who: &Who, breakers: &[Breaker]) {
        self.tally.refused += 1;
        self.agent(who, |agent| agent.refused += 1);
        self.with_row(at, matter, |row| row.refused += 1);
        if breakers.contains(&Breaker::EscalationLanguage) {
            self.tally.escalations += 1;
            note(&mut self.tempers.entry(who.clone()).or_default().escalations, at);
        }
        self.access(matter);
    }

    /// Records that an act ended an issue.
    pub(crate) fn settle(&mut self, at: At, by: Seq, matter: MatterId, status: IssueStatus) {
        // What the house opened and closed itself is no result of anybody's work.
        let counts = self.rows.get(&matter).is_some_and(|row| row.meta.is_none());
        match status {
            IssueStatus::Resolved => self.tally.resolved += u32::from(counts),
            IssueStatus::Closed => self.tally.closed += u32::from(counts),
            IssueStatus::Open | IssueStatus::Frozen => (),
        }
        self.with_row(at, matter, |row| {
            (row.status, row.until, row.breaker) = (status, None, None);
            (row.frozen, row.settled_by) = (None, Some(by));
        });
    }

    /// Records that an issue is not over any more. `uncounts`: what it came to is not to count twice when it ends again.
    pub(crate) fn reopen(&mut self, at: At, matter: MatterId, uncounts: bool) {
        let Some(row) = self.rows.get(&matter) else { return };
        let (status, resolved_by) = (row.status, row.resolved_by.clone());
        if uncounts && row.meta.is_none() {
            match status {
                IssueStatus::Resolved => self.tally.resolved = self.tally.resolved.saturating_sub(1),
                IssueStatus::Closed => self.tally.closed = self.tally.closed.saturating_sub(1),
                IssueStatus::Open | IssueStatus::Frozen => (),
            }
            if let Some(who) = resolved_by {
                self.agent(&who, |agent| agent.resolved = agent.resolved.saturating_sub(1));
            }
        }
        self.with_row(at, matter, |row| {
            row.status = IssueStatus::Open;
            (row.settled_by, row.resolved_by, row.into) = (None, None, None);
        });
    }

    /// Notes what had happened when a period began or ended.
    pub(crate) fn mark_period(&mut self, period: Id, ends: bool) {
        match self.periods.get_mut(&period) {
            Some((_, to)) if ends => *to = Some(self.tally.clone()),
            Some(_) => (),
            None => drop(self.periods.insert(period, (self.tally.clone(), None))),
        }
    }

    fn access(&mut self, matter: MatterId) {
        let Some(row) = self.rows.get_mut(&matter).filter(|row| row.meta.is_none()) else { return };
        row.accesses += 1;
        for tag in row.tags.clone() {
            self.topics.entry(tag.clone()).or_default().accesses += 1;
            self.tally.topics.entry(tag).or_default().0 += 1;
        }
    }

    fn with_row(&mut self, at: At, matter: MatterId, change: impl FnOnce(&mut DocketRow)) {
        if let Some(row) = self.rows.get_mut(&matter) {
            row.last = at;
            change(row);
        }
    }

    fn agent(&mut self, who: &Who, change: impl FnOnce(&mut AgentTally)) {
        change(self.tally.agents.entry(who.clone()).or_default());
    }
}
