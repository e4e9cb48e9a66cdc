//! The answer: what is recommended, how far seats agree, how many voters they come to.

use expect_test::{Expect, expect};
use synod_core::Command;
use synod_core::command::Open;
use synod_core::house::BriefCache;
use synod_core::kernel::{Actor, Decision, Digest, SeatKind};
use synod_core::matter::Question;
use synod_core::meter::Limits;
use synod_core::view::{AgreementBasis, Recommendation, RepairEffect, Report};
use synod_core::watch::Level;

use crate::world::{World, seat, source, who};

/// Runs a script like that of `check`, on a plain question, and gives what is reported in the end.
fn reported(script: &str) -> (World, Report) {
    let mut lines = script.trim().lines().map(str::trim);
    let words: Vec<&str> = lines.next().unwrap().split_whitespace().collect();
    let mut world = World::new();
    world.careful = false;
    world.open(&source(words[0]), words[1], &[], &words[2..], Limits::default());
    lines.for_each(|line| drop(world.step(line)));
    let report = Report::of(world.house.case(world.matter()).unwrap());
    (world, report)
}

#[track_caller]
fn advises(script: &str, expected: Expect) {
    let (_, report) = reported(script);
    let share = report.agreement.map(|share| format!(" {} of {}", share.part, share.whole));
    let (level, share) = (report.level.word(), share.unwrap_or_default());
    expected.assert_eq(&format!("{}: {} [{level}{share}]", report.advice.action.word(), report.advice.why));
}

/// Statements and then a vote.
fn vote(votes: &[&str]) -> String {
    held("free-debate", 2, votes)
}

/// Rounds of statements under a charter and then a vote.
fn held(charter: &str, rounds: u32, votes: &[&str]) -> String {
    let names = ["ann", "bob", "cid", "dee"];
    let seats = &names[..votes.len()];
    let mut script = format!("{charter} cache {}\n", seats.join(" "));
    // Whoever votes for a side spoke for it: nothing but the vote is told here.
    for _ in 0..rounds {
        for (nth, (name, vote)) in seats.iter().zip(votes).enumerate() {
            let stance = if ["YES", "NO"].contains(vote) { vote } else { "NEUTRAL" };
            // One of them weighs another way, or a result that all agree on would look like groupthink.
            let said = match nth {
                2 => format!(
                    r#"raw {{"stance":"{stance}","position":"{name} says {stance}","reasoning":"the alternative costs more","confidence":0.7}}"#
                ),
                _ => format!("{stance} 0.{}", 5 + nth),
            };
            script.push_str(&format!("{name}: {said}\n"));
        }
    }
    for (name, vote) in seats.iter().zip(votes) {
        script.push_str(&format!("{name}: {vote}\n"));
        if vote.starts_with("raw") {
            script.push_str(&format!("{name}: {vote}\n"));
        }
    }
    script
}

#[test]
fn a_clear_result_without_blemish_may_be_acted_on() {
    advises(
        &vote(&["YES", "YES", "YES"]),
        expect!["proceed: nobody disagreed and nothing degrades it [high 3 of 3]"],
    );
    advises(
        &vote(&["NO", "NO", "NO", "NO"]),
        expect!["reject: nobody was for it and nothing degrades that [high 4 of 4]"],
    );
}

#[test]
fn a_minority_a_gap_or_a_mark_asks_to_look_first() {
    advises(&vote(&["YES", "YES", "YES", "NO"]), expect!["verify: 1 of 4 seats disagreed [high 3 of 4]"]);
    advises(&vote(&["YES", "YES", "NO"]), expect!["verify: 1 of 3 seats disagreed [medium 2 of 3]"]);
    advises(
        &vote(&["YES", "YES", "YES", "fails backend/time-out slow"]),
        expect!["verify: 1 of 4 seats missing an answer (dee) [high 3 of 4]"],
    );
    advises(&vote(&["YES", "YES", "YES", "raw hm"]), expect!["verify: 1 unreadable vote [high 3 of 4]"]);
    advises(
        "devils-advocate cache ann bob cid
         ann: YES
         bob: YES
         cid: NEUTRAL
         ann: YES
         bob: NO
         cid: NEUTRAL
         ann: YES
         bob: YES
         cid: YES",
        expect!["verify: 1 statement marked for breaking the charter [high 3 of 3]"],
    );
}

