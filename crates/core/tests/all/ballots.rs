//! Counting, by the numbers that must hold.

use synod_core::ballot::{Basis, Method, Rules, Secrecy, Tally, Tie, Weights, pass_table};
use synod_core::kernel::{Choice, Decision, UndecidedReason};

pub(crate) fn rule(pass: &str, basis: Basis) -> Rules {
    let quorum = "0".parse().unwrap();
    Rules {
        pass: pass.parse().unwrap(),
        basis,
        quorum,
        record: None,
        tie: Tie::Fails,
        unparsed_retries: 1,
        early: None,
        change_needs_argument: false,
        change: false,
        delegation: false,
        method: Method::Plurality,
        secrecy: Secrecy::Open,
        veto: Vec::new(),
        weights: Weights::Equal,
    }
}

fn tally(yes: u32, no: u32, neutral: u32) -> Tally {
    let seats = yes + no + neutral;
    Tally { yes, no, neutral, seats, present: seats, ..Tally::default() }
}

fn options(votes: &[u32]) -> Tally {
    let seats = votes.iter().sum();
    Tally { options: votes.to_vec(), seats, present: seats, ..Tally::default() }
}

const PASSED: Decision = Decision::Passed { option: None };

#[test]
fn exact_thresholds_on_every_basis() {
    let rows = [
        ((48, 24, 0), ">= 2/3", Basis::Cast, PASSED),
        ((47, 25, 0), ">= 2/3", Basis::Cast, Decision::Rejected),
        ((47, 23, 2), ">= 2/3", Basis::Cast, PASSED),
        ((48, 24, 0), ">= 0.67", Basis::Cast, Decision::Rejected),
        ((36, 36, 0), "> 1/2", Basis::Cast, Decision::Rejected),
        ((0, 0, 72), "> 1/2", Basis::Cast, Decision::Rejected),
        ((2, 1, 0), ">= 60%", Basis::Votes, PASSED),
        ((2, 2, 0), ">= 60%", Basis::Votes, Decision::Rejected),
        ((3, 2, 0), ">= 60%", Basis::Votes, PASSED),
        ((1, 0, 2), ">= 60%", Basis::Votes, Decision::Rejected),
        ((43, 27, 2), ">= 3/5", Basis::Cast, PASSED),
        ((43, 27, 2), ">= 3/5", Basis::Seats, Decision::Rejected),
    ];
    for ((yes, no, neutral), pass, basis, expected) in rows {
        assert_eq!(
            tally(yes, no, neutral).decision(&rule(pass, basis)),
            expected,
            "{yes}/{no}/{neutral} under {pass} of {basis}"
        );
    }
}

#[test]
fn quorum_is_a_ceiling_and_abstentions_count_for_it() {
    let mut rule = rule("> 1/2", Basis::Cast);
    rule.quorum = "67%".parse().unwrap();
    let four = |voted| Tally { yes: voted, seats: 4, present: voted, missing: 4 - voted, ..Tally::default() };
    assert_eq!(four(2).decision(&rule), Decision::Undecided(UndecidedReason::Quorum));
    assert_eq!(four(3).decision(&rule), PASSED);
    let of_two = Tally { yes: 1, neutral: 1, seats: 2, present: 2, ..Tally::default() };
    assert_eq!(of_two.decision(&rule), PASSED);
}

#[test]
fn ties_follow_the_charter() {
    let with = |tie| Rules { tie, ..rule("> 1/2", Basis::Cast) };
    assert_eq!(tally(2, 2, 0).decision(&with(Tie::Undecided)), Decision::Undecided(UndecidedReason::Tie));
    assert_eq!(tally(2, 2, 0).decision(&with(Tie::Fails)), Decision::Rejected);
    let low = |tie| Rules { tie, ..rule(">= 1/3", Basis::Cast) };
    assert_eq!(options(&[1, 2, 2]).decision(&low(Tie::Earlier)), Decision::Passed { option: Some(1) });
    assert_eq!(options(&[1, 2, 2]).decision(&low(Tie::Undecided)), Decision::Undecided(UndecidedReason::Tie));
    assert_eq!(options(&[1, 2, 2]).decision(&low(Tie::Fails)), Decision::Rejected);
}

