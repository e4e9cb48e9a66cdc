//! Models behind real HTTP: failing, silent, babbling, dear, and gone. The decision says what happened.

use std::collections::BTreeSet;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Barrier};
use std::time::{Duration, Instant};

use serde_json::Value;

use crate::houses::finish;
use crate::server::{Reply, Request, Seen, Server, on_stage, refuse, say, side, speech};
use crate::world::{NOBODY, Place, each};

const SECRET: &str = "sk-test-0123456789abcdef";

/// A command line: a debate with these seats and further arguments.
fn debate(seats: &[String], more: &[&str]) -> Vec<String> {
    let mut args =
        vec!["debate".to_string(), "Should we cache the index?".to_string(), "--no-synthesis".to_string()];
    args.extend_from_slice(seats);
    args.extend(more.iter().map(ToString::to_string));
    args
}

/// Ann and Bob stay where they are; Cid goes over in the first round of debate. All stages are held.
pub(crate) fn divided(request: &Request) -> String {
    let choice = match (request.seat().as_str(), request.stage()) {
        ("ann", _) | (_, "drafts" | "first-vote") => "YES",
        _ => "NO",
    };
    let choice = if request.seat() == "bob" { "NO" } else { choice };
    on_stage(request, choice)
}

/// What two runs of the same debate must have in common.
pub(crate) fn gist(report: &Value) -> Value {
    let mut ballots = report["ballots"].clone();
    for ballot in ballots.as_array_mut().into_iter().flatten() {
        // Votes stand in the order they came, and statements have their ids by it.
        let votes = ballot["votes"].as_array_mut().expect("votes");
        votes.sort_by_key(|vote| vote["who"].to_string());
        for vote in votes.iter_mut().filter_map(Value::as_object_mut) {
            vote.remove("stated");
        }
    }
    let said = report["rounds"].as_array().into_iter().flatten();
    let said: Vec<Value> = said
        .flat_map(|round| round["said"].as_array().into_iter().flatten())
        .map(|said| serde_json::json!([said["round"], said["who"], said["response"]]))
        .collect();
    serde_json::json!({ "decision": report["decision"], "ballots": ballots, "said": said, "dissent": report["dissent"] })
}

#[test]
fn one_stumbles_one_is_silent_one_babbles() {
    let server = Server::start(|request| match (request.seat().as_str(), request.nth_of_seat) {
        ("ann", 1 | 2) => refuse(500, "the model is still loading"),
        ("bob", _) => Reply::Hang,
        ("cid", 1) => say(
            "Sure, here it is!\n```json\n{stance: 'YES', \"position\": \"cid says YES\",}\n```\nAnything else?",
        ),
        _ => say(side(request, "YES")),
    });
    let place = Place::new();
    let seats = server.seats(&["ann", "bob", "cid"]);
    let run = place.run(debate(&seats, &["--set", "turn.limit_ms=3000"])).exits(0);

    let run = run
        .prints("PASSED: 2 of 2 votes for it, needs more than 1/2 [degraded: 1 of 3 seats missing an answer (bob)]")
        .prints("Missing  bob in round 1: no answer within 3.0 s (ask/late)")
        .prints("         bob in first-vote: no answer within 3.0 s (ask/late)")
        .prints("Retried  ann in round 1: 2 calls failed first (backend/http-500, backend/http-500)")
        .prints("Format   cid in round 1: odd quotes, a trailing comma, keys without quotes, JSON inside other text")
        .tells("bob did not answer: no answer within 3.0 s (ask/late)")
        .tells("2 retries")
        .tells("odd format");
    assert!(run.out.contains("2 YES  ann, cid"), "the others are intact\n{run}");
    assert_eq!((server.count_of("ann"), server.count_of("bob"), server.count_of("cid")), (3, 2, 1));

    let report = place.report();
    assert_eq!(each(&report["missing"], "who"), ["bob", "bob"]);
    assert_eq!(report["missing"][0]["cause"]["code"], "ask/late");
    assert_eq!(report["retried"][0]["who"], "ann");
    assert_eq!(
        report["retried"][0]["tries"][1]["cause"]["detail"],
        format!("{} answered 500: the model is still loading", host(&server))
    );
    assert_eq!(
        each(&report["repaired"][0]["repairs"], "code"),
        ["odd-quotes", "trailing-comma", "unquoted-key", "fenced"]
    );
    let said = &report["rounds"][0]["said"];
    assert_eq!(each(said, "who"), ["ann", "cid"]);
    assert_eq!(said[1]["response"]["position"], "cid says YES");
    assert_eq!(report["ballots"][0]["tally"]["missing"], 1);
    assert_eq!(report["spent"]["calls"], 4, "bob's calls have no known end");
    assert_eq!(report["lost"]["calls"], 2);

    let receipt = place.run(["receipt"]).exits(0).json();
    assert_eq!(receipt["body"]["missing"], report["missing"]);
    let page = place.run(["export"]).exits(0);
    page.prints("bob gave no answer in round 1")
        .prints("ann in round 1 was retried after backend/http-500, backend/http-500");
    finish(place);
}

