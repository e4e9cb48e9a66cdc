//! Credit that somebody gives, ratings, goals and models: what the caller may do hangs on who they are, never on what they write.
//!
//! An attempt that is refused is not a refused command: it is recorded, and the caller is told by [`AwardOutcome`].

use super::author::{Author, class_of, is_user_or_house};
use super::command::{AwardCredit, SetGoal};
use super::{Refusal, state::parts};
use crate::house::{Case, Flow};
use crate::kernel::{AuthorClass, Id, MatterId, RefusalKind, SeatKind, Who, text};
use crate::ledger::{
    self, AttemptFlaw, AwardRequest, CreditReason, CreditReceiver, GoalDraft, LedgerCaller, Posting,
    RatingRequest, SecurityAttempt, model_key,
};
use crate::{Act, Command, Event, period, roster};

/// What became of an award or a rating.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum AwardOutcome<'a> {
    /// Credit moved.
    Posted(&'a Posting),
    /// A rating was taken.
    Rated {
        /// How much it counts.
        weight: u32,
    },
    /// It was given before, and is given once.
    Unchanged,
    /// It was refused, and the attempt is on the record.
    Refused(AttemptRefused),
}

/// An attempt that was refused.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AttemptRefused {
    /// The stable code.
    pub code: &'static str,
    /// What sort of "no" it is.
    pub kind: RefusalKind,
    /// In words.
    pub message: String,
}

impl<'a> AwardOutcome<'a> {
    /// What an act came to that was an award or a rating.
    pub fn of(act: &'a Act) -> Self {
        let told = act.events().iter().find_map(|event| match event {
            Event::Ledger(ledger::Event::Posted(posting)) => Some(Self::Posted(posting)),
            Event::Ledger(ledger::Event::Rated { weight, .. }) => Some(Self::Rated { weight: *weight }),
            Event::Ledger(ledger::Event::Attempted(attempt)) => Some(Self::Refused(refused(act, attempt))),
            _ => None, // what follows from it is not what it came to
        });
        told.unwrap_or(Self::Unchanged)
    }
}

fn refused(act: &Act, attempt: &SecurityAttempt) -> AttemptRefused {
    let refusal = match (attempt.flaw, &act.command) {
        // What was written stands in the command alone.
        (AttemptFlaw::UnknownReason, Command::Workshop(super::Command::Award(award))) => {
            ledger::Refusal::UnknownReason { reason: text::one_line(&award.reason) }
        }
        _ => refusal_of(attempt), // everything else follows from the attempt
    };
    AttemptRefused { code: refusal.code(), kind: refusal.kind(), message: refusal.to_string() }
}

/// The refusal that an attempt on record came to.
fn refusal_of(attempt: &SecurityAttempt) -> ledger::Refusal {
    let reason = CreditReason::parse(&attempt.reason);
    let word = reason.map_or("this reason", CreditReason::word);
    match attempt.flaw {
        AttemptFlaw::SelfAward => ledger::Refusal::SelfAward,
        AttemptFlaw::SelfRating => ledger::Refusal::SelfRating,
        AttemptFlaw::UserReceiver => ledger::Refusal::UserReceiver,
        AttemptFlaw::UnknownReceiver => ledger::Refusal::UnknownReceiver { to: attempt.to.clone() },
        AttemptFlaw::UnknownReason => ledger::Refusal::UnknownReason { reason: attempt.reason.clone() },
        AttemptFlaw::NotVerifier => {
            let verifier = reason.map_or("house", |reason| reason.terms().verifier.word());
            ledger::Refusal::NotVerifier { reason: word, verifier }
        }
        AttemptFlaw::AmountOutOfRange => {
            let range = reason.map(|reason| reason.terms().range);
            let (least, most) = range.map_or((0, 0), |range| (range.least, range.most));
            ledger::Refusal::AmountOutOfRange { least, most, reason: word }
        }
        AttemptFlaw::NeedsCitation => ledger::Refusal::NeedsCitation { reason: word },
        AttemptFlaw::MalformedSlice => ledger::Refusal::MalformedSlice { most: ledger::SLICES_MOST },
        // Only participants of the house come that far.
        AttemptFlaw::FavourReturned => match Who::parse(&attempt.to) {
            Ok(to) => ledger::Refusal::FavourReturned { to },
            Err(_) => ledger::Refusal::SelfAward,
        },
    }
}

/// Whether a moderator may praise somebody for how an issue went on after a freeze: there was one, it is over, and they took part.
fn may_be_clean(author: &Author, case: &Case, to: &str) -> Result<(), Refusal> {
    let issue = &parts(case).1.issue;
    if author.class != AuthorClass::Moderator {
        return Ok(()); // refused by the table, and recorded as an attempt
    }
    match Who::parse(to) {
        Ok(who) if issue.freezes == 0 || issue.freeze.is_some() => Err(Refusal::NotThawed { who }),
        Ok(who) if !case.has_part(&who) => Err(Refusal::TookNoPart { who }),
        Ok(_) | Err(_) => Ok(()),
    }
}

/// Somebody who is to get something, as the house knows them.
struct KnownReceiver {
    class: Option<AuthorClass>,
    model: String,
    names: Vec<String>,
}