#[test]
fn the_margin_is_the_fewest_ballots_by_brute_force() {
    let outcome = |tally: &Tally, rule: &Rules| tally.decision(rule);
    for pass in ["> 1/2", ">= 3/5", ">= 2/3", ">= 1"] {
        for basis in Basis::ALL {
            for tie in [Tie::Fails, Tie::Undecided] {
                let rule = Rules { tie, ..rule(pass, basis) };
                for (yes, no, neutral) in triples(7) {
                    let count = tally(yes, no, neutral);
                    let mut best = None;
                    for (y, n, z) in triples(7).filter(|(y, n, z)| y + n + z == yes + no + neutral) {
                        let moved = y.saturating_sub(yes) + n.saturating_sub(no) + z.saturating_sub(neutral);
                        if outcome(&tally(y, n, z), &rule) != outcome(&count, &rule) {
                            best = Some(best.map_or(moved, |best: u32| best.min(moved)));
                        }
                    }
                    assert_eq!(
                        count.margin(&rule),
                        best,
                        "{yes}/{no}/{neutral} under {pass} of {basis} {tie:?}"
                    );
                }
            }
        }
    }
}

fn triples(most: u32) -> impl Iterator<Item = (u32, u32, u32)> {
    (0..=most).flat_map(move |a| (0..=most - a).flat_map(move |b| (0..=most - a - b).map(move |c| (a, b, c))))
}

#[test]
fn the_margin_of_options_is_the_fewest_ballots_by_brute_force() {
    for pass in ["> 1/2", ">= 2/5"] {
        for tie in [Tie::Fails, Tie::Undecided, Tie::Earlier] {
            let rule = Rules { tie, ..rule(pass, Basis::Cast) };
            for start in splits(5) {
                let count = options_of(&start);
                let mut best = None;
                for other in splits(5).filter(|other| other.iter().sum::<u32>() == start.iter().sum::<u32>())
                {
                    let moved: u32 =
                        other.iter().zip(&start).map(|(new, old)| new.saturating_sub(*old)).sum();
                    let count_other = options_of(&other);
                    if !count_other.decision(&rule).comes_to(count.decision(&rule)) {
                        best = Some(best.map_or(moved, |best: u32| best.min(moved)));
                    }
                }
                assert_eq!(count.margin(&rule), best, "{start:?} under {pass} {tie:?}");
            }
        }
    }
}

/// Votes for three options, for none of them, and abstentions.
fn options_of(votes: &[u32; 5]) -> Tally {
    let seats = votes.iter().sum();
    Tally {
        options: votes[..3].to_vec(),
        no: votes[3],
        neutral: votes[4],
        seats,
        present: seats,
        ..Tally::default()
    }
}

fn splits(most: u32) -> impl Iterator<Item = [u32; 5]> {
    let rest = move |(a, b, c)| {
        let left = most - a - b - c;
        (0..=left).flat_map(move |d| (0..=left - d).map(move |e| [a, b, c, d, e]))
    };
    triples(most).flat_map(rest)
}

#[test]
fn every_basis_shows_what_it_would_pass() {
    let table = pass_table(&Tally { missing: 1, seats: 6, ..tally(3, 1, 1) });
    let shown: Vec<String> = table
        .iter()
        .map(|line| {
            format!(
                "{} {}/{}: {}",
                line.basis,
                line.part,
                line.whole,
                line.passes.iter().map(ToString::to_string).collect::<Vec<_>>().join(" ")
            )
        })
        .collect();
    assert_eq!(
        shown,
        [
            "cast 3/4: > 1/2 >= 3/5 >= 2/3 >= 3/4",
            "votes 3/5: > 1/2 >= 3/5",
            "present 3/5: > 1/2 >= 3/5",
            "seats 3/6: "
        ]
    );
    assert_eq!(pass_table(&tally(0, 0, 3))[0].passes, []);
}

#[test]
fn unread_votes_contest_only_what_they_could_change() {
    let rule = rule("> 1/2", Basis::Cast);
    let with = |yes, no, unparsed| Tally { unparsed, ..tally(yes, no, 0) };
    assert_eq!(with(2, 1, 1).decision(&rule), Decision::Contested);
    assert_eq!(with(3, 1, 1).decision(&rule), PASSED);
    assert_eq!(with(0, 3, 2).decision(&rule), Decision::Rejected);
    // Split among several choices they could make a tie that no single choice makes.
    let ties = Rules { pass: ">= 2/3".parse().unwrap(), tie: Tie::Undecided, ..rule };
    assert_eq!(with(2, 4, 4).decision(&ties), Decision::Contested);
    assert_eq!(with(2, 1, 1).votes_for(Choice::Yes), 2);
}
