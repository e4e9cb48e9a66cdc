//! Real opposition: sides are dealt, a seat that fails is replaced, and a case that nobody made is said.

use synod_core::kernel::Choice;
use synod_core::view::Report;

use crate::briefs::told;
use crate::world::{World, source};

fn open(charter: &str, options: &[&str], seats: &[&str]) -> World {
    let mut world = World::new();
    world.open_with(&source(charter), "Shall we cache?", options, seats, |_| ());
    world
}

fn say(world: &mut World, name: &str, stance: &str) {
    let said =
        serde_json::json!({ "stance": stance, "position": format!("{name} holds it"), "confidence": 0.8 });
    world.answer(name, &said.to_string());
}

fn vote_all(world: &mut World, names: &[&str], choice: &str) {
    for name in names {
        world.answer(name, &format!("{{\"vote\":\"{choice}\",\"confidence\":0.9}}"));
    }
}

fn report(world: &World) -> Report {
    Report::of(world.house.case(world.matter()).unwrap())
}

#[test]
fn adversarial_deals_sides_in_turn_and_only_where_there_are_two() {
    let world = open("adversarial", &[], &["ann", "bob", "cy"]);
    let case = world.house.case(world.matter()).unwrap();
    let sides: Vec<_> = case.opening.seats.iter().map(|seat| case.ordered(&seat.who)).collect();
    assert_eq!(sides, [Some(Choice::Yes), Some(Choice::No), Some(Choice::Yes)]);
    let brief = told(&world, "ann");
    assert!(brief.contains("Members: ann (For), bob (Against), cy (For)."), "{brief}");
    assert!(brief.contains("Put \"stance\": \"YES\". You vote freely later."), "{brief}");
    assert!(!brief.contains("How sure you are"), "an assigned seat is not asked for its opinion: {brief}");

    let world = open("adversarial", &["one way", "another way"], &["ann", "bob"]);
    let case = world.house.case(world.matter()).unwrap();
    assert_eq!(case.ordered(&case.opening.seats[0].who), None, "with options everybody chooses");
    let brief = told(&world, "ann");
    assert!(!brief.contains("Parts:") && brief.contains("How sure you are"), "{brief}");
}

#[test]
fn socratic_has_a_questioner_who_takes_no_side_also_where_there_are_options() {
    let mut world = open("socratic", &["one way", "another way"], &["ann", "bob", "cy"]);
    assert!(told(&world, "ann").contains("ann (Respondent), bob (Questioner), cy (Respondent)"));
    say(&mut world, "ann", "A");
    let brief = told(&world, "bob");
    assert!(brief.contains("Your part takes no side. Put \"stance\": \"NEUTRAL\"."), "{brief}");
}

#[test]
fn another_seat_takes_the_part_of_one_that_failed() {
    let mut world = open("adversarial", &[], &["ann", "bob", "cy"]);
    say(&mut world, "ann", "YES");
    world.step("bob: fails backend/lost gone");
    say(&mut world, "cy", "YES");
    let brief = told(&world, "ann");
    assert!(
        brief.contains("ann (For), bob (Against), cy (Against)"),
        "cy can be spared, ann cannot: {brief}"
    );
    say(&mut world, "ann", "YES");
    if world.ask_of("bob").is_some() {
        world.step("bob: fails backend/lost gone");
    }
    assert!(told(&world, "cy").contains("Put \"stance\": \"NO\"."));
    say(&mut world, "cy", "NO");
    vote_all(&mut world, &["ann", "cy"], "YES");
    if world.ask_of("bob").is_some() {
        world.step("bob: fails backend/lost gone");
    }
    let report = report(&world);
    assert!(report.never_made.is_empty(), "cy made the case: {}", report.headline);
}

#[test]
fn a_case_that_nobody_made_is_said_in_the_headline() {
    let mut world = open("adversarial", &[], &["ann", "bob"]);
    for _ in 0..2 {
        say(&mut world, "ann", "YES");
        say(&mut world, "bob", "YES");
    }
    let brief = told(&world, "ann");
    assert!(brief.contains("bob (YES, although assigned to argue NO, confidence 0.80)"), "{brief}");
    vote_all(&mut world, &["ann", "bob"], "YES");
    let report = report(&world);
    assert!(
        report.headline.contains("the case against was never made: bob did not argue it"),
        "{}",
        report.headline
    );
}
