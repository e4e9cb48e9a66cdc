//! Judges, scribes and seats that do a favour: they weigh, digest, find perspectives and sum up.

use expect_test::expect;

use crate::world::{check, log};

#[test]
fn a_judge_weighs_each_round_and_one_that_fails_leaves_it_intact() {
    check(
        "collaborative cache judge=jo judge=ju rounds=2 ann bob
         ann: YES
         ---
         bob: YES
         jo: raw {\"agreement\":0.2,\"summary\":\"they agree in words only\"}
         ju: fails backend/time-out slow
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
            > ju: fails backend/time-out slow
            lapsed: backend/time-out (slow)
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
         ann: fails backend/time-out slow",
        expect![[r#"
            opened for 2 seats
            asked ann for Perspectives
            > ann: fails backend/time-out slow
            lapsed: backend/time-out (slow)
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
         ann: fails! backend/http-401 no key for this
         ann: YES
         bob: YES
         ann: YES
         bob: YES
         synthesize bob
         bob: fails! backend/http-401 no key for this",
        expect![[r#"
            opened for 2 seats
            asked ann for Perspectives
            > ann: fails! backend/http-401 no key for this
            lapsed: backend/http-401 (no key for this)
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
            > bob: fails! backend/http-401 no key for this
            lapsed: backend/http-401 (no key for this)
        "#]],
    );
}

#[test]
fn a_scribe_digests_what_has_outgrown_the_budget_and_both_sides_get_the_same() {
    let long = "word ".repeat(300);
    let yes = format!(r#"{{"stance":"YES","position":"for","reasoning":"{long}"}}"#);
    let no = format!(r#"{{"stance":"NO","position":"against","reasoning":"{long}"}}"#);
    let log = log(&format!(
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
