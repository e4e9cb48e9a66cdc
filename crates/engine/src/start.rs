//! From acts to work: which asks they opened and closed, and what performing one needs.

use std::collections::BTreeSet;
use std::sync::{Arc, Mutex, PoisonError, RwLock};

use synod_core::ask::{Chore, Of};
use synod_core::house::BriefCache;
use synod_core::kernel::{AskChange, AskId, Id, SeatKind};
use synod_core::meter::Limits;
use synod_core::{Act, Event, House, Task, ballot};
use synod_minds::AskContext;
use tokio::sync::mpsc;

use crate::Order;
use crate::claims::Claims;
use crate::perform::{Effect, Job, Minds};
use crate::tools::{Kit, ToolSources};
use crate::world::{Performers, WorldJob};

/// What this process performs of a house: starts asks that acts opened, calls off those that they closed.
pub(crate) struct Work {
    minds: Arc<RwLock<Minds>>,
    performers: Performers,
    claims: Arc<Mutex<Claims>>,
    effects: mpsc::UnboundedSender<Effect>,
    performing: BTreeSet<AskId>,
    briefs: BriefCache,
}

impl Work {
    pub(crate) fn new(
        minds: Arc<RwLock<Minds>>,
        performers: Performers,
        claims: Arc<Mutex<Claims>>,
        effects: mpsc::UnboundedSender<Effect>,
    ) -> Self {
        Self {
            minds,
            performers,
            claims,
            effects,
            performing: BTreeSet::new(),
            briefs: BriefCache::default(),
        }
    }

    /// Forgets how briefs were worded, for when words were taken out of the record.
    pub(crate) fn reword(&mut self) {
        self.briefs = BriefCache::default();
    }

    /// Starts what the world is still asked for in matters that nobody interrupts: an engine before this one may have ended before
    /// it was done.
    pub(crate) fn take_up(&mut self, house: &House) {
        let claims = self.claims.lock().unwrap_or_else(PoisonError::into_inner);
        for (ask, open) in house.open_asks() {
            let timeless = house.case(open.matter).is_some_and(|case| case.charter.is_timeless());
            if !timeless || !claims.are_ours(open.matter, ask) {
                continue;
            }
            if let Some(job) = world_job(house, &self.performers, ask)
                && self.performing.insert(ask)
            {
                let _ = self.effects.send(Effect::Deliver(Box::new(job)));
            }
        }
    }

    /// Starts new asks and calls off closed ones. The acts are durable, and the house stands after them. Returns
    /// answers that were had at once.
    pub(crate) fn follow(&mut self, house: &House, acts: &[Arc<Act>]) -> Vec<Order> {
        let Started { opened, answered, closed } = started(acts);
        for ask in answered {
            self.performing.remove(&ask);
        }
        for over in closed {
            let known = match over {
                Closed::Ask(ask) => self.performing.remove(&ask),
                Closed::Matter(_) => true,
            };
            if known {
                let _ = self.effects.send(Effect::CallOff(over));
            }
        }
        let mut claims = self.claims.lock().unwrap_or_else(PoisonError::into_inner);
        acts.iter().for_each(|act| claims.note(house, act));
        if opened.is_empty() {
            return Vec::new();
        }
        let ours = |ask: &AskId| house.ask(*ask).is_some_and(|open| claims.are_ours(open.matter, *ask));
        let minds = self.minds.read().unwrap_or_else(PoisonError::into_inner);
        let (mut at_once, mut begin) = (Vec::new(), Vec::new());
        for ask in opened.into_iter().filter(ours) {
            if let Some(job) = world_job(house, &self.performers, ask) {
                self.performing.insert(ask);
                let _ = self.effects.send(Effect::Deliver(Box::new(job)));
                continue;
            }
            let Some(job) = job(house, &minds, ask, &mut self.briefs, &self.performers.tools) else {
                continue;
            };
            match job.at_once() {
                Some(order) => at_once.push(order),
                None => {
                    self.performing.insert(job.ask);
                    begin.push(job);
                }
            }
        }
        if !begin.is_empty() {
            let _ = self.effects.send(Effect::Perform(begin));
        }
        at_once
    }
}

