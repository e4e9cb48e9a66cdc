//! A service with all its readers: the operator, participants, one who is invited nowhere, strangers, Redis.

use std::collections::BTreeMap;
use std::io::{Read as _, Write as _};
use std::net::TcpStream;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use serde_json::Value;
use synod_core::kernel::{MatterId, Who};

use super::ledger::Ledger;
use super::oracle::{Eye, Moment};
use super::ways::COMMANDS;
use crate::server::{Request, Server, say};
use crate::service::redis::Redis;
use crate::service::{Answer, NO_TOKEN, Served, token};
use crate::world::Place;

/// What a reader was told so far.
type Heard = Arc<Mutex<String>>;

/// A reader with what it presents.
#[derive(Clone)]
pub(super) struct Caller {
    pub(super) eye: Eye,
    pub(super) token: String,
}

pub(super) struct Stage {
    pub(super) place: Place,
    pub(super) service: Served,
    pub(super) server: Server,
    pub(super) ledger: Ledger,
    /// As of the last look.
    pub(super) moment: Moment,
    pub(super) operator: Caller,
    /// Participants of rings.
    pub(super) people: Vec<(String, Caller)>,
    outsider: Caller,
    live: Vec<(Eye, Heard)>,
    channels: Heard,
    /// How many answers of slow seats may be given.
    pub(super) permits: Arc<AtomicUsize>,
    _redis: Redis,
}

pub(super) fn who(name: &str) -> Who {
    Who::parse(name).expect("a name")
}

/// A model that marks what it says. Seats whose name says so wait for leave.
fn model(request: &Request, words: &AtomicUsize, permits: &AtomicUsize) -> String {
    while request.seat().ends_with("slow") {
        let left = permits.load(Ordering::SeqCst);
        if left > 0 && permits.compare_exchange(left, left - 1, Ordering::SeqCst, Ordering::SeqCst).is_ok() {
            break;
        }
        std::thread::sleep(Duration::from_millis(5));
    }
    let word = || format!("mk{}k", words.fetch_add(1, Ordering::SeqCst));
    let side = if request.nth.is_multiple_of(2) { "YES" } else { "NO" };
    match request.is_vote() {
        true => serde_json::json!({
            "vote": if request.is_ranking() { serde_json::json!(["A", "B"]) } else { side.into() }, "reason": word(), "change_if": word(), "new_argument": word(), "confidence": 0.7,
        }),
        false => serde_json::json!({
            "answer": word(), "best": 10 + request.nth % 9, "same": [],
            "stance": side, "position": word(), "reasoning": word(), "key_points": [word()], "confidence": 0.8,
            "citations": [{ "url": format!("https://example.org/{}", word()), "title": "t" }],
            "context_requests": [{ "query": word(), "reason": "r", "priority": "optional" }],
        }),
    }
    .to_string()
}

impl Stage {
    pub(super) fn set(names: usize) -> Self {
        let (place, redis, mut ledger) = (Place::new(), Redis::start(), Ledger::default());
        // Words of models, apart from those that the ledger gives out.
        let (words, permits) = (AtomicUsize::new(1_000_000), Arc::new(AtomicUsize::new(0)));
        let allowed = permits.clone();
        let server = Server::start(move |request| say(model(request, &words, &allowed)));
        let operator = Caller { eye: Eye::Operator, token: token(&place, &["me", "--operator"]) };
        let mut known = || {
            let name = ledger.name();
            let caller = Caller { eye: Eye::Participant(who(&name)), token: token(&place, &[&name]) };
            (name, caller)
        };
        let people = (0..names).map(|_| known()).collect();
        let outsider = known().1;
        let url = redis.url();
        let service = Served::start(&place, &["--rate", "0", "--redis", &url]);
        let channels = listen(&redis);
        let mut stage = Self {
            place,
            service,
            server,
            ledger,
            moment: Moment::default(),
            operator,
            people,
            outsider,
            live: Vec::new(),
            channels,
            permits,
            _redis: redis,
        };
        stage.live = stage.readers().iter().map(|it| (it.eye.clone(), stage.follow(&it.token))).collect();
        stage
    }

    /// Everybody who may knock.
    pub(super) fn readers(&self) -> Vec<Caller> {
        let stranger = Caller { eye: Eye::Stranger, token: NO_TOKEN.into() };
        let people = self.people.iter().map(|(_, caller)| caller.clone());
        [self.operator.clone(), self.outsider.clone(), stranger].into_iter().chain(people).collect()
    }

