//! The ledger as it stands: a fold of its events. Copies are cheap.

use imbl::{OrdMap, OrdSet, Vector};
use serde::{Deserialize, Serialize};

use super::citations::limit_period;
use super::ratings::{AgentRating, StoredRating};
use super::{
    AttemptFlaw, CitationOutcome, CitationProof, CitedPlace, CreditReason, CreditTally, Event, Goal,
    IssueFact, PerformanceRecord, Posting, SLICES_MOST, TaskSlice, TeamPosting, TeamReason,
};
use crate::kernel::{At, AuthorClass, CitationTrigger, Digest, Id, MatterId, Who, shared_list, shared_pairs};

/// See the module.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct Ledger {
    /// The model that answers for each agent.
    #[serde(with = "shared_pairs")]
    active: OrdMap<Who, String>,
    /// The last refused attempts, latest last.
    #[serde(with = "shared_list")]
    attempts: Vector<AttemptLine>,
    /// Awards that are given once for each matter.
    #[serde(with = "shared_set")]
    awarded: OrdSet<(MatterId, Who, CreditReason)>,
    /// Facts of issues that were counted.
    #[serde(with = "shared_set")]
    counted: OrdSet<(MatterId, Who, IssueFact)>,
    /// Goals, open and over.
    #[serde(with = "shared_pairs")]
    goals: OrdMap<Id, Goal>,
    /// What an agent got in a period for citations that nobody has judged.
    #[serde(with = "shared_pairs")]
    on_trust: OrdMap<(Who, Option<Id>), i64>,
    /// Who raised what whom cited, with the period in which it was last.
    #[serde(with = "shared_pairs")]
    raised: OrdMap<(Who, Who), Option<Id>>,
    /// How many citations of an author earned something in a matter.
    #[serde(with = "shared_pairs")]
    paid: OrdMap<(MatterId, Who), u32>,
    /// Citations that something may still come of.
    #[serde(with = "shared_pairs")]
    pending: OrdMap<(MatterId, Digest), PendingCitation>,
    /// Counts by period.
    #[serde(with = "shared_pairs")]
    periods: OrdMap<Id, PeriodBook>,
    /// Citations that earned something, in whatever matter.
    #[serde(with = "shared_set")]
    earned: OrdSet<Digest>,
    /// The lines of each text for which somebody earned something.
    #[serde(with = "shared_set")]
    places: OrdSet<(Who, Digest, u32, u32)>,
    /// Citations that were priced, by matter.
    #[serde(with = "shared_set")]
    priced: OrdSet<(MatterId, Digest)>,
    /// Ratings by who was rated, who rated and where.
    #[serde(with = "shared_pairs")]
    ratings: OrdMap<(Who, Option<Who>, MatterId), StoredRating>,
    /// Their sums.
    #[serde(with = "shared_pairs")]
    rated: OrdMap<Who, AgentRating>,
    /// Records by agent and model.
    #[serde(with = "shared_pairs")]
    records: OrdMap<(Who, String), PerformanceRecord>,
    /// How often each participant attempted what is refused.
    #[serde(with = "shared_pairs")]
    refused: OrdMap<Who, u32>,
    /// Tasks that were cut.
    #[serde(with = "shared_pairs")]
    sliced: OrdMap<(MatterId, Who, CreditReason), SlicedTask>,
    /// What the team got, latest last.
    #[serde(with = "shared_list")]
    team: Vector<TeamPosting>,
    /// What it got already in each period.
    #[serde(with = "shared_set")]
    team_given: OrdSet<(TeamReason, Option<Id>)>,
}

mod shared_set {
    //! Shared sets written as lists.

    use imbl::OrdSet;
    use serde::{Deserialize, Deserializer, Serialize, Serializer};

    pub(super) fn serialize<T, S>(set: &OrdSet<T>, out: S) -> Result<S::Ok, S::Error>
    where
        T: Serialize + Ord + Clone,
        S: Serializer,
    {
        out.collect_seq(set.iter())
    }

    pub(super) fn deserialize<'de, T, D>(from: D) -> Result<OrdSet<T>, D::Error>
    where
        T: Deserialize<'de> + Ord + Clone,
        D: Deserializer<'de>,
    {
        Ok(Vec::<T>::deserialize(from)?.into_iter().collect())
    }
}

/// A refused attempt as the ledger remembers it. What was written stands in its event.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct AttemptLine {
    /// When.
    pub at: At,
    /// Who, unless it was the house or the person who runs it.
    pub by: Option<Who>,
    /// In which capacity.
    pub class: AuthorClass,
    /// Why it was refused.
    pub flaw: AttemptFlaw,
    /// The event that tells the rest.
    pub id: Id,
}

