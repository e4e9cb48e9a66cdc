//! What an issue knows of itself besides what every matter has: its thread, and who must object or read blind.

use std::sync::Arc;

use imbl::{OrdMap, OrdSet};

use crate::ask::{Of, WorldTask};
use crate::charter::{Charter, Workshop};
use crate::dissent::{self, DissentOrder, DissentReason, DissentSide, OrderEnd};
use crate::evidence::{self, EvidenceGrade, FileFinding};
use crate::gate::{self, Breach};
use crate::house::{Case, Recorded};
use crate::issue::{HeardComment, Issue, IssueStatus};
use crate::kernel::{
    At, Breaker, Comment, CommentDeed, Contribution, Decision, Id, Impact, Reference, StoredContribution,
    Who, Words as _, words,
};
use crate::matter::{self, Opening};
use crate::{Ask, Event, procedure};

/// See the module. Copies are cheap.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct State {
    /// The thread.
    pub issue: Issue,
    /// Orders to object or to read blind, by id.
    pub orders: OrdMap<Id, IssueOrder>,
    /// Comments that wait until what they cite was read, by the event that holds them back.
    pub held: OrdMap<Id, Arc<Contribution>>,
    /// What was found of the files that comments cite, by the event that says so ([`crate::kernel::Comment::checked`]).
    pub findings: OrdMap<Id, Arc<Vec<FileFinding>>>,
    /// What was wrong with the last comment of somebody, if it was turned away.
    pub turned_away: OrdMap<Who, Vec<Breach>>,
    /// Why somebody was to object and nobody could be found, so far: the moderator was told of each once.
    pub unfilled: OrdSet<DissentReason>,
}

/// An order in the issue it is about.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct IssueOrder {
    /// What was ordered.
    pub order: Arc<DissentOrder>,
    /// How many comments are still to come.
    pub left: u32,
    /// What became of it.
    pub end: Option<OrderEnd>,
}

words!(struct State { issue, held, findings | orders, turned_away, unfilled });

impl State {
    /// An issue begins without anything: its first event says what it is.
    pub(crate) fn open(_: &Opening, _: &Charter, _: &Workshop) -> Self {
        Self::default()
    }

    pub(crate) fn apply(&mut self, recorded: &Recorded<'_>) {
        // Whatever became of what it waited for: it waits no longer.
        if let Some((_, Ask { of: Of::World(WorldTask::Check { comment, .. }), .. })) = &recorded.closed {
            self.held.remove(comment);
        }
        match recorded.event {
            Event::Gate(gate::Event::Held { said, .. }) => drop(self.held.insert(recorded.id, said.clone())),
            Event::Evidence(evidence::Event::Checked { findings, .. }) => {
                self.findings.insert(recorded.id, Arc::new(findings.clone()));
            }
            Event::Issue(event) => self.issue.apply(recorded.at, event),
            Event::Gate(gate::Event::Posted { said, .. }) => self.post(recorded.id, said),
            Event::Gate(gate::Event::Refused { breaches, who, .. }) => {
                self.issue.refuse(who, &breakers(breaches));
                self.turned_away.insert(who.clone(), breaches.clone());
            }
            Event::Dissent(event) => self.order(recorded.id, event),
            Event::Matter(matter::Event::Settled { decision, .. }) => {
                self.issue.settled = Some(settled_as(*decision));
                self.issue.freeze = None;
                self.held.clear();
            }
            Event::Matter(matter::Event::Reopened { .. }) => {
                (self.issue.settled, self.issue.resolved_by, self.issue.into) = (None, None, None);
            }
            Event::Gate(_) | Event::Matter(_) | Event::Meter(_) | Event::Ask(_) | Event::Context(_) => (),
            Event::House(_) | Event::Charter(_) | Event::Roster(_) | Event::Monitor(_) => (),
            Event::Trigger(_) | Event::Rejections(_) | Event::Track(_) | Event::Watch(_) => (),
            Event::Ballot(_) | Event::Floor(_) | Event::Table(_) | Event::Period(_) => (),
            Event::Ledger(_) => (),
            Event::Canon(_) | Event::Lease(_) => (),
        }
    }

