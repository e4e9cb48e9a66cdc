//! The ring: participants that come by themselves join, propose, take the floor in turn, and vote.
//!
//! Its phases follow each other; each is left when nothing it asked for is open any more. What participants do is
//! in `part`, the vote in `vote`.

mod part;
mod vote;

pub(super) use vote::graded;

use super::flow::Flow;
use super::{Case, House};
use crate::ask::Wanted;
use crate::charter::{Phase, StageKind};
use crate::command::{Open, Perspectives};
use crate::floor::{self, Next, Order};
use crate::kernel::{AskId, At, Cause, Decision, MatterId, SeatKind, Who, Why};
use crate::matter::Status;
use crate::watch::{self, Exit};
use crate::{Event, Refusal, Task, ask, charter};

/// Somebody who takes part in a ring.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Member {
    /// Who.
    pub who: Who,
    /// The first round they are called in.
    pub from_round: u32,
}

impl House {
    /// Begins a ring with those who joined.
    pub(super) fn start(&self, at: At, matter: MatterId) -> Result<Vec<Event>, Refusal> {
        let (case, ring) = self.ring(matter)?;
        match case.phase() {
            Some(Phase::Gathering) => (),
            Some(Phase::Proposing | Phase::Discussing { .. } | Phase::Converging | Phase::Voting) | None => {
                return Err(wrong_phase(case, "a ring is started while it gathers"));
            }
        }
        let joined = case.electors().len() as u32;
        if joined < ring.least {
            return Err(Refusal::TooFewJoined { matter, joined, least: ring.least });
        }
        let mut flow = self.flow(at, case);
        let late = Cause::passing("ring/started", "the ring began before they joined; they can still do so");
        flow.call_off(&late);
        flow.advance();
        Ok(flow.done())
    }

    /// Takes a participant out.
    pub(super) fn remove(&self, at: At, matter: MatterId, who: &Who) -> Result<Vec<Event>, Refusal> {
        let (case, _) = self.ring(matter)?;
        if case.seat(who).is_none() {
            return Err(Refusal::NotSeated { who: who.clone(), matter });
        }
        let cause =
            Cause { code: "ring/removed".into(), detail: "removed by the operator".into(), lasting: true };
        let mut flow = self.flow(at, case);
        flow.leave(who, cause);
        Ok(flow.done())
    }

    /// A ring that goes on.
    fn ring(&self, matter: MatterId) -> Result<(&Case, &charter::Ring), Refusal> {
        let case = self.find(matter)?;
        let ring = case.charter.ring.as_ref().ok_or(Refusal::NoRing { matter })?;
        match case.status() {
            Status::Running => Ok((case, ring)),
            status @ (Status::Paused(_) | Status::Settled(_)) => {
                Err(super::moderate::wrong(matter, status, "nobody can take part now"))
            }
        }
    }
}

/// A ring has seats for those that come by themselves, and nobody else can be waited for.
pub(super) fn only_outside(charter: &charter::Charter, seats: &[crate::kernel::Seat]) -> Result<(), Refusal> {
    let called = seats.iter().find(|seat| seat.kind != SeatKind::Outside);
    match (charter.ring.as_ref(), called) {
        (Some(_), Some(seat)) => {
            Err(Refusal::NeedsOutside { charter: charter.name.clone(), who: seat.who.clone() })
        }
        (Some(ring), None) if (seats.len() as u32) < ring.least => {
            Err(Refusal::TooFewInvited { invited: seats.len() as u32, least: ring.least })
        }
        (Some(_), None) | (None, _) => Ok(()),
    }
}

/// What a ring does not read is refused, not overlooked.
pub(super) fn only_asked(charter: &charter::Charter, open: &Open) -> Result<(), Refusal> {
    let unread = [
        ("options", !open.question.options.is_empty()),
        ("judges", !open.judges.is_empty()),
        ("a scribe", open.scribe.is_some()),
        ("a focus question", open.focus.is_some()),
        ("perspectives", open.perspectives != Perspectives::Usual),
        ("rounds held one by one", open.stepwise),
    ];
    match unread.into_iter().find(|(_, given)| *given) {
        Some((what, _)) if charter.ring.is_some() => {
            Err(Refusal::Unread { charter: charter.name.clone(), what })
        }
        Some(_) | None => Ok(()),
    }
}

