//! Who takes part, and what is not judged at all.

use expect_test::expect;
use synod_core::command::ConfigureTriggers;
use synod_core::kernel::{Actor, Digest};
use synod_core::monitor::{PATH_MOST, PENDING_MOST};
use synod_core::regulation::Regulation;
use synod_core::trigger::Charters;
use synod_core::{Command, Outcome};

use super::CALM;
use crate::calls::{check_calls, house};
use crate::world::{World, who};

#[test]
fn who_takes_part() {
    check_calls(
        CALM,
        "call user alone with ann
         call user nobody
         sees cy reads a.rs
         sees dee reads a.rs
         call user everybody-active
         call agent ann 0.7 unclear_requirements
         wait 600s
         call user still-active
         wait 1ms
         call user too-late",
        expect![[r#"
            > call user alone with ann
            fired user normal, opened nothing: a council needs 2 participants: name them, or let agents be seen at work
            > call user nobody
            fired user normal, opened nothing: a council needs 2 participants: name them, or let agents be seen at work
            > sees cy reads a.rs
            > sees dee reads a.rs
            > call user everybody-active
            opened ring-default for cy dee: everybody-active
            fired user normal, opened m15
            > call agent ann 0.7 unclear_requirements
            opened ring-default for ann cy dee: ann asks for a decision: unclear_requirements
            fired agent unclear_requirements normal, rests until 1:00, opened m16
            > wait 600s
            > call user still-active
            opened ring-default for cy dee: still-active
            fired user normal, opened m18
            > wait 1ms
            > call user too-late
            fired user normal, opened nothing: a council needs 2 participants: name them, or let agents be seen at work
        "#]],
    );
}

#[test]
fn what_is_refused() {
    check_calls(
        "",
        "call user
         call user twice with ann ann
         call user stranger with ann zoe
         call agent zoe 0.9 security_concern with ann bob
         call agent ann 0.9 with bob
         call by ann user lunch with ann bob
         call by ann agent bob 0.9 security_concern with ann
         call by ann checkpoint security_change with ann bob
         call by ann scheduled
         sees zoe writes a.rs
         sees ann writes
         sees ann thinks x:
         sees ann finds : y
         sees ann! writes a.rs",
        expect![[r#"
            > call user
            refused trigger/malformed: a user trigger needs a topic: say what the council shall decide
            > call user twice with ann ann
            refused roster/seat-twice: `ann` is named twice: two spellings of a name are one participant
            > call user stranger with ann zoe
            refused roster/unknown-seat: `zoe` is not enrolled in this house
            > call agent zoe 0.9 security_concern with ann bob
            refused roster/unknown-seat: `zoe` is not enrolled in this house
            > call agent ann 0.9 with bob
            refused trigger/malformed: the reason of the trigger is empty
            > call by ann user lunch with ann bob
            refused house/not-allowed: seat:ann may not give this command
            > call by ann agent bob 0.9 security_concern with ann
            refused house/not-allowed: seat:ann may not give this command
            > call by ann checkpoint security_change with ann bob
            refused house/not-allowed: seat:ann may not give this command
            > call by ann scheduled
            refused house/not-allowed: seat:ann may not give this command
            > sees zoe writes a.rs
            refused roster/unknown-seat: `zoe` is not enrolled in this house
            > sees ann writes
            refused monitor/malformed: the path of the observation is empty: say what was seen
            > sees ann thinks x:
            refused monitor/malformed: the text of the observation is empty: say what was seen
            > sees ann finds : y
            refused monitor/malformed: the subject of the observation is empty: say what was seen
            > sees ann! writes a.rs
        "#]],
    );
}

#[test]
fn nobody_reports_of_another_and_the_engine_of_nobody() {
    let mut world = house("");
    let act = world.seen_by(Actor::Seat(who("ann")), "bob", "writes a.rs").clone();
    assert!(
        matches!(act.outcome, Outcome::Refused { ref code, .. } if code == "house/not-allowed"),
        "{act:?}"
    );
    let act = world.seen_by(Actor::Engine, "bob", "writes a.rs").clone();
    assert!(
        matches!(act.outcome, Outcome::Refused { ref code, .. } if code == "house/not-allowed"),
        "{act:?}"
    );
}

#[test]
fn a_house_without_numbers_judges_nothing() {
    let mut world = World::new();
    world.submit(Actor::Operator, Command::Enrol { seat: crate::world::seat("ann") });
    let refused = |act: &synod_core::Act| match &act.outcome {
        Outcome::Refused { code, .. } => code.clone(),
        Outcome::Done(_) => panic!("{act:?}"),
    };
    assert_eq!(refused(world.sees("ann writes a.rs")), "trigger/not-configured");
    assert_eq!(refused(world.calls("user x with ann bob")), "trigger/not-configured");
    let shipped = Regulation::shipped();
    let digest = Digest::of(b"no charter");
    let charters = Charters { critical: digest, high: digest, low: digest, normal: digest };
    let regulate = ConfigureTriggers { charters, monitor: shipped.monitor, trigger: shipped.trigger };
    let act = world.submit(Actor::Operator, Command::ConfigureTriggers(Box::new(regulate)));
    assert_eq!(refused(act), "charter/unknown");
}

#[test]
fn numbers_that_hold_already_are_no_event() {
    let mut world = house("");
    assert!(world.regulate("").events().is_empty());
    assert_eq!(world.regulate("[trigger.user]\ncooldown_ms = 5000").events().len(), 1);
    assert_eq!(world.house.triggers().rules().unwrap().user.cooldown_ms, 5000);
    world.step("call user x with ann bob");
    let act = world.step("call user x with ann bob");
    assert!(format!("{act:?}").contains("Resting"), "a person waits where the house says so");
}

#[test]
fn lengths_are_counted_and_told() {
    let mut world = house("");
    let path = "x".repeat(PATH_MOST + 1);
    let act = world.sees(&format!("ann writes {path}")).clone();
    let told = "the path of the observation has 1001 characters, at most 1000 are kept: shorten it";
    assert!(matches!(act.outcome, Outcome::Refused { ref message, .. } if message == told), "{act:?}");
    for nth in 0..PENDING_MOST {
        world.step(&format!("sees ann needs decision {nth}"));
    }
    let act = world.step("sees ann needs one more");
    assert!(matches!(act.outcome, Outcome::Refused { ref code, .. } if code == "monitor/too-many-pending"));
    world.step("sees ann needs Decision 7");
    assert_eq!(world.house.monitor().pending().len(), PENDING_MOST, "the same in other letters is the same");
}
