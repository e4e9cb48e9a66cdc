//! The files a service's triggers go by: changed and broken while it runs.

use serde_json::{Value, json};

use super::{Served, token};
use crate::houses::finish;
use crate::world::Place;

const RULES: &str = ".synod/triggers.toml";

/// A checkpoint that fires each time another one is named.
fn checkpoint(service: &Served, operator: &str, name: &str) -> super::Answer {
    let body = json!({ "kind": "checkpoint", "name": name, "flagged": true, "participants": ["ann", "bob"] });
    service.post("/v1/triggers", operator, &body)
}

fn observed(service: &Served, ann: &str) -> super::Answer {
    service.post("/v1/observations", ann, &json!({ "kind": "progress", "agent": "ann" }))
}

#[test]
fn a_flaw_is_the_operators_to_mend() {
    let place = Place::new();
    let (ann, operator) = (token(&place, &["ann"]), token(&place, &["me", "--operator"]));
    let service = Served::start(&place, &[]);
    observed(&service, &ann).is(200);
    let acts = place.acts().len();
    let flawed: [(&[u8], &str); 3] = [
        (b"[charters]\nhigh = 7\nhihg = 8\n", "triggers.toml:3: `charters.hihg`"),
        (b"[charters]\nlow = \"ring-lazy\"\n", "there is no charter `ring-lazy`"),
        (b"\xff\xfe", "is not UTF-8"),
    ];
    for (rules, said) in flawed {
        place.write(RULES, rules);
        // Told again and again to whoever calls, and once on stderr.
        for answer in [
            observed(&service, &ann),
            observed(&service, &ann),
            service.post(
                "/v1/triggers",
                &ann,
                &json!({ "kind": "agent", "agent": "ann", "reason": "security_concern", "confidence": 0.9 }),
            ),
        ] {
            let answer = answer.fails(503, "trigger/flawed");
            assert_eq!(answer.headers["retry-after"], "1");
            assert!(answer.body.contains("tell the operator"), "{answer:?}");
            for part in ["toml", "ring-lazy", place.dir().to_str().expect("a path")] {
                assert!(!answer.body.contains(part), "a participant learns {part}: {answer:?}");
            }
        }
        let answer = checkpoint(&service, &operator, "api_design").fails(503, "trigger/flawed");
        let message = answer.json()["error"]["message"].as_str().expect("a message").to_string();
        assert!(message.contains(said), "{message}");
        service.process.until_told(message.lines().next().expect("a line"));
    }
    assert_eq!(place.acts().len(), acts, "nothing was judged by flawed rules");
    std::fs::remove_file(place.dir().join(RULES)).expect("a file");
    observed(&service, &ann).is(200);
    checkpoint(&service, &operator, "api_design").is(200);
    service.process.signal("TERM");
    let run = service.process.wait().exits(0);
    assert_eq!(run.err.matches("triggers are off until this is fixed: ").count(), flawed.len(), "{run}");
    finish(place);
}

#[test]
fn a_charter_that_is_changed_holds_from_the_next_call_on() {
    let place = Place::new();
    let operator = token(&place, &["me", "--operator"]);
    let shipped =
        include_str!("../../../../../charters/ring-quick.toml").replace("\"ring-quick\"", "\"ours\"");
    let file = ".synod/charters/ours.toml";
    place.write(file, &shipped);
    place.write(RULES, "[charters]\nhigh = \"ours\"\nnormal = \"ours\"\n");
    let service = Served::start(&place, &[]);
    let opened = |name: &str| {
        let told = checkpoint(&service, &operator, name).is(200).json();
        let matter = told["matter"].as_str().unwrap_or_else(|| panic!("{told}")).to_string();
        place.json(["show", &matter])["charter"].clone()
    };
    let first = opened("one");
    assert_eq!(first["name"], "ours");
    assert_eq!(opened("two"), first, "nothing was changed");
    let acts = place.acts().len();
    let changed = shipped.replace("rounds = { is = 3,", "rounds = { is = 2,");
    assert_ne!(changed, shipped);
    place.write(file, &changed);
    let second = opened("three");
    assert_ne!(second["digest"], first["digest"], "{second}");
    let kinds = |acts: &[Value]| -> Vec<String> {
        let kind = |act: &Value| act["command"].as_object().and_then(|it| it.keys().next().cloned());
        acts.iter().filter_map(kind).collect()
    };
    assert_eq!(kinds(&place.acts()[acts..]), ["adopt", "configure_triggers", "trigger"]);
    assert_eq!(opened("four"), second);
    // Broken, it is told like the numbers; as it was, it is not adopted again.
    place.write(file, "name = 7");
    let answer = checkpoint(&service, &operator, "five").fails(503, "trigger/flawed");
    assert!(answer.body.contains("ours.toml:1"), "{answer:?}");
    let acts = place.acts().len();
    place.write(file, &shipped);
    assert_eq!(opened("six"), first);
    assert_eq!(kinds(&place.acts()[acts..]), ["configure_triggers", "trigger"]);
    service.end();
    finish(place);
}
