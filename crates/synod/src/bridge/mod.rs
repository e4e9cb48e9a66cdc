//! The bridge to Redis: agents that speak on its channels take part like any others.
//!
//! What happens in rings goes out in the words of `wire`; what agents send comes in, signed, and is given to the
//! house as their order. The bridge holds no rule and no truth: when Redis is gone nothing is lost but time,
//! and when it is back everything since is told.
//!
//! `seal` signs, `inbound` reads what agents send, `outbound` says where messages go, `link` keeps the connection.

mod inbound;
mod link;
mod outbound;
pub(crate) mod seal;

use std::sync::Arc;
use std::time::{Duration, Instant};

use futures_util::StreamExt as _;
use serde::Serialize;
use synod_core::kernel::{Actor, Key, MatterId, Seq, Who};
use synod_core::rejections::Way;
use synod_core::{Command, Outcome};
use synod_engine::{Order, now};
use tokio::sync::mpsc;

use crate::fail::{Fail, code};
use crate::http::Service;
use crate::rejections::Rejection;
use crate::wire::{ErrorBody, Translator};
use crate::{out, triggers};
use inbound::{Refused, Signed};
use link::Link;

/// The channels of rings, and those of the agents' other life that are bridged with them.
pub(crate) mod channel {
    /// To everybody: sessions begin and end, votes open and are counted.
    pub(crate) const BROADCAST: &str = "pop:consensus:broadcast";
    /// Everything in sessions.
    pub(crate) const SESSION: &str = "pop:consensus:session";
    /// What calls for a session.
    pub(crate) const TRIGGERS: &str = "pop:consensus:triggers";
    /// To one agent; its id follows.
    pub(crate) const AGENT: &str = "pop:consensus:agent:";
    /// The agents' own broadcasts.
    pub(crate) const POP_BROADCAST: &str = "pop:broadcast";
    /// What they found out.
    pub(crate) const POP_INSIGHTS: &str = "pop:insights";
    /// What they tell their coordinator.
    pub(crate) const POP_COORDINATOR: &str = "pop:coordinator";
    /// Those on which agents are heard.
    pub(crate) const HEARD: [&str; 6] =
        [BROADCAST, SESSION, TRIGGERS, POP_BROADCAST, POP_INSIGHTS, POP_COORDINATOR];
}

/// The longest message that is read, in bytes.
const MESSAGE_MOST: usize = 64 << 10;
/// Replies that may wait for Redis; what is more is dropped, since who sent it asks again.
const REPLIES_MOST: usize = 1024;

/// A message on its way out: channel and text.
type Sent = (String, String);

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
async fn speak(service: &Service, url: &str, from: Seq, mut replies: mpsc::Receiver<Sent>) {
    let mut link = Link::new(url, "tell agents");
    let mut translator = Translator::default();
    let Ok(mut feed) = service.engine.feed(from).await else { return };
    let mut news: Vec<Sent> = Vec::new();
    loop {
        if link.send_all(&news).await {
            // Those who lost the connection too may have missed their turn.
            link.send_all(&service.engine.read(outbound::open_turns)).await;
        }
        news = tokio::select! {
            act = feed.next() => {
                let Ok(Some(act)) = act else { return };
                translator.prepare(&act, |seq| service.act(seq));
                let away = service.engine.read(|house| translator.away(house, &act));
                let sent = service.engine.read_with(away, |house| {
                    let messages = translator.translate(house, &act);
                    messages.iter().flat_map(|message| outbound::route(house, message)).collect::<Vec<_>>()
                });
                let Ok(sent) = sent else { return };
                sent.into_iter().chain(outbound::turns(&act)).collect()
            }
            reply = replies.recv() => match reply {
                Some(reply) => vec![reply],
                None => return,
            },
        };
    }
}

/// Hears agents. While Redis is away nobody is heard; everything else goes on.
async fn listen(service: &Service, url: &str, replies: mpsc::Sender<Sent>) {
    let mut pauses = link::Pauses::default();
    loop {
        let heard = async {
            let client = redis::Client::open(url)?;
            let mut messages = client.get_async_pubsub().await?;
            messages.subscribe(&channel::HEARD[..]).await?;
            pauses.over("hear agents");
            let mut messages = messages.into_on_message();
            while let Some(message) = messages.next().await {
                for reply in hear(service, message.get_payload_bytes()).await {
                    let _ = replies.try_send(reply);
                }
            }
            Ok::<(), redis::RedisError>(())
        };
        let failed = heard.await.err().map(|error| error.to_string());
        pauses.wait("hear agents", failed.as_deref()).await;
    }
}

