//! `/v1/feed`: what happens, as it happens, as server-sent events.
//!
//! A reader costs one connection and nothing else: `hub` translates each act once for all of them, `filter` says what
//! each is told, `queue` holds what waits for one, `catch_up` reads what a reader missed. A reader that falls too far
//! behind, or takes nothing for too long, is disconnected and can go on where it was.

mod catch_up;
mod filter;
mod hub;
mod queue;

use std::convert::Infallible;
use std::future::poll_fn;
use std::pin::Pin;
use std::sync::Arc;

use axum::body::{Body, Bytes};
use axum::extract::State;
use axum::http::{HeaderMap, header};
use axum::response::{IntoResponse as _, Response};
use futures_util::stream::unfold;
use serde::Deserialize;
use synod_core::kernel::Seq;
use synod_engine::now;
use synod_journal::Stall;
use tokio::sync::watch;
use tokio::time::{Instant, Sleep};
use utoipa::{IntoParams, ToSchema};

use super::Service;
use super::guard::KnownCaller;
use super::limit::ConnectionSlot;
use super::problem::{HttpResult, Problem};
use super::read::Query;
use crate::wire::{MessageKind, WireMessage, WrittenMatter};
use filter::{Filter, Kinds, Viewer};
use hub::Follower;
use queue::{End, QueueItem, WAITING_MOST};

pub(crate) use catch_up::JournalReaders;
pub(crate) use hub::{Hub, run};

/// No journal is as long: beyond it, JSON cannot write numbers exactly.
const LATEST: u64 = 1 << 53;

/// What to follow.
#[derive(Debug, Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub(crate) struct FeedQuery {
    /// Only messages about this matter.
    #[param(inline)]
    matter: Option<WrittenMatter>,
    /// Only messages of these types, separated by commas.
    kind: Option<String>,
    /// Start after this act; from now on if left out. `Last-Event-ID` takes precedence.
    #[param(maximum = 9007199254740991_u64)]
    after: Option<u64>,
}

/// One server-sent event.
#[derive(Debug, ToSchema)]
#[expect(dead_code, reason = "it documents the form; the stream is written as text")]
pub(crate) struct Streamed {
    /// The number of the act; only with its last message.
    #[schema(pattern = "^[0-9]+$")]
    id: Option<String>,
    /// The type of the message.
    event: Option<String>,
    /// The message, as JSON text.
    #[schema(value_type = Option<WireMessage>)]
    data: Option<String>,
}

/// Follow what happens in the house, as server-sent events. `id` is the number of the act; send it as
/// `Last-Event-ID` to continue where you stopped. Participants hear of matters they are invited to.
#[utoipa::path(get, path = "/v1/feed", tag = "feed", operation_id = "followFeed",
    params(FeedQuery, ("Last-Event-ID" = Option<u64>, Header, description = "The last id you received.", maximum = 9007199254740991_u64)),
    responses((status = 200, description = "A stream that does not end. The `data` of each event is one `Message`.",
        content_type = "text/event-stream", body = Streamed)))]
pub(crate) async fn follow(
    State(service): State<Arc<Service>>,
    known: KnownCaller,
    headers: HeaderMap,
    Query(wanted): Query<FeedQuery>,
) -> HttpResult<Response> {
    let kinds = wanted.kind.as_deref().map(kinds).transpose()?;
    if wanted.after.is_some_and(|after| after >= LATEST) {
        return Err(Problem::malformed("request/query", "`after` is not the number of an act"));
    }
    let after = after(&headers)?.or(wanted.after);
    let place = service.place(&known)?;
    // Before anything is decided by it, so that no change of tokens falls in between.
    let tokens = service.hub.tokens();
    let from = after.map_or_else(|| service.engine.read(|house| house.seq()), Seq).next();
    let filter = Filter {
        viewer: Viewer::from(&known.caller),
        matter: wanted.matter.map(|matter| matter.0),
        kinds: kinds.unwrap_or(Kinds::ALL),
    };
    let silence = service.patience.silence;
    let stream = Stream {
        follower: service.hub.follow(filter),
        stage: StreamStage::Hello(from),
        tokens,
        spoke: Instant::now(),
        silence: Box::pin(tokio::time::sleep(silence)),
        stall: service.engine.stall(),
        service,
        known,
        _place: place,
    };
    let told = unfold(stream, |mut stream| async {
        let bytes = stream.next().await?;
        Some((Ok::<Bytes, Infallible>(bytes), stream))
    });
    let headers = [(header::CONTENT_TYPE, "text/event-stream"), (header::CACHE_CONTROL, "no-cache")];
    Ok((headers, Body::from_stream(told)).into_response())
}

fn kinds(written: &str) -> HttpResult<Kinds> {
    let kind = |word: &str| {
        MessageKind::parse(word).ok_or_else(|| {
            let known: Vec<&str> = MessageKind::ALL.iter().map(|kind| kind.word()).collect();
            let message =
                format!("`kind` names an unknown type of message; known types: {}", known.join(", "));
            Problem::malformed("request/query", message)
        })
    };
    written.split(',').map(kind).collect()
}

