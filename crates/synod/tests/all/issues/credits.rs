//! Credits, goals, periods and reports: at the command line, through a service, and over HTTP by token.

use serde_json::{Value, json};

use super::{GOOD, MORE, governed, token};
use crate::houses::finish;
use crate::service::Served;
use crate::world::{Place, each};

#[test]
fn credit_is_given_refused_and_shown() {
    let place = governed();
    let award = ["award", "critic", "proposal-accepted-by-user", "--issue", "1"];
    place.run(award).exits(64).tells("critic` has no comment in this issue");
    place.run(["issue", "comment", "1", "--as", "critic", "--body", GOOD]).exits(0);
    place.run(award).exits(0).prints("critic +3 for proposal-accepted-by-user");
    let own = ["award", "mo", "moderator-commendation", "--amount", "2", "--issue", "1", "--as", "mo"];
    place.run(own).exits(1).tells("the attempt is recorded");
    let praise = ["award", "critic", "moderator-commendation", "--issue", "1", "--as", "mo"];
    let given = place.json(praise.iter().chain(&["--amount", "2"]));
    assert_eq!((&given["posting"]["amount"], &given["posting"]["by"]), (&json!(2), &json!("mo")), "{given}");
    place.run(["award", "critic", "no-such-reason", "--issue", "1"]).exits(1).tells("unknown reason");
    place.run(["award", "critic", "clean-unfreeze", "--issue", "9"]).exits(66).tells("there is no issue 9");
    place.run(["award", "critic", "x", "--issue", "1", "--slice", "1"]).exits(64).tells("write 1/3");
    let slice = ["award", "critic", "user-marked-helpful", "--issue", "1", "--slice", "4/3"];
    place.run(slice).exits(1).tells("this slice does not fit");
    place.run(["ledger", "critic"]).exits(0).prints("critic +3 ·").prints("critic: 5 credits");
    place.run(["ledger", "nobody"]).exits(66).tells("nobody is not a participant");
    place.run(["ledger", "--attempts"]).exits(0).prints("mo tried `moderator-commendation` for `mo`");
    place.run(["ledger", "--reasons"]).prints("moderator-penalty · moderator · -3 to -1");
    let ledger = place.json(["ledger"]);
    assert_eq!(each(&ledger["postings"], "reason"), ["proposal-accepted-by-user", "moderator-commendation"]);
    place.run(["leaderboard"]).prints("1. critic 5 · tier").prints("most valuable: critic");
    place.run(["rate", "critic", "helpful", "--issue", "1", "--as", "mo"]).exits(0).prints("noted");
    place.run(["rate", "mo", "helpful", "--issue", "1", "--as", "mo"]).exits(1);
    place.run(["agents", "model", "critic", "gpt-4.1"]).exits(0).prints("gpt-4.1 answers for critic");
    place.run(["agents", "model", "critic", "gpt-5", "--as", "critic"]).exits(64);
    place.run(["leaderboard", "--model"]).prints("critic with outside: 5").prints("not now");
    place.run(["agents", "list"]).prints("critic: critic, can object; 0 credits").prints("mo: moderator");
    finish(place);
}

