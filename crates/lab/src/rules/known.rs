//! Outcomes that are known, dealt into parts: each part is decided by what the others teach.

use std::collections::BTreeMap;
use std::sync::Arc;

use synod_core::edition::CURRENT;
use synod_core::kernel::{ByRecord, Choice, Id, MatterId, RecordWeights, Seq, WeighedBy, Who};
use synod_core::track::{Event, JudgedVote, Learned, Track, Truth, Unweighed, Voter, learned_weights, weigh};

use super::contest::{Contestant, Judged};
use super::{AgentRow, ComparisonPlan};
use crate::sheet::{Dataset, RecordedItem};
use crate::stats;

/// The numbers of a charter that says nothing else.
pub(super) const USUAL: ByRecord = ByRecord { least: 1, shrink: 32, top: None };
/// Those of edition 2 of the rules, whose weights are compared.
const BEFORE: ByRecord = ByRecord { least: 20, shrink: 4, top: None };

/// A set whose truth is known, and how it is dealt.
#[derive(Debug)]
pub struct KnownOutcomes<'a> {
    pub(super) set: &'a Dataset,
    /// Items with a known truth.
    pub(super) items: Vec<&'a RecordedItem>,
    /// The first round.
    pub(super) round: u32,
    pub(super) names: Vec<Who>,
    pub(super) seed: u64,
    /// The part of each item.
    part: Vec<usize>,
    /// What is learned from the items outside of each part.
    lessons: Vec<Lesson>,
}

/// What is learned from some items.
#[derive(Debug)]
pub(super) struct Lesson {
    /// The weights of the rule that learns; none where nothing is known.
    pub(super) learned: Option<RecordWeights>,
    /// Weights in the order of agents.
    pub(super) weights: Vec<u32>,
    /// How often each is taken to be right, in permille.
    pub(super) means: Vec<u32>,
    /// By the log-odds of edition 2.
    pub(super) odds: Vec<u32>,
    /// The one with the best mean.
    pub(super) best: usize,
}

impl<'a> KnownOutcomes<'a> {
    /// Deals the items of a set and learns from them. None where no truth is known.
    pub fn of(set: &'a Dataset, trial: ComparisonPlan) -> Option<Self> {
        let items: Vec<&RecordedItem> = set.items.iter().filter(|item| item.gold.is_some()).collect();
        let round = *set.rounds().first()?;
        // Names of agents are whatever the file says; the core wants names of seats.
        let names = (0..set.agents.len())
            .map(|agent| Who::parse(&format!("agent-{agent}")).ok())
            .collect::<Option<Vec<_>>>()?;
        let mut order: Vec<usize> = (0..items.len()).collect();
        fastrand::Rng::with_seed(trial.seed).shuffle(&mut order);
        let mut part = vec![0; items.len()];
        let parts = trial.parts.max(2);
        order.iter().enumerate().for_each(|(at, item)| part[*item] = at % parts);
        let mut known = Self { set, items, round, names, seed: trial.seed, part, lessons: Vec::new() };
        if known.items.is_empty() {
            return None;
        }
        known.lessons = (0..parts)
            .map(|held_out| {
                let others = (0..known.items.len()).filter(|item| known.part[*item] != held_out);
                known.lesson(&others.collect::<Vec<_>>())
            })
            .collect();
        Some(known)
    }

    /// The weights that an item is decided by, in thousandths of a vote: those that the other parts teach.
    pub fn weights_for(&self, item: &str) -> Option<&[u32]> {
        let at = self.items.iter().position(|known| known.name == item)?;
        Some(&self.lessons[self.part[at]].weights)
    }

