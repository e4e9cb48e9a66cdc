//! Credits: what citations are worth, who may give what, and what follows for whom.

mod boards;
mod cheating;
mod citations;
mod ladder;
mod prices;
mod properties;
mod records;
mod teams;

use synod_core::kernel::{At, AuthorClass, CitationTrigger, Id, MatterId, Seq, Who};
use synod_core::ledger::{
    AwardRequest, CitationFinding, CitationOutcome, CitationProof, CommentFacts, CreditReceiver, Event,
    IssueFact, IssuesDone, IssuesDoneIn, Ledger, LedgerCaller, RefusedAttempt, Rules, UpgradeScope,
};

/// A house without issues.
pub(crate) const NOTHING: IssuesDoneIn<'static> = &|_| IssuesDone { applied: 0, resolved: 0 };

pub(crate) fn who(name: &str) -> Who {
    Who::parse(name).unwrap()
}

pub(crate) fn matter(number: u64) -> MatterId {
    MatterId(id(number))
}

pub(crate) fn id(number: u64) -> Id {
    Id { act: Seq(number), nth: 0 }
}

pub(crate) fn cited(form: &str, proof: CitationProof) -> CitationFinding {
    CitationFinding { form: form.into(), place: None, proof }
}

/// A ledger with all its events, as a house keeps them.
#[derive(Debug, Clone, Default)]
pub(crate) struct Book {
    pub(crate) ledger: Ledger,
    pub(crate) log: Vec<Event>,
    pub(crate) periods: Vec<Id>,
    pub(crate) rules: Rules,
}

/// The moment of the nth event.
pub(crate) fn at(nth: usize) -> At {
    At(1_000 * nth as u64)
}

impl Book {
    /// Records events as a house does.
    pub(crate) fn put(&mut self, events: impl IntoIterator<Item = Event>) -> usize {
        let before = self.log.len();
        for event in events {
            let nth = self.log.len();
            self.ledger.apply(id(nth as u64), at(nth), &event);
            self.log.push(event);
        }
        self.log.len() - before
    }

    pub(crate) fn now(&self) -> At {
        at(self.log.len())
    }

    pub(crate) fn say(
        &mut self,
        name: &str,
        matter_number: u64,
        trigger: CitationTrigger,
        citations: &[CitationFinding],
    ) -> usize {
        self.speak(name, "m", matter_number, Some(trigger), citations, false)
    }

    /// A comment without citations, stopped or not.
    pub(crate) fn act(&mut self, name: &str, model: &str, stopped: bool) {
        self.speak(name, model, 1, None, &[], stopped);
    }

    pub(crate) fn speak(
        &mut self,
        name: &str,
        model: &str,
        number: u64,
        trigger: Option<CitationTrigger>,
        citations: &[CitationFinding],
        stopped: bool,
    ) -> usize {
        let (who, periods) = (who(name), self.periods.clone());
        let facts = CommentFacts {
            citations,
            class: AuthorClass::Agent,
            matter: matter(number),
            model,
            periods: &periods,
            stopped,
            trigger,
            who: &who,
        };
        let events = self.ledger.comment(&self.rules, &facts);
        self.put(events)
    }

    pub(crate) fn upgrade(&mut self, number: u64, outcome: CitationOutcome) -> usize {
        let events = self.ledger.upgrade(
            &self.rules,
            &LedgerCaller::USER,
            matter(number),
            UpgradeScope::Matter,
            outcome,
            &self.periods,
        );
        self.put(events)
    }

    pub(crate) fn issue(&mut self, fact: IssueFact, number: u64, name: &str) -> usize {
        let events = self.ledger.issue(fact, matter(number), &who(name), "m", &self.periods);
        self.put(events)
    }

    /// What an award comes to, recorded: the events, or the attempt.
    pub(crate) fn award(
        &mut self,
        caller: &LedgerCaller<'_>,
        request: &AwardRequest<'_>,
    ) -> Result<usize, Box<RefusedAttempt>> {
        match self.ledger.award(&self.rules, caller, request, &self.periods) {
            Ok(events) => Ok(self.put(events)),
            Err(refused) => {
                self.put([refused.event.clone()]);
                Err(refused)
            }
        }
    }

    /// The code of a refused award, or how much it moved.
    pub(crate) fn give(
        &mut self,
        class: AuthorClass,
        by: &str,
        to: &str,
        reason: &str,
        amount: Option<i64>,
    ) -> Result<i64, &'static str> {
        let by = who(by);
        let named = matches!(class, AuthorClass::Agent | AuthorClass::Moderator);
        let caller = LedgerCaller { class, names: &[], who: named.then_some(&by) };
        let before = Who::parse(to).map_or(0, |to| self.ledger.balance(&to));
        match self.award(&caller, &request(to, reason, amount)) {
            Ok(_) => Ok(self.ledger.balance(&who(to)) - before),
            Err(refused) => Err(refused.refusal.code()),
        }
    }

    pub(crate) fn balance(&self, name: &str) -> i64 {
        self.ledger.balance(&who(name))
    }
}

pub(crate) fn receiver(written: &str) -> CreditReceiver<'_> {
    CreditReceiver { class: Some(AuthorClass::Agent), model: "m", names: &[], written }
}

pub(crate) fn request<'a>(to: &'a str, reason: &'a str, amount: Option<i64>) -> AwardRequest<'a> {
    AwardRequest { amount, matter: Some(matter(1)), reason, slice: None, to: receiver(to) }
}
