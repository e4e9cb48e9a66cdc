//! The feed: what outside agents are told, in their words, from any act on, and never how others vote.

use std::io::Write as _;

use serde_json::{Value, json};

use super::{Served, Told, token};
use crate::houses::finish;
use crate::world::Place;

/// A ring of two, voted on by both: what each does, as the owner.
fn hold(service: &Served, matter: &str, grades: [&str; 2]) {
    let does = |who: &str, what: &str, body: Value| {
        let headers = [("content-type", "application/json"), ("synod-for", who)];
        let path = format!("/v1/matters/{matter}/{what}");
        service.raw("POST", &path, &headers, body.to_string().as_bytes()).is(200).json()
    };
    let ask = |who: &str| {
        let path = format!("/v1/turns?wait=20&matter={matter}");
        service.raw("GET", &path, &[("synod-for", who)], b"").is(200).json()["turns"][0]["ask"].clone()
    };
    does("ann", "join", json!({}));
    does("bob", "join", json!({}));
    let put = json!({ "ask": ask("ann"), "title": "Wait", "text": "Wait a week." });
    let proposal = does("ann", "proposals", put)["events"][0]["id"].clone();
    does("bob", "skip", json!({ "ask": ask("bob") }));
    does("ann", "contributions", json!({ "ask": ask("ann"), "kind": "question", "text": "Why not?" }));
    does("bob", "reactions", json!({ "ask": ask("bob"), "to": proposal, "reaction": "concerning" }));
    for (who, grade) in [("ann", grades[0]), ("bob", grades[1])] {
        does(
            who,
            "votes",
            json!({ "proposal": proposal, "grade": grade, "rationale": format!("{who} has reasons") }),
        );
    }
}

fn kinds(told: &[Told]) -> Vec<&str> {
    told.iter().map(|told| told.kind.as_str()).filter(|kind| *kind != "ACT").collect()
}

#[test]
fn a_session_in_the_words_of_the_wire() {
    let place = Place::new();
    let service = Served::start(&place, &[]);
    let matter = service.open("", "Ship now?", "ring-quick", &["ann", "bob"]);
    let mut feed = service.follow("?after=0", "", &[]);
    assert_eq!((feed.status, feed.headers["content-type"].as_str()), (200, "text/event-stream"));
    hold(&service, &matter, ["approve_with_concerns", "request_changes"]);
    let told = feed.until("CONSENSUS_END");
    let words = [
        "CONSENSUS_START",
        "PROPOSAL",
        "PROPOSAL",
        "TOKEN_GRANT",
        "QUESTION",
        "TOKEN_RELEASE",
        "TOKEN_GRANT",
        "REACTION",
        "TOKEN_RELEASE",
        "VOTE_START",
        "VOTE",
        "VOTE",
        "VOTE_RESULT",
        "CONSENSUS_REACHED",
        "CONSENSUS_END",
    ];
    let mut seen = kinds(&told);
    // In the phase of proposals a turn given up is a skip as well.
    seen.retain(|kind| *kind != "TOKEN_SKIP");
    seen.dedup_by(|a, b| *a == "TOKEN_RELEASE" && *b == "PROPOSAL");
    let released = seen.iter().position(|kind| *kind == "TOKEN_RELEASE");
    if released == Some(2) {
        seen.remove(2);
    }
    assert_eq!(seen, words);
    for message in &told {
        let data = &message.data;
        assert_eq!((&data["version"], &data["type"]), (&json!(1), &json!(message.kind)));
        let id = data["id"].as_str().expect("an id");
        assert_eq!(id.split('.').next().and_then(|act| act.parse().ok()), data["seq"].as_u64());
    }
    // No two have the same id, and each comes from whoever acted.
    let ids: std::collections::BTreeSet<&str> =
        told.iter().filter_map(|message| message.data["id"].as_str()).collect();
    assert_eq!(ids.len(), told.len(), "{ids:?}");
    for message in &told {
        let (from, who) = (&message.data["from"], &message.data["data"]["who"]);
        match message.kind.as_str() {
            "PROPOSAL" | "CONTRIBUTION" | "REACTION" | "VOTE" | "TOKEN_RELEASE" | "TOKEN_SKIP" => {
                assert_eq!(
                    from,
                    &json!(format!("seat:{}", who.as_str().expect("a name"))),
                    "{}",
                    message.data
                );
            }
            "TOKEN_GRANT" | "VOTE_START" | "VOTE_RESULT" | "CONSENSUS_REACHED" | "CONSENSUS_END" => {
                assert_eq!(from, "engine", "{}", message.data);
            }
            "CONSENSUS_START" => assert_eq!(from, "operator", "{}", message.data),
            _ => (),
        }
    }
    // What was proposed at once is told when the talk begins, not before.
    let proposals: Vec<_> =
        told.iter().filter(|told| told.kind == "PROPOSAL").map(|told| &told.data["data"]).collect();
    assert_eq!((&proposals[0]["withheld"], &proposals[0]["text"]), (&json!(true), &json!(null)));
    assert!(proposals[1]["text"].is_string() && proposals[0]["id"] == proposals[1]["id"], "{proposals:?}");
    // How anybody voted stands nowhere before the count, for the operator neither.
    let before = told.iter().take_while(|told| told.kind != "VOTE_RESULT");
    for word in ["with_concerns", "request_changes", "has reasons"] {
        assert!(before.clone().all(|told| !told.data.to_string().contains(word)), "{word} is told too early");
    }
    let phases: Vec<&str> = told.iter().filter_map(|told| told.data["data"]["phase"].as_str()).collect();
    assert_eq!(phases[..4], ["GATHERING", "PROPOSING", "DISCUSSING", "CONVERGING"]);
    service.end();
    finish(place);
}

