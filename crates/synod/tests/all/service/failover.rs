//! Fail-over: a standby takes over from a service that was killed; one that was put aside and comes back is fenced.
//! What was decided stays decided, what was sent again happens once.

use std::io::Write as _;
use std::net::TcpStream;

use serde_json::{Value, json};

use super::ring::{through, to_the_vote};
use super::{Answer, Served, token};
use crate::houses::finish;
use crate::world::{Place, Started};

const NAMES: [&str; 3] = ["ann", "bob", "cy"];

/// A place with everybody's tokens, the operator's last.
fn place() -> (Place, [String; 4]) {
    let place = Place::new();
    let [ann, bob, cy] = NAMES.map(|name| token(&place, &[name]));
    let operator = token(&place, &["me", "--operator"]);
    (place, [ann, bob, cy, operator])
}

/// A standby that has seen that the house is held.
#[track_caller]
fn standby(place: &Place, address: &str, holder: u32, term: u64) -> Started {
    let process = place.start(["serve", "--standby", "--listen", address, "--json"]);
    process.until_told(&format!("standing by: .synod is owned by `synod serve` (pid {holder} on "));
    process.until_told(&format!(", term {term}) since "));
    process
}

fn vote(proposal: &Value) -> Value {
    json!({ "proposal": proposal, "grade": "approve", "rationale": "it is cheap" })
}

/// Votes under a key that is the voter's own.
fn votes(service: &Served, matter: &str, token: &str, proposal: &Value) -> Answer {
    service.keyed(&format!("/v1/matters/{matter}/votes"), token, &vote(proposal), Some("my-only-vote"))
}

/// The same, without waiting for what becomes of it.
fn votes_unheard(service: &Served, matter: &str, token: &str, proposal: &Value) -> TcpStream {
    let body = vote(proposal).to_string();
    let mut stream = TcpStream::connect(&service.address).expect("a connection");
    let head = format!(
        "POST /v1/matters/{matter}/votes HTTP/1.1\r\nhost: {}\r\nauthorization: Bearer {token}\r\n\
         content-type: application/json\r\nidempotency-key: my-only-vote\r\ncontent-length: {}\r\n\r\n{body}",
        service.address,
        body.len()
    );
    stream.write_all(head.as_bytes()).expect("a request");
    stream
}

/// Who voted in the end, as often as it is in the record, and how often the matter was settled.
fn in_the_record(place: &Place, matter: &str) -> (Vec<String>, usize) {
    let mut voters = Vec::new();
    let mut settled = 0;
    for act in place.acts() {
        for event in act["outcome"]["done"].as_array().into_iter().flatten() {
            if event["ballot"]["graded"].is_object()
                && act["command"]["ring"]["participate"]["matter"] == matter
            {
                voters.extend(act["by"].as_str().map(String::from));
            }
            settled += usize::from(event["matter"]["settled"]["matter"] == matter);
        }
    }
    voters.sort();
    (voters, settled)
}

