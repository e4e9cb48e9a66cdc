//! Asks that are not answered, and the end of a matter: what every procedure does alike.

use super::Flow;
use crate::ask::Of;
use crate::kernel::{AskId, At, Cause, Decision, Who};
use crate::{Event, ask, floor, matter, procedure};

impl Flow {
    /// When an ask opened now lapses if nobody begins to perform it.
    pub(crate) fn queued_until(&self, who: &Who) -> At {
        procedure::queued_until(self.case(), self.at, who)
    }

    /// An ask will not be answered. A seat that stays silent, or cannot be reached for good, is not called
    /// again in this matter.
    pub(crate) fn lapse(&mut self, id: AskId, cause: Cause) {
        let case = self.case();
        let (who, task) = match case.asks().get(&id).map(|ask| ask.of.clone()) {
            Some(Of::Seat { who, task }) => (who, task),
            Some(Of::World(_)) => return self.give_up(id, cause), // nobody owed it
            None => return,
        };
        let (matter, strike) = (case.id, procedure::owes(case, &who, task));
        self.put(Event::Ask(ask::Event::Lapsed { ask: id, cause: cause.clone(), strike }));
        let case = self.case();
        let given_up = case.strikes(&who) >= case.charter.absent_after();
        if strike && (cause.lasting || given_up) && !case.absent.contains_key(&who) {
            self.put(Event::Floor(floor::Event::Absent { matter, who, cause }));
        }
    }

    /// An ask is over without anybody's fault.
    pub(crate) fn give_up(&mut self, ask: AskId, cause: Cause) {
        self.put(Event::Ask(ask::Event::Lapsed { ask, cause, strike: false }));
    }

    /// Seats that have not answered when a matter is cut short are missing, and the record says why.
    pub(crate) fn call_off(&mut self, cause: &Cause) {
        for ask in self.case().asks().keys().copied().collect::<Vec<_>>() {
            self.give_up(ask, cause.clone());
        }
    }

    /// The end of a matter.
    pub(crate) fn settle(&mut self, decision: Decision) {
        let matter = self.case().id;
        self.put(Event::Matter(matter::Event::Settled { matter, decision }));
    }
}
