//! The comparison of rules on answers that are counted by hand. `scripts/check-rules` compares it with a second implementation.

use synod_lab::import::ballots;
use synod_lab::rules::{ComparisonPlan, Contestant, RuleRow, SetReport, compare};

/// Answers of agents to items whose truth is `A`, a letter for each agent; `-` for none that could be used.
fn report(items: &[&str]) -> SetReport {
    let mut text = String::from("item,gold,agent,answer\n");
    for (item, answers) in items.iter().enumerate() {
        for (agent, answer) in answers.chars().enumerate() {
            let answer = if answer == '-' { String::new() } else { answer.to_string() };
            text.push_str(&format!("i{item},A,a{agent},{answer}\n"));
        }
    }
    let book = ballots(&text).expect("it can be read");
    compare(&book.sets[0], ComparisonPlan { draws: 0, ..ComparisonPlan::default() }).expect("truth is known")
}

fn row(report: &SetReport, rule: Contestant) -> &RuleRow {
    report.rules.iter().find(|row| row.rule == rule).expect("the rule")
}

#[test]
fn a_tie_shares_the_first_place_where_that_is_enough_and_is_no_answer_where_it_is_not() {
    let found = report(&["AABB", "AAAB", "AAA-", "ABBB"]);
    let plain = row(&found, Contestant::Plurality);
    assert_eq!((plain.right.mean, plain.undecided), (2.5 / 4.0, 0.0));
    let two_thirds = row(&found, Contestant::Supermajority);
    assert_eq!((two_thirds.right.mean, two_thirds.undecided), (2.0 / 4.0, 1.0 / 4.0));
}

#[test]
fn of_two_who_disagree_nobody_is_believed_more_without_the_truth() {
    let rules = |items: &[&str]| report(items).rules.iter().map(|row| row.rule).collect::<Vec<_>>();
    assert!(!rules(&["AB", "BA", "AA", "AB", "AA"]).contains(&Contestant::DawidSkene));
    assert!(rules(&["ABA", "BAA", "AAB", "ABA", "AAA"]).contains(&Contestant::DawidSkene));
}

#[test]
fn who_is_always_right_is_right_on_exactly_all_items() {
    let found = report(&["AAAAAAA"; 3]);
    for row in &found.rules {
        assert_eq!((row.right.mean, row.right.high), (1.0, 1.0), "{}", row.name);
    }
}
