//! Rules that believe: what everyone holds probable, and who agrees with the others.

use super::contest::{Asked, Judged};
use super::known::KnownOutcomes;
use crate::sheet::RecordedItem;

/// Nobody is certain: a confidence of one would outvote everybody.
const SUREST: f64 = 0.99;
const STEPS: usize = 50;

/// The share of the right answer among those with the highest value.
fn highest(item: &RecordedItem, values: &[f64], asked: Asked) -> Judged {
    let most = values.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    let first: Vec<usize> = (0..values.len()).filter(|at| most - values[*at] < 1e-9).collect();
    let right = item.gold.is_some_and(|gold| first.contains(&usize::from(gold)));
    let right = if right && most.is_finite() { 1.0 / first.len() as f64 } else { 0.0 };
    Judged { right, undecided: !most.is_finite(), asked }
}

/// What an item got: the agent, its answer, how sure.
fn given(known: &KnownOutcomes<'_>, item: usize) -> Vec<(usize, usize, f64)> {
    let item = known.items[item];
    let answer = |agent| {
        let answer = item.answer(known.round, agent)?;
        let sure = f64::from(answer.confidence.unwrap_or(500)) / 1000.0;
        Some((agent, usize::from(answer.first()?), sure.clamp(1.0 - SUREST, SUREST)))
    };
    (0..known.names.len()).filter_map(answer).collect()
}

/// How many answers there are to choose from.
fn choices(known: &KnownOutcomes<'_>) -> f64 {
    known.set.answers.max(2) as f64
}

/// The logarithmic pool: the product of everyone's probabilities, where what is left of a confidence goes to the other answers alike.
pub(super) fn pooled(known: &KnownOutcomes<'_>, at: usize) -> Judged {
    let (item, given, others) = (known.items[at], given(known, at), choices(known) - 1.0);
    let mut values = vec![f64::NEG_INFINITY; item.options.len()];
    for (option, value) in values.iter_mut().enumerate() {
        // What nobody named is not an answer of this council.
        if given.iter().any(|(_, answer, _)| *answer == option) {
            let log = |(_, answer, sure): &(usize, usize, f64)| {
                if *answer == option { sure.ln() } else { ((1.0 - sure) / others).ln() }
            };
            *value = given.iter().map(log).sum();
        }
    }
    highest(item, &values, Asked::all(known, item, known.round))
}

/// Dawid and Skene's estimate with one number per agent, by expectation and maximisation.
pub(super) fn dawid_skene(known: &KnownOutcomes<'_>) -> Vec<Judged> {
    let given: Vec<Vec<(usize, usize, f64)>> =
        (0..known.items.len()).map(|item| given(known, item)).collect();
    let others = choices(known) - 1.0;
    let mut skill = vec![0.7; known.names.len()];
    let mut held: Vec<Vec<f64>> = Vec::new();
    for _ in 0..STEPS {
        held = given
            .iter()
            .zip(&known.items)
            .map(|(given, item)| posterior(given, item, &skill, others))
            .collect();
        let (mut right, mut all) = (vec![1.0; skill.len()], vec![2.0; skill.len()]);
        for (given, held) in given.iter().zip(&held) {
            for (agent, answer, _) in given {
                right[*agent] += held[*answer];
                all[*agent] += 1.0;
            }
        }
        skill = right.iter().zip(&all).map(|(right, all)| right / all).collect();
    }
    let items = known.items.iter().zip(&held);
    items.map(|(item, held)| highest(item, held, Asked::all(known, item, known.round))).collect()
}

fn posterior(given: &[(usize, usize, f64)], item: &RecordedItem, skill: &[f64], others: f64) -> Vec<f64> {
    if given.is_empty() {
        return vec![f64::NEG_INFINITY; item.options.len()];
    }
    let logs: Vec<f64> = (0..item.options.len())
        .map(|option| {
            let log = |(agent, answer, _): &(usize, usize, f64)| {
                let skill = skill[*agent].clamp(0.001, 0.999);
                if *answer == option { skill.ln() } else { ((1.0 - skill) / others).ln() }
            };
            given.iter().map(log).sum()
        })
        .collect();
    let most = logs.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    let parts: Vec<f64> = logs.iter().map(|log: &f64| (log - most).exp()).collect();
    let all: f64 = parts.iter().sum();
    parts.into_iter().map(|part| part / all).collect()
}
