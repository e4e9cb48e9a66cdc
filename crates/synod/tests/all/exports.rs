//! The answer has the answer, in every form: what was decided, why, on which conditions, who is against it, who is missing,
//! what it cost and where it is recorded. No form contradicts the votes or the status.

use serde_json::{Value, json};

use crate::houses::finish;
use crate::server::{Server, say, side};
use crate::world::{Place, each};

/// Three seats that disagree in a way one can follow: one moves, one stays against it, two have a condition.
const CACHE: &str = r#"@speak 1
@seat ann
{"stance":"YES","position":"Cache it.","key_points":["Reads repeat"],"citations":[{"url":"https://example.org/load","title":"Load test"}],"confidence":0.85}
---
@speak 1
@seat bob
{"stance":"NO","position":"Add the index first.","confidence":0.7}
---
@speak 1
@seat cid
{"stance":"NO","position":"The index may do.","confidence":0.55}
---
@speak
@seat ann
{"stance":"YES","position":"Cache now, index later.","what_moved_me":"nothing","confidence":0.9}
---
@speak
@seat bob
{"stance":"NO","position":"A cold start is worse.","what_moved_me":"nothing","confidence":0.65}
---
@speak
@seat cid
{"stance":"YES","position":"Cache now.","what_moved_me":"Ann: the freeze blocks the index.","confidence":0.8}
---
@vote
@seat ann
{"vote":"YES","reason":"The freeze rules out the index.","change_if":"The freeze is lifted.","conditions":["only with a kill switch"],"confidence":0.9}
---
@vote
@seat bob
{"vote":"NO","reason":"Nobody tested a restart.","change_if":"A restart test passes.","confidence":0.65}
---
@vote 1
@seat cid
{"vote":"NO","reason":"Not yet.","confidence":0.55}
---
@vote
@seat cid
{"vote":"YES","reason":"Nothing else is left.","conditions":["only with a kill switch","none"],"new_argument":"Ann: the freeze blocks the index.","confidence":0.8}
---
@synthesize
They want a cache, with a kill switch, before the sale.
"#;

fn cached(place: &Place) -> crate::world::Run {
    place.write("all.txt", CACHE);
    let seats = ["ann", "bob", "cid"].map(|name| format!("--seat={name}=script:all.txt"));
    let args = ["debate", "Cache it before the sale?", "--synthesize=ann"].map(String::from);
    place.run(args.into_iter().chain(seats)).exits(0)
}

fn export(place: &Place, format: &str) -> String {
    place.run(["export", "--format", format]).exits(0).out
}

#[test]
fn the_first_screen_has_the_answer() {
    let place = Place::new();
    let run = cached(&place);
    let (screen, details) = run.out.split_once("\nSummary written by ann").expect("a summary after it");
    assert!(screen.trim().lines().count() <= 24, "{screen}");
    for words in [
        "PASSED: 2 of 3 votes for it, needs more than 1/2",
        "Advice   query_detail: nobody reasoned",
        "Why      ann: The freeze rules out the index.",
        "Provided only with a kill switch (ann, cid)",
        "Dissent  bob NO: Nobody tested a restart.",
        "would change if: A restart test passes.",
        "Missing  nobody",
        "Cost     nothing left this machine",
        "Record   matter 1",
    ] {
        assert!(screen.contains(words), "`{words}` is not on the first screen:\n{screen}");
    }
    assert!(details.starts_with(" (wording only; the vote decides):\n"), "{details}");
    assert!(details.contains("They want a cache, with a kill switch"), "prose is kept: {details}");
    assert!(
        details.contains("cid: NO in round 1, NO in first-vote, YES in round 2 (Ann: the freeze"),
        "{details}"
    );
    finish(place);
}

