//! Agents that only speak Redis: a real server, a real service, sealed messages; forgeries, replays, listeners, and a
//! server that dies and comes back.

mod issues;

use std::net::TcpListener;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant, SystemTime};

use chacha20poly1305::aead::{Aead as _, Payload};
use chacha20poly1305::{ChaCha20Poly1305, KeyInit as _};
use hmac::{Hmac, Mac as _};
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
    let mut mac = <Hmac<Sha256> as hmac::KeyInit>::new_from_slice(key).expect("any key");
    mac.update(message);
    mac.finalize().into_bytes().to_vec()
}

fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

fn now() -> u64 {
    SystemTime::now().duration_since(SystemTime::UNIX_EPOCH).expect("a clock").as_millis() as u64
}

fn unhex(hex: &str) -> Vec<u8> {
    (0..hex.len()).step_by(2).map(|at| u8::from_str_radix(&hex[at..at + 2], 16).expect("hex")).collect()
}

/// The cipher of one direction, and what a message to or from an agent is bound to.
fn cipher(secret: &[u8], way: &str, name: &str) -> (ChaCha20Poly1305, String) {
    let info = [format!("synod/redis/2/{way}").as_bytes(), &[1]].concat();
    let key: [u8; 32] = mac(secret, &info).try_into().expect("32 bytes");
    (ChaCha20Poly1305::new(&key.into()), format!("synod/redis/2/{way}/{name}"))
}

/// An agent on Redis.
struct Agent {
    name: String,
    token: String,
    secret: Vec<u8>,
    speak: Connection,
    sent: u32,
}

impl Agent {
    fn new(redis: &Redis, name: &str, token: &str) -> Self {
        let secret = mac(token.as_bytes(), b"synod/redis/1");
        let id = synod_core::kernel::Digest::of(token.as_bytes()).short();
        let speak = redis.connect().expect("a connection");
        Self { name: name.into(), token: id, secret, speak, sent: 0 }
    }

    /// Begins to hear what is sent to it.
    fn hears<'a>(&self, hear: &'a mut Connection) -> Ear<'a> {
        let heard = listen(hear, &format!("pop:consensus:agent:{}", self.name));
        Ear { heard, name: self.name.clone(), secret: self.secret.clone(), number: 0, kept: Vec::new() }
    }

    fn body(&mut self, kind: &str, data: &Value) -> String {
        self.sent += 1;
        let key = format!("{}-{}", self.name, self.sent);
        json!({ "version": 1, "type": kind, "from": self.name, "key": key, "at": now(), "data": data })
            .to_string()
    }

    /// An envelope with this text in it, filled up as it should be.
    fn seal(&self, body: &str, secret: &[u8]) -> Value {
        self.seal_as_is(
            &format!("{body}{}", " ".repeat(body.len().next_multiple_of(512) - body.len())),
            secret,
        )
    }

    fn seal_as_is(&self, body: &str, secret: &[u8]) -> Value {
        // A counter would do as well: two messages of a key must not share one.
        let nonce: [u8; 12] = mac(body.as_bytes(), &now().to_be_bytes())[..12].try_into().expect("12 bytes");
        let (cipher, bound) = cipher(secret, "to-house", &self.name);
        let payload = Payload { msg: body.as_bytes(), aad: bound.as_bytes() };
        let sealed = cipher.encrypt(&nonce.into(), payload).expect("sealed");
        json!({ "version": 2, "token": self.token, "nonce": hex(&nonce), "sealed": hex(&sealed) })
    }

    /// Puts bytes into somebody's inbox, or on another channel.
    fn put(&mut self, channel: &str, text: &str) {
        let heard: u32 = redis::cmd("PUBLISH").arg(channel).arg(text).query(&mut self.speak).expect("sent");
        assert!(heard > 0, "the service does not listen");
    }

    fn publish(&mut self, body: &str, secret: &[u8]) {
        let (channel, text) = (format!("pop:consensus:inbox:{}", self.name), self.seal(body, secret));
        self.put(&channel, &text.to_string());
    }

    /// Sends a message that everybody can read.
    fn publish_signed(&mut self, body: &str) {
        let signature = hex(&mac(&self.secret, body.as_bytes()));
        self.put("pop:consensus:session", &json!({ "body": body, "signature": signature }).to_string());
    }
}

/// What an agent hears.
struct Ear<'a> {
    heard: PubSub<'a>,
    name: String,
    secret: Vec<u8>,
    number: u64,
    /// What came while something else was waited for: replies and news overtake each other.
    kept: Vec<Value>,
}

