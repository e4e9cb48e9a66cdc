//! What the views of an issue say, held against each other: what is forced, rehearsed, frozen, escalated or refused is so everywhere.

use std::path::Path;

use serde_json::{Value, json};

use super::{GOOD, MORE, governed, token};
use crate::houses::finish;
use crate::service::Served;
use crate::world::{Place, Run, Started, each};

/// Freezes issue 1.
fn freeze(place: &Place) {
    let loud = format!("{GOOD} This is URGENT and we MUST act.");
    place.run(["issue", "comment", "1", "--as", "writer", "--body", &loud]).exits(1);
}

/// Types a line that Synod printed.
#[track_caller]
fn typed(place: &Place, line: &str) -> Run {
    let binary = Path::new(env!("CARGO_BIN_EXE_synod")).display().to_string();
    let mut shell = place.bare("sh");
    shell.args(["-c", &line.trim().replacen("synod", &binary, 1)]);
    Started::of(shell, b"").wait()
}

/// The row of issue 1 in the list of matters.
fn listed(place: &Place) -> Value {
    place.json(["list"])[0].clone()
}

#[test]
fn a_forced_issue_says_so_everywhere() {
    let place = governed();
    place.run(["issue", "comment", "1", "--as", "critic", "--body", GOOD, "--stance", "object"]).exits(0);
    let force =
        ["issue", "force", "1", "--decision", "Move it.", "--because", "Docking comes first.", "--as", "mo"];
    place.run(force).exits(0);
    let caveat = "forced by mo, whatever the thread had come to";
    let line = "RESOLVED BY FORCE: Move it, by mo; because: Docking comes first";
    place.run(["show", "1"]).exits(0).prints(line).prints(caveat);
    let shown = place.json(["show", "1"]);
    assert_eq!(shown["caveats"], json!([caveat]));
    assert_eq!((&shown["resolution"]["forced"], shown["status"].as_str()), (&json!(true), Some("resolved")));
    assert_eq!(shown["resolution"]["because"], "Docking comes first.");
    assert_eq!(listed(&place)["caveats"], json!([caveat]));
    for format in ["md", "html", "adr"] {
        let out = place.run(["export", "1", "--format", format]).exits(0).out;
        assert!(out.contains(caveat), "{format}: {out}");
    }
    let receipt = place.run(["receipt", "1"]).exits(0).out;
    assert!(receipt.contains(caveat) && receipt.contains("RESOLVED BY FORCE"), "{receipt}");
    let issue = place.json(["issue", "show", "1"]);
    let marks = |at: usize| (issue["thread"][at]["resolves"].clone(), issue["thread"][at]["forced"].clone());
    assert_eq!(
        (&issue["forced"], marks(0), marks(1)),
        (&json!(true), (Value::Null, Value::Null), (json!(true), json!(true)))
    );
    let text = place.run(["issue", "show", "1"]).exits(0);
    text.prints("resolves, forced").prints("because:").prints("forced: whatever the thread had come to");
    let writer = token(&place, "writer");
    let served = Served::start(&place, &[]);
    assert_eq!(served.get("/v1/issues/1", &writer).is(200).json()["forced"], true);
    let id = shown["matter"].as_str().expect("an id").to_string();
    assert_eq!(served.get(&format!("/v1/matters/{id}"), "").is(200).json()["caveats"], json!([caveat]));
    served.end();
    finish(place);
}