/// A citation that something may still come of.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct PendingCitation {
    pub(super) amount: i64,
    pub(super) model: String,
    pub(super) period: Option<Id>,
    pub(super) proof: CitationProof,
    pub(super) trigger: CitationTrigger,
    pub(super) who: Who,
}

/// What was counted in one period, by agent and model.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
struct PeriodBook {
    #[serde(with = "shared_pairs")]
    tallies: OrdMap<(Who, String), CreditTally>,
}

/// A task that was cut: its worth, into how many, and which of them were paid.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
struct SlicedTask {
    of: u32,
    paid: Vec<u32>,
    whole: i64,
}

/// Attempts that are remembered one by one.
const ATTEMPTS_MOST: usize = 500;

impl Ledger {
    /// The record of an agent with a model.
    pub fn record(&self, who: &Who, model: &str) -> Option<&PerformanceRecord> {
        self.records.get(&(who.clone(), model.to_string()))
    }

    /// All records of an agent, those put away included, by model.
    pub fn records(&self, who: &Who) -> impl Iterator<Item = (&str, &PerformanceRecord)> {
        let from = self.records.range((who.clone(), String::new())..);
        from.take_while(move |((one, _), _)| one == who).map(|((_, model), record)| (model.as_str(), record))
    }

    /// Everybody who has a record.
    pub fn agents(&self) -> impl Iterator<Item = &Who> {
        self.active.keys()
    }

    /// The model that answers for an agent, as far as the ledger has seen.
    pub fn active_model(&self, who: &Who) -> Option<&String> {
        self.active.get(who)
    }

    /// The record of the model that answers for an agent now.
    pub fn active_record(&self, who: &Who) -> Option<&PerformanceRecord> {
        self.record(who, self.active_model(who)?)
    }

    /// All credits of an agent, with whatever model.
    pub fn balance(&self, who: &Who) -> i64 {
        self.records(who).map(|(_, record)| record.tally.credits).sum()
    }

    /// Counts of an agent over all models.
    pub fn total(&self, who: &Who) -> CreditTally {
        let mut sum = CreditTally::default();
        self.records(who).for_each(|(_, record)| sum.add(&record.tally));
        sum
    }

    /// Counts of an agent with a model in a period.
    pub fn period_tally(&self, period: Id, who: &Who, model: &str) -> Option<&CreditTally> {
        self.periods.get(&period)?.tallies.get(&(who.clone(), model.to_string()))
    }

    /// Counts of a period by agent, over all models.
    pub fn period_totals(&self, period: Id) -> Vec<(Who, CreditTally)> {
        let mut sums: Vec<(Who, CreditTally)> = Vec::new();
        for ((who, _), tally) in self.periods.get(&period).iter().flat_map(|book| book.tallies.iter()) {
            match sums.last_mut() {
                Some((last, sum)) if last == who => sum.add(tally),
                Some(_) | None => sums.push((who.clone(), tally.clone())),
            }
        }
        sums
    }

    /// The last refused attempts, latest last.
    pub fn attempts(&self) -> impl DoubleEndedIterator<Item = &AttemptLine> {
        self.attempts.iter()
    }

    /// How often somebody attempted what is refused.
    pub fn refused_attempts(&self, who: &Who) -> u32 {
        self.refused.get(who).copied().unwrap_or(0)
    }

    /// How many citations of a matter something may still come of.
    pub fn pending_citations(&self, matter: MatterId) -> usize {
        self.pending(matter).count()
    }

    /// What the team got, latest last.
    pub fn team(&self) -> impl DoubleEndedIterator<Item = &TeamPosting> {
        self.team.iter()
    }

    /// Goals, open and over, oldest first.
    pub fn goals(&self) -> impl DoubleEndedIterator<Item = &Goal> {
        self.goals.values()
    }

    /// The goal of that id.
    pub fn goal(&self, goal: Id) -> Option<&Goal> {
        self.goals.get(&goal)
    }

    /// What others say of an agent.
    pub fn rating(&self, who: &Who) -> AgentRating {
        self.rated.get(who).copied().unwrap_or_default()
    }

    /// Says that another model answers for an agent than the ledger knows.
    pub fn model_change(&self, who: &Who, model: &str) -> Option<Event> {
        let (to, from) = (super::model_key(model), self.active.get(who));
        (from != Some(&to)).then(|| Event::ModelChanged { from: from.cloned(), to, who: who.clone() })
    }

    pub(super) fn is_priced(&self, matter: MatterId, citation: &Digest) -> bool {
        self.priced.contains(&(matter, *citation))
    }

