//! How a ring ends: COMMITTED, ABORTED for each reason, DEFERRED.

use expect_test::expect;

use super::at;
use crate::world::check;

#[test]
fn committed_when_a_proposal_is_approved() {
    check(
        &at(
            "VOTING",
            "ring-default cache ann bob rounds=1",
            "ann: vote A approve\nbob: vote A approve_with_concerns\n?",
        ),
        expect![[r#"
            > ann: vote A approve
            ann graded APPROVE
            > bob: vote A approve_with_concerns
            bob graded APPROVE_WITH_CONCERNS
            counted [1, 1, 0, 0, 0] Passed { option: None }
            ballot closed: yes 2 no 0 abstain 0 options [] unparsed 0 missing 0: Passed { option: Some(0) }, settles true
            settled Passed { option: Some(0) }
            = COMMITTED: A, Put a Redis before it.
        "#]],
    );
}

#[test]
fn aborted_when_nothing_was_proposed() {
    check(
        "ring-default cache ann bob rounds=1
         ann: join
         bob: join
         ann: skip
         bob: skip
         ann: say nothing comes to mind
         ---
         bob: say nor to mine
         ?",
        expect![[r#"
            > bob: say nor to mine
            bob said opinion
            released
            round 1 closed: 2 answered, 0 lapsed
            left: all rounds done
            stage converging
            stage voting
            settled Undecided(NoProposal)
            = ABORTED: there was no proposal to vote on
        "#]],
    );
}

#[test]
fn aborted_when_all_are_rejected() {
    check(
        &at(
            "VOTING",
            "ring-default cache ann bob rounds=1",
            "ann: vote A reject\nbob: vote A request_changes\n?",
        ),
        expect![[r#"
            > ann: vote A reject
            ann graded REJECT
            > bob: vote A request_changes
            bob graded REQUEST_CHANGES
            counted [0, 0, 0, 1, 1] Rejected
            ballot closed: yes 0 no 2 abstain 0 options [] unparsed 0 missing 0: Rejected, settles true
            settled Rejected
            = ABORTED: no proposal was approved
        "#]],
    );
}

#[test]
fn aborted_when_too_few_join_in_time() {
    check(
        "ring-default cache ann bob cy\nann: join\n---\nwait 300s\n?",
        expect![[r#"
        > wait 300s
        lapsed: ring/not-joined (did not join in time)
        lapsed: ring/not-joined (did not join in time)
        settled Undecided(Few)
        = ABORTED: too few joined or stayed
    "#]],
    );
}

#[test]
fn aborted_when_too_few_stay() {
    check(
        &at("DISCUSSING", "ring-default cache ann bob", "bob: leave\n?"),
        expect![[r#"
        > bob: leave
        bob gone: ring/left
        lapsed: ring/few (too few were left to go on)
        settled Undecided(Few)
        = ABORTED: too few joined or stayed
    "#]],
    );
}

#[test]
fn aborted_when_the_session_is_older_than_its_limit() {
    check(
        &at(
            "DISCUSSING",
            "ring-default cache ann bob rounds=50 ring.token_ms=3600000",
            "wait 1799s\nwait 1s\n?",
        ),
        expect![[r#"
            > wait 1799s
            > wait 1s
            lapsed: matter/time (the matter's time ran out before an answer came)
            settled Undecided(Time)
            = ABORTED: the time allowed ran out
        "#]],
    );
}

#[test]
fn the_session_limit_holds_in_every_phase() {
    let head = "ring-quick cache ann bob rounds=1 ring.session_ms=1000";
    for phase in ["GATHERING", "PROPOSING", "DISCUSSING", "VOTING"] {
        let log = crate::world::log(&at(phase, head, "?\nwait 1s\n?"));
        assert!(log.starts_with(&format!("= {phase}\n")), "{log}");
        assert!(log.ends_with("settled Undecided(Time)\n= ABORTED: the time allowed ran out\n"), "{log}");
    }
}

#[test]
fn a_limit_of_the_matter_that_is_shorter_than_the_charters_holds() {
    let mut world = crate::world::World::new();
    let limits = synod_core::meter::Limits { time_ms: Some(5000), ..Default::default() };
    world.open(&crate::world::source("ring-default"), "cache", &[], &["ann", "bob"], limits);
    assert_eq!(world.house.next_deadline(), Some(crate::world::START.plus(5000)));
}

#[test]
fn aborted_when_the_operator_stops_it() {
    check(
        &at("VOTING", "ring-default cache ann bob rounds=1", "ann: vote A approve\nstop\n?"),
        expect![[r#"
            > ann: vote A approve
            ann graded APPROVE
            > stop
            lapsed: matter/stopped (the matter was stopped before an answer came)
            settled Undecided(Stopped)
            = ABORTED: stopped by the operator
        "#]],
    );
}

#[test]
fn deferred_with_the_reason_when_the_quorum_is_missed() {
    check(
        &at(
            "VOTING",
            "ring-default cache ann bob cy dee rounds=1",
            "ann: vote A approve\nbob: vote A approve\nwait 60s\n?",
        ),
        expect![[r#"
            > ann: vote A approve
            ann graded APPROVE
            > bob: vote A approve
            bob graded APPROVE
            > wait 60s
            lapsed: ring/vote-late (not all proposals were voted on in time)
            lapsed: ring/vote-late (not all proposals were voted on in time)
            counted [2, 0, 0, 0, 0] Undecided(Quorum)
            ballot closed: yes 2 no 0 abstain 0 options [] unparsed 0 missing 2: Undecided(Quorum), settles true
            settled Undecided(Quorum)
            = DEFERRED: too few seats voted
        "#]],
    );
}

#[test]
fn a_second_session_can_follow_a_deferred_one() {
    // A quorum that fails says nothing about the question: the same can be convened again.
    let mut world = crate::world::World::new();
    let open = |world: &mut crate::world::World| {
        world.open(&crate::world::source("ring-quick"), "cache", &[], &["ann", "bob"], Default::default());
        for line in ["ann: join", "bob: join", "ann: propose A: one", "bob: skip"] {
            world.step(line);
        }
    };
    open(&mut world);
    world.step("stop");
    open(&mut world);
    assert_eq!(
        world.house.cases().map(|case| case.phase_word()).collect::<Vec<_>>(),
        ["ABORTED", "DISCUSSING"]
    );
}
