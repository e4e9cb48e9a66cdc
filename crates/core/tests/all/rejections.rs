//! The rejections: what edges tell of those they turned away.

use synod_core::kernel::{Actor, At};
use synod_core::rejections::{Rejection, SUMS_MOST, Way};
use synod_core::{Command, Event, Outcome, rejections};

use crate::world::{World, who};

fn sum() -> Rejection {
    Rejection {
        by: Some(Actor::Seat(who("cy"))),
        code: "token/not-owner".into(),
        count: 2,
        matter: None,
        since: At(5),
        way: Way::Http,
    }
}

/// What the house says to a report of the engine.
fn told(sums: Vec<Rejection>) -> String {
    let mut world = World::new();
    match &world.submit(Actor::Engine, Command::ReportRejections { sums }).outcome {
        Outcome::Done(events) => format!("{} events", events.len()),
        Outcome::Refused { code, message } => format!("{code}: {message}"),
    }
}

#[test]
fn a_report_is_put_down_sum_by_sum() {
    let mut world = World::new();
    let stranger = Rejection { by: None, code: "redis/signature".into(), way: Way::Redis, ..sum() };
    let act = world.submit(Actor::Engine, Command::ReportRejections { sums: vec![sum(), stranger.clone()] });
    let put_down = [sum(), stranger].map(|sum| Event::Rejections(rejections::Event::Rejected(sum)));
    assert_eq!(act.events(), put_down);
}

#[test]
fn nobody_else_tells_what_happens_at_the_door() {
    let mut world = World::new();
    for by in [Actor::Operator, Actor::Seat(who("cy"))] {
        let act = world.submit(by, Command::ReportRejections { sums: vec![sum()] });
        let Outcome::Refused { code, .. } = &act.outcome else { panic!("{act:?}") };
        assert_eq!(code, "house/not-allowed");
    }
}

#[test]
fn a_report_cannot_fill_the_record() {
    assert_eq!(told(vec![sum(); SUMS_MOST]), "64 events");
    let many = told(vec![sum(); SUMS_MOST + 1]);
    assert_eq!(many, "rejections/malformed: a report of rejections has at most 64 sums, not 65");
    assert_eq!(told(Vec::new()), "rejections/malformed: a report of rejections names at least one");
    let nothing = told(vec![Rejection { count: 0, ..sum() }]);
    assert_eq!(nothing, "rejections/malformed: `token/not-owner` is reported with a count of 0");
    for code in ["", "Token/unknown", "token unknown", "token/ünknown", &"x".repeat(65)] {
        let told = told(vec![Rejection { code: code.into(), ..sum() }]);
        assert_eq!(
            told, "rejections/malformed: a code is 1 to 64 lower-case letters, digits, `/` and `-`",
            "{code}"
        );
    }
    assert_eq!(told(vec![Rejection { code: "x".repeat(64), ..sum() }]), "1 events");
}
