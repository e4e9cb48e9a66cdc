//! Bytes are frozen: a line that was ever written opens for ever, and to the same act.
//!
//! There is a corpus per edition of the rules. Each line is a body; each follows the one before. Lines of an edition
//! that was released are added, never changed or removed. To add some: a chapter at the end of `chapters`, then
//! `cargo test -p synod-journal --test all -- --ignored freeze`, then the entry of `FROZEN` it names.

mod answers;
mod ballots;
mod called;
mod chapters;
mod councils;
mod credits;
mod door;
mod fields;
mod hindsight;
mod kinds;
mod lore;
mod motions;
mod rings;
mod rules;
mod scribe;
mod settled;
mod shop;
mod sources;
mod taken;
mod upkeep;
mod vouched;
mod watched;

use std::collections::BTreeSet;
use std::fs;

use synod_core::kernel::{Digest, Words as _};
use synod_core::{Act, House, Outcome};
use synod_journal::{Head, Record, chain};

use crate::sample::say;
use scribe::Scribe;

/// Written by edition 1 of the rules: it can be read, and is not judged again.
pub(crate) const FIRST: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/corpus/v1.jsonl");

/// Written by edition 2, and from its upgrade on by the edition of this build. All of it is judged again.
pub(crate) const NEWEST: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/corpus/v2.jsonl");

/// Edition 1, after each time lines were added: how many there were, and the hash of the last, and so of all.
const FROZEN: [(usize, &str); 2] = [
    (706, "61f8a8710e360e105e58dd3ecebf16130729b56de9bf1a595a347406559ee972"),
    (732, "120c03e35741f5f8dbd71610ae33b2d2bb4a4509075d48587f8eddec8087e490"),
];

/// Every line as its record and its act, opened one after the other.
pub(crate) fn opened(corpus: &str) -> Vec<(Record, Act)> {
    let mut head = Head::default();
    let text = fs::read_to_string(corpus).expect("the corpus can be read");
    let open = |line: &str| {
        let (body, hash) = (line.into(), Digest::of(line.as_bytes()));
        let record = Record { seq: head.seq.next(), body, hash, redacted: false };
        let act = chain::open(head, &record).unwrap_or_else(|broken| panic!("{broken}\n{line}"));
        head = record.head();
        (record, act)
    };
    text.lines().map(open).collect()
}

pub(crate) fn folded(lines: &[(Record, Act)]) -> House {
    let mut house = House::default();
    lines.iter().for_each(|(_, act)| house.evolve(act));
    house
}

#[test]
fn every_frozen_line_opens_and_is_sealed_to_the_same_bytes() {
    for corpus in [FIRST, NEWEST] {
        let mut head = Head::default();
        for (record, act) in opened(corpus) {
            assert_eq!(chain::seal(head, &act).unwrap(), record, "format 1 is still what is written");
            head = record.head();
        }
    }
}

#[test]
fn no_frozen_line_was_changed() {
    let lines = opened(FIRST);
    for (count, hash) in FROZEN {
        assert_eq!(lines[count - 1].0.hash.to_string(), hash, "one of the first {count} lines was changed");
    }
    assert_eq!(FROZEN.last().map(|(count, _)| *count), Some(lines.len()), "lines were added or removed");
}

#[test]
fn the_frozen_lines_fold_into_a_house() {
    for corpus in [FIRST, NEWEST] {
        let lines = opened(corpus);
        let house = folded(&lines);
        assert_eq!(house.seq().0 as usize, lines.len());
        for (record, act) in &lines {
            assert!(act.key.as_ref().is_none_or(|key| house.given_under(key) == Some(record.seq)));
        }
        let settled = lines.iter().flat_map(|(_, act)| act.events()).filter_map(settled::settled);
        for (matter, decision) in settled {
            let status = house.case(matter).map(|case| case.status());
            assert_eq!(status, Some(synod_core::matter::Status::Settled(decision)), "matter {matter}");
        }
    }
}

/// Acts that come out otherwise when this build judges them again, each with the reason. Only a new edition of the
/// rules may add to this, and then replays take acts of the old one as recorded.
const DIVERGES: [(u64, &str); 0] = [];

