//! Freezing and thawing, and the end of an issue.

use super::state::parts;
use crate::dissent::{self, OrderEnd};
use crate::house::Flow;
use crate::issue::{self, MetaIssue, NoticeKind, NoticeTo, ThawCause};
use crate::kernel::{Breaker, Cause, Decision, MatterId, Who};
use crate::matter::{self, Status};
use crate::{Event, charter};

/// How many comments a report of a freeze shows.
const RECENT: usize = 5;

impl Flow {
    /// Freezes the issue for a comment of somebody. The moderator gets one issue about it, whatever happens later; an issue that
    /// the house itself opened gets none, or one freeze would lead to the next.
    pub(super) fn freeze(&mut self, by: &Who, breaker: Breaker) {
        let case = self.house.shared(self.case().id);
        let Some(case) = case else { return };
        let matter = case.id;
        let (rules, state) = parts(&case);
        let until = self.at.plus(rules.cooldown_ms.is);
        self.put_issue(issue::Event::Frozen { breaker, by: by.clone(), matter, until });
        let what = NoticeKind::Frozen { breaker };
        self.put_issue(issue::Event::Noticed { matter, to: NoticeTo::User, what });
        if state.issue.meta.is_some() {
            return;
        }
        let recent = case.last_comments(RECENT);
        match self.house.docket().row(matter).and_then(|row| row.meta_issue) {
            None => {
                let moderator = self.moderator();
                self.open_meta(&case, MetaIssue::Frozen { breaker, issue: matter, recent }, moderator);
            }
            Some(meta) => {
                if self.house.case(meta).is_some_and(|meta| matches!(meta.status(), Status::Settled(_))) {
                    self.put(Event::Matter(matter::Event::Reopened { matter: meta }));
                }
                self.put_issue(issue::Event::Reported { breaker, matter: meta, recent });
            }
        }
        self.turn_to(matter);
    }

    /// The issue rests no longer, and nobody need look at why it did.
    pub(super) fn thaw(&mut self, matter: MatterId, by: &Who, cause: ThawCause) {
        self.put_issue(issue::Event::Thawed { by: by.clone(), cause, matter });
        self.settle_meta(matter);
    }

    /// The issue is over: nobody has to object in it any more, and nobody need look at why it was frozen.
    pub(super) fn settle_issue(&mut self, decision: Decision) {
        let matter = self.case().id;
        self.withdraw_orders();
        self.call_off(&Cause::passing("workshop/over", "the issue was settled before an answer came"));
        self.settle(decision);
        self.credit_end(decision);
        self.settle_meta(matter);
        self.turn_to(matter);
    }

    /// Nobody has to object or to read blind any more.
    pub(super) fn withdraw_orders(&mut self) {
        let open: Vec<_> = parts(self.case()).1.open_orders().map(|(id, _)| id).collect();
        for order in open {
            self.end_order(order, OrderEnd::Withdrawn);
        }
    }

    /// What the moderator was to look at was seen to.
    pub(super) fn settle_meta(&mut self, of: MatterId) {
        let meta = self.house.docket().row(of).and_then(|row| row.meta_issue);
        self.resolve_own(meta, Decision::Resolved);
        self.turn_to(of);
    }

    /// Settles an issue that the house itself opened, if it is still open.
    pub(super) fn resolve_own(&mut self, meta: Option<MatterId>, decision: Decision) {
        let open =
            |matter: &MatterId| self.house.case(*matter).is_some_and(|case| case.status() == Status::Running);
        if let Some(matter) = meta.filter(open) {
            self.put(Event::Matter(matter::Event::Settled { decision, matter }));
        }
    }

    /// An order is over, and so is the issue by which it was assigned.
    pub(super) fn end_order(&mut self, order: crate::kernel::Id, end: OrderEnd) {
        let matter = self.case().id;
        let assignment = parts(self.case()).1.orders.get(&order).and_then(|order| order.order.assignment);
        self.put(Event::Dissent(dissent::Event::Ended { end, matter, order }));
        let decision = match end {
            OrderEnd::Fulfilled => Decision::Resolved,
            OrderEnd::Expired | OrderEnd::Withdrawn => Decision::Closed,
        };
        self.resolve_own(assignment, decision);
    }
}

impl charter::Workshop {
    /// The numbers by which a topic counts as circled.
    pub fn topic_health(&self) -> issue::TopicHealth {
        let small = |knob: charter::Knob| u32::try_from(knob.is).unwrap_or(u32::MAX);
        issue::TopicHealth {
            issues: small(self.topic_issues),
            accesses: small(self.topic_accesses),
            applied: self.topic_applied,
        }
    }
}
