//! Open questions and estimates: what is proposed, merged, ranked and counted, and that nothing of it says YES.

mod detection;
mod numbers;

use serde_json::{Value, json};
use synod_core::context::{AnswerOption, merge};
use synod_core::house::{Item, Reader};
use synod_core::kernel::{Actor, Digest, MatterId};
use synod_core::kernel::{Decision, Number, Spread, UndecidedReason};
use synod_core::matter::QuestionKind;
use synod_core::procedure::council::{self, Fork};
use synod_core::track::Verdict;
use synod_core::view::{Comparison, Did, Recommendation, Report, Thoughts, receipt};
use synod_core::{Command, Outcome, charter};

use crate::random::Dice;
use crate::world::{World, source, who};

const SEATS: [&str; 3] = ["ann", "bob", "cyd"];

/// A matter under a charter, played by lines such as `ann: {…}`.
fn played(charter: &str, seats: &[&str], lines: &[(&str, Value)]) -> World {
    let mut world = World::new();
    world.open_with(&source(charter), "Which queue should we use?", &[], seats, |_| ());
    for (name, said) in lines {
        world.answer(name, &said.to_string());
    }
    world
}

fn report(world: &World) -> Report {
    Report::of(world.house.case(world.matter()).unwrap())
}

fn answer(text: &str) -> Value {
    json!({ "reasoning": format!("because of {text}"), "answer": text, "confidence": 0.9 })
}

fn same(groups: &[&str]) -> Value {
    json!({ "same": groups })
}

fn ranked(letters: &[&str]) -> Value {
    json!({ "vote": letters, "reason": "r", "change_if": "c", "confidence": 0.9 })
}

fn number(best: impl Into<Value>) -> Value {
    json!({ "reasoning": "like the last time", "low": null, "high": null, "best": best.into(), "confidence": 0.8 })
}

/// The letter of an answer on the list.
fn letter(world: &World, text: &str) -> String {
    let case = world.house.case(world.matter()).unwrap();
    let place = case.answers().iter().position(|answer| answer.text == text).unwrap();
    char::from(b'A' + place as u8).to_string()
}

/// No text anywhere in what is shown says that the question was carried.
fn says_yes(value: &Value) -> bool {
    match value {
        Value::String(text) => {
            text.split(|c: char| !c.is_alphanumeric()).any(|word| word == "YES" || word == "yes")
        }
        Value::Array(items) => items.iter().any(says_yes),
        Value::Object(fields) => {
            fields.iter().any(|(key, value)| key != "charter" && key != "rule" && says_yes(value))
        }
        Value::Null | Value::Bool(_) | Value::Number(_) => false,
    }
}

#[test]
fn answers_are_proposed_merged_by_most_and_ranked() {
    let mut world = played(
        "open",
        &SEATS,
        &[("ann", answer("Postgres")), ("bob", answer("PostgreSQL")), ("cyd", answer("Redis"))],
    );
    let (one, other) = (letter(&world, "Postgres"), letter(&world, "PostgreSQL"));
    let group = format!("{one} = {other}");
    world.answer("ann", &same(&[&group]).to_string());
    world.answer("bob", &same(&[&group]).to_string());
    world.answer("cyd", &same(&[]).to_string());
    let case = world.house.case(world.matter()).unwrap();
    let mut texts: Vec<&str> = case.answers().iter().map(|answer| answer.text.as_str()).collect();
    texts.sort_unstable();
    assert_eq!(texts, ["Postgres", "Redis"], "two of three say that it is the same");
    let postgres = case.answers().iter().find(|answer| answer.text == "Postgres").unwrap().clone();
    assert_eq!(postgres.proposers, [who("ann"), who("bob")]);
    assert_eq!(postgres.also, ["PostgreSQL"]);
    let (best, next) = (letter(&world, "Postgres"), letter(&world, "Redis"));
    for name in SEATS {
        world.answer(name, &ranked(&[&best, &next]).to_string());
    }
    let report = report(&world);
    assert!(matches!(report.decision, Some(Decision::Passed { option: Some(_) })), "{}", report.headline);
    assert!(
        report.headline.contains("Postgres") && report.headline.contains("proposed by ann, bob"),
        "{}",
        report.headline
    );
    assert_eq!(report.kind, QuestionKind::Open);
    assert_eq!(report.advice.action, Recommendation::Proceed, "{:?}", report.advice);
    let case = world.house.case(world.matter()).unwrap();
    let shown = json!({ "whole": report.whole(), "receipt": receipt(case, None, Digest([0; 32])) });
    assert!(!says_yes(&shown), "{shown}");
    assert_eq!(shown["receipt"]["answers"][0]["letter"], "A");
    // What a seat said when it compared is among its thoughts, by the words of the list.
    let thoughts = Thoughts::of(case, &who("ann")).unwrap();
    let compared = thoughts.turns.iter().find_map(|turn| match &turn.did {
        Did::Compared(groups) => Some(groups.clone()),
        _ => None,
    });
    let mut compared = compared.unwrap().remove(0);
    compared.sort_unstable();
    assert_eq!(compared, ["PostgreSQL", "Postgres"]);
}

