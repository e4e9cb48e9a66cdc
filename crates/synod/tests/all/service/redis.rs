//! Agents that only speak Redis: a real server, a real service, signed messages; forgeries, replays and a server
//! that dies and comes back.

use std::net::TcpListener;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant, SystemTime};

use hmac::{Hmac, KeyInit as _, Mac as _};
use redis::{Connection, PubSub};
use serde_json::{Value, json};
use sha2::Sha256;

use super::{PATIENCE, Served, token, turned_away};
use crate::houses::finish;
use crate::world::Place;

/// A Redis on a port of its own. Ended when it is dropped.
pub(crate) struct Redis {
    child: Child,
    port: u16,
}

impl Redis {
    pub(crate) fn start() -> Self {
        // Free a moment ago; nobody else on this machine asks for it.
        let free = TcpListener::bind("127.0.0.1:0").expect("a port");
        let port = free.local_addr().expect("an address").port();
        drop(free);
        Self::on(port)
    }

    fn on(port: u16) -> Self {
        let mut command = Command::new("redis-server");
        command.args([
            "--port",
            &port.to_string(),
            "--bind",
            "127.0.0.1",
            "--save",
            "",
            "--appendonly",
            "no",
        ]);
        command.stdout(Stdio::null()).stderr(Stdio::null()).stdin(Stdio::null());
        let child = command.spawn().expect("redis-server, which scripts/setup installs");
        let redis = Self { child, port };
        let until = Instant::now() + PATIENCE;
        while redis.connect().is_err() {
            assert!(Instant::now() < until, "redis-server does not answer on {port}");
            std::thread::sleep(Duration::from_millis(10));
        }
        redis
    }

    pub(crate) fn url(&self) -> String {
        format!("redis://127.0.0.1:{}", self.port)
    }

    pub(crate) fn connect(&self) -> redis::RedisResult<Connection> {
        redis::Client::open(self.url())?.get_connection()
    }
}

impl Drop for Redis {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

fn mac(key: &[u8], message: &[u8]) -> Vec<u8> {
    let mut mac = Hmac::<Sha256>::new_from_slice(key).expect("any key");
    mac.update(message);
    mac.finalize().into_bytes().to_vec()
}

fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

fn now() -> u64 {
    SystemTime::now().duration_since(SystemTime::UNIX_EPOCH).expect("a clock").as_millis() as u64
}

/// An agent on Redis.
struct Agent {
    name: String,
    secret: Vec<u8>,
    speak: Connection,
    sent: u32,
}

impl Agent {
    fn new(redis: &Redis, name: &str, token: &str) -> Self {
        let secret = mac(token.as_bytes(), b"synod/redis/1");
        Self { name: name.into(), secret, speak: redis.connect().expect("a connection"), sent: 0 }
    }

    /// Begins to hear what is sent to it.
    fn listen<'a>(hear: &'a mut Connection, channel: &str) -> PubSub<'a> {
        hear.set_read_timeout(Some(PATIENCE)).expect("a time-out");
        let mut heard = hear.as_pubsub();
        heard.subscribe(channel).expect("subscribed");
        heard
    }

    fn body(&mut self, kind: &str, data: &Value) -> String {
        self.sent += 1;
        let key = format!("{}-{}", self.name, self.sent);
        json!({ "version": 1, "type": kind, "from": self.name, "key": key, "at": now(), "data": data })
            .to_string()
    }

    fn publish(&mut self, body: &str, secret: &[u8]) {
        let message = json!({ "body": body, "signature": hex(&mac(secret, body.as_bytes())) }).to_string();
        let heard: u32 = redis::cmd("PUBLISH")
            .arg("pop:consensus:session")
            .arg(message)
            .query(&mut self.speak)
            .expect("sent");
        assert!(heard > 0, "the service does not listen");
    }
}

/// What comes on a channel, up to the first message of that type.
#[track_caller]
fn until(heard: &mut PubSub<'_>, kind: &str) -> Value {
    loop {
        let message = heard.get_message().unwrap_or_else(|error| panic!("waiting for {kind}: {error}"));
        let text: String = message.get_payload().expect("text");
        let message: Value = serde_json::from_str(&text).expect("JSON");
        if message["type"] == kind {
            return message;
        }
    }
}

/// Sends a message and waits for what the house says to it.
macro_rules! says {
    ($agent:ident, $heard:ident, $kind:literal, $data:expr) => {{
        let body = $agent.body($kind, &$data);
        let secret = $agent.secret.clone();
        $agent.publish(&body, &secret);
        let reply = until(&mut $heard, "ACCEPTED");
        assert!(body.contains(reply["key"].as_str().expect("a key")), "{reply}");
        reply
    }};
}