fn host(server: &Server) -> &str {
    server.url.trim_start_matches("http://").trim_end_matches("/v1")
}

#[test]
fn seats_of_a_round_are_asked_at_the_same_time() {
    // Nobody is answered before all five have asked: one after the other, they would all lapse.
    let meeting = Barrier::new(5);
    let server = Server::start(move |request| {
        meeting.wait();
        say(side(request, "YES"))
    });
    let place = Place::new();
    let seats = server.seats(&["ann", "bob", "cid", "dan", "eve"]);
    place
        .run(debate(&seats, &["--set", "turn.limit_ms=20000", "--everyone"]))
        .exits(0)
        .prints("PASSED: 5 of 5 votes")
        .prints("Missing  nobody");
    assert_eq!(server.count(), 5);
    finish(place);
}

/// The bytes with which all of these begin.
fn common_prefix(bodies: &[String]) -> &str {
    let first = &bodies[0];
    let shared = |other: &String| first.bytes().zip(other.bytes()).take_while(|(a, b)| a == b).count();
    let length = bodies.iter().map(shared).min().unwrap_or(0);
    &first[..first.floor_char_boundary(length)]
}

#[test]
fn requests_of_a_round_share_their_leading_bytes() {
    // One model for all, as a provider's cache needs it; the seats are told apart by the last line.
    let seat_of = |request: &Request| {
        ["ann", "bob", "cid"]
            .into_iter()
            .find(|seat| request.told().contains(&format!("\nYou are {seat}.")))
            .unwrap_or("?")
    };
    let server = Server::start(move |request| {
        let mut named = request.clone();
        named.body =
            request.body.replacen("\"model\":\"same\"", &format!("\"model\":\"{}\"", seat_of(request)), 1);
        say(divided(&named))
    });
    let place = Place::new();
    let seats: Vec<String> =
        ["ann", "bob", "cid"].iter().map(|seat| format!("--seat={seat}={}#same", server.url)).collect();
    place.run(debate(&seats, &[])).exits(1).prints("1.0 of 3 independent voters, because all seats use same");

    let log = server.log();
    let bodies = |stage: &str| -> Vec<String> {
        log.iter()
            .filter(|seen| seen.request.stage() == stage)
            .map(|seen| seen.request.body.clone())
            .collect()
    };
    for stage in ["drafts", "debate-1", "debate-2", "final-vote"] {
        let bodies = bodies(stage);
        assert_eq!(bodies.len(), 3, "{stage}");
        let prefix = common_prefix(&bodies);
        assert!(
            prefix.ends_with("You are "),
            "{stage}: they part before the seat is named: …{}",
            tail(prefix)
        );
    }
    let all: Vec<String> =
        ["drafts", "debate-1", "debate-2"].iter().flat_map(|stage| bodies(stage)).collect();
    let question = common_prefix(&all).contains("Should we cache the index?");
    assert!(question, "question, role and contract are shared by all statements");
    finish(place);
}

fn tail(text: &str) -> &str {
    &text[text.ceil_char_boundary(text.len().saturating_sub(200))..]
}

