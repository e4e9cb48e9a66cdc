//! Votes in five grades: who may, how often, and what they come to.

use expect_test::expect;
use synod_core::ballot::{Basis, Grade, GradeCount, Rules, SealInput, Tie, rank};
use synod_core::charter::Charter;
use synod_core::kernel::{Actor, Decision, Digest, ProposalId, UndecidedReason};
use synod_core::matter::Status;
use synod_core::procedure::ring::{self, Action};
use synod_core::view::{Report, Session, prove, receipt};
use synod_core::{Act, Command, Outcome};

use super::{at, played};
use crate::world::{World, check, log, source, who};

/// How a ring of so many ends in which these votes are cast on its one proposal: A approve, C with concerns,
/// 0 abstain, R request changes, X reject, - no vote.
fn ends(charter: &str, votes: &str) -> String {
    let names: Vec<String> = (1..=votes.len()).map(|nth| format!("p{nth}")).collect();
    let word = |letter| match letter {
        'A' => Some("approve"),
        'C' => Some("approve_with_concerns"),
        '0' => Some("abstain"),
        'R' => Some("request_changes"),
        'X' => Some("reject"),
        _ => None,
    };
    let vote = |(name, letter): (&String, char)| Some(format!("{name}: vote A {}\n", word(letter)?));
    let script: String = names.iter().zip(votes.chars()).filter_map(vote).collect();
    let head = format!("{charter} cache {} rounds=1", names.join(" "));
    let wait = if votes.contains('-') { "wait 60s\n" } else { "" };
    let log = log(&at("VOTING", &head, &format!("{script}{wait}?")));
    let last = log.lines().last().unwrap();
    last.trim_start_matches("= ").split(',').next().unwrap().to_string()
}

#[test]
fn two_of_three_at_60_percent_are_approved() {
    assert_eq!(ends("ring-default", "AAX"), "COMMITTED: A");
}

#[test]
fn two_of_four_at_60_percent_are_not() {
    assert_eq!(ends("ring-default", "AAXX"), "ABORTED: no proposal was approved");
}

#[test]
fn three_of_five_are_exactly_60_percent_and_approved() {
    assert_eq!(ends("ring-default", "AAAXX"), "COMMITTED: A");
}

#[test]
fn one_approval_and_two_abstentions_under_votes_are_not_approved() {
    assert_eq!(ends("ring-default", "A00"), "ABORTED: no proposal was approved");
}

#[test]
fn approval_with_concerns_approves_and_a_request_for_changes_does_not() {
    assert_eq!(ends("ring-default", "CCX"), "COMMITTED: A");
    assert_eq!(ends("ring-default", "ARR"), "ABORTED: no proposal was approved");
}

#[test]
fn a_quorum_of_67_percent_of_4_is_3() {
    assert_eq!(ends("ring-default", "AA--"), "DEFERRED: too few seats voted");
    assert_eq!(ends("ring-default", "AA0-"), "COMMITTED: A");
}

#[test]
fn a_quorum_of_67_percent_of_2_is_2() {
    assert_eq!(ends("ring-default", "A-"), "DEFERRED: too few seats voted");
    assert_eq!(ends("ring-default", "AA"), "COMMITTED: A");
}

#[test]
fn abstentions_count_for_the_quorum() {
    assert_eq!(ends("ring-default", "00--"), "DEFERRED: too few seats voted");
    assert_eq!(ends("ring-default", "000-"), "ABORTED: no proposal was approved");
}

#[test]
fn quick_needs_half_and_half() {
    assert_eq!(ends("ring-quick", "AX"), "COMMITTED: A");
    assert_eq!(ends("ring-quick", "A-"), "COMMITTED: A");
    assert_eq!(ends("ring-quick", "AXX"), "ABORTED: no proposal was approved");
    assert_eq!(ends("ring-quick", "A--"), "DEFERRED: too few seats voted");
}

