//! Issues through the real binary: on the command line, over HTTP with tokens, and with seats that a model on loopback answers for.

mod acting;
mod credits;
mod seated;
mod told;
mod views;

use std::path::Path;

use serde_json::{Value, json};

use crate::houses::finish;
use crate::server::{Server, say};
use crate::service::Served;
use crate::world::Place;

/// A comment that meets the rules of the standard charter.
const GOOD: &str = "The scene at the reactor opens before the crew has docked, so the failure cannot be seen by anybody who \
    matters later. Moving it behind the docking keeps both threads and costs one paragraph of text.";

/// Comments that meet them as well and say something else: what was said already is refused.
const MORE: [&str; 3] = [
    "Rain falls during that whole festival, yet nobody in the market square carries a coat or looks for a dry doorway. Either the \
     weather or the crowd has to change, and the crowd is described three more times.",
    "A ferry needs two hours across the bay, and the messenger rides over, rests, and is back before supper gets cold. Giving him \
     a second day costs nothing, since no later chapter counts the hours he was away.",
    "Both sisters remember their mother's kitchen as blue, while an early draft lets their uncle paint its walls yellow. I would \
     keep blue, because the last page returns to that colour and nothing else depends on it.",
];

/// A house in which agents may run.
fn governed() -> Place {
    let place = Place::new();
    place
        .run(["issue", "open", "The reactor fails too early", "--tag", "timeline"])
        .exits(0)
        .prints("issue #1 opened");
    place.run(["agents", "appoint", "mo", "--role", "moderator"]).exits(0);
    place.run(["agents", "appoint", "critic", "--role", "critic", "--devils-advocate"]).exits(0);
    place
}

#[test]
fn a_refused_comment_says_what_to_change_and_what_to_type() {
    let place = governed();
    let refused = place.run(["issue", "comment", "1", "--as", "writer", "--body", "good idea"]).exits(1);
    let refused =
        refused.tells("9 characters, at least 150 are needed").tells("2 different words, at least 20");
    refused.tells("synod issue comment --as 'writer' 1 --file comment.md");
    let told = place
        .run(["issue", "comment", "1", "--as", "writer", "--body", "good idea", "--json"])
        .exits(1)
        .json();
    assert_eq!(told["error"]["refused"]["verdict"], "reject");
    assert_eq!(told["error"]["refused"]["breaches"][1]["code"], "gate/low-vocabulary");
    place.write("comment.md", GOOD);
    place
        .run(["issue", "comment", "#1", "--as", "writer", "--file", "comment.md", "--stance", "approve"])
        .exits(0)
        .prints("posted");
    place.feed(["issue", "comment", "last", "--as", "critic", "--file", "-"], MORE[0].as_bytes()).exits(0);
    let shown = place.json(["issue", "show", "1"]);
    assert_eq!((shown["comments"].as_u64(), shown["refused"].as_u64()), (Some(2), Some(2)));
    assert_eq!(shown["thread"][0]["stance"], "approve");
    finish(place);
}

#[test]
fn a_frozen_issue_is_noticed_and_goes_on_with_guidance() {
    let place = governed();
    let loud = format!("{GOOD} This is URGENT and we MUST act.");
    place.run(["issue", "comment", "1", "--as", "writer", "--body", &loud]).exits(1).tells("frozen until");
    place.run(["issue", "comment", "1", "--as", "critic", "--body", GOOD]).exits(64).tells("frozen");
    place.run(["issue", "notices"]).exits(0).prints("issue #1 was frozen").prints("synod issue unfreeze 1");
    place.run(["issue", "list", "--status", "frozen"]).prints("escalation-language");
    let report = place.json(["health", "report"]);
    assert_eq!(report["issues"]["frozen"], 1);
    assert!(
        report["recommendations"][0]["command"]
            .as_str()
            .is_some_and(|it| it.starts_with("synod issue unfreeze 1")),
        "{report}"
    );
    let page = place.dir().join("health.html");
    place.run(["health", "report", "--html", page.to_str().expect("a path")]).exits(0);
    let page = std::fs::read_to_string(page).expect("a page");
    assert!(page.contains("<svg") && page.contains("width=device-width") && !page.contains("src="), "{page}");
    place
        .run(["issue", "unfreeze", "1", "--as", "critic", "--guidance", "Calm down."])
        .exits(64)
        .tells("only the user, a lead or a moderator");
    place.run(["issue", "unfreeze", "1", "--as", "mo", "--guidance", "Cite the scene you mean."]).exits(0);
    place.run(["issue", "notices"]).prints("nothing needs you");
    place
        .run(["issue", "force", "1", "--decision", "Move it.", "--because", "Docking comes first."])
        .exits(0)
        .prints("#1 resolved");
    place.run(["issue", "mark", "1", "applied"]).exits(0);
    place.run(["issue", "reopen", "1"]).exits(0);
    finish(place);
}