#[test]
fn a_feed_goes_on_where_it_was() {
    let place = Place::new();
    let (ann, operator) = (token(&place, &["ann"]), token(&place, &["me", "--operator"]));
    let service = Served::start(&place, &[]);
    let first = service.open(&operator, "First?", "ring-quick", &["ann", "bob"]);
    let second = service.open(&operator, "Second?", "ring-quick", &["ann", "bob"]);
    service.post(&format!("/v1/matters/{first}/stop"), &operator, &json!({})).is(200);
    let all = service.follow("?after=0", &ann, &[]).until("CONSENSUS_END");
    // Ids name whole acts: only the last message of an act has one.
    let ids: Vec<u64> = all.iter().filter_map(|told| told.id.as_deref()?.parse().ok()).collect();
    assert!(ids.is_sorted() && ids.len() >= 3, "{ids:?}");
    for id in &ids[..ids.len() - 1] {
        let id = id.to_string();
        let rest = service.follow("", &ann, &[("last-event-id", &id)]).until("CONSENSUS_END");
        let after = all.iter().filter(|told| told.data["seq"].as_u64() > id.parse().ok());
        let text = |told: &Told| told.data.to_string();
        assert_eq!(
            rest.iter().map(text).collect::<Vec<_>>(),
            after.map(text).collect::<Vec<_>>(),
            "after {id}"
        );
        // The header goes before the query, as browsers send it again with the same address.
        let query = service.follow("?after=0", &ann, &[("last-event-id", &id)]).next().expect("an event");
        assert_eq!(text(&query), text(&rest[0]));
    }
    let only = service.follow(&format!("?after=0&matter={second}"), &ann, &[]).next().expect("an event");
    assert_eq!(only.data["matter"], json!(second));
    let ends =
        service.follow("?after=0&kind=CONSENSUS_BLOCKED,CONSENSUS_END", &ann, &[]).until("CONSENSUS_END");
    assert_eq!(kinds(&ends), ["CONSENSUS_BLOCKED", "CONSENSUS_END"]);
    // Live from now on, where nothing is said.
    let mut live = service.follow("", &ann, &[]);
    service.post(&format!("/v1/matters/{second}/join"), &ann, &json!({})).is(200);
    let told = live.next().expect("an event");
    assert_eq!(told.data["data"]["event"], "floor/joined");
    // Revoked, it ends.
    place.run(["token", "revoke", "ann"]).exits(0);
    service.post(&format!("/v1/matters/{second}/stop"), &operator, &json!({})).is(200);
    assert!(live.next().is_none(), "a revoked token is told more");
    service.end();
    finish(place);
}

#[test]
fn a_slow_reader_is_dropped_and_nobody_waits_for_it() {
    let place = Place::new();
    let service = Served::start(&place, &["--drop-after", "1s", "--rate", "0"]);
    let topic = "x".repeat(15_000);
    let mut slow = service.follow("?after=0", "", &[]);
    // Far more than any buffer between here and there holds.
    for nth in 0..400 {
        service.open("", &format!("{nth} {topic}"), "ring-quick", &["ann", "bob"]);
    }
    service.process.until_told("dropped a reader");
    let last = service.open("", "The last one", "ring-quick", &["ann", "bob"]);
    // What it had taken is good, and it goes on from there.
    let mut seen = "0".to_string();
    while let Some(told) = slow.next() {
        seen = told.id.unwrap_or(seen);
    }
    let before: u64 = seen.parse().expect("a number");
    let mut again = service.follow("?kind=CONSENSUS_START", "", &[("last-event-id", &seen)]);
    let next = again.next().expect("an event");
    assert!(next.data["seq"].as_u64() > Some(before));
    let mut now = next;
    while now.data["matter"] != json!(last) {
        now = again.next().expect("all that was missed");
    }
    service.end();
    finish(place);
}

