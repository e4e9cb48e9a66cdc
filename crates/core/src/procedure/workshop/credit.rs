//! What follows for credits from what happens in issues. Everything that is posted here is verified by the house.
//!
//! A citation is worth something only if somebody else caused it and something came of it. So the reason that its author gives is
//! held against the thread, words of the issue itself and files that changed since it was opened prove nothing. What came of
//! citations is told by those who oversee: agents raise nothing of each other, and nobody anything of their own.

use serde::Serialize;

use super::author::Author;
use super::award::named;
use super::held::files_of;
use super::state::parts;
use super::worth::{KnownWords, missing, own_findings, proof, proved_trigger};
use crate::canon::subject_key;
use crate::charter::Workshop;
use crate::dissent::DissentSide;
use crate::evidence::{FileFinding, FileReference};
use crate::gate::CommentLimits;
use crate::house::{Case, Flow, House};
use crate::issue::{self, IssueMark, NoticeKind, NoticeTo};
use crate::kernel::{
    AuthorClass, CitationTrigger, Comment, CommentKind, Contribution, Decision, Id, MatterId, Reference,
    SeatKind, Who,
};
use crate::ledger::{
    self, AwardRequest, CitationFinding, CitationOutcome, CitationProof, CitedPlace, CommentFacts,
    CreditReason, CreditReceiver, EscalationLevel, IssueFact, IssuesDone, LedgerCaller, PeriodEnd,
    PeriodSpan, ProfilePeriods, RemediationConstraint, Rules, TaskDosage, TeamReason, UpgradeScope,
    citation_key, gap_form,
};
use crate::roster::WorkRole;
use crate::{Event, edition};

/// What became of a comment, with what was found of what it cites.
#[derive(Debug, Clone, Copy)]
pub(super) enum CommentFate<'a> {
    /// It stands.
    Stands(&'a [CitationFinding]),
    /// It was turned away before anything was read.
    Stopped,
    /// It was turned away after its files were read.
    Refuted(&'a [CitationFinding]),
}

/// The numbers of the ledger that hold in a house: those of the charter its issues are opened under.
pub fn credit_rules(house: &House) -> Rules {
    let charter = house.docket().charter().and_then(|digest| house.charter(&digest));
    charter.and_then(|adopted| adopted.rules.workshop()).map(|rules| rules.ledger.clone()).unwrap_or_default()
}

/// Goals whose time is up.
pub(crate) fn end_goals(flow: &mut Flow) {
    if flow.house.ledger().next_goal_deadline().is_some_and(|due| due <= flow.at) {
        flow.look_at_goals(None);
    }
}

/// Where an agent stands: what it has to heed, and in which portions it gets its work.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct AgentStanding {
    /// How large its tasks should be, and why.
    #[serde(flatten)]
    pub dosage: TaskDosage,
    /// All its credits with the model that answers for it.
    pub credits: i64,
    /// What it has to heed, in sentences for its brief.
    pub heeds: Vec<String>,
    /// The model that answers for it.
    pub model: String,
    /// Its role.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub role: Option<&'static str>,
    /// Verified citations in a row up to now.
    pub streak: u32,
    /// A placeholder of a rehearsal: nothing of this says anything about anybody.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub rehearsal: bool,
}

impl AgentStanding {
    /// Where an agent stands now.
    pub fn of(house: &House, who: &Who) -> Self {
        let rules = credit_rules(house);
        let dosage = house.ledger().dosage(&rules, who);
        let model = house.model_of(who);
        let profile = house.ledger().profile(&rules, who, &model, ProfilePeriods::default());
        Self {
            credits: profile.lifetime,
            heeds: dosage.constraints.iter().map(|one| one.words()).collect(),
            model: profile.model,
            role: house.roster().appointment(who).role.map(WorkRole::word),
            streak: profile.streak,
            rehearsal: house.roster().is_placeholder(who),
            dosage,
        }
    }
}

impl House {
    /// The model that answers for a participant: as its seat says, or as the operator said of one from outside.
    pub fn model_of(&self, who: &Who) -> String {
        let Some(seat) = self.roster().get(who) else { return String::new() };
        let told = self.ledger().active_model(who).filter(|_| seat.kind == SeatKind::Outside);
        let known = told.cloned().or_else(|| seat.model.clone());
        known.unwrap_or_else(|| seat.backend.clone())
    }

    /// Agents that work on issues here: those with a role, and those with a record. Neither leads nor the user.
    pub fn working_agents(&self) -> Vec<Who> {
        let active = self.roster().active().filter(|(seat, held)| {
            let known = held.role.is_some() || self.ledger().active_model(&seat.who).is_some();
            known && held.role != Some(WorkRole::Lead)
        });
        active.map(|(seat, _)| seat.who.clone()).collect()
    }

