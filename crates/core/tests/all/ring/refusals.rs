//! Every refusal a ring can give. After each the house is what it was, but for the number and time of the act.

use expect_test::{Expect, expect};
use synod_core::ballot::Grade;
use synod_core::command::{Open, Perspectives};
use synod_core::kernel::Reaction;
use synod_core::kernel::{Actor, AskId, Cause, Seat, SeatKind};
use synod_core::meter::Worst;
use synod_core::procedure::ring::Remark;
use synod_core::procedure::{
    council::{self, Fork},
    ring::{self, Action},
};
use synod_core::{Act, Command, Outcome};

use super::{at, played};
use crate::world::{World, check, seat, source, who};

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

fn nothing() -> AskId {
    AskId("9999".parse().unwrap())
}

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
fn ring_needs_outside() {
    let mut world = played(TWO);
    world.submit(Actor::Operator, Command::Enrol { seat: seat("bob") });
    let charter = synod_core::kernel::Digest::of(source("ring-default").as_bytes());
    let question = synod_core::matter::Question::parse("cache", &[]).unwrap();
    let open = synod_core::command::Open::new(question, charter, vec![who("ann"), who("bob")]);
    refuses(
        &mut world,
        Actor::Operator,
        Command::Open(Box::new(open)),
        expect![
            "ring/needs-outside: the charter ring-default is a ring, and `bob` is not an outside agent: enrol it as one, or hold a debate"
        ],
    );
}

