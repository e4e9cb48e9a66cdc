//! Learning curves: how the rules that learn do after few outcomes.

use serde::Serialize;

use super::ComparisonPlan;
use super::contest::Contestant;
use super::known::KnownOutcomes;

/// Outcomes that are known, at each point.
pub const OUTCOMES: [usize; 3] = [10, 30, 100];
/// Items that a draw is tried on at most.
const TRIED: usize = 1000;

/// One point: means over draws, each tried on items that were not drawn.
#[derive(Debug, Clone, Copy, Serialize)]
pub struct CurvePoint {
    /// Outcomes that were known.
    pub outcomes: usize,
    /// The rule that learns.
    pub reliability: f64,
    /// The best agent by what is known.
    pub best: f64,
    /// One vote each.
    pub plurality: f64,
    /// How far the rule that learns is ahead of the better of the two.
    pub ahead: f64,
    /// The standard error of a difference on so many items, for scale.
    pub error: f64,
}

/// The points that a set has items for.
pub(super) fn drawn(known: &KnownOutcomes<'_>, trial: ComparisonPlan) -> Vec<CurvePoint> {
    let enough = |outcomes: &usize| trial.draws > 0 && known.items.len() >= outcomes + 50;
    OUTCOMES.into_iter().filter(enough).filter_map(|outcomes| point(known, trial, outcomes)).collect()
}

fn point(known: &KnownOutcomes<'_>, trial: ComparisonPlan, outcomes: usize) -> Option<CurvePoint> {
    let rules = [Contestant::Reliability, Contestant::Best, Contestant::Plurality];
    let judges = rules.map(|rule| rule.prepared(known));
    let mut sums = [0.0; 3];
    let (mut squares, mut tried) = ([0.0; 2], 0usize);
    for draw in 0..trial.draws {
        let mut order: Vec<usize> = (0..known.items.len()).collect();
        fastrand::Rng::with_seed(trial.seed ^ ((draw as u64 + 1) << 32)).shuffle(&mut order);
        let (taught, rest) = order.split_at(outcomes);
        let lesson = known.lesson(taught);
        let rest = &rest[..rest.len().min(TRIED)];
        for item in rest {
            let mut right = [0.0; 3];
            for (judge, (right, sum)) in judges.iter().zip(right.iter_mut().zip(&mut sums)) {
                *right = judge.as_ref()?(*item, &lesson).right;
                *sum += *right / rest.len() as f64 / trial.draws as f64;
            }
            for (square, other) in squares.iter_mut().zip([right[1], right[2]]) {
                let difference: f64 = right[0] - other;
                *square += difference * difference;
            }
            tried += 1;
        }
    }
    let [reliability, best, plurality] = sums;
    let ahead = reliability - best.max(plurality);
    let items = known.items.len().saturating_sub(outcomes).min(TRIED) as f64;
    // Of the rival that it is compared with.
    let squares = if best >= plurality { squares[0] } else { squares[1] };
    let error = (squares / tried.max(1) as f64 / items).sqrt();
    Some(CurvePoint { outcomes, reliability, best, plurality, ahead, error })
}
