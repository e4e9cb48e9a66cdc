//! `/v1/feed`: what happens, as it happens, as server-sent events.
//!
//! Each stream reads the journal at the pace of its reader and holds next to nothing. Who takes nothing for too
//! long is dropped by `listen` and can go on where it was. What one act caused comes in one piece: only its last
//! message carries the id, so that a stream cut in between tells the whole act again.

use std::collections::VecDeque;
use std::convert::Infallible;
use std::sync::Arc;

use axum::extract::State;
use axum::http::HeaderMap;
use axum::response::sse::{Event, Sse};
use futures_util::stream::{Stream, unfold};
use serde::Deserialize;
use synod_core::Act;
use synod_core::kernel::{MatterId, Seq};
use synod_engine::Feed;
use tokio::sync::watch;
use tokio::time::{Instant, sleep_until};
use utoipa::{IntoParams, ToSchema};

use super::guard::Known;
use super::limit::Place;
use super::listen::shutdown_requested;
use super::problem::{Problem, Result};
use super::read::{Query, Written};
use super::{Service, sees};
use crate::wire::{Kind, Message, Translator};

/// No journal is as long: beyond it, JSON cannot write numbers exactly.
const LATEST: u64 = 1 << 53;

/// What to be told.
#[derive(Debug, Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub(crate) struct Wanted {
    /// Only of this matter.
    #[param(value_type = Option<String>, pattern = r"^[0-9]{1,15}(\.[0-9]{1,4})?$")]
    matter: Option<Written>,
    /// Only messages of these types, separated by commas.
    kind: Option<String>,
    /// From the act after this one on; from now on if left out. `Last-Event-ID` goes before it.
    #[param(maximum = 9007199254740991_u64)]
    after: Option<u64>,
}

/// One event of the stream.
#[derive(Debug, ToSchema)]
#[expect(dead_code, reason = "it tells the form; the stream writes it itself")]
pub(crate) struct Streamed {
    /// The number of the act, with the last message of it.
    #[schema(pattern = "^[0-9]+$")]
    id: Option<String>,
    /// The type of the message.
    event: Option<String>,
    /// The message, as JSON.
    data: Option<String>,
}

/// Follow what happens in the house: messages as server-sent events. `id` is the number of the act; send it as
/// `Last-Event-ID` to go on where you were. A participant is told of the matters they are invited to.
#[utoipa::path(get, path = "/v1/feed", tag = "feed", operation_id = "followFeed",
    params(Wanted, ("Last-Event-ID" = Option<u64>, Header, description = "The last id you have seen.", maximum = 9007199254740991_u64)),
    responses((status = 200, description = "A stream that does not end. Each event's data is one message.",
        content_type = "text/event-stream", body = Streamed)))]
pub(crate) async fn follow(
    State(service): State<Arc<Service>>,
    known: Known,
    headers: HeaderMap,
    Query(wanted): Query<Wanted>,
) -> Result<Sse<impl Stream<Item = std::result::Result<Event, Infallible>>>> {
    let kinds = wanted.kind.as_deref().map(kinds).transpose()?;
    if wanted.after.is_some_and(|after| after >= LATEST) {
        return Err(Problem::malformed("request/query", "after is no number of an act"));
    }
    let after = after(&headers)?.or(wanted.after);
    let place = service.place(&known)?;
    let from = after.map_or_else(|| service.engine.read(|house| house.seq()), Seq).next();
    let reader = Reader {
        feed: service.engine.feed(from).await?,
        filter: Filter { matter: wanted.matter.map(|matter| MatterId(matter.0)), kinds },
        translator: Translator::default(),
        ready: VecDeque::from([Event::default().comment("hello")]),
        ending: service.ending.clone(),
        service,
        known,
        _place: place,
    };
    Ok(Sse::new(unfold(reader, |mut reader| async {
        let event = reader.next().await?;
        Some((Ok(event), reader))
    })))
}

fn kinds(written: &str) -> Result<Vec<Kind>> {
    let kind = |word: &str| {
        Kind::parse(word).ok_or_else(|| {
            let known: Vec<&str> = Kind::ALL.iter().map(|kind| kind.word()).collect();
            let message = format!("there is no kind of message of that name; known are {}", known.join(", "));
            Problem::malformed("request/query", message)
        })
    };
    written.split(',').map(kind).collect()
}

fn after(headers: &HeaderMap) -> Result<Option<u64>> {
    let Some(written) = headers.get("last-event-id") else { return Ok(None) };
    let number = written.to_str().ok().filter(|text| text.bytes().all(|byte| byte.is_ascii_digit()));
    let number = number.and_then(|text| text.parse().ok()).filter(|number| *number < LATEST);
    number
        .map(Some)
        .ok_or_else(|| Problem::malformed("request/last-event-id", "Last-Event-ID is no number of an act"))
}

#[derive(Debug)]
struct Filter {
    matter: Option<MatterId>,
    kinds: Option<Vec<Kind>>,
}

/// One stream.
struct Reader {
    feed: Feed,
    filter: Filter,
    translator: Translator,
    ready: VecDeque<Event>,
    ending: watch::Receiver<bool>,
    service: Arc<Service>,
    known: Known,
    _place: Place,
}

impl Reader {
    /// The next event; none when the stream ends.
    async fn next(&mut self) -> Option<Event> {
        // Counted from what was told last: to a reader that is told nothing of it, a busy house is silent.
        let due = Instant::now() + self.service.patience.silence;
        loop {
            if let Some(event) = self.ready.pop_front() {
                return Some(event);
            }
            tokio::select! {
                biased;
                () = shutdown_requested(&mut self.ending) => return None,
                () = sleep_until(due) => {
                    self.known.still(&self.service.access).ok()?;
                    // Also says how far we are: who was told nothing need not look at all of it again.
                    let before = self.feed.position().0 - 1;
                    return Some(Event::default().id(before.to_string()).comment("still here"));
                }
                act = self.feed.next() => {
                    let act = act.ok()??;
                    self.take(&act)?;
                },
            }
        }
    }

    /// Takes an act; none if whoever reads may not read on.
    fn take(&mut self, act: &Act) -> Option<()> {
        self.known.still(&self.service.access).ok()?;
        self.translator.prepare(act, |seq| self.service.act(seq));
        let told: Vec<Message> = self.service.engine.read(|house| {
            let messages = self.translator.translate(house, act).into_iter();
            messages.filter(|message| self.passes(house, message)).collect()
        });
        let last = told.len();
        for (nth, message) in told.into_iter().enumerate() {
            let event = Event::default().event(message.kind.word()).data(message.text());
            let event = if nth + 1 == last { event.id(act.seq.to_string()) } else { event };
            self.ready.push_back(event);
        }
        Some(())
    }

    fn passes(&self, house: &synod_core::House, message: &Message) -> bool {
        let seen = match message.matter.and_then(|matter| house.case(matter)) {
            Some(case) => sees(&self.known.caller, case),
            None => self.known.caller.operates().is_ok(),
        };
        seen && message.is_for(&self.known.caller.actor())
            && self.filter.matter.is_none_or(|matter| message.matter == Some(matter))
            && self.filter.kinds.as_ref().is_none_or(|kinds| kinds.contains(&message.kind))
    }
}