    /// What issues came to in a period, or ever, whoever resolved or opened them.
    pub fn issues_done(&self, period: Option<Id>) -> IssuesDone {
        let now = self.docket().tally();
        let done = |tally: &issue::IssueTally| (tally.resolved, tally.applied);
        let Some(period) = period else { return IssuesDone { resolved: now.resolved, applied: now.applied } };
        let Some((from, to)) = self.docket().period(period) else { return IssuesDone::default() };
        let ((resolved, applied), before) = (done(to.unwrap_or(now)), done(from));
        IssuesDone { resolved: resolved.saturating_sub(before.0), applied: applied.saturating_sub(before.1) }
    }

    /// What an agent under remediation has to heed, in sentences for its brief.
    pub(super) fn heeds(&self, rules: &Workshop, who: &Who) -> Vec<String> {
        let record = self.ledger().active_record(who);
        let constraints = record.map(|record| record.constraints(&rules.ledger.ladder)).unwrap_or_default();
        constraints.into_iter().map(RemediationConstraint::words).collect()
    }

    /// Holds an agent that struggles to less than others may do.
    pub(super) fn constrain(&self, rules: &Workshop, who: &Who, limits: &mut CommentLimits) {
        let Some(record) = self.ledger().active_record(who) else { return };
        for constraint in record.constraints(&rules.ledger.ladder) {
            match constraint {
                RemediationConstraint::CiteSources(least) => {
                    limits.sources_least = least;
                    // Fewer comments, so that each is read again before it is sent.
                    limits.comments_each = limits.comments_each.min(1);
                }
                RemediationConstraint::CiteLines => limits.places_needed = true,
                // Nobody can see whether they are heeded; they stand in the brief.
                RemediationConstraint::RereadEvidence | RemediationConstraint::EscalateWhenUncertain => (),
            }
        }
    }
}

impl Flow {
    fn open_periods(&self) -> Vec<Id> {
        self.house.periods().open().map(|period| period.id).collect()
    }

    /// Puts down what the ledger says, with what follows: notices, goals that are reached.
    pub(super) fn put_ledger(&mut self, matter: MatterId, events: Vec<ledger::Event>) {
        if events.is_empty() {
            return;
        }
        for event in events {
            let notice = match &event {
                ledger::Event::Escalated(step) if step.tell_user => {
                    Some((NoticeTo::User, NoticeKind::AgentFlagged { who: step.who.clone() }))
                }
                ledger::Event::Escalated(step)
                    if step.from < step.to && step.to == EscalationLevel::Watch =>
                {
                    Some((NoticeTo::Moderator, NoticeKind::AgentWatched { who: step.who.clone() }))
                }
                _ => None, // nothing else is urgent
            };
            self.put(Event::Ledger(event));
            if let Some((to, what)) = notice {
                self.put_issue(issue::Event::Noticed { matter, to, what });
            }
        }
        self.look_at_goals(None);
    }

    /// Goals that are reached or over. `closing` is a period that ends with this.
    fn look_at_goals(&mut self, closing: Option<Id>) {
        if self.house.ledger().open_goals().next().is_none() {
            return;
        }
        let (rules, roster) = (credit_rules(&self.house), self.house.working_agents());
        let period = closing.or(self.open_periods().last().copied());
        let due = self
            .house
            .ledger()
            .goals_due(&rules, self.at, closing, (period, &roster), &|of| self.house.issues_done(of));
        for event in due {
            self.put(Event::Ledger(event));
        }
    }

    /// A comment is an action of its author, and its citations have a price. `case` is the issue before it.
    pub(super) fn credit_comment(
        &mut self,
        case: &Case,
        author: &Author,
        (kind, trigger): (CommentKind, Option<CitationTrigger>),
        fate: CommentFate<'_>,
    ) {
        let false_ones: Vec<CitationFinding>;
        let (citations, stopped) = match fate {
            // Questions and acknowledgements are short and free; what they cite is checked, and earns nothing.
            CommentFate::Stands(_) if kind != CommentKind::Comment => (&[][..], false),
            CommentFate::Stands(citations) => (citations, false),
            CommentFate::Stopped => (&[][..], true),
            CommentFate::Refuted(citations) => {
                let is_false = |one: &&CitationFinding| one.proof == CitationProof::False;
                false_ones = citations.iter().filter(is_false).cloned().collect();
                (false_ones.as_slice(), true)
            }
        };
        let (model, periods) = (self.house.model_of(&author.who), self.open_periods());
        let facts = CommentFacts {
            citations,
            class: author.class,
            matter: case.id,
            model: &model,
            periods: &periods,
            stopped,
            trigger: trigger.map(|stated| proved_trigger(case, &author.who, stated)),
            who: &author.who,
        };
        let events = self.house.ledger().comment(&parts(case).0.ledger, &facts);
        self.put_ledger(case.id, events);
        self.turn_to(case.id);
    }

