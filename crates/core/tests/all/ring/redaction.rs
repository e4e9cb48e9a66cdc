//! The words of a ring can be taken away: the decision stands, and the record folds to the same house.

use synod_core::ballot::Grade;
use synod_core::kernel::Actor;
use synod_core::kernel::Reaction;
use synod_core::procedure::ring;
use synod_core::procedure::ring::Action;
use synod_core::view::{Report, Session};
use synod_core::{Command, Outcome};

use super::sessions::folded;
use super::{at, played};
use crate::world::{World, who};

/// Everything a participant can write, each with `secret` in it.
fn told() -> World {
    let mut world = played(&at("GATHERING", "ring-default secret ann bob rounds=1", "ann: join\nbob: join"));
    let matter = world.matter();
    let part = |world: &mut World, name: &str, part: Action| {
        world.submit(
            Actor::Seat(who(name)),
            Command::Ring(ring::Command::Participate { matter, action: part }),
        );
    };
    let why = || Some("secret why".to_string());
    let ask = |world: &World, name: &str| world.ask_of(name).unwrap();
    let of_bob = ask(&world, "bob");
    let turn = ask(&world, "ann");
    part(
        &mut world,
        "ann",
        Action::Propose { ask: turn, keep: false, text: "secret text".into(), title: "secret title".into() },
    );
    part(&mut world, "bob", Action::Skip { ask: of_bob, why: why() });
    let proposal = world.house.case(matter).unwrap().ring().unwrap().1.table.proposals[0].id;
    world.step("ann: say+ secret word");
    let turn = ask(&world, "ann");
    part(
        &mut world,
        "ann",
        Action::React { ask: turn, keep: false, reaction: Reaction::Agree, text: why(), to: proposal.0 },
    );
    let turn = ask(&world, "bob");
    part(
        &mut world,
        "bob",
        Action::Amend { ask: turn, keep: false, proposal, text: "secret change".into(), why: why() },
    );
    let amendment = world.house.case(matter).unwrap().ring().unwrap().1.table.proposals[0].amendments[0].id;
    part(&mut world, "ann", Action::Rule { accept: true, amendment, why: why() });
    for name in ["ann", "bob"] {
        let vote = Action::Vote {
            changes: vec!["secret change".into()],
            conditions: vec!["secret condition".into()],
            grade: Grade::Approve,
            proposal,
            rationale: why(),
            salt: None,
        };
        part(&mut world, name, vote);
    }
    assert_eq!(world.house.case(matter).unwrap().phase_word(), "COMMITTED");
    world.step("ann: say a secret that comes too late");
    world
}

#[test]
fn a_redacted_ring_keeps_its_decision_and_no_word() {
    let mut world = told();
    let matter = world.matter();
    let before = Session::of(world.house.case(matter).unwrap()).unwrap();
    assert!(serde_json::to_string(&world.acts).unwrap().matches("secret").count() > 20);
    let act = world.redact(matter);
    assert!(matches!(act.outcome, Outcome::Done(_)), "{act:?}");
    let case = world.house.case(matter).unwrap();
    let report = serde_json::to_string(&Report::of(case)).unwrap();
    let record = serde_json::to_string(&world.acts).unwrap();
    for (place, text) in [("report", &report), ("record", &record), ("house", &format!("{:?}", world.house))]
    {
        assert!(!text.contains("secret"), "in the {place}: {text}");
    }
    let after = Session::of(case).unwrap();
    assert_eq!((after.phase, after.committed), (before.phase, before.committed));
    assert_eq!(after.proposals[0].version, 2);
    let (was, is) = (before.vote.unwrap(), after.vote.unwrap());
    assert_eq!(is.results, was.results, "the count stands");
    let grades = |row: &synod_core::view::VoteRow| {
        row.votes.iter().map(|vote| (vote.who.clone(), vote.grade)).collect::<Vec<_>>()
    };
    assert_eq!(grades(&is), grades(&was), "and who voted how");
    assert!(folded(&world.acts) == world.house, "the redacted record folds to the same house");
}

#[test]
fn a_ring_is_redacted_only_when_it_is_over() {
    let mut world = played(&at("DISCUSSING", "ring-default cache ann bob", ""));
    let matter = world.matter();
    assert!(matches!(world.redact(matter).outcome, Outcome::Refused { .. }));
    world.step("stop");
    assert!(matches!(world.redact(matter).outcome, Outcome::Done(_)));
    assert!(matches!(world.redact(matter).outcome, Outcome::Refused { .. }), "once");
}
