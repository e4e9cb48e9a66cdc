//! Rounds that are held one at a time.

use expect_test::expect;

use crate::world::check;

#[test]
fn a_matter_held_round_by_round_waits_for_each() {
    check(
        "collaborative cache step=1 rounds=3 watch.early=0 ann bob
         continue
         ann: YES
         continue
         bob: NO
         resume
         pause
         continue focus What does it cost to run?
         continue
         ann: YES
         bob: NO
         continue material The index has 40 GB.
         ann: YES
         bob: NO
         ann: YES
         bob: NO
         continue",
        expect![[r#"
            opened for 2 seats
            stage discussion
            round 1 opened
            called ann
            called bob
            > continue
            refused matter/wrong-status: matter m5 is running: wait for its round to end
            > ann: YES
            admitted ann YES
            > continue
            refused matter/wrong-status: matter m5 is running: wait for its round to end
            > bob: NO
            admitted bob NO
            round 1 closed: 2 answered, 0 lapsed
            round 1 analysed: agreement 1/2
            paused BetweenRounds
            > resume
            refused matter/wrong-status: matter m5 is waiting between rounds: `continue` starts its next round
            > pause
            refused matter/wrong-status: matter m5 is waiting between rounds: only a running matter can be paused
            > continue focus What does it cost to run?
            round 2 turns to: What does it cost to run?
            resumed
            round 2 opened
            called ann
            called bob
            > continue
            refused matter/wrong-status: matter m5 is running: wait for its round to end
            > ann: YES
            admitted ann YES
            > bob: NO
            admitted bob NO
            round 2 closed: 2 answered, 0 lapsed
            round 2 analysed: agreement 1/2
            paused BetweenRounds
            > continue material The index has 40 GB.
            given notes.md
            resumed
            round 3 opened
            called ann
            called bob
            > ann: YES
            admitted ann YES
            > bob: NO
            admitted bob NO
            round 3 closed: 2 answered, 0 lapsed
            round 3 analysed: agreement 1/2
            left: all rounds done
            stage vote
            ballot opened: > 1/2 of cast
            asked ann to vote
            asked bob to vote
            > ann: YES
            cast ann YES
            > bob: NO
            cast bob NO
            ballot closed: yes 1 no 1 abstain 0 options [] unparsed 0 missing 0: Undecided(Tie), settles true
            settled Undecided(Tie)
            > continue
            refused matter/wrong-status: matter m5 is over (undecided): `fork` starts a new matter from one of its rounds
        "#]],
    );
}

#[test]
fn to_the_end_means_no_more_waiting() {
    check(
        "collaborative cache step=1 rounds=3 watch.early=0 ann
         ann: YES
         ---
         to-end
         ann: YES
         ann: YES
         ann: YES",
        expect![[r#"
            > to-end
            stepwise false
            resumed
            round 2 opened
            called ann
            > ann: YES
            admitted ann YES
            round 2 closed: 1 answered, 0 lapsed
            round 2 analysed: agreement unknown
            round 3 opened
            called ann
            > ann: YES
            admitted ann YES
            round 3 closed: 1 answered, 0 lapsed
            round 3 analysed: agreement unknown
            left: all rounds done
            stage vote
            ballot opened: > 1/2 of cast
            asked ann to vote
            > ann: YES
            cast ann YES
            ballot closed: yes 1 no 0 abstain 0 options [] unparsed 0 missing 0: Passed { option: None }, settles true
            settled Passed { option: None }
        "#]],
    );
}

#[test]
fn only_a_matter_between_rounds_continues() {
    check(
        "collaborative cache rounds=1 ann
         ---
         continue
         pause
         continue
         resume
         ann: YES
         ann: YES
         continue",
        expect![[r#"
            > continue
            refused matter/wrong-status: matter m4 is running: wait for its round to end
            > pause
            paused Operator
            > continue
            refused matter/wrong-status: matter m4 is paused: `resume` it; `continue` is for a matter that waits between rounds
            > resume
            resumed
            renewed until 62:00
            > ann: YES
            admitted ann YES
            round 1 closed: 1 answered, 0 lapsed
            round 1 analysed: agreement unknown
            left: all rounds done
            stage vote
            ballot opened: > 1/2 of cast
            asked ann to vote
            > ann: YES
            cast ann YES
            ballot closed: yes 1 no 0 abstain 0 options [] unparsed 0 missing 0: Passed { option: None }, settles true
            settled Passed { option: None }
            > continue
            refused matter/wrong-status: matter m4 is over (passed): `fork` starts a new matter from one of its rounds
        "#]],
    );
}
