//! Leave to make one call for an ask: the budget is reserved first, and the first call starts the clock.

use super::House;
use crate::kernel::{AskId, At};
use crate::meter::{self, Short, Worst};
use crate::{Event, Refusal, ask};

impl House {
    pub(super) fn begin(&self, at: At, id: AskId, worst: &Worst) -> Result<Vec<Event>, Refusal> {
        let (case, open) = self.running(id)?;
        if case.charter.ring.is_some() {
            return Err(Refusal::ByPart { matter: case.id });
        }
        case.meter.judge(worst).map_err(|short| match short {
            Short::Cost { left, worst } => Refusal::BudgetCost { left, worst },
            Short::PriceUnknown => Refusal::BudgetPriceUnknown,
            Short::Calls { most } => Refusal::BudgetCalls { most },
            Short::Tokens { left, worst } => Refusal::BudgetTokens { left, worst },
        })?;
        let reserved = Event::Meter(meter::Event::Reserved { ask: id, worst: *worst });
        if open.begun {
            return Ok(vec![reserved]); // A retry: paid for like any call, but within the same turn.
        }
        let until = at.plus(case.limit_ms(&open.who));
        Ok(vec![reserved, Event::Ask(ask::Event::Begun { ask: id, until })])
    }
}
