//! What follows from a comment and the citations in it, and from what came of them later.

use super::{
    AgentAction, CitationOutcome, CitationProof, CitedPlace, CommentCount, CreditReason, Event, IssueCount,
    IssueFact, Ledger, LedgerCaller, Posting, PricedCitation, Rules, model_key,
};
use crate::kernel::{AuthorClass, CitationTrigger, Digest, Hasher, Id, MatterId, Who, text};

/// A citation that was checked.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CitationFinding {
    /// Its normal form, or [`gap_form`] of what was searched for.
    pub form: String,
    /// Where it stands, if it was read.
    pub place: Option<CitedPlace>,
    /// What became known of it.
    pub proof: CitationProof,
}

/// A comment as it was judged.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CommentFacts<'a> {
    /// Its citations. Of a comment that was stopped only those that are false: the others earn once they stand.
    pub citations: &'a [CitationFinding],
    /// In which capacity its author wrote.
    pub class: AuthorClass,
    /// Where.
    pub matter: MatterId,
    /// The model that answered for the author.
    pub model: &'a str,
    /// The periods that are open.
    pub periods: &'a [Id],
    /// Whether a rule stopped it, by rejecting it or by freezing the issue.
    pub stopped: bool,
    /// Why its evidence was looked up; for no reason if it does not say.
    pub trigger: Option<CitationTrigger>,
    /// Its author.
    pub who: &'a Who,
}

/// By which a citation is known again: what it cites, and by whom, in whatever matter. It holds no words.
pub fn citation_key(who: &Who, form: &str) -> Digest {
    let mut hasher = Hasher::default();
    // No name holds a line break, so nothing can be shifted from one part to the next.
    hasher.update(format!("{who}\n{form}").as_bytes());
    hasher.finish()
}

/// The form of a search that found nothing.
pub fn gap_form(subject: &str) -> String {
    format!("gap:{}", text::fold(subject))
}

/// Which pending citations something came of.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum UpgradeScope<'a> {
    /// All of the matter.
    Matter,
    /// Those of one author.
    Author(&'a Who),
    /// One.
    Citation(Digest),
}

/// The period by which limits count: the one that has been open longest. Opening another one inside it renews nothing.
pub(super) fn limit_period(open: &[Id]) -> Option<Id> {
    open.first().copied()
}

impl Ledger {
    /// What a comment comes to: prices of its citations, the penalty if it was stopped, one action, and perhaps a step on
    /// the ladder. The user and the house earn nothing and lose nothing.
    pub fn comment(&self, rules: &Rules, facts: &CommentFacts<'_>) -> Vec<Event> {
        if matches!(facts.class, AuthorClass::User | AuthorClass::System) {
            return Vec::new();
        }
        let model = model_key(facts.model);
        let mut events: Vec<Event> = self.model_change(facts.who, &model).into_iter().collect();
        let post = |amount, reason, citation| Posting {
            amount,
            by: None,
            citation,
            class: AuthorClass::System,
            matter: Some(facts.matter),
            model: model.clone(),
            periods: facts.periods.to_vec(),
            reason,
            slice: None,
            who: facts.who.clone(),
        };
        let mut penalised = facts.stopped;
        // Whoever cites something false pays for that, and not for being stopped because of it as well.
        let refuted = facts.citations.iter().any(|one| one.proof == CitationProof::False);
        if facts.stopped && !refuted {
            let reason = CreditReason::CircuitBreakerTriggered;
            events.push(Event::Posted(post(rules.range(reason).least, reason, None).into()));
        }
        for (amount, reason, priced) in self.prices(rules, facts) {
            penalised |= priced.proof == CitationProof::False;
            events.push(Event::Posted(post(amount, reason, Some(priced)).into()));
        }
        let evidence = facts.citations.iter().any(|one| one.proof.is_verified());
        let acted = AgentAction {
            comment: Some(CommentCount { evidence, stopped: facts.stopped }),
            matter: Some(facts.matter),
            model: model.clone(),
            penalised,
            periods: facts.periods.to_vec(),
            who: facts.who.clone(),
        };
        events.extend(self.action_events(rules, acted));
        events
    }

