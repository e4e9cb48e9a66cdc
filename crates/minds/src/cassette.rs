//! Cassettes: real exchanges, recorded once and replayed for ever, one JSON object a line.
//!
//! A line holds the method, URL and body of a request and what came of it, failures included. Headers
//! are never written (keys travel there) and known secrets are taken out of everything else. Replay
//! matches method, URL and the digest of the body, in recorded order, and never waits.

use std::collections::{HashMap, VecDeque};
use std::fs::{File, OpenOptions};
use std::io::Write;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

use reqwest::Request;
use serde::{Deserialize, Serialize};
use synod_core::kernel::Digest;

use crate::http::{HttpAnswer, HttpTrouble};
use crate::keys::Scrubber;

/// What to do about cassettes.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub enum Cassette {
    /// Nothing: requests go out and are not kept.
    #[default]
    Off,
    /// Add every exchange to this file.
    Record(PathBuf),
    /// Answer from this file; nothing goes out.
    Replay(PathBuf),
}

/// An open cassette.
#[derive(Debug)]
pub(crate) enum Tape {
    Off,
    Recording(Mutex<File>),
    Replaying(Mutex<HashMap<RequestMark, VecDeque<RequestOutcome>>>),
}

/// The fields that distinguish one request from another.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub(crate) struct RequestMark {
    method: String,
    url: String,
    digest: Digest,
}

#[derive(Debug, Serialize, Deserialize)]
struct CassetteLine {
    request: RecordedRequest,
    #[serde(flatten)]
    outcome: RequestOutcome,
}

#[derive(Debug, Serialize, Deserialize)]
struct RecordedRequest {
    #[serde(flatten)]
    mark: RequestMark,
    body: String,
}

/// The outcome of a request.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum RequestOutcome {
    Response {
        status: u16,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        retry_after: Option<String>,
        body: String,
    },
    Unreachable(String),
    TimeOut(()),
    TooLarge(()),
}

impl Tape {
    /// Opens the cassette, or says why it cannot be.
    pub(crate) fn open(cassette: &Cassette) -> Result<Self, String> {
        match cassette {
            Cassette::Off => Ok(Self::Off),
            Cassette::Record(file) => match create(file) {
                Ok(open) => Ok(Self::Recording(Mutex::new(open))),
                Err(error) => Err(format!("cassette {}: {error}", file.display())),
            },
            Cassette::Replay(file) => load(file).map(|takes| Self::Replaying(Mutex::new(takes))),
        }
    }

    pub(crate) fn is_off(&self) -> bool {
        matches!(self, Self::Off)
    }

    pub(crate) fn replays(&self) -> bool {
        match self {
            Self::Off | Self::Recording(_) => false,
            Self::Replaying(_) => true,
        }
    }

    /// The next recorded outcome of this request; `None` when this cassette does not replay.
    pub(crate) fn replay(
        &self,
        request: &Request,
        scrubber: &Scrubber,
    ) -> Option<Result<HttpAnswer, HttpTrouble>> {
        let takes = match self {
            Self::Off | Self::Recording(_) => return None,
            Self::Replaying(takes) => takes,
        };
        let (mark, _) = mark(request, scrubber);
        let mut takes = takes.lock().unwrap_or_else(PoisonError::into_inner);
        Some(match takes.get_mut(&mark).and_then(VecDeque::pop_front) {
            Some(outcome) => outcome.into(),
            None => {
                let missing = format!("{} {} with body {}", mark.method, mark.url, mark.digest.short());
                Err(HttpTrouble::Missing(format!("the cassette does not hold (another) {missing}")))
            }
        })
    }

