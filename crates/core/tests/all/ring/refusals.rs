//! Every refusal a ring can give. After each the house is what it was, but for the number and time of the act.

mod floor;
mod opening;
mod parts;
mod table;

use expect_test::Expect;
use synod_core::kernel::Actor;
use synod_core::procedure::ring::{self, Action};
use synod_core::{Act, Command, Outcome};

use super::played;
use crate::world::{World, who};

/// Gives a command that is refused, and nothing changes.
#[track_caller]
fn refuses(world: &mut World, by: Actor, command: Command, expect: Expect) {
    let before = world.house.clone();
    let act: Act = world.submit(by, command).clone();
    unchanged(before, world, &act, expect);
}

#[track_caller]
fn unchanged(mut before: synod_core::House, world: &World, act: &Act, expect: Expect) {
    match &act.outcome {
        Outcome::Refused { code, message } => expect.assert_eq(&format!("{code}: {message}")),
        Outcome::Done(events) => panic!("it was done: {events:?}"),
    }
    before.evolve(&Act { outcome: Outcome::Done(Vec::new()), ..act.clone() });
    assert!(before == world.house, "a refused command changed the house");
}

/// Plays a script whose last line is refused.
#[track_caller]
fn last(script: &str, expect: Expect) {
    let (before, line) = script.trim_end().rsplit_once('\n').unwrap();
    let mut world = played(before);
    let house = world.house.clone();
    let act = world.step(line.trim());
    unchanged(house, &world, &act, expect);
}

/// What a participant does in a world.
#[track_caller]
fn part(world: &mut World, name: &str, part: Action, expect: Expect) {
    let matter = world.matter();
    refuses(
        world,
        Actor::Seat(who(name)),
        Command::Ring(ring::Command::Participate { matter, action: part }),
        expect,
    );
}

const TWO: &str = "ring-default cache ann bob";
const ONE_ROUND: &str = "ring-default cache ann bob rounds=1";
