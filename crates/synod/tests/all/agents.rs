//! Rings at the command line: agents that come by themselves, in processes of their own, on one house.

mod guide;
mod hook;
mod plugin;
mod remote;
mod rings;

use crate::houses::finish;
use crate::service::Served;
use crate::world::{Place, each};

/// A ring of these participants, all joined; its matter.
#[track_caller]
pub(crate) fn ring(place: &Place, names: &[&str], more: &[&str]) -> String {
    let mut args = vec!["ring", "open", "Cache the index?", "--charter", "quick"];
    names.iter().for_each(|name| args.extend(["--invite", name]));
    args.extend_from_slice(more);
    let opened = place.json(args);
    for name in names {
        place.run(["ring", "join", "--as", name]).exits(0);
    }
    opened["matter"].as_str().expect("a matter").to_string()
}

fn mode(path: &std::path::Path) -> u32 {
    use std::os::unix::fs::PermissionsExt as _;
    path.metadata().expect("a directory").permissions().mode() & 0o777
}

/// The code of the refusal on record last.
#[track_caller]
fn refused(place: &Place) -> String {
    let acts = place.acts();
    let last = acts.last().expect("an act");
    last["outcome"]["refused"]["code"].as_str().unwrap_or_else(|| panic!("{last}")).to_string()
}

#[test]
fn a_ring_from_gathering_to_committed() {
    let place = Place::new();
    place.write("load.md", "The index is read 400 times a second.");
    let matter = ring(&place, &["ann", "bob", "cy"], &["--rounds", "1", "--context", "load.md"]);
    place
        .run(["ring", "turn", "--as", "ann"])
        .exits(0)
        .prints("400 times a second")
        .prints("Make a proposal")
        .prints("synod ring propose --title");
    place
        .run(["ring", "propose", "--as", "ann", "--title", "Redis", "Put a Redis before the index."])
        .exits(0)
        .prints("proposed, id ");
    place
        .run(["ring", "say", "--as", "bob", "hello"])
        .exits(64)
        .tells("you are asked to propose")
        .tells("(ask/not-open)");
    assert_eq!(refused(&place), "ask/not-open");
    place.run(["ring", "skip", "--as", "bob", "--why", "none yet"]).exits(0);
    place.run(["ring", "skip", "--as", "cy"]).exits(0);

    place.run(["ring", "say", "--as", "bob", "me first"]).exits(64).tells("ann has the floor until");
    assert_eq!(refused(&place), "floor/not-holder");
    place.run(["ring", "vote", "--as", "bob", "approve"]).exits(64).tells("(ring/wrong-phase)");
    assert_eq!(refused(&place), "ring/wrong-phase");
    place.run(["ring", "status", "--matter", &matter]).exits(0).prints("1 in favour so far");
    place.feed(["ring", "say", "--as", "ann", "-", "--keep"], b"It halves the load.\n").exits(0);
    place.run(["ring", "say", "--as", "ann", "Who pays?", "--kind", "question", "--to", "A"]).exits(0);
    let turn = place.json(["ring", "turn", "--as", "bob"]);
    assert_eq!(turn["turn"]["task"], "speak", "{turn}");
    assert_eq!(turn["turn"]["acknowledged"], false, "it is acknowledged once it is printed: {turn}");
    assert_eq!(place.json(["ring", "turn", "--as", "bob"])["turn"]["acknowledged"], true);
    let longer = "Put a Redis before the index, with a TTL of 60 s.";
    place.run(["ring", "amend", "--as", "bob", "a", longer, "--why", "stale answers"]).exits(0);
    place.run(["ring", "react", "--as", "cy", "A", "agre"]).exits(64).tells("Did you mean `agree`?");
    place.run(["ring", "react", "--as", "cy", "A", "partially-agree", "--why", "with the TTL"]).exits(0);

    place.run(["ring", "turn", "--as", "ann"]).exits(0).prints("Accept or decline each change");
    place.run(["ring", "rule", "--as", "cy", "A", "--accept"]).exits(64).tells("ann");
    place.run(["ring", "rule", "--as", "ann", "A"]).exits(64);
    place.run(["ring", "rule", "--as", "ann", "A", "--accept", "--why", "right"]).exits(0);

    place.run(["ring", "vote", "--as", "ann", "aprove"]).exits(64).tells("Did you mean `approve`?");
    place
        .run(["ring", "vote", "--as", "ann", "B", "approve"])
        .exits(64)
        .tells("`B` is not a proposal of this ring: there are A (id ");
    place.run(["ring", "vote", "--as", "ann", "approve", "--rationale", "It halves the load."]).exits(0);
    let again = place.json(["ring", "vote", "--as", "ann", "reject"]);
    assert_eq!(again["error"]["code"], "ballot/already-cast", "{again}");
    place.run(["ring", "vote", "--as", "bob", "A", "approve-with-concerns", "--condition", "a TTL"]).exits(0);
    let open = place.json(["ring", "status"]);
    assert_eq!(open["ring"]["vote"]["missing"], serde_json::json!(["cy"]), "{open}");
    place.run(["ring", "vote", "--as", "cy", "request_changes", "--change", "Name the owner."]).exits(0);

    place.run(["ring", "turn", "--as", "ann", "--wait", "30s"]).exits(2).tells("is over: COMMITTED");
    let told = place.json(["ring", "turn", "--as", "ann"]);
    assert_eq!((&told["why"], &told["matter"]), (&"over".into(), &matter.as_str().into()), "{told}");
    for words in
        [&["vote", "--as", "bob", "approve"][..], &["say", "--as", "bob", "--matter", "last", "More."]]
    {
        let late = place.run([&["ring"], words].concat()).exits(66);
        late.tells("bob has no open ring: matter 1 is over; `synod show 1` shows how it ended");
    }
    place.run(["ring", "status"]).exits(0).prints("COMMITTED: proposal A, Redis").prints(longer);
    place.run(["ring", "status", &matter, "--json"]).exits(0).prints("\"committed\"");
    place.run(["list"]).exits(0).prints("passed").prints("ring-quick");
    assert!(place.house().join(format!("receipts/{matter}.json")).is_file(), "whoever ends a ring signs it");
    finish(place);
}

