//! What a write is answered with, and how one is given once under an `Idempotency-Key`.

use std::sync::Arc;
use std::time::Instant;

use axum::Json;
use axum::extract::FromRequestParts;
use axum::http::request::Parts;
use axum::http::{HeaderName, HeaderValue, StatusCode};
use axum::response::{IntoResponse, Response};
use serde::Serialize;
use synod_core::kernel::{Actor, Id, Key, MatterId, Seat};
use synod_core::{Act, Command, Event, Outcome};
use synod_engine::{Done, Order, now};
use utoipa::ToSchema;

use super::Hall;
use super::problem::{Problem, Result};
use crate::house::Sourced;
use crate::opening;
use crate::tag::kind;

/// The header that names a write.
pub(crate) const KEY: HeaderName = HeaderName::from_static("idempotency-key");
/// The header that says that an answer was given before.
pub(crate) const REPLAYED: HeaderName = HeaderName::from_static("idempotency-replayed");
/// The longest key.
pub(crate) const KEY_MOST: usize = 128;

/// The key of a write, as the client wrote it.
#[derive(Debug, Clone, Default)]
pub(crate) struct Once(Option<String>);

impl<S: Sync> FromRequestParts<S> for Once {
    type Rejection = Problem;

    async fn from_request_parts(parts: &mut Parts, _: &S) -> Result<Self> {
        let Some(written) = parts.headers.get(KEY) else { return Ok(Self(None)) };
        let wrong = || {
            let message = format!(
                "the Idempotency-Key must be 1 to {KEY_MOST} visible ASCII characters without blanks"
            );
            Problem::malformed("request/key", message)
        };
        let text = written.to_str().map_err(|_| wrong())?;
        let fits = (1..=KEY_MOST).contains(&text.len()) && text.bytes().all(|byte| byte.is_ascii_graphic());
        if fits { Ok(Self(Some(text.into()))) } else { Err(wrong()) }
    }
}

impl Once {
    /// The key under which the house keeps it: nobody can meet the key of another.
    pub(crate) fn key(&self, by: &Actor) -> Option<Key> {
        self.0.as_ref().map(|written| Key(format!("http/{by}/{written}").into()))
    }
}

/// An act that happened, now or before.
#[derive(Debug, Clone)]
pub(crate) struct Acted {
    pub(crate) act: Arc<Act>,
    pub(crate) repeated: bool,
}

impl Hall {
    /// Gives an order, once where it has a key. What the rules refuse is a problem here.
    pub(crate) async fn give(&self, by: Actor, once: &Once, command: Command) -> Result<Acted> {
        let key = once.key(&by);
        // What is only told again costs the record nothing.
        let known = |key: &Key| self.engine.read(|house| house.given_under(key, now()).is_some());
        if !key.as_ref().is_some_and(known) {
            self.may_try(&by)?;
        }
        let given = key.as_ref().map(|_| command.clone());
        let done = self.engine.submit(Order { by: by.clone(), key, command }).await?;
        self.acted(&by, given.as_ref(), done)
    }

    /// Gives an order of the operator after what it needs: a charter and seats that the house does not know yet. All of it is
    /// one append.
    pub(crate) async fn give_after(
        &self,
        once: &Once,
        charter: Option<&Sourced>,
        seats: &[Seat],
        command: Command,
    ) -> Result<Acted> {
        let by = Actor::Operator;
        let key = once.key(&by);
        let given = key.as_ref().map(|_| command.clone());
        let order = Order { by: by.clone(), key, command };
        let done = opening::open(&self.engine, charter, seats, order).await?;
        self.acted(&by, given.as_ref(), done)
    }

    /// What came of an order that was given under a key.
    fn acted(&self, by: &Actor, given: Option<&Command>, done: Done) -> Result<Acted> {
        if done.repeated && (given != Some(&done.act.command) || done.act.by != *by) {
            let message = "this Idempotency-Key was used for another request; take a new one for each write";
            return Err(Problem::conflict("request/key-reused", message));
        }
        match &done.act.outcome {
            Outcome::Done(_) => Ok(Acted { act: done.act, repeated: done.repeated }),
            Outcome::Refused { code, message } => {
                if !done.repeated {
                    self.was_refused(&done.act);
                }
                Err(Problem::refused(code, message).replayed(done.repeated))
            }
        }
    }

    /// Whether a participant may try something, after all that was refused of theirs.
    pub(crate) fn may_try(&self, by: &Actor) -> Result<()> {
        let Actor::Seat(who) = by else { return Ok(()) };
        self.limits.may_try(&who.as_str().into(), Instant::now()).map_err(|after| {
            let message = format!(
                "too much of what you sent was refused, and the record keeps all of it; try again in {after} s"
            );
            Problem::too_many("service/refusals", message, after)
        })
    }

    /// Notes what the record keeps of a participant's that was refused.
    pub(crate) fn was_refused(&self, act: &Act) {
        let Actor::Seat(who) = &act.by else { return };
        let bytes = serde_json::to_vec(&act.command).map_or(0, |body| body.len());
        self.limits.refused(&who.as_str().into(), bytes, Instant::now());
    }
}

/// What came of a write.
#[derive(Debug, Clone, Serialize, ToSchema)]
pub(crate) struct Told {
    /// The number of the act in the journal.
    act: u64,
    /// When it was judged, in Unix milliseconds.
    at: u64,
    /// The matter it was about, or that it opened.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<String>)]
    matter: Option<MatterId>,
    /// What happened, in order.
    events: Vec<Happened>,
}

/// One thing that happened.
#[derive(Debug, Clone, Serialize, ToSchema)]
struct Happened {
    /// Its id: what it gave birth to is named by it.
    #[schema(value_type = String)]
    id: Id,
    /// What kind of event, such as `matter/opened`.
    kind: String,
}

impl Acted {
    /// The answer: read from the act alone, so that it is the same whenever it is asked for.
    pub(crate) fn tell(&self, status: StatusCode, matter: Option<MatterId>) -> Response {
        let act = &self.act;
        let happened = |(nth, event): (usize, &Event)| Happened {
            id: Id { act: act.seq, nth: nth as u16 },
            kind: kind(event),
        };
        let told = Told {
            act: act.seq.0,
            at: act.at.0,
            matter,
            events: act.events().iter().enumerate().map(happened).collect(),
        };
        let mut response = (status, Json(told)).into_response();
        if self.repeated {
            response.headers_mut().insert(REPLAYED, HeaderValue::from_static("true"));
        }
        response
    }
}
