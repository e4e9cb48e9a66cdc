//! A ring over HTTP: from the invitation to the receipt, and through the death of the service.

use serde_json::{Value, json};

use super::{Served, token};
use crate::houses::finish;
use crate::world::Place;

/// Everybody joins, one proposes, each speaks once, all vote for the first proposal.
#[track_caller]
pub(super) fn through(service: &Served, matter: &str, tokens: &[&str]) {
    let proposal = to_the_vote(service, matter, tokens);
    for token in tokens {
        let turn = service.turn(token, matter);
        assert_eq!(turn["task"], "vote", "{turn}");
        let vote = json!({ "proposal": proposal, "grade": "approve", "rationale": "it is cheap" });
        service.post(&format!("/v1/matters/{matter}/votes"), token, &vote).is(200);
    }
}

/// The same up to the vote. Gives the proposal.
#[track_caller]
pub(super) fn to_the_vote(service: &Served, matter: &str, tokens: &[&str]) -> Value {
    let path = |what: &str| format!("/v1/matters/{matter}/{what}");
    for token in tokens {
        service.post(&path("join"), token, &json!({})).is(200);
    }
    let mut proposal = Value::Null;
    for (nth, token) in tokens.iter().enumerate() {
        let ask = service.turn(token, matter)["ask"].clone();
        if nth == 0 {
            let body = json!({ "ask": ask, "title": "Cache it", "text": "Cache the index for an hour." });
            proposal =
                service.post(&path("proposals"), token, &body).is(200).json()["events"][0]["id"].clone();
        } else {
            service.post(&path("skip"), token, &json!({ "ask": ask, "why": "nothing yet" })).is(200);
        }
    }
    for token in tokens {
        let turn = service.turn(token, matter);
        assert_eq!(turn["task"], "speak", "{turn}");
        let ask = turn["ask"].as_str().expect("an ask").to_string();
        service.post(&format!("/v1/turns/{ask}/ack"), token, &json!({})).is(200);
        let said =
            json!({ "ask": ask, "kind": "opinion", "text": format!("{token} thinks so"), "keep": true });
        service.post(&path("contributions"), token, &said).is(200);
        let reacted = json!({ "ask": ask, "to": proposal, "reaction": "agree" });
        service.post(&path("reactions"), token, &reacted).is(200);
    }
    proposal
}

#[test]
fn three_agents_decide() {
    let place = Place::new();
    let operator = token(&place, &["me", "--operator"]);
    let names = ["ann", "bob", "cy"];
    let tokens: Vec<String> = names.iter().map(|name| token(&place, &[name])).collect();
    let tokens: Vec<&str> = tokens.iter().map(String::as_str).collect();
    let service = Served::start(&place, &[]);
    let matter = service.open(&operator, "Should we cache?", "ring-default", &names);
    service.get(&format!("/v1/receipts/{matter}"), &operator).fails(409, "matter/open");
    through(&service, &matter, &tokens);

    let shown = service.get(&format!("/v1/matters/{matter}"), tokens[1]).is(200).json();
    assert_eq!(
        (&shown["ring"]["phase"], &shown["status"]),
        (&json!("COMMITTED"), &json!("passed")),
        "{shown}"
    );
    // The same as the command line shows, which reads beside the service.
    assert_eq!(service.get(&format!("/v1/matters/{matter}"), &operator).json(), place.json(["show"]));
    let receipt = service.get(&format!("/v1/receipts/{matter}"), tokens[2]).is(200).json();
    assert_eq!(receipt, place.json(["receipt", &matter]));
    service.process.until_told("is over; receipt");
    service.end();
    let kept = place.house().join("receipts").join(format!("{matter}.json"));
    place.run(["verify", kept.to_str().expect("a path")]).exits(0);
    finish(place);
}

