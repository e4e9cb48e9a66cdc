//! Where messages go.

use serde_json::{Value, json};
use synod_core::ask::{self, Wanted};
use synod_core::kernel::{Id, MatterId, SeatKind, Who};
use synod_core::view::TurnSheet;
use synod_core::{Act, Event, House};

use super::{Sent, channel};
use crate::wire::{Kind, Message};

/// The channels of a message. Of what has no type of its own only what was refused goes out, to whoever sent it.
pub(super) fn route(message: &Message) -> Vec<Sent> {
    let text = message.text();
    let to =
        |channels: &[&str]| channels.iter().map(|name| (name.to_string(), text.clone())).collect::<Vec<_>>();
    let agent = |field: &str| {
        let who = message.data().get(field).and_then(Value::as_str);
        who.map(|who| (format!("{}{who}", channel::AGENT), text.clone()))
    };
    match message.kind() {
        Kind::ConsensusStart => {
            let invited = message.data().get("invited").and_then(Value::as_array).into_iter().flatten();
            let invited = invited.filter_map(Value::as_str);
            let each = invited.map(|who| (format!("{}{who}", channel::AGENT), text.clone()));
            to(&[channel::BROADCAST, channel::SESSION, channel::POP_BROADCAST])
                .into_iter()
                .chain(each)
                .collect()
        }
        Kind::ConsensusReached => {
            let mut sent = to(&[channel::BROADCAST, channel::SESSION, channel::POP_BROADCAST]);
            sent.push((channel::POP_INSIGHTS.into(), insight(message).to_string()));
            sent
        }
        Kind::ConsensusEnd
        | Kind::VoteStart
        | Kind::VoteResult
        | Kind::ConsensusBlocked
        | Kind::ConsensusDeferred
        | Kind::DeadlockDetected
        | Kind::DivergenceAlert => to(&[channel::BROADCAST, channel::SESSION, channel::POP_BROADCAST]),
        Kind::TokenGrant | Kind::TokenTimeout => {
            to(&[channel::SESSION]).into_iter().chain(agent("who")).collect()
        }
        Kind::ConsensusTrigger => to(&[channel::TRIGGERS, channel::POP_COORDINATOR]),
        Kind::TokenRelease
        | Kind::TokenSkip
        | Kind::Contribution
        | Kind::Reaction
        | Kind::Question
        | Kind::Proposal
        | Kind::Amendment
        | Kind::Vote => to(&[channel::SESSION]),
        // What a sender did wrong is told in the reply to its message.
        Kind::Act => Vec::new(),
    }
}

/// A decision as agents share what they found out.
fn insight(message: &Message) -> Value {
    let proposal = message.data().get("proposal");
    let text = |key: &str| proposal.and_then(|put| put.get(key)).and_then(Value::as_str).unwrap_or_default();
    json!({
        "version": 1,
        "type": "INSIGHT",
        "from": "synod",
        "matter": message.matter,
        "data": {
            "type": "decision",
            "content": format!("Decided together: {}. {}", text("title"), text("text")),
            "proposal": proposal,
        },
    })
}

/// What an act asks of participants besides the floor and the vote, which have messages of their own.
pub(super) fn turns(act: &Act) -> Vec<Sent> {
    let asked = act.events().iter().enumerate().filter_map(|(nth, event)| {
        let Event::Ask(ask::Event::Wanted { for_what, matter, until, who }) = event else { return None };
        let task = match for_what {
            Wanted::Join => return None, // invited by CONSENSUS_START
            Wanted::Propose => "propose",
            Wanted::Weigh => "weigh",
        };
        let id = Id { act: act.seq, nth: nth as u16 };
        let data = json!({ "ask": id, "task": task, "until": until, "who": who });
        Some((channel_of(who), granted(*matter, data)))
    });
    asked.collect()
}

fn channel_of(who: &Who) -> String {
    format!("{}{who}", channel::AGENT)
}

fn granted(matter: MatterId, data: Value) -> String {
    let kind = Kind::TokenGrant.word();
    json!({ "version": 1, "type": kind, "matter": matter, "from": "synod", "data": data }).to_string()
}

/// What is asked of outside agents at this moment, for those who were not told because nobody served the house.
pub(super) fn open_turns(house: &House) -> Vec<Sent> {
    let outside = |ask: &synod_core::Ask| house.asked(ask).is_some_and(|seat| seat.kind == SeatKind::Outside);
    let open = house.open_asks().filter(|(_, ask)| outside(ask));
    let sheet = open.filter_map(|(id, ask)| TurnSheet::of(house.case(ask.matter)?, id));
    sheet
        .map(|sheet| {
            let text = json!({ "version": 1, "type": kind(sheet.task), "matter": sheet.matter, "from": "synod",
                "data": { "ask": sheet.ask, "who": sheet.who, "round": sheet.round, "until": sheet.until, "task": sheet.task } });
            (channel_of(&sheet.who), text.to_string())
        })
        .collect()
}

fn kind(task: &str) -> &'static str {
    match task {
        "join" => Kind::ConsensusStart.word(),
        "vote" => Kind::VoteStart.word(),
        _ => Kind::TokenGrant.word(), // to propose, to speak, to rule
    }
}
