//! Whose message it is, and what it is known by.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Deserializer, Serialize, Serializer, de};
use synod_core::Act;
use synod_core::kernel::{Actor, Id, Seq, Who};

use super::message::MessageContent;

/// What a message is known by: the event it tells of, and the how many-eth message of that event it is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct MessageId {
    pub(crate) event: Id,
    pub(crate) part: u16,
}

impl fmt::Display for MessageId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.part {
            0 => self.event.fmt(f),
            part => write!(f, "{}.{}.{part}", self.event.act.0, self.event.nth),
        }
    }
}

impl FromStr for MessageId {
    type Err = String;

    fn from_str(written: &str) -> Result<Self, String> {
        let wrong = || "this is not the id of a message".to_string();
        let mut parts = written.split('.');
        let mut next = |default: Option<u64>| match parts.next() {
            Some(part) => part.parse::<u64>().map_err(|_| wrong()),
            None => default.ok_or_else(wrong),
        };
        let (act, nth, part) = (next(None)?, next(Some(0))?, next(Some(0))?);
        let small = |number: u64| u16::try_from(number).map_err(|_| wrong());
        Ok(Self { event: Id { act: Seq(act), nth: small(nth)? }, part: small(part)? })
    }
}

impl Serialize for MessageId {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for MessageId {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        String::deserialize(deserializer)?.parse().map_err(de::Error::custom)
    }
}

/// Who a message comes from. What a participant did is theirs, whoever's command made it known. What follows by the
/// rules is the engine's, unless the operator ordered it.
pub(super) fn author(act: &Act, content: &MessageContent) -> Actor {
    let seat = |who: &Who| Actor::Seat(who.clone());
    let by_rule = || match &act.by {
        Actor::Operator => Actor::Operator,
        Actor::Seat(_) | Actor::Engine => Actor::Engine,
    };
    match content {
        MessageContent::Contribution(said) | MessageContent::Question(said) => seat(&said.who),
        MessageContent::Reaction(made) => seat(&made.who),
        MessageContent::Proposal(made) => seat(&made.who),
        MessageContent::Vote(noted) => seat(&noted.who),
        MessageContent::Amendment(made) => made.who.as_ref().map_or_else(|| act.by.clone(), seat),
        MessageContent::TokenRelease(turn) => turn.who.as_ref().map_or_else(by_rule, seat),
        MessageContent::TokenSkip(turn) => turn.who.as_ref().map_or_else(by_rule, seat),
        MessageContent::TokenGrant(_)
        | MessageContent::TokenTimeout(_)
        | MessageContent::DeadlockDetected(_) => by_rule(),
        MessageContent::VoteStart(_) | MessageContent::VoteResult(_) | MessageContent::ConsensusEnd(_) => {
            by_rule()
        }
        MessageContent::ConsensusReached(_)
        | MessageContent::ConsensusBlocked(_)
        | MessageContent::ConsensusDeferred(_) => by_rule(),
        MessageContent::ConsensusStart(_) | MessageContent::ConsensusTrigger(_) => act.by.clone(),
        MessageContent::DivergenceAlert(_) => Actor::Engine,
        MessageContent::Act(_) => act.by.clone(),
    }
}
