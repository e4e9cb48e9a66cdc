//! The reader in a council: what is counted, what is recorded of how it was read, and that edition 2 goes on as it did.

use synod_core::charter::shipped;
use synod_core::kernel::{Actor, Choice};
use synod_core::meter::Limits;
use synod_core::{Command, Event, House, Task, ballot, gate};

use crate::world::{START, World};

/// A council of two about a plain question, judged by this edition.
fn council(edition: u32) -> World {
    let mut world = World { house: House::default(), acts: Vec::new(), now: START, careful: true };
    world.submit(Actor::Operator, Command::Found { edition, key: "00".into() });
    let charter = shipped("collaborative").expect("a charter").source;
    world.open(charter, "Should we adopt the motion?", &[], &["ann", "bob"], Limits::default());
    world
}

fn task(world: &World, name: &str) -> Option<Task> {
    world.ask_of(name).and_then(|ask| world.house.ask(ask)).and_then(|ask| ask.task())
}

/// The stance that this answer is taken for in round one, with what was done to read it.
fn stance(edition: u32, answer: &str) -> (Option<Choice>, Vec<String>) {
    let act = council(edition).answer("ann", answer).clone();
    let said = act.events().iter().find_map(|event| match event {
        Event::Gate(gate::Event::Admitted(said)) => Some(said.clone()),
        _ => None,
    });
    let said = said.expect("a contribution");
    (said.response.stance, said.repairs.iter().map(|repair| repair.code.clone()).collect())
}

/// The vote that this answer is taken for; none if the seat is asked again.
fn vote(edition: u32, answer: &str) -> Option<Choice> {
    let mut world = council(edition);
    while !matches!(task(&world, "ann"), Some(Task::Vote { .. })) {
        let before = world.acts.len();
        for (name, stance) in [("ann", "YES"), ("bob", "NO")] {
            if matches!(task(&world, name), Some(Task::Speak { .. })) {
                world.answer(name, &format!(r#"{{"stance":"{stance}","position":"p","confidence":0.6}}"#));
            }
        }
        assert!(world.acts.len() > before, "it goes on to the vote");
    }
    let act = world.answer("ann", answer).clone();
    act.events().iter().find_map(|event| match event {
        Event::Ballot(ballot::Event::Cast { vote, .. }) => Some(vote.choice),
        _ => None,
    })
}

#[test]
fn a_stance_among_text_is_read_and_one_of_prose_is_recorded_and_not_counted() {
    let token = "The clause is too wide.\n\n**STANCE: AGAINST**";
    assert_eq!(stance(3, token).0, Some(Choice::No));
    let table = "| Stance | FOR |";
    assert_eq!(stance(2, table), (None, vec!["text".into()]));
    assert_eq!(stance(3, table), (Some(Choice::Yes), vec!["text".into(), "choice-among-text".into()]));
    let prose = "The clause is too wide, and I cannot support this motion.";
    assert_eq!(stance(2, prose), (None, vec!["text".into()]));
    assert_eq!(stance(3, prose), (None, vec!["text".into(), "choice-inferred".into()]));
    let both = "Stance: YES\n\nI oppose this motion.";
    assert_eq!(stance(3, both).0, None);
}

#[test]
fn a_vote_among_text_counts_and_one_of_prose_is_asked_for_again() {
    for (answer, before, now) in [
        ("Nach reiflicher Überlegung stimme ich dagegen.", None, Some(Choice::No)),
        ("[ ] AYE\n[x] NAY\n[ ] ABSTAIN", None, Some(Choice::No)),
        (r#"{"vote":"NO","reason":"r"}"#, Some(Choice::No), Some(Choice::No)),
        ("I VOTE NAY.", Some(Choice::No), Some(Choice::No)),
        ("I cannot support this motion.", None, None),
        ("AYE, but only if it ends in a year", None, None),
    ] {
        assert_eq!((vote(2, answer), vote(3, answer)), (before, now), "{answer}");
    }
}