#[test]
fn what_all_propose_is_their_choice_and_needs_no_vote() {
    let world = played(
        "open",
        &SEATS,
        &[("ann", answer("Redis")), ("bob", answer("redis.")), ("cyd", answer(" Redis "))],
    );
    let report = report(&world);
    assert_eq!(report.decision, Some(Decision::Passed { option: Some(0) }));
    assert!(report.ballots.is_empty(), "a vote would only repeat it");
    assert_eq!(report.option(0), "Redis", "the first wording stays");
    assert!(report.headline.contains("proposed by all 3 seats"), "{}", report.headline);
    let agreement = report.agreement.unwrap();
    assert_eq!((agreement.part, agreement.whole), (3, 3));
    assert_eq!(report.confidence.unwrap().get(), 900);
    assert!(!says_yes(&json!(report.whole())));
}

#[test]
fn wordings_that_not_all_see_as_one_are_voted_on() {
    let mut world = played(
        "open",
        &SEATS,
        &[("ann", answer("Redis")), ("bob", answer("Redis")), ("cyd", answer("Use Redis"))],
    );
    for (name, groups) in [("ann", &["A = B"][..]), ("bob", &["A = B"]), ("cyd", &[])] {
        world.answer(name, &same(groups).to_string());
    }
    let case = world.house.case(world.matter()).unwrap();
    assert_eq!(case.answers().len(), 1, "two of three are most");
    assert!(case.decision().is_none(), "cyd says it is not the same, so it is voted on");
    for (name, vote) in [("ann", &["A"][..]), ("bob", &["A"]), ("cyd", &["NONE"])] {
        world.answer(name, &ranked(vote).to_string());
    }
    let report = report(&world);
    assert_eq!(report.decision, Some(Decision::Passed { option: Some(0) }), "{}", report.headline);
    assert_eq!(report.dissenters(), [&who("cyd")]);
}

#[test]
fn one_answer_that_not_all_proposed_can_be_turned_down() {
    let mut lines =
        vec![("ann", answer("Redis")), ("bob", answer("Redis")), ("cyd", json!({ "answer": "none" }))];
    lines.extend(SEATS.map(|name| (name, ranked(&["NONE"]))));
    let report = report(&played("open", &SEATS, &lines));
    assert_eq!(report.decision, Some(Decision::Rejected), "{}", report.headline);
    assert!(
        report.caveats.iter().any(|row| row.contains("1 proposed answer could not be read")),
        "{:?}",
        report.caveats
    );
}

