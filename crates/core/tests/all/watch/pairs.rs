//! The labelled pairs of `tests/pairs.jsonl`: how often "these two say the same" is true.
//!
//! One half (`tune`) was used to improve the measure, the other (`hold`) was written before that and only checked
//! against. A wrong "same" hides a disagreement, a missed one only shows two lines instead of one: precision is
//! asserted, recall is printed. `cargo test -p synod-core --test all pairs` prints both.

use std::io::{self, Write as _};

use serde::Deserialize;
use synod_core::watch::same;

#[derive(Deserialize)]
struct Pair {
    set: String,
    lang: String,
    kind: String,
    same: bool,
    one: String,
    other: String,
}

fn pairs() -> Vec<Pair> {
    let lines = include_str!("../../pairs.jsonl").lines();
    lines.map(|line| serde_json::from_str(line).expect(line)).collect()
}

#[derive(Default)]
struct Count {
    right: usize,
    wrong: usize,
    missed: usize,
}

impl Count {
    fn add(&mut self, pair: &Pair, found: bool) {
        match (found, pair.same) {
            (true, true) => self.right += 1,
            (true, false) => self.wrong += 1,
            (false, true) => self.missed += 1,
            (false, false) => (),
        }
    }

    /// In thousandths.
    fn precision(&self) -> usize {
        1000 * self.right / (self.right + self.wrong).max(1)
    }

    fn recall(&self) -> usize {
        1000 * self.right / (self.right + self.missed).max(1)
    }
}

/// A line for whoever runs the test to see the figures.
fn say(line: &str) {
    let _ = writeln!(io::stderr(), "{line}");
}

#[test]
fn what_is_called_the_same_is_the_same() {
    let pairs = pairs();
    for set in ["tune", "hold"] {
        let mut count = Count::default();
        for pair in pairs.iter().filter(|pair| pair.set == set) {
            let found = same(&pair.one, &pair.other);
            assert_eq!(found, same(&pair.other, &pair.one), "{} / {}", pair.one, pair.other);
            count.add(pair, found);
            if found != pair.same {
                let how = if found { "WRONG " } else { "missed" };
                say(&format!("{how} {} {}: {} / {}", pair.lang, pair.kind, pair.one, pair.other));
            }
        }
        let Count { right, wrong, missed } = count;
        say(&format!("{set}: {right} right, {wrong} wrong, {missed} missed"));
        let (precision, recall) = (count.precision(), count.recall());
        say(&format!("{set}: precision {precision} of 1000, recall {recall} of 1000"));
        assert!(count.precision() >= 980, "{set}: {wrong} of {} are not the same", right + wrong);
        assert!(right >= 20, "{set}: a measure that finds nothing is not precise");
    }
}

#[test]
fn the_set_is_large_and_covers_scripts_and_kinds() {
    let pairs = pairs();
    let count = |holds: &dyn Fn(&Pair) -> bool| pairs.iter().filter(|pair| holds(pair)).count();
    assert!(pairs.len() >= 300, "{}", pairs.len());
    for (lang, least) in [("en", 150), ("de", 50), ("ru", 20), ("zh", 20), ("ja", 10), ("ar", 10), ("el", 10)]
    {
        assert!(count(&|pair| pair.lang == lang) >= least, "{lang}");
    }
    for kind in ["prefix", "antonym", "roles", "number", "date", "name", "negation", "quantifier", "reworded"]
    {
        for set in ["tune", "hold"] {
            assert!(count(&|pair| pair.kind == kind && pair.set == set) >= 3, "{set} {kind}");
        }
    }
    assert!(count(&|pair| pair.same) >= 100);
}
