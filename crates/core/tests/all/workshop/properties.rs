//! Random threads: whatever agents do, these hold after every act.

use proptest::prelude::*;
use synod_core::issue::{IssueStatus, MetaIssue};
use synod_core::kernel::{Actor, CommentKind};
use synod_core::procedure::workshop::CommentOutcome;
use synod_core::{Event, Outcome, gate};

use super::{BODY, Shop, meta_issues};
use crate::random::Dice;

const PEOPLE: [&str; 9] =
    ["ann", "bob", "cy*", "dee*", "eve", "crit=critic*", "cont=continuity", "mo=moderator", "le=lead"];
const NAMES: [&str; 10] = ["ann", "bob", "cy", "dee", "eve", "crit", "cont", "mo", "le", "user"];
const CHARTERS: [&str; 3] = ["workshop", "workshop-light", "workshop-strict"];

/// Does something at random.
fn step(shop: &mut Shop, dice: &mut Dice) {
    let numbers: Vec<u64> = shop.world.house.docket().rows().map(|(_, row)| row.number).collect();
    if !numbers.is_empty() && dice.roll(4) > 0 {
        // Mostly the oldest, so that threads grow.
        let span = if dice.roll(3) == 0 { numbers.len() } else { numbers.len().min(3) };
        let number = numbers[dice.roll(span as u64) as usize];
        shop.step(&format!("on {number}"));
    }
    let name = *dice.pick(&NAMES);
    let line = match dice.roll(20) {
        0 => format!("{name} opens Issue #a{} !{}", dice.roll(2), dice.pick(&["minor", "structural"])),
        1 => format!("wait {}", dice.pick(&["1s", "10m", "30m", "1h", "24h"])),
        2 => format!("{name} closes"),
        3 => format!("{name} reopens"),
        4 => format!("{name} unfreezes Go on and cite something."),
        5 => format!("{name} forces Keep because it holds"),
        6 => format!("{name} challenges"),
        7 => format!("{name} marks {}", dice.pick(&["applied", "irrelevant"])),
        8 => format!("{name} tags t{}", dice.roll(3)),
        9 => format!("{name} escalates please look"),
        10 => format!(
            "{name} frees {} {}",
            dice.pick(&["ann", "bob"]),
            dice.pick(&["full", "limited", "read-only"])
        ),
        _ => {
            let stance = dice.pick(&["", "approve", "object", "neutral"]);
            let evidence = dice.pick(&["", "#1", "file=a.txt", "file=a.txt #1", "#77"]);
            let impact = dice.pick(&["", "minor", "structural", "canon-changing"]);
            let deed = dice.pick(&["", "", "", "", "resolved", "escalated"]);
            let said = dice.pick(&["", "", "", "say no", "urgent, vital, crucial, must"]);
            let long = if dice.roll(3) == 0 || said.contains("vital") {
                format!("say {BODY} {BODY} {said}")
            } else {
                String::new()
            };
            let long = if *said == "say no" { "say no".to_string() } else { long };
            format!("{name}: ok {stance} {evidence} {impact} {deed} {long}")
        }
    };
    if shop.issue.is_some()
        || line.contains(" opens ")
        || line.starts_with("wait")
        || line.contains(" frees ")
    {
        let before = frozen(shop);
        let act = shop.step(&line);
        if let Some(act) = act {
            never_by_an_agent(shop, before, &act, name);
        }
    }
}

/// The issue that lines are about, if it rests now.
fn frozen(shop: &Shop) -> bool {
    let issue = shop.issue.and_then(|issue| shop.world.house.case(issue)?.issue().cloned());
    issue.is_some_and(|issue| issue.rests(shop.world.now) && issue.settled.is_none())
}

/// During its rest no agent does anything to a frozen issue.
fn never_by_an_agent(shop: &Shop, rested: bool, act: &synod_core::Act, name: &str) {
    let overseer = matches!(name, "mo" | "le" | "user");
    let commented = act.events().iter().any(|event| {
        matches!(event, Event::Gate(gate::Event::Posted { matter, .. } | gate::Event::Refused { matter, .. })
            if Some(*matter) == shop.issue)
    });
    assert!(!(rested && commented && !overseer), "{name} acted on a frozen issue: {act:?}");
}