#[test]
fn a_rehearsal_is_marked_wherever_its_issue_is_shown() {
    let place = governed();
    let ran = place.run(["workshop", "run", "--issue", "1", "--rehearse", "--json"]).json();
    assert_eq!((&ran["rehearsal"], ran["next"].as_str()), (&json!(true), Some("synod issue show 1")));
    let issue = place.json(["issue", "show", "1"]);
    let rehearsed = issue["thread"].as_array().expect("a thread").iter();
    let rehearsed = rehearsed.filter(|comment| comment["rehearsed"] == true).count() as u64;
    assert!(rehearsed > 0 && issue["rehearsed"] == rehearsed && issue["comments"] == rehearsed, "{issue}");
    place.run(["issue", "list"]).exits(0).prints("[rehearsal]");
    place.run(["issue", "show", "1"]).exits(0).prints("· rehearsal").prints("nobody's opinion");
    place.run(["list"]).exits(0).prints("[rehearsal]");
    assert_eq!(listed(&place)["rehearsal"], true);
    let report = place.json(["health", "report"]);
    assert!(
        report["agents"].as_array().is_some_and(|all| all.iter().any(|agent| agent["rehearsal"] == true))
    );
    place
        .run(["issue", "force", "1", "--decision", "Move it.", "--because", "Docking comes first."])
        .exits(0);
    let caveat = format!("{rehearsed} of {} comments are of a rehearsal", rehearsed + 1);
    let shown = place.json(["show", "1"]);
    assert!(shown["caveats"][0].as_str().is_some_and(|first| first.starts_with(&caveat)), "{shown}");
    assert_eq!((&shown["rehearsed"]["comments"], &shown["dissent"]), (&json!(rehearsed), &json!([])));
    let receipt = place.run(["receipt", "1"]).exits(0).out;
    assert!(receipt.contains(&caveat), "{receipt}");
    finish(place);
}

#[test]
fn a_frozen_issue_is_frozen_in_every_view() {
    let place = governed();
    assert_eq!(
        (listed(&place)["status"].as_str(), place.json(["show", "1"])["status"].as_str()),
        (Some("open"), Some("open"))
    );
    freeze(&place);
    place.run(["show", "1"]).exits(0).prints("NOT DECIDED YET: frozen");
    place.run(["export", "1"]).exits(0).prints("frozen");
    place.run(["list", "--status", "frozen"]).exits(0).prints("The reactor fails too early");
    let open = place.run(["list", "--status", "open"]).exits(0);
    assert!(!open.out.contains("The reactor fails too early"), "{}", open.out);
    assert_eq!(listed(&place)["status"], "frozen");
    place.run(["delete", "1", "--yes"]).exits(64).tells("matter 1 is frozen");
    let served = Served::start(&place, &[]);
    let page = served.get("/v1/matters?status=frozen", "").is(200).json();
    assert_eq!(each(&page["matters"], "status"), ["frozen"]);
    let id = page["matters"][0]["matter"].as_str().expect("an id").to_string();
    assert_eq!(served.get(&format!("/v1/matters/{id}"), "").is(200).json()["status"], "frozen");
    served.end();
    finish(place);
}

#[test]
fn an_escalation_is_told_with_who_and_why() {
    let place = governed();
    let summary = "Two scenes contradict each other.";
    place.run(["issue", "escalate", "1", "--summary", summary, "--as", "mo"]).exits(0);
    place.run(["issue", "show", "1"]).exits(0).prints("escalated to the user by mo").prints(summary);
    let issue = place.json(["issue", "show", "1"]);
    assert_eq!(
        (issue["escalations"][0]["by"].as_str(), issue["escalations"][0]["summary"].as_str()),
        (Some("mo"), Some(summary))
    );
    place.run(["issue", "notices"]).exits(0).prints(&format!("mo wants you to look at issue #1: {summary}"));
    let notice = place.json(["issue", "notices"])["notices"][0].clone();
    assert_eq!((notice["by"].as_str(), notice["summary"].as_str()), (Some("mo"), Some(summary)));
    // A comment that escalates says it in its own words, to whoever moderates.
    place.run(["issue", "comment", "1", "--as", "critic", "--body", GOOD, "--action", "escalated"]).exits(0);
    place
        .run(["issue", "notices", "--as", "mo"])
        .exits(0)
        .prints("critic wants you to look at issue #1: The scene");
    finish(place);
}