/// What acts opened and closed.
#[derive(Debug, Default)]
struct Started {
    /// Asks to perform, in order.
    opened: BTreeSet<AskId>,
    /// Asks that were answered.
    answered: Vec<AskId>,
    /// What to call off.
    closed: Vec<Closed>,
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
fn started(acts: &[Arc<Act>]) -> Started {
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
    match event.ask() {
        AskChange::None => (),
        AskChange::Opens => drop(started.opened.insert(id)),
        AskChange::Renews(ask) => drop(started.opened.insert(ask)),
        // What was answered needs no calling off: whoever performed it is done.
        AskChange::Answers(ask) => {
            started.opened.remove(&ask);
            started.answered.push(ask);
        }
        AskChange::Lapses(ask) => {
            started.opened.remove(&ask);
            started.closed.push(Closed::Ask(ask));
        }
        AskChange::Interrupts(matter) => started.closed.push(Closed::Matter(matter)),
    }
}

/// What performing an ask of the world needs; `None` if it is not open any more, or nobody here performs such.
fn world_job(house: &House, performers: &Performers, ask: AskId) -> Option<WorldJob> {
    let open = house.ask(ask)?;
    let case = house.case(open.matter).filter(|case| case.is_live())?;
    match &open.of {
        Of::World(task) => Some(WorldJob { ask, matter: case.id, deed: performers.take(task)? }),
        Of::Seat { .. } => None,
    }
}

/// What performing an ask of a seat needs; `None` if it is not open any more.
fn job(
    house: &House,
    minds: &Minds,
    ask: AskId,
    briefs: &mut BriefCache,
    tools: &ToolSources,
) -> Option<Job> {
    let open = house.ask(ask)?;
    let case = house.case(open.matter).filter(|case| case.is_live())?;
    let seat = house.asked(open).filter(|seat| seat.kind != SeatKind::Outside)?;
    let Of::Seat { who, task: asked } = &open.of else { return None };
    let (task, round, attempt) = match *asked {
        Task::Speak { round } => (synod_minds::MindTask::Speak, round, 1),
        Task::Vote { attempt, .. } => (synod_minds::MindTask::Vote, case.round(), attempt),
        Task::Second => (synod_minds::MindTask::Second, 1, 1),
        Task::Join | Task::Propose | Task::Weigh => return None,
        Task::Clerk(Chore::Judge { round }) => (synod_minds::MindTask::Judge, round, 1),
        Task::Clerk(Chore::Digest { round }) => (synod_minds::MindTask::Digest, round, 1),
        Task::Clerk(Chore::Perspectives) => (synod_minds::MindTask::Perspectives, 1, 1),
        Task::Clerk(Chore::Merge) => (synod_minds::MindTask::Compare, case.round(), 1),
        Task::Clerk(Chore::Synthesise) => (synod_minds::MindTask::Synthesise, case.round(), 1),
    };
    let question = AskContext {
        seat: who.clone(),
        task,
        round,
        attempt,
        topic: case.opening.question.topic.clone(),
        options: case.opening.question.options.len() as u8,
        option_texts: case.opening.question.options.clone(),
        side: case.ordered(who),
        limit_ms: Some(case.limit_ms(who)),
    };
    let mut brief = house.brief(ask, briefs)?;
    let mind = minds.get(&seat.backend).cloned();
    let uses_tools =
        task == synod_minds::MindTask::Speak && mind.as_ref().is_some_and(|mind| mind.uses_tools());
    // Files are for matters whose operator allowed them, whatever this process could read.
    let lists = tools.issues && case.issue().is_some();
    let files = tools.files.clone().filter(|_| case.opening.sources || lists);
    let kit = Kit::new(&ToolSources { files, lists, ..tools.clone() }).filter(|_| uses_tools);
    if let Some(kit) = &kit {
        brief.own.push_str(&kit.note());
    }
    let limited = *case.meter.limits() != Limits::default();
    let sealed = matches!(asked, Task::Vote { .. })
        && case.ballots.last().is_some_and(|ballot| ballot.rule.secrecy != ballot::Secrecy::Open);
    Some(Job {
        ask,
        matter: case.id,
        question,
        brief,
        mind,
        spec: seat.backend.clone(),
        limited,
        sealed,
        kit,
    })
}
