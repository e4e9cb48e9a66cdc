//! What is said about rings on the command line: which one a command is about, how a round went, how a vote ended.

use serde_json::{Value, json};

use crate::houses::finish;
use crate::service::Served;
use crate::world::Place;

/// Runs one command per line, each of which must work; `NAME: WORDS` is `synod ring WORDS --as NAME`.
#[track_caller]
fn play(place: &Place, script: &[(&str, &[&str])]) {
    for (who, words) in script {
        place.run(["ring"].into_iter().chain(words.iter().copied()).chain(["--as", who])).exits(0);
    }
}

fn open(place: &Place, question: &str, charter: &str, names: &[&str], rounds: &str) {
    let head = ["ring", "open", question, "--charter", charter, "--rounds", rounds];
    place.run(head.into_iter().chain(names.iter().flat_map(|name| ["--invite", name]))).exits(0);
}

#[test]
fn with_two_open_rings_a_command_says_which_or_answers_the_turn_last_acknowledged() {
    let place = Place::new();
    for question in ["Cache the index?", "Move the queue?"] {
        open(&place, question, "quick", &["ann", "bob"], "1");
    }
    let unclear = |words: &[&str]| {
        let run = place.run(words.iter().copied()).exits(64);
        assert!(run.err.contains("--matter 1    Cache the index? ("), "{run}");
        assert!(
            run.err.contains("--matter 2    Move the queue? (") && run.err.contains("ring/which-ring"),
            "{run}"
        );
    };
    unclear(&["ring", "join", "--as", "ann"]);
    unclear(&["ring", "start"]);
    unclear(&["ring", "remove", "bob"]);
    for matter in ["1", "2"] {
        for name in ["ann", "bob"] {
            let run = place.run(["ring", "join", "--as", name, "--matter", matter]).exits(0);
            assert!(run.out.starts_with(&format!("{name} joined · matter {matter} (m")), "{run}");
        }
    }
    let put = ["ring", "propose", "--as", "ann", "--title", "Yes", "Do it."];
    unclear(&put);
    place.run(["ring", "turn", "--as", "ann", "--matter", "2"]).exits(0);
    place.run(["ring", "turn", "--as", "ann", "--matter", "1"]).exits(0);
    // It answers the turn last acknowledged; a vote answers none of them.
    unclear(&["ring", "vote", "--as", "ann", "approve"]);
    unclear(&["ring", "leave", "--as", "ann"]);
    place.run(put).exits(0).prints("· matter 1 (m").prints("Cache the index?");
    place.run(put).exits(0).prints("· matter 2 (m").prints("Move the queue?");
    unclear(&put);
    // Whoever says `last` means the newest.
    place.run(["ring", "skip", "--as", "bob", "--matter", "last"]).exits(0).prints("· matter 2 (m");

    // The same through a service.
    let served = Served::start(&place, &[]);
    unclear(&["ring", "vote", "--as", "ann", "approve"]);
    unclear(&["ring", "start"]);
    place.run(["ring", "turn", "--as", "bob", "--matter", "1"]).exits(0);
    let done = place.json(["ring", "skip", "--as", "bob"]);
    assert_eq!((&done["number"], &done["question"]), (&json!(1), &json!("Cache the index?")), "{done}");
    served.end();
    finish(place);
}

#[test]
fn proposals_skips_and_answers_to_changes_are_in_rounds_and_thoughts() {
    let place = Place::new();
    open(&place, "Cache the index?", "quick", &["ann", "bob"], "1");
    assert_eq!(place.json(["show"])["headline"], "NOT DECIDED YET: GATHERING");
    play(
        &place,
        &[
            ("ann", &["join"]),
            ("bob", &["join"]),
            ("ann", &["propose", "--title", "Redis", "Put Redis in front."]),
            ("bob", &["skip", "--why", "none of mine"]),
            ("ann", &["say", "It is cheap."]),
            ("bob", &["amend", "A", "Put Redis in front, for a minute.", "--why", "stale data"]),
            ("ann", &["rule", "A", "--decline", "--why", "an hour is fine"]),
        ],
    );
    let proposals =
        place.run(["round", "0"]).exits(0).prints("round 0 (proposals)").prints("proposal: Redis");
    proposals.prints("── bob: skipped: none of mine");
    let answer = "declines bob's change to proposal A\n   because: an hour is fine";
    place
        .run(["round", "1"])
        .exits(0)
        .prints("bob: change to proposal A")
        .prints(&format!("── ann: {answer}"));
    place.run(["thoughts", "ann"]).exits(0).prints(answer);
    let told = place.json(["round", "1"]);
    assert_eq!(told["rulings"][0]["accepted"], false, "{told}");
    play(&place, &[("ann", &["vote", "approve"]), ("bob", &["vote", "approve"])]);
    let status = place.run(["ring", "status"]).exits(0);
    assert!(!status.out.contains("so far"), "it is over: {status}");
    finish(place);
}

