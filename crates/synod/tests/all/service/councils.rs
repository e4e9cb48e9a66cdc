//! Debates that a service performs.

use std::time::Duration;

use serde_json::{Value, json};

use super::{Served, token};
use crate::houses::finish;
use crate::server::{Reply, Server, say, side};
use crate::world::{Place, Started};

fn seat(server: &Server, name: &str) -> Value {
    json!({ "name": name, "answered_by": format!("{}#{name}", server.url) })
}

fn opening(question: &str, seats: &[Value]) -> Value {
    json!({ "question": question, "charter": "adversarial", "set": { "rounds": 2 }, "seats": seats,
        "no_synthesis": true })
}

/// A service has debates summed up like a terminal: by a model, unless it is told not to.
#[test]
fn a_debate_is_summed_up_by_a_model() {
    let server = Server::start(|request| match request.told().contains("Sum the council up") {
        true => say("They all want it."),
        false => say(side(request, "YES")),
    });
    let place = Place::new();
    let operator = token(&place, &["me", "--operator"]);
    let service = Served::start(&place, &[]);
    let mut body = opening("Should we?", &[seat(&server, "ann"), seat(&server, "bob")]);
    body["synthesize"] = json!("nobody");
    service.post("/v1/matters", &operator, &body).fails(422, "request/unfit");
    body["no_synthesis"] = json!(false);
    service.post("/v1/matters", &operator, &body).fails(409, "roster/not-seated");
    body["synthesize"] = json!(null);
    let matter = open(&service, &operator, &body);
    let shown = until(&service, &operator, &matter, "passed");
    assert_eq!(shown["answer"]["schema"], "synod-answer/1");
    assert!(server.wait(|log| log.iter().any(|seen| seen.request.told().contains("Sum the council up"))));
    let begun = std::time::Instant::now();
    let summed = || {
        let shown = service.get(&format!("/v1/matters/{matter}"), &operator).is(200).json();
        shown["answer"]["decision"]["syntheses"][0] == json!(["ann", { "summary": "They all want it." }])
    };
    while !summed() {
        assert!(begun.elapsed().as_secs() < 30, "the summary is recorded in time");
    }
    service.end();
    finish(place);
}

/// Waits until a matter stands so.
#[track_caller]
fn until(service: &Served, token: &str, matter: &str, status: &str) -> Value {
    let begun = std::time::Instant::now();
    loop {
        let shown = service.get(&format!("/v1/matters/{matter}"), token).is(200).json();
        if shown["status"] == status {
            return shown;
        }
        assert!(begun.elapsed() < Duration::from_secs(30), "never {status}: {shown}");
        std::thread::sleep(Duration::from_millis(5));
    }
}

#[track_caller]
fn open(service: &Served, token: &str, body: &Value) -> String {
    service.post("/v1/matters", token, body).is(201).json()["matter"].as_str().expect("a matter").to_string()
}

#[test]
fn many_at_once_through_one_service() {
    let server = Server::start(|request| Reply::Say(side(request, "YES"), Duration::from_millis(50)));
    let place = Place::new();
    // A service calls servers of the caller's choice only for those who present a credential.
    let operator = token(&place, &["me", "--operator"]);
    let operator = operator.as_str();
    let service = Served::start(&place, &["--rate", "0"]);
    let mut feed = service.follow("", operator, &[]);
    let begun = std::time::Instant::now();
    let seats = [seat(&server, "ann"), seat(&server, "bob")];
    let matters: Vec<String> =
        (0..12).map(|i| open(&service, operator, &opening(&format!("Question {i}?"), &seats))).collect();
    assert!(begun.elapsed() < Duration::from_secs(5), "no request waits for a debate");
    let running =
        place.start(["debate", "And this?", "--seat=ann=rehearsal", "--seat=cy=rehearsal", "--quiet"]);
    for matter in &matters {
        until(&service, operator, matter, "passed");
    }
    // The feed tells of all of them.
    let mut settled = 0;
    while settled < matters.len() {
        let told = feed.next().expect("a feed that goes on");
        settled += usize::from(
            told.data["data"]["event"] == "matter/settled"
                && matters.iter().any(|it| told.data["matter"] == **it),
        );
    }
    running.wait();
    assert_eq!(server.count(), 12 * 6, "two rounds and a vote of two seats each");
    for matter in &matters {
        place.run(["verify", &format!(".synod/receipts/{matter}.json")]).exits(0);
    }
    service.end();
    finish(place);
}