    /// What some items teach.
    pub(super) fn lesson(&self, items: &[usize]) -> Lesson {
        let track = self.track(items);
        let voters: Vec<Voter<'_>> =
            self.names.iter().map(|who| Voter { backend: None, model: None, who }).collect();
        let learned = learned_weights(CURRENT, &track, &voters, &USUAL).ok();
        let seat = |who: &Who| learned.as_ref().and_then(|it| it.seats.get(who));
        let weights = self.names.iter().map(|who| seat(who).map_or(1000, |seat| seat.weight)).collect();
        let means: Vec<u32> = self.names.iter().map(|who| seat(who).map_or(0, |seat| seat.mean)).collect();
        let best =
            (0..means.len()).max_by_key(|agent| (means[*agent], std::cmp::Reverse(*agent))).unwrap_or(0);
        let odds = match weigh(&track, &voters, &BEFORE) {
            Ok(weights) => weights,
            Err(Unweighed::TooFew { .. } | Unweighed::NoneAhead) => vec![1000; voters.len()],
        };
        Lesson { learned, weights, means, odds, best }
    }

    fn track(&self, items: &[usize]) -> Track {
        let mut track = Track::default();
        // What guessing has to choose from.
        let options = u8::try_from(self.set.answers).unwrap_or(u8::MAX);
        for (nth, item) in items.iter().map(|item| (*item, self.items[*item])) {
            let Some(gold) = item.gold else { continue };
            let mark = |(agent, who): (usize, &Who)| {
                let side = item.answer(self.round, agent)?.first()?;
                let side = Some(Choice::Option(side));
                let right = side == Some(Choice::Option(gold));
                Some(JudgedVote {
                    backend: None,
                    minority: false,
                    model: None,
                    right,
                    side,
                    who: who.clone(),
                })
            };
            let marks = self.names.iter().enumerate().filter_map(mark).collect();
            let matter = MatterId(Id { act: Seq(nth as u64 + 1), nth: 0 });
            let truth = Truth::Is(Choice::Option(gold));
            track.apply(&Event::Learned(Arc::new(Learned { marks, matter, options, root: matter, truth })));
        }
        track
    }

    /// What a rule makes of each item, decided by what the other parts teach. None where the set does not allow it.
    pub(super) fn judged(&self, rule: Contestant) -> Option<Vec<Judged>> {
        rule.prepared(self).map(|judge| {
            (0..self.items.len()).map(|item| judge(item, &self.lessons[self.part[item]])).collect()
        })
    }

    /// Whether each item was answered rightly by an agent in the first round.
    fn marks(&self, agent: usize) -> Vec<Option<bool>> {
        self.items.iter().map(|item| item.right(self.round, agent)).collect()
    }

    /// What the rule that learns went by in each part.
    pub(super) fn went_by(&self) -> BTreeMap<&'static str, usize> {
        let mut found = BTreeMap::new();
        for lesson in &self.lessons {
            let word = match lesson.learned.as_ref().map(|learned| learned.by) {
                Some(WeighedBy::Errors) => "weights by errors",
                Some(WeighedBy::Best) => "the best agent",
                Some(WeighedBy::Equal) => "one vote each",
                Some(WeighedBy::LeastBad) => "the least bad agent",
                None => "nothing known",
            };
            *found.entry(word).or_default() += 1;
        }
        found
    }

    pub(super) fn agents(&self) -> Vec<AgentRow> {
        let row = |(agent, name): (usize, &String)| {
            let marks: Vec<bool> = self.marks(agent).into_iter().flatten().collect();
            let right = marks.iter().filter(|right| **right).count();
            AgentRow {
                agent: name.clone(),
                right: stats::wilson(right as f64, marks.len()),
                answers: marks.len(),
            }
        };
        self.set.agents.iter().enumerate().map(row).collect()
    }

    pub(super) fn effective_voters(&self) -> Option<f64> {
        let marks: Vec<Vec<Option<bool>>> = (0..self.names.len()).map(|agent| self.marks(agent)).collect();
        let pairs = marks
            .iter()
            .enumerate()
            .flat_map(|(at, one)| marks[at + 1..].iter().map(move |other| (one, other)));
        let found: Vec<f64> = pairs.filter_map(|(one, other)| stats::correlation(one, other)).collect();
        let together = found.iter().sum::<f64>() / found.len() as f64;
        (!found.is_empty()).then(|| stats::effective_voters(self.names.len(), together))
    }
}
