//! The bridge to Redis: agents that speak on its channels take part like any others.
//!
//! What happens in rings goes out in the words of `wire`; what agents send comes in and is given to the house as their
//! order. Whatever HTTP shows to one participant only is sealed for that participant, in both directions: anybody may
//! listen on Redis. The bridge holds no rule and no truth: when Redis is gone nothing is lost but time, and when it is
//! back everything since is told.
//!
//! `seal` signs and seals, `inbound` reads what agents send, `outbound` says where messages go, `courier` seals them,
//! `state` is what an agent needs to go on, `workshop` issues and leases, `link` keeps the connection.

mod courier;
#[cfg(test)]
mod fuzz;
mod inbound;
mod link;
mod outbound;
pub(crate) mod seal;
mod state;
mod workshop;

use std::collections::VecDeque;
use std::sync::Arc;
use std::time::{Duration, Instant};

use futures_util::StreamExt as _;
use serde::Serialize;
use synod_core::kernel::{About, Actor, Key, MatterId, Seq, Who};
use synod_core::rejections::Way;
use synod_core::{Command, Outcome};
use synod_engine::{Order, now};
use tokio::sync::mpsc;

use crate::fail::{Fail, code};
use crate::http::Service;
use crate::rejections::RejectedRequest;
use crate::vouching::Voucher;
use crate::wire::{AcknowledgementView, Done, ErrorBody, Translator, TurnedAway};
use crate::work::WorkDone;
use crate::{out, triggers};
use courier::{Courier, OutgoingMessage};
use inbound::{MessageBody, Received, RefusedMessage};
use link::RedisLink;

/// The channels of rings, and those of the agents' other life that are bridged with them.
pub(crate) mod channel {
    /// To everybody: sessions begin and end, votes open and are counted.
    pub(crate) const BROADCAST: &str = "pop:consensus:broadcast";
    /// Everything in sessions.
    pub(crate) const SESSION: &str = "pop:consensus:session";
    /// What calls for a session.
    pub(crate) const TRIGGERS: &str = "pop:consensus:triggers";
    /// To one agent, sealed; its id follows.
    pub(crate) const AGENT: &str = "pop:consensus:agent:";
    /// From one agent, sealed; its id follows.
    pub(crate) const INBOX: &str = "pop:consensus:inbox:";
    /// The agents' own broadcasts.
    pub(crate) const POP_BROADCAST: &str = "pop:broadcast";
    /// What they found out.
    pub(crate) const POP_INSIGHTS: &str = "pop:insights";
    /// What they tell their coordinator.
    pub(crate) const POP_COORDINATOR: &str = "pop:coordinator";
    /// Public ones on which agents are heard, signed.
    pub(crate) const HEARD: [&str; 6] =
        [BROADCAST, SESSION, TRIGGERS, POP_BROADCAST, POP_INSIGHTS, POP_COORDINATOR];
}

/// The longest message that is read, in bytes.
const MESSAGE_MOST: usize = 256 << 10;
/// Replies that may wait for Redis; what is more is dropped, since who sent it asks again.
const REPLIES_MOST: usize = 1024;

/// Refuses an address that is none, before anything is held.
pub(crate) fn check(url: &str) -> crate::fail::Result<()> {
    let wrong = |error: redis::RedisError| {
        let message =
            format!("--redis is not a Redis address: {error}; write one such as redis://127.0.0.1:6379");
        Fail::new(code::USAGE, "service/redis", message)
    };
    redis::Client::open(url).map(drop).map_err(wrong)
}

/// Carries messages both ways until the service ends.
pub(crate) async fn run(service: Arc<Service>, url: String) {
    let mut ending = service.ending.clone();
    let work = async {
        let (replies, waiting) = mpsc::channel(REPLIES_MOST);
        let from = service.engine.read(|house| house.seq()).next();
        tokio::join!(speak(&service, &url, from, waiting), listen(&service, &url, replies));
    };
    tokio::select! {
        () = work => (),
        () = crate::http::shutdown_requested(&mut ending) => (),
    }
}