#[test]
fn an_issue_is_closed_put_together_and_shown_for_what_it_is() {
    let place = governed();
    for n in 2..=4 {
        place.run(["issue", "open", &format!("Question {n}")]).exits(0);
    }
    let listed = place.run(["list"]).exits(0);
    assert!(!listed.out.contains("interrupted"), "{}", listed.out);
    let shown = place.run(["show", "2"]).exits(0);
    assert!(shown.out.contains("`synod issue show 2` shows the thread"), "{}", shown.out);
    place.run(["issue", "close", "2"]).exits(0);
    place.run(["issue", "consolidate", "3", "4", "--title", "Both"]).exits(0);
    let paused = place.run(["pause", "1"]).exits(64);
    assert!(paused.err.contains("synod issue close"), "{}", paused.err);
    place.run(["stop", "1"]).exits(0);
    assert!(place.run(["show", "1"]).exits(0).out.contains("CLOSED"));
    finish(place);
}

#[test]
fn lists_have_filters_and_pages() {
    let place = governed();
    for n in 2..=5 {
        place
            .run([
                "issue",
                "open",
                &format!("Question {n}"),
                "--tag",
                if n % 2 == 0 { "even" } else { "odd" },
            ])
            .exits(0);
    }
    let page = place.json(["issue", "list", "--limit", "2"]);
    assert_eq!((page["issues"].as_array().map(Vec::len), page["next"].as_u64()), (Some(2), Some(2)));
    let rest = place.json(["issue", "list", "--after", "2", "--tag", "even"]);
    assert_eq!(rest["issues"][0]["number"], 4);
    assert!(rest["next"].is_null());
    assert_eq!(place.json(["issue", "list", "--contains", "QUESTION 5"])["issues"][0]["number"], 5);
    place.run(["issue", "show", "99"]).exits(66).tells("there is no issue 99");
    finish(place);
}

fn token(place: &Place, name: &str) -> String {
    let told = place.json(["token", "create", name]);
    told["token"].as_str().expect("a token").to_string()
}

