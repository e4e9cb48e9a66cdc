//! A whole day: eight agents work on two hundred issues, each in its own way. In the end the record tells them apart.

use synod_core::House;
use synod_core::kernel::{At, CitationTrigger, Reference};
use synod_core::ledger::{AgentTrust, EscalationLevel, LeaderboardScope, ReliabilityTier};
use synod_core::procedure::workshop::{AgentStanding, Command as Work, WriteComment, credit_rules};

use super::credits::desk;
use super::{BODY, Shop};
use crate::world::who;

/// What an agent writes and what it cites.
type Remark = (&'static str, Vec<String>);

/// How an agent comments: what it says and cites in the nth issue.
struct Habit {
    name: &'static str,
    comment: fn(usize) -> Option<Remark>,
}

const SHOUT: &str = "This is URGENT and CRITICAL! We MUST act IMMEDIATELY or it is a DISASTER, an EMERGENCY of the first order for \
     every single one of us who works here, so please stop whatever you are doing right now.";

fn true_quote(nth: usize) -> String {
    let line = 1 + nth % LINES;
    format!("log.txt:{line} \"what was seen on day {line} of the journey\"")
}

fn false_quote(nth: usize) -> String {
    format!("log.txt:{} \"the captain confessed everything to the cook\"", 1 + nth % LINES)
}

const LINES: usize = 200;

const HABITS: [Habit; 8] = [
    // Grounds everything.
    Habit { name: "honest", comment: |nth| Some((BODY, vec![true_quote(nth), true_quote(nth + 7)])) },
    // Grounds most of it, and errs now and then.
    Habit {
        name: "careful",
        comment: |nth| {
            Some((BODY, vec![if nth % 12 == 5 { false_quote(nth) } else { true_quote(nth + 50) }]))
        },
    },
    // Shouts.
    Habit { name: "hysteric", comment: |_| Some((SHOUT, Vec::new())) },
    // Makes quotes up.
    Habit { name: "liar", comment: |nth| Some((BODY, vec![false_quote(nth)])) },
    // Says as little as possible.
    Habit { name: "lazy", comment: |_| Some(("I agree.", Vec::new())) },
    // Talks well and cites nothing.
    Habit { name: "talker", comment: |nth| (nth % 2 == 0).then(|| (BODY, Vec::new())) },
    // Comes seldom, and is right.
    Habit { name: "rare", comment: |nth| (nth % 20 == 3).then(|| (BODY, vec![true_quote(nth + 100)])) },
    // Names files and nothing in them.
    Habit { name: "pointer", comment: |nth| (nth % 3 == 0).then(|| (BODY, vec!["log.txt".into()])) },
];

const ISSUES: usize = 200;

fn play() -> Shop {
    let text: String =
        (1..=LINES).map(|day| format!("Entry {day}: what was seen on day {day} of the journey.\n")).collect();
    let mut people: Vec<&str> = HABITS.iter().map(|habit| habit.name).collect();
    people.push("mo=moderator");
    let mut shop = desk("workshop-light", &people, &[("log.txt", &text)]);
    shop.world.careful = false;
    shop.step("user begins Session 1");
    for nth in 0..ISSUES {
        shop.open("user", &format!("What happened on day {nth}?"));
        // Whoever would freeze the thread comes last, so that the others are heard.
        let (calm, loud): (Vec<&Habit>, Vec<&Habit>) =
            HABITS.iter().partition(|habit| habit.name != "hysteric");
        for habit in calm.into_iter().chain(loud) {
            let Some((body, cited)) = (habit.comment)(nth) else { continue };
            let body = if body == BODY { shop.body() } else { body.to_string() };
            let mut comment = WriteComment::new(shop.here(), &body);
            comment.evidence = cited.iter().map(|one| Reference::parse(one).unwrap()).collect();
            comment.trigger = (!cited.is_empty()).then_some(CitationTrigger::AnswerToQuestion);
            shop.post(habit.name, comment);
        }
        let frozen = shop.world.house.case(shop.here()).unwrap().issue().unwrap().freeze.is_some();
        if frozen {
            let (issue, guidance) = (shop.here(), "Let us stay calm and look at what stands there.".into());
            shop.give("mo", Work::Unfreeze { guidance, issue });
        }
        shop.step("mo forces Keep it as it is. because It was looked up and holds.");
        shop.world.now = At(shop.world.now.0 + 400_000);
    }
    shop.step("user ends Session 1");
    shop
}

#[test]
fn a_day_of_two_hundred_issues_tells_the_agents_apart() {
    let shop = play();
    let house = &shop.world.house;
    let standing = |name: &str| AgentStanding::of(house, &who(name));
    let roster: Vec<_> = HABITS.iter().map(|habit| who(habit.name)).collect();
    let board =
        house.ledger().leaderboard(&credit_rules(house), LeaderboardScope::Lifetime, &roster, &|of| {
            house.issues_done(of)
        });
    let place = |name: &str| board.entries.iter().position(|entry| entry.who == who(name)).unwrap();
    let told: Vec<String> = board
        .entries
        .iter()
        .map(|one| format!("{} {} {:?} {:?}", one.who, one.credits, one.tier, one.level))
        .collect();

    assert_eq!(board.most_valuable, Some(who("honest")), "{told:#?}");
    assert_eq!(place("honest"), 0, "{told:#?}");
    assert_eq!(place("careful"), 1, "{told:#?}");
    for bad in ["hysteric", "liar", "lazy"] {
        assert!(place(bad) >= 5, "{bad} is among the last three: {told:#?}");
        assert!(standing(bad).credits < -100, "{told:#?}");
        assert_eq!(standing(bad).dosage.level, EscalationLevel::Flagged, "{told:#?}");
        assert_eq!(standing(bad).dosage.trust, AgentTrust::Low, "{told:#?}");
    }
    assert_eq!(standing("honest").dosage.tier, ReliabilityTier::Gold, "{told:#?}");
    assert_eq!(standing("rare").dosage.tier, ReliabilityTier::Gold, "few, and all true: {told:#?}");
    assert_eq!(standing("careful").dosage.tier, ReliabilityTier::Silver, "{told:#?}");
    for (name, tier) in
        [("liar", ReliabilityTier::None), ("lazy", ReliabilityTier::None), ("talker", ReliabilityTier::None)]
    {
        assert_eq!(standing(name).dosage.tier, tier, "{name}: {told:#?}");
    }
    for calm in ["honest", "careful", "talker", "rare", "pointer"] {
        assert_eq!(standing(calm).dosage.level, EscalationLevel::Normal, "{calm}: {told:#?}");
    }
    assert_eq!(standing("talker").credits, 0, "talk alone earns nothing and costs nothing");
    assert_eq!(standing("pointer").credits, 0, "a path alone earns nothing");
}

#[test]
fn a_restart_after_that_day_gives_the_same_balances() {
    let shop = play();
    let house = &shop.world.house;
    let mut replayed = House::default();
    shop.world.acts.iter().for_each(|act| replayed.evolve(act));
    assert!(replayed == *house, "from the first act on");
    let unpacked = House::unpack(&house.pack()).unwrap();
    assert_eq!(unpacked.ledger(), house.ledger(), "from a snapshot");
    // Judged again rather than taken as recorded.
    let mut judged = House::default();
    for act in &shop.world.acts {
        let (again, after) = judged.judge(act.at, act.by.clone(), act.key.clone(), act.command.clone());
        assert!(again.agrees_with(act), "act {}", act.seq);
        judged = after;
    }
    assert_eq!(judged.ledger(), house.ledger(), "judged again");
}