    /// What is known of the files that a comment cites, as the ledger prices it.
    pub(super) fn citations(
        &self,
        case: &Case,
        said: &Contribution,
        findings: &[FileFinding],
    ) -> Vec<CitationFinding> {
        let Some(comment) = said.comment() else { return Vec::new() };
        let mut known: Vec<&FileFinding> = own_findings(case, &said.who).collect();
        let mut found = Vec::new();
        let words = KnownWords::of(case);
        for (file, finding) in files_of(comment).zip(findings) {
            let proof = proof(&self.house, &words, &said.who, (file, finding));
            // The same place cited with other words is no second citation.
            let again = proof != CitationProof::False
                && finding.digest.is_some()
                && known.iter().any(|one| one.problem.is_none() && finding.is_same_place(one));
            if !again {
                let (first, last) = finding.place();
                let place = finding.digest.map(|digest| CitedPlace { digest, first, last });
                found.push(CitationFinding { form: form(file), place, proof });
                known.push(finding);
            }
        }
        found.extend(missing(&self.house, case, said));
        found
    }

    /// An agent began an issue.
    pub(super) fn credit_start(&mut self, author: &Author, matter: MatterId) {
        if earns(author.class) {
            self.count_issue(IssueFact::Started, matter, &author.who);
        }
    }

    fn count_issue(&mut self, fact: IssueFact, matter: MatterId, who: &Who) {
        let (model, periods) = (self.house.model_of(who), self.open_periods());
        let events = self.house.ledger().issue(fact, matter, who, &model, &periods);
        self.put_ledger(matter, events);
    }

    /// Something came of what was cited in an issue, as somebody says whose word counts for it.
    pub(super) fn raise_citations(
        &mut self,
        case: &Case,
        scope: UpgradeScope<'_>,
        outcome: CitationOutcome,
        by: &LedgerCaller<'_>,
    ) {
        let (rules, periods) = (&parts(case).0.ledger, self.open_periods());
        let events = self.house.ledger().upgrade(rules, by, case.id, scope, outcome, &periods);
        self.put_ledger(case.id, events);
    }

    /// The house itself gives credit for something in an issue.
    pub(super) fn credit_by_house(&mut self, case: &Case, reason: CreditReason, who: &Who) {
        self.credit_as(&LedgerCaller::SYSTEM, case, reason, who);
    }

    fn credit_as(&mut self, caller: &LedgerCaller<'_>, case: &Case, reason: CreditReason, who: &Who) {
        let names = [];
        let class = Some(AuthorClass::Agent);
        let (model, periods) = (self.house.model_of(who), self.open_periods());
        let to = CreditReceiver { class, model: &model, names: &names, written: who.as_str() };
        let (matter, reason) = (Some(case.id), reason.word());
        let request = AwardRequest { amount: None, matter, reason, slice: None, to };
        let rules = &parts(case).0.ledger;
        let given = self.house.ledger().award(rules, caller, &request, &periods);
        let events = given.unwrap_or_else(|refused| vec![refused.event]);
        self.put_ledger(case.id, events);
    }

    pub(super) fn credit_team(&mut self, case: &Case, reason: TeamReason, cause: Option<&Who>) {
        let (rules, roster) = (&parts(case).0.ledger, self.house.working_agents());
        let period = self.open_periods().last().copied();
        let given = self.house.ledger().team_award(rules, reason, period, &roster, (cause, Some(case.id)));
        self.put_ledger(case.id, given.into_iter().collect());
    }

