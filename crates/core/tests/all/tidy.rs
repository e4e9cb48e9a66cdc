//! Sizes: what grows past them is split before it is merged. Names: one meaning each in the whole workspace.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

/// The longest file of code in lines, and the longest file of tests.
const FILE_MOST: usize = 700;
const TEST_FILE_MOST: usize = 700;
/// The longest function in lines, its signature included.
const FUNCTION_MOST: usize = 80;
/// How many functions may be longer than 40 lines, in permille.
const LONG_MOST: usize = 25;
/// Type names that the core may define more than once, and why. Everywhere else a name has one definition.
const SHARED_NAMES: [(&str, &str); 5] = [
    ("Command", "the house and each procedure have one, read as `ring::Command`"),
    ("Event", "each organ has one, read as `ballot::Event`"),
    ("Refusal", "each organ and procedure has one, defined by `refusals!`"),
    ("Rules", "each organ and trigger has one, read as `gate::Rules`"),
    ("State", "each procedure has one, which `procedures!` reaches as `$module::State`"),
];

fn sources(dir: &Path, found: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(dir).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            sources(&path, found);
        } else if path.extension().is_some_and(|ending| ending == "rs") {
            found.push(path);
        }
    }
}

fn files(part: &str) -> Vec<(PathBuf, String)> {
    let crates = Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap();
    let mut found = Vec::new();
    for krate in fs::read_dir(crates).unwrap() {
        let dir = krate.unwrap().path().join(part);
        if dir.is_dir() {
            sources(&dir, &mut found);
        }
    }
    assert!(found.len() > 20, "there are files to measure");
    found.into_iter().map(|path| (path.clone(), fs::read_to_string(path).unwrap())).collect()
}

/// Functions of formatted code with their length: from the line with `fn` to the brace that closes at its indent.
fn functions(text: &str) -> Vec<(usize, usize)> {
    let lines: Vec<&str> = text.lines().collect();
    let mut found = Vec::new();
    for (start, line) in lines.iter().enumerate() {
        let indent = line.len() - line.trim_start().len();
        let words = line.trim_start();
        let begins = words.starts_with("fn ")
            || (words.starts_with("pub") || words.starts_with("async ") || words.starts_with("const "))
                && words.contains(" fn ");
        if !begins || words.ends_with(';') {
            continue;
        }
        let closes = |line: &&str| **line == format!("{}}}", " ".repeat(indent));
        if let Some(length) = lines[start..].iter().position(closes) {
            found.push((start + 1, length + 1));
        }
    }
    found
}

#[test]
fn functions_are_found_with_their_length() {
    let text = "fn a() {\n    1\n}\nimpl X {\n    pub(crate) fn b() {\n        2\n    }\n}\nfn c();\n";
    assert_eq!(functions(text), [(1, 3), (5, 3)]);
}

#[test]
fn files_stay_small() {
    for (part, most) in [("src", FILE_MOST), ("tests", TEST_FILE_MOST)] {
        let long: Vec<String> = files(part)
            .iter()
            .map(|(path, text)| (path, text.lines().count()))
            .filter(|(_, lines)| *lines > most)
            .map(|(path, lines)| format!("{}: {lines} lines", path.display()))
            .collect();
        assert!(long.is_empty(), "more than {most} lines: {long:#?}");
    }
}

#[test]
fn functions_stay_short() {
    let mut all = 0;
    let (mut long, mut too_long) = (0, Vec::new());
    for (path, text) in files("src") {
        for (line, length) in functions(&text) {
            all += 1;
            long += usize::from(length > 40);
            if length > FUNCTION_MOST {
                too_long.push(format!("{}:{line}: {length} lines", path.display()));
            }
        }
    }
    assert!(too_long.is_empty(), "more than {FUNCTION_MOST} lines: {too_long:#?}");
    assert!(long * 1000 <= all * LONG_MOST, "{long} of {all} functions are longer than 40 lines");
}

