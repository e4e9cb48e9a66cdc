//! What a ring knows of its matter besides what every matter has: its phase, who takes part, what lies on the table.
//! It records events; what they mean is judged in the flows.

use std::collections::BTreeMap;
use std::sync::Arc;

use imbl::Vector;

use crate::ask::Of;
use crate::charter::{Charter, Ring};
use crate::house::{Case, Recorded};
use crate::kernel::{AskId, Cause, Decision, UndecidedReason, Who, Words as _, words};
use crate::matter::{self, Opening, Status};
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
    /// The round of the floor.
    round: u32,
    /// Turns skipped in a row.
    pub(super) skips: BTreeMap<Who, u32>,
    /// Turns that were skipped, in order.
    pub skipped: Vector<Arc<Skip>>,
    /// What was put down in turns that are open.
    pub(super) items_in_turn: BTreeMap<AskId, u32>,
}

/// A turn that somebody skipped.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Skip {
    /// The turn.
    pub ask: AskId,
    /// For what it was.
    pub task: Task,
    /// The reason given.
    pub why: Option<String>,
    /// Who.
    pub who: Who,
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
    /// A ring begins with nobody and nothing.
    pub(crate) fn open(_: &Opening, _: &Charter, _: &Ring) -> Self {
        Self::default()
    }

    pub(crate) fn apply(&mut self, recorded: &Recorded<'_>) {
        match recorded.event {
            Event::Table(table::Event::PhaseEntered { phase, .. }) => self.phase = Some(*phase),
            Event::Table(table::Event::Ruled { accepted, amendment, why, .. }) => {
                self.table.rule(*amendment, *accepted, why, (recorded.id, self.round));
            }
            Event::Gate(gate::Event::Admitted(said)) => {
                self.table.contribute(recorded.id, said);
                *self.items_in_turn.entry(said.ask).or_insert(0) += 1;
                self.skips.remove(&said.who);
            }
            Event::Floor(floor::Event::Joined { from_round, place, who, .. }) => {
                self.join(who, *from_round, *place);
            }
            Event::Floor(floor::Event::RoundOpened { round, .. }) => self.round = *round,
            Event::Floor(floor::Event::Gone { cause, who, .. }) => {
                self.gone.insert(who.clone(), cause.clone());
            }
            Event::Floor(floor::Event::Skipped { why, .. }) => {
                if let Some((ask, Of::Seat { who, task })) =
                    recorded.closed.as_ref().map(|(ask, asked)| (*ask, &asked.of))
                {
                    let (task, why, who) = (*task, why.clone(), who.clone());
                    self.skipped.push_back(Arc::new(Skip { ask, task, why, who }));
                }
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
            Event::Issue(_) | Event::Dissent(_) | Event::Period(_) => (),
            Event::Evidence(_) | Event::Ledger(_) => (),
            Event::Canon(_) | Event::Lease(_) => (),
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
        self.skipped.redact();
    }

    /// Nothing branches off into a ring.
    pub(crate) fn forget_shared(&mut self, _: u32) {}
}

words!(struct State { table, gone, skipped | members, phase, round, skips, items_in_turn });
words!(struct Skip { why | ask, task, who });

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
        let procedure::State::Ring(state) = &self.state else { return None };
        Some((self.charter.ring()?, state))
    }

    /// The phase of a ring.
    pub fn phase(&self) -> Option<Phase> {
        self.ring()?.1.phase
    }

    /// The phase of a ring in the word agents know it by, how it ended included.
    pub fn phase_word(&self) -> &'static str {
        match (self.status(), self.phase()) {
            (Status::Settled(Decision::Passed { .. }), _) => "COMMITTED",
            (Status::Settled(Decision::Undecided(UndecidedReason::Quorum)), _) => "DEFERRED",
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
    pub(super) fn callable(&self, case: &Case, round: u32) -> impl Iterator<Item = (usize, &Who)> {
        let here = move |member: &&Member| {
            member.from_round <= round
                && !self.gone.contains_key(&member.who)
                && !case.absent.contains_key(&member.who)
        };
        self.members.iter().filter(here).map(|member| &member.who).enumerate()
    }
}

/// The open invitation of somebody who has not joined.
pub(super) fn invitation(case: &Case, who: &Who) -> Option<AskId> {
    let own = case.asks().iter().find(|(_, ask)| ask.is_of(who) && ask.task() == Some(Task::Join));
    own.map(|(id, _)| *id)
}
