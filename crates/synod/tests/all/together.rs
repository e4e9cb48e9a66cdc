//! Several processes in one house: debates in several terminals, and what becomes of one when another ends or is killed.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use serde_json::Value;

use crate::houses::finish;
use crate::server::{Server, say, side};
use crate::service::Served;
use crate::world::{Place, Started, each};

/// A server that answers for `fast` at once, and for `slow` once it is let go. What is asked before that is answered then.
fn gated() -> (Server, Arc<AtomicBool>) {
    let open = Arc::new(AtomicBool::new(false));
    let gate = open.clone();
    let server = Server::start(move |request| {
        while request.seat().starts_with("slow") && !gate.load(Ordering::SeqCst) {
            std::thread::sleep(Duration::from_millis(2));
        }
        say(side(request, "YES"))
    });
    (server, open)
}

/// A debate of one round and a vote, in a terminal of its own.
fn debate(place: &Place, server: &Server, topic: &str, seats: &[&str]) -> Started {
    let seats: Vec<String> =
        seats.iter().map(|model| format!("--seat={model}-x={}#{model}", server.url)).collect();
    let mut args = vec!["debate", topic, "--charter=adversarial", "--rounds=2", "--no-synthesis"];
    args.extend(seats.iter().map(String::as_str));
    place.start(args)
}

/// How often each model was asked about each topic.
fn calls(server: &Server, topics: &[&str]) -> BTreeMap<(String, String), usize> {
    let mut calls = BTreeMap::new();
    for seen in server.log() {
        let told = seen.request.told();
        let topic = topics.iter().find(|topic| told.contains(**topic)).copied().unwrap_or("?");
        *calls.entry((topic.to_string(), seen.request.seat())).or_default() += 1;
    }
    calls
}

#[track_caller]
fn asked(server: &Server, topic: &str) {
    assert!(
        server.wait(|log| log.iter().any(|seen| seen.request.told().contains(topic))),
        "{topic} is asked"
    );
}

/// The statuses of all matters, oldest first.
fn statuses(place: &Place) -> Vec<String> {
    each(&place.json(["list"]), "status").iter().map(ToString::to_string).collect()
}

/// Three calls each: two rounds and a vote.
fn thrice<'a>(topics: &[(&'a str, &'a str)]) -> BTreeMap<(String, String), usize> {
    topics.iter().map(|(topic, seat)| ((topic.to_string(), seat.to_string()), 3)).collect()
}

#[test]
fn two_terminals_debate_in_one_house() {
    let ((server, open), place) = (gated(), Place::new());
    let first = debate(&place, &server, "First?", &["slow1"]);
    asked(&server, "First?");
    let second = debate(&place, &server, "Second?", &["slow2"]);
    asked(&server, "Second?");
    assert_eq!(statuses(&place), ["running", "running"]);
    // A third comes and goes beside them.
    debate(&place, &server, "Third?", &["fast"]).wait().exits(0).prints("PASSED");
    assert_eq!(statuses(&place), ["running", "running", "passed"]);
    open.store(true, Ordering::SeqCst);
    let (first, second) = (first.wait().exits(0), second.wait().exits(0));
    // Each tells of its own matter alone.
    assert!(first.err.contains("slow1-x votes YES") && !first.err.contains("slow2"), "{first}");
    assert!(second.err.contains("slow2-x votes YES") && !second.err.contains("slow1"), "{second}");
    assert_eq!(first.err.matches("── debate").count(), 1, "{first}");
    assert_eq!(statuses(&place), ["passed", "passed", "passed"]);
    let topics = ["First?", "Second?", "Third?"];
    assert_eq!(
        calls(&server, &topics),
        thrice(&[("First?", "slow1"), ("Second?", "slow2"), ("Third?", "fast")])
    );
    assert!(!place.house().join("orders.sock").exists());
    finish(place);
}

/// The second takes the house over with its call under way: it is not made again.
#[test]
fn the_first_ends_while_the_second_runs() {
    let ((server, open), place) = (gated(), Place::new());
    let first = debate(&place, &server, "First?", &["slow1"]);
    asked(&server, "First?");
    let second = debate(&place, &server, "Second?", &["slow2"]);
    asked(&server, "Second?");
    place.run(["stop", &matter(&place, 0)]).exits(0);
    first.wait().exits(2).tells("stopped from another terminal").prints("UNDECIDED");
    // Others join the one that holds the house now.
    debate(&place, &server, "Third?", &["fast"]).wait().exits(0);
    until(&place, &["undecided", "running", "passed"]);
    open.store(true, Ordering::SeqCst);
    second.wait().exits(0).prints("PASSED").hides("paused");
    let calls = calls(&server, &["First?", "Second?", "Third?"]);
    assert_eq!(calls[&("Second?".into(), "slow2".into())], 3, "{calls:?}");
    finish(place);
}

