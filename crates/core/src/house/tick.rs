//! Time passes: what is overdue lapses.

use super::{Case, Flow};
use crate::kernel::{At, Cause, Decision, MatterId, UndecidedReason};
use crate::matter::Status;
use crate::procedure;

/// After so many events a tick ends, and the next one takes what is still due: an act numbers its events in 16 bits,
/// and what one matter may add to these stays far below the rest.
const EVENTS_MOST: usize = 10_000;

impl Flow {
    pub(super) fn tick(&mut self) {
        let due: Vec<MatterId> = self.house.deadlines.due(self.at).collect();
        for matter in due {
            if self.len() > EVENTS_MOST {
                return;
            }
            if let Ok(case) = self.find(matter) {
                self.lapse_overdue(&case);
            }
        }
        procedure::workshop::expire_orders(self, EVENTS_MOST);
        procedure::workshop::end_goals(self);
        for expired in self.house.leases.overdue(self.at) {
            self.put(crate::Event::Lease(expired));
        }
        self.run_due_checks();
    }

    /// What is overdue in one matter; `case` is the matter before.
    fn lapse_overdue(&mut self, case: &Case) {
        let running = case.status() == Status::Running;
        if running && case.time_limit().is_some_and(|limit| limit <= self.at) {
            self.call_off(&Cause::passing("matter/time", "the matter's time ran out before an answer came"));
            self.settle(Decision::Undecided(UndecidedReason::Time));
            return;
        }
        let is_overdue = |until: At| until <= self.at;
        let overdue: Vec<_> = case.asks().iter().filter(|(_, ask)| is_overdue(ask.until)).collect();
        for (id, ask) in overdue {
            self.lapse(*id, procedure::overdue(case, ask));
        }
        procedure::advance(self);
    }
}
