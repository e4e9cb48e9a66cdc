//! The one leak test: random matters, readers and charters, and every way out.
//!
//! Every topic, name, contribution, vote, question and refused command carries a word that stands nowhere else. What
//! comes out of every way is searched for all of them, and each that is there must be one that `may_see` lets this
//! reader see now. Every way must have shown something and kept something back, and `ways` lists all there are: whoever
//! adds a route, a form of export or a command adds it there, or the test fails.

mod councils;
mod ledger;
mod oracle;
mod rings;
mod stage;
mod ways;

use std::sync::atomic::Ordering;

use crate::houses::finish;
use stage::Stage;

/// A small generator that always rolls the same.
pub(crate) struct Dice(u64);

impl Dice {
    fn roll(&mut self, sides: u64) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0 % sides
    }

    fn pick<'a, T>(&mut self, from: &'a [T]) -> &'a T {
        &from[self.roll(from.len() as u64) as usize]
    }
}

#[test]
fn nothing_comes_out_that_the_lens_keeps_back() {
    let mut dice = Dice(0x9E37_79B9_7F4A_7C15);
    let mut stage = Stage::set(3);
    ways::lists_every_command(&stage.place);
    let free = usize::MAX / 2;
    stage.permits.store(free, Ordering::SeqCst);
    let mut terminals = councils::hold_here(&mut stage.ledger, &mut dice, &stage.server, 0, false);
    for mode in 0..4 {
        terminals &= councils::hold_here(&mut stage.ledger, &mut dice, &stage.server, mode, true);
    }
    stage.permits.store(0, Ordering::SeqCst);
    stage.watches();
    for round in 0..4 {
        let ring = rings::hold(&mut stage, &mut dice);
        if round == 0 {
            stage.knock_everywhere(ring);
        }
    }
    [0, 1, 2, 3, 5, 6].into_iter().for_each(|mode| councils::hold(&mut stage, &mut dice, mode));
    councils::look_at_briefs(&stage.place, &stage.server, &mut stage.ledger);
    let Stage { ledger, service, place, .. } = stage;
    stage::end(service);
    finish(place);
    ledger.is_no_idle_check(&ways::all(terminals));
}
