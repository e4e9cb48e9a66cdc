//! What the operator may do with a matter: let it rest, let it go on, end it, take its words away.

use super::Flow;
use crate::kernel::{Cause, Decision, Digest, MatterId, Seq, UndecidedReason};
use crate::matter::{self, Operation, Pause, Status};
use crate::{Event, Refusal, ask, context, procedure};

impl Flow {
    pub(super) fn pause(&mut self, matter: MatterId, why: Pause) -> Result<(), Refusal> {
        let case = self.find(matter)?;
        match case.status() {
            Status::Running if why == Pause::Operator && case.charter.is_timeless() => {
                Err(matter::Refusal::NothingRuns { matter }.into())
            }
            Status::Running => {
                self.put(Event::Matter(matter::Event::Paused { halt: None, matter, why }));
                Ok(())
            }
            Status::Paused(_) | Status::Settled(_) => {
                Err(wrong_status(matter, case.status(), Operation::Pause))
            }
        }
    }

    pub(super) fn resume(&mut self, matter: MatterId) -> Result<(), Refusal> {
        let case = self.find(matter)?;
        let from = match case.status() {
            Status::Running if case.charter.is_timeless() => {
                return Err(matter::Refusal::NothingRuns { matter }.into());
            }
            Status::Paused(Pause::BetweenRounds) => {
                return Err(wrong_status(matter, case.status(), Operation::Resume));
            }
            Status::Paused(Pause::NeedsContext) if !case.dossier.pending().is_empty() => {
                return Err(context::Refusal::Pending { matter, pending: case.dossier.pending() }.into());
            }
            Status::Paused(
                from @ (Pause::Operator
                | Pause::Interrupted
                | Pause::NeedsContext
                | Pause::Unusable
                | Pause::Listed),
            ) => from,
            Status::Running | Status::Settled(_) => {
                return Err(wrong_status(matter, case.status(), Operation::Resume));
            }
        };
        self.put(Event::Matter(matter::Event::Resumed { matter }));
        for (ask, open) in case.asks() {
            let until = procedure::renewed_until(&case, self.at, open);
            self.put(Event::Ask(ask::Event::Renewed { ask: *ask, until }));
        }
        procedure::resumed(self, from);
        Ok(())
    }

    pub(super) fn stop(&mut self, matter: MatterId) -> Result<(), Refusal> {
        let case = self.find(matter)?;
        match case.status() {
            Status::Running | Status::Paused(_) => {
                self.call_off(&Cause::passing(
                    "matter/stopped",
                    "the matter was stopped before an answer came",
                ));
                procedure::called_off(self);
                // Nothing was under way in an issue: it is closed.
                let timeless = case.charter.is_timeless();
                let stopped = Decision::Undecided(UndecidedReason::Stopped);
                self.settle(if timeless { Decision::Closed } else { stopped });
                Ok(())
            }
            Status::Settled(_) => Err(wrong_status(matter, case.status(), Operation::Stop)),
        }
    }

    pub(super) fn redact(&mut self, matter: MatterId, acts: &[(Seq, Digest)]) -> Result<(), Refusal> {
        let case = self.find(matter)?;
        match case.status() {
            Status::Running | Status::Paused(_) => {
                Err(wrong_status(matter, case.status(), Operation::Redact))
            }
            Status::Settled(_) => {
                // Once is enough for an act. One that came after, such as a late answer, may follow it.
                let (before, last) = (case.redacted_by.unwrap_or_default(), self.house.seq());
                let is_due = |seq: Seq| seq >= matter.0.act && seq > before && seq <= last;
                if acts.is_empty() || !acts.iter().all(|(seq, _)| is_due(*seq)) {
                    return Err(matter::Refusal::NothingToRedact { matter }.into());
                }
                self.put(Event::Matter(matter::Event::Redacted { matter }));
                procedure::after_redaction(self);
                Ok(())
            }
        }
    }
}

/// The status of a matter does not allow this.
pub(crate) fn wrong_status(matter: MatterId, status: Status, operation: Operation) -> Refusal {
    matter::Refusal::WrongStatus { matter, status, operation }.into()
}