#[test]
fn a_standby_takes_over_in_the_middle_of_a_vote() {
    let (place, [ann, bob, cy, operator]) = place();
    let agents = [ann.as_str(), &bob, &cy];
    let mut first = Served::start(&place, &[]);
    let decided = first.open(&operator, "Should we cache?", "ring-default", &NAMES);
    through(&first, &decided, &agents);
    let matter = first.open(&operator, "For how long?", "ring-default", &NAMES);
    let proposal = to_the_vote(&first, &matter, &agents);
    let looks = |service: &Served| {
        ["matters", "receipts"]
            .map(|what| service.get(&format!("/v1/{what}/{decided}"), &operator).is(200).json())
    };
    let before = looks(&first);
    assert_eq!(before[0]["ring"]["phase"], "COMMITTED");

    // It is given the very address of the one it waits for.
    let second = standby(&place, &first.address, first.process.pid(), 1);
    place.run(["doctor"]).exits(0).prints(", term 1) since ");
    place.run(["serve", "--listen", "127.0.0.1:0"]).exits(75).tells(", term 1) since ");
    let taken = votes(&first, &matter, &ann, &proposal).is(200);
    let unheard = votes_unheard(&first, &matter, &bob, &proposal);
    first.process.kill();
    drop(unheard);

    second.until_told("the house is free: took over in term 2");
    second.until_told("matter 2 resumed");
    let second = Served::answering(second);
    assert_eq!(second.address, first.address);
    assert_eq!(looks(&second), before, "what was decided is what it was");
    // Everybody sends again what they are not sure of.
    let again = votes(&second, &matter, &ann, &proposal).is(200);
    assert_eq!(
        (again.headers.get("idempotency-replayed").map(String::as_str), again.done()),
        (Some("true"), taken.done())
    );
    votes(&second, &matter, &bob, &proposal).is(200);
    votes(&second, &matter, &cy, &proposal).is(200);
    let shown = second.get(&format!("/v1/matters/{matter}"), &operator).is(200).json();
    assert_eq!(
        (&shown["ring"]["phase"], &shown["ring"]["committed"]),
        (&json!("COMMITTED"), &proposal),
        "{shown}"
    );
    second.end();
    let once = ["seat:ann", "seat:bob", "seat:cy"].map(String::from).to_vec();
    assert_eq!(in_the_record(&place, &matter), (once, 1));
    finish(place);
}

#[test]
fn one_that_comes_back_is_fenced() {
    let (place, [ann, bob, cy, operator]) = place();
    let agents = [ann.as_str(), &bob, &cy];
    let stale = Served::start(&place, &[]);
    let matter = stale.open(&operator, "Should we cache?", "ring-default", &NAMES);
    let proposal = to_the_vote(&stale, &matter, &agents);
    votes(&stale, &matter, &ann, &proposal).is(200);
    stale.process.signal("STOP");
    // Somebody takes the file for what is in the way.
    std::fs::remove_file(place.house().join("lock")).expect("a lock");
    let next = Served::start(&place, &[]);
    votes(&next, &matter, &bob, &proposal).is(200);
    votes(&next, &matter, &cy, &proposal).is(200);
    let receipt = || next.get(&format!("/v1/receipts/{matter}"), &operator).is(200).json();
    let before = receipt();

    stale.process.signal("CONT");
    // By what it knows the vote is still open.
    let told = votes(&stale, &matter, &cy, &proposal).fails(503, "house/fenced");
    assert!(told.body.contains("it has the house by term 1, and `synod serve` (pid "), "{told:?}");
    let ended = stale.process.wait().exits(75);
    let by = format!("`synod serve` (pid {} on ", next.process.pid());
    ended
        .tells("this process may write no more")
        .tells(&by)
        .tells(", term 2) since ")
        .tells("the file `lock`");

    assert_eq!(receipt(), before);
    let again = votes(&next, &matter, &cy, &proposal).is(200);
    assert_eq!(again.headers.get("idempotency-replayed").map(String::as_str), Some("true"));
    // The one that ended has not taken away what leads commands of the house to the other.
    let other = next.open(&operator, "And then?", "ring-default", &NAMES);
    place.run(["pause", &other]).exits(0);
    next.end();
    let once = ["seat:ann", "seat:bob", "seat:cy"].map(String::from).to_vec();
    assert_eq!(in_the_record(&place, &matter), (once, 1));
    finish(place);
}

#[test]
fn a_standby_that_is_not_needed_ends_in_peace() {
    let (place, [.., operator]) = place();
    let service = Served::start(&place, &[]);
    let silent =
        std::net::TcpListener::bind("127.0.0.1:0").expect("a port").local_addr().expect("an address");
    let waiting = standby(&place, &silent.to_string(), service.process.pid(), 1);
    assert!(TcpStream::connect(silent).is_err(), "nothing listens while it waits");
    waiting.signal("TERM");
    let run = waiting.wait().exits(0).tells("ended; another process owned the house the whole time");
    assert_eq!((run.out.as_str(), run.err.matches("standing by").count()), ("", 1), "{run}");
    service.open(&operator, "Still there?", "ring-default", &NAMES);
    service.end();
    // Where nobody holds the house there is nothing to wait for.
    let service = Served::start(&place, &["--standby"]);
    service.end();
    finish(place);
}