    /// Whether somebody earned something before for this citation, or for lines of the same text that it meets.
    pub(super) fn has_earned(&self, who: &Who, citation: &Digest, place: Option<CitedPlace>) -> bool {
        let meets = |place: CitedPlace| {
            let known = self.places.range((who.clone(), place.digest, 0, 0)..);
            let same = known.take_while(|(one, digest, ..)| one == who && *digest == place.digest);
            same.into_iter().any(|(.., first, last)| *first <= place.last && place.first <= *last)
        };
        self.earned.contains(citation) || place.is_some_and(meets)
    }

    /// How many citations of an author in a matter were worth something.
    pub fn paid_citations(&self, matter: MatterId, who: &Who) -> u32 {
        self.paid.get(&(matter, who.clone())).copied().unwrap_or(0)
    }

    /// What an agent got in a period for citations that nobody has judged.
    pub(super) fn unjudged(&self, who: &Who, period: Option<Id>) -> i64 {
        self.on_trust.get(&(who.clone(), period)).copied().unwrap_or(0)
    }

    /// Whether credit of one for the other would return a favour: the receiver raised what the giver has in the same period, or raised
    /// somebody who did, and so on. Three moderators in a circle are no better than two who take turns.
    pub(super) fn returns_favour(&self, giver: &Who, receiver: &Who, period: Option<Id>) -> bool {
        if self.raised.get(&(receiver.clone(), giver.clone())) == Some(&period) {
            return true;
        }
        let edges = self.raised.iter().filter(|(_, when)| **when == period).map(|(pair, _)| pair);
        let edges: Vec<&(Who, Who)> = edges.collect();
        let (mut known, mut next) = (vec![receiver], 0);
        while let Some(judge) = known.get(next).copied() {
            next += 1;
            for (_, raised) in edges.iter().filter(|(by, _)| by == judge) {
                if raised == giver {
                    return true;
                }
                if !known.contains(&raised) {
                    known.push(raised);
                }
            }
        }
        false
    }

    /// The same for the periods that are open.
    pub fn is_favour_returned(&self, giver: &Who, receiver: &Who, open_periods: &[Id]) -> bool {
        self.returns_favour(giver, receiver, limit_period(open_periods))
    }

    /// Whether something that somebody cites in a matter has earned credit and waits to be judged.
    pub fn has_earning_citation(&self, matter: MatterId, who: &Who) -> bool {
        self.pending(matter).any(|(_, pending)| pending.who == *who && pending.amount > 0)
    }

    pub(super) fn pending(&self, matter: MatterId) -> impl Iterator<Item = (Digest, &PendingCitation)> {
        let from = self.pending.range((matter, Digest::default())..);
        from.take_while(move |((one, _), _)| *one == matter).map(|((_, key), pending)| (*key, pending))
    }

    pub(super) fn is_counted(&self, matter: MatterId, who: &Who, fact: IssueFact) -> bool {
        self.counted.contains(&(matter, who.clone(), fact))
    }

    pub(super) fn is_team_given(&self, reason: TeamReason, period: Option<Id>) -> bool {
        self.team_given.contains(&(reason, period))
    }

    /// Whether an award that is given once was given: whole, or this slice of it.
    pub(super) fn has_award(
        &self,
        matter: Option<MatterId>,
        who: &Who,
        reason: CreditReason,
        slice: Option<TaskSlice>,
    ) -> bool {
        let Some(matter) = matter else { return false };
        let key = (matter, who.clone(), reason);
        let task = self.sliced.get(&key);
        let whole = reason.terms().once && self.awarded.contains(&key);
        match slice {
            None => whole || (reason.terms().once && task.is_some()),
            // One that is not of the same cut is not the same slice.
            Some(slice) => {
                whole || task.is_some_and(|task| task.of == slice.of && task.paid.contains(&slice.nth))
            }
        }
    }

    /// Whether a slice is one of a task, cut as before if it was cut before.
    pub(super) fn slice_fits(
        &self,
        matter: Option<MatterId>,
        who: &Who,
        reason: CreditReason,
        whole: i64,
        slice: TaskSlice,
    ) -> bool {
        let Some(matter) = matter else { return false };
        let task = self.sliced.get(&(matter, who.clone(), reason));
        let same = task.is_none_or(|task| (task.of, task.whole) == (slice.of, whole));
        same && (1..=SLICES_MOST).contains(&slice.of) && slice.nth < slice.of
    }