#[test]
fn goals_and_periods_are_set_reached_and_listed() {
    let place = governed();
    place.run(["issue", "comment", "1", "--as", "critic", "--body", GOOD]).exits(0);
    place.run(["period", "open", "Chapter 1"]).exits(0).prints("Chapter 1 began");
    place.run(["period", "open", "chapter 1"]).exits(64);
    let goal = ["goals", "set", "Earn trust", "--metric", "total-credits", "--target", "3"];
    let goal = place.json(goal.iter().chain(&["--agent", "critic", "--period", "Chapter 1"]));
    let id = goal["goal"].as_str().expect("an id").to_string();
    place.run(["goals"]).prints("Earn trust · critic: total-credits 0 of 3 · open");
    place.run(["award", "critic", "proposal-accepted-by-user", "--issue", "1"]).exits(0);
    place.run(["goals", "--all"]).prints("3 of 3 · reached");
    place.run(["goals", "drop", &id]).exits(64);
    let other =
        place.json(["goals", "set", "Stay calm", "--metric", "zero-penalties", "--period", "chapter 1"]);
    place.run(["goals", "drop", other["goal"].as_str().expect("an id")]).exits(0).prints("is taken back");
    place.run(["issue", "comment", "1", "--as", "writer", "--body", MORE[0]]).exits(0);
    place.run(["issue", "comment", "1", "--as", "writer", "--body", "nice"]).exits(1);
    let closed = place.run(["period", "close", "chapter 1"]).exits(0);
    closed
        .prints("Chapter 1 ended")
        .prints("0 issues opened, 0 resolved, 0 closed, 0 applied · 1 comment, 1 refused");
    let periods = place.json(["period", "list"]);
    assert_eq!((&periods[0]["name"], &periods[0]["reflection"]["refused"]), (&json!("Chapter 1"), &json!(1)));
    place.run(["leaderboard", "--period", "Chapter 1"]).prints("1. critic 3");
    place.run(["leaderboard", "--period", "Chapter 9"]).exits(66).tells("there is no period `Chapter 9`");
    place
        .run(["health", "report", "--period", "Chapter 1"])
        .exits(0)
        .prints("1 comment, 0 with evidence (0%), 1 refused (50%)");
    finish(place);
}

#[test]
fn citations_are_checked_again_when_their_file_changed() {
    let place = governed();
    place.write("scene.txt", "The reactor fails.\nThe crew docks at noon.\n");
    let body = format!("{GOOD} See scene.txt:2 \"The crew docks at noon.\"");
    place.run(["issue", "comment", "1", "--as", "critic", "--body", &body]).exits(0);
    place.run(["evidence", "recheck"]).exits(0);
    place.run(["evidence", "recheck", "--issue", "9"]).exits(66).tells("there is no issue 9");
    place.write("scene.txt", "The reactor fails later.\nThe crew docks at noon.\n");
    place.run(["evidence", "recheck", "--all"]).exits(0).prints("changed, still holds");
    place.write("scene.txt", "The reactor fails later.\nNobody comes.\n");
    place.run(["evidence", "recheck"]).exits(1).prints("stale");
    std::fs::remove_file(place.dir().join("scene.txt")).expect("a file");
    let found = place.run(["evidence", "recheck", "--issue", "1", "--json"]).exits(1).json();
    assert!(found.to_string().contains("missing"), "{found}");
    finish(place);
}

/// A house with a service, and the tokens of a moderator, a lead and two agents.
fn served() -> (Place, Served, [String; 4]) {
    let place = governed();
    place.run(["agents", "appoint", "lea", "--role", "lead"]).exits(0);
    let tokens = ["mo", "lea", "critic", "writer"].map(|name| token(&place, name));
    let served = Served::start(&place, &[]);
    (place, served, tokens)
}

