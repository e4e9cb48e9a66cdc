//! A case: everything the house knows of one matter. It records events and answers questions about
//! itself; what they mean is judged in the flows.

use std::collections::BTreeMap;
use std::sync::Arc;

use crate::ballot::{self, Rules, Tally, Vote};
use crate::brief::Form;
use crate::charter::{Charter, Stage, StageKind};
use crate::kernel::{
    AskId, At, BallotId, Call, Cause, Choice, Contribution, Decision, Id, MatterId, Seat, Seq, Who,
};
use crate::matter::{self, Opening, Status};
use crate::meter::{self, Meter};
use crate::{Ask, Event, Task, ask, floor, gate, redact};

/// One matter in all its parts. Copies are cheap: what was said is shared.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Case {
    /// The matter.
    pub id: MatterId,
    /// When it was opened.
    pub opened: At,
    /// When the last thing happened to it.
    pub last: At,
    /// What was fixed at the opening.
    pub opening: Arc<Opening>,
    /// The rules, knobs moved.
    pub charter: Arc<Charter>,
    /// What answers look like.
    pub forms: Forms,
    /// What was used up.
    pub meter: Meter,
    /// Admitted contributions, in order.
    pub said: Vec<Arc<Contribution>>,
    /// Asks that were not answered, in order.
    pub lapses: Vec<Arc<Lapse>>,
    /// Votes held, in order.
    pub ballots: Vec<Ballot>,
    /// What calls took, by ask, with the ask as it was.
    pub calls: BTreeMap<AskId, (Ask, Arc<Call>)>,
    /// Seats that are not called any more.
    pub absent: BTreeMap<Who, Cause>,
    /// The act that settled it.
    pub settled_by: Option<Seq>,
    /// The last act that redacted it.
    pub redacted_by: Option<Seq>,
    as_settled: Option<Box<Case>>,
    status: Status,
    asks: BTreeMap<AskId, Ask>,
    stage: usize,
    round: u32,
    rounds_in_stage: u64,
    called: Vec<Who>,
    strikes: BTreeMap<Who, u64>,
}

/// The forms of the answers a matter asks for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Forms {
    /// A statement in round one.
    pub first: Arc<Form>,
    /// A statement later.
    pub later: Arc<Form>,
    /// A vote.
    pub vote: Arc<Form>,
}

impl Forms {
    /// The form of a statement in that round.
    pub fn speech(&self, round: u32) -> &Arc<Form> {
        if round == 1 { &self.first } else { &self.later }
    }
}

/// An ask that was not answered.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Lapse {
    /// The ask.
    pub ask: AskId,
    /// Who was asked.
    pub who: Who,
    /// For what.
    pub task: Task,
    /// Why there is no answer.
    pub cause: Cause,
}

/// A vote on a matter.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Ballot {
    /// Its id.
    pub id: BallotId,
    /// The stage it belongs to.
    pub stage: usize,
    /// The rule it is judged by.
    pub rule: Rules,
    /// Votes, in the order they came.
    pub votes: Vec<Arc<Vote>>,
    /// Seats whose vote could not be read.
    pub unparsed: Vec<Who>,
    /// The result, once it is closed.
    pub result: Option<(Tally, Decision)>,
}

impl Case {
    pub(super) fn open(id: MatterId, at: At, opening: Arc<Opening>, charter: Arc<Charter>) -> Self {
        let options = opening.question.options.len();
        let forms = Forms {
            first: Arc::new(Form::speech(options, &charter.brief.first)),
            later: Arc::new(Form::speech(options, &charter.brief.later)),
            vote: Arc::new(Form::vote(options)),
        };
        Self {
            forms,
            id,
            opened: at,
            last: at,
            opening,
            charter,
            meter: Meter::default(),
            said: Vec::new(),
            lapses: Vec::new(),
            ballots: Vec::new(),
            calls: BTreeMap::new(),
            absent: BTreeMap::new(),
            settled_by: None,
            redacted_by: None,
            as_settled: None,
            status: Status::Running,
            asks: BTreeMap::new(),
            stage: 0,
            round: 0,
            rounds_in_stage: 0,
            called: Vec::new(),
            strikes: BTreeMap::new(),
        }
    }

    /// Where it stands.
    pub fn status(&self) -> Status {
        self.status
    }

    /// Open asks, also while it rests.
    pub fn asks(&self) -> &BTreeMap<AskId, Ask> {
        &self.asks
    }

