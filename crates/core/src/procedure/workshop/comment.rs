//! The path of a comment: who may write, what the gate finds, and what follows from a comment that stands.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use super::Refusal;
use super::author::Author;
use super::canon::canon_ref;
use super::command::WriteComment;
use super::credit::CommentFate;
use super::open::written;
use super::state::{back, breakers, parts};
use super::worth::missing;
use crate::canon::CitedEntry;
use crate::dissent::DissentSide;
use crate::gate::{
    self, Breach, CitedReferences, GateVerdict, OfferedComment, ThreadFacts, comment_verdict, examine_comment,
};
use crate::house::{Case, Flow};
use crate::issue::{self, Epistemic, HeardComment, NoticeKind, NoticeTo};
use crate::kernel::{
    AskId, AuthorClass, Breaker, Choice, Comment, CommentDeed, CommentKind, Contribution, ContributionKind,
    Decision, How, Id, Impact, MatterId, Reference, Response, Who,
};
use crate::{Event, edition};

/// The most references of a comment: more is a list that nobody checks.
const REFERENCES_MOST: usize = 20;

impl Flow {
    /// Somebody wants to comment.
    pub(super) fn comment(&mut self, author: &Author, written: &WriteComment) -> Result<(), crate::Refusal> {
        author.must_write(self)?;
        is_sound(written)?;
        let case = self.issue_for(author, written.issue)?;
        // One at a time: or whoever writes fast enough has many comments before the first one counts.
        if parts(&case).1.held_of(&author.who).is_some() {
            return Err(Refusal::BeingChecked.into());
        }
        if let Some(who) = blind_reader(&case).filter(|_| resolves(written)) {
            return Err(Refusal::BlindReviewPending { who: who.clone() }.into());
        }
        let said = self.worded(&case, author, written);
        let breaches = self.breaches(&case, author, &said);
        let may_freeze = self.may_freeze(&case, &author.who);
        match comment_verdict(&breaches, may_freeze) {
            GateVerdict::Admit | GateVerdict::Mark if cites_files(&written.evidence) => self.hold(said),
            GateVerdict::Admit | GateVerdict::Mark => {
                let gap = missing(&self.house, &case, &said);
                self.admit(said, written.stance);
                let why = (written.kind, written.trigger);
                self.credit_comment(&case, author, why, CommentFate::Stands(gap.as_slice()));
            }
            verdict @ (GateVerdict::Freeze | GateVerdict::Reject) => {
                self.turn_away(&case, author, breaches, verdict);
                self.credit_comment(&case, author, (written.kind, written.trigger), CommentFate::Stopped);
            }
        }
        Ok(())
    }

    /// Whether anything follows from a comment beyond itself.
    pub(super) fn is_meant(&self, comment: &Comment) -> bool {
        !comment.rehearsed || self.house.edition() < edition::MEANT
    }

    /// Whether anything follows from what somebody supports.
    pub(super) fn means_it(&self, who: &Who) -> bool {
        !self.house.roster().is_placeholder(who) || self.house.edition() < edition::MEANT
    }

    /// What the gate finds. Nothing here asks a model or reads a file.
    pub(super) fn breaches(&self, case: &Case, author: &Author, said: &Contribution) -> Vec<Breach> {
        let (rules, state) = parts(case);
        let (who, written) = (&author.who, said.comment().cloned().unwrap_or_default());
        let limits = self.house.comment_limits(rules, who, self.at);
        let offered = OfferedComment {
            body: said.text(),
            // Where a charter switches the checks off, only what nobody can store is turned away.
            class: if rules.breakers { author.class } else { AuthorClass::System },
            keywords: &rules.keywords,
            kind: written.kind,
            impact: weighed_impact(case, &written),
            resolves: written.did(CommentDeed::Resolved),
            uses_budget: written.order.is_none(),
            cites: self.cited(case.id, &written.evidence),
            who,
        };
        // What placeholders said counts among themselves, so that a rehearsal can be tried to its end.
        let heard = || spoken(case).filter(|heard| written.rehearsed || self.is_meant(heard.comment));
        let thread = ThreadFacts {
            own: state.issue.own(who, written.kind),
            counted: state.issue.counted,
            said: heard().count() as u32,
            others: heard().filter(|heard| heard.who != who).count() as u32,
            earlier: match self.house.edition() >= edition::REFUSES_REPETITION {
                true => earlier(case, who, &written),
                false => Vec::new(),
            },
            latest: state.issue.latest().collect(),
        };
        examine_comment(&limits, &offered, &thread)
    }

