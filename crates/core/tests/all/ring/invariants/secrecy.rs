//! What a participant is shown holds no ask of another's, no vote before the ballot is closed, and, while
//! proposals are asked for, none but its own.

use synod_core::Task;
use synod_core::view::Report;

use super::super::sessions::IN_VOTES;
use super::{Invariant, Step};

pub(super) struct Secrecy;

impl Invariant for Secrecy {
    fn holds(&mut self, step: &Step<'_>) {
        if !step.changed() {
            return;
        }
        let seed = step.seed;
        for case in step.house.cases() {
            let closed = case.ballots.last().is_none_or(|ballot| ballot.result.is_some());
            if !closed {
                let shown = serde_json::to_string(&Report::of(case)).unwrap();
                assert!(!shown.contains(IN_VOTES), "seed {seed}: a vote shows in the report");
            }
            for shown in step.sheets() {
                let id = &shown.ask;
                let ask = &case.asks()[id];
                assert!(shown.ask == *id && Some(&shown.who) == ask.who(), "seed {seed}");
                let others = case.asks().keys().filter(|other| *other != id);
                for other in others {
                    let named = format!("(id {other})");
                    assert!(!shown.prompt.contains(&named), "seed {seed}: {other} is another's");
                }
                assert!(!shown.prompt.contains(IN_VOTES), "seed {seed}: a vote shows in a turn");
                if ask.task() == Some(Task::Propose) {
                    let foreign =
                        case.ring().unwrap().1.table.proposals.iter().filter(|put| !ask.is_of(&put.who));
                    for put in foreign {
                        let named = format!("(id {})", put.id);
                        assert!(!shown.prompt.contains(&named), "seed {seed}: another's proposal shows");
                    }
                }
            }
        }
    }
}