#[test]
fn refused_comments_are_listed_as_refusals() {
    let place = governed();
    place.run(["issue", "comment", "1", "--as", "writer", "--body", "great idea"]).exits(1);
    let listed = place.run(["refusals", "1"]).exits(0);
    listed.prints("writer").prints("gate/insufficient-substance").prints("at least 150 are needed");
    let rows = place.json(["refusals", "1"]);
    assert_eq!(
        (each(&rows, "what"), each(&rows, "code")),
        (vec!["comment"], vec!["gate/insufficient-substance"])
    );
    place.run(["issue", "open", "Another"]).exits(0);
    place.run(["refusals", "2"]).exits(0).prints("nothing was refused in matter 2");
    assert_eq!(place.json(["refusals", "--all"]).as_array().map(Vec::len), Some(1));
    finish(place);
}

#[test]
fn issues_point_to_where_they_went() {
    let place = governed();
    place.run(["issue", "open", "The same\nfailure"]).exits(0);
    assert_eq!(place.json(["issue", "show", "2"])["title"], "The same failure");
    place.run(["issue", "consolidate", "1", "2", "--title", "Both"]).exits(0);
    place.run(["issue", "show", "1"]).exits(0).prints("went into #3");
    place.run(["issue", "show", "3"]).exits(0).prints("related: #1, #2");
    finish(place);
}

#[test]
fn what_runs_nothing_is_closed_and_never_resumed() {
    let place = governed();
    for command in ["pause", "resume", "continue"] {
        place.run([command, "1"]).exits(64).tells("close it with `synod issue close`");
    }
    place.run(["thoughts", "critic"]).exits(64).tells("nobody has a seat");
    let stopped = place.json(["stop", "1"]);
    assert_eq!(
        (stopped["status"].as_str(), place.json(["show", "1"])["status"].as_str()),
        (Some("closed"), Some("closed"))
    );
    place.run(["outcome", "1", "right"]).exits(64).tells("synod issue mark 1 applied");
    place.run(["issue", "mark", "1", "done"]).exits(64).tells("applied").tells("prevented-error");
    place.run(["issue", "open", "Another"]).exits(0);
    place.run(["stop", "2"]).exits(0).prints("matter 2 is closed");
    finish(place);
}

#[test]
fn every_command_that_is_advised_can_be_typed() {
    let words = |place: &Place| {
        let told = place.json(["issue", "notices"])["notices"][0]["next"].clone();
        told.as_array()
            .expect("commands")
            .iter()
            .map(|one| one.as_str().expect("a command").to_string())
            .collect()
    };
    let place = governed();
    freeze(&place);
    let advised: Vec<String> = words(&place);
    assert_eq!(advised.len(), 5, "{advised:?}");
    finish(place);
    for command in &advised {
        let place = governed();
        freeze(&place);
        let ran = typed(&place, command);
        assert!(ran.code == 0, "{command}: {ran}");
        finish(place);
    }
    let place = governed();
    for (name, body) in [("writer", GOOD), ("ann", MORE[0])] {
        place.run(["issue", "comment", "1", "--as", name, "--body", body]).exits(0);
    }
    let resolve =
        ["issue", "resolve", "1", "--as", "critic", "--body", "done", "--evidence", "a b.txt:1 \"it's\""];
    let refused = place.run(resolve).exits(1);
    let again = refused
        .err
        .lines()
        .find_map(|line| line.trim().strip_prefix("then: "))
        .expect("a command")
        .to_string();
    assert!(
        again.starts_with("synod issue resolve --as 'critic' 1 --file comment.md --evidence "),
        "{again}"
    );
    place.write("comment.md", MORE[1]);
    place.write("a b.txt", "it's\n");
    typed(&place, &again).exits(0).prints("#1 comment");
    let short = ["issue", "comment", "1", "--as", "critic", "--body", "eh", "--kind", "question"];
    place.run(["issue", "reopen", "1"]).exits(0);
    place.run(short).exits(1).tells("synod issue comment --as 'critic' 1 --file comment.md --kind question");
    finish(place);
}

