//! Rings with random rules, in which everything that is said, proposed and voted is marked.

use serde_json::{Value, json};
use synod_core::kernel::MatterId;
use synod_core::matter::Status;

use super::Dice;
use super::stage::{Caller, Stage, who};

/// Holds one ring to its end, looking around all the while.
pub(super) fn hold(stage: &mut Stage, dice: &mut Dice) -> MatterId {
    let (base, secrecy) = (
        *dice.pick(&["ring-quick", "ring-default", "ring-strict", "ring-critical"]),
        *dice.pick(&["open", "until-closed", "secret"]),
    );
    let topic = stage.ledger.word();
    let rounds = if base == "ring-strict" { 3 } else { 1 };
    let source = format!(
        "name = \"leaky\"\ntitle = \"t\"\nsummary = \"s\"\nextends = \"{base}\"\n[ballot]\nsecrecy = \"{secrecy}\"\n"
    );
    let seats: Vec<String> = stage.people.iter().map(|(name, _)| name.clone()).collect();
    let seats = &seats[..seats.len() - dice.roll(2) as usize];
    let body = json!({
        "question": format!("Shall {topic} be?"), "charter": "leaky", "charter_source": source, "seats": seats,
        "set": { "rounds": rounds },
    });
    let operator = stage.operator.clone();
    let opened = stage.act("openMatter", "/v1/matters", &operator, &body).is(201).json();
    let matter: MatterId = opened["matter"].as_str().and_then(|id| id.parse().ok()).expect("a matter");
    for step in 0..120 {
        stage.moment.catch_up(&stage.place);
        if let Some(Status::Settled(_)) = stage.moment.house.case(matter).map(|case| case.status()) {
            break;
        }
        let moved = everybody_moves(stage, dice, matter, step);
        if !moved {
            stage.act("stopMatter", &format!("/v1/matters/{matter}/stop"), &operator, &json!({}));
        }
    }
    stage.act(
        "learnOutcome",
        &format!("/v1/matters/{matter}/outcome"),
        &operator,
        &json!({ "was": "right" }),
    );
    stage.look_around(matter, true);
    matter
}

/// Each participant does what is asked of it. False if nothing was asked of anybody.
fn everybody_moves(stage: &mut Stage, dice: &mut Dice, matter: MatterId, step: u32) -> bool {
    let mut moved = false;
    for (name, caller) in stage.people.clone() {
        let answer = stage.service.get(&format!("/v1/turns?matter={matter}"), &caller.token);
        if answer.status != 200 {
            continue;
        }
        let turn = answer.json()["turns"][0].clone();
        moved = true;
        does(stage, dice, matter, &caller, &turn);
        if dice.roll(3) == 0 {
            tries_what_is_not_its_turn(stage, matter, &name, &caller);
        }
        stage.look_around(matter, step < 40 && dice.roll(10) == 0);
    }
    moved
}

/// Somebody does what a turn asks for, with words that stand nowhere else.
fn does(stage: &mut Stage, dice: &mut Dice, matter: MatterId, by: &Caller, turn: &Value) {
    let path = |part: &str| format!("/v1/matters/{matter}/{part}");
    let (one, other, ask) = (stage.ledger.word(), stage.ledger.word(), turn["ask"].clone());
    let proposals =
        stage.service.get(&format!("/v1/matters/{matter}"), &by.token).json()["ring"]["proposals"].clone();
    let first = proposals.as_array().and_then(|rows| rows.first()).map(|row| row["id"].clone());
    match (turn["task"].as_str().unwrap_or_default(), first) {
        ("join", _) => drop(stage.act("joinMatter", &path("join"), by, &json!({}))),
        ("propose", _) => {
            let body = json!({ "ask": ask, "title": one, "text": other });
            stage.act("propose", &path("proposals"), by, &body);
        }
        ("speak", None) => {
            let body = json!({ "ask": ask, "title": one, "text": other });
            stage.act("propose", &path("proposals"), by, &body);
        }
        ("speak", Some(first)) => match dice.roll(5) {
            0 => drop(stage.act(
                "amend",
                &path("amendments"),
                by,
                &json!({ "ask": ask, "proposal": first, "text": one, "why": other }),
            )),
            1 => drop(stage.act(
                "react",
                &path("reactions"),
                by,
                &json!({ "ask": ask, "to": first, "reaction": "agree", "text": one }),
            )),
            2 => drop(stage.act("skip", &path("skip"), by, &json!({ "ask": ask, "why": one }))),
            3 => {
                stage.act(
                    "contribute",
                    &path("contributions"),
                    by,
                    &json!({ "ask": ask, "text": one, "keep": true }),
                );
                stage.act("release", &path("release"), by, &json!({ "ask": ask }));
            }
            _ => {
                drop(stage.act("contribute", &path("contributions"), by, &json!({ "ask": ask, "text": one })))
            }
        },
        ("weigh", Some(_)) => {
            let open =
                proposals.as_array().into_iter().flatten().flat_map(|row| row["amendments"].as_array());
            let open: Vec<Value> =
                open.flatten().filter(|row| row["accepted"].is_null()).map(|row| row["id"].clone()).collect();
            for change in open {
                stage.act(
                    "rule",
                    &path("rulings"),
                    by,
                    &json!({ "amendment": change, "accept": true, "why": one }),
                );
            }
            stage.act("skip", &path("skip"), by, &json!({ "ask": ask }));
        }
        ("vote", Some(_)) => {
            for row in proposals.as_array().into_iter().flatten() {
                let grade = *dice.pick(&["approve", "approve_with_concerns", "abstain", "reject"]);
                let reason = stage.ledger.word();
                let body = json!({
                    "proposal": row["id"], "grade": grade, "rationale": reason, "salt": "0123456789abcdef",
                });
                stage.act("vote", &path("votes"), by, &body);
                stage.look_around(matter, false);
            }
        }
        (_, _) => drop(stage.act("skip", &path("skip"), by, &json!({ "ask": ask }))),
    }
}

/// What is refused has words too.
fn tries_what_is_not_its_turn(stage: &mut Stage, matter: MatterId, name: &str, by: &Caller) {
    let word = stage.ledger.word();
    stage.ledger.refused(word.clone(), matter, who(name));
    let body = json!({ "ask": "1.0", "text": word });
    let answer = stage.act("contribute", &format!("/v1/matters/{matter}/contributions"), by, &body);
    assert!(answer.status >= 400, "{answer:?}");
}
