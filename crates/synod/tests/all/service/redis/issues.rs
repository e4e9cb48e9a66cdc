//! Agents that only speak Redis work on issues and hold leases.

use serde_json::{Value, json};

use super::{Agent, Ear, Redis, Served, token, until, wait_for};
use crate::houses::finish;
use crate::world::Place;

const GOOD: &str = "The scene at the reactor opens before the crew has docked, so the failure cannot be seen by anybody who \
    matters later. Moving it behind the docking keeps both threads and costs one paragraph of text.";

fn send(agent: &mut Agent, kind: &str, data: &Value) {
    let (body, secret) = (agent.body(kind, data), agent.secret.clone());
    agent.publish(&body, &secret);
}

/// Sends something that is refused, and gives the reply.
#[track_caller]
fn refused(agent: &mut Agent, heard: &mut Ear<'_>, kind: &str, data: &Value) -> Value {
    send(agent, kind, data);
    until(heard, "REFUSED")
}

/// A house with two agents on Redis that read important issues first.
fn place() -> Place {
    let place = Place::new();
    place.run(["agents", "appoint", "mo", "--role", "moderator"]).exits(0);
    place.run(["agents", "appoint", "cy", "--role", "critic", "--devils-advocate"]).exits(0);
    place.run(["agents", "appoint", "con", "--role", "continuity"]).exits(0);
    place
}

#[test]
fn an_agent_on_redis_works_on_issues() {
    let place = place();
    let (cy, ann) = (token(&place, &["cy"]), token(&place, &["ann"]));
    let redis = Redis::start();
    let service = Served::start(&place, &["--redis", &redis.url()]);
    let mut agent = Agent::new(&redis, "cy", &cy);
    let mut hear = redis.connect().expect("a connection");
    let mut heard = agent.hears(&mut hear);
    wait_for(&redis, "pop:consensus:session");
    place.write("scene.txt", "The reactor fails.\nThe crew docks at noon.\n");

    let opened = json!({ "title": "The reactor fails too early", "body": "Chapter 3.", "assignee": "cy" });
    service.post("/v1/issues", &ann, &opened).is(201);
    let told = until(&mut heard, "ISSUE_ASSIGNED");
    assert_eq!((&told["data"]["issue"]["number"], &told["from"]), (&json!(1), &json!("engine")), "{told}");
    assert_eq!(told["data"]["issue"]["body"], "Chapter 3.");

    let turned = refused(&mut agent, &mut heard, "ISSUE_COMMENT", &json!({ "issue": "1", "body": "nice" }));
    assert_eq!(turned["refused"]["breaches"].as_array().map(Vec::len), Some(2), "{turned}");
    let told = until(&mut heard, "COMMENT_REFUSED");
    assert!(told["data"]["refused"]["breaches"][0]["fix"].is_string(), "{told}");
    let unknown = json!({ "issue": "9", "body": GOOD });
    assert_eq!(refused(&mut agent, &mut heard, "ISSUE_COMMENT", &unknown)["code"], "workshop/unknown-issue");
    let odd = json!({ "issue": "1", "body": GOOD, "verified": 3 });
    assert_eq!(refused(&mut agent, &mut heard, "ISSUE_COMMENT", &odd)["code"], "redis/malformed");

    // What it cites is read before it stands, and then its author hears of it.
    let cited = format!("{GOOD} See scene.txt:2 \"The crew docks at noon.\"");
    send(&mut agent, "ISSUE_COMMENT", &json!({ "issue": "1", "body": cited, "stance": "object" }));
    until(&mut heard, "ACCEPTED");
    let posted = until(&mut heard, "COMMENT_POSTED");
    let thread = service.get("/v1/issues/1", &ann).is(200).json();
    assert_eq!(
        (&thread["thread"][0]["id"], &thread["thread"][0]["verified"]),
        (&posted["data"]["comment"], &json!(1))
    );

    let challenged = json!({ "who": "cy" });
    service.post("/v1/issues", &ann, &json!({ "title": "Eye colours" })).is(201);
    service.post("/v1/issues/2/challenge", "", &challenged).is(200);
    let order = until(&mut heard, "ISSUE_ORDER");
    assert_eq!((&order["data"]["task"], &order["data"]["issue"]["number"]), (&json!("object"), &json!(2)));
    let loud = json!({ "body": format!("{GOOD} This is URGENT and we MUST act.") });
    service.post("/v1/issues/1/comments", &ann, &loud).is(409);
    let frozen = until(&mut heard, "ISSUE_FROZEN");
    assert_eq!(
        (&frozen["data"]["number"], &frozen["data"]["breaker"]),
        (&json!(1), &json!("escalation-language"))
    );

    // After a restart it asks what waits for it.
    send(&mut agent, "STATE", &json!({}));
    assert_eq!(until(&mut heard, "ISSUE_ORDER")["data"]["issue"]["number"], 2);
    assert_eq!(until(&mut heard, "ISSUE_ASSIGNED")["data"]["issue"]["number"], 1);
    service.end();
    finish(place);
}

