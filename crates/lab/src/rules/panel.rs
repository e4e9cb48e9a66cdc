//! Panels: not everybody is asked, and more only while it is open what they come to.

use std::cmp::Reverse;

use synod_core::ballot::{Method, Weights};

use super::contest::{Asked, Judged, of_poll, paper};
use super::known::{KnownOutcomes, Lesson};
use crate::tally;

/// How many are asked, in steps.
const STEPS: [usize; 3] = [3, 5, 7];
/// Draws of who is asked, per item.
const DRAWS: u64 = 20;

/// Three at random, five if they do not all say the same, then seven; the mean over many draws.
pub(super) fn growing(known: &KnownOutcomes<'_>, at: usize) -> Judged {
    let rule = tally::leads(Method::Plurality, Weights::Equal);
    let item = known.items[at];
    let asked: Vec<usize> = item
        .rounds
        .get(&known.round)
        .into_iter()
        .flatten()
        .enumerate()
        .filter_map(|(agent, given)| given.as_ref().map(|_| agent))
        .collect();
    let (mut right, mut all) = (0.0, Asked::default());
    for draw in 0..DRAWS {
        let mut order = asked.clone();
        let seed = known.seed ^ ((at as u64) << 20) ^ (draw << 50);
        fastrand::Rng::with_seed(seed).shuffle(&mut order);
        let mut panel = order.len().min(STEPS[0]);
        for step in STEPS {
            panel = order.len().min(step);
            let mut answers =
                order[..panel].iter().map(|agent| item.answer(known.round, *agent).and_then(|it| it.first()));
            let first = answers.next().flatten();
            if first.is_some() && answers.all(|answer| answer == first) {
                break;
            }
        }
        let given = order[..panel].iter().filter_map(|agent| item.answer(known.round, *agent));
        let judged = of_poll(item, &rule, given.map(|given| paper(given, Method::Plurality)).collect());
        right += judged.right;
        all = all.and(Asked::of(known, order[..panel].iter().copied()));
    }
    let draws = DRAWS as f64;
    let asked = Asked { calls: all.calls / draws, cost: all.cost / draws };
    Judged { right: right / draws, undecided: false, asked }
}

/// One after the other by weight, until those left could not turn the result, or only if more than half of their weight went
/// against it together.
pub(super) fn by_record(known: &KnownOutcomes<'_>, at: usize, lesson: &Lesson) -> Judged {
    let rule = tally::leads(Method::Plurality, Weights::Reliability);
    let item = known.items[at];
    let mut order: Vec<usize> = item
        .rounds
        .get(&known.round)
        .into_iter()
        .flatten()
        .enumerate()
        .filter_map(|(agent, given)| given.as_ref().map(|_| agent))
        .collect();
    order.sort_by_key(|agent| (Reverse(lesson.weights[*agent]), Reverse(lesson.means[*agent]), *agent));
    let mut left: u64 = order.iter().map(|agent| u64::from(lesson.weights[*agent])).sum();
    let mut votes = vec![0u64; item.options.len()];
    let mut papers = Vec::new();
    let mut asked = Asked::default();
    for agent in order {
        let weight = lesson.weights[agent];
        left -= u64::from(weight);
        asked = asked.and(Asked::of(known, std::iter::once(agent)));
        if let Some(given) = item.answer(known.round, agent) {
            let mut paper = paper(given, Method::Plurality);
            paper.weight = weight;
            papers.push(paper);
            if let Some(first) = given.first() {
                votes[usize::from(first)] += u64::from(weight);
            }
        }
        let mut sorted = votes.clone();
        sorted.sort_unstable_by_key(|votes| Reverse(*votes));
        let lead = sorted.first().copied().unwrap_or(0) - sorted.get(1).copied().unwrap_or(0);
        if lead * 2 > left {
            break;
        }
    }
    Judged { asked, ..of_poll(item, &rule, papers) }
}
