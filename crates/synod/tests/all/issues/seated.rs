//! Seats that Synod performs on an issue: what they read, and what a moderator's seat does.

use serde_json::{Value, json};

use super::{GOOD, MORE, comment, governed};
use crate::houses::finish;
use crate::server::{Reply, Request, Server, say};
use crate::world::{Place, Run, each};

/// Lets these seats work on issue 1.
fn run(place: &Place, server: &Server, seats: &[&str], more: &[&str]) -> Run {
    let fixed = ["workshop", "run", "--issue", "1", "--only", "--json"];
    let mut args: Vec<String> = fixed.into_iter().chain(more.iter().copied()).map(Into::into).collect();
    args.extend(server.seats(seats));
    place.run(&args)
}

fn what(ran: &Value) -> Vec<&str> {
    each(&ran["steps"], "what")
}

/// The whole brief of a seat, the nth time that it was asked.
fn told(server: &Server, seat: &str, nth: usize) -> String {
    let log = server.log();
    let asked = log.iter().find(|seen| seen.request.seat() == seat && seen.request.nth_of_seat == nth);
    asked.unwrap_or_else(|| panic!("{seat} is asked {nth} times")).request.told()
}

#[test]
fn a_moderators_seat_sees_to_what_froze_and_the_others_go_on() {
    let place = governed();
    let loud = format!("{GOOD} This is URGENT and we MUST act.");
    let server = Server::start(move |request| match (request.seat().as_str(), request.nth_of_seat) {
        ("ann", 1) => say(comment(&loud, "none")),
        ("mo", 1) => say(comment("Cite the scene you mean, and say it calmly.", "unfreeze")),
        ("ann", 2) => say(comment(MORE[0], "none")),
        _ => say(comment("", "none")),
    });
    let ran = run(&place, &server, &["ann", "mo"], &[]).exits(2).json();
    assert_eq!(what(&ran), ["turned-away", "moderated", "posted", "skipped"], "{ran}");
    assert_eq!(ran["steps"][1]["about"]["did"], "let it go on, with guidance");
    assert!(told(&server, "mo", 1).contains("A frozen issue has four ways out"));
    let again = told(&server, "ann", 2);
    assert!(again.contains("Your last comment here was refused: escalating words: URGENT, MUST"), "{again}");
    assert!(again.contains("Cite the scene you mean, and say it calmly."), "{again}");
    assert_eq!(place.json(["issue", "show", "1"])["status"], "open");
    finish(place);
}

#[test]
fn a_moderators_seat_decides_only_as_a_moderator_may() {
    let place = governed();
    let loud = format!("{} This is URGENT and we MUST act.", MORE[1]);
    let server = Server::start(move |request| match (request.seat().as_str(), request.nth_of_seat) {
        // A seat without the role writes the same word: it is a comment, and it decides nothing.
        ("ann", 1) => say(comment(GOOD, "force")),
        ("bob", 1) => say(comment(&loud, "none")),
        ("mo", 1) => say(comment("Move the failure behind the docking.", "force")),
        _ => say(comment("", "none")),
    });
    let ran = run(&place, &server, &["ann", "bob", "mo"], &[]).exits(0).json();
    assert_eq!(what(&ran), ["posted", "turned-away", "moderated"], "{ran}");
    let issue = place.json(["issue", "show", "1"]);
    assert_eq!((issue["status"].as_str(), &issue["forced"]), (Some("resolved"), &json!(true)), "{issue}");
    let last = &issue["thread"].as_array().and_then(|thread| thread.last()).expect("a thread")["who"];
    assert_eq!(last, "mo", "{issue}");
    finish(place);
}

/// A model that looks things up: one tool after the other, then its answer.
fn looks_up(request: &Request, wishes: &[(&str, Value)], answer: &str) -> Reply {
    let asked = request.json();
    let used = asked["messages"].as_array().into_iter().flatten();
    let used = used.filter(|message| message["role"] == "tool").count();
    match wishes.get(used).filter(|_| asked.get("tools").is_some()) {
        None => say(answer),
        Some((name, arguments)) => {
            let call = json!({ "id": format!("c{used}"), "type": "function",
                "function": { "name": name, "arguments": arguments.to_string() } });
            let message = json!({ "role": "assistant", "content": null, "tool_calls": [call] });
            let whole = json!({ "choices": [{ "index": 0, "message": message, "finish_reason": "tool_calls" }],
                "usage": { "prompt_tokens": 10, "completion_tokens": 5 } });
            Reply::Status(200, whole.to_string())
        }
    }
}

/// A comment that cites something in the field for it.
fn citing(body: &str, cited: &str) -> String {
    json!({ "checked": "The scene.", "evidence": [cited], "comment": body, "impact": "structural", "trigger": "support-proposal",
        "kind": "comment", "stance": "NEUTRAL", "action": "none" })
    .to_string()
}

/// A house whose project has a scene and a secret.
fn with_scene() -> Place {
    let place = governed();
    std::fs::create_dir(place.dir().join("scenes")).expect("a folder");
    place.write("scenes/two.md", "The bay is dark.\nThe reactor hums while the crew docks.\n");
    place.write(".env", "TOKEN=sesame\n");
    place
}

const CITED: &str = "scenes/two.md:2 \"The reactor hums while the crew docks.\"";

#[test]
fn seats_read_the_project_where_the_user_lets_them_and_cite_what_they_read() {
    let place = with_scene();
    let server = Server::start(|request| match request.seat().as_str() {
        "ann" => {
            let wishes = [
                ("list_files", json!({})),
                ("search_files", json!({ "text": "reactor" })),
                ("read_file", json!({ "path": "scenes/two.md" })),
                ("read_file", json!({ "path": ".env" })),
            ];
            match request.told().contains("\nann (agent") {
                false => looks_up(request, &wishes, &citing(GOOD, CITED)),
                true => say(comment("", "none")),
            }
        }
        _ => say(comment("", "none")),
    });
    let ran = run(&place, &server, &["ann", "bob"], &["--read-files"]).exits(2).json();
    assert_eq!(what(&ran)[0], "posted", "{ran}");
    let issue = place.json(["issue", "show", "1"]);
    assert_eq!(issue["thread"][0]["found"], json!(["precise"]), "{issue}");
    let sent: String = server.log().iter().map(|seen| seen.request.body.clone()).collect();
    assert!(sent.contains("scenes/two.md:2: The reactor hums"), "what was searched for was found");
    assert!(!sent.contains("sesame"), "a secret is read for nobody");
    // Whoever comes next can look it up as well: what is cited stands in the brief, whichever field it came in.
    let brief = told(&server, "bob", 1);
    assert!(brief.contains(&format!("| evidence: {CITED} (precise)")), "{brief}");
    finish(place);
}

#[test]
fn nobody_reads_the_project_unless_the_user_says_so() {
    let place = with_scene();
    let server = Server::start(|_| say(comment("", "none")));
    let ran = run(&place, &server, &["ann"], &[]).exits(2).json();
    assert_eq!(what(&ran), ["skipped"], "{ran}");
    let log = server.log();
    assert_eq!(log.len(), 1);
    assert!(log[0].request.json().get("tools").is_none(), "{}", log[0].request.body);
    finish(place);
}
