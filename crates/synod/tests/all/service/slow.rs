//! When somebody does not come to an end: a body, a disk.

use std::io::{BufReader, Read as _, Write as _};

use rusqlite::Connection;
use serde_json::{Value, json};

use super::{Answer, Served, judged, read_head, token, turned_away};
use crate::houses::finish;
use crate::world::{Place, Started};

/// Announces a body of so many bytes, sends a few of them, and waits for what is said to that.
fn begins(service: &Served, method: &str, path: &str, token: &str, length: usize) -> Answer {
    let mut stream = service.connect();
    let head = format!(
        "{method} {path} HTTP/1.1\r\nhost: {}\r\nauthorization: Bearer {token}\r\ncontent-type: application/json\r\ncontent-length: {length}\r\n\r\n{{\"qu",
        service.address
    );
    stream.write_all(head.as_bytes()).expect("the beginning of a request");
    let mut reader = BufReader::new(stream);
    let (status, headers) = read_head(&mut reader);
    let mut body = String::new();
    // The connection ends with the answer: what else may come on it is not to be trusted.
    reader.read_to_string(&mut body).expect("an answer and the end");
    Answer { status, headers, body }
}

#[test]
fn a_body_that_does_not_come_is_waited_for_so_long() {
    let place = Place::new();
    let (ann, operator) = (token(&place, &["ann"]), token(&place, &["me", "--operator"]));
    let service = Served::start(&place, &["--body-within", "1s"]);
    let document = service.get("/openapi.json", "").json();
    // One that is read before anything is decided, and one that its route reads; where no body belongs as well.
    for (method, path, length) in
        [("POST", "/v1/matters", 100), ("POST", "/v1/matters", 500_000), ("GET", "/v1/house", 100)]
    {
        let answer = begins(&service, method, path, &operator, length).fails(408, "request/slow");
        assert!(answer.body.contains("within 1 second"), "{answer:?}");
        assert_eq!(answer.headers["connection"], "close");
        assert!(document["paths"][path][method.to_lowercase()]["responses"]["408"].is_object());
    }
    begins(&service, "POST", "/v1/observations", &ann, 100).fails(408, "request/slow");
    assert_eq!(judged(&place), 1, "nothing happened");
    service.end();
    // Whose they were is known, though nobody read them; what would change nothing is not counted.
    let away = turned_away(&place, &["refusals", "--all"]);
    let each = [("operator", 2), ("seat:ann", 1)];
    assert_eq!(away, each.map(|(by, count)| (by.into(), "request/slow".into(), count)));
    finish(place);
}

fn opening(nth: usize) -> Value {
    let topic = format!("{nth} {}", "x".repeat(15_000));
    json!({ "question": topic, "charter": "ring-quick", "seats": ["ann", "bob"] })
}

#[test]
fn what_takes_too_long_is_told_and_happens_once() {
    let place = Place::new();
    let service = Served::start(&place, &["--answer-within", "1s"]);
    service.open("", "First?", "ring-quick", &["ann", "bob"]);
    // Somebody else holds the database: the write waits.
    let other = Connection::open(place.journal()).expect("the journal");
    other.execute_batch("BEGIN IMMEDIATE").expect("held");
    let slow = service.keyed("/v1/matters", "", &opening(1), Some("k")).fails(503, "service/slow");
    assert_eq!(slow.headers["retry-after"], "1");
    service.get("/v1/house", "").is(200);
    other.execute_batch("ROLLBACK").expect("let go");
    drop(other);
    // It happened after all, and its key says so.
    let told = loop {
        let answer = service.keyed("/v1/matters", "", &opening(1), Some("k"));
        if answer.status != 503 {
            break answer.is(201);
        }
    };
    assert_eq!(told.headers["idempotency-replayed"], "true");
    let matters = service.get("/v1/matters", "").is(200).json();
    assert_eq!(matters["matters"].as_array().map(Vec::len), Some(2), "{matters}");
    service.end();
    finish(place);
}

#[test]
fn a_house_that_cannot_be_written_says_so_and_can_be_read() {
    let place = Place::new();
    // No file may grow beyond this; the journal's log does after some matters.
    let mut shell = place.bare("sh");
    shell.args(["-c", "trap '' XFSZ; ulimit -f 600; exec \"$0\" \"$@\"", env!("CARGO_BIN_EXE_synod")]);
    shell.args(["serve", "--listen", "127.0.0.1:0", "--json", "--rate", "0"]);
    let service = Served::answering(Started::of(shell, b""));
    let key = |nth: usize| format!("k{nth}");
    let mut nth = 0;
    let full = loop {
        nth += 1;
        let answer = service.keyed("/v1/matters", "", &opening(nth), Some(&key(nth)));
        if answer.status != 201 {
            break answer.fails(503, "house/io");
        }
        assert!(nth < 200, "the disk never filled");
    };
    assert_eq!(full.headers["retry-after"], "1");
    let count = |service: &Served| {
        let matters = service.get("/v1/matters?limit=500", "").is(200).json();
        matters["matters"].as_array().map(Vec::len)
    };
    assert_eq!(count(&service), Some(nth - 1), "it can be read, and shows nothing that is not kept");
    // The writer starts its log again, which makes a little room; then a trigger fails in the same way.
    let wish = json!({ "kind": "user", "topic": "x".repeat(15_000), "participants": ["ann", "bob"] });
    let mut wishes = (0..200).map(|_| service.post("/v1/triggers", "", &wish));
    wishes.find(|answer| answer.status != 200).expect("the disk fills").fails(503, "house/io");
    let kept = count(&service).expect("a list");
    service.end();
    // With room again the same write happens, once.
    let service = Served::start(&place, &[]);
    let told = service.keyed("/v1/matters", "", &opening(nth), Some(&key(nth))).is(201);
    assert!(!told.headers.contains_key("idempotency-replayed"), "it did not happen before");
    assert_eq!(count(&service), Some(kept + 1));
    service.end();
    finish(place);
}