#[test]
fn the_answer_pastes_into_a_pull_request_and_into_a_repository() {
    let place = Place::new();
    cached(&place);
    let markdown = export(&place, "md");
    let (answer, _) = markdown.split_once("<details>").expect("the rest is folded");
    assert!(answer.lines().filter(|line| !line.is_empty()).count() <= 15, "{answer}");
    let record = export(&place, "adr");
    let page = export(&place, "html");
    for (form, shown) in [("md", answer), ("adr", &record), ("html", &page)] {
        for words in
            ["PASSED: 2 of 3 votes for it", "nobody reasoned", "The freeze rules out the index.", "nobody"]
        {
            assert!(shown.contains(words), "the {form} lacks `{words}`:\n{shown}");
        }
        for words in ["only with a kill switch", "Nobody tested a restart.", "A restart test passes."] {
            assert!(shown.contains(words), "the {form} lacks `{words}`:\n{shown}");
        }
    }
    for section in ["Status", "Context", "Decision", "Consequences and conditions", "Dissent", "Record"] {
        assert!(record.contains(&format!("\n## {section}\n")), "{record}");
    }
    assert!(
        record.contains("\nAccepted, degraded: scripted answers only, nobody reasoned. Advice: query_detail"),
        "{record}"
    );
    assert!(
        page.contains("<p class=\"headline degraded\">") && page.contains("style=\"width:66%\""),
        "{page}"
    );
    assert!(page.contains("<th><a href=\"#round-1\">round 1</a></th>"), "{page}");
    assert!(page.contains("<span class=\"chip t-yes\">YES 0.80, changed</span>"), "{page}");
    finish(place);
}

#[test]
fn the_answer_in_json_has_typed_fields_for_all_of_it() {
    let place = Place::new();
    cached(&place);
    let whole: Value = serde_json::from_str(&export(&place, "json")).expect("JSON");
    let decision = &whole["answer"]["decision"];
    assert_eq!(whole["answer"]["schema"], "synod-answer/1");
    assert_eq!(each(&decision["why"], "who"), ["ann", "cid"]);
    assert_eq!(decision["conditions"], json!([{ "text": "only with a kill switch", "who": ["ann", "cid"] }]));
    assert_eq!(each(&decision["checks"], "check"), ["condition", "would_change", "disputed", "source"]);
    let stands = &whole["answer"]["seats"]["stands"];
    assert_eq!(
        (&stands[0]["position"], &stands[0]["side"]),
        (&"Cache now, index later.".into(), &"yes".into())
    );
    assert_eq!(stands[0]["sources"][0]["title"], "Load test");
    let path = stands[2]["path"].as_array().expect("a path");
    let moved: Vec<&Value> = path.iter().filter(|step| step.get("changed_from").is_some()).collect();
    assert_eq!(moved.len(), 1, "it moved once: {path:?}");
    assert_eq!(
        (&moved[0]["when"], &moved[0]["argument"]),
        (&json!("round 2"), &json!("Ann: the freeze blocks the index."))
    );
    let receipt = place.run(["receipt"]).exits(0).json();
    assert_eq!(receipt["body"]["conditions"], decision["conditions"]);
    valid(&whole);
    finish(place);
}

/// What a model says that is asked to sum up.
fn answers(summary: &'static str) -> Server {
    Server::start(move |request| match request.told().contains("Sum the council up") {
        true => say(summary),
        false => say(side(request, "YES")),
    })
}

#[test]
fn a_model_writes_a_summary_unless_it_is_told_not_to() {
    let debate = |server: &Server, more: &[&str]| {
        let place = Place::new();
        let seat = |name: &str| format!("--seat={name}={}#{name}", server.url);
        let args = ["debate", "Should we?"].map(String::from).into_iter();
        let more = more.iter().map(ToString::to_string);
        let run = place.run(args.chain(["ann", "bob", "cid"].map(seat)).chain(more)).exits(0);
        (place, run)
    };
    let (place, run) = debate(&answers("It is worth it, they say."), &[]);
    run.prints("Summary written by ann (wording only; the vote decides)").prints("It is worth it, they say.");
    let answer = place.report();
    assert_eq!((&answer["spent"]["calls"], &answer["unserved"]), (&json!(4), &json!([])));
    finish(place);

    let (place, run) = debate(&answers("It is worth it."), &["--no-synthesis"]);
    run.hides("Summary written");
    assert_eq!(place.report()["spent"]["calls"], 3, "one call less");
    finish(place);

    let (place, run) = debate(&answers("It is worth it."), &["--max-calls=3"]);
    run.hides("Summary written").tells("the decision stands");
    let report = place.report();
    assert_eq!((&report["status"], &report["caveats"]), (&json!("passed"), &json!([])), "{report}");
    finish(place);
}

