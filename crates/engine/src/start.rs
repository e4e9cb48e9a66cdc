//! From acts to work: which asks they opened and closed, and what performing one needs.

use std::collections::BTreeSet;
use std::sync::Arc;

use synod_core::house::Desk;
use synod_core::kernel::{AskId, Id};
use synod_core::matter::Status;
use synod_core::meter::Limits;
use synod_core::{Act, Event, House, Task, ask, ballot, floor, gate, matter};
use synod_minds::Question;

use crate::perform::{Job, Minds};

/// What acts opened and closed.
#[derive(Debug, Default)]
pub(crate) struct Started {
    /// Asks to perform, in order.
    pub(crate) opened: BTreeSet<AskId>,
    /// Asks that were answered.
    pub(crate) answered: Vec<AskId>,
    /// What to call off.
    pub(crate) closed: Vec<Closed>,
}

/// What is over.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Closed {
    /// One ask.
    Ask(AskId),
    /// All asks of a matter.
    Matter(synod_core::kernel::MatterId),
}

/// Reads acts for the asks they open and close.
pub(crate) fn started(acts: &[Arc<Act>]) -> Started {
    let mut started = Started::default();
    for act in acts {
        for (nth, event) in act.events().iter().enumerate() {
            let id = AskId(Id { act: act.seq, nth: nth as u16 });
            note(&mut started, id, event);
        }
    }
    started
}

fn note(started: &mut Started, id: AskId, event: &Event) {
    // What was answered needs no calling off: whoever performed it is done.
    let mut answered = |ask: AskId| {
        started.opened.remove(&ask);
        started.answered.push(ask);
    };
    match event {
        Event::House(_) | Event::Charter(_) | Event::Roster(_) | Event::Meter(_) => (),
        Event::Matter(event) => match event {
            matter::Event::Paused { matter, .. } | matter::Event::Settled { matter, .. } => {
                started.closed.push(Closed::Matter(*matter));
            }
            matter::Event::Opened(_) | matter::Event::Redacted { .. } => (),
            matter::Event::StageEntered { .. } | matter::Event::Resumed { .. } => (),
        },
        Event::Floor(event) => match event {
            floor::Event::Called { .. } => drop(started.opened.insert(id)),
            floor::Event::RoundOpened { .. }
            | floor::Event::Absent { .. }
            | floor::Event::RoundClosed { .. } => (),
        },
        Event::Gate(event) => match event {
            gate::Event::Admitted(said) => answered(said.ask),
            gate::Event::Rejected { ask, .. } => answered(*ask),
        },
        Event::Ballot(event) => match event {
            ballot::Event::Asked { .. } => drop(started.opened.insert(id)),
            ballot::Event::Cast { ask, .. } | ballot::Event::Unparsed { ask, .. } => answered(*ask),
            ballot::Event::Opened { .. } | ballot::Event::Closed { .. } => (),
        },
        Event::Ask(event) => match event {
            ask::Event::Lapsed { ask, .. } => {
                started.opened.remove(ask);
                started.closed.push(Closed::Ask(*ask));
            }
            ask::Event::Renewed { ask, .. } => drop(started.opened.insert(*ask)),
            ask::Event::Begun { .. } => (),
        },
    }
}

/// What performing an ask needs; `None` if it is not open any more.
pub(crate) fn job(house: &House, minds: &Minds, ask: AskId, desk: &mut Desk) -> Option<Job> {
    let open = house.ask(ask)?;
    let case = house.case(open.matter).filter(|case| case.status() == Status::Running)?;
    let seat = case.seat(&open.who)?;
    let (task, round, attempt) = match open.task {
        Task::Speak { round } => (synod_minds::Task::Speak, round, 1),
        Task::Vote { attempt, .. } => (synod_minds::Task::Vote, case.round(), attempt),
    };
    let question = Question {
        seat: open.who.clone(),
        task,
        round,
        attempt,
        topic: case.opening.question.topic.clone(),
        options: case.opening.question.options.len() as u8,
    };
    let brief = house.brief(ask, desk)?;
    let mind = minds.get(&seat.mind).cloned();
    let limited = *case.meter.limits() != Limits::default();
    Some(Job { ask, matter: case.id, question, brief, mind, spec: seat.mind.clone(), limited })
}
