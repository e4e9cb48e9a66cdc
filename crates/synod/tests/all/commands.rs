//! The shape of the command line: names that moved, names that are mistyped, and how a matter is named.

use crate::houses::finish;
use crate::world::{Place, each};

/// What a command line that cannot be run says.
#[track_caller]
fn hint(args: &[&str]) -> String {
    let place = Place::new();
    let run = place.run(args).exits(64);
    assert!(run.out.is_empty(), "nothing was done: {run}");
    assert!(!place.house().exists(), "nothing was done: {run}");
    run.err.trim_end().strip_prefix("synod: ").unwrap_or_else(|| panic!("{run}")).to_string()
}

#[test]
fn a_command_that_moved_names_its_new_place() {
    for verb in [
        "list",
        "show",
        "export",
        "continue",
        "pause",
        "resume",
        "stop",
        "fork",
        "compare",
        "thoughts",
        "round",
        "citations",
        "synthesize",
        "judge",
        "answer",
        "waive",
        "refusals",
        "delete",
    ] {
        assert_eq!(hint(&["matter", verb, "3"]), format!("`synod matter {verb}` is now `synod {verb}`"));
    }
    for verb in [
        "start", "remove", "join", "leave", "turn", "say", "propose", "amend", "react", "rule", "release",
        "skip", "vote", "status",
    ] {
        assert_eq!(hint(&[verb, "--as", "ann"]), format!("`synod {verb}` is now `synod ring {verb}`"));
    }
    assert_eq!(hint(&["convene", "Shall we?"]), "`synod convene` is now `synod ring open`");
    assert_eq!(
        hint(&["--house", "elsewhere", "matter", "--quiet", "show"]),
        "`synod matter show` is now `synod show`"
    );
    assert!(hint(&["matter"]).contains("`synod list`"));
    assert!(hint(&["matter", "dance"]).contains("`synod list`"));
}

#[test]
fn a_mistyped_command_gets_a_suggestion() {
    assert_eq!(hint(&["lsit"]), "unknown command `synod lsit`; did you mean `synod list`?");
    assert_eq!(
        hint(&["debate", "Should", "we", "cache", "--rehearse"]),
        "put the question in quotes: synod debate \"Should we cache\""
    );
    assert_eq!(
        hint(&["ring", "open", "Which", "queue?", "--invite", "ann"]),
        "put the question in quotes: synod ring open \"Which queue?\""
    );
    assert_eq!(hint(&["exprt", "3"]), "unknown command `synod exprt`; did you mean `synod export`?");
    assert_eq!(hint(&["porpose"]), "unknown command `synod porpose`; did you mean `synod ring propose`?");
    assert_eq!(
        hint(&["ring", "sya", "x"]),
        "unknown command `synod ring sya`; did you mean `synod ring say`?"
    );
    assert_eq!(
        hint(&["token", "crate", "ann"]),
        "unknown command `synod token crate`; did you mean `synod token create`?"
    );
    assert_eq!(
        hint(&["xyzzyxyzzy"]),
        "unknown command `synod xyzzyxyzzy`; `synod --help` lists the commands"
    );
    assert_eq!(
        hint(&["serve", "--port", "1"]),
        "the port is part of the address: synod serve --listen 127.0.0.1:7717"
    );
    assert!(!hint(&["debate", "Tea?", "--rehearse", "--charter", "nope"]).contains("did you mean"));
    let place = Place::new();
    for group in ["ballot", "charter", "token", "trigger"] {
        place.run([group, "help", "--help"]).exits(0).prints(&format!("synod {group}"));
    }
    place.run(["ring", "vote", "--help"]).exits(0).prints("  <PROPOSAL VOTE>...").hides("[VOTE]...");
    let error = place.json(["lsit"]);
    assert_eq!((&error["error"]["code"], &error["error"]["exit"]), (&"usage".into(), &64.into()), "{error}");
}

#[test]
fn a_matter_is_named_by_number_id_or_last() {
    let place = Place::new();
    place.run(["show"]).exits(66).tells("there is no house");
    for topic in ["One?", "Two?", "Three?"] {
        place.run(["debate", topic, "--quiet", "--rehearse"]);
    }
    let list = place.json(["list"]);
    let ids = each(&list, "matter");
    let numbers: Vec<u64> =
        list.as_array().expect("rows").iter().filter_map(|row| row["number"].as_u64()).collect();
    assert_eq!(numbers, [1, 2, 3]);
    assert!(ids.iter().all(|id| id.starts_with('m')), "{ids:?}");

    let by_number = place.json(["show", "2"]);
    assert_eq!(by_number["question"]["topic"], "Two?", "{by_number}");
    assert_eq!((&by_number["number"], &by_number["matter"]), (&2.into(), &ids[1].into()));
    assert_eq!(place.json(["show", ids[1]]), by_number, "the id names the same matter");
    for last in [&["show"][..], &["show", "last"], &["show", "3"], &["show", ids[2]]] {
        assert_eq!(place.json(last)["question"]["topic"], "Three?", "{last:?}");
    }
    for command in ["export", "receipt", "citations", "refusals"] {
        let run = |args: &[&str]| place.run(args).exits(0).out;
        assert_eq!(run(&[command]), run(&[command, "last"]), "{command}");
        assert_eq!(run(&[command, "1"]), run(&[command, ids[0]]), "{command}");
    }
    let beside = place.json(["compare", "1"]);
    assert_eq!((&beside["one"]["number"], &beside["other"]["number"]), (&1.into(), &3.into()));

    place.run(["show", "4"]).exits(66).tells("there is no matter 4 in this house; `synod list`");
    place.run(["show", "m4"]).exits(66).tells("there is no matter m4 in this house");
    let plain = ids[1].trim_start_matches('m');
    let meant = place.run(["show", plain]).exits(66);
    meant.tells(&format!("Did you mean the id `{}`?", ids[1]));
    place.run(["show", "soon"]).exits(64).tells("write its number (3), its id (m57) or `last`");
    place.run(["pause", "last"]).exits(66).tells("no matter is open in this house");
    finish(place);
}

#[test]
fn deletion_without_a_question_names_its_matter() {
    let place = Place::new();
    place.run(["debate", "One?", "--quiet", "--rehearse"]);
    place.run(["delete", "--yes"]).exits(64).tells("MATTER");
    place.run(["delete"]).exits(64).tells("matter 1").tells("pass --yes to confirm");
    place.run(["delete", "last", "--yes"]).exits(0).prints("matter 1 is deleted");
    finish(place);
}