    /// The present stage.
    pub fn stage(&self) -> &Stage {
        &self.charter.stages[self.stage]
    }

    /// The present stage's place.
    pub fn stage_index(&self) -> usize {
        self.stage
    }

    /// The present round, counted from 1 through the whole matter; 0 before the first.
    pub fn round(&self) -> u32 {
        self.round
    }

    /// Rounds opened in the present stage.
    pub fn rounds_in_stage(&self) -> u64 {
        self.rounds_in_stage
    }

    /// Who was called in the present round or ballot.
    pub fn called(&self) -> &[Who] {
        &self.called
    }

    /// Lapses in a row of a seat.
    pub fn strikes(&self, who: &Who) -> u64 {
        self.strikes.get(who).copied().unwrap_or(0)
    }

    /// The seat of a participant.
    pub fn seat(&self, who: &Who) -> Option<&Seat> {
        self.opening.seats.iter().find(|seat| seat.who == *who)
    }

    /// Seats that may still be called, in their order.
    pub fn present(&self) -> Vec<Who> {
        let seats = self.opening.seats.iter().filter(|seat| !self.absent.contains_key(&seat.who));
        seats.map(|seat| seat.who.clone()).collect()
    }

    /// Where each seat stood last before a round: by its latest statement or vote, whichever came later.
    /// Votes of a ballot that is still open are nobody's business.
    pub fn standing(&self, before: u32) -> BTreeMap<&Who, Choice> {
        let mut standing: BTreeMap<&Who, (Id, Choice)> = BTreeMap::new();
        let said = self.said.iter().filter(|said| said.round < before);
        let said = said.filter_map(|said| Some((&said.who, said.ask.0, said.response.stance?)));
        let closed = self.ballots.iter().filter(|ballot| ballot.result.is_some());
        let voted =
            closed.flat_map(|ballot| ballot.votes.iter().map(|vote| (&vote.who, ballot.id.0, vote.choice)));
        for (who, at, choice) in said.chain(voted) {
            match standing.get(who) {
                Some((later, _)) if *later > at => (),
                Some(_) | None => drop(standing.insert(who, (at, choice))),
            }
        }
        standing.into_iter().map(|(who, (_, choice))| (who, choice)).collect()
    }

    /// When something lapses next.
    pub fn next_deadline(&self) -> Option<At> {
        self.asks.values().map(|ask| ask.until).chain(self.time_limit()).min()
    }

    /// When the time allowed for the matter ends.
    pub fn time_limit(&self) -> Option<At> {
        self.meter.limits().time_ms.map(|ms| self.opened.plus(ms))
    }

    /// Records an event. `asks` is the house's index of open asks.
    pub(super) fn apply(&mut self, id: Id, at: At, event: &Event, asks: &mut BTreeMap<AskId, MatterId>) {
        self.keep_as_settled(id);
        self.last = at;
        match event {
            Event::House(_) | Event::Charter(_) | Event::Roster(_) => (),
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
            Event::Ask(event) => self.apply_ask(event, asks),
        }
    }