    fn post(&mut self, id: Id, said: &Contribution) {
        self.issue.post(said);
        self.turned_away.remove(&said.who);
        let Some(comment) = said.comment() else { return };
        if comment.did(CommentDeed::Resolved) {
            self.issue.resolved_by = Some(id);
        }
        if let Some(order) = comment.order.and_then(|order| self.orders.get_mut(&order)) {
            order.left = order.left.saturating_sub(1);
        }
    }

    fn order(&mut self, id: Id, event: &dissent::Event) {
        match event {
            dissent::Event::Ordered(order) => {
                let left = order.comments;
                self.orders.insert(id, IssueOrder { order: order.clone(), left, end: None });
            }
            dissent::Event::Ended { end, order, .. } => {
                if let Some(order) = self.orders.get_mut(order) {
                    order.end = Some(*end);
                }
            }
            dissent::Event::Unfilled { reason, .. } => drop(self.unfilled.insert(*reason)),
            // Only motions have them.
            dissent::Event::ConsensusFound { .. } | dissent::Event::TeamCalled { .. } => (),
            dissent::Event::Summed { .. } => (),
        }
    }

    /// Forgets what follows from words that are gone.
    pub(crate) fn forget(&mut self) {
        self.issue.redact();
        self.findings.redact();
        self.held.redact();
        self.turned_away = OrdMap::new();
    }

    /// Nothing branches off into an issue.
    pub(crate) fn forget_shared(&mut self, _: u32) {}

    /// Orders that are open, oldest first.
    pub fn open_orders(&self) -> impl Iterator<Item = (Id, &IssueOrder)> {
        self.orders.iter().filter(|(_, order)| order.end.is_none()).map(|(id, order)| (*id, order))
    }

    /// The open order of somebody.
    pub fn order_of(&self, who: &Who) -> Option<(Id, &IssueOrder)> {
        self.open_orders().find(|(_, order)| order.order.who == *who)
    }

    /// The comment of somebody that waits until what it cites was read.
    pub fn held_of(&self, who: &Who) -> Option<Id> {
        self.held.iter().find(|(_, said)| said.who == *who).map(|(id, _)| *id)
    }

    /// What was found of the files that a comment cites, in the order it cites them.
    pub fn findings_of(&self, comment: &Comment) -> &[FileFinding] {
        comment.checked.and_then(|id| self.findings.get(&id)).map_or(&[], |found| found)
    }

    /// Whether somebody still has to answer without hearing others.
    pub fn is_read_blind(&self) -> bool {
        self.open_orders().any(|(_, order)| order.order.side == DissentSide::Blind)
    }

    /// Whether anybody was ever ordered to read it blind.
    pub(super) fn had_blind_pass(&self) -> bool {
        self.orders.values().any(|order| order.order.side == DissentSide::Blind)
    }

    /// Whether somebody let an order to object lapse.
    pub(super) fn let_lapse(&self, who: &Who) -> bool {
        let lapsed = |order: &IssueOrder| order.end == Some(OrderEnd::Expired) && order.order.who == *who;
        self.orders.values().any(|order| lapsed(order) && order.order.side == DissentSide::Against)
    }

    /// Whether anybody was ever ordered to object.
    pub(super) fn had_advocate(&self) -> bool {
        self.orders.values().any(|order| order.order.side == DissentSide::Against)
    }
}

/// The breakers among breaches.
pub(crate) fn breakers(breaches: &[Breach]) -> Vec<Breaker> {
    breaches.iter().filter_map(Breach::breaker).collect()
}

/// How an issue stands that ended so. One that the operator stopped was closed.
pub(crate) fn settled_as(decision: Decision) -> IssueStatus {
    match decision {
        Decision::Resolved | Decision::Passed { .. } => IssueStatus::Resolved,
        Decision::Closed | Decision::Undecided(_) | Decision::Rejected => IssueStatus::Closed,
        Decision::Estimated(_) | Decision::Contested => IssueStatus::Closed,
    }
}