/// Takes one message. Returns what to answer; nothing to our own words.
async fn hear(service: &Service, bytes: &[u8]) -> Vec<Sent> {
    let read = match bytes.len() {
        0..=MESSAGE_MOST => Signed::read(bytes),
        _ => Err(Refused::new("redis/too-long", "a message was too long to be read")),
    };
    let named = read.and_then(|signed| match signed {
        Some(signed) => signed.body.who().map(|who| Some((signed, who))),
        None => Ok(None), // our own, or nothing to do with us
    });
    let (signed, who) = match named {
        Ok(Some(named)) => named,
        Ok(None) => return Vec::new(),
        Err(refused) => {
            count_rejection(service, None, None, &refused);
            forged(service, &refused.message);
            return Vec::new();
        }
    };
    let channel = format!("{}{who}", channel::AGENT);
    let reply = |answer: Reply| (channel.clone(), serde_json::to_string(&answer).unwrap_or_default());
    let refuse = |refused: Refused| reply(Reply::refused(&signed.body.key, None, refused));
    // Who speaks is settled first, and when: nobody can use up another's share by speaking in their name.
    let settled = match vouched(service, &signed, &who) {
        Ok(()) => signed.is_timely(now()).map_err(|refused| (Some(&who), refused)),
        Err(refused) => Err((None, refused)),
    };
    if let Err((by, refused)) = settled {
        count_rejection(service, by, signed.body.matter, &refused);
        let told = forged(service, &format!("{who}: {}", refused.message));
        return if told { vec![refuse(refused)] } else { Vec::new() };
    }
    let mut replies = match take(service, &signed, &who).await {
        Ok(answer) => vec![reply(answer)],
        Err(refused) => {
            count_rejection(service, Some(&who), signed.body.matter, &refused);
            vec![refuse(refused)]
        }
    };
    // Who announces itself, also once more after a restart, is told what is asked of it.
    if signed.body.joins() {
        replies
            .extend(service.engine.read(outbound::open_turns).into_iter().filter(|(to, _)| *to == channel));
    }
    replies
}

/// Counts what was refused before the house could judge it.
fn count_rejection(service: &Service, by: Option<&Who>, matter: Option<MatterId>, refused: &Refused) {
    if inbound::FAULTS.contains(&refused.code.as_str()) {
        return;
    }
    // As over HTTP, the matter of unknown senders is left out.
    let matter = matter.filter(|_| by.is_some());
    service.rejections.count(Rejection {
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

/// Whether a message is the participant's own.
fn vouched(service: &Service, signed: &Signed, who: &Who) -> Result<(), Refused> {
    let secrets = service.access.gate.signing(who, now());
    signed.verify(&secrets.map_err(|fail| Refused::fault(fail.message()))?)
}

/// Gives the order of a participant.
async fn take(service: &Service, signed: &Signed, who: &Who) -> Result<Reply, Refused> {
    // No token and nobody else is called so.
    service.limits.take(&format!("redis/{who}").into(), Instant::now()).map_err(|after| {
        Refused::new("service/rate", format!("too many messages; try again in {after} s"))
    })?;
    let command = service.engine.read_with(signed.body.matter, |house| signed.body.command(house, who));
    let command = command.map_err(|fault| Refused::fault(fault.to_string()))??;
    service.may_try(&Actor::Seat(who.clone()))?;
    if matches!(command, Command::Trigger(_) | Command::Observe { .. }) {
        let unready = |fail: Fail| match fail.code() {
            code::IO => Refused::fault(fail.message()),
            _ => Refused::new(inbound::FLAWED, triggers::FLAWED),
        };
        let rules = triggers::Rules::Kept(&service.regulated, service.house.dir());
        triggers::prepare(&service.engine, rules, &[who]).await.map_err(unready)?;
    }
    let key = Key(format!("redis/{who}/{}", signed.body.key).into());
    let order = Order { by: Actor::Seat(who.clone()), key: Some(key), command };
    let done = service.engine.submit(order).await;
    let done = done.map_err(|fault| Refused::fault(fault.to_string()))?;
    if done.repeated {
        let message = "a message under this key came before; it is acted on once";
        return Err(Refused::new("redis/replayed", message));
    }
    Ok(match &done.act.outcome {
        Outcome::Done(_) => Reply::accepted(&signed.body.key, done.act.seq),
        Outcome::Refused { code, message } => {
            service.was_refused(&done.act);
            Reply::refused(&signed.body.key, Some(done.act.seq), Refused::new(code, &**message))
        }
    })
}

/// What a message is answered with.
#[derive(Debug, Serialize)]
struct Reply {
    #[serde(rename = "type")]
    kind: ReplyKind,
    /// The key of the message.
    key: String,
    /// The number of the act, where the house judged it.
    #[serde(skip_serializing_if = "Option::is_none")]
    act: Option<Seq>,
    #[serde(flatten)]
    refused: Option<ErrorBody>,
}

#[derive(Debug, Serialize)]
#[serde(rename_all = "UPPERCASE")]
enum ReplyKind {
    Accepted,
    Refused,
}

impl Reply {
    fn accepted(key: &str, act: Seq) -> Self {
        Self { kind: ReplyKind::Accepted, key: key.into(), act: Some(act), refused: None }
    }

    fn refused(key: &str, act: Option<Seq>, Refused { code, message }: Refused) -> Self {
        Self {
            kind: ReplyKind::Refused,
            key: key.into(),
            act,
            refused: Some(ErrorBody { code, message, kind: None }),
        }
    }
}

/// How long to wait before Redis is tried again, at first and at most.
const FIRST: Duration = Duration::from_millis(100);
const LONGEST: Duration = Duration::from_secs(5);
