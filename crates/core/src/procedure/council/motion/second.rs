//! Before the debate: who seconds a motion, who takes it back, who sets it aside.

use std::sync::Arc;

use super::motion_parts;
use crate::ask::Of;
use crate::brief::{FieldValue, SECONDS};
use crate::charter::{Charter, StageKind};
use crate::command::Open;
use crate::house::{Case, Flow, wrong_status};
use crate::kernel::{AskId, Cause, Choice, Decision, MatterId, Seat, UndecidedReason, Who};
use crate::matter::{self, Operation, Pause, Status};
use crate::procedure::council::Refusal;
use crate::procedure::council::state::parts;
use crate::{Event, Task, ask, charter, roster};

/// Whether somebody may put a motion, and second it, among these seats.
pub(in crate::procedure::council) fn may_propose(
    charter: &Charter,
    open: &Open,
    seats: &[Seat],
) -> Result<(), crate::Refusal> {
    let Some(proposal) = &open.proposal else { return Ok(()) };
    if charter.parliament().is_none() {
        return Err(Refusal::NoMotions { charter: charter.name.clone() }.into());
    }
    let seated = |who: &Who| seats.iter().any(|seat| seat.who == *who);
    for who in proposal.by.iter().chain(&proposal.seconder) {
        if !seated(who) {
            return Err(Refusal::NotAmongSeats { who: who.clone() }.into());
        }
    }
    match (&proposal.by, &proposal.seconder) {
        (Some(by), Some(seconder)) if by == seconder => Err(Refusal::OwnMotion { who: by.clone() }.into()),
        _ => Ok(()),
    }
}

/// Sides can be ordered, and a motion be for or against, only where there are two of them.
pub(in crate::procedure::council) fn is_plain(
    charter: &Charter,
    question: &matter::Question,
) -> Result<(), crate::Refusal> {
    match charter.parliament().is_some() && !question.options.is_empty() {
        true => Err(charter::Refusal::PlainQuestion { charter: charter.name.clone() }.into()),
        false => Ok(()),
    }
}

/// The seats of a motion in the order in which they speak: by rank, then by name. Those without a rank come last.
pub(crate) fn by_rank(mut seats: Vec<Seat>) -> Vec<Seat> {
    let rank = |seat: &Seat| seat.rank().map_or(u16::MAX, |rank| rank.place);
    seats.sort_by(|a, b| (rank(a), &a.who).cmp(&(rank(b), &b.who)));
    seats
}

impl Flow {
    /// Begins a motion that was just opened. Whether it goes on by itself.
    pub(in crate::procedure::council) fn begin_motion(&mut self, open: &Open) -> bool {
        let Some(proposal) = open.proposal.as_ref() else { return true };
        let matter = self.case().id;
        if let Some(who) = proposal.seconder.clone() {
            self.put(Event::Matter(matter::Event::Seconded { matter, who }));
        }
        if proposal.listed {
            let why = Pause::Listed;
            self.put(Event::Matter(matter::Event::Paused { halt: None, matter, why }));
        }
        !proposal.listed
    }

    /// Asks the next seat whether it seconds the motion, or goes on.
    pub(in crate::procedure::council) fn advance_seconding(&mut self) {
        let case = self.case();
        let Some((_, state)) = motion_parts(case) else { return self.next_stage() };
        if state.seconder.is_some() {
            return self.next_stage();
        }
        if !case.asks().is_empty() {
            return;
        }
        let asks = match case.stage().map(|stage| &stage.kind) {
            Some(StageKind::Second { asks }) => asks.is,
            _ => 0, // nobody is asked in another stage
        };
        let next = case
            .present()
            .map(|(_, who)| who)
            .find(|who| case.opening.proposer.as_ref() != Some(*who) && !state.asked.contains(who))
            .cloned();
        match next.filter(|_| (state.asked.len() as u64) < asks) {
            Some(who) => {
                let (matter, until) = (case.id, self.queued_until(&who));
                let task = Task::Second;
                self.put(Event::Ask(ask::Event::Opened { matter, task, until, who }));
            }
            None => self.settle(Decision::Undecided(UndecidedReason::NoSecond)),
        }
    }

