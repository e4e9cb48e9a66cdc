//! What was true, said later: votes are marked, records grow, and a charter weighs by them. And kinds of motion, which
//! the same votes carry or not.

use serde_json::json;

use crate::houses::finish;
use crate::service::{Served, token};
use crate::world::{Place, Run};

/// Cy stands alone against the others.
const SCRIPT: &str = r#"@speak
{"stance":"NEUTRAL","position":"It depends.","confidence":0.5}
---
@vote
@seat ann
{"vote":"YES","reason":"it is quick"}
---
@vote
@seat bob
{"vote":"YES","reason":"ann says so"}
---
@vote
@seat cy
{"vote":"NO","reason":"it is wrong"}
"#;

fn house() -> Place {
    let place = Place::new();
    place.write("seats.txt", SCRIPT);
    let source = place.run(["charter", "show", "collaborative"]).exits(0).out;
    let source = source
        .replace("name = \"collaborative\"", "name = \"by-record\"")
        .replace("[ballot]", "[ballot]\nweights = \"reliability\"\nrecord = { least = 2, shrink = 2 }");
    place.write(".synod/charters/by-record.toml", source);
    place
}

fn debate(place: &Place) -> Run {
    let seats = ["ann", "bob", "cy"].map(|name| format!("--seat={name}=script:seats.txt"));
    let args =
        ["debate", "Should we cache?", "--charter", "by-record", "--set", "rounds=1"].map(String::from);
    place.run(args.into_iter().chain(seats))
}

fn last(place: &Place) -> String {
    place.report()["matter"].as_str().expect("a matter").to_string()
}

#[test]
fn who_was_right_is_marked_listed_and_weighed() {
    let place = house();
    place.run(["outcome", "9", "right"]).exits(66).tells("there is no house");
    debate(&place)
        .exits(0)
        .prints("too few track records to weight votes, so each seat has one vote")
        .prints("unweighted: only 0 of 3 seats have a track record of 2 matters; at least half must");
    place.run(["outcome"]).exits(0).prints("no outcome is recorded yet");
    let matter = last(&place);
    let told = place.run(["outcome", &matter, "wrong"]).exits(0);
    told.prints("matter 1: NO was right: the decision was wrong")
        .prints("right: cy")
        .prints("right against the decision: cy")
        .prints("wrong: ann, bob");
    place.run(["show", &matter]).exits(0).prints("Outcome  NO was right: the decision was wrong");
    for format in ["md", "html"] {
        let page = place.run(["export", &matter, "--format", format]).exits(0).out;
        assert!(page.contains("NO was right"), "{format} tells of it");
    }
    // The receipt of the decision is as it was: what is learned later is another act.
    place.run(["verify"]).exits(0);
    debate(&place).exits(0);
    place.run(["outcome", &last(&place), "no"]).exits(0);
    // Twice is a record here: cy, who was right alone, decides.
    debate(&place).exits(1).prints("weighted by track record").prints("cy counts for 1");
    let records = place.json(["outcome"]);
    assert_eq!(
        records[2],
        json!({ "who": "cy", "model": null, "backend": "script:seats.txt", "right": 2, "wrong": 0, "right_alone": 2, "wrong_alone": 0 })
    );
    place.run(["outcome"]).exits(0).prints("cy    script:seats.txt      2      0            2            0");
    // Said again, it is corrected; both stay in the record.
    let told = place.json(["outcome", &matter, "right"]);
    assert_eq!(told["outcome"]["wrong"], json!(["cy"]));
    assert_eq!(place.json(["outcome"])[2]["right"], 1);
    place.run(["verify"]).exits(0);
    place.run(["replay"]).exits(0);
    finish(place);
}

#[test]
fn what_could_not_have_been_true_is_refused_with_what_could() {
    let place = house();
    debate(&place).exits(0);
    let matter = last(&place);
    for wrong in ["maybe", "A", "none", ""] {
        let run = place.run(["outcome", &matter, wrong]).exits(64);
        run.tells("write one of: right, wrong, yes, no");
    }
    place.run(["outcome", &matter]).exits(64).tells("is not an outcome of matter 1");
    place.run(["outcome", "999", "right"]).exits(66).tells("no matter 999");
    assert!(place.report()["outcome"].is_null(), "nothing is known");
    finish(place);
}

