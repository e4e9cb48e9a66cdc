//! Where messages go.

use synod_core::ask;
use synod_core::house::{Case, HouseItem, Item, Reader};
use synod_core::kernel::{Actor, AskId, Id, MatterId, Who};
use synod_core::{Act, Ask, Event, House, Task};

use super::{Sent, channel};
use crate::wire::{Audience, Content, Insight, Message, SessionOpened, TaskWord, TurnGranted, VoteOpened};

/// The channels of a message. Of what has no type of its own nothing goes out: a sender is told of a refusal in the reply
/// to its message.
pub(super) fn route(house: &House, message: &Message) -> Vec<Sent> {
    if !is_for_channels(house, message) {
        return Vec::new();
    }
    let text = message.text();
    let everywhere = [channel::BROADCAST, channel::SESSION, channel::POP_BROADCAST];
    let to = |channels: &[&str]| {
        channels.iter().map(|name| (name.to_string(), text.clone())).collect::<Vec<Sent>>()
    };
    let with = |mut sent: Vec<Sent>, agents: &[&Who]| {
        sent.extend(agents.iter().map(|who| (channel_of(who), text.clone())));
        sent
    };
    match &message.content {
        Content::ConsensusStart(opened) => with(to(&everywhere), &opened.invited.iter().collect::<Vec<_>>()),
        Content::ConsensusReached(ended) => {
            let mut sent = to(&everywhere);
            let insight = Insight::of(message.matter, ended.proposal.clone());
            sent.push((channel::POP_INSIGHTS.into(), serde_json::to_string(&insight).unwrap_or_default()));
            sent
        }
        Content::ConsensusEnd(_)
        | Content::VoteStart(_)
        | Content::VoteResult(_)
        | Content::ConsensusBlocked(_)
        | Content::ConsensusDeferred(_)
        | Content::DeadlockDetected(_)
        | Content::DivergenceAlert(_) => to(&everywhere),
        Content::TokenGrant(turn) => with(to(&[channel::SESSION]), &[&turn.who]),
        Content::TokenTimeout(turn) => with(to(&[channel::SESSION]), &turn.who.iter().collect::<Vec<_>>()),
        Content::ConsensusTrigger(_) => to(&[channel::TRIGGERS, channel::POP_COORDINATOR]),
        Content::TokenRelease(_)
        | Content::TokenSkip(_)
        | Content::Contribution(_)
        | Content::Reaction(_)
        | Content::Question(_)
        | Content::Proposal(_)
        | Content::Amendment(_)
        | Content::Vote(_) => to(&[channel::SESSION]),
        Content::Act(_) => Vec::new(),
    }
}

/// Whether whoever listens may be told.
fn is_for_channels(house: &House, message: &Message) -> bool {
    if matches!(message.content, Content::ConsensusTrigger(_) | Content::DivergenceAlert(_)) {
        return house.may_see(Reader::Channel, HouseItem::Alarm);
    }
    let case = message.matter.and_then(|matter| house.case(matter));
    case.is_some_and(|case| case.may_see(Reader::Channel, Item::Matter))
}

/// What an act asks of participants besides the floor and the vote, which have messages of their own.
pub(super) fn turns(act: &Act) -> Vec<Sent> {
    let asked = act.events().iter().enumerate().filter_map(|(nth, event)| {
        let Event::Ask(ask::Event::Opened { task, matter, until, who }) = event else { return None };
        let task = match task {
            Task::Join => return None, // invited by CONSENSUS_START
            Task::Propose => TaskWord::Propose,
            Task::Weigh => TaskWord::Weigh,
            Task::Speak { .. } | Task::Vote { .. } | Task::Clerk(_) => return None,
        };
        let ask = AskId(Id { act: act.seq, nth: nth as u16 });
        let turn = TurnGranted { ask, who: who.clone(), task, round: None, until: *until };
        Some((channel_of(who), announced(*matter, Content::TokenGrant(turn))))
    });
    asked.collect()
}

fn channel_of(who: &Who) -> String {
    format!("{}{who}", channel::AGENT)
}

/// A message to one participant that is no event of its own.
fn announced(matter: MatterId, content: Content) -> String {
    Message::announced(matter, Actor::Engine, content, Audience::Operator).text()
}

/// What is asked of outside agents at this moment, for those who were not told because nobody served the house.
pub(super) fn open_turns(house: &House) -> Vec<Sent> {
    let open = house.open_asks().filter(|(_, ask)| {
        let (case, who) = (house.case(ask.matter), ask.who());
        case.zip(who).is_some_and(|(case, who)| case.may_see(Reader::Participant(who), Item::Ask(ask)))
    });
    let told = open.filter_map(|(id, ask)| {
        let content = content(house.case(ask.matter)?, id, ask)?;
        Some((channel_of(ask.who()?), announced(ask.matter, content)))
    });
    told.collect()
}

/// What an open ask is announced as.
fn content(case: &Case, ask: AskId, open: &Ask) -> Option<Content> {
    case.ring()?;
    let task = match open.task()? {
        Task::Join => return Some(Content::ConsensusStart(SessionOpened::of(case))),
        Task::Vote { .. } => {
            let ballot = case.ballots.last()?;
            return Some(Content::VoteStart(VoteOpened::of(case, &ballot.rule, ballot.seats.len() as u32)));
        }
        Task::Propose => TaskWord::Propose,
        Task::Speak { .. } => TaskWord::Speak,
        Task::Weigh => TaskWord::Weigh,
        Task::Clerk(_) => return None,
    };
    let (who, round) = (open.who()?.clone(), Some(case.round()));
    Some(Content::TokenGrant(TurnGranted { ask, who, task, round, until: open.until }))
}
