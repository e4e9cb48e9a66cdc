//! How much one may ask.

use serde_json::json;

use super::{Served, judged, token, turned_away};
use crate::houses::finish;
use crate::world::Place;

#[test]
fn each_token_has_its_own_rate() {
    let place = Place::new();
    let (ann, bob) = (token(&place, &["ann"]), token(&place, &["bob"]));
    let service = Served::start(&place, &["--rate", "1"]);
    // Two at once, then one a second.
    let answers: Vec<u16> = (0..6).map(|_| service.get("/v1/house", &ann).status).collect();
    assert_eq!(answers[..2], [200, 200]);
    assert!(answers.contains(&429), "{answers:?}");
    let refused = loop {
        let answer = service.get("/v1/house", &ann);
        if answer.status == 429 {
            break answer.fails(429, "service/rate");
        }
    };
    assert_eq!(refused.headers["retry-after"], "1");
    service.get("/v1/house", &bob).is(200);
    // Those without a good token share one bucket.
    let strangers: Vec<u16> = (0..6).map(|_| service.get("/v1/house", "synod_x").status).collect();
    assert!(strangers.contains(&401) && strangers.contains(&429), "{strangers:?}");
    service.end();
    finish(place);
}

#[test]
fn each_token_has_so_many_places() {
    let place = Place::new();
    let (ann, bob) = (token(&place, &["ann"]), token(&place, &["bob"]));
    let service = Served::start(&place, &["--places", "1"]);
    let feed = service.follow("", &ann, &[]);
    assert_eq!(feed.status, 200);
    let refused = service.get("/v1/turns?wait=1", &ann).fails(429, "service/places");
    assert_eq!(refused.headers["retry-after"], "5");
    service.get("/v1/turns", &ann).is(204);
    service.get("/v1/turns?wait=1", &bob).is(204);
    // Who goes away makes room; the service finds out when it next has something to say.
    drop(feed);
    while service.get("/v1/turns?wait=1", &ann).status == 429 {}
    service.end();
    finish(place);
}

#[test]
fn large_bodies_are_not_read() {
    let place = Place::new();
    let service = Served::start(&place, &[]);
    let body = json!({ "question": "x".repeat(2 << 20) }).to_string();
    let headers = [("content-type", "application/json")];
    service.raw("POST", "/v1/matters", &headers, body.as_bytes()).fails(413, "request/too-large");
    assert_eq!(judged(&place), 1);
    service.end();
    finish(place);
}

#[test]
fn what_participants_send_is_bounded() {
    let place = Place::new();
    let (ann, bob) = (token(&place, &["ann"]), token(&place, &["bob"]));
    let operator = token(&place, &["me", "--operator"]);
    let service = Served::start(&place, &[]);
    let matter = service.open(&operator, "Long?", "ring-default", &["ann", "cy"]);
    let ask = service.turn(&ann, &matter)["ask"].clone();
    let acts = judged(&place);
    let said = |length: usize| json!({ "ask": ask, "kind": "opinion", "text": "ü".repeat(length) });
    let path = format!("/v1/matters/{matter}/contributions");
    for token in [&ann, &bob] {
        service.post(&path, token, &said(33_000)).fails(413, "request/too-large");
        service.post(&path, token, &said(16_001)).fails(422, "request/unfit");
    }
    let vote = json!({ "proposal": ask, "grade": "approve", "conditions": ["x".repeat(16_001)] });
    service.post(&format!("/v1/matters/{matter}/votes"), &ann, &vote).fails(422, "request/unfit");
    let seen = json!({ "agent": "ann", "kind": "progress", "text": "x".repeat(70_000) });
    service.post("/v1/observations", &ann, &seen).fails(413, "request/too-large");
    service.post(&path, &bob, &said(16_000)).fails(404, "matter/unknown");
    service.post("/v1/matters/m99/contributions", &bob, &said(16_000)).fails(404, "matter/unknown");
    assert_eq!(judged(&place), acts, "nothing of it reached the house");
    // What an invited one tries is in the record, as long as that may be.
    assert_eq!(service.post(&path, &ann, &said(16_000)).status, 409);
    assert_eq!(judged(&place), acts + 1);
    service.end();
    // The rest is there as sums, a stranger's knock beside an invited one's.
    let away = turned_away(&place, &["refusals", "--all"]);
    let each = [
        ("seat:ann", "request/too-large", 2),
        ("seat:ann", "request/unfit", 2),
        ("seat:bob", "matter/unknown", 2),
        ("seat:bob", "request/too-large", 1),
        ("seat:bob", "request/unfit", 1),
    ];
    assert_eq!(away, each.map(|(by, code, count)| (by.into(), code.into(), count)));
    let reports = place.acts().len() - judged(&place);
    assert!((1..=2).contains(&reports), "the first at once, the others together: {reports}");
    finish(place);
}