#[test]
fn answers_that_nobody_can_read_decide_nothing() {
    for said in
        [json!({ "answer": "" }), json!({ "answer": "NONE" }), json!({ "answer": "b" }), json!("no idea")]
    {
        let report = report(&played("open", &SEATS, &SEATS.map(|name| (name, said.clone()))));
        assert_eq!(report.decision, Some(Decision::Undecided(UndecidedReason::Unreadable)), "{said}");
        assert_eq!(report.advice.action, Recommendation::QueryDetail);
    }
}

#[test]
fn a_seat_that_does_not_compare_does_not_count_as_one_who_says_they_differ() {
    let mut world = played(
        "open",
        &SEATS,
        &[("ann", answer("Redis")), ("bob", answer("Use Redis")), ("cyd", answer("Kafka"))],
    );
    let group = format!("{} = {}", letter(&world, "Redis"), letter(&world, "Use Redis"));
    world.answer("ann", &same(&[&group]).to_string());
    world.answer("bob", "I cannot tell");
    world.answer("cyd", "neither can I");
    let case = world.house.case(world.matter()).unwrap();
    assert_eq!(case.answers().len(), 2, "all of those who answered say so");
    let report = report(&world);
    assert_eq!(report.unserved.len(), 2, "and who did not answer is shown");
    assert!(report.caveats.iter().any(|row| row.contains("2 seats did not say")), "{:?}", report.caveats);
}

#[test]
fn nobody_sees_an_answer_before_all_are_in_and_nobody_sees_whose_it_is() {
    let mut world = World::new();
    world.open_with(&source("open"), "Which queue should we use?", &[], &SEATS, |_| ());
    world.answer("ann", &answer("Zebra").to_string());
    let told = |world: &World, name: &str| {
        let ask = world.ask_of(name).unwrap();
        world.house.brief(ask, &mut Default::default()).unwrap().text()
    };
    assert!(!told(&world, "bob").contains("Zebra"), "a proposal is blind");
    let case = world.house.case(world.matter()).unwrap();
    let said = &case.said[0];
    for reader in [Reader::Public, Reader::Channel, Reader::Watcher(&who("bob"))] {
        assert!(!case.may_see(reader, Item::Contribution(said)), "{reader:?}");
        let shown = json!(Report::seen_by(case, reader).whole());
        assert!(!shown.to_string().contains("Zebra"), "{reader:?}");
    }
    world.answer("bob", &answer("Yak").to_string());
    world.answer("cyd", &answer("Xerus").to_string());
    for name in SEATS {
        let told = told(&world, name);
        assert!(
            told.contains("Zebra") && told.contains("Which of the") || told.contains("mean the same"),
            "{told}"
        );
        assert!(!told.contains("because of"), "only the answers are compared");
        assert!(!SEATS.iter().any(|seat| told.contains(&format!("{seat}:"))), "{told}");
    }
    for name in SEATS {
        world.answer(name, &same(&[]).to_string());
    }
    let case = world.house.case(world.matter()).unwrap();
    let vote = told(&world, "ann");
    for seat in ["bob", "cyd"] {
        assert!(!vote.contains(seat), "the vote is anonymous: {vote}");
    }
    let shown = Report::seen_by(case, Reader::Public);
    assert!(shown.answers.iter().all(|row| row.proposers.is_empty()), "{:?}", shown.answers);
    for name in SEATS {
        world.answer(name, &ranked(&["A"]).to_string());
    }
    let case = world.house.case(world.matter()).unwrap();
    let shown = Report::seen_by(case, Reader::Public);
    assert!(shown.answers.iter().all(|row| row.proposers.len() == 1), "when it is over everybody may know");
}

