//! Every session ends: left to the clock, each deadline brings it nearer, and there are only so many.

use synod_core::Command;
use synod_core::kernel::Actor;
use synod_core::matter::Status;

use crate::world::World;

/// Lets a ring rest no longer and the clock run until nothing is due. `step` does what is done.
pub(in crate::ring) fn run_out(world: &mut World, mut step: impl FnMut(&mut World, Actor, Command)) {
    let matter = world.matter();
    if let Status::Paused(_) = world.house.case(matter).unwrap().status() {
        step(world, Actor::Operator, Command::Resume { matter });
    }
    for _ in 0..1000 {
        let Some(due) = world.house.next_deadline() else { return };
        world.now = world.now.max(due);
        step(world, Actor::Engine, Command::Tick);
    }
    panic!("the clock does not end it");
}
