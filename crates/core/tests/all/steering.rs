//! Steering: rounds held one at a time, context asked for and given, branches, clerks.

use expect_test::expect;
use synod_core::procedure::council;

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

#[test]
fn a_required_request_stops_the_matter_until_it_is_answered_or_waived() {
    check(
        r#"collaborative cache rounds=2 watch.early=0 ann bob
         ---
         ann: raw {"stance":"YES","position":"p","context_requests":[{"query":"How large is the index?","reason":"it decides","priority":"required"},{"query":"Who runs it?","reason":"r","priority":"required"}]}
         bob: raw {"stance":"NO","position":"q","context_requests":[{"query":"Since when?","reason":"r","priority":"optional"}]}
         resume
         continue
         supply r1 It has 40 GB.
         supply r1 It has 41 GB.
         resume
         waive r2
         waive r2
         supply 99.9 nothing asks for this
         resume
         ann: YES
         bob: NO"#,
        expect![[r#"
            > ann: raw {"stance":"YES","position":"p","context_requests":[{"query":"How large is the index?","reason":"it …
            admitted ann YES
            ann needs: How large is the index?
            ann needs: Who runs it?
            > bob: raw {"stance":"NO","position":"q","context_requests":[{"query":"Since when?","reason":"r","priority":"optional"}]}
            admitted bob NO
            bob would like: Since when?
            round 1 closed: 2 answered, 0 lapsed
            round 1 analysed: agreement 1/2
            paused NeedsContext
            > resume
            refused context/pending: matter m5 needs context: answer or waive 6.2, 6.3
            > continue
            refused matter/wrong-status: matter m5 needs context: answer or waive the required requests, then `resume` it
            > supply r1 It has 40 GB.
            answered: It has 40 GB.
            > supply r1 It has 41 GB.
            refused context/request-done: request 6.2 is already answered
            > resume
            refused context/pending: matter m5 needs context: answer or waive 6.3
            > waive r2
            waived
            > waive r2
            refused context/request-done: request 6.3 is already waived
            > supply 99.9 nothing asks for this
            refused context/unknown-request: matter m5 has no request 99.9
            > resume
            resumed
            round 2 opened
            called ann
            called bob
            > ann: YES
            admitted ann YES
            > bob: NO
            admitted bob NO
            round 2 closed: 2 answered, 0 lapsed
            round 2 analysed: agreement 1/2
            left: all rounds done
            stage vote
            ballot opened: > 1/2 of cast
            asked ann to vote
            asked bob to vote
        "#]],
    );
}

#[test]
fn what_was_answered_is_used_in_another_round_even_if_all_agreed() {
    check(
        r#"collaborative cache rounds=3 ann bob
         ann: raw {"stance":"YES","position":"p","context_requests":[{"query":"How large?","reason":"r","priority":"required"}]}
         ---
         bob: YES
         supply r1 It has 40 GB.
         resume"#,
        expect![[r#"
            > bob: YES
            admitted bob YES
            round 1 closed: 2 answered, 0 lapsed
            round 1 analysed: agreement 2/2
            paused NeedsContext
            > supply r1 It has 40 GB.
            answered: It has 40 GB.
            > resume
            resumed
            round 2 opened
            called ann
            called bob
        "#]],
    );
}

#[test]
fn only_optional_requests_let_it_go_on() {
    check(
        r#"collaborative cache rounds=2 watch.early=0 ann
         ---
         ann: raw {"stance":"YES","position":"p","context_requests":[{"query":"Since when?","reason":"r","priority":"optional"}]}"#,
        expect![[r#"
            > ann: raw {"stance":"YES","position":"p","context_requests":[{"query":"Since when?","reason":"r","priority":"optional"}]}
            admitted ann YES
            ann would like: Since when?
            round 1 closed: 1 answered, 0 lapsed
            round 1 analysed: agreement unknown
            round 2 opened
            called ann
        "#]],
    );
}

#[test]
fn requests_that_cannot_stand_are_refused_apart_from_what_was_said() {
    let long = "x".repeat(1001);
    check(
        &format!(
            r#"collaborative cache rounds=2 watch.early=0 ann
         ---
         ann: raw {{"stance":"YES","position":"p","context_requests":[{{"query":"{long}","reason":"r","priority":"required"}},{{"query":"q","reason":"","priority":"required"}},{{"query":"q","reason":"r","priority":"urgent"}},{{"query":"q","reason":"{}","priority":"optional"}}]}}
         ann: raw {{"stance":"YES","position":"p","context_requests":[{{"query":"q","reason":"r","priority":"required"}}]}}"#,
            "y".repeat(501)
        ),
        expect![[r#"
            > ann: raw {"stance":"YES","position":"p","context_requests":[{"query":"xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx …
            admitted ann YES
            request of ann refused context/query: the query has 1001 characters, 1 to 1000 are allowed
            request of ann refused context/reason: the reason has 0 characters, 1 to 500 are allowed
            request of ann refused context/priority: the priority is `urgent`, `required` or `optional` is allowed
            request of ann refused context/reason: the reason has 501 characters, 1 to 500 are allowed
            round 1 closed: 1 answered, 0 lapsed
            round 1 analysed: agreement unknown
            round 2 opened
            called ann
            > ann: raw {"stance":"YES","position":"p","context_requests":[{"query":"q","reason":"r","priority":"required"}]}
            admitted ann YES
            request of ann refused context/last-round: it was made in round 2 of 2, the last: no round is left to use an answer
            round 2 closed: 1 answered, 0 lapsed
            round 2 analysed: agreement unknown
            left: all rounds done
            stage vote
            ballot opened: > 1/2 of cast
            asked ann to vote
        "#]],
    );
}

#[test]
fn a_judge_weighs_each_round_and_one_that_fails_leaves_it_intact() {
    check(
        "collaborative cache judge=jo judge=ju rounds=2 ann bob
         ann: YES
         ---
         bob: YES
         jo: raw {\"agreement\":0.2,\"summary\":\"they agree in words only\"}
         ju: fails mind/time-out slow
         ann: YES
         bob: YES
         jo: raw nothing that could be read
         ju: raw {\"agreement\":0.95,\"summary\":\"now they do\"}
         ann: YES
         bob: YES
         judge ju 1
         ju: raw {\"agreement\":0.9,\"summary\":\"late but here\"}
         judge ju 7",
        expect![[r#"
            > bob: YES
            admitted bob YES
            round 1 closed: 2 answered, 0 lapsed
            round 1 analysed: agreement 2/2
            asked jo for Judge { round: 1 }
            asked ju for Judge { round: 1 }
            > jo: raw {"agreement":0.2,"summary":"they agree in words only"}
            round 1 judged: agreement 0.20
            > ju: fails mind/time-out slow
            lapsed: mind/time-out (slow)
            round 2 opened
            called ann
            called bob
            > ann: YES
            admitted ann YES
            > bob: YES
            admitted bob YES
            round 2 closed: 2 answered, 0 lapsed
            round 2 analysed: agreement 2/2
            asked jo for Judge { round: 2 }
            asked ju for Judge { round: 2 }
            > jo: raw nothing that could be read
            lapsed: clerk/unreadable (the answer could not be read as what was asked for)
            > ju: raw {"agreement":0.95,"summary":"now they do"}
            round 2 judged: agreement 0.95
            left: consensus
            stage vote
            ballot opened: > 1/2 of cast
            asked ann to vote
            asked bob to vote
            > ann: YES
            cast ann YES
            > bob: YES
            cast bob YES
            ballot closed: yes 2 no 0 abstain 0 options [] unparsed 0 missing 0: Passed { option: None }, settles true
            settled Passed { option: None }
            > judge ju 1
            asked ju for Judge { round: 1 }
            > ju: raw {"agreement":0.9,"summary":"late but here"}
            round 1 judged: agreement 0.90
            > judge ju 7
            refused matter/no-such-round: matter m7 has not completed round 7: it has completed 2 so far
        "#]],
    );
}

#[test]
fn a_judge_alone_never_makes_a_consensus_that_the_stances_do_not_show() {
    check(
        "collaborative cache judge=jo rounds=2 ann bob
         ann: YES
         ---
         bob: NO
         jo: raw {\"agreement\":1,\"summary\":\"all agree\"}",
        expect![[r#"
            > bob: NO
            admitted bob NO
            round 1 closed: 2 answered, 0 lapsed
            round 1 analysed: agreement 1/2
            asked jo for Judge { round: 1 }
            > jo: raw {"agreement":1,"summary":"all agree"}
            round 1 judged: agreement 1.00
            round 2 opened
            called ann
            called bob
        "#]],
    );
}

#[test]
fn perspectives_are_found_by_the_scribe_or_the_charter_has_them() {
    check(
        r#"expert-panel cache generate=1 scribe=sc ann bob
         sc: raw {"perspectives":["operations: who is woken at night","cost: what a month of it takes","a third: not needed"]}"#,
        expect![[r#"
            opened for 2 seats
            asked sc for Perspectives
            > sc: raw {"perspectives":["operations: who is woken at night","cost: what a month of it takes","a third: not needed"]}
            perspectives operations, cost
            stage panel
            round 1 opened
            called ann
            called bob
        "#]],
    );
    check(
        "expert-panel cache generate=1 ann bob
         ann: fails mind/time-out slow",
        expect![[r#"
            opened for 2 seats
            asked ann for Perspectives
            > ann: fails mind/time-out slow
            lapsed: mind/time-out (slow)
            stage panel
            round 1 opened
            called ann
            called bob
        "#]],
    );
}

#[test]
fn a_seat_that_fails_at_a_favour_keeps_its_place() {
    check(
        "expert-panel cache generate=1 rounds=1 ann bob
         ann: fails! mind/http-401 no key for this
         ann: YES
         bob: YES
         ann: YES
         bob: YES
         synthesize bob
         bob: fails! mind/http-401 no key for this",
        expect![[r#"
            opened for 2 seats
            asked ann for Perspectives
            > ann: fails! mind/http-401 no key for this
            lapsed: mind/http-401 (no key for this)
            stage panel
            round 1 opened
            called ann
            called bob
            > ann: YES
            admitted ann YES
            > bob: YES
            admitted bob YES
            round 1 closed: 2 answered, 0 lapsed
            round 1 analysed: agreement 2/2
            left: consensus
            stage vote
            ballot opened: > 1/2 of cast
            asked ann to vote
            asked bob to vote
            > ann: YES
            cast ann YES
            > bob: YES
            cast bob YES
            ballot closed: yes 2 no 0 abstain 0 options [] unparsed 0 missing 0: Passed { option: None }, settles true
            settled Passed { option: None }
            > synthesize bob
            asked bob for Synthesise
            > bob: fails! mind/http-401 no key for this
            lapsed: mind/http-401 (no key for this)
        "#]],
    );
}

#[test]
fn what_a_judge_got_wrong_is_recorded_and_never_bent_into_a_reading() {
    check(
        r#"collaborative cache judge=jo judge=ju judge=ja rounds=1 ann bob
         all: YES
         ---
         jo: raw {"agreement":1.5,"summary":"more than all"}
         ju: raw {"agreement":85,"summary":"in per cent"}
         ja: raw {"groupthink":["nobody looked at the cost"]}
         ann: YES
         bob: YES"#,
        expect![[r#"
            > jo: raw {"agreement":1.5,"summary":"more than all"}
            round 1 judged: agreement unknown, mended confidence-clamped
            > ju: raw {"agreement":85,"summary":"in per cent"}
            round 1 judged: agreement 0.85, mended confidence-percent
            > ja: raw {"groupthink":["nobody looked at the cost"]}
            round 1 judged: agreement unknown
            left: all rounds done
            stage vote
            ballot opened: > 1/2 of cast
            asked ann to vote
            asked bob to vote
            > ann: YES
            cast ann YES
            > bob: YES
            cast bob YES
            ballot closed: yes 2 no 0 abstain 0 options [] unparsed 0 missing 0: Passed { option: None }, settles true
            settled Passed { option: None }
        "#]],
    );
}

#[test]
fn the_same_request_again_does_not_stop_the_matter_twice() {
    check(
        r#"collaborative cache rounds=4 watch.early=0 ann
         ann: raw {"stance":"YES","position":"p","context_requests":[{"query":"How large?","reason":"r","priority":"required"}]}
         supply r1 It has 40 GB.
         resume
         ---
         ann: raw {"stance":"YES","position":"p","context_requests":[{"query":" how  LARGE?","reason":"r","priority":"required"}]}"#,
        expect![[r#"
            > ann: raw {"stance":"YES","position":"p","context_requests":[{"query":" how  LARGE?","reason":"r","priority":"required"}] …
            admitted ann YES
            request of ann refused context/repeated: it repeats request 5.2, which the operator has dealt with
            round 2 closed: 1 answered, 0 lapsed
            round 2 analysed: agreement unknown
            round 3 opened
            called ann
        "#]],
    );
}

#[test]
fn a_redacted_matter_is_not_gone_on_from() {
    check(
        "collaborative cache rounds=1 ann
         ann: YES
         ann: YES
         ---
         redact
         synthesize ann
         judge ann 1
         fork 1",
        expect![[r#"
            > redact
            redacted
            > synthesize ann
            refused matter/redacted: the words of matter m4 were deleted: open a new matter
            > judge ann 1
            refused matter/redacted: the words of matter m4 were deleted: open a new matter
            > fork 1
            refused matter/redacted: the words of matter m4 were deleted: open a new matter
        "#]],
    );
}

#[test]
fn ordered_speech_stays_ordered_in_a_branch_and_makes_nobody_stand_anywhere() {
    let mut world = crate::world::World::new();
    world.open_with(&crate::world::source("devils-advocate"), "t", &[], &["ann", "bob", "cy"], |_| ());
    for (name, stance) in [("ann", "YES"), ("bob", "NO"), ("cy", "NEUTRAL")] {
        world.answer(name, &serde_json::json!({ "stance": stance, "position": name }).to_string());
    }
    let case = world.house.case(world.matter()).unwrap();
    assert!(case.standing(u32::MAX).is_empty(), "an ordered side is nobody's stance");
    world.step("fork 1 collaborative");
    let ask = world.ask_of("ann").unwrap();
    let brief = world.house.brief(ask, &mut synod_core::house::BriefCache::default()).unwrap().text();
    assert!(brief.contains("ann (YES by order,") && brief.contains("bob (NO by order,"), "{brief}");
    let case = world.house.case(world.matter()).unwrap();
    assert!(case.ordered(&crate::world::who("ann")).is_none(), "here nobody is told what to say");
    assert!(case.standing(u32::MAX).is_empty());
}

#[test]
fn a_branch_takes_the_fields_of_its_own_charter() {
    let mut world = crate::world::World::new();
    world.open_with(&crate::world::source("collaborative"), "t", &[], &["ann", "bob"], |open| {
        open.moved.insert("watch.early".into(), 0.into());
    });
    for name in ["ann", "bob"] {
        world.answer(name, r#"{"stance":"YES","position":"p"}"#);
    }
    let origin = world.matter();
    world.step("fork 1 expert-panel");
    let case = world.house.case(world.matter()).unwrap();
    assert_eq!(case.perspective(&crate::world::who("ann")).unwrap().name, "practice");
    assert!(world.house.case(origin).unwrap().perspective(&crate::world::who("ann")).is_none());
}

#[test]
fn a_branch_with_other_seats_does_not_count_those_who_left() {
    let mut world = crate::world::World::new();
    world.open_with(&crate::world::source("collaborative"), "t", &[], &["ann", "bob", "cy"], |open| {
        open.moved.insert("watch.early".into(), 0.into());
    });
    for (name, stance) in [("ann", "YES"), ("bob", "NO"), ("cy", "YES")] {
        world.answer(name, &serde_json::json!({ "stance": stance, "position": name }).to_string());
    }
    let fork = synod_core::procedure::council::Fork {
        from: world.matter(),
        round: 1,
        charter: None,
        seats: Some(vec![crate::world::who("ann"), crate::world::who("cy")]),
        limits: Default::default(),
        moved: Default::default(),
        focus: None,
        stepwise: true,
    };
    let command = synod_core::Command::Council(council::Command::Fork(Box::new(fork)));
    world.submit(synod_core::kernel::Actor::Operator, command);
    let case = world.house.case(world.matter()).unwrap();
    assert_eq!(case.round(), 2, "the first round of a branch is what it was opened for");
    assert_eq!(case.said.len(), 3, "what bob said is history");
    let standing: Vec<_> = case.standing(2).into_keys().map(ToString::to_string).collect();
    assert_eq!(standing, ["ann", "cy"], "and stands for nobody");
}

#[test]
fn a_scribe_digests_what_has_outgrown_the_budget_and_both_sides_get_the_same() {
    let long = "word ".repeat(300);
    let yes = format!(r#"{{"stance":"YES","position":"for","reasoning":"{long}"}}"#);
    let no = format!(r#"{{"stance":"NO","position":"against","reasoning":"{long}"}}"#);
    let log = crate::world::log(&format!(
        r#"collaborative cache scribe=sc turn.history_chars=1000 rounds=3 watch.early=0 ann bob
         ann: raw {yes}
         ---
         bob: raw {no}
         sc: raw {{"points_yes":["fast","cheap","old"],"points_no":["stale"]}}
         ann: raw {yes}
         bob: raw {no}
         sc: raw {{"points_yes":["fast"],"points_no":[]}}"#
    ));
    let told: Vec<&str> = log.lines().filter(|line| !line.starts_with('>')).collect();
    expect![[r#"
        admitted bob NO
        round 1 closed: 2 answered, 0 lapsed
        round 1 analysed: agreement 1/2
        asked sc for Digest { round: 1 }
        digested up to round 1: [(Yes, ["fast"]), (No, ["stale"])]
        round 2 opened
        called ann
        called bob
        admitted ann YES
        admitted bob NO
        round 2 closed: 2 answered, 0 lapsed
        round 2 analysed: agreement 1/2
        asked sc for Digest { round: 2 }
        lapsed: clerk/unreadable (the answer could not be read as what was asked for)
        round 3 opened
        called ann
        called bob"#]]
    .assert_eq(&told.join("\n"));
}

#[test]
fn a_matter_is_not_summed_up_in_the_middle_of_a_round() {
    check(
        "collaborative cache rounds=1 ann bob
         ---
         synthesize ann",
        expect![[r#"
            > synthesize ann
            refused matter/wrong-status: matter m5 is running: it can be summed up between rounds and when it is over
        "#]],
    );
}

#[test]
fn a_settled_matter_is_summed_up_by_one_of_its_seats_and_stays_settled() {
    check(
        "collaborative cache rounds=1 ann bob
         all: YES
         all: YES
         ---
         synthesize mallory
         synthesize ann
         synthesize ann
         ann: YES
         synthesize bob
         wait 8000s",
        expect![[r#"
            > synthesize mallory
            refused roster/not-seated: `mallory` has no seat in matter m5
            > synthesize ann
            asked ann for Synthesise
            > synthesize ann
            lapsed: clerk/asked-again (the same was asked again)
            asked ann for Synthesise
            > ann: YES
            synthesised: ann sums up YES
            > synthesize bob
            asked bob for Synthesise
            > wait 8000s
            lapsed: ask/unperformed (nobody began to perform it in time)
        "#]],
    );
}

#[test]
fn a_branch_shares_its_first_rounds_and_goes_its_own_way() {
    check(
        "collaborative cache rounds=2 watch.early=0 ann bob
         ---
         fork 1
         ann: YES
         bob: NO
         fork 2
         fork 0
         fork 1
         ann: NO
         bob: NO
         ann: NO
         bob: NO
         fork 1 adversarial
         ann: NO",
        expect![[r#"
            > fork 1
            refused matter/no-such-round: matter m5 has not completed round 1: it has completed none so far
            > ann: YES
            admitted ann YES
            > bob: NO
            admitted bob NO
            round 1 closed: 2 answered, 0 lapsed
            round 1 analysed: agreement 1/2
            round 2 opened
            called ann
            called bob
            > fork 2
            refused matter/no-such-round: matter m5 has not completed round 2: it has completed 1 so far
            > fork 0
            refused matter/no-such-round: matter m5 has not completed round 0: it has completed 1 so far
            > fork 1
            opened for 2 seats
            round 2 opened
            called ann
            called bob
            > ann: NO
            admitted ann NO, marked gate/conformity
            > bob: NO
            admitted bob NO
            round 2 closed: 2 answered, 0 lapsed
            round 2 analysed: agreement 2/2
            left: all rounds done
            stage vote
            ballot opened: > 1/2 of cast
            asked ann to vote
            asked bob to vote
            > ann: NO
            cast ann NO
            > bob: NO
            cast bob NO
            ballot closed: yes 0 no 2 abstain 0 options [] unparsed 0 missing 0: Rejected, settles true
            settled Rejected
            > fork 1 adversarial
            opened for 2 seats
            stage debate
            round 2 opened
            called ann
            > ann: NO
            admitted ann NO, marked gate/conformity
        "#]],
    );
}
