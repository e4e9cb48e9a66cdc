//! The modes, as scripts: who is called when, what is marked, what ends the talk.

use expect_test::expect;

use crate::world::check;

#[test]
fn a_part_that_says_otherwise_is_marked_and_its_words_are_kept() {
    check(
        "devils-advocate cache rounds=1 ann bob cy
         ann: NO
         bob: NO
         cy: raw {\"position\":\"it depends\",\"confidence\":0.5}
         ann: YES
         bob: NO
         cy: YES",
        expect![[r#"
            opened for 3 seats
            stage debate
            round 1 opened
            called ann
            > ann: NO
            admitted ann NO, marked gate/stance-unexpected
            called bob
            > bob: NO
            admitted bob NO
            called cy
            > cy: raw {"position":"it depends","confidence":0.5}
            admitted cy no stance, marked gate/stance-unexpected
            round 1 closed: 3 answered, 0 lapsed
            round 1 analysed: agreement unknown, 3 ordered
            left: all rounds done
            stage vote
            ballot opened: > 1/2 of cast
            asked ann to vote
            asked bob to vote
            asked cy to vote
            > ann: YES
            cast ann YES
            > bob: NO
            cast bob NO
            > cy: YES
            cast cy YES
            ballot closed: yes 2 no 1 abstain 0 options [] unparsed 0 missing 0: Passed { option: None }, settles true
            settled Passed { option: None }
        "#]],
    );
}

#[test]
fn teams_speak_at_once_and_within_a_team_one_after_the_other() {
    check(
        "red-team-blue-team cache rounds=1 ann bob cy dee eli
         bob: YES
         ann: NO
         dee: YES
         cy: NO
         eli: NO",
        expect![[r#"
            opened for 5 seats
            stage exercise
            round 1 opened
            called ann
            called bob
            > bob: YES
            admitted bob YES
            called dee
            > ann: NO
            admitted ann NO
            called cy
            > dee: YES
            admitted dee YES
            > cy: NO
            admitted cy NO
            called eli
            > eli: NO
            admitted eli NO
            round 1 closed: 5 answered, 0 lapsed
            round 1 analysed: agreement unknown, 5 ordered
            left: all rounds done
            stage vote
            ballot opened: > 1/2 of cast
            asked ann to vote
            asked bob to vote
            asked cy to vote
            asked dee to vote
            asked eli to vote
        "#]],
    );
}

#[test]
fn a_team_of_one_and_a_team_that_falls_silent_work() {
    check(
        "red-team-blue-team cache rounds=1 ann bob cy
         ---
         bob: fails! backend/http-401 no key
         ann: NO
         cy: NO
         ann: NO
         cy: NO",
        expect![[r#"
            > bob: fails! backend/http-401 no key
            lapsed: backend/http-401 (no key)
            absent bob: backend/http-401
            > ann: NO
            admitted ann NO
            called cy
            > cy: NO
            admitted cy NO
            round 1 closed: 2 answered, 1 lapsed
            round 1 analysed: agreement unknown, 2 ordered
            left: all rounds done
            stage vote
            ballot opened: > 1/2 of cast
            asked ann to vote
            asked cy to vote
            > ann: NO
            cast ann NO
            > cy: NO
            cast cy NO
            ballot closed: yes 0 no 2 abstain 0 options [] unparsed 0 missing 1: Rejected, settles true
            settled Rejected
        "#]],
    );
}

#[test]
fn nine_of_ten_are_consensus() {
    check(
        "collaborative cache rounds=3 a1 a2 a3 a4 a5 a6 a7 a8 a9 b1
         a1 a2 a3 a4 a5 a6 a7 a8 a9: YES
         ---
         b1: NO",
        expect![[r#"
            > b1: NO
            admitted b1 NO
            round 1 closed: 10 answered, 0 lapsed
            round 1 analysed: agreement 9/10
            left: consensus
            stage vote
            ballot opened: > 1/2 of cast
            asked a1 to vote
            asked a2 to vote
            asked a3 to vote
            asked a4 to vote
            asked a5 to vote
            asked a6 to vote
            asked a7 to vote
            asked a8 to vote
            asked a9 to vote
            asked b1 to vote
        "#]],
    );
}

#[test]
fn seventeen_of_twenty_are_not_and_all_rounds_are_held() {
    let seats: Vec<String> = (1..=20).map(|i| format!("s{i:02}")).collect();
    let mut script = format!("collaborative cache rounds=2 {}", seats.join(" "));
    for round in 0..2 {
        for (i, seat) in seats.iter().enumerate() {
            // They take turns in being against, so that nothing comes to rest either.
            let stance = if (i + 3 * round) % 7 == 0 { "NO" } else { "YES" };
            script.push_str(&format!("\n{seat}: {stance} 0.5"));
        }
    }
    let log = crate::world::log(&script);
    let found: Vec<&str> =
        log.lines().filter(|line| line.contains("analysed") || line.contains("left")).collect();
    expect![[r#"
        round 1 analysed: agreement 17/20
        round 2 analysed: agreement 17/20, 3 signs
        left: all rounds done"#]]
    .assert_eq(&found.join("\n"));
}

#[test]
fn all_sure_but_opposed_is_no_exit_and_two_rounds_are_never_convergence() {
    check(
        "collaborative cache rounds=4 ann bob
         ann: YES 0.95
         bob: NO 0.95
         ---
         ann: YES 0.95
         bob: NO 0.95
         ann: YES 0.95
         bob: NO 0.95",
        expect![[r#"
            > ann: YES 0.95
            admitted ann YES
            > bob: NO 0.95
            admitted bob NO
            round 2 closed: 2 answered, 0 lapsed
            round 2 analysed: agreement 1/2
            round 3 opened
            called ann
            called bob
            > ann: YES 0.95
            admitted ann YES
            > bob: NO 0.95
            admitted bob NO
            round 3 closed: 2 answered, 0 lapsed
            round 3 analysed: agreement 1/2
            left: positions no longer change
            stage vote
            ballot opened: > 1/2 of cast
            asked ann to vote
            asked bob to vote
        "#]],
    );
}

#[test]
fn one_seat_that_keeps_changing_keeps_the_debate_open() {
    check(
        "collaborative cache rounds=4 ann bob cy
         ann cy: YES 0.5
         bob: NO 0.5
         ann: YES 0.5
         bob cy: NO 0.5
         ---
         ann: YES 0.5
         bob: NO 0.5
         cy: YES 0.5
         ann: YES 0.5
         bob: NO 0.5
         cy: NO 0.5",
        expect![[r#"
            > ann: YES 0.5
            admitted ann YES
            > bob: NO 0.5
            admitted bob NO
            > cy: YES 0.5
            admitted cy YES, marked gate/conformity
            round 3 closed: 3 answered, 0 lapsed
            round 3 analysed: agreement 2/3
            round 4 opened
            called ann
            called bob
            called cy
            > ann: YES 0.5
            admitted ann YES
            > bob: NO 0.5
            admitted bob NO
            > cy: NO 0.5
            admitted cy NO, marked gate/conformity
            round 4 closed: 3 answered, 0 lapsed
            round 4 analysed: agreement 2/3
            left: all rounds done
            stage vote
            ballot opened: > 1/2 of cast
            asked ann to vote
            asked bob to vote
            asked cy to vote
        "#]],
    );
}

#[test]
fn all_sure_and_most_agreed_ends_the_talk() {
    check(
        "collaborative cache rounds=4 ann bob cy dee
         ann: YES 0.9
         bob: YES 0.85
         cy: YES 0.9
         ---
         dee: NEUTRAL 0.85",
        expect![[r#"
            > dee: NEUTRAL 0.85
            admitted dee NEUTRAL
            round 1 closed: 4 answered, 0 lapsed
            round 1 analysed: agreement 3/4
            left: everyone is confident and nobody disagrees
            stage vote
            ballot opened: > 1/2 of cast
            asked ann to vote
            asked bob to vote
            asked cy to vote
            asked dee to vote
        "#]],
    );
}

#[test]
fn a_charter_that_does_not_end_early_does_so_when_asked_to() {
    check(
        "free-debate cache rounds=3 watch.early=1 ann bob
         ann: YES
         ---
         bob: YES",
        expect![[r#"
            > bob: YES
            admitted bob YES
            round 1 closed: 2 answered, 0 lapsed
            round 1 analysed: agreement 2/2
            left: consensus
            stage vote
            ballot opened: > 1/2 of cast
            asked ann to vote
            asked bob to vote
        "#]],
    );
    check(
        "free-debate cache rounds=2 ann bob
         ann: YES
         bob: YES
         ann: YES
         bob: YES",
        expect![[r#"
            opened for 2 seats
            stage debate
            round 1 opened
            called ann
            > ann: YES
            admitted ann YES
            called bob
            > bob: YES
            admitted bob YES
            round 1 closed: 2 answered, 0 lapsed
            round 1 analysed: agreement 2/2
            round 2 opened
            called ann
            > ann: YES
            admitted ann YES
            called bob
            > bob: YES
            admitted bob YES
            round 2 closed: 2 answered, 0 lapsed
            round 2 analysed: agreement 2/2
            left: all rounds done
            stage vote
            ballot opened: > 1/2 of cast
            asked ann to vote
            asked bob to vote
        "#]],
    );
}

#[test]
fn one_round_is_held_when_one_is_allowed() {
    check(
        "socratic cache rounds=1 ann bob
         ann: YES
         bob: NO
         ann: YES
         bob: YES",
        expect![[r#"
            opened for 2 seats
            stage inquiry
            round 1 opened
            called ann
            > ann: YES
            admitted ann YES
            called bob
            > bob: NO
            admitted bob NO, marked gate/stance-unexpected
            round 1 closed: 2 answered, 0 lapsed
            round 1 analysed: agreement unknown, 1 ordered
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
fn nobody_decides_nothing_and_a_mode_of_no_rounds_says_nothing() {
    check(
        "collaborative cache",
        expect![[r#"
        refused roster/no-seats: a matter needs at least one seat
    "#]],
    );
    check(
        "delphi cache rounds=0 ann",
        expect![[r#"
            refused charter/setting-outside: `judgements.rounds` can be 1 to 10, not 0
        "#]],
    );
    check(
        "delphi cache ann ann",
        expect![[r#"
            refused roster/seat-twice: `ann` is named twice: two spellings of a name are one participant
        "#]],
    );
}

#[test]
fn sides_cannot_be_ordered_among_options() {
    check(
        "devils-advocate store ann bob | SQLite | PostgreSQL",
        expect![[r#"
            refused charter/plain-question: the charter devils-advocate assigns the sides YES and NO, and this question has options: ask about one proposal, or use another charter
        "#]],
    );
}

#[test]
fn a_panel_that_agrees_leaves_the_others_in_reserve() {
    check(
        "blind-vote cache a b c d e f g h
         a: YES
         b: YES
         c: YES",
        expect![[r#"
            opened for 8 seats
            stage drafts
            panel of 3
            round 1 opened
            called a
            called b
            called c
            > a: YES
            admitted a YES
            > b: YES
            admitted b YES
            > c: YES
            admitted c YES
            round 1 closed: 3 answered, 0 lapsed
            round 1 analysed: agreement 3/3, 1 signs
            left: all rounds done
            stage first-vote
            ballot opened: > 1/2 of cast
            stated a YES
            stated b YES
            stated c YES
            ballot closed: yes 3 no 0 abstain 0 options [] unparsed 0 missing 0: Passed { option: None }, settles true
            settled Passed { option: None }
        "#]],
    );
}

#[test]
fn a_panel_that_does_not_agree_grows_to_five_and_to_seven() {
    check(
        "blind-vote cache a b c d e f g h
         a: YES
         b: NO
         ---
         c: YES
         d: YES
         e: YES
         f: YES
         g: YES",
        expect![[r#"
            > c: YES
            admitted c YES
            panel of 5
            called d
            called e
            > d: YES
            admitted d YES
            > e: YES
            admitted e YES
            panel of 7
            called f
            called g
            > f: YES
            admitted f YES
            > g: YES
            admitted g YES
            round 1 closed: 7 answered, 0 lapsed
            round 1 analysed: agreement 6/7
            left: all rounds done
            stage first-vote
            ballot opened: > 1/2 of cast
            stated a YES
            stated b NO
            stated c YES
            stated d YES
            stated e YES
            stated f YES
            stated g YES
            ballot closed: yes 6 no 1 abstain 0 options [] unparsed 0 missing 0: Passed { option: None }, settles true
            settled Passed { option: None }
        "#]],
    );
}

#[test]
fn a_seat_of_the_panel_that_fails_is_made_up_for() {
    check(
        "blind-vote cache a b c d
         a: YES
         ---
         b: fails backend/time-out slow
         c: YES
         d: YES
         b: YES",
        expect![[r#"
            > b: fails backend/time-out slow
            lapsed: backend/time-out (slow)
            > c: YES
            admitted c YES
            panel of 4
            called d
            > d: YES
            admitted d YES
            round 1 closed: 3 answered, 1 lapsed
            round 1 analysed: agreement 3/3, 1 signs
            left: all rounds done
            stage first-vote
            ballot opened: > 1/2 of cast
            stated a YES
            asked b to vote
            stated c YES
            stated d YES
            > b: YES
            cast b YES
            ballot closed: yes 4 no 0 abstain 0 options [] unparsed 0 missing 0: Passed { option: None }, settles true
            settled Passed { option: None }
        "#]],
    );
    check(
        "blind-vote cache drafts.panel=0 a b c d
         a: YES",
        expect![[r#"
            opened for 4 seats
            stage drafts
            round 1 opened
            called a
            called b
            called c
            called d
            > a: YES
            admitted a YES
        "#]],
    );
}

#[test]
fn a_changed_vote_names_its_argument_or_is_marked() {
    check(
        r#"blind-vote cache ann bob cy
         ann: YES
         bob: NO
         ---
         cy: NO
         ann: raw {"stance":"NO","position":"p","what_moved_me":"the others agree","confidence":0.5}
         bob: NO
         cy: raw {"stance":"YES","position":"p","what_moved_me":"Ann showed that the index fits into memory twice","confidence":0.5}
         ann: YES
         bob: NO
         cy: NO
         ann: raw {"vote":"NO","new_argument":"bob measured that the cache is cold after every deploy","reason":"r"}
         bob: raw {"vote":"YES","new_argument":"the majority","reason":"r"}
         cy: raw {"vote":"NO","new_argument":"","reason":"r"}"#,
        expect![[r#"
            > cy: NO
            admitted cy NO
            round 1 closed: 3 answered, 0 lapsed
            round 1 analysed: agreement 2/3
            left: all rounds done
            stage first-vote
            ballot opened: > 1/2 of cast
            stated ann YES
            stated bob NO
            stated cy NO
            ballot closed: yes 1 no 2 abstain 0 options [] unparsed 0 missing 0: Rejected, settles false
            stage debate
            round 2 opened
            called ann
            called bob
            called cy
            > ann: raw {"stance":"NO","position":"p","what_moved_me":"the others agree","confidence":0.5}
            admitted ann NO, marked gate/conformity
            > bob: NO
            admitted bob NO
            > cy: raw {"stance":"YES","position":"p","what_moved_me":"Ann showed that the index fits into memory …
            admitted cy YES
            round 2 closed: 3 answered, 0 lapsed
            round 2 analysed: agreement 2/3, 1 signs
            round 3 opened
            called ann
            called bob
            called cy
            > ann: YES
            admitted ann YES, marked gate/conformity
            > bob: NO
            admitted bob NO
            > cy: NO
            admitted cy NO, marked gate/conformity
            round 3 closed: 3 answered, 0 lapsed
            round 3 analysed: agreement 2/3, 1 signs
            left: all rounds done
            stage final-vote
            ballot opened: > 1/2 of cast
            asked ann to vote
            asked bob to vote
            asked cy to vote
            > ann: raw {"vote":"NO","new_argument":"bob measured that the cache is cold after every deploy","reason":"r"}
            cast ann NO, was YES
            > bob: raw {"vote":"YES","new_argument":"the majority","reason":"r"}
            cast bob YES, was NO, conformity
            > cy: raw {"vote":"NO","new_argument":"","reason":"r"}
            cast cy NO
            ballot closed: yes 1 no 2 abstain 0 options [] unparsed 0 missing 0: Rejected, settles true
            settled Rejected
        "#]],
    );
}
