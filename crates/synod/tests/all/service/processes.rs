//! Agents as processes of their own, in another language, under every shipped ring: all is well; one is killed in its
//! turn; one tries everything that is not allowed. The decision stands, and what was refused is on record.

use std::process::Stdio;

use serde_json::{Value, json};

use super::{Served, token, turned_away};
use crate::houses::finish;
use crate::world::{Place, Run, Started, each};

const AGENT: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/all/service/agent.py");
const NAMES: [&str; 3] = ["ann", "bob", "cy"];

/// A service with everybody's tokens.
struct Scene {
    place: Place,
    service: Served,
    operator: String,
    tokens: Vec<String>,
}

impl Scene {
    fn new() -> Self {
        let place = Place::new();
        let operator = token(&place, &["me", "--operator"]);
        let tokens = NAMES.iter().map(|name| token(&place, &[name])).collect();
        let service = Served::start(&place, &[]);
        Self { place, service, operator, tokens }
    }

    #[track_caller]
    fn open(&self, charter: &str, set: &Value) -> String {
        let body = json!({ "question": "Keep answers?", "charter": charter, "seats": NAMES, "set": set });
        let told = self.service.post("/v1/matters", &self.operator, &body).is(201).json();
        told["matter"].as_str().expect("a matter").to_string()
    }

    /// Starts an agent for everybody, each in the manner given.
    fn agents(&self, matter: &str, manners: [&str; 3]) -> Vec<Started> {
        let url = format!("http://{}", self.service.address);
        let agent = |((name, token), manner): ((&&str, &String), &str)| {
            let mut python = self.place.bare("python3");
            python.args([AGENT, &url, matter, name, token, manner]).stdin(Stdio::piped());
            Started::of(python, b"")
        };
        NAMES.iter().zip(&self.tokens).zip(manners).map(agent).collect()
    }

    #[track_caller]
    fn shown(&self, matter: &str) -> Value {
        self.service.get(&format!("/v1/matters/{matter}"), &self.operator).is(200).json()
    }

    /// Ends the service; gives what it told last.
    #[track_caller]
    fn end(self) -> (Place, Run) {
        self.service.process.signal("TERM");
        let run = self.service.process.wait().exits(0);
        (self.place, run)
    }
}

/// What an agent said at its end.
#[track_caller]
fn said(agent: Started) -> Value {
    let run = agent.wait().exits(0);
    let last = run.out.lines().last().unwrap_or_default();
    serde_json::from_str(last).unwrap_or_else(|error| panic!("{error}\n{run}"))
}

/// The ring committed to the proposal as it was changed.
#[track_caller]
fn committed(shown: &Value) {
    let ring = &shown["ring"];
    assert_eq!((&ring["phase"], &shown["status"]), (&json!("COMMITTED"), &json!("passed")), "{ring}");
    let proposal = &ring["proposals"][0];
    assert_eq!(proposal["text"], "Keep answers for an hour, and measure it.", "{ring}");
    assert_eq!((&proposal["amendments"][0]["accepted"], &ring["round"]), (&json!(true), &json!(3)), "{ring}");
    assert_eq!(ring["committed"], proposal["id"]);
}

#[test]
fn three_processes_commit_under_every_ring() {
    let scene = Scene::new();
    for charter in ["ring-default", "ring-quick", "ring-strict", "ring-critical"] {
        let matter = scene.open(charter, &json!({ "rounds": 3 }));
        for agent in scene.agents(&matter, ["honest"; 3]) {
            assert_eq!(said(agent), json!({ "phase": "COMMITTED", "house": [], "door": [] }), "{charter}");
        }
        let shown = scene.shown(&matter);
        committed(&shown);
        let spoke = |round: u64| {
            let said = shown["ring"]["said"].as_array().expect("statements").iter();
            said.filter(|said| said["round"] == round).count()
        };
        assert_eq!([spoke(1), spoke(2), spoke(3)], [3, 2, 3], "one amends in the second round");
    }
    let (place, run) = scene.end();
    run.tells("ended; no request was rejected");
    assert_eq!(place.json(["refusals", "--all"]), json!([]));
    finish(place);
}