/// Only the command line of the service names the folder: a request can neither name one nor ask for the permission.
#[test]
fn files_are_read_where_the_service_was_started_for_it() {
    let asks = json!({ "stance": "YES", "position": "p", "reasoning": "r", "strongest_objection": "o", "confidence": 0.9,
        "context_requests": [{ "query": "", "reason": "it decides", "priority": "required", "file": "notes.txt" }] });
    let server =
        Server::start(move |request| match request.body.contains("path of a file to be read to you") {
            true => say(asks.to_string()),
            false => say(side(request, "YES")),
        });
    let place = Place::new();
    // A service calls servers of the caller's choice only for those who present a credential.
    let operator = token(&place, &["me", "--operator"]);
    let operator = operator.as_str();
    place.write("open/notes.txt", "forty-two gigabytes\n");
    let body = opening("Shall we?", &[seat(&server, "ann"), seat(&server, "bob")]);

    let service = Served::start(&place, &["--rate", "0"]);
    until(&service, operator, &open(&service, operator, &body), "passed");
    for key in ["sources", "root"] {
        let mut named = body.clone();
        named[key] = json!("/etc");
        service.post("/v1/matters", operator, &named).fails(422, "request/unfit");
    }
    service.end();

    let service = Served::start(&place, &["--rate", "0", "--sources", "open"]);
    let mut feed = service.follow("", operator, &[]);
    let matter = open(&service, operator, &body);
    let shown = until(&service, operator, &matter, "passed");
    assert_eq!(shown["requests"][0]["answer"], "forty-two gigabytes", "{shown}");
    loop {
        let told = feed.next().expect("a feed that goes on");
        if told.data["data"]["event"] == "context/read" {
            assert_eq!(told.data["matter"], *matter);
            break;
        }
    }
    service.end();
    finish(place);
}

#[test]
fn a_debate_has_over_http_what_it_has_in_a_terminal() {
    let server = Server::start(|request| say(side(request, "YES")));
    let place = Place::new();
    // A service calls servers of the caller's choice only for those who present a credential.
    let operator = token(&place, &["me", "--operator"]);
    let operator = operator.as_str();
    let service = Served::start(&place, &["--rate", "0"]);
    let body = json!({
        "question": "Which one?", "options": ["left", "right"], "charter": "collaborative",
        "seats": [{ "name": "ann", "answered_by": "rehearsal", "persona": "in a hurry" }, seat(&server, "bob")],
        "judges": [{ "name": "jo", "answered_by": "rehearsal" }],
        "scribe": { "name": "sam", "answered_by": "rehearsal" },
        "limits": { "calls": 40, "tokens": 1000000, "seconds": 600, "usd": "1.50" },
        "set": { "rounds": 2 }, "context": { "facts.txt": "Left is longer." },
        "focus": "What is shorter?", "perspectives": ["speed: what is fast"], "stepwise": true,
    });
    let matter = open(&service, operator, &body);
    let shown = until(&service, operator, &matter, "waiting");
    assert_eq!(shown["question"]["options"], json!(["left", "right"]));
    let command =
        &place.acts().into_iter().find_map(|act| act["command"].get("open").cloned()).expect("an opening");
    assert_eq!(
        command["limits"],
        json!({ "calls": 40, "cost": 1_500_000_000, "time_ms": 600_000, "tokens": 1_000_000 })
    );
    for (key, value) in [
        ("focus", json!("What is shorter?")),
        ("stepwise", json!(true)),
        ("judges", json!(["jo"])),
        ("scribe", json!("sam")),
    ] {
        assert_eq!(command[key], value, "{key}");
    }
    assert!(server.log()[0].request.told().contains("Left is longer."));
    let steer =
        |what: &str, body: Value| service.post(&format!("/v1/matters/{matter}/{what}"), operator, &body);
    steer("continue", json!({ "focus": "And now?", "to_end": true })).is(200);
    let over = loop {
        let shown = service.get(&format!("/v1/matters/{matter}"), operator).is(200).json();
        if !["running", "waiting"].contains(&shown["status"].as_str().unwrap_or_default()) {
            break shown;
        }
    };
    assert!(server.log().iter().any(|seen| seen.request.told().contains("And now?")), "{over}");
    steer("continue", json!({})).fails(409, "matter/wrong-status");

    steer("synthesize", json!({ "by": "ann" })).is(202);
    steer("synthesize", json!({ "by": "zed" })).fails(404, "roster/unknown-seat");
    steer("judge", json!({ "round": 1, "by": { "name": "kim", "answered_by": "rehearsal" } })).is(202);
    steer("judge", json!({ "round": 1, "by": { "name": "ann", "answered_by": "rehearsal" } }))
        .fails(409, "roster/seat-taken");
    steer("judge", json!({ "round": 9, "by": "jo" })).fails(404, "matter/no-such-round");
    let forked = steer("fork", json!({ "round": 1, "seats": [seat(&server, "eve")] })).is(201);
    assert_eq!(
        forked.headers["location"],
        format!("/v1/matters/{}", forked.json()["matter"].as_str().expect("a matter"))
    );
    assert!(server.wait(|log| log.iter().any(|seen| seen.request.seat() == "eve")));
    steer("fork", json!({ "round": 9 })).fails(404, "matter/no-such-round");
    service.end();
    finish(place);
}