#[test]
fn every_matter_is_the_same_when_it_is_folded_from_its_own_acts() {
    for corpus in [FIRST, NEWEST] {
        let lines = opened(corpus);
        let house = folded(&lines);
        let again = House::unpack(&house.pack()).expect("what was packed can be unpacked");
        assert_eq!(again.matters(), house.matters());
        for case in house.cases() {
            let own = house.acts_of(case.id);
            let acts = own.iter().map(|seq| &lines[seq.0 as usize - 1].1);
            assert_eq!(house.rebuild(case.id, acts).as_deref(), Some(case), "{}", case.id);
            assert_eq!(again.summary(case.id), house.summary(case.id), "{}", case.id);
        }
    }
}

#[test]
fn every_frozen_act_is_judged_again_and_comes_out_the_same() {
    let mut house = House::default();
    let mut diverged = Vec::new();
    for (_, act) in opened(NEWEST) {
        let (by, key, vouched) = (act.by.clone(), act.key.clone(), act.vouched.clone());
        let (again, _) = house.judge_vouched(act.at, by, vouched, key, act.command.clone());
        if !again.agrees_with(&act) {
            diverged.push(act.seq.0);
        }
        house.evolve(&act);
    }
    let known: Vec<u64> = DIVERGES.iter().map(|(seq, _)| *seq).collect();
    assert_eq!(diverged, known, "`synod replay` shows what differs; a rule that changed needs a new edition");
}

/// A message that was worded otherwise, a fault's detail, a repair's: none of them is compared.
#[test]
fn reworded_messages_come_out_the_same() {
    let mut house = House::default();
    let mut reworded = 0;
    for (_, act) in opened(NEWEST) {
        let (by, key, vouched) = (act.by.clone(), act.key.clone(), act.vouched.clone());
        let (again, _) = house.judge_vouched(act.at, by, vouched, key, act.command.clone());
        let mut other = act.clone();
        let mut reword = |text: &mut String| {
            text.push_str(", in other words");
            reworded += 1;
        };
        match &mut other.outcome {
            Outcome::Done(events) => events.visit_messages(&mut reword),
            Outcome::Refused { message, .. } => message.visit_messages(&mut reword),
        }
        assert!(again.agrees_with(&other), "act {} hangs on its wording", act.seq);
        house.evolve(&act);
    }
    assert!(reworded > 100, "only {reworded} messages were reworded");
}

#[test]
fn every_kind_of_event_and_command_has_a_line() {
    let found: BTreeSet<&str> = opened(NEWEST).iter().flat_map(|(_, act)| kinds::of(act)).collect();
    let not_yet =
        |kind: &&str| kinds::NOT_YET.iter().chain(&credits::NOT_YET).any(|(known, _)| known == kind);
    assert!(!found.iter().any(not_yet), "something has a line that is said to have none");
    let missing: Vec<&str> = kinds::all().filter(|kind| !found.contains(kind) && !not_yet(kind)).collect();
    assert!(missing.is_empty(), "no line holds {missing:?}: write a chapter that does, and freeze it");
}

/// Adds chapters that have no lines yet. The lines there are stay as they are.
#[test]
#[ignore = "adds to the corpus"]
fn add() {
    let lines = opened(NEWEST);
    let head = lines.last().map(|(record, _)| record.head()).unwrap_or_default();
    let mut scribe = Scribe::new(folded(&lines), head);
    scribe.write(&chapters::ALL);
    let old = fs::read_to_string(NEWEST).expect("the corpus can be read");
    let new: String = scribe.lines.iter().map(|record| format!("{}\n", record.body)).collect();
    fs::write(NEWEST, old + &new).expect("the corpus can be written");
}

/// Writes every chapter anew. From the release of an edition on its lines are frozen, and this may only add some.
#[test]
#[ignore = "writes the corpus"]
fn freeze() {
    let mut scribe = Scribe::new(House::default(), Head::default());
    scribe.write(&chapters::ALL);
    let text: String = scribe.lines.iter().map(|record| format!("{}\n", record.body)).collect();
    fs::write(NEWEST, text).expect("the corpus can be written");
    let last = scribe.lines[scribe.lines.len() - 1].head();
    say(&format!("{} lines, the last with {}", last.seq, last.hash));
}
