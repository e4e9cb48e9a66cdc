//! One issue as its matter knows it: what it says, where it stands, and what was said in it by whom and how often.

use std::sync::Arc;

use imbl::{OrdMap, OrdSet, Vector};

use super::{Epistemic, Event, IssueChange, IssueMark, IssueStatus, MetaIssue, Tag, ThawCause};
use crate::kernel::{
    At, AuthorClass, Breaker, Choice, Comment, CommentKind, Contribution, Id, Impact, MatterId, Priority,
    Reference, Who, words,
};

/// Since when and why an issue rests.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Freeze {
    /// When it was frozen.
    pub at: At,
    /// By what.
    pub breaker: Breaker,
    /// Whose comment froze it.
    pub by: Who,
    /// Until when. At that very moment anybody may act again.
    pub until: At,
}

/// An issue that is escalated, as somebody put it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct EscalationNote {
    /// When.
    pub at: At,
    /// By whom.
    pub by: Who,
    /// What it is about.
    pub summary: String,
}

/// See the module. Copies are cheap.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Issue {
    /// Who sees to it.
    pub assignee: Option<Who>,
    /// What it says.
    pub body: Arc<str>,
    /// Who opened it.
    pub by: Option<Who>,
    /// In which capacity.
    pub class: AuthorClass,
    /// How far it is to be relied on.
    pub epistemic: Epistemic,
    /// How much it would change, as it was opened.
    pub impact: Option<Impact>,
    /// Why the house itself opened it.
    pub meta: Option<MetaIssue>,
    /// How urgent it is.
    pub priority: Priority,
    /// Issues that belong to it.
    pub related: OrdSet<MatterId>,
    /// What it is found by.
    pub tags: OrdSet<Tag>,
    /// Why it rests, if it does.
    pub freeze: Option<Freeze>,
    /// How often it was frozen.
    pub freezes: u32,
    /// Where it went, if it went into another one.
    pub into: Option<MatterId>,
    /// Whether it was resolved rather than closed, once it is over.
    pub settled: Option<IssueStatus>,
    /// Who resolved it, by the comment that did.
    pub resolved_by: Option<Id>,
    /// Who wants a person to look at it, in order.
    pub escalations: Vector<EscalationNote>,
    /// Whether it was marked as applied in the work.
    pub applied: bool,
    /// Whether it was marked as irrelevant.
    pub irrelevant: bool,
    /// Comments that helped.
    pub helpful: OrdSet<Id>,
    /// How many comments it has.
    pub stored: u32,
    /// How many of them count against its limit since it was last unfrozen.
    pub counted: u32,
    /// How many of each kind an author has that count, since then.
    own: OrdMap<(Who, CommentKind), u32>,
    /// Who wrote, without those who do not count for exchanges, since then; the latest last, as many as are ever looked at.
    latest: Vector<Who>,
    /// Rejections for missing evidence, by author, since it was last frozen.
    rejections: OrdMap<Who, u32>,
    /// Comments that were turned away.
    pub refused: u32,
    /// Later freezes of what it reports on: when, by what, and the last comments then.
    pub reports: Vector<(At, Breaker, Vec<Id>)>,
}

/// How many authors are remembered for exchanges: twice the most exchanges a charter may allow.
const LATEST_MOST: usize = 200;

impl Default for Issue {
    fn default() -> Self {
        Self {
            assignee: None,
            body: "".into(),
            by: None,
            class: AuthorClass::Agent,
            epistemic: Epistemic::Draft,
            impact: None,
            meta: None,
            priority: Priority::Normal,
            related: OrdSet::new(),
            tags: OrdSet::new(),
            freeze: None,
            freezes: 0,
            into: None,
            settled: None,
            resolved_by: None,
            escalations: Vector::new(),
            applied: false,
            irrelevant: false,
            helpful: OrdSet::new(),
            stored: 0,
            counted: 0,
            own: OrdMap::new(),
            latest: Vector::new(),
            rejections: OrdMap::new(),
            refused: 0,
            reports: Vector::new(),
        }
    }
}

impl Issue {
    /// Where it stands.
    pub fn status(&self) -> IssueStatus {
        match (&self.settled, &self.freeze) {
            (Some(settled), _) => *settled,
            (None, Some(_)) => IssueStatus::Frozen,
            (None, None) => IssueStatus::Open,
        }
    }

    /// Whether it rests at this moment. At the very end of its time it does not any more.
    pub fn rests(&self, at: At) -> bool {
        self.freeze.as_ref().is_some_and(|freeze| at < freeze.until)
    }

    /// How many comments of a kind an author has that count.
    pub fn own(&self, who: &Who, kind: CommentKind) -> u32 {
        self.own.get(&(who.clone(), kind)).copied().unwrap_or(0)
    }

    /// Who wrote last, latest first, without those who do not count for exchanges.
    pub fn latest(&self) -> impl Iterator<Item = &Who> {
        self.latest.iter().rev()
    }

    /// How often an author was turned away for missing evidence.
    pub fn rejections(&self, who: &Who) -> u32 {
        self.rejections.get(who).copied().unwrap_or(0)
    }

