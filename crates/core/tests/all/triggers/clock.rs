//! Pending decisions and the clock.

use expect_test::expect;
use synod_core::Command;
use synod_core::kernel::{Actor, At};

use super::CALM;
use crate::calls::{check_calls, house};
use crate::world::START;

#[test]
fn pending_decisions_are_looked_through_when_asked() {
    check_calls(
        CALM,
        "call scheduled
         sees ann needs which queue
         call scheduled
         sees bob needs which region
         sees bob needs which owner
         sees bob decided Which Owner
         call scheduled
         call scheduled
         sees bob needs which owner
         wait 1799999ms
         sees ann needs when to ship
         sees bob reads a.rs
         call scheduled
         wait 1ms
         call scheduled",
        expect![[r#"
            > call scheduled
            declined scheduled: nothing waits for a decision
            > sees ann needs which queue
            > call scheduled
            declined scheduled: 1 agent active, 2 are needed
            > sees bob needs which region
            > sees bob needs which owner
            > sees bob decided Which Owner
            > call scheduled
            opened ring-quick for ann bob: Which of the pending decisions should be made now, and how?
            fired scheduled low, rests until 30:00, opened m17
            taken which queue, which region
            > call scheduled
            declined scheduled: nothing waits for a decision
            > sees bob needs which owner
            > wait 1799999ms
            > sees ann needs when to ship
            > sees bob reads a.rs
            > call scheduled
            declined scheduled: rests until 30:00
            > wait 1ms
            > call scheduled
            opened ring-quick for ann bob: Which of the pending decisions should be made now, and how?
            fired scheduled low, rests until 60:00, opened m25
            taken when to ship, which owner
        "#]],
    );
}

#[test]
fn pending_decisions_are_looked_through_by_the_clock_while_agents_are_active() {
    check_calls(
        "[trigger.scheduled]\non = true\n[monitor.stalled_progress]\non = false",
        "wait 1799s
         sees ann needs which queue
         wait 1s
         wait 1799s
         sees ann reads a.rs
         sees bob reads a.rs
         wait 999ms
         wait 1ms
         wait 9000s
         sees ann reads a.rs
         wait 1s",
        expect![[r#"
            > wait 1799s
            > sees ann needs which queue
            > wait 1s
            declined scheduled: 1 agent active, 2 are needed
            > wait 1799s
            > sees ann reads a.rs
            > sees bob reads a.rs
            > wait 999ms
            > wait 1ms
            opened ring-quick for ann bob: Which of the pending decisions should be made now, and how?
            fired scheduled low, rests until 90:00, opened m18
            taken which queue
            > wait 9000s
            > sees ann reads a.rs
            > wait 1s
            declined scheduled: nothing waits for a decision
        "#]],
    );
}

#[test]
fn the_clock_is_only_looked_at_when_there_is_something_to_see() {
    let mut off = house("");
    assert_eq!(off.house.next_deadline(), None);
    off.step("sees ann progresses");
    assert_eq!(off.house.next_deadline(), Some(START.plus(300_000)), "a stall is due");
    off.step("sees ann done");
    assert_eq!(off.house.next_deadline(), None);

    let mut on = house("[trigger.scheduled]\non = true");
    assert_eq!(on.house.next_deadline(), None, "nobody is active");
    on.now = START.plus(1_500_000);
    on.step("sees ann reads a.rs");
    assert_eq!(on.house.next_deadline(), Some(START.plus(1_800_000)));
    on.step("wait 300s");
    assert_eq!(on.house.next_deadline(), None, "by then nobody will have been seen lately");
}

/// A deadline that a tick does not settle would be due for ever.
#[test]
fn every_deadline_is_settled_by_a_tick_however_late() {
    for late in [0, 1, 299_999, 300_000, 300_001, 86_400_000] {
        let mut world = house("[trigger.scheduled]\non = true");
        for line in ["sees ann writes a.rs", "sees bob progresses", "sees cy needs which queue"] {
            world.step(line);
        }
        for _ in 0..10 {
            let Some(due) = world.house.next_deadline() else { break };
            world.now = At(world.now.0.max(due.0)).plus(late);
            let before = world.house.next_deadline();
            world.submit(Actor::Engine, Command::Tick);
            assert_ne!(world.house.next_deadline(), before, "{late} ms late");
        }
    }
}