#[test]
fn who_waits_holds_nothing_and_wakes_when_the_floor_comes() {
    let place = Place::new();
    ring(&place, &["ann", "bob"], &["--rounds", "1"]);
    place.run(["ring", "skip", "--as", "bob"]).exits(0);
    let mut killed = place.start(["ring", "turn", "--as", "bob", "--wait", "60s"]);
    let waiting = place.start(["ring", "turn", "--as", "bob", "--wait", "60s", "--json"]);
    let beside = place.start(["ring", "turn", "--as", "bob", "--wait", "60s", "--no-ack"]);
    place.run(["ring", "propose", "--as", "ann", "--title", "Yes", "We should."]).exits(0);
    killed.kill();
    place.run(["ring", "say", "--as", "ann", "It is time."]).exits(0);
    let turn = waiting.wait().exits(0).json();
    assert_eq!((&turn["turn"]["task"], &turn["turn"]["who"]), (&"speak".into(), &"bob".into()));
    beside.wait().exits(0).prints("You have the floor");
    place.run(["ring", "skip", "--as", "bob"]).exits(0);
    place.run(["ring", "vote", "--as", "ann", "approve"]).exits(0);
    place.run(["ring", "vote", "--as", "bob", "approve"]).exits(0);
    let begun = place
        .acts()
        .iter()
        .filter(|act| act["command"]["ring"]["participate"]["action"]["acknowledge"].is_object())
        .count();
    assert_eq!(begun, 1, "one of two that printed it acknowledged it");
    finish(place);
}

#[test]
fn what_is_overdue_lapses_while_somebody_waits() {
    let place = Place::new();
    ring(&place, &["ann", "bob"], &["--rounds", "1", "--set", "ring.token_ms=2000"]);
    place.run(["ring", "skip", "--as", "bob"]).exits(0);
    // Nobody writes now: ann lets two turns pass, and bob's own waiting is what passes them on.
    let turn = place.json(["ring", "turn", "--as", "bob", "--wait", "60s"]);
    assert_eq!(turn["turn"]["task"], "speak", "{turn}");
    let report = place.report();
    let missing = each(&report["missing"], "who");
    assert_eq!(missing, ["ann", "ann"], "{}", report["missing"]);
    place.run(["stop"]).exits(0);
    finish(place);
}

/// Nobody was there when the time of its vote was up. Whoever opens the house next ends it, and signs it.
#[test]
fn a_ring_that_was_overdue_when_a_service_started_gets_its_receipt() {
    let place = Place::new();
    let matter = ring(&place, &["ann", "bob"], &["--rounds", "1", "--set", "ring.vote_ms=2500"]);
    place
        .run(["ring", "propose", "--as", "ann", "--title", "Redis", "Put a Redis before the index."])
        .exits(0);
    place.run(["ring", "skip", "--as", "bob"]).exits(0);
    place.run(["ring", "say", "--as", "ann", "It halves the load."]).exits(0);
    place.run(["ring", "say", "--as", "bob", "Fine."]).exits(0);
    place.run(["ring", "vote", "--as", "ann", "approve"]).exits(0);
    std::thread::sleep(std::time::Duration::from_secs(3));
    let service = Served::start(&place, &[]);
    service.process.until_told("is over; receipt");
    service.end();
    assert!(place.house().join(format!("receipts/{matter}.json")).is_file());
    finish(place);
}

