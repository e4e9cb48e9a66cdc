//! What is performed for an ask: leave to make one call, its answer, its failure.

use super::Flow;
use crate::command::Delivered;
use crate::kernel::AskId;
use crate::matter::{self, Pause};
use crate::meter::{self, Worst};
use crate::procedure::{Failed, SubmittedAnswer};
use crate::{Ask, Event, Refusal, ask, procedure};

/// The longest that anybody may take for an answer, whatever they say of themselves.
const PATIENCE_MOST_MS: u64 = 1_800_000;

impl Flow {
    /// Leave to make one call: the budget is reserved first, and the first call starts the clock.
    pub(super) fn begin(
        &mut self,
        id: AskId,
        worst: &Worst,
        patience_ms: Option<u64>,
    ) -> Result<(), Refusal> {
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
            let usual = case.limit_ms(who);
            let patience_ms = patience_ms.map(|ms| ms.min(PATIENCE_MOST_MS)).filter(|ms| *ms > usual);
            let until = self.at.plus(patience_ms.unwrap_or(usual));
            self.put(Event::Ask(ask::Event::Begun { ask: id, patience_ms, until }));
        }
        Ok(())
    }

    /// An answer came.
    pub(super) fn answer(&mut self, given: &SubmittedAnswer<'_>) -> Result<(), Refusal> {
        let case = self.running(given.id)?;
        procedure::answer(self, &case, given)
    }

    /// What the world was asked for came.
    pub(super) fn deliver(&mut self, id: AskId, delivered: &Delivered) -> Result<(), Refusal> {
        let case = self.running(id)?;
        procedure::deliver(self, &case, id, delivered)
    }

    /// An ask cannot be performed as things are. It stays open, and the matter rests.
    pub(super) fn halt(&mut self, failed: &Failed<'_>) -> Result<(), Refusal> {
        let case = self.running(failed.id)?;
        procedure::is_performed(&case)?;
        let Some(who) = case.asks().get(&failed.id).and_then(Ask::who).cloned() else {
            return Err(ask::Refusal::OtherKind { ask: failed.id }.into());
        };
        self.put(procedure::spent(failed.id, failed.call));
        let halt = Some(Box::new(matter::Halt { cause: failed.cause.clone(), who }));
        self.put(Event::Matter(matter::Event::Paused { halt, matter: case.id, why: Pause::Unusable }));
        Ok(())
    }

    /// No answer came.
    pub(super) fn fail(&mut self, failed: &Failed<'_>) -> Result<(), Refusal> {
        let case = self.running(failed.id)?;
        procedure::fail(self, &case, failed)
    }
}