    /// Whether a comment of somebody may still freeze an issue. Who froze too many lately is rejected instead.
    pub(super) fn may_freeze(&self, case: &Case, who: &Who) -> bool {
        let (rules, _) = parts(case);
        let since = back(self.at, rules.dampen_ms.is);
        u64::from(self.house.docket().freezes(who, since)) < rules.freezes_most.is
    }

    /// What a comment cites, by sort. An issue that cites itself rests on nothing.
    fn cited(&self, own: MatterId, evidence: &[Reference]) -> CitedReferences {
        let mut cited = CitedReferences::default();
        let mut forms = std::collections::BTreeSet::new();
        // Naming a source twice makes it no second source.
        for reference in evidence.iter().filter(|one| forms.insert(one.normal_form())) {
            match reference {
                Reference::File(file) => {
                    cited.files += 1;
                    cited.bare_files += u32::from(file.lines.is_none() && file.quote.is_none());
                }
                Reference::Canon(named) => {
                    let known = canon_ref(reference).map(|entry| self.house.canon().cite(&entry, self.at));
                    match known {
                        Some(CitedEntry::Known(..)) => cited.canon += 1,
                        Some(CitedEntry::Unknown) | None => cited.unknown_canon.push(named.to_string()),
                    }
                }
                // What is not there is no source.
                Reference::Gap(_) => (),
                Reference::Issue(number) => match self.house.docket().numbered(*number) {
                    Some(matter) if matter == own => (),
                    Some(_) => cited.issues += 1,
                    None => cited.unknown_issues.push(*number),
                },
            }
        }
        cited
    }

    /// A comment does not stand. It is recorded, and its author learns of every breach.
    pub(super) fn turn_away(
        &mut self,
        case: &Case,
        author: &Author,
        breaches: Vec<Breach>,
        verdict: GateVerdict,
    ) {
        let (matter, who) = (case.id, author.who.clone());
        let found = breakers(&breaches);
        self.put(Event::Gate(gate::Event::Refused { breaches, matter, verdict, who: who.clone() }));
        let (rules, state) = parts(self.case());
        let again = state.issue.rejections(&who);
        let breaker = match verdict {
            GateVerdict::Freeze => {
                let freezes = |breaker: &&Breaker| {
                    matches!(
                        breaker,
                        Breaker::CommentBudgetExceeded
                            | Breaker::IssueCommentLimit
                            | Breaker::EscalationLanguage
                            | Breaker::PingPongDetected
                    )
                };
                found.iter().find(freezes).copied()
            }
            GateVerdict::Reject if found.contains(&Breaker::MissingEvidenceForImpact) => {
                let often = u64::from(again) >= rules.evidence_rejections.is;
                let may = author.class == AuthorClass::Agent && self.may_freeze(case, &who);
                (often && may).then_some(Breaker::RepeatedMissingEvidence)
            }
            GateVerdict::Reject | GateVerdict::Admit | GateVerdict::Mark => None,
        };
        // An issue that rests already is not frozen again.
        if let Some(breaker) = breaker.filter(|_| parts(self.case()).1.issue.freeze.is_none()) {
            self.freeze(&who, breaker);
        }
        self.turn_to(matter);
        self.warn_of_circled_topics();
    }

    /// The comment as it is kept.
    fn worded(&self, case: &Case, author: &Author, written: &WriteComment) -> Contribution {
        let order = parts(case).1.order_of(&author.who);
        let side = order.map(|(_, order)| order.order.side);
        let comment = Comment {
            action: written.action.clone(),
            blind: side == Some(DissentSide::Blind),
            checked: None,
            class: author.class,
            evidence: written.evidence.clone(),
            impact: written.impact,
            kind: written.kind,
            order: order.map(|(id, _)| id),
            rehearsed: false, // filled in with its author
            trigger: written.trigger,
            verified: {
                let cited = self.cited(case.id, &written.evidence);
                cited.issues + cited.canon
            },
        };
        let mut said = self.contribution(case, &author.who, comment, &written.body);
        said.ordered = side.and_then(DissentSide::forced);
        said.response.stance = written.stance;
        said
    }

    /// Words in an issue as every organ sees them.
    pub(super) fn contribution(&self, case: &Case, who: &Who, comment: Comment, body: &str) -> Contribution {
        let rehearsed = self.house.roster().is_placeholder(who);
        let comment = Comment { rehearsed, ..comment };
        Contribution {
            // Nobody was asked.
            ask: AskId(case.id.0),
            at: self.at,
            how: How::Direct,
            kind: ContributionKind::Comment(Box::new(comment)),
            ordered: None,
            repairs: Vec::new(),
            repeats: false,
            response: Response { position: Some(body.trim().to_string()), ..Response::default() },
            round: 0,
            stage: 0,
            to: None,
            violations: Vec::new(),
            who: who.clone(),
        }
    }

