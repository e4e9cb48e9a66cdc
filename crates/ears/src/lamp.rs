//! Sends the light to lamps and hooks: on change, in its own time, and never so that a room waits for it.

use std::time::Duration;

use reqwest::header::{AUTHORIZATION, CONTENT_TYPE, HeaderValue};
use reqwest::{Client, Url};
use serde_json::Value;
use tokio::sync::{mpsc, watch};

use crate::note::{EarNote, EarNoteKind};

/// A lamp that has not answered by then is not waited for.
const TIME_OUT: Duration = Duration::from_millis(500);
/// When a lamp is tried again that did not take the light.
const AGAIN: Duration = Duration::from_secs(5);
/// Notes that wait to be read; further ones of a broken lamp say nothing new.
const NOTES: usize = 16;

/// Why a lamp cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum LampError {
    /// What was written is no address.
    #[error("{0:?} is no address of a lamp: write something like http://192.168.1.20")]
    NoAddress(String),
    /// The token cannot be sent.
    #[error("the token of the lamp at {0} cannot be sent in a header: it holds signs that are none of text")]
    BadToken(String),
}

/// Where a light is sent.
#[derive(Clone)]
pub struct LampAddress {
    url: Url,
    token: Option<HeaderValue>,
}

impl std::fmt::Debug for LampAddress {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_tuple("LampAddress").field(&self.host()).finish()
    }
}

impl LampAddress {
    /// A WLED lamp; its path is known.
    pub fn wled(written: &str) -> Result<Self, LampError> {
        let mut lamp = Self::hook(written)?;
        if matches!(lamp.url.path(), "" | "/") {
            lamp.url.set_path("/json/state");
        }
        Ok(lamp)
    }

    /// Any address that takes a POST of JSON.
    pub fn hook(written: &str) -> Result<Self, LampError> {
        let whole = if written.contains("://") { written.to_string() } else { format!("http://{written}") };
        let url =
            Url::parse(&whole).ok().filter(|url| matches!(url.scheme(), "http" | "https") && url.has_host());
        Ok(Self { url: url.ok_or_else(|| LampError::NoAddress(written.into()))?, token: None })
    }

    /// The same with a bearer token.
    pub fn with_token(mut self, token: &str) -> Result<Self, LampError> {
        let header = HeaderValue::from_str(&format!("Bearer {token}"));
        let mut header = header.map_err(|_| LampError::BadToken(self.host()))?;
        header.set_sensitive(true);
        self.token = Some(header);
        Ok(self)
    }

    /// The machine, which may be shown. The rest of an address may be a secret.
    pub fn host(&self) -> String {
        let host = self.url.host_str().unwrap_or("?");
        self.url.port().map_or_else(|| host.to_string(), |port| format!("{host}:{port}"))
    }
}

/// A lamp that is kept at the light that was set last.
#[derive(Debug)]
pub struct Lamp {
    light: watch::Sender<Option<Value>>,
}

impl Lamp {
    /// Begins. The receiver tells of lamps that do not take the light, once for each time that it begins. When the lamp is dropped,
    /// the light that was set last is still sent.
    pub fn start(client: Client, address: LampAddress) -> (Self, mpsc::Receiver<EarNote>) {
        Self::start_trying(client, address, AGAIN)
    }

    /// The same with another pause before a lamp is tried again.
    pub fn start_trying(
        client: Client,
        address: LampAddress,
        again: Duration,
    ) -> (Self, mpsc::Receiver<EarNote>) {
        let (light, lights) = watch::channel(None);
        let (notes, told) = mpsc::channel(NOTES);
        tokio::spawn(keep(client, address, again, lights, notes));
        (Self { light }, told)
    }

    /// Sets the light. The same light again is not sent; of lights that follow each other quickly, only the last.
    pub fn set(&self, body: Value) {
        self.light.send_if_modified(|light| {
            let changed = light.as_ref() != Some(&body);
            *light = Some(body);
            changed
        });
    }
}

async fn keep(
    client: Client,
    address: LampAddress,
    again: Duration,
    mut lights: watch::Receiver<Option<Value>>,
    notes: mpsc::Sender<EarNote>,
) {
    let (mut shown, mut failing) = (None, false);
    loop {
        let wanted = lights.borrow_and_update().clone();
        if wanted.is_some() && wanted != shown {
            let sent = send(&client, &address, wanted.as_ref()).await;
            if let Some(note) = change(&address, &sent, failing) {
                let _ = notes.try_send(note);
            }
            failing = sent.is_err();
            if sent.is_ok() {
                shown = wanted;
                continue;
            }
        }
        // A lamp that failed is tried again after a while, or at once with another light.
        let changed = if failing {
            tokio::time::timeout(again, lights.changed()).await.unwrap_or(Ok(()))
        } else {
            lights.changed().await
        };
        if changed.is_err() {
            return;
        }
    }
}

/// What there is to tell of a try, after whether the one before failed.
fn change(address: &LampAddress, sent: &Result<(), String>, failing: bool) -> Option<EarNote> {
    let host = address.host();
    let (kind, detail) = match (sent, failing) {
        (Ok(()), true) => (EarNoteKind::LightBack, format!("the lamp at {host} takes the light again")),
        (Err(why), false) => {
            (EarNoteKind::LightFailed, format!("the lamp at {host} did not take the light: {why}"))
        }
        (Ok(()), false) | (Err(_), true) => return None,
    };
    Some(EarNote { kind, place: None, detail })
}

async fn send(client: &Client, address: &LampAddress, body: Option<&Value>) -> Result<(), String> {
    let body = body.map(Value::to_string).unwrap_or_default();
    let mut request =
        client.post(address.url.clone()).timeout(TIME_OUT).header(CONTENT_TYPE, "application/json");
    if let Some(token) = &address.token {
        request = request.header(AUTHORIZATION, token.clone());
    }
    match request.body(body).send().await {
        Ok(answer) if answer.status().is_success() => Ok(()),
        Ok(answer) => Err(format!("it answered {}", answer.status().as_u16())),
        Err(error) if error.is_timeout() => Err(format!("no answer within {} ms", TIME_OUT.as_millis())),
        Err(error) => Err(if error.is_connect() { "no connection" } else { "the connection broke" }.into()),
    }
}
