//! Recording: what each event changes in a case. Total: nothing is judged here.

use std::collections::BTreeMap;
use std::sync::Arc;

use super::{Ballot, Case, Lapse, Member};
use crate::charter::Phase;
use crate::house::asks::Asks;
use crate::kernel::{AskId, At, BallotId, Cause, Id, Repair, Who};
use crate::matter::Status;
use crate::{Ask, Event, Task, ask, ballot, context, floor, gate, matter, meter, table, track, watch};

impl Case {
    /// Records an event. `asks` is the house's index of open asks.
    pub(in crate::house) fn apply(&mut self, id: Id, at: At, event: &Event, asks: &mut Asks) {
        self.keep_as_settled(id);
        self.last = at;
        match event {
            Event::House(_) | Event::Charter(_) | Event::Roster(_) => (),
            Event::Monitor(_) | Event::Trigger(_) | Event::Door(_) => (),
            Event::Track(track::Event::Learned(learned)) => self.learned = Some(learned.clone()),
            Event::Matter(event) => self.apply_matter(id, event, asks),
            Event::Floor(event) => self.apply_floor(id, event, asks),
            Event::Gate(event) => self.apply_gate(event, asks),
            Event::Ballot(event) => self.apply_ballot(id, event, asks),
            Event::Meter(event) => {
                self.meter.apply(event);
                if let meter::Event::Spent { ask, call } = event
                    && let Some(open) = self.asks.get(ask)
                {
                    self.calls.insert(*ask, (open.clone(), Arc::new((**call).clone())));
                }
            }
            Event::Ask(event) => self.apply_ask(id, event, asks),
            Event::Context(event) => {
                if let context::Event::Perspectives { ask, repairs, .. }
                | context::Event::Digested { ask, repairs, .. }
                | context::Event::Synthesised { ask, repairs, .. } = event
                {
                    let by = self.serve(*ask, repairs, asks);
                    self.dossier.apply(id, by, event);
                } else {
                    self.dossier.apply(id, None, event);
                }
            }
            Event::Table(event) => self.apply_table(id, at, event),
            Event::Watch(event) => match event {
                watch::Event::Analysed { round, analysis, .. } => {
                    self.analyses.insert(*round, Arc::new((**analysis).clone()));
                }
                watch::Event::Judged { ask, round, opinion, repairs } => {
                    if let Some(judge) = self.serve(*ask, repairs, asks) {
                        // A judge who weighs a round again replaces what was said first.
                        self.opinions.retain(|(at, who, _)| at != round || *who != judge);
                        self.opinions.push((*round, judge, Arc::new((**opinion).clone())));
                    }
                }
                watch::Event::Left { stage, why, .. } => self.left.push((usize::from(*stage), *why)),
            },
        }
    }

    fn apply_matter(&mut self, id: Id, event: &matter::Event, asks: &mut Asks) {
        match event {
            matter::Event::Opened(_) => (),
            matter::Event::StageEntered { stage, .. } => {
                self.stage = usize::from(*stage).min(self.charter.stages.len().saturating_sub(1));
                self.rounds_in_stage = 0;
                self.entered = true;
                self.round_closed = false;
            }
            matter::Event::Stepped { stepwise, .. } => self.stepwise = *stepwise,
            matter::Event::Paused { why, .. } => {
                self.status = Status::Paused(*why);
                self.meter.write_off(None);
                self.asks.values_mut().for_each(|ask| ask.begun = false);
            }
            matter::Event::Resumed { .. } => self.status = Status::Running,
            matter::Event::Settled { decision, .. } => {
                self.status = Status::Settled(*decision);
                self.settled_by = Some(id.act);
                self.meter.write_off(None);
                self.put.clear();
                for (id, ask) in std::mem::take(&mut self.asks) {
                    asks.close(id, &ask);
                }
            }
            matter::Event::Redacted { .. } => self.forget(id.act),
        }
    }

