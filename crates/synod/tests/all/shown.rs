//! What is shown of a matter: nothing that degrades a result is left out of any form, and nothing a
//! participant wrote becomes more than text in any of them.

use std::collections::BTreeSet;

use serde_json::{Value, json};

use crate::houses::finish;
use crate::world::{Place, each};

/// The last matter in every form people read.
fn forms(place: &Place) -> [(&'static str, String); 3] {
    let export = |format: &str| place.run(["export", "--format", format]).exits(0).out;
    [("text", place.run(["show"]).exits(0).out), ("md", export("md")), ("html", export("html"))]
}

/// Fails unless every form holds every one of these.
#[track_caller]
fn all_show(place: &Place, wanted: &[&str]) {
    for (form, shown) in forms(place) {
        for words in wanted {
            assert!(shown.contains(words), "the {form} lacks `{words}`:\n{shown}");
        }
    }
}

/// A script in which each answer is for one task and one seat.
fn script(answers: &[(&str, &str, Value)]) -> String {
    let block = |(task, seat, said): &(&str, &str, Value)| format!("@{task}\n@seat {seat}\n{said}\n");
    answers.iter().map(block).collect::<Vec<_>>().join("---\n")
}

/// The default charter with a small panel and questions to the operator.
fn asking_charter(place: &Place) {
    let shown = place.run(["charter", "show", "blind-vote"]).exits(0).out;
    let asks =
        "[[brief.first]]\nkey = \"context_requests\"\nask = \"What you need to know.\"\n\n[[brief.later]]";
    let source = shown
        .replace("name = \"blind-vote\"", "name = \"asking\"")
        .replace("panel = [3, 5, 7]", "panel = [3]")
        .replacen("[[brief.later]]", asks, 1);
    place.write(".synod/charters/asking.toml", source);
}

/// One matter in which nearly everything went as it should not.
fn troubled(place: &Place, said: &str) {
    asking_charter(place);
    let source = json!({ "url": format!("https://evil.example/{said}"), "title": said, "quote": said });
    let asks = json!([
        { "query": format!("how many users? {said}"), "reason": said, "priority": "optional" },
        { "query": "", "reason": "it matters", "priority": "optional" },
    ]);
    place.write(
        "all.txt",
        script(&[
            ("speak 1", "ann", json!({ "stance": "YES", "position": said, "reasoning": said, "key_points": [said],
                "strongest_objection": said, "citations": [source], "context_requests": asks, "confidence": 0.9 })),
            ("speak 1", "bob", json!({ "stance": "NO", "position": "Do not.", "confidence": 0.8 })),
            ("speak 1", "cid", json!({ "position": "I cannot say." })),
            ("speak", "ann", json!({ "stance": "YES", "position": said, "what_moved_me": said })),
            ("speak", "bob", json!({ "stance": "NO", "position": "Still not.", "what_moved_me": "nothing" })),
            ("speak", "cid", json!({ "stance": "NO", "position": "Rather not.", "what_moved_me": "nothing" })),
            ("vote", "ann", json!({ "vote": "YES", "reason": said, "change_if": said, "confidence": 0.9 })),
            ("vote", "bob", json!({ "vote": "NO", "reason": "cost of it", "change_if": "somebody pays" })),
            ("vote 1", "cid", json!({ "vote": "NO", "reason": "a doubt" })),
            ("vote", "cid", json!({ "vote": "YES", "reason": "the others", "new_argument": "", "confidence": 0.9 })),
            ("judge", "jo", json!({ "agreement": 0.2, "summary": said, "disagreements": [said] })),
            ("synthesize", "ann", json!({ "summary": said, "recommendation": said, "agreed": [said] })),
        ]) + "---\n@judge\n@seat max\n@fail backend/time-out: the judge slept\n",
    );
    place.write("notes.md", said);
    let args =
        ["--charter=asking", "--context=notes.md", "--judge=jo=script:all.txt", "--judge=max=script:all.txt"];
    let seats = ["--seat=ann=script:all.txt", "--seat=bob=script:all.txt", "--seat=cid=script:all.txt"];
    let reserve = ["--seat=dee=script:all.txt", "--synthesize=ann", "--focus", said];
    let words = ["debate", said].into_iter().chain(args).chain(seats).chain(reserve);
    place.run(words).exits(0).prints("PASSED");
}

#[test]
fn what_degrades_a_result_is_in_every_form() {
    let place = Place::new();
    troubled(&place, "Is it sound");
    let wanted = [
        "1 vote changed without a new argument",
        "nobody reasoned",
        "2 of 3 seats voted alike (medium)",
        // The vote that went along, the dissent, and what would change it.
        "(was NO, no new argument)",
        "cost of it",
        "somebody pays",
        // Marks on statements and votes.
        "cid in round 1: expected a stance, got none (gate/stance-missing)",
        "cid in final-vote: changed from NO to YES without naming a new argument (ballot/conformity)",
        // Who was not asked, who did not answer, who answered otherwise than it was counted.
        "dee",
        "not asked",
        "max pending, the judge slept (backend/time-out)",
        "jo 0.20",
        "from 0.20 to ",
        // What was asked of the operator, and what does not stand.
        "how many users?",
        "(optional, open)",
        "the query has 0 characters, 1 to 1000 are allowed (context/query)",
        "Summary written by ann (wording only; the vote decides)",
        "drafts done",
    ];
    all_show(&place, &wanted);

    let report = place.report();
    assert_eq!(report["advice"]["action"], "query_detail");
    assert_eq!(
        (&report["level"], &report["agreement"]),
        (&"medium".into(), &json!({ "part": 2, "whole": 3 }))
    );
    assert_eq!(each(&report["dissent"], "change_if"), ["somebody pays"]);
    let codes = each(&report["marked"], "code");
    assert!(codes.contains(&"gate/stance-missing") && codes.contains(&"ballot/conformity"), "{codes:?}");
    let final_votes = &report["ballots"][1]["votes"];
    assert_eq!(
        (&final_votes[2]["conformity"], &final_votes[2]["changed_from"]),
        (&true.into(), &"no".into())
    );
    assert_eq!(report["reserve"], json!(["dee"]));
    assert_eq!(report["rounds"][0]["pending"][0]["cause"]["code"], "backend/time-out");
    assert_eq!(report["rounds"][0]["judged"][0]["agreement"], 200);
    assert_eq!(each(&report["requests"], "became"), ["open"]);
    assert_eq!(each(&report["refused_requests"], "code"), ["context/query"]);
    assert_eq!(each(&report["helpers"], "name"), ["jo", "max"]);
    finish(place);
}

/// The four layers hold for scripts what they hold for people, wherever the matter is written out.
#[test]
fn the_answer_is_whole_for_scripts() {
    let place = Place::new();
    troubled(&place, "Is it sound");
    let report = place.report();
    let answer = &report["answer"];
    assert_eq!(&place.run(["export", "--format=json"]).exits(0).json()["answer"], answer);
    let (decision, seats) = (&answer["decision"], &answer["seats"]);
    assert_eq!((&decision["agreement_by"], &decision["level"]), (&"vote".into(), &"medium".into()));
    assert_eq!(decision["support"]["margin"], 1, "{decision}");
    assert_eq!((&decision["support"]["part"], &decision["support"]["whole"]), (&2.into(), &3.into()));
    assert_eq!(decision["vote"], report["ballots"][1]);
    assert!(decision["vote"]["tally"].is_object() && decision["vote"]["bases"].is_array(), "{decision}");
    assert_eq!(decision["caveats"], report["caveats"]);
    for layer in ["marked", "unserved", "repaired", "helpers", "missing"] {
        assert_eq!(seats[layer], report[layer], "{layer}");
    }
    assert!(each(&seats["marked"], "who").contains(&"cid"), "{seats}");
    let evidence = &answer["evidence"];
    let first = &evidence["judged"][0];
    assert_eq!((&first["round"], &first["judged"][0]["who"]), (&1.into(), &"jo".into()), "{evidence}");
    assert_eq!((&first["pending"][0]["who"], &first["spread"][0]), (&"max".into(), &200.into()), "{first}");
    assert_eq!(each(&evidence["refused_requests"], "code"), ["context/query"]);
    assert!(evidence["nuances"].is_array(), "{evidence}");
    place.run(["show"]).exits(0).prints("Agreed   2 of 3 seats voted alike (medium)");
    finish(place);
}

#[test]
fn ordered_sides_and_broken_orders_are_in_every_form() {
    let place = Place::new();
    let yes =
        |who: &str| json!({ "stance": "YES", "position": format!("{who} is for it"), "confidence": 0.9 });
    place.write(
        "all.txt",
        script(&[
            ("speak", "ann", yes("ann")),
            ("speak", "bob", yes("bob")),
            ("speak", "cid", json!({ "stance": "NEUTRAL", "position": "It is close." })),
            ("vote", "ann", json!({ "vote": "YES", "confidence": 0.9 })),
            ("vote", "bob", json!({ "vote": "YES", "confidence": 0.9 })),
            ("vote", "cid", json!({ "vote": "YES", "confidence": 0.9 })),
        ]),
    );
    let seats = ["--seat=ann=script:all.txt", "--seat=bob=script:all.txt", "--seat=cid=script:all.txt"];
    place.run(["debate", "Should we?", "--charter=devils-advocate"].into_iter().chain(seats)).exits(0);
    let wanted = [
        "bob in round 1: expected NO, got YES (gate/stance-unexpected)",
        "bob in round 2: expected NO, got YES (gate/stance-unexpected)",
        "opposition, assigned to argue NO; not its own opinion",
        "nobody reasoned",
    ];
    all_show(&place, &wanted);
    let report = place.report();
    assert_eq!(each(&report["seats"], "role"), ["primary", "opposition", "evaluator"]);
    assert_eq!(each(&report["seats"], "ordered"), ["yes", "no", "neutral"]);
    assert_eq!(each(&report["marked"], "detail"), ["expected NO, got YES", "expected NO, got YES"]);
    assert_eq!(report["advice"]["action"], "query_detail");
    finish(place);
}

/// Everything that would be more than text in some form.
const HOSTILE: &str = "# HOSTILE\n===\nHOSTILE\n---\n1. HOSTILE\n- HOSTILE\n    HOSTILE\n> HOSTILE\n[HOSTILE](http://evil.example) \
    ![HOSTILE](https://evil.example/x.png) <https://evil.example> www.evil.example\n<script>HOSTILE()</script>\
    <img src=x onerror=HOSTILE>\n| HOSTILE | x |\n|---|---|\n```\nHOSTILE\n```\n**HOSTILE** _x_ ~~x~~ @everyone $HOSTILE$ &lt;b&gt;\n\
    <!-- HOSTILE\n\u{1b}[31mHOSTILE\u{202e}\n\n### HOSTILE";

#[test]
fn hostile_words_stay_words() {
    let place = Place::new();
    troubled(&place, HOSTILE);
    let [(_, text), (_, markdown), (_, page)] = forms(&place);
    for shown in [&text, &markdown, &page] {
        assert!(shown.matches("HOSTILE").count() > 10, "{shown}");
        assert!(!shown.contains(['\u{1b}', '\u{202e}']), "a character that steers the reader:\n{shown}");
    }
    // One thing is one line, so nobody writes a label of ours.
    let labelled = |line: &&str| line.is_empty() || line.starts_with(' ') || line.contains("HOSTILE");
    let ours = text.lines().filter(|line| !labelled(line) && line.get(8..9).is_some_and(|gap| gap != " "));
    let ours: Vec<&str> = ours.filter(|line| !line.starts_with("PASSED")).collect();
    assert_eq!(ours, ["Summary written by ann (wording only; the vote decides):"], "{text}");
    inert_markdown(&markdown);
    inert_page(&page);
    finish(place);
}

/// No line that quotes somebody is more than text in a quotation, a list or a heading of ours.
fn inert_markdown(markdown: &str) {
    for line in markdown.lines() {
        let mut plain = String::new();
        let mut chars = line.chars();
        while let Some(c) = chars.next() {
            // What is escaped is text.
            let escaped = c == '\\' && chars.next().is_some();
            plain.push(if escaped { 'x' } else { c });
        }
        // A name of ours stands before what somebody said.
        let named = plain.strip_prefix("> - **").and_then(|rest| rest.split_once("**: "));
        let plain = named.map(|(who, said)| format!("> {who} {said}")).unwrap_or(plain);
        let marks = [">   - ", "> - ", "> ", "- ", "##### ", "#### ", "### ", "*"];
        let body = marks.iter().find_map(|mark| plain.strip_prefix(mark));
        let body = body.unwrap_or(&plain).trim_end_matches('*');
        if line.contains("HOSTILE") || line.contains("evil") || line.starts_with('>') {
            assert!(!body.contains(['<', '>', '[', ']', '`', '*', '_', '#', '$', '&', '~', '@']), "{line}");
            assert!(!body.contains("://") && !body.contains("www."), "{line}");
            assert!(!body.starts_with(['-', '=', '+']) && !body.starts_with("1."), "{line}");
            assert!(line.starts_with(['>', '-', '#', '*']), "quoted, listed, or a heading of ours: {line}");
        }
    }
}

/// Every tag of the page is one of ours.
fn inert_page(page: &str) {
    let body = page.split_once("<body>").expect("a body").1;
    let tags: BTreeSet<&str> =
        body.split('<').skip(1).map(|rest| rest.split('>').next().unwrap_or(rest)).collect();
    let ours = [
        "main",
        "h1",
        "h2",
        "h3",
        "p",
        "blockquote",
        "ul",
        "li",
        "table",
        "tr",
        "th",
        "td",
        "details",
        "summary",
        "dl",
        "dt",
        "dd",
        "cite",
        "small",
        "div",
        "span",
        "b",
        "a",
    ];
    // Attributes are ours where nothing stands in them that anybody could have written.
    let plain = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || " =\"#:%-".contains(c);
    let is_ours = |tag: &str| {
        let (name, attributes) = tag.split_once(' ').unwrap_or((tag, ""));
        let known = ["class=", "id=\"", "href=\"#round-", "style=\"width:"];
        let known = known.iter().any(|start| attributes.starts_with(start));
        ours.contains(&name) && (attributes.is_empty() || known && attributes.chars().all(plain))
    };
    let closing = |tag: &str| {
        matches!(tag, "/body" | "/html") || ours.iter().any(|our| tag.strip_prefix('/') == Some(our))
    };
    let foreign: Vec<&&str> = tags.iter().filter(|tag| !is_ours(tag) && !closing(tag)).collect();
    assert!(foreign.is_empty(), "{foreign:?}");
    assert!(page.contains("default-src 'none'"), "a page that runs nothing");
}

#[test]
fn a_matter_that_waits_says_what_for() {
    let place = Place::new();
    let asks = json!([{ "query": "how many users?", "reason": "the load decides", "priority": "required" }]);
    let split = |stance: &str| json!({ "stance": stance, "position": format!("It is {stance}.") });
    place.write(
        "all.txt",
        script(&[
            ("speak", "ann", json!({ "stance": "YES", "position": "Yes.", "context_requests": asks })),
            ("speak", "bob", split("NO")),
            ("speak", "cid", split("YES")),
        ]),
    );
    let seat = |name: &str| format!("--seat={name}=script:all.txt");
    let line = |seats: [String; 2], more: &str| {
        let mut args =
            vec!["debate".into(), "Should we?".into(), "--charter=collaborative".into(), more.into()];
        args.extend(seats);
        args
    };
    let first_line = |shown: &str| shown.lines().next().unwrap_or_default().to_string();

    let run = place.run(line([seat("ann"), seat("bob")], "--quiet")).exits(2);
    let show = place.run(["show"]).exits(0);
    assert!(show.out.starts_with(&run.out), "the same words, first\n{run}\n{show}");
    assert!(first_line(&show.out).ends_with("ann (required, open): how many users?"), "{show}");
    let report = place.report();
    let (number, id) = (&report["number"], report["requests"][0]["id"].as_str().expect("an id"));
    show.prints("    because the load decides\n")
        .prints(&format!("answer with: synod answer {number} {id} TEXT, or: synod waive {number} {id}"))
        .prints(&format!("then resume with: synod resume {number}"))
        .prints("NOT DECIDED YET: needs context");

    let run = place.run(line([seat("cid"), seat("bob")], "--step")).exits(2);
    let show = place.run(["show"]).exits(0).prints("NOT DECIDED YET: waiting");
    assert!(show.out.starts_with(&run.out), "the same words, first\n{run}\n{show}");
    let number = &place.report()["number"];
    let next = format!(
        "round 1 is over; run the next with: synod continue {number} [--focus TEXT] [--context FILE]"
    );
    assert_eq!(first_line(&show.out), next);
    finish(place);
}

#[test]
fn seats_that_share_a_model_are_fewer_voters() {
    let server =
        crate::server::Server::start(|request| crate::server::say(crate::server::side(request, "YES")));
    let place = Place::new();
    let seat = |name: &str, model: &str| format!("--seat={name}={}#{model}", server.url);
    let args = [
        "debate".to_string(),
        "Should we?".into(),
        seat("ann", "big"),
        seat("bob", "big"),
        seat("cid", "small"),
    ];
    place.run(args).exits(0).prints("[degraded: 1.8 of 3 independent voters, because seats share models]");
    all_show(&place, &["1.8 of 3 independent voters, because seats share models"]);
    let report = place.report();
    assert_eq!(report["voters"], json!({ "part": 9, "whole": 5 }));
    assert_eq!(report["ballots"][0]["voters"], json!({ "part": 9, "whole": 5 }));
    let receipt = place.run(["receipt"]).exits(0).json();
    assert_eq!(
        receipt["body"]["caveats"],
        json!(["1.8 of 3 independent voters, because seats share models"])
    );
    finish(place);
}

/// Plays a ring with these votes, `voter proposal grade reason`, and ends it.
fn voted_ring(place: &Place, votes: &[(&str, &str, &str, &str)]) {
    let ring = |args: &[&str]| drop(place.run([&["ring"], args].concat()).exits(0));
    ring(&["open", "Which cache?", "--invite=ann", "--invite=bob", "--invite=cy", "--rounds=1", "--quiet"]);
    ["ann", "bob", "cy"].into_iter().for_each(|who| ring(&["join", "--as", who]));
    ring(&["propose", "--as", "ann", "--title", "Redis", "Put a Redis before it."]);
    ring(&["propose", "--as", "bob", "--title", "Memcached", "Use memcached."]);
    ring(&["skip", "--as", "cy", "--why", "nothing to add"]);
    ring(&["say", "--as", "ann", "It halves the load."]);
    ring(&["amend", "--as", "bob", "A", "Put a Redis before it, for a minute."]);
    ring(&["react", "--as", "cy", "B", "disagree"]);
    ring(&["rule", "--as", "ann", "A", "--accept"]);
    for (who, proposal, grade, why) in votes {
        ring(&["vote", "--as", who, proposal, grade, "--rationale", why]);
    }
}

/// The receipt of the newest matter.
fn receipt_of_last(place: &Place) -> Value {
    let matter =
        place.run(["show", "last", "--json"]).exits(0).json()["matter"].as_str().expect("an id").to_string();
    let path = place.house().join(format!("receipts/{matter}.json"));
    let text = std::fs::read_to_string(path).expect("a receipt");
    serde_json::from_str::<Value>(&text).expect("JSON")["body"].clone()
}

#[test]
fn a_ring_with_a_dissenter_reads_alike_in_every_view() {
    let place = Place::new();
    voted_ring(
        &place,
        &[
            ("ann", "A", "approve", "Mine."),
            ("ann", "B", "reject", "Not that."),
            ("bob", "A", "approve_with_concerns", "For a minute only."),
            ("bob", "B", "approve", "Mine, too."),
            ("cy", "A", "reject", "A second source of truth."),
            ("cy", "B", "reject", "Neither."),
        ],
    );
    let shown = [
        "COMMITTED: proposal A, Redis; 2 of 3 votes and abstentions for it",
        "1 of 3 seats disagreed; 1 of 3 seats approved with concerns",
        "A second source of truth.",
        "For a minute only.",
        "Put a Redis before it.",
        "nothing to add",
    ];
    all_show(&place, &shown);
    let answer = place.run(["show", "last", "--json"]).exits(0).json();
    let dissent = json!([{ "change_if": null, "confidence": null, "grade": "reject", "proposal": "A",
        "reason": "A second source of truth.", "who": "cy" }]);
    assert_eq!((&answer["dissent"], &answer["advice"]["action"]), (&dissent, &json!("verify")));
    assert_eq!(answer["ballots"][0]["margin"], 1, "one voter more or less and A is not approved");
    let body = receipt_of_last(&place);
    for name in ["dissent", "advice", "reservations", "headline", "voters"] {
        assert_eq!(body[name], answer[name], "{name} in the receipt");
    }
    place
        .run(["thoughts", "last", "cy"])
        .exits(0)
        .prints("votes REJECT on proposal A")
        .prints("skipped: nothing to add");
    place
        .run(["round", "last", "1"])
        .exits(0)
        .prints("change to proposal A")
        .prints("reaction to proposal B: disagree");
    place
        .run(["compare", "last", "last"])
        .exits(0)
        .prints("REJECT on A")
        .prints("in dissent")
        .prints("Differences: nothing");
    let receipts = place.house().join("receipts");
    let path = std::fs::read_dir(&receipts).expect("receipts").flatten().next().expect("one").path();
    place.write("old.json", std::fs::read(path).expect("a receipt"));
    place.run(["delete", "last", "--yes"]).exits(0);
    place
        .run(["verify", "old.json"])
        .exits(0)
        .prints("its words cannot be compared, everything else matches");
    all_show(&place, &["[redacted", "its text was deleted"]);
    finish(place);
}

#[test]
fn a_ring_that_approves_nothing_never_advises_to_proceed() {
    let place = Place::new();
    let votes = [
        ("ann", "A", "reject", "No longer."),
        ("ann", "B", "reject", "Nor that."),
        ("bob", "A", "reject", "Too dear."),
        ("bob", "B", "reject", "Too old."),
        ("cy", "A", "reject", "No."),
        ("cy", "B", "reject", "No, too."),
    ];
    voted_ring(&place, &votes);
    all_show(&place, &["ABORTED: no proposal was approved", "detail", "Too dear.", "No, too."]);
    let body = receipt_of_last(&place);
    assert_eq!(
        (&body["advice"]["action"], body["dissent"].as_array().map(Vec::len)),
        (&json!("query_detail"), Some(6))
    );
    place.run(["list"]).exits(0).prints("rejected");
    finish(place);
}
