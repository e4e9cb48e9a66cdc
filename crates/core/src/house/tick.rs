//! Time passes: what is overdue lapses.

use super::House;
use super::flow::Flow;
use crate::kernel::{At, Cause, Decision, Why};
use crate::matter::Status;
use crate::{Event, Task};

impl House {
    pub(super) fn tick(&self, at: At) -> Vec<Event> {
        let mut events = Vec::new();
        let due = |case: &&super::Case| case.next_deadline().is_some_and(|due| due <= at);
        for case in self.live().filter(due) {
            let mut flow = Flow::new(self, events.len(), at, case.clone());
            let running = case.status() == Status::Running;
            if running && case.time_limit().is_some_and(|limit| limit <= at) {
                flow.call_off(&Cause::passing(
                    "matter/time",
                    "the matter's time ran out before an answer came",
                ));
                flow.settle(Decision::Undecided(Why::Time));
            } else {
                let overdue = case.asks().iter().filter(|(_, ask)| ask.until <= at);
                for (id, ask) in overdue {
                    let cause = match (ask.task, ask.begun) {
                        (Task::Join, _) => Cause::passing("ring/not-joined", "did not join in time"),
                        (Task::Vote { .. }, _) if case.charter.ring.is_some() => {
                            Cause::passing("ring/vote-late", "not all proposals were voted on in time")
                        }
                        (_, true) => late(case.limit_ms(&ask.who)),
                        (_, false) if case.charter.ring.is_some() => undelivered(),
                        (_, false) => unperformed(),
                    };
                    flow.lapse(*id, cause);
                }
                flow.advance();
            }
            events.extend(flow.done());
        }
        events.extend(self.look_at_the_clock(at, events.len()));
        events
    }
}

fn late(limit_ms: u64) -> Cause {
    Cause::passing("ask/late", format!("no answer within {}.{:01} s", limit_ms / 1000, limit_ms % 1000 / 100))
}

fn undelivered() -> Cause {
    Cause::passing("ask/undelivered", "the turn was never fetched and acknowledged")
}

fn unperformed() -> Cause {
    Cause::passing("ask/unperformed", "nobody began to perform it in time")
}
