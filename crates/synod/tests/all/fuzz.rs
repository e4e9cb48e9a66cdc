//! Hostile inputs from outside: bodies of every route of the service, and what a hook is given. The parsers within are fuzzed beside
//! their code; here it is what the whole binary makes of them.

#[path = "../../../../fuzz/mutate.rs"]
mod mutate;

use std::cell::RefCell;

use crate::houses::finish;
use crate::service::Served;
use crate::world::Place;
use mutate::{Grammar, fuzz};
use serde_json::Value;

const KNOWN: &[&str] = &[
    "question",
    "topic",
    "charter",
    "participants",
    "settings",
    "seats",
    "options",
    "ask",
    "kind",
    "text",
    "title",
    "grade",
    "proposal",
    "amendment",
    "accept",
    "reaction",
    "agree",
    "to",
    "why",
    "matter",
    "m1",
    "agent",
    "ann",
    "path",
    "write",
    "reason",
    "confidence",
    "outcome",
    "name",
    "value",
    "from",
    "rounds",
    "act",
    "at",
    "key",
    "answer",
    "judge",
    "ring-quick",
    "approve",
];

/// Every route that takes a body, from the document that the service gives out.
fn routes(place: &Place, service: &Served) -> Vec<String> {
    let document = service.raw("GET", "/openapi.json", &[], b"").is(200).json();
    let _ = place;
    let paths = document["paths"].as_object().expect("paths").clone();
    let with_post = paths.into_iter().filter(|(_, verbs)| verbs.get("post").is_some());
    with_post
        .map(|(path, _)| {
            let path = path.replace("{matter}", "m1").replace("{ask}", "57.2").replace("{who}", "ann");
            path.replace("{request}", "57.3").replace("{name}", "ring-quick")
        })
        .collect()
}

#[test]
fn any_body_for_any_route() {
    let place = Place::new();
    let service = Served::start(&place, &[]);
    let routes = routes(&place, &service);
    assert!(routes.len() > 15, "{routes:?}");
    let nth = RefCell::new(0);
    fuzz("http", Grammar::Json, KNOWN, |bytes| {
        *nth.borrow_mut() += 1;
        let route = &routes[*nth.borrow() % routes.len()];
        let answer = service.raw("POST", route, &[("content-type", "application/json")], bytes);
        assert!(answer.status < 500, "{route}: {answer:?}");
        if answer.status >= 400 {
            let told: Value = answer.json();
            assert!(told["error"]["code"].is_string() && told["error"]["message"].is_string(), "{answer:?}");
        }
    });
    service.end();
    finish(place);
}

#[test]
fn anything_that_a_hook_is_given() {
    let place = Place::new();
    place.run(["debate", "Should we cache?", "--quiet", "--rehearse"]);
    let left = RefCell::new(40);
    fuzz(
        "hook",
        Grammar::Json,
        &["session_id", "hook_event_name", "Stop", "PostToolUse", "cwd", "tool_name", "tool_input"],
        |bytes| {
            if bytes.is_empty() {
                return;
            }
            // A process for each is dear: the first forty, and more only where more time is given.
            if std::env::var_os("SYNOD_FUZZ_CASES").is_none() && left.replace_with(|left| *left - 1) <= 0 {
                return;
            }
            let run = place.feed(["hook"], bytes).exits(0);
            assert!(run.out.is_empty() || serde_json::from_str::<Value>(&run.out).is_ok(), "{run}");
        },
    );
    finish(place);
}