/// A vote alone does not undo what was said before it.
#[test]
fn who_stood_opposed_and_voted_alike_is_looked_at_first() {
    let opposed = vote(&["YES", "YES", "YES"]).replace("bob: YES 0.6", "bob: NO 0.6");
    advises(
        &opposed,
        expect![
            "verify: 1 vote changed without a new argument; opposite sides in round 2, then the same vote [high 3 of 3]"
        ],
    );
    let (_, report) = reported(&opposed);
    assert_eq!(report.agreement_by, Some(AgreementBasis::Vote));
    assert_eq!(report.marked.len(), 1, "and bob named no argument");
}

/// What a judge was asked for and nobody has is not taken for consent.
#[test]
fn a_judgement_that_is_missing_asks_to_look_first() {
    let judged = |says: &str| {
        let mut world = World::new();
        world.careful = false;
        world.open_with(&source("collaborative"), "cache", &[], &["ann", "bob", "cid"], |open| {
            open.judges.push(who("jo"));
            open.moved.insert("rounds".into(), 1.into());
        });
        for line in ["ann: YES", "bob: NEUTRAL", "cid: YES", says, "ann: YES", "bob: YES", "cid: YES"] {
            world.step(line);
        }
        let report = Report::of(world.house.case(world.matter()).unwrap());
        (report.advice.why.clone(), report)
    };
    let (why, _) = judged("jo: raw {\"agreement\": 0.7, \"summary\": \"Much alike.\"}");
    assert!(!why.contains("judgement"), "{why}");
    let (why, report) = judged("jo: fails backend/time-out slow");
    assert!(why.contains("1 judgement missing"), "{why}");
    assert_eq!(report.advice.action, Recommendation::Verify);
    let (why, report) = judged("jo: raw {\"summary\": \"Hard to say.\"}");
    assert!(why.contains("1 judgement missing"), "{why}");
    let answer = serde_json::to_value(report.answer()).unwrap();
    assert_eq!(answer["evidence"]["judged"][0]["judged"][0]["who"], "jo", "{answer}");
}

/// An answer in which a value was set right degrades the headline; one that was odd in form alone does not.
#[test]
fn answers_that_had_to_be_mended_degrade_the_result() {
    let mend = |said: &str| reported(&vote(&["YES", "YES", "YES"]).replacen("ann: YES 0.5", said, 1)).1;
    let form = mend("ann: raw Here: {'stance': 'YES', 'position': 'Do it.', 'confidence': 0.5,}");
    assert_eq!((form.repaired.len(), form.caveats.as_slice()), (1, &[][..]));
    let value = mend("ann: raw {\"stance\": \"YES\", \"position\": \"Do it.\", \"confidence\": 1.5}");
    assert_eq!(value.caveats, ["1 answer repaired"]);
    assert!(value.headline.contains("[degraded: 1 answer repaired]"), "{}", value.headline);
    assert_eq!(
        (value.advice.action, value.advice.why.as_str()),
        (Recommendation::Verify, "1 answer repaired")
    );
    let asked = vote(&["raw hm", "YES", "YES"]);
    let at = asked.rfind("ann: raw hm").unwrap();
    let (_, again) = reported(&(asked[..at].to_string() + "ann: YES" + &asked[at + 11..]));
    assert_eq!(again.caveats, ["1 answer repaired"], "{:?}", again.repaired);
}