#[test]
fn no_more_calls_than_allowed() {
    let server = Server::start(|request| say(side(request, "YES")));
    let place = Place::new();
    let more = ["--max-calls", "4", "--charter", "collaborative"];
    let run = place.run(debate(&server.seats(&["ann", "bob", "cid"]), &more)).exits(2);
    run.prints("UNDECIDED: too few seats voted")
        .prints("the budget ran out")
        .prints("all 4 calls that the budget allows are made (budget/calls)");
    assert_eq!(server.count(), 4);
    let report = place.report();
    assert_eq!(report["rounds"][0]["said"].as_array().map(Vec::len), Some(3), "what was had is kept");
    assert_eq!(report["ballots"][0]["tally"]["yes"], 1);
    assert_eq!(report["limits"]["calls"], 4);
    finish(place);
}

#[test]
fn a_retry_is_paid_for_like_any_call() {
    let server = Server::start(|_| refuse(503, "busy"));
    let place = Place::new();
    let run = place.run(debate(&server.seats(&["ann"]), &["--max-calls", "2"])).exits(2);
    run.prints("all 2 calls that the budget allows are made").prints("the budget ran out");
    assert_eq!(server.count(), 2);
    finish(place);
}

/// Prices for the models of a server: nothing to read, much to write.
fn prices(place: &Place, server: &Server, names: &[&str]) {
    let rows: Vec<String> =
        names.iter().map(|name| format!("{name} = {{ in = \"0\", out = \"1000\" }}\n")).collect();
    place.write(".synod/prices.toml", format!("[\"{}\"]\n{}", server.url, rows.concat()));
}

#[test]
fn money_is_reserved_before_each_call() {
    let server = Server::start(|request| say(side(request, "YES")));
    let place = Place::new();
    prices(&place, &server, &["ann", "bob", "cid"]);
    // An answer may cost 2048 tokens at a dollar a thousand: of five dollars, two such calls at a time.
    let run = place.run(debate(&server.seats(&["ann", "bob", "cid"]), &["--budget-usd", "5"])).exits(0);
    run.tells("at most $43.0080")
        .prints("PASSED: 2 of 2 votes")
        .prints("1 of 3 seats missing an answer")
        .prints("the budget ran out")
        .prints("the call may cost $2.0480, and $0.9040 of the budget is left (budget/cost)")
        .prints("$0.0400");
    assert_eq!(server.count(), 2, "two drafts");
    let report = place.report();
    assert_eq!(report["spent"]["cost"], 40_000_000, "20 tokens each");
    assert_eq!(report["limits"]["cost"], 5_000_000_000_u64);
    finish(place);
}

#[test]
fn an_unknown_price_is_refused_before_the_first_call() {
    let server = Server::start(|request| say(side(request, "YES")));
    let place = Place::new();
    // The same server by a name that does not say it is this machine, so that nobody knows what it charges.
    let elsewhere = format!("--seat=bob={}#bob", server.url.replace("127.0.0.1", "0.0.0.0"));
    let args = debate(&[server.seat("ann"), elsewhere], &["--budget-usd", "1"]);
    let run = place.run(&args).exits(64);
    run.tells("--budget-usd needs the price of every model, but the price of bob")
        .tells("prices.toml")
        .tells("--max-calls");
    let run = place.json(&args);
    assert_eq!(run["error"]["code"], "budget/price-unknown");
    assert_eq!(server.count(), 0);
    assert!(!place.house().exists());
}

#[test]
fn a_wrong_key_is_tried_once_and_never_shown() {
    // Some servers echo the key they refuse.
    let server = Server::start(|request| {
        let sent = request.headers.iter().find_map(|line| line.strip_prefix("authorization: Bearer "));
        refuse(401, &format!("Incorrect API key provided: {}", sent.unwrap_or("none")))
    });
    let place = Place::new().with("SYNOD_API_KEY", SECRET);
    let seats = server.seats(&["ann"]);
    let run = place.run(debate(&seats, &["--record", "tape.jsonl"])).exits(69);
    run.tells("paused after the first call of each model: ann")
        .tells("synod resume 1 --go-on")
        .tells("answered 401: Incorrect API key provided: [secret]")
        .hides(SECRET);
    assert_eq!(server.count(), 1, "a wrong key does not become right");
    let told = server.log()[0].request.headers.clone();
    assert!(told.contains(&format!("authorization: Bearer {SECRET}")), "the server did get it: {told:?}");
    place.run(debate(&seats, &["--json"])).exits(69).hides(SECRET);
    for args in [&["show"][..], &["export"], &["show", "--json"], &["doctor"], &["receipt"]] {
        place.run(args).hides(SECRET);
    }
    place.holds_nowhere(SECRET);
    finish(place);
}

