//! Intervals hold what they promise: of a thousand studies with known truth, about 95 % contain it.

use synod_lab::stats::{Interval, mean, paired, wilson};

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
