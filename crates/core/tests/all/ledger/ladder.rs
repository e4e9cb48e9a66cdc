//! The ladder and what follows from it.

use synod_core::kernel::AuthorClass;
use synod_core::ledger::EscalationLevel::{self, *};
use synod_core::ledger::{Event, RemediationConstraint, Rules};

use super::{Book, who};

/// Lets an agent act: `x` costs something, `.` does not. The levels after each action.
fn levels(book: &mut Book, actions: &str) -> Vec<EscalationLevel> {
    let each = actions.chars().map(|action| {
        book.act("ann", "m", action == 'x');
        book.ledger.active_record(&who("ann")).unwrap().level
    });
    each.collect()
}

fn last(actions: &str) -> EscalationLevel {
    *levels(&mut Book::default(), actions).last().unwrap()
}

#[test]
fn fewer_than_five_actions_say_nothing() {
    assert_eq!(last("xxxx"), Normal);
    assert_eq!(last("xxxxx"), Watch);
}

#[test]
fn thresholds_are_exact_and_reached_is_enough() {
    assert_eq!(last("x...."), Watch, "1 of 5 is 0.2");
    assert_eq!(last("....."), Normal);
    assert_eq!(last("x...x"), Watch, "2 of 5 is 0.4, and one step is taken at a time");
    // 1 of 6 is less than 0.2, 2 of 11 too, 2 of 10 is it.
    assert_eq!(last(".....x"), Normal);
    assert_eq!(last(".........x.x"), Normal, "2 of 12");
    assert_eq!(last("........xx"), Watch, "2 of 10");
}

#[test]
fn remediation_comes_from_watch() {
    let mut book = Book::default();
    let found = levels(&mut book, "........xx.x");
    assert_eq!(found[9..], [Watch, Watch, Watch], "3 of 12 is 0.25");
    assert_eq!(levels(&mut book, "x"), [Remediation], "4 of 13 is 0.307");
    let mut book = Book::default();
    let found = levels(&mut book, ".......xxx");
    assert_eq!(found[8..], [Watch, Remediation], "2 of 9, 3 of 10 is 0.3");
    let constraints = book.ledger.active_record(&who("ann")).unwrap().constraints(&book.rules.ladder);
    assert_eq!(constraints.len(), 4);
    assert_eq!(constraints[0], RemediationConstraint::CiteSources(2));
    assert_eq!(constraints[0].words(), "Cite at least 2 sources for every proposal.");
    assert!(constraints.iter().all(|constraint| constraint.words().ends_with('.')));
}

#[test]
fn every_step_is_taken_however_bad_the_record_is() {
    let found = levels(&mut Book::default(), "xxxxxxxx");
    assert_eq!(found[3..], [Normal, Watch, Remediation, Flagged, Flagged]);
}

#[test]
fn an_agent_on_watch_has_no_constraints() {
    let mut book = Book::default();
    levels(&mut book, "x....");
    assert!(book.ledger.active_record(&who("ann")).unwrap().constraints(&book.rules.ladder).is_empty());
}

fn told(book: &Book) -> usize {
    let told = |event: &&Event| matches!(event, Event::Escalated(step) if step.tell_user);
    book.log.iter().filter(told).count()
}

#[test]
fn the_user_hears_of_a_flagged_agent_once() {
    let mut book = Book::default();
    levels(&mut book, "xxxxxxxxxx");
    assert_eq!(told(&book), 1);
    // Down to remediation, and up again: the user knows.
    levels(&mut book, &".".repeat(20));
    assert_eq!(levels(&mut book, "xxxxxxxx").last(), Some(&Flagged));
    assert_eq!(told(&book), 1);
    // Back to normal is a new start.
    assert_eq!(levels(&mut book, &".".repeat(60)).last(), Some(&Normal));
    assert_eq!(levels(&mut book, "xxxxxxxxxx").last(), Some(&Flagged));
    assert_eq!(told(&book), 2);
}