#[test]
fn an_agent_that_only_speaks_redis_takes_part() {
    let place = Place::new();
    let operator = token(&place, &["me", "--operator"]);
    let (ann, cy) = (token(&place, &["ann"]), token(&place, &["cy"]));
    let redis = Redis::start();
    let service = Served::start(&place, &["--redis", &redis.url()]);
    let mut agent = Agent::new(&redis, "cy", &cy);
    let mut hear = redis.connect().expect("a connection");
    let mut heard = Agent::listen(&mut hear, "pop:consensus:agent:cy");
    let mut other = redis.connect().expect("a connection");
    let mut insights = Agent::listen(&mut other, "pop:insights");
    // The service hears on the channels of agents before anybody sends there.
    wait_for(&redis, "pop:consensus:session");

    let matter = service.open(&operator, "Should we cache?", "ring-default", &["ann", "cy"]);
    let start = until(&mut heard, "CONSENSUS_START");
    assert_eq!(start["matter"], json!(matter));
    let path = |what: &str| format!("/v1/matters/{matter}/{what}");

    // A made-up secret, then the truth.
    let body = agent.body("CONSENSUS_START", &json!({}));
    agent.publish(&body, b"a guess");
    assert_eq!(until(&mut heard, "REFUSED")["code"], "redis/signature");
    says!(agent, heard, "CONSENSUS_START", json!({}));
    service.post(&path("join"), &ann, &json!({})).is(200);

    let ask = service.turn(&ann, &matter)["ask"].clone();
    let put = json!({ "ask": ask, "title": "Cache it", "text": "Cache the index for an hour." });
    let proposal = service.post(&path("proposals"), &ann, &put).is(200).json()["events"][0]["id"].clone();
    // What others proposed is nobody's business yet.
    let asked = until(&mut heard, "TOKEN_GRANT");
    assert_eq!(asked["data"]["task"], "propose");
    let own = asked["data"]["ask"].clone();
    says!(agent, heard, "TOKEN_SKIP", json!({ "ask": own, "why": "nothing yet" }));

    // Out of turn, then a forged turn: ann has the floor.
    let taken = service.turn(&ann, &matter)["ask"].clone();
    let body = agent.body("CONTRIBUTION", &json!({ "ask": taken, "text": "I speak for ann." }));
    let secret = agent.secret.clone();
    agent.publish(&body, &secret);
    assert_eq!(until(&mut heard, "REFUSED")["code"], "floor/not-holder");
    let spoken = json!({ "ask": taken, "kind": "opinion", "text": "It is cheap." });
    service.post(&path("contributions"), &ann, &spoken).is(200);

    let grant = until(&mut heard, "TOKEN_GRANT");
    let ask = grant["data"]["ask"].clone();
    says!(agent, heard, "TOKEN_GRANT", json!({ "ask": ask })); // acknowledged
    says!(agent, heard, "CONTRIBUTION", json!({ "ask": ask, "text": "And quick.", "keep": true }));
    let body = agent.body("REACTION", &json!({ "ask": ask, "to": proposal, "reaction": "agree" }));
    agent.publish(&body, &secret);
    until(&mut heard, "ACCEPTED");
    // The same bytes again: a replay. Then a late one, and one nobody may send.
    agent.publish(&body, &secret);
    assert_eq!(until(&mut heard, "REFUSED")["code"], "redis/replayed");
    let old = body.replace(&format!("cy-{}", agent.sent), "cy-old").replacen("\"at\":1", "\"at\":", 1);
    agent.publish(&old, &secret);
    assert_eq!(until(&mut heard, "REFUSED")["code"], "redis/old");
    let body = agent.body("VOTE_RESULT", &json!({}));
    agent.publish(&body, &secret);
    assert_eq!(until(&mut heard, "REFUSED")["code"], "redis/not-yours");

    // Who is not invited learns nothing and leaves no order in the record; a text may be only so long.
    let other = service.open(&operator, "Not for cy", "ring-quick", &["ann", "bob"]);
    for matter in [other.as_str(), "m99999"] {
        let body = agent.body("CONSENSUS_START", &json!({})).replacen(
            '{',
            &format!("{{\"matter\":\"{matter}\","),
            1,
        );
        agent.publish(&body, &secret);
        let told = until(&mut heard, "REFUSED");
        assert_eq!(told["code"], "matter/unknown");
        assert_eq!(told["message"], format!("there is no matter {matter} that you may see"));
    }
    let body = agent.body("CONTRIBUTION", &json!({ "ask": ask, "text": "x".repeat(16_001) }));
    agent.publish(&body, &secret);
    assert_eq!(until(&mut heard, "REFUSED")["code"], "redis/malformed");

    // Of a vote nobody learns before the end how it was cast.
    let vote = json!({ "proposal": proposal, "grade": "approve" });
    service.post(&path("votes"), &ann, &vote).is(200);
    says!(
        agent,
        heard,
        "VOTE",
        json!({ "proposal": proposal, "grade": "APPROVE_WITH_CONCERNS", "rationale": "mind the TTL" })
    );
    let insight = until(&mut insights, "INSIGHT");
    assert_eq!(insight["data"]["content"], "Decided together: Cache it. Cache the index for an hour.");
    let shown = service.get(&format!("/v1/matters/{matter}"), &ann).is(200).json();
    assert_eq!(shown["ring"]["phase"], "COMMITTED", "{shown}");
    // A wish that is not sure enough, and one that is; what it saw.
    let wish = |sure: &str| json!({ "reason": "security_concern", "confidence": sure.parse::<f64>().expect("a number"), "topic": "Rotate keys?" });
    says!(agent, heard, "CONSENSUS_TRIGGER", wish("0.5996"));
    let opened = |service: &Served| {
        service.get("/v1/matters", &operator).is(200).json()["matters"].as_array().map(Vec::len)
    };
    assert_eq!(opened(&service), Some(2));
    says!(agent, heard, "OBSERVATION", json!({ "kind": "write", "path": "src/a.rs" }));
    says!(agent, heard, "INSIGHT", json!({ "subject": "the cache", "text": "it is warm" }));
    // Rules that cannot be used are the operator's to mend, and where they lie is not told here.
    let rules = place.write(".synod/triggers.toml", "[charters]\nhigh = 7\n");
    let body = agent.body("OBSERVATION", &json!({ "kind": "write", "path": "src/b.rs" }));
    agent.publish(&body, &secret);
    let refused = until(&mut heard, "REFUSED");
    assert_eq!(refused["code"], "trigger/flawed");
    assert!(!refused.to_string().contains("triggers.toml"), "{refused}");
    service.process.until_told("triggers.toml:2: `charters.high`");
    std::fs::remove_file(rules).expect("a file");
    says!(agent, heard, "OBSERVATION", json!({ "kind": "write", "path": "src/b.rs" }));
    drop((heard, insights));
    service.end();
    // What the house never judged is in the record too.
    let away = turned_away(&place, &["refusals", "--all"]);
    let each = [
        ("a stranger", "redis/signature", 1),
        ("seat:cy", "matter/unknown", 2),
        ("seat:cy", "redis/malformed", 1),
        ("seat:cy", "redis/not-yours", 1),
        ("seat:cy", "redis/old", 1),
        ("seat:cy", "redis/replayed", 1),
    ];
    assert_eq!(away, each.map(|(by, code, count)| (by.into(), code.into(), count)));
    finish(place);
}

