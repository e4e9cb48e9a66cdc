//! The labelled pairs of `tests/canon.jsonl`: how often a reported conflict is one, and how many are found.
//!
//! `tune` and `hold` were written before the code that reads claims. `tune` was looked at while it was improved, of `hold` only the
//! figures. Both come from one hand and one sitting, so `fresh` was written when the code was done, with other people, things and
//! programs; of it too only the figures were looked at.
//!
//! `tests/canon_trial.jsonl` comes from an independent trial by somebody who had not seen the rules: `blind` was written before its
//! first run, `probes` after it, to look for more. `again` and `again hold` are of the forms in which a second trial found wrong
//! reports: denials behind a statement, and what is yet to come; `again hold` was written before those were mended. What `blind`,
//! `probes` and `again` reported was looked at while it was fixed. `forms hold` was written before adverbs and words that deny by their
//! form were read, and of it only the figures were looked at. `cargo test -p synod-core --test all canon::pairs` prints all.

use std::io::{self, Write as _};

use serde::Deserialize;
use synod_core::kernel::At;

use super::canon_of;

#[derive(Deserialize)]
struct LabelledPair {
    set: String,
    lang: String,
    #[serde(default)]
    domain: String,
    kind: String,
    conflict: bool,
    canon: String,
    text: String,
}

fn pairs() -> Vec<LabelledPair> {
    let lines =
        include_str!("../../canon.jsonl").lines().chain(include_str!("../../canon_trial.jsonl").lines());
    lines.map(|line| serde_json::from_str(line).expect(line)).collect()
}

/// Of each part how many conflicts are found, and how many reports are wrong. Whoever makes one of them better writes it down
/// here; worse fails.
const FIGURES: [(&str, usize, usize); 8] = [
    ("tune", 83, 0),
    ("hold", 80, 0),
    ("fresh", 42, 1),
    ("blind", 45, 0),
    ("probes", 77, 5),
    ("again", 9, 0),
    ("again hold", 10, 0),
    ("forms hold", 19, 1),
];

#[derive(Default)]
struct Figures {
    right: usize,
    wrong: usize,
    missed: usize,
}

impl Figures {
    fn of<'a>(pairs: impl Iterator<Item = &'a LabelledPair>) -> Self {
        let mut figures = Self::default();
        for pair in pairs {
            match (finds(pair), pair.conflict) {
                (true, true) => figures.right += 1,
                (true, false) => figures.wrong += 1,
                (false, true) => figures.missed += 1,
                (false, false) => (),
            }
        }
        figures
    }

    /// In thousandths.
    fn precision(&self) -> usize {
        1000 * self.right / (self.right + self.wrong).max(1)
    }

    fn recall(&self) -> usize {
        1000 * self.right / (self.right + self.missed).max(1)
    }

    fn line(&self, what: &str) -> String {
        let Self { right, wrong, missed } = self;
        let (precision, recall) = (self.precision(), self.recall());
        format!(
            "{what}: {right} right, {wrong} wrong, {missed} missed: precision {precision} of 1000, recall {recall} of 1000"
        )
    }
}

fn finds(pair: &LabelledPair) -> bool {
    !synod_core::canon::conflicts(&canon_of(&pair.canon), &pair.text, At(1)).is_empty()
}

/// A line for whoever runs the test to see the figures.
fn say(line: &str) {
    let _ = writeln!(io::stderr(), "{line}");
}

#[test]
fn conflicts_are_found_and_what_is_reported_is_one() {
    let pairs = pairs();
    let of = |set: &'static str| pairs.iter().filter(move |pair| pair.set == set);
    let seen = ["tune", "blind", "probes", "again"].into_iter().flat_map(of);
    for pair in seen.filter(|pair| finds(pair) != pair.conflict) {
        let how = if pair.conflict { "missed" } else { "WRONG " };
        say(&format!("{how} {} {}: {} / {}", pair.lang, pair.kind, pair.canon, pair.text));
    }
    for (set, ..) in FIGURES {
        say(&Figures::of(of(set)).line(set));
    }
    for (set, right, wrong) in FIGURES {
        let figures = Figures::of(of(set));
        assert!(figures.right >= right, "{set}: {} conflicts are found, and {right} were", figures.right);
        assert!(figures.wrong <= wrong, "{set}: {} reports are wrong, and {wrong} were", figures.wrong);
        assert!(figures.precision() >= 900, "{set}");
        for lang in ["en", "de"] {
            say(&Figures::of(of(set).filter(|pair| pair.lang == lang)).line(&format!("{set} {lang}")));
        }
        for domain in
            ["fiction", "software"].into_iter().filter(|_| of(set).all(|pair| !pair.domain.is_empty()))
        {
            say(&Figures::of(of(set).filter(|pair| pair.domain == domain)).line(&format!("{set} {domain}")));
        }
    }
}

#[test]
fn the_set_is_large_and_half_of_it_is_tricky() {
    let mut pairs = pairs();
    pairs.retain(|pair| !pair.domain.is_empty());
    let count = |holds: &dyn Fn(&LabelledPair) -> bool| pairs.iter().filter(|pair| holds(pair)).count();
    assert!(pairs.len() >= 300, "{}", pairs.len());
    assert!(2 * count(&|pair| !pair.conflict) >= pairs.len());
    for set in ["tune", "hold", "fresh"] {
        for (lang, domain) in [("en", "fiction"), ("en", "software"), ("de", "fiction"), ("de", "software")] {
            for conflict in [true, false] {
                let here = |pair: &LabelledPair| {
                    pair.set == set && pair.lang == lang && pair.domain == domain && pair.conflict == conflict
                };
                assert!(count(&here) >= 6, "{set} {lang} {domain} {conflict}");
            }
        }
    }
    let kinds = [
        "other-subject",
        "other-time",
        "double-negation",
        "synonym",
        "paraphrase",
        "unit-change",
        "multi-value",
    ];
    let more = ["question", "conditional", "reported", "quote", "plan", "refinement", "negated-other"];
    for kind in kinds.iter().chain(&more) {
        assert!(count(&|pair| pair.kind == *kind && !pair.conflict) >= 4, "{kind}");
    }
}
