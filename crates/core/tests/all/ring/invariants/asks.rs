//! Every ask is open or was closed once: answered, given back or lapsed.

use std::collections::BTreeMap;

use synod_core::kernel::{AskId, Id};
use synod_core::{Event, ask, ballot, floor};

use super::{Invariant, Step};

/// How each ask was closed; `None` while it is open.
#[derive(Default)]
pub(super) struct Asks(BTreeMap<AskId, Option<&'static str>>);

impl Invariant for Asks {
    fn holds(&mut self, step: &Step<'_>) {
        for (nth, event) in step.act.events().iter().enumerate() {
            let id = AskId(Id { act: step.act.seq, nth: nth as u16 });
            match event {
                Event::Floor(floor::Event::Called { .. })
                | Event::Ask(ask::Event::Opened { .. })
                | Event::Ballot(ballot::Event::Asked { .. }) => drop(self.0.insert(id, None)),
                Event::Floor(floor::Event::Released { ask }) => self.close(step, *ask, "released"),
                Event::Floor(floor::Event::Skipped { ask, .. }) => self.close(step, *ask, "skipped"),
                Event::Ask(ask::Event::Met { ask }) => self.close(step, *ask, "met"),
                Event::Ask(ask::Event::Lapsed { ask, .. }) => self.close(step, *ask, "lapsed"),
                _ => (),
            }
        }
        let open: Vec<AskId> = step.house.cases().flat_map(|case| case.asks().keys().copied()).collect();
        let left: Vec<AskId> =
            self.0.iter().filter(|(_, closed)| closed.is_none()).map(|(id, _)| *id).collect();
        assert_eq!(open, left, "seed {}: an ask is neither open nor closed", step.seed);
    }
}

impl Asks {
    fn close(&mut self, step: &Step<'_>, ask: AskId, how: &'static str) {
        let before = self.0.insert(ask, Some(how));
        assert_eq!(before, Some(None), "seed {}: {ask} was {how}, and before that {before:?}", step.seed);
    }
}
