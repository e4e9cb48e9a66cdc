//! What lies on the table: statements, proposals, changes, reactions.

use expect_test::expect;
use synod_core::table::Table;
use synod_core::view::Session;

use super::{at, played};
use crate::world::{World, check, who};

#[test]
fn a_contribution_of_2000_characters_is_accepted_and_one_of_2001_refused_with_the_count() {
    check(
        &at("DISCUSSING", "ring-default cache ann bob", "ann: long 2001\nann: long 2000"),
        expect![[r#"
            > ann: long 2001
            refused table/too-long: 2001 characters, at most 2000 are allowed: shorten it and refer to files
            > ann: long 2000
            ann said opinion
            released
            called bob until 2:00
        "#]],
    );
}

#[test]
fn characters_are_counted_and_not_bytes() {
    let text = "é".repeat(2000);
    let log = crate::world::log(&at(
        "DISCUSSING",
        "ring-default cache ann bob",
        &format!("ann: say {text}é\nann: say {text}"),
    ));
    assert!(log.contains("refused table/too-long: 2001 characters, at most 2000"), "{log}");
    assert!(log.contains("ann said opinion"), "{log}");
}

#[test]
fn every_kind_of_contribution_can_be_made_in_a_turn() {
    check(
        &at(
            "DISCUSSING",
            "ring-default cache ann bob",
            "ann: say+ an opinion
             ann: ask+ a question?
             ann: sum+ a synthesis
             ann: answer+ to the last
             ann: propose+ Another: a proposal
             ann: amend+ B another amendment
             ann: react B agree",
        ),
        expect![[r#"
            > ann: say+ an opinion
            ann said opinion
            > ann: ask+ a question?
            ann said question
            > ann: sum+ a synthesis
            ann said synthesis
            > ann: answer+ to the last
            ann said opinion
            > ann: propose+ Another: a proposal
            ann proposed 2: Another
            > ann: amend+ B another amendment
            ann would change version 1
            > ann: react B agree
            ann reacted agree
            released
            called bob until 2:00
        "#]],
    );
}

#[test]
fn changes_that_are_taken_make_the_proposal_and_are_voted_on_as_one() {
    check(
        &at(
            "DISCUSSING",
            "ring-default cache ann bob rounds=1",
            "ann: say a
             bob: amend A Put a Redis before it, with a TTL.
             ---
             ann: accept 1
             ann: vote A approve
             bob: vote A approve
             ?",
        ),
        expect![[r#"
            > ann: accept 1
            change accepted: true
            stage voting
            ballot opened: >= 60/100 of votes
            asked ann to vote
            asked bob to vote
            > ann: vote A approve
            ann graded APPROVE
            > bob: vote A approve
            bob graded APPROVE
            counted [2, 0, 0, 0, 0] Passed { option: None }
            ballot closed: yes 2 no 0 abstain 0 options [] unparsed 0 missing 0: Passed { option: Some(0) }, settles true
            settled Passed { option: Some(0) }
            = COMMITTED: A, Put a Redis before it, with a TTL.
        "#]],
    );
}

#[test]
fn a_change_that_is_declined_or_left_open_is_not_in_the_proposal() {
    check(
        &at(
            "DISCUSSING",
            "ring-default cache ann bob rounds=1",
            "ann: say a
             bob: amend+ A Put a Redis behind it.
             bob: amend A Put two before it.
             ---
             ann: decline 1
             wait 120s
             ann: vote A approve
             bob: vote A approve
             ?",
        ),
        expect![[r#"
            > ann: decline 1
            change accepted: false
            > wait 120s
            lapsed: ask/undelivered (the turn was never fetched and acknowledged)
            stage voting
            ballot opened: >= 60/100 of votes
            asked ann to vote
            asked bob to vote
            > ann: vote A approve
            ann graded APPROVE
            > bob: vote A approve
            bob graded APPROVE
            counted [2, 0, 0, 0, 0] Passed { option: None }
            ballot closed: yes 2 no 0 abstain 0 options [] unparsed 0 missing 0: Passed { option: Some(0) }, settles true
            settled Passed { option: Some(0) }
            = COMMITTED: A, Put a Redis before it.
        "#]],
    );
}

#[test]
fn a_change_written_against_an_older_version_is_stale_and_can_only_be_declined() {
    check(
        &at(
            "DISCUSSING",
            "ring-default cache ann bob rounds=1",
            "ann: say a
             bob: amend+ A Put a Redis behind it.
             bob: amend A Put two before it.
             ---
             ann: accept 1
             ann: accept 2
             ann: decline 2
             ?",
        ),
        expect![[r#"
            > ann: accept 1
            change accepted: true
            > ann: accept 2
            refused table/stale: amendment 12 was written for version 1, and the proposal is now at version 2: have it made again
            > ann: decline 2
            change accepted: false
            stage voting
            ballot opened: >= 60/100 of votes
            asked ann to vote
            asked bob to vote
            = VOTING
        "#]],
    );
}

#[test]
fn two_changes_one_after_the_other_are_two_versions() {
    check(
        &at(
            "DISCUSSING",
            "ring-default cache ann bob rounds=2",
            "ann: say a
             bob: amend A Put a Redis behind it.
             ann: accept 1
             ann: say b
             ---
             bob: amend A Put a Redis behind it, with a TTL.
             ann: accept 2
             ann: vote A approve
             bob: vote A approve
             ?",
        ),
        expect![[r#"
            > bob: amend A Put a Redis behind it, with a TTL.
            bob would change version 2
            released
            round 2 closed: 2 answered, 0 lapsed
            left: all rounds done
            stage converging
            asked ann to Weigh until 2:00
            > ann: accept 2
            change accepted: true
            stage voting
            ballot opened: >= 60/100 of votes
            asked ann to vote
            asked bob to vote
            > ann: vote A approve
            ann graded APPROVE
            > bob: vote A approve
            bob graded APPROVE
            counted [2, 0, 0, 0, 0] Passed { option: None }
            ballot closed: yes 2 no 0 abstain 0 options [] unparsed 0 missing 0: Passed { option: Some(0) }, settles true
            settled Passed { option: Some(0) }
            = COMMITTED: A, Put a Redis behind it, with a TTL.
        "#]],
    );
}

/// A ring in DISCUSSING, in which `lines` have been played.
fn talk(lines: &str) -> World {
    played(&at("DISCUSSING", "ring-default cache ann bob cy", lines))
}

fn support(world: &World) -> u32 {
    Session::of(world.house.case(world.matter()).unwrap()).unwrap().proposals[0].support
}

#[test]
fn support_is_the_proposers_and_of_those_whose_last_reaction_agrees() {
    assert_eq!(support(&talk("")), 1);
    assert_eq!(support(&talk("ann: react A disagree")), 1, "who put it is for it");
    assert_eq!(support(&talk("ann: say a\nbob: react A agree")), 2);
    assert_eq!(support(&talk("ann: say a\nbob: react+ A agree\nbob: react A concerning")), 1);
    assert_eq!(
        support(&talk("ann: say a\nbob: react+ A disagree\nbob: react A agree\ncy: react A agree")),
        3
    );
}

#[test]
fn a_proposal_that_was_changed_has_to_be_agreed_to_anew() {
    let agreed = "ann: say a\nbob: react A agree\ncy: amend+ A Put a Redis behind it.\nann: accept 1";
    assert_eq!(support(&talk(agreed)), 1);
    assert_eq!(support(&talk(&format!("{agreed}\ncy: react A agree"))), 2);
}

#[test]
fn who_left_supports_nothing() {
    assert_eq!(support(&talk("ann: say a\nbob: react A agree\nbob: leave")), 1);
}

#[test]
fn an_empty_table_holds_nothing() {
    let table = Table::default();
    assert!(!table.repeats("anything") && table.fresh(1) == 0);
    assert!(table.unruled(&who("ann")).next().is_none() && !table.holds("9".parse().unwrap()));
}
