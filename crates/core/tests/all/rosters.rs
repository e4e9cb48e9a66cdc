//! The rosters that ship: every seat complete, no two alike, and no line so common that it decides alone.

use std::collections::{BTreeMap, BTreeSet};

use toml::de::{DeTable, DeValue};

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

/// What the file says of one archon: each key with its texts.
struct Archon(BTreeMap<String, Vec<String>>);

impl Archon {
    /// The one text of a key.
    fn said(&self, key: &str) -> &str {
        match self.lines(key) {
            [one] => one,
            other => panic!("`{key}` is {other:?}"),
        }
    }

    fn lines(&self, key: &str) -> &[String] {
        self.0.get(key).unwrap_or_else(|| panic!("no `{key}` in {:?}", self.0))
    }
}

fn texts(value: &DeValue<'_>) -> Vec<String> {
    match value {
        DeValue::String(text) => vec![text.to_string()],
        DeValue::Array(items) => items.iter().flat_map(|item| texts(item.get_ref())).collect(),
        other => panic!("{other:?} is not text"),
    }
}

fn archons() -> Vec<Archon> {
    let file = DeTable::parse(ARCHONS).expect("the roster is TOML");
    let DeValue::Array(rows) = file.get_ref()["archon"].get_ref() else { panic!("archons are a list") };
    let archon = |row: &DeValue<'_>| match row {
        DeValue::Table(row) => Archon(
            row.iter().map(|(key, value)| (key.get_ref().to_string(), texts(value.get_ref()))).collect(),
        ),
        other => panic!("{other:?} is not an archon"),
    };
    rows.iter().map(|row| archon(row.get_ref())).collect()
}

#[test]
fn seventy_two_archons_have_a_name_of_their_own_and_a_rank() {
    let archons = archons();
    assert_eq!(archons.len(), 72);
    let names: BTreeSet<String> = archons.iter().map(|archon| archon.said("name").to_lowercase()).collect();
    assert_eq!(names.len(), 72, "names differ, whatever their case");
    for (rank, count) in RANKS {
        let held = archons.iter().filter(|archon| archon.said("rank") == rank).count();
        assert_eq!(held, count, "{rank}");
    }
    let all: usize = RANKS.iter().map(|(_, count)| count).sum();
    assert_eq!(all, 72, "nobody has another rank");
}

#[test]
fn archons_are_told_apart_by_what_they_say() {
    let archons = archons();
    let personas: BTreeSet<&str> = archons.iter().map(|archon| archon.said("persona")).collect();
    assert_eq!(personas.len(), 72);
    let keys = ["green_lines", "name", "persona", "rank", "red_lines"];
    for archon in &archons {
        let written: BTreeSet<&str> = archon.0.keys().map(String::as_str).collect();
        assert_eq!(written, BTreeSet::from(keys), "{}", archon.said("name"));
        let sentences = archon.said("persona").matches(". ").count() + 1;
        assert!((2..=3).contains(&sentences), "{}: {sentences} sentences", archon.said("name"));
        assert!(archon.said("persona").ends_with('.'), "{}", archon.said("name"));
    }
}

#[test]
fn lines_are_few_and_no_line_is_shared_by_many() {
    let mut shared: BTreeMap<String, usize> = BTreeMap::new();
    let mut pairs = BTreeSet::new();
    for archon in &archons() {
        let (red, green) = (archon.lines("red_lines"), archon.lines("green_lines"));
        for list in [red, green] {
            assert!((1..=3).contains(&list.len()), "{}: {list:?}", archon.said("name"));
            for line in list {
                assert!((1..=5).contains(&line.split(' ').count()), "`{line}` is a topic, not a text");
                *shared.entry(line.clone()).or_default() += 1;
            }
        }
        assert!(red.iter().all(|line| !green.contains(line)), "{}", archon.said("name"));
        assert!(
            pairs.insert((red.to_vec(), green.to_vec())),
            "{} has the lines of another",
            archon.said("name")
        );
    }
    let common: Vec<_> = shared.iter().filter(|(_, count)| **count > SHARED_MOST).collect();
    assert!(common.is_empty(), "{common:?}");
}