impl Ear<'_> {
    /// Opens an envelope. What is not sealed is a remark about something that could not be read.
    fn open(&mut self, text: &str) -> Value {
        let outer: Value = serde_json::from_str(text).expect("JSON");
        let Some(sealed) = outer["sealed"].as_str() else { return outer };
        let (cipher, bound) = cipher(&self.secret, "to-agent", &self.name);
        let nonce: [u8; 12] = unhex(outer["nonce"].as_str().expect("a nonce")).try_into().expect("12 bytes");
        let payload = Payload { msg: &unhex(sealed), aad: bound.as_bytes() };
        let opened = cipher.decrypt(&nonce.into(), payload).expect("sealed for this agent");
        assert_eq!(opened.len() % 512, 0, "filled up");
        let inner: Value = serde_json::from_slice(&opened).expect("JSON");
        let number = inner["number"].as_u64().expect("a number");
        assert!(number > self.number, "numbers rise");
        self.number = number;
        inner["message"].clone()
    }
}

/// Listens on one channel.
fn listen<'a>(hear: &'a mut Connection, channel: &str) -> PubSub<'a> {
    hear.set_read_timeout(Some(PATIENCE)).expect("a time-out");
    let mut heard = hear.as_pubsub();
    heard.subscribe(channel).expect("subscribed");
    heard
}

fn text(heard: &mut PubSub<'_>, wanted: &str) -> String {
    let message = heard.get_message().unwrap_or_else(|error| panic!("waiting for {wanted}: {error}"));
    message.get_payload().expect("text")
}

/// The first message of that type that an agent is told and that was not waited for before.
#[track_caller]
fn until(ear: &mut Ear<'_>, kind: &str) -> Value {
    if let Some(at) = ear.kept.iter().position(|message| message["type"] == kind) {
        return ear.kept.remove(at);
    }
    loop {
        let text = text(&mut ear.heard, kind);
        let message = ear.open(&text);
        if message["type"] == kind {
            return message;
        }
        ear.kept.push(message);
    }
}