    /// Writes down what came of a request, if this cassette records.
    pub(crate) fn record(
        &self,
        request: &Request,
        outcome: &Result<HttpAnswer, HttpTrouble>,
        scrubber: &Scrubber,
    ) -> std::io::Result<()> {
        let file = match self {
            Self::Off | Self::Replaying(_) => return Ok(()),
            Self::Recording(file) => file,
        };
        let Some(outcome) = RequestOutcome::of(outcome, scrubber) else { return Ok(()) };
        let (mark, body) = mark(request, scrubber);
        let mut line =
            serde_json::to_vec(&CassetteLine { request: RecordedRequest { mark, body }, outcome })?;
        line.push(b'\n');
        let mut file = file.lock().unwrap_or_else(PoisonError::into_inner);
        file.write_all(&line)?;
        file.flush()
    }
}

impl RequestOutcome {
    fn of(outcome: &Result<HttpAnswer, HttpTrouble>, scrubber: &Scrubber) -> Option<Self> {
        Some(match outcome {
            Ok(answer) => Self::Response {
                status: answer.status,
                retry_after: answer.retry_after.as_deref().map(|value| scrubber.scrub(value).into_owned()),
                body: scrubber.scrub(&String::from_utf8_lossy(&answer.body)).into_owned(),
            },
            Err(HttpTrouble::Unreachable(why)) => Self::Unreachable(scrubber.scrub(why).into_owned()),
            Err(HttpTrouble::TimeOut) => Self::TimeOut(()),
            Err(HttpTrouble::TooLarge) => Self::TooLarge(()),
            Err(HttpTrouble::Missing(_)) => return None,
        })
    }
}

impl From<RequestOutcome> for Result<HttpAnswer, HttpTrouble> {
    fn from(outcome: RequestOutcome) -> Self {
        match outcome {
            RequestOutcome::Response { status, retry_after, body } => {
                Ok(HttpAnswer { status, retry_after, body: body.into_bytes(), streamed: false })
            }
            RequestOutcome::Unreachable(why) => Err(HttpTrouble::Unreachable(why)),
            RequestOutcome::TimeOut(()) => Err(HttpTrouble::TimeOut),
            RequestOutcome::TooLarge(()) => Err(HttpTrouble::TooLarge),
        }
    }
}

/// The digest is of the scrubbed body, so it tells nothing about a key that stood in it.
fn mark(request: &Request, scrubber: &Scrubber) -> (RequestMark, String) {
    let body = request.body().and_then(|body| body.as_bytes()).unwrap_or_default();
    let body = scrubber.scrub(&String::from_utf8_lossy(body)).into_owned();
    let url = scrubber.scrub(request.url().as_str()).into_owned();
    let digest = Digest::of(body.as_bytes());
    (RequestMark { method: request.method().to_string(), url, digest }, body)
}

/// Opens for adding, readable by the owner alone: briefs and answers are nobody else's business.
fn create(file: &Path) -> std::io::Result<File> {
    let mut options = OpenOptions::new();
    options.create(true).append(true);
    #[cfg(unix)]
    {
        use std::os::unix::fs::{OpenOptionsExt, PermissionsExt};
        let open = options.mode(0o600).open(file)?;
        open.set_permissions(std::fs::Permissions::from_mode(0o600))?;
        Ok(open)
    }
    #[cfg(not(unix))]
    options.open(file)
}

/// Longer than any recording of a debate.
const CASSETTE_MOST: u64 = 1 << 28;

fn load(file: &Path) -> Result<HashMap<RequestMark, VecDeque<RequestOutcome>>, String> {
    let shown = file.display();
    let read = crate::file::open(file).and_then(|file| crate::file::read(file, CASSETTE_MOST));
    let text = read.map_err(|error| format!("cassette {shown}: {error}"))?;
    let mut takes: HashMap<RequestMark, VecDeque<RequestOutcome>> = HashMap::new();
    for (index, line) in text.lines().enumerate().filter(|(_, line)| !line.trim().is_empty()) {
        let line: CassetteLine =
            serde_json::from_str(line).map_err(|error| format!("cassette {shown}:{}: {error}", index + 1))?;
        takes.entry(line.request.mark).or_default().push_back(line.outcome);
    }
    Ok(takes)
}
