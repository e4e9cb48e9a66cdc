//! Parts that are not for now, not for this participant or not for a ring.

use expect_test::expect;
use synod_core::Command;
use synod_core::kernel::{Actor, Call, Cause, Seat, SeatKind};
use synod_core::meter::Worst;
use synod_core::procedure::council::{self, Fork};
use synod_core::procedure::ring::{self, Action};

use super::{ONE_ROUND, TWO, last, part, refuses};
use crate::ring::{at, played};
use crate::world::{World, seat, source, who};

#[test]
fn ring_none() {
    let mut world = World::new();
    world.open(&source("blind-vote"), "cache", &[], &["ann"], Default::default());
    let matter = world.matter();
    part(
        &mut world,
        "ann",
        Action::Join,
        expect!["ring/none: matter m4 is not a ring: its seats answer when they are asked"],
    );
    refuses(
        &mut world,
        Actor::Operator,
        Command::Ring(ring::Command::Start { matter }),
        expect!["ring/none: matter m4 is not a ring: its seats answer when they are asked"],
    );
    refuses(
        &mut world,
        Actor::Operator,
        Command::Ring(ring::Command::Remove { matter, who: who("ann") }),
        expect!["ring/none: matter m4 is not a ring: its seats answer when they are asked"],
    );
}

#[test]
fn ring_too_few_joined() {
    last(
        &format!("{TWO}\nann: join\nstart"),
        expect!["ring/too-few-joined: 1 joined matter m5, and it needs at least 2: wait for more to join"],
    );
    last(
        &format!("{TWO}\nstart"),
        expect!["ring/too-few-joined: 0 joined matter m5, and it needs at least 2: wait for more to join"],
    );
}

#[test]
fn ring_wrong_phase() {
    last(
        &at("PROPOSING", TWO, "start"),
        expect!["ring/wrong-phase: matter m5 is in PROPOSING: a ring can be started only in GATHERING"],
    );
    last(
        &at("PROPOSING", TWO, "ann: say too early"),
        expect![
            "ring/wrong-phase: matter m5 is in PROPOSING: this needs the floor, which participants get in DISCUSSING"
        ],
    );
    last(
        &at("PROPOSING", TWO, "ann: react A agree"),
        expect![
            "ring/wrong-phase: matter m5 is in PROPOSING: this needs the floor, which participants get in DISCUSSING"
        ],
    );
    last(
        &at("DISCUSSING", TWO, "ann: vote A approve"),
        expect!["ring/wrong-phase: matter m5 is in DISCUSSING: votes are cast in VOTING"],
    );
    last(
        &at("VOTING", ONE_ROUND, "ann: say too late"),
        expect![
            "ring/wrong-phase: matter m5 is in VOTING: this needs the floor, which participants get in DISCUSSING"
        ],
    );
    last(
        &at("VOTING", ONE_ROUND, "ann: propose Late: too late"),
        expect![
            "ring/wrong-phase: matter m5 is in VOTING: make proposals in your turn, in PROPOSING or DISCUSSING"
        ],
    );
    let three = "ring-default cache ann bob cy rounds=1\nann: join\nbob: join\nstart\nann: propose A: one\nbob: skip\nann: say a\nbob: say b\ncy: join";
    last(three, expect!["ring/wrong-phase: matter m6 is in VOTING: nobody can join once the vote is open"]);
    let open = "ann: say a\nbob: amend A Put two before it.\nann: skip\nann: accept 1";
    last(
        &at("DISCUSSING", ONE_ROUND, open),
        expect![
            "ring/wrong-phase: matter m5 is in VOTING: accept or reject amendments in DISCUSSING or CONVERGING"
        ],
    );
    let weighing = "ann: say a\nbob: amend A Put two before it.\nann: propose Late: too late";
    last(
        &at("DISCUSSING", ONE_ROUND, weighing),
        expect![
            "ring/wrong-phase: matter m5 is in CONVERGING: make proposals in your turn, in PROPOSING or DISCUSSING"
        ],
    );
}

#[test]
fn ring_not_joined() {
    last(
        &format!("{TWO}\nann: leave\nann: leave"),
        expect!["ring/not-joined: ann has not joined matter m5: join it first"],
    );
    last(
        "ring-default cache ann bob cy\nann: join\nbob: join\nstart\ncy: skip",
        expect!["ring/not-joined: cy has not joined matter m6: join it first"],
    );
    last(
        &at("DISCUSSING", "ring-default cache ann bob cy", "cy: leave\ncy: vote A approve"),
        expect!["ring/not-joined: cy has not joined matter m6: join it first"],
    );
}

#[test]
fn ring_already_joined() {
    last(
        &format!("{TWO}\nann: join\nann: join"),
        expect!["ring/already-joined: ann has already joined matter m5"],
    );
}