    /// Takes the answer of a seat that was asked; `case` is the matter before it.
    pub(in crate::procedure::council) fn seconds(&mut self, case: &Case, id: AskId, who: &Who, said: &str) {
        let mut read = parts(case).1.forms.second.read(said, &[]);
        match read.fields.remove(SECONDS).and_then(FieldValue::choice) {
            Some(Choice::Yes) => {
                let (matter, who) = (case.id, who.clone());
                self.put(Event::Ask(ask::Event::Met { ask: id }));
                self.put(Event::Matter(matter::Event::Seconded { matter, who }));
            }
            Some(Choice::No | Choice::Neutral | Choice::Option(_)) => {
                self.put(Event::Ask(ask::Event::Met { ask: id }));
            }
            None => {
                let detail = "the answer could not be read as a yes or no";
                self.lapse(id, Cause::passing("motion/unreadable-second", detail));
            }
        }
        super::super::advance(self);
    }

    /// A motion that nobody has decided yet.
    fn open_motion(&mut self, matter: MatterId, operation: Operation) -> Result<Arc<Case>, crate::Refusal> {
        let case = self.find(matter)?;
        if case.motion().is_none() {
            return Err(Refusal::NotAMotion { matter }.into());
        }
        match case.status() {
            Status::Settled(_) => Err(wrong_status(matter, case.status(), operation)),
            Status::Running | Status::Paused(_) => Ok(case),
        }
    }

    /// A seat seconds a motion without being asked.
    pub(in crate::procedure::council) fn second(
        &mut self,
        matter: MatterId,
        by: &Who,
    ) -> Result<(), crate::Refusal> {
        let case = self.open_motion(matter, Operation::Second)?;
        if case.seat(by).is_none() {
            return Err(roster::Refusal::NotSeated { who: by.clone(), matter }.into());
        }
        if case.opening.proposer.as_ref() == Some(by) {
            return Err(Refusal::OwnMotion { who: by.clone() }.into());
        }
        if let Some(who) = case.motion().and_then(|state| state.seconder.clone()) {
            return Err(Refusal::Seconded { who, matter }.into());
        }
        for (id, _) in
            case.asks().iter().filter(|(_, ask)| matches!(ask.of, Of::Seat { task: Task::Second, .. }))
        {
            self.give_up(*id, Cause::passing("motion/seconded", "another seat seconded the motion"));
        }
        self.put(Event::Matter(matter::Event::Seconded { matter, who: by.clone() }));
        super::super::advance(self);
        Ok(())
    }

    /// Whoever put a motion takes it back.
    pub(in crate::procedure::council) fn withdraw(
        &mut self,
        matter: MatterId,
        by: Option<&Who>,
    ) -> Result<(), crate::Refusal> {
        let case = self.open_motion(matter, Operation::Withdraw)?;
        if let Some(by) = by.filter(|by| case.opening.proposer.as_ref() != Some(*by)) {
            return Err(Refusal::NotProposer { who: by.clone(), matter }.into());
        }
        self.end_motion(&case, UndecidedReason::Withdrawn, "motion/withdrawn")
    }

    /// The chair sets a motion aside.
    pub(in crate::procedure::council) fn table_motion(
        &mut self,
        matter: MatterId,
    ) -> Result<(), crate::Refusal> {
        let case = self.open_motion(matter, Operation::Table)?;
        self.end_motion(&case, UndecidedReason::Tabled, "motion/tabled")
    }

    fn end_motion(&mut self, case: &Case, why: UndecidedReason, code: &str) -> Result<(), crate::Refusal> {
        if !case.ballots.is_empty() {
            return Err(Refusal::VotingBegan { matter: case.id }.into());
        }
        self.call_off(&Cause::passing(code, why.words()));
        self.settle(Decision::Undecided(why));
        Ok(())
    }
}