fn wrong_phase(case: &Case, needs: &'static str) -> Refusal {
    Refusal::WrongPhase { matter: case.id, phase: case.phase_word(), needs }
}

impl Flow {
    /// Enters a phase: asks for what belongs to it.
    pub(super) fn enter_phase(&mut self, phase: Phase) {
        let Some(ring) = self.case.charter.ring.clone() else { return };
        let token = self.at.plus(self.case.charter.turn.limit_ms.is);
        match phase {
            Phase::Gathering => {
                let invited: Vec<Who> = self.case.opening.seats.iter().map(|seat| seat.who.clone()).collect();
                let until = self.at.plus(ring.gather_ms.is);
                invited.into_iter().for_each(|who| self.want(Wanted::Join, who, until));
            }
            Phase::Proposing => {
                for who in self.case.electors() {
                    self.want(Wanted::Propose, who, token);
                }
            }
            Phase::Discussing { .. } => self.hold_round(),
            Phase::Converging => {
                let owes = |who: &Who| self.case.table.unruled(who).next().is_some();
                let proposers: Vec<Who> = self.case.electors().into_iter().filter(|who| owes(who)).collect();
                proposers.into_iter().for_each(|who| self.want(Wanted::Weigh, who, token));
                self.advance();
            }
            Phase::Voting => self.open_vote(ring.vote_ms.is),
        }
    }

    fn want(&mut self, for_what: Wanted, who: Who, until: At) {
        let matter = self.case.id;
        self.put(Event::Ask(ask::Event::Wanted { for_what, matter, until, who }));
    }

    /// Goes on as far as the ring can without anybody.
    pub(super) fn advance_ring(&mut self, phase: Phase) {
        match phase {
            Phase::Discussing { rounds } if !self.case.round_closed() => self.pass_token(rounds.is),
            Phase::Gathering | Phase::Proposing | Phase::Converging | Phase::Discussing { .. }
                if !self.case.asks().is_empty() => {}
            Phase::Gathering if !self.enough() => self.settle(Decision::Undecided(Why::Few)),
            Phase::Gathering | Phase::Proposing | Phase::Converging | Phase::Discussing { .. } => {
                self.enter_stage(self.case.stage_index() + 1);
            }
            Phase::Voting if self.case.asks().is_empty() => self.close_vote(),
            Phase::Voting => (),
        }
    }

    fn enough(&self) -> bool {
        let least = self.case.charter.ring.as_ref().map_or(0, |ring| ring.least);
        self.case.electors().len() as u32 >= least
    }

    /// Gives the floor to the next, or closes the round.
    fn pass_token(&mut self, rounds: u64) {
        let (matter, round) = (self.case.id, self.case.round());
        let seats = self.case.callable(round);
        let asks = self.case.asks().values();
        let speaking: Vec<(usize, Who)> = asks.map(|ask| (0, ask.who.clone())).collect();
        match floor::next(Order::Sequential, &seats, self.case.called(), &speaking) {
            Next::Wait => (),
            Next::Call(next) => {
                for who in next {
                    let until = self.queued_until(who);
                    self.put(Event::Floor(floor::Event::Called { matter, round, until, who: who.clone() }));
                }
            }
            Next::Over => self.close_ring_round(rounds),
        }
    }

    fn close_ring_round(&mut self, rounds: u64) {
        let (matter, round) = (self.case.id, self.case.round());
        let answered = self.case.heard(round).len() as u32;
        let of_round = |task| matches!(task, Task::Speak { round: of } if of == round);
        let lapsed = self.case.lapses.iter().filter(|lapse| of_round(lapse.task)).count() as u32;
        self.put(Event::Floor(floor::Event::RoundClosed { answered, lapsed, matter, round }));
        match self.talk_ends(rounds) {
            Some(why) => {
                let stage = self.case.stage_index() as u16;
                self.put(Event::Watch(watch::Event::Left { matter, stage, why }));
                self.advance();
            }
            None => self.hold_round(),
        }
    }