    fn apply_floor(&mut self, id: Id, event: &floor::Event, asks: &mut Asks) {
        match event {
            floor::Event::RoundOpened { round, .. } => {
                self.round = *round;
                self.rounds_in_stage += 1;
                self.round_closed = false;
                self.called.clear();
            }
            floor::Event::Impanelled { seats, .. } => self.panel = Some(*seats),
            floor::Event::Called { who, round, until, .. } => {
                self.called.push(who.clone());
                self.open_ask(id, who, Task::Speak { round: *round }, *until, asks);
            }
            floor::Event::Absent { who, cause, .. } => drop(self.absent.insert(who.clone(), cause.clone())),
            floor::Event::RoundClosed { .. } => self.round_closed = true,
            floor::Event::Joined { from_round, who, .. } => self.join(who, *from_round),
            floor::Event::Gone { cause, who, .. } => drop(self.gone.insert(who.clone(), cause.clone())),
            floor::Event::Released { ask } => drop(self.close_ask(*ask, asks)),
            floor::Event::Skipped { ask, .. } => {
                if let Some(closed) = self.close_ask(*ask, asks)
                    && matches!(closed.task, Task::Speak { .. })
                {
                    *self.skips.entry(closed.who).or_insert(0) += 1;
                }
            }
        }
    }

    fn apply_table(&mut self, id: Id, at: At, event: &table::Event) {
        self.table.apply(id, at, event);
        match event {
            table::Event::Said { ask, who, .. }
            | table::Event::Proposed { ask, who, .. }
            | table::Event::Amended { ask, who, .. }
            | table::Event::Reacted { ask, who, .. } => {
                *self.put.entry(*ask).or_insert(0) += 1;
                self.skips.remove(who);
            }
            table::Event::Ruled { .. } => (),
        }
    }

    /// Somebody takes part, for the first time or again. Those who come while the ring gathers stand in the
    /// order they were invited in; later ones come last.
    fn join(&mut self, who: &Who, from_round: u32) {
        self.gone.remove(who);
        self.absent.remove(who);
        self.strikes.remove(who);
        self.skips.remove(who);
        match self.members.iter_mut().find(|member| member.who == *who) {
            Some(member) => member.from_round = from_round,
            None => self.members.push(Member { who: who.clone(), from_round }),
        }
        if self.phase() == Some(Phase::Gathering) {
            let places: BTreeMap<Who, usize> = self
                .opening
                .seats
                .iter()
                .enumerate()
                .map(|(place, seat)| (seat.who.clone(), place))
                .collect();
            self.members.sort_by_key(|member| places.get(&member.who).copied());
        }
    }

    fn apply_gate(&mut self, event: &gate::Event, asks: &mut Asks) {
        match event {
            gate::Event::Admitted(said) => {
                self.close_ask(said.ask, asks);
                self.strikes.remove(&said.who);
                self.said.push(said.clone());
            }
            gate::Event::Rejected { ask, breaches } => {
                let detail =
                    breaches.iter().map(|breach| breach.violation().detail).collect::<Vec<_>>().join("; ");
                let code = breaches.first().map_or("gate/rejected", gate::Breach::code);
                self.lapse(*ask, Cause::passing(code, detail), asks);
            }
        }
    }

    fn apply_ballot(&mut self, id: Id, event: &ballot::Event, asks: &mut Asks) {
        match event {
            ballot::Event::Opened { rule, seats, trust, .. } => {
                self.called.clear();
                // A ring votes with whoever takes part, a debate with its panel or all seats.
                let seated = match self.charter.ring {
                    Some(_) => self.electors(),
                    None => {
                        let panel = self.opening.seats.iter().take(*seats as usize);
                        panel.map(|seat| seat.who.clone()).collect()
                    }
                };
                self.ballots.push(Ballot {
                    id: BallotId(id),
                    stage: self.stage,
                    rule: rule.clone(),
                    seats: seated,
                    trust: trust.clone(),
                    votes: Vec::new(),
                    delegations: Vec::new(),
                    unparsed: Vec::new(),
                    result: None,
                    graded: Vec::new(),
                    standings: Vec::new(),
                    tied: Vec::new(),
                    count: None,
                });
            }
            ballot::Event::Asked { ballot, who, attempt, until, .. } => {
                self.called.push(who.clone());
                let task = Task::Vote { ballot: *ballot, attempt: *attempt };
                self.open_ask(id, who, task, *until, asks);
            }
            ballot::Event::Cast { ask, vote } => {
                self.close_ask(*ask, asks);
                self.strikes.remove(&vote.who);
                if let Some(ballot) = self.ballots.last_mut() {
                    ballot.votes.push(Arc::new((**vote).clone()));
                }
            }
            ballot::Event::Delegated { ask, delegation } => {
                self.close_ask(*ask, asks);
                self.strikes.remove(&delegation.who);
                if let Some(ballot) = self.ballots.last_mut() {
                    ballot.delegations.push(Arc::new((**delegation).clone()));
                }
            }
            ballot::Event::Unparsed { ask, again, .. } => {
                let closed = self.close_ask(*ask, asks);
                if let (false, Some(closed), Some(ballot)) = (*again, closed, self.ballots.last_mut()) {
                    ballot.unparsed.push(closed.who);
                }
            }
            ballot::Event::Graded { ballot, vote, .. } => {
                if let Some(ballot) = self.ballots.iter_mut().find(|known| known.id == *ballot) {
                    ballot.graded.push(Arc::new((**vote).clone()));
                }
            }
            ballot::Event::Counted { ballot, standings, tied, .. } => {
                if let Some(ballot) = self.ballots.iter_mut().find(|known| known.id == *ballot) {
                    ballot.standings.clone_from(standings);
                    ballot.tied.clone_from(tied);
                }
            }
            ballot::Event::Closed { ballot, tally, decision, count, .. } => {
                if let Some(ballot) = self.ballots.iter_mut().find(|known| known.id == *ballot) {
                    ballot.result = Some((tally.clone(), *decision));
                    ballot.count = count.as_ref().map(|count| Arc::new((**count).clone()));
                }
            }
        }
    }

