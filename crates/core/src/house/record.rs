//! Recording: what each event changes in a case. Total: nothing is judged here.

use std::sync::Arc;

use super::asks::Asks;
use super::case::{Ballot, Case, Lapse};
use crate::ask::{Of, WorldTask};
use crate::ballot::Vote;
use crate::kernel::{AskId, At, BallotId, Cause, Id, StoredContribution};
use crate::matter::{Pause, Status};
use crate::{
    Ask, Event, Task, ask, ballot, context, evidence, floor, gate, matter, meter, table, track, watch,
};

/// An event with what a procedure needs to record it.
#[derive(Debug)]
pub(crate) struct Recorded<'a> {
    /// Its id.
    pub(crate) id: Id,
    /// When.
    pub(crate) at: At,
    /// What happened.
    pub(crate) event: &'a Event,
    /// The ask that it closed.
    pub(crate) closed: Option<(AskId, Ask)>,
}

impl Case {
    /// Records an event. `asks` is the house's index of open asks.
    pub(super) fn apply(&mut self, id: Id, at: At, event: &Event, asks: &mut Asks) {
        self.keep_as_settled(id);
        let before = std::mem::replace(&mut self.last, at);
        if self.acts.last() != Some(&id.act) {
            self.acts.push_back(id.act);
        }
        let closed = match event {
            Event::House(_) | Event::Charter(_) | Event::Roster(_) => None,
            Event::Monitor(_) | Event::Trigger(_) | Event::Rejections(_) | Event::Ledger(_) => None,
            Event::Track(track::Event::Learned(learned)) => {
                self.learned = Some(learned.clone());
                None
            }
            Event::Matter(event) => {
                self.apply_matter(id, event, asks);
                self.apply_rest(before, at, event);
                None
            }
            Event::Floor(event) => self.apply_floor(id, event, asks),
            Event::Gate(event) => self.apply_gate(id, event, asks),
            Event::Ballot(event) => self.apply_ballot(id, event, asks),
            Event::Meter(event) => {
                self.apply_meter(event);
                None
            }
            Event::Ask(event) => self.apply_ask(id, event, asks),
            Event::Context(event) => self.apply_context(id, event, asks),
            Event::Table(table::Event::PhaseEntered { .. } | table::Event::Ruled { .. }) => None,
            Event::Evidence(evidence::Event::Checked { ask, .. }) => self.close_ask(*ask, asks),
            // What they change, the procedure knows.
            Event::Issue(_) | Event::Dissent(_) | Event::Period(_) => None,
            // What they change, the house knows.
            Event::Canon(_) | Event::Lease(_) => None,
            Event::Watch(event) => match event {
                watch::Event::Analysed { .. } => None,
                watch::Event::Judged { ask, .. } => self.close_ask(*ask, asks),
                watch::Event::Left { stage, why, .. } => {
                    self.stage_exits.push((usize::from(*stage), *why));
                    None
                }
            },
        };
        self.apply_to_state(&Recorded { id, at, event, closed });
    }

    /// Keeps the case as it was settled, before a later act changes it.
    fn keep_as_settled(&mut self, next: Id) {
        if self.as_settled.is_none() && self.settled_by.is_some_and(|by| by < next.act) {
            self.as_settled = Some(Arc::new(self.clone()));
        }
    }

