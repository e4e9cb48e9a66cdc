//! At most one has the floor, and only while the ring talks.

use synod_core::Task;
use synod_core::table::Phase;
use synod_core::view::Session;

use super::{Invariant, Step};

pub(super) struct OneHolder;

impl Invariant for OneHolder {
    fn holds(&mut self, step: &Step<'_>) {
        if !step.changed() {
            return;
        }
        for case in step.house.cases() {
            let speaking = case.asks().values().filter(|ask| matches!(ask.task(), Some(Task::Speak { .. })));
            let holders: Vec<_> = speaking.filter_map(|ask| ask.who().cloned()).collect();
            assert!(holders.len() <= 1, "seed {}: {holders:?} have the floor", step.seed);
            let talking = matches!(case.phase(), Some(Phase::Discussing));
            assert!(holders.is_empty() || talking, "seed {}: a floor outside of the talk", step.seed);
            let shown = Session::of(case).and_then(|session| session.holder).map(|holder| holder.who);
            assert_eq!(shown.as_ref(), holders.first(), "seed {}", step.seed);
            for who in &holders {
                let here = case.ring().unwrap().1.is_member(who) && !case.absent.contains_key(who);
                assert!(here, "seed {}: {who} has the floor and is not there", step.seed);
            }
        }
    }
}
