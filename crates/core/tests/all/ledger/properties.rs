//! Whatever happens, these hold.

use std::collections::BTreeMap;

use proptest::prelude::*;
use synod_core::kernel::CitationTrigger;
use synod_core::kernel::{AuthorClass, Id, Who};
use synod_core::ledger::{
    AwardRequest, CitationOutcome, CitationProof, CreditReason, Event, GoalDraft, GoalMetric, IssueFact,
    Ledger, LedgerCaller, RatingRequest, TERMS, TaskSlice, TeamReason, slices,
};

use super::{Book, NOTHING, at, cited, id, matter, receiver, request, who};
use crate::random::Dice;

const NAMES: [&str; 5] = ["ann", "bob", "cy", "mo", "Ａnn"];
const MODELS: [&str; 3] = ["A", "B", "a"];
const PROOFS: [CitationProof; 5] = [
    CitationProof::False,
    CitationProof::Exists,
    CitationProof::Verified,
    CitationProof::Precise,
    CitationProof::Searched,
];

fn comment(book: &mut Book, dice: &mut Dice, name: &str, proofs: &[CitationProof]) {
    let count = dice.roll(4);
    let citations: Vec<_> =
        (0..count).map(|_| cited(&format!("f{}", dice.roll(6)), *dice.pick(proofs))).collect();
    let trigger = dice.pick(&CitationTrigger::WORDS).1;
    let model = *dice.pick(&MODELS);
    book.speak(name, model, dice.roll(4), Some(trigger), &citations, dice.roll(5) == 0);
}

/// An award by anybody to anybody, sound or not.
fn award(book: &mut Book, dice: &mut Dice, by: &str, class: AuthorClass) {
    let by = who(by);
    let caller = LedgerCaller { class, names: &[], who: Some(&by) };
    let reason = if dice.roll(8) == 0 { "bonus" } else { dice.pick(&TERMS).word };
    let amount = (dice.roll(3) > 0).then(|| dice.roll(9) as i64 - 4);
    let slice = (dice.roll(4) == 0).then(|| TaskSlice { nth: dice.roll(4) as u32, of: dice.roll(4) as u32 });
    let to = *dice.pick(&["ann", "bob", "cy", "mo", "аnn", "user", "ANN"]);
    let asked = AwardRequest { slice, matter: Some(matter(dice.roll(4))), ..request(to, reason, amount) };
    let _ = book.award(&caller, &asked);
}

fn step(book: &mut Book, dice: &mut Dice) {
    let name = *dice.pick(&NAMES);
    book.periods = (0..dice.roll(3)).map(|nth| id(9_000 + nth)).collect();
    let classes = [AuthorClass::Agent, AuthorClass::Moderator, AuthorClass::System, AuthorClass::User];
    match dice.roll(10) {
        0..4 => comment(book, dice, name, &PROOFS),
        4 => drop(book.upgrade(dice.roll(4), dice.pick(&CitationOutcome::WORDS).1)),
        5 | 6 => {
            let class = *dice.pick(&classes);
            award(book, dice, name, class);
        }
        7 => {
            let facts = [IssueFact::Started, IssueFact::Resolved, IssueFact::Applied, IssueFact::Irrelevant];
            book.issue(*dice.pick(&facts), dice.roll(4), name);
        }
        8 => rate(book, dice, name),
        _ => house_step(book, dice),
    }
}

fn rate(book: &mut Book, dice: &mut Dice, name: &str) {
    let by = who(name);
    let caller = LedgerCaller { class: AuthorClass::Agent, names: &[], who: Some(&by) };
    let rated = *dice.pick(&NAMES);
    let of = receiver(rated);
    let rating = RatingRequest { helpful: dice.roll(2) == 0, matter: matter(dice.roll(4)), of };
    let events = match book.ledger.rate(&book.rules, &caller, &rating) {
        Ok(events) => events,
        Err(refused) => vec![refused.event],
    };
    book.put(events);
}

