//! Speaking to a service: one that holds the house here, or one elsewhere.
//!
//! A command that finds the house held by a service goes through it, with a credential that only the owner of the
//! house can read. Reads do not need it: a journal can be read beside its writer.

use std::path::Path;
use std::time::Duration;

use axum::http::HeaderName;
use clap::Args;
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use synod_core::kernel::Who;
use synod_journal::vouch::{self, ParticipantKey};
use synod_journal::{LockHolder, file, holder};

use crate::fail::{Fail, Result, code};
use crate::house::HouseArg;
use crate::http::{FOR, SEEN, SIGN, SIGNATURE, write_seen};
use crate::percent;
use crate::wire::Failure;

/// Where a service is and what to present there.
#[derive(Debug, Clone, Default, Args)]
pub(crate) struct ServiceArgs {
    /// Use the service at this address, such as http://127.0.0.1:7717. A service that owns the house is found
    /// automatically.
    #[arg(long, help_heading = "Service", value_name = "URL", env = "SYNOD_SERVICE", hide_env_values = true)]
    service: Option<String>,
    /// The token for the service. Better set in the environment: other users can see command lines.
    #[arg(
        long,
        help_heading = "Service",
        value_name = "TOKEN",
        env = "SYNOD_TOKEN",
        hide_env_values = true,
        requires = "service"
    )]
    token: Option<String>,
}

impl ServiceArgs {
    /// Whether a service is named.
    pub(crate) fn is_named(&self) -> bool {
        self.service.is_some()
    }

    /// Where the service is that is named.
    pub(crate) fn url(&self) -> Option<&str> {
        self.service.as_deref()
    }

    /// The service that is named. A command that joins whoever holds the house needs no other.
    pub(crate) fn named(&self) -> Result<Option<Client>> {
        self.service.as_ref().map(|url| Client::new(url, self.token.clone())).transpose()
    }

    /// The service to go through, if there is one: the one named, else the one that holds the house.
    pub(crate) fn client(&self, house: &HouseArg) -> Result<Option<Client>> {
        match self.named()? {
            Some(client) => Ok(Some(client)),
            None => Client::of_holder(house.dir()),
        }
    }
}

/// What a service leaves in its house for other commands of the owner.
#[derive(Debug, Serialize, Deserialize)]
struct Left {
    /// Where it is.
    url: String,
    /// What to present.
    token: String,
    /// Whose word it is.
    pid: u32,
}

const FILE: &str = "service.json";
/// Far more than any word that is left.
const WORD_MOST: u64 = 1 << 16;

impl Left {
    /// Whether it is the word of who holds the house.
    fn is_of(&self, by: &LockHolder) -> bool {
        by.pid == self.pid && by.service.as_deref() == Some(self.url.as_str())
    }
}

/// How often, and how long apart, the word of a service is looked for that has just taken its lock.
const WORD_TRIES: usize = 20;
const WORD_PAUSE: Duration = Duration::from_millis(50);

/// The word that was left, or what is wrong with it.
fn word(dir: &Path) -> std::result::Result<Left, String> {
    let text =
        file::read_own(&dir.join(FILE), WORD_MOST).map_err(|error| format!("cannot be read ({error})"))?;
    serde_json::from_slice(&text).map_err(|error| format!("is damaged ({error})"))
}

/// Leaves word for other commands of the owner. Only they can read it.
pub(crate) fn leave(dir: &Path, url: &str, token: &str) -> Result<()> {
    let left = Left { url: url.into(), token: token.into(), pid: std::process::id() };
    let text = serde_json::to_string(&left).unwrap_or_default() + "\n";
    let path = dir.join(FILE);
    file::replace_durably(&path, text.as_bytes()).map_err(|error| {
        Fail::new(code::IO, "file/unwritable", format!("{} cannot be written: {error}", path.display()))
    })
}

/// Where the owner's credential lies.
pub(crate) fn left_in(dir: &Path) -> std::path::PathBuf {
    let path = dir.join(FILE);
    std::path::absolute(&path).unwrap_or(path)
}

/// Takes it away again, if it is still the word of the service with this token: one that was fenced must not take
/// away that of the service after it.
pub(crate) fn take_away(dir: &Path, token: &str) {
    let path = dir.join(FILE);
    let left = file::read_own(&path, WORD_MOST).ok();
    let left = left.and_then(|text| serde_json::from_slice::<Left>(&text).ok());
    if left.is_some_and(|left| left.token == token) {
        let _ = std::fs::remove_file(path); // a stale one is not believed: the lock says who serves
    }
}