#[test]
fn a_ring_that_is_waited_for_ends_with_its_code() {
    let place = Place::new();
    ring(&place, &["ann", "bob"], &[]);
    let convened =
        ["ring", "open", "Shall we?", "--invite", "dora=m", "--invite", "eve=m", "--rounds", "1", "--wait"];
    let following = place.start(convened);
    place.run(["ring", "turn", "--as", "dora", "--wait", "60s"]).exits(0).prints("You are invited");
    place.run(["ring", "join", "--as", "dora"]).exits(0);
    place.run(["ring", "join", "--as", "eve"]).exits(0);
    place.run(["ring", "propose", "--as", "dora", "--title", "Yes", "We should."]).exits(0);
    place.run(["ring", "skip", "--as", "eve"]).exits(0);
    place.run(["ring", "say", "--as", "dora", "It is time."]).exits(0);
    place.run(["ring", "say", "--as", "eve", "It is not."]).exits(0);
    place.run(["ring", "vote", "--as", "dora", "reject"]).exits(0);
    place.run(["ring", "vote", "--as", "eve", "reject"]).exits(0);
    let run = following.wait().exits(1).prints("ABORTED").prints("2 reject");
    run.tells("joined").tells("has the floor").tells("result: rejected");
    let shown = place.json(["ring", "status"]);
    assert_eq!(shown["ring"]["phase"], "PROPOSING", "the other ring is still open: {shown}");
    finish(place);
}

#[test]
fn what_is_wrong_is_said() {
    let place = Place::new();
    place.run(["ring", "turn", "--as", "ann"]).exits(66).tells("there is no house");
    assert!(!place.house().exists(), "who wants to take part founds nothing");
    place.run(["ring", "open", "Shall we?", "--invite", "ann"]).exits(64).tells("a ring needs at least 2");
    assert!(!place.house().exists(), "and neither does a ring that cannot be");
    place.run(["ring", "open", "Shall we?", "--invite", "ann", "--invite", "ANN"]).exits(64);
    place
        .run(["ring", "open", "Shall we?", "--invite", "ann=", "--invite", "bob"])
        .exits(64)
        .tells("NAME=MODEL");
    let debate =
        ["ring", "open", "Shall we?", "--invite", "ann", "--invite", "bob", "--charter", "blind-vote"];
    place.run(debate).exits(64).tells("synod debate").tells("ring-quick");
    let called = ["debate", "Shall we?", "--charter", "ring-default"];
    place.run(called).exits(64).tells("synod ring open");
    let copied = place.run(["charter", "new", "own", "--from", "ring-quick"]).exits(0);
    copied.prints("synod ring open \"…\" --invite A --invite B --charter own");
    assert_eq!(mode(&place.house()), 0o700, "a new house is its owner's alone");
    let matter = ring(&place, &["ann", "bob"], &[]);
    let checked = place.run(["doctor"]).prints("open: 1");
    checked.hides("synod resume");
    place.run(["ring", "turn"]).exits(64).tells("SYNOD_AS");
    place.run(["ring", "turn", "--as", "zoe"]).exits(2).tells("is not invited to any open ring");
    place.run(["ring", "turn", "--as", "zoe", "--matter", &matter]).exits(64);
    place.run(["ring", "join", "--as", "zoe"]).exits(66).tells("is not invited to any open ring");
    place.run(["ring", "join", "--as", "ann"]).exits(64).tells("already");
    place.run(["ring", "start", &matter]).exits(64).tells("PROPOSING");
    place.run(["ring", "say", "--as", "ann", "x", "--turn", "9999"]).exits(64);
    assert_eq!(refused(&place), "ask/not-open", "a refusal is on record");
    place.run(["ring", "vote", "--as", "ann", "A", "approve"]).exits(64).tells("votes are cast in VOTING");
    assert_eq!(refused(&place), "ring/wrong-phase", "also with nothing on the table");

    place.run(["ring", "start", "--matter", &matter]).exits(64).tells("PROPOSING");
    place.run(["ring", "start"]).exits(64).tells("PROPOSING");
    place.run(["ring", "start", "last"]).exits(64).tells("PROPOSING");
    place.run(["ring", "start", "1"]).exits(64).tells("PROPOSING");
    place.run(["ring", "start", "2"]).exits(66).tells("there is no matter 2");
    place.run(["ring", "remove"]).exits(64).tells("<NAME>");
    place.run(["ring", "remove", "twelve", "bob"]).exits(64).tells("`twelve` is not a matter");
    place.run(["ring", "remove", "bob"]).exits(0);
    let told = place.json(["ring", "turn", "--as", "bob", "--matter", &matter]);
    assert_eq!(told["why"], "over", "with too few left it is over: {told}");
    finish(place);
}