#[test]
fn whoever_knocks_everywhere_is_counted_and_fills_nothing() {
    let place = Place::new();
    let (bob, operator) = (token(&place, &["bob"]), token(&place, &["me", "--operator"]));
    let service = Served::start(&place, &["--rate", "0"]);
    let matters: Vec<String> =
        (0..70).map(|_| service.open(&operator, "Open?", "ring-quick", &["ann", "cy"])).collect();
    for matter in &matters {
        service.post(&format!("/v1/matters/{matter}/join"), &bob, &json!({})).fails(404, "matter/unknown");
    }
    service.end();
    let away = turned_away(&place, &["refusals", "--all"]);
    assert_eq!(away, [("seat:bob".into(), "matter/unknown".into(), 70)], "none is forgotten");
    let reports: Vec<usize> = place
        .acts()
        .iter()
        .filter_map(|act| act["command"]["report_rejections"]["sums"].as_array().map(Vec::len))
        .collect();
    // Half of the sums may say where; then they only say who.
    assert!(reports.iter().all(|sums| (1..=33).contains(sums)) && reports.len() <= 2, "{reports:?}");
    finish(place);
}

#[test]
fn what_is_refused_of_a_participant_is_bounded_too() {
    let place = Place::new();
    let (ann, operator) = (token(&place, &["ann"]), token(&place, &["me", "--operator"]));
    let service = Served::start(&place, &["--rate", "1000"]);
    let matter = service.open(&operator, "Long?", "ring-default", &["ann", "cy"]);
    let ask = service.turn(&ann, &matter)["ask"].clone();
    let acts = place.acts().len();
    let said = json!({ "ask": ask, "kind": "opinion", "text": "x".repeat(16_000) });
    let path = format!("/v1/matters/{matter}/contributions");
    let bearer = format!("Bearer {ann}");
    let keyed =
        [("content-type", "application/json"), ("authorization", &*bearer), ("idempotency-key", "once")];
    let once = || service.raw("POST", &path, &keyed, said.to_string().as_bytes());
    let first = once();
    assert_eq!(first.status, 409);
    let mut answers = (0..40).map(|_| service.post(&path, &ann, &said).status);
    let kept = answers.by_ref().take_while(|status| *status == 409).count();
    assert!((15..=20).contains(&kept), "a quarter of a megabyte of it is kept: {kept}");
    // From then on it is turned away before it reaches the record, and with it whatever else they try.
    let answer = service.post(&path, &ann, &said).fails(429, "service/refusals");
    assert!(answer.headers["retry-after"].parse::<u64>().is_ok_and(|seconds| seconds > 0));
    service.post(&format!("/v1/matters/{matter}/join"), &ann, &json!({})).fails(429, "service/refusals");
    service.get(&format!("/v1/matters/{matter}"), &ann).is(200);
    // What was answered is told again under its key: that costs the record nothing.
    let again = once();
    assert_eq!((again.status, &again.body), (409, &first.body));
    assert_eq!(again.headers["idempotency-replayed"], "true");
    service.end();
    // The last act interrupts the ring: its service is gone.
    assert_eq!(judged(&place) - acts, 1 + kept + 1, "and no more");
    finish(place);
}

#[test]
fn however_a_matter_is_written_who_is_turned_away_there_is_listed_there() {
    let place = Place::new();
    let (ann, operator) = (token(&place, &["ann"]), token(&place, &["me", "--operator"]));
    let service = Served::start(&place, &[]);
    let matter = service.open(&operator, "Hidden?", "ring-default", &["ann", "cy"]);
    let written: String = matter.bytes().map(|byte| format!("%{byte:02X}")).collect();
    let json_type = ("content-type", "application/json");
    let bearer = format!("Bearer {ann}");
    let headers = [json_type, ("authorization", bearer.as_str())];
    service
        .raw("POST", &format!("/v1/matters/{written}/stop"), &headers, b"{}")
        .fails(403, "token/not-operator");
    // A stranger's knock says nothing of where.
    service
        .raw(
            "POST",
            &format!("/v1/matters/{matter}/stop"),
            &[json_type, ("authorization", super::NO_TOKEN)],
            b"{}",
        )
        .fails(401, "token/missing");
    service.end();
    let here = turned_away(&place, &["refusals", &matter]);
    assert_eq!(here, [("seat:ann".into(), "token/not-operator".into(), 1)]);
    let all = turned_away(&place, &["refusals", "--all"]);
    assert_eq!(all[0], ("a stranger".into(), "token/missing".into(), 1));
    finish(place);
}
