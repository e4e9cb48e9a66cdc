//! The reader of stances and votes against answers with labels, English and German, in the styles that models write. Two thirds were at hand
//! when the reader was written; every third one, by its id, was not looked at, and its figures say how the reader does on what
//! it has not seen.
//!
//! The figures in `docs/voting.md` are printed by
//! `cargo test -p synod-core --test all --locked stances::figures -- --nocapture`.
//!
//! To add answers: new lines at the end of `tests/stances.jsonl`, with the next ids. Labels are what a careful reader would write
//! down: the side, and whether it is written as it was asked for (`token`) or only to be gathered from the prose (`inferred`). An
//! answer that takes two sides, hangs on a condition, is taken back or is somebody else's has none.

mod council;
mod hostile;
mod recorded;

use std::collections::BTreeMap;

use serde::Deserialize;
use synod_core::brief::{AskedFor, StanceReading, read_stance};
use synod_core::kernel::{Choice, StanceSource};

const ANSWERS: &str = include_str!("../stances.jsonl");
/// What comes after it was written to find faults of the reader, and is all known.
const LAST_HELD_OUT: usize = 589;
const PAGE: &str = include_str!("../../../../docs/voting.md");

#[derive(Debug, Deserialize)]
struct Labelled {
    id: usize,
    lang: String,
    style: String,
    asked: String,
    means: String,
    source: StanceSource,
    text: String,
}

impl Labelled {
    fn held_out(&self) -> bool {
        self.id <= LAST_HELD_OUT && self.id.is_multiple_of(3)
    }

    fn side(&self) -> Option<Choice> {
        match self.means.as_str() {
            "for" => Some(Choice::Yes),
            "against" => Some(Choice::No),
            "neutral" => Some(Choice::Neutral),
            "none" => None,
            other => panic!("{}: `{other}` is not a label", self.id),
        }
    }

    fn read(&self) -> StanceReading {
        let asked = match self.asked.as_str() {
            "stance" => AskedFor::Stance,
            "vote" => AskedFor::Vote,
            other => panic!("{}: `{other}` is not asked for", self.id),
        };
        read_stance(&self.text, asked)
    }
}

fn answers() -> Vec<Labelled> {
    ANSWERS.lines().map(|line| serde_json::from_str(line).unwrap_or_else(|e| panic!("{e}: {line}"))).collect()
}

/// How often a source was given, given rightly, and meant.
#[derive(Debug, Default, Clone, Copy)]
struct Score {
    given: usize,
    right: usize,
    meant: usize,
}

impl Score {
    fn add(&mut self, source: StanceSource, answer: &Labelled, reading: StanceReading) {
        self.given += usize::from(reading.source == source);
        self.meant += usize::from(answer.source == source);
        let right = reading.source == source && answer.source == source && reading.side == answer.side();
        self.right += usize::from(right);
    }

    /// At least so many of a thousand, of what was given.
    fn precise(self, permille: usize) -> bool {
        self.right * 1000 >= self.given * permille
    }

    /// At least so many of a thousand, of what was meant.
    fn recalls(self, permille: usize) -> bool {
        self.right * 1000 >= self.meant * permille
    }
}

impl Score {
    /// Precision and recall as two cells of a table.
    fn cells(self) -> String {
        format!("{}/{} | {}/{}", self.right, self.given, self.right, self.meant)
    }
}

impl std::fmt::Display for Score {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "precision {:>3}/{:<3} recall {:>3}/{:<3}", self.right, self.given, self.right, self.meant)
    }
}

fn score(answers: &[&Labelled], source: StanceSource) -> Score {
    let mut score = Score::default();
    answers.iter().for_each(|answer| score.add(source, answer, answer.read()));
    score
}

/// Answers whose side was read as another one, or that take none and were given one.
fn wrong_sides<'a>(answers: &[&'a Labelled]) -> Vec<&'a Labelled> {
    let wrong = |answer: &&&Labelled| {
        let side = answer.read().side;
        side.is_some() && side != answer.side()
    };
    answers.iter().filter(wrong).copied().collect()
}

#[test]
#[expect(clippy::print_stdout, reason = "the figures stand in the docs")]
fn figures() {
    let all = answers();
    for (place, answer) in all.iter().enumerate() {
        assert_eq!(answer.id, place + 1, "ids are numbers in order");
        assert_eq!(answer.source == StanceSource::None, answer.side().is_none(), "{}", answer.id);
    }
    assert!(all.len() >= 400, "{}", all.len());
    let (held, tuned): (Vec<&Labelled>, Vec<&Labelled>) = all.iter().partition(|answer| answer.held_out());
    for (name, set) in [("tuned", &tuned), ("held out", &held)] {
        let (token, inferred) = (score(set, StanceSource::Token), score(set, StanceSource::Inferred));
        println!(
            "{name:>8}: {} answers; token {token}; inferred {inferred}; wrong sides {}",
            set.len(),
            wrong_sides(set).len()
        );
    }
    let mut groups: BTreeMap<String, Vec<&Labelled>> = BTreeMap::new();
    for answer in &all {
        groups.entry(format!("{} {}", answer.lang, answer.style)).or_default().push(answer);
    }
    for (group, answers) in &groups {
        let (token, inferred) = (score(answers, StanceSource::Token), score(answers, StanceSource::Inferred));
        println!(
            "{group:>20}: {:>3} answers; token {token}; inferred {inferred}; wrong sides {}",
            answers.len(),
            wrong_sides(answers).len()
        );
    }
    // Only what the reader was made with is shown: looking at the rest would make it known too.
    for answer in &tuned {
        let reading = answer.read();
        if (reading.side, reading.source) != (answer.side(), answer.source) {
            println!(
                "missed {}: {reading:?} for {} {:?}: {:?}",
                answer.id, answer.means, answer.source, answer.text
            );
        }
    }
    for (name, set) in [("at hand when the reader was written", &tuned), ("held out", &held)] {
        let (token, inferred) = (score(set, StanceSource::Token), score(set, StanceSource::Inferred));
        assert!(token.precise(980), "a token that is not one decides what nobody wanted: {token}");
        assert!(token.recalls(950), "{token}");
        assert!(inferred.precise(950), "{inferred}");
        assert!(inferred.recalls(850), "{inferred}");
        let row = format!("| {name} | {} | {} | {} |", set.len(), token.cells(), inferred.cells());
        assert!(PAGE.contains(&row), "docs/voting.md does not have the row: {row}");
    }
}
