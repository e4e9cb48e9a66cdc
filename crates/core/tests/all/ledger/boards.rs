//! Leaderboards.

use synod_core::kernel::CitationTrigger::SupportProposal;
use synod_core::kernel::{AuthorClass, Who};
use synod_core::ledger::CitationOutcome::PreventedError;
use synod_core::ledger::CitationProof::{False, Precise, Verified};
use synod_core::ledger::{
    CreditReason, GoalDraft, GoalMetric, Highlight, LeaderboardScope, LedgerCaller, ReliabilityTier,
    TeamReason,
};

use super::{Book, NOTHING, cited, id, who};

fn team() -> Vec<Who> {
    ["ann", "bob", "cy", "dee"].map(who).to_vec()
}

/// Ann cites well, Bob badly at first and better in the chapter, Cy does nothing, Dee is helpful.
fn book() -> Book {
    let mut book = Book::default();
    for number in 0..4 {
        book.say("ann", number, SupportProposal, &[cited(&format!("a{number}"), Precise)]);
        book.say(
            "bob",
            number,
            SupportProposal,
            &[cited(&format!("a{number}"), if number < 3 { False } else { Verified })],
        );
    }
    book.periods = vec![id(900)];
    for number in 10..13 {
        book.say("ann", number, SupportProposal, &[cited(&format!("a{number}"), Precise)]);
        book.say("bob", number, SupportProposal, &[cited(&format!("a{number}"), Verified)]);
    }
    book.upgrade(10, PreventedError);
    book.give(AuthorClass::User, "x", "dee", "proposal-accepted-by-user", None).unwrap();
    book.give(AuthorClass::User, "x", "dee", "user-marked-helpful", None).unwrap();
    let award = book.ledger.team_award(
        &book.rules,
        TeamReason::SuccessfulDaChallenge,
        Some(id(900)),
        &team(),
        (None, None),
    );
    book.put(award);
    book
}

#[test]
fn agents_stand_by_what_they_earned() {
    let book = book();
    let board = book.ledger.leaderboard(&book.rules, LeaderboardScope::Period(id(900)), &team(), NOTHING);
    let lines: Vec<(u32, &str, i64)> =
        board.entries.iter().map(|entry| (entry.rank, entry.who.as_str(), entry.credits)).collect();
    // Ann: 1 + 1 + 1 and 2 by the upgrade; Bob: 1 + 1 + 1 and 1; Dee: 3 + 2.
    assert_eq!(lines, [(1, "ann", 5), (1, "dee", 5), (3, "bob", 4), (4, "cy", 0)]);
    assert_eq!((board.team_credits, board.total), (3, 17));
    assert_eq!(board.top_achievement, Some(TeamReason::SuccessfulDaChallenge));
    assert_eq!(board.most_valuable, Some(who("ann")));
    assert_eq!(board.most_improved, Some(who("bob")));
    let highlights: Vec<Option<String>> =
        board.entries.iter().map(|entry| entry.highlight.map(|best| best.words())).collect();
    let expected =
        [Some("3 verified citations"), Some("1 accepted proposal"), Some("3 verified citations"), None];
    assert_eq!(highlights, expected.map(|words| words.map(str::to_string)));
    let ann = &board.entries[0];
    assert_eq!((ann.streak, ann.tier), (7, ReliabilityTier::Gold));
}

#[test]
fn the_board_of_all_times_counts_everything() {
    let book = book();
    let board = book.ledger.leaderboard(&book.rules, LeaderboardScope::Lifetime, &team(), NOTHING);
    let lines: Vec<(&str, i64)> =
        board.entries.iter().map(|entry| (entry.who.as_str(), entry.credits)).collect();
    assert_eq!(lines, [("ann", 9), ("dee", 5), ("cy", 0), ("bob", -1)]);
    assert_eq!(board.most_improved, None, "there is nothing before");
    assert_eq!(board.entries[3].highlight, None, "what cost more than it earned is no highlight");
}

#[test]
fn a_board_of_nobody_and_of_a_period_that_never_was_is_empty() {
    let book = book();
    let board = book.ledger.leaderboard(&book.rules, LeaderboardScope::Lifetime, &[], NOTHING);
    assert!(board.entries.is_empty() && board.most_valuable.is_none() && board.most_improved.is_none());
    let board = book.ledger.leaderboard(&book.rules, LeaderboardScope::Period(id(4711)), &team(), NOTHING);
    assert!(board.entries.iter().all(|entry| (entry.rank, entry.credits) == (1, 0)));
    assert_eq!((board.most_valuable, board.total), (None, 0));
}

#[test]
fn somebody_named_twice_stands_there_once() {
    let book = book();
    let twice = [team(), team()].concat();
    let board = book.ledger.leaderboard(&book.rules, LeaderboardScope::Lifetime, &twice, NOTHING);
    assert_eq!(board.entries.len(), 4);
}

#[test]
fn goals_of_the_period_stand_below() {
    let mut book = book();
    for period in [Some(id(900)), None] {
        let metric = GoalMetric::VerifiedCitations;
        let draft = GoalDraft { agent: None, metric, period, sentence: "More.", target: 20, until: None };
        let event = book.ledger.set_goal(&LedgerCaller::USER, &draft, NOTHING).unwrap();
        book.put([event]);
    }
    let goals = |scope| book.ledger.leaderboard(&book.rules, scope, &team(), NOTHING).goals;
    let of_period = goals(LeaderboardScope::Period(id(900)));
    assert_eq!(
        of_period.iter().map(|(_, goal)| (goal.current, goal.enough)).collect::<Vec<_>>(),
        [(6, false)]
    );
    assert_eq!(goals(LeaderboardScope::Lifetime).len(), 2);
}

#[test]
fn highlights_are_worded_for_one_and_many() {
    for reason in CreditReason::all() {
        let words = |count| Highlight { count, reason }.words();
        assert!(words(1).starts_with("1 ") && words(2).starts_with("2 "), "{reason:?}");
        assert_ne!(words(1)[2..], words(2)[2..], "{reason:?}");
    }
}
