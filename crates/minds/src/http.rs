//! One HTTP exchange: a request out, a whole answer back, or a trouble.
//!
//! The client is built when it is first needed, so a run that asks no model does not pay for it. Nothing
//! here retries, follows a redirect (it could carry a key elsewhere), or reads more than [`MOST_BYTES`].

use std::error::Error;
use std::net::IpAddr;
use std::sync::{Arc, OnceLock};
use std::time::Duration;

use reqwest::{Client, Request, Response, Url, redirect};

use crate::cassette::Tape;
use crate::keys::Scrubber;
use crate::wire::stream::Events;

/// The largest answer that is read.
pub(crate) const MOST_BYTES: usize = 8 * 1024 * 1024;

/// The answer to a request, whatever its status.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct HttpAnswer {
    pub(crate) status: u16,
    pub(crate) body: Vec<u8>,
    /// The header of that name, as it was written.
    pub(crate) retry_after: Option<String>,
    /// It came as a stream of events, and was heard; its body is empty.
    pub(crate) streamed: bool,
}

/// Whoever listens while an answer comes.
pub(crate) trait Listener: Send {
    /// The provider began an answer of status 200.
    fn accepted(&mut self);

    /// The data of one event of a stream.
    fn event(&mut self, data: &str);
}

/// Nobody.
impl Listener for () {
    fn accepted(&mut self) {}
    fn event(&mut self, _: &str) {}
}

/// The reason why no answer came back.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum HttpTrouble {
    /// No connection, or it broke.
    Unreachable(String),
    /// It took too long.
    TimeOut,
    /// The answer was larger than is read.
    TooLarge,
    /// The cassette does not hold this request.
    Missing(String),
}

/// The shared client, with a cassette in between if there is one.
#[derive(Debug)]
pub(crate) struct Http {
    tape: Tape,
    scrubber: Scrubber,
    outside: OnceLock<Result<Client, String>>,
    /// For plain HTTP to this machine: through no proxy, which would not find our loopback, and without the
    /// system's certificates, which take longer to read than anything else here.
    inside: OnceLock<Result<Client, String>>,
}

impl Http {
    pub(crate) fn new(tape: Tape, scrubber: Scrubber) -> Arc<Self> {
        Arc::new(Self { tape, scrubber, outside: OnceLock::new(), inside: OnceLock::new() })
    }

    /// Whether answers come from a cassette, so that nothing needs to be waited for.
    pub(crate) fn replays(&self) -> bool {
        self.tape.replays()
    }

    /// Whether answers may come as streams. Cassettes hold answers in one piece, and what they replay was asked for so.
    pub(crate) fn streams(&self) -> bool {
        self.tape.is_off()
    }

    /// Sends a request and reads the whole answer, within `time_out`.
    pub(crate) async fn exchange(
        &self,
        request: &Request,
        time_out: Duration,
        listener: &mut dyn Listener,
    ) -> Result<HttpAnswer, HttpTrouble> {
        if let Some(recorded) = self.tape.replay(request, &self.scrubber) {
            return recorded;
        }
        let outcome = match tokio::time::timeout(time_out, self.send(request, listener)).await {
            Ok(outcome) => outcome,
            Err(_) => Err(HttpTrouble::TimeOut),
        };
        match self.tape.record(request, &outcome, &self.scrubber) {
            Ok(()) => outcome,
            // A recording with a hole would replay something that never happened.
            Err(error) => Err(HttpTrouble::Missing(format!("the cassette cannot be written: {error}"))),
        }
    }

    async fn send(&self, request: &Request, listener: &mut dyn Listener) -> Result<HttpAnswer, HttpTrouble> {
        let client = self.client(request.url()).map_err(HttpTrouble::Unreachable)?;
        let request = request
            .try_clone()
            .ok_or_else(|| HttpTrouble::Unreachable("the request cannot be sent twice".into()))?;
        let response =
            client.execute(request).await.map_err(|error| HttpTrouble::Unreachable(root(&error)))?;
        let status = response.status().as_u16();
        let retry_after = response.headers().get("retry-after").and_then(|value| value.to_str().ok());
        let retry_after = retry_after.map(str::to_string);
        let fine = (200..300).contains(&status);
        if fine {
            listener.accepted();
        }
        let kind = response.headers().get("content-type").and_then(|value| value.to_str().ok());
        let streamed = fine && kind.is_some_and(|kind| kind.trim_start().starts_with("text/event-stream"));
        let body = if streamed { hear(response, listener).await? } else { read(response).await? };
        Ok(HttpAnswer { status, retry_after, body, streamed })
    }