#[test]
fn ring_removed() {
    let gathering = "ring-default cache ann bob cy\nremove cy\ncy: join".to_string();
    let later =
        |tried: &str| at("DISCUSSING", "ring-default cache ann bob cy", &format!("remove cy\ncy: {tried}"));
    // Whatever they try, they are not sent to a door that is shut.
    let later = ["join", "say but I", "vote A approve", "skip", "leave"].map(later);
    for script in std::iter::once(gathering).chain(later) {
        last(
            &script,
            expect![
                "ring/removed: cy cannot return to matter m6 (removed by the operator): ask the operator to open another"
            ],
        );
    }
}

#[test]
fn ring_by_part() {
    let mut world = played(&at("DISCUSSING", TWO, ""));
    let ask = world.ask_of("ann").unwrap();
    let call = Box::<Call>::default;
    for (by, command) in [
        (Actor::Seat(who("ann")), Command::Answer { ask, text: "yes".into(), call: call(), salt: None }),
        (Actor::Engine, Command::Begin { ask, patience_ms: None, worst: Worst { tokens: 1, cost: None } }),
        (Actor::Engine, Command::Fail { ask, call: call(), cause: Cause::lasting("backend/gone", "gone") }),
    ] {
        refuses(
            &mut world,
            by,
            command,
            expect!["ring/by-part: matter m5 is a ring: take part with say, propose, vote and so on"],
        );
    }
}

#[test]
fn ring_not_a_debate() {
    let mut world = played(&at("DISCUSSING", TWO, "ann: say a\nbob: say b\nstop"));
    let matter = world.matter();
    let fork = Fork {
        from: matter,
        round: 1,
        charter: None,
        seats: None,
        limits: Default::default(),
        moved: Default::default(),
        focus: None,
        stepwise: false,
    };
    for command in [
        council::Command::Fork(Box::new(fork)),
        council::Command::Synthesise { matter, by: who("ann") },
        council::Command::Judge { matter, by: who("ann"), round: 1 },
    ] {
        refuses(
            &mut world,
            Actor::Operator,
            Command::Council(command),
            expect![
                "council/not-a-debate: matter m5 is not a debate: only debates can be forked, summed up or judged"
            ],
        );
    }
}

#[test]
fn nobody_takes_part_in_a_session_whose_time_is_up() {
    let mut world = played(TWO);
    world.now = world.now.plus(1_800_000);
    part(
        &mut world,
        "ann",
        Action::Join,
        expect![
            "matter/wrong-status: matter m5 is running: its time is up, so nobody can take part any more"
        ],
    );
}

#[test]
fn nobody_takes_part_in_a_ring_that_rests_or_is_over() {
    last(
        &at("DISCUSSING", TWO, "pause\nann: say a"),
        expect!["matter/wrong-status: matter m5 is paused: nobody can take part until it is resumed"],
    );
    last(
        &at("DISCUSSING", TWO, "stop\nann: say a"),
        expect!["matter/wrong-status: matter m5 is over (undecided): nobody can take part any more"],
    );
    last(
        &format!("{TWO}\nann: join\nbob: join\nstop\nstart"),
        expect!["matter/wrong-status: matter m5 is over (undecided): nobody can take part any more"],
    );
    last(
        &format!("{TWO}\nstop\nremove ann"),
        expect!["matter/wrong-status: matter m5 is over (undecided): nobody can take part any more"],
    );
}

#[test]
fn outsiders_can_do_nothing() {
    for tried in [
        format!("{TWO}\nmallory: join"),
        at("PROPOSING", TWO, "mallory: @ann propose Mine: all yours"),
        at("DISCUSSING", TWO, "mallory: @ann say me"),
        at("VOTING", ONE_ROUND, "mallory: vote A approve"),
        format!("{TWO}\nremove mallory"),
    ] {
        last(&tried, expect!["roster/not-seated: `mallory` has no seat in matter m5"]);
    }
}

#[test]
fn a_part_is_the_participants_own_and_the_operators_commands_the_operators() {
    let mut world = played(&at("DISCUSSING", TWO, ""));
    let matter = world.matter();
    let join = Command::Ring(ring::Command::Participate { matter, action: Action::Leave });
    refuses(
        &mut world,
        Actor::Operator,
        join.clone(),
        expect!["house/not-allowed: operator may not give this command"],
    );
    refuses(&mut world, Actor::Engine, join, expect!["house/not-allowed: engine may not give this command"]);
    refuses(
        &mut world,
        Actor::Seat(who("ann")),
        Command::Ring(ring::Command::Start { matter }),
        expect!["house/not-allowed: seat:ann may not give this command"],
    );
    let remove = Command::Ring(ring::Command::Remove { matter, who: who("bob") });
    refuses(
        &mut world,
        Actor::Seat(who("ann")),
        remove,
        expect!["house/not-allowed: seat:ann may not give this command"],
    );
    let forged = Seat { kind: SeatKind::Outside, ..seat("eve") };
    refuses(
        &mut world,
        Actor::Seat(who("eve")),
        Command::Enrol { seat: forged },
        expect!["house/not-allowed: seat:eve may not give this command"],
    );
}