/// Tells what happens from an act on. Whatever could not be sent is sent when Redis is back; who was asked
/// something meanwhile, or before the service came up, is told again.
async fn speak(service: &Service, url: &str, from: Seq, mut replies: mpsc::Receiver<OutgoingMessage>) {
    let (mut link, mut courier) = (RedisLink::new(url, "tell agents"), Courier::default());
    let mut ready = |messages| courier.ready(&service.access.gate, now(), messages);
    let mut translator = Translator::default();
    let Ok(mut feed) = service.engine.feed(from).await else { return };
    let mut news: Vec<OutgoingMessage> = Vec::new();
    loop {
        if link.send_all(&ready(news)).await {
            // Those who lost the connection too may have missed their turn.
            link.send_all(&ready(service.engine.read(outbound::open_turns))).await;
        }
        news = tokio::select! {
            act = feed.next() => {
                let Ok(Some(act)) = act else { return };
                translator.prepare(&act, |seq| service.act(seq));
                let away = service.engine.read(|house| translator.away(house, &act));
                let unread = workshop::unread(&act, |seq| service.act(seq));
                let sent = service.engine.read_with(away, |house| {
                    let messages = translator.translate(house, &act);
                    let told = messages.iter().flat_map(|message| outbound::route(house, message));
                    let told = told.chain(outbound::turns(house, &act));
                    told.chain(workshop::news(house, &act, &unread)).collect::<Vec<_>>()
                });
                let Ok(sent) = sent else { return };
                sent
            }
            reply = replies.recv() => match reply {
                Some(reply) => vec![reply],
                None => return,
            },
        };
    }
}

/// After Redis was away, open turns are sent again so long after the connection is back: not all agents reconnect at once.
const TOLD_AGAIN: [Duration; 3] = [Duration::ZERO, Duration::from_secs(2), Duration::from_secs(8)];

/// Hears agents. While Redis is away nobody is heard; everything else goes on.
async fn listen(service: &Service, url: &str, replies: mpsc::Sender<OutgoingMessage>) {
    let mut pauses = link::Pauses::default();
    let recent = state::Recent::default();
    let mut was_heard = false;
    loop {
        let heard = async {
            let client = redis::Client::open(url)?;
            let mut messages = client.get_async_pubsub().await?;
            messages.psubscribe(format!("{}*", channel::INBOX)).await?;
            messages.subscribe(&channel::HEARD[..]).await?;
            pauses.over("hear agents");
            let mut messages = messages.into_on_message();
            // Agents that lost the connection too may have missed their turn, and nothing else happens until it is over.
            let begun = tokio::time::Instant::now();
            let mut times = VecDeque::from(if was_heard { TOLD_AGAIN.to_vec() } else { Vec::new() });
            was_heard = true;
            loop {
                let next = times.front().map(|after| begun + *after);
                let is_due = async {
                    match next {
                        Some(at) => tokio::time::sleep_until(at).await,
                        None => std::future::pending().await,
                    }
                };
                tokio::select! {
                    message = messages.next() => {
                        let Some(message) = message else { return Ok::<(), redis::RedisError>(()) };
                        let (channel, bytes) = (message.get_channel_name(), message.get_payload_bytes());
                        for reply in hear(service, &recent, channel, bytes).await {
                            let _ = replies.try_send(reply);
                        }
                    }
                    () = is_due => {
                        times.pop_front();
                        for turn in service.engine.read(outbound::open_turns) {
                            let _ = replies.try_send(turn);
                        }
                    }
                }
            }
        };
        let failed = heard.await.err().map(|error| error.to_string());
        pauses.wait("hear agents", failed.as_deref()).await;
    }
}

/// Takes one message. Returns what to answer; nothing to our own words.
async fn hear(
    service: &Service,
    recent: &state::Recent,
    channel: &str,
    bytes: &[u8],
) -> Vec<OutgoingMessage> {
    let read = match (bytes.len(), channel.strip_prefix(channel::INBOX)) {
        (0..=MESSAGE_MOST, Some(name)) => Received::sealed(name, bytes),
        (0..=MESSAGE_MOST, None) => Received::signed(bytes),
        _ => Err(RefusedMessage::new("redis/too-long", "a message was too long to be read")),
    };
    let named = read.and_then(|received| match received {
        Some(received) => received.who().map(|who| Some((received, who))),
        None => Ok(None), // our own, or nothing to do with us
    });
    let (received, who) = match named {
        Ok(Some(named)) => named,
        Ok(None) => return Vec::new(),
        Err(refused) => {
            count_rejection(service, None, None, &refused);
            forged(service, &refused.message);
            return Vec::new();
        }
    };
    // Who speaks is settled first, and when: nobody can use up another's share by speaking in their name.
    match prove(service, received, &who) {
        Ok(body) => obey(service, recent, &who, &body).await,
        Err(refused) => {
            count_rejection(service, None, None, &refused);
            let told = forged(service, &format!("{who}: {}", refused.message));
            // Not sealed: a sender with the wrong token could not read why. It says nothing about a matter.
            let remark = || OutgoingMessage::remark(&who, BridgeReply::refused(None, None, refused).text());
            if told { vec![remark()] } else { Vec::new() }
        }
    }
}