#[test]
fn ring_too_few_invited() {
    let mut world = played(TWO);
    let charter = synod_core::kernel::Digest::of(source("ring-default").as_bytes());
    let question = synod_core::matter::Question::parse("cache", &[]).unwrap();
    let open = synod_core::command::Open::new(question, charter, vec![who("ann")]);
    refuses(
        &mut world,
        Actor::Operator,
        Command::Open(Box::new(open)),
        expect!["ring/too-few-invited: 1 invited, and a ring needs at least 2: invite more"],
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
    let answer = Command::Answer { ask, text: "yes".into(), call: Box::default(), salt: None };
    refuses(
        &mut world,
        Actor::Seat(who("ann")),
        answer,
        expect!["ring/by-part: matter m5 is a ring: take part with say, propose, vote and so on"],
    );
    let begin = Command::Begin { ask, worst: Worst { tokens: 1, cost: None } };
    refuses(
        &mut world,
        Actor::Engine,
        begin,
        expect!["ring/by-part: matter m5 is a ring: take part with say, propose, vote and so on"],
    );
    let fail = Command::Fail { ask, call: Box::default(), cause: Cause::lasting("mind/gone", "gone") };
    refuses(
        &mut world,
        Actor::Engine,
        fail,
        expect!["ring/by-part: matter m5 is a ring: take part with say, propose, vote and so on"],
    );
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
    refuses(
        &mut world,
        Actor::Operator,
        Command::Council(council::Command::Fork(Box::new(fork))),
        expect![
            "council/not-a-debate: matter m5 is not a debate: only debates can be forked, summed up or judged"
        ],
    );
    refuses(
        &mut world,
        Actor::Operator,
        Command::Council(council::Command::Synthesise { matter, by: who("ann") }),
        expect![
            "council/not-a-debate: matter m5 is not a debate: only debates can be forked, summed up or judged"
        ],
    );
    refuses(
        &mut world,
        Actor::Operator,
        Command::Council(council::Command::Judge { matter, by: who("ann"), round: 1 }),
        expect![
            "council/not-a-debate: matter m5 is not a debate: only debates can be forked, summed up or judged"
        ],
    );
}

#[test]
fn floor_not_holder_for_a_word_a_release_and_a_skip() {
    last(
        &at("DISCUSSING", TWO, "bob: @ann say me first"),
        expect!["floor/not-holder: bob does not have the floor: it is ann's turn"],
    );
    last(
        &at("DISCUSSING", TWO, "bob: @ann release"),
        expect!["floor/not-holder: bob does not have the floor: it is ann's turn"],
    );
    last(
        &at("DISCUSSING", TWO, "bob: @ann skip"),
        expect!["floor/not-holder: bob does not have the floor: it is ann's turn"],
    );
    last(
        &at("DISCUSSING", TWO, "bob: @ann ack"),
        expect!["floor/not-holder: bob does not have the floor: it is ann's turn"],
    );
    last(
        &at("PROPOSING", TWO, "bob: @ann propose Forged: in ann's name"),
        expect!["floor/not-holder: bob does not have the floor: it is ann's turn"],
    );
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
    last(&format!("{TWO}\nmallory: join"), expect!["roster/not-seated: `mallory` has no seat in matter m5"]);
    last(
        &at("PROPOSING", TWO, "mallory: @ann propose Mine: all yours"),
        expect!["roster/not-seated: `mallory` has no seat in matter m5"],
    );
    last(
        &at("DISCUSSING", TWO, "mallory: @ann say me"),
        expect!["roster/not-seated: `mallory` has no seat in matter m5"],
    );
    last(
        &at("VOTING", ONE_ROUND, "mallory: vote A approve"),
        expect!["roster/not-seated: `mallory` has no seat in matter m5"],
    );
    last(&format!("{TWO}\nremove mallory"), expect!["roster/not-seated: `mallory` has no seat in matter m5"]);
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

#[test]
fn table_empty() {
    let mut world = played(&at("DISCUSSING", TWO, ""));
    let ask = world.ask_of("ann").unwrap();
    let propose = |title: &str, text: &str| Action::Propose {
        ask,
        keep: false,
        text: text.into(),
        title: title.into(),
    };
    part(
        &mut world,
        "ann",
        Action::Say { ask, keep: false, kind: Remark::Opinion, text: " \n".into(), to: None },
        expect!["table/empty: the text is empty: say something, or skip your turn"],
    );
    part(
        &mut world,
        "ann",
        propose("\t", "a text"),
        expect!["table/empty: the text is empty: say something, or skip your turn"],
    );
    part(
        &mut world,
        "ann",
        propose("a title", ""),
        expect!["table/empty: the text is empty: say something, or skip your turn"],
    );
    part(
        &mut world,
        "ann",
        Action::Skip { ask, why: Some(String::new()) },
        expect!["table/empty: the text is empty: say something, or skip your turn"],
    );
}

#[test]
fn table_too_long() {
    let mut world = played(&at("DISCUSSING", TWO, ""));
    let ask = world.ask_of("ann").unwrap();
    let proposal = world.house.case(world.matter()).unwrap().ring().unwrap().1.table.proposals[0].id;
    let long = "x".repeat(2001);
    part(
        &mut world,
        "ann",
        Action::Propose { ask, keep: false, text: "t".into(), title: "x".repeat(121) },
        expect!["table/too-long: 121 characters, at most 120 are allowed: shorten it and refer to files"],
    );
    part(
        &mut world,
        "ann",
        Action::Propose { ask, keep: false, text: long.clone(), title: "t".into() },
        expect!["table/too-long: 2001 characters, at most 2000 are allowed: shorten it and refer to files"],
    );
    part(
        &mut world,
        "ann",
        Action::Amend { ask, keep: false, proposal, text: long.clone(), why: None },
        expect!["table/too-long: 2001 characters, at most 2000 are allowed: shorten it and refer to files"],
    );
    part(
        &mut world,
        "ann",
        Action::Amend { ask, keep: false, proposal, text: "t".into(), why: Some(long.clone()) },
        expect!["table/too-long: 2001 characters, at most 2000 are allowed: shorten it and refer to files"],
    );
    part(
        &mut world,
        "ann",
        Action::React {
            ask,
            keep: false,
            reaction: Reaction::Agree,
            text: Some(long.clone()),
            to: proposal.0,
        },
        expect!["table/too-long: 2001 characters, at most 2000 are allowed: shorten it and refer to files"],
    );
    part(
        &mut world,
        "ann",
        Action::Skip { ask, why: Some(long.clone()) },
        expect!["table/too-long: 2001 characters, at most 2000 are allowed: shorten it and refer to files"],
    );
    let mut world = played(&at("VOTING", ONE_ROUND, ""));
    let proposal = world.house.case(world.matter()).unwrap().ring().unwrap().1.table.proposals[0].id;
    let vote = |rationale: Option<&str>, conditions: &[&str], salt: Option<String>| Action::Vote {
        changes: Vec::new(),
        conditions: conditions.iter().map(ToString::to_string).collect(),
        grade: Grade::Approve,
        proposal,
        rationale: rationale.map(str::to_string),
        salt,
    };
    part(
        &mut world,
        "ann",
        vote(Some(&long), &[], None),
        expect!["table/too-long: 2001 characters, at most 2000 are allowed: shorten it and refer to files"],
    );
    part(
        &mut world,
        "ann",
        vote(None, &[&long], None),
        expect!["table/too-long: 2001 characters, at most 2000 are allowed: shorten it and refer to files"],
    );
    part(
        &mut world,
        "ann",
        vote(None, &[], Some("s".repeat(129))),
        expect!["table/too-long: 129 characters, at most 128 are allowed: shorten it and refer to files"],
    );
}

#[test]
fn table_too_many_listed() {
    let mut world = played(&at("VOTING", ONE_ROUND, ""));
    let proposal = world.house.case(world.matter()).unwrap().ring().unwrap().1.table.proposals[0].id;
    let vote = |changes: usize, conditions: usize| Action::Vote {
        changes: vec!["more".into(); changes],
        conditions: vec!["if".into(); conditions],
        grade: Grade::RequestChanges,
        proposal,
        rationale: None,
        salt: None,
    };
    part(
        &mut world,
        "ann",
        vote(21, 0),
        expect!["ballot/too-many-listed: 21 conditions or changes are too many: name at most 20"],
    );
    part(
        &mut world,
        "ann",
        vote(20, 21),
        expect!["ballot/too-many-listed: 21 conditions or changes are too many: name at most 20"],
    );
}

#[test]
fn table_too_many_proposals() {
    let mut script = String::new();
    for (name, many) in [("ann", 8), ("bob", 8), ("cy", 8), ("dee", 2)] {
        script += &(1..=many)
            .map(|nth| format!("{name}: propose+ {name} {nth}: do {name} {nth}\n"))
            .collect::<String>();
    }
    last(
        &at(
            "PROPOSING",
            "ring-default cache ann bob cy dee",
            &format!("{script}dee: propose One more: do more"),
        ),
        expect!["table/too-many-proposals: there are already 26 proposals: amend one of them"],
    );
}

#[test]
fn table_unknown() {
    last(
        &at("DISCUSSING", TWO, "ann: react B agree"),
        expect!["table/unknown: this ring has no contribution, proposal or amendment 9999"],
    );
    last(
        &at("DISCUSSING", TWO, "ann: amend B nothing to amend"),
        expect!["table/unknown: this ring has no contribution, proposal or amendment 9999"],
    );
    last(
        &at("DISCUSSING", TWO, "ann: accept 1"),
        expect!["table/unknown: this ring has no contribution, proposal or amendment 9999"],
    );
    last(
        &at("VOTING", ONE_ROUND, "ann: vote B approve"),
        expect!["table/unknown: this ring has no contribution, proposal or amendment 9999"],
    );
    let mut world = played(&at("DISCUSSING", TWO, ""));
    let ask = world.ask_of("ann").unwrap();
    let say = Action::Say {
        ask,
        keep: false,
        kind: Remark::Opinion,
        text: "to whom?".into(),
        to: Some(nothing().0),
    };
    part(
        &mut world,
        "ann",
        say,
        expect!["table/unknown: this ring has no contribution, proposal or amendment 9999"],
    );
}

#[test]
fn table_no_change() {
    last(
        &at("DISCUSSING", TWO, "ann: amend A Put a Redis before it."),
        expect!["table/no-change: proposal 8 already says that"],
    );
}

#[test]
fn table_not_proposer() {
    last(
        &at("DISCUSSING", TWO, "ann: say a\nbob: amend A Put two before it.\nbob: accept 1"),
        expect![
            "table/not-proposer: only ann, who made the proposal, can accept or reject amendments to it, not bob"
        ],
    );
}

#[test]
fn table_already_ruled() {
    last(
        &at("DISCUSSING", TWO, "ann: say a\nbob: amend A Put two before it.\nann: accept 1\nann: decline 1"),
        expect!["table/already-ruled: amendment 11 is already accepted or rejected"],
    );
}

#[test]
fn table_stale() {
    let changes = "ann: say a\nbob: amend+ A Put two before it.\nbob: amend A Put it behind.\nann: accept 2\nann: accept 1";
    last(
        &at("DISCUSSING", TWO, changes),
        expect![
            "table/stale: amendment 11 was written for version 1, and the proposal is now at version 2: have it made again"
        ],
    );
}

#[test]
fn ballot_already_cast() {
    last(
        &at("VOTING", ONE_ROUND, "ann: vote A approve\nann: vote A reject"),
        expect!["ballot/already-cast: ann has already voted on this proposal"],
    );
    last(
        &at("VOTING", ONE_ROUND, "ann: vote A approve\nann: vote A approve"),
        expect!["ballot/already-cast: ann has already voted on this proposal"],
    );
}

#[test]
fn ring_unread() {
    let opened = |settle: fn(&mut Open)| {
        let act =
            World::new().open_with(&source("ring-default"), "cache", &[], &["ann", "bob"], settle).clone();
        match act.outcome {
            Outcome::Done(_) => "done".to_string(),
            Outcome::Refused { message, .. } => message.to_string(),
        }
    };
    let unread = |what: &str| {
        format!("the charter ring-default is a ring and does not use {what}: leave it out, or hold a debate")
    };
    assert_eq!(opened(|_| ()), "done");
    assert_eq!(opened(|open| open.stepwise = true), unread("rounds held one by one"));
    assert_eq!(opened(|open| open.focus = Some("the cost".into())), unread("a focus question"));
    assert_eq!(opened(|open| open.judges = vec![who("jo")]), unread("judges"));
    assert_eq!(opened(|open| open.scribe = Some(who("jo"))), unread("a scribe"));
    assert_eq!(opened(|open| open.perspectives = Perspectives::Generated), unread("perspectives"));
    assert_eq!(
        opened(|open| open.question.options = vec!["at dawn".into(), "at dusk".into()]),
        unread("options")
    );
}
