//! Kinds of question from the command line and over HTTP: a wrong one is refused with what to type, and the right one comes
//! out in every form that shows a result.

use serde_json::{Value, json};

use crate::houses::finish;
use crate::service::{Served, token};
use crate::world::{Place, Run};

/// Two propose the same in other words, one something else.
const ANSWERS: &str = r#"@speak
@seat ann
{"reasoning":"It is there already.","answer":"Postgres","confidence":0.9}
---
@speak
@seat bob
{"reasoning":"We know it.","answer":"Postgres","confidence":0.9}
---
@speak
@seat cyd
{"reasoning":"It is quick.","answer":"Redis","confidence":0.9}
---
@compare
{"same":[]}
---
@vote
{"vote":["Postgres","Redis"],"reason":"we know it","change_if":"load doubles","confidence":0.9}
"#;

const NUMBERS: &str = r#"@speak
@seat ann
{"reasoning":"Like the last one.","low":8,"high":12,"best":9,"confidence":0.8}
---
@speak
@seat bob
{"reasoning":"Two teams.","low":10,"high":14,"best":"12 days","confidence":0.8}
---
@speak
@seat cyd
{"reasoning":"Nobody did it before.","low":10,"high":30,"best":15,"confidence":0.8}
"#;

fn debate(place: &Place, script: &str, args: &[&str]) -> Run {
    place.write("seats.txt", script);
    let seats = ["ann", "bob", "cyd"].map(|name| format!("--seat={name}=script:seats.txt"));
    place.run(["debate"].iter().chain(args).map(ToString::to_string).chain(seats))
}

#[test]
fn a_wrong_kind_is_refused_with_the_command_to_type() {
    let place = Place::new();
    for (question, typed) in [
        ("Which queue should we use?", "synod debate --open \"Which queue should we use?\""),
        ("How many days will it take?", "synod debate --estimate days \"How many days will it take?\""),
        ("Redis or Postgres?", "synod debate --option Redis --option Postgres \"Redis or Postgres?\""),
        ("Welche Datenbank sollen wir nehmen?", "synod debate --open"),
    ] {
        debate(&place, ANSWERS, &[question]).exits(64).tells(typed).tells("--kind yes-no");
    }
    let told = debate(&place, ANSWERS, &["Which queue should we use?", "--json"]).exits(64).json();
    assert_eq!(
        (&told["error"]["code"], &told["error"]["kind"]),
        (&"matter/other-kind".into(), &"open".into())
    );
    debate(&place, ANSWERS, &["How long?", "--charter", "estimate"]).exits(64).tells("--estimate days");
    debate(&place, ANSWERS, &["How long?", "--kind", "choice"]).exits(64).tells("--option ONE");
    debate(&place, ANSWERS, &["How long?", "--estimate", "10 days"]).exits(64).tells("without digits");
    // Who knows better says so.
    debate(&place, ANSWERS, &["Which queue should we use?", "--kind", "yes-no", "--plan"]).exits(0);
    debate(&place, ANSWERS, &["Which one?", "--option=left", "--option=right", "--plan"]).exits(0);
    debate(&place, ANSWERS, &["Should we use the vendor which costs less?", "--plan"]).exits(0);
    // Nothing of it reached a journal.
    place.run(["list"]).exits(66);
    place.spoil();
}

