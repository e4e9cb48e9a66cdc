//! Every view of an issue says the same: the list, the thread, `show`, exports, receipts and the report.

use serde_json::{Value, json};

use super::{GOOD, MORE, governed, token};
use crate::houses::finish;
use crate::server::{Server, say};
use crate::service::Served;
use crate::world::Place;

/// The receipt that the house keeps of an issue.
fn kept(place: &Place, number: u64) -> Value {
    let id = place.json(["issue", "show", &number.to_string()])["id"].as_str().expect("an id").to_string();
    let path = place.dir().join(format!(".synod/receipts/{id}.json"));
    let text = std::fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    serde_json::from_str::<Value>(&text).expect("JSON")["body"].clone()
}

/// Nothing settled is without its receipt.
#[track_caller]
fn complete(place: &Place) {
    place.run(["receipt", "--missing"]).exits(0).prints("no receipt is missing");
    let verified = place.run(["verify"]).exits(0);
    assert!(!verified.out.contains("without a receipt"), "{}", verified.out);
}

#[test]
fn whatever_settles_an_issue_it_gets_the_receipt_of_its_present_end() {
    let place = governed();
    place.run(["issue", "comment", "1", "--as", "critic", "--body", GOOD, "--stance", "object"]).exits(0);
    place.run(["stop", "1"]).exits(0);
    let stopped = kept(&place, 1);
    assert_eq!((&stopped["decision"], &stopped["dissent"][0]["who"]), (&json!("closed"), &json!("critic")));
    complete(&place);
    // One that is open again keeps the receipt of its earlier end, until it ends again.
    place.run(["issue", "reopen", "1"]).exits(0);
    place.run(["receipt", "1"]).exits(64).tells("matter 1 is open");
    place.run(["issue", "force", "1", "--decision", "Move it.", "--because", "Both were read."]).exits(0);
    assert!(kept(&place, 1)["headline"].as_str().is_some_and(|it| it.starts_with("RESOLVED BY FORCE")));
    complete(&place);
    // One that somebody put back is not that of its present end.
    let id = place.json(["issue", "show", "1"])["id"].as_str().expect("an id").to_string();
    let path = place.dir().join(format!(".synod/receipts/{id}.json"));
    let forced = std::fs::read(&path).expect("a receipt");
    place.run(["issue", "reopen", "1"]).exits(0);
    place.run(["issue", "close", "1"]).exits(0);
    std::fs::write(&path, forced).expect("written");
    place.run(["verify"]).exits(0).prints("1 settled matter without a receipt");
    place.run(["receipt", "--missing"]).exits(0).prints(&format!("{id}.json"));
    assert_eq!(kept(&place, 1)["decision"], "closed");
    for title in ["Two", "Three"] {
        place.run(["issue", "open", title]).exits(0);
    }
    place.run(["issue", "consolidate", "2", "3", "--title", "Both"]).exits(0);
    complete(&place);
    assert!(kept(&place, 2)["headline"].as_str().is_some_and(|it| it.contains("went into")));
    finish(place);
}

#[test]
fn a_service_and_seats_keep_receipts_too() {
    let place = governed();
    let moderator = token(&place, "mo");
    let served = Served::start(&place, &[]);
    let forced = json!({ "decision": "Move it.", "reasoning": "Both were read." });
    served.post("/v1/issues/1/force", &moderator, &forced).is(200);
    // Signing takes place beside what the service answers.
    let signed = || std::fs::read_dir(place.dir().join(".synod/receipts")).is_ok_and(|kept| kept.count() > 0);
    for _ in 0..400 {
        if signed() {
            break;
        }
        std::thread::sleep(std::time::Duration::from_millis(50));
    }
    served.end();
    complete(&place);
    place.run(["issue", "open", "Who speaks first?"]).exits(0);
    place.run(["issue", "comment", "2", "--as", "critic", "--body", GOOD]).exits(0);
    place.run(["issue", "comment", "2", "--as", "writer", "--body", MORE[0]]).exits(0);
    let server = Server::start(|_| say(super::comment(MORE[1], "resolved")));
    let mut args: Vec<String> =
        ["workshop", "run", "--issue", "2", "--only", "--quiet"].map(Into::into).into();
    args.extend(server.seats(&["ann"]));
    place.run(&args).exits(0).prints("resolved");
    complete(&place);
    assert_eq!(kept(&place, 2)["decision"], "resolved");
    finish(place);
}