#[test]
fn amendments_are_taken_and_participants_removed() {
    let place = Place::new();
    let service = Served::start(&place, &[]);
    let matter = service.open("", "Which database?", "ring-quick", &["ann", "bob", "cy"]);
    let path = |what: &str| format!("/v1/matters/{matter}/{what}");
    let speaks = |who: &str, what: &str, body: Value| {
        let headers = [("content-type", "application/json"), ("synod-for", who)];
        service.raw("POST", &path(what), &headers, body.to_string().as_bytes())
    };
    let ask = |who: &str| {
        let query = format!("/v1/turns?wait=20&matter={matter}");
        let turns = service.raw("GET", &query, &[("synod-for", who)], b"").is(200).json();
        turns["turns"][0]["ask"].clone()
    };
    speaks("ann", "join", json!({})).is(200);
    service.post(&path("start"), "", &json!({})).fails(409, "ring/too-few-joined");
    speaks("bob", "join", json!({})).is(200);
    speaks("bob", "join", json!({})).fails(409, "ring/already-joined");
    service.post(&path("start"), "", &json!({})).is(200);
    let put = json!({ "ask": ask("ann"), "title": "SQLite", "text": "Take SQLite." });
    let proposal = speaks("ann", "proposals", put).is(200).json()["events"][0]["id"].clone();
    speaks("bob", "release", json!({ "ask": ask("bob") })).is(200);
    // Cy comes late, and is shown the door.
    speaks("cy", "join", json!({})).is(200);
    let gone = format!("/v1/matters/{matter}/participants/Cy");
    service.raw("DELETE", &gone, &[], b"").is(200);
    speaks("cy", "join", json!({})).fails(409, "ring/removed");
    service
        .raw("DELETE", &format!("/v1/matters/{matter}/participants/dan"), &[], b"")
        .fails(409, "roster/not-seated");

    let question = json!({ "ask": ask("ann"), "kind": "question", "text": "Is it enough?" });
    speaks("ann", "contributions", question).is(200);
    let amended =
        json!({ "ask": ask("bob"), "proposal": proposal, "text": "Take SQLite with WAL.", "why": "readers" });
    let amendment = speaks("bob", "amendments", amended).is(200).json()["events"][0]["id"].clone();
    let ruled = json!({ "amendment": amendment, "accept": true });
    speaks("bob", "rulings", ruled.clone()).fails(409, "table/not-proposer");
    speaks("ann", "rulings", ruled).is(200);
    let vote = |grade: &str| json!({ "proposal": proposal, "grade": grade, "conditions": ["measure it"] });
    speaks("ann", "votes", vote("approve_with_concerns")).is(200);
    speaks("ann", "votes", vote("reject")).fails(409, "ballot/already-cast");
    // While others can vote, nobody is told how anybody did.
    let shown = service.raw("GET", &path(""), &[("synod-for", "bob")], b"");
    assert_eq!(shown.status, 404, "a path with nothing behind the last slash");
    let shown = service.raw("GET", &format!("/v1/matters/{matter}"), &[("synod-for", "bob")], b"").is(200);
    assert!(!shown.body.contains("measure it") && !shown.body.contains("approve_with"), "{}", shown.body);
    speaks("bob", "leave", json!({})).is(200);
    let shown = service.get(&format!("/v1/matters/{matter}"), "").json();
    assert_eq!(shown["ring"]["proposals"][0]["text"], "Take SQLite with WAL.");
    assert_eq!(shown["ring"]["phase"], "ABORTED", "{}", shown["ring"]);
    service.end();
    finish(place);
}

#[test]
fn a_ring_goes_on_by_itself_after_the_service_was_killed() {
    let place = Place::new();
    let tokens = [token(&place, &["ann"]), token(&place, &["bob"])];
    let operator = token(&place, &["me", "--operator"]);
    let mut service = Served::start(&place, &[]);
    let matter = service.open(&operator, "Go on?", "ring-default", &["ann", "bob"]);
    let rests = service.open(&operator, "Rest?", "ring-default", &["ann", "bob"]);
    service.post(&format!("/v1/matters/{rests}/pause"), &operator, &json!({})).is(200);
    service.process.kill();
    // Without a service its time passes, and whoever comes by the command line finds it so.
    assert_eq!(place.json(["show", &matter])["status"], "running");

    let service = Served::start(&place, &[]);
    service.process.until_told("matter 1 resumed");
    through(&service, &matter, &[&tokens[0], &tokens[1]]);
    assert_eq!(service.get(&format!("/v1/matters/{matter}"), &operator).json()["status"], "passed");
    // Who laid it to rest wakes it.
    assert_eq!(service.get(&format!("/v1/matters/{rests}"), &operator).json()["status"], "paused");
    service.end();
    finish(place);
}