#[test]
fn a_clean_window_leads_one_step_down() {
    let mut book = Book::default();
    levels(&mut book, "xxxxxxx");
    let found = levels(&mut book, &".".repeat(60));
    let steps = [(18, Flagged), (19, Remediation), (38, Remediation), (39, Watch), (58, Watch), (59, Normal)];
    for (nth, level) in steps {
        assert_eq!(found[nth], level, "after {} clean actions", nth + 1);
    }
    let mut book = Book::default();
    levels(&mut book, "xxxxxxx");
    let found = levels(&mut book, &format!("{}x{}", ".".repeat(19), ".".repeat(19)));
    assert!(found.iter().all(|level| *level == Flagged), "a penalty starts the window again");
}

#[test]
fn only_the_last_twenty_actions_count() {
    let mut book = Book::default();
    levels(&mut book, &".".repeat(80));
    assert_eq!(levels(&mut book, "xxx").last(), Some(&Normal), "3 of 20");
    assert_eq!(levels(&mut book, "x").last(), Some(&Watch), "4 of 20");
}

#[test]
fn a_penalty_that_is_given_later_is_an_action_of_its_own() {
    let mut book = Book::default();
    levels(&mut book, "....");
    book.give(AuthorClass::Moderator, "mo", "ann", "moderator-penalty", Some(-3)).unwrap();
    assert_eq!(book.ledger.active_record(&who("ann")).unwrap().level, Watch);
    book.give(AuthorClass::System, "mo", "ann", "hallucination-detected", None).unwrap();
    let record = book.ledger.active_record(&who("ann")).unwrap();
    assert_eq!((record.recent(20), book.balance("ann")), ((2, 6), -6));
    book.give(AuthorClass::User, "mo", "ann", "user-marked-helpful", None).unwrap();
    assert_eq!(book.ledger.active_record(&who("ann")).unwrap().recent(20), (2, 6), "a reward is none");
}

#[test]
fn another_spelling_of_the_model_is_no_fresh_start() {
    let mut book = Book::default();
    levels(&mut book, "xxxxxxx");
    book.act("Ann", " M ", false);
    assert_eq!(book.ledger.active_record(&who("ann")).unwrap().level, Flagged);
    assert_eq!(book.ledger.records(&who("ann")).count(), 1);
    book.act("ann", "other", false);
    assert_eq!(book.ledger.active_record(&who("ann")).unwrap().level, Normal, "another model is one");
    book.act("ann", "m", false);
    assert_eq!(book.ledger.active_record(&who("ann")).unwrap().level, Flagged);
}

#[test]
fn tasks_are_smaller_for_agents_that_struggle() {
    let mut book = Book::default();
    let dosage = |book: &Book| {
        let dosage = book.ledger.dosage(&book.rules, &who("ann"));
        (dosage.slices, dosage.assisted, dosage.constraints.len(), dosage.level)
    };
    assert_eq!(dosage(&book), (1, false, 0, Normal), "nobody knows it yet");
    levels(&mut book, "........xx");
    assert_eq!(dosage(&book), (2, false, 0, Watch));
    levels(&mut book, "xx");
    assert_eq!(dosage(&book).3, Remediation);
    assert_eq!(dosage(&book), (3, true, 4, Remediation));
    levels(&mut book, "xxxxx");
    assert_eq!(dosage(&book), (5, true, 4, Flagged));
    let found = book.ledger.dosage(&book.rules, &who("ann")).recent;
    assert_eq!((found.part, found.whole), (9, 17));
}

#[test]
fn numbers_that_make_no_sense_are_found() {
    assert!(Rules::default().problems().is_empty());
    let mut rules = Rules::default();
    rules.prices.false_citation = 0;
    rules.ladder.watch = "0.9".parse().unwrap();
    rules.ladder.least = 21;
    let flip = synod_core::ledger::AwardRange { least: 1, most: 3 };
    rules.awards.insert(synod_core::ledger::CreditReason::ModeratorPenalty, flip);
    rules.awards.insert(synod_core::ledger::CreditReason::EvidenceVerified, flip);
    assert_eq!(rules.problems().len(), 5, "{:#?}", rules.problems());
    let json = serde_json::to_string(&rules).unwrap();
    assert_eq!(serde_json::from_str::<Rules>(&json).unwrap(), rules);
}
