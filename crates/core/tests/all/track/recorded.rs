//! Records measured on answers that real models gave to questions whose truth is known: does weighing by them help.
//!
//! The answers are not part of the project; without them this says so and tells nothing.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::io::{self, Write as _};
use std::path::Path;
use std::sync::Arc;

use synod_core::edition::CURRENT;
use synod_core::kernel::{ByRecord, Choice, Who};
use synod_core::track::{Event, JudgedVote, Learned, Track, Truth, Voter, learned_weights, weigh};

use super::weights::matter;
use crate::world::who;

const FOLDS: usize = 5;

/// One question: what was true, and who answered what.
struct Item {
    gold: String,
    answers: BTreeMap<Who, String>,
    /// How many answers the set knows, as far as there are few.
    options: u8,
}

impl Item {
    /// A number for an answer, the same for all who gave it.
    fn code(&self, answer: &str) -> u8 {
        let sides: BTreeSet<&str> = self.answers.values().map(String::as_str).collect();
        sides.iter().position(|side| *side == answer).unwrap_or_default() as u8
    }
}

/// How answers become a decision.
#[derive(Clone, Copy)]
enum CountedBy {
    Heads,
    /// By the log-odds of edition 2.
    Odds(ByRecord),
    /// By what errors go together, as the present edition does.
    Errors,
}

/// The items of each set, blind answers only.
fn sets(text: &str) -> BTreeMap<String, Vec<Item>> {
    let mut sets: BTreeMap<String, BTreeMap<String, Item>> = BTreeMap::new();
    for line in text.lines().skip(1) {
        let fields: Vec<&str> = line.split(',').collect();
        let [set, item, gold, agent, "0", answer, ..] = fields.as_slice() else { continue };
        let items = sets.entry((*set).into()).or_default();
        let row = items.entry((*item).into()).or_insert_with(|| Item {
            gold: (*gold).into(),
            answers: BTreeMap::new(),
            options: 0,
        });
        if !answer.is_empty() {
            row.answers.insert(who(agent), (*answer).into());
        }
    }
    let wide = |items: &BTreeMap<String, Item>| {
        let sides: BTreeSet<&String> = items.values().flat_map(|item| item.answers.values()).collect();
        u8::try_from(sides.len()).unwrap_or(u8::MAX)
    };
    let finished = |items: BTreeMap<String, Item>| {
        let options = wide(&items);
        items.into_values().map(|item| Item { options, ..item }).collect()
    };
    sets.into_iter().map(|(name, items)| (name, finished(items))).collect()
}

/// How many items in ten thousand are answered rightly, where each part is decided by records of the others.
fn right(items: &[Item], rule: CountedBy) -> u64 {
    let names: BTreeSet<&Who> = items.iter().flat_map(|item| item.answers.keys()).collect();
    let voters: Vec<Voter<'_>> = names.iter().map(|who| Voter { backend: None, model: None, who }).collect();
    // Ties count for a share, in parts that every number of sides up to ten divides.
    const PART: u64 = 2520;
    let mut found = 0;
    for fold in 0..FOLDS {
        let mut track = Track::default();
        for (nth, item) in items.iter().enumerate().filter(|(nth, _)| nth % FOLDS != fold) {
            let mark = |(who, answer): (&Who, &String)| JudgedVote {
                backend: None,
                minority: false,
                model: None,
                right: *answer == item.gold,
                side: Some(Choice::Option(item.code(answer))),
                who: who.clone(),
            };
            let marks = item.answers.iter().map(mark).collect();
            let learned = Learned {
                marks,
                matter: matter(nth),
                options: item.options,
                root: matter(nth),
                truth: Truth::Is(Choice::Yes),
            };
            track.apply(&Event::Learned(Arc::new(learned)));
        }
        let weights = match rule {
            CountedBy::Heads => None,
            CountedBy::Odds(by) => Some(weigh(&track, &voters, &by).expect("enough is known")),
            CountedBy::Errors => {
                let by = ByRecord { least: 1, shrink: 32, top: None };
                let learned = learned_weights(CURRENT, &track, &voters, &by).expect("enough is known");
                Some(voters.iter().map(|voter| learned.seats[voter.who].weight).collect())
            }
        };
        let weight: BTreeMap<&Who, u32> = voters
            .iter()
            .enumerate()
            .map(|(nth, voter)| (voter.who, weights.as_ref().map_or(1, |it| it[nth])))
            .collect();
        for item in items.iter().skip(fold).step_by(FOLDS) {
            let mut sides: BTreeMap<&str, u32> = BTreeMap::new();
            for (who, answer) in &item.answers {
                *sides.entry(answer).or_default() += weight[who];
            }
            let most = sides.values().copied().max().unwrap_or(0);
            let best: Vec<&&str> =
                sides.iter().filter(|(_, votes)| **votes == most).map(|(side, _)| side).collect();
            if best.iter().any(|side| ***side == *item.gold) {
                found += PART / best.len() as u64;
            }
        }
    }
    found * 10_000 / PART / items.len() as u64
}

/// Says something that is seen also where a test passes.
fn say(line: &str) {
    let _ = writeln!(io::stderr(), "{line}");
}

/// Counted by heads, by log-odds, and by what errors go together, in ten thousandths.
fn measured(file: &str, set: &str) -> Option<[u64; 3]> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/data/ballots").join(file);
    let Ok(text) = fs::read_to_string(path) else {
        say(&format!("skipped: the recorded answers of {set} are not here"));
        return None;
    };
    let items = sets(&text).remove(set).expect("the set");
    let odds = CountedBy::Odds(ByRecord { least: 20, shrink: 4, top: None });
    let found = [CountedBy::Heads, odds, CountedBy::Errors].map(|rule| right(&items, rule));
    let [equal, odds, errors] = found;
    say(&format!(
        "{set}: of {} right in ten thousand: one vote each {equal}, by log-odds {odds}, by errors {errors}",
        items.len()
    ));
    Some(found)
}

/// Within a point of what an independent script measured for a plain count, for weights by log-odds, and for weights by what
/// errors go together.
#[test]
fn weighing_by_record_helps_where_some_are_better_than_others() {
    for (file, set, plain, odds, errors) in [
        ("ze_numersense.csv", "ze_numersense", 9190, 9590, 9920),
        ("ze_gsm8k.csv", "ze_gsm8k", 9680, 9670, 9700),
        ("confidence.csv", "conf_lsatar", 7300, 9480, 9520),
        ("confidence.csv", "conf_sciq", 9720, 9720, 9780),
        ("confidence.csv", "conf_saten", 9650, 9650, 9650),
        ("confidence.csv", "conf_boolq", 8330, 8350, 8380),
    ] {
        let Some([equal, by_odds, by_errors]) = measured(file, set) else { continue };
        assert!(equal.abs_diff(plain) <= 20, "{set}: one vote each {equal}, {plain} was expected");
        assert!(by_odds + 50 >= odds, "{set}: by log-odds {by_odds}, at least {odds} was expected");
        assert!(by_errors + 60 >= errors, "{set}: by errors {by_errors}, {errors} was measured elsewhere");
        assert!(by_errors + 20 >= equal, "{set}: weighing does harm, {by_errors} after {equal}");
    }
}
