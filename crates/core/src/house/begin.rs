//! What is performed for an ask: leave to make one call, its answer, its failure.

use super::Flow;
use crate::command::Delivered;
use crate::kernel::AskId;
use crate::meter::{self, Worst};
use crate::procedure::{Answer, Failed};
use crate::{Ask, Event, Refusal, ask, procedure};

impl Flow {
    /// Leave to make one call: the budget is reserved first, and the first call starts the clock.
    pub(super) fn begin(&mut self, id: AskId, worst: &Worst) -> Result<(), Refusal> {
        let case = self.running(id)?;
        procedure::is_performed(&case)?;
        // Nobody pays for what the world is asked, and its time runs from the start.
        if case.asks().get(&id).and_then(Ask::who).is_none() {
            return Err(ask::Refusal::OtherKind { ask: id }.into());
        }
        case.meter.judge(worst)?;
        self.put(Event::Meter(meter::Event::Reserved { ask: id, worst: *worst }));
        // A retry is paid for like any call, but within the same turn.
        if let Some(who) = case.asks().get(&id).filter(|open| !open.begun).and_then(Ask::who) {
            let until = self.at.plus(case.limit_ms(who));
            self.put(Event::Ask(ask::Event::Begun { ask: id, until }));
        }
        Ok(())
    }

    /// An answer came.
    pub(super) fn answer(&mut self, given: &Answer<'_>) -> Result<(), Refusal> {
        let case = self.running(given.id)?;
        procedure::answer(self, &case, given)
    }

    /// What the world was asked for came.
    pub(super) fn deliver(&mut self, id: AskId, delivered: &Delivered) -> Result<(), Refusal> {
        let case = self.running(id)?;
        procedure::deliver(self, &case, id, delivered)
    }

    /// No answer came.
    pub(super) fn fail(&mut self, failed: &Failed<'_>) -> Result<(), Refusal> {
        let case = self.running(failed.id)?;
        procedure::fail(self, &case, failed)
    }
}
