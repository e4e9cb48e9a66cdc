//! Intervals hold what they promise: of a thousand studies with known truth, about 95 % contain it.

use synod_lab::fit::likeness;
use synod_lab::stats::{Interval, factor, grouped, mean, paired, wilson};

const STUDIES: usize = 1000;

/// In how many percent of the studies the interval contains the truth.
fn covered(truth: f64, seed: u64, study: impl Fn(&mut fastrand::Rng) -> Option<Interval>) -> f64 {
    let mut dice = fastrand::Rng::with_seed(seed);
    let held = (0..STUDIES)
        .filter(|_| study(&mut dice).is_some_and(|found| found.low <= truth && truth <= found.high));
    held.count() as f64 * 100.0 / STUDIES as f64
}

fn assert_right(what: &str, covered: f64) {
    assert!((93.0..=97.0).contains(&covered), "{what}: {covered} % of the intervals hold the truth");
}

#[test]
fn shares_lie_in_their_intervals() {
    for (share, items) in [(0.5, 400), (0.6, 60), (0.7, 300), (0.75, 50), (0.9, 200), (0.95, 1000)] {
        let study = |dice: &mut fastrand::Rng| {
            let hits = (0..items).filter(|_| dice.f64() < share).count();
            wilson(hits as f64, items)
        };
        assert_right(&format!("{share} of {items}"), covered(share, 11, study));
    }
}

/// Two rules on the same items: often alike, sometimes one is right and the other wrong.
#[test]
fn paired_differences_lie_in_their_intervals() {
    for (first, second, items) in [(0.1, 0.05, 200), (0.2, 0.2, 100), (0.05, 0.02, 1000), (0.3, 0.1, 60)] {
        let study = |dice: &mut fastrand::Rng| {
            let drawn: Vec<f64> = (0..items)
                .map(|_| match dice.f64() {
                    x if x < first => 1.0,
                    x if x < first + second => -1.0,
                    _ => 0.0,
                })
                .collect();
            paired(&drawn)
        };
        assert_right(&format!("{first} against {second} of {items}"), covered(first - second, 12, study));
    }
}

/// The plain interval that the paired one replaces is too short where few pairs differ: the test can fail.
#[test]
fn a_wrong_interval_is_found_out() {
    let study = |dice: &mut fastrand::Rng| {
        let drawn: Vec<f64> = (0..60).map(|_| if dice.f64() < 0.02 { 1.0 } else { 0.0 }).collect();
        mean(&drawn)
    };
    let found = covered(0.02, 13, study);
    assert!(found < 93.0, "{found}");
}

#[test]
fn figures_of_nothing_are_none() {
    assert_eq!(wilson(0.0, 0), None);
    assert_eq!(paired(&[]), None);
    assert_eq!(mean(&[]), None);
    let all = wilson(20.0, 20).expect("a share");
    assert!(all.high == 1.0 && all.low > 0.8 && all.low < 0.9, "{all:?}");
}

/// Shares of ties are fractions: their sum may come out a hair above the number of items.
#[test]
fn a_sum_that_rounding_carried_beyond_its_bounds_is_taken_for_the_bound() {
    let beyond = |value: f64| value * (1.0 + f64::EPSILON);
    let whole = wilson(beyond(3.0), 3).expect("a share");
    assert!(whole.mean == 1.0 && whole.high == 1.0, "{whole:?}");
    let ahead = paired(&[beyond(1.0); 3]).expect("a difference");
    assert!(ahead.mean == 1.0 && ahead.high == 1.0, "{ahead:?}");
    let behind = paired(&[beyond(-1.0); 3]).expect("a difference");
    assert!(behind.mean == -1.0 && behind.low == -1.0, "{behind:?}");
    let group = grouped(&[(beyond(2.0), 2.0), (2.0, 2.0)]).expect("a share");
    assert!(group.mean == 1.0 && group.high == 1.0, "{group:?}");
}

/// Trials with weights of their own: how often a seat goes over to a majority, times its share.
#[test]
fn factors_lie_in_their_intervals() {
    for (truth, trials) in [(0.3, 200), (0.6, 60), (0.15, 400)] {
        let study = |dice: &mut fastrand::Rng| {
            let weights: Vec<f64> = (0..trials).map(|_| 0.5 + 0.5 * dice.f64()).collect();
            let hits = weights.iter().filter(|weight| dice.f64() < truth * **weight).count();
            factor(hits as f64, &weights)
        };
        assert_right(&format!("{truth} of {trials} weighed trials"), covered(truth, 21, study));
    }
}

/// Seats of one model judge alike: their answers are worth fewer.
#[test]
fn shares_of_groups_lie_in_their_intervals() {
    for (share, together, groups, each) in [(0.7, 0.5, 60, 9), (0.6, 0.3, 30, 12), (0.8, 0.0, 100, 5)] {
        let study = |dice: &mut fastrand::Rng| {
            let drawn: Vec<(f64, f64)> = (0..groups)
                .map(|_| {
                    let all = dice.f64() < share;
                    let right =
                        (0..each).filter(|_| if dice.f64() < together { all } else { dice.f64() < share });
                    (right.count() as f64, f64::from(each))
                })
                .collect();
            grouped(&drawn)
        };
        assert_right(
            &format!("{share} in {groups} groups of {each}, together {together}"),
            covered(share, 22, study),
        );
    }
}

/// The plain interval would be far too short there: the test can fail.
#[test]
fn groups_taken_for_single_trials_are_found_out() {
    let study = |dice: &mut fastrand::Rng| {
        let mut hits = 0;
        for _ in 0..60 {
            let all = dice.f64() < 0.7;
            hits += (0..9).filter(|_| if dice.f64() < 0.5 { all } else { dice.f64() < 0.7 }).count();
        }
        wilson(hits as f64, 540)
    };
    let found = covered(0.7, 23, study);
    assert!(found < 80.0, "{found}");
}

/// Means of what matters come to: what a layer does, matter by matter, over all orders of layers.
#[test]
fn means_lie_in_their_intervals() {
    for matters in [12, 60, 400] {
        let study = |dice: &mut fastrand::Rng| {
            let drawn: Vec<f64> =
                (0..matters).map(|_| (dice.f64() + dice.f64() + dice.f64()) / 3.0 - 0.4).collect();
            mean(&drawn)
        };
        assert_right(&format!("a mean of {matters}"), covered(0.1, 24, study));
    }
    let shapley = |dice: &mut fastrand::Rng| {
        // Two layers, four combinations of each matter; the first adds 0.2 alone and 0.1 beside the other.
        let drawn: Vec<f64> = (0..150)
            .map(|_| {
                let luck = dice.f64();
                let passes = |chance: f64| f64::from(u8::from(luck < chance));
                0.5 * (passes(0.6) - passes(0.4)) + 0.5 * (passes(0.7) - passes(0.6))
            })
            .collect();
        mean(&drawn)
    };
    assert_right("a Shapley share", covered(0.15, 25, shapley));
}

/// How much the seats of one model judge alike, left out session by session.
#[test]
fn likeness_lies_in_its_interval() {
    for (together, groups, each) in [(0.5, 150, 6), (0.7, 120, 4)] {
        let study = |dice: &mut fastrand::Rng| {
            let marks: Vec<Vec<bool>> = (0..groups)
                .map(|_| {
                    let all = dice.f64() < 0.65;
                    (0..each).map(|_| if dice.f64() < together { all } else { dice.f64() < 0.65 }).collect()
                })
                .collect();
            likeness(&marks)
        };
        assert_right(
            &format!("likeness {together} in {groups} groups of {each}"),
            covered(together, 26, study),
        );
    }
}
