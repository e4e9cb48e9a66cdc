//! Makes messages ready for their channels: public ones as they are, private ones sealed for their reader.

use synod_core::kernel::{At, Who};

use super::channel;
use super::seal::{Direction, SealedMessage};
use crate::out;
use crate::tokens::Gate;

/// A message on its way out.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct OutgoingMessage {
    to: Recipient,
    text: String,
}

#[derive(Debug, Clone, PartialEq, Eq)]
enum Recipient {
    /// Everybody who listens there.
    Channel(String),
    /// One participant alone.
    Agent(Who),
}

impl OutgoingMessage {
    pub(super) fn public(channel: &str, text: String) -> Self {
        Self { to: Recipient::Channel(channel.into()), text }
    }

    pub(super) fn private(who: &Who, text: String) -> Self {
        Self { to: Recipient::Agent(who.clone()), text }
    }

    /// A remark on a participant's channel that is not sealed: its reader may not have the right token. It says nothing
    /// about a matter.
    pub(super) fn remark(who: &Who, text: String) -> Self {
        Self { to: Recipient::Channel(format!("{}{who}", channel::AGENT)), text }
    }
}

/// Seals and numbers messages.
#[derive(Debug, Default)]
pub(super) struct Courier {
    last: u64,
}

impl Courier {
    /// The channels and texts of messages. A private one goes out once per good token of its reader, and not at all
    /// where there is none: nobody could read it, or everybody could.
    pub(super) fn ready(
        &mut self,
        gate: &Gate,
        now: At,
        messages: Vec<OutgoingMessage>,
    ) -> Vec<(String, String)> {
        let mut ready = Vec::new();
        for OutgoingMessage { to, text } in messages {
            match to {
                Recipient::Channel(channel) => ready.push((channel, text)),
                Recipient::Agent(who) => ready.extend(self.sealed(gate, now, &who, &text)),
            }
        }
        ready
    }

    fn sealed(&mut self, gate: &Gate, now: At, who: &Who, text: &str) -> Vec<(String, String)> {
        // Milliseconds times a thousand: higher than the numbers of a service before this one.
        self.last = (now.0 * 1000).max(self.last + 1);
        // With these its reader finds out replays, and messages that were held back. The text is JSON already.
        let text = format!("{{\"number\":{},\"sent\":{},\"message\":{text}}}", self.last, now.0);
        let tokens = gate.signing(who, now).unwrap_or_else(|fail| {
            out::error(&out::clean(&format!("redis: {}", fail.message())));
            Vec::new()
        });
        let seal = |(token, secret): &(String, _)| {
            let sealed = SealedMessage::new(token, secret, Direction::ToAgent, who, &text)?;
            Some((format!("{}{who}", channel::AGENT), serde_json::to_string(&sealed).ok()?))
        };
        tokens.iter().filter_map(seal).collect()
    }
}
