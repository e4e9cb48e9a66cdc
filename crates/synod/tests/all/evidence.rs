//! `synod evidence check` as a person uses it: what it says, how it ends, and that it tells nothing about files it may not read.

use std::os::unix::fs::symlink;

use crate::world::Place;

const PLAN: &str =
    "# Plan\n\nThe reactor fails before the docking sequence.\nScene four then has to be\nwritten again.\n";

fn place() -> Place {
    let place = Place::new();
    std::fs::create_dir(place.dir().join("notes")).expect("a folder");
    place.write("notes/plan.md", PLAN);
    place
}

#[test]
fn a_true_quote_is_verified_without_a_house() {
    let place = place();
    let run = place.run([
        "evidence",
        "check",
        "notes/plan.md:3",
        "--quote",
        "The reactor fails before the docking",
    ]);
    run.exits(0).prints("notes/plan.md:3: precise: the words stand in notes/plan.md:3").prints("sha256 ");
    let over =
        place.run(["evidence", "check", "notes/plan.md", "--quote", "four then has\n  to be written again"]);
    over.exits(0).prints("the words stand in notes/plan.md:4-5");
    let slip = place.run([
        "evidence",
        "check",
        "notes/plan.md",
        "--quote",
        "The reactor failed before docking sequence",
    ]);
    slip.exits(0).prints("verified").prints(" edits in 42 characters");
    place.run(["evidence", "check", "notes/plan.md:3-5"]).exits(0).prints("notes/plan.md:3-5: verified");
    place.run(["evidence", "check", "notes/plan.md"]).exits(0).prints("earns nothing");
    assert!(!place.house().exists(), "nothing is founded");
}

#[test]
fn a_false_quote_is_shown_with_what_stands_there() {
    let place = place();
    let run = place.run([
        "evidence",
        "check",
        "notes/plan.md",
        "--quote",
        "The reaktor failed after that docking manoeuvre",
    ]);
    run.exits(1)
        .prints("not verified")
        .prints("nearest: notes/plan.md:3")
        .prints("reactor fails")
        .prints("are allowed");
    let wrong = place.run([
        "evidence",
        "check",
        "notes/plan.md:4-5",
        "--quote",
        "The reactor fails before the docking",
    ]);
    wrong.exits(1).prints("the words stand in notes/plan.md:3: cite those lines");
    let nothing = place.run(["evidence", "check", "notes/plan.md", "--quote", "zzzzzzzzzzzzzzzzzzzz"]);
    nothing.exits(1).prints("nothing in the text resembles the quote");
    place.run(["evidence", "check", "notes/plan.md:9"]).exits(1).prints("the file has 5 lines");
}

#[test]
fn scripts_get_the_finding_as_json() {
    let place = place();
    let found = place.json(["evidence", "check", "notes/plan.md:3 \"The reactor failz before the docking\""]);
    assert_eq!((&found["verified"], &found["grade"]), (&true.into(), &"precise".into()), "{found}");
    assert_eq!((&found["similarity"], &found["earns"]), (&"35/36".into(), &true.into()), "{found}");
    let finding = &found["finding"];
    assert_eq!((&finding["line_count"], &finding["quote"]["first_line"]), (&5.into(), &3.into()), "{found}");
    assert_eq!(finding["digest"].as_str().map(str::len), Some(64));
    let run =
        place.run(["evidence", "check", "notes/plan.md:3", "--quote", "something else", "--json"]).exits(1);
    let found = run.json();
    assert_eq!(
        (&found["verified"], &found["code"]),
        (&false.into(), &"evidence/quote-not-found".into()),
        "{found}"
    );
}

#[test]
fn what_cannot_be_cited_is_refused_without_a_word_about_it() {
    let place = place();
    let outside = tempfile::tempdir().expect("a folder");
    std::fs::write(outside.path().join("secret.txt"), "the words of a secret file").expect("a file");
    symlink(outside.path().join("secret.txt"), place.dir().join("link.txt")).expect("a link");
    place.write(".env", "the words of a secret file");
    let check = |path: &str| {
        let run = place.run(["evidence", "check", path, "--quote", "the words of a secret file"]).exits(66);
        run.out.strip_prefix(path).expect("the path").to_string()
    };
    let missing = check("missing.txt");
    assert!(missing.contains("there is no such file that may be cited"), "{missing}");
    for path in ["link.txt", ".env", "notes/missing.md", "link.txt/x"] {
        assert_eq!(check(path), missing, "{path}");
    }
    place.run(["evidence", "check", "notes"]).exits(66).prints("not a regular file");
    for (path, told) in [
        ("../secret.txt", "leads upwards"),
        ("/etc/passwd", "absolute"),
        ("%2e%2e/secret.txt", "percent-coded"),
        ("notes/plan.md:0", "counted from 1"),
        ("notes/plan.md:5-2", "counted from 1"),
        ("", "nothing"),
    ] {
        let run = place.run(["evidence", "check", path]).exits(64);
        assert!(run.err.contains(told) || path.is_empty(), "{path}: {run}");
    }
    place.run(["evidence", "check", "notes/plan.md", "--quote", " "]).exits(64).prints("the quote is empty");
    let twice = place.run(["evidence", "check", "notes/plan.md \"a quote\"", "--quote", "another"]);
    twice.exits(64).tells("given twice");
    place
        .run(["evidence", "check", "a.md", "--root", "nowhere"])
        .exits(66)
        .tells("--root nowhere cannot be used");
}

#[test]
fn another_folder_can_be_the_root() {
    let place = place();
    place.run(["evidence", "check", "plan.md:1", "--root", "notes"]).exits(0).prints("plan.md:1: verified");
    place.run(["evidence", "check", "notes/plan.md:1", "--root", "notes"]).exits(66);
}

#[test]
fn text_of_a_file_cannot_steer_the_terminal() {
    let place = place();
    place.write("evil.txt", "before \u{1b}[2J\u{202e}red text that clears the screen\n");
    let run = place.run(["evidence", "check", "evil.txt", "--quote", "before red text that cleans a screem"]);
    assert!(!run.out.contains(['\u{1b}', '\u{202e}']), "{run}");
}