#[test]
fn what_a_service_does_not_perform_is_refused() {
    let place = Place::new();
    let service = Served::start(&place, &[]);
    let with = |seat: Value| json!({ "question": "Q?", "charter": "blind-vote", "seats": [seat] });
    let by = |spec: &str| with(json!({ "name": "ann", "answered_by": spec }));
    let tried = |token: &str, body: &Value| service.post("/v1/matters", token, body);
    tried("", &by("person")).fails(409, "roster/person-elsewhere");
    tried("", &by("gpt-4.1")).fails(409, "roster/malformed-seat");
    tried("", &by("openai:gpt-4.1")).fails(409, "backend/no-key");
    tried("", &with(json!("ann"))).fails(404, "roster/unknown-seat");
    tried("", &with(json!({ "name": "ann" }))).fails(422, "request/unfit");
    tried("", &with(json!({ "name": "ann", "answered_by": "rehearsal", "more": 1 })))
        .fails(422, "request/unfit");
    tried("", &json!({ "question": "Q?", "charter": "ring-quick", "seats": ["ann", "bob"], "focus": "x" }))
        .fails(409, "ring/needs-outside");
    place.write("yes.txt", "@any\nYES\n");
    let (ann, operator) = (token(&place, &["ann"]), token(&place, &["me", "--operator"]));
    tried(&ann, &by("rehearsal")).fails(403, "token/not-operator");
    for spec in ["exec:cat > /dev/null; echo YES", "script:yes.txt"] {
        let matter = open(&service, &operator, &by(spec));
        until(&service, &operator, &matter, "passed");
    }
    // A charter that lies nowhere, and one that the house has used.
    let source =
        include_str!("../../../../../charters/blind-vote.toml").replace("\"blind-vote\"", "\"sent\"");
    let mut body = by("script:yes.txt");
    body["charter"] = json!("sent");
    body["charter_source"] = json!(source);
    let matter = open(&service, &operator, &body);
    let digest = until(&service, &operator, &matter, "passed")["charter"]["digest"].clone();
    body["charter_source"] = Value::Null;
    tried(&operator, &body).fails(404, "charter/unknown");
    body["charter"] = digest;
    open(&service, &operator, &body);
    body["charter_source"] = json!("name = 7");
    tried(&operator, &body).fails(409, "charter/flawed");
    service.end();
    finish(place);
}