/// What is unknown was not repaired, and half an answer says that it is one.
#[test]
fn what_could_not_be_read_was_not_repaired() {
    let read = |said: &str| reported(&vote(&["YES", "YES", "YES"]).replacen("ann: YES 0.5", said, 1)).1;
    let with = |report: &Report, effect| {
        let rows = report.repaired.iter().flat_map(|row| row.with(effect));
        rows.map(|repair| repair.plainly().to_string()).collect::<Vec<_>>()
    };
    let refusal = read("ann: raw I am sorry, but I cannot help with that.");
    assert!(refusal.caveats.iter().all(|caveat| !caveat.contains("repaired")), "{:?}", refusal.caveats);
    assert_eq!(with(&refusal, RepairEffect::Unread), ["plain text instead of JSON"]);
    let both = read("ann: raw {\"stance\": \"YES/NO\", \"position\": \"Do it.\", \"confidence\": 0.5}");
    assert!(both.caveats.iter().all(|caveat| !caveat.contains("repaired")), "{:?}", both.caveats);
    assert_eq!(with(&both, RepairEffect::Unread), ["the choice could not be read"]);
    assert_ne!(both.advice.action, Recommendation::Proceed, "a side that is unknown is no clear result");
    let half = read("ann: raw {\"stance\": \"YES\", \"confidence\": 0.5, \"position\": \"Do it, beca");
    assert_eq!(half.caveats, ["1 incomplete answer"]);
    assert!(
        with(&half, RepairEffect::Incomplete)[0].contains("raise max_output_tokens"),
        "{:?}",
        half.repaired
    );
    let prose = read("ann: raw My answer is YES.");
    assert!(with(&prose, RepairEffect::Unread).is_empty(), "its choice was found: {:?}", prose.repaired);
}

#[test]
fn without_a_result_there_is_only_to_ask_further() {
    advises("delphi cache ann bob", expect!["query_detail: it is not over [unknown]"]);
    advises(&vote(&["YES", "NO"]), expect!["query_detail: a tie [medium 1 of 2]"]);
    advises(
        &vote(&["YES", "YES", "raw hm", "raw hm"]),
        expect!["query_detail: unreadable votes could change the result [medium 2 of 4]"],
    );
    advises(
        &vote(&["raw hm", "raw hm", "raw hm"]),
        expect!["query_detail: unreadable votes could change the result [unknown]"],
    );
    advises("delphi cache ann bob\nstop", expect!["query_detail: stopped by the operator [unknown]"]);
    advises(&vote(&["YES"]), expect!["query_detail: it is unknown how far the seats agree [unknown]"]);
}

/// Whatever seats vote: nothing unknown, contested, opposed or degraded is ever to be acted on at once.
#[test]
fn nothing_doubtful_is_ever_to_be_acted_on() {
    let ways = ["YES", "NO", "ABSTAIN", "raw hm", "fails backend/time-out slow"];
    let (mut proceed, mut reject) = (0, 0);
    for nth in 0..125 {
        let votes = [ways[nth % 5], ways[nth / 5 % 5], ways[nth / 25]];
        let (_, report) = reported(&vote(&votes));
        if report.advice.action == Recommendation::Proceed {
            proceed += 1;
            assert_eq!(report.level, Level::High, "{votes:?}");
            assert!(report.dissent.is_empty() && report.caveats.is_empty(), "{votes:?}");
            assert!(matches!(report.decision, Some(Decision::Passed { .. })), "{votes:?}");
        }
        if report.advice.action == Recommendation::Reject {
            reject += 1;
            assert_eq!((report.level, report.decision), (Level::High, Some(Decision::Rejected)), "{votes:?}");
        }
        if report.level == Level::Unknown {
            assert_eq!(report.advice.action, Recommendation::QueryDetail, "{votes:?}");
        }
    }
    assert_eq!((proceed, reject), (1, 1), "three for it, or three against it");
}

