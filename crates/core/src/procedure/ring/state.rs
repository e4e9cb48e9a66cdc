//! What a ring knows of its matter besides what every matter has: its phase, who takes part, what lies on the table.
//! It records events; what they mean is judged in the flows.

use std::collections::BTreeMap;

use crate::charter::{Procedure, Ring};
use crate::house::{Case, Recorded};
use crate::kernel::{AskId, Cause, Decision, Who, Why, words};
use crate::matter::{self, Status};
use crate::procedure;
use crate::table::{self, Phase, Table};
use crate::{Event, Task, ask, floor, gate};

/// See the module.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct State {
    /// What participants put forward.
    pub table: Table,
    /// Those who take part no longer.
    pub gone: BTreeMap<Who, Cause>,
    /// Those who take part, in the order the floor goes round.
    pub members: Vec<Member>,
    pub(super) phase: Option<Phase>,
    /// Turns skipped in a row.
    pub(super) skips: BTreeMap<Who, u32>,
    /// What was put down in turns that are open.
    pub(super) items_in_turn: BTreeMap<AskId, u32>,
}

/// Somebody who takes part in a ring.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Member {
    /// Who.
    pub who: Who,
    /// The first round they are called in.
    pub from_round: u32,
}

impl State {
    pub(crate) fn apply(&mut self, recorded: &Recorded<'_>) {
        match recorded.event {
            Event::Table(table::Event::PhaseEntered { phase, .. }) => self.phase = Some(*phase),
            Event::Table(table::Event::Ruled { accepted, amendment, why, .. }) => {
                self.table.rule(*amendment, *accepted, why);
            }
            Event::Gate(gate::Event::Admitted(said)) => {
                self.table.contribute(recorded.id, said);
                *self.items_in_turn.entry(said.ask).or_insert(0) += 1;
                self.skips.remove(&said.who);
            }
            Event::Floor(floor::Event::Joined { from_round, place, who, .. }) => {
                self.join(who, *from_round, *place);
            }
            Event::Floor(floor::Event::Gone { cause, who, .. }) => {
                self.gone.insert(who.clone(), cause.clone());
            }
            Event::Floor(floor::Event::Skipped { .. }) => {
                if let Some(who) = speaking(recorded) {
                    *self.skips.entry(who.clone()).or_insert(0) += 1;
                }
            }
            Event::Ask(ask::Event::Lapsed { .. }) => {
                if let Some(who) = speaking(recorded) {
                    self.skips.remove(who); // a turn let pass is not a skip: the row is broken
                }
            }
            Event::Matter(matter::Event::Settled { .. }) => self.items_in_turn.clear(),
            Event::Floor(_) | Event::Gate(_) | Event::Ask(_) | Event::Matter(_) => (),
            Event::House(_) | Event::Charter(_) | Event::Roster(_) | Event::Monitor(_) => (),
            Event::Trigger(_) | Event::Rejections(_) | Event::Track(_) | Event::Watch(_) => (),
            Event::Ballot(_) | Event::Meter(_) | Event::Context(_) => (),
        }
        if let Some((ask, _)) = &recorded.closed {
            self.items_in_turn.remove(ask);
        }
    }

    /// Somebody takes part, for the first time or again.
    fn join(&mut self, who: &Who, from_round: u32, place: u32) {
        self.gone.remove(who);
        self.skips.remove(who);
        match self.members.iter_mut().find(|member| member.who == *who) {
            Some(member) => member.from_round = from_round,
            None => {
                let place = (place as usize).min(self.members.len());
                self.members.insert(place, Member { who: who.clone(), from_round });
            }
        }
    }

    /// Forgets what follows from words that are gone.
    pub(crate) fn forget(&mut self) {
        self.table.forget();
    }
}

words!(struct State { table, gone | members, phase, skips, items_in_turn });

/// Whose turn an event closed.
fn speaking<'a>(recorded: &'a Recorded<'_>) -> Option<&'a Who> {
    let (_, asked) = recorded.closed.as_ref()?;
    asked.who().filter(|_| matches!(asked.task(), Some(Task::Speak { .. })))
}

/// The rules and the state of a ring, in flows that only rings have.
pub(super) fn parts(case: &Case) -> (&Ring, &State) {
    case.ring().expect("a flow of rings is about a ring")
}

impl Case {
    /// The rules and the state of a ring; `None` for other procedures.
    pub fn ring(&self) -> Option<(&Ring, &State)> {
        match (&self.charter.procedure, &self.state) {
            (Procedure::Ring(rules), procedure::State::Ring(state)) => Some((rules, state)),
            (Procedure::Council(_) | Procedure::Ring(_), _) => None,
        }
    }

    /// The phase of a ring.
    pub fn phase(&self) -> Option<Phase> {
        self.ring()?.1.phase
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
}

impl State {
    /// Whether somebody takes part now.
    pub fn is_member(&self, who: &Who) -> bool {
        self.members.iter().any(|member| member.who == *who) && !self.gone.contains_key(who)
    }

    /// Those who can vote: everyone who takes part. Absent participants may be back by then.
    pub fn electors(&self) -> Vec<Who> {
        let here = self.members.iter().filter(|member| !self.gone.contains_key(&member.who));
        here.map(|member| member.who.clone()).collect()
    }

    /// Those the floor goes to in a round.
    pub(super) fn callable(&self, case: &Case, round: u32) -> Vec<(usize, Who)> {
        let here = |member: &&Member| {
            member.from_round <= round
                && !self.gone.contains_key(&member.who)
                && !case.absent.contains_key(&member.who)
        };
        self.members
            .iter()
            .filter(here)
            .enumerate()
            .map(|(place, member)| (place, member.who.clone()))
            .collect()
    }
}

/// The open invitation of somebody who has not joined.
pub(super) fn invitation(case: &Case, who: &Who) -> Option<AskId> {
    let own = case.asks().iter().find(|(_, ask)| ask.is_of(who) && ask.task() == Some(Task::Join));
    own.map(|(id, _)| *id)
}
