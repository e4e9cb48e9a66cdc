//! What the operator may do with a matter: let it rest, let it go on, end it, take its words away.

use super::House;
use crate::kernel::{At, Cause, Decision, Digest, MatterId, Seq, Why};
use crate::matter::{self, Pause, Status};
use crate::{Event, Refusal, ask};

impl House {
    pub(super) fn pause(&self, at: At, matter: MatterId, why: Pause) -> Result<Vec<Event>, Refusal> {
        let case = self.find(matter)?;
        match case.status() {
            Status::Running => {
                let mut flow = self.flow(at, case);
                flow.put(Event::Matter(matter::Event::Paused { matter, why }));
                Ok(flow.done())
            }
            Status::Paused(_) | Status::Settled(_) => {
                Err(wrong(matter, case.status(), "only a running matter can rest"))
            }
        }
    }

    pub(super) fn resume(&self, at: At, matter: MatterId) -> Result<Vec<Event>, Refusal> {
        let case = self.find(matter)?;
        match case.status() {
            Status::Paused(Pause::BetweenRounds) => {
                Err(wrong(matter, case.status(), "`continue` holds its next round"))
            }
            Status::Paused(Pause::NeedsContext) if !case.dossier.pending().is_empty() => {
                Err(Refusal::ContextPending { matter, pending: case.dossier.pending() })
            }
            Status::Paused(Pause::Operator | Pause::Interrupted | Pause::NeedsContext) => {
                let mut flow = self.flow(at, case);
                flow.put(Event::Matter(matter::Event::Resumed { matter }));
                let open: Vec<_> =
                    case.asks().iter().map(|(id, ask)| (*id, flow.renewed_until(ask))).collect();
                for (ask, until) in open {
                    flow.put(Event::Ask(ask::Event::Renewed { ask, until }));
                }
                match case.status() {
                    Status::Paused(Pause::NeedsContext) => flow.after_context(),
                    Status::Paused(Pause::Operator | Pause::Interrupted | Pause::BetweenRounds)
                    | Status::Running
                    | Status::Settled(_) => flow.advance(),
                }
                Ok(flow.done())
            }
            Status::Running | Status::Settled(_) => {
                Err(wrong(matter, case.status(), "only a resting matter can go on"))
            }
        }
    }

    pub(super) fn stop(&self, at: At, matter: MatterId) -> Result<Vec<Event>, Refusal> {
        let case = self.find(matter)?;
        match case.status() {
            Status::Running | Status::Paused(_) => {
                let mut flow = self.flow(at, case);
                flow.call_off(&Cause::passing(
                    "matter/stopped",
                    "the matter was stopped before an answer came",
                ));
                flow.settle(Decision::Undecided(Why::Stopped));
                Ok(flow.done())
            }
            Status::Settled(_) => Err(wrong(matter, case.status(), "it is over already")),
        }
    }

    pub(super) fn redact(
        &self,
        at: At,
        matter: MatterId,
        acts: &[(Seq, Digest)],
    ) -> Result<Vec<Event>, Refusal> {
        let case = self.find(matter)?;
        match case.status() {
            Status::Running | Status::Paused(_) => Err(wrong(matter, case.status(), "stop it first")),
            Status::Settled(_) => {
                // Once is enough for an act. One that came after, such as a late answer, may follow it.
                let before = case.redacted_by.unwrap_or_default();
                let is_due = |seq: Seq| seq >= matter.0.act && seq > before && seq <= self.seq;
                if acts.is_empty() || !acts.iter().all(|(seq, _)| is_due(*seq)) {
                    return Err(Refusal::NothingToRedact { matter });
                }
                let mut flow = self.flow(at, case);
                flow.put(Event::Matter(matter::Event::Redacted { matter }));
                Ok(flow.done())
            }
        }
    }
}

pub(super) fn wrong(matter: MatterId, status: Status, needs: &'static str) -> Refusal {
    Refusal::WrongStatus { matter, status: status.word().into(), needs }
}