/// Team credits and goals.
fn house_step(book: &mut Book, dice: &mut Dice) {
    let team: Vec<Who> = ["ann", "bob"].map(who).to_vec();
    let period = book.periods.first().copied();
    let events = match dice.roll(3) {
        0 => {
            let reason = dice.pick(&TeamReason::WORDS).1;
            book.ledger.team_award(&book.rules, reason, period, &team, (None, None)).into_iter().collect()
        }
        1 => {
            let (metric, target) = (dice.pick(&GoalMetric::WORDS).1, dice.roll(4) as u32);
            let draft = GoalDraft { agent: None, metric, period, sentence: "Go.", target, until: None };
            book.ledger.set_goal(&LedgerCaller::USER, &draft, NOTHING).into_iter().collect()
        }
        _ => book.ledger.goals_due(&book.rules, book.now(), period, (period, &team), NOTHING),
    };
    book.put(events);
}

fn replay(events: &[Event]) -> Ledger {
    let mut ledger = Ledger::default();
    for (nth, event) in events.iter().enumerate() {
        ledger.apply(id(nth as u64), at(nth), event);
    }
    ledger
}

/// Every balance is the sum of the postings, of agents, models and periods.
fn balances_are_sums(book: &Book) {
    let mut sums: BTreeMap<(Who, String), i64> = BTreeMap::new();
    let mut periods: BTreeMap<(Id, Who), i64> = BTreeMap::new();
    for event in &book.log {
        if let Event::Posted(posting) = event {
            *sums.entry((posting.who.clone(), posting.model.clone())).or_default() += posting.amount;
            for period in &posting.periods {
                *periods.entry((*period, posting.who.clone())).or_default() += posting.amount;
            }
        }
    }
    for ((who, model), sum) in &sums {
        let record = book.ledger.record(who, model).unwrap();
        assert_eq!(record.tally.credits, *sum, "{who} with {model}");
        assert_eq!(record.tally.reasons.values().map(|(_, credits)| credits).sum::<i64>(), *sum);
    }
    for name in NAMES {
        let of_agent = sums.iter().filter(|((one, _), _)| *one == who(name)).map(|(_, sum)| sum).sum::<i64>();
        assert_eq!(book.balance(name), of_agent, "{name}");
    }
    for ((period, who), sum) in periods {
        let totals = book.ledger.period_totals(period);
        assert_eq!(totals.iter().find(|(one, _)| *one == who).unwrap().1.credits, sum, "{period} {who}");
    }
}

