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
use serde_json::{Value, json};
use synod_core::Outcome;
use synod_core::kernel::{Actor, Key, Seq};
use synod_engine::{Order, now};
use tokio::sync::mpsc;

use crate::fail::{Fail, code};
use crate::http::Hall;
use crate::out;
use crate::wire::Translator;
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
            format!("--redis is no address of a Redis: {error}; write such as redis://127.0.0.1:6379");
        Fail::new(code::USAGE, "service/redis", message)
    };
    redis::Client::open(url).map(drop).map_err(wrong)
}

/// Carries messages both ways until the service ends.
pub(crate) async fn run(hall: Arc<Hall>, url: String) {
    let mut ending = hall.ending.clone();
    let work = async {
        let (replies, waiting) = mpsc::channel(REPLIES_MOST);
        let from = hall.engine.read(|house| house.seq()).next();
        tokio::join!(speak(&hall, &url, from, waiting), listen(&hall, &url, replies));
    };
    tokio::select! {
        () = work => (),
        () = crate::http::told(&mut ending) => (),
    }
}

/// Tells what happens from an act on. Whatever could not be sent is sent when Redis is back; who was asked
/// something meanwhile, or before the service came up, is told again.
async fn speak(hall: &Hall, url: &str, from: Seq, mut replies: mpsc::Receiver<Sent>) {
    let mut link = Link::new(url, "tell agents");
    let mut translator = Translator::default();
    let Ok(mut feed) = hall.engine.feed(from).await else { return };
    let mut news: Vec<Sent> = Vec::new();
    loop {
        if link.send_all(&news).await {
            // Those who lost the connection too may have missed their turn.
            link.send_all(&hall.engine.read(outbound::open_turns)).await;
        }
        news = tokio::select! {
            act = feed.next() => {
                let Ok(Some(act)) = act else { return };
                translator.prepare(&act, |seq| hall.act(seq));
                let messages = hall.engine.read(|house| translator.translate(house, &act));
                messages.iter().flat_map(outbound::route).collect()
            }
            reply = replies.recv() => match reply {
                Some(reply) => vec![reply],
                None => return,
            },
        };
    }
}

/// Hears agents. While Redis is away nobody is heard; everything else goes on.
async fn listen(hall: &Hall, url: &str, replies: mpsc::Sender<Sent>) {
    let mut pauses = link::Pauses::default();
    loop {
        let heard = async {
            let client = redis::Client::open(url)?;
            let mut messages = client.get_async_pubsub().await?;
            messages.subscribe(&channel::HEARD[..]).await?;
            pauses.over("hear agents");
            let mut messages = messages.into_on_message();
            while let Some(message) = messages.next().await {
                if let Some(reply) = hear(hall, message.get_payload_bytes()).await {
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
async fn hear(hall: &Hall, bytes: &[u8]) -> Option<Sent> {
    if bytes.len() > MESSAGE_MOST {
        out::error("redis: a message was too long to be read");
        return None;
    }
    let signed = match Signed::read(bytes) {
        Ok(Some(signed)) => signed,
        Ok(None) => return None, // our own, or nothing to do with us
        Err(refused) => {
            out::error(&out::clean(&format!("redis: {}", refused.message)));
            return None;
        }
    };
    let (who, key) = (signed.body.from.clone(), signed.body.key.clone());
    let answer = match take(hall, signed).await {
        Ok(answer) => answer,
        Err(Refused { code, message }) => {
            out::error(&out::clean(&format!("redis: {who}: {message} ({code})")));
            json!({ "type": "REFUSED", "key": key, "code": code, "message": message })
        }
    };
    Some((format!("{}{who}", channel::AGENT), answer.to_string()))
}

/// Checks who speaks and gives their order.
async fn take(hall: &Hall, signed: Signed) -> Result<Value, Refused> {
    let now_ms = now();
    let who = signed.body.who()?;
    hall.limits.take(&who.as_str().into(), Instant::now()).map_err(|after| {
        Refused::new("service/rate", format!("too many messages; try again in {after} s"))
    })?;
    let secrets = hall
        .access
        .gate
        .signing(&who, now_ms)
        .map_err(|fail| Refused::new("token/unreadable", fail.message().to_string()))?;
    signed.verify(&secrets, now_ms)?;
    let command = hall.engine.read(|house| signed.body.command(house, &who))?;
    let key = Key(format!("redis/{who}/{}", signed.body.key).into());
    let by = Actor::Seat(who);
    let order = Order { by: by.clone(), key: Some(key), command: command.clone() };
    let done =
        hall.engine.submit(order).await.map_err(|fault| Refused::new("service/fault", fault.to_string()))?;
    if done.repeated {
        let message = "a message under this key came before; it is acted on once";
        return Err(Refused::new("redis/replayed", message));
    }
    Ok(match &done.act.outcome {
        Outcome::Done(_) => json!({ "type": "ACCEPTED", "key": signed.body.key, "act": done.act.seq }),
        Outcome::Refused { code, message } => {
            json!({ "type": "REFUSED", "key": signed.body.key, "act": done.act.seq, "code": code, "message": message })
        }
    })
}

/// How long to wait before Redis is tried again, at first and at most.
const FIRST: Duration = Duration::from_millis(100);
const LONGEST: Duration = Duration::from_secs(5);
