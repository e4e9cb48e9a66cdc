//! Where messages go: to public channels what everybody may see, sealed to one participant what is only theirs.

use serde::Serialize;
use synod_core::house::{Case, HouseItem, Item, Reader};
use synod_core::kernel::{Actor, AskId, Id, Who};
use synod_core::{Act, Ask, Event, House, Task};
use synod_core::{ask, ballot, floor};

use super::channel;
use super::courier::OutgoingMessage;
use crate::resolve;
use crate::wire::{
    InsightMessage, MessageContent, SessionOpened, TaskWord, Turn, TurnGranted, VoteOpened, WireMessage,
};

/// The channels of a message. Of what has no type of its own nothing goes out: a sender is told of a refusal in the reply
/// to its message. What asks something of one participant goes to them by [`turns`].
pub(super) fn route(house: &House, message: &WireMessage) -> Vec<OutgoingMessage> {
    if !is_for_channels(house, message) {
        return Vec::new();
    }
    let text = message.text();
    let everywhere = [channel::BROADCAST, channel::SESSION, channel::POP_BROADCAST];
    let to = |channels: &[&str]| {
        channels
            .iter()
            .map(|name| OutgoingMessage::public(name, text.clone()))
            .collect::<Vec<OutgoingMessage>>()
    };
    let with = |mut sent: Vec<OutgoingMessage>, agents: &[&Who]| {
        sent.extend(agents.iter().map(|who| OutgoingMessage::private(who, text.clone())));
        sent
    };
    match &message.content {
        MessageContent::ConsensusReached(ended) => {
            let mut sent = to(&everywhere);
            let insight = InsightMessage::of(message.matter, ended.proposal.clone());
            let insight = serde_json::to_string(&insight).unwrap_or_default();
            sent.push(OutgoingMessage::public(channel::POP_INSIGHTS, insight));
            sent
        }
        // So that an agent that hears only what is sent to it knows when to go.
        MessageContent::ConsensusEnd(_) => {
            let case = message.matter.and_then(|matter| house.case(matter));
            let seats = case.into_iter().flat_map(|case| &case.opening.seats);
            with(to(&everywhere), &seats.map(|seat| &seat.who).collect::<Vec<_>>())
        }
        MessageContent::ConsensusStart(_)
        | MessageContent::VoteStart(_)
        | MessageContent::VoteResult(_)
        | MessageContent::ConsensusBlocked(_)
        | MessageContent::ConsensusDeferred(_)
        | MessageContent::DeadlockDetected(_)
        | MessageContent::DivergenceAlert(_) => to(&everywhere),
        MessageContent::TokenTimeout(turn) => {
            with(to(&[channel::SESSION]), &turn.who.iter().collect::<Vec<_>>())
        }
        MessageContent::ConsensusTrigger(_) => to(&[channel::TRIGGERS, channel::POP_COORDINATOR]),
        MessageContent::TokenGrant(_)
        | MessageContent::TokenRelease(_)
        | MessageContent::TokenSkip(_)
        | MessageContent::Contribution(_)
        | MessageContent::Reaction(_)
        | MessageContent::Question(_)
        | MessageContent::Proposal(_)
        | MessageContent::Amendment(_)
        | MessageContent::Vote(_) => to(&[channel::SESSION]),
        MessageContent::Act(_) => Vec::new(),
    }
}

/// Whether all listeners may be told.
fn is_for_channels(house: &House, message: &WireMessage) -> bool {
    if matches!(message.content, MessageContent::ConsensusTrigger(_) | MessageContent::DivergenceAlert(_)) {
        return house.may_see(Reader::Channel, HouseItem::Alarm);
    }
    let case = message.matter.and_then(|matter| house.case(matter));
    case.is_some_and(|case| case.may_see(Reader::Channel, Item::Matter))
}

/// What an act asks of participants, or asks anew, with everything they need to answer. What is over already is not told.
pub(super) fn turns(house: &House, act: &Act) -> Vec<OutgoingMessage> {
    let asked = act.events().iter().enumerate().filter_map(|(nth, event)| match event {
        Event::Ask(ask::Event::Opened { .. })
        | Event::Floor(floor::Event::Called { .. })
        | Event::Ballot(ballot::Event::Asked { .. }) => Some(AskId(Id { act: act.seq, nth: nth as u16 })),
        Event::Ask(ask::Event::Renewed { ask, .. }) => Some(*ask),
        Event::Ask(_) | Event::Floor(_) | Event::Ballot(_) | Event::House(_) | Event::Charter(_) => None,
        Event::Roster(_) | Event::Matter(_) | Event::Gate(_) | Event::Meter(_) | Event::Context(_) => None,
        Event::Watch(_) | Event::Table(_) | Event::Monitor(_) | Event::Trigger(_) => None,
        Event::Rejections(_) | Event::Track(_) => None,
        Event::Issue(_) | Event::Dissent(_) | Event::Period(_) => None,
        Event::Evidence(_) | Event::Ledger(_) => None,
        Event::Canon(_) | Event::Lease(_) => None,
    });
    asked.filter_map(|id| granted(house, id, house.ask(id)?)).collect()
}

/// What is asked of outside agents at this moment, for those who were not told because nobody served the house.
pub(super) fn open_turns(house: &House) -> Vec<OutgoingMessage> {
    house.open_asks().filter_map(|(id, ask)| granted(house, id, ask)).collect()
}

/// The same of one participant.
pub(super) fn open_turns_of(house: &House, who: &Who) -> Vec<OutgoingMessage> {
    house.asks_of(who).filter_map(|(id, ask)| granted(house, id, ask)).collect()
}

/// A message to whom something is asked of, with the turn as it would be fetched over HTTP.
#[derive(Serialize)]
struct Granted {
    #[serde(flatten)]
    message: WireMessage,
    turn: Turn,
}

fn granted(house: &House, id: AskId, ask: &Ask) -> Option<OutgoingMessage> {
    let (case, who) = (house.case(ask.matter)?, ask.who()?);
    if !case.may_see(Reader::Participant(who), Item::Ask(ask)) {
        return None;
    }
    let turn = resolve::turn(house, case.id, id)?;
    let message = WireMessage::announced(case.id, id.0, Actor::Engine, content(case, id, ask)?);
    let text = serde_json::to_string(&Granted { message, turn }).unwrap_or_default();
    Some(OutgoingMessage::private(who, text))
}

/// What an open ask is announced as.
fn content(case: &Case, ask: AskId, open: &Ask) -> Option<MessageContent> {
    case.ring()?;
    let task = match open.task()? {
        Task::Join => return Some(MessageContent::ConsensusStart(SessionOpened::of(case))),
        Task::Vote { .. } => {
            let ballot = case.ballots.last()?;
            return Some(MessageContent::VoteStart(VoteOpened::of(
                case,
                &ballot.rule,
                ballot.seats.len() as u32,
            )));
        }
        Task::Propose => TaskWord::Propose,
        Task::Speak { .. } => TaskWord::Speak,
        Task::Weigh => TaskWord::Weigh,
        Task::Second | Task::Clerk(_) => return None,
    };
    let (who, round) = (open.who()?.clone(), Some(case.round()));
    Some(MessageContent::TokenGrant(TurnGranted { ask, who, task, round, until: open.until }))
}