#[test]
fn a_branch_after_the_proposals_compares_and_votes_again() {
    let mut lines =
        vec![("ann", answer("Redis")), ("bob", answer("Kafka")), ("cyd", answer("NATS JetStream"))];
    lines.extend(SEATS.map(|name| (name, same(&[]))));
    lines.extend(SEATS.map(|name| (name, ranked(&["A"]))));
    let mut world = played("open", &SEATS, &lines);
    let origin = world.matter();
    let fork = Fork {
        from: origin,
        round: 1,
        charter: None,
        seats: None,
        limits: Default::default(),
        moved: Default::default(),
        focus: None,
        stepwise: false,
    };
    world.submit(Actor::Operator, Command::Council(council::Command::Fork(Box::new(fork.clone()))));
    let branch = world.house.cases().find(|case| case.opening.forked.is_some()).unwrap();
    assert_eq!(branch.answers().len(), 3);
    assert!(branch.asks().len() == 3 && branch.decision().is_none());
    for name in SEATS {
        world.answer(name, &same(&[]).to_string());
    }
    for name in SEATS {
        world.answer(name, &ranked(&["B"]).to_string());
    }
    let of = |id: MatterId| Report::of(world.house.case(id).unwrap());
    let branch = world.house.cases().find(|case| case.opening.forked.is_some()).unwrap().id;
    let compared = Comparison::of(&of(origin), &of(branch));
    assert!(compared.same_question && compared.shared == 1, "{:?}", compared.differs);
    assert!(compared.differs.contains(&"votes"), "{:?}", compared.differs);
    // Under a charter for given options, those found are what to choose from.
    let ranked_choice = source("ranked-choice");
    world.submit(Actor::Operator, Command::Adopt { source: ranked_choice.clone() });
    let other = Fork { charter: Some(Digest::of(ranked_choice.as_bytes())), ..fork };
    let act = world.submit(Actor::Operator, Command::Council(council::Command::Fork(Box::new(other))));
    assert!(matches!(act.outcome, Outcome::Done(_)), "{:?}", act.outcome);
    let last = world.house.cases().last().unwrap();
    assert_eq!((last.kind(), last.opening.question.options.len()), (QuestionKind::Choice, 3));
}

#[test]
fn a_charter_is_for_the_kind_of_question_it_is_for() {
    let refused = |charter: &str, options: &[&str], unit: Option<&str>| {
        let mut world = World::new();
        let act = world.open_with(&source(charter), "t", &[], &SEATS, |open| {
            open.question.options = options.iter().map(ToString::to_string).collect();
            open.question.unit = unit.map(str::to_string);
        });
        match &act.outcome {
            Outcome::Refused { code, .. } => Some(code.to_string()),
            Outcome::Done(_) => None,
        }
    };
    let other = Some("charter/other-kind".to_string());
    assert_eq!(refused("open", &["one", "two"], None), other);
    assert_eq!(refused("open", &[], Some("days")), other);
    assert_eq!(refused("estimate", &[], None), other);
    assert_eq!(refused("blind-vote", &[], Some("days")), other);
    assert_eq!(refused("open", &[], None), None);
    assert_eq!(refused("estimate", &[], Some("days")), None);
    assert_eq!(refused("estimate", &[], Some("10 days")), Some("matter/malformed".into()));
    assert_eq!(refused("estimate", &["one", "two"], Some("days")), Some("matter/malformed".into()));
}

#[test]
fn stages_stand_where_they_can_work() {
    let flaws = |stages: &str| {
        let text = source("open");
        let (head, rest) = text.split_once("[[stage]]").unwrap();
        let rest = &rest[rest.find("[brief").unwrap()..];
        match charter::Charter::parse(&format!("{head}{stages}{rest}")) {
            Ok(_) => Vec::new(),
            Err(flaws) => flaws.into_iter().map(|flaw| flaw.wrong).collect::<Vec<_>>(),
        }
    };
    let stage = |name: &str, kind: &str| format!("[[stage]]\nname = \"{name}\"\nkind = \"{kind}\"\n");
    let all = |kinds: &[&str]| {
        kinds.iter().enumerate().map(|(nth, kind)| stage(&format!("s{nth}"), kind)).collect::<String>()
    };
    assert_eq!(flaws(&all(&["propose", "merge", "vote"])), Vec::<String>::new());
    assert_eq!(flaws(&all(&["propose", "vote"])), Vec::<String>::new());
    assert_eq!(flaws(&all(&["estimate"])), Vec::<String>::new());
    for (kinds, wrong) in [
        (&["merge", "vote"][..], "there is nothing to compare"),
        (&["propose", "propose", "vote"], "answers are proposed twice"),
        (&["vote", "propose", "vote"], "answers are proposed after a vote"),
        (&["estimate", "vote"], "an estimate is the end of a matter"),
        (&["vote", "estimate"], "a charter for numbers has no vote"),
        (&["propose", "merge"], "the last stage is not a vote"),
    ] {
        assert!(
            flaws(&all(kinds)).iter().any(|flaw| flaw.starts_with(wrong)),
            "{kinds:?}: {:?}",
            flaws(&all(kinds))
        );
    }
    let known = flaws(&(stage("a", "propose") + "rounds = 2\n" + &stage("b", "vote")));
    assert!(known[0].contains("proposals are made once"), "{known:?}");
}

