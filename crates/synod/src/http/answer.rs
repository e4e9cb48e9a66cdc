//! What a write is answered with, and how one is given once under an `Idempotency-Key`.

use std::sync::Arc;
use std::time::Instant;

use axum::extract::FromRequestParts;
use axum::http::request::Parts;
use axum::http::{HeaderName, HeaderValue, StatusCode};
use axum::response::{IntoResponse, Response};
use synod_core::kernel::{Actor, Key, MatterId, Seat, Seq};
use synod_core::{Act, Command, Outcome, SeenRecord, Vouched};
use synod_engine::{Order, Promise};
use synod_journal::vouch;

use super::Service;
use super::guard::KnownCaller;
use super::problem::{HttpResult, Problem};
use crate::house::Sourced;
use crate::http::reply::Json;
use crate::opening;
use crate::vouching::Voucher;
use crate::wire::{AcknowledgementView, Done};

/// The header that names a write.
pub(crate) const KEY: HeaderName = HeaderName::from_static("idempotency-key");
/// The header that says that an answer was given before.
pub(crate) const REPLAYED: HeaderName = HeaderName::from_static("idempotency-replayed");
/// The longest key.
pub(crate) const KEY_MOST: usize = 128;

/// The header with the author's signature over what is recorded of a write, in hex.
pub(crate) const SIGNATURE: HeaderName = HeaderName::from_static("synod-signature");
/// The header by which a client asks what there is to sign, instead of doing it.
pub(crate) const SIGN: HeaderName = HeaderName::from_static("synod-sign");

/// The header that names the record its author had seen when it signed: the number of an act and the hash of its record.
pub(crate) const SEEN: HeaderName = HeaderName::from_static("synod-seen");

/// The key of a write, as the client wrote it; who vouches for it, and how it is signed.
#[derive(Debug, Clone, Default)]
pub(crate) struct IdempotencyKey {
    written: Option<String>,
    voucher: Option<Voucher>,
    signature: Option<String>,
    seen: Option<SeenRecord>,
    /// Whether the client only wants to know what to sign.
    asks: bool,
}

impl<S: Sync> FromRequestParts<S> for IdempotencyKey {
    type Rejection = Problem;

    async fn from_request_parts(parts: &mut Parts, _: &S) -> HttpResult<Self> {
        let voucher = parts.extensions.get::<KnownCaller>().and_then(|known| known.voucher.clone());
        let signature = parts.headers.get(SIGNATURE).map(|written| written.to_str().map(str::to_string));
        let signature = signature.transpose().map_err(|_| {
            Problem::malformed("request/signature", "Synod-Signature must be 128 hexadecimal digits")
        })?;
        let asks = parts.headers.contains_key(SIGN);
        let seen = parts.headers.get(SEEN).map(|written| written.to_str().ok().and_then(read_seen));
        let malformed = || {
            Problem::malformed(
                "request/seen",
                "Synod-Seen must be `ACT HASH`, as in the text that was signed",
            )
        };
        let seen = seen.map(|seen| seen.ok_or_else(malformed)).transpose()?;
        let known = Self { written: None, voucher, signature, seen, asks };
        let Some(written) = parts.headers.get(KEY) else { return Ok(known) };
        let wrong = || {
            let message = format!(
                "the Idempotency-Key must be 1 to {KEY_MOST} visible ASCII characters without spaces"
            );
            Problem::malformed("request/key", message)
        };
        let text = written.to_str().map_err(|_| wrong())?;
        let fits = (1..=KEY_MOST).contains(&text.len()) && text.bytes().all(|byte| byte.is_ascii_graphic());
        if fits { Ok(Self { written: Some(text.into()), ..known }) } else { Err(wrong()) }
    }
}

impl IdempotencyKey {
    /// The key under which the house keeps it: nobody can meet the key of another.
    pub(crate) fn key(&self, by: &Actor) -> Option<Key> {
        self.written.as_ref().map(|written| Key(format!("http/{by}/{written}").into()))
    }