/// The message, if it is the participant's own.
fn prove(service: &Service, received: Received, who: &Who) -> Result<MessageBody, RefusedMessage> {
    let secrets = service.access.gate.signing(who, now());
    received.proven(who, &secrets.map_err(|fail| RefusedMessage::fault(fail.message()))?)
}

/// Does what a participant wants. Every answer is sealed.
async fn obey(
    service: &Service,
    recent: &state::Recent,
    who: &Who,
    body: &MessageBody,
) -> Vec<OutgoingMessage> {
    let reply = |answer: BridgeReply| OutgoingMessage::private(who, answer.text());
    let fits = body.is_timely(now()).and_then(|()| body.is_where_it_belongs());
    let fits = fits.and_then(|()| within_limits(service, who));
    let done = match fits {
        Ok(()) if body.asks_for_state() => recent.first(who, &body.key, now()).map(|()| None),
        Ok(()) => take(service, body, who).await.map(Some),
        Err(refused) => Err(refused),
    };
    let mut replies = match done {
        Ok(answer) => answer.map(reply).into_iter().collect(),
        Err(refused) => {
            count_rejection(service, Some(who), body.matter, &refused);
            let replayed = ["redis/replayed", "redis/old"].contains(&refused.code.as_str());
            let refused = vec![reply(BridgeReply::refused(Some(&body.key), None, refused))];
            if replayed {
                return refused; // perhaps sent by somebody else: it has no other effect
            }
            refused
        }
    };
    // Who announces itself, also once more after a restart, is told everything it needs to go on.
    if body.joins() || body.asks_for_state() {
        replies.extend(state::of(service, who, body.matter));
        replies.extend(service.engine.read(|house| outbound::open_turns_of(house, who)));
        if body.matter.is_none() {
            replies.extend(workshop::open(service, who));
        }
    }
    replies
}

/// Counts what was refused before the house could judge it.
fn count_rejection(service: &Service, by: Option<&Who>, matter: Option<MatterId>, refused: &RefusedMessage) {
    if inbound::FAULTS.contains(&refused.code.as_str()) {
        return;
    }
    // As over HTTP, the matter of unknown senders is left out.
    let matter = matter.filter(|_| by.is_some());
    service.rejections.count(RejectedRequest {
        by: by.cloned().map(Actor::Seat),
        code: refused.code.clone(),
        matter: matter.filter(|matter| service.engine.read(|house| house.knows(*matter))),
        way: Way::Redis,
    });
}

/// Tells of a message that proves nothing. So many are told and answered, and no more: anybody may send them.
fn forged(service: &Service, what: &str) -> bool {
    let told = service.limits.take(&"redis/forged".into(), Instant::now()).is_ok();
    if told {
        out::error(&out::clean(&format!("redis: {what}")));
    }
    told
}

/// Refuses a participant who sends too much.
fn within_limits(service: &Service, who: &Who) -> Result<(), RefusedMessage> {
    // No token and nobody else is called so.
    service.limits.take(&format!("redis/{who}").into(), Instant::now()).map_err(|after| {
        RefusedMessage::new("service/rate", format!("too many messages; try again in {after} s"))
    })
}

