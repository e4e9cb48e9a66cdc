//! The same commands through a service: found by the lock, or named with a token from elsewhere.

use crate::houses::finish;
use crate::service::{Served, token};
use crate::world::Place;

#[test]
fn agents_go_through_the_service_that_holds_the_house() {
    let place = Place::new();
    let served = Served::start(&place, &[]);
    let url = format!("http://{}", served.address);
    let bob = place.run(["token", "create", "bob"]).exits(0).out.trim().to_string();
    let other = Place::new().with("SYNOD_SERVICE", &url).with("SYNOD_TOKEN", &bob);

    let convened = [
        "ring",
        "open",
        "Shall we?",
        "--invite",
        "ann=m",
        "--invite",
        "bob=m",
        "--charter",
        "quick",
        "--rounds",
        "1",
    ];
    let opened = place.json(convened);
    assert_eq!(opened["ring"]["phase"], "GATHERING", "{opened}");
    let matter = opened["matter"].as_str().expect("a matter");
    place.run(["doctor"]).prints("open: 1").hides("synod resume");
    place.run(["ring", "join", "--as", "ann"]).exits(0);
    other.run(["ring", "turn", "--wait", "30s"]).exits(0).prints("You are invited");
    other.run(["ring", "join", "--as", "ann"]).exits(64).tells("this token belongs to bob");
    other.run(["ring", "join"]).exits(0).prints("bob joined");
    other.run(["ring", "start", matter]).exits(64);

    let waiting = other.start(["ring", "turn", "--wait", "60s", "--json"]);
    assert_eq!(waiting.wait().exits(0).json()["turn"]["task"], "propose");
    other.run(["ring", "skip"]).exits(0);
    let waiting = other.start(["ring", "turn", "--wait", "60s", "--json"]);
    place.run(["ring", "propose", "--as", "ann", "--title", "Yes", "We should."]).exits(0);
    place.run(["ring", "say", "--as", "ann", "It is time."]).exits(0);
    let turn = waiting.wait().exits(0).json();
    assert_eq!((&turn["turn"]["task"], &turn["turn"]["who"]), (&"speak".into(), &"bob".into()), "{turn}");
    other.run(["ring", "amend", "A", "We should, from March on."]).exits(0);
    place.run(["ring", "rule", "--as", "ann", "A", "--accept"]).exits(0);
    other.run(["ring", "status"]).exits(0).prints("VOTING").prints("from March on");
    other.run(["ring", "vote", "approve"]).exits(0).prints("voted APPROVE");
    let again = other.json(["ring", "vote", "approve"]);
    assert_eq!(again["error"]["code"], "ballot/already-cast", "{again}");
    place.run(["ring", "vote", "--as", "ann", "A", "approve_with_concerns"]).exits(0);
    other.run(["ring", "turn", "--wait", "30s"]).exits(2).tells("is over: COMMITTED");
    let shown = other.json(["ring", "status"]);
    assert!(shown["ring"]["vote"]["voters"].is_object(), "two voters with one model are not two: {shown}");

    // The hook finds its turn there, too.
    let second = ["ring", "open", "Again?", "--invite", "bob", "--invite", "ann", "--key", "k1"];
    let first = place.json(second);
    assert_eq!(place.json(second)["matter"], first["matter"], "one key opens one ring");
    let event = br#"{"session_id":"s","hook_event_name":"SessionStart"}"#;
    other.feed(["hook"], event).exits(0).prints("you are invited");
    let wrote = br#"{"session_id":"s","hook_event_name":"PostToolUse","tool_name":"Edit","tool_input":{"file_path":"/src/a.rs"}}"#;
    other.feed(["hook"], wrote).exits(0);
    let acts = place.acts();
    let noted = &acts.last().expect("an act")["command"]["observe"]["observation"];
    assert_eq!(
        (&noted["agent"], &noted["seen"]["write"]["path"]),
        (&"bob".into(), &"/src/a.rs".into()),
        "{noted}"
    );
    served.end();
    other.run(["ring", "turn"]).exits(69).tells("cannot be reached");
    let quiet = other.feed(["hook"], event).exits(0);
    assert!(quiet.out.is_empty() && quiet.err.is_empty(), "{quiet}");
    place.run(["ring", "turn", "--as", "bob"]).exits(0);
    finish(place);
}

/// The requests that a service was sent since there were so many.
fn requests(served: &Served, since: usize) -> Vec<String> {
    let said = served.process.said();
    let lines = said.lines().filter(|line| line.contains(" /v1/")).skip(since);
    lines.map(|line| line.split(' ').take(2).collect::<Vec<_>>().join(" ")).collect()
}

#[test]
fn a_command_through_a_service_is_one_request() {
    let place = Place::new();
    let bob = token(&place, &["bob"]);
    let served = Served::start(&place, &["--verbose", "--rate", "0"]);
    let other =
        Place::new().with("SYNOD_SERVICE", &format!("http://{}", served.address)).with("SYNOD_TOKEN", &bob);
    let opened = ["ring", "open", "Shall we?", "--charter", "quick", "--rounds", "1"];
    place.run(opened.into_iter().chain(["--invite", "ann", "--invite", "bob"])).exits(0);
    let mut count = requests(&served, 0).len();
    let mut sends = |place: &Place, args: &[&str], expected: &[&str]| {
        place.run(args).exits(0);
        // What it was answered is told a moment before it is told on stderr.
        let sent = loop {
            let sent = requests(&served, count);
            if sent.len() >= expected.len() {
                break sent;
            }
        };
        assert_eq!(sent, expected, "{args:?}");
        count += sent.len();
    };
    let to = |what: &str| format!("POST /v1/matters/last-ring/{what}");
    sends(&place, &["ring", "join", "--as", "ann"], &[&to("join")]);
    sends(&other, &["ring", "join"], &[&to("join")]);
    sends(&other, &["ring", "turn", "--no-ack"], &["GET /v1/turns"]);
    sends(&other, &["ring", "propose", "--title", "Yes", "We should."], &[&to("proposals")]);
    sends(&place, &["ring", "skip", "--as", "ann"], &[&to("skip")]);
    sends(&place, &["ring", "say", "--as", "ann", "It is time.", "--to", "A"], &[&to("contributions")]);
    sends(&other, &["ring", "react", "A", "agree"], &[&to("reactions")]);
    sends(&place, &["ring", "status", "--as", "ann"], &["GET /v1/matters/last-ring"]);
    sends(&other, &["ring", "status"], &["GET /v1/matters/last-ring"]);
    sends(&other, &["ring", "vote", "A", "approve", "--rationale", "It is time."], &[&to("votes")]);
    sends(&place, &["ring", "vote", "--as", "ann", "approve"], &[&to("votes")]);
    served.end();
    finish(place);
}