/// Who holds the house in `dir` and lets others write through it.
fn serving(dir: &Path) -> Option<LockHolder> {
    holder(dir).filter(|by| by.service.is_some())
}

/// A client for somebody who is not a service of ours: a witness, a time-stamping authority.
pub(crate) fn plain(url: &str) -> Result<reqwest::Client> {
    let parsed = reqwest::Url::parse(url).map_err(|_| Fail::usage(format!("`{url}` is not a URL")))?;
    let local = parsed.scheme() == "http" && is_here(&parsed);
    synod_minds::client(local).map_err(|error| Fail::new(code::IO, "service/client", error))
}

/// The body of an answer of somebody who is not a service of ours: no more is read than is taken.
pub(crate) async fn bounded(
    mut answer: reqwest::Response,
    most: usize,
) -> std::result::Result<Vec<u8>, String> {
    let mut body = Vec::new();
    while let Some(chunk) = answer.chunk().await.map_err(|error| error.without_url().to_string())? {
        if body.len() + chunk.len() > most {
            return Err(format!("its answer is longer than {most} bytes"));
        }
        body.extend_from_slice(&chunk);
    }
    Ok(body)
}

/// A service to speak to.
#[derive(Debug)]
pub(crate) struct Client {
    http: reqwest::Client,
    url: String,
    token: Option<String>,
    /// The token was given on the command line or in the environment: it is not the owner's own.
    given: bool,
    /// The participant the owner acts for, as the header writes it.
    speaks_for: Option<String>,
    /// The key that what is done here is signed with.
    signer: Option<ParticipantKey>,
}

/// How long an answer may take.
const PATIENCE: Duration = Duration::from_secs(40);

impl Client {
    /// The service at that address.
    pub(crate) fn new(url: &str, token: Option<String>) -> Result<Self> {
        let wrong = |why: &str| Fail::usage(format!("the service `{url}` {why}: write http://HOST:PORT"));
        let parsed = reqwest::Url::parse(url).map_err(|_| wrong("is not a URL"))?;
        if !matches!(parsed.scheme(), "http" | "https") || parsed.host_str().is_none() {
            return Err(wrong("is not an HTTP URL"));
        }
        let local = parsed.scheme() == "http" && is_here(&parsed);
        let http =
            synod_minds::client(local).map_err(|error| Fail::new(code::IO, "service/client", error))?;
        Ok(Self {
            http,
            url: url.trim_end_matches('/').into(),
            token,
            given: true,
            speaks_for: None,
            signer: None,
        })
    }

    /// The service that holds the house in `dir`, if one does.
    fn of_holder(dir: &Path) -> Result<Option<Self>> {
        let Some(by) = serving(dir) else { return Ok(None) };
        let unreachable = |why: String| {
            let message = format!(
                "the house is owned by {by}\nand its {FILE} {why}: run this as the owner of the house, or pass --service and --token"
            );
            Fail::new(code::HELD, "house/held", message)
        };
        if by.host != LockHolder::this_process("").host {
            return Err(unreachable("is for commands on that machine".into()));
        }
        // One that takes over, perhaps at the address of the one before, leaves its word a moment after its lock.
        let mut left = word(dir);
        for _ in 0..WORD_TRIES {
            if left.as_ref().is_ok_and(|left| left.is_of(&by)) {
                break;
            }
            std::thread::sleep(WORD_PAUSE);
            left = word(dir);
        }
        let left = left.map_err(unreachable)?;
        if !left.is_of(&by) {
            return Err(unreachable("belongs to another service".into()));
        }
        let client = Self::new(&left.url, Some(left.token))?;
        Ok(Some(Self { given: false, ..client }))
    }

    /// Gives an order; what came of it. A refusal is an error with its own code.
    pub(crate) async fn post<T: DeserializeOwned>(&self, path: &str, body: &impl Serialize) -> Result<T> {
        self.post_once(path, body, None).await
    }

