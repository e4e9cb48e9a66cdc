//! Rounds: who is called when, what a failure does, when a stage ends.

use expect_test::expect;

use crate::world::check;

#[test]
fn drafts_that_agree_are_the_first_vote_and_settle_without_debate() {
    check(
        "blind-vote cache ann bob cy
         ann: YES
         bob: YES 0.7
         ---
         cy: YES",
        expect![[r#"
            > cy: YES
            admitted cy YES
            round 1 closed: 3 answered, 0 lapsed
            round 1 analysed: agreement 3/3, 1 signs
            left: all rounds done
            stage first-vote
            ballot opened: > 1/2 of cast
            stated ann YES
            stated bob YES
            stated cy YES
            ballot closed: yes 3 no 0 abstain 0 options [] unparsed 0 missing 0: Passed { option: None }, settles true
            settled Passed { option: None }
        "#]],
    );
}

#[test]
fn a_split_first_vote_opens_a_debate_of_the_crux_and_a_final_vote() {
    check(
        "blind-vote cache ann bob cy
         ann: YES
         bob: YES
         cy: NO
         ann: YES
         bob: YES
         cy: NO
         ann: YES
         bob: YES
         cy: NO",
        expect![[r#"
            opened for 3 seats
            stage drafts
            round 1 opened
            called ann
            called bob
            called cy
            > ann: YES
            admitted ann YES
            > bob: YES
            admitted bob YES
            > cy: NO
            admitted cy NO
            round 1 closed: 3 answered, 0 lapsed
            round 1 analysed: agreement 2/3
            left: all rounds done
            stage first-vote
            ballot opened: > 1/2 of cast
            stated ann YES
            stated bob YES
            stated cy NO
            ballot closed: yes 2 no 1 abstain 0 options [] unparsed 0 missing 0: Passed { option: None }, settles false
            stage debate
            round 2 opened
            called ann
            called bob
            called cy
            > ann: YES
            admitted ann YES
            > bob: YES
            admitted bob YES
            > cy: NO
            admitted cy NO
            round 2 closed: 3 answered, 0 lapsed
            round 2 analysed: agreement 2/3
            left: nobody changed their mind
            stage final-vote
            ballot opened: > 1/2 of cast
            asked ann to vote
            asked bob to vote
            asked cy to vote
            > ann: YES
            cast ann YES
            > bob: YES
            cast bob YES
            > cy: NO
            cast cy NO
            ballot closed: yes 2 no 1 abstain 0 options [] unparsed 0 missing 0: Passed { option: None }, settles true
            settled Passed { option: None }
        "#]],
    );
}

#[test]
fn a_seat_that_moves_keeps_the_debate_open() {
    check(
        "blind-vote cache ann bob cy
         ann: YES
         bob: NO
         cy: NEUTRAL
         ann: YES
         bob: NO
         ---
         cy: ABSTAIN
         ann: YES
         bob: NO
         cy: NO
         ann: NO
         bob: NO
         cy: NO
         ann: NO
         bob: NO
         cy: NO",
        expect![[r#"
            > cy: ABSTAIN
            cast cy ABSTAIN
            ballot closed: yes 1 no 1 abstain 1 options [] unparsed 0 missing 0: Undecided(Tie), settles false
            stage debate
            round 2 opened
            called ann
            called bob
            called cy
            > ann: YES
            admitted ann YES
            > bob: NO
            admitted bob NO
            > cy: NO
            admitted cy NO, marked gate/conformity
            round 2 closed: 3 answered, 0 lapsed
            round 2 analysed: agreement 2/3
            round 3 opened
            called ann
            called bob
            called cy
            > ann: NO
            admitted ann NO, marked gate/conformity
            > bob: NO
            admitted bob NO
            > cy: NO
            admitted cy NO
            round 3 closed: 3 answered, 0 lapsed
            round 3 analysed: agreement 3/3, 2 signs
            left: positions are clear
            stage final-vote
            ballot opened: > 1/2 of cast
            asked ann to vote
            asked bob to vote
            asked cy to vote
            > ann: NO
            cast ann NO, was YES, conformity
            > bob: NO
            cast bob NO
            > cy: NO
            cast cy NO, was NEUTRAL
            ballot closed: yes 0 no 3 abstain 0 options [] unparsed 0 missing 0: Rejected, settles true
            settled Rejected
        "#]],
    );
}

#[test]
fn sequential_seats_are_called_one_by_one_for_exactly_n_times_r_turns() {
    check(
        "one-by-one cache ann bob cy
         ann: YES
         bob: NO
         cy: YES
         ann: YES
         bob: fails backend/time-out slow
         cy: YES
         bob: YES
         ann: YES
         cy: YES",
        expect![[r#"
            opened for 3 seats
            stage discussion
            round 1 opened
            called ann
            > ann: YES
            admitted ann YES
            called bob
            > bob: NO
            admitted bob NO
            called cy
            > cy: YES
            admitted cy YES
            round 1 closed: 3 answered, 0 lapsed
            round 1 analysed: agreement 2/3
            round 2 opened
            called ann
            > ann: YES
            admitted ann YES
            called bob
            > bob: fails backend/time-out slow
            lapsed: backend/time-out (slow)
            called cy
            > cy: YES
            admitted cy YES
            round 2 closed: 2 answered, 1 lapsed
            round 2 analysed: agreement 2/2
            left: consensus
            stage vote
            ballot opened: > 1/2 of cast
            asked ann to vote
            asked bob to vote
            asked cy to vote
            > bob: YES
            cast bob YES, was NO, conformity
            > ann: YES
            cast ann YES
            > cy: YES
            cast cy YES
            ballot closed: yes 3 no 0 abstain 0 options [] unparsed 0 missing 0: Passed { option: None }, settles true
            settled Passed { option: None }
        "#]],
    );
}

#[test]
fn one_failing_seat_leaves_the_others_intact_and_is_given_up_after_two() {
    check(
        "blind-vote cache ann bob cy
         ---
         ann: YES
         bob: fails backend/http-500 three tries failed
         cy: NO
         bob: fails backend/http-500 three tries failed
         ann: YES
         cy: NO
         ann: YES
         cy: YES",
        expect![[r#"
            > ann: YES
            admitted ann YES
            > bob: fails backend/http-500 three tries failed
            lapsed: backend/http-500 (three tries failed)
            > cy: NO
            admitted cy NO
            round 1 closed: 2 answered, 1 lapsed
            round 1 analysed: agreement 1/2
            left: all rounds done
            stage first-vote
            ballot opened: > 1/2 of cast
            stated ann YES
            asked bob to vote
            stated cy NO
            > bob: fails backend/http-500 three tries failed
            lapsed: backend/http-500 (three tries failed)
            absent bob: backend/http-500
            ballot closed: yes 1 no 1 abstain 0 options [] unparsed 0 missing 1: Undecided(Tie), settles false
            stage debate
            round 2 opened
            called ann
            called cy
            > ann: YES
            admitted ann YES
            > cy: NO
            admitted cy NO
            round 2 closed: 2 answered, 0 lapsed
            round 2 analysed: agreement 1/2
            left: nobody changed their mind
            stage final-vote
            ballot opened: > 1/2 of cast
            asked ann to vote
            asked cy to vote
            > ann: YES
            cast ann YES
            > cy: YES
            cast cy YES, was NO, conformity
            ballot closed: yes 2 no 0 abstain 0 options [] unparsed 0 missing 1: Passed { option: None }, settles true
            settled Passed { option: None }
        "#]],
    );
}

#[test]
fn a_lasting_fault_makes_a_seat_absent_at_once() {
    check(
        "blind-vote cache ann bob
         ---
         ann: fails! backend/http-401 wrong key
         bob: YES
         bob: YES",
        expect![[r#"
            > ann: fails! backend/http-401 wrong key
            lapsed: backend/http-401 (wrong key)
            absent ann: backend/http-401
            > bob: YES
            admitted bob YES
            round 1 closed: 1 answered, 1 lapsed
            round 1 analysed: agreement unknown
            left: all rounds done
            settled Undecided(Quorum)
            > bob: YES
            refused ask/not-open: ask 9999 is not open: it was answered, has lapsed or never existed
        "#]],
    );
}

#[test]
fn a_round_with_no_answer_failed_and_settles_nothing() {
    check(
        "blind-vote cache ann bob
         ---
         ann: fails backend/unreachable down
         bob: fails backend/unreachable down",
        expect![[r#"
            > ann: fails backend/unreachable down
            lapsed: backend/unreachable (down)
            > bob: fails backend/unreachable down
            lapsed: backend/unreachable (down)
            round 1 closed: 0 answered, 2 lapsed
            settled Undecided(NoAnswers)
        "#]],
    );
}

#[test]
fn time_runs_from_the_moment_a_turn_is_performed() {
    check(
        "blind-vote cache ann bob
         ---
         wait 300s
         begin ann
         wait 119s
         begin bob
         wait 1s
         bob: YES
         ann: YES",
        expect![[r#"
            > wait 300s
            > begin ann
            reserved $0.0000
            begun until 7:00
            > wait 119s
            > begin bob
            reserved $0.0000
            begun until 8:59
            > wait 1s
            lapsed: ask/late (no answer within 120.0 s)
            > bob: YES
            admitted bob YES
            round 1 closed: 1 answered, 1 lapsed
            round 1 analysed: agreement unknown
            left: all rounds done
            stage first-vote
            ballot opened: > 1/2 of cast
            asked ann to vote
            stated bob YES
            > ann: YES
            cast ann YES
            ballot closed: yes 2 no 0 abstain 0 options [] unparsed 0 missing 0: Passed { option: None }, settles true
            settled Passed { option: None }
        "#]],
    );
}

#[test]
fn an_empty_answer_is_rejected_and_prose_is_kept_as_unknown() {
    check(
        "blind-vote cache ann bob
         ---
         ann: raw
         bob: raw I really cannot tell from here.",
        expect![[r#"
            > ann: raw
            rejected gate/empty
            > bob: raw I really cannot tell from here.
            admitted bob no stance, marked gate/stance-missing gate/field-missing
            round 1 closed: 1 answered, 1 lapsed
            round 1 analysed: agreement unknown
            left: all rounds done
            stage first-vote
            ballot opened: > 1/2 of cast
            asked ann to vote
            asked bob to vote
        "#]],
    );
}
