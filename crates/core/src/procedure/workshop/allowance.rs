//! What a participant may still write on an issue: the numbers of the charter as they are for them.

use crate::charter::Workshop;
use crate::dissent::DissentSide;
use crate::gate::{self, CommentLimits};
use crate::house::{Case, House};
use crate::issue::Freedom;
use crate::kernel::{At, AuthorClass, CommentKind, Impact, Who};

/// See the module.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CommentAllowance {
    /// Comments left; `None` for somebody without a limit. Under an order, those that it asks for.
    pub comments: Option<u32>,
    /// What they have to heed while they are under remediation, in sentences.
    pub heeds: Vec<String>,
    /// The numbers a comment is held to.
    pub limits: CommentLimits,
    /// The side an order asks for, if there is one.
    pub order: Option<DissentSide>,
}

impl CommentAllowance {
    /// What somebody may still write at a moment; `None` if the matter is not an issue.
    pub fn of(house: &House, case: &Case, who: &Who, at: At) -> Option<Self> {
        let (rules, state) = case.workshop()?;
        let limits = house.comment_limits(rules, who, at);
        let order = state.order_of(who).map(|(_, order)| order);
        let issue = &state.issue;
        let own = limits.comments_each.saturating_sub(issue.own(who, CommentKind::Comment));
        let total = limits.comments_total.saturating_sub(issue.counted);
        let comments = match order {
            Some(order) => Some(order.left),
            None => match house.author_class(who) {
                AuthorClass::Agent => Some(own.min(total)),
                AuthorClass::Moderator | AuthorClass::User | AuthorClass::System => None,
            },
        };
        let latest: Vec<&Who> = issue.latest().collect();
        let exchanges = order.is_none()
            && house.author_class(who) == AuthorClass::Agent
            && gate::alternates(limits.exchanges_most, &latest, who);
        let shut = house.docket().freedom(who) == Freedom::ReadOnly
            || (issue.rests(at) && house.author_class(who) == AuthorClass::Agent)
            || issue.status().is_over();
        // With an exchange that goes on between two, the next comment would freeze the issue: a third one has to come first.
        let comments = if shut || exchanges { Some(0) } else { comments };
        let heeds = house.heeds(rules, who);
        Some(Self { comments, heeds, limits, order: order.map(|order| order.order.side) })
    }

    /// Whether another comment would be let in by its number.
    pub fn may_comment(&self) -> bool {
        self.comments.is_none_or(|left| left > 0)
    }
}

impl House {
    /// The limits of a charter as they are for one participant: somebody who escalates again and again has no strong word
    /// left, and a moderator may have made them less free.
    pub(super) fn comment_limits(&self, rules: &Workshop, who: &Who, at: At) -> CommentLimits {
        let mut limits = rules.limits();
        limits.keywords_most = gate::keywords_allowed(&limits, self.is_dampened(rules, who, at));
        match self.docket().freedom(who) {
            Freedom::Full | Freedom::ReadOnly => (),
            Freedom::Limited => {
                limits.comments_each = limits.comments_each.min(1);
                limits.evidence_from = limits.evidence_from.min(Impact::Minor);
            }
        }
        self.constrain(rules, who, &mut limits);
        limits
    }

    /// In which capacity somebody acts on issues.
    pub(super) fn author_class(&self, who: &Who) -> AuthorClass {
        super::author::class_of(self.roster().appointment(who).role)
    }
}