#[test]
fn a_service_is_told_and_only_by_the_operator() {
    let place = house();
    debate(&place).exits(0);
    let matter = last(&place);
    let (ann, operator) = (token(&place, &["ann"]), token(&place, &["me", "--operator"]));
    let service = Served::start(&place, &[]);
    let path = format!("/v1/matters/{matter}/outcome");
    service.post(&path, &ann, &json!({ "was": "wrong" })).fails(403, "token/not-operator");
    service.post(&path, &operator, &json!({ "was": "perhaps" })).fails(409, "track/no-such-answer");
    service.post(&path, &operator, &json!({ "was": "yes" })).is(200);
    // A terminal in the house goes through the service.
    place.run(["outcome", &matter, "no"]).exits(0).prints("NO was right: the decision was wrong");
    let shown = service.get(&format!("/v1/matters/{matter}"), &operator).is(200).json();
    assert_eq!(shown["outcome"]["right_alone"], json!(["cy"]));
    place.run(["outcome"]).exits(0).prints("right alone");
    service.get("/v1/records", &ann).fails(403, "token/not-operator");
    let url = format!("http://{}", service.address);
    let afar = place.run(["outcome", "--service", &url, "--token", &operator, "--house", "elsewhere"]);
    afar.exits(0).prints("cy    script:seats.txt      1      0            1            0");
    service.end();
    finish(place);
}

#[test]
fn a_kind_of_motion_says_what_carries_it() {
    let place = Place::new();
    place.write("seats.txt", SCRIPT);
    let debate = |motion: &str| {
        let seats = ["ann", "bob", "cy"].map(|name| format!("--seat={name}=script:seats.txt"));
        let args = [
            "debate",
            "Should we cache?",
            "--charter",
            "collaborative",
            "--motion",
            motion,
            "--set",
            "rounds=1",
        ];
        place.run(args.map(String::from).into_iter().chain(seats))
    };
    debate("constitutional").exits(0).prints("needs at least 2/3").prints("as a constitutional motion");
    debate("procedural").exits(0).prints("needs more than 1/2");
    assert_eq!(place.report()["motion"], "procedural");
    let page = place.run(["export", "--format", "md"]).exits(0).out;
    assert!(page.contains("| motion | procedural |"), "{page}");
    let acts = place.acts().len();
    debate("budget").exits(64).tells("it has constitutional, policy, procedural, open");
    assert_eq!(place.acts().len(), acts, "nothing was opened");
    finish(place);
}

#[test]
fn an_option_that_is_called_right_is_named_by_its_letter() {
    let place = Place::new();
    place.write("seats.txt", SCRIPT.replace("YES", "A").replace("NO", "A"));
    let mut args = vec!["debate", "Which way?", "--charter", "collaborative", "--set", "rounds=1"];
    args.extend(["--option", "Left", "--option", "Right", "--seat=ann=script:seats.txt"]);
    place.run(args).exits(0);
    let matter = last(&place);
    for word in ["right", "Right", "wrong"] {
        place.run(["outcome", &matter, word]).exits(64).tells("write one of: A, B, none");
    }
    place.run(["outcome", &matter, "B"]).exits(0).prints("B (Right) was right: the decision was wrong");
    place.run(["outcome", &matter, "left"]).exits(0).prints("A (Left) was right: the decision was right");
    finish(place);
}

#[test]
fn who_only_rehearses_has_no_record() {
    let place = Place::new();
    place.run(["debate", "Should we cache?", "--rehearse"]).exits(0);
    place.run(["outcome", &last(&place), "yes"]).exits(0).prints("no vote is marked: none took a side");
    place.run(["outcome"]).exits(0).prints("outcomes are recorded, but no vote could be marked");
    finish(place);
}