    fn apply_matter(&mut self, id: Id, event: &matter::Event, asks: &mut Asks) {
        match event {
            matter::Event::Opened(_) | matter::Event::Stepped { .. } => (),
            matter::Event::Seconded { .. } => (),
            matter::Event::StageEntered { .. } => self.round_closed = false,
            matter::Event::Paused { halt, why, .. } => {
                self.status = Status::Paused(*why);
                self.halt = halt.as_deref().map(|halt| Arc::new(halt.clone()));
                self.meter.write_off(None);
                for id in self.asks.keys().copied().collect::<Vec<_>>() {
                    if let Some(ask) = self.asks.get_mut(&id) {
                        (ask.begun, ask.begun_by) = (false, None);
                    }
                }
            }
            matter::Event::Resumed { .. } => {
                self.status = Status::Running;
                self.halt = None;
            }
            matter::Event::Settled { decision, .. } => {
                self.status = Status::Settled(*decision);
                self.settled_by = Some(id.act);
                self.meter.write_off(None);
                for (id, ask) in std::mem::take(&mut self.asks) {
                    asks.close(id, &ask);
                }
            }
            matter::Event::Reopened { .. } => {
                self.status = Status::Running;
                (self.settled_by, self.as_settled) = (None, None);
            }
            matter::Event::Redacted { .. } => self.forget(id.act),
        }
    }

    /// Counts the time in which the matter rested: it is not charged to anybody.
    fn apply_rest(&mut self, before: At, at: At, event: &matter::Event) {
        match event {
            // Nobody noted when the house went down. What is known is when the matter was last alive.
            matter::Event::Paused { why: Pause::Interrupted, .. } => self.resting_since = Some(before),
            matter::Event::Paused { .. } => self.resting_since = Some(at),
            matter::Event::Resumed { .. } => {
                self.rested_ms += self.resting_since.take().map_or(0, |since| at.since(since));
            }
            matter::Event::Opened(_) | matter::Event::StageEntered { .. } => (),
            matter::Event::Seconded { .. } => (),
            matter::Event::Stepped { .. }
            | matter::Event::Settled { .. }
            | matter::Event::Reopened { .. }
            | matter::Event::Redacted { .. } => (),
        }
    }

    fn apply_floor(&mut self, id: Id, event: &floor::Event, asks: &mut Asks) -> Option<(AskId, Ask)> {
        match event {
            floor::Event::RoundOpened { round, .. } => {
                self.round = *round;
                self.round_closed = false;
                self.called.clear();
                None
            }
            floor::Event::Called { who, round, until, .. } => {
                self.was_called(who);
                let (who, task) = (who.clone(), Task::Speak { round: *round });
                self.open_ask(id, Of::Seat { task, who }, *until, asks);
                None
            }
            floor::Event::Absent { who, cause, .. } => {
                self.absent.insert(who.clone(), cause.clone());
                None
            }
            floor::Event::RoundClosed { .. } => {
                self.round_closed = true;
                None
            }
            floor::Event::Joined { who, .. } => {
                self.absent.remove(who);
                self.strikes.remove(who);
                None
            }
            floor::Event::Impanelled { .. } | floor::Event::PartTaken { .. } | floor::Event::Gone { .. } => {
                None
            }
            floor::Event::Released { ask } | floor::Event::Skipped { ask, .. } => self.close_ask(*ask, asks),
        }
    }

    fn apply_gate(&mut self, id: Id, event: &gate::Event, asks: &mut Asks) -> Option<(AskId, Ask)> {
        match event {
            gate::Event::Admitted(said) => {
                self.said.push_back(StoredContribution { id, said: said.clone() });
                if !said.kind.ends_turn() {
                    return None;
                }
                self.strikes.remove(&said.who);
                self.close_ask(said.ask, asks)
            }
            gate::Event::Posted { said, .. } => {
                self.said.push_back(StoredContribution { id, said: said.clone() });
                None
            }
            gate::Event::Held { .. } | gate::Event::Refused { .. } => None,
            gate::Event::Rejected { ask, breaches } => {
                let details = breaches.iter().map(|breach| breach.violation().detail.to_string());
                let detail = details.collect::<Vec<_>>().join("; ");
                let code = breaches.first().map_or("gate/rejected", gate::Breach::code);
                self.lapse(id, *ask, Cause::passing(code, detail), asks)
            }
        }
    }