#[test]
fn outside_agents_work_on_issues_by_token() {
    let place = governed();
    let (writer, critic) = (token(&place, "writer"), token(&place, "critic"));
    let served = Served::start(&place, &[]);
    let opened = served
        .keyed("/v1/issues", &writer, &json!({ "title": "Eye colours", "tags": ["Eyes"] }), Some("k1"))
        .is(201);
    let again = served
        .keyed("/v1/issues", &writer, &json!({ "title": "Eye colours", "tags": ["Eyes"] }), Some("k1"))
        .is(201);
    assert_eq!(again.headers.get("idempotency-replayed").map(String::as_str), Some("true"));
    assert_eq!(opened.done(), again.done());
    assert_eq!(opened.json()["number"], 2);
    let refused = served.post("/v1/issues/2/comments", &critic, &json!({ "body": "nice" })).is(409).json();
    assert_eq!(refused["error"]["code"], "gate/insufficient-substance");
    assert_eq!(refused["error"]["refused"]["breaches"].as_array().map(Vec::len), Some(2));
    served.post("/v1/issues/last/comments", &critic, &json!({ "body": GOOD, "stance": "object" })).is(200);
    served
        .post("/v1/issues/2/unfreeze", &critic, &json!({ "guidance": "go" }))
        .fails(403, "workshop/needs-moderator");
    served
        .post("/v1/agents/critic/appointment", &critic, &json!({ "role": "lead" }))
        .fails(403, "token/not-operator");
    served.get("/v1/issues/99", &critic).fails(404, "workshop/unknown-issue");
    served.post("/v1/issues/2/changes", &writer, &json!({ "assign": "writer" })).is(200);
    let thread = served.get("/v1/issues/2", &writer).is(200).json();
    assert_eq!((&thread["assignee"], &thread["thread"][0]["stance"]), (&json!("writer"), &json!("object")));
    assert_eq!(thread["tags"], json!(["eyes"]));
    // The command line goes through the service that holds the house.
    place.run(["issue", "comment", "2", "--as", "mo", "--body", MORE[0]]).exits(0).prints("posted");
    place.run(["issue", "comment", "2", "--as", "writer", "--body", "short"]).exits(1).tells("at least 150");
    let page = served.get("/v1/issues?tag=eyes", &writer).is(200).json();
    assert_eq!(page["issues"][0]["comments"], 2);
    served.end();
    finish(place);
}

/// What a seat answers: a comment under the form it is asked for.
fn comment(body: &str, action: &str) -> String {
    json!({ "checked": "The scene and the docking.", "evidence": [], "comment": body, "impact": "minor", "trigger": "unprompted",
        "kind": "comment", "stance": "YES", "action": action })
    .to_string()
}

#[test]
fn seats_comment_until_nobody_has_anything_to_add() {
    let place = governed();
    place.run(["issue", "comment", "1", "--body", "Please look at the docking scene as well."]).exits(0);
    let server = Server::start(|request| match (request.seat().as_str(), request.nth_of_seat) {
        ("ann", 1) => say(comment("Good idea", "none")),
        ("ann", 2) => say(comment(GOOD, "none")),
        ("bob", 1) => say(comment(MORE[0], "none")),
        _ => say(comment("", "none")),
    });
    let mut args = vec![
        "workshop".to_string(),
        "run".into(),
        "--issue".into(),
        "1".into(),
        "--only".into(),
        "--json".into(),
    ];
    args.extend(server.seats(&["ann", "bob"]));
    let ran = place.run(&args).exits(2).json();
    let what: Vec<&str> =
        ran["steps"].as_array().expect("steps").iter().filter_map(|step| step["what"].as_str()).collect();
    assert_eq!(what[..3], ["turned-away", "posted", "posted"], "{ran}");
    let log = server.log();
    let second = log
        .iter()
        .find(|seen| seen.request.seat() == "ann" && seen.request.nth_of_seat == 2)
        .expect("a second call");
    let told = second.request.told();
    assert!(told.contains("Your last comment here was refused: 9 characters"), "{told}");
    assert!(told.contains("Please look at the docking scene") && told.contains("mo: moderator"), "{told}");
    // The keys are asked for in the order of thinking.
    let place_of = |key: &str| told.rfind(&format!("\"{key}\"")).or_else(|| told.rfind(key)).expect("a key");
    assert!(place_of("checked") < place_of("action"), "{told}");
    finish(place);
}

