//! The service: the real binary on a free port of loopback, spoken to over plain TCP.

mod busy;
mod cli;
mod councils;
mod doors;
mod downtime;
mod failover;
mod feed;
mod limits;
mod motions;
mod processes;
mod readers;
pub(crate) mod redis;
mod ring;
mod rules;
mod shapes;
mod slow;
mod vouched;

use std::collections::BTreeMap;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::time::Duration;

use serde_json::{Value, json};

use crate::world::{Place, Started};

/// Longer than anything is waited for here.
const PATIENCE: Duration = Duration::from_secs(30);

/// A service under way.
pub(crate) struct Served {
    pub(crate) process: Started,
    pub(crate) address: String,
    /// What the owner's own commands present. A request of these tests that names no token presents it too.
    pub(crate) owner: String,
}

/// Stands for no token at all.
pub(crate) const NO_TOKEN: &str = "-";

/// What came back.
#[derive(Debug, Clone)]
pub(crate) struct Answer {
    pub(crate) status: u16,
    pub(crate) headers: BTreeMap<String, String>,
    pub(crate) body: String,
}

impl Answer {
    /// What was done, without the acknowledgement: that is of the record as it is when it is told.
    #[track_caller]
    pub(crate) fn done(&self) -> Value {
        let mut done = self.json();
        done.as_object_mut().expect("an object").remove("acknowledgement");
        done
    }

    #[track_caller]
    pub(crate) fn json(&self) -> Value {
        serde_json::from_str(&self.body).unwrap_or_else(|error| panic!("no JSON: {error}\n{self:?}"))
    }

    #[track_caller]
    pub(crate) fn is(self, status: u16) -> Self {
        assert_eq!(self.status, status, "{self:?}");
        self
    }

    /// A failure of this status and code, in the one shape there is.
    #[track_caller]
    pub(crate) fn fails(self, status: u16, code: &str) -> Self {
        let body = self.json();
        let fields = body.as_object().map(|fields| fields.keys().cloned().collect::<Vec<_>>());
        assert_eq!(fields, Some(vec!["error".to_string()]), "{self:?}");
        let inner = body["error"].as_object().map(|fields| fields.len());
        assert_eq!(
            (self.status, body["error"]["code"].as_str(), inner),
            (status, Some(code), Some(2)),
            "{self:?}"
        );
        assert!(body["error"]["message"].as_str().is_some_and(|message| !message.is_empty()), "{self:?}");
        assert_eq!(self.headers["content-type"], "application/json");
        self
    }
}

impl Served {
    /// Starts a service in this place and waits until it answers.
    #[track_caller]
    pub(crate) fn start(place: &Place, more: &[&str]) -> Self {
        let mut args = vec!["serve", "--listen", "127.0.0.1:0", "--json"];
        args.extend_from_slice(more);
        Self::answering(place.start(args))
    }

    /// Waits until a service that was started with `--json` answers.
    #[track_caller]
    pub(crate) fn answering(process: Started) -> Self {
        process.until("\n", 0);
        let told: Value = serde_json::from_str(&process.printed()).expect("a line of JSON");
        let address = told["url"].as_str().and_then(|url| url.strip_prefix("http://")).expect("an address");
        let left =
            std::fs::read(told["credential"].as_str().expect("a file")).expect("the owner's credential");
        let left: Value = serde_json::from_slice(&left).expect("JSON");
        let owner = left["token"].as_str().expect("a token").to_string();
        Self { address: address.into(), owner, process }
    }

    /// Ends it as a service manager would.
    #[track_caller]
    pub(crate) fn end(self) {
        self.process.signal("TERM");
        self.process.wait().exits(0).tells("ended");
    }

