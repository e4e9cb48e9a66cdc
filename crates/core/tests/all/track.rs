//! Track records: who is marked as right, and what a record makes a vote count for.

mod moments;
mod recorded;
mod weights;

use std::fmt::Write as _;

use expect_test::expect;
use synod_core::ballot::{Basis, KnownWeights, Paper, Poll, RecordTrust, Weights};
use synod_core::kernel::{Actor, Choice, Decision, UndecidedReason, WeighedBy};
use synod_core::track::{Event, Verdict};
use synod_core::view::Report;
use synod_core::{Act, Command, House, Outcome};

use crate::ballots::rule;
use crate::world::{START, World, check, source};

/// What became known, in a line.
pub(crate) fn told(event: &Event) -> String {
    let Event::Learned(learned) = event;
    let mut line = format!("learned {:?}:", learned.truth);
    for mark in &learned.marks {
        let alone = if mark.minority { " alone" } else { "" };
        let _ = write!(line, " {} {}{alone};", mark.who, if mark.right { "right" } else { "wrong" });
    }
    line
}

impl World {
    /// Says what was true of the last matter: `right`, `wrong`, `yes`, `no`, a letter.
    pub(crate) fn learns(&mut self, was: &str) -> &Act {
        let (matter, ring) = (self.matter(), self.house.cases().last().filter(|case| case.ring().is_some()));
        let told = match (was, ring) {
            ("right", _) => Verdict::Right,
            ("wrong", _) => Verdict::Wrong,
            ("yes", _) => Verdict::Answer(Choice::Yes),
            ("no", _) => Verdict::Answer(Choice::No),
            ("neutral", _) => Verdict::Answer(Choice::Neutral),
            (letter, ring) => {
                let place = letter.as_bytes()[0] - b'A';
                match ring {
                    Some(case) => {
                        Verdict::Proposal(case.ring().unwrap().1.table.proposals[usize::from(place)].id)
                    }
                    None => Verdict::Answer(Choice::Option(place)),
                }
            }
        };
        self.submit(synod_core::kernel::Actor::Operator, Command::RecordOutcome { matter, verdict: told })
    }
}

