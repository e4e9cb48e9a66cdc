//! The labelled pairs of `tests/opposites.txt`: how often "these two say the opposite" is true.
//!
//! `O` is opposite, `S` the same in other words, `N` about different things. A conflict that is none sends people
//! arguing over a paraphrase: precision is asserted high, recall at what was measured.

use std::io::{self, Write as _};

use synod_core::watch::opposed;

#[test]
fn what_is_called_a_conflict_is_one() {
    let (mut right, mut wrong, mut missed) = (0, 0, 0);
    for line in include_str!("../../opposites.txt").lines().filter(|line| !line.starts_with('#')) {
        let fields: Vec<&str> = line.split('|').collect();
        let [label, one, other] = fields.as_slice() else { panic!("{line}") };
        let found = opposed(one, other);
        assert_eq!(found, opposed(other, one), "{line}");
        let how = match (found, *label == "O") {
            (true, true) => {
                right += 1;
                "right "
            }
            (true, false) => {
                wrong += 1;
                "WRONG "
            }
            (false, true) => {
                missed += 1;
                "missed"
            }
            (false, false) => continue,
        };
        let _ = writeln!(io::stderr(), "{how} {line}");
    }
    let (precision, recall) = (1000 * right / (right + wrong).max(1), 1000 * right / (right + missed).max(1));
    let _ = writeln!(
        io::stderr(),
        "{right} right, {wrong} wrong, {missed} missed: {precision} and {recall} of 1000"
    );
    assert!(precision >= 980, "{wrong} of {} are no conflicts", right + wrong);
    assert!(recall >= 440, "{missed} of {} conflicts are missed", right + missed);
}

#[test]
fn nothing_that_says_the_same_is_a_conflict() {
    #[derive(serde::Deserialize)]
    struct Pair {
        same: bool,
        one: String,
        other: String,
    }
    let pairs =
        include_str!("../../pairs.jsonl").lines().map(|line| serde_json::from_str::<Pair>(line).unwrap());
    let mut checked = 0;
    for pair in pairs.filter(|pair| pair.same) {
        assert!(!opposed(&pair.one, &pair.other), "{} / {}", pair.one, pair.other);
        checked += 1;
    }
    assert!(checked >= 100);
}
