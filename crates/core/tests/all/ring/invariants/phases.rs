//! Phases follow each other in their order, each is really entered, and a ring ends once.

use synod_core::kernel::Decision;
use synod_core::{Event, matter, table};

use super::{Invariant, Step};

const ORDER: [&str; 5] = ["GATHERING", "PROPOSING", "DISCUSSING", "CONVERGING", "VOTING"];

/// How many phases were entered, and whether it is over.
#[derive(Default)]
pub(super) struct Forward {
    entered: usize,
    over: bool,
}

impl Invariant for Forward {
    fn holds(&mut self, step: &Step<'_>) {
        let seed = step.seed;
        for event in step.act.events() {
            match event {
                Event::Table(table::Event::PhaseEntered { phase, .. }) => {
                    assert!(!self.over, "seed {seed}: a phase after the end");
                    assert_eq!(phase.word(), ORDER[self.entered], "seed {seed}: a phase was left out");
                    self.entered += 1;
                }
                Event::Matter(matter::Event::Settled { decision, .. }) => {
                    assert!(!self.over, "seed {seed}: it ended twice");
                    self.over = true;
                    let voted = matches!(decision, Decision::Passed { .. } | Decision::Rejected);
                    assert!(!voted || self.entered == ORDER.len(), "seed {seed}: decided without a vote");
                }
                Event::Table(_) | Event::Floor(_) | Event::Ballot(_) => {
                    assert!(!self.over, "seed {seed}: something happened after the end");
                }
                _ => (),
            }
        }
        for case in step.house.cases() {
            let word = case.phase_word();
            let ends = ["COMMITTED", "ABORTED", "DEFERRED"];
            assert_eq!(ends.contains(&word), self.over, "seed {seed}: {word}");
            assert!(self.over || word == ORDER[self.entered - 1], "seed {seed}: {word}");
        }
    }
}