    /// The key of a further try, where an earlier one came to nothing. No client writes a blank into a key, so nobody else has it. A
    /// signature is for one key alone.
    pub(crate) fn again(&self, nth: u32) -> Option<Self> {
        let written = self.written.as_ref().filter(|_| self.signature.is_none() && !self.asks)?;
        Some(Self { written: Some(format!("{written} {nth}")), ..self.clone() })
    }
}

/// `57 HASH`.
fn read_seen(written: &str) -> Option<SeenRecord> {
    let (act, hash) = written.trim().split_once(' ')?;
    Some(SeenRecord { act: Seq(act.parse().ok()?), hash: hash.trim().parse().ok()? })
}

/// `57 HASH`, as the header has it.
pub(crate) fn write_seen(seen: &SeenRecord) -> String {
    format!("{} {}", seen.act, seen.hash)
}

/// An act that happened, now or before.
#[derive(Debug, Clone)]
pub(crate) struct Acted {
    pub(crate) act: Arc<Act>,
    pub(crate) repeated: bool,
    /// Signed when the answer is written.
    promise: Option<Promise>,
}

impl Service {
    /// Gives an order, once where it has a key. What the rules refuse is a problem here.
    pub(crate) async fn give(&self, by: Actor, key: &IdempotencyKey, command: Command) -> HttpResult<Acted> {
        let (vouching, key) = (key, key.key(&by));
        // What is only told again costs the record nothing.
        let known = |key: &Key| self.engine.read(|house| house.given_under(key).is_some());
        if !key.as_ref().is_some_and(known) {
            self.may_try(&by)?;
        }
        let given = key.as_ref().map(|_| command.clone());
        let vouched = self.vouched(vouching, (&by, key.as_ref(), &command))?;
        let done = self.engine.submit(Order { by: by.clone(), key, command, vouched }).await?;
        self.acted(&by, given.as_ref(), done)
    }

    /// Gives an order of the operator after what it needs: a charter and seats that the house does not know yet. All of it is
    /// one append.
    pub(crate) async fn give_after(
        &self,
        key: &IdempotencyKey,
        charter: Option<&Sourced>,
        seats: &[Seat],
        command: Command,
    ) -> HttpResult<Acted> {
        let by = Actor::Operator;
        let (vouching, key) = (key, key.key(&by));
        let given = key.as_ref().map(|_| command.clone());
        let vouched = self.vouched(vouching, (&by, key.as_ref(), &command))?;
        let order = Order { by: by.clone(), key, command, vouched };
        let done = opening::open(&self.engine, charter, seats, order).await?;
        self.acted(&by, given.as_ref(), done)
    }

    /// Who vouches for a command, and with what.
    fn vouched(
        &self,
        given: &IdempotencyKey,
        about: (&Actor, Option<&Key>, &Command),
    ) -> HttpResult<Option<Vouched>> {
        let unsealable = |error: synod_journal::canon::CanonError| Problem::unfit(error.to_string());
        let seen = self.seen(given)?;
        if given.asks {
            let seen = seen.map_or_else(|| self.engine.newest_record(), Ok)?;
            let text = vouch::signed_text(&self.founding_key(), about, &seen).map_err(unsealable)?;
            return Err(Problem::to_sign(text));
        }
        let signed = given.signature.clone().zip(seen);
        let voucher = given.voucher.as_ref();
        voucher.map(|voucher| voucher.vouch(about, signed).map_err(unsealable)).transpose()
    }

    /// The record that the author of a signed write had seen, if it is in this history.
    fn seen(&self, given: &IdempotencyKey) -> HttpResult<Option<SeenRecord>> {
        let Some(seen) = given.seen else {
            if given.signature.is_none() {
                return Ok(None);
            }
            let message = "a signed request says which record its author had seen: send `Synod-Seen: ACT HASH` as in the signed text";
            return Err(Problem::malformed("request/seen", message));
        };
        if self.engine.record_of(seen.act)? == Some(seen) {
            return Ok(Some(seen));
        }
        let message = format!(
            "act {} of this house is not the record that you have seen: its history is another one; ask its owner, and sign nothing",
            seen.act
        );
        Err(Problem::conflict("request/seen", message))
    }