/// The rules and the state of an issue, in flows that only issues have.
pub(super) fn parts(case: &Case) -> (&Workshop, &State) {
    case.workshop().expect("a flow of issues is about an issue")
}

impl Case {
    /// The rules and the state of an issue; `None` for other procedures.
    pub fn workshop(&self) -> Option<(&Workshop, &State)> {
        let procedure::State::Workshop(state) = &self.state else { return None };
        Some((self.charter.workshop()?, state))
    }

    /// The thread of an issue; `None` for other procedures.
    pub fn issue(&self) -> Option<&Issue> {
        self.workshop().map(|(_, state)| &state.issue)
    }

    /// Comments of an issue, in order.
    pub fn comments(&self) -> impl DoubleEndedIterator<Item = (&StoredContribution, HeardComment<'_>)> {
        self.said.iter().filter_map(|said| {
            let comment = said.said.comment()?;
            let stance = said.said.response.stance;
            Some((said, HeardComment { who: &said.said.who, comment, stance }))
        })
    }

    /// What a comment cites, each with what was found of it when it was posted: a file as it was read, an entry of canon and another
    /// issue because they are there. Nobody can look up a gap.
    pub fn graded_evidence<'a>(&self, comment: &'a Comment) -> Vec<(&'a Reference, Option<EvidenceGrade>)> {
        let findings = self.workshop().map_or(&[][..], |(_, state)| state.findings_of(comment));
        let mut files = findings.iter();
        let graded = comment.evidence.iter().map(|reference| match reference {
            Reference::File(_) => (reference, files.next().map(FileFinding::grade)),
            Reference::Canon(_) | Reference::Issue(_) => (reference, Some(EvidenceGrade::Exists)),
            Reference::Gap(_) => (reference, None),
        });
        graded.collect()
    }

    /// How much an issue would change: the most that its opening or a comment says.
    pub(super) fn thread_impact(&self) -> Option<Impact> {
        let stated = self.comments().filter_map(|(_, heard)| heard.comment.impact);
        stated.chain(self.issue().and_then(|issue| issue.impact)).max()
    }

    /// Whether somebody took part in an issue: opened it, commented, or has to object. Who was only asked, and has said
    /// nothing, has taken no part.
    pub(super) fn is_involved(&self, who: &Who) -> bool {
        let Some((_, state)) = self.workshop() else { return false };
        let objects = |(_, order): (Id, &IssueOrder)| {
            order.order.who == *who && order.order.side == DissentSide::Against
        };
        self.has_part(who) || state.open_orders().any(objects)
    }

    /// Whether somebody opened an issue or commented in it.
    pub(super) fn has_part(&self, who: &Who) -> bool {
        let opened = self.issue().is_some_and(|issue| issue.by.as_ref() == Some(who));
        opened || self.said.iter().any(|said| said.who == *who)
    }

    /// The ids of the last comments, oldest first.
    pub(super) fn last_comments(&self, most: usize) -> Vec<Id> {
        let mut last: Vec<Id> = self.comments().rev().take(most).map(|(said, _)| said.id).collect();
        last.reverse();
        last
    }
}

/// Whether a contribution may not be seen by somebody yet: who has to answer without hearing others sees nothing that came
/// after they were asked to.
pub(super) fn is_kept_from(case: &Case, who: &Who, said: &Contribution) -> bool {
    let Some((_, state)) = case.workshop() else { return false };
    let blind = state.order_of(who).filter(|(_, order)| order.order.side == DissentSide::Blind);
    let Some((order, _)) = blind else { return false };
    let place = case.said.iter().find(|stored| std::ptr::eq(&*stored.said, said)).map(|stored| stored.id);
    said.who != *who && place.is_none_or(|id| id > order)
}

/// A moment so long ago that everything since counts.
pub(super) fn back(at: At, ms: u64) -> At {
    At(at.0.saturating_sub(ms))
}
