//! Who has the floor, for how long, and who is not called any more.

use expect_test::expect;

use super::at;
use crate::world::{check, log};

#[test]
fn the_floor_goes_round_in_the_order_of_invitation_and_wraps() {
    check(
        "ring-default cache ann bob cy rounds=2
         cy: join
         ann: join
         bob: join
         ann: propose A: one
         bob: skip
         cy: skip
         ---
         ann: say one
         bob: say two
         cy: say three
         ann: say four
         bob: say five
         cy: say six
         ?",
        expect![[r#"
            > ann: say one
            ann said opinion, said before
            released
            called bob until 2:00
            > bob: say two
            bob said opinion
            released
            called cy until 2:00
            > cy: say three
            cy said opinion
            released
            round 1 closed: 3 answered, 0 lapsed
            round 2 opened
            called ann until 2:00
            > ann: say four
            ann said opinion
            released
            called bob until 2:00
            > bob: say five
            bob said opinion
            released
            called cy until 2:00
            > cy: say six
            cy said opinion
            released
            round 2 closed: 3 answered, 0 lapsed
            left: all rounds done
            stage converging
            stage voting
            ballot opened: >= 60/100 of votes
            asked ann to vote
            asked bob to vote
            asked cy to vote
            = VOTING
        "#]],
    );
}

#[test]
fn three_seats_and_three_rounds_are_exactly_nine_turns() {
    let mut script = String::new();
    for nth in 0..9 {
        script += &format!("{}: say word {nth}\n", ["ann", "bob", "cy"][nth % 3]);
    }
    let log = log(&at("DISCUSSING", "ring-default cache ann bob cy rounds=3", &script));
    // The first was called when the talk began.
    assert_eq!(log.matches("called ").count() + 1, 9, "{log}");
    assert!(log.contains("left: all rounds done"), "{log}");
}

#[test]
fn who_does_not_answer_within_120_s_is_timed_out_and_the_next_is_called() {
    check(
        &at("DISCUSSING", "ring-default cache ann bob cy", "wait 119s\nwait 1s"),
        expect![[r#"
        > wait 119s
        > wait 1s
        lapsed: ask/undelivered (the turn was never fetched and acknowledged)
        called bob until 4:00
    "#]],
    );
}

#[test]
fn a_turn_that_was_fetched_lapses_as_late_and_not_as_undelivered() {
    check(
        &at("DISCUSSING", "ring-default cache ann bob", "ann: ack\nann: ack\nwait 120s"),
        expect![[r#"
        > ann: ack
        begun until 2:00
        > ann: ack
        > wait 120s
        lapsed: ask/late (no answer within 120.0 s)
        called bob until 4:00
    "#]],
    );
}

#[test]
fn fetching_a_turn_late_gives_no_more_time() {
    check(
        &at("DISCUSSING", "ring-default cache ann bob", "wait 100s\nann: ack\nwait 20s"),
        expect![[r#"
        > wait 100s
        > ann: ack
        begun until 2:00
        > wait 20s
        lapsed: ask/late (no answer within 120.0 s)
        called bob until 4:00
    "#]],
    );
}

#[test]
fn two_skips_in_a_row_make_a_seat_absent() {
    check(
        &at(
            "DISCUSSING",
            "ring-default cache ann bob cy",
            "ann: say one
             bob: skip
             cy: say two
             ann: say three
             bob: skip
             cy: say four
             ann: say five",
        ),
        expect![[r#"
            > ann: say one
            ann said opinion
            released
            called bob until 2:00
            > bob: skip
            skipped
            called cy until 2:00
            > cy: say two
            cy said opinion
            released
            round 1 closed: 2 answered, 0 lapsed
            round 2 opened
            called ann until 2:00
            > ann: say three
            ann said opinion
            released
            called bob until 2:00
            > bob: skip
            skipped
            absent bob: ring/skips
            called cy until 2:00
            > cy: say four
            cy said opinion
            released
            round 2 closed: 2 answered, 0 lapsed
            round 3 opened
            called ann until 2:00
            > ann: say five
            ann said opinion
            released
            called cy until 2:00
        "#]],
    );
}

#[test]
fn a_word_between_two_skips_breaks_the_row() {
    check(
        &at(
            "DISCUSSING",
            "ring-default cache ann bob",
            "ann: skip
             bob: say one
             ann: say two
             bob: say three
             ann: skip
             bob: say four",
        ),
        expect![[r#"
            > ann: skip
            skipped
            called bob until 2:00
            > bob: say one
            bob said opinion
            released
            round 1 closed: 1 answered, 0 lapsed
            round 2 opened
            called ann until 2:00
            > ann: say two
            ann said opinion
            released
            called bob until 2:00
            > bob: say three
            bob said opinion
            released
            round 2 closed: 2 answered, 0 lapsed
            round 3 opened
            called ann until 2:00
            > ann: skip
            skipped
            called bob until 2:00
            > bob: say four
            bob said opinion
            released
            round 3 closed: 1 answered, 0 lapsed
            round 4 opened
            called ann until 2:00
        "#]],
    );
}

#[test]
fn a_time_out_between_two_skips_breaks_the_row() {
    check(
        &at(
            "DISCUSSING",
            "ring-default cache ann bob",
            "ann: skip
             bob: say one
             wait 120s
             bob: say two
             ann: skip
             bob: say three",
        ),
        expect![[r#"
            > ann: skip
            skipped
            called bob until 2:00
            > bob: say one
            bob said opinion
            released
            round 1 closed: 1 answered, 0 lapsed
            round 2 opened
            called ann until 2:00
            > wait 120s
            lapsed: ask/undelivered (the turn was never fetched and acknowledged)
            called bob until 4:00
            > bob: say two
            bob said opinion
            released
            round 2 closed: 1 answered, 1 lapsed
            round 3 opened
            called ann until 4:00
            > ann: skip
            skipped
            called bob until 4:00
            > bob: say three
            bob said opinion
            released
            round 3 closed: 1 answered, 0 lapsed
            round 4 opened
            called ann until 4:00
        "#]],
    );
}

#[test]
fn a_skip_before_the_talk_counts_for_nothing() {
    check(
        "ring-default cache ann bob
         ann: join
         bob: join
         ann: propose A: one
         bob: skip
         ---
         ann: say one
         bob: skip
         ann: say two",
        expect![[r#"
            > ann: say one
            ann said opinion, said before
            released
            called bob until 2:00
            > bob: skip
            skipped
            round 1 closed: 1 answered, 0 lapsed
            round 2 opened
            called ann until 2:00
            > ann: say two
            ann said opinion
            released
            called bob until 2:00
        "#]],
    );
}

#[test]
fn three_time_outs_in_all_make_a_seat_absent() {
    check(
        &at(
            "DISCUSSING",
            "ring-default cache ann bob",
            "wait 120s
             bob: say one
             wait 120s
             bob: say two
             ann: say three
             bob: say four
             wait 120s
             bob: say five
             bob: say six
             ann: vote A approve",
        ),
        expect![[r#"
            > wait 120s
            lapsed: ask/undelivered (the turn was never fetched and acknowledged)
            called bob until 4:00
            > bob: say one
            bob said opinion
            released
            round 1 closed: 1 answered, 1 lapsed
            round 2 opened
            called ann until 4:00
            > wait 120s
            lapsed: ask/undelivered (the turn was never fetched and acknowledged)
            called bob until 6:00
            > bob: say two
            bob said opinion
            released
            round 2 closed: 1 answered, 1 lapsed
            round 3 opened
            called ann until 6:00
            > ann: say three
            ann said opinion
            released
            called bob until 6:00
            > bob: say four
            bob said opinion
            released
            round 3 closed: 2 answered, 0 lapsed
            round 4 opened
            called ann until 6:00
            > wait 120s
            lapsed: ask/undelivered (the turn was never fetched and acknowledged)
            absent ann: ask/undelivered
            called bob until 8:00
            > bob: say five
            bob said opinion
            released
            round 4 closed: 1 answered, 1 lapsed
            round 5 opened
            called bob until 8:00
            > bob: say six
            bob said opinion
            released
            round 5 closed: 1 answered, 0 lapsed
            left: all rounds done
            stage converging
            stage voting
            ballot opened: >= 60/100 of votes
            asked ann to vote
            asked bob to vote
            > ann: vote A approve
            ann graded APPROVE
        "#]],
    );
}

#[test]
fn who_was_absent_is_called_again_from_the_next_round_once_it_comes_back() {
    check(
        &at(
            "DISCUSSING",
            "ring-default cache ann bob cy",
            "ann: skip
             bob: say one
             cy: say two
             ann: skip
             ---
             ann: join
             bob: say three
             cy: say four
             ann: say five",
        ),
        expect![[r#"
            > ann: join
            ann joined from round 3
            > bob: say three
            bob said opinion
            released
            called cy until 2:00
            > cy: say four
            cy said opinion
            released
            round 2 closed: 2 answered, 0 lapsed
            round 3 opened
            called ann until 2:00
            > ann: say five
            ann said opinion
            released
            called bob until 2:00
        "#]],
    );
}

#[test]
fn a_turn_given_back_empty_was_skipped_and_one_with_a_word_was_not() {
    check(
        &at(
            "DISCUSSING",
            "ring-default cache ann bob",
            "ann: release
             bob: say+ one
             bob: skip",
        ),
        expect![[r#"
            > ann: release
            skipped
            called bob until 2:00
            > bob: say+ one
            bob said opinion
            > bob: skip
            released
            round 1 closed: 1 answered, 0 lapsed
            round 2 opened
            called ann until 2:00
        "#]],
    );
}

#[test]
fn the_floor_can_be_kept_for_more() {
    check(
        &at(
            "DISCUSSING",
            "ring-default cache ann bob",
            "ann: say+ one
             ann: ask+ two?
             ann: sum three",
        ),
        expect![[r#"
            > ann: say+ one
            ann said opinion
            > ann: ask+ two?
            ann said question
            > ann: sum three
            ann said synthesis
            released
            called bob until 2:00
        "#]],
    );
}

#[test]
fn a_late_joiner_is_appended_from_the_next_round() {
    check(
        "ring-default cache ann bob cy
         bob: join
         cy: join
         start
         bob: propose A: one
         cy: skip
         ---
         bob: say one
         ann: join
         cy: say two
         bob: say three
         cy: say four
         ann: say five",
        expect![[r#"
            > bob: say one
            bob said opinion, said before
            released
            called cy until 2:00
            > ann: join
            ann joined from round 2
            > cy: say two
            cy said opinion
            released
            round 1 closed: 2 answered, 0 lapsed
            round 2 opened
            called bob until 2:00
            > bob: say three
            bob said opinion
            released
            called cy until 2:00
            > cy: say four
            cy said opinion
            released
            called ann until 2:00
            > ann: say five
            ann said opinion
            released
            round 2 closed: 3 answered, 0 lapsed
            round 3 opened
            called bob until 2:00
        "#]],
    );
}

#[test]
fn who_joins_while_others_propose_is_called_last_from_the_first_round() {
    check(
        "ring-default cache ann bob cy
         bob: join
         cy: join
         start
         ---
         ann: join
         bob: propose A: one
         cy: skip
         bob: say one
         cy: say two",
        expect![[r#"
            > ann: join
            ann joined from round 1
            > bob: propose A: one
            bob proposed 1: A
            released
            > cy: skip
            skipped
            stage discussing
            round 1 opened
            called bob until 2:00
            > bob: say one
            bob said opinion, said before
            released
            called cy until 2:00
            > cy: say two
            cy said opinion
            released
            called ann until 2:00
        "#]],
    );
}

#[test]
fn removing_the_next_leaves_the_holder_and_calls_the_one_after() {
    check(
        &at("DISCUSSING", "ring-default cache ann bob cy", "remove bob\nann: say one"),
        expect![[r#"
        > remove bob
        bob gone: ring/removed
        > ann: say one
        ann said opinion
        released
        called cy until 2:00
    "#]],
    );
}

#[test]
fn removing_the_last_closes_the_round_after_the_holder() {
    check(
        &at("DISCUSSING", "ring-default cache ann bob cy", "ann: say one\nremove cy\nbob: say two"),
        expect![[r#"
            > ann: say one
            ann said opinion
            released
            called bob until 2:00
            > remove cy
            cy gone: ring/removed
            > bob: say two
            bob said opinion
            released
            round 1 closed: 2 answered, 0 lapsed
            round 2 opened
            called ann until 2:00
        "#]],
    );
}

#[test]
fn removing_the_holder_lets_the_turn_lapse_and_calls_the_next() {
    check(
        &at("DISCUSSING", "ring-default cache ann bob cy", "remove ann"),
        expect![[r#"
        > remove ann
        ann gone: ring/removed
        lapsed: ring/removed (removed by the operator)
        called bob until 2:00
    "#]],
    );
}

#[test]
fn removing_the_holder_who_is_the_last_closes_the_round() {
    check(
        &at("DISCUSSING", "ring-default cache ann bob cy", "ann: say one\nbob: say two\nremove cy"),
        expect![[r#"
            > ann: say one
            ann said opinion
            released
            called bob until 2:00
            > bob: say two
            bob said opinion
            released
            called cy until 2:00
            > remove cy
            cy gone: ring/removed
            lapsed: ring/removed (removed by the operator)
            round 1 closed: 2 answered, 1 lapsed
            round 2 opened
            called ann until 2:00
        "#]],
    );
}

#[test]
fn who_leaves_with_the_floor_gives_it_up_and_may_come_back_in_their_place() {
    check(
        &at(
            "DISCUSSING",
            "ring-default cache ann bob cy",
            "ann: leave
             ann: join
             bob: say one
             cy: say two",
        ),
        expect![[r#"
            > ann: leave
            ann gone: ring/left
            lapsed: ring/left (left of their own accord)
            called bob until 2:00
            > ann: join
            ann joined from round 2
            > bob: say one
            bob said opinion
            released
            called cy until 2:00
            > cy: say two
            cy said opinion
            released
            round 1 closed: 2 answered, 1 lapsed
            round 2 opened
            called ann until 2:00
        "#]],
    );
}