/// The turn that an agent is given for a task.
#[track_caller]
fn granted(ear: &mut Ear<'_>, task: &str) -> Value {
    loop {
        let grant = until(ear, "TOKEN_GRANT");
        if grant["data"]["task"] == task {
            return grant;
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
    let mut heard = agent.hears(&mut hear);
    let mut other = redis.connect().expect("a connection");
    let mut insights = listen(&mut other, "pop:insights");
    // The service hears on the channels of agents before anybody sends there.
    wait_for(&redis, "pop:consensus:session");

    let matter = service.open(&operator, "Should we cache?", "ring-default", &["ann", "cy"]);
    let start = until(&mut heard, "CONSENSUS_START");
    assert_eq!((&start["matter"], &start["turn"]["task"]), (&json!(matter), &json!("join")));
    assert!(start["turn"]["prompt"].as_str().expect("a prompt").contains("Should we cache?"), "{start}");
    let path = |what: &str| format!("/v1/matters/{matter}/{what}");

    // A made-up secret, then the truth.
    let body = agent.body("CONSENSUS_START", &json!({}));
    agent.publish(&body, b"a guess");
    assert_eq!(until(&mut heard, "REFUSED")["code"], "redis/seal");
    says!(agent, heard, "CONSENSUS_START", json!({}));
    service.post(&path("join"), &ann, &json!({})).is(200);

    let ask = service.turn(&ann, &matter)["ask"].clone();
    let put = json!({ "ask": ask, "title": "Cache it", "text": "Cache the index for an hour." });
    let proposal = service.post(&path("proposals"), &ann, &put).is(200).json()["events"][0]["id"].clone();
    // What others proposed is nobody's business yet.
    let asked = granted(&mut heard, "propose");
    assert!(!asked.to_string().contains("Cache the index"), "{asked}");
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

    let grant = granted(&mut heard, "speak");
    let ask = grant["data"]["ask"].clone();
    // The whole prompt, as it would be fetched over HTTP.
    let prompt = grant["turn"]["prompt"].as_str().expect("a prompt");
    assert!(prompt.contains("Cache the index for an hour.") && prompt.contains("It is cheap."), "{prompt}");
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
    let insight: Value = serde_json::from_str(&text(&mut insights, "INSIGHT")).expect("JSON");
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
        ("a stranger", "redis/seal", 1),
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
    let mut heard = agent.hears(&mut hear);
    says!(agent, heard, "CONSENSUS_START", json!({}));
    let ask = granted(&mut heard, "propose")["data"]["ask"].clone();
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

/// Everything that reaches a Redis server, heard by somebody who has no token.
struct Listener(std::sync::Arc<std::sync::Mutex<String>>);

impl Listener {
    fn on(redis: &Redis) -> Self {
        use std::io::{BufRead as _, BufReader, Write as _};
        let mut stream = std::net::TcpStream::connect(("127.0.0.1", redis.port)).expect("a connection");
        stream.write_all(b"MONITOR\r\n").expect("sent");
        let mut lines = BufReader::new(stream);
        let mut first = String::new();
        lines.read_line(&mut first).expect("a line");
        assert_eq!(first, "+OK\r\n");
        let heard = std::sync::Arc::new(std::sync::Mutex::new(String::new()));
        let kept = heard.clone();
        std::thread::spawn(move || {
            for line in lines.lines().map_while(Result::ok) {
                kept.lock().expect("no panic").push_str(&format!("{line}\n"));
            }
        });
        Self(heard)
    }

    fn heard(&self, text: &str) -> bool {
        self.0.lock().expect("no panic").contains(text)
    }

    /// Waits until it has heard something: whatever was sent before it has come by then.
    #[track_caller]
    fn until(&self, text: &str) {
        let until = Instant::now() + PATIENCE;
        while !self.heard(text) {
            assert!(Instant::now() < until, "{text} was never heard");
            std::thread::sleep(Duration::from_millis(10));
        }
    }
}

/// A ring in which ann comes over HTTP and cy over Redis.
macro_rules! ring_of_two {
    ($place:ident, $redis:ident, $service:ident, $operator:ident, $ann:ident, $cy:ident) => {
        let $place = Place::new();
        let $operator = token(&$place, &["me", "--operator"]);
        let ($ann, $cy) = (token(&$place, &["ann"]), token(&$place, &["cy"]));
        let $redis = Redis::start();
        let $service = Served::start(&$place, &["--redis", &$redis.url()]);
        wait_for(&$redis, "pop:consensus:session");
    };
}

#[test]
fn a_listener_on_redis_learns_no_more_than_http_shows() {
    ring_of_two!(place, redis, service, operator, ann, cy);
    let listener = Listener::on(&redis);
    let mut agent = Agent::new(&redis, "cy", &cy);
    let mut hear = redis.connect().expect("a connection");
    let mut heard = agent.hears(&mut hear);
    let body = json!({ "question": "Should we cache?", "charter": "ring-default", "seats": ["ann", "cy"],
        "set": { "rounds": 1 }, "context": { "load.txt": "PRIVATE-FIGURES" } });
    let opened = service.post("/v1/matters", &operator, &body).is(201).json();
    let matter = opened["matter"].as_str().expect("a matter").to_string();
    let path = |what: &str| format!("/v1/matters/{matter}/{what}");
    says!(agent, heard, "CONSENSUS_START", json!({}));
    service.post(&path("join"), &ann, &json!({})).is(200);
    granted(&mut heard, "propose");
    says!(agent, heard, "PROPOSAL", json!({ "title": "BLIND-TITLE", "text": "BLIND-TEXT" }));
    listener.until("\\\"withheld\\\":true");
    assert!(!listener.heard("BLIND-T"), "a draft is nobody's business while others propose");
    // Neither over HTTP, for comparison.
    let shown = service.get(&format!("/v1/matters/{matter}"), &ann).is(200).json().to_string();
    assert!(!shown.contains("BLIND-T"), "{shown}");
    service.post(&path("skip"), &ann, &json!({ "why": "nothing" })).is(200);
    listener.until("BLIND-TEXT"); // the talk begins: now everybody may know
    let ask = service.turn(&ann, &matter)["ask"].clone();
    service.post(&path("contributions"), &ann, &json!({ "ask": ask, "text": "Fine." })).is(200);
    granted(&mut heard, "speak");
    says!(agent, heard, "CONTRIBUTION", json!({ "text": "Good." }));
    until(&mut heard, "VOTE_START");
    says!(agent, heard, "VOTE", json!({ "grade": "REQUEST_CHANGES", "rationale": "SECRET-REASON" }));
    listener.until("\\\"type\\\":\\\"VOTE\\\"");
    for secret in ["SECRET-REASON", "REQUEST_CHANGES", "request_changes", "PRIVATE-FIGURES"] {
        assert!(!listener.heard(secret), "{secret} was heard");
    }
    service.post(&path("votes"), &ann, &json!({ "grade": "reject" })).is(200);
    until(&mut heard, "CONSENSUS_END");
    listener.until("CONSENSUS_END");
    assert!(!listener.heard("PRIVATE-FIGURES"), "a prompt is its reader's alone, also after the end");
    drop(heard);
    service.end();
    finish(place);
}

#[test]
fn what_is_forged_cut_swapped_unfilled_or_public_is_refused() {
    ring_of_two!(place, redis, service, operator, ann, cy);
    let mut agent = Agent::new(&redis, "cy", &cy);
    let other = Agent::new(&redis, "ann", &ann);
    let (mut hear, mut hear_ann) = (redis.connect().expect("one"), redis.connect().expect("another"));
    let (mut heard, mut heard_ann) = (agent.hears(&mut hear), other.hears(&mut hear_ann));
    let matter = service.open(&operator, "Should we cache?", "ring-default", &["ann", "cy"]);
    let (own, theirs) = ("pop:consensus:inbox:cy", "pop:consensus:inbox:ann");
    let secret = agent.secret.clone();
    let join = agent.body("CONSENSUS_START", &json!({}));
    let good = agent.seal(&join, &secret);
    let with = |field: &str, value: Value| {
        let mut changed = good.clone();
        changed[field] = value;
        changed.to_string()
    };
    let sealed = good["sealed"].as_str().expect("hex");
    let flipped = if sealed.ends_with('0') { '1' } else { '0' };
    let wrong = [
        with("sealed", json!(sealed[..sealed.len() - 2])),
        with("sealed", json!(format!("{}{flipped}", &sealed[..sealed.len() - 1]))),
        with("nonce", agent.seal("{}", &secret)["nonce"].clone()),
        with("token", json!(other.token)),
        with("version", json!(1)),
        agent.seal(&join, &other.secret).to_string(),
        // Sealed by ann in her own name for her own inbox, under cy's name inside.
        agent.seal(&join.replace("\"from\":\"cy\"", "\"from\":\"ann\""), &secret).to_string(),
    ];
    for message in &wrong {
        agent.put(own, message);
        let told = until(&mut heard, "REFUSED");
        assert_eq!((&told["code"], &told["key"]), (&json!("redis/seal"), &Value::Null), "{message}");
    }
    // A good message of cy in ann's inbox.
    agent.put(theirs, &good.to_string());
    assert_eq!(until(&mut heard_ann, "REFUSED")["code"], "redis/seal");
    agent.put(own, &agent.seal_as_is(&join, &secret).to_string());
    assert_eq!(until(&mut heard, "REFUSED")["code"], "redis/padding");
    // A public channel is no place to join, or to vote.
    let shouted = agent.body("CONSENSUS_START", &json!({}));
    agent.publish_signed(&shouted);
    assert_eq!(until(&mut heard, "REFUSED")["code"], "redis/not-sealed");
    // What is public anyway may be.
    let insight = agent.body("INSIGHT", &json!({ "subject": "the cache", "text": "it is warm" }));
    agent.publish_signed(&insight);
    until(&mut heard, "ACCEPTED");
    let shown = service.get(&format!("/v1/matters/{matter}"), &ann).is(200).json();
    assert_eq!(shown["ring"]["members"][1]["state"], "invited", "{shown}");
    // The good one, once.
    agent.put(own, &good.to_string());
    until(&mut heard, "ACCEPTED");
    agent.put(own, &good.to_string());
    assert_eq!(until(&mut heard, "REFUSED")["code"], "redis/replayed");
    let question = agent.body("STATE", &json!({}));
    agent.publish(&question, &secret);
    until(&mut heard, "STATE");
    agent.publish(&question, &secret);
    assert_eq!(until(&mut heard, "REFUSED")["code"], "redis/replayed");
    drop((heard, heard_ann));
    service.post(&format!("/v1/matters/{matter}/stop"), &operator, &json!({})).is(200);
    service.end();
    finish(place);
}

#[test]
fn a_restarted_agent_is_sent_everything_it_needs() {
    ring_of_two!(place, redis, service, operator, ann, cy);
    let mut agent = Agent::new(&redis, "cy", &cy);
    let mut hear = redis.connect().expect("a connection");
    let mut heard = agent.hears(&mut hear);
    let matter = service.open(&operator, "Should we cache?", "ring-default", &["ann", "cy"]);
    let path = |what: &str| format!("/v1/matters/{matter}/{what}");
    says!(agent, heard, "CONSENSUS_START", json!({}));
    service.post(&path("join"), &ann, &json!({})).is(200);
    let ask = service.turn(&ann, &matter)["ask"].clone();
    let put = json!({ "ask": ask, "title": "Theirs", "text": "Cache for an hour." });
    service.post(&path("proposals"), &ann, &put).is(200);
    granted(&mut heard, "propose");
    says!(agent, heard, "PROPOSAL", json!({ "title": "Mine", "text": "Cache for a day." }));
    let ask = service.turn(&ann, &matter)["ask"].clone();
    service.post(&path("contributions"), &ann, &json!({ "ask": ask, "text": "An hour is enough." })).is(200);
    granted(&mut heard, "speak");
    says!(agent, heard, "CONTRIBUTION", json!({ "text": "A day is better." }));
    until(&mut heard, "VOTE_START");
    says!(agent, heard, "VOTE", json!({ "proposal": "B", "grade": "APPROVE", "rationale": "mine" }));
    drop(heard);

    // A new process of the same agent, that knows nothing but its token.
    let mut agent = Agent { sent: 100, ..Agent::new(&redis, "cy", &cy) };
    let mut hear = redis.connect().expect("a connection");
    let mut heard = agent.hears(&mut hear);
    let body = agent.body("CONSENSUS_START", &json!({}));
    let secret = agent.secret.clone();
    agent.publish(&body, &secret);
    let state = until(&mut heard, "STATE");
    let ring = &state["data"]["ring"];
    let texts: Vec<&Value> =
        ring["proposals"].as_array().expect("some").iter().map(|put| &put["text"]).collect();
    assert_eq!(texts, [&json!("Cache for an hour."), &json!("Cache for a day.")], "{state}");
    assert_eq!(ring["said"][1]["text"], "A day is better.", "{state}");
    let votes = &ring["vote"]["votes"];
    assert_eq!(
        (&votes[0]["who"], &votes[0]["grade"], &votes[0]["proposal"], votes.as_array().map(Vec::len)),
        (&json!("cy"), &json!("approve"), &ring["proposals"][1]["id"], Some(1)),
        "{state}"
    );
    let vote = until(&mut heard, "VOTE_START");
    assert_eq!((&vote["turn"]["task"], &vote["turn"]["who"]), (&json!("vote"), &json!("cy")), "{vote}");
    says!(agent, heard, "VOTE", json!({ "proposal": "A", "grade": "REJECT" }));
    service.post(&path("votes"), &ann, &json!({ "proposal": "A", "grade": "approve" })).is(200);
    service.post(&path("votes"), &ann, &json!({ "proposal": "B", "grade": "approve" })).is(200);
    until(&mut heard, "CONSENSUS_END");
    drop(heard);
    service.end();
    finish(place);
}

/// An agent that comes back later than the service is sent its turn again, without asking for it.
#[test]
fn open_turns_are_sent_again_after_redis_was_away() {
    ring_of_two!(place, redis, service, operator, ann, cy);
    let port = redis.port;
    let mut agent = Agent::new(&redis, "cy", &cy);
    let mut hear = redis.connect().expect("a connection");
    let mut heard = agent.hears(&mut hear);
    let matter = service.open(&operator, "Should we cache?", "ring-default", &["ann", "cy"]);
    says!(agent, heard, "CONSENSUS_START", json!({}));
    service.post(&format!("/v1/matters/{matter}/join"), &ann, &json!({})).is(200);
    let ask = granted(&mut heard, "propose")["data"]["ask"].clone();
    drop(heard);
    drop(redis);
    service.process.until_told("trying again");

    let redis = Redis::on(port);
    wait_for(&redis, "pop:consensus:session");
    // It misses what is sent when the connection is back, and two seconds later.
    std::thread::sleep(Duration::from_secs(4));
    let agent = Agent::new(&redis, "cy", &cy);
    let mut hear = redis.connect().expect("a connection");
    let mut heard = agent.hears(&mut hear);
    assert_eq!(granted(&mut heard, "propose")["data"]["ask"], ask);
    drop(heard);
    service.post(&format!("/v1/matters/{matter}/stop"), &operator, &json!({})).is(200);
    service.end();
    finish(place);
}