#[test]
fn credits_are_given_over_http_by_the_rules_of_the_house() {
    let (place, served, [mo, lea, critic, writer]) = served();
    let praise = json!({ "to": "critic", "reason": "moderator-commendation", "issue": "1", "amount": 2 });
    served.post("/v1/awards", &writer, &praise).fails(403, "ledger/not-verifier");
    let given = served.keyed("/v1/awards", &mo, &praise, Some("a1")).is(200).json();
    assert_eq!((&given["posting"]["who"], &given["posting"]["amount"]), (&json!("critic"), &json!(2)));
    let again = served.keyed("/v1/awards", &mo, &praise, Some("a1")).is(200);
    assert_eq!(again.headers.get("idempotency-replayed").map(String::as_str), Some("true"));
    let twice = served.post("/v1/awards", &mo, &praise).is(200).json();
    assert!(twice["posting"].is_null(), "given once for an issue: {twice}");
    let own = json!({ "to": "Mo", "reason": "moderator-commendation", "issue": "last", "amount": 1 });
    served.post("/v1/awards", &mo, &own).fails(403, "ledger/self-award");
    let missing = json!({ "to": "critic", "reason": "clean-unfreeze", "issue": "9" });
    served.post("/v1/awards", &mo, &missing).fails(404, "workshop/unknown-issue");
    let rating = json!({ "who": "critic", "helpful": true, "issue": "1" });
    assert_eq!(served.post("/v1/ratings", &writer, &rating).is(200).json()["weight"], 0);
    served.post("/v1/ratings", &critic, &rating).fails(403, "ledger/self-rating");
    let ledger = served.get("/v1/ledger?agent=critic", &writer).is(200).json();
    assert_eq!((&ledger["postings"][0]["issue"], &ledger["agents"][0]["credits"]), (&json!(1), &json!(2)));
    let after = served.get("/v1/ledger?after=9999", &writer).is(200).json();
    assert_eq!(after["postings"], json!([]));
    served.get("/v1/ledger?agent=nobody", &writer).fails(404, "ledger/unknown-agent");
    // Who has no part in issues is not there for others.
    served.get("/v1/ledger?agent=writer", &critic).fails(404, "ledger/unknown-agent");
    served.get("/v1/ledger?agent=writer", &writer).is(200);
    served.get("/v1/ledger/attempts", &writer).fails(403, "token/not-operator");
    let tried = served.get("/v1/ledger/attempts", "").is(200).json();
    assert_eq!(each(&tried["attempts"], "by"), ["writer", "mo", "critic"], "{tried}");
    let board = served.get("/v1/leaderboard", &critic).is(200).json();
    assert_eq!((&board["entries"][0]["who"], &board["entries"][0]["rank"]), (&json!("critic"), &json!(1)));
    served.get("/v1/leaderboard?period=None", &critic).fails(404, "period/unknown");
    // Whoever could name their own model could leave a bad record behind.
    let model = json!({ "who": "critic", "model": "gpt-4.1" });
    served.post("/v1/agents/models", &critic, &model).is(403);
    served.post("/v1/agents/models", &lea, &model).is(200);
    let records = served.get("/v1/leaderboard/models", &critic).is(200).json();
    assert_eq!(each(&records["records"], "model").len(), 2, "{records}");
    served.post("/v1/agents/critic/appointment", &lea, &json!({ "role": "lead" })).is(403);
    let agents = served.get("/v1/agents", &writer).is(200).json();
    let roles = agents["agents"].as_array().expect("agents").iter();
    let roles: Vec<&Value> = roles.filter(|agent| agent["who"] == "critic").map(|it| &it["role"]).collect();
    assert_eq!(roles, [&json!("critic")]);
    served.end();
    finish(place);
}

#[test]
fn goals_periods_and_reports_are_there_over_http() {
    let (place, served, [mo, lea, critic, writer]) = served();
    served.post("/v1/periods/open", &lea, &json!({ "name": "Chapter 1" })).is(200);
    let goal = json!({ "sentence": "Earn trust", "metric": "total-credits", "target": 2, "agent": "critic" });
    served.post("/v1/goals", &critic, &goal).is(403);
    let set = served.post("/v1/goals", &lea, &goal).is(200).json();
    let goals = served.get("/v1/goals", &writer).is(200).json();
    assert_eq!((&goals["goals"][0]["id"], &goals["goals"][0]["target"]), (&set["goal"], &json!(2)));
    served.post("/v1/goals/drop", &lea, &json!({ "goal": set["goal"] })).is(200);
    assert_eq!(served.get("/v1/goals", &writer).is(200).json()["goals"], json!([]));
    assert_eq!(served.get("/v1/goals?all=true", &writer).is(200).json()["goals"][0]["status"], "not-reached");
    served.post("/v1/issues/1/comments", &writer, &json!({ "body": GOOD })).is(200);
    served.post("/v1/periods/close", &lea, &json!({ "name": "Chapter 1" })).is(200);
    let periods = served.get("/v1/periods", &writer).is(200).json();
    assert_eq!(periods["periods"][0]["reflection"]["comments"], 1, "{periods}");
    let health = served.get("/v1/workshop/health?mode=team", &writer).is(200).json();
    assert_eq!((&health["ok"], &health["moderators"]), (&json!(false), &json!(1)), "{health}");
    assert!(health["flaws"][0]["fix"].as_str().is_some_and(|fix| fix.starts_with("synod ")), "{health}");
    served.get("/v1/workshop/health?mode=odd", &writer).fails(400, "request/query");
    served.get("/v1/workshop/report", &writer).fails(403, "workshop/needs-moderator");
    let report = served.get("/v1/workshop/report?period=chapter%201", &mo).is(200).json();
    assert_eq!(report["issues"]["open"], 1, "{report}");
    let wrote = report["agents"].as_array().expect("agents").iter().find(|agent| agent["who"] == "writer");
    assert_eq!(wrote.map(|agent| &agent["comments"]), Some(&json!(1)), "{report}");
    served.end();
    finish(place);
}

