//! The rosters that ship: every seat complete, no two alike, and no line so common that it decides alone.

use std::collections::{BTreeMap, BTreeSet};

use toml::{Table, Value};

const ARCHONS: &str = include_str!("../../../../rosters/archons.toml");

/// The ranks in the order in which they speak, each with how many hold it.
const RANKS: [(&str, usize); 7] = [
    ("king", 9),
    ("duke", 23),
    ("marquis", 15),
    ("prince", 6),
    ("earl", 7),
    ("president", 11),
    ("knight", 1),
];
/// How many seats may share a line: one more, and a motion that touches it starts with that many votes decided.
const SHARED_MOST: usize = 4;

fn archons() -> Vec<Table> {
    let file: Table = ARCHONS.parse().expect("the roster is TOML");
    let rows = file["archon"].as_array().expect("a list of tables");
    rows.iter().map(|row| row.as_table().expect("a table").clone()).collect()
}

fn said<'a>(archon: &'a Table, key: &str) -> &'a str {
    archon.get(key).and_then(Value::as_str).unwrap_or_else(|| panic!("`{key}` is missing in {archon:?}"))
}

fn lines(archon: &Table, key: &str) -> Vec<String> {
    let list =
        archon.get(key).and_then(Value::as_array).unwrap_or_else(|| panic!("no `{key}` in {archon:?}"));
    list.iter().map(|line| line.as_str().expect("a line is text").to_string()).collect()
}

#[test]
fn seventy_two_archons_have_a_name_of_their_own_and_a_rank() {
    let archons = archons();
    assert_eq!(archons.len(), 72);
    let names: BTreeSet<String> = archons.iter().map(|archon| said(archon, "name").to_lowercase()).collect();
    assert_eq!(names.len(), 72, "names differ, whatever their case");
    for (rank, count) in RANKS {
        let held = archons.iter().filter(|archon| said(archon, "rank") == rank).count();
        assert_eq!(held, count, "{rank}");
    }
    let all: usize = RANKS.iter().map(|(_, count)| count).sum();
    assert_eq!(all, 72, "nobody has another rank");
}

#[test]
fn archons_are_told_apart_by_what_they_say() {
    let archons = archons();
    let personas: BTreeSet<&str> = archons.iter().map(|archon| said(archon, "persona")).collect();
    assert_eq!(personas.len(), 72);
    let keys = ["green_lines", "name", "persona", "rank", "red_lines"];
    for archon in &archons {
        let written: BTreeSet<&str> = archon.keys().map(String::as_str).collect();
        assert_eq!(written, BTreeSet::from(keys), "{}", said(archon, "name"));
        let sentences = said(archon, "persona").matches(". ").count() + 1;
        assert!((2..=3).contains(&sentences), "{}: {sentences} sentences", said(archon, "name"));
        assert!(said(archon, "persona").ends_with('.'), "{}", said(archon, "name"));
    }
}

#[test]
fn lines_are_few_and_no_line_is_shared_by_many() {
    let mut shared: BTreeMap<String, usize> = BTreeMap::new();
    let mut pairs = BTreeSet::new();
    for archon in &archons() {
        let (red, green) = (lines(archon, "red_lines"), lines(archon, "green_lines"));
        for list in [&red, &green] {
            assert!((1..=3).contains(&list.len()), "{}: {list:?}", said(archon, "name"));
            for line in list {
                assert!((1..=5).contains(&line.split(' ').count()), "`{line}` is a topic, not a text");
                *shared.entry(line.clone()).or_default() += 1;
            }
        }
        assert!(red.iter().all(|line| !green.contains(line)), "{}", said(archon, "name"));
        assert!(pairs.insert((red, green)), "{} has the lines of another", said(archon, "name"));
    }
    let common: Vec<_> = shared.iter().filter(|(_, count)| **count > SHARED_MOST).collect();
    assert!(common.is_empty(), "{common:?}");
}