#[test]
fn numbers_are_told_back_and_the_result_is_their_middle() {
    let seats = ["ann", "bob", "cyd", "dee", "eli"];
    let first = [("ann", 9), ("bob", 12), ("cyd", 15), ("dee", 40), ("eli", 10)]
        .map(|(name, best)| (name, number(best)));
    let mut world = played("estimate", &seats, &first);
    let ask = world.ask_of("bob").unwrap();
    let told = world.house.brief(ask, &mut Default::default()).unwrap().text();
    assert!(
        told.contains("5 of 5 seats: median 12 days (middle half 10 to 15), lowest 9, highest 40"),
        "{told}"
    );
    assert!(
        !["ann", "cyd", "dee", "eli"]
            .iter()
            .any(|name| told.split(|c: char| !c.is_alphanumeric()).any(|word| word == *name)),
        "nobody is named: {told}"
    );
    for (name, best) in [("ann", 9), ("bob", 12), ("cyd", 15), ("dee", 30), ("eli", 10)] {
        world.answer(name, &number(best).to_string());
    }
    let report = report(&world);
    let found = report.estimate.clone().unwrap();
    assert_eq!(found.words, "median 12 days (middle half 10 to 15), 5 of 5 seats");
    assert_eq!(report.headline, format!("ESTIMATED: {}", found.words));
    assert_eq!(found.width, Some(Number::whole(5)));
    let moved: Vec<&str> = found.seats.iter().filter(|row| row.moved).map(|row| row.who.as_str()).collect();
    assert_eq!(moved, ["dee"]);
    let outside: Vec<&str> =
        found.seats.iter().filter(|row| row.outside).map(|row| row.who.as_str()).collect();
    assert_eq!(outside, ["ann", "dee"]);
    assert_eq!(found.seats[3].reason.as_deref(), Some("like the last time"), "in their own words");
    assert_eq!(report.advice.action, Recommendation::Verify, "{:?}", report.advice);
    let case = world.house.case(world.matter()).unwrap();
    let shown = json!({ "whole": report.whole(), "receipt": receipt(case, None, Digest([0; 32])) });
    assert!(!says_yes(&shown), "{shown}");
    assert_eq!(shown["receipt"]["decision"]["estimated"]["median"], "12");
    assert_eq!(shown["receipt"]["estimate"]["seats"][0]["last"]["best"], "9");
}

#[test]
fn a_round_that_moves_nobody_is_the_last() {
    let mut world = World::new();
    world.open_with(&source("estimate"), "How long?", &[], &SEATS, |open| {
        open.moved.insert("estimates.rounds".into(), 5.into());
    });
    for _ in 0..2 {
        for name in SEATS {
            world.answer(name, &number(7).to_string());
        }
    }
    assert_eq!(report(&world).headline, "ESTIMATED: median 7 days (middle half 7 to 7), 3 of 3 seats");
}

