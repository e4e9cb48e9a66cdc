//! Faults that a trial by strangers found, each held by the script that showed it.

use expect_test::expect;
use synod_core::canon::EntryStatus;
use synod_core::house::Reader;
use synod_core::kernel::{Actor, At, Epistemic};
use synod_core::ledger::GoalMetric;
use synod_core::procedure::workshop::{
    Command as Work, PromoteEntry, ReflectionReport, SetGoal, WorkshopReport, issue_rows,
};
use synod_core::roster::{Appointment, HealthMode, WorkRole};
use synod_core::{Command, Outcome};

use super::canon::promote;
use super::credits::{award, came_to};
use super::{Shop, check, played};
use crate::world::who;

fn report(shop: &Shop) -> WorkshopReport {
    WorkshopReport::of(&shop.world.house, shop.world.now, None)
}

#[test]
fn who_was_only_asked_to_read_blind_can_object() {
    check(
        "workshop ann bob crit=critic* cont=continuity mo=moderator
         user opens Large !structural
         ann: approve
         ---
         bob: approve
         crit: ok
         crit: object",
        expect![[r#"
            > bob: approve
            posted bob
            bob supports: true
            now agreed
            opened [Devil's advocate] challenge issue #1
              #meta #devils-advocate #issue-1 for crit
            ordered crit against for quick-consensus until 1440:00
            > crit: ok
            posted crit, blind
            order fulfilled
            > crit: object
            posted crit, ordered
        "#]],
    );
}

#[test]
fn a_blind_review_that_lapsed_is_no_part_in_an_issue() {
    let (_, log) = played(
        "workshop ann bob crit=critic* cont=continuity mo=moderator
         user opens Large !structural
         wait 7d
         ann: approve
         bob: approve",
    );
    assert!(log.contains("order expired"), "{log}");
    assert!(log.contains("ordered crit against for quick-consensus"), "{log}");
}

#[test]
fn a_moderator_hears_once_that_nobody_can_object_and_the_house_goes_on_looking() {
    check(
        "workshop ann bob cy mo=moderator
         user opens Large !structural
         ann: approve
         bob: approve
         ---
         cy: ok
         enrol dee*
         ann: ok",
        expect![[r#"
            > cy: ok
            posted cy
            > enrol dee*
            > ann: ok
            posted ann
            opened [Devil's advocate] challenge issue #1
              #meta #devils-advocate #issue-1 for dee
            ordered dee against for quick-consensus until 1440:00
        "#]],
    );
}

/// A chapter in which an issue was frozen, thawed and resolved by the user.
fn chapter() -> Shop {
    let (mut shop, _) = played(
        "workshop ann bob mo=moderator dee*
         user begins Chapter 1
         ann opens One
         bob: ok
         bob: ok
         bob: ok
         mo unfreezes Say what the scene needs",
    );
    let goal = |metric| {
        let (period, sentence) = (Some("Chapter 1".into()), "Settle something".into());
        Work::SetGoal(Box::new(SetGoal { agent: None, metric, period, sentence, target: 1, until: None }))
    };
    shop.give("user", goal(GoalMetric::IssuesResolved));
    shop.give("user", goal(GoalMetric::IssuesAppliedInWork));
    assert_eq!(shop.world.house.ledger().open_goals().count(), 2, "the meta-issue is nobody's result");
    shop.step("user: resolved");
    shop
}

#[test]
fn what_the_house_opened_itself_is_no_result_of_a_period() {
    let shop = chapter();
    let house = &shop.world.house;
    let period = house.periods().named("Chapter 1").unwrap();
    let told = ReflectionReport::of(house, period).unwrap();
    assert_eq!((told.counts.opened, told.counts.resolved, told.counts.closed), (1, 1, 0));
    assert_eq!(told.right[0], "1 issue resolved (user 1)");
    let agents: Vec<(&str, u32)> =
        told.agents.iter().map(|agent| (agent.who.as_str(), agent.resolved)).collect();
    assert_eq!(agents, [("bob", 0), ("mo", 0), ("ann", 0)], "the user is no agent");
    assert!(report(&shop).agents.iter().all(|agent| agent.who != who("user")));
}

#[test]
fn an_agent_that_resolves_an_issue_has_resolved_one() {
    let (shop, _) = played(
        "workshop ann bob cy
         user begins Chapter 1
         user opens One
         ann: ok
         bob: ok
         cy: resolved",
    );
    let period = shop.world.house.periods().named("Chapter 1").unwrap();
    let told = ReflectionReport::of(&shop.world.house, period).unwrap();
    let cy = told.agents.iter().find(|agent| agent.who == who("cy")).unwrap();
    assert_eq!((cy.resolved, told.counts.resolved), (1, 1));
}

#[test]
fn goals_of_the_team_count_what_the_period_counts() {
    let mut shop = chapter();
    let reached = |shop: &Shop| shop.world.house.ledger().goals().filter(|goal| goal.reached).count();
    assert_eq!(reached(&shop), 1, "the user resolved it, and it is resolved");
    shop.step("mo marks applied");
    assert_eq!(reached(&shop), 2);
}

#[test]
fn nobody_is_advised_to_make_canon_of_an_order() {
    let (shop, log) = played(
        "workshop ann bob cy* mo=moderator
         user opens Large !structural
         ann: approve
         bob: approve
         cy: object
         cy: ok",
    );
    assert!(log.contains("order fulfilled"), "{log}");
    assert_eq!(report(&shop).canon.agreed, [1]);
}

#[test]
fn renewed_budgets_are_not_used_up() {
    let names: Vec<String> = (0..6).map(|nth| format!("a{nth}")).collect();
    let mut people: Vec<&str> = names.iter().map(String::as_str).collect();
    people.push("mo=moderator");
    let mut shop = Shop::new("workshop", &people);
    shop.open("user", "Long");
    for name in names[..5].iter().chain(&names[..5]) {
        shop.comment(name, "ok");
    }
    assert_eq!(report(&shop).stuck.len(), 1, "10 of 10");
    shop.comment("a5", "ok");
    shop.step("mo unfreezes Only what the scene needs");
    let row = issue_rows(&shop.world.house, Reader::Operator, shop.world.now).next().unwrap();
    assert!(row.status == synod_core::issue::IssueStatus::Open, "{row:?}");
    let stuck = report(&shop).stuck;
    assert!(stuck.is_empty(), "{stuck:?}");
}

#[test]
fn questions_and_acknowledgements_need_no_evidence() {
    let (_, log) = played(
        "workshop-strict ann bob
         user opens Look
         ann: question say How long does the docking take at night?
         bob: acknowledgement structural say I have read all of this and agree.",
    );
    assert!(log.contains("posted ann") && log.contains("posted bob"), "{log}");
}

#[test]
fn praise_is_given_once_and_for_something() {
    let mut shop = Shop::new("workshop", &["ann", "bob", "mo=moderator"]);
    shop.open("user", "Look");
    shop.comment("ann", "ok");
    for reason in ["proposal-accepted-by-user", "user-marked-helpful"] {
        let given = |shop: &mut Shop, to| award(shop, "user", to, reason, None);
        assert!(came_to(&given(&mut shop, "ann")).starts_with('+'));
        assert_eq!(came_to(&given(&mut shop, "ann")), "unchanged", "{reason}");
        let Outcome::Refused { code, .. } = given(&mut shop, "bob").outcome else {
            panic!("bob did nothing")
        };
        assert_eq!(code, "workshop/took-no-part");
    }
}

#[test]
fn nobody_called_user_is_appointed() {
    let mut shop = Shop::new("workshop", &["user", "cy*"]);
    for name in ["user", "system"] {
        shop.enrol(name);
        let appointment = Appointment { role: Some(WorkRole::Moderator), ..Appointment::default() };
        let act = shop.world.submit(Actor::Operator, Command::Appoint { appointment, who: who(name) });
        let Outcome::Refused { code, .. } = &act.outcome else { panic!("{name} was appointed") };
        assert_eq!(code, "roster/reserved-name");
    }
    assert!(!shop.world.house.health(HealthMode::Editor).is_ok(), "nobody oversees anything");
    shop.enrol("wri=writer");
    assert_eq!(shop.world.house.working_agents(), [who("wri")]);
}

#[test]
fn a_period_has_a_name_of_its_own() {
    check(
        "workshop ann
         user begins Chapter 1
         user ends Chapter 1
         user begins Draft
         user ends Draft
         user begins Draft 2
         ---
         user begins CHAPTER 1
         user begins draft",
        expect![[r#"
            > user begins CHAPTER 1
            refused period/name-taken: there was a period `CHAPTER 1` already: choose another name, such as `CHAPTER 2`
            > user begins draft
            refused period/name-taken: there was a period `draft` already: choose another name, such as `draft 3`
        "#]],
    );
}

#[test]
fn an_entry_ends_with_the_issue_that_it_came_from() {
    let mut shop = Shop::new("workshop", &["ann"]);
    shop.open("ann", "Quokka");
    let quokka = PromoteEntry { issue: Some(shop.here()), ..promote("quokka", "The quokka is asleep.") };
    shop.promotes("user", quokka);
    shop.promotes("user", promote("eyes", "Mara's eyes are green."));
    shop.step("user closes");
    let issue = shop.here();
    shop.world.redact(issue);
    let house = &shop.world.house;
    let held: Vec<&str> = house.canon().current(shop.world.now).map(|(name, _)| name.as_str()).collect();
    assert_eq!(held, ["eyes"], "what says nothing any more does not hold");
    let (_, entry) = house.canon().entries().find(|(name, _)| name.as_str() == "quokka").unwrap();
    let latest = entry.latest().unwrap();
    assert!(matches!(entry.status(1, shop.world.now), Some(EntryStatus::Ended { at }) if at > At(0)));
    let why = latest.ended.as_ref().and_then(|(_, _, why)| why.as_deref());
    assert_eq!(why, Some("the issue it came from was deleted, and its words with it"));
    assert!(!latest.text.contains("asleep"), "{latest:?}");
    assert_eq!(house.docket().row(issue).unwrap().epistemic, Epistemic::Draft);
    assert!(report(&shop).canon.agreed.is_empty(), "nothing is left to promote");
}