#[test]
fn what_scripts_and_rehearsals_say_nobody_sums_up_unasked() {
    let place = Place::new();
    place.run(["debate", "Should we?", "--seat=ann=rehearsal", "--seat=bob=rehearsal"]);
    assert_eq!(place.report()["syntheses"], json!([]));
    finish(place);
}

/// A number that follows from the ones before: the same in every run.
struct Dice(u64);

impl Dice {
    fn roll(&mut self, sides: u64) -> u64 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) % sides
    }
}

/// A council of which nothing is sure: sides, confidence, silence, votes nobody can read.
fn random(place: &Place, dice: &mut Dice, options: bool) {
    let sides = if options { ["A", "B", "NONE", "ABSTAIN"] } else { ["YES", "NO", "YES", "ABSTAIN"] };
    let mut script =
        String::from("@speak\n{\"stance\":\"NEUTRAL\",\"position\":\"It is close.\",\"confidence\":0.5}\n");
    for name in ["ann", "bob", "cid"] {
        let (choice, sure) = (sides[dice.roll(4) as usize], dice.roll(10));
        let vote = json!({ "vote": choice, "reason": format!("because {name}"), "change_if": format!("if {name}"),
            "conditions": [format!("only {name}")], "confidence": format!("0.{sure}") });
        let said = match dice.roll(8) {
            0 => "@fail backend/time-out: it slept".into(),
            1 => "hard to say".to_string(),
            _ => vote.to_string(),
        };
        script.push_str(&format!("---\n@vote\n@seat {name}\n{said}\n"));
    }
    place.write("all.txt", script);
    let mut args: Vec<String> =
        ["debate", "Do we go this way?", "--charter=collaborative", "--quiet"].map(String::from).into();
    args.extend(["ann", "bob", "cid"].map(|name| format!("--seat={name}=script:all.txt")));
    if options {
        args.extend(["--option=left", "--option=right"].map(String::from));
    }
    place.run(args);
}

#[test]
fn no_export_contradicts_the_votes() {
    let mut dice = Dice(11);
    let mut met = std::collections::BTreeSet::new();
    let place = Place::new();
    for nth in 0..24 {
        random(&place, &mut dice, nth % 2 == 1);
        let whole: Value = serde_json::from_str(&export(&place, "json")).expect("JSON");
        valid(&whole);
        met.insert(whole["status"].as_str().expect("a status").to_string());
        for (form, shown) in ["md", "adr", "html"].map(|form| (form, export(&place, form))) {
            told_truly(&whole, form, &shown);
        }
        told_truly(&whole, "text", &place.run(["show"]).exits(0).out);
    }
    assert!(met.is_superset(&["passed", "rejected", "undecided"].map(String::from).into()), "{met:?}");
    finish(place);
}

/// What a form must say of a matter, and what it must not.
#[track_caller]
fn told_truly(whole: &Value, form: &str, shown: &str) {
    let status = whole["status"].as_str().expect("a status");
    let plain = shown.replace(['\\', '*'], "").replace("&#39;", "'").replace("&gt;", ">");
    let headline = whole["headline"].as_str().expect("a headline");
    assert!(headline.starts_with(&status.to_uppercase()), "{headline}");
    assert!(plain.contains(headline), "the {form} lacks `{headline}`:\n{shown}");
    for other in ["PASSED:", "REJECTED:", "UNDECIDED:", "CONTESTED:"] {
        let own = other.trim_end_matches(':').eq_ignore_ascii_case(status);
        assert_eq!(plain.contains(other), own, "the {form} of {status} and `{other}`:\n{shown}");
    }
    let action = whole["advice"]["action"].as_str().expect("an action");
    assert!(plain.contains(action), "the {form} lacks `{action}`:\n{shown}");
    assert!(action != "proceed" || status == "passed", "{headline}");
    let options = whole["question"].get("options").is_some();
    assert!(!options || !plain.contains("YES"), "the {form} of a choice says YES:\n{shown}");
    for row in whole["dissent"].as_array().into_iter().flatten() {
        for words in ["reason", "change_if"] {
            let words = row[words].as_str().expect("words");
            assert!(plain.contains(words), "the {form} lacks the dissent `{words}`:\n{shown}");
        }
    }
    let decision = &whole["answer"]["decision"];
    for row in decision["why"].as_array().into_iter().flatten() {
        let reason = row["reason"].as_str().expect("a reason");
        assert!(plain.contains(reason), "the {form} lacks the reason `{reason}`:\n{shown}");
        let against = each(&decision["dissent"], "who");
        assert!(!against.contains(&row["who"].as_str().expect("who")), "for it and against it: {row}");
    }
    for row in whole["missing"].as_array().into_iter().flatten() {
        let who = row["who"].as_str().expect("who");
        assert!(
            plain.contains(&format!("{who} in ")),
            "the {form} does not say that {who} is missing:\n{shown}"
        );
    }
    let degraded = whole["caveats"].as_array().is_some_and(|caveats| !caveats.is_empty());
    assert_eq!(
        shown.contains("headline passed\""),
        form == "html" && status == "passed" && !degraded,
        "{form}:\n{shown}"
    );
}