#[test]
fn a_number_that_cannot_be_read_is_unknown_and_never_a_default() {
    let twice = |lines: &[(&'static str, Value)]| lines.iter().chain(lines).cloned().collect::<Vec<_>>();
    let lines = twice(&[("ann", number(10)), ("bob", number("14 days")), ("cyd", number("1.200"))]);
    let found = report(&played("estimate", &SEATS, &lines));
    assert_eq!(found.estimate.clone().unwrap().words, "median 12 days (middle half 11 to 13), 2 of 3 seats");
    assert!(
        found.caveats.contains(&"1 of 3 seats gave no number that could be read".to_string()),
        "{:?}",
        found.caveats
    );
    for unreadable in [json!("2 weeks"), json!("10-20"), json!(null), json!("soon"), json!("plenty")] {
        let lines = twice(&[
            ("ann", number(10)),
            ("bob", number(unreadable.clone())),
            ("cyd", number(unreadable.clone())),
        ]);
        let found = report(&played("estimate", &SEATS, &lines));
        assert_eq!(
            found.decision,
            Some(Decision::Undecided(UndecidedReason::Unreadable)),
            "{unreadable}: {}",
            found.headline
        );
        assert_eq!(found.advice.action, Recommendation::QueryDetail);
    }
}

#[test]
fn a_number_of_an_earlier_round_does_not_stand_for_one_that_is_missing() {
    let mut lines = SEATS.map(|name| (name, number(10))).to_vec();
    lines.extend([("ann", number(20)), ("bob", number(30)), ("cyd", json!("no idea"))]);
    let found = report(&played("estimate", &SEATS, &lines)).estimate.unwrap();
    assert_eq!(found.words, "median 25 days (middle half 22.5 to 27.5), 2 of 3 seats");
    assert_eq!(
        (found.seats[2].first.map(|it| it.best), found.seats[2].last),
        (Some(Number::whole(10)), None)
    );
}

#[test]
fn a_wide_spread_or_low_confidence_asks_for_more() {
    let with = |numbers: [i64; 3], sure: f64| {
        let line = |name, best| (name, json!({ "reasoning": "r", "best": best, "confidence": sure }));
        let round: Vec<_> = SEATS.iter().zip(numbers).map(|(name, best)| line(*name, best)).collect();
        report(&played("estimate", &SEATS, &[round.clone(), round].concat())).advice
    };
    assert_eq!(with([10, 11, 12], 0.9).action, Recommendation::Verify);
    assert_eq!(with([10, 11, 12], 0.4).action, Recommendation::QueryDetail);
    let wide = with([1, 10, 100], 0.9);
    assert_eq!(wide.action, Recommendation::QueryDetail);
    assert!(wide.why.contains("wider than the median"), "{}", wide.why);
}

#[test]
fn what_came_true_is_a_number_and_marks_nobody() {
    let lines: Vec<_> = [10, 12, 20].iter().zip(SEATS).map(|(best, name)| (name, number(*best))).collect();
    let mut world = played("estimate", &SEATS, &[lines.clone(), lines].concat());
    let matter = world.matter();
    let record = |world: &mut World, verdict| {
        let act = world.submit(Actor::Operator, Command::RecordOutcome { matter, verdict });
        matches!(act.outcome, Outcome::Done(_))
    };
    assert!(!record(&mut world, Verdict::Right), "a number is close or far, not right or wrong");
    assert!(!record(&mut world, Verdict::Answer(synod_core::kernel::Choice::No)));
    assert!(record(&mut world, Verdict::Number(Number::whole(14))));
    let outcome = report(&world).outcome.unwrap();
    assert_eq!(
        outcome.was,
        "14 days came true; the median 12 was 2 too low; the middle half 11 to 16 held it"
    );
    assert!(outcome.right.is_empty() && outcome.wrong.is_empty() && outcome.decision_right.is_none());
}

/// Merging depends on what was said, not on who said it first.
#[test]
fn merging_is_the_same_in_whatever_order_seats_answer() {
    let matter: MatterId = world_matter();
    let seats: Vec<_> = (0..6).map(|nth| who(&format!("seat{nth}"))).collect();
    for seed in 1..400u64 {
        let mut dice = Dice(seed.wrapping_mul(0x9E37_79B9_7F4A_7C15) | 1);
        let count = 2 + dice.roll(6) as usize;
        let row = |nth: usize| AnswerOption {
            also: Vec::new(),
            proposers: vec![seats[nth % 6].clone()],
            text: format!("answer {nth}"),
        };
        let answers: Vec<AnswerOption> = (0..count).map(row).collect();
        let groups = |dice: &mut Dice| -> Vec<Vec<u8>> {
            let pairs =
                (0..dice.roll(4)).map(|_| vec![dice.roll(count as u64) as u8, dice.roll(count as u64) as u8]);
            pairs.collect()
        };
        let said: Vec<Vec<Vec<u8>>> = (0..1 + dice.roll(6)).map(|_| groups(&mut dice)).collect();
        let first = merge(matter, &answers, &said, &seats);
        let mut turned = said.clone();
        turned.reverse();
        assert_eq!(merge(matter, &answers, &turned, &seats), first, "seed {seed}: another order of answers");
        // The same list in another order, with letters that follow it.
        let backwards: Vec<AnswerOption> = answers.iter().rev().cloned().collect();
        let flip = |groups: &Vec<Vec<u8>>| -> Vec<Vec<u8>> {
            groups.iter().map(|group| group.iter().map(|at| count as u8 - 1 - at).collect()).collect()
        };
        let flipped: Vec<_> = said.iter().map(flip).collect();
        assert_eq!(
            merge(matter, &backwards, &flipped, &seats),
            first,
            "seed {seed}: another order of the list"
        );
        // Nothing is lost, and nothing is merged that most did not put together.
        let wordings: usize = first.iter().map(|answer| 1 + answer.also.len()).sum();
        assert_eq!(wordings, count, "seed {seed}");
        if said.iter().all(Vec::is_empty) {
            assert_eq!(first.len(), count, "seed {seed}");
        }
    }
}

fn world_matter() -> MatterId {
    played("open", &SEATS, &[]).matter()
}

/// The quartiles, against another way to come by them: every number four times, then the middle of the positions.
#[test]
fn quartiles_equal_an_independent_computation() {
    for seed in 1..500u64 {
        let mut dice = Dice(seed.wrapping_mul(0x9E37_79B9_7F4A_7C15) | 1);
        let cents: Vec<i64> =
            (0..1 + dice.roll(12)).map(|_| dice.roll(2_000_000) as i64 - 1_000_000).collect();
        let written = |cents: i64| {
            let sign = if cents < 0 { "-" } else { "" };
            format!("{sign}{}.{:02}", cents.abs() / 100, cents.abs() % 100)
        };
        let numbers: Vec<Number> = cents.iter().map(|cents| written(*cents).parse().unwrap()).collect();
        let spread = Spread::of(&numbers).unwrap();
        let mut sorted = cents.clone();
        sorted.sort_unstable();
        // In four-hundredths, so that quarters are whole.
        let at = |quarter: usize| {
            let place = (sorted.len() - 1) * quarter;
            let (below, rest) = (sorted[place / 4], (place % 4) as i64);
            let above = sorted[place.div_ceil(4)];
            below * (4 - rest) + above * rest
        };
        let four_hundredths = |number: Number| {
            let text = number.to_string();
            let (whole, part) =
                text.trim_start_matches('-').split_once('.').unwrap_or((text.trim_start_matches('-'), ""));
            let value: i64 = format!("{whole}{part:0<4}").parse::<i64>().unwrap() * 4 / 100;
            if text.starts_with('-') { -value } else { value }
        };
        let found = [spread.lower, spread.median, spread.upper].map(four_hundredths);
        assert_eq!(found, [1, 2, 3].map(at), "seed {seed}: {cents:?}");
        assert!(spread.lower <= spread.median && spread.median <= spread.upper);
    }
    assert_eq!(Spread::of(&[]), None);
}
