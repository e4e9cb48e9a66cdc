//! Who must object in an issue, and who reads it blind.

use std::sync::Arc;

use super::Refusal;
use super::author::Author;
use super::comment::blind_reader;
use super::state::{back, parts};
use crate::Event;
use crate::dissent::{
    self, ApprovalFacts, DissentCandidate, DissentOrder, DissentReason, DissentSide, OrderEnd,
    approved_quickly, approved_without_evidence, next_in_rotation,
};
use crate::house::{Case, Flow};
use crate::issue::{self, HeardComment, MetaIssue, NoticeKind, NoticeTo};
use crate::kernel::{Id, Impact, MatterId, Who};
use crate::matter::Status;
use crate::roster::WorkRole;

/// The roles that read a large change blind, one participant each.
pub(super) const BLIND_READERS: [WorkRole; 2] = [WorkRole::Critic, WorkRole::Continuity];

/// Orders whose time is up: who was to object is replaced, who was to read blind is not waited for.
pub(crate) fn expire_orders(flow: &mut Flow, most: usize) {
    for order in flow.house.dissent().overdue(flow.at) {
        if flow.events_so_far() > most {
            return;
        }
        let Some(expired) = flow.house.dissent().get(order).map(|open| open.order.clone()) else { continue };
        if flow.find(expired.matter).is_err() {
            continue;
        }
        flow.end_order(order, OrderEnd::Expired);
        flow.turn_to(expired.matter);
        if expired.side == DissentSide::Against {
            flow.replace_advocate(expired.reason);
        }
    }
}

impl Flow {
    /// A moderator wants the other side to be heard.
    pub(super) fn invoke_advocate(
        &mut self,
        author: &Author,
        matter: MatterId,
        who: Option<&Who>,
    ) -> Result<(), crate::Refusal> {
        author.must_oversee()?;
        let case = self.issue_for(author, matter)?;
        let state = parts(&case).1;
        if state.issue.meta.is_some() {
            return Err(Refusal::NothingToChallenge.into());
        }
        let objecting = state.open_orders().find(|(_, order)| order.order.side == DissentSide::Against);
        if let Some((_, order)) = objecting {
            return Err(Refusal::AlreadyChallenged { who: order.order.who.clone() }.into());
        }
        match who {
            None => self.assign_advocate(self.next_advocate(), DissentReason::ModeratorOverride),
            Some(who) => {
                let fit = self.candidates(&case).any(|one| one.who == *who && !one.involved);
                if !fit {
                    return Err(Refusal::UnfitAdvocate { who: who.clone() }.into());
                }
                self.order_advocate(who.clone(), DissentReason::ModeratorOverride);
            }
        }
        Ok(())
    }

