//! What the team earns together, and goals.

use synod_core::kernel::CitationTrigger::SupportProposal;
use synod_core::kernel::{At, AuthorClass, Id, Who, Words};
use synod_core::ledger::CitationProof::{False, Verified};
use synod_core::ledger::{
    Event, GOALS_MOST, GoalDraft, GoalMetric, IssueFact, LedgerCaller, PeriodEnd, PeriodSpan, Refusal,
    TeamReason,
};

use super::{Book, NOTHING, cited, id, who};

fn roster(names: &[&str]) -> Vec<Who> {
    names.iter().map(|name| who(name)).collect()
}

fn end(book: &mut Book, span: PeriodSpan, period: Id, frozen: u32, names: &[&str]) -> Vec<TeamReason> {
    let roster = roster(names);
    let events = book.ledger.period_end(&book.rules, &PeriodEnd { frozen, period, roster: &roster, span });
    book.put(events.clone());
    let reasons = events.into_iter().map(|event| match event {
        Event::TeamPosted(posting) => posting.reason,
        other => panic!("{other:?}"),
    });
    reasons.collect()
}

#[test]
fn amounts_of_the_team_are_those_of_the_rules() {
    let team = Book::default().rules.team;
    let amounts = TeamReason::WORDS.map(|(_, reason)| team.amount(reason));
    assert_eq!(amounts, [2, 10, 10, 5, 5, 3]);
    for (word, reason) in TeamReason::WORDS {
        assert_eq!((reason.word(), serde_json::to_value(reason).unwrap()), (word, word.into()));
    }
}

#[test]
fn a_team_of_nobody_gets_nothing() {
    let mut book = Book::default();
    for (_, reason) in TeamReason::WORDS {
        assert_eq!(book.ledger.team_award(&book.rules, reason, Some(id(1)), &[], (None, None)), None);
    }
    assert_eq!(end(&mut book, PeriodSpan::Chapter, id(1), 0, &[]), []);
    assert!(!book.ledger.all_gold(&book.rules, &[]));
}

#[test]
fn each_reason_counts_once_in_a_period() {
    let mut book = Book::default();
    let (team, ann) = (roster(&["ann"]), who("ann"));
    let reason = TeamReason::TeamCanonIntegrity;
    for period in [Some(id(1)), Some(id(1)), Some(id(2)), None, None] {
        let event = book.ledger.team_award(&book.rules, reason, period, &team, (Some(&ann), None));
        book.put(event);
    }
    assert_eq!(book.ledger.team_credits(None), 6);
    assert_eq!(book.ledger.team_credits(Some(id(1))), 2);
    assert_eq!(book.balance("ann"), 0, "what the team has is nobody's own");
}

#[test]
fn a_session_without_penalties_needs_ten_actions() {
    for (actions, penalties, expected) in [(9, 0, false), (10, 0, true), (10, 1, false), (30, 0, true)] {
        let mut book = Book { periods: vec![id(77)], ..Book::default() };
        (0..actions).for_each(|_| book.act("ann", "m", false));
        (0..penalties).for_each(|_| book.act("bob", "m", true));
        let found = end(&mut book, PeriodSpan::Session, id(77), 3, &["ann"]);
        assert_eq!(found == [TeamReason::ZeroPenaltiesSession], expected, "{actions} {penalties}");
        assert_eq!(end(&mut book, PeriodSpan::Session, id(77), 3, &["ann"]), [], "once");
        assert_eq!(end(&mut book, PeriodSpan::Chapter, id(78), 1, &["ann"]), []);
    }
}

#[test]
fn a_chapter_is_clean_with_nothing_frozen() {
    let mut book = Book { periods: vec![id(5)], ..Book::default() };
    assert_eq!(end(&mut book, PeriodSpan::Chapter, id(5), 0, &["ann"]), [], "nothing was done in it");
    (0..10).for_each(|_| book.act("ann", "m", false));
    assert_eq!(end(&mut book, PeriodSpan::Chapter, id(5), 1, &["ann"]), []);
    let clean = [TeamReason::CleanChapterCompletion];
    assert_eq!(end(&mut book, PeriodSpan::Chapter, id(5), 0, &["ann"]), clean);
    assert_eq!(book.ledger.team_credits(Some(id(5))), 10);
}