/// Three who joined, two who vote, both in favour.
fn two_of_three(charter: &str) -> Value {
    let place = Place::new();
    place.write("own.toml", charter);
    open(&place, "Cache?", "own.toml", &["ann", "bob", "cy"], "1");
    let joins: Vec<(&str, &[&str])> = ["ann", "bob", "cy"].map(|who| (who, ["join"].as_slice())).into();
    play(&place, &joins);
    play(
        &place,
        &[
            ("ann", &["propose", "--title", "Redis", "Put Redis in front."]),
            ("bob", &["skip"]),
            ("cy", &["skip"]),
            ("ann", &["say", "It is cheap."]),
            ("bob", &["say", "It is."]),
            ("cy", &["say", "I am off."]),
            ("ann", &["vote", "approve"]),
            ("bob", &["vote", "approve-with-concerns"]),
        ],
    );
    place.run(["ring", "status", "--as", "cy"]).exits(0);
    std::thread::sleep(std::time::Duration::from_millis(1_600));
    let shown = place.json(["ring", "status"]);
    finish(place);
    shown
}

#[test]
fn a_ring_takes_exact_fractions_decimals_and_percentages() {
    let charter = |quorum: &str, pass: &str| {
        format!(
            "name = \"own\"\ntitle = \"Own\"\nsummary = \"Own.\"\nextends = \"ring-default\"\n\
             [ring]\nvote_ms = 1500\n[ballot]\nquorum = \"{quorum}\"\npass = \">= {pass}\"\n"
        )
    };
    // Two thirds of three are two; 67 % of three are three.
    for (quorum, pass, phase) in [
        ("2/3", "2/3", "COMMITTED"),
        ("0.66", "0.6", "COMMITTED"),
        ("66.6%", "60%", "COMMITTED"),
        ("67%", "2/3", "DEFERRED"),
    ] {
        let shown = two_of_three(&charter(quorum, pass));
        assert_eq!(shown["ring"]["phase"], phase, "quorum {quorum}, pass {pass}: {shown}");
    }
}

#[test]
fn a_veto_is_told_as_one() {
    let place = Place::new();
    let charter = "name = \"own\"\ntitle = \"Own\"\nsummary = \"Own.\"\nextends = \"ring-quick\"\n[ballot]\nveto = [\"bob\"]\n";
    place.write("own.toml", charter);
    open(&place, "Cache?", "own.toml", &["ann", "bob"], "1");
    play(
        &place,
        &[
            ("ann", &["join"]),
            ("bob", &["join"]),
            ("ann", &["propose", "--title", "Redis", "Put Redis in front."]),
            ("bob", &["skip"]),
            ("ann", &["say", "It is cheap."]),
            ("bob", &["say", "It is not."]),
            ("ann", &["vote", "approve"]),
            ("bob", &["vote", "reject", "--rationale", "It is not cheap."]),
        ],
    );
    let shown = place.run(["show"]).exits(0);
    shown
        .prints("ABORTED: a veto blocks the leading proposal; ")
        .prints("; vetoed by bob\n")
        .prints(": blocked; vetoed by bob");
    let page = place.run(["export", "--format", "md"]).exits(0);
    page.prints("blocked; vetoed by bob");
    finish(place);
}

#[test]
fn a_wrong_word_for_a_ring_says_what_to_type() {
    let place = Place::new();
    let run = place.run(["debate", "Cache?", "--charter", "quick"]).exits(64);
    run.tells("Did you mean `ring-quick`?").tells("`synod ring open \"…\" --charter quick --invite NAME`");
    place.run(["motion", "Cache?"]).exits(64).tells("`synod motion --help`");
}
