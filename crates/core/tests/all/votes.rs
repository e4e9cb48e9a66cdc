//! Votes: reading them, asking again, contested results, options.

use expect_test::expect;

use crate::world::check;

#[test]
fn an_unreadable_vote_is_asked_for_once_more_and_then_contests_what_it_could_change() {
    check(
        "collaborative cache watch.early=0 ann bob cy
         ann cy: YES
         bob: NO
         ann cy: YES
         bob: NO
         ann: YES
         bob: NO
         ---
         cy: raw it depends
         cy: raw it really depends",
        expect![[r#"
            > cy: raw it depends
            unparsed, asked again: true
            asked cy to vote, attempt 2
            > cy: raw it really depends
            unparsed, asked again: false
            ballot closed: yes 1 no 1 abstain 0 options [] unparsed 1 missing 0: Contested, settles true
            settled Contested
        "#]],
    );
}

#[test]
fn an_unreadable_vote_that_could_change_nothing_does_not_contest() {
    check(
        "collaborative cache watch.early=0 ann bob cy dee
         all: YES
         all: YES
         ann bob cy: YES
         ---
         dee: raw hm
         dee: raw hm",
        expect![[r#"
            > dee: raw hm
            unparsed, asked again: true
            asked dee to vote, attempt 2
            > dee: raw hm
            unparsed, asked again: false
            ballot closed: yes 3 no 0 abstain 0 options [] unparsed 1 missing 0: Passed { option: None }, settles true
            settled Passed { option: None }
        "#]],
    );
}

#[test]
fn with_options_the_leader_must_reach_the_threshold() {
    check(
        "collaborative store watch.early=0 ann bob cy | SQLite | PostgreSQL | files
         ann cy: A
         bob: B
         ---
         ann: A
         bob: B
         cy: A
         ann: A
         bob: B
         cy: A",
        expect![[r#"
            > ann: A
            admitted ann A
            > bob: B
            admitted bob B
            > cy: A
            admitted cy A
            round 2 closed: 3 answered, 0 lapsed
            round 2 analysed: agreement 2/3
            left: all rounds done
            stage vote
            ballot opened: > 1/2 of cast
            asked ann to vote
            asked bob to vote
            asked cy to vote
            > ann: A
            cast ann A
            > bob: B
            cast bob B
            > cy: A
            cast cy A
            ballot closed: yes 0 no 0 abstain 0 options [2, 1, 0] unparsed 0 missing 0: Passed { option: Some(0) }, settles true
            settled Passed { option: Some(0) }
        "#]],
    );
    check(
        "collaborative store watch.early=0 ann bob cy dee | SQLite | PostgreSQL | files
         ann cy: A
         bob: B
         dee: C
         ann cy: A
         bob: B
         dee: NONE
         ---
         ann: A
         bob: B
         cy: A
         dee: C",
        expect![[r#"
            > ann: A
            cast ann A
            > bob: B
            cast bob B
            > cy: A
            cast cy A
            > dee: C
            cast dee C, was NO, conformity
            ballot closed: yes 0 no 0 abstain 0 options [2, 1, 1] unparsed 0 missing 0: Undecided(Below), settles true
            settled Undecided(Below)
        "#]],
    );
}

#[test]
fn too_few_votes_leave_the_question_open() {
    check(
        "collaborative cache watch.early=0 ann bob cy
         all: YES
         all: YES
         ann: YES
         ---
         bob: fails backend/time-out slow
         cy: fails backend/time-out slow",
        expect![[r#"
            > bob: fails backend/time-out slow
            lapsed: backend/time-out (slow)
            > cy: fails backend/time-out slow
            lapsed: backend/time-out (slow)
            ballot closed: yes 1 no 0 abstain 0 options [] unparsed 0 missing 2: Undecided(Quorum), settles true
            settled Undecided(Quorum)
        "#]],
    );
}

#[test]
fn a_second_answer_and_an_answer_of_an_outsider_are_refused() {
    check(
        "collaborative cache watch.early=0 ann bob
         ---
         ann: YES
         ann: NO
         eve: NO",
        expect![[r#"
            > ann: YES
            admitted ann YES
            > ann: NO
            refused ask/not-open: ask 9999 is not open: it was answered, has lapsed or never existed
            > eve: NO
            refused ask/not-open: ask 9999 is not open: it was answered, has lapsed or never existed
        "#]],
    );
}