/// The names of the types that a text defines, with their lines. Types that belong to a trait or its implementation are
/// not names of their own.
fn types(text: &str) -> Vec<(usize, &str)> {
    let name = |line: &'_ str| -> Option<(usize, usize)> {
        let words = line.trim_start();
        let words = words.strip_prefix("pub").map_or(words, |rest| {
            let rest = if rest.starts_with('(') {
                rest.split_once(')').map_or(rest, |(_, rest)| rest)
            } else {
                rest
            };
            rest.trim_start()
        });
        let (keyword, rest) = words.split_once(' ')?;
        let indented = line.starts_with(' ');
        let defines =
            matches!(keyword, "struct" | "enum" | "trait" | "union") || keyword == "type" && !indented;
        let length = rest.find(|c: char| !c.is_alphanumeric() && c != '_').unwrap_or(rest.len());
        (defines && rest.starts_with(|c: char| c.is_ascii_uppercase()))
            .then_some((line.len() - rest.len(), length))
    };
    let lines = text.lines().enumerate();
    lines
        .filter_map(|(at, line)| name(line).map(|(from, length)| (at + 1, &line[from..from + length])))
        .collect()
}

/// Types that are defined twice although nothing says why, each with its places.
fn repeated(files: &[(PathBuf, String)]) -> Vec<String> {
    let mut places: BTreeMap<&str, Vec<(&Path, usize)>> = BTreeMap::new();
    for (path, text) in files {
        for (line, name) in types(text) {
            places.entry(name).or_default().push((path, line));
        }
    }
    let in_core = |path: &Path| path.starts_with(env!("CARGO_MANIFEST_DIR"));
    let mut found = Vec::new();
    for (name, places) in places {
        let shared = SHARED_NAMES.iter().any(|(shared, _)| *shared == name);
        // In other crates these names would read as those of the core.
        let counted = places.iter().filter(|(path, _)| !(shared && in_core(path))).count();
        if counted > usize::from(!shared) {
            let places = places.iter().map(|(path, line)| format!("{}:{line}", path.display()));
            found.push(format!("{name}: {}", places.collect::<Vec<_>>().join(", ")));
        }
    }
    found
}

#[test]
fn types_are_found_with_their_names() {
    let text = "pub(crate) struct A<T> {\n}\nimpl B for A {\n    type Out = u8;\n}\n    pub enum C {}\ntype D = A;\n\
                trait E {}\n// struct F;\nlet struct_g = G {};\n";
    assert_eq!(types(text), [(1, "A"), (6, "C"), (7, "D"), (8, "E")]);
}

#[test]
fn a_second_definition_is_found() {
    let file = |path: &str, text: &str| (PathBuf::from(path), text.to_owned());
    let (core, engine) = (concat!(env!("CARGO_MANIFEST_DIR"), "/src/a.rs"), "crates/engine/src/b.rs");
    assert_eq!(repeated(&[file(core, "struct Row;"), file(engine, "struct Line;")]), [""; 0]);
    assert_eq!(repeated(&[file(core, "struct Row;"), file(engine, "enum Row {}")]).len(), 1);
    assert_eq!(repeated(&[file(core, "struct Rules;\nenum Rules {}")]), [""; 0]);
    assert_eq!(repeated(&[file(core, "struct Rules;"), file(engine, "struct Rules;")]).len(), 1);
}

#[test]
fn a_type_name_has_one_meaning() {
    let found = repeated(&files("src"));
    assert!(found.is_empty(), "defined more than once; name each after what it is: {found:#?}");
}

#[test]
fn shared_names_are_still_shared() {
    let files = files("src");
    for (name, why) in SHARED_NAMES {
        let count =
            files.iter().flat_map(|(_, text)| types(text)).filter(|(_, found)| *found == name).count();
        assert!(count > 1, "{name} is defined once; take it off the list ({why})");
    }
}