#[test]
fn a_debate_is_opened_paused_resumed_and_stopped_once() {
    let server = Server::start(|request| match request.nth {
        1 => Reply::Hang,
        _ => say(side(request, "YES")),
    });
    let place = Place::new();
    let operator = token(&place, &["me", "--operator"]);
    let service = Served::start(&place, &[]);
    let body = opening("Once?", &[seat(&server, "ann")]);
    let first = service.keyed("/v1/matters", &operator, &body, Some("k")).is(201);
    let again = service.keyed("/v1/matters", &operator, &body, Some("k")).is(201);
    // The record may have grown in between, and a proof is made for the size it has.
    let told = |answer: &super::Answer| {
        let mut told = answer.json();
        told.as_object_mut().expect("an object").remove("acknowledgement");
        told
    };
    assert_eq!(told(&first), told(&again));
    assert_eq!(first.json()["acknowledgement"]["hash"], again.json()["acknowledgement"]["hash"]);
    let matter = first.json()["matter"].as_str().expect("a matter").to_string();
    assert!(server.wait(|log| log.len() == 1));
    let steer = |what: &str| service.post(&format!("/v1/matters/{matter}/{what}"), &operator, &json!({}));
    steer("pause").is(200);
    steer("resume").is(200);
    until(&service, &operator, &matter, "passed");
    assert_eq!(server.count(), 4, "the call that was cut off is made again, and no other");
    steer("stop").fails(409, "matter/wrong-status");

    // A terminal resumes what a service performed, and performs it itself.
    let hanging = Server::start(|request| match request.nth {
        1 => Reply::Hang,
        _ => say(side(request, "YES")),
    });
    let matter = open(&service, &operator, &opening("Again?", &[seat(&hanging, "ann")]));
    assert!(hanging.wait(|log| log.len() == 1));
    place.run(["pause", &matter]).exits(0);
    let resumed: Started = place.start(["resume", &matter, "--quiet"]);
    resumed.wait().exits(0).prints("PASSED");
    service.end();
    finish(place);
}

/// A list says of each matter what the matter says of itself, and leaves none out, whatever it ended in.
#[test]
fn a_list_tells_what_degrades_a_result() {
    let server = Server::start(|request| match request.told().contains("How many") {
        true => {
            say(json!({ "reasoning": "r", "low": 8, "high": 12, "best": 10, "confidence": 0.9 }).to_string())
        }
        false => say(side(request, "YES")),
    });
    let place = Place::new();
    place.write(".synod/providers.toml", format!("[\"{}\"]\nwindow = 4096\n", server.url));
    let operator = token(&place, &["me", "--operator"]);
    let service = Served::start(&place, &[]);
    let seats = json!([seat(&server, "ann"), { "name": "bob", "answered_by": "rehearsal" }]);
    let body =
        json!({ "question": "Should we?", "charter": "collaborative", "seats": seats, "no_synthesis": true });
    let opened = service.post("/v1/matters", &operator, &body).is(201).json();
    assert_eq!(opened["moved"], json!({ "turn.history_chars": 3072 }), "{opened}");
    let seats = json!([seat(&server, "ann"), seat(&server, "bob")]);
    let body = json!({ "question": "How many days?", "charter": "estimate", "unit": "days", "seats": seats });
    let number = open(&service, &operator, &body);
    until(&service, &operator, &number, "estimated");
    let begun = std::time::Instant::now();
    let rows = loop {
        let list = service.get("/v1/matters", &operator).is(200).json();
        let rows = list["matters"].as_array().cloned().unwrap_or_default();
        if rows.iter().all(|row| row["status"] != "running") {
            break rows;
        }
        assert!(begun.elapsed().as_secs() < 60, "{list}");
    };
    assert_eq!(rows.len(), 2, "{rows:?}");
    assert_eq!(rows[1]["status"], "estimated");
    for row in &rows {
        let matter = row["matter"].as_str().unwrap();
        let shown = service.get(&format!("/v1/matters/{matter}"), &operator).is(200).json();
        assert_eq!((&row["caveats"], &row["status"]), (&shown["caveats"], &shown["status"]));
    }
    assert_eq!(rows[0]["caveats"][0], "1 of 2 seats only rehearsed");
    let found = service.get("/v1/matters?status=estimated", &operator).is(200).json();
    assert_eq!(found["matters"].as_array().map(Vec::len), Some(1));
    service.end();
    let listed = place.run(["list", "--json", "--status", "estimated"]).exits(0).json();
    assert_eq!(listed.as_array().map(Vec::len), Some(1));
    finish(place);
}
