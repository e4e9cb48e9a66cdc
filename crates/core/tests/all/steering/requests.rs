//! Context that seats ask for, and that the operator gives or waives.

use expect_test::expect;

use crate::world::check;

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
