//! Rest, go on, end.

use expect_test::expect;

use crate::world::check;

#[test]
fn a_resting_matter_asks_nothing_and_goes_on_with_its_asks_and_full_time() {
    check(
        "blind-vote cache ann bob
         begin ann
         ann: YES
         ---
         pause
         bob: NO
         wait 9000s
         pause
         resume
         resume
         bob: NO",
        expect![[r#"
            > pause
            paused Operator
            > bob: NO
            refused ask/not-open: ask 9999 is not open: it was answered, has lapsed or never existed
            > wait 9000s
            > pause
            refused matter/wrong-status: matter m5 is paused: only a running matter can be paused
            > resume
            resumed
            renewed until 212:00
            > resume
            refused matter/wrong-status: matter m5 is running: only a paused matter can be resumed
            > bob: NO
            admitted bob NO
            round 1 closed: 2 answered, 0 lapsed
            round 1 analysed: agreement 1/2
            left: all rounds done
            stage first-vote
            ballot opened: > 1/2 of cast
            stated ann YES
            stated bob NO
            ballot closed: yes 1 no 1 abstain 0 options [] unparsed 0 missing 0: Undecided(Tie), settles false
            stage debate
            round 2 opened
            called ann
            called bob
        "#]],
    );
}

#[test]
fn a_stopped_matter_is_undecided_and_over() {
    check(
        "blind-vote cache ann bob
         ann: YES
         ---
         stop
         bob: YES
         stop
         resume",
        expect![[r#"
            > stop
            lapsed: matter/stopped (the matter was stopped before an answer came)
            settled Undecided(Stopped)
            > bob: YES
            refused ask/not-open: ask 9999 is not open: it was answered, has lapsed or never existed
            > stop
            refused matter/wrong-status: matter m5 is over (undecided): it cannot be stopped again
            > resume
            refused matter/wrong-status: matter m5 is over (undecided): only a paused matter can be resumed
        "#]],
    );
}