#[test]
fn all_agents_are_gold_with_the_model_they_have_now() {
    let mut book = Book::default();
    for name in ["ann", "bob"] {
        book.say(name, 1, SupportProposal, &[cited("a", Verified)]);
    }
    assert_eq!(end(&mut book, PeriodSpan::Act, id(5), 1, &["ann", "bob"]), [TeamReason::AllAgentsGoldTier]);
    assert_eq!(end(&mut book, PeriodSpan::Act, id(6), 1, &["ann", "bob", "cy"]), [], "cy did nothing yet");
    book.act("bob", "other", false);
    assert_eq!(end(&mut book, PeriodSpan::Act, id(6), 1, &["ann", "bob"]), []);
}

#[test]
fn periods_are_known_by_the_first_word_of_their_name() {
    let known =
        ["Session", "session 3", "CHAPTER-2", "Chapter2", "act II", "action", "sprint 1", "", "3 acts"];
    let spans = known.map(PeriodSpan::of_name);
    use PeriodSpan::{Act, Chapter, Other, Session};
    assert_eq!(spans, [Session, Session, Chapter, Chapter, Act, Other, Other, Other, Other]);
}

fn draft(metric: GoalMetric, target: u32) -> GoalDraft<'static> {
    GoalDraft { agent: None, metric, period: None, sentence: "Let us see.", target, until: None }
}

fn set(book: &mut Book, draft: &GoalDraft<'_>) -> Id {
    let event = book.ledger.set_goal(&LedgerCaller::USER, draft, NOTHING).unwrap();
    let id = id(book.log.len() as u64);
    book.put([event]);
    id
}

/// Ends what is due; whether the goal was reached, if it is over.
fn due(book: &mut Book, goal: Id, closing: Option<Id>) -> Option<bool> {
    let team = roster(&["ann", "bob"]);
    let events = book.ledger.goals_due(&book.rules, book.now(), closing, (closing, &team), NOTHING);
    book.put(events);
    let goal = book.ledger.goal(goal).unwrap();
    goal.ended.map(|_| goal.reached)
}

#[test]
fn a_goal_counts_from_when_it_was_set() {
    let mut book = Book::default();
    book.say("ann", 1, SupportProposal, &[cited("a", Verified)]);
    let goal = set(&mut book, &draft(GoalMetric::VerifiedCitations, 2));
    assert_eq!(due(&mut book, goal, None), None);
    book.say("ann", 2, SupportProposal, &[cited("b", Verified)]);
    assert_eq!(book.ledger.progress(book.ledger.goal(goal).unwrap(), NOTHING).current, 1);
    book.say("bob", 2, SupportProposal, &[cited("a", Verified)]);
    assert_eq!(due(&mut book, goal, None), Some(true));
    assert_eq!(book.ledger.team_credits(None), 5);
    let before = book.log.len();
    assert_eq!(due(&mut book, goal, None), Some(true));
    assert_eq!(book.log.len(), before, "it ends once");
}

#[test]
fn a_goal_of_a_period_counts_what_happened_in_it() {
    let mut book = Book { periods: vec![id(900)], ..Book::default() };
    book.say("ann", 1, SupportProposal, &[cited("a", Verified)]);
    let wanted = GoalDraft { period: Some(id(900)), ..draft(GoalMetric::TotalCredits, 2) };
    let goal = set(&mut book, &wanted);
    assert_eq!(book.ledger.progress(book.ledger.goal(goal).unwrap(), NOTHING).current, 1);
    book.periods.clear();
    book.say("ann", 2, SupportProposal, &[cited("b", Verified)]);
    assert_eq!(due(&mut book, goal, None), None, "that was after");
    assert_eq!(due(&mut book, goal, Some(id(900))), Some(false));
}

#[test]
fn goals_of_one_agent_give_the_team_nothing() {
    let mut book = Book::default();
    let bob = who("bob");
    let goal = set(&mut book, &GoalDraft { agent: Some(&bob), ..draft(GoalMetric::IssuesResolved, 1) });
    book.issue(IssueFact::Resolved, 1, "ann");
    assert_eq!(due(&mut book, goal, None), None, "that was ann");
    book.issue(IssueFact::Resolved, 2, "bob");
    assert_eq!(due(&mut book, goal, None), Some(true));
    assert_eq!(book.ledger.team_credits(None), 0);
}

#[test]
fn no_penalties_is_known_at_the_end_only() {
    for (stopped, reached) in [(false, true), (true, false)] {
        let mut book = Book { periods: vec![id(900)], ..Book::default() };
        let wanted = GoalDraft { period: Some(id(900)), ..draft(GoalMetric::ZeroPenalties, 1) };
        let goal = set(&mut book, &wanted);
        book.act("ann", "m", stopped);
        assert_eq!(due(&mut book, goal, None), None);
        assert_eq!(due(&mut book, goal, Some(id(900))), Some(reached));
    }
}