    /// Records an event.
    pub fn apply(&mut self, id: Id, at: At, event: &Event) {
        match event {
            Event::Posted(posting) => self.post(posting),
            Event::Acted(action) => {
                self.record_mut(&action.who, &action.model).act(action);
                self.in_periods(&action.periods, &action.who, &action.model, |tally| tally.act(action));
            }
            Event::Counted(count) => {
                self.counted.insert((count.matter, count.who.clone(), count.fact));
                self.record_mut(&count.who, &count.model).tally.count(count.fact);
                self.in_periods(&count.periods, &count.who, &count.model, |tally| tally.count(count.fact));
            }
            Event::Escalated(step) => self.record_mut(&step.who, &step.model).escalate(step),
            Event::ModelChanged { from, to, who } => {
                if let Some(from) = from {
                    self.record_mut(who, from).archived = Some(at);
                }
                self.record_mut(who, to).archived = None;
                self.active.insert(who.clone(), to.clone());
            }
            Event::Attempted(attempt) => {
                if let Some(who) = &attempt.by {
                    *self.refused.entry(who.clone()).or_insert(0) += 1;
                }
                let (by, class, flaw) = (attempt.by.clone(), attempt.class, attempt.flaw);
                self.attempts.push_back(AttemptLine { at, by, class, flaw, id });
                if self.attempts.len() > ATTEMPTS_MOST {
                    self.attempts.pop_front();
                }
            }
            Event::Rated { by, helpful, matter, weight, who } => {
                let rating = StoredRating { helpful: *helpful, weight: *weight };
                let before = self.ratings.insert((who.clone(), by.clone(), *matter), rating);
                self.rated.entry(who.clone()).or_default().replace(before, rating);
            }
            Event::TeamPosted(posting) => {
                self.team_given.insert((posting.reason, posting.period));
                self.team.push_back((**posting).clone());
            }
            Event::GoalSet(terms) => {
                self.goals
                    .insert(id, Goal { ended: None, id, reached: false, set: at, terms: terms.clone() });
            }
            Event::GoalEnded { goal, reached } => {
                if let Some(goal) = self.goals.get_mut(goal) {
                    (goal.ended, goal.reached) = (Some(at), *reached);
                }
            }
        }
    }

    fn record_mut(&mut self, who: &Who, model: &str) -> &mut PerformanceRecord {
        self.records.entry((who.clone(), model.to_string())).or_default()
    }

    fn in_periods(&mut self, periods: &[Id], who: &Who, model: &str, count: impl Fn(&mut CreditTally)) {
        for period in periods {
            let book = self.periods.entry(*period).or_default();
            count(book.tallies.entry((who.clone(), model.to_string())).or_default());
        }
    }

    fn post(&mut self, posting: &Posting) {
        self.record_mut(&posting.who, &posting.model).post(posting);
        self.in_periods(&posting.periods, &posting.who, &posting.model, |tally| tally.post(posting));
        let Some(matter) = posting.matter else { return };
        if let Some(citation) = posting.citation {
            self.priced.insert((matter, citation.key));
            let is_new = posting.reason != CreditReason::EvidenceOutcomeUpgrade;
            if is_new && (posting.amount > 0 || citation.deferred) {
                self.earned.insert(citation.key);
                if let Some(CitedPlace { digest, first, last }) = citation.place {
                    self.places.insert((posting.who.clone(), digest, first, last));
                }
                *self.paid.entry((matter, posting.who.clone())).or_insert(0) += 1;
            }
            // Nothing can come of what is false or beyond the limit.
            let open = citation.outcome == CitationOutcome::NoActionYet
                && citation.proof != CitationProof::False
                && !citation.over_limit;
            if open {
                let period = limit_period(&posting.periods);
                let pending = PendingCitation {
                    amount: posting.amount,
                    model: posting.model.clone(),
                    period,
                    proof: citation.proof,
                    trigger: citation.trigger,
                    who: posting.who.clone(),
                };
                *self.on_trust.entry((posting.who.clone(), period)).or_insert(0) += posting.amount.max(0);
                self.pending.insert((matter, citation.key), pending);
            } else if let Some(judged) = self.pending.remove(&(matter, citation.key)) {
                let key = (posting.who.clone(), judged.period);
                *self.on_trust.entry(key).or_insert(0) -= judged.amount.max(0);
            }
        }
        let raises = posting.citation.is_none() || posting.reason == CreditReason::EvidenceOutcomeUpgrade;
        if let Some(judge) = posting.by.as_ref().filter(|_| raises && posting.amount > 0) {
            self.raised.insert((judge.clone(), posting.who.clone()), limit_period(&posting.periods));
        }
        let key = (matter, posting.who.clone(), posting.reason);
        match posting.slice {
            Some((slice, whole)) => {
                let new = SlicedTask { of: slice.of, paid: Vec::new(), whole };
                self.sliced.entry(key).or_insert(new).paid.push(slice.nth);
            }
            None if posting.reason.terms().once => drop(self.awarded.insert(key)),
            None => (),
        }
    }
}