/// A council of `seat-0`, `seat-1` and so on, of these kinds and models.
fn council(seats: &[(SeatKind, Option<&str>)]) -> World {
    let mut world = World::new();
    let source = source("blind-vote");
    world.submit(Actor::Operator, Command::Adopt { source: source.clone() });
    for (nth, (kind, model)) in seats.iter().enumerate() {
        let mut seat = seat(&format!("seat-{nth}"));
        (seat.kind, seat.model) = (*kind, model.map(str::to_string));
        world.submit(Actor::Operator, Command::Enrol { seat });
    }
    let seats = (0..seats.len()).map(|nth| who(&format!("seat-{nth}"))).collect();
    let question = Question::parse("cache", &[]).unwrap();
    let open = Open::new(question, Digest::of(source.as_bytes()), seats);
    world.submit(Actor::Operator, Command::Open(Box::new(open)));
    world
}

/// A script was written before the question was asked: no program may act on it unseen.
#[test]
fn a_council_of_scripts_says_so() {
    let decided = |kinds: [SeatKind; 2]| {
        let mut world = council(&kinds.map(|kind| (kind, None)));
        for name in ["seat-0", "seat-1"] {
            world.step(&format!("{name}: YES 0.9"));
        }
        Report::of(world.house.case(world.matter()).unwrap())
    };
    let scripts = decided([SeatKind::Scripted; 2]);
    assert!(
        scripts.headline.ends_with("[degraded: scripted answers only, nobody reasoned]"),
        "{}",
        scripts.headline
    );
    assert_eq!(scripts.advice.action, Recommendation::QueryDetail, "{}", scripts.advice.why);
    let mixed = decided([SeatKind::Scripted, SeatKind::CommandLine]);
    assert_eq!(
        (mixed.caveats.len(), mixed.advice.action),
        (0, Recommendation::Proceed),
        "{}",
        mixed.advice.why
    );
}

/// The voters that seats of these models come to, as shown and as a fraction.
fn voters(models: &[Option<&str>]) -> Option<(String, u64, u64)> {
    let seats: Vec<_> = models.iter().map(|model| (SeatKind::Model, *model)).collect();
    let world = council(&seats);
    let report = Report::of(world.house.case(world.matter()).unwrap());
    assert_eq!(report.caveats.len(), usize::from(report.voters.is_some()), "{:?}", report.caveats);
    report.voters.map(|voters| (voters.to_string(), voters.part, voters.whole))
}

#[test]
fn seats_that_share_a_model_come_to_fewer_voters() {
    let (big, small) = (Some("big"), Some("small"));
    let shown = |words: &str, part, whole| Some((format!("{words} independent voters"), part, whole));
    assert_eq!(voters(&[big, big, small]), shown("1.8 of 3", 9, 5));
    assert_eq!(voters(&[big, big, big]), shown("1.0 of 3", 9, 9));
    assert_eq!(voters(&[big, big]), shown("1.0 of 2", 4, 4));
    assert_eq!(voters(&[big, big, None]), shown("1.8 of 3", 9, 5));
    assert_eq!(voters(&[big, small, Some("third")]), None);
    assert_eq!(voters(&[None, None, None]), None, "what is not known is not the same");
    assert_eq!(voters(&[big, small, None, big, big]), None, "only three of five are asked, and they differ");
}

/// The headline names who is missing. Where nobody learns who is who, whoever sums up does not either.
#[test]
fn a_synthesis_is_not_told_who_is_missing_where_names_are_hidden() {
    let script =
        held("delphi", 3, &["YES", "YES", "YES", "fails backend/time-out slow"]).replace("dee", "dorothea");
    let (world, report) = reported(&(script + "synthesize ann"));
    assert!(report.headline.contains("(dorothea)"), "{}", report.headline);
    let ask = world.ask_of("ann").expect("to be asked for a synthesis");
    let told = world.house.brief(ask, &mut BriefCache::default()).unwrap().text();
    assert!(told.contains("1 of 4 seats missing an answer") && !told.contains("dorothea"), "{told}");
}
