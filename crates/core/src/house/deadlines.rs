//! When something lapses next in which matter: an index, so that a house with thousands of open matters is not
//! walked through for every write.

use imbl::{OrdMap, OrdSet};

use super::{Case, House};
use crate::kernel::{At, MatterId};
use crate::{Event, ballot, gate, meter};

/// See the module.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(super) struct Deadlines {
    of: OrdMap<MatterId, At>,
    order: OrdSet<(At, MatterId)>,
}

impl Deadlines {
    /// Notes when something lapses next in a matter; `None`: nothing does by itself.
    pub(super) fn set(&mut self, matter: MatterId, due: Option<At>) {
        let known = self.of.get(&matter).copied();
        if known == due {
            return;
        }
        if let Some(known) = known {
            self.order.remove(&(known, matter));
            self.of.remove(&matter);
        }
        if let Some(due) = due {
            self.order.insert((due, matter));
            self.of.insert(matter, due);
        }
    }

    /// Keeps in step with a matter to which an event was just applied.
    pub(super) fn follow(&mut self, case: &Case, event: &Event) {
        let due = match event {
            // It opens and closes nothing.
            Event::Meter(meter::Event::Reserved { .. } | meter::Event::Spent { .. }) => return,
            // It opens nothing.
            Event::Gate(gate::Event::Admitted(_)) | Event::Ballot(ballot::Event::Cast { .. }) => {
                case.next_deadline_after(self.of.get(&case.id).copied())
            }
            _ => case.next_deadline(),
        };
        self.set(case.id, due.filter(|_| case.is_live()));
    }

    /// The first of all.
    pub(super) fn first(&self) -> Option<At> {
        self.order.get_min().map(|(due, _)| *due)
    }

    /// Matters in which something is due, the most overdue first.
    pub(super) fn due(&self, at: At) -> impl Iterator<Item = MatterId> {
        self.order.iter().take_while(move |(due, _)| *due <= at).map(|(_, matter)| *matter)
    }
}

impl House {
    /// When `Command::Tick` must be given at the latest.
    pub fn next_deadline(&self) -> Option<At> {
        let watched = self.monitor.next_deadline().into_iter().chain(self.next_check());
        let watched = watched.chain(self.dissent.next_deadline()).chain(self.ledger.next_goal_deadline());
        let watched = watched.chain(self.leases.next_deadline());
        self.deadlines.first().into_iter().chain(watched).min()
    }
}