#[test]
fn seats_and_outside_agents_work_on_one_issue_through_a_service() {
    let place = governed();
    let writer = token(&place, "writer");
    let server = Server::start(|request| match request.nth_of_seat {
        1 => say(comment(
            MORE[usize::from(request.seat() == "bob") + 2 * usize::from(request.seat() == "cleo")],
            "none",
        )),
        _ => say(comment("", "none")),
    });
    let served = Served::start(&place, &[]);
    served.post("/v1/issues/1/comments", &writer, &json!({ "body": GOOD })).is(200);
    // A process beside the service performs the seats that it invites.
    let mut args: Vec<String> =
        ["workshop", "run", "--issue", "1", "--only", "--json"].map(Into::into).into();
    args.extend(server.seats(&["ann", "bob"]));
    let ran = place.run(&args).exits(2).json();
    let posted = ran["steps"].as_array().expect("steps").iter().filter(|step| step["what"] == "posted");
    assert_eq!(posted.count(), 2, "{ran}");
    // The service performs a seat that an operator invites over HTTP.
    let seat = json!({ "seat": { "name": "cleo", "answered_by": format!("{}#cleo", server.url) } });
    served.post("/v1/issues/1/invitations", &writer, &seat).fails(403, "token/not-operator");
    served.post("/v1/issues/9/invitations", "", &seat).fails(404, "workshop/unknown-issue");
    let mut feed = served.follow("", "", &[]);
    served.post("/v1/issues/1/invitations", "", &seat).is(202);
    while !feed.next().is_some_and(|told| told.data.to_string().contains("gate/posted")) {}
    let thread = served.get("/v1/issues/1", &writer).is(200).json();
    assert_eq!(crate::world::each(&thread["thread"], "who"), ["writer", "ann", "bob", "cleo"]);
    served.end();
    finish(place);
}

#[test]
fn a_run_needs_oversight_and_a_model() {
    let place = Place::new();
    place.run(["issue", "open", "A question"]).exits(0);
    let blocked = place.run(["workshop", "run", "--issue", "1", "--rehearse"]).exits(1);
    blocked.tells("NO_MODERATOR").tells("NO_DEVILS_ADVOCATE").tells("synod agents appoint");
    place.run(["agents", "appoint", "mo", "--role", "moderator", "--devils-advocate"]).exits(0);
    place.run(["workshop", "run", "--issue", "1"]).exits(70);
    let ran: Value = place.run(["workshop", "run", "--issue", "1", "--rehearse", "--json"]).json();
    assert!(
        ran["steps"].as_array().is_some_and(|steps| steps.iter().any(|step| step["what"] == "posted")),
        "{ran}"
    );
    finish(place);
}

#[test]
fn an_unreadable_answer_is_told_apart_from_nothing_to_add_and_asked_again() {
    let place = governed();
    let prose = GOOD.replace('"', "");
    let words = prose.clone();
    let server = Server::start(move |request| match request.nth_of_seat {
        1 => say(words.clone()),
        2 => say(comment(GOOD, "none")),
        _ => say(comment("", "none")),
    });
    let mut args: Vec<String> =
        ["workshop", "run", "--issue", "1", "--only", "--json"].map(Into::into).into();
    args.extend(server.seats(&["ann"]));
    let ran = place.run(&args).exits(2).json();
    assert_eq!(crate::world::each(&ran["steps"], "what"), ["unreadable", "posted", "skipped"], "{ran}");
    assert!(ran["steps"][0]["about"]["why"].as_str().is_some_and(|why| why.contains(&prose[..40])), "{ran}");
    let log = server.log();
    let second = log.iter().find(|seen| seen.request.nth_of_seat == 2).expect("a second call");
    assert!(second.request.told().contains("could not be read, so nobody has seen it"));
    finish(place);
}

#[test]
fn an_agent_is_shown_its_constraints_and_a_moderator_no_number() {
    let place = governed();
    for nth in 2..8 {
        place.run(["issue", "open", &format!("Question {nth}")]).exits(0);
        place.run(["issue", "comment", &nth.to_string(), "--as", "writer", "--body", "great idea"]).exits(1);
    }
    let yours = |name: &str| {
        let issue = place.run(["issue", "show", "1", "--as", name, "--json"]).json();
        issue["yours"].clone()
    };
    let writer = yours("writer");
    assert_eq!(writer["heeds"].as_array().map(Vec::len), Some(4), "{writer}");
    let mo = yours("mo");
    assert!(mo.is_object() && mo["comments"].is_null() && mo["heeds"].is_null(), "{mo}");
    let shown = place.run(["issue", "show", "1", "--as", "writer"]).exits(0);
    shown.prints("you are on remediation").prints("Cite at least 2 sources for every proposal.");
    let gap = format!("{GOOD} canon:?docking-scene");
    let said = place.run(["issue", "comment", "1", "--as", "critic", "--body", &gap]).exits(0);
    said.prints("canon has nothing on docking-scene");
    finish(place);
}