#[test]
fn it_ends_with_feeds_and_waiting_requests_open() {
    let place = Place::new();
    let ann = token(&place, &["ann"]);
    let service = Served::start(&place, &[]);
    let feed = service.follow("", &ann, &[]);
    // One that was begun and never finished.
    let mut half = service.connect();
    half.write_all(b"POST /v1/matters HTTP/1.1\r\nhost: localhost\r\ncontent-le").expect("half a request");
    let begun = std::thread::scope(|scope| {
        let waiting = scope.spawn(|| service.get("/v1/turns?wait=50", &ann).status);
        let waits = || service.get("/v1/house", &ann).is(200);
        waits();
        let begun = std::time::Instant::now();
        service.process.signal("TERM");
        // Told at once, or turned away where it came too late to be told.
        let status = waiting.join();
        assert!(matches!(status, Ok(204) | Ok(0) | Err(_)), "{status:?}");
        begun
    });
    assert!(feed.ends());
    service.process.wait().exits(0).tells("ended");
    assert!(begun.elapsed().as_secs() < 8, "it took {:?}", begun.elapsed());
    assert!(!place.house().join("service.json").exists());
    finish(place);
}

#[test]
fn a_feed_that_is_told_nothing_is_heard_of() {
    let place = Place::new();
    let (ann, operator) = (token(&place, &["ann"]), token(&place, &["me", "--operator"]));
    let service = Served::start(&place, &["--heartbeat", "1s", "--rate", "0"]);
    let mut feed = service.follow("", &ann, &[]);
    // What happens meanwhile is not for this reader, and never stops: to the reader that is silence.
    let over = std::sync::atomic::AtomicBool::new(false);
    let beats = std::thread::scope(|scope| {
        scope.spawn(|| {
            let mut nth = 0;
            while !over.load(std::sync::atomic::Ordering::Relaxed) {
                nth += 1;
                let seen = json!({ "agent": "cy", "kind": "progress", "text": format!("step {nth}") });
                service.post("/v1/observations", &operator, &seen).is(200);
            }
        });
        let beats = [feed.next_or_beat(), feed.next_or_beat()];
        over.store(true, std::sync::atomic::Ordering::Relaxed);
        beats
    });
    let ids = beats.map(|beat| beat.filter(|beat| beat.kind.is_empty()).and_then(|beat| beat.id));
    let [Some(first), Some(second)] = ids else { panic!("no heartbeat: {ids:?}") };
    let place_of = |id: &str| id.parse::<usize>().expect("a number");
    assert!(place_of(&first) < place_of(&second), "it goes on: {first}, {second}");
    assert!(place_of(&second) <= place.acts().len());
    // Who goes on from there has missed nothing.
    let matter = service.open(&operator, "Ours?", "ring-quick", &["ann", "bob"]);
    let told = service.follow("", &ann, &[("last-event-id", &second)]).next().expect("an event");
    assert_eq!((told.kind.as_str(), &told.data["matter"]), ("CONSENSUS_START", &json!(matter)));
    assert_eq!(feed.next().expect("an event").data, told.data);
    service.end();
    finish(place);
}

#[test]
fn a_deadlock_is_told_the_same_whenever_it_is_read() {
    let place = Place::new();
    let still = include_str!("../../../../../charters/ring-quick.toml")
        .replace("\"ring-quick\"", "\"still\"")
        .replace("[ring]\n", "[ring]\nstill_rounds = 1\nstill_from = 2\n");
    place.write(".synod/charters/still.toml", still);
    let service = Served::start(&place, &[]);
    let body = json!({ "question": "Go round?", "charter": "still", "seats": ["ann", "bob"], "set": { "rounds": 5 } });
    let told = service.post("/v1/matters", "", &body).is(201).json();
    let matter = told["matter"].as_str().expect("a matter");
    let mut live = service.follow("?kind=DEADLOCK_DETECTED,CONSENSUS_END&after=0", "", &[]);
    let does = |who: &str, what: &str, mut body: Value| {
        let headers = [("content-type", "application/json"), ("synod-for", who)];
        if what != "join" && what != "votes" {
            let path = format!("/v1/turns?wait=20&matter={matter}");
            let turns = service.raw("GET", &path, &[("synod-for", who)], b"").is(200).json();
            body["ask"] = turns["turns"][0]["ask"].clone();
        }
        let path = format!("/v1/matters/{matter}/{what}");
        service.raw("POST", &path, &headers, body.to_string().as_bytes()).is(200).json()
    };
    does("ann", "join", json!({}));
    does("bob", "join", json!({}));
    let put = does("ann", "proposals", json!({ "title": "Wait", "text": "Wait a week." }));
    does("bob", "skip", json!({}));
    for who in ["ann", "bob"] {
        does(who, "contributions", json!({ "kind": "opinion", "text": format!("{who} is of two minds.") }));
    }
    // The second round brings nothing new.
    does("ann", "skip", json!({}));
    does("bob", "skip", json!({}));
    let prompt = live.next().expect("an event");
    assert_eq!(prompt.kind, "DEADLOCK_DETECTED");
    assert_eq!(prompt.data["data"], json!({ "round": 2, "next": "vote" }));
    for who in ["ann", "bob"] {
        does(who, "votes", json!({ "proposal": put["events"][0]["id"], "grade": "approve" }));
    }
    live.until("CONSENSUS_END");
    let late = service.follow("?kind=DEADLOCK_DETECTED&after=0", "", &[]).next().expect("an event");
    assert_eq!((late.id, late.data), (prompt.id, prompt.data));
    service.end();
    finish(place);
}
