//! n seats and r rounds never give more than n·r turns, and nobody has two in one round.

use std::collections::BTreeSet;

use synod_core::kernel::Who;
use synod_core::{Event, floor};

use super::{Invariant, Step};

#[derive(Default)]
pub(super) struct Turns(BTreeSet<(u32, Who)>);

impl Invariant for Turns {
    fn holds(&mut self, step: &Step<'_>) {
        let seed = step.seed;
        for event in step.act.events() {
            if let Event::Floor(floor::Event::Called { matter, round, who, .. }) = event {
                let new = self.0.insert((*round, who.clone()));
                assert!(new, "seed {seed}: {who} was called twice in round {round}");
                let case = step.house.case(*matter).unwrap();
                let most = case.opening.seats.len() as u64 * case.charter.rounds().1;
                assert!(self.0.len() as u64 <= most, "seed {seed}: more than {most} turns");
                let member = case.ring().unwrap().1.members.iter().find(|member| member.who == *who).unwrap();
                assert!(member.from_round <= *round, "seed {seed}: {who} was called before joining");
            }
        }
    }
}