    /// Sends a request with these headers, as written; as the owner where they name no other.
    pub(crate) fn raw(&self, method: &str, path: &str, headers: &[(&str, &str)], body: &[u8]) -> Answer {
        let mut stream = self.connect();
        let host = headers.iter().any(|(name, _)| name.eq_ignore_ascii_case("host"));
        let mut head = format!("{method} {path} HTTP/1.1\r\nconnection: close\r\n");
        if !host {
            head += &format!("host: {}\r\n", self.address);
        }
        if !headers.iter().any(|(name, _)| name.eq_ignore_ascii_case("authorization")) {
            head += &format!("authorization: Bearer {}\r\n", self.owner);
        }
        for (name, value) in headers.iter().filter(|(_, value)| *value != NO_TOKEN) {
            head += &format!("{name}: {value}\r\n");
        }
        if !body.is_empty() || method == "POST" {
            head += &format!("content-length: {}\r\n", body.len());
        }
        stream.write_all(format!("{head}\r\n").as_bytes()).expect("a request");
        // Who refuses a body need not read it.
        let _ = stream.write_all(body);
        let mut reader = BufReader::new(stream);
        let (status, headers) = read_head(&mut reader);
        let length: usize = headers.get("content-length").and_then(|length| length.parse().ok()).unwrap_or(0);
        let mut bytes = vec![0; length];
        reader.read_exact(&mut bytes).expect("a whole body");
        Answer { status, headers, body: String::from_utf8(bytes).expect("text") }
    }

    fn connect(&self) -> TcpStream {
        let stream = TcpStream::connect(&self.address).expect("a connection");
        stream.set_read_timeout(Some(PATIENCE)).expect("a time-out");
        stream
    }

    /// Looks at something, with a token if there is one.
    pub(crate) fn get(&self, path: &str, token: &str) -> Answer {
        let bearer = self.bearer(token);
        let headers: Vec<(&str, &str)> =
            bearer.iter().map(|(name, value)| (name.as_str(), value.as_str())).collect();
        self.raw("GET", path, &headers, b"")
    }

    /// Does something, with a token if there is one.
    pub(crate) fn post(&self, path: &str, token: &str, body: &Value) -> Answer {
        self.keyed(path, token, body, None)
    }

    /// Does something once.
    pub(crate) fn keyed(&self, path: &str, token: &str, body: &Value, key: Option<&str>) -> Answer {
        let mut headers = self.bearer(token);
        headers.push(("content-type".into(), "application/json".into()));
        headers.extend(key.map(|key| ("idempotency-key".to_string(), key.to_string())));
        let headers: Vec<(&str, &str)> =
            headers.iter().map(|(name, value)| (name.as_str(), value.as_str())).collect();
        self.raw("POST", path, &headers, body.to_string().as_bytes())
    }

    /// Opens a ring and gives its id.
    #[track_caller]
    pub(crate) fn open(&self, token: &str, topic: &str, charter: &str, seats: &[&str]) -> String {
        let body = json!({ "question": topic, "charter": charter, "seats": seats, "set": { "rounds": 1 } });
        let told = self.post("/v1/matters", token, &body).is(201).json();
        told["matter"].as_str().expect("a matter").to_string()
    }

    /// The open turns of a participant in a matter, waiting for one.
    #[track_caller]
    pub(crate) fn turn(&self, token: &str, matter: &str) -> Value {
        let answer = self.get(&format!("/v1/turns?wait=20&matter={matter}"), token).is(200).json();
        answer["turns"][0].clone()
    }

    /// Follows the feed.
    pub(crate) fn follow(&self, query: &str, token: &str, more: &[(&str, &str)]) -> Follow {
        let mut stream = self.connect();
        let mut head = format!("GET /v1/feed{query} HTTP/1.1\r\nhost: {}\r\n", self.address);
        for (name, value) in
            self.bearer(token).iter().map(|(n, v)| (n.as_str(), v.as_str())).chain(more.iter().copied())
        {
            if value == NO_TOKEN {
                continue;
            }
            head += &format!("{name}: {value}\r\n");
        }
        stream.write_all(format!("{head}\r\n").as_bytes()).expect("a request");
        let mut reader = BufReader::new(stream);
        let (status, headers) = read_head(&mut reader);
        Follow { status, headers, reader, rest: String::new(), last_block: String::new() }
    }
}

impl Served {
    /// What presents a token.
    pub(crate) fn bearer(&self, token: &str) -> Vec<(String, String)> {
        let presented = match token {
            "" => format!("Bearer {}", self.owner),
            NO_TOKEN => NO_TOKEN.into(),
            token => format!("Bearer {token}"),
        };
        vec![("authorization".into(), presented)]
    }
}