    /// The same, once where it has a key.
    pub(crate) async fn post_once<T: DeserializeOwned>(
        &self,
        path: &str,
        body: &impl Serialize,
        key: Option<&str>,
    ) -> Result<T> {
        let body = serde_json::to_vec(body).map_err(|error| self.strange(&error.to_string()))?;
        // What is signed is given once.
        let own = (key.is_none() && self.signer.is_some()).then(crate::tokens::random_hex);
        let key = key.or(own.as_deref());
        let request = |headers: &[(HeaderName, &str)]| {
            let sent = self.http.post(format!("{}{path}", self.url)).timeout(PATIENCE);
            let mut sent = sent.header("content-type", "application/json").body(body.clone());
            if let Some(key) = key {
                sent = sent.header("idempotency-key", key);
            }
            headers.iter().fold(sent, |sent, (name, value)| sent.header(name.as_str(), *value))
        };
        let Some(signer) = &self.signer else { return self.send(request(&[])).await };
        // What is recorded is what is signed, so the service is asked for it first.
        let text = match self.send::<serde_json::Value>(request(&[(SIGN, "text")])).await {
            Err(fail) if fail.name() == "act/to-sign" => fail.message().to_string(),
            Err(fail) => return Err(fail),
            Ok(_) => return Err(self.strange("it cannot say what there is to sign")),
        };
        let seen =
            vouch::seen_in(&text).ok_or_else(|| self.strange("it asks for another kind of signature"))?;
        self.send(request(&[(SIGNATURE, &signer.sign(&text)), (SEEN, &write_seen(&seen))])).await
    }

    /// Signs what is done from now on.
    pub(crate) fn sign_with(&mut self, key: ParticipantKey) {
        self.signer = Some(key);
    }

    /// Speaks for a participant from now on. Only the owner of a house may.
    pub(crate) fn speak_for(&mut self, who: &Who) {
        self.speaks_for = Some(percent::encode(who.as_str()));
    }

    /// Looks at something.
    pub(crate) async fn get<T: DeserializeOwned>(&self, path: &str) -> Result<T> {
        self.send(self.http.get(format!("{}{path}", self.url)).timeout(PATIENCE)).await
    }

    /// Takes something away. The parts of the path may hold anything.
    pub(crate) async fn delete<T: DeserializeOwned>(&self, path: &[&str]) -> Result<T> {
        let mut url = reqwest::Url::parse(&self.url).map_err(|error| Fail::usage(error.to_string()))?;
        if let Ok(mut parts) = url.path_segments_mut() {
            parts.pop_if_empty().extend(path);
        }
        self.send(self.http.delete(url).timeout(PATIENCE)).await
    }

    /// Where it is.
    pub(crate) fn url(&self) -> &str {
        &self.url
    }

    async fn send<T: DeserializeOwned>(&self, mut request: reqwest::RequestBuilder) -> Result<T> {
        if let Some(token) = &self.token {
            request = request.bearer_auth(token);
        }
        if let Some(who) = &self.speaks_for {
            request = request.header(FOR, who);
        }
        let unreached = |error: reqwest::Error| {
            let message = format!("the service at {} cannot be reached: {error}", self.url);
            Fail::new(code::UNAVAILABLE, "service/unreachable", message)
        };
        let response = request.send().await.map_err(unreached)?;
        let status = response.status();
        let bytes = response.bytes().await.map_err(unreached)?;
        if status.is_success() {
            return serde_json::from_slice(&bytes).map_err(|error| self.strange(&error.to_string()));
        }
        let exit = match status.as_u16() {
            404 => code::NO_INPUT,
            429 | 500..=599 => code::UNAVAILABLE,
            _ => code::USAGE,
        };
        match serde_json::from_slice::<Failure>(&bytes) {
            Ok(Failure { error }) => Err(match error.refused {
                Some(turned) => Fail::new(code::REJECTED, &error.code, error.message).refusing(*turned),
                None => Fail::new(exit, &error.code, error.message),
            }),
            Err(_) => {
                let message = format!("the server at {} is not a Synod service (status {status})", self.url);
                Err(Fail::new(code::UNAVAILABLE, "service/strange", message))
            }
        }
    }

    fn strange(&self, why: &str) -> Fail {
        let message = format!("this version does not understand the service at {}: {why}", self.url);
        Fail::new(code::UNAVAILABLE, "service/strange", message)
    }

    /// Whether it presents a token that somebody gave it, which belongs to whom it belongs; else it acts for the owner.
    pub(crate) fn has_given_token(&self) -> bool {
        self.given && self.token.is_some()
    }
}

fn is_here(url: &reqwest::Url) -> bool {
    let host = url.host_str().unwrap_or_default().trim_matches(['[', ']']);
    host == "localhost" || host.parse::<std::net::IpAddr>().is_ok_and(|address| address.is_loopback())
}