/// What never happens, whatever was tried.
fn nothing_was_stolen(book: &Book) {
    for event in &book.log {
        if let Event::Posted(posting) = event {
            assert_ne!(posting.by.as_ref(), Some(&posting.who), "to themself");
            assert_ne!(posting.class, AuthorClass::Agent);
            assert_eq!(posting.class, posting.reason.terms().verifier);
            assert!(posting.who != who("user"));
            assert_eq!(posting.citation.is_some(), posting.reason.is_of_citations());
        }
    }
    let mut first: BTreeMap<_, u32> = BTreeMap::new();
    let mut later: BTreeMap<_, u32> = BTreeMap::new();
    let mut earned: BTreeMap<_, u32> = BTreeMap::new();
    for event in &book.log {
        if let Event::Posted(posting) = event
            && let Some(citation) = posting.citation
        {
            let upgrade = posting.reason == CreditReason::EvidenceOutcomeUpgrade;
            let key = (posting.matter, citation.key);
            *if upgrade { &mut later } else { &mut first }.entry(key).or_default() += 1;
            if !upgrade && posting.amount > 0 {
                *earned.entry(citation.key).or_default() += 1;
            }
        }
    }
    assert!(first.values().chain(later.values()).all(|count| *count == 1), "priced once, upgraded once");
    assert!(earned.values().all(|count| *count == 1), "paid once, in whatever matter");
    assert!(later.keys().all(|key| first.contains_key(key)));
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn random_ledgers_hold_together(seed in 1u64.., split in 0usize..400) {
        let (mut book, mut dice) = (Book::default(), Dice(seed));
        for _ in 0..120 {
            step(&mut book, &mut dice);
        }
        balances_are_sums(&book);
        nothing_was_stolen(&book);
        prop_assert_eq!(&replay(&book.log), &book.ledger);
        // A snapshot anywhere, then the rest.
        let split = split.min(book.log.len());
        let snapshot = serde_json::to_string(&replay(&book.log[..split])).unwrap();
        let mut restored: Ledger = serde_json::from_str(&snapshot).unwrap();
        for (nth, event) in book.log.iter().enumerate().skip(split) {
            restored.apply(id(nth as u64), at(nth), event);
        }
        prop_assert_eq!(&restored, &book.ledger);
        // Events as they are written.
        for event in &book.log {
            let written = serde_json::to_string(event).unwrap();
            prop_assert_eq!(&serde_json::from_str::<Event>(&written).unwrap(), event);
        }
    }

    /// An agent that comments, awards, rates and sets goals, but proves nothing, never has more than before.
    #[test]
    fn nobody_earns_without_a_verified_citation(seed in 1u64..) {
        let (mut book, mut dice) = (Book::default(), Dice(seed));
        let unproved = [CitationProof::False, CitationProof::Exists];
        for _ in 0..80 {
            let before = book.balance("ann");
            let name = *dice.pick(&["ann", "Ann", "bob"]);
            match dice.roll(5) {
                0 | 1 => comment(&mut book, &mut dice, name, &unproved),
                2 => award(&mut book, &mut dice, name, AuthorClass::Agent),
                3 => rate(&mut book, &mut dice, name),
                _ => {
                    let by = who(name);
                    let caller = LedgerCaller { class: AuthorClass::Agent, names: &[], who: Some(&by) };
                    let (metric, period) = (GoalMetric::TotalCredits, None);
                    let draft = GoalDraft { agent: None, metric, period, sentence: "x", target: 1, until: None };
                    prop_assert!(book.ledger.set_goal(&caller, &draft, NOTHING).is_err());
                }
            }
            // What the system does by itself when an issue is over changes nothing either.
            book.upgrade(dice.roll(4), CitationOutcome::PreventedUserConflict);
            prop_assert!(book.balance("ann") <= before);
        }
        prop_assert!(book.balance("ann") <= 0 && book.balance("bob") <= 0);
    }

    /// A moderator who is an agent gives itself nothing, under any of the names it can think of.
    #[test]
    fn a_moderator_cannot_enrich_itself(seed in 1u64..) {
        let (mut book, mut dice) = (Book::default(), Dice(seed));
        for _ in 0..60 {
            award(&mut book, &mut dice, "ann", AuthorClass::Moderator);
            prop_assert_eq!(book.balance("ann"), 0);
            prop_assert_eq!(book.balance("аnn"), 0, "nor its look-alike");
        }
    }

    #[test]
    fn slices_are_the_whole_again(whole in -1_000i64..=1_000, count in 1u32..=100) {
        let cut = slices(whole, count);
        prop_assert_eq!(cut.len() as u32, count);
        prop_assert_eq!(cut.iter().sum::<i64>(), whole);
        let (least, most) = (cut.iter().min().unwrap(), cut.iter().max().unwrap());
        prop_assert!(most - least <= 1, "as even as can be");
        prop_assert!(cut.windows(2).all(|pair| pair[0].abs() >= pair[1].abs()), "larger ones first");
    }

    /// The order of slices does not matter.
    #[test]
    fn slices_paid_in_any_order_are_the_whole(seed in 1u64.., of in 1u32..=6) {
        let (mut book, mut dice) = (Book::default(), Dice(seed));
        let mut left: Vec<u32> = (0..of).collect();
        while !left.is_empty() {
            let nth = left.swap_remove(dice.roll(left.len() as u64) as usize);
            for _ in 0..2 {
                let slice = Some(TaskSlice { nth, of });
                let asked = AwardRequest { slice, ..request("ann", "proposal-accepted-by-user", None) };
                book.award(&LedgerCaller::USER, &asked).unwrap();
            }
        }
        prop_assert_eq!(book.balance("ann"), 3);
    }
}