/// Gives the order of a participant.
async fn take(service: &Service, body: &MessageBody, who: &Who) -> Result<BridgeReply, RefusedMessage> {
    body.is_short_enough()?;
    let works = workshop::is_request(body);
    let command = match works {
        true => workshop::command(service, body, who).await?,
        false => {
            let command = service.engine.read_with(body.matter, |house| body.command(house, who));
            command.map_err(|fault| RefusedMessage::fault(fault.to_string()))??
        }
    };
    service.may_try(&Actor::Seat(who.clone()))?;
    let notes = matches!(command, Command::Trigger(_) | Command::Observe { .. });
    if notes {
        service.may_note(&Actor::Seat(who.clone()))?;
        let unready = |fail: Fail| match fail.code() {
            code::IO => RefusedMessage::fault(fail.message()),
            _ => RefusedMessage::new(inbound::FLAWED, triggers::FLAWED),
        };
        let rules = triggers::RulesLoading::Kept(&service.regulated, service.house.dir());
        triggers::prepare(&service.engine, rules, &[who]).await.map_err(unready)?;
    }
    let key = Key(format!("redis/{who}/{}", body.key).into());
    let by = Actor::Seat(who.clone());
    let vouched = service
        .access
        .gate
        .by_id(&body.token, now())
        .map_err(|fail| RefusedMessage::fault(fail.message()))?;
    let vouched = vouched.map(|kept| Voucher::token(&kept).vouch((&by, Some(&key), &command), None));
    let vouched = vouched.transpose().map_err(|error| RefusedMessage::fault(error.to_string()))?;
    let order = Order { by, key: Some(key), command, vouched };
    let done = service.engine.submit(order).await;
    let done = done.map_err(|fault| RefusedMessage::fault(fault.to_string()))?;
    if done.repeated {
        return Err(RefusedMessage::replayed());
    }
    if notes || works {
        service.was_noted(&done.act);
    }
    if let Some(turned) = TurnedAway::of(&done.act) {
        service.was_refused(&done.act);
        return Ok(BridgeReply::turned_away(&body.key, done.act.seq, turned));
    }
    Ok(match &done.act.outcome {
        Outcome::Done(_) => {
            let matter = match done.act.command.about() {
                About::Matter(matter) => Some(matter),
                About::House | About::Ask(_) => None,
            };
            let named = service.engine.read(|house| Done::of(&done.act, matter).naming(house));
            let named = named.acknowledged(done.promise.map(|promise| promise.acknowledgement()));
            let work = works.then(|| service.engine.read(|house| WorkDone::of(house, &done.act)));
            BridgeReply { work, ..BridgeReply::accepted(&body.key, named) }
        }
        Outcome::Refused { code, message } => {
            service.was_refused(&done.act);
            BridgeReply::refused(Some(&body.key), Some(done.act.seq), RefusedMessage::new(code, &**message))
        }
    })
}

/// The reply to a message.
#[derive(Debug, Serialize)]
struct BridgeReply {
    #[serde(rename = "type")]
    kind: ReplyKind,
    /// The key of the message, where it could be read.
    #[serde(skip_serializing_if = "Option::is_none")]
    key: Option<String>,
    /// The number of the act, where the house judged it.
    #[serde(skip_serializing_if = "Option::is_none")]
    act: Option<Seq>,
    /// The ring it was about, where it was about one.
    #[serde(skip_serializing_if = "Option::is_none")]
    matter: Option<MatterId>,
    #[serde(skip_serializing_if = "Option::is_none")]
    number: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    question: Option<String>,
    /// What to keep: it shows later whether the act was changed.
    #[serde(skip_serializing_if = "Option::is_none")]
    acknowledgement: Option<AcknowledgementView>,
    /// What a request to the workshop came to, such as the files of a lease and until when they are held.
    #[serde(skip_serializing_if = "Option::is_none")]
    work: Option<WorkDone>,
    #[serde(flatten)]
    refused: Option<ErrorBody>,
}

#[derive(Debug, Serialize)]
#[serde(rename_all = "UPPERCASE")]
enum ReplyKind {
    Accepted,
    Refused,
}

impl BridgeReply {
    fn accepted(key: &str, done: Done) -> Self {
        let Done { matter, number, question, act, acknowledgement, .. } = done;
        let (kind, key) = (ReplyKind::Accepted, Some(key.into()));
        let (act, work, refused) = (Some(Seq(act)), None, None);
        Self { kind, key, act, matter, number, question, acknowledgement, work, refused }
    }

    fn refused(
        key: Option<&str>,
        act: Option<Seq>,
        RefusedMessage { code, message }: RefusedMessage,
    ) -> Self {
        let (key, refused) =
            (key.map(Into::into), Some(ErrorBody { code, message, kind: None, refused: None }));
        let (matter, number, question) = (None, None, None);
        let (kind, acknowledgement, work) = (ReplyKind::Refused, None, None);
        Self { kind, key, act, matter, number, question, acknowledgement, work, refused }
    }

    /// The rules of issues refused a comment: everything there is to change.
    fn turned_away(key: &str, act: Seq, turned: TurnedAway) -> Self {
        let told = RefusedMessage::new(turned.code(), turned.message());
        let mut reply = Self::refused(Some(key), Some(act), told);
        if let Some(error) = &mut reply.refused {
            error.refused = Some(Box::new(turned));
        }
        reply
    }

    fn text(&self) -> String {
        serde_json::to_string(self).unwrap_or_default()
    }
}

/// How long to wait before Redis is tried again, at first and at most.
const FIRST: Duration = Duration::from_millis(100);
const LONGEST: Duration = Duration::from_secs(5);