impl Flow {
    pub(super) fn award(&mut self, author: &Author, award: &AwardCredit) -> Result<(), crate::Refusal> {
        let case = self.any_issue(award.issue)?;
        if CreditReason::parse(award.reason.trim()) == Some(CreditReason::CleanUnfreeze) {
            may_be_clean(author, &case, &award.to)?;
        }
        // What the user accepts or finds helpful is something that somebody wrote there.
        let of_user = |reason: CreditReason| reason.terms().verifier == AuthorClass::User;
        let praises = author.class == AuthorClass::User
            && CreditReason::parse(award.reason.trim()).is_some_and(of_user);
        if let Ok(who) = Who::parse(&award.to)
            && praises
            && !is_user_or_house(&who)
            && matches!(self.receiver(&award.to).class, Some(AuthorClass::Agent | AuthorClass::Moderator))
            && !case.has_part(&who)
            && named(author) != Some(&who)
        {
            return Err(Refusal::TookNoPart { who }.into());
        }
        self.give_award(&case, author, award);
        Ok(())
    }

    /// Gives credit, or records that somebody tried to.
    pub(super) fn give_award(&mut self, case: &Case, author: &Author, award: &AwardCredit) {
        let names = named(author).map(|who| self.names_of(who)).unwrap_or_default();
        let caller = LedgerCaller { class: author.class, names: &names, who: named(author) };
        let known = self.receiver(&award.to);
        let to = CreditReceiver {
            class: known.class,
            model: &known.model,
            names: &known.names,
            written: &award.to,
        };
        let (amount, matter, slice) = (award.amount, Some(case.id), award.slice);
        let request = AwardRequest { amount, matter, reason: &award.reason, slice, to };
        let periods: Vec<Id> = self.house.periods().open().map(|period| period.id).collect();
        let given = self.house.ledger().award(&parts(case).0.ledger, &caller, &request, &periods);
        let events = given.unwrap_or_else(|refused| vec![refused.event]);
        self.put_ledger(case.id, events);
    }

    pub(super) fn rate(
        &mut self,
        author: &Author,
        helpful: bool,
        issue: MatterId,
        who: &str,
    ) -> Result<(), crate::Refusal> {
        // Who may only read has no say about others either.
        if self.house.edition() >= crate::edition::PAYS_FOR_WORK {
            author.must_write(self)?;
        }
        let case = self.any_issue(issue)?;
        let names = named(author).map(|who| self.names_of(who)).unwrap_or_default();
        let caller = LedgerCaller { class: author.class, names: &names, who: named(author) };
        let known = self.receiver(who);
        let of =
            CreditReceiver { class: known.class, model: &known.model, names: &known.names, written: who };
        let request = RatingRequest { helpful, matter: case.id, of };
        let rated = self.house.ledger().rate(&parts(&case).0.ledger, &caller, &request);
        let events = rated.unwrap_or_else(|refused| vec![refused.event]);
        self.put_ledger(case.id, events);
        Ok(())
    }

    pub(super) fn set_goal(&mut self, author: &Author, goal: &SetGoal) -> Result<(), crate::Refusal> {
        if let Some(who) = &goal.agent {
            self.can_be_assigned(who)?;
        }
        let period = match &goal.period {
            None => None,
            Some(name) => {
                let open = self.house.periods().named(name).filter(|period| period.closed.is_none());
                let unknown = || period::Refusal::NotOpen { name: text::one_line(name) };
                Some(open.ok_or_else(unknown)?.id)
            }
        };
        let draft = GoalDraft {
            agent: goal.agent.as_ref(),
            metric: goal.metric,
            period,
            sentence: &goal.sentence,
            target: goal.target,
            until: goal.until,
        };
        let names = named(author).map(|who| self.names_of(who)).unwrap_or_default();
        let caller = LedgerCaller { class: author.class, names: &names, who: named(author) };
        let event = self.house.ledger().set_goal(&caller, &draft, &|of| self.house.issues_done(of))?;
        self.put(Event::Ledger(event));
        Ok(())
    }

    pub(super) fn drop_goal(&mut self, author: &Author, goal: Id) -> Result<(), crate::Refusal> {
        let caller = LedgerCaller { class: author.class, names: &[], who: named(author) };
        let event = self.house.ledger().drop_goal(&caller, goal)?;
        self.put(Event::Ledger(event));
        Ok(())
    }

    /// Another model answers for an agent from outside. Whoever could say so of themself could leave a bad record behind.
    pub(super) fn change_model(
        &mut self,
        author: &Author,
        model: &str,
        who: &Who,
    ) -> Result<(), crate::Refusal> {
        author.must_lead()?;
        let model = text::one_line(model);
        super::open::written("the model", &model)?;
        super::open::fits("the model", &model, MODEL_MOST)?;
        let seat = self.house.roster().get(who);
        let seat = seat.ok_or_else(|| roster::Refusal::UnknownSeat { who: who.clone() })?;
        if seat.kind != SeatKind::Outside {
            return Err(Refusal::ModelOfSeat { who: who.clone() }.into());
        }
        if let Some(event) = self.house.ledger().model_change(who, &model_key(&model)) {
            self.put(Event::Ledger(event));
        }
        Ok(())
    }

    /// Other names that a participant goes by.
    fn names_of(&self, who: &Who) -> Vec<String> {
        self.house.roster().get(who).map(|seat| seat.name.clone()).into_iter().collect()
    }

    /// Who is meant by what was written.
    fn receiver(&self, written: &str) -> KnownReceiver {
        let unknown = KnownReceiver { class: None, model: String::new(), names: Vec::new() };
        let Ok(who) = Who::parse(written) else { return unknown };
        if self.house.roster().get(&who).is_none() {
            return unknown;
        }
        let class = Some(class_of(self.house.roster().appointment(&who).role));
        KnownReceiver { class, model: self.house.model_of(&who), names: self.names_of(&who) }
    }
}

/// The longest name of a model, in characters.
const MODEL_MOST: usize = 200;

/// Who acts, unless it is the person who runs the house.
pub(super) fn named(author: &Author) -> Option<&Who> {
    Some(&author.who).filter(|_| !author.is_operator)
}