fn after(headers: &HeaderMap) -> HttpResult<Option<u64>> {
    let Some(written) = headers.get("last-event-id") else { return Ok(None) };
    let number = written.to_str().ok().filter(|text| text.bytes().all(|byte| byte.is_ascii_digit()));
    let number = number.and_then(|text| text.parse().ok()).filter(|number| *number < LATEST);
    number.map(Some).ok_or_else(|| {
        Problem::malformed("request/last-event-id", "Last-Event-ID is not the number of an act")
    })
}

/// The stage of a stream.
enum StreamStage {
    /// Nothing was said yet.
    Hello(Seq),
    /// It reads what it missed.
    Behind(catch_up::FeedPosition),
    /// It is told what happens.
    Live,
    /// It has said why it ends.
    Over,
}

/// One stream.
struct Stream {
    follower: Follower,
    stage: StreamStage,
    /// The state of the tokens by which the reader was last let in.
    tokens: u64,
    /// When something was last said.
    spoke: Instant,
    silence: Pin<Box<Sleep>>,
    service: Arc<Service>,
    stall: watch::Receiver<Option<Stall>>,
    known: KnownCaller,
    _place: ConnectionSlot,
}

impl Stream {
    /// What to send next; none when the stream ends.
    async fn next(&mut self) -> Option<Bytes> {
        let bytes = match std::mem::replace(&mut self.stage, StreamStage::Over) {
            StreamStage::Hello(from) => {
                self.stage = self.stage_at(catch_up::FeedPosition::at(from));
                Bytes::from_static(b": hello\n\n")
            }
            StreamStage::Behind(place) => self.catch_up(place).await?,
            StreamStage::Live => self.live().await?,
            StreamStage::Over => return None,
        };
        self.spoke = Instant::now();
        Some(bytes)
    }

    /// Live, if the hub remembers everything from there on.
    fn stage_at(&self, place: catch_up::FeedPosition) -> StreamStage {
        match self.follower.go_live(place.next) {
            true => StreamStage::Live,
            false => StreamStage::Behind(place),
        }
    }

    /// Reads from the journal until there is something to say.
    async fn catch_up(&mut self, mut place: catch_up::FeedPosition) -> Option<Bytes> {
        loop {
            let up_to = self.follower.read_up_to();
            let (read, bytes) =
                catch_up::page(&self.service, &self.follower.filter, place, up_to).await.ok()?;
            self.known.still(&self.service.access).ok()?;
            let upto = read.next;
            self.stage = self.stage_at(read);
            if !bytes.is_empty() {
                return Some(bytes);
            }
            match std::mem::replace(&mut self.stage, StreamStage::Over) {
                StreamStage::Behind(next) if self.spoke.elapsed() < self.service.patience.silence => {
                    place = next
                }
                // Nothing of it was for this reader: say how far it is.
                stage => {
                    self.stage = stage;
                    return Some(still_here(Seq(upto.0.saturating_sub(1))));
                }
            }
        }
    }

    /// Waits for what happens.
    async fn live(&mut self) -> Option<Bytes> {
        let queue = self.follower.queue.clone();
        loop {
            let told = self.service.hub.told();
            tokio::select! {
                biased;
                taken = poll_fn(|cx| queue.poll_take(cx)) => {
                    self.is_let_in()?;
                    return match taken {
                        QueueItem::Bytes(bytes) => {
                            self.stage = StreamStage::Live;
                            Some(bytes)
                        }
                        QueueItem::Ended(End::Slow) => Some(too_slow()),
                        QueueItem::Ended(End::Service) => None,
                    };
                }
                Ok(()) = self.stall.changed() => {
                    self.is_let_in()?;
                    self.stage = StreamStage::Live;
                    return Some(stall(self.stall.borrow_and_update().as_ref()));
                }
                () = &mut self.silence => {
                    let due = self.spoke + self.service.patience.silence;
                    let now = Instant::now();
                    // Not set anew with every message: that would cost more than to look now and then.
                    let is_due = due <= now;
                    self.silence.as_mut().reset(if is_due { now + self.service.patience.silence } else { due });
                    if is_due && queue.is_empty() {
                        self.known.still(&self.service.access).ok()?;
                        self.stage = StreamStage::Live;
                        return Some(still_here(told));
                    }
                }
            }
        }
    }

    /// None if the reader may not read on: its token has expired, or was revoked.
    fn is_let_in(&mut self) -> Option<()> {
        let tokens = self.service.hub.tokens();
        if tokens != self.tokens || self.known.has_expired(now()) {
            self.known.still(&self.service.access).ok()?;
            self.tokens = tokens;
        }
        Some(())
    }
}

/// Says that the stream is alive and how far it is: a reader that was told nothing need not read all of it again.
fn still_here(told: Seq) -> Bytes {
    format!("id: {told}\n: still here\n\n").into()
}

/// Says that nothing can be written, or that it can be again. Not why: that is the operator's, who finds it in `/v1/house`.
fn stall(stall: Option<&Stall>) -> Bytes {
    match stall {
        Some(stall) => format!("event: stalled\ndata: {{\"since\":{}}}\n\n", stall.since.0).into(),
        None => Bytes::from_static(b"event: writable\ndata: {}\n\n"),
    }
}

/// The last words to a reader that cannot keep up.
fn too_slow() -> Bytes {
    let most = WAITING_MOST >> 20;
    format!(": disconnected: you are more than {most} MiB behind; reconnect with Last-Event-ID to go on\n\n")
        .into()
}
