//! What the house puts before a seat in its turn, as far as simulated seats react to it.

use synod_core::house::Case;
use synod_core::kernel::Choice;

use super::SimulatedHouse;
use super::seat::Told;

/// What a seat has before it.
pub(super) fn told(
    stage: &SimulatedHouse,
    case: &Case,
    place: usize,
    _features: &[&str],
    _voting: bool,
) -> Told {
    let ordered = case.ordered(&stage.seats[place]).map(|side| side == Choice::Yes);
    Told { ordered, ..Told::default() }
}

/// How many consensus breaks a matter had.
pub(super) fn breaks(_case: &Case) -> u32 {
    0
}