    /// Records an event of issues that is about this one.
    pub(crate) fn apply(&mut self, at: At, event: &Event) {
        match event {
            Event::Filed {
                assignee,
                body,
                by,
                class,
                epistemic,
                impact,
                meta,
                priority,
                related,
                tags,
                ..
            } => {
                self.assignee.clone_from(assignee);
                self.body = body.as_str().into();
                self.by = Some(by.clone());
                self.class = *class;
                self.epistemic = *epistemic;
                self.impact = *impact;
                self.meta.clone_from(meta);
                self.priority = *priority;
                self.related = related.iter().copied().collect();
                self.tags = tags.iter().cloned().collect();
            }
            Event::Changed { change, .. } => self.change(change),
            Event::Frozen { breaker, by, until, .. } => {
                self.freezes += 1;
                self.rejections.clear();
                self.freeze = Some(Freeze { at, breaker: *breaker, by: by.clone(), until: *until });
            }
            Event::Thawed { cause, .. } => {
                self.freeze = None;
                if *cause == ThawCause::Unfrozen {
                    self.counted = 0;
                    self.own.clear();
                    self.latest.clear();
                }
            }
            Event::Raised { epistemic, .. } => self.epistemic = *epistemic,
            Event::Consolidated { into, .. } => self.into = Some(*into),
            Event::Escalated { by, summary, .. } => {
                let (by, summary) = (by.clone(), summary.clone());
                self.escalations.push_back(EscalationNote { at, by, summary });
            }
            Event::Marked { mark, .. } => match mark {
                IssueMark::Applied => self.applied = true,
                IssueMark::Irrelevant => self.irrelevant = true,
                IssueMark::Helpful { comment } => drop(self.helpful.insert(*comment)),
            },
            Event::Reported { breaker, recent, .. } => {
                self.reports.push_back((at, *breaker, recent.clone()));
            }
            Event::Noticed { .. } | Event::Configured { .. } => (),
            Event::TagFrozen { .. } | Event::TagThawed { .. } | Event::FreedomSet { .. } => (),
        }
    }

    fn change(&mut self, change: &IssueChange) {
        match change {
            IssueChange::Assign { to } => self.assignee.clone_from(to),
            IssueChange::Tag { tag } => drop(self.tags.insert(tag.clone())),
            IssueChange::Untag { tag } => drop(self.tags.remove(tag)),
            IssueChange::Priority { priority } => self.priority = *priority,
            IssueChange::Relate { to } => drop(self.related.insert(*to)),
            IssueChange::Unrelate { to } => drop(self.related.remove(to)),
        }
    }

    /// Records a comment.
    pub(crate) fn post(&mut self, said: &Contribution) {
        let Some(comment) = said.comment() else { return };
        self.stored += 1;
        if !comment.uses_budget() {
            return;
        }
        self.counted += 1;
        *self.own.entry((said.who.clone(), comment.kind)).or_insert(0) += 1;
        // An acknowledgement is no part of an exchange: one by a third agent must not hide what goes on between two.
        if comment.class == AuthorClass::Agent && comment.kind != CommentKind::Acknowledgement {
            self.latest.push_back(said.who.clone());
            if self.latest.len() > LATEST_MOST {
                self.latest.pop_front();
            }
        }
    }

    /// Records that a comment was turned away.
    pub(crate) fn refuse(&mut self, who: &Who, breakers: &[Breaker]) {
        self.refused += 1;
        if breakers.contains(&Breaker::MissingEvidenceForImpact) {
            *self.rejections.entry(who.clone()).or_insert(0) += 1;
        }
    }
}

/// A comment as those see it who look for agreement.
#[derive(Debug, Clone, Copy)]
pub struct HeardComment<'a> {
    /// Who wrote it.
    pub who: &'a Who,
    /// What it carries.
    pub comment: &'a Comment,
    /// Where it stands.
    pub stance: Option<Choice>,
}

impl HeardComment<'_> {
    /// Whether it is an agent's own approval: questions, orders and people approve nothing here.
    pub fn approves(&self) -> bool {
        self.takes(Choice::Yes)
    }

    /// Whether it is an agent's own objection.
    pub fn objects(&self) -> bool {
        self.takes(Choice::No)
    }

    fn takes(&self, side: Choice) -> bool {
        // What is written blind is the freest opinion there is; what is written to object on order is none.
        let free = self.comment.order.is_none() || self.comment.blind;
        let own = self.comment.kind == CommentKind::Comment && free;
        own && self.comment.class == AuthorClass::Agent && self.stance == Some(side)
    }

    /// How many issues and entries of the canon it cites: those exist, or it would not stand here.
    pub fn cites_others(&self) -> u32 {
        let others = self.comment.evidence.iter().filter(|one| !matches!(one, Reference::File(_)));
        others.count() as u32
    }
}

words!(struct EscalationNote { summary | at, by });
words!(struct Issue {
    body, escalations
        | assignee, by, class, epistemic, impact, meta, priority, related, tags, freeze, freezes, into, settled,
        resolved_by, applied, irrelevant, helpful, stored, counted, own, latest, rejections, refused, reports
});
