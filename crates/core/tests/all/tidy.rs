//! Sizes: what grows past them is split before it is merged.

use std::fs;
use std::path::{Path, PathBuf};

/// The longest file of code in lines, and the longest file of tests.
const FILE_MOST: usize = 700;
const TEST_FILE_MOST: usize = 700;
/// The longest function in lines, its signature included.
const FUNCTION_MOST: usize = 80;
/// How many functions may be longer than 40 lines, in permille.
const LONG_MOST: usize = 25;

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