    fn apply_ask(&mut self, id: Id, event: &ask::Event, asks: &mut Asks) {
        match event {
            ask::Event::Opened { who, chore, until, .. } => {
                self.open_ask(id, who, Task::Clerk(*chore), *until, asks);
            }
            ask::Event::Wanted { for_what, who, until, .. } => {
                let task = match for_what {
                    ask::Wanted::Join => Task::Join,
                    ask::Wanted::Propose => Task::Propose,
                    ask::Wanted::Weigh => Task::Weigh,
                };
                self.open_ask(id, who, task, *until, asks);
            }
            ask::Event::Met { ask } => drop(self.close_ask(*ask, asks)),
            ask::Event::Begun { ask, until } => {
                if let Some(open) = self.asks.get_mut(ask) {
                    open.begun = true;
                    open.until = *until;
                }
            }
            ask::Event::Lapsed { ask, cause } => {
                self.meter.write_off(Some(*ask));
                let task = self.asks.get(ask).map(|open| open.task);
                if let Some(who) = self.lapse(*ask, cause.clone(), asks) {
                    // Somebody who voted unreadably and then fell silent did vote.
                    if let (Some(Task::Vote { attempt: 2.., .. }), Some(ballot)) =
                        (task, self.ballots.last_mut())
                    {
                        ballot.unparsed.push(who.clone());
                    }
                    if matches!(task, Some(Task::Speak { .. })) {
                        self.skips.remove(&who); // a turn let pass is no skip: the row is broken
                    }
                    if task.is_some_and(|task| self.is_due(&who, task)) {
                        *self.strikes.entry(who).or_insert(0) += 1;
                    }
                }
            }
            ask::Event::Renewed { ask, until } => {
                if let Some(open) = self.asks.get_mut(ask) {
                    open.until = *until;
                }
            }
        }
    }

    fn open_ask(&mut self, id: Id, who: &Who, task: Task, until: At, asks: &mut Asks) {
        let ask = Ask { matter: self.id, who: who.clone(), task, until, begun: false };
        asks.open(AskId(id), &ask);
        self.asks.insert(AskId(id), ask);
    }

    fn close_ask(&mut self, ask: AskId, asks: &mut Asks) -> Option<Ask> {
        self.put.remove(&ask);
        let closed = self.asks.remove(&ask)?;
        asks.close(ask, &closed);
        Some(closed)
    }

    /// A clerk has answered. Returns who.
    fn serve(&mut self, ask: AskId, repairs: &[Repair], asks: &mut Asks) -> Option<Who> {
        let closed = self.close_ask(ask, asks)?;
        if !repairs.is_empty() {
            self.mended.push((closed.who.clone(), closed.task, repairs.to_vec()));
        }
        Some(closed.who)
    }

    fn lapse(&mut self, ask: AskId, cause: Cause, asks: &mut Asks) -> Option<Who> {
        let closed = self.close_ask(ask, asks)?;
        let lapse = Lapse { ask, who: closed.who.clone(), task: closed.task, cause };
        self.lapses.push(Arc::new(lapse));
        Some(closed.who)
    }
}