    /// The issue is over: what was cited led to something, or to nothing. `case` is the issue after it.
    pub(super) fn credit_end(&mut self, decision: Decision) {
        let Some(case) = self.house.shared(self.case().id) else { return };
        let issue = &parts(&case).1.issue;
        if decision != Decision::Resolved {
            // What went into another issue goes on there.
            if issue.into.is_none() {
                let nobody = &LedgerCaller::SYSTEM;
                self.raise_citations(&case, UpgradeScope::Matter, CitationOutcome::NoAction, nobody);
            }
            return self.turn_to(case.id);
        }
        let resolver = issue.resolved_by.and_then(|id| case.said.iter().find(|said| said.id == id));
        let resolver = resolver.map(|said| (said.who.clone(), said.comment().cloned().unwrap_or_default()));
        if let Some((who, comment)) = &resolver {
            let who_judges = Some(who).filter(|who| self.house.roster().get(who).is_some());
            let by = LedgerCaller { class: comment.class, names: &[], who: who_judges };
            self.raise_citations(&case, UpgradeScope::Matter, CitationOutcome::ResolvedIssue, &by);
            if earns(comment.class) {
                self.count_issue(IssueFact::Resolved, case.id, who);
            }
            // Two agents could resolve for each other all day.
            if comment.class != AuthorClass::Agent {
                self.credit_brief_authors(&case);
            }
        }
        // A goal of the team counts it also where it moved no credit.
        self.look_at_goals(None);
        self.turn_to(case.id);
    }

    /// Agents who needed fewer comments than allowed, and proved something: a comment alone proves nothing.
    fn credit_brief_authors(&mut self, case: &Case) {
        let (rules, state) = parts(case);
        if state.issue.meta.is_some() {
            return;
        }
        let mut authors: Vec<&Who> = Vec::new();
        for (_, heard) in case.comments() {
            if heard.comment.class == AuthorClass::Agent && !authors.contains(&heard.who) {
                authors.push(heard.who);
            }
        }
        for who in authors {
            let used = u64::from(state.issue.own(who, CommentKind::Comment));
            let proved = self.house.ledger().paid_citations(case.id, who) > 0;
            if proved && used > 0 && used < rules.comments_each.is {
                self.credit_by_house(case, CreditReason::CommentUnderBudget, who);
            }
        }
    }

    /// Somebody said what came of an issue.
    pub(super) fn credit_mark(&mut self, case: &Case, author: &Author, mark: IssueMark) {
        let issue = &parts(case).1.issue;
        // Who marks their own work gets nothing for it.
        let starter = issue.by.as_ref().filter(|who| earns(issue.class) && **who != author.who);
        let by = &LedgerCaller { class: author.class, names: &[], who: named(author) };
        match mark {
            IssueMark::Applied => {
                self.raise_citations(case, UpgradeScope::Matter, CitationOutcome::LedToFileChange, by);
                if issue.settled == Some(issue::IssueStatus::Resolved) {
                    self.credit_brief_authors(case);
                }
                if let Some(who) = starter {
                    self.count_issue(IssueFact::Applied, case.id, who);
                    if self.may_reward(case, author, who) {
                        self.credit_applied(case, author, who);
                    }
                }
            }
            IssueMark::Irrelevant => {
                self.raise_citations(case, UpgradeScope::Matter, CitationOutcome::NoAction, by);
                if let Some(who) = issue.by.as_ref().filter(|_| earns(issue.class)) {
                    self.count_issue(IssueFact::Irrelevant, case.id, who);
                    self.credit_by_house(case, CreditReason::IssueMarkedLeech, who);
                }
            }
            IssueMark::Helpful { comment } => self.credit_helpful(case, author, comment),
        }
        self.look_at_goals(None);
        self.turn_to(case.id);
    }

    /// Whether a mark of somebody earns the one who opened the issue anything. What the user and a lead say does. Moderators could mark
    /// empty issues for each other all day: somebody else has to have had a part in it, and nobody returns a favour.
    fn may_reward(&self, case: &Case, author: &Author, starter: &Who) -> bool {
        let before = self.house.edition() < edition::PAYS_FOR_WORK;
        if before || author.class == AuthorClass::User {
            return true;
        }
        let periods = self.open_periods();
        let shared = case.comments().any(|(_, heard)| heard.who != starter && *heard.who != author.who);
        shared && !self.house.ledger().is_favour_returned(&author.who, starter, &periods)
    }

    /// The house credits an issue that somebody marked as applied, and keeps in mind who said so.
    fn credit_applied(&mut self, case: &Case, author: &Author, starter: &Who) {
        let names_giver = self.house.edition() >= edition::PAYS_FOR_WORK;
        let giver = Some(&author.who).filter(|_| names_giver && author.class == AuthorClass::Moderator);
        let caller = LedgerCaller { who: giver, ..LedgerCaller::SYSTEM };
        self.credit_as(&caller, case, CreditReason::IssueAppliedInWork, starter);
    }

