//! The end of a matter.

use super::flow::Flow;
use crate::kernel::{Cause, Decision};
use crate::{Event, ask, matter};

impl Flow {
    /// Whoever has not answered when a matter is cut short is missing, and the record says why.
    pub(super) fn call_off(&mut self, cause: &Cause) {
        let open: Vec<_> = self.case.asks().keys().copied().collect();
        for ask in open {
            self.put(Event::Ask(ask::Event::Lapsed { ask, cause: cause.clone() }));
        }
    }

    pub(super) fn settle(&mut self, decision: Decision) {
        let matter = self.case.id;
        self.put(Event::Matter(matter::Event::Settled { matter, decision }));
    }
}