    /// Follows the feed from now on, on a thread of its own.
    fn follow(&self, token: &str) -> Heard {
        let heard = Heard::default();
        let (kept, mut stream) = (heard.clone(), self.feed("", token));
        std::thread::spawn(move || {
            let mut piece = [0; 4096];
            while let Ok(read @ 1..) = stream.read(&mut piece) {
                kept.lock().expect("no panic").push_str(&String::from_utf8_lossy(&piece[..read]));
            }
        });
        heard
    }

    fn feed(&self, query: &str, token: &str) -> TcpStream {
        let mut stream = TcpStream::connect(&self.service.address).expect("a connection");
        let head = format!("GET /v1/feed{query} HTTP/1.1\r\nhost: {}\r\n", self.service.address);
        let bearer =
            if token.is_empty() { String::new() } else { format!("authorization: Bearer {token}\r\n") };
        stream.write_all(format!("{head}{bearer}last-event-id: 0\r\n\r\n").as_bytes()).expect("a request");
        stream
    }

    /// What each reader is told of everything so far, when it comes back.
    fn look_at_feeds(&mut self) {
        let streams: Vec<(Eye, TcpStream)> =
            self.readers().iter().map(|it| (it.eye.clone(), self.feed("", &it.token))).collect();
        // A feed does not end: whatever is to be told of the past is told by then.
        std::thread::sleep(Duration::from_millis(250));
        for (eye, mut stream) in streams {
            stream.set_nonblocking(true).expect("a stream");
            let (mut told, mut piece) = (Vec::new(), [0; 4096]);
            while let Ok(read @ 1..) = stream.read(&mut piece) {
                told.extend_from_slice(&piece[..read]);
            }
            self.ledger.check("followFeed", &eye, &String::from_utf8_lossy(&told), &self.moment);
        }
    }

    /// Does something as somebody, and looks at the answer.
    #[track_caller]
    pub(super) fn act(&mut self, route: &str, path: &str, by: &Caller, body: &Value) -> Answer {
        let answer = self.service.post(path, &by.token, body);
        self.moment.catch_up(&self.place);
        self.look(route, &by.eye, &answer);
        answer
    }

    #[track_caller]
    fn look(&mut self, route: &str, eye: &Eye, answer: &Answer) {
        let way = if answer.status < 400 { route } else { "a request that fails" };
        self.ledger.check(way, eye, &answer.body, &self.moment);
        // What is refused is an answer of that route all the same.
        self.ledger.check(route, eye, &answer.body, &self.moment);
    }

    /// A participant is seen to wait for a decision, which is the operator's to know.
    pub(super) fn watches(&mut self) {
        let (name, by) = self.people[0].clone();
        let topic = self.ledger.word();
        let body = serde_json::json!({ "agent": name, "kind": "pending", "topic": topic });
        self.act("observe", "/v1/observations", &by, &body).is(200);
    }

    /// Looks at everything that everybody may look at.
    #[track_caller]
    pub(super) fn look_around(&mut self, matter: MatterId, thorough: bool) {
        self.moment.catch_up(&self.place);
        let charter =
            self.moment.house.case(matter).map(|case| case.opening.charter.name.clone()).expect("a matter");
        let shown = [
            ("showHouse", "/v1/house".to_string()),
            ("listMatters", "/v1/matters".into()),
            ("showMatter", format!("/v1/matters/{matter}")),
            ("showReceipt", format!("/v1/receipts/{matter}")),
            ("listRecords", "/v1/records".into()),
            ("listTriggers", "/v1/triggers".into()),
            ("listCharters", "/v1/charters".into()),
            ("showCharter", format!("/v1/charters/{charter}")),
            ("listTurns", "/v1/turns".into()),
        ];
        for reader in self.readers() {
            for (route, path) in &shown {
                let answer = self.service.get(path, &reader.token);
                self.look(route, &reader.eye, &answer);
            }
        }
        let live: Vec<(Eye, String)> = self
            .live
            .iter()
            .map(|(eye, heard)| (eye.clone(), heard.lock().expect("no panic").clone()))
            .collect();
        live.iter().for_each(|(eye, told)| self.ledger.check("feed, live", eye, told, &self.moment));
        let told = self.channels.lock().expect("no panic").clone();
        self.ledger.check("redis", &Eye::Channel, &told, &self.moment);
        if thorough {
            self.look_at_feeds();
            look_here(&self.place, &mut self.ledger, matter, &self.moment);
        }
    }

