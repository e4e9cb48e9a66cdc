//! What holds after every step of every ring, one invariant to a file.
//!
//! To add one: a file here with a type of its own, its line in [`all`].

mod asks;
mod contributions;
pub(super) mod ends;
mod holder;
mod phases;
pub(super) mod redaction;
mod refusals;
mod replay;
mod secrecy;
mod turns;
mod views;
mod votes;

use synod_core::kernel::Actor;
use synod_core::{Act, House};

/// One step: what the house was, what was done, what it is.
pub(super) struct Step<'a> {
    pub(super) seed: u64,
    pub(super) before: &'a House,
    pub(super) act: &'a Act,
    pub(super) house: &'a House,
}

/// Something that always holds. It may remember what it saw.
trait Invariant {
    fn holds(&mut self, step: &Step<'_>);
}

/// All invariants of one ring.
pub(super) struct All(Vec<Box<dyn Invariant>>);

impl All {
    pub(super) fn hold(&mut self, step: &Step<'_>) {
        self.0.iter_mut().for_each(|invariant| invariant.holds(step));
    }
}

/// All of them, told of the acts that came before the first step.
pub(super) fn all(acts: &[Act], seed: u64) -> All {
    let mut all = All(vec![
        Box::new(replay::Replay::default()),
        Box::new(holder::OneHolder),
        Box::new(votes::OneVoteEach),
        Box::new(asks::Asks::default()),
        Box::new(turns::Turns::default()),
        Box::new(contributions::OfTheHolder),
        Box::new(phases::Forward::default()),
        Box::new(refusals::ChangeNothing),
        Box::new(views::Views),
        Box::new(secrecy::Secrecy),
    ]);
    let mut before = House::default();
    for act in acts {
        let mut house = before.clone();
        house.evolve(act);
        all.hold(&Step { seed, before: &before, act, house: &house });
        before = house;
    }
    all
}

/// Who did it, if a participant did.
fn participant(act: &Act) -> Option<&synod_core::kernel::Who> {
    match &act.by {
        Actor::Seat(who) => Some(who),
        Actor::Operator | Actor::Engine => None,
    }
}