#[test]
fn the_first_is_killed_while_the_second_runs() {
    let ((server, open), place) = (gated(), Place::new());
    let mut first = debate(&place, &server, "First?", &["slow1"]);
    asked(&server, "First?");
    let second = debate(&place, &server, "Second?", &["slow2"]);
    asked(&server, "Second?");
    first.kill();
    until(&place, &["interrupted", "running"]);
    open.store(true, Ordering::SeqCst);
    second.wait().exits(0).prints("PASSED").hides("paused");
    place.run(["resume", &matter(&place, 0), "--quiet"]).exits(0).prints("PASSED");
    let calls = calls(&server, &["First?", "Second?"]);
    assert_eq!(calls[&("Second?".into(), "slow2".into())], 3, "{calls:?}");
    assert_eq!(
        calls[&("First?".into(), "slow1".into())],
        4,
        "the call that was cut off is made again: {calls:?}"
    );
    finish(place);
}

#[test]
fn the_second_is_killed_while_the_first_runs() {
    let ((server, open), place) = (gated(), Place::new());
    let first = debate(&place, &server, "First?", &["slow1"]);
    asked(&server, "First?");
    let mut second = debate(&place, &server, "Second?", &["slow2"]);
    asked(&server, "Second?");
    second.kill();
    until(&place, &["running", "interrupted"]);
    // It goes on in a third terminal, and rests there on Ctrl-C while the first goes on.
    let second = place.start(["resume", "--quiet"]);
    until(&place, &["running", "running"]);
    second.signal("INT");
    second.wait().exits(130).tells("Resume with: synod resume");
    assert_eq!(statuses(&place), ["running", "paused"]);
    open.store(true, Ordering::SeqCst);
    first.wait().exits(0).prints("PASSED");
    place.run(["resume", "--quiet"]).exits(0).prints("PASSED");
    finish(place);
}

/// Killed one after the other, at the same moment, with several that might take over: each matter ends as it would have.
#[test]
fn several_are_left_when_the_first_is_killed() {
    let ((server, open), place) = (gated(), Place::new());
    let mut first = debate(&place, &server, "First?", &["slow1"]);
    asked(&server, "First?");
    let topics = ["Second?", "Third?", "Fourth?"];
    let others: Vec<Started> =
        topics.iter().map(|topic| debate(&place, &server, topic, &["slow2"])).collect();
    topics.iter().for_each(|topic| asked(&server, topic));
    first.kill();
    open.store(true, Ordering::SeqCst);
    for other in others {
        other.wait().exits(0).prints("PASSED").hides("paused");
    }
    assert_eq!(statuses(&place), ["interrupted", "passed", "passed", "passed"]);
    place.run(["stop"]).exits(0);
    // No seat answered twice, and no vote was counted twice.
    for acts in answers(&place).values() {
        assert_eq!(*acts, 1);
    }
    finish(place);
}

/// How often each ask was answered.
fn answers(place: &Place) -> BTreeMap<String, usize> {
    let mut answers = BTreeMap::new();
    for act in place.acts() {
        if let Some(ask) =
            act["command"]["answer"]["ask"].as_str().filter(|_| act["outcome"]["done"].is_array())
        {
            *answers.entry(ask.to_string()).or_default() += 1;
        }
    }
    assert!(!answers.is_empty(), "acts have another shape now");
    answers
}

fn matter(place: &Place, nth: usize) -> String {
    place.json(["list"])[nth]["matter"].as_str().expect("a matter").to_string()
}

/// Waits until the matters stand so.
#[track_caller]
fn until(place: &Place, wanted: &[&str]) {
    let begun = std::time::Instant::now();
    while statuses(place) != wanted {
        assert!(begun.elapsed() < Duration::from_secs(30), "{:?}, not {wanted:?}", statuses(place));
    }
}

/// What a debate through a service prints is what it prints alone, but for ids, hashes and times.
#[test]
fn a_debate_through_a_service_is_told_as_one_alone() {
    let (server, place, alone) =
        (Server::start(|request| say(side(request, "NO"))), Place::new(), Place::new());
    let service = Served::start(&place, &["--tokens"]);
    let seats = [server.seat("ann"), server.seat("bob")];
    let args = |more: &'static str| {
        let fixed = ["debate", "Cache it?", "--charter=adversarial", "--rounds=2", more];
        fixed.into_iter().chain(seats.iter().map(String::as_str)).map(String::from).collect::<Vec<_>>()
    };
    let [there, here] = [&place, &alone].map(|place| place.run(args("--json")).exits(1));
    assert_eq!(shape(&there.json()), shape(&here.json()));
    assert_eq!(there.json()["report"]["status"], "rejected");
    let [there, here] = [&place, &alone].map(|place| place.run(args("--exit-on-consensus")).exits(1));
    let words = |told: &str| {
        let mut lines: Vec<String> =
            told.lines().filter(|line| !line.contains("receipt")).map(untimed).collect();
        lines.sort(); // seats vote at the same time
        lines
    };
    assert_eq!((words(&there.out), words(&there.err)), (words(&here.out), words(&here.err)));
    // What goes wrong does so in the same way.
    let [there, here] = [&place, &alone]
        .map(|place| place.run(["debate", "Gone?", "--seat=ann=http://127.0.0.1:1/v1#x", "--quiet"]));
    assert_eq!((there.code, here.code), (69, 69), "{there}\n{here}");
    place.run(["synthesize", "--by=ann"]).exits(69);
    place.run(["fork", &matter(&place, 0), "--at-round=1", "--quiet"]).exits(1).prints("REJECTED");
    service.end();
    alone.spoil();
    finish(place);
}