#[test]
fn a_debate_stays_interrupted_unless_asked_for() {
    let place = Place::new();
    let operator = token(&place, &["me", "--operator"]);
    let server = crate::server::Server::start(|request| match request.nth {
        1 | 2 => crate::server::Reply::Hang,
        _ => crate::server::say(crate::server::side(request, "YES")),
    });
    let mut debate = place.start(["debate", "Cache?", &server.seat("ann")]);
    server.wait(|log| !log.is_empty());
    debate.kill();
    let service = Served::start(&place, &[]);
    let matter = place.report()["matter"].as_str().expect("a matter").to_string();
    assert_eq!(place.report()["status"], "interrupted");
    let resume = |token: &str| service.post(&format!("/v1/matters/{matter}/resume"), token, &json!({}));
    resume(super::NO_TOKEN).fails(401, "token/missing");
    resume(&operator).is(200);
    assert!(server.wait(|log| log.len() == 2), "the service performs it");
    service.end();

    let service = Served::start(&place, &["--resume"]);
    service.process.until_told("is over; receipt");
    assert_eq!(service.get(&format!("/v1/matters/{matter}"), &operator).json()["status"], "passed");
    service.end();
    finish(place);
}

#[test]
fn who_waits_for_a_turn_gets_it_as_soon_as_it_opens() {
    let place = Place::new();
    let ann = token(&place, &["ann"]);
    let operator = token(&place, &["me", "--operator"]);
    let service = Served::start(&place, &[]);
    service.get("/v1/turns", &ann).is(204);
    service.get("/v1/turns?wait=1", &ann).is(204);
    service.get("/v1/turns?wait=56", &ann).fails(400, "request/query");
    service.get("/v1/turns", &operator).fails(403, "token/not-participant");
    let begun = std::time::Instant::now();
    let turn = std::thread::scope(|scope| {
        let waiting = scope.spawn(|| service.get("/v1/turns?wait=50", &ann));
        let matter = service.open(&operator, "Now?", "ring-quick", &["ann", "bob"]);
        let turn = waiting.join().expect("an answer").is(200).json()["turns"][0].clone();
        assert_eq!((&turn["matter"], &turn["task"]), (&json!(matter), &json!("join")));
        turn
    });
    assert!(begun.elapsed().as_secs() < 40, "it waited to the end");
    // What one knows already is not waited for.
    let ask = turn["ask"].as_str().expect("an ask");
    service.get(&format!("/v1/turns?wait=1&after={ask}"), &ann).is(204);
    service.end();
    finish(place);
}

#[test]
fn what_agents_do_can_call_a_council() {
    let place = Place::new();
    let (ann, operator) = (token(&place, &["ann"]), token(&place, &["me", "--operator"]));
    let service = Served::start(&place, &[]);
    let seen = |agent: &str| json!({ "agent": agent, "kind": "write", "path": "src/lock.rs" });
    let noted = service.post("/v1/observations", &ann, &seen("Ann")).is(200).json();
    assert_eq!((&noted["matter"], &noted["notices"]), (&Value::Null, &json!([])));
    service.post("/v1/observations", &ann, &seen("bob")).fails(403, "token/not-yours");
    service
        .post("/v1/observations", &ann, &json!({ "agent": "ann", "kind": "write" }))
        .fails(422, "request/unfit");
    service.post("/v1/observations", &operator, &seen("a/b")).fails(409, "observation/malformed");
    // Two who write the same file: the monitor calls them both.
    let noted = service.keyed("/v1/observations", &operator, &seen("bob"), Some("w")).is(200).json();
    let matter = noted["matter"].as_str().expect("a council").to_string();
    assert_eq!(noted["notices"][0]["pattern"], "conflicting_edits", "{noted}");
    let again = service.keyed("/v1/observations", &operator, &seen("bob"), Some("w")).is(200);
    assert_eq!(
        (again.json()["act"].clone(), again.headers["idempotency-replayed"].as_str()),
        (noted["act"].clone(), "true")
    );
    assert_eq!(service.turn(&ann, &matter)["task"], "join");

    let wish = |agent: &str, sure: f64| json!({ "kind": "agent", "agent": agent, "reason": "security_concern", "confidence": sure });
    service.post("/v1/triggers", &ann, &wish("ann", 1.2)).fails(422, "request/unfit");
    service.post("/v1/triggers", &ann, &wish("bob", 0.9)).fails(403, "token/not-yours");
    service
        .post("/v1/triggers", &ann, &json!({ "kind": "user", "topic": "Mine?" }))
        .fails(403, "token/not-yours");
    let told = service.post("/v1/triggers", &ann, &wish("ann", 0.59)).is(200).json()["notices"][0].clone();
    assert_eq!(told["event"], "declined", "{told}");
    let called = json!({ "kind": "user", "topic": "Ship it?", "participants": ["ann", "dan"] });
    let told = service.post("/v1/triggers", &operator, &called).is(200).json();
    assert_eq!(told["notices"][0]["event"], "fired", "{told}");
    let listed = service.get("/v1/triggers", &operator).is(200).json();
    assert!(listed["active"].as_array().is_some_and(|active| active.contains(&json!("ann"))), "{listed}");
    service.get("/v1/triggers", &ann).fails(403, "token/not-operator");
    service.end();
    finish(place);
}

