//! Seats that are asked to comment: who may be asked, and what their briefs say.

use expect_test::expect;
use synod_core::house::{BriefCache, Reader};
use synod_core::kernel::{Actor, AskId, Id};
use synod_core::ledger::GoalMetric;
use synod_core::procedure::workshop::{Command as Work, IssueSheet, SetGoal};
use synod_core::{Act, Command, Event, Outcome, ask, floor, gate};

use super::canon::promote;
use super::{BODY, Shop};
use crate::world::{seat, who};

fn refused(act: &Act) -> &str {
    match &act.outcome {
        Outcome::Refused { code, .. } => code,
        Outcome::Done(_) => "done",
    }
}

impl Shop {
    /// Enrols a seat that Synod performs.
    fn performs(&mut self, name: &str) {
        self.world.submit(Actor::Operator, Command::Enrol { seat: seat(name) });
    }

    /// The brief of a seat that is asked to comment on the present issue.
    fn brief(&mut self, name: &str) -> String {
        let invite = Work::Invite { issue: self.here(), who: who(name) };
        let act = self.give("user", invite);
        assert_eq!(refused(&act), "done", "{act:?}");
        let ask = AskId(Id { act: act.seq, nth: 0 });
        let brief = self.world.house.brief(ask, &mut BriefCache::default()).expect("it is asked");
        format!("{}{}{}", brief.stable.text(), brief.shared.text(), brief.own)
    }
}

#[test]
fn only_seats_that_synod_performs_can_be_asked_and_once_at_a_time() {
    let mut shop = Shop::new("workshop", &["ann*", "lea=lead", "mo=moderator"]);
    shop.open("user", "Look");
    let issue = shop.here();
    let ask = |shop: &mut Shop, by: &str, name: &str| {
        refused(&shop.give(by, Work::Invite { issue, who: who(name) })).to_string()
    };
    assert_eq!(ask(&mut shop, "user", "ann"), "workshop/not-performed");
    assert_eq!(ask(&mut shop, "user", "max"), "roster/unknown-seat");
    shop.performs("max");
    assert_eq!(ask(&mut shop, "ann", "max"), "workshop/needs-lead", "it costs money");
    assert_eq!(ask(&mut shop, "lea", "max"), "done");
    assert_eq!(ask(&mut shop, "user", "max"), "workshop/already-invited");
}

#[test]
fn no_seat_is_asked_where_nobody_moderates_or_could_object() {
    let mut shop = Shop::new("workshop", &["ann"]);
    shop.performs("max");
    shop.open("user", "Look");
    let issue = shop.here();
    let act = shop.give("user", Work::Invite { issue, who: who("max") });
    let Outcome::Refused { code, message } = &act.outcome else { panic!("{act:?}") };
    assert_eq!(code, "workshop/no-oversight");
    expect!["seats cannot be asked to comment yet: NO_MODERATOR: no active participant is a moderator, and there must be at least one (`synod agents appoint NAME --role moderator`); NO_DEVILS_ADVOCATE: no active participant can be a devil's advocate, and there must be at least one (`synod agents appoint NAME --devils-advocate`)"]
        .assert_eq(&message.to_string());
}

/// A house in which `max` is performed, and whatever else is named.
fn house(people: &[&str]) -> Shop {
    let mut shop = Shop::new("workshop", &[&["dee*", "mo=moderator"], people].concat());
    shop.performs("max");
    shop
}