#[test]
fn a_wrong_model_pauses_before_the_others_are_paid_unless_told_to_go_on() {
    let server = Server::start(|request| match request.seat().as_str() {
        "bob" => refuse(404, "The model `bob` does not exist"),
        _ => say(side(request, "YES")),
    });
    let place = Place::new();
    let seats = server.seats(&["ann", "bob", "cid"]);
    let run = place.run(debate(&seats, &["--json"])).exits(69);
    let told = run.json();
    assert_eq!((&told["status"], &told["halted"]["who"]), (&"paused".into(), &"bob".into()), "{run}");
    assert_eq!(told["halted"]["cause"]["code"], "backend/http-404");
    assert_eq!(server.count_of("bob"), 1);
    let paid = server.count();
    place.run(["show"]).prints("bob").prints("does not exist").prints("synod resume 1 --go-on");
    place.run(["resume", "--go-on"]).exits(0).prints("missing an answer (bob)");
    assert_eq!((server.count_of("ann"), server.count_of("cid")), (1, 1), "after {paid}: a draft each");
    place.run(debate(&seats, &["--go-on"])).exits(0).prints("missing an answer (bob)");
    finish(place);
}

#[test]
fn warnings_come_with_the_plan() {
    let place = Place::new();
    let args = ["debate", "Obviously we move?", "--option=Redis", "--option=Kafka", "--plan", "--rehearse"];
    let codes =
        |plan: &Value| each(&plan["warnings"], "code").iter().map(ToString::to_string).collect::<Vec<_>>();
    assert_eq!(codes(&place.json(args)), ["plan/loaded-wording", "plan/no-way-out"]);
    place.run(args).exits(0).prints("warning: the question suggests its answer (\"obviously\")");
    place.run(args.iter().chain(&["--quiet"])).exits(0).hides("warning: the question");
    place
        .run(["debate", "Which queue?", "--option=Redis", "--option=Keep Kafka", "--plan", "--rehearse"])
        .hides("warning:");
}

/// A model with a small window is given less of what was said, and the record says so.
#[test]
fn briefs_leave_room_in_a_small_window() {
    let server = Server::start(|request| say(side(request, "YES")));
    let place = Place::new();
    place.write(".synod/providers.toml", format!("[\"{}\"]\nwindow = 4096\n", server.url));
    let seats = server.seats(&["ann", "bob", "cid"]);
    place
        .run(debate(&seats, &[]))
        .exits(0)
        .tells("briefs repeat at most 3072 characters of what was said")
        .tells("can read 4096 tokens");
    assert_eq!(place.report()["moved"]["turn.history_chars"], 3072);
    let own = ["--set", "turn.history_chars=5000"];
    place.run(debate(&seats, &own)).exits(0).hides("briefs repeat at most");
    assert_eq!(place.report()["moved"]["turn.history_chars"], 5000, "what somebody sets holds");
    finish(place);
}

#[test]
fn an_answer_that_holds_the_key_is_scrubbed() {
    let server = Server::start(|_| say(speech("YES", &format!("my key is {SECRET}"))));
    let place = Place::new().with("SYNOD_API_KEY", SECRET);
    place.run(debate(&server.seats(&["ann"]), &[])).hides(SECRET).tells("my key is [secret]");
    place.holds_nowhere(SECRET);
    finish(place);
}

#[test]
fn nobody_there() {
    let place = Place::new();
    place.write(".synod/providers.toml", format!("[\"http://{NOBODY}/v1\"]\ntries = 2\n"));
    let seat = format!("--seat=ann=http://{NOBODY}/v1#m");
    let run = place.run(debate(&[seat], &[])).exits(69);
    run.prints("UNDECIDED: no seat answered in a whole round")
        .tells("synod: no seat could answer:")
        .tells("ann: 127.0.0.1:1 cannot be reached: Connection refused");
    assert_eq!(place.report()["retried"][0]["tries"].as_array().map(Vec::len), Some(1));
    finish(place);
}