#[test]
fn a_goal_with_a_deadline_is_missed_at_it() {
    let mut book = Book::default();
    let until = Some(At(3_000));
    let goal = set(&mut book, &GoalDraft { until, ..draft(GoalMetric::IssuesAppliedInWork, 1) });
    assert_eq!(book.ledger.next_goal_deadline(), until);
    assert_eq!(due(&mut book, goal, None), None);
    book.act("ann", "m", false);
    assert_eq!(book.now(), At(3_000));
    assert_eq!(due(&mut book, goal, None), Some(false), "the end is included");
    assert_eq!(book.ledger.next_goal_deadline(), None);
}

#[test]
fn consultations_of_a_devils_advocate_count() {
    let mut book = Book::default();
    let goal = set(&mut book, &draft(GoalMetric::DevilsAdvocateConsultations, 1));
    book.give(AuthorClass::System, "x", "ann", "consulted-devils-advocate", None).unwrap();
    assert_eq!(due(&mut book, goal, None), Some(true));
}

#[test]
fn two_goals_reached_together_are_one_credit_of_the_period() {
    let mut book = Book::default();
    let first = set(&mut book, &draft(GoalMetric::VerifiedCitations, 1));
    let second = set(&mut book, &draft(GoalMetric::TotalCredits, 1));
    book.say("ann", 1, SupportProposal, &[cited("a", Verified)]);
    assert_eq!(due(&mut book, first, None), Some(true));
    assert_eq!(due(&mut book, second, None), Some(true));
    assert_eq!(book.ledger.team_credits(None), 5);
}

#[test]
fn goals_that_cannot_be_are_refused() {
    let mut book = Book::default();
    let user = LedgerCaller::USER;
    let ann = who("ann");
    for class in [AuthorClass::Agent, AuthorClass::System] {
        let caller = LedgerCaller { class, names: &[], who: Some(&ann) };
        let found = book.ledger.set_goal(&caller, &draft(GoalMetric::TotalCredits, 1), NOTHING);
        assert_eq!(found, Err(Refusal::GoalNotAllowed));
        assert_eq!(book.ledger.drop_goal(&caller, id(0)), Err(Refusal::GoalNotAllowed));
    }
    let long = "x".repeat(301);
    let wrong = [
        draft(GoalMetric::TotalCredits, 0),
        draft(GoalMetric::ZeroPenalties, 1),
        GoalDraft { sentence: " \n ", ..draft(GoalMetric::TotalCredits, 1) },
        GoalDraft { sentence: &long, ..draft(GoalMetric::TotalCredits, 1) },
    ];
    for draft in wrong {
        let found = book.ledger.set_goal(&user, &draft, NOTHING).unwrap_err();
        assert_eq!(found.code(), "ledger/malformed-goal", "{draft:?}");
    }
    assert_eq!(book.ledger.drop_goal(&user, id(9)).unwrap_err().code(), "ledger/unknown-goal");
    for _ in 0..GOALS_MOST {
        set(&mut book, &draft(GoalMetric::TotalCredits, 100));
    }
    let found = book.ledger.set_goal(&user, &draft(GoalMetric::TotalCredits, 1), NOTHING).unwrap_err();
    assert_eq!(found.code(), "ledger/too-many-goals");
    let taken = book.ledger.drop_goal(&user, id(3)).unwrap();
    book.put([taken]);
    assert_eq!(book.ledger.open_goals().count(), GOALS_MOST - 1);
    assert_eq!(book.ledger.drop_goal(&user, id(3)).unwrap_err().code(), "ledger/unknown-goal");
}

#[test]
fn the_sentence_of_a_goal_is_words() {
    let book = Book::default();
    let wanted = GoalDraft { sentence: "Wouldn't it be\ngreat?", ..draft(GoalMetric::TotalCredits, 1) };
    let mut event = book.ledger.set_goal(&LedgerCaller::USER, &wanted, NOTHING).unwrap();
    let mut texts = Vec::new();
    event.visit_words(&mut |text| texts.push(text.clone()));
    assert_eq!(texts, ["Wouldn't it be great?"]);
}

#[test]
fn a_false_citation_is_a_penalty_of_the_session() {
    let mut book = Book { periods: vec![id(77)], ..Book::default() };
    (0..12).for_each(|_| book.act("ann", "m", false));
    book.say("ann", 1, SupportProposal, &[cited("a", False)]);
    assert_eq!(end(&mut book, PeriodSpan::Session, id(77), 0, &["ann"]), []);
}