#[test]
fn strict_needs_four_of_five_voters_and_three_of_four_approvals() {
    assert_eq!(ends("ring-strict", "AAAX"), "COMMITTED: A");
    assert_eq!(ends("ring-strict", "AAX"), "ABORTED: no proposal was approved");
    assert_eq!(ends("ring-strict", "AAAA-"), "COMMITTED: A");
    assert_eq!(ends("ring-strict", "AAA--"), "DEFERRED: too few seats voted");
}

#[test]
fn critical_needs_everyone_to_vote_and_everyone_to_approve() {
    assert_eq!(ends("ring-critical", "AAC"), "COMMITTED: A");
    assert_eq!(ends("ring-critical", "AA0"), "ABORTED: no proposal was approved");
    assert_eq!(ends("ring-critical", "AA-"), "DEFERRED: too few seats voted");
}

#[test]
fn under_critical_a_second_vote_replaces_the_first_and_both_are_in_the_record() {
    check(
        &at(
            "VOTING",
            "ring-critical cache ann bob rounds=1",
            "ann: vote A reject
             ann: vote A approve
             bob: vote A approve
             ?",
        ),
        expect![[r#"
            > ann: vote A reject
            ann graded REJECT
            > ann: vote A approve
            ann graded APPROVE, was REJECT
            > bob: vote A approve
            bob graded APPROVE
            counted [2, 0, 0, 0, 0] Passed { option: None }
            ballot closed: yes 2 no 0 abstain 0 options [] unparsed 0 missing 0: Passed { option: Some(0) }, settles true
            settled Passed { option: Some(0) }
            = COMMITTED: A, Put a Redis before it.
        "#]],
    );
    let votes = "ann: vote A reject\nann: vote A approve\nbob: vote A approve";
    let world = played(&at("VOTING", "ring-critical cache ann bob rounds=1", votes));
    let session = Session::of(world.house.case(world.matter()).unwrap()).unwrap();
    let votes: Vec<(String, Grade, Option<Grade>)> = session
        .vote
        .unwrap()
        .votes
        .iter()
        .map(|vote| (vote.who.to_string(), vote.grade, vote.changed_from))
        .collect();
    assert_eq!(
        votes,
        [
            ("ann".into(), Grade::Reject, None),
            ("ann".into(), Grade::Approve, Some(Grade::Reject)),
            ("bob".into(), Grade::Approve, None),
        ]
    );
}

const TWO: &str = "ring-default cache ann bob cy rounds=1
     ann: join
     bob: join
     cy: join
     ann: propose One: first
     bob: propose Two: second
     cy: skip
     ann: say a
     bob: say b
     cy: say c
     ---";

#[test]
fn everyone_votes_on_every_proposal_and_the_best_approval_wins() {
    check(
        &format!(
            "{TWO}
             ann: vote A approve
             ann: vote B approve
             bob: vote A reject
             bob: vote B approve
             cy: vote B approve
             cy: vote A approve
             ?"
        ),
        expect![[r#"
            > ann: vote A approve
            ann graded APPROVE
            > ann: vote B approve
            ann graded APPROVE
            > bob: vote A reject
            bob graded REJECT
            > bob: vote B approve
            bob graded APPROVE
            > cy: vote B approve
            cy graded APPROVE
            > cy: vote A approve
            cy graded APPROVE
            counted [2, 0, 0, 0, 1] Passed { option: None }; [3, 0, 0, 0, 0] Passed { option: None }
            ballot closed: yes 3 no 0 abstain 0 options [] unparsed 0 missing 0: Passed { option: Some(1) }, settles true
            settled Passed { option: Some(1) }
            = COMMITTED: B, second
        "#]],
    );
}

#[test]
fn of_equally_approved_proposals_the_earlier_wins_and_the_tie_is_disclosed() {
    check(
        &format!(
            "{TWO}
             ann: vote B approve
             ann: vote A approve
             bob: vote A approve
             bob: vote B approve
             cy: vote A reject
             cy: vote B reject
             ?"
        ),
        expect![[r#"
            > ann: vote B approve
            ann graded APPROVE
            > ann: vote A approve
            ann graded APPROVE
            > bob: vote A approve
            bob graded APPROVE
            > bob: vote B approve
            bob graded APPROVE
            > cy: vote A reject
            cy graded REJECT
            > cy: vote B reject
            cy graded REJECT
            counted [2, 0, 0, 0, 1] Passed { option: None }; [2, 0, 0, 0, 1] Passed { option: None }, 2 tied
            ballot closed: yes 2 no 1 abstain 0 options [] unparsed 0 missing 0: Passed { option: Some(0) }, settles true
            settled Passed { option: Some(0) }
            = COMMITTED: A, first
        "#]],
    );
}

#[test]
fn a_vote_on_some_proposals_only_counts_for_those() {
    check(
        &format!(
            "{TWO}
             ann: vote B approve
             bob: vote B approve
             cy: vote B approve
             cy: vote A approve
             wait 60s
             ?"
        ),
        expect![[r#"
            > ann: vote B approve
            ann graded APPROVE
            > bob: vote B approve
            bob graded APPROVE
            > cy: vote B approve
            cy graded APPROVE
            > cy: vote A approve
            cy graded APPROVE
            > wait 60s
            lapsed: ring/vote-late (not all proposals were voted on in time)
            lapsed: ring/vote-late (not all proposals were voted on in time)
            counted [1, 0, 0, 0, 0] Undecided(Quorum); [3, 0, 0, 0, 0] Passed { option: None }
            ballot closed: yes 3 no 0 abstain 0 options [] unparsed 0 missing 0: Passed { option: Some(1) }, settles true
            settled Passed { option: Some(1) }
            = COMMITTED: B, second
        "#]],
    );
}

#[test]
fn the_vote_of_one_who_leaves_counts_and_one_who_left_is_missing() {
    check(
        &at(
            "VOTING",
            "ring-default cache ann bob cy dee rounds=1",
            "ann: vote A approve
             ann: leave
             bob: vote A approve
             cy: leave
             dee: vote A reject
             ?",
        ),
        expect![[r#"
            > ann: vote A approve
            ann graded APPROVE
            > ann: leave
            ann gone: ring/left
            > bob: vote A approve
            bob graded APPROVE
            > cy: leave
            cy gone: ring/left
            lapsed: ring/left (left of their own accord)
            > dee: vote A reject
            dee graded REJECT
            counted [2, 0, 0, 0, 1] Passed { option: None }
            ballot closed: yes 2 no 1 abstain 0 options [] unparsed 0 missing 1: Passed { option: Some(0) }, settles true
            settled Passed { option: Some(0) }
            = COMMITTED: A, Put a Redis before it.
        "#]],
    );
}

#[test]
fn who_voted_and_left_is_counted_among_those_present() {
    let votes = "ann: vote A approve\nann: leave\nbob: vote A approve\ncy: leave\ndee: vote A reject";
    let world = played(&at("VOTING", "ring-default cache ann bob cy dee rounds=1", votes));
    let case = world.house.case(world.matter()).unwrap();
    let (tally, _) = case.ballots[0].result.clone().unwrap();
    assert_eq!((tally.yes, tally.no, tally.missing, tally.present, tally.seats), (2, 1, 1, 3, 4));
    let row = Session::of(case).unwrap().vote.unwrap();
    assert_eq!(row.voted, [who("ann"), who("bob"), who("dee")]);
    assert_eq!(row.missing, [who("cy")]);
}

#[test]
fn nobody_sees_a_vote_before_the_ballot_is_closed() {
    let mut world = played(&at("VOTING", "ring-default cache ann bob rounds=1", "ann: vote A approve"));
    let vote = |world: &World| Session::of(world.house.case(world.matter()).unwrap()).unwrap().vote.unwrap();
    let open = vote(&world);
    assert!(open.votes.is_empty() && open.results.is_empty());
    assert_eq!((open.voted, open.missing), (vec![who("ann")], vec![who("bob")]));
    world.step("bob: vote A reject");
    let closed = vote(&world);
    assert_eq!(closed.votes.len(), 2);
    assert_eq!(closed.results[0].tally.yes, 1);
}

#[test]
fn secret_votes_are_sealed_shown_to_nobody_and_proved_by_their_salt() {
    let mut world = played(&at("VOTING", "ring-secret cache ann bob rounds=1", ""));
    let matter = world.matter();
    let proposal = world.house.case(matter).unwrap().ring().unwrap().1.table.proposals[0].id;
    let cast = |world: &mut World, name: &str, grade, salt: Option<&str>| {
        let part = Action::Vote {
            changes: vec![" a TTL ".into()],
            conditions: vec!["tests".into()],
            grade,
            proposal,
            rationale: Some(" fast \n".into()),
            salt: salt.map(str::to_string),
        };
        world
            .submit(
                Actor::Seat(who(name)),
                Command::Ring(ring::Command::Participate { matter, action: part }),
            )
            .clone()
    };
    let code = |act: &Act| match &act.outcome {
        Outcome::Refused { code, .. } => code.clone(),
        Outcome::Done(_) => "done".into(),
    };
    assert_eq!(code(&cast(&mut world, "ann", Grade::Approve, None)), "ballot/unsalted");
    assert_eq!(code(&cast(&mut world, "ann", Grade::Approve, Some("pepper"))), "ballot/unsalted");
    let salt = "0123456789abcdef";
    assert_eq!(code(&cast(&mut world, "ann", Grade::ApproveWithConcerns, Some(salt))), "done");
    assert_eq!(code(&cast(&mut world, "bob", Grade::Approve, Some("fedcba9876543210"))), "done");

    let case = world.house.case(matter).unwrap();
    let (ballot, vote) = (&case.ballots[0], &case.ballots[0].graded[0]);
    let choice = format!("{proposal} APPROVE_WITH_CONCERNS");
    let sealed = SealInput { ballot: ballot.id, choice: &choice, salt, who: &who("ann") };
    assert_eq!(vote.seal, Some(sealed.seal()));
    assert_eq!((vote.rationale.as_deref(), vote.changes[0].as_str()), (Some("fast"), "a TTL"));
    let proven = |said: &str, salt: &str| prove(case, &who("ann"), said, salt).map(|proof| proof.proven);
    assert_eq!(proven("A approve_with_concerns", salt), Some(true));
    assert_eq!(proven("APPROVE_WITH_CONCERNS", salt), Some(true), "there is one proposal");
    assert_eq!(proven("A approve", salt), Some(false));
    assert_eq!(proven("A approve_with_concerns", "fedcba9876543210"), Some(false));
    assert_eq!((proven("B approve", salt), proven("A maybe", salt)), (None, None));
    // Counts and seals show; who voted how shows nowhere.
    let shown = Session::of(case).unwrap().vote.unwrap();
    assert_eq!((shown.votes.len(), shown.seals.len(), shown.results[0].tally.yes), (0, 2, 2));
    for text in [
        serde_json::to_string(&Report::of(case)).unwrap(),
        serde_json::to_string(&receipt(case, None, Digest::of(b"")).unwrap()).unwrap(),
    ] {
        assert!(!text.contains("fast") && !text.contains(salt), "{text}");
        assert!(!text.contains("\"grade\":"), "{text}");
    }
}

#[test]
fn a_rejection_with_a_veto_blocks_what_the_others_carry() {
    let script =
        at("VOTING", "ring-veto cache ann bob cy rounds=1", "bob: vote A approve\ncy: vote A approve");
    let mut world = played(&script);
    world.step("ann: vote A reject");
    let case = world.house.case(world.matter()).unwrap();
    assert_eq!(case.status(), Status::Settled(Decision::Undecided(UndecidedReason::Vetoed)));
    assert_eq!(Session::of(case).unwrap().vote.unwrap().results[0].vetoed, [who("ann")]);
    // To ask for changes is no veto.
    let mut world = played(&script);
    world.step("ann: vote A request_changes");
    let case = world.house.case(world.matter()).unwrap();
    assert_eq!(case.status(), Status::Settled(Decision::Passed { option: Some(0) }));
}

#[test]
fn what_a_voter_adds_is_kept_as_it_was_measured_and_an_open_vote_is_not_sealed() {
    let mut world = played(&at("VOTING", "ring-default cache ann bob rounds=1", ""));
    let matter = world.matter();
    let proposal = world.house.case(matter).unwrap().ring().unwrap().1.table.proposals[0].id;
    let part = Action::Vote {
        changes: vec![" a TTL ".into()],
        conditions: vec!["tests\n".into()],
        grade: Grade::Approve,
        proposal,
        rationale: Some(format!(" fast {}", " ".repeat(5000))),
        salt: Some("pepper".into()),
    };
    world.submit(Actor::Seat(who("ann")), Command::Ring(ring::Command::Participate { matter, action: part }));
    let vote = &world.house.case(matter).unwrap().ballots[0].graded[0];
    assert_eq!((vote.rationale.as_deref(), vote.seal), (Some("fast"), None));
    assert_eq!((vote.changes[0].as_str(), vote.conditions[0].as_str()), ("a TTL", "tests"));
}

/// The ranking of proposals that got these votes, under a rule.
fn ranked(rule: &Rules, seats: u32, votes: &[&[Grade]]) -> (Decision, usize) {
    let id =
        |nth: usize| ProposalId(synod_core::kernel::Id { act: synod_core::kernel::Seq(9), nth: nth as u16 });
    let voters: Vec<_> = (1..=seats).map(|nth| who(&format!("p{nth}"))).collect();
    let count = |(nth, grades): (usize, &&[Grade])| {
        let votes: Vec<_> = voters.iter().zip(grades.iter().copied()).collect();
        GradeCount::of(id(nth), &votes, rule, seats, seats)
    };
    let standings: Vec<GradeCount> = votes.iter().enumerate().map(count).collect();
    let rank = rank(&standings, rule);
    (rank.decision, rank.tied.len())
}

#[test]
fn ties_follow_the_rule_of_the_charter() {
    use Grade::{Approve as A, Reject as X};
    let (charter, _) = Charter::parse(&source("ring-default")).unwrap();
    let tied: [&[Grade]; 3] = [&[X, X, X], &[A, A, X], &[A, A, X]];
    let by = |tie| ranked(&Rules { tie, ..charter.ballot.clone() }, 3, &tied);
    assert_eq!(by(Tie::Earlier), (Decision::Passed { option: Some(1) }, 2));
    assert_eq!(by(Tie::Fails), (Decision::Rejected, 2));
    assert_eq!(by(Tie::Undecided), (Decision::Undecided(UndecidedReason::Tie), 2));
    // Two that fall short alike are no tie for the first place.
    let short: [&[Grade]; 2] = [&[A, X, X], &[A, X, X]];
    assert_eq!(ranked(&charter.ballot, 3, &short), (Decision::Rejected, 0));
}

#[test]
fn the_basis_is_the_charters() {
    use Grade::{Abstain as O, Approve as A, Reject as X};
    let (charter, _) = Charter::parse(&source("ring-default")).unwrap();
    let by = |basis, votes: &[Grade]| ranked(&Rules { basis, ..charter.ballot.clone() }, 4, &[votes]).0;
    let passed = Decision::Passed { option: Some(0) };
    assert_eq!(by(Basis::Cast, &[A, O, O]), passed);
    assert_eq!(by(Basis::Votes, &[A, O, O]), Decision::Rejected);
    assert_eq!(by(Basis::Votes, &[A, A, X]), passed);
    assert_eq!(by(Basis::Seats, &[A, A, X]), Decision::Rejected);
    assert_eq!(by(Basis::Seats, &[A, A, A]), passed);
}

#[test]
fn no_proposals_are_no_decision_and_no_votes_no_quorum() {
    let (charter, _) = Charter::parse(&source("ring-default")).unwrap();
    assert_eq!(ranked(&charter.ballot, 3, &[]).0, Decision::Undecided(UndecidedReason::Quorum));
    assert_eq!(ranked(&charter.ballot, 3, &[&[]]).0, Decision::Undecided(UndecidedReason::Quorum));
}