fn read_head(reader: &mut impl BufRead) -> (u16, BTreeMap<String, String>) {
    let mut lines = Vec::new();
    loop {
        let mut line = String::new();
        reader.read_line(&mut line).expect("a line");
        match line.trim_end() {
            "" => break,
            line => lines.push(line.to_string()),
        }
    }
    let status = lines.first().and_then(|line| line.split(' ').nth(1)).and_then(|word| word.parse().ok());
    let header =
        |line: &String| line.split_once(": ").map(|(name, value)| (name.to_lowercase(), value.to_string()));
    (status.unwrap_or(0), lines.iter().filter_map(header).collect())
}

/// A feed that is read. Dropping it goes away.
pub(crate) struct Follow {
    pub(crate) status: u16,
    pub(crate) headers: BTreeMap<String, String>,
    reader: BufReader<TcpStream>,
    rest: String,
    last_block: String,
}

/// One event of a feed.
#[derive(Debug, Clone, Default)]
pub(crate) struct Told {
    pub(crate) id: Option<String>,
    pub(crate) kind: String,
    pub(crate) data: Value,
}

impl Follow {
    /// The next event; none at the end of the stream.
    pub(crate) fn next(&mut self) -> Option<Told> {
        loop {
            let told = self.block()?;
            if !told.kind.is_empty() {
                return Some(told);
            }
        }
    }

    /// The next event or comment with an id; none at the end of the stream.
    fn next_or_beat(&mut self) -> Option<Told> {
        loop {
            let told = self.block()?;
            if !told.kind.is_empty() || told.id.is_some() {
                return Some(told);
            }
        }
    }

    /// The next block: an event, or a comment.
    fn block(&mut self) -> Option<Told> {
        loop {
            if let Some((block, rest)) = self.rest.split_once("\n\n") {
                let (block, rest) = (block.to_string(), rest.to_string());
                self.rest = rest;
                self.last_block.clone_from(&block);
                let mut told = Told::default();
                for line in block.lines() {
                    match line.split_once(": ").unwrap_or((line, "")) {
                        ("id", id) => told.id = Some(id.into()),
                        ("event", kind) => told.kind = kind.into(),
                        ("data", data) => told.data = serde_json::from_str(data).expect("JSON"),
                        _ => (),
                    }
                }
                return Some(told);
            }
            let mut size = String::new();
            self.reader.read_line(&mut size).ok()?;
            let size = usize::from_str_radix(size.trim(), 16).ok().filter(|size| *size > 0)?;
            let mut chunk = vec![0; size + 2];
            self.reader.read_exact(&mut chunk).ok()?;
            self.rest += std::str::from_utf8(&chunk[..size]).expect("text");
        }
    }

    /// Events up to and with the first of this kind.
    #[track_caller]
    pub(crate) fn until(&mut self, kind: &str) -> Vec<Told> {
        let mut told = Vec::new();
        while let Some(next) = self.next() {
            let found = next.kind == kind;
            told.push(next);
            if found {
                return told;
            }
        }
        panic!("the feed ended before {kind}: {told:?}");
    }

    /// The last block that came, as it was written.
    pub(crate) fn last_words(&self) -> &str {
        &self.last_block
    }

    /// Whether the stream comes to its end.
    pub(crate) fn ends(mut self) -> bool {
        while self.next().is_some() {}
        true
    }
}

/// How often who was turned away at the door and why, as a list of refusals tells it.
#[track_caller]
pub(crate) fn turned_away(place: &Place, list: &[&str]) -> Vec<(String, String, u64)> {
    let mut sums = BTreeMap::<(String, String), u64>::new();
    for row in place.json(list).as_array().expect("a list") {
        let by = row["by"].as_str().unwrap_or("a stranger").to_string();
        let Some(count) = row["count"].as_u64() else { continue };
        *sums.entry((by, row["code"].as_str().expect("a code").into())).or_default() += count;
    }
    sums.into_iter().map(|((by, code), count)| (by, code, count)).collect()
}

/// How many acts there are, besides those that tell of the door.
pub(crate) fn judged(place: &Place) -> usize {
    place.acts().iter().filter(|act| act["command"]["report_rejections"].is_null()).count()
}

/// Makes a token.
#[track_caller]
pub(crate) fn token(place: &Place, args: &[&str]) -> String {
    let mut all = vec!["token", "create"];
    all.extend_from_slice(args);
    place.json(all)["token"].as_str().expect("a token").to_string()
}
