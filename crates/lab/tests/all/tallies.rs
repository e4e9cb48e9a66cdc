//! Counts beside counts that share no code with them.

use synod_core::kernel::Decision;
use synod_lab::import::ballots;
use synod_lab::tally::{by_hand, diagnose, item, majority, rule};

/// Ballots over `A`, `B`, `C`, as a file.
fn file(votes: &[&str]) -> String {
    let lines = votes.iter().enumerate().map(|(at, vote)| format!("1,v{at},{vote}\n"));
    format!("item,agent,answer\n{}", lines.collect::<String>())
}

fn answer(votes: &[&str], written: &str) -> Option<String> {
    let book = ballots(&file(votes)).expect("good");
    item(&book.sets[0].items[0], 0, &rule(written, &majority()).expect("a rule"), None).answer
}

#[test]
fn the_elections_of_the_guide_come_out_as_it_says() {
    let mut votes = vec!["A > B > C"; 3];
    votes.extend(["B > C > A"; 2]);
    assert_eq!(answer(&votes, "borda").as_deref(), Some("B"));
    assert_eq!(answer(&votes, "schulze").as_deref(), Some("A"));
    let mut votes = vec!["A > B > C"; 8];
    votes.extend(["C > B > A"; 7]);
    votes.extend(["B > A > C"; 5]);
    assert_eq!(answer(&votes, "schulze").as_deref(), Some("B"));
    assert_eq!(answer(&votes, "instant-runoff").as_deref(), Some("A"));
}

/// Who would win if every pair were voted on alone: Condorcet's winner, by counting.
fn beats_all(votes: &[Vec<char>], options: &[char]) -> Option<char> {
    let over = |a: char, b: char| {
        votes
            .iter()
            .filter(|vote| vote.iter().position(|c| *c == a) < vote.iter().position(|c| *c == b))
            .count()
    };
    options
        .iter()
        .copied()
        .find(|one| options.iter().all(|other| one == other || over(*one, *other) > over(*other, *one)))
}

#[test]
fn random_ballots_agree_with_brute_force() {
    let mut dice = fastrand::Rng::with_seed(5);
    let options = ['A', 'B', 'C'];
    let (mut condorcet, mut borda) = (0, 0);
    for _ in 0..120 {
        let votes: Vec<Vec<char>> = (0..dice.usize(3..8))
            .map(|_| {
                let mut order = options;
                dice.shuffle(&mut order);
                order.to_vec()
            })
            .collect();
        let written: Vec<String> = votes
            .iter()
            .map(|vote| vote.iter().map(char::to_string).collect::<Vec<_>>().join(" > "))
            .collect();
        let written: Vec<&str> = written.iter().map(String::as_str).collect();
        if let Some(winner) = beats_all(&votes, &options) {
            condorcet += 1;
            assert_eq!(answer(&written, "schulze"), Some(winner.to_string()), "{written:?}");
        }
        let points = |one: char| {
            votes
                .iter()
                .map(|vote| 2 - vote.iter().position(|c| *c == one).expect("all are ranked"))
                .sum::<usize>()
        };
        let most = options.map(points).into_iter().max().expect("there are options");
        let first: Vec<char> = options.into_iter().filter(|one| points(*one) == most).collect();
        if let [winner] = first.as_slice() {
            borda += 1;
            assert_eq!(answer(&written, "borda"), Some(winner.to_string()), "{written:?}");
        }
    }
    assert!(condorcet > 50 && borda > 50, "{condorcet} and {borda} elections had one winner");
}

#[test]
fn counts_by_hand_pass_and_flip_where_arithmetic_says() {
    // 43 of 70 is 61.4 % of the votes cast and 59.7 % of 72 seats.
    let poll = by_hand("43/27/2", None).expect("a count");
    let found = diagnose(&poll, &rule(">= 2/3", &majority()).expect("a rule"));
    assert_eq!(found.decision, Decision::Rejected);
    let meets = |basis: &str, threshold: &str| {
        let point = found
            .flips
            .iter()
            .find(|it| it.basis.to_string() == basis && it.threshold.to_string() == threshold);
        point.map(|it| (it.met, it.needed)).expect("a cell of the table")
    };
    assert_eq!(meets("cast", ">= 3/5"), (true, Some(42)));
    assert_eq!(meets("seats", ">= 3/5"), (false, Some(44)));
    assert_eq!(meets("cast", ">= 2/3"), (false, Some(47)));
    // Four votes from against to for make 47 of 70.
    assert_eq!((found.margin, found.margin_bound), (Some(4), false));
    let decide = |count: &str, written: &str| {
        let rule = rule(written, &majority()).expect("a rule");
        diagnose(&by_hand(count, None).expect("a count"), &rule).decision
    };
    let passed = Decision::Passed { option: None };
    assert_eq!(decide("48/24/0", ">= 2/3"), passed);
    assert_eq!(decide("47/25/0", ">= 2/3"), Decision::Rejected);
    assert_eq!(decide("47/23/2", ">= 2/3"), passed);
    assert_eq!(decide("48/24", ">= 0.67"), Decision::Rejected);
}

#[test]
fn unreadable_votes_are_shown_at_both_ends() {
    let poll = by_hand("5/4/0/2", None).expect("a count");
    let found = diagnose(&poll, &majority());
    assert_eq!(found.decision, Decision::Contested);
    assert_eq!(found.without_unparsed, Decision::Passed { option: None });
    let ends = found.unparsed.expect("two could not be read");
    assert_eq!((ends.all_for, ends.all_against), (Decision::Passed { option: None }, Decision::Rejected));
}

#[test]
fn rules_that_cannot_be_read_say_what_to_write() {
    for (written, says) in [
        ("shulze", "is not a rule"),
        ("basis=all", "cast, votes, present, seats"),
        ("pass=> 3/2", "not a"),
        ("weights=x", "none, confidence, reliability"),
    ] {
        let wrong = rule(written, &majority()).expect_err("no rule");
        assert!(wrong.contains(says), "{written}: {wrong}");
    }
    // A share without a sign is to be reached, as in a charter.
    for share in ["2/3", "0.6", "60%"] {
        let written = rule(share, &majority()).expect("a rule");
        assert_eq!(written, rule(&format!(">= {share}"), &majority()).expect("a rule"), "{share}");
    }
    assert!(by_hand("a/b", None).is_err() && by_hand("9/9/9", Some(3)).is_err());
}
