//! What is shown of votes that are not open: that they were cast, their seals and their counts.

use serde::Serialize;
use serde_json::{Value, json};

use super::Report;
use crate::ballot;
use crate::house::{Ballot, Case, House, Item, Reader};
use crate::kernel::{AskId, Digest, MatterId, Who};
use crate::procedure::ring::{self, Action};
use crate::{Act, Command, Event, Task};

/// What stands for a vote that is not open.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct SealedVote {
    /// Its seal.
    pub seal: Digest,
    /// Who voted.
    pub who: Who,
}

/// The seals of a ballot, in the order of seats.
pub(super) fn sealed(case: &Case, ballot: &Ballot) -> Vec<SealedVote> {
    let votes = ballot.votes.iter().map(|vote| (&vote.who, vote.seal));
    let passed = ballot.delegations.iter().map(|passed| (&passed.who, passed.seal));
    let row = |(who, seal): (&Who, Option<Digest>)| Some(SealedVote { seal: seal?, who: who.clone() });
    let mut rows: Vec<SealedVote> = votes.chain(passed).filter_map(row).collect();
    rows.sort_by_key(|row| super::place(case, &row.who));
    rows
}

/// Takes out of a report how somebody voted where that is not to be shown. A veto is: it is an act of office.
pub(super) fn hide(case: &Case, report: &mut Report) {
    for ballot in report.ballots.iter_mut().filter(|ballot| ballot.hidden) {
        ballot.votes.clear();
        ballot.delegations.clear();
        if let Some(count) = &mut ballot.count {
            count.carried.iter_mut().for_each(|row| row.weight = None);
            count.carried.retain(|row| !row.of.is_empty());
        }
    }
    if case.ballots.last().is_some_and(|ballot| !case.may_see(Reader::Public, Item::Votes(ballot))) {
        report.dissent.clear();
    }
}

/// An act as JSON, as anyone may see it who may see the matter: what was said on a ballot that is not open is
/// left out, and so is how it was read. The house is as it stands after the act, or later.
pub fn shown_act(house: &House, act: &Act) -> Value {
    let mut shown = serde_json::to_value(act).unwrap_or_default();
    let hidden = |ask: &AskId| {
        let asked = house.cases().find_map(|case| Some((case, case.calls.get(ask)?.0.task()?)));
        // Whoever asks while the vote is under way finds the ask still open.
        let open = || house.ask(*ask).and_then(|open| Some((house.case(open.matter)?, open.task()?)));
        asked.or_else(open).is_some_and(|(case, task)| match task {
            Task::Vote { ballot, .. } => case
                .ballots
                .iter()
                .any(|held| held.id == ballot && !case.may_see(Reader::Public, Item::Votes(held))),
            Task::Speak { .. } | Task::Clerk(_) | Task::Join | Task::Propose | Task::Weigh => false,
        })
    };
    if let Command::Answer { ask, .. } = &act.command
        && hidden(ask)
    {
        shown["command"]["answer"] = json!({ "ask": ask, "sealed": true });
    }
    let graded = |matter: &MatterId| {
        let case = house.case(*matter);
        case.is_some_and(|case| {
            case.ballots.last().is_some_and(|ballot| !case.may_see(Reader::Public, Item::Votes(ballot)))
        })
    };
    if let Command::Ring(ring::Command::Participate { matter, action: Action::Vote { proposal, .. } }) =
        &act.command
        && graded(matter)
    {
        let action = json!({ "vote": { "proposal": proposal, "sealed": true } });
        shown["command"]["ring"]["participate"] = json!({ "action": action, "matter": matter });
    }
    for (nth, event) in act.events().iter().enumerate() {
        let event = match event {
            Event::Ballot(ballot::Event::Cast { ask, vote }) if hidden(ask) => {
                json!({ "cast": { "ask": ask, "vote": { "seal": vote.seal, "who": vote.who } } })
            }
            Event::Ballot(ballot::Event::Delegated { ask, delegation }) if hidden(ask) => {
                json!({ "cast": { "ask": ask, "vote": { "seal": delegation.seal, "who": delegation.who } } })
            }
            Event::Ballot(ballot::Event::Unparsed { ask, again, .. }) if hidden(ask) => {
                json!({ "unparsed": { "again": again, "ask": ask } })
            }
            Event::Ballot(ballot::Event::Graded { ballot, matter, vote }) if graded(matter) => {
                let vote = json!({ "proposal": vote.proposal, "seal": vote.seal, "who": vote.who });
                json!({ "graded": { "ballot": ballot, "matter": matter, "vote": vote } })
            }
            Event::House(_)
            | Event::Charter(_)
            | Event::Roster(_)
            | Event::Matter(_)
            | Event::Floor(_)
            | Event::Gate(_)
            | Event::Ballot(_)
            | Event::Meter(_)
            | Event::Ask(_)
            | Event::Context(_)
            | Event::Monitor(_)
            | Event::Rejections(_)
            | Event::Track(_)
            | Event::Trigger(_)
            | Event::Table(_)
            | Event::Watch(_) => continue,
        };
        shown["outcome"]["done"][nth] = json!({ "ballot": event });
    }
    shown
}