    /// Why the talk ends after the round just closed, if it does.
    fn talk_ends(&self, rounds: u64) -> Option<Exit> {
        let (case, round) = (&self.case, self.case.round());
        let ring = case.charter.ring.as_ref()?;
        let present = case.callable(round + 1).into_iter().map(|(_, who)| who).collect::<Vec<_>>();
        let support = case.table.proposals.iter().map(|proposal| case.table.support(proposal, &present));
        let best = support.max().unwrap_or(0);
        let quiet = (0..ring.still_rounds).all(|back| round > back && case.table.fresh(round - back) == 0);
        if ring.consensus.is_met_by(best, present.len() as u32) {
            Some(Exit::Consensus)
        } else if (quiet && round >= ring.still_from) || present.is_empty() {
            Some(Exit::Stagnation)
        } else {
            (case.rounds_in_stage() >= rounds).then_some(Exit::Rounds)
        }
    }

    /// Somebody takes part no longer. Whatever was asked of them is over; with too few left so is the ring.
    fn leave(&mut self, who: &Who, cause: Cause) {
        let matter = self.case.id;
        let asked: Vec<_> =
            self.case.asks().iter().filter(|(_, ask)| ask.who == *who).map(|(id, _)| *id).collect();
        self.put(Event::Floor(floor::Event::Gone { cause: cause.clone(), matter, who: who.clone() }));
        for ask in asked {
            self.put(Event::Ask(ask::Event::Lapsed { ask, cause: cause.clone() }));
        }
        if self.case.phase() != Some(Phase::Gathering) && !self.enough() {
            self.call_off(&Cause::passing("ring/few", "too few were left to go on"));
            return self.settle(Decision::Undecided(Why::Few));
        }
        self.advance();
    }
}

impl Case {
    /// The phase of a ring that is not over.
    pub fn phase(&self) -> Option<Phase> {
        match (&self.stage().kind, self.entered()) {
            (StageKind::Ring(phase), true) => Some(*phase),
            (StageKind::Ring(_), false) | (StageKind::Speak(_) | StageKind::Vote { .. }, _) => None,
        }
    }

    /// The phase of a ring in the word agents know it by, how it ended included.
    pub fn phase_word(&self) -> &'static str {
        match (self.status(), self.phase()) {
            (Status::Settled(Decision::Passed { .. }), _) => "COMMITTED",
            (Status::Settled(Decision::Undecided(Why::Quorum)), _) => "DEFERRED",
            (Status::Settled(_), _) => "ABORTED",
            (Status::Running | Status::Paused(_), Some(phase)) => phase.word(),
            (Status::Running | Status::Paused(_), None) => Phase::Gathering.word(),
        }
    }

    /// Those who take part, in the order the floor goes round.
    pub fn members(&self) -> &[Member] {
        &self.members
    }

    /// Whether somebody takes part now.
    pub fn is_member(&self, who: &Who) -> bool {
        self.members.iter().any(|member| member.who == *who) && !self.gone.contains_key(who)
    }

    /// The open invitation of somebody who has not joined.
    pub(super) fn invitation(&self, who: &Who) -> Option<AskId> {
        let own = self.asks().iter().find(|(_, ask)| ask.who == *who && ask.task == Task::Join);
        own.map(|(id, _)| *id)
    }

    /// Those who can vote: everyone who takes part. Who was absent may be back by then.
    pub fn electors(&self) -> Vec<Who> {
        let here = self.members.iter().filter(|member| !self.gone.contains_key(&member.who));
        here.map(|member| member.who.clone()).collect()
    }

    /// Those the floor goes to in a round.
    pub(super) fn callable(&self, round: u32) -> Vec<(usize, Who)> {
        let here = |member: &&Member| {
            member.from_round <= round
                && !self.gone.contains_key(&member.who)
                && !self.absent.contains_key(&member.who)
        };
        self.members
            .iter()
            .filter(here)
            .enumerate()
            .map(|(place, member)| (place, member.who.clone()))
            .collect()
    }

    /// Who put something down in a round.
    pub fn heard(&self, round: u32) -> std::collections::BTreeSet<&Who> {
        let table = &self.table;
        let said = table.said.iter().filter(|said| said.round == round).map(|said| &said.who);
        let proposed = table.proposals.iter().filter(|put| put.round == round).map(|put| &put.who);
        let changes = table.proposals.iter().flat_map(|put| &put.amendments);
        let amended = changes.filter(|change| change.round == round).map(|change| &change.who);
        let reacted = table.reactions.iter().filter(|given| given.round == round).map(|given| &given.who);
        said.chain(proposed).chain(amended).chain(reacted).collect()
    }
}
