//! Turns that are not one's own, are full or are over.

use expect_test::expect;
use synod_core::ballot::Grade;
use synod_core::procedure::ring::{Action, Remark};

use super::{ONE_ROUND, TWO, last, part};
use crate::ring::{at, played};
use crate::world::check;

#[test]
fn floor_not_holder_for_a_word_a_release_and_a_skip() {
    for (phase, tried) in [
        ("DISCUSSING", "bob: @ann say me first"),
        ("DISCUSSING", "bob: @ann release"),
        ("DISCUSSING", "bob: @ann skip"),
        ("DISCUSSING", "bob: @ann ack"),
        ("PROPOSING", "bob: @ann propose Forged: in ann's name"),
    ] {
        last(
            &at(phase, TWO, tried),
            expect!["floor/not-holder: bob does not have the floor: it is ann's turn"],
        );
    }
}

#[test]
fn floor_turn_full() {
    let eight: String = (1..=8).map(|nth| format!("ann: say+ word {nth}\n")).collect();
    last(
        &at("DISCUSSING", TWO, &format!("{eight}ann: say one more")),
        expect!["floor/turn-full: turn 9.3 already has 8 contributions: release the floor"],
    );
    last(
        &at("DISCUSSING", TWO, &format!("{eight}ann: react A agree")),
        expect!["floor/turn-full: turn 9.3 already has 8 contributions: release the floor"],
    );
}

#[test]
fn ask_not_open_for_a_double_a_late_and_an_unknown_word() {
    check(
        &at(
            "DISCUSSING",
            TWO,
            "ann: @9999 say unknown
             ann: say one
             ann: @9.3 say twice
             wait 120s
             bob: @11.2 say late",
        ),
        expect![[r#"
            > ann: @9999 say unknown
            refused ask/not-open: ask 9999 is not open: it was answered, has lapsed or never existed
            > ann: say one
            ann said opinion
            released
            called bob until 2:00
            > ann: @9.3 say twice
            refused ask/not-open: ask 9.3 is not open: it was answered, has lapsed or never existed
            > wait 120s
            lapsed: ask/undelivered (the turn was never fetched and acknowledged)
            round 1 closed: 1 answered, 1 lapsed
            round 2 opened
            called ann until 4:00
            > bob: @11.2 say late
            refused ask/not-open: ask 11.2 is not open: it was answered, has lapsed or never existed
        "#]],
    );
}

#[test]
fn ask_not_open_when_the_time_is_up_though_no_clock_has_ticked() {
    let mut world = played(&at("DISCUSSING", TWO, ""));
    let ask = world.ask_of("ann").unwrap();
    world.now = world.now.plus(120_000);
    let say = |ask| Action::Say { ask, keep: false, kind: Remark::Opinion, text: "late".into(), to: None };
    part(
        &mut world,
        "ann",
        say(ask),
        expect!["ask/not-open: ask 9.3 is not open: it was answered, has lapsed or never existed"],
    );
    part(
        &mut world,
        "ann",
        Action::Acknowledge { ask },
        expect!["ask/not-open: ask 9.3 is not open: it was answered, has lapsed or never existed"],
    );
    let mut world = played(&at("DISCUSSING", ONE_ROUND, "ann: say a\nbob: amend A Put two before it."));
    let amendment =
        world.house.case(world.matter()).unwrap().ring().unwrap().1.table.proposals[0].amendments[0].id;
    world.now = world.now.plus(120_000);
    part(
        &mut world,
        "ann",
        Action::Rule { accept: true, amendment, why: None },
        expect!["ask/not-open: ask 11.5 is not open: it was answered, has lapsed or never existed"],
    );
}

#[test]
fn a_vote_after_the_deadline_is_refused_though_no_clock_has_ticked() {
    let mut world = played(&at("VOTING", "ring-critical cache ann bob rounds=1", "ann: vote A approve"));
    let proposal = world.house.case(world.matter()).unwrap().ring().unwrap().1.table.proposals[0].id;
    let vote = |grade| Action::Vote {
        changes: Vec::new(),
        conditions: Vec::new(),
        grade,
        proposal,
        rationale: None,
        salt: None,
    };
    world.now = world.now.plus(60_000);
    part(
        &mut world,
        "bob",
        vote(Grade::Approve),
        expect!["ring/wrong-phase: matter m5 is in VOTING: the time to vote is up"],
    );
    part(
        &mut world,
        "ann",
        vote(Grade::Reject),
        expect!["ring/wrong-phase: matter m5 is in VOTING: the time to vote is up"],
    );
}