#[test]
fn the_guide_of_the_workshop_works() {
    let binary = Path::new(env!("CARGO_BIN_EXE_synod")).parent().expect("a folder").display().to_string();
    let place = Place::new().with("PATH", &format!("{binary}:/usr/bin:/bin"));
    let guide = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/workshop.md");
    let text = std::fs::read_to_string(guide).expect("the guide");
    let blocks = text.split("```sh\n").skip(1).filter_map(|rest| rest.split("```").next());
    let mut ran = 0;
    for block in blocks {
        let mut shell = place.bare("sh");
        shell.args(["-ec", block]);
        crate::world::Started::of(shell, b"").wait().exits(0);
        ran += 1;
    }
    assert!(ran >= 6, "{ran}");
    assert!(place.dir().join("health.html").is_file());
    finish(place);
}

#[test]
fn the_hook_tells_a_session_of_its_issues() {
    let place = governed();
    place.run(["agents", "appoint", "writer", "--role", "writer"]).exits(0);
    place.run(["issue", "open", "Eye colours", "--assign", "writer"]).exits(0);
    let event = json!({ "session_id": "s1", "hook_event_name": "SessionStart" }).to_string();
    let told = place.feed(["hook", "--as", "writer", "--within", "20s"], event.as_bytes()).exits(0).json();
    let words = told["hookSpecificOutput"]["additionalContext"].as_str().expect("words");
    assert!(words.contains("Issue #2") && words.contains("synod issue show --as 'writer' 2"), "{words}");
    place.run(["issue", "challenge", "1", "--who", "critic"]).exits(0);
    let told = place.feed(["hook", "--as", "critic", "--within", "20s"], event.as_bytes()).exits(0).json();
    assert!(told.to_string().contains("you are asked to object"), "{told}");
    let silent = place.feed(["hook", "--as", "nobody", "--within", "20s"], event.as_bytes()).exits(0);
    assert_eq!(silent.out, "");
    finish(place);
}

#[test]
fn the_receipt_of_an_issue_that_was_reopened_stays_true() {
    let place = governed();
    place.run(["issue", "force", "1", "--decision", "Move it.", "--because", "Both were read."]).exits(0);
    place.run(["receipt", "--missing"]).exits(0);
    let old = place.json(["receipt", "1"]);
    place.write("old.json", old.to_string());
    place.run(["issue", "reopen", "1"]).exits(0);
    place.run(["verify"]).exits(0).prints("is signed and matches the journal");
    place
        .run(["verify", "old.json"])
        .exits(0)
        .prints("everything else match the journal")
        .prints("reopened since");
    place.run(["issue", "force", "1", "--decision", "Leave it.", "--because", "Nobody minds."]).exits(0);
    place.run(["verify", "old.json"]).exits(0).prints("everything else match the journal");
    let forged = old.to_string().replacen("Move it", "Burn it", 1);
    assert_ne!(forged, old.to_string(), "the receipt has the decision");
    place.write("forged.json", &forged);
    assert_ne!(place.run(["verify", "forged.json"]).code, 0);
    finish(place);
}

#[test]
fn a_report_overwrites_nothing() {
    let place = governed();
    place.write("precious.txt", "precious");
    std::os::unix::fs::symlink(place.dir().join("precious.txt"), place.dir().join("health.html"))
        .expect("a link");
    place.run(["health", "report", "--html", "health.html"]).exits(74).tells("exists already");
    let kept = std::fs::read_to_string(place.dir().join("precious.txt")).expect("the file");
    assert_eq!(kept, "precious");
    finish(place);
}