    fn client(&self, url: &Url) -> Result<&Client, String> {
        let local = is_loopback(url) && url.scheme() == "http";
        let slot = if local { &self.inside } else { &self.outside };
        slot.get_or_init(|| build(local)).as_ref().map_err(Clone::clone)
    }
}

/// An HTTP client: for plain HTTP to this machine if `local`, else with the system's proxies and certificates.
/// It follows no redirect.
pub fn build(local: bool) -> Result<Client, String> {
    // Fails when a provider is installed already, which is as good.
    let _ = rustls::crypto::ring::default_provider().install_default();
    let builder = Client::builder()
        .redirect(redirect::Policy::none())
        .tcp_nodelay(true)
        .connect_timeout(Duration::from_secs(20))
        .pool_idle_timeout(Duration::from_secs(60))
        .user_agent(concat!("synod/", env!("CARGO_PKG_VERSION")));
    let builder = if local { builder.no_proxy().tls_certs_only([]) } else { builder };
    builder.build().map_err(|error| format!("no HTTP client: {}", root(&error)))
}

async fn read(mut response: Response) -> Result<Vec<u8>, HttpTrouble> {
    let promised = response.content_length().unwrap_or(0);
    if promised > MOST_BYTES as u64 {
        return Err(HttpTrouble::TooLarge);
    }
    let mut body = Vec::with_capacity(promised as usize);
    while let Some(chunk) = response.chunk().await.map_err(|error| HttpTrouble::Unreachable(root(&error)))? {
        if body.len() + chunk.len() > MOST_BYTES {
            return Err(HttpTrouble::TooLarge);
        }
        body.extend_from_slice(&chunk);
    }
    Ok(body)
}

/// Hears a stream to its end. Whether the answer is whole is for whoever listens to say.
async fn hear(mut response: Response, listener: &mut dyn Listener) -> Result<Vec<u8>, HttpTrouble> {
    let (mut events, mut heard) = (Events::default(), 0);
    while let Some(chunk) = response.chunk().await.map_err(|error| HttpTrouble::Unreachable(root(&error)))? {
        heard += chunk.len();
        if heard > MOST_BYTES {
            return Err(HttpTrouble::TooLarge);
        }
        events.feed(&chunk, |data| listener.event(data));
    }
    events.end(|data| listener.event(data));
    Ok(Vec::new())
}

/// The innermost reason: the outer ones only say that a request failed, and name its URL.
fn root(error: &reqwest::Error) -> String {
    let mut inner: &dyn Error = error;
    while let Some(source) = inner.source() {
        inner = source;
    }
    inner.to_string()
}

/// Says what is wrong with a base URL. Never shows one that holds a password.
pub(crate) fn check_base(written: &str) -> Result<(), String> {
    let wrong = || "this is not a URL: write something like http://127.0.0.1:8080/v1".to_string();
    let url = Url::parse(written).map_err(|_| wrong())?;
    if !matches!(url.scheme(), "http" | "https") || url.host_str().is_none_or(str::is_empty) {
        return Err(wrong());
    }
    if !url.username().is_empty() || url.password().is_some() {
        return Err(
            "the URL holds a user name or password, which would be recorded: take it out and give the key \
                    in SYNOD_API_KEY, or name `key_env` or `key_file` in providers.toml"
                .into(),
        );
    }
    if url.query().is_some() || url.fragment().is_some() {
        return Err(
            "the URL should end before any `?` or `#`: it is recorded, and paths are added to it".into()
        );
    }
    Ok(())
}

/// Whether a URL points at this very machine.
pub(crate) fn is_loopback(url: &Url) -> bool {
    let host = url.host_str().unwrap_or("").trim_matches(['[', ']']);
    host == "localhost"
        || host.ends_with(".localhost")
        || host.parse().is_ok_and(|ip: IpAddr| ip.is_loopback())
}

/// The host of a URL, with its port where one is written.
pub(crate) fn host(url: &Url) -> String {
    let host = url.host_str().unwrap_or("?");
    url.port().map_or_else(|| host.to_string(), |port| format!("{host}:{port}"))
}
