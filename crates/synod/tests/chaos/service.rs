//! A service that is disturbed while a client writes through it. What it acknowledged is kept, once, whatever happens; a client
//! that repeats a write under its key never does it twice.

use std::collections::BTreeMap;
use std::io::{Read as _, Write as _};
use std::net::TcpStream;
use std::path::PathBuf;
use std::sync::OnceLock;
use std::time::Duration;

use serde_json::{Value, json};

use crate::debate::sound;
use crate::form::Counts;
use crate::shim::Shimmed;
use crate::world::{Place, Started};

/// How many writes a client makes.
const WRITES: usize = 12;

/// How often a client repeats a write before somebody restarts the service.
const TRIES: usize = 3;

/// Longer than an answer takes.
const PATIENCE: Duration = Duration::from_secs(20);

/// A service under way.
pub(crate) struct Service {
    process: Started,
    address: String,
    log: PathBuf,
}

impl Service {
    /// Starts it, or says what it said if it ended before it answered.
    pub(crate) fn start(place: &Place, plan: &str) -> Result<Self, String> {
        Self::of(Shimmed::new(place, plan, &Self::args()))
    }

    pub(crate) fn args() -> Vec<String> {
        ["serve", "--listen", "127.0.0.1:0", "--json"].map(String::from).into()
    }

    pub(crate) fn of(shimmed: Shimmed) -> Result<Self, String> {
        let (mut process, log) = shimmed.start();
        while !process.printed().contains('\n') {
            if process.is_over() {
                return Err(process.wait().to_string());
            }
            std::thread::sleep(Duration::from_millis(2));
        }
        let printed = process.printed();
        let told: Value = serde_json::from_str(printed.lines().next().unwrap_or_default())
            .map_err(|error| format!("{error}: {printed}"))?;
        let address = told["url"].as_str().and_then(|url| url.strip_prefix("http://")).ok_or(printed)?;
        Ok(Self { address: address.into(), process, log })
    }

    /// Sends a write under its key; the number of the act, if it was acknowledged.
    pub(crate) fn write(&self, place: &Place, nth: usize) -> Option<u64> {
        let body = json!({ "agent": "ann", "kind": "write", "path": format!("src/{nth}.rs") });
        let answer = self.post(place, "/v1/observations", &key(nth), &body).ok()?;
        answer["act"].as_u64()
    }

    /// Sends a request under a key; the body of the answer if that is a 2xx, else what came.
    pub(crate) fn post(&self, place: &Place, path: &str, key: &str, body: &Value) -> Result<Value, String> {
        self.send(place, path, &format!("idempotency-key: {key}\r\n"), body)
    }

    /// Sends a request for somebody.
    pub(crate) fn post_for(
        &self,
        place: &Place,
        who: &str,
        path: &str,
        body: &Value,
    ) -> Result<Value, String> {
        self.send(place, path, &format!("synod-for: {who}\r\n"), body)
    }

    fn send(&self, place: &Place, path: &str, headers: &str, body: &Value) -> Result<Value, String> {
        let lost = |error: std::io::Error| error.to_string();
        let mut stream = TcpStream::connect(&self.address).map_err(lost)?;
        stream.set_read_timeout(Some(PATIENCE)).map_err(lost)?;
        let body = body.to_string();
        let token =
            token(place).map(|token| format!("authorization: Bearer {token}\r\n")).unwrap_or_default();
        let head = format!(
            "POST {path} HTTP/1.1\r\nhost: {}\r\nconnection: close\r\n{token}content-type: application/json\r\n\
             {headers}content-length: {}\r\n\r\n{body}",
            self.address,
            body.len()
        );
        stream.write_all(head.as_bytes()).map_err(lost)?;
        let mut answer = Vec::new();
        stream.read_to_end(&mut answer).map_err(lost)?;
        let answer = String::from_utf8_lossy(&answer);
        match answer.split_once("\r\n\r\n") {
            Some((head, body)) if head.starts_with("HTTP/1.1 2") => {
                serde_json::from_str(body).map_err(|error| format!("{error}: {answer}"))
            }
            _ => Err(answer.into_owned()),
        }
    }

    /// Ends it as a service manager does; what the shim logged.
    pub(crate) fn end(mut self) -> Vec<u8> {
        if !self.process.is_over() {
            self.process.signal("TERM");
        }
        let _ = self.process.wait();
        std::fs::read(&self.log).unwrap_or_default()
    }

    pub(crate) fn kill(mut self) {
        self.process.kill();
    }
}

/// The owner's token, where the service keeps one for its own user.
fn token(place: &Place) -> Option<String> {
    let kept = std::fs::read(place.house().join("service.json")).ok()?;
    let kept: Value = serde_json::from_slice(&kept).ok()?;
    kept["token"].as_str().map(String::from)
}

fn key(nth: usize) -> String {
    format!("write-{nth}")
}

/// The calls of an undisturbed run.
pub(crate) fn calm_calls() -> &'static [u8] {
    static CALLS: OnceLock<Vec<u8>> = OnceLock::new();
    CALLS.get_or_init(|| {
        let place = Place::new();
        let service = Service::start(&place, "count").expect("a service");
        for nth in 0..WRITES {
            service.write(&place, nth).expect("an acknowledgement");
        }
        let calls = service.end();
        assert!(calls.len() > WRITES, "the shim saw only {} calls", calls.len());
        sound(&place);
        place.spoil();
        calls
    })
}

/// A client writes all it has to, through as many services as that takes; the first meets the fault.
pub(crate) fn survive(plan: &str) -> Counts {
    let place = Place::new();
    let mut service = Service::start(&place, plan).ok();
    let (mut acknowledged, mut restarts) = (BTreeMap::new(), 0);
    for nth in 0..WRITES {
        let mut failed = 0;
        let act = loop {
            if let Some(act) = service.as_ref().and_then(|service| service.write(&place, nth)) {
                break act;
            }
            failed += 1;
            assert!(failed < 12, "write {nth} does not come through");
            let over = service.as_mut().is_none_or(|service| service.process.is_over());
            if over || failed >= TRIES {
                service.take().into_iter().for_each(Service::kill);
                restarts += 1;
                service = Some(Service::start(&place, "count").expect("a service that starts again"));
            }
        };
        acknowledged.insert(key(nth), act);
    }
    service.into_iter().for_each(|service| drop(service.end()));
    kept_once(&place, &acknowledged);
    sound(&place);
    place.spoil();
    Counts::of([("acknowledged", WRITES), ("restarts", restarts)])
}

/// Every write that was acknowledged is in the journal, once, under the number that was told.
fn kept_once(place: &Place, acknowledged: &BTreeMap<String, u64>) {
    let acts = place.acts();
    for (key, act) in acknowledged {
        let found: Vec<u64> = acts
            .iter()
            .filter(|kept| kept["key"].as_str().is_some_and(|kept| kept.ends_with(&format!("/{key}"))))
            .filter(|kept| kept["outcome"].get("done").is_some())
            .filter_map(|kept| kept["seq"].as_u64())
            .collect();
        assert_eq!(found, [*act], "{key} was acknowledged as act {act}");
    }
}
