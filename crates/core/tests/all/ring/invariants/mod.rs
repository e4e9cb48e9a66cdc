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

use std::cell::OnceCell;

use synod_core::kernel::Actor;
use synod_core::view::TurnSheet;
use synod_core::{Act, House};

/// One step: what the house was, what was done, what it is.
pub(super) struct Step<'a> {
    pub(super) seed: u64,
    pub(super) before: &'a House,
    pub(super) act: &'a Act,
    pub(super) house: &'a House,
    sheets: OnceCell<Vec<TurnSheet>>,
}

impl<'a> Step<'a> {
    pub(super) fn new(seed: u64, before: &'a House, act: &'a Act, house: &'a House) -> Self {
        Self { seed, before, act, house, sheets: OnceCell::new() }
    }

    /// Whether there is anything to look at that was not there before. Views follow from the house alone.
    fn changed(&self) -> bool {
        !self.act.events().is_empty()
    }

    /// What everyone is shown who is asked something.
    fn sheets(&self) -> &[TurnSheet] {
        let asked = || self.house.cases().flat_map(|case| case.asks().keys().map(move |ask| (case, *ask)));
        let sheet = |(case, ask)| TurnSheet::of(case, ask).expect("every ask of a ring can be shown");
        self.sheets.get_or_init(|| asked().map(sheet).collect())
    }
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

/// All of them, for a ring that is opened in this house.
pub(super) fn all(house: &House) -> All {
    All(vec![
        Box::new(replay::Replay(house.clone())),
        Box::new(holder::OneHolder),
        Box::new(votes::OneVoteEach),
        Box::new(asks::Asks::default()),
        Box::new(turns::Turns::default()),
        Box::new(contributions::OfTheHolder),
        Box::new(phases::Forward::default()),
        Box::new(refusals::ChangeNothing),
        Box::new(views::Views),
        Box::new(secrecy::Secrecy),
    ])
}

/// Who did it, if a participant did.
fn participant(act: &Act) -> Option<&synod_core::kernel::Who> {
    match &act.by {
        Actor::Seat(who) => Some(who),
        Actor::Operator | Actor::Engine => None,
    }
}