    /// A comment stands; what follows from it happens in the same decision.
    pub(super) fn admit(&mut self, said: Contribution, stance: Option<Choice>) -> Id {
        let (matter, who) = (self.case().id, said.who.clone());
        let comment = said.comment().cloned().unwrap_or_default();
        let body = said.response.position.clone().unwrap_or_default();
        let id = self.put(Event::Gate(gate::Event::Posted { matter, said: Arc::new(said) }));
        if let Some(order) = comment.order {
            self.carry_out(order);
        }
        if comment.did(CommentDeed::Escalated) {
            let (to, what) = (NoticeTo::Moderator, NoticeKind::Escalated);
            self.put_issue(issue::Event::Noticed { matter, to, what });
        }
        if comment.kind == CommentKind::Comment {
            // What somebody was ordered to say, or says blind, is not shown as their support. A placeholder supports nothing.
            if comment.uses_budget() && self.is_meant(&comment) {
                self.record_support(&who, stance);
            }
            if matches!(stance, Some(Choice::Yes | Choice::No)) && self.is_meant(&comment) {
                self.raise(&who);
            }
        }
        if comment.class != AuthorClass::System {
            self.hold_against_canon(&who, &body, Some(id), 0);
            self.report_old_versions(&who, &comment.evidence, id);
            self.search_canon(&who, &comment, id);
        }
        if comment.did(CommentDeed::Resolved) {
            self.settle_issue(Decision::Resolved);
        } else {
            self.look_for_consensus();
            self.look_for_blind_pass(comment.impact);
        }
        self.turn_to(matter);
        self.warn_of_circled_topics();
        id
    }

    /// An approval raises how far an issue is to be relied on: by somebody else than its author to tentative, by two of them
    /// with nobody against to agreed. What the house holds to be true is decided elsewhere.
    pub(super) fn raise(&mut self, who: &Who) {
        let case = self.case();
        let (matter, issue) = (case.id, &parts(case).1.issue);
        if issue.meta.is_some() || issue.by.as_ref() == Some(who) {
            return;
        }
        let sides = self.sides(case);
        let approving = self.approving(case, &sides);
        let against = sides.values().any(|stance| *stance == Choice::No);
        let reached = match (approving.len(), against) {
            (2.., false) => Epistemic::Agreed,
            (1.., _) => Epistemic::Tentative,
            (0, _) => Epistemic::Draft,
        };
        let falls = sides.get(who) == Some(&Choice::No) && issue.epistemic == Epistemic::Agreed;
        if falls {
            // What somebody objects to is not agreed any more.
            self.put_issue(issue::Event::Raised { epistemic: Epistemic::Tentative, matter });
        } else if reached > issue.epistemic && issue.epistemic < Epistemic::Agreed {
            self.put_issue(issue::Event::Raised { epistemic: reached, matter });
        }
    }

    /// Somebody no longer supports an issue: what fewer than two others approve of is not agreed any more.
    pub(super) fn lower(&mut self, who: &Who) {
        let case = self.case();
        let (matter, issue) = (case.id, &parts(case).1.issue);
        let agreed = issue.epistemic == Epistemic::Agreed && self.house.edition() >= edition::MEANT;
        let mut approving = self.approving(case, &self.sides(case));
        approving.remove(who);
        if agreed && approving.len() < 2 {
            self.put_issue(issue::Event::Raised { epistemic: Epistemic::Tentative, matter });
        }
    }

    /// Where everybody but the author of an issue stands by what they said last.
    fn sides(&self, case: &Case) -> BTreeMap<Who, Choice> {
        let issue = &parts(case).1.issue;
        // What is said blind counts once all of it is heard, or everybody would see who approves.
        let heard = blind_reader(case).is_none();
        let counts = |comment: &Comment| {
            let free = comment.order.is_none() || comment.blind && heard;
            comment.kind == CommentKind::Comment && free && self.is_meant(comment)
        };
        let mut last = BTreeMap::new();
        for (_, heard) in case.comments().filter(|(_, heard)| counts(heard.comment)) {
            // Who changed their mind is where they stand now.
            if let Some(stance) = heard.stance.filter(|_| issue.by.as_ref() != Some(heard.who)) {
                last.insert(heard.who.clone(), stance);
            }
        }
        last
    }

