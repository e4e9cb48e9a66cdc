//! The labelled sentences of `tests/detectors.jsonl`: how often what is read in a text is there.
//!
//! One half (`tune`) was used to improve the rules, the other (`hold`) was written before that and only checked against.
//! `cargo test -p synod-core --test all detectors -- --nocapture` prints the figures of each.

use std::io::{self, Write as _};

use serde::Deserialize;
use synod_core::ballot;
use synod_core::kernel::Reading;
use synod_core::kernel::prose::{Stance, stance};
use synod_core::procedure::workshop::CommentOutcome;
use synod_core::regulation::Regulation;
use synod_core::trigger::agent;
use synod_core::watch::{Indicator, conformity, objects};

use super::watch::{CACHE, QUEUE, read};
use super::workshop::{BODY, Shop};

#[derive(Deserialize)]
struct Row {
    half: String,
    what: String,
    is: String,
    said: String,
}

/// What is read in a sentence, as the rules of an edition read it.
fn told(row: &Row, reading: Reading) -> &'static str {
    let of = |holds: bool, yes: &'static str, no: &'static str| if holds { yes } else { no };
    let said = row.said.as_str();
    match row.what.as_str() {
        "alternative" => {
            let script = format!("ann yes | {CACHE}\nbob yes | {QUEUE}\ncy yes | I am for it | | {said}");
            of(read(&[&script]).groupthink.contains(&Indicator::NoAlternative), "none", "named")
        }
        "objection" => of(objects(said), "named", "none"),
        "condition" => of(ballot::conditions(vec![said.into()], "", reading).is_empty(), "none", "named"),
        "vote condition" => of(ballot::conditions(Vec::new(), said, reading).is_empty(), "none", "named"),
        "yields" => of(conformity(Some(said), reading), "yields", "argues"),
        "reason" => {
            let rules = Regulation::shipped().trigger.agent;
            of(agent::listed(&rules, said, reading).is_some(), "said", "not")
        }
        "opinion" => match stance(said, reading) {
            Stance::For => "for",
            Stance::Against => "against",
            Stance::Neutral => "neutral",
        },
        "escalates" => {
            let mut shop = Shop::new("workshop", &["ann"]);
            shop.open("user", "First");
            let act = shop.comment("ann", &format!("say {BODY} {said}"));
            match CommentOutcome::of(&act) {
                Some(CommentOutcome::Posted { .. }) => "calm",
                Some(CommentOutcome::Refused { breaches, .. }) => of(
                    breaches.iter().any(|one| one.code() == "gate/escalation-language"),
                    "escalates",
                    "calm",
                ),
                Some(CommentOutcome::Unchecked { .. }) | None => panic!("not judged: {:?}", act.outcome),
            }
        }
        other => panic!("no detector is called {other}"),
    }
}

/// A line for whoever runs the test to see the figures.
fn say(line: &str) {
    let _ = writeln!(io::stderr(), "{line}");
}

#[test]
fn what_is_read_in_a_sentence_is_there() {
    let rows: Vec<Row> = include_str!("../detectors.jsonl")
        .lines()
        .map(|line| serde_json::from_str(line).expect(line))
        .collect();
    let mut wrong_in_all = Vec::new();
    for what in [
        "alternative",
        "objection",
        "condition",
        "vote condition",
        "yields",
        "reason",
        "opinion",
        "escalates",
    ] {
        for half in ["tune", "hold"] {
            let asked: Vec<&Row> = rows.iter().filter(|row| row.what == what && row.half == half).collect();
            let wrong: Vec<&&Row> = asked.iter().filter(|row| told(row, Reading::Close) != row.is).collect();
            for row in &wrong {
                say(&format!(
                    "{what} {half}: {} read as {}: {}",
                    row.is,
                    told(row, Reading::Close),
                    row.said
                ));
            }
            say(&format!("{what} {half}: {} of {} right", asked.len() - wrong.len(), asked.len()));
            assert!(asked.len() >= 12, "{what} {half}: {} sentences", asked.len());
            // The tuned half has to be right but for one; of the other four fifths. Who gives in has too many words for
            // it: what is wrong there is missed, and never an argument called none.
            let most = match (half, what) {
                ("tune", _) => 1,
                (_, "yields") => {
                    assert!(wrong.iter().all(|row| row.is == "yields"), "an argument is called none");
                    asked.len() * 2 / 5
                }
                _ => asked.len() / 5,
            };
            if wrong.len() > most {
                wrong_in_all.push(format!("{what} {half}: {} of {} wrong", wrong.len(), asked.len()));
            }
        }
    }
    assert!(wrong_in_all.is_empty(), "{wrong_in_all:#?}");
}

/// What edition 2 read stays as it was read, where its acts are judged again.
#[test]
fn edition_2_is_judged_as_it_was() {
    let rules = Regulation::shipped().trigger.agent;
    assert!(agent::listed(&rules, "Data loss cannot happen", Reading::Early).is_some());
    assert_eq!(stance("I could not agree more.", Reading::Early), Stance::Against);
    assert!(!conformity(Some("So that we can finally move on."), Reading::Early));
    assert_eq!(ballot::conditions(vec!["unconditional".into()], "", Reading::Early), ["unconditional"]);
    assert!(ballot::conditions(Vec::new(), "My vote: YES, subject to review.", Reading::Early).is_empty());
}