#[test]
fn the_answer_of_an_issue_is_as_the_schema_says() {
    let place = Place::new();
    place.run(["issue", "open", "Where does the scene go?"]).exits(0);
    let status = |place: &Place| {
        let whole = place.json(["show", "1"]);
        valid(&whole);
        whole["status"].as_str().expect("a status").to_string()
    };
    assert_eq!(status(&place), "open");
    place.run(["issue", "force", "1", "--decision", "Move it.", "--because", "It fits."]).exits(0);
    assert_eq!(status(&place), "resolved");
    place.run(["issue", "reopen", "1"]).exits(0);
    place.run(["issue", "close", "1"]).exits(0);
    assert_eq!(status(&place), "closed");
    finish(place);
}

/// Fails unless a value is as the published schema says.
#[track_caller]
fn valid(value: &Value) {
    let path =
        std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/reference/answer.schema.json");
    let schema: Value =
        serde_json::from_str(&std::fs::read_to_string(path).expect("the schema")).expect("JSON");
    if let Err(wrong) = fits(&schema, &schema, value, "") {
        panic!("{wrong}");
    }
}

/// The part of JSON Schema that ours is written in.
fn fits(root: &Value, schema: &Value, value: &Value, at: &str) -> Result<(), String> {
    if let Some(name) = schema["$ref"].as_str().and_then(|it| it.strip_prefix("#/$defs/")) {
        return fits(root, &root["$defs"][name], value, at);
    }
    if let Some(any) = schema["anyOf"].as_array() {
        let tried: Vec<String> = any.iter().filter_map(|one| fits(root, one, value, at).err()).collect();
        return if tried.len() < any.len() { Ok(()) } else { Err(tried.join(" | ")) };
    }
    let good = match schema["type"].as_str() {
        Some("object") => value.is_object(),
        Some("array") => value.is_array(),
        Some("string") => value.is_string(),
        Some("integer") => value.is_i64() || value.is_u64(),
        Some("boolean") => value.is_boolean(),
        Some("null") => value.is_null(),
        Some(other) => return Err(format!("{at}: the test does not know the type {other}")),
        None => true,
    };
    let listed = schema["enum"].as_array().is_none_or(|all| all.contains(value));
    if !good || !listed || schema.get("const").is_some_and(|is| is != value) {
        return Err(format!("{at}: {value} is not {schema}"));
    }
    for name in schema["required"].as_array().into_iter().flatten().filter_map(Value::as_str) {
        value.get(name).ok_or_else(|| format!("{at}: `{name}` is missing"))?;
    }
    for (name, inner) in value.as_object().into_iter().flatten() {
        match schema["properties"].get(name) {
            Some(known) => fits(root, known, inner, &format!("{at}/{name}"))?,
            None if schema["additionalProperties"] == json!(false) => {
                return Err(format!("{at}: `{name}` is not in the schema"));
            }
            None => (),
        }
    }
    for (nth, item) in value.as_array().into_iter().flatten().enumerate() {
        let each = schema["prefixItems"].get(nth).or(schema.get("items"));
        each.map_or(Ok(()), |each| fits(root, each, item, &format!("{at}/{nth}")))?;
    }
    Ok(())
}
