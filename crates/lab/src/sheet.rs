//! Recorded answers with known truth: datasets of items, each with what agents answered in each round.

use std::collections::BTreeMap;

use serde::Serialize;

/// Everything that was imported.
#[derive(Debug, Clone, Default)]
pub struct BallotBook {
    /// By name, in the order of the file.
    pub sets: Vec<Dataset>,
}

/// Items that the same agents answered.
#[derive(Debug, Clone)]
pub struct Dataset {
    /// Its name.
    pub name: String,
    /// Who answered, in the order in which they first did.
    pub agents: Vec<String>,
    /// What was asked.
    pub items: Vec<RecordedItem>,
    /// How many different answers there are in the whole set: what guessing has to choose from.
    pub answers: usize,
    /// Whether answers are rankings (`B > A = C`).
    pub ranked: bool,
    /// What an answer of each agent costs, in the order of agents; empty where nobody says.
    pub prices: Vec<f64>,
}

/// One question.
#[derive(Debug, Clone)]
pub struct RecordedItem {
    /// Its name.
    pub name: String,
    /// What was true, if it is known; a place in `options`.
    pub gold: Option<u8>,
    /// The answers that were given, each once.
    pub options: Vec<String>,
    /// By round, then by agent. `None` there: not asked.
    pub rounds: BTreeMap<u32, Vec<Option<GivenAnswer>>>,
}

/// What an agent answered.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct GivenAnswer {
    /// Places in the item's options, the best first; those of one group are equal. Empty: no usable answer.
    pub groups: Vec<Vec<u8>>,
    /// How sure, in permille.
    pub confidence: Option<u32>,
}

impl GivenAnswer {
    /// The one option it puts first.
    pub fn first(&self) -> Option<u8> {
        match self.groups.first().map(Vec::as_slice) {
            Some([one]) => Some(*one),
            Some([] | [_, _, ..]) | None => None,
        }
    }
}

impl RecordedItem {
    /// What an agent answered in a round, if it could be used.
    pub fn answer(&self, round: u32, agent: usize) -> Option<&GivenAnswer> {
        self.rounds.get(&round)?.get(agent)?.as_ref().filter(|given| !given.groups.is_empty())
    }

    /// Whether an agent was right; none if it gave no answer or the truth is not known.
    pub fn right(&self, round: u32, agent: usize) -> Option<bool> {
        let gold = self.gold?;
        self.answer(round, agent)?.first().map(|first| first == gold)
    }
}

impl Dataset {
    /// What an answer of an agent costs; nothing where nobody says.
    pub fn price(&self, agent: usize) -> f64 {
        self.prices.get(agent).copied().unwrap_or(0.0)
    }

    /// All rounds that somebody answered in.
    pub fn rounds(&self) -> Vec<u32> {
        let mut rounds: Vec<u32> = self.items.iter().flat_map(|item| item.rounds.keys().copied()).collect();
        rounds.sort_unstable();
        rounds.dedup();
        rounds
    }

    /// Whether every usable answer of a round says how sure it is.
    pub fn is_confident(&self, round: u32) -> bool {
        let mut some = false;
        let all = self.items.iter().flat_map(|item| item.rounds.get(&round)).flatten().flatten();
        all.filter(|given| !given.groups.is_empty()).all(|given| {
            some = true;
            given.confidence.is_some()
        }) && some
    }
}
