//! Records measured on answers that real models gave to questions whose truth is known: does weighing by them help.
//!
//! The answers are not part of the project; without them this says so and tells nothing.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::io::{self, Write as _};
use std::path::Path;
use std::sync::Arc;

use synod_core::kernel::{ByRecord, Choice, Who};
use synod_core::track::{Event, JudgedVote, Learned, Track, Truth, Voter, weigh};

use super::weights::matter;
use crate::world::who;

const FOLDS: usize = 5;

/// One question: what was true, and who answered what.
struct Item {
    gold: String,
    answers: BTreeMap<Who, String>,
}

/// The items of each set, blind answers only.
fn sets(text: &str) -> BTreeMap<String, Vec<Item>> {
    let mut sets: BTreeMap<String, BTreeMap<String, Item>> = BTreeMap::new();
    for line in text.lines().skip(1) {
        let fields: Vec<&str> = line.split(',').collect();
        let [set, item, gold, agent, "0", answer, ..] = fields.as_slice() else { continue };
        let items = sets.entry((*set).into()).or_default();
        let row = items
            .entry((*item).into())
            .or_insert_with(|| Item { gold: (*gold).into(), answers: BTreeMap::new() });
        if !answer.is_empty() {
            row.answers.insert(who(agent), (*answer).into());
        }
    }
    sets.into_iter().map(|(name, items)| (name, items.into_values().collect())).collect()
}

/// How many items in ten thousand are answered rightly, where each part is decided by records of the others.
fn right(items: &[Item], by: Option<ByRecord>) -> u64 {
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
                who: who.clone(),
            };
            let marks = item.answers.iter().map(mark).collect();
            let learned =
                Learned { marks, matter: matter(nth), root: matter(nth), truth: Truth::Is(Choice::Yes) };
            track.apply(&Event::Learned(Arc::new(learned)));
        }
        let weights = by.map(|by| weigh(&track, &voters, &by).expect("enough is known"));
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

/// One vote each, weighed, and weighed with the best three alone, in ten thousandths.
fn measured(file: &str, set: &str) -> Option<[u64; 3]> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/data/ballots").join(file);
    let Ok(text) = fs::read_to_string(path) else {
        say(&format!("skipped: the recorded answers of {set} are not here"));
        return None;
    };
    let items = sets(&text).remove(set).expect("the set");
    let by = ByRecord { least: 20, shrink: 4, top: None };
    let found = [None, Some(by), Some(ByRecord { top: Some(3), ..by })].map(|by| right(&items, by));
    let [equal, weighed, best] = found;
    say(&format!(
        "{set}: of {} right in ten thousand: one vote each {equal}, weighed {weighed}, best three {best}",
        items.len()
    ));
    Some(found)
}

/// Within a point of what an independent script measured for a plain count and for weights by log-odds.
#[test]
fn weighing_by_record_helps_where_some_are_better_than_others() {
    for (file, set, plain, weighed) in [
        ("ze_numersense.csv", "ze_numersense", 9190, 9590),
        ("confidence.csv", "conf_lsatar", 7300, 9480),
        ("confidence.csv", "conf_sciq", 9720, 9720),
        ("confidence.csv", "conf_boolq", 8330, 8350),
    ] {
        let Some([equal, by_record, _]) = measured(file, set) else { continue };
        assert!(equal.abs_diff(plain) <= 10, "{set}: one vote each {equal}, {plain} was expected");
        assert!(by_record + 50 >= weighed, "{set}: weighed {by_record}, at least {weighed} was expected");
        assert!(by_record + 20 >= equal, "{set}: weighing does harm, {by_record} after {equal}");
    }
}
