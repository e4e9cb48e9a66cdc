//! What one reader of a feed is told of: who they are, and what they asked for.

use std::collections::BTreeMap;
use std::sync::Arc;

use synod_core::House;
use synod_core::house::{Item, Reader};
use synod_core::kernel::{MatterId, Seq, Who};

use crate::http::guard::Caller;
use crate::wire::{MessageAudience, MessageKind, WireMessage};

/// Types of messages, one bit each.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(super) struct Kinds(u32);

impl Kinds {
    pub(super) const ALL: Self = Self(u32::MAX);

    fn has(self, kind: MessageKind) -> bool {
        self.0 & Self::bit(kind) != 0
    }

    fn bit(kind: MessageKind) -> u32 {
        1 << (kind as u32)
    }
}

impl FromIterator<MessageKind> for Kinds {
    fn from_iter<T: IntoIterator<Item = MessageKind>>(kinds: T) -> Self {
        Self(kinds.into_iter().fold(0, |all, kind| all | Self::bit(kind)))
    }
}

/// Who reads. All operators are told the same.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(super) enum Viewer {
    Operator,
    Participant(Who),
}

impl From<&Caller> for Viewer {
    fn from(caller: &Caller) -> Self {
        match caller {
            Caller::Owner | Caller::Operator => Self::Operator,
            Caller::Participant(who) => Self::Participant(who.clone()),
        }
    }
}

/// What one reader wants. Readers with equal filters are told the same bytes.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(super) struct Filter {
    pub(super) viewer: Viewer,
    /// Only this matter.
    pub(super) matter: Option<MatterId>,
    pub(super) kinds: Kinds,
}

/// A message, written for the stream, with whom it is for.
#[derive(Debug)]
pub(super) struct FeedMessage {
    kind: MessageKind,
    pub(super) matter: Option<MatterId>,
    /// Participants who may see it, sorted. Operators see everything.
    pub(super) participants: Arc<[Who]>,
    /// `event` and `data`, without the end of the block.
    text: String,
}

/// Everything an act came to, written for the stream.
#[derive(Debug)]
pub(super) struct WrittenAct {
    pub(super) seq: Seq,
    pub(super) messages: Vec<FeedMessage>,
}

impl WrittenAct {
    pub(super) fn of(house: &House, seq: Seq, messages: &[WireMessage]) -> Self {
        let mut known = BTreeMap::new();
        let written = |message: &WireMessage| FeedMessage {
            kind: message.kind(),
            matter: message.matter,
            participants: match (&message.audience, message.matter) {
                (MessageAudience::All, Some(matter)) => {
                    known.entry(matter).or_insert_with(|| participants(house, matter)).clone()
                }
                (MessageAudience::Giver(who), Some(matter)) => {
                    let refusal = Item::Refusal { by: &message.from };
                    let case = house.case(matter);
                    let told = case.is_some_and(|case| case.may_see(Reader::Participant(who), refusal));
                    Some(who.clone()).filter(|_| told).into_iter().collect()
                }
                (MessageAudience::Operator, _) | (_, None) => Arc::default(),
            },
            text: format!("event: {}\ndata: {}\n", message.kind().word(), message.text()),
        };
        Self { seq, messages: messages.iter().map(written).collect() }
    }

    /// About how much memory it takes.
    pub(super) fn size(&self) -> usize {
        self.messages.iter().map(|message| message.text.len() + 64).sum()
    }
}

/// Those who may see a matter besides the operator.
fn participants(house: &House, matter: MatterId) -> Arc<[Who]> {
    let Some(known) = house.summary(matter) else { return Arc::default() };
    let seats = known.seats.iter().map(|(who, _)| who);
    let mut seeing: Vec<Who> =
        seats.filter(|who| known.may_be_seen_by(Reader::Participant(who))).cloned().collect();
    seeing.sort();
    seeing.into()
}

impl Filter {
    pub(super) fn passes(&self, message: &FeedMessage) -> bool {
        let may_see = match &self.viewer {
            Viewer::Operator => true,
            Viewer::Participant(who) => message.participants.binary_search(who).is_ok(),
        };
        may_see
            && self.kinds.has(message.kind)
            && self.matter.is_none_or(|matter| message.matter == Some(matter))
    }

    /// Adds what a reader is told of an act. Only the last message carries the id, so that a stream that is cut in
    /// between tells the whole act again.
    pub(super) fn write(&self, act: &WrittenAct, out: &mut Vec<u8>) {
        let mut open = false;
        for message in act.messages.iter().filter(|message| self.passes(message)) {
            if open {
                out.push(b'\n');
            }
            out.extend_from_slice(message.text.as_bytes());
            open = true;
        }
        if open {
            out.extend_from_slice(format!("id: {}\n\n", act.seq).as_bytes());
        }
    }
}
