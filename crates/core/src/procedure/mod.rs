//! Procedures: what puts the organs in an order. Each is a folder with its state, commands, flows and views.
//!
//! The enums are closed and matched exhaustively, and no procedure imports another. The house dispatches through the
//! functions here and knows no procedure by name.
//!
//! To add one: its folder, its rules in `charter/`, one variant each of `charter::Procedure`, [`State`] and
//! `Command`, and its arm in `dispatch!`.

pub mod council;
pub mod ring;

use crate::ask::{Of, WorldTask};
use crate::ballot::{Count, Tally};
use crate::charter::{Charter, Procedure};
use crate::command::{Delivered, Open};
use crate::house::{Ballot, Case, Flow, Recorded};
use crate::kernel::{AskId, At, Call, Cause, Decision, Seat, Who};
use crate::matter::Opening;
use crate::track::{Truth, Verdict};
use crate::{Ask, Refusal, Task, ask, context};

/// What the procedure of a matter knows of it besides what every matter has.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum State {
    /// Seats are called to speak and to vote, stage by stage.
    Council(council::State),
    /// Participants come by themselves and take turns.
    Ring(ring::State),
}

/// Calls the function of that name in the procedure of a matter.
macro_rules! dispatch {
    ($case:expr, $function:ident($($argument:expr),* $(,)?)) => {
        match &$case.state {
            State::Council(_) => council::$function($($argument),*),
            State::Ring(_) => ring::$function($($argument),*),
        }
    };
}

impl State {
    /// The state of a matter as it begins.
    pub(crate) fn open(opening: &Opening, charter: &Charter) -> Self {
        match &charter.procedure {
            Procedure::Council(rules) => Self::Council(council::State::open(opening, charter, rules)),
            Procedure::Ring(_) => Self::Ring(ring::State::default()),
        }
    }

    /// Whether participants are not told who spoke.
    pub(crate) fn hides_names(&self, charter: &Charter) -> bool {
        match &charter.procedure {
            Procedure::Council(rules) => rules.lens.anonymize,
            Procedure::Ring(_) => false,
        }
    }

    /// Forgets what follows from words that are gone.
    pub(crate) fn forget(&mut self) {
        match self {
            Self::Council(_) => (),
            Self::Ring(state) => state.forget(),
        }
    }

    /// Forgets the words that it shares with another matter up to a round.
    pub(crate) fn forget_shared(&mut self, last: u32) {
        match self {
            Self::Council(state) => state.forget_shared(last),
            Self::Ring(_) => (), // nothing branches off into a ring
        }
    }
}

impl Case {
    pub(crate) fn apply_to_state(&mut self, recorded: &Recorded<'_>) {
        match &mut self.state {
            State::Council(state) => state.apply(recorded),
            State::Ring(state) => state.apply(recorded),
        }
    }
}

/// Whether a matter of these seats can be opened under a charter.
pub(crate) fn may_open(charter: &Charter, open: &Open, seats: &[Seat]) -> Result<(), Refusal> {
    match &charter.procedure {
        Procedure::Council(rules) => council::may_open(charter, rules, open, seats),
        Procedure::Ring(rules) => ring::may_open(charter, rules, open, seats),
    }
}

/// Begins a matter that was just opened.
pub(crate) fn begin(flow: &mut Flow, open: &Open) -> Result<(), Refusal> {
    dispatch!(flow.case(), begin(flow, open))
}

/// Goes on as far as it can without anybody.
pub(crate) fn advance(flow: &mut Flow) {
    dispatch!(flow.case(), advance(flow))
}

/// Goes on after a rest.
pub(crate) fn resumed(flow: &mut Flow, from: crate::matter::Pause) {
    dispatch!(flow.case(), resumed(flow, from))
}

/// Takes an answer to an ask.
pub(crate) fn answer(flow: &mut Flow, case: &Case, given: &council::Answer<'_>) -> Result<(), Refusal> {
    match &case.state {
        State::Council(_) => council::answer(flow, case, given),
        State::Ring(_) => Err(ring::Refusal::ByPart { matter: case.id }.into()),
    }
}

/// Takes what the world was asked for.
pub(crate) fn deliver(flow: &mut Flow, case: &Case, id: AskId, delivered: &Delivered) -> Result<(), Refusal> {
    match &case.state {
        State::Council(_) => council::deliver(flow, case, id, delivered),
        // No ring asks the world for anything.
        State::Ring(_) => Err(ask::Refusal::OtherKind { ask: id }.into()),
    }
}

/// Whether somebody performs the asks of a matter, rather than that participants come for them.
pub(crate) fn is_performed(case: &Case) -> Result<(), Refusal> {
    match &case.state {
        State::Council(_) => Ok(()),
        State::Ring(_) => Err(ring::Refusal::ByPart { matter: case.id }.into()),
    }
}

/// Notes what a call took and that no answer came of it.
pub(crate) fn fail(flow: &mut Flow, case: &Case, failed: &council::Failed<'_>) -> Result<(), Refusal> {
    is_performed(case)?;
    council::fail(flow, case, failed);
    Ok(())
}