/// A line without what differs from run to run.
fn untimed(line: &str) -> String {
    line.split("  [").next().unwrap_or_default().to_string()
}

/// A document without numbers, hashes and texts that differ from run to run.
fn shape(value: &Value) -> Value {
    match value {
        Value::Object(fields) => {
            let told = fields.iter().filter(|(name, _)| {
                !["matter", "receipt_file", "receipt", "took_ms"].contains(&name.as_str())
            });
            told.map(|(name, value)| (name.clone(), shape(value))).collect::<serde_json::Map<_, _>>().into()
        }
        Value::Array(items) => items.iter().map(shape).collect::<Vec<_>>().into(),
        Value::Number(_) => "a number".into(),
        Value::String(text) if text.chars().any(|c| c.is_ascii_digit()) => "a text with digits".into(),
        Value::String(_) | Value::Null | Value::Bool(_) => value.clone(),
    }
}

/// Programs, scripts and files are the caller's, wherever the service was started.
#[test]
fn seats_are_performed_where_the_debate_was_started() {
    let place = Place::new();
    let service = Served::start(&place, &[]);
    place.write("below/yes.txt", "@any\nYES\n");
    place.write(
        "below/yes.sh",
        "cat > /dev/null; echo '{\"vote\": \"YES\", \"stance\": \"YES\", \"position\": \"I am '$WHO'\"}'\n",
    );
    let mut command = place.command([
        "debate",
        "Here?",
        "--house=../.synod",
        "--seat=ann=script:yes.txt",
        "--seat=bob=exec[WHO]:sh yes.sh",
    ]);
    command.current_dir(place.dir().join("below")).env("WHO", "elsewhere");
    Started::of(command, b"").wait().exits(0).tells("I am elsewhere");
    service.end();
    finish(place);
}

/// A house that lies deep is joined as well: sockets take short paths only.
#[test]
fn a_house_with_a_long_path_is_joined() {
    let ((server, open), place) = (gated(), Place::new());
    let deep = format!("{}/house", ["a-rather-long-name-of-a-directory"; 6].join("/"));
    let house = format!("--house={deep}");
    let run = |topic: &str, model: &str| {
        place.start(["debate", topic, &house, &format!("--seat=one={}#{model}", server.url), "--quiet"])
    };
    std::fs::create_dir_all(place.dir().join(&deep)).expect("a directory");
    let first = run("First?", "slow1");
    asked(&server, "First?");
    run("Second?", "fast").wait().exits(0);
    open.store(true, Ordering::SeqCst);
    first.wait().exits(0);
    let verified = place.json(["verify", &house]);
    assert_eq!(verified["good"], true, "{verified}");
}

/// The same key in two terminals opens one matter.
#[test]
fn one_key_in_two_terminals_opens_one_matter() {
    let ((server, open), place) = (gated(), Place::new());
    let seat = format!("--seat=one={}#slow", server.url);
    let both =
        [(); 2].map(|()| place.start(["debate", "Once?", &seat, "--key=k", "--quiet", "--no-synthesis"]));
    asked(&server, "Once?");
    assert_eq!(statuses(&place), ["running"]);
    open.store(true, Ordering::SeqCst);
    for process in both {
        process.wait().exits(0).prints("PASSED");
    }
    assert_eq!(server.log().iter().filter(|seen| !seen.request.is_vote()).count(), 1);
    finish(place);
}

/// Words are taken out of the record through whoever holds the house.
#[test]
fn a_matter_is_deleted_while_another_runs() {
    let ((server, open), place) = (gated(), Place::new());
    place.run(["debate", "Is it xyzzy?", &server.seat("fast"), "--quiet"]).exits(0);
    let gone = matter(&place, 0);
    let running = debate(&place, &server, "First?", &["slow1"]);
    asked(&server, "First?");
    place.run(["delete", &gone, "--yes"]).exits(0).prints("is deleted");
    open.store(true, Ordering::SeqCst);
    running.wait().exits(0);
    place.run(["show", &gone]).exits(0).hides("xyzzy");
    finish(place);
}

/// A service that ends leaves the debate of a terminal running: it holds the house itself then.
#[test]
fn a_service_ends_while_a_debate_runs_through_it() {
    let ((server, open), place) = (gated(), Place::new());
    let service = Served::start(&place, &[]);
    let running = debate(&place, &server, "First?", &["slow1"]);
    asked(&server, "First?");
    service.end();
    let begun = std::time::Instant::now();
    while !place.run(["doctor"]).exits(0).out.contains("held by `synod debate`") {
        assert!(begun.elapsed() < Duration::from_secs(30), "the debate holds the house");
    }
    open.store(true, Ordering::SeqCst);
    running.wait().exits(0).prints("PASSED");
    assert_eq!(server.count(), 3, "nothing was asked twice");
    finish(place);
}
