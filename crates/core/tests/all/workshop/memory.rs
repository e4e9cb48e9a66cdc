//! Topics that are circled, issues that fade, and what a period taught.

use expect_test::expect;
use synod_core::house::Reader;
use synod_core::issue::{DocketRow, FadedPriority, PeriodReflection, Tag, Topic, TopicHealth};
use synod_core::kernel::{Priority, Ratio};
use synod_core::procedure::workshop::issue_rows;

use super::{Shop, check, played};

const HEALTH: TopicHealth = TopicHealth { issues: 5, accesses: 20, applied: Ratio::TENTH };

#[test]
fn five_issues_and_twenty_accesses_with_one_application_are_circled() {
    let topic = |issues, accesses, applied| Topic { issues, accesses, applied, ..Topic::default() };
    assert!(HEALTH.is_circled(&topic(5, 20, 1)));
    assert!(!HEALTH.is_circled(&topic(5, 20, 2)), "two of twenty are a tenth");
    assert!(!HEALTH.is_circled(&topic(4, 20, 0)));
    assert!(!HEALTH.is_circled(&topic(5, 19, 0)));
    assert!(HEALTH.is_circled(&topic(5, 20, 0)));
    assert!(HEALTH.is_circled(&topic(6, 31, 3)), "three of 31 are less than a tenth");
    assert!(!HEALTH.is_circled(&topic(0, 0, 0)));
}

/// Five issues with a tag, on which four agents comment until there are so many accesses.
fn circled(accesses: usize, applied: usize) -> Shop {
    let mut shop = Shop::new("workshop", &["a1", "a2", "a3", "a4", "mo=moderator"]);
    for nth in 1..=5 {
        shop.open("a1", &format!("Issue {nth} #eyes"));
        if nth <= applied {
            shop.step("mo marks applied");
        }
    }
    for nth in 0..accesses {
        shop.step(&format!("on {}", nth % 5 + 1));
        shop.comment(&format!("a{}", nth / 5 + 1), "ok");
    }
    shop
}

#[test]
fn a_circled_topic_opens_one_warning() {
    let warnings = |shop: &Shop| {
        let rows = shop.world.house.docket().rows();
        rows.filter(|(_, row)| row.tags.contains(&Tag::parse("leech").unwrap())).count()
    };
    assert_eq!(warnings(&circled(19, 1)), 0);
    let mut shop = circled(20, 1);
    assert_eq!(warnings(&shop), 1);
    assert_eq!(warnings(&circled(20, 2)), 0);
    shop.step("on 2");
    shop.comment("a1", "question say Why do we look at this again?");
    assert_eq!(warnings(&shop), 1, "once is enough");
    let topic = shop.world.house.docket().topic(&Tag::parse("eyes").unwrap()).unwrap();
    assert_eq!(
        (topic.issues, topic.accesses, topic.applied),
        (5, 21, 1),
        "the warning itself does not count"
    );
}

#[test]
fn a_citation_is_an_access_and_what_overseers_do_is_none() {
    let (shop, _) = played(
        "workshop ann bob mo=moderator
         ann opens One #a
         ann opens Two #b
         bob: #1
         bob: say no
         mo: #1
         user: #1
         mo tags c",
    );
    let topic = |tag: &str| shop.world.house.docket().topic(&Tag::parse(tag).unwrap()).copied().unwrap();
    assert_eq!(topic("a").accesses, 1, "cited once by an agent");
    assert_eq!(topic("b").accesses, 2, "a comment, and one that was turned away");
    assert_eq!((topic("c").accesses, topic("c").issues), (2, 1), "what is known of an issue comes with it");
}

fn row(shop: &Shop) -> DocketRow {
    shop.world.house.docket().row(shop.numbered(1)).unwrap().clone()
}

#[test]
fn an_issue_that_touches_no_file_fades_and_comes_back() {
    const DAY: u64 = 86_400_000;
    let (mut shop, _) = played("workshop ann\nann opens One\nann ranks high");
    let start = shop.world.now;
    let at = |shop: &Shop, days: u64| FadedPriority::of(&row(shop), start.plus(days * DAY), 14 * DAY);
    let faded = |priority, archived| FadedPriority { priority, archived };
    assert_eq!(at(&shop, 13), faded(Priority::High, false));
    assert_eq!(at(&shop, 14), faded(Priority::Normal, false));
    assert_eq!(at(&shop, 28), faded(Priority::Low, false));
    assert_eq!(at(&shop, 42), faded(Priority::Low, true));
    assert_eq!(at(&shop, 42_000), faded(Priority::Low, true));
    shop.wait("40d");
    shop.comment("ann", "ok");
    assert_eq!(at(&shop, 42), faded(Priority::Low, true), "talk is not touch");
    shop.comment("ann", "file=a.txt");
    assert_eq!(at(&shop, 42), faded(Priority::High, false));
    let listed = issue_rows(&shop.world.house, Reader::Operator, start.plus(100 * DAY)).next().unwrap();
    assert!(listed.archived);
}

#[test]
fn a_period_is_what_happened_in_it() {
    let (mut shop, _) = played(
        "workshop ann bob mo=moderator
         ann opens Before #old
         ann: ok
         user begins Chapter 1
         mo begins session
         ann opens One #eyes
         bob: file=a.txt
         bob: say no
         mo marks applied
         user: resolved
         mo ends session
         user ends Chapter 1
         bob opens After",
    );
    let period = shop.world.house.periods().named("chapter 1").unwrap().clone();
    let (from, to) = shop.world.house.docket().period(period.id).unwrap();
    let reflection = PeriodReflection::between(from, to.unwrap(), &HEALTH);
    let tally = &reflection.tally;
    assert_eq!((tally.opened, tally.comments, tally.refused, tally.resolved, tally.applied), (1, 2, 1, 1, 1));
    let agents: Vec<(&str, u32, u32)> = reflection
        .agents
        .iter()
        .map(|agent| (agent.who.as_str(), agent.tally.comments, agent.tally.refused))
        .collect();
    assert_eq!(agents, [("bob", 1, 1), ("user", 1, 0), ("ann", 0, 0)]);
    shop.step("ann begins mine").unwrap();
}

#[test]
fn periods_are_opened_and_closed_by_name() {
    check(
        "workshop ann mo=moderator
         user begins Chapter 1
         user begins  CHAPTER  1
         user ends chapter 2
         user ends chapter 1
         user ends chapter 1
         user begins Chapter 1
         ann begins mine",
        expect![[r#"
            > user begins Chapter 1
            period Chapter 1 began
            > user begins  CHAPTER  1
            refused period/already-open: the period `CHAPTER 1` is open already: close it first
            > user ends chapter 2
            refused period/not-open: no period `chapter 2` is open
            > user ends chapter 1
            period ended
            > user ends chapter 1
            refused period/not-open: no period `chapter 1` is open
            > user begins Chapter 1
            refused period/name-taken: there was a period `Chapter 1` already: choose another name, such as `Chapter 2`
            > ann begins mine
            refused workshop/needs-lead: ann may not do this: only the user or a lead may
        "#]],
    );
}

#[test]
fn a_period_needs_a_name() {
    let (mut shop, _) = played("workshop ann");
    for name in ["", " \n ", &"x".repeat(101)] {
        let command = synod_core::procedure::workshop::Command::OpenPeriod { name: name.into() };
        let act = shop.give("user", command);
        assert!(format!("{:?}", act.outcome).contains("period/malformed-name"));
    }
}