#[test]
fn an_agent_under_remediation_reads_what_to_heed_wherever_it_comes_from() {
    let mut shop = house(&["ann"]);
    for nth in 0..6 {
        shop.open("user", &format!("Problem {nth}"));
        for name in ["max", "ann"] {
            shop.comment(name, "say too short");
        }
    }
    shop.open("user", "Look");
    let brief = shop.brief("max");
    let from = brief.find("You are on remediation").unwrap_or_else(|| panic!("{brief}"));
    let told: Vec<&str> = brief[from..].lines().take_while(|line| !line.is_empty()).collect();
    expect![[r#"
        You are on remediation: too many of your latest comments were stopped or cited something false. Until that improves:
        - Cite at least 2 sources for every proposal.
        - Cite line numbers, not only files.
        - Read your evidence again before you send a comment.
        - If you are not sure, ask the moderator. Do not guess."#]]
    .assert_eq(&told.join("\n"));
    let case = shop.world.house.case(shop.here()).unwrap();
    let seen = |name: &str| {
        let (house, who) = (&shop.world.house, who(name));
        let sheet = IssueSheet::seen_by(house, case, Reader::Participant(&who), shop.world.now).unwrap();
        sheet.yours.unwrap()
    };
    assert_eq!(seen("ann").heeds.len(), 4, "outside agents learn the same");
    assert_eq!(seen("dee").heeds.len(), 0);
    assert_eq!(seen("mo").comments, None, "a moderator has no limit, and no number that stands for it");
    assert!(seen("mo").may_comment() && seen("ann").comments == Some(1));
}

/// Answers the ask that a seat has, and gives the code that it came to.
fn answered(shop: &mut Shop, name: &str, text: &str) -> String {
    let act = shop.world.answer(name, text).clone();
    let told = act.events().iter().find_map(|event| match event {
        Event::Ask(ask::Event::Lapsed { cause, .. }) => Some(cause.code.clone()),
        Event::Floor(floor::Event::Skipped { why, .. }) => why.clone(),
        Event::Gate(gate::Event::Posted { said, .. }) => Some(said.text().to_string()),
        _ => None,
    });
    told.unwrap_or_else(|| format!("{act:?}"))
}

#[test]
fn an_answer_that_cannot_be_read_is_not_one_with_nothing_to_add() {
    const UNREAD: &str = "could not be read, so nobody has seen it";
    let mut shop = house(&[]);
    shop.open("user", "Look");
    assert!(!shop.brief("max").contains(UNREAD));
    assert_eq!(answered(&mut shop, "max", BODY), "comment/unreadable");
    assert!(shop.brief("max").contains(UNREAD), "it is told so when it is asked again");
    let cut = r#"{"checked": "all of it", "evidence": [], "comment": "The order of even"#;
    assert_eq!(answered(&mut shop, "max", cut), "comment/unreadable", "half a comment is none");
    for nothing in [r#"{"checked": "all", "comment": ""}"#, r#"{"checked": "all", "comment": null}"#] {
        shop.brief("max");
        assert_eq!(answered(&mut shop, "max", nothing), "nothing to add");
    }
    shop.brief("max");
    let unclosed = format!(
        r#"{{"checked": "c", "evidence": [], "comment": "{BODY}", "impact": "minor", "trigger": "unprompted", "kind": "comment", "stance": "NEUTRAL", "action": "none""#
    );
    assert_eq!(answered(&mut shop, "max", &unclosed), BODY, "only the bracket is missing");
    assert!(!shop.brief("max").contains(UNREAD));
}

/// What stands in a brief under a heading, up to the next empty line after it.
fn part<'a>(brief: &'a str, heading: &str, until: &str) -> &'a str {
    let from = brief.find(heading).unwrap_or_else(|| panic!("{heading} is not in\n{brief}"));
    let rest = &brief[from..];
    rest[..rest.find(until).unwrap_or(rest.len())].trim_end()
}

#[test]
fn the_brief_of_a_seat_has_goals_with_progress_and_the_canon_on_its_issue() {
    let mut shop = house(&["ann"]);
    let goal = |metric, agent: Option<&str>, sentence: &str| {
        let until = Some(shop.world.now.plus(3_600_000));
        let (agent, sentence) = (agent.map(who), sentence.into());
        Work::SetGoal(Box::new(SetGoal { agent, metric, period: None, sentence, target: 3, until }))
    };
    let goals = [
        goal(GoalMetric::VerifiedCitations, None, "Ground what we say"),
        goal(GoalMetric::ZeroPenalties, Some("max"), "Stay calm"),
        goal(GoalMetric::TotalCredits, Some("ann"), "Not of max"),
    ];
    for goal in goals {
        shop.give("user", goal);
    }
    for (name, text) in [
        ("eyes", "Mara's eyes are green."),
        ("mara", "Mara comes from the north."),
        ("docking", "The docking takes an hour."),
        ("gate", "The gate is closed."),
    ] {
        shop.promotes("user", promote(name, text));
    }
    shop.open("user", "Which colour do the eyes of Mara have? #docking");
    let brief = shop.brief("max");
    expect![[r#"
        Goals, and how far they are. You help the team by catching errors, not by agreeing:
        - Ground what we say (0 of 3, verified-citations)
        - Stay calm (no penalty so far, yours)"#]]
    .assert_eq(part(&brief, "Goals,", "\n\n"));
    expect![[r#"
        # Canon on this issue

        canon:eyes@1:
        | Mara's eyes are green.

        canon:mara@1:
        | Mara comes from the north.

        canon:docking@1:
        | The docking takes an hour."#]]
    .assert_eq(part(&brief, "# Canon", "# The thread"));
    expect![[r#"
        - Before you propose a change, read the canon on it. Say whether you extend it, change it or contradict it, and cite the version: canon:name@2. If you contradict it, say why that is worth it.
        - If canon says nothing about it, write that no prior canon was found and call your proposal a draft.
        - If somebody contradicts canon, the user included, say so politely and cite the entry. Leave the decision to the user."#]]
    .assert_eq(part(&brief, "- Before you propose", "\n- If you agree"));
}

#[test]
fn a_brief_says_that_no_canon_was_found_and_stays_short_where_there_is_much() {
    let mut shop = house(&[]);
    shop.open("user", "What of the harbour?");
    assert!(shop.brief("max").contains("No prior canon was found by the words of the issue."));
    for nth in 0..9 {
        let text = format!("The harbour is closed. {}", BODY.repeat(5));
        shop.promotes("user", promote(&format!("harbour-{nth}"), &text));
        let (agent, metric, sentence) = (None, GoalMetric::TotalCredits, "word ".repeat(50));
        let goal = SetGoal { agent, metric, period: None, sentence, target: 9, until: None };
        shop.give("user", Work::SetGoal(Box::new(goal)));
    }
    shop.open("user", "Is the harbour closed?");
    let brief = shop.brief("max");
    assert_eq!(brief.matches("\ncanon:harbour").count(), 5);
    assert_eq!(brief.matches("total-credits").count(), 5);
    assert!(brief.len() < 8000, "{}", brief.len());
}