    /// The public key that the house was founded with.
    fn founding_key(&self) -> String {
        self.engine.read(|house| house.founded().map(|founded| founded.key.clone())).unwrap_or_default()
    }

    /// What came of an order that was given under a key.
    fn acted(
        &self,
        by: &Actor,
        given: Option<&Command>,
        done: synod_engine::CommittedOrder,
    ) -> HttpResult<Acted> {
        if done.repeated && (given != Some(&done.act.command) || done.act.by != *by) {
            let message = "this Idempotency-Key was used for another request; use a new key for each write";
            return Err(Problem::conflict("request/key-reused", message));
        }
        match &done.act.outcome {
            Outcome::Done(_) => Ok(Acted { act: done.act, repeated: done.repeated, promise: done.promise }),
            Outcome::Refused { code, message } => {
                if !done.repeated {
                    self.was_refused(&done.act);
                }
                Err(Problem::refused(code, message).replayed(done.repeated))
            }
        }
    }

    /// Whether a participant may try something, after all that was refused of theirs.
    pub(crate) fn may_try(&self, by: &Actor) -> HttpResult<()> {
        let Actor::Seat(who) = by else { return Ok(()) };
        self.limits.may_try(&who.as_str().into(), Instant::now()).map_err(|after| {
            let message = format!(
                "too many of your requests were refused, and the record keeps them all; try again in {after} s"
            );
            Problem::too_many("service/refusals", message, after)
        })
    }

    /// Whether a participant may put down something that belongs to no matter.
    pub(crate) fn may_note(&self, by: &Actor) -> HttpResult<()> {
        let Actor::Seat(who) = by else { return Ok(()) };
        self.limits.may_note(&who.as_str().into(), Instant::now()).map_err(|after| {
            let message = format!(
                "you have reported much in a short time, and the record keeps it all; try again in {after} s"
            );
            Problem::too_many("service/observations", message, after)
        })
    }

    /// Notes what the record keeps of a participant's that belongs to no matter.
    pub(crate) fn was_noted(&self, act: &Act) {
        let Actor::Seat(who) = &act.by else { return };
        let bytes = act.to_json().map_or(0, |body| body.len());
        self.limits.noted(&who.as_str().into(), bytes, Instant::now());
    }

    /// Notes what the record keeps of a participant's that was refused.
    pub(crate) fn was_refused(&self, act: &Act) {
        let Actor::Seat(who) = &act.by else { return };
        let bytes = act.command.to_json().map_or(0, |body| body.len());
        self.limits.refused(&who.as_str().into(), bytes, Instant::now());
    }
}

impl Service {
    /// The answer to what was done in a ring. It names the ring: who is in several must not mistake one for another.
    pub(crate) fn answer(&self, acted: &Acted, matter: MatterId) -> Response {
        let done = Done::of(&acted.act, Some(matter));
        acted.respond(StatusCode::OK, self.engine.read(|house| done.naming(house)))
    }
}

impl Acted {
    /// The answer, with a header where it was given before.
    pub(crate) fn answer(&self, status: StatusCode, matter: Option<MatterId>) -> Response {
        self.respond(status, Done::of(&self.act, matter))
    }

    /// The answer, with the matter named for people.
    pub(crate) fn named(
        &self,
        status: StatusCode,
        matter: Option<MatterId>,
        engine: &synod_engine::Engine,
    ) -> Response {
        let done = Done::of(&self.act, matter);
        self.respond(status, engine.read(|house| done.naming(house)))
    }

    /// What the house acknowledges, signed now.
    pub(crate) fn acknowledged(&self) -> Option<AcknowledgementView> {
        self.promise.as_ref().map(|promise| promise.acknowledgement().into())
    }

    fn respond(&self, status: StatusCode, done: Done) -> Response {
        let done = Done { acknowledgement: self.acknowledged(), ..done };
        let mut response = (status, Json(done)).into_response();
        if self.repeated {
            response.headers_mut().insert(REPLAYED, HeaderValue::from_static("true"));
        }
        response
    }
}
