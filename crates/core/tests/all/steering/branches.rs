//! Branches: a new matter from a round of another one.

use expect_test::expect;
use synod_core::Command;
use synod_core::house::{BriefCache, Item, Reader};
use synod_core::kernel::{Actor, Seat};
use synod_core::meter::Limits;
use synod_core::procedure::council::{self, Fork};
use synod_core::view::{Did, Report, Thoughts};

use crate::world::{World, check, seat, source, who};

#[test]
fn a_branch_shares_its_first_rounds_and_goes_its_own_way() {
    check(
        "collaborative cache rounds=2 watch.early=0 ann bob
         ---
         fork 1
         ann: YES
         bob: NO
         fork 2
         fork 0
         fork 1
         ann: NO
         bob: NO
         ann: NO
         bob: NO
         fork 1 adversarial
         ann: NO",
        expect![[r#"
            > fork 1
            refused matter/no-such-round: matter m5 has not completed round 1: it has completed none so far
            > ann: YES
            admitted ann YES
            > bob: NO
            admitted bob NO
            round 1 closed: 2 answered, 0 lapsed
            round 1 analysed: agreement 1/2
            round 2 opened
            called ann
            called bob
            > fork 2
            refused matter/no-such-round: matter m5 has not completed round 2: it has completed 1 so far
            > fork 0
            refused matter/no-such-round: matter m5 has not completed round 0: it has completed 1 so far
            > fork 1
            opened for 2 seats
            round 2 opened
            called ann
            called bob
            > ann: NO
            admitted ann NO, marked gate/conformity
            > bob: NO
            admitted bob NO
            round 2 closed: 2 answered, 0 lapsed
            round 2 analysed: agreement 2/2
            left: all rounds done
            stage vote
            ballot opened: > 1/2 of cast
            asked ann to vote
            asked bob to vote
            > ann: NO
            cast ann NO
            > bob: NO
            cast bob NO
            ballot closed: yes 0 no 2 abstain 0 options [] unparsed 0 missing 0: Rejected, settles true
            settled Rejected
            > fork 1 adversarial
            opened for 2 seats
            stage debate
            round 2 opened
            called ann
            > ann: NO
            admitted ann NO, marked gate/conformity
        "#]],
    );
}

#[test]
fn a_branch_takes_the_fields_of_its_own_charter() {
    let mut world = World::new();
    world.open_with(&source("collaborative"), "t", &[], &["ann", "bob"], |open| {
        open.moved.insert("watch.early".into(), 0.into());
    });
    for name in ["ann", "bob"] {
        world.answer(name, r#"{"stance":"YES","position":"p"}"#);
    }
    let origin = world.matter();
    world.step("fork 1 expert-panel");
    let case = world.house.case(world.matter()).unwrap();
    assert_eq!(case.perspective(&who("ann")).unwrap().name, "practice");
    assert!(world.house.case(origin).unwrap().perspective(&who("ann")).is_none());
}

/// What was said under the promise that nobody learns by whom stays so, whatever the branch's own charter says.
#[test]
fn a_branch_of_an_anonymous_matter_stays_anonymous() {
    let mut world = World::new();
    world.open_with(&source("delphi"), "t", &[], &["annika", "bogdan", "cyrill"], |open| {
        open.moved.insert("watch.early".into(), 0.into());
    });
    for (name, stance) in [("annika", "YES"), ("bogdan", "NO"), ("cyrill", "YES")] {
        let position = format!("{name} thinks so");
        world.answer(name, &serde_json::json!({ "stance": stance, "position": position }).to_string());
    }
    world.step("fork 1 collaborative");
    let case = world.house.case(world.matter()).unwrap();
    assert!(!case.may_see(Reader::Participant(&who("annika")), Item::Names));
    let brief =
        world.house.brief(world.ask_of("annika").unwrap(), &mut BriefCache::default()).unwrap().text();
    assert!(brief.contains("thinks so") && brief.contains("Participant "), "{brief}");
    assert!(!brief.contains("bogdan") && !brief.contains("cyrill"), "{brief}");
}

/// Who has the name of somebody else has not said what they said: their draft is not a vote, and another side no change.
#[test]
fn a_branch_with_other_minds_asks_them() {
    let mut world = World::new();
    world.open(&source("blind-vote"), "t", &[], &["ann", "bob"], Limits::default());
    for name in ["ann", "bob"] {
        world.answer(name, r#"{"stance":"YES","position":"so","confidence":0.9}"#);
    }
    let from = world.matter();
    let other = Seat { backend: "script:other".into(), ..seat("bob") };
    world.submit(Actor::Operator, Command::Enrol { seat: other });
    let fork = Fork {
        from,
        round: 1,
        charter: None,
        seats: Some(vec![who("ann"), who("bob")]),
        limits: Limits::default(),
        moved: Default::default(),
        focus: None,
        stepwise: false,
    };
    world.submit(Actor::Operator, Command::Council(council::Command::Fork(Box::new(fork))));
    assert!(world.ask_of("ann").is_none(), "what ann said is still her vote");
    world.answer("bob", r#"{"vote":"NO","reason":"dear","confidence":0.9}"#);
    let case = world.house.case(world.matter()).unwrap();
    let votes = &case.ballots[0].votes;
    let bob = votes.iter().find(|vote| vote.who == who("bob")).unwrap();
    assert_eq!((bob.stated, bob.changed_from, bob.conformity), (None, None, false), "{bob:?}");
    let report = Report::of(case);
    let statements: Vec<usize> = report.seats.iter().map(|row| row.statements).collect();
    assert_eq!(statements, [1, 0], "bob said nothing here");
    let answer = report.answer();
    assert_eq!(answer.seats.stands.iter().map(|row| row.position).collect::<Vec<_>>(), [Some("so"), None]);
    let said = |name: &str| {
        let thoughts = Thoughts::of(case, &who(name)).unwrap();
        let said = thoughts.turns.iter().filter(|turn| matches!(turn.did, Did::Said(_))).count();
        (said, thoughts.replaced_in)
    };
    assert_eq!((said("ann"), said("bob")), ((1, None), (0, Some(from))));
}

#[test]
fn a_branch_with_other_seats_does_not_count_those_who_left() {
    let mut world = World::new();
    world.open_with(&source("collaborative"), "t", &[], &["ann", "bob", "cy"], |open| {
        open.moved.insert("watch.early".into(), 0.into());
    });
    for (name, stance) in [("ann", "YES"), ("bob", "NO"), ("cy", "YES")] {
        world.answer(name, &serde_json::json!({ "stance": stance, "position": name }).to_string());
    }
    let fork = Fork {
        from: world.matter(),
        round: 1,
        charter: None,
        seats: Some(vec![who("ann"), who("cy")]),
        limits: Default::default(),
        moved: Default::default(),
        focus: None,
        stepwise: true,
    };
    let command = Command::Council(council::Command::Fork(Box::new(fork)));
    world.submit(Actor::Operator, command);
    let case = world.house.case(world.matter()).unwrap();
    assert_eq!(case.round(), 2, "the first round of a branch is what it was opened for");
    assert_eq!(case.said.len(), 3, "what bob said is history");
    let standing: Vec<_> = case.standing(2).into_keys().map(ToString::to_string).collect();
    assert_eq!(standing, ["ann", "cy"], "and stands for nobody");
}

#[test]
fn ordered_speech_stays_ordered_in_a_branch_and_makes_nobody_stand_anywhere() {
    let mut world = World::new();
    world.open_with(&source("devils-advocate"), "t", &[], &["ann", "bob", "cy"], |_| ());
    for (name, stance) in [("ann", "YES"), ("bob", "NO"), ("cy", "NEUTRAL")] {
        world.answer(name, &serde_json::json!({ "stance": stance, "position": name }).to_string());
    }
    let case = world.house.case(world.matter()).unwrap();
    assert!(case.standing(u32::MAX).is_empty(), "an ordered side is nobody's stance");
    world.step("fork 1 collaborative");
    let ask = world.ask_of("ann").unwrap();
    let brief = world.house.brief(ask, &mut BriefCache::default()).unwrap().text();
    assert!(brief.contains("ann (YES, assigned,") && brief.contains("bob (NO, assigned,"), "{brief}");
    let case = world.house.case(world.matter()).unwrap();
    assert!(case.ordered(&who("ann")).is_none(), "here nobody is told what to say");
    assert!(case.standing(u32::MAX).is_empty());
}

#[test]
fn a_redacted_matter_is_not_gone_on_from() {
    check(
        "collaborative cache rounds=1 ann
         ann: YES
         ann: YES
         ---
         redact
         synthesize ann
         judge ann 1
         fork 1",
        expect![[r#"
            > redact
            redacted
            > synthesize ann
            refused matter/redacted: the words of matter m4 were deleted: open a new matter
            > judge ann 1
            refused matter/redacted: the words of matter m4 were deleted: open a new matter
            > fork 1
            refused matter/redacted: the words of matter m4 were deleted: open a new matter
        "#]],
    );
}
