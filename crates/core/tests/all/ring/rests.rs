//! A ring that rests: nothing lapses, and when it goes on everyone has the whole time again.

use expect_test::expect;

use super::at;
use crate::world::check;

const HEAD: &str = "ring-default cache ann bob rounds=1";

#[test]
fn a_ring_rests_while_it_gathers() {
    check(
        &format!("{HEAD}\nann: join\n---\npause\nwait 400s\nbob: join\nresume\nwait 299s\nbob: join\n?"),
        expect![[r#"
            > pause
            paused Operator
            > wait 400s
            > bob: join
            refused matter/wrong-status: matter m5 is paused: nobody can take part until it is resumed
            > resume
            resumed
            renewed until 11:40
            > wait 299s
            > bob: join
            bob joined from round 1
            stage proposing
            asked ann to Propose until 13:39
            asked bob to Propose until 13:39
            = PROPOSING
        "#]],
    );
}

#[test]
fn a_ring_rests_while_it_is_proposed() {
    check(
        &at("PROPOSING", HEAD, "pause\nwait 400s\nresume\nwait 119s\nann: propose A: one\nwait 1s\n?"),
        expect![[r#"
            > pause
            paused Operator
            > wait 400s
            > resume
            resumed
            renewed until 8:40
            renewed until 8:40
            > wait 119s
            > ann: propose A: one
            ann proposed 1: A
            released
            > wait 1s
            lapsed: ask/undelivered (the turn was never fetched and acknowledged)
            stage discussing
            round 1 opened
            called ann until 10:40
            = DISCUSSING
        "#]],
    );
}

#[test]
fn a_ring_rests_while_somebody_has_the_floor() {
    check(
        &at("DISCUSSING", HEAD, "ann: ack\npause\nwait 400s\nresume\nwait 119s\nann: say a\n?"),
        expect![[r#"
            > ann: ack
            begun until 2:00
            > pause
            paused Operator
            > wait 400s
            > resume
            resumed
            renewed until 8:40
            > wait 119s
            > ann: say a
            ann said opinion
            released
            called bob until 10:39
            = DISCUSSING
        "#]],
    );
}

#[test]
fn a_turn_has_to_be_fetched_again_after_a_rest() {
    check(
        &at("DISCUSSING", HEAD, "ann: ack\npause\nresume\nwait 120s"),
        expect![[r#"
        > ann: ack
        begun until 2:00
        > pause
        paused Operator
        > resume
        resumed
        renewed until 2:00
        > wait 120s
        lapsed: ask/undelivered (the turn was never fetched and acknowledged)
        called bob until 4:00
    "#]],
    );
}

#[test]
fn a_ring_rests_while_changes_are_weighed() {
    check(
        &at(
            "DISCUSSING",
            HEAD,
            "ann: say a\nbob: amend A Put two before it.\n---\npause\nwait 400s\nann: accept 1\nresume\nann: accept 1\n?",
        ),
        expect![[r#"
            > pause
            paused Operator
            > wait 400s
            > ann: accept 1
            refused matter/wrong-status: matter m5 is paused: nobody can take part until it is resumed
            > resume
            resumed
            renewed until 8:40
            > ann: accept 1
            change accepted: true
            stage voting
            ballot opened: >= 60/100 of votes
            asked ann to vote
            asked bob to vote
            = VOTING
        "#]],
    );
}

#[test]
fn a_ring_rests_while_it_votes() {
    check(
        &at(
            "VOTING",
            HEAD,
            "ann: vote A approve\npause\nwait 400s\nresume\nwait 59s\nbob: vote A approve\n?",
        ),
        expect![[r#"
            > ann: vote A approve
            ann graded APPROVE
            > pause
            paused Operator
            > wait 400s
            > resume
            resumed
            renewed until 7:40
            > wait 59s
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
fn a_rest_stops_the_clock_of_the_session() {
    check(
        &at("DISCUSSING", HEAD, "pause\nwait 1800s\nresume\nwait 0s\n?"),
        expect![[r#"
            > pause
            paused Operator
            > wait 1800s
            > resume
            resumed
            renewed until 32:00
            > wait 0s
            = DISCUSSING
        "#]],
    );
}

#[test]
fn a_ring_that_rests_can_be_stopped() {
    check(
        &at("DISCUSSING", HEAD, "pause\nstop\n?"),
        expect![[r#"
        > pause
        paused Operator
        > stop
        lapsed: matter/stopped (the matter was stopped before an answer came)
        settled Undecided(Stopped)
        = ABORTED: stopped by the operator
    "#]],
    );
}