    /// The user found a comment helpful: its author gets credit, and what it cites informed a decision.
    fn credit_helpful(&mut self, case: &Case, author: &Author, id: Id) {
        let said = case.comments().find(|(said, _)| said.id == id).map(|(said, _)| said.said.clone());
        let Some(said) = said else { return };
        let comment = said.comment().cloned().unwrap_or_default();
        if !earns(comment.class) || said.who == author.who {
            return;
        }
        for form in forms(&comment) {
            let key = citation_key(&said.who, &form);
            let by = &LedgerCaller { class: author.class, names: &[], who: named(author) };
            self.raise_citations(case, UpgradeScope::Citation(key), CitationOutcome::InformedDecision, by);
        }
        self.give_award(
            case,
            author,
            &super::AwardCredit {
                amount: None,
                issue: case.id,
                reason: CreditReason::UserMarkedHelpful.word().into(),
                slice: None,
                to: said.who.to_string(),
            },
        );
        let order = comment.order.and_then(|order| parts(case).1.orders.get(&order));
        if order.is_some_and(|order| order.order.side == DissentSide::Against) {
            self.credit_team(case, TeamReason::SuccessfulDaChallenge, Some(&said.who));
        }
    }

    /// Somebody who oversees issues says what came of the evidence in a comment. Of their own nothing is raised.
    pub(super) fn tell_outcome(
        &mut self,
        author: &Author,
        matter: MatterId,
        comment: Id,
        outcome: CitationOutcome,
    ) -> Result<(), crate::Refusal> {
        author.must_oversee()?;
        let case = self.any_issue(matter)?;
        let said = case.comments().find(|(said, _)| said.id == comment).map(|(said, _)| said.said.clone());
        let said = said.ok_or(super::Refusal::UnknownComment)?;
        if said.who == author.who {
            self.record_self_raise(&case, author);
            return Ok(());
        }
        let written = said.comment().cloned().unwrap_or_default();
        let before = self.house.ledger().pending_citations(matter);
        for form in forms(&written) {
            let key = citation_key(&said.who, &form);
            let by = &LedgerCaller { class: author.class, names: &[], who: named(author) };
            self.raise_citations(&case, UpgradeScope::Citation(key), outcome, by);
        }
        match self.house.ledger().pending_citations(matter) == before {
            true => Err(super::Refusal::NothingToJudge.into()),
            false => Ok(()),
        }
    }

    /// Somebody tried to raise what they cited themself: nothing moves, and the attempt is on the record.
    fn record_self_raise(&mut self, case: &Case, author: &Author) {
        let award = super::AwardCredit {
            amount: None,
            issue: case.id,
            reason: CreditReason::EvidenceOutcomeUpgrade.word().into(),
            slice: None,
            to: author.who.to_string(),
        };
        self.give_award(case, author, &award);
    }

    /// Somebody objected on order in an issue: whoever began it had it checked.
    pub(super) fn credit_challenge(&mut self, advocate: &Who) {
        let Some(case) = self.house.shared(self.case().id) else { return };
        let issue = &parts(&case).1.issue;
        // Agents who approve and object for each other all day prove nothing: something that the advocate cites has to hold.
        // One that waits to be judged because too many do is not paid yet.
        let proved = match self.house.edition() >= edition::PAYS_FOR_WORK {
            true => self.house.ledger().has_earning_citation(case.id, advocate),
            false => self.house.ledger().paid_citations(case.id, advocate) > 0,
        };
        let earns = |who: &&Who| proved && earns(issue.class) && *who != advocate;
        if let Some(who) = issue.by.as_ref().filter(earns) {
            self.credit_by_house(&case, CreditReason::ConsultedDevilsAdvocate, who);
        }
        self.turn_to(case.id);
    }

    /// A period is about to end: what the team gets for it.
    pub(super) fn credit_period(&mut self, period: Id, name: &str) {
        let (rules, roster) = (credit_rules(&self.house), self.house.working_agents());
        let frozen = self.house.docket().rows().filter(|(_, row)| row.status == issue::IssueStatus::Frozen);
        let end = PeriodEnd {
            frozen: frozen.count() as u32,
            period,
            roster: &roster,
            span: PeriodSpan::of_name(name),
        };
        let events = self.house.ledger().period_end(&rules, &end);
        for event in events {
            self.put(Event::Ledger(event));
        }
        self.look_at_goals(Some(period));
    }
}

/// The forms by which what a comment cites is known again, as far as it is priced.
fn forms(comment: &Comment) -> impl Iterator<Item = String> {
    files_of(comment).map(form).chain(comment.gaps().filter_map(subject_key).map(|key| gap_form(&key)))
}

/// Whether somebody in this capacity has credits at all.
pub(super) fn earns(class: AuthorClass) -> bool {
    matches!(class, AuthorClass::Agent | AuthorClass::Moderator)
}

/// The form by which a citation of a file is known again.
fn form(file: &FileReference) -> String {
    Reference::File(file.clone()).normal_form()
}