#[test]
fn redis_dies_and_comes_back_and_nothing_is_lost() {
    let place = Place::new();
    let operator = token(&place, &["me", "--operator"]);
    let (ann, cy) = (token(&place, &["ann"]), token(&place, &["cy"]));
    let redis = Redis::start();
    let port = redis.port;
    let service = Served::start(&place, &["--redis", &redis.url()]);
    wait_for(&redis, "pop:consensus:session");
    drop(redis);

    // Without it everything else goes on.
    let matter = service.open(&operator, "Should we cache?", "ring-default", &["ann", "cy"]);
    let path = |what: &str| format!("/v1/matters/{matter}/{what}");
    service.post(&path("join"), &ann, &json!({})).is(200);
    service.process.until_told("trying again");

    let redis = Redis::on(port);
    wait_for(&redis, "pop:consensus:session");
    let mut agent = Agent::new(&redis, "cy", &cy);
    let mut hear = redis.connect().expect("a connection");
    let mut heard = Agent::listen(&mut hear, "pop:consensus:agent:cy");
    says!(agent, heard, "CONSENSUS_START", json!({}));
    let ask = until(&mut heard, "TOKEN_GRANT")["data"]["ask"].clone();
    says!(agent, heard, "PROPOSAL", json!({ "ask": ask, "title": "Cache it", "text": "For an hour." }));
    let shown = service.get(&format!("/v1/matters/{matter}"), &ann).is(200).json();
    assert_eq!((&shown["ring"]["withheld"], &shown["ring"]["proposals"]), (&json!(1), &json!([])), "{shown}");
    drop(heard);
    service.post(&path("stop"), &operator, &json!({})).is(200);
    service.end();
    finish(place);
}

#[test]
fn an_address_that_is_none_is_refused_before_anything_is_held() {
    let place = Place::new();
    let run = place.run(["serve", "--listen", "127.0.0.1:0", "--redis", "not an address"]);
    run.exits(64).tells("--redis is not a Redis address");
    assert!(!place.house().exists(), "no house was founded");
}

/// Waits until somebody listens on a channel.
fn wait_for(redis: &Redis, channel: &str) {
    let mut connection = redis.connect().expect("a connection");
    let until = Instant::now() + PATIENCE;
    loop {
        let (_, count): (String, u32) =
            redis::cmd("PUBSUB").arg("NUMSUB").arg(channel).query(&mut connection).expect("an answer");
        if count > 0 {
            return;
        }
        assert!(Instant::now() < until, "nobody listens on {channel}");
        std::thread::sleep(Duration::from_millis(10));
    }
}