#[test]
fn what_is_left_out_is_found_and_a_repeat_means_the_same() {
    let place = Place::new();
    let (ann, bob) = (token(&place, &["ann"]), token(&place, &["bob"]));
    let operator = token(&place, &["me", "--operator"]);
    let service = Served::start(&place, &[]);
    let last = |what: &str| format!("/v1/matters/last/{what}");
    service.post(&last("join"), &ann, &json!({})).fails(404, "ring/uninvited");
    let matter = service.open(&operator, "Ship now?", "ring-quick", &["ann", "bob"]);
    service.post(&last("join"), &ann, &json!({})).is(200);
    service.post(&last("join"), &bob, &json!({})).is(200);
    let put = json!({ "title": "Wait", "text": "Wait a week." });
    let done = service.keyed(&last("proposals"), &ann, &put, Some("k")).is(200).json();
    assert_eq!((&done["matter"], &done["participant"]), (&json!(matter), &json!("ann")));
    service.post(&last("skip"), &bob, &json!({})).is(200);

    // Without a turn it is refused and recorded, and the answer says who has the floor.
    let early = service.post(&last("contributions"), &bob, &json!({ "text": "Me first." }));
    let early = early.fails(409, "floor/not-holder");
    assert!(early.body.contains("ann has the floor until"), "{early:?}");
    let said = json!({ "text": "Why not?", "kind": "question", "to": "A" });
    let first = service.keyed(&last("contributions"), &ann, &said, Some("k2")).is(200);
    // By now the turn it meant is over, and the same key still means that turn.
    let again = service.keyed(&last("contributions"), &ann, &said, Some("k2")).is(200);
    assert_eq!((again.headers["idempotency-replayed"].as_str(), again.done()), ("true", first.done()));
    // Whoever lost the first answer gets the proof of the same record with the second.
    let (first, again) = (first.json()["acknowledgement"].clone(), again.json()["acknowledgement"].clone());
    for field in ["act", "hash"] {
        assert_eq!(first[field], again[field]);
    }
    for told in [&first, &again] {
        let proof = told["proof"].as_str().expect("a proof");
        assert!(proof.starts_with("c2sp.org/tlog-proof@v1\n"), "{told}");
        place.write("told.json", told.to_string());
        place.run(["verify", "told.json"]).exits(0).prints("signed\n");
    }
    let other = json!({ "text": "Why?", "kind": "question", "to": "A" });
    service.keyed(&last("contributions"), &ann, &other, Some("k2")).fails(409, "request/key-reused");

    let wrong = service.post(&last("reactions"), &bob, &json!({ "to": "B", "reaction": "agree" }));
    let wrong = wrong.fails(409, "ring/unknown-proposal");
    assert!(wrong.body.contains("there are A (id "), "{wrong:?}");
    service.post(&last("reactions"), &bob, &json!({ "to": "a", "reaction": "agree" })).is(200);
    for token in [&ann, &bob] {
        service.post(&last("votes"), token, &json!({ "grade": "Approve" })).is(200);
    }
    let shown = service.get("/v1/matters/last-ring", &ann).is(200).json();
    assert_eq!((&shown["matter"], &shown["ring"]["phase"]), (&json!(matter), &json!("COMMITTED")));
    let none = service.get("/v1/turns?wait=50&explain=true", &bob).is(200).json();
    assert_eq!(
        none["none"],
        json!({ "why": "over", "matter": matter, "phase": "COMMITTED" }),
        "nobody waits for a turn in a ring that is over"
    );
    service.post(&last("votes"), &ann, &json!({ "grade": "approve" })).fails(404, "ring/uninvited");
    service.end();
    finish(place);
}
