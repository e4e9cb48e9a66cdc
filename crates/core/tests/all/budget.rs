//! The budget: reserved before the call, judged by one writer, closed when in doubt.

use synod_core::kernel::{Actor, Call, Nano, Usage};
use synod_core::matter::Pause;
use synod_core::meter::{Limits, Worst};
use synod_core::{Command, Outcome};

use crate::world::{World, source, who};

fn code(world: &mut World, name: &str, worst: Worst) -> String {
    let ask = world.ask_of(name).unwrap();
    match &world.submit(Actor::Engine, Command::Begin { ask, patience_ms: None, worst }).outcome {
        Outcome::Done(_) => "ok".into(),
        Outcome::Refused { code, .. } => code.clone(),
    }
}

fn worst(usd: &str) -> Worst {
    Worst { tokens: 100, cost: Nano::parse_usd(usd).ok() }
}

fn world(limits: Limits) -> World {
    let mut world = World::new();
    world.open(&source("blind-vote"), "cache", &[], &["ann", "bob", "cy"], limits);
    world
}

#[test]
fn waiting_callers_cannot_overdraw_together() {
    let mut world = world(Limits { cost: Nano::parse_usd("0.10").ok(), ..Limits::default() });
    assert_eq!(code(&mut world, "ann", worst("0.06")), "ok");
    assert_eq!(code(&mut world, "bob", worst("0.06")), "budget/cost");
    assert_eq!(code(&mut world, "bob", worst("0.04")), "ok");
    assert_eq!(code(&mut world, "cy", worst("0.000000001")), "budget/cost");
}

#[test]
fn an_unknown_price_fails_closed_only_when_money_is_limited() {
    let unknown = Worst { tokens: 1, cost: None };
    assert_eq!(
        code(&mut world(Limits { cost: Nano::parse_usd("9").ok(), ..Limits::default() }), "ann", unknown),
        "budget/price-unknown"
    );
    assert_eq!(code(&mut world(Limits { calls: Some(1), ..Limits::default() }), "ann", unknown), "ok");
}

#[test]
fn what_was_really_spent_replaces_what_was_reserved() {
    let mut world = world(Limits { cost: Nano::parse_usd("0.10").ok(), ..Limits::default() });
    assert_eq!(code(&mut world, "ann", worst("0.09")), "ok");
    let ask = world.ask_of("ann").unwrap();
    let usage = Usage {
        calls: 1,
        cost: Nano::parse_usd("0.01").ok(),
        tokens_in: Some(5),
        tokens_out: Some(5),
        ..Usage::default()
    };
    let call = Box::new(Call { usage, ..Call::default() });
    world.submit(
        Actor::Seat(who("ann")),
        Command::Answer { ask, salt: None, text: "{\"stance\":\"YES\"}".into(), call },
    );
    assert_eq!(code(&mut world, "bob", worst("0.09")), "ok");
    assert_eq!(code(&mut world, "cy", worst("0.01")), "budget/cost");
}

#[test]
fn a_call_whose_end_is_unknown_stays_counted() {
    let mut world = world(Limits { calls: Some(2), ..Limits::default() });
    assert_eq!(code(&mut world, "ann", worst("0")), "ok");
    let matter = world.matter();
    world.submit(Actor::Engine, Command::Pause { matter, why: Pause::Interrupted });
    world.submit(Actor::Operator, Command::Resume { matter });
    assert_eq!(code(&mut world, "ann", worst("0")), "ok");
    assert_eq!(code(&mut world, "bob", worst("0")), "budget/calls");
    let case = world.house.case(matter).unwrap();
    assert_eq!(case.meter.lost().calls, 1);
}

#[test]
fn tokens_and_time_are_limited_too() {
    let mut tokens = world(Limits { tokens: Some(150), ..Limits::default() });
    assert_eq!(code(&mut tokens, "ann", worst("0")), "ok");
    assert_eq!(code(&mut tokens, "bob", worst("0")), "budget/tokens");

    let mut time = world(Limits { time_ms: Some(60_000), ..Limits::default() });
    time.now = time.now.plus(60_000);
    time.submit(Actor::Engine, Command::Tick);
    assert_eq!(time.house.cases().next().unwrap().status().word(), "undecided");
}

#[test]
fn what_a_server_does_not_report_stays_counted_at_its_worst() {
    let mut world = world(Limits { cost: Nano::parse_usd("0.10").ok(), ..Limits::default() });
    assert_eq!(code(&mut world, "ann", worst("0.06")), "ok");
    let ask = world.ask_of("ann").unwrap();
    let call = Box::new(Call { usage: Usage { calls: 1, ..Usage::default() }, ..Call::default() });
    world.submit(
        Actor::Seat(who("ann")),
        Command::Answer { ask, salt: None, text: "{\"stance\":\"YES\"}".into(), call },
    );
    assert_eq!(
        code(&mut world, "bob", worst("0.05")),
        "budget/cost",
        "nobody said that ann's call was cheaper"
    );
    assert_eq!(code(&mut world, "bob", worst("0.04")), "ok");
}
