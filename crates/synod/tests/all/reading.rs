//! What a council is given to read with `--context`: files, folders, patterns, standard input, and no secrets.

use serde_json::Value;

use crate::houses::finish;
use crate::world::{Place, Run};

const TOPIC: &str = "Merge this?";
const KEY: &str = "sk-proj-abcdefghij0123456789XYZ";

fn asked(place: &Place, named: &[&str]) -> Run {
    let mut args = vec!["debate", TOPIC, "--rehearse"];
    named.iter().for_each(|named| args.extend(["--context", named]));
    place.run(args)
}

/// The material of the last matter, by name.
fn material(place: &Place) -> Vec<(String, String)> {
    let acts = place.acts();
    let opened = acts.iter().rev().find_map(|act| act["command"].get("open")).expect("an opening");
    let text = |piece: &Value, key: &str| piece[key].as_str().unwrap_or_default().to_string();
    let pieces = opened["context"].as_array().cloned().unwrap_or_default();
    pieces.iter().map(|piece| (text(piece, "name"), text(piece, "text"))).collect()
}

#[test]
fn a_diff_comes_on_standard_input_and_its_size_is_said() {
    let place = Place::new();
    let diff = format!("+let key = \"{KEY}\";\n+let plain = 1;\n");
    let run = place.feed(["debate", TOPIC, "--rehearse", "--context", "-"], diff.as_bytes());
    run.tells("context: 1 text, 38 characters, about 13 tokens in every prompt; 1 place masked");
    assert_eq!(
        material(&place),
        [("standard input".into(), "+let key = \"[masked]\";\n+let plain = 1;".to_string())]
    );
    place.holds_nowhere(KEY);
    let plan = place.feed(["debate", TOPIC, "--rehearse", "--context=-", "--plan", "--json"], b"four").json();
    assert_eq!((&plan["context"]["chars"], &plan["context"]["tokens"]), (&4.into(), &2.into()), "{plan}");
    place
        .feed(["debate", "-", "--context", "-"], b"x")
        .exits(64)
        .tells("cannot be both the question and --context");
    place.run(["debate", TOPIC, "--context=-", "--context=-"]).exits(64).tells("give `--context -` once");
    place.run(["debate", TOPIC, "--rehearse", "--context=-"]).exits(64).tells("standard input is empty");
    finish(place);
}

#[test]
fn folders_and_patterns_give_their_text_files() {
    let place = Place::new();
    for (name, text) in [
        ("src/a.rs", "fn a() {}"),
        ("src/deep/b.rs", "fn b() {}"),
        ("src/deep/c.md", "# c"),
        ("src/deep/made.rs", "ignored"),
        ("src/.hidden", "hidden"),
        ("src/.env", "TOKEN=1"),
        ("src/node_modules/x.js", "built"),
        ("src/empty.rs", ""),
        ("src/.gitignore", "made.*\n"),
    ] {
        place.write(name, text);
    }
    place.write("src/bin.rs", [0_u8, 159, 146]);
    let names = |named: &[&str]| {
        asked(&place, named);
        material(&place).into_iter().map(|(name, _)| name).collect::<Vec<_>>()
    };
    assert_eq!(names(&["src"]), ["src/a.rs", "src/deep/b.rs", "src/deep/c.md"]);
    assert_eq!(names(&["src/**/*.rs"]), ["src/a.rs", "src/deep/b.rs"]);
    assert_eq!(names(&["src/*.rs", "src/a.rs"]), ["src/a.rs"], "named twice, given once");
    asked(&place, &["src"]).tells("1 file left out as secret").tells("2 files left out (not text, or empty)");
    asked(&place, &["*.py"]).exits(66).tells("no file fits it");
    asked(&place, &["nowhere"]).exits(66).tells("the context file nowhere cannot be read");
    finish(place);
}

#[test]
fn secret_files_are_refused_by_name_and_by_what_they_hold() {
    let place = Place::new();
    for name in [".env", "deploy.pem", "id_rsa", ".netrc", "credentials.json"] {
        place.write(name, "secret");
        asked(&place, &[name]).exits(64).tells(&format!("the context file {name} looks like a secret"));
    }
    place.write("notes.txt", "-----BEGIN OPENSSH PRIVATE KEY-----\nabc\n-----END OPENSSH PRIVATE KEY-----\n");
    asked(&place, &["notes.txt"]).exits(64).tells("looks like a secret");
    std::os::unix::fs::symlink(".env", place.dir().join("plain.txt")).expect("a link");
    asked(&place, &["plain.txt"]).exits(64).tells("looks like a secret");
    assert!(!place.house().exists());
}

#[test]
fn two_hundred_thousand_characters_fit_and_no_more() {
    let place = Place::new();
    place.write("big.txt", "a line of some length\n".repeat(9_000));
    asked(&place, &["big.txt"])
        .tells("context: 1 text, 197999 characters, about 66000 tokens in every prompt");
    let pieces = material(&place);
    assert!(pieces.len() > 10 && pieces[0].0 == "big.txt (part 1 of 13)", "{:?}", pieces[0].0);
    assert_eq!(pieces.iter().map(|(_, text)| text.matches("length").count()).sum::<usize>(), 9_000);
    place.write("more.txt", "more\n".repeat(1_000));
    let run = asked(&place, &["big.txt", "more.txt"]).exits(64);
    run.tells("characters in 2 texts, at most 200000 are allowed").tells("The largest: big.txt (197999)");
    for nth in 0..50 {
        place.write(&format!("many/{nth}.txt"), format!("text {nth}"));
    }
    asked(&place, &["many"]);
    let pieces = material(&place);
    assert_eq!(pieces.len(), 1);
    assert!(pieces[0].1.contains("===== many/49.txt =====\ntext 49"), "{:?}", pieces[0]);
    finish(place);
}