    /// Knocks at every route as somebody who has no business there.
    #[track_caller]
    pub(super) fn knock_everywhere(&mut self, matter: MatterId) {
        let document = self.service.get("/openapi.json", &self.operator.token).is(200).json();
        super::ways::lists_every_route(&document);
        self.moment.catch_up(&self.place);
        let house = &self.moment.house;
        let ask = house.open_asks().next().map_or("1.0".into(), |(id, _)| id.to_string());
        let seat = house.case(matter).expect("a matter").opening.seats[0].who.to_string();
        let charter = &house.case(matter).expect("a matter").opening.charter.name;
        let fill: BTreeMap<&str, String> = [
            ("{matter}", matter.to_string()),
            ("{ask}", ask),
            ("{who}", seat),
            ("{name}", charter.clone()),
            ("{round}", "1".into()),
            ("{request}", "1.0".into()),
        ]
        .into();
        for (path, methods) in document["paths"].as_object().expect("paths") {
            let there = fill.iter().fold(path.clone(), |path, (name, value)| path.replace(name, value));
            for (method, route) in methods.as_object().expect("methods") {
                let route = route["operationId"].as_str().expect("a name");
                if route == "followFeed" {
                    continue; // it does not end; it is read elsewhere
                }
                for reader in [self.outsider.clone(), Caller { eye: Eye::Stranger, token: NO_TOKEN.into() }] {
                    let bearer = self.service.bearer(&reader.token);
                    let mut headers = vec![("content-type", "application/json")];
                    headers.extend(bearer.iter().map(|(name, value)| (name.as_str(), value.as_str())));
                    let answer = self.service.raw(&method.to_uppercase(), &there, &headers, b"{}");
                    self.look(route, &reader.eye, &answer);
                }
            }
        }
    }
}

/// Looks at a matter by every command that shows one. Whoever runs them is the operator.
#[track_caller]
pub(super) fn look_here(place: &Place, ledger: &mut Ledger, matter: MatterId, moment: &Moment) {
    let case = moment.house.case(matter).expect("a matter");
    let seat = case.opening.seats[0].who.to_string();
    for (way, words) in COMMANDS {
        let words = words.iter().map(|word| match *word {
            "M" => matter.to_string(),
            "S" => seat.clone(),
            other => other.to_string(),
        });
        let run = place.run(words);
        let shown = format!("{}{}{}", run.out, run.err, enveloped(&run.out));
        ledger.check(way, &Eye::Operator, &shown, moment);
    }
    if let Ok(receipt) = std::fs::read_to_string(place.house().join(format!("receipts/{matter}.json"))) {
        ledger.check("receipt file", &Eye::Operator, &receipt, moment);
    }
}

/// What a DSSE envelope holds: words that base 64 hides from this test, and from nobody else.
fn enveloped(printed: &str) -> String {
    let envelope: Option<serde_json::Value> = serde_json::from_str(printed).ok();
    let payload = envelope.as_ref().and_then(|envelope| envelope.get("payload")?.as_str());
    let held = payload.and_then(synod_journal::tlog::from_base64).unwrap_or_default();
    String::from_utf8_lossy(&held).into_owned()
}

/// Hears everything on Redis, on a thread of its own.
fn listen(redis: &Redis) -> Heard {
    let heard = Heard::default();
    let (kept, mut connection) = (heard.clone(), redis.connect().expect("a connection"));
    let (ready, is_ready) = std::sync::mpsc::channel();
    std::thread::spawn(move || {
        let mut channels = connection.as_pubsub();
        channels.psubscribe("*").expect("subscribed");
        let _ = ready.send(());
        while let Ok(message) = channels.get_message() {
            let text: String = message.get_payload().unwrap_or_default();
            kept.lock().expect("no panic").push_str(&format!("{text}\n"));
        }
    });
    is_ready.recv().expect("a listener");
    heard
}

/// Ends a service that may have lived longer than commands do.
#[track_caller]
pub(super) fn end(service: Served) {
    let mut process = service.process;
    process.signal("TERM");
    let begun = std::time::Instant::now();
    while !process.is_over() {
        assert!(begun.elapsed() < Duration::from_secs(30), "it does not end:\n{}", process.said());
        std::thread::sleep(Duration::from_millis(5));
    }
}