/// Whether somebody owes what is asked, so that letting it pass counts against them.
pub(crate) fn owes(case: &Case, who: &Who, task: Task) -> bool {
    dispatch!(case, owes(case, who, task))
}

/// After so many lapses in a row a seat is not called any more.
pub(crate) fn absent_after(case: &Case) -> u64 {
    match &case.charter.procedure {
        Procedure::Council(rules) => rules.turn.absent_after.is,
        Procedure::Ring(rules) => rules.timeouts,
    }
}

/// Why an overdue ask lapses.
pub(crate) fn overdue(case: &Case, ask: &Ask) -> Cause {
    match &ask.of {
        Of::Seat { who, task } => dispatch!(case, overdue(case, who, *task, ask.begun)),
        Of::World(WorldTask::Read { .. }) => Cause::passing("source/unread", "nobody read the file in time"),
    }
}

/// When an ask lapses that is opened now and that nobody begins to perform.
pub(crate) fn queued_until(case: &Case, at: At, who: &Who) -> At {
    match &case.charter.procedure {
        Procedure::Council(rules) => at.plus(rules.turn.queue_ms.is).plus(case.limit_ms(who)),
        Procedure::Ring(rules) => at.plus(rules.token_ms.is),
    }
}

/// When an ask lapses that is asked anew after a rest.
pub(crate) fn renewed_until(case: &Case, at: At, ask: &Ask) -> At {
    match (&ask.of, &case.charter.procedure) {
        (Of::World(task), _) => delivered_until(at, task),
        (Of::Seat { who, .. }, Procedure::Council(_)) => queued_until(case, at, who),
        (Of::Seat { task, .. }, Procedure::Ring(rules)) => ring::renewed_until(rules, at, *task),
    }
}

/// When an ask of the world lapses. Its time runs from the start: nobody pays for it, so nobody queues for it.
pub(crate) fn delivered_until(at: At, task: &WorldTask) -> At {
    match task {
        WorldTask::Read { .. } => at.plus(context::READ_MS),
    }
}

/// How long a matter may last in any case.
pub(crate) fn time_limit(charter: &Charter) -> Option<u64> {
    match &charter.procedure {
        Procedure::Council(_) => None,
        Procedure::Ring(rules) => Some(rules.session_ms.is),
    }
}

/// What turned out to be true of a matter that is over; `None` if that could not have been.
pub(crate) fn truth(case: &Case, decision: Decision, verdict: Verdict) -> Option<Truth> {
    dispatch!(case, truth(case, decision, verdict))
}

/// A ballot counted again from its votes: the tally, what it comes to, what was counted besides.
pub fn recount(case: &Case, ballot: &Ballot) -> (Tally, Decision, Option<Count>) {
    dispatch!(case, recount(case, ballot))
}

/// A vote as a seal spells it, from any words that would be read as it.
pub(crate) fn spelled(case: &Case, said: &str) -> Option<String> {
    dispatch!(case, spelled(case, said))
}

/// Whether votes may be known before all are counted, where the ballot is open.
pub(crate) fn shows_open_ballots(case: &Case) -> bool {
    match &case.state {
        State::Council(_) => true,
        State::Ring(_) => false,
    }
}

/// Whether everybody who may see the matter may see what was contributed to it now.
pub(crate) fn is_public(case: &Case, said: &crate::kernel::Spoken) -> bool {
    match &case.state {
        State::Council(_) => true,
        State::Ring(_) => ring::is_public(case, said),
    }
}

impl Case {
    /// What a ballot is called.
    pub fn ballot_name(&self, ballot: &Ballot) -> &str {
        match &self.charter.procedure {
            Procedure::Council(rules) => rules.stages.get(ballot.stage).map_or("", |stage| &stage.name),
            Procedure::Ring(_) => "vote",
        }
    }

    /// What the stage of speech is called that was left.
    pub fn stage_name(&self, stage: usize) -> &str {
        match &self.charter.procedure {
            Procedure::Council(rules) => rules.stages.get(stage).map_or("", |stage| &stage.name),
            Procedure::Ring(_) => "discussion",
        }
    }

    /// What the part of the matter is called in which something was said.
    pub fn said_in(&self, said: &crate::kernel::Contribution) -> &str {
        match &self.state {
            State::Council(_) => self.stage_of(said).unwrap_or_default(),
            State::Ring(_) if said.round == 0 => "proposals",
            State::Ring(_) => "discussion",
        }
    }

    /// Whether its participants come by themselves, so that it goes on while nobody performs anything.
    pub fn runs_by_itself(&self) -> bool {
        match &self.state {
            State::Council(_) => false,
            State::Ring(_) => true,
        }
    }
}

/// What getting an answer took.
pub(crate) fn spent(ask: crate::kernel::AskId, call: &Call) -> crate::Event {
    crate::Event::Meter(crate::meter::Event::Spent { ask, call: Box::new(call.clone()) })
}
