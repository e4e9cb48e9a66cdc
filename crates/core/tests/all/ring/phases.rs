//! Each phase, entered and left in each way.

use expect_test::expect;

use super::at;
use crate::world::{check, log};

#[test]
fn gathering_ends_when_all_have_joined() {
    check(
        "ring-default cache ann bob\n---\nbob: join\n?\nann: join\n?",
        expect![[r#"
        > bob: join
        bob joined from round 1
        = GATHERING
        > ann: join
        ann joined from round 1
        stage proposing
        asked ann to Propose until 2:00
        asked bob to Propose until 2:00
        = PROPOSING
    "#]],
    );
}

#[test]
fn gathering_ends_at_its_deadline_with_those_who_came() {
    check(
        "ring-default cache ann bob cy
         ann: join
         cy: join
         ---
         wait 299s
         wait 1s",
        expect![[r#"
            > wait 299s
            > wait 1s
            lapsed: ring/not-joined (did not join in time)
            stage proposing
            asked ann to Propose until 7:00
            asked cy to Propose until 7:00
        "#]],
    );
}

#[test]
fn gathering_ends_when_the_operator_starts_with_those_who_came() {
    check(
        "ring-default cache ann bob cy
         ann: join
         cy: join
         ---
         start",
        expect![[r#"
            > start
            lapsed: ring/started (the ring began before they joined; they can still do so)
            stage proposing
            asked ann to Propose until 2:00
            asked cy to Propose until 2:00
        "#]],
    );
}

#[test]
fn gathering_ends_when_the_last_who_has_not_come_declines() {
    check(
        "ring-default cache ann bob cy
         ann bob: join
         ---
         cy: leave
         cy: join",
        expect![[r#"
            > cy: leave
            lapsed: ring/declined (declined)
            stage proposing
            asked ann to Propose until 2:00
            asked bob to Propose until 2:00
            > cy: join
            cy joined from round 1
        "#]],
    );
}

#[test]
fn gathering_ends_when_the_last_who_has_not_come_is_removed() {
    check(
        "ring-default cache ann bob cy\nann: join\ncy: join\n---\nremove bob",
        expect![[r#"
        > remove bob
        bob gone: ring/removed
        lapsed: ring/removed (removed by the operator)
        stage proposing
        asked ann to Propose until 2:00
        asked cy to Propose until 2:00
    "#]],
    );
}

#[test]
fn proposing_ends_when_everyone_has_proposed_or_skipped() {
    check(
        &at(
            "PROPOSING",
            "ring-default cache ann bob cy",
            "cy: propose+ One: first
             cy: propose Two: second
             ann: skip
             bob: release
             ?",
        ),
        expect![[r#"
            > cy: propose+ One: first
            cy proposed 1: One
            > cy: propose Two: second
            cy proposed 2: Two
            released
            > ann: skip
            skipped
            > bob: release
            skipped
            stage discussing
            round 1 opened
            called ann until 2:00
            = DISCUSSING
        "#]],
    );
}

#[test]
fn proposing_ends_at_its_deadline_and_makes_nobody_absent() {
    check(
        &at("PROPOSING", "ring-default cache ann bob", "ann: propose One: first\nwait 120s\n?"),
        expect![[r#"
            > ann: propose One: first
            ann proposed 1: One
            released
            > wait 120s
            lapsed: ask/undelivered (the turn was never fetched and acknowledged)
            stage discussing
            round 1 opened
            called ann until 4:00
            = DISCUSSING
        "#]],
    );
}

#[test]
fn discussing_ends_when_the_rounds_are_used_up() {
    check(
        &at("DISCUSSING", "ring-default cache ann bob rounds=1", "ann: say one\nbob: say two"),
        expect![[r#"
            > ann: say one
            ann said opinion
            released
            called bob until 2:00
            > bob: say two
            bob said opinion
            released
            round 1 closed: 2 answered, 0 lapsed
            left: all rounds done
            stage converging
            stage voting
            ballot opened: >= 60/100 of votes
            asked ann to vote
            asked bob to vote
        "#]],
    );
}

/// A ring of ten in which so many are for proposal A after the first round.
fn agreed(agreeing: usize) -> String {
    let names = ["p1", "p2", "p3", "p4", "p5", "p6", "p7", "p8", "p9", "p10"];
    let mut script = "p1: say it is mine\n".to_string();
    for (place, name) in names.iter().enumerate().skip(1) {
        let reaction = if place < agreeing { "agree" } else { "partially_agree" };
        script += &format!("{name}: react A {reaction}\n");
    }
    let log = log(&at("DISCUSSING", &format!("ring-default cache {}", names.join(" ")), &script));
    log.lines()
        .skip_while(|line| !line.starts_with("round 1 closed"))
        .map(|line| format!("{line}\n"))
        .collect()
}

#[test]
fn discussing_ends_early_when_exactly_nine_in_ten_are_for_one_proposal() {
    let log = agreed(9);
    assert!(
        log.starts_with("round 1 closed: 10 answered, 0 lapsed\nleft: consensus\nstage converging\n"),
        "{log}"
    );
}

#[test]
fn discussing_goes_on_when_eight_in_ten_are_for_one_proposal() {
    assert_eq!(agreed(8), "round 1 closed: 10 answered, 0 lapsed\nround 2 opened\ncalled p1 until 2:00\n");
}

#[test]
fn two_quiet_rounds_end_the_talk_in_round_three_and_not_before() {
    check(
        &at(
            "DISCUSSING",
            "ring-default cache ann bob cy",
            "ann: say one
             bob: say two
             cy: say three
             ---
             ann: react A agree
             bob: react A interesting
             cy: react A concerning
             ann: react A agree
             bob: react A interesting
             cy: react A concerning",
        ),
        expect![[r#"
            > ann: react A agree
            ann reacted agree
            released
            called bob until 2:00
            > bob: react A interesting
            bob reacted interesting
            released
            called cy until 2:00
            > cy: react A concerning
            cy reacted concerning
            released
            round 2 closed: 3 answered, 0 lapsed
            round 3 opened
            called ann until 2:00
            > ann: react A agree
            ann reacted agree
            released
            called bob until 2:00
            > bob: react A interesting
            bob reacted interesting
            released
            called cy until 2:00
            > cy: react A concerning
            cy reacted concerning
            released
            round 3 closed: 3 answered, 0 lapsed
            left: nothing new was said
            stage converging
            stage voting
            ballot opened: >= 60/100 of votes
            asked ann to vote
            asked bob to vote
            asked cy to vote
        "#]],
    );
}

#[test]
fn two_quiet_rounds_before_round_three_do_not_end_the_talk() {
    check(
        &at(
            "DISCUSSING",
            "ring-default cache ann bob",
            "ann: skip
             bob: react A interesting
             ann: react A agree
             bob: react A interesting
             ---
             ann: say one
             bob: skip",
        ),
        expect![[r#"
            > ann: say one
            ann said opinion
            released
            called bob until 2:00
            > bob: skip
            skipped
            round 3 closed: 1 answered, 0 lapsed
            round 4 opened
            called ann until 2:00
        "#]],
    );
}

#[test]
fn one_quiet_round_does_not_end_the_talk() {
    check(
        &at(
            "DISCUSSING",
            "ring-default cache ann bob",
            "ann: say one
             bob: say two
             ann: say three
             bob: say four
             ---
             ann: react A agree
             bob: react A interesting",
        ),
        expect![[r#"
            > ann: react A agree
            ann reacted agree
            released
            called bob until 2:00
            > bob: react A interesting
            bob reacted interesting
            released
            round 3 closed: 2 answered, 0 lapsed
            round 4 opened
            called ann until 2:00
        "#]],
    );
}

#[test]
fn the_same_words_again_are_nothing_new() {
    check(
        &at(
            "DISCUSSING",
            "ring-default cache ann bob",
            "ann: say one
             bob: say Put a Redis before it.
             ann: say  ONE
             bob: say one
             ann: say one
             bob: say one
             ?",
        ),
        expect![[r#"
            > ann: say one
            ann said opinion
            released
            called bob until 2:00
            > bob: say Put a Redis before it.
            bob said opinion, said before
            released
            round 1 closed: 2 answered, 0 lapsed
            round 2 opened
            called ann until 2:00
            > ann: say  ONE
            ann said opinion, said before
            released
            called bob until 2:00
            > bob: say one
            bob said opinion, said before
            released
            round 2 closed: 2 answered, 0 lapsed
            round 3 opened
            called ann until 2:00
            > ann: say one
            ann said opinion, said before
            released
            called bob until 2:00
            > bob: say one
            bob said opinion, said before
            released
            round 3 closed: 2 answered, 0 lapsed
            left: nothing new was said
            stage converging
            stage voting
            ballot opened: >= 60/100 of votes
            asked ann to vote
            asked bob to vote
            = VOTING
        "#]],
    );
}

#[test]
fn the_talk_ends_when_nobody_is_left_to_call() {
    check(
        &at(
            "DISCUSSING",
            "ring-default cache ann bob",
            "ann: skip
             bob: skip
             ann: skip
             bob: skip
             ?",
        ),
        expect![[r#"
            > ann: skip
            skipped
            called bob until 2:00
            > bob: skip
            skipped
            round 1 closed: 0 answered, 0 lapsed
            round 2 opened
            called ann until 2:00
            > ann: skip
            skipped
            absent ann: ring/skips
            called bob until 2:00
            > bob: skip
            skipped
            absent bob: ring/skips
            round 2 closed: 0 answered, 0 lapsed
            left: nothing new was said
            stage converging
            stage voting
            ballot opened: >= 60/100 of votes
            asked ann to vote
            asked bob to vote
            = VOTING
        "#]],
    );
}

#[test]
fn converging_is_entered_and_left_at_once_where_no_change_is_open() {
    check(
        &at("DISCUSSING", "ring-default cache ann bob rounds=1", "ann: say a\n---\nbob: say b"),
        expect![[r#"
            > bob: say b
            bob said opinion
            released
            round 1 closed: 2 answered, 0 lapsed
            left: all rounds done
            stage converging
            stage voting
            ballot opened: >= 60/100 of votes
            asked ann to vote
            asked bob to vote
        "#]],
    );
}

const CHANGES: &str = "ann: say a
     bob: amend+ A Put a Redis before it, with a TTL.
     bob: amend A Put a Redis behind it.
     ---";

#[test]
fn converging_asks_the_proposer_and_ends_when_every_change_is_ruled_on() {
    let head = "ring-default cache ann bob rounds=1";
    check(
        &at("DISCUSSING", head, &format!("{CHANGES}\n?\nann: decline 2\n?\nann: accept 1\n?")),
        expect![[r#"
            = CONVERGING
            > ann: decline 2
            change accepted: false
            = CONVERGING
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
fn converging_ends_at_its_deadline_with_changes_left_open() {
    check(
        &at("DISCUSSING", "ring-default cache ann bob rounds=1", &format!("{CHANGES}\nwait 120s\n?")),
        expect![[r#"
            > wait 120s
            lapsed: ask/undelivered (the turn was never fetched and acknowledged)
            stage voting
            ballot opened: >= 60/100 of votes
            asked ann to vote
            asked bob to vote
            = VOTING
        "#]],
    );
}

#[test]
fn converging_ends_when_the_proposer_skips_or_leaves() {
    let head = "ring-default cache ann bob cy rounds=1";
    let changes = "ann: say a\nbob: amend A Put a Redis behind it.\ncy: say c\n---";
    check(
        &at("DISCUSSING", head, &format!("{changes}\nann: skip\n?")),
        expect![[r#"
        > ann: skip
        skipped
        stage voting
        ballot opened: >= 60/100 of votes
        asked ann to vote
        asked bob to vote
        asked cy to vote
        = VOTING
    "#]],
    );
    check(
        &at("DISCUSSING", head, &format!("{changes}\nann: leave\n?")),
        expect![[r#"
        > ann: leave
        ann gone: ring/left
        lapsed: ring/left (left of their own accord)
        stage voting
        ballot opened: >= 60/100 of votes
        asked bob to vote
        asked cy to vote
        = VOTING
    "#]],
    );
}

#[test]
fn changes_taken_while_the_talk_goes_on_need_no_converging() {
    check(
        &at(
            "DISCUSSING",
            "ring-default cache ann bob rounds=1",
            "ann: say a
             ---
             bob: amend+ A Put a Redis behind it.
             ann: accept 1
             bob: release",
        ),
        expect![[r#"
            > bob: amend+ A Put a Redis behind it.
            bob would change version 1
            > ann: accept 1
            change accepted: true
            > bob: release
            released
            round 1 closed: 2 answered, 0 lapsed
            left: all rounds done
            stage converging
            stage voting
            ballot opened: >= 60/100 of votes
            asked ann to vote
            asked bob to vote
        "#]],
    );
}

#[test]
fn voting_ends_when_all_votes_are_in() {
    check(
        &at(
            "VOTING",
            "ring-default cache ann bob rounds=1",
            "ann: vote A approve\n?\nbob: vote A approve\n?",
        ),
        expect![[r#"
            > ann: vote A approve
            ann graded APPROVE
            = VOTING
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
fn voting_ends_at_its_deadline_of_60_s_with_what_is_there() {
    check(
        &at(
            "VOTING",
            "ring-default cache ann bob cy dee rounds=1",
            "ann: vote A approve
             bob: vote A approve
             cy: vote A reject
             wait 59s
             wait 1s
             ?",
        ),
        expect![[r#"
            > ann: vote A approve
            ann graded APPROVE
            > bob: vote A approve
            bob graded APPROVE
            > cy: vote A reject
            cy graded REJECT
            > wait 59s
            > wait 1s
            lapsed: ring/vote-late (not all proposals were voted on in time)
            counted [2, 0, 0, 0, 1] Passed { option: None }
            ballot closed: yes 2 no 1 abstain 0 options [] unparsed 0 missing 1: Passed { option: Some(0) }, settles true
            settled Passed { option: Some(0) }
            = COMMITTED: A, Put a Redis before it.
        "#]],
    );
}

#[test]
fn who_skips_the_vote_is_not_waited_for() {
    check(
        &at(
            "VOTING",
            "ring-default cache ann bob cy rounds=1",
            "ann: vote A approve\nbob: vote A approve\ncy: skip\n?",
        ),
        expect![[r#"
            > ann: vote A approve
            ann graded APPROVE
            > bob: vote A approve
            bob graded APPROVE
            > cy: skip
            skipped
            counted [2, 0, 0, 0, 0] Undecided(Quorum)
            ballot closed: yes 2 no 0 abstain 0 options [] unparsed 0 missing 1: Undecided(Quorum), settles true
            settled Undecided(Quorum)
            = DEFERRED: too few seats voted
        "#]],
    );
}
