//! From acts to work: which asks they opened and closed, and what performing one needs.

use std::collections::BTreeSet;
use std::sync::Arc;

use synod_core::ask::Chore;
use synod_core::house::BriefCache;
use synod_core::kernel::{AskId, Id, SeatKind};
use synod_core::meter::Limits;
use synod_core::{Act, Event, House, Task, ask, ballot, context, floor, gate, matter, watch};
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
        Event::Monitor(_) | Event::Trigger(_) | Event::Door(_) | Event::Track(_) => (),
        Event::Matter(event) => match event {
            matter::Event::Paused { matter, .. } | matter::Event::Settled { matter, .. } => {
                started.closed.push(Closed::Matter(*matter));
            }
            matter::Event::Opened(_) | matter::Event::Redacted { .. } => (),
            matter::Event::StageEntered { .. }
            | matter::Event::Resumed { .. }
            | matter::Event::Stepped { .. } => (),
        },
        Event::Floor(event) => match event {
            floor::Event::Called { .. } => drop(started.opened.insert(id)),
            floor::Event::RoundOpened { .. }
            | floor::Event::Impanelled { .. }
            | floor::Event::Absent { .. }
            | floor::Event::Joined { .. }
            | floor::Event::Gone { .. }
            | floor::Event::RoundClosed { .. } => (),
            floor::Event::Released { ask } | floor::Event::Skipped { ask, .. } => answered(*ask),
        },
        Event::Gate(event) => match event {
            gate::Event::Admitted(said) => answered(said.ask),
            gate::Event::Rejected { ask, .. } => answered(*ask),
        },
        Event::Ballot(event) => match event {
            ballot::Event::Asked { .. } => drop(started.opened.insert(id)),
            ballot::Event::Cast { ask, .. }
            | ballot::Event::Delegated { ask, .. }
            | ballot::Event::Unparsed { ask, .. } => answered(*ask),
            ballot::Event::Opened { .. } | ballot::Event::Closed { .. } => (),
            ballot::Event::Graded { .. } | ballot::Event::Counted { .. } => (),
        },
        Event::Ask(event) => match event {
            ask::Event::Lapsed { ask, .. } => {
                started.opened.remove(ask);
                started.closed.push(Closed::Ask(*ask));
            }
            ask::Event::Renewed { ask, .. } => drop(started.opened.insert(*ask)),
            ask::Event::Opened { .. } => drop(started.opened.insert(id)),
            ask::Event::Met { ask } => answered(*ask),
            // Nobody performs what is asked of those who come by themselves.
            ask::Event::Wanted { .. } | ask::Event::Begun { .. } => (),
        },
        Event::Table(_) => (),
        Event::Context(event) => match event {
            context::Event::Perspectives { ask, .. }
            | context::Event::Digested { ask, .. }
            | context::Event::Synthesised { ask, .. } => answered(*ask),
            context::Event::Given { .. }
            | context::Event::Focused { .. }
            | context::Event::Requested { .. }
            | context::Event::Refused { .. }
            | context::Event::Answered { .. }
            | context::Event::Waived { .. } => (),
        },
        Event::Watch(event) => match event {
            watch::Event::Judged { ask, .. } => answered(*ask),
            watch::Event::Analysed { .. } | watch::Event::Left { .. } => (),
        },
    }
}

/// What performing an ask needs; `None` if it is not open any more.
pub(crate) fn job(house: &House, minds: &Minds, ask: AskId, briefs: &mut BriefCache) -> Option<Job> {
    let open = house.ask(ask)?;
    let case = house.case(open.matter).filter(|case| case.is_live())?;
    let seat = house.asked(open).filter(|seat| seat.kind != SeatKind::Outside)?;
    let (task, round, attempt) = match open.task {
        Task::Speak { round } => (synod_minds::Task::Speak, round, 1),
        Task::Vote { attempt, .. } => (synod_minds::Task::Vote, case.round(), attempt),
        Task::Join | Task::Propose | Task::Weigh => return None,
        Task::Clerk(Chore::Judge { round }) => (synod_minds::Task::Judge, round, 1),
        Task::Clerk(Chore::Digest { round }) => (synod_minds::Task::Digest, round, 1),
        Task::Clerk(Chore::Perspectives) => (synod_minds::Task::Perspectives, 1, 1),
        Task::Clerk(Chore::Synthesise) => (synod_minds::Task::Synthesise, case.round(), 1),
    };
    let question = Question {
        seat: open.who.clone(),
        task,
        round,
        attempt,
        topic: case.opening.question.topic.clone(),
        options: case.opening.question.options.len() as u8,
        side: case.ordered(&open.who),
    };
    let brief = house.brief(ask, briefs)?;
    let mind = minds.get(&seat.mind).cloned();
    let limited = *case.meter.limits() != Limits::default();
    let sealed = matches!(open.task, Task::Vote { .. })
        && case.ballots.last().is_some_and(|ballot| ballot.rule.secrecy != ballot::Secrecy::Open);
    Some(Job { ask, matter: case.id, question, brief, mind, spec: seat.mind.clone(), limited, sealed })
}