#[test]
fn a_citation_is_checked_over_http_without_showing_the_file() {
    let (place, served, [_, _, critic, _]) = served();
    place.write("scene.txt", "The reactor fails.\nThe crew docks at noon.\n");
    let check = |file: &str, quote: &str| {
        let body = json!({ "file": file, "quote": quote });
        served.post("/v1/evidence/check", &critic, &body).is(200).json()
    };
    let good = check("scene.txt:2", "The crew docks at noon.");
    assert_eq!((&good["verified"], &good["grade"]), (&json!(true), &json!("precise")), "{good}");
    assert_eq!(check("scene.txt:1", "The crew docks at noon.")["elsewhere"], "scene.txt:2");
    let absent = check("scene.txt", "Nobody was on the station at all.");
    assert_eq!((&absent["verified"], &absent["code"]), (&json!(false), &json!("evidence/quote-not-found")));
    assert!(!absent.to_string().contains("docks"), "{absent}");
    place.write(".env", "TOKEN=abc");
    let hidden = check(".env", "TOKEN=abc");
    assert_eq!(hidden["code"], check("missing.txt", "TOKEN=abc")["code"]);
    let outside = json!({ "file": "/etc/passwd" });
    served.post("/v1/evidence/check", &critic, &outside).fails(409, "evidence/malformed");
    // Nobody spells out a file by asking again and again.
    let guess = |n: u32| {
        served.post(
            "/v1/evidence/check",
            &critic,
            &json!({ "file": "scene.txt", "quote": format!("{n} guesses") }),
        )
    };
    assert!((0..40).any(|n| guess(n).status == 429));
    served.end();
    finish(place);
}

#[test]
fn commands_on_credits_go_through_the_service() {
    let (place, served, [mo, _, critic, _]) = served();
    let url = format!("http://{}", served.address);
    place.run(["issue", "comment", "1", "--as", "critic", "--body", GOOD]).exits(0);
    // The service that owns the house is found.
    place.run(["award", "critic", "proposal-accepted-by-user", "--issue", "1"]).exits(0).prints("critic +3");
    place.run(["award", "critic", "clean-unfreeze", "--issue", "1", "--as", "writer"]).exits(1);
    place.run(["goals", "set", "Cite more", "--metric", "verified-citations"]).exits(0);
    place.run(["period", "open", "Session 1"]).exits(0);
    place.run(["agents", "model", "writer", "gpt-4.1"]).exits(0);
    // Elsewhere there is only an address and a token.
    let away = Place::new();
    let at = |token: &str, args: &[&str]| {
        let named = ["--service", url.as_str(), "--token", token];
        away.run(args.iter().chain(&named))
    };
    let own = ["award", "mo", "moderator-commendation", "--amount", "1", "--issue", "1"];
    at(&mo, &own).exits(1).tells("the attempt is recorded");
    let praise = ["award", "critic", "moderator-commendation", "--amount", "1", "--issue", "1"];
    at(&mo, &praise).exits(0).prints("critic +1 for moderator-commendation");
    at(&critic, &["rate", "mo", "helpful", "--issue", "1"]).exits(0).prints("noted");
    at(&critic, &["ledger", "critic"]).exits(0).prints("critic: 4 credits");
    at(&critic, &["ledger", "--attempts"]).exits(64).tells("only an operator");
    at(&critic, &["leaderboard"]).exits(0).prints("1. critic 4");
    at(&critic, &["goals"]).exits(0).prints("Cite more · the team: verified-citations 0 of 1 · open");
    at(&critic, &["agents", "list"]).exits(0).prints("mo: moderator");
    at(&critic, &["period", "list"]).exits(0).prints("Session 1");
    at(&mo, &["health", "report"]).exits(0).prints("Issues: 1 open");
    at(&critic, &["health", "--mode", "team"]).exits(1).prints("fix: synod");
    served.end();
    finish(place);
}