    fn apply_ballot(&mut self, id: Id, event: &ballot::Event, asks: &mut Asks) -> Option<(AskId, Ask)> {
        match event {
            ballot::Event::Opened { rule, seats, stage, trust, .. } => {
                self.called.clear();
                self.ballots.push(Arc::new(Ballot {
                    id: BallotId(id),
                    stage: usize::from(*stage),
                    rule: rule.clone(),
                    seats: seats.as_slice().into(),
                    trust: trust.clone(),
                    votes: Vec::new(),
                    delegations: Vec::new(),
                    unparsed: Vec::new(),
                    result: None,
                    settles: false,
                    graded: Vec::new(),
                    standings: Vec::new(),
                    tied: Vec::new(),
                    count: None,
                }));
                None
            }
            ballot::Event::Asked { ballot, who, attempt, until, .. } => {
                self.was_called(who);
                let (who, task) = (who.clone(), Task::Vote { ballot: *ballot, attempt: *attempt });
                self.open_ask(id, Of::Seat { task, who }, *until, asks);
                None
            }
            ballot::Event::Cast { ask, vote } => {
                self.strikes.remove(&vote.who);
                if let Some(ballot) = self.last_ballot() {
                    ballot.votes.push(Arc::new((**vote).clone()));
                }
                self.close_ask(*ask, asks)
            }
            ballot::Event::Stated { vote, .. } => {
                let vote = self.with_words(vote);
                if let Some(ballot) = self.last_ballot() {
                    ballot.votes.push(Arc::new(vote));
                }
                None
            }
            ballot::Event::Delegated { ask, delegation } => {
                self.strikes.remove(&delegation.who);
                if let Some(ballot) = self.last_ballot() {
                    ballot.delegations.push(Arc::new((**delegation).clone()));
                }
                self.close_ask(*ask, asks)
            }
            ballot::Event::Unparsed { ask, again, .. } => {
                let closed = self.close_ask(*ask, asks);
                let asked = closed.as_ref().and_then(|(_, asked)| asked.who());
                if let (false, Some(who), Some(ballot)) = (*again, asked, self.last_ballot()) {
                    ballot.unparsed.push(who.clone());
                }
                closed
            }
            ballot::Event::Graded { ballot, vote, .. } => {
                if let Some(ballot) = self.ballot(*ballot) {
                    ballot.graded.push(Arc::new((**vote).clone()));
                }
                None
            }
            ballot::Event::Counted { ballot, standings, tied, .. } => {
                if let Some(ballot) = self.ballot(*ballot) {
                    ballot.standings.clone_from(standings);
                    ballot.tied.clone_from(tied);
                }
                None
            }
            ballot::Event::Closed { ballot, tally, decision, count, settles, .. } => {
                if let Some(ballot) = self.ballot(*ballot) {
                    ballot.result = Some((tally.clone(), *decision));
                    ballot.settles = *settles;
                    ballot.count = count.as_ref().map(|count| Arc::new((**count).clone()));
                }
                None
            }
        }
    }

    /// A vote that a statement is, with the words of the statement.
    fn with_words(&self, vote: &Vote) -> Vote {
        let said = self.said.iter().rev().find(|said| Some(said.id) == vote.stated);
        said.map_or_else(|| vote.clone(), |said| vote.clone().in_the_words_of(&said.response))
    }

    fn last_ballot(&mut self) -> Option<&mut Ballot> {
        self.ballots.last_mut().map(Arc::make_mut)
    }

    fn ballot(&mut self, id: BallotId) -> Option<&mut Ballot> {
        self.ballots.iter_mut().find(|known| known.id == id).map(Arc::make_mut)
    }

    fn apply_meter(&mut self, event: &meter::Event) {
        self.meter.apply(event);
        if let meter::Event::Spent { ask, call } = event
            && let Some(open) = self.asks.get(ask)
        {
            self.calls.insert(*ask, (open.clone(), Arc::new((**call).clone())));
        }
    }