#[test]
fn a_plain_question_is_right_or_wrong_and_its_votes_with_it() {
    check(
        "collaborative cache rounds=1 ann bob cy dee
         all: NEUTRAL
         ann bob: YES
         cy: NO
         dee: NEUTRAL
         ---
         outcome right
         outcome right
         outcome wrong
         outcome yes
         outcome A
         outcome neutral",
        expect![[r#"
            > outcome right
            learned Is(Yes): ann right; bob right; cy wrong alone;
            > outcome right
            > outcome wrong
            learned Is(No): ann wrong; bob wrong; cy right alone;
            > outcome yes
            learned Is(Yes): ann right; bob right; cy wrong alone;
            > outcome A
            refused track/no-such-answer: that cannot be the outcome of matter m7, which ended passed: say `right` or `wrong` of a decision, or name one of its answers or proposals
            > outcome neutral
            refused track/no-such-answer: that cannot be the outcome of matter m7, which ended passed: say `right` or `wrong` of a decision, or name one of its answers or proposals
        "#]],
    );
}

#[test]
fn of_several_options_one_was_right_or_the_chosen_one_was_not() {
    check(
        "collaborative cache rounds=1 ann bob cy | REST | GraphQL | gRPC
         all: NEUTRAL
         ann bob: A
         cy: B
         ---
         outcome right
         outcome wrong
         outcome B
         outcome C
         outcome no
         outcome yes
         outcome D",
        expect![[r#"
            > outcome right
            learned Is(Option(0)): ann right; bob right; cy wrong alone;
            > outcome wrong
            learned IsNot(Option(0)): ann wrong; bob wrong;
            > outcome B
            learned Is(Option(1)): ann wrong; bob wrong; cy right alone;
            > outcome C
            learned Is(Option(2)): ann wrong; bob wrong; cy wrong alone;
            > outcome no
            learned Is(No): ann wrong; bob wrong; cy wrong alone;
            > outcome yes
            refused track/no-such-answer: that cannot be the outcome of matter m6, which ended passed: say `right` or `wrong` of a decision, or name one of its answers or proposals
            > outcome D
            refused track/no-such-answer: that cannot be the outcome of matter m6, which ended passed: say `right` or `wrong` of a decision, or name one of its answers or proposals
        "#]],
    );
}

#[test]
fn what_gave_no_answer_can_be_neither_right_nor_wrong() {
    check(
        "collaborative cache rounds=1 ann bob
         all: NEUTRAL
         ann: YES
         bob: NO
         ---
         outcome right
         outcome wrong
         outcome no",
        expect![[r#"
            > outcome right
            refused track/no-such-answer: that cannot be the outcome of matter m5, which ended undecided: say `right` or `wrong` of a decision, or name one of its answers or proposals
            > outcome wrong
            refused track/no-such-answer: that cannot be the outcome of matter m5, which ended undecided: say `right` or `wrong` of a decision, or name one of its answers or proposals
            > outcome no
            learned Is(No): ann wrong; bob right;
        "#]],
    );
}

#[test]
fn nothing_is_known_of_what_is_not_over() {
    check(
        "collaborative cache rounds=1 ann bob
         ---
         outcome right",
        expect![[r#"
            > outcome right
            refused matter/wrong-status: matter m5 is running: its outcome can be recorded when it is over
        "#]],
    );
}

#[test]
fn a_secret_vote_is_not_marked() {
    check(
        "collaborative+secrecy=secret cache rounds=1 ann bob
         all: NEUTRAL
         all: YES
         ---
         outcome wrong",
        expect![[r#"
            > outcome wrong
            learned Is(No):
        "#]],
    );
}

#[test]
fn in_a_ring_a_proposal_was_right_or_wrong() {
    check(
        "ring-default cache rounds=1 ann bob cy
         all: join
         ann: propose Cache it
         bob: propose Drop it
         cy: skip
         ann: say It pays.
         bob: say It does not.
         cy: say Well.
         ann: vote A approve
         ann: vote B reject
         bob: vote A request_changes
         bob: vote B approve
         cy: vote A approve_with_concerns
         cy: vote B abstain
         ---
         outcome right
         outcome wrong
         outcome B
         outcome yes",
        expect![[r#"
            > outcome right
            learned Proposal { id: ProposalId(Id { act: Seq(10), nth: 0 }), right: true }: ann right; bob wrong alone; cy right;
            > outcome wrong
            learned Proposal { id: ProposalId(Id { act: Seq(10), nth: 0 }), right: false }: ann wrong; bob right alone; cy wrong;
            > outcome B
            learned Proposal { id: ProposalId(Id { act: Seq(11), nth: 0 }), right: true }: ann wrong; bob right alone;
            > outcome yes
            refused track/no-such-answer: that cannot be the outcome of matter m6, which ended passed: say `right` or `wrong` of a decision, or name one of its answers or proposals
        "#]],
    );
}

/// A motion under a charter that weighs by record: everybody votes as told, and what came of it is told back.
fn motion(world: &mut World, votes: &[(&str, &str)]) {
    let names: Vec<&str> = votes.iter().map(|(name, _)| *name).collect();
    let weighs = source("collaborative+weights=reliability") + "\n[ballot.record]\nleast = 3\nshrink = 2\n";
    world.open_with(&weighs, "cache", &[], &names, |open| {
        open.moved.insert("rounds".into(), 1.into());
    });
    for name in &names {
        world.step(&format!("{name}: NEUTRAL"));
    }
    for (name, vote) in votes {
        world.step(&format!("{name}: {vote}"));
    }
}

#[test]
fn a_record_makes_a_vote_count_and_too_little_of_one_says_so() {
    let mut world = World::new();
    let last = |world: &World| Report::of(world.house.cases().last().expect("a matter"));
    for _ in 0..3 {
        motion(&mut world, &[("ann", "YES"), ("bob", "NO"), ("cy", "NO")]);
        let report = last(&world);
        assert_eq!(report.ballots[0].trust, Some(RecordTrust::TooFew { known: 0 }));
        assert_eq!(report.status, "rejected", "one seat, one vote");
        assert!(report.headline.contains("too few track records to weight votes"), "{}", report.headline);
        world.learns("yes");
    }
    // Ann alone was right three times: she outweighs the others together.
    motion(&mut world, &[("ann", "YES"), ("bob", "NO"), ("cy", "NO")]);
    let report = last(&world);
    let Some(RecordTrust::Learned(learned)) = &report.ballots[0].trust else {
        panic!("{:?}", report.ballots[0])
    };
    let weights: Vec<u32> = learned.seats.values().map(|seat| seat.weight).collect();
    assert_eq!((learned.by, weights.as_slice()), (WeighedBy::Errors, &[1000, 1, 1][..]));
    assert_eq!(report.status, "passed");
    let count = report.ballots[0].count.as_ref().expect("a weighed count");
    assert_eq!(count.weighed.as_ref().map(|tally| (tally.yes, tally.no)), Some((1000, 2)));
    // What is learned later changes nothing that was decided.
    let seq = world.house.seq();
    world.learns("no");
    assert_eq!(last(&world).status, "passed");
    assert_eq!(last(&world).outcome.expect("it is known").decision_right, Some(false));
    assert!(world.house.seq() > seq);
    assert!(world.acts.iter().all(|act| matches!(act.outcome, Outcome::Done(_))));
}

/// A house of edition 2 goes on by its own rule until it is upgraded, and says as little of its outcomes as it did.
#[test]
fn a_house_of_the_edition_before_is_judged_by_its_own_rule() {
    let mut world = World { house: House::default(), acts: Vec::new(), now: START, careful: true };
    world.submit(Actor::Operator, Command::Found { edition: 2, key: "00".into() });
    for _ in 0..3 {
        motion(&mut world, &[("ann", "YES"), ("bob", "NO"), ("cy", "NO")]);
        world.learns("yes");
    }
    motion(&mut world, &[("ann", "YES"), ("bob", "NO"), ("cy", "NO")]);
    let trust = |world: &World| {
        Report::of(world.house.cases().last().expect("a matter")).ballots[0].trust.clone().expect("weights")
    };
    assert!(matches!(trust(&world), RecordTrust::Weights(_)), "{:?}", trust(&world));
    let says_side = |world: &World| {
        world
            .house
            .cases()
            .filter_map(|case| case.learned.clone())
            .any(|it| it.marks.iter().any(|mark| mark.side.is_some()))
    };
    assert!(!says_side(&world), "edition 2 does not record what a vote was for");
    world.submit(Actor::Engine, Command::Upgrade { edition: synod_core::edition::CURRENT });
    motion(&mut world, &[("ann", "YES"), ("bob", "NO"), ("cy", "NO")]);
    // What it learned before counts on: ann is still the only one who was right.
    let RecordTrust::Learned(learned) = trust(&world) else { panic!("{:?}", trust(&world)) };
    assert!(
        learned.seats.iter().all(|(who, seat)| (seat.weight == 1000) == (who.as_str() == "ann")),
        "{learned:?}"
    );
    world.learns("yes");
    assert!(says_side(&world));
}

#[test]
fn votes_that_were_never_shown_are_not_marked() {
    // The vote is open when the matter is stopped: nobody learned how anybody voted, and nobody does now.
    check(
        "ring-default cache rounds=1 ann bob
         all: join
         ann: propose Cache it
         bob: skip
         ann: say It pays.
         bob: say Well.
         ann: vote A approve
         stop
         ---
         outcome right
         outcome A",
        expect![[r#"
            > outcome right
            refused track/no-such-answer: that cannot be the outcome of matter m5, which ended undecided: say `right` or `wrong` of a decision, or name one of its answers or proposals
            > outcome A
            learned Proposal { id: ProposalId(Id { act: Seq(8), nth: 0 }), right: true }:
        "#]],
    );
}

#[test]
fn who_puts_several_on_top_leaves_open_which_is_right() {
    check(
        r#"collaborative+method=approval cache rounds=1 ann bob cy dee | REST | GraphQL | gRPC
         all: NEUTRAL
         ann: raw {"vote":["A","B"]}
         bob: raw {"vote":["B"]}
         cy: raw {"vote":["C","B"]}
         dee: raw {"vote":["NONE"]}
         ---
         outcome right
         outcome C"#,
        expect![[r#"
            > outcome right
            learned Is(Option(1)): bob right; dee wrong alone;
            > outcome C
            learned Is(Option(2)): bob wrong; dee wrong alone;
        "#]],
    );
    check(
        r#"collaborative+method=score cache rounds=1 ann bob | REST | GraphQL
         all: NEUTRAL
         ann: raw {"vote":{"A":9,"B":9}}
         bob: raw {"vote":{"A":2,"B":9}}
         ---
         outcome B"#,
        expect![[r#"
            > outcome B
            learned Is(Option(1)): bob right;
        "#]],
    );
}

/// What a council with these weights makes of votes, under a basis.
fn weighed(basis: Basis, weights: &[u32], votes: &[Option<Choice>]) -> (Decision, String) {
    let mut rule = rule(">= 2/3", basis);
    rule.weights = Weights::Reliability;
    let each = votes.iter().zip(weights);
    let poll = Poll {
        papers: each
            .clone()
            .filter_map(|(vote, weight)| Some(Paper { weight: *weight, ..Paper::plain((*vote)?) }))
            .collect(),
        present: votes.len() as u32,
        seats: votes.len() as u32,
        unparsed: votes.iter().filter(|vote| vote.is_none()).map(|_| 1).collect(),
        known: Some(KnownWeights {
            present: weights.iter().sum(),
            seats: weights.iter().sum(),
            unparsed: each.filter(|(vote, _)| vote.is_none()).map(|(_, weight)| *weight).collect(),
        }),
        ..Poll::default()
    };
    let tally = poll.weighed();
    (
        poll.decision(&rule),
        format!("{} of {}, {} unread, {} missing", tally.yes, tally.seats, tally.unparsed, tally.missing),
    )
}

#[test]
fn shares_are_taken_of_what_votes_count_for_and_not_of_heads() {
    let (yes, no) = (Some(Choice::Yes), Some(Choice::No));
    let passed = Decision::Passed { option: None };
    for basis in Basis::ALL {
        let (decision, counted) = weighed(basis, &[1000, 0, 0], &[yes, yes, yes]);
        assert_eq!((decision, &*counted), (passed, "1000 of 1000, 0 unread, 0 missing"), "{basis}");
        // What is not read and counts for nothing contests nothing; what counts does.
        let (decision, counted) = weighed(basis, &[1000, 0, 0], &[yes, yes, None]);
        assert_eq!((decision, &*counted), (passed, "1000 of 1000, 0 unread, 0 missing"), "{basis}");
        assert_eq!(weighed(basis, &[1000, 0, 600], &[yes, no, None]).0, Decision::Contested, "{basis}");
        // Where nobody takes a side whose vote counts, nothing is decided, whatever the others say.
        let (decision, _) = weighed(basis, &[1000, 0, 0], &[Some(Choice::Neutral), yes, yes]);
        assert_eq!(decision, Decision::Undecided(UndecidedReason::Weightless), "{basis}");
        assert_eq!(
            weighed(basis, &[1000, 0, 500], &[yes, no, None]).0,
            passed,
            "{basis}: 1000 of 1500 at the least"
        );
    }
}

#[test]
fn an_open_vote_that_is_cut_short_was_seen_and_is_marked() {
    check(
        "collaborative cache rounds=1 ann bob
         all: NEUTRAL
         ann: YES
         stop
         ---
         outcome no",
        expect![[r#"
            > outcome no
            learned Is(No): ann wrong;
        "#]],
    );
    check(
        "collaborative+secrecy=until-closed cache rounds=1 ann bob
         all: NEUTRAL
         ann: YES
         stop
         ---
         outcome no",
        expect![[r#"
            > outcome no
            learned Is(No):
        "#]],
    );
}