#[test]
fn one_is_killed_in_its_turn() {
    let scene = Scene::new();
    // Long enough for Python on a busy machine, and short enough to wait for.
    let matter =
        scene.open("ring-quick", &json!({ "rounds": 3, "ring.token_ms": 6000, "ring.vote_ms": 6000 }));
    let mut agents = scene.agents(&matter, ["honest", "honest", "hangs"]);
    let mut dies = agents.remove(2);
    dies.until("speaking", 0);
    assert_eq!(scene.shown(&matter)["ring"]["holder"]["who"], "cy", "it has the floor");
    dies.kill();
    for agent in agents {
        assert_eq!(said(agent), json!({ "phase": "COMMITTED", "house": [], "door": [] }));
    }
    let shown = scene.shown(&matter);
    committed(&shown);
    let missing = each(&shown["missing"], "who");
    assert!(missing.iter().all(|who| *who == "cy") && missing.len() == 3, "two turns and a vote: {shown}");
    let (place, _) = scene.end();
    finish(place);
}

#[test]
fn one_forges_doubles_and_is_late() {
    let scene = Scene::new();
    let matter = scene.open("ring-default", &json!({ "rounds": 3 }));
    let mut agents = scene.agents(&matter, ["waits", "honest", "forges"]);
    // Ann keeps the floor until the other has tried to take it.
    agents[2].until("forged", 0);
    agents[0].type_line("go on");
    let mut told: Vec<Value> = agents.into_iter().map(said).collect();
    let forger = told.pop().expect("three");
    assert!(told.iter().all(|told| told["house"] == json!([]) && told["door"] == json!([])), "{told:?}");
    assert_eq!(forger["phase"], "COMMITTED");
    committed(&scene.shown(&matter));

    // All that reached the house is in its record, in order, with who tried it.
    let mut refused = scene.place.json(["refusals", &matter]);
    refused.as_array_mut().expect("a list").retain(|row| row["count"].is_null());
    assert_eq!(json!(each(&refused, "code")), forger["house"], "{refused}");
    assert!(each(&refused, "by").iter().all(|by| *by == "seat:cy"), "{refused}");
    for code in [
        "ring/wrong-phase",
        "ring/already-joined",
        "floor/not-holder",
        "ask/not-open",
        "table/unknown",
        "table/too-long",
    ] {
        assert!(each(&refused, "code").contains(&code), "{code} in {refused}");
    }
    let shown = scene.place.run(["refusals"]).exits(0);
    shown.prints("seat:cy").prints("floor/not-holder");
    // Nothing was taken twice.
    let twice = scene
        .place
        .acts()
        .iter()
        .filter(|act| act["outcome"]["done"].to_string().contains("said twice"))
        .count();
    assert_eq!(twice, 3, "once in each round");
    // The rest was turned away at the door, and is in the record too: who proved to be whom, and how often.
    let (place, run) = scene.end();
    run.tells("ended; rejected: 3 token/not-operator, 3 token/not-owner, 3 token/unknown");
    let here = turned_away(&place, &["refusals", &matter]);
    assert!(here.iter().all(|(by, _, count)| by == "seat:cy" && *count == 3) && here.len() == 2, "{here:?}");
    let away = turned_away(&place, &["refusals", "--all"]);
    let expected =
        [("a stranger", "token/unknown"), ("seat:cy", "token/not-operator"), ("seat:cy", "token/not-owner")];
    assert_eq!(away, expected.map(|(by, code)| (by.into(), code.into(), 3)));
    assert_eq!(forger["door"].as_array().map(Vec::len), Some(9), "{forger}");
    place
        .run(["refusals", "--all"])
        .exits(0)
        .prints("unknown caller  request (http)  token/unknown: rejected");
    finish(place);
}