    /// Whether the thread agrees too easily. By itself the house challenges an issue once; a moderator may do so again.
    pub(super) fn look_for_consensus(&mut self) {
        let case = self.case();
        let (rules, state) = parts(case);
        if state.issue.meta.is_some() || state.had_advocate() {
            return;
        }
        let facts = |heard: HeardComment<'_>, who| ApprovalFacts {
            who,
            approves: heard.approves(),
            objects: heard.objects(),
            verified: heard.comment.verified,
        };
        // Somebody who is still to answer blind must not learn from an order how others did.
        let heard_blind = blind_reader(case).is_none();
        let heard = case.comments().filter(|(_, heard)| heard_blind || !heard.comment.blind);
        let heard = heard.filter(|(_, heard)| self.is_meant(heard.comment));
        let all: Vec<ApprovalFacts<'_>> = heard.map(|(said, heard)| facts(heard, &said.said.who)).collect();
        let recent = &all[all.len().saturating_sub(rules.approvals_within.is as usize)..];
        let impact = case.thread_impact().unwrap_or(Impact::Minor);
        let small = |knob: crate::charter::Knob| u32::try_from(knob.is).unwrap_or(u32::MAX);
        let (least, references) = (small(rules.approvals_least), small(rules.references_least));
        let quick = impact >= rules.dissent_from && approved_quickly(recent, least, references);
        // Wording needs no evidence, so agreeing on it without any is no sign of anything.
        let unfounded =
            impact > Impact::Cosmetic && approved_without_evidence(&all, small(rules.consensus_least));
        if quick {
            self.call_advocate(DissentReason::QuickConsensus);
        } else if unfounded {
            self.call_advocate(DissentReason::NoEvidenceConsensus);
        }
    }

    /// The house wants the other side to be heard. It looks for somebody with every comment, and says once for each reason
    /// that there is nobody.
    fn call_advocate(&mut self, reason: DissentReason) {
        let next = self.next_advocate();
        if next.is_some() || !parts(self.case()).1.unfilled.contains(&reason) {
            self.assign_advocate(next, reason);
        }
    }

    /// Somebody else is to object, because the one before stayed silent. Who let it lapse is not asked again and again.
    fn replace_advocate(&mut self, reason: DissentReason) {
        let case = self.case();
        let others = self.candidates(case).filter(|one| !parts(case).1.let_lapse(&one.who));
        self.assign_advocate(next_in_rotation(others), reason);
    }

    fn next_advocate(&self) -> Option<Who> {
        next_in_rotation(self.candidates(self.case()))
    }

    /// The next in the rotation is to object; if there is nobody, the moderator is told.
    fn assign_advocate(&mut self, next: Option<Who>, reason: DissentReason) {
        let matter = self.case().id;
        match next {
            Some(who) => self.order_advocate(who, reason),
            None => {
                self.put(Event::Dissent(dissent::Event::Unfilled { matter, reason }));
                let (to, what) = (NoticeTo::Moderator, NoticeKind::NoDevilsAdvocate);
                self.put_issue(issue::Event::Noticed { matter, to, what });
            }
        }
    }

    /// Everybody who could object, with how often they had to lately.
    fn candidates<'a>(&'a self, case: &'a Case) -> impl Iterator<Item = DissentCandidate> + 'a {
        let since = back(self.at, parts(case).0.advocate_window_ms.is);
        let able =
            self.house.roster().active().filter(|(_, held)| {
                held.can_be_devils_advocate && !matches!(held.role, Some(WorkRole::Lead))
            });
        able.map(move |(seat, _)| DissentCandidate {
            assigned: self.house.dissent().assignments(&seat.who, since),
            involved: case.is_involved(&seat.who),
            who: seat.who.clone(),
        })
    }

    /// Somebody is to object. They learn of it by an issue that is assigned to them.
    fn order_advocate(&mut self, who: Who, reason: DissentReason) {
        let Some(case) = self.house.shared(self.case().id) else { return };
        let (matter, rules) = (case.id, parts(&case).0);
        let until = self.at.plus(rules.advocate_ms.is);
        let comments = u32::try_from(rules.advocate_comments.is).unwrap_or(u32::MAX);
        let meta = MetaIssue::DevilsAdvocate { comments, issue: matter, until };
        let assignment = Some(self.open_meta(&case, meta, Some(who.clone())));
        let side = DissentSide::Against;
        self.put(Event::Dissent(dissent::Event::Ordered(Arc::new(DissentOrder {
            assignment,
            comments,
            matter,
            reason,
            side,
            until,
            who,
        }))));
    }

    /// A comment came: a large change is read blind, also where nobody was there to do so when the issue was opened.
    pub(super) fn look_for_blind_pass(&mut self, stated: Option<Impact>) {
        let case = self.case();
        let (rules, state) = parts(case);
        let large = |impact: Option<Impact>| impact.is_some_and(|impact| impact >= rules.dissent_from);
        let can_be_read = || {
            let mut able = BLIND_READERS.into_iter().flat_map(|role| self.in_role(role));
            able.any(|who| !case.is_involved(&who))
        };
        if large(stated) || (large(state.issue.impact) && can_be_read()) {
            self.order_blind_pass();
        }
    }

    /// A large change is read by a critic and by somebody who watches that things fit, neither of whom sees what others say
    /// before they have answered. Once for each issue.
    pub(super) fn order_blind_pass(&mut self) {
        let case = self.case();
        let (rules, state) = parts(case);
        if state.issue.meta.is_some() || state.had_blind_pass() || case.status() != Status::Running {
            return;
        }
        let (matter, until) = (case.id, self.at.plus(rules.blind_ms.is));
        let mut missing = false;
        for role in BLIND_READERS {
            let reader = self.in_role(role).find(|who| !self.case().is_involved(who));
            let reason = DissentReason::HighImpactProposal;
            missing |= reader.is_none();
            let event = match reader {
                Some(who) => dissent::Event::Ordered(Arc::new(DissentOrder {
                    assignment: None,
                    comments: 1,
                    matter,
                    reason,
                    side: DissentSide::Blind,
                    until,
                    who,
                })),
                None => dissent::Event::Unfilled { matter, reason },
            };
            self.put(Event::Dissent(event));
        }
        if missing {
            self.tell_of_missing_readers(matter);
        }
    }

    /// Tells the moderator once for each issue: without a reader the house looks for one again with every large comment.
    fn tell_of_missing_readers(&mut self, matter: MatterId) {
        let what = NoticeKind::NoBlindReader;
        let is_same = |notice: &issue::IssueNotice| notice.matter == matter && notice.what == what;
        let told = self.house.docket().notices().rev().any(is_same);
        if !told {
            self.put_issue(issue::Event::Noticed { matter, to: NoticeTo::Moderator, what });
        }
    }

    /// A comment was made under an order.
    pub(super) fn carry_out(&mut self, order: Id) {
        let done = parts(self.case()).1.orders.get(&order).filter(|order| order.left == 0);
        if let Some(done) = done.map(|order| order.order.clone()) {
            let matter = self.case().id;
            self.end_order(order, OrderEnd::Fulfilled);
            self.turn_to(matter);
            if done.side == DissentSide::Against {
                self.credit_challenge(&done.who);
            }
        }
    }
}