    fn apply_context(&mut self, id: Id, event: &context::Event, asks: &mut Asks) -> Option<(AskId, Ask)> {
        let closed = match event {
            context::Event::Read { ask, .. }
            | context::Event::Unread { ask, .. }
            | context::Event::Perspectives { ask, .. }
            | context::Event::Digested { ask, .. }
            | context::Event::Compared { ask, .. }
            | context::Event::Synthesised { ask, .. } => self.close_ask(*ask, asks),
            context::Event::Listed { answers, left_out, .. } => {
                self.list_answers(answers, left_out);
                None
            }
            context::Event::Given { .. }
            | context::Event::Focused { .. }
            | context::Event::Requested { .. }
            | context::Event::Refused { .. }
            | context::Event::Answered { .. }
            | context::Event::Waived { .. } => None,
        };
        let by = closed.as_ref().and_then(|(_, asked)| asked.who().cloned());
        Arc::make_mut(&mut self.dossier).apply(id, by, event);
        closed
    }

    fn apply_ask(&mut self, id: Id, event: &ask::Event, asks: &mut Asks) -> Option<(AskId, Ask)> {
        match event {
            ask::Event::Opened { who, task, until, .. } => {
                self.open_ask(id, Of::Seat { task: *task, who: who.clone() }, *until, asks);
                None
            }
            ask::Event::Sent { task, until, .. } => {
                self.open_ask(id, Of::World(task.clone()), *until, asks);
                None
            }
            ask::Event::Met { ask } => self.close_ask(*ask, asks),
            ask::Event::Begun { ask, patience_ms, until } => {
                if let Some(open) = self.asks.get_mut(ask) {
                    (open.begun, open.begun_by) = (true, Some(id.act));
                    open.patience_ms = *patience_ms;
                    open.until = *until;
                }
                None
            }
            ask::Event::Lapsed { ask, cause, strike } => {
                self.meter.write_off(Some(*ask));
                let closed = self.lapse(id, *ask, cause.clone(), asks);
                if let Some((_, Ask { of: Of::Seat { task, who }, .. })) = &closed {
                    // Somebody who voted unreadably and then fell silent did vote.
                    if let (Task::Vote { attempt: 2.., .. }, Some(ballot)) = (task, self.last_ballot()) {
                        ballot.unparsed.push(who.clone());
                    }
                    if *strike {
                        *self.strikes.entry(who.clone()).or_insert(0) += 1;
                    }
                }
                closed
            }
            ask::Event::Renewed { ask, until } => {
                if let Some(open) = self.asks.get_mut(ask) {
                    open.until = *until;
                }
                None
            }
        }
    }

    fn open_ask(&mut self, id: Id, of: Of, until: At, asks: &mut Asks) {
        let ask = Ask { matter: self.id, of, until, begun: false, begun_by: None, patience_ms: None };
        asks.open(AskId(id), &ask);
        self.asks.insert(AskId(id), ask);
    }

    fn close_ask(&mut self, ask: AskId, asks: &mut Asks) -> Option<(AskId, Ask)> {
        let closed = self.asks.remove(&ask)?;
        asks.close(ask, &closed);
        Some((ask, closed))
    }

    /// An ask is over without an answer; `id` is that of the event that says so.
    fn lapse(&mut self, id: Id, ask: AskId, cause: Cause, asks: &mut Asks) -> Option<(AskId, Ask)> {
        let closed = self.close_ask(ask, asks)?;
        match &closed.1.of {
            Of::Seat { task, who } => {
                let (who, task) = (who.clone(), *task);
                self.lapses.push_back(Arc::new(Lapse { ask, who, task, cause }));
            }
            Of::World(WorldTask::Read { request, .. }) => {
                Arc::make_mut(&mut self.dossier).lapse(id, *request, cause);
            }
            // The comment that waited for it is gone; the procedure knows.
            Of::World(WorldTask::Check { .. }) => (),
        }
        Some(closed)
    }
}