#[test]
fn what_was_recorded_plays_again_without_the_server() {
    let mut server = Server::start(|request| match request.nth_of_seat {
        1 if request.seat() == "bob" => refuse(500, "not yet"),
        _ => say(divided(request)),
    });
    let place = Place::new().with("SYNOD_API_KEY", SECRET);
    let seats = server.seats(&["ann", "bob", "cid"]);
    let tape = place.dir().join("tape.jsonl").display().to_string();
    place.run(debate(&seats, &["--record", &tape])).exits(1).prints("REJECTED: 1 of 3 votes");
    let first = place.report();
    server.stop();

    let again = Place::new();
    let begun = Instant::now();
    again.run(debate(&seats, &["--playback", &tape])).exits(1).prints("REJECTED: 1 of 3 votes");
    assert_eq!(gist(&again.report()), gist(&first));
    assert_eq!(again.report()["retried"][0]["who"], "bob", "failures are replayed too");
    assert!(begun.elapsed() < Duration::from_secs(20), "a replay waits for nothing");
    place.holds_nowhere(SECRET);

    // A question that is not on the tape is not made up.
    let other: Vec<String> = debate(&seats, &["--playback", &tape])
        .into_iter()
        .map(|arg| arg.replace("index", "cellar"))
        .collect();
    again.run(other).exits(69).tells("the cassette does not hold (another) POST");
    finish(place);
    finish(again);
}

#[test]
fn what_is_found_is_used_and_said() {
    let tags = r#"{"models":[{"name":"tiny:latest"}]}"#;
    let server = Server::start(move |request| match request.path.as_str() {
        "/api/tags" => Reply::Status(200, tags.into()),
        _ => say(side(request, "YES")),
    });
    let place = Place::new().with("OLLAMA_HOST", host(&server));
    let run = place.run(["debate", "Should we?", "--no-synthesis"]).exits(0);
    run.tells("no --seat given; using ollama:tiny:latest (Ollama answers at http://127.0.0.1:")
        .prints("1.0 of 3 independent voters, because all seats use tiny:latest");
    place.run(["doctor"]).exits(0).prints("used by default: ollama:tiny:latest");
    let asked: Vec<Seen> =
        server.log().into_iter().filter(|seen| seen.request.path == "/v1/chat/completions").collect();
    assert_eq!(asked.len(), 3);
    let voices: BTreeSet<String> = asked.iter().map(|seen| tail(&seen.request.told()).to_string()).collect();
    assert!(voices.iter().any(|told| told.contains("You are skeptic. Your point of view: ")), "{voices:?}");
    finish(place);
}

/// A round asks all its seats at once, as far as their provider allows.
#[test]
fn a_round_asks_as_many_at_once_as_the_provider_allows() {
    let names: Vec<String> = (0..20).map(|i| format!("seat{i:02}")).collect();
    let most = |settings: &str| {
        let (now, most) = (Arc::new(AtomicUsize::new(0)), Arc::new(AtomicUsize::new(0)));
        let seen = most.clone();
        let server = Server::start(move |request| {
            seen.fetch_max(now.fetch_add(1, Ordering::SeqCst) + 1, Ordering::SeqCst);
            // Long enough for all that may come to have come.
            std::thread::sleep(Duration::from_millis(400));
            now.fetch_sub(1, Ordering::SeqCst);
            say(side(request, "YES"))
        });
        let place = Place::new();
        if !settings.is_empty() {
            place.write(".synod/providers.toml", format!("[\"{}\"]\n{settings}\n", server.url));
        }
        let mut args: Vec<String> =
            ["debate", "All?", "--charter=collaborative", "--rounds=2", "--quiet", "--no-synthesis"]
                .map(String::from)
                .into();
        args.extend(names.iter().map(|name| server.seat(name)));
        place.run(args).exits(0);
        finish(place);
        most.load(Ordering::SeqCst)
    };
    assert_eq!(most(""), 20);
    assert_eq!(most("at_once = 3"), 3);
}
