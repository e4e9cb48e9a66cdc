//! Downtime is not charged to participants: a service is killed or stopped for longer than a turn and a session last, or a
//! ring is paused, and everybody who was asked has full time when the house runs again.

use std::thread::sleep;
use std::time::{Duration, SystemTime};

use serde_json::{Value, json};

use super::{Served, token};
use crate::houses::finish;
use crate::world::Place;

/// How long a turn and a session last. Longer than everything in these tests that is not a wait for it to be over.
const TURN_MS: u64 = 8_000;
const SESSION_MS: u64 = 9_000;
const AWAY: Duration = Duration::from_millis(SESSION_MS + 1_000);

struct Scene {
    place: Place,
    operator: String,
    ann: String,
    matter: String,
}

impl Scene {
    /// A ring whose participants are both asked to propose.
    fn begin() -> (Self, Served) {
        let place = Place::new();
        let operator = token(&place, &["me", "--operator"]);
        let (ann, bob) = (token(&place, &["ann"]), token(&place, &["bob"]));
        let service = Served::start(&place, &[]);
        let set = json!({ "ring.token_ms": TURN_MS, "ring.session_ms": SESSION_MS, "ring.vote_ms": TURN_MS });
        let body =
            json!({ "question": "Cache?", "charter": "ring-quick", "seats": ["ann", "bob"], "set": set });
        let opened = service.post("/v1/matters", &operator, &body).is(201).json();
        let matter = opened["matter"].as_str().expect("a matter").to_string();
        for token in [&ann, &bob] {
            service.post(&format!("/v1/matters/{matter}/join"), token, &json!({})).is(200);
        }
        (Self { place, operator, ann, matter }, service)
    }

    fn shown(&self, service: &Served) -> Value {
        service.get(&format!("/v1/matters/{}", self.matter), &self.operator).is(200).json()
    }

    /// Ann has her turn, and all of its time; the session goes on.
    #[track_caller]
    fn has_full_time(&self, service: &Served) {
        let turn = service.turn(&self.ann, &self.matter);
        assert_eq!((&turn["task"], &turn["who"]), (&json!("propose"), &json!("ann")), "{turn}");
        is_full(&turn["until"]);
        let shown = self.shown(service);
        assert_eq!((&shown["status"], &shown["ring"]["skips"]), (&json!("running"), &Value::Null), "{shown}");
        let left = left(&shown["ring"]["until"]);
        assert!(left > 0 && left <= SESSION_MS + AWAY.as_millis() as u64, "{left} ms left of the session");
    }
}

fn left(until: &Value) -> u64 {
    let now = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH).expect("a clock").as_millis() as u64;
    until.as_u64().expect("a time").saturating_sub(now)
}

#[track_caller]
fn is_full(until: &Value) {
    let left = left(until);
    assert!((TURN_MS / 2..=TURN_MS).contains(&left), "{left} ms left of {TURN_MS}");
}

#[test]
fn a_service_that_was_killed_charges_nobody_when_it_is_back() {
    let (scene, mut service) = Scene::begin();
    service.process.kill();
    sleep(AWAY);
    let service = Served::start(&scene.place, &[]);
    scene.has_full_time(&service);
    service.end();
    finish(scene.place);
}

#[test]
fn a_service_that_was_stopped_charges_nobody_when_it_is_back() {
    let (scene, service) = Scene::begin();
    service.end();
    assert_eq!(scene.place.json(["show", &scene.matter])["status"], "interrupted");
    sleep(AWAY);
    let service = Served::start(&scene.place, &[]);
    scene.has_full_time(&service);
    service.end();
    finish(scene.place);
}

/// Whoever comes first finds the house without a service: it runs again from that moment on.
#[test]
fn a_command_that_finds_a_killed_or_stopped_service_charges_nobody() {
    let ends: [fn(Served); 2] = [|mut service| service.process.kill(), |service| service.end()];
    for end in ends {
        let (scene, service) = Scene::begin();
        end(service);
        sleep(AWAY);
        let turn = scene.place.json(["ring", "turn", "--as", "ann", "--wait", "5s"])["turn"].clone();
        assert_eq!((&turn["task"], &turn["phase"]), (&json!("propose"), &json!("PROPOSING")), "{turn}");
        is_full(&turn["until"]);
        let put = ["ring", "propose", "--as", "ann", "--title", "Cache", "For an hour."];
        scene.place.run(put).exits(0);
        finish(scene.place);
    }
}

/// The first start after a kill records the interruption; a service that dies at every start after that adds nothing.
#[test]
fn a_service_that_dies_at_every_start_does_not_fill_the_disk() {
    let (scene, mut service) = Scene::begin();
    service.process.kill();
    Served::start(&scene.place, &[]).process.kill();
    let acts = scene.place.acts().len();
    for _ in 0..3 {
        Served::start(&scene.place, &[]).process.kill();
    }
    assert_eq!(scene.place.acts().len(), acts);
    let service = Served::start(&scene.place, &[]);
    scene.has_full_time(&service);
    service.end();
    finish(scene.place);
}

#[test]
fn a_pause_takes_nothing_from_the_session() {
    let (scene, service) = Scene::begin();
    let steer = |what: &str| {
        service.post(&format!("/v1/matters/{}/{what}", scene.matter), &scene.operator, &json!({})).is(200);
    };
    steer("pause");
    sleep(AWAY);
    steer("resume");
    scene.has_full_time(&service);
    service.end();
    finish(scene.place);
}