    fn apply_matter(&mut self, id: Id, event: &matter::Event, asks: &mut BTreeMap<AskId, MatterId>) {
        match event {
            matter::Event::Opened(_) => (),
            matter::Event::StageEntered { stage, .. } => {
                self.stage = usize::from(*stage).min(self.charter.stages.len().saturating_sub(1));
                self.rounds_in_stage = 0;
            }
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
                for ask in std::mem::take(&mut self.asks).keys() {
                    asks.remove(ask);
                }
            }
            matter::Event::Redacted { .. } => self.forget(id.act),
        }
    }

    fn apply_floor(&mut self, id: Id, event: &floor::Event, asks: &mut BTreeMap<AskId, MatterId>) {
        match event {
            floor::Event::RoundOpened { round, .. } => {
                self.round = *round;
                self.rounds_in_stage += 1;
                self.called.clear();
            }
            floor::Event::Called { who, round, until, .. } => {
                self.called.push(who.clone());
                self.open_ask(id, who, Task::Speak { round: *round }, *until, asks);
            }
            floor::Event::Absent { who, cause, .. } => drop(self.absent.insert(who.clone(), cause.clone())),
            floor::Event::RoundClosed { .. } => (),
        }
    }

    fn apply_gate(&mut self, event: &gate::Event, asks: &mut BTreeMap<AskId, MatterId>) {
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

    fn apply_ballot(&mut self, id: Id, event: &ballot::Event, asks: &mut BTreeMap<AskId, MatterId>) {
        match event {
            ballot::Event::Opened { rule, .. } => {
                self.called.clear();
                let (id, stage, rule) = (BallotId(id), self.stage, *rule);
                self.ballots.push(Ballot {
                    id,
                    stage,
                    rule,
                    votes: Vec::new(),
                    unparsed: Vec::new(),
                    result: None,
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
            ballot::Event::Unparsed { ask, again, .. } => {
                let closed = self.close_ask(*ask, asks);
                if let (false, Some(closed), Some(ballot)) = (*again, closed, self.ballots.last_mut()) {
                    ballot.unparsed.push(closed.who);
                }
            }
            ballot::Event::Closed { ballot, tally, decision, .. } => {
                if let Some(ballot) = self.ballots.iter_mut().find(|known| known.id == *ballot) {
                    ballot.result = Some((tally.clone(), *decision));
                }
            }
        }
    }

    fn apply_ask(&mut self, event: &ask::Event, asks: &mut BTreeMap<AskId, MatterId>) {
        match event {
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
                    *self.strikes.entry(who).or_insert(0) += 1;
                }
            }
            ask::Event::Renewed { ask, until } => {
                if let Some(open) = self.asks.get_mut(ask) {
                    open.until = *until;
                }
            }
        }
    }

    fn open_ask(&mut self, id: Id, who: &Who, task: Task, until: At, asks: &mut BTreeMap<AskId, MatterId>) {
        let ask = Ask { matter: self.id, who: who.clone(), task, until, begun: false };
        self.asks.insert(AskId(id), ask);
        asks.insert(AskId(id), self.id);
    }

    fn close_ask(&mut self, ask: AskId, asks: &mut BTreeMap<AskId, MatterId>) -> Option<Ask> {
        asks.remove(&ask);
        self.asks.remove(&ask)
    }

    fn lapse(&mut self, ask: AskId, cause: Cause, asks: &mut BTreeMap<AskId, MatterId>) -> Option<Who> {
        let closed = self.close_ask(ask, asks)?;
        let lapse = Lapse { ask, who: closed.who.clone(), task: closed.task, cause };
        self.lapses.push(Arc::new(lapse));
        Some(closed.who)
    }

    /// The matter as the act left it that settled it, whatever happened to it since; as it is while it is open.
    /// Of its words it knows no more than the matter itself does.
    pub fn as_settled(&self) -> &Self {
        self.as_settled.as_deref().unwrap_or(self)
    }

    /// Keeps the case as it was settled, before a later act changes it.
    fn keep_as_settled(&mut self, next: Id) {
        if self.as_settled.is_none() && self.settled_by.is_some_and(|by| by < next.act) {
            self.as_settled = Some(Box::new(self.clone()));
        }
    }

    /// Forgets the words of the matter, so that it is the same whether it was folded from whole acts or from
    /// redacted ones. Every field is named: a new one does not build until somebody has said whether it holds
    /// words.
    fn forget(&mut self, by: Seq) {
        let Self {
            id: _,
            opened: _,
            last: _,
            opening,
            charter: _,
            forms: _,
            meter: _,
            said,
            lapses,
            ballots,
            calls,
            absent,
            settled_by: _,
            redacted_by,
            as_settled,
            status: _,
            asks: _,
            stage: _,
            round: _,
            rounds_in_stage: _,
            called: _,
            strikes: _,
        } = self;
        *redacted_by = Some(by);
        redact::opening(Arc::make_mut(opening));
        said.iter_mut().for_each(|said| redact::contribution(Arc::make_mut(said)));
        for lapse in lapses {
            let Lapse { ask: _, who: _, task: _, cause } = Arc::make_mut(lapse);
            redact::cause(cause);
        }
        for ballot in ballots {
            let Ballot { id: _, stage: _, rule: _, votes, unparsed: _, result: _ } = ballot;
            votes.iter_mut().for_each(|vote| redact::vote(Arc::make_mut(vote)));
        }
        calls.values_mut().for_each(|(_, call)| redact::call(Arc::make_mut(call)));
        absent.values_mut().for_each(redact::cause);
        if let Some(case) = as_settled {
            case.forget(by);
        }
    }

    /// The speaking settings of the present stage.
    pub(super) fn speaking(&self) -> Option<&crate::charter::Speak> {
        match &self.stage().kind {
            StageKind::Speak(speak) => Some(speak),
            StageKind::Vote { .. } => None,
        }
    }
}