/// What must be true of every house.
fn invariants(shop: &Shop) {
    let house = &shop.world.house;
    for (matter, row) in house.docket().rows() {
        let case = house.case(matter).unwrap();
        let issue = case.issue().unwrap();
        assert!(meta_issues(shop, matter) <= 1, "{matter} has two");
        if matches!(row.meta, Some(MetaIssue::Frozen { .. })) {
            assert_eq!(meta_issues(shop, matter), 0, "a meta-issue of a meta-issue");
        }
        assert_eq!(row.status, issue.status(), "{matter}");
        assert_eq!(row.comments as usize, case.said.len(), "{matter}: counts are what was stored");
        assert_eq!(issue.stored as usize, case.said.len(), "{matter}");
        assert_eq!((row.epistemic, row.refused), (issue.epistemic, issue.refused));
        assert_eq!(row.tags.iter().collect::<Vec<_>>(), issue.tags.iter().collect::<Vec<_>>());
        assert_eq!(row.status == IssueStatus::Frozen, row.until.is_some());
        let (rules, state) = case.workshop().unwrap();
        for name in NAMES.iter().filter(|name| !matches!(**name, "mo" | "le" | "user")) {
            let own = issue.own(&crate::world::who(name), CommentKind::Comment);
            assert!(u64::from(own) <= rules.comments_each.is, "{name} has {own} on {matter}");
        }
        assert!(u64::from(issue.counted) <= rules.comments_total.is + 60, "overseers alone exceed the limit");
        for (id, order) in state.open_orders() {
            assert!(house.dissent().get(id).is_some_and(|open| open.left == order.left), "{matter}");
            assert!(case.decision().is_none(), "an order in {matter}, which is over");
        }
    }
    let open: usize = house.dissent().open().count();
    let known: usize =
        house.cases().filter_map(|case| case.workshop()).map(|(_, state)| state.open_orders().count()).sum();
    assert_eq!(open, known, "the house and its issues know the same orders");
}

/// A random house.
fn random(seed: u64) -> Shop {
    let mut dice = Dice(seed.wrapping_mul(0x9E37_79B9_7F4A_7C15) | 1);
    let mut shop = Shop::new(CHARTERS[seed as usize % 3], &PEOPLE);
    shop.world.careful = false;
    shop.open("user", "First #a0");
    for _ in 0..80 {
        step(&mut shop, &mut dice);
        invariants(&shop);
    }
    shop
}

#[test]
fn what_holds_in_every_thread() {
    let (mut frozen, mut orders, mut posted, mut refused) = (0, 0, 0, 0);
    for seed in 1..=120 {
        let shop = random(seed);
        let mut again = synod_core::House::default();
        for act in &shop.world.acts {
            again.evolve(act);
            frozen += act
                .events()
                .iter()
                .filter(|event| matches!(event, Event::Issue(synod_core::issue::Event::Frozen { .. })))
                .count();
            orders += act.events().iter().filter(|event| matches!(event, Event::Dissent(_))).count();
            match CommentOutcome::of(act) {
                Some(CommentOutcome::Posted { .. }) => posted += 1,
                Some(CommentOutcome::Refused { .. }) => refused += 1,
                Some(CommentOutcome::Unchecked { .. }) | None => (),
            }
        }
        assert!(again == shop.world.house, "seed {seed}: replaying gives another house");
    }
    assert!(
        frozen > 50 && orders > 50 && posted > 300 && refused > 300,
        "{frozen} {orders} {posted} {refused}: too tame"
    );
}

#[test]
fn random_houses_are_judged_again_to_the_same() {
    for seed in 200..=220 {
        let shop = random(seed);
        let mut house = synod_core::House::default();
        for act in &shop.world.acts {
            let (again, after) = house.judge(act.at, act.by.clone(), act.key.clone(), act.command.clone());
            assert_eq!(again, *act, "seed {seed}, act {}", act.seq);
            house = after;
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 256, ..ProptestConfig::default() })]

    /// No text whatever breaks the gate, and a body of only keywords always breaches something.
    #[test]
    fn any_body_is_judged(body in "\\PC{0,400}") {
        let mut shop = Shop::new("workshop", &["ann"]);
        shop.world.careful = false;
        shop.open("user", "Here");
        let mut comment = shop.written("ok");
        comment.body = body.clone();
        let act = shop.give("ann", synod_core::procedure::workshop::Command::Comment(Box::new(comment)));
        match &act.outcome {
            Outcome::Refused { code, .. } => prop_assert_eq!(code, "workshop/missing"),
            Outcome::Done(_) => prop_assert!(CommentOutcome::of(&act).is_some()),
        }
        let stored = shop.world.house.case(shop.here()).unwrap().said.len();
        let posted = matches!(CommentOutcome::of(&act), Some(CommentOutcome::Posted { .. }));
        prop_assert_eq!(stored == 1, posted);
        if posted {
            prop_assert!(synod_core::kernel::text::length(&body) >= 150);
        }
    }

    /// A tag is its own canonical form.
    #[test]
    fn tags_are_canonical(written in "\\PC{0,80}") {
        if let Ok(tag) = synod_core::issue::Tag::parse(&written) {
            prop_assert_eq!(synod_core::issue::Tag::parse(tag.as_str()).unwrap(), tag.clone());
            prop_assert_eq!(synod_core::issue::Tag::parse(&tag.to_string()).unwrap(), tag);
        }
    }
}

#[test]
fn the_operator_alone_is_the_user() {
    assert_eq!(Shop::by("user"), Actor::Operator);
}