#[test]
fn a_ring_runs_on_between_commands_and_rests_when_told() {
    let place = Place::new();
    let matter = ring(&place, &["ann", "bob", "cy"], &[]);
    place.run(["list"]).exits(0).prints("running");
    place.run(["debate", "Meanwhile?", "--rehearse"]);
    assert_eq!(
        place.json(["ring", "status", &matter])["status"],
        "running",
        "a debate beside it interrupts nothing"
    );
    place.run(["ring", "leave", "--as", "cy"]).exits(0);
    let told = place.json(["ring", "turn", "--as", "cy"]);
    assert_eq!(told["why"], "gone", "{told}");
    place.run(["pause", &matter]).exits(0);
    place.run(["ring", "propose", "--as", "ann", "--title", "Yes", "We should."]).exits(64);
    place.run(["ring", "turn", "--as", "ann"]).exits(2).tells("no turn for ann");
    place.run(["resume", &matter]).exits(0).prints("is running again");
    place.run(["ring", "propose", "--as", "ann", "--title", "Yes", "We should."]).exits(0);
    place.run(["stop", &matter]).exits(0);
    finish(place);
}

#[test]
fn a_sealed_vote_of_a_ring_is_proven() {
    let place = Place::new();
    place.run(["charter", "new", "own", "--from", "ring-quick"]).exits(0);
    let path = place.house().join("charters/own.toml");
    let open = std::fs::read_to_string(&path).expect("the charter");
    std::fs::write(&path, open.replace("[ballot]\n", "[ballot]\nsecrecy = \"secret\"\n")).expect("written");
    let convened = ["ring", "open", "Shall we?", "--charter", "own", "--rounds", "1"];
    place.run(convened.into_iter().chain(["--invite", "ann", "--invite", "bob"])).exits(0);
    for name in ["ann", "bob"] {
        place.run(["ring", "join", "--as", name]).exits(0);
    }
    let put = place.json(["ring", "propose", "--as", "ann", "--title", "Yes", "We should."]);
    let id = put["events"][0]["id"].as_str().expect("an id");
    place.run(["ring", "skip", "--as", "bob"]).exits(0);
    for name in ["ann", "bob"] {
        place.run(["ring", "skip", "--as", name]).exits(0);
    }
    let salt = "0123456789abcdef";
    place.run(["ring", "vote", "--as", "ann", "approve", "--salt", salt]).exits(0);
    place.run(["ring", "vote", "--as", "bob", "reject"]).exits(0).tells("sealed with the salt");

    let prove =
        |choice: &str| place.run(["ballot", "prove", "--seat", "ann", "--choice", choice, "--salt", salt]);
    prove("A APPROVE").exits(0).prints(&format!("\"choice\":\"{id} APPROVE\""));
    prove(&format!("{id} approve")).exits(0);
    prove("A REJECT").exits(1);
    prove("YES").exits(64).tells("\"A APPROVE\"");
    finish(place);
}

#[test]
fn a_sealed_vote_that_was_replaced_is_not_proven_as_counted() {
    let place = Place::new();
    place.run(["charter", "new", "own", "--from", "ring-quick"]).exits(0);
    let path = place.house().join("charters/own.toml");
    let open = std::fs::read_to_string(&path).expect("the charter");
    let changed = open.replace("[ballot]\n", "[ballot]\nsecrecy = \"secret\"\nchange = true\n");
    std::fs::write(&path, changed).expect("written");
    let convened = ["ring", "open", "Shall we?", "--charter", "own", "--rounds", "1"];
    place.run(convened.into_iter().chain(["--invite", "ann", "--invite", "bob"])).exits(0);
    for name in ["ann", "bob"] {
        place.run(["ring", "join", "--as", name]).exits(0);
    }
    place.run(["ring", "propose", "--as", "ann", "--title", "Yes", "We should."]).exits(0);
    place.run(["ring", "skip", "--as", "bob"]).exits(0);
    for name in ["ann", "bob"] {
        place.run(["ring", "skip", "--as", name]).exits(0);
    }
    let (first, second) = ("aaaaaaaaaaaaaaaa", "bbbbbbbbbbbbbbbb");
    place.run(["ring", "vote", "--as", "ann", "approve", "--salt", first]).exits(0);
    place.run(["ring", "vote", "--as", "ann", "reject", "--salt", second]).exits(0);
    place.run(["ring", "vote", "--as", "bob", "reject"]).exits(0);
    let prove = |choice: &str, salt: &str| {
        place.run(["ballot", "prove", "--seat", "ann", "--choice", choice, "--salt", salt])
    };
    prove("A APPROVE", first).exits(1).prints("a later one of the same seat took its place");
    prove("A REJECT", second).exits(0);
    finish(place);
}
