//! Ballots of every kind in a council: marked, sealed, weighed, passed on, vetoed.

use expect_test::expect;
use synod_core::ballot::{Margin, Method, Paper, Poll, Rules, Tie, Weights};
use synod_core::brief::{FieldValue, Form, Marking, VoteForm};
use synod_core::charter::Charter;
use synod_core::house::BriefCache;
use synod_core::kernel::{Choice, Decision, Marks, UndecidedReason};
use synod_core::meter::Limits;
use synod_core::view::{Report, Thoughts, prove, receipt};
use synod_core::{Act, Outcome};

use crate::ballots::rule;
use crate::world::{World, check, salt_of, source, who};

/// A council that only votes: the log of a script after its round of talk.
#[track_caller]
fn votes(head: &str, script: &str, expect: expect_test::Expect) {
    check(&format!("{head}\nall: NEUTRAL\n---\n{script}"), expect);
}

const API: &str = "| REST | GraphQL | gRPC";

#[test]
fn options_are_ranked_and_the_whole_count_is_in_the_record() {
    votes(
        &format!("collaborative+method=schulze cache rounds=1 ann bob cy {API}"),
        r#"ann: raw {"vote":["A","B"],"reason":"r"}
           bob: raw {"vote":"B > A = C"}
           cy: raw {"vote":["C","B","A"]}"#,
        expect![[r#"
            > ann: raw {"vote":["A","B"],"reason":"r"}
            cast ann A > B, was NEUTRAL
            > bob: raw {"vote":"B > A = C"}
            cast bob B > A = C, was NEUTRAL
            > cy: raw {"vote":["C","B","A"]}
            cast cy C > B > A, was NEUTRAL
            ballot closed: yes 0 no 0 abstain 0 options [1, 1, 1] unparsed 0 missing 0: Passed { option: Some(1) }, settles true
              counted {"standing":{"leader":1,"numbers":{"schulze":{"pairs":[[0,1,1],[2,0,2],[1,1,0]],"paths":[[0,0,0],[2,0,2],[0,0,0]]}},"order":[[1],[0,2]],"support":[3,3,2],"winners":[1]}}
            settled Passed { option: Some(1) }
        "#]],
    );
    votes(
        &format!("collaborative+method=instant-runoff cache rounds=1 ann bob cy dee {API}"),
        r#"ann: raw {"vote":["A"]}
           bob: raw {"vote":[["B"],["A","C"]]}
           cy: raw {"vote":["C","B"]}
           dee: raw Vote: B > C"#,
        expect![[r#"
            > ann: raw {"vote":["A"]}
            cast ann A, was NEUTRAL
            > bob: raw {"vote":[["B"],["A","C"]]}
            cast bob B > A = C, was NEUTRAL
            > cy: raw {"vote":["C","B"]}
            cast cy C > B, was NEUTRAL
            > dee: raw Vote: B > C
            cast dee B > C, was NEUTRAL
            ballot closed: yes 0 no 0 abstain 0 options [1, 2, 1] unparsed 0 missing 0: Passed { option: Some(1) }, settles true
              counted {"standing":{"leader":1,"numbers":{"instant_runoff":{"rounds":[{"exhausted":0,"out":[2],"tied":[0],"votes":[[0,2],[1,4],[2,2]]},{"exhausted":0,"out":[0],"votes":[[0,2],[1,6]]}],"unit":2}},"order":[[1],[0],[2]],"support":[2,3,3],"winners":[1]}}
            settled Passed { option: Some(1) }
        "#]],
    );
    votes(
        &format!("collaborative+method=borda+tie=earlier cache rounds=1 ann bob {API}"),
        r#"ann: raw {"vote":["A","B"]}
           bob: raw {"vote":["B","A"]}"#,
        expect![[r#"
            > ann: raw {"vote":["A","B"]}
            cast ann A > B, was NEUTRAL
            > bob: raw {"vote":["B","A"]}
            cast bob B > A, was NEUTRAL
            ballot closed: yes 0 no 0 abstain 0 options [1, 1, 0] unparsed 0 missing 0: Passed { option: Some(0) }, settles true
              counted {"standing":{"leader":0,"numbers":{"borda":{"halves":[6,6,0]}},"order":[[0,1],[2]],"support":[2,2,0],"winners":[0,1]}}
            settled Passed { option: Some(0) }
        "#]],
    );
}

#[test]
fn options_are_approved_or_scored() {
    votes(
        &format!("collaborative+method=approval cache rounds=1 ann bob cy {API}"),
        r#"ann: raw {"vote":["A","B"]}
           bob: raw {"vote":"B, C"}
           cy: raw {"vote":["NONE"]}"#,
        expect![[r#"
            > ann: raw {"vote":["A","B"]}
            cast ann A, B, was NEUTRAL
            > bob: raw {"vote":"B, C"}
            cast bob B, C, was NEUTRAL
            > cy: raw {"vote":["NONE"]}
            cast cy NO, was NEUTRAL
            ballot closed: yes 0 no 1 abstain 0 options [1, 1, 0] unparsed 0 missing 0: Passed { option: Some(1) }, settles true
              counted {"standing":{"leader":1,"numbers":{"approval":{"approvals":[1,2,1]}},"order":[[1],[0,2]],"support":[1,2,1],"winners":[1]}}
            settled Passed { option: Some(1) }
        "#]],
    );
    votes(
        &format!("collaborative+method=score+weights=confidence cache rounds=1 ann bob cy {API}"),
        r#"ann: raw {"vote":{"A":9,"B":5,"C":0},"confidence":0.5}
           bob: raw {"vote":{"A":2,"B":8,"C":1}}
           bob: raw {"vote":{"A":2,"B":8,"C":1},"confidence":"80%"}
           cy: raw {"vote":{"A":null,"B":null,"C":null},"confidence":1}"#,
        expect![[r#"
            > ann: raw {"vote":{"A":9,"B":5,"C":0},"confidence":0.5}
            cast ann A=9, B=5, C=0, was NEUTRAL
            > bob: raw {"vote":{"A":2,"B":8,"C":1}}
            unparsed, asked again: true
            asked bob to vote, attempt 2
            > bob: raw {"vote":{"A":2,"B":8,"C":1},"confidence":"80%"}
            cast bob A=2, B=8, C=1, was NEUTRAL
            > cy: raw {"vote":{"A":null,"B":null,"C":null},"confidence":1}
            cast cy ABSTAIN
            ballot closed: yes 0 no 0 abstain 1 options [1, 1, 0] unparsed 0 missing 0: Passed { option: Some(1) }, settles true
              counted {"carried":[{"by":"ann","weight":500},{"by":"bob","weight":800},{"by":"cy","weight":1000}],"standing":{"leader":1,"numbers":{"score":{"sums":[6100,8900,800],"votes":1300}},"order":[[1],[0],[2]],"support":[6100,8900,800],"winners":[1]},"weighed":{"yes":0,"no":0,"neutral":1000,"options":[500,800,0],"unparsed":0,"missing":0,"present":3000,"seats":3000}}
            settled Passed { option: Some(1) }
        "#]],
    );
}

#[test]
fn a_plain_question_is_a_plain_vote_under_every_method() {
    votes(
        "collaborative+method=schulze cache rounds=1 ann bob cy",
        "ann: YES
         bob: NO
         cy: YES",
        expect![[r#"
            > ann: YES
            cast ann YES, was NEUTRAL
            > bob: NO
            cast bob NO, was NEUTRAL
            > cy: YES
            cast cy YES, was NEUTRAL
            ballot closed: yes 2 no 1 abstain 0 options [] unparsed 0 missing 0: Passed { option: None }, settles true
            settled Passed { option: None }
        "#]],
    );
}

#[test]
fn votes_are_passed_on_along_chains_and_lost_in_cycles() {
    votes(
        "collaborative+delegation=true cache rounds=1 ann bob cy dee eli fay gus",
        r#"ann: YES
           bob: raw {"vote":"ABSTAIN","delegate":"Ann","reason":"ann knows"}
           cy: raw {"vote":"ABSTAIN","delegate":"bob"}
           dee: raw {"vote":"ABSTAIN","delegate":"eli"}
           eli: raw {"vote":"ABSTAIN","delegate":"dee"}
           fay: raw {"vote":"ABSTAIN","delegate":"gus"}
           gus: raw {"vote":"YES","delegate":"ann"}
           gus: fails backend/time-out slow"#,
        expect![[r#"
            > ann: YES
            cast ann YES, was NEUTRAL
            > bob: raw {"vote":"ABSTAIN","delegate":"Ann","reason":"ann knows"}
            bob passes its vote to ann
            > cy: raw {"vote":"ABSTAIN","delegate":"bob"}
            cy passes its vote to bob
            > dee: raw {"vote":"ABSTAIN","delegate":"eli"}
            dee passes its vote to eli
            > eli: raw {"vote":"ABSTAIN","delegate":"dee"}
            eli passes its vote to dee
            > fay: raw {"vote":"ABSTAIN","delegate":"gus"}
            fay passes its vote to gus
            > gus: raw {"vote":"YES","delegate":"ann"}
            unparsed, asked again: true
            asked gus to vote, attempt 2
            > gus: fails backend/time-out slow
            lapsed: backend/time-out (slow)
            ballot closed: yes 3 no 0 abstain 0 options [] unparsed 1 missing 3: Contested, settles true
              counted {"carried":[{"by":"ann","of":["bob","cy"]}],"lost":[{"who":"dee","why":"cycle"},{"who":"eli","why":"cycle"},{"who":"fay","why":"nobody"}]}
            settled Contested
        "#]],
    );
}

#[test]
fn a_veto_blocks_what_its_holder_turns_down_and_says_whose_it_was() {
    votes(
        "collaborative+veto=cy cache rounds=1 ann bob cy",
        "ann: YES
         bob: YES
         cy: NO",
        expect![[r#"
            > ann: YES
            cast ann YES, was NEUTRAL
            > bob: YES
            cast bob YES, was NEUTRAL
            > cy: NO
            cast cy NO, was NEUTRAL
            ballot closed: yes 2 no 1 abstain 0 options [] unparsed 0 missing 0: Rejected, settles true
              counted {"blocked":["cy"]}
            settled Rejected
        "#]],
    );
    votes(
        &format!("collaborative+method=approval+veto=cy cache rounds=1 ann bob cy {API}"),
        r#"ann: raw {"vote":["A"]}
           bob: raw {"vote":["A","B"]}
           cy: raw {"vote":["C"]}"#,
        expect![[r#"
            > ann: raw {"vote":["A"]}
            cast ann A, was NEUTRAL
            > bob: raw {"vote":["A","B"]}
            cast bob A, B, was NEUTRAL
            > cy: raw {"vote":["C"]}
            cast cy C, was NEUTRAL
            ballot closed: yes 0 no 0 abstain 0 options [2, 0, 1] unparsed 0 missing 0: Undecided(Vetoed), settles true
              counted {"blocked":["cy"],"standing":{"leader":0,"numbers":{"approval":{"approvals":[2,1,1]}},"order":[[0],[1,2]],"support":[2,1,1],"winners":[0]}}
            settled Undecided(Vetoed)
        "#]],
    );
    let mut world = World::new();
    world.open(&source("collaborative+veto=cy,zoe"), "t", &[], &["ann", "bob", "cy"], Limits::default());
    for line in ["ann: YES", "bob: YES", "cy: NO", "ann: YES", "bob: YES", "cy: NO"] {
        world.step(line);
    }
    let told = |world: &World, name: &str| {
        world.house.brief(world.ask_of(name).unwrap(), &mut BriefCache::default()).unwrap().text()
    };
    assert!(told(&world, "cy").contains("You hold a veto"));
    assert!(!told(&world, "ann").contains("veto"));
    for line in ["ann: YES", "bob: YES", "cy: NO"] {
        world.step(line);
    }
    let report = Report::of(world.house.case(world.matter()).unwrap());
    assert_eq!(report.headline, "REJECTED: vetoed by cy; 2 of 3 votes for it, needs more than 1/2");
    assert_eq!(
        report.ballots[0].vetoes_unseated(&report).map(|who| who.as_str()).collect::<Vec<_>>(),
        ["zoe"]
    );
}

fn shown(world: &World) -> String {
    let case = world.house.case(world.matter()).unwrap();
    let report = Report::of(case);
    let thoughts: Vec<Thoughts> =
        ["ann", "bob", "cy"].iter().filter_map(|name| Thoughts::of(case, &who(name))).collect();
    let receipt = receipt(case, None, Default::default());
    let briefs: Vec<String> = world
        .house
        .open_asks()
        .map(|(id, _)| world.house.brief(id, &mut BriefCache::default()).unwrap().text())
        .collect();
    serde_json::json!({
        "report": report.whole(), "thoughts": thoughts, "receipt": receipt, "briefs": briefs,
    })
    .to_string()
}

/// A council whose vote is sealed, up to the vote.
fn sealed(secrecy: &str) -> World {
    let mut world = World::new();
    let charter = source(&format!("collaborative+secrecy={secrecy}"));
    world.open_with(&charter, "t", &[], &["ann", "bob", "cy"], |open| {
        open.moved.insert("rounds".into(), 1.into());
    });
    for name in ["ann", "bob", "cy"] {
        world.step(&format!("{name}: NEUTRAL"));
    }
    world
}

fn cast(world: &mut World, name: &str, choice: &str) -> Act {
    let text = format!(
        r#"{{"vote":"{choice}","reason":"because-of-{name}","new_argument":"argued-by-{name}","change_if":"if-{name}","confidence":0.7}}"#
    );
    world.answer(name, &text).clone()
}

#[test]
fn sealed_votes_are_in_no_view_until_they_may_be() {
    for secrecy in ["until-closed", "secret"] {
        let mut world = sealed(secrecy);
        cast(&mut world, "ann", "YES");
        cast(&mut world, "bob", "NO");
        let told = shown(&world);
        for word in ["because-of-", "argued-by-", "if-ann", "YES\\\"", "\"choice\"", &salt_of("ann")] {
            assert!(!told.contains(word), "{secrecy}: {word} is shown while the vote lasts");
        }
        let report = Report::of(world.house.case(world.matter()).unwrap());
        assert_eq!(report.ballots[0].sealed.len(), 2, "that two voted is no secret");
        assert!(report.seats[0].sealed && report.seats[0].vote.is_none());

        cast(&mut world, "cy", "YES");
        let (told, case) = (shown(&world), world.house.case(world.matter()).unwrap());
        let report = Report::of(case);
        assert_eq!(report.decision, Some(Decision::Passed { option: None }));
        assert_eq!(report.ballots[0].tally.as_ref().unwrap().yes, 2, "counts are shown");
        assert_eq!(told.contains("because-of-bob"), secrecy == "until-closed");
        assert!(!told.contains(&salt_of("bob")), "a salt is in no view");
        assert_eq!(report.dissent.len(), usize::from(secrecy == "until-closed"));
        // The record itself has them: it is the truth, and a replay counts it again.
        assert!(serde_json::to_string(&world.acts).unwrap().contains("because-of-bob"));
        assert_eq!(
            synod_core::procedure::recount(case, &case.ballots[0]).1,
            Decision::Passed { option: None }
        );
    }
}

#[test]
fn who_kept_the_salt_proves_a_vote_and_nothing_else_is_proven() {
    let mut world = sealed("secret");
    for (name, choice) in [("ann", "YES"), ("bob", "NO"), ("cy", "YES")] {
        cast(&mut world, name, choice);
    }
    let case = world.house.case(world.matter()).unwrap();
    let proven = |name: &str, said: &str, salt: &str| prove(case, &who(name), said, salt).map(|it| it.proven);
    assert_eq!(proven("bob", "NO", &salt_of("bob")), Some(true));
    assert_eq!(proven("bob", "I vote no.", &salt_of("bob")), Some(true), "however it is put");
    assert_eq!(proven("bob", "YES", &salt_of("bob")), Some(false));
    assert_eq!(proven("bob", "NO", &salt_of("ann")), Some(false));
    assert_eq!(proven("ann", "NO", &salt_of("bob")), Some(false));
    assert_eq!(proven("bob", "perhaps", &salt_of("bob")), None);
    let text = prove(case, &who("bob"), "NO", &salt_of("bob")).unwrap().ballots[0].text.clone();
    let ballot = case.ballots[0].id;
    assert_eq!(
        text,
        format!(r#"{{"ballot":"{ballot}","choice":"NO","salt":"bob-0123456789abcdef","who":"bob"}}"#)
    );
    assert_eq!(
        synod_core::kernel::Digest::of(text.as_bytes()),
        Report::of(case).ballots[0].sealed[1].seal,
        "anyone can make the seal"
    );
}

#[test]
fn a_sealed_vote_needs_a_salt_that_cannot_be_guessed() {
    for salt in [None, Some("short"), Some("sixteen letters and blanks"), Some("")] {
        let mut world = sealed("secret");
        let ask = world.ask_of("ann").unwrap();
        let by = synod_core::kernel::Actor::Seat(who("ann"));
        let (text, call) = ("YES".to_string(), Box::default());
        let salt = salt.map(str::to_string);
        let act = world.submit(by, synod_core::Command::Answer { ask, salt, text, call });
        assert!(matches!(&act.outcome, Outcome::Refused { code, .. } if code == "ballot/unsalted"));
    }
}

#[test]
fn a_secret_vote_moves_nobody_in_later_talk() {
    // In a vote that may settle early, what a seat voted in secret must not mark what it says afterwards.
    let charter = source("blind-vote+secrecy=secret");
    let mut world = World::new();
    world.open(&charter, "t", &[], &["ann", "bob"], Limits::default());
    for line in ["ann: NEUTRAL", "bob: NEUTRAL", "ann: YES", "bob: NO", "ann: NO", "bob: NO"] {
        world.step(line);
    }
    let report = Report::of(world.house.case(world.matter()).unwrap());
    let marks: Vec<&str> = report.marked.iter().map(|row| &*row.violation.detail).collect();
    assert!(marks.iter().all(|detail| !detail.contains("YES")), "{marks:?}");
}

/// What is read from a ballot of one kind.
fn read(marking: Marking, said: &str) -> String {
    let options = ["REST", "GraphQL", "gRPC"].map(String::from);
    let form = Form::vote(3, VoteForm { marking, ..VoteForm::default() });
    let answer = format!(r#"{{"vote":{said},"reason":"r"}}"#);
    match form.read(&answer, &options).fields.get("vote") {
        Some(FieldValue::Marks(marks)) => marks.to_string(),
        Some(FieldValue::Choice(choice)) => choice.ballot_word(3),
        Some(other) => panic!("{other:?}"),
        None => "unread".into(),
    }
}

#[test]
fn marks_are_read_as_they_are_meant_and_never_guessed() {
    let rows = [
        (Marking::Ranking, r#"["B","A","C"]"#, "B > A > C"),
        (Marking::Ranking, r#"["graphql","Option A"]"#, "B > A"),
        (Marking::Ranking, r#"["C = B","A"]"#, "B = C > A"),
        (Marking::Ranking, r#""B > C = A""#, "B > A = C"),
        (Marking::Ranking, r#"[["C","A"]]"#, "A = C"),
        (Marking::Ranking, r#""NONE""#, "NONE"),
        (Marking::Ranking, r#"["ABSTAIN"]"#, "ABSTAIN"),
        (Marking::Ranking, r#"["B","B"]"#, "unread"),
        (Marking::Ranking, r#"["B","D"]"#, "unread"),
        (Marking::Ranking, r#"["B","NONE"]"#, "unread"),
        (Marking::Ranking, r#"["B","probably A"]"#, "unread"),
        (Marking::Ranking, "[]", "unread"),
        (Marking::Ranking, "{}", "unread"),
        (Marking::Ranking, "null", "unread"),
        (Marking::Approval, r#"["C","A"]"#, "A, C"),
        (Marking::Approval, r#""A, C""#, "A, C"),
        (Marking::Approval, r#"["A = C"]"#, "unread"),
        (Marking::Approval, r#"["none"]"#, "NONE"),
        (Marking::Approval, "[]", "unread"),
        (Marking::Scores, r#"{"A":3,"B":10,"C":0}"#, "A=3, B=10, C=0"),
        (Marking::Scores, r#""A=3, B: 10, C=0""#, "A=3, B=10, C=0"),
        (Marking::Scores, r#"{"A":3,"B":10}"#, "unread"),
        (Marking::Scores, r#"{"A":3,"B":11,"C":0}"#, "unread"),
        (Marking::Scores, r#"{"A":3,"B":2.5,"C":0}"#, "unread"),
        (Marking::Scores, r#"{"A":3,"B":null,"C":0}"#, "unread"),
        (Marking::Scores, r#"{"A":0,"B":0,"C":0}"#, "NONE"),
        (Marking::Scores, r#"{"A":null,"B":null,"C":null}"#, "ABSTAIN"),
        (Marking::Scores, r#""ABSTAIN""#, "ABSTAIN"),
    ];
    for (marking, said, expected) in rows {
        assert_eq!(read(marking, said), expected, "{marking:?} {said}");
    }
}

fn ranking(written: &str) -> Paper {
    match written {
        "NONE" => Paper::plain(Choice::No),
        "ABSTAIN" => Paper::plain(Choice::Neutral),
        _ => {
            let group =
                |group: &str| group.split('=').map(|letter| letter.trim().as_bytes()[0] - b'A').collect();
            Paper::marked(Marks::Ranking(written.split('>').map(group).collect()))
        }
    }
}

/// Every ballot that can be cast on two options.
const WAYS: [&str; 7] = ["A", "B", "A>B", "B>A", "A=B", "NONE", "ABSTAIN"];

fn poll(papers: Vec<Paper>) -> Poll {
    let seats = papers.len() as u32;
    Poll { options: 2, papers, seats, present: seats, ..Poll::default() }
}

/// Every way in which so many ballots can be cast.
fn profiles(papers: usize) -> Vec<Vec<usize>> {
    (0..papers).fold(vec![Vec::new()], |known, _| {
        known.iter().flat_map(|done| (0..WAYS.len()).map(|way| [done.clone(), vec![way]].concat())).collect()
    })
}

#[test]
fn the_margin_and_contested_votes_of_rankings_are_those_of_brute_force() {
    for method in [Method::Borda, Method::Schulze, Method::InstantRunoff] {
        for tie in [Tie::Undecided, Tie::Earlier, Tie::Fails] {
            let rule = Rules { method, tie, ..rule("> 1/2", synod_core::ballot::Basis::Cast) };
            let all = profiles(3);
            let of = |profile: &[usize]| poll(profile.iter().map(|way| ranking(WAYS[*way])).collect());
            let decided: Vec<Decision> = all.iter().map(|profile| of(profile).decision(&rule)).collect();
            for (profile, now) in all.iter().zip(&decided) {
                let apart =
                    |other: &Vec<usize>| profile.iter().zip(other).filter(|(a, b)| a != b).count() as u32;
                let others = all.iter().zip(&decided).filter(|(_, decision)| *decision != now);
                let expected = others.map(|(other, _)| apart(other)).min();
                let margin = of(profile).margin(&rule);
                assert_eq!(
                    margin,
                    Margin { ballots: expected, bound: false },
                    "{method:?} {tie:?} {profile:?}"
                );
                // One more seat whose ballot could not be read.
                let read = Poll { seats: 4, present: 4, ..of(profile) };
                let unread = Poll { unparsed: vec![1], ..read.clone() };
                let completed = |way: usize| {
                    let papers = [read.papers.clone(), vec![ranking(WAYS[way])]].concat();
                    Poll { papers, ..read.clone() }.decision(&rule)
                };
                let before = read.decision(&rule);
                let open = (0..WAYS.len()).any(|way| completed(way) != before);
                let expected = if open { Decision::Contested } else { before };
                assert_eq!(unread.decision(&rule), expected, "{method:?} {tie:?} {profile:?}");
            }
        }
    }
}

#[test]
fn an_unreadable_ballot_counts_for_those_it_would_have_carried() {
    let rule = Rules { delegation: true, ..rule("> 1/2", synod_core::ballot::Basis::Cast) };
    let papers = vec![Paper::plain(Choice::Yes); 3];
    let poll = |unparsed| Poll { seats: 7, present: 7, papers: papers.clone(), unparsed, ..Poll::default() };
    assert_eq!(poll(vec![1]).decision(&rule), Decision::Passed { option: None });
    assert_eq!(poll(vec![1, 1]).decision(&rule), Decision::Passed { option: None });
    assert_eq!(poll(vec![1, 2]).decision(&rule), Decision::Contested, "three might have been against it");
}

#[test]
fn weights_count_for_shares_and_heads_for_the_quorum() {
    let weighed = |choice, weight| Paper { weight, ..Paper::plain(choice) };
    let poll = |papers: Vec<Paper>| Poll { seats: 3, present: 3, papers, ..Poll::default() };
    let mut rule = rule("> 1/2", synod_core::ballot::Basis::Cast);
    (rule.weights, rule.quorum) = (Weights::Confidence, "1".parse().unwrap());
    let three = [weighed(Choice::Yes, 400), weighed(Choice::Yes, 400), weighed(Choice::No, 900)];
    assert_eq!(poll(three.to_vec()).decision(&rule), Decision::Rejected, "800 of 1700 is not half");
    assert_eq!(poll(three[..2].to_vec()).decision(&rule), Decision::Undecided(UndecidedReason::Quorum));
    let carried = Paper { seats: 2, ..weighed(Choice::Yes, 460) };
    let two = vec![carried, weighed(Choice::No, 900)];
    assert_eq!(poll(two).decision(&rule), Decision::Passed { option: None }, "920 of 1820 is more");
}

#[test]
fn a_margin_that_cannot_be_searched_is_a_bound() {
    let rule = Rules { method: Method::Borda, ..rule("> 1/2", synod_core::ballot::Basis::Cast) };
    let papers = vec![ranking("A>B>C>D>E>F>G>H>I"); 30];
    let poll = Poll { options: 9, seats: 30, present: 30, papers, ..Poll::default() };
    let margin = poll.margin(&rule);
    assert!(margin.bound && margin.ballots.is_some_and(|ballots| (2..=16).contains(&ballots)), "{margin:?}");
    let unread = Poll { seats: 31, unparsed: vec![1], ..poll };
    assert_eq!(unread.decision(&rule), Decision::Contested, "nobody can look at all it might have been");
}

#[test]
fn flaws_of_ballots_are_named() {
    let told = |more: &str| {
        let source = source("collaborative").replace("[ballot]", &format!("[ballot]\n{more}"));
        match Charter::parse(&source) {
            Ok((charter, _)) => format!("{:?}", charter.ballot.method),
            Err(flaws) => flaws.iter().map(|flaw| format!("{flaw}\n")).collect(),
        }
    };
    assert_eq!(told("method = \"instant-runoff\""), "InstantRunoff");
    expect![[r#"
        line 30: `ballot.method`: "shulze" is not known (did you mean "schulze"?); write one of "plurality", "borda", "schulze", "instant-runoff", "approval", "score"
        line 31: `ballot.secrecy`: "closed" is not known; write one of "open", "until-closed", "secret"
        line 32: `ballot.weights`: "reliable" is not known; write one of "none", "confidence", "reliability"
        line 33: `ballot.veto`: the seat "ANN" is listed twice; name each once
        line 33: `ballot.veto`: a participant needs a name; name seats as they are called
        line 34: `ballot.change`: this is an integer; write true or false
        line 35: `ballot.delegation`: this is a string; write true or false
    "#]].assert_eq(&told(
        "method = \"shulze\"\nsecrecy = \"closed\"\nweights = \"reliable\"\nveto = [\"ann\", \"ANN\", \"\"]\nchange = 1\ndelegation = \"yes\"",
    ));
    // What is weighed by record: the numbers within reason, and only where they mean something.
    expect![[r#"
        line 30: `ballot.secrecy`: weights are public, so a weighted count would reveal who voted how; write "until-closed", or weights = "none"
        line 32: `ballot.record.most`: this key is not known; known here: least, shrink, top
        line 32: `ballot.record.least`: 0 is out of range; write a number from 1 to 10000
        line 32: `ballot.record.shrink`: 2000 is out of range; write a number from 1 to 1000
        line 32: `ballot.record.top`: 0 is out of range; write a number from 1 to 1000
    "#]].assert_eq(&told("secrecy = \"secret\"\nweights = \"reliability\"\nrecord = { least = 0, shrink = 2_000, top = 0, most = 1 }"));
    expect![[r#"
        line 30: `ballot.record`: votes are not weighted by track record here; write weights = "reliability", or leave it out
    "#]].assert_eq(&told("record = { least = 5 }"));
    expect!["Plurality"].assert_eq(&told("weights = \"reliability\"\nrecord = { least = 5, top = 3 }"));
}