#[test]
fn marks_sources_and_the_way_it_went_stand_in_every_view() {
    let place = governed();
    place.write("scene.txt", "The reactor fails.\nThe crew docks at dawn.\n");
    let cited = format!("{GOOD} scene.txt:2 \"The crew docks at dawn\"");
    place.run(["issue", "open", "The docking", "--body", "It comes too late.", "--impact", "minor"]).exits(0);
    place.run(["issue", "comment", "2", "--as", "critic", "--body", &cited, "--stance", "object"]).exits(0);
    place.run(["issue", "mark", "2", "irrelevant"]).exits(0);
    place.run(["issue", "close", "2"]).exits(0);
    place.run(["citations", "2"]).exits(0).prints("scene.txt:2").prints("cited by critic: ");
    let exports = [["show", "2"].as_slice(), &["export", "2"], &["export", "2", "--format", "adr"]];
    for args in exports.iter().chain(&[["export", "2", "--format", "html"].as_slice()]) {
        let shown = place.run(*args).exits(0).out;
        for words in ["It comes too late", "irrelevant", "minor", "critic", "objected"] {
            assert!(shown.contains(words), "{args:?} lacks {words}: {shown}");
        }
    }
    let exported = place.run(["export", "2"]).exits(0).out;
    assert!(exported.contains("scene.txt"), "{exported}");
    let report = place.json(["show", "2"]);
    assert_eq!(
        (&report["issue"]["irrelevant"], &report["dissent"][0]["who"]),
        (&json!(true), &json!("critic"))
    );
    let shown = place.run(["issue", "show", "2"]).exits(0);
    shown.prints("marked as irrelevant").prints("minor").prints("(precise)");
    place.run(["issue", "list", "--all"]).exits(0).prints("[irrelevant]");
    // What was put together says where it went.
    place.run(["issue", "open", "Three"]).exits(0);
    place.run(["issue", "consolidate", "1", "3", "--title", "Both"]).exits(0);
    for args in [["issue", "list", "--all"].as_slice(), &["list"], &["issue", "show", "1"]] {
        place.run(args).exits(0).prints("went into #4");
    }
    place.run(["export", "1", "--format", "adr"]).exits(0).prints("Went into another issue");
    // A decision that was undone is still recognisable as one.
    place.run(["issue", "force", "4", "--decision", "Move it.", "--because", "Both were read."]).exits(0);
    place.run(["issue", "reopen", "4"]).exits(0);
    place.run(["issue", "show", "4"]).exits(0).prints("resolved it by force, reopened since");
    finish(place);
}

#[test]
fn what_needs_somebody_is_told_to_whoever_may_see_to_it() {
    let place = governed();
    let loud = format!("{GOOD} This is URGENT and we MUST act.");
    let refused = place.run(["issue", "comment", "1", "--as", "writer", "--body", &loud]).exits(1);
    refused.tells("it costs 1 credit");
    place.run(["issue", "notices", "--as", "mo"]).exits(0).prints("issue #1 was frozen");
    place.run(["issue", "notices", "--as", "critic"]).exits(0).prints("nothing needs you");
    let event = json!({ "session_id": "s1", "hook_event_name": "SessionStart" }).to_string();
    let told = place.feed(["hook", "--as", "mo", "--within", "20s"], event.as_bytes()).exits(0).json();
    assert!(told.to_string().contains("Issue #2"), "{told}");
    place
        .run(["health", "report"])
        .exits(0)
        .prints("0 open, 1 frozen")
        .prints("1 more that the house itself opened");
    place.run(["issue", "unfreeze", "1", "--as", "mo", "--guidance", "Cite the scene you mean."]).exits(0);
    place.run(["health", "report"]).exits(0).prints("nothing needs you");
    place.run(["issue", "escalate", "1", "--as", "mo", "--summary", "Please decide."]).exits(0);
    place
        .run(["health", "report"])
        .exits(0)
        .prints("mo wants you to look at #1")
        .prints("synod issue show 1");
    place.run(["issue", "freedom", "writer", "limited", "--as", "mo"]).exits(0);
    place.run(["agents", "list"]).exits(0).prints("limited");
    place.run(["issue", "freeze-tag", "timeline", "--because", "Enough of it."]).exits(0);
    place.run(["health", "report"]).exits(0).prints("frozen: Enough of it.");
    finish(place);
}

#[test]
fn an_unreadable_answer_is_shown_with_the_issue() {
    let place = governed();
    let server = Server::start(|_| say("I would rather say it in prose.".to_string()));
    let mut args: Vec<String> =
        ["workshop", "run", "--issue", "1", "--only", "--quiet", "--rounds", "1"].map(Into::into).into();
    args.extend(server.seats(&["ann", "bob"]));
    place.run(&args).exits(2);
    place.run(["show", "1"]).exits(0).prints("2 invited answers missing (ann, bob)");
    place.run(["issue", "show", "1"]).exits(0).prints("ann was invited and nothing of it stands");
    place.run(["health", "report"]).exits(0).prints("2 answers of seats could not be read");
    let others = place.run(["issue", "show", "1", "--as", "critic"]).exits(0);
    assert!(!others.out.contains("prose"), "{}", others.out);
    finish(place);
}

#[test]
fn placeholders_agree_to_nothing_and_are_marked() {
    let place = governed();
    place.run(["workshop", "run", "--issue", "1", "--rehearse", "--quiet"]);
    assert_eq!(place.json(["issue", "show", "1"])["epistemic"], "draft");
    assert!(!place.run(["health", "report"]).out.contains("canon promote"));
    for args in [["agents", "list"], ["ledger", "--"]].map(|args| args.into_iter().filter(|one| *one != "--"))
    {
        place.run(args.collect::<Vec<_>>()).exits(0).prints("(rehearsal)");
    }
    finish(place);
}

#[test]
fn goals_that_ended_are_not_forgotten_and_the_team_has_postings() {
    let place = governed();
    place.run(["goals", "set", "One issue", "--metric", "issues-resolved", "--target", "1"]).exits(0);
    place.run(["issue", "force", "1", "--decision", "Move it.", "--because", "Both were read."]).exits(0);
    place.run(["goals"]).exits(0).prints("1 goal reached, missed or taken back: synod goals --all");
    place.run(["ledger"]).exits(0).prints("the team +").prints("collective-goal-achieved");
    let sum: i64 = place.json(["ledger"])["team"]
        .as_array()
        .expect("postings")
        .iter()
        .filter_map(|posting| posting["amount"].as_i64())
        .sum();
    assert_eq!(place.json(["leaderboard"])["team_credits"], sum);
    finish(place);
}
