//! Ballots of every kind as a user meets them: ranked, sealed, proven, passed on, and recounted.

use serde_json::Value;

use crate::houses::finish;
use crate::world::Place;

/// Three seats that rank three options; what they say gives nothing away.
const SCRIPT: &str = r#"@speak
{"stance":"NEUTRAL","position":"All have their uses.","confidence":0.5}
---
@vote
@seat ann
{"vote":["B","A"],"reason":"ann-likes-graphql","change_if":"ann-would-change","confidence":0.9}
---
@vote
@seat bob
{"vote":"B > A = C","reason":"bob-likes-graphql","confidence":0.6}
---
@vote
@seat cy
{"vote":["C"],"reason":"cy-likes-grpc","confidence":0.8}
"#;

/// A charter like `ranked-choice` but for some lines.
fn charter(place: &Place, name: &str, swaps: &[(&str, &str)]) {
    let mut source = place.run(["charter", "show", "ranked-choice"]).exits(0).out;
    source = source.replace("name = \"ranked-choice\"", &format!("name = \"{name}\""));
    for (from, to) in swaps {
        assert!(source.contains(from), "{from}");
        source = source.replace(from, to);
    }
    place.write(&format!(".synod/charters/{name}.toml"), source);
}

fn debate(place: &Place, charter: &str, script: &str) -> crate::world::Run {
    place.write("seats.txt", script);
    let mut args = vec!["debate", "Which API?", "--charter", charter];
    args.extend(["--option", "REST", "--option", "GraphQL", "--option", "gRPC"]);
    args.extend([
        "--seat",
        "ann=script:seats.txt",
        "--seat",
        "bob=script:seats.txt",
        "--seat",
        "cy=script:seats.txt",
    ]);
    place.run(args)
}

#[test]
fn a_ranked_choice_is_held_shown_in_every_form_and_counted_again() {
    let place = Place::new();
    let run = debate(&place, "ranked-choice", SCRIPT).exits(0);
    run.prints("PASSED: B, GraphQL; by schulze, 2 of 3 votes rank it, needs more than 1/2")
        .prints("by schulze: B > A = C")
        .prints("in pairs: A 0 to 2 B, A 1 to 1 C, B 2 to 1 C")
        .prints("strongest chains: A 0 to 2 B, A 0 to 0 C, B 2 to 0 C")
        .prints("ann  B > A")
        .prints("cy C: cy-likes-grpc");
    for format in ["md", "html", "json"] {
        let page = place.run(["export", "--format", format]).exits(0).out;
        assert!(page.contains("ann-likes-graphql"), "{format}: the vote is closed and shown");
        assert!(page.contains("schulze"), "{format}");
    }
    let told = place.report();
    let standing = &told["ballots"][0]["count"]["standing"];
    assert_eq!(standing["order"], serde_json::json!([[1], [0, 2]]));
    assert_eq!(told["ballots"][0]["sealed"].as_array().unwrap().len(), 3);
    place.run(["verify"]).exits(0).prints("1 ballot recounted from the votes");
    place.run(["replay"]).exits(0);
    finish(place);
}

#[test]
fn a_secret_vote_shows_in_no_form_and_can_be_proven() {
    let place = Place::new();
    charter(&place, "hidden", &[("secrecy = \"until-closed\"", "secrecy = \"secret\"")]);
    let run = debate(&place, "hidden", SCRIPT).exits(0);
    let mut told = run.out.clone() + &run.err;
    for args in [
        &["show"][..],
        &["show", "--json"],
        &["export", "--format", "md"],
        &["export", "--format", "html"],
        &["export", "--format", "json"],
        &["thoughts", "ann"],
        &["thoughts", "ann", "--json"],
        &["receipt"],
    ] {
        told += &place.run(args).exits(0).out;
    }
    for word in ["ann-likes-graphql", "ann-would-change", "bob-likes", "cy-likes", "B > A = C\n"] {
        let shown = told.replace("by schulze: B > A = C\n", "");
        assert!(!shown.contains(word), "{word} is shown");
    }
    assert!(told.contains("3 votes sealed: only counts and seals are shown"));

    let salt = salt_of(&place, "ann");
    let prove = |seat: &str, choice: &str, salt: &str| {
        place.run(["ballot", "prove", "--seat", seat, "--choice", choice, "--salt", salt])
    };
    prove("ann", "B > A", &salt).exits(0).prints("proven");
    prove("Ann", "graphql > rest", &salt).exits(0);
    prove("ann", "A > B", &salt).exits(1).prints("not proven");
    prove("bob", "B > A", &salt).exits(1);
    prove("ann", "whatever", &salt).exits(64).tells("is not a vote on matter");
    prove("eve", "A", &salt).exits(64).tells("has no seat");
    let proof = place.json(["ballot", "prove", "--seat", "ann", "--choice", "B>A", "--salt", &salt]);
    assert_eq!(proof["proven"], true);
    assert_eq!(proof["ballots"][0]["seal"], proof["ballots"][0]["recorded"]);
    place.run(["verify"]).exits(0).prints("recounted");
    place.run(["replay"]).exits(0);
    finish(place);
}

/// The salt of a seat's vote, from the record: it is the truth, and holds everything.
fn salt_of(place: &Place, seat: &str) -> String {
    let bodies = place.rows().into_iter().map(|(_, _, body)| serde_json::from_str::<Value>(&body).unwrap());
    let mut salts = bodies.filter_map(|act| {
        let of_seat = act["by"] == format!("seat:{seat}");
        of_seat.then(|| act["command"]["answer"]["salt"].as_str().map(str::to_string)).flatten()
    });
    salts.next().expect("the engine gave a salt")
}

#[test]
fn votes_are_passed_on_and_a_result_says_who_carried_them() {
    let place = Place::new();
    let swaps =
        [("secrecy = \"until-closed\"", "delegation = true"), ("tie = \"undecided\"", "tie = \"earlier\"")];
    charter(&place, "liquid", &swaps);
    let script = SCRIPT.replace(
        r#"{"vote":["C"],"reason":"cy-likes-grpc","confidence":0.8}"#,
        r#"{"vote":"ABSTAIN","delegate":"bob","reason":"bob knows these"}"#,
    );
    debate(&place, "liquid", &script)
        .exits(0)
        .tells("cy delegates its vote to bob  bob knows these")
        .prints("bob also votes for cy")
        .prints("3 of 3 votes rank it");
    place.run(["export"]).exits(0).prints("delegated to bob").prints("cy delegates its vote to bob");
    finish(place);
}