#[test]
fn a_word_that_names_no_file_is_a_slip_and_no_citation() {
    let place = governed();
    let cite =
        |what: &'static str| ["issue", "comment", "1", "--as", "critic", "--body", GOOD, "--evidence", what];
    place.run(cite("garbage")).exits(64).tells("`garbage` does not say what is cited");
    assert_eq!(place.json(["issue", "show", "1"])["comments"], 0);
    place.write("LICENSE", "Anybody may.\n");
    place.run(cite("LICENSE:1")).exits(0);
    finish(place);
}

#[test]
fn a_run_that_asks_nobody_says_why() {
    let place = governed();
    place.write("ask.sh", "#!/bin/sh\ncat >/dev/null\necho '{}'\n");
    for body in [GOOD, MORE[0]] {
        place.run(["issue", "comment", "1", "--as", "ann", "--body", body]).exits(0);
    }
    let args = ["workshop", "run", "--issue", "1", "--seat", "ann=exec:sh ask.sh", "--trust", "--json"];
    let ran = place.run(args).exits(2).json();
    assert_eq!(each(&ran["steps"], "what"), ["not-asked"], "{ran}");
    assert!(ran.to_string().contains("no comment left on this issue"), "{ran}");
    finish(place);
}

#[test]
fn a_conflict_and_its_decision_stand_in_its_issue() {
    let place = governed();
    place.run(["canon", "promote", "eyes", "--text", "Mara's eyes are green."]).exits(0);
    place.run(["issue", "open", "Mara's eyes are blue.", "--as", "ann"]).exits(0);
    let text = "the issue itself by ann contradicts canon:eyes@1";
    place.run(["issue", "show", "2"]).exits(0).prints(&format!("{text} (not decided)"));
    let id = place.run(["canon", "conflicts", "--json"]).exits(1).json()["recorded"][0]["id"].clone();
    place.run(["canon", "decide", "eyes@1", "keep", "--conflict", id.as_str().expect("an id")]).exits(0);
    place.run(["issue", "show", "2"]).exits(0).prints(&format!("{text} (decided: keep)"));
    assert_eq!(place.json(["issue", "show", "2"])["contradictions"][0]["conflicts"][0]["choice"], "keep");
    place.run(["canon", "conflicts"]).exits(0).prints("nothing contradicts canon");
    place.run(["canon", "conflicts", "--all"]).exits(0).prints("decided: keep");
    // Whoever did not write it is not told, as everywhere.
    assert!(place.json(["issue", "show", "2", "--as", "critic"])["contradictions"].is_null());
    assert!(place.json(["issue", "show", "2", "--as", "ann"])["contradictions"].is_array());
    finish(place);
}

#[test]
fn the_report_page_names_its_house_and_counts_what_it_shares() {
    let place = governed();
    place.run(["issue", "comment", "1", "--as", "writer", "--body", GOOD]).exits(0);
    place.run(["issue", "comment", "1", "--as", "writer", "--body", "great idea"]).exits(1);
    let page = place.dir().join("health.html");
    place.run(["health", "report", "--html", page.to_str().expect("a path")]).exits(0);
    let name = place.dir().file_name().expect("a name").to_string_lossy().into_owned();
    let page = std::fs::read_to_string(page).expect("a page");
    assert!(
        page.contains(&format!("<h1>Workshop health: {name}</h1>")) && page.contains("all time"),
        "{page}"
    );
    assert!(page.contains("<td>writer</td><td>1</td><td>0 of 1 (0 %)</td><td>1 of 2 (50 %)</td>"), "{page}");
    assert_eq!(page.matches("<h2>Agents").count(), 1, "{page}");
    // Whoever lost credits has a bar to the left of zero, which is in the middle then.
    assert!(page.contains(">writer: -1</text><rect x=\"0\" y=\"19\" width=\"180\""), "{page}");
    assert!(page.contains("of these, stuck: 0"), "{page}");
    finish(place);
}