#[test]
fn an_open_question_comes_out_in_every_form() {
    let place = Place::new();
    let run = debate(&place, ANSWERS, &["--open", "Which queue should we use?"]).exits(0);
    run.prints("PASSED: ")
        .prints("Postgres; proposed by ann, bob")
        .prints("Redis (proposed by cyd)")
        .hides("YES");
    place.run(["list"]).exits(0).prints("passed").prints("open");
    place.run(["show"]).exits(0).prints("proposed by ann, bob").hides("YES");
    place.run(["thoughts", "cyd"]).exits(0).prints("answer 0.90").prints("all answers differ");
    place.run(["round", "1"]).exits(0).prints("── ann: answer 0.90");
    for form in ["md", "html", "adr"] {
        let out = place.run(["export", "--format", form]);
        out.exits(0).prints("Postgres").prints("proposed by").hides("YES");
    }
    let report = place.report();
    assert_eq!(report["kind"], "open");
    assert_eq!(report["answers"].as_array().map(Vec::len), Some(2));
    place.run(["verify"]).exits(0).prints("1 ballot recounted");
    place.run(["replay"]).exits(0);
    place.run(["fork", "--at-round=1", "--quiet"]).exits(0).prints("Postgres");
    place.run(["compare", "1", "2"]).exits(0).prints("1 round shared");
    place.run(["outcome", "1", "Postgres"]).exits(0).prints("(Postgres) was right");
    finish(place);
}

#[test]
fn a_number_comes_out_in_every_form() {
    let place = Place::new();
    let words = "median 12 days (middle half 10.5 to 13.5), 3 of 3 seats";
    let run = debate(&place, NUMBERS, &["--estimate", "days", "How long will it take?"]).exits(0);
    run.prints(&format!("ESTIMATED: {words}"))
        .prints("query_detail: nobody reasoned")
        .prints("Nobody did it before.")
        .hides("YES");
    place.run(["list"]).exits(0).prints("estimated");
    place.run(["show"]).exits(0).prints(words).hides("YES");
    place.run(["thoughts", "bob"]).exits(0).prints("12 days (10 to 14)");
    for form in ["md", "html", "adr"] {
        let out = place.run(["export", "--format", form]);
        out.exits(0).prints(words).prints("15 days (10 to 30)").hides("YES");
    }
    let report = place.report();
    assert_eq!(
        report["decision"],
        json!({ "estimated": { "lower": "10.5", "median": "12", "upper": "13.5" } })
    );
    assert_eq!(report["estimate"]["words"], words);
    assert_ne!(report["advice"]["action"], "proceed");
    place.run(["verify"]).exits(0);
    place.run(["replay"]).exits(0);
    place.run(["outcome", "right"]).exits(64).tells("a number of days");
    place.run(["outcome", "14"]).exits(0).prints("14 days came true; the median 12 was 2 too low");
    finish(place);
}

#[test]
fn a_service_names_the_kind_that_it_refuses() {
    let place = Place::new();
    let operator = token(&place, &["me", "--operator"]);
    let service = Served::start(&place, &[]);
    let seats = ["ann", "bob"].map(|name| json!({ "name": name, "answered_by": "rehearsal" }));
    let post = |more: Value| {
        let mut body =
            json!({ "question": "How many days will it take?", "charter": "blind-vote", "seats": seats });
        more.as_object().into_iter().flatten().for_each(|(key, value)| body[key] = value.clone());
        service.post("/v1/matters", &operator, &body)
    };
    let told = post(json!({})).is(422).json();
    assert_eq!(
        (&told["error"]["code"], &told["error"]["kind"]),
        (&"matter/other-kind".into(), &"estimate".into())
    );
    let told = post(json!({ "question": "Which one?" })).is(422).json();
    assert_eq!(told["error"]["kind"], "open");
    post(json!({ "charter": "estimate" })).is(409);
    post(json!({ "charter": "estimate", "unit": "days" })).is(201);
    post(json!({ "kind": "yes-no" })).is(201);
    post(json!({ "question": "Which one?", "charter": "open" })).is(201);
    post(json!({ "question": "Which one?", "options": ["left", "right"] })).is(201);
    post(json!({ "kind": "perhaps" })).is(422);
    // In a ring the participants put what they vote on.
    let ring = json!({ "question": "Which one?", "charter": "ring-quick", "seats": ["cyd", "dee"] });
    service.post("/v1/matters", &operator, &ring).is(201);
    drop(service);
    finish(place);
}
