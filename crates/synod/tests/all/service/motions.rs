//! Motions over HTTP: put with a proposal, seconded, called up, withdrawn, tabled.

use serde_json::{Value, json};

use super::{Served, token};
use crate::houses::finish;
use crate::world::Place;

fn body(proposal: Value) -> Value {
    let member = |(nth, name): (usize, &&str)| json!({ "name": name, "answered_by": "rehearsal", "rank": 1 + nth % 2, "red_lines": ["no audit"] });
    let seats: Vec<Value> = ["dan", "ann", "cy", "bob"].iter().enumerate().map(member).collect();
    json!({ "question": "We buy a bell.", "charter": "parliament-procedural", "seats": seats,
        "proposal": proposal, "no_synthesis": true })
}

#[test]
fn a_motion_goes_its_way_over_http() {
    let place = Place::new();
    let operator = token(&place, &["me", "--operator"]);
    let service = Served::start(&place, &[]);
    let put = |proposal: Value| {
        let done = service.post("/v1/matters", &operator, &body(proposal)).is(201).json();
        done["matter"].as_str().expect("a matter").to_string()
    };
    let steer = |matter: &str, what: &str, body: Value| {
        service.post(&format!("/v1/matters/{matter}/{what}"), &operator, &body)
    };
    let shown = |matter: &str| service.get(&format!("/v1/matters/{matter}"), &operator).is(200).json();
    let matter = put(json!({ "by": "ann", "listed": true }));
    assert_eq!(shown(&matter)["parliament"]["status"], "proposed");
    steer(&matter, "second", json!({ "by": "ann" })).fails(409, "council/own-motion");
    steer(&matter, "second", json!({ "by": "bob" })).is(200);
    steer(&matter, "second", json!({ "by": "cy" })).fails(409, "council/already-seconded");
    steer(&matter, "resume", json!({})).is(200);
    let begun = std::time::Instant::now();
    let over = loop {
        let shown = shown(&matter);
        if ["passed", "failed", "undecided"]
            .contains(&shown["parliament"]["status"].as_str().unwrap_or_default())
        {
            break shown;
        }
        assert!(begun.elapsed().as_secs() < 60, "{shown}");
    };
    assert_eq!(over["parliament"]["proposer"], "ann");
    let names: Vec<&str> =
        over["seats"].as_array().expect("seats").iter().filter_map(|seat| seat["who"].as_str()).collect();
    assert_eq!(names, ["cy", "dan", "ann", "bob"], "by rank, then by name");
    let second = put(json!({ "by": "ann", "listed": true }));
    steer(&second, "withdraw", json!({ "by": "bob" })).fails(409, "council/not-proposer");
    steer(&second, "withdraw", json!({ "by": "ann" })).is(200);
    assert_eq!(shown(&second)["parliament"]["status"], "withdrawn");
    let third = put(json!({ "by": "ann", "listed": true }));
    steer(&third, "table", json!({})).is(200);
    assert_eq!(shown(&third)["parliament"]["status"], "tabled");
    let plain = json!({ "question": "Tea?", "charter": "collaborative", "proposal": {}, "no_synthesis": true,
        "seats": [{ "name": "ann", "answered_by": "rehearsal" }, { "name": "bob", "answered_by": "rehearsal" }] });
    service.post("/v1/matters", &operator, &plain).fails(409, "council/no-motions");
    service.end();
    finish(place);
}