    /// The citations that nobody has priced yet, with their prices.
    fn prices(&self, rules: &Rules, facts: &CommentFacts<'_>) -> Vec<(i64, CreditReason, PricedCitation)> {
        let trigger = facts.trigger.unwrap_or(CitationTrigger::Unprompted);
        let outcome = CitationOutcome::NoActionYet;
        let mut paid = self.paid_citations(facts.matter, facts.who);
        let most = i64::from(rules.unjudged_most);
        let mut unjudged = self.unjudged(facts.who, limit_period(facts.periods));
        let mut found: Vec<(i64, CreditReason, PricedCitation)> = Vec::new();
        for CitationFinding { form, place, proof } in facts.citations {
            let key = citation_key(facts.who, form);
            // What is false costs again wherever it is said; what is true pays once.
            let earned = *proof != CitationProof::False && self.has_earned(facts.who, &key, *place);
            if earned
                || self.is_priced(facts.matter, &key)
                || found.iter().any(|(.., priced)| priced.key == key)
            {
                continue;
            }
            let price = rules.prices.price(*proof, trigger, outcome);
            let over_limit = price > 0 && paid >= rules.citations_most;
            paid += u32::from(price > 0 && !over_limit);
            let reason = match proof {
                CitationProof::False => CreditReason::EvidenceFailedVerification,
                CitationProof::Precise => CreditReason::EvidenceVerifiedPrecise,
                CitationProof::Exists | CitationProof::Verified | CitationProof::Searched => {
                    CreditReason::EvidenceVerified
                }
            };
            let deferred = price > 0 && !over_limit && unjudged + price > most;
            let amount = if over_limit || deferred { 0 } else { price };
            unjudged += amount.max(0);
            let place = place.filter(|_| price > 0 && !over_limit);
            let priced = PricedCitation { deferred, key, outcome, over_limit, place, proof: *proof, trigger };
            found.push((amount, reason, priced));
        }
        found
    }

    /// What comes of pending citations once it is known what they led to: for each the difference, up or down, once. What the
    /// caller may not raise stays pending for somebody else.
    pub fn upgrade(
        &self,
        rules: &Rules,
        caller: &LedgerCaller<'_>,
        matter: MatterId,
        scope: UpgradeScope<'_>,
        outcome: CitationOutcome,
        periods: &[Id],
    ) -> Vec<Event> {
        if outcome == CitationOutcome::NoActionYet {
            return Vec::new();
        }
        let meant = self.pending(matter).filter(|(key, pending)| match scope {
            UpgradeScope::Matter => true,
            UpgradeScope::Author(who) => pending.who == *who,
            UpgradeScope::Citation(wanted) => *key == wanted,
        });
        let posting = meant.filter_map(|(key, pending)| {
            let (proof, trigger) = (pending.proof, pending.trigger);
            let amount = rules.prices.price(proof, trigger, outcome) - pending.amount;
            if amount > 0 && !self.may_raise(caller, &pending.who, limit_period(periods)) {
                return None;
            }
            let (deferred, over_limit, place) = (false, false, None);
            Some(Posting {
                amount,
                by: caller.who.cloned(),
                citation: Some(PricedCitation { deferred, key, outcome, over_limit, place, proof, trigger }),
                class: AuthorClass::System,
                matter: Some(matter),
                // Whatever model answers by now: this one cited.
                model: pending.model.clone(),
                periods: periods.to_vec(),
                reason: CreditReason::EvidenceOutcomeUpgrade,
                slice: None,
                who: pending.who.clone(),
            })
        });
        posting.map(|posting| Event::Posted(posting.into())).collect()
    }

    /// Whether somebody's word raises what another cited. Agents judge no work of each other, nobody judges their own, and two
    /// who could judge each other do so in one direction in a period: the second time it is a favour returned,
    /// also where it goes round by others.
    pub(super) fn may_raise(&self, caller: &LedgerCaller<'_>, author: &Who, period: Option<Id>) -> bool {
        let oversees = match caller.class {
            AuthorClass::User | AuthorClass::System | AuthorClass::Moderator => true,
            AuthorClass::Agent => false,
        };
        let returned = |judge: &Who| judge == author || self.returns_favour(judge, author, period);
        oversees && !caller.who.is_some_and(returned)
    }

    /// What becomes known of an issue that an agent began or resolved; nothing if it was known.
    pub fn issue(
        &self,
        fact: IssueFact,
        matter: MatterId,
        who: &Who,
        model: &str,
        periods: &[Id],
    ) -> Vec<Event> {
        if self.is_counted(matter, who, fact) {
            return Vec::new();
        }
        let model = model_key(model);
        let mut events: Vec<Event> = self.model_change(who, &model).into_iter().collect();
        let count = IssueCount { fact, matter, model, periods: periods.to_vec(), who: who.clone() };
        events.push(Event::Counted(count.into()));
        events
    }
}