    /// Who but its author approves of an issue. Support can also be given without a comment.
    fn approving(&self, case: &Case, sides: &BTreeMap<Who, Choice>) -> BTreeSet<Who> {
        let by = parts(case).1.issue.by.as_ref();
        let said = sides.iter().filter(|(_, stance)| **stance == Choice::Yes).map(|(who, _)| who.clone());
        let supporters = self.house.canon().supporters(case.id);
        let others = supporters.iter().filter(|who| by != Some(*who) && self.means_it(who)).cloned();
        said.chain(others).collect()
    }
}

/// Whether anything is to be read before a comment can stand.
fn cites_files(evidence: &[Reference]) -> bool {
    evidence.iter().any(|one| matches!(one, Reference::File(_)))
}

impl Flow {
    /// Somebody who approves an issue supports it, and who objects does so no longer.
    fn record_support(&mut self, who: &Who, stance: Option<Choice>) {
        let holds = match stance {
            Some(Choice::Yes) => true,
            Some(Choice::No) => false,
            Some(Choice::Neutral | Choice::Option(_)) | None => return,
        };
        let case = self.case();
        let (matter, issue) = (case.id, &parts(case).1.issue);
        if issue.meta.is_some() {
            return;
        }
        // Refused where it says nothing new.
        if let Ok(event) = self.house.canon().support(matter, who, holds) {
            self.put(Event::Canon(event));
        }
    }
}

/// Somebody whose blind review of an issue is still open.
pub(super) fn blind_reader(case: &Case) -> Option<&Who> {
    let mut open = parts(case).1.open_orders();
    open.find(|(_, order)| order.order.side == DissentSide::Blind).map(|(_, order)| &order.order.who)
}

/// Comments and questions of a thread: an acknowledgement says nothing about it.
fn spoken(case: &Case) -> impl Iterator<Item = HeardComment<'_>> {
    let all = case.comments().map(|(_, heard)| heard);
    all.filter(|heard| heard.comment.kind != CommentKind::Acknowledgement)
}

/// What the comments of a thread say, as far as somebody has seen them: who reviews blind knows their own words alone, and what is said
/// blind is known once both have answered. Placeholders say one thing only, and nothing follows from it.
fn earlier<'a>(case: &'a Case, who: &Who, written: &Comment) -> Vec<(Id, &'a Who, &'a str)> {
    if written.rehearsed {
        return Vec::new();
    }
    let waits = blind_reader(case).is_some();
    let seen =
        |heard: &HeardComment<'_>| heard.who == who || !(written.blind || waits && heard.comment.blind);
    let counts = |heard: &HeardComment<'_>| {
        heard.comment.kind == CommentKind::Comment && !heard.comment.rehearsed && seen(heard)
    };
    let all = case.comments().filter(|(_, heard)| counts(heard));
    all.map(|(said, heard)| (said.id, heard.who, said.said.text())).collect()
}

/// How much a comment would change, as its evidence is weighed. A comment that says how much cannot say less than its issue, and
/// one that resolves decides all that the thread is about. Approving or objecting is free: who agrees too easily is challenged.
fn weighed_impact(case: &Case, written: &Comment) -> Option<Impact> {
    let issue = parts(case).1.issue.impact;
    match written.kind {
        CommentKind::Comment if written.did(CommentDeed::Resolved) => {
            written.impact.max(case.thread_impact())
        }
        CommentKind::Comment if written.impact.is_some() => written.impact.max(issue),
        CommentKind::Comment | CommentKind::Question | CommentKind::Acknowledgement => written.impact,
    }
}

/// Whether a comment would settle the issue.
fn resolves(written: &WriteComment) -> bool {
    written.action.as_ref().is_some_and(|action| action.deed == CommentDeed::Resolved)
}

/// What no comment can be, whatever the rules are.
pub(super) fn is_sound(comment: &WriteComment) -> Result<(), crate::Refusal> {
    written("the comment", &comment.body)?;
    let given = comment.evidence.len();
    if given > REFERENCES_MOST {
        return Err(Refusal::TooMany { what: "references", given, most: REFERENCES_MOST }.into());
    }
    if matches!(comment.stance, Some(Choice::Option(_))) {
        return Err(Refusal::OtherStance.into());
    }
    let short = comment.kind != CommentKind::Comment;
    if short && (comment.stance.is_some_and(|stance| stance != Choice::Neutral) || resolves(comment)) {
        return Err(Refusal::KindTakesNoSide.into());
    }
    Ok(())
}
