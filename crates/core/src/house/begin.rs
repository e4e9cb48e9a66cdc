//! What is performed for an ask: leave to make one call, its answer, its failure.

use super::Flow;
use crate::kernel::AskId;
use crate::meter::{self, Worst};
use crate::procedure::{Answer, Failed};
use crate::{Event, Refusal, ask, procedure};

impl Flow {
    /// Leave to make one call: the budget is reserved first, and the first call starts the clock.
    pub(super) fn begin(&mut self, id: AskId, worst: &Worst) -> Result<(), Refusal> {
        let case = self.running(id)?;
        procedure::is_performed(&case)?;
        case.meter.judge(worst)?;
        self.put(Event::Meter(meter::Event::Reserved { ask: id, worst: *worst }));
        // A retry is paid for like any call, but within the same turn.
        if let Some(open) = case.asks().get(&id).filter(|open| !open.begun) {
            let until = self.at.plus(case.limit_ms(&open.who));
            self.put(Event::Ask(ask::Event::Begun { ask: id, until }));
        }
        Ok(())
    }

    /// An answer came.
    pub(super) fn answer(&mut self, given: &Answer<'_>) -> Result<(), Refusal> {
        let case = self.running(given.id)?;
        procedure::answer(self, &case, given)
    }

    /// No answer came.
    pub(super) fn fail(&mut self, failed: &Failed<'_>) -> Result<(), Refusal> {
        let case = self.running(failed.id)?;
        procedure::fail(self, &case, failed)
    }
}