#[test]
fn a_lease_is_taken_asked_for_and_given_back_on_redis() {
    let place = place();
    let (cy, ann) = (token(&place, &["cy"]), token(&place, &["ann"]));
    let redis = Redis::start();
    let service = Served::start(&place, &["--redis", &redis.url()]);
    let mut agent = Agent::new(&redis, "cy", &cy);
    let mut hear = redis.connect().expect("a connection");
    let mut heard = agent.hears(&mut hear);
    wait_for(&redis, "pop:consensus:session");

    send(&mut agent, "LEASE_TAKE", &json!({ "paths": ["src/api.rs"], "why": "refactoring" }));
    let taken = until(&mut heard, "ACCEPTED");
    assert_eq!((&taken["work"]["paths"], taken["work"]["until"].is_u64()), (&json!(["src/api.rs"]), true));
    let wanted = json!({ "paths": ["src/api.rs"] });
    service.post("/v1/leases", &ann, &wanted).fails(409, "lease/held");
    let ask = json!({ "path": "src/api.rs", "why": "the build is red" });
    service.post("/v1/leases/ask", &ann, &ask).is(200);
    let asked = until(&mut heard, "LEASE_ASKED");
    assert_eq!((&asked["data"]["by"], &asked["data"]["why"]), (&json!("ann"), &json!("the build is red")));
    // With an issue, the reason stands there.
    service.post("/v1/leases/ask", &ann, &json!({ "path": "src/api.rs", "issue": true })).is(200);
    let asked = until(&mut heard, "LEASE_ASKED");
    assert_eq!(until(&mut heard, "ISSUE_ASSIGNED")["data"]["issue"]["number"], asked["data"]["issue"]);
    let outside = json!({ "paths": ["../secret"] });
    assert_eq!(refused(&mut agent, &mut heard, "LEASE_TAKE", &outside)["code"], "lease/bad-path");
    send(&mut agent, "LEASE_RELEASE", &json!({}));
    until(&mut heard, "ACCEPTED");
    service.post("/v1/leases", &ann, &wanted).is(200);
    // Everybody can read the public channels, so nothing of this is said there.
    let body = agent.body("LEASE_TAKE", &wanted);
    agent.publish_signed(&body);
    assert_eq!(until(&mut heard, "REFUSED")["code"], "redis/not-sealed");
    service.end();
    finish(place);
}

#[test]
fn blind_readers_on_redis_see_nothing_of_each_other() {
    let place = place();
    let (cy, con) = (token(&place, &["cy"]), token(&place, &["con"]));
    let redis = Redis::start();
    let service = Served::start(&place, &["--redis", &redis.url()]);
    let (mut critic, mut reader) = (Agent::new(&redis, "cy", &cy), Agent::new(&redis, "con", &con));
    let (mut one, mut other) = (redis.connect().expect("a line"), redis.connect().expect("a line"));
    let (mut to_critic, mut to_reader) = (critic.hears(&mut one), reader.hears(&mut other));
    wait_for(&redis, "pop:consensus:session");

    let opened = json!({ "title": "Change the ending", "impact": "canon-changing" });
    service.post("/v1/issues", "", &opened).is(201);
    assert_eq!(until(&mut to_critic, "ISSUE_ORDER")["data"]["task"], "read-blind");
    assert_eq!(until(&mut to_reader, "ISSUE_ORDER")["data"]["task"], "read-blind");
    let comment = json!({ "issue": "1", "body": GOOD, "stance": "object" });
    send(&mut critic, "ISSUE_COMMENT", &comment);
    until(&mut to_critic, "COMMENT_POSTED");
    // Until both have answered, the other learns at most that there is something.
    send(&mut reader, "STATE", &json!({}));
    let waits = until(&mut to_reader, "ISSUE_ORDER");
    assert_eq!(
        (&waits["data"]["issue"]["hidden"], &waits["data"]["issue"]["thread"]),
        (&json!(1), &json!([]))
    );
    assert!(!format!("{waits}{:?}", to_reader.kept).contains("docked"), "{waits}");
    service.end();
    finish(place);
}
