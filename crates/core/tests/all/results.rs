//! What a result says of itself is what happened: each of these was once said wrongly.

use serde_json::Value;
use synod_core::ask::Chore;
use synod_core::ballot::Grade;
use synod_core::kernel::{Actor, Choice, Decision, Digest};
use synod_core::matter::SummaryBy;
use synod_core::procedure::ring::{self, Action};
use synod_core::view::{MatterLine, Recommendation, Report, Thoughts, receipt};
use synod_core::{Command, Task};

use crate::ring::played;
use crate::world::{World, salt_of, source, who};

const SEATS: [&str; 3] = ["ann", "bob", "cy"];

/// A council of three with one round of talk, played to its end.
fn council(charter: &str, options: &[&str], judges: &[&str], lines: &[&str]) -> World {
    council_of(&SEATS, charter, options, judges, lines)
}

fn council_of(seats: &[&str], charter: &str, options: &[&str], judges: &[&str], lines: &[&str]) -> World {
    let mut world = World::new();
    world.careful = false;
    world.open_with(&source(charter), "t", options, seats, |open| {
        open.judges.extend(judges.iter().map(|name| who(name)));
        open.moved.insert("rounds".into(), 1.into());
    });
    lines.iter().for_each(|line| drop(world.step(line)));
    world
}

fn report(world: &World) -> Report {
    Report::of(world.house.case(world.matter()).unwrap())
}

const NEUTRAL: [&str; 3] = ["ann: NEUTRAL", "bob: NEUTRAL", "cy: NEUTRAL"];

#[test]
fn who_did_not_vote_did_not_vote_alike() {
    let why = |bob: &[&str]| {
        let lines = [&["ann: YES", "bob: NO", "cy: YES", "ann: YES", "cy: YES"], bob].concat();
        report(&council("collaborative", &[], &[], &lines)).advice.why
    };
    let alike = "opposite sides in round 1, then the same vote";
    for other in
        [&["bob: fails backend/time-out slow"][..], &["bob: ABSTAIN"], &["bob: raw hm", "bob: raw hm"]]
    {
        assert!(!why(other).contains(alike), "{other:?}: {}", why(other));
    }
    assert!(why(&["bob: YES"]).contains(alike), "{}", why(&["bob: YES"]));
}

/// Ballots that approve of the winner beside others are for it.
#[test]
fn whoever_approves_of_the_winner_voted_for_it() {
    let votes = [
        r#"ann: raw {"vote":["A","B"],"reason":"r","confidence":0.9}"#,
        r#"bob: raw {"vote":["B","C"],"reason":"r","confidence":0.9}"#,
        r#"cy: raw {"vote":["B"],"reason":"r","confidence":0.9}"#,
    ];
    let said = ["ann: B", "bob: B", "cy: B"];
    let options = ["one", "two", "three"];
    let world = council("collaborative+method=approval", &options, &[], &[said, votes].concat());
    let report = report(&world);
    let agreement = report.agreement.unwrap();
    assert_eq!((agreement.part, agreement.whole), (3, 3), "{}", report.headline);
    assert!(!report.advice.why.contains("voted for the result"), "{}", report.advice.why);
    assert!(report.seats.iter().all(|row| row.vote == Some(Choice::Option(1))), "{:?}", report.seats);
}

/// Ann approves of what she spoke for, and of an earlier option beside it. Bob gives up what he spoke for.
#[test]
fn whoever_still_has_it_on_top_did_not_change() {
    let said = ["ann: B", "bob: B", "cy: B"];
    let votes = [r#"ann: raw {"vote":["A","B"]}"#, r#"bob: raw {"vote":["A"]}"#, r#"cy: raw {"vote":["B"]}"#];
    let world = council("collaborative+method=approval", &["one", "two"], &[], &[said, votes].concat());
    let case = world.house.case(world.matter()).unwrap();
    let changed = |name| Thoughts::of(case, &who(name)).unwrap().turns.last().unwrap().changed_from;
    assert_eq!(SEATS.map(changed), [None, Some(Choice::Option(1)), None]);
}

#[test]
fn one_voter_with_the_votes_of_others_is_one_voice() {
    let carried = [
        "ann: YES 0.9",
        r#"bob: raw {"vote":"ABSTAIN","delegate":"ann","reason":"r"}"#,
        r#"cy: raw {"vote":"ABSTAIN","delegate":"ann","reason":"r"}"#,
    ];
    let report = report(&council("collaborative+delegation=true", &[], &[], &[NEUTRAL, carried].concat()));
    assert_eq!(report.ballots[0].tally.as_ref().unwrap().yes, 3);
    let (action, why) = (report.advice.action, report.advice.why);
    assert_eq!(action, Recommendation::Verify, "{why}");
    assert!(why.contains("1 voter cast all 3 votes for the result"), "{why}");
}

/// Everything that is shown of the last matter, but the seals.
fn shown(world: &World) -> Value {
    fn unsealed(value: &mut Value) {
        match value {
            Value::Object(fields) => {
                fields.remove("seal");
                // A turn that is sealed shows its seal.
                fields.retain(|name, value| name != "sealed" || !value.is_string());
                fields.values_mut().for_each(unsealed);
            }
            Value::Array(rows) => rows.iter_mut().for_each(unsealed),
            Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => (),
        }
    }
    let case = world.house.case(world.matter()).unwrap();
    let thoughts: Vec<Thoughts> = SEATS.iter().filter_map(|name| Thoughts::of(case, &who(name))).collect();
    let mut shown = serde_json::json!({ "whole": Report::of(case).whole(), "thoughts": thoughts });
    unsealed(&mut shown);
    shown
}

/// Who voted how cannot be told from a secret vote, whatever is known of the seats: how sure they are, where they stood.
#[test]
fn who_cast_which_secret_vote_changes_nothing_that_is_shown() {
    let sure = ["0.9", "0.9", "0.3"];
    for (charter, sides) in
        [("collaborative", ["YES", "YES", "NO"]), ("collaborative", ["YES", "YES", "ABSTAIN"])]
    {
        let with = |first: usize| {
            let votes =
                [0, 1, 2].map(|nth| format!("{}: {} {}", SEATS[nth], sides[(nth + first) % 3], sure[nth]));
            let said = ["ann: YES", "bob: NO", "cy: NO"];
            let votes = votes.each_ref().map(String::as_str);
            council(&format!("{charter}+secrecy=secret"), &[], &[], &[said, votes].concat())
        };
        let all = [0, 1, 2].map(|first| shown(&with(first)));
        assert_eq!(all[0], all[1], "{sides:?}");
        assert_eq!(all[1], all[2], "{sides:?}");
    }
    let sure = ["ann: YES 0.9", "bob: YES 0.9", "cy: YES 0.9"];
    let agreed = report(&council("collaborative+secrecy=secret", &[], &[], &[NEUTRAL, sure].concat()));
    assert_eq!(agreed.advice.action, Recommendation::Verify, "how sure they are is not shown");
}

/// The same where one seat has two votes.
#[test]
fn who_cast_which_secret_vote_does_not_show_where_votes_are_passed_on() {
    let seats = ["ann", "bob", "cy", "dee", "eli", "fay", "gus"];
    let with = |against: &[&str]| {
        let said = seats.map(|name| format!("{name}: NEUTRAL"));
        let votes = seats.map(|name| match name {
            "cy" => r#"cy: raw {"vote":"ABSTAIN","delegate":"bob"}"#.to_string(),
            name if against.contains(&name) => format!("{name}: NO"),
            name => format!("{name}: YES"),
        });
        let lines: Vec<&str> = said.iter().chain(&votes).map(String::as_str).collect();
        let world = council_of(&seats, "collaborative+secrecy=secret+delegation=true", &[], &[], &lines);
        let tally = report(&world).ballots[0].tally.clone().unwrap();
        assert_eq!((tally.yes, tally.no), (5, 2));
        shown(&world)
    };
    assert_eq!(with(&["bob"]), with(&["ann", "gus"]));
}

/// The same of a ring in which one of three argued against the proposal.
#[test]
fn who_cast_which_secret_vote_of_a_ring_changes_nothing_that_is_shown() {
    let with = |against: &str| {
        let mut world = played(
            "ring-secret cache ann bob cy rounds=1
             all: join
             ann: propose Redis: Put a Redis before it.
             bob: skip
             cy: skip
             ann: say It halves the load.
             bob: react A disagree
             cy: say Fine.",
        );
        let (matter, case) = (world.matter(), world.house.case(world.matter()).unwrap());
        let proposal = case.ring().unwrap().1.table.proposals[0].id;
        for name in SEATS {
            let grade = if name == against { Grade::Reject } else { Grade::Approve };
            let (conditions, changes, rationale) = (Vec::new(), Vec::new(), None);
            let salt = Some(salt_of(name));
            let action = Action::Vote { changes, conditions, grade, proposal, rationale, salt };
            let command = Command::Ring(ring::Command::Participate { matter, action });
            world.submit(Actor::Seat(who(name)), command);
        }
        assert!(report(&world).decision.is_some());
        shown(&world)
    };
    assert_eq!(with("ann"), with("bob"));
    assert_eq!(with("cy"), with("bob"));
}

#[test]
fn a_veto_of_another_proposal_does_not_degrade_the_winner() {
    let world = played(
        "ring-veto cache ann bob cy rounds=1
         all: join
         ann: propose Redis: Put a Redis before it.
         bob: propose Memory: Keep it in memory.
         cy: skip
         ann: say one
         bob: say two
         cy: say three
         ann: vote A reject
         ann: vote B approve
         bob: vote A approve
         bob: vote B approve
         cy: vote A approve
         cy: vote B approve",
    );
    let report = report(&world);
    assert!(report.headline.contains("another proposal was vetoed by ann"), "{}", report.headline);
    assert!(!report.advice.why.contains("vetoed"), "{:?}", report.advice);
}

#[test]
fn a_list_counts_the_rounds_that_an_answer_counts() {
    let failed = SEATS.map(|name| format!("{name}: fails! backend/no-key none"));
    let world = council("collaborative", &[], &[], &failed.each_ref().map(String::as_str));
    let case = world.house.case(world.matter()).unwrap();
    let whole = serde_json::to_value(report(&world).whole()).unwrap();
    assert_eq!(
        whole["answer"]["metadata"]["rounds"],
        MatterLine::of(case).rounds,
        "{}",
        report(&world).headline
    );
}

#[test]
fn one_judge_differs_from_no_other() {
    let judged = |judges: &[&str], says: &[&str]| {
        let (said, votes) = (["ann: YES", "bob: YES", "cy: YES"], ["ann: YES", "bob: YES", "cy: YES"]);
        let lines = [&said[..], says, &votes].concat();
        report(&council("collaborative", &[], judges, &lines)).advice.why
    };
    let half = r#"jo: raw {"agreement": 0.5, "summary": "Not much."}"#;
    let all = r#"kim: raw {"agreement": 0.9, "summary": "Much."}"#;
    let one = judged(&["jo"], &[half]);
    assert!(!one.contains("judges' readings"), "{one}");
    let two = judged(&["jo", "kim"], &[half, all]);
    assert!(two.contains("judges' readings of agreement range from 0.50 to 0.90"), "{two}");
}

#[test]
fn who_was_removed_did_not_leave() {
    let head = "ring-default cache ann bob cy\nall: join\n";
    let told = |line: &str| report(&played(&format!("{head}{line}"))).caveats.join("; ");
    assert!(told("remove cy").ends_with("1 of 3 participants removed (cy)"), "{}", told("remove cy"));
    assert!(told("cy: leave").ends_with("1 of 3 participants left (cy)"), "{}", told("cy: leave"));
}

#[test]
fn nothing_leads_without_a_vote() {
    let none = ["ann: NONE", "bob: NONE", "cy: NONE"];
    let report = report(&council("collaborative", &["one", "two"], &[], &[NEUTRAL, none].concat()));
    assert_eq!(report.headline, "REJECTED: 0 of 3 votes for any option, needs more than 1/2");
}

/// A council that was asked to have itself summed up, played to its vote.
fn summed(charter: &str, more: impl FnOnce(&mut synod_core::command::Open), votes: [&str; 3]) -> World {
    let mut world = World::new();
    world.careful = false;
    world.open_with(&source(charter), "t", &[], &SEATS, |open| {
        open.moved.insert("rounds".into(), 1.into());
        open.synthesis = Some(SummaryBy::Auto);
        more(open);
    });
    NEUTRAL.iter().chain(&votes).for_each(|line| drop(world.step(line)));
    world
}

/// Who is asked to sum up.
fn summarist(world: &World) -> Option<String> {
    let asks = world.house.open_asks();
    let mut asked = asks.filter(|(_, ask)| ask.task() == Some(Task::Clerk(Chore::Synthesise)));
    asked.next().and_then(|(_, ask)| ask.who().map(ToString::to_string))
}

#[test]
fn the_first_on_the_winning_side_sums_up_and_decides_nothing() {
    let votes = ["ann: NO 0.9", "bob: YES 0.9", "cy: YES 0.9"];
    let mut world = summed("collaborative", |_| (), votes);
    let before = report(&world);
    assert_eq!(summarist(&world).as_deref(), Some("bob"));
    world.answer("bob", "They want it. Ann does not.");
    let after = report(&world);
    assert_eq!(after.syntheses[0].1.summary.as_deref(), Some("They want it. Ann does not."), "prose is kept");
    assert_eq!(
        (before.headline, before.caveats, before.advice),
        (after.headline, after.caveats, after.advice)
    );

    let mut failed = summed("collaborative", |_| (), votes);
    failed.step("bob: fails backend/time-out slow");
    let after = report(&failed);
    assert_eq!((after.caveats, after.missing, after.unserved.len()), (Vec::new(), Vec::new(), 1));

    let of = |by| summarist(&summed("collaborative", |open| open.synthesis = by, votes));
    assert_eq!(of(None), None);
    assert_eq!(of(Some(SummaryBy::Seat(who("cy")))).as_deref(), Some("cy"));
    let scribed = summed("collaborative", |open| open.scribe = Some(who("sam")), votes);
    assert_eq!(summarist(&scribed).as_deref(), Some("sam"));
}

/// People read a summary, so JSON that was not asked for comes down to its text.
#[test]
fn a_summary_in_other_json_is_its_text() {
    let votes = ["ann: NO 0.9", "bob: YES 0.9", "cy: YES 0.9"];
    let summed_up = |said: &str| {
        let mut world = summed("collaborative", |_| (), votes);
        world.answer("bob", said);
        report(&world).syntheses[0].1.summary.clone().expect("a summary")
    };
    assert_eq!(summed_up(r#"{"verdict": "They want it."}"#), "They want it.");
    assert_eq!(summed_up("```json\n{\"result\": {\"text\": \"They want it.\"}}\n```"), "They want it.");
    let several = r#"{"verdict": "Do it.", "main_points": ["cheap", "fast"], "score": 0.8, "note": null}"#;
    assert_eq!(summed_up(several), "verdict: Do it.\nmain points: cheap; fast\nscore: 0.8");
    assert_eq!(
        summed_up(r#"{"verdict": "They want it", "why": "It is ch"#),
        "verdict: They want it\nwhy: It is ch"
    );
    // Prose that names an object is prose, and an object without a text has nothing to offer.
    let prose = r#"They want it, and the settings {"ttl": 60} were named by everybody who spoke."#;
    assert_eq!(summed_up(prose), prose);
    assert_eq!(summed_up(r#"{"verdict": null}"#), r#"{"verdict": null}"#);
}

/// Of a secret vote the choice of who sums up would tell who is on the winning side.
#[test]
fn who_sums_up_does_not_tell_who_cast_which_secret_vote() {
    for votes in [["ann: NO", "bob: YES", "cy: YES"], ["ann: YES", "bob: YES", "cy: NO"]] {
        let world = summed("collaborative+secrecy=secret", |_| (), votes);
        assert_eq!(summarist(&world).as_deref(), Some("ann"), "{votes:?}");
    }
}

#[test]
fn the_winners_reasons_and_conditions_are_theirs() {
    let votes = [
        r#"ann: raw {"vote":"YES","reason":"load","conditions":["only with a kill switch","none"],"confidence":0.9}"#,
        r#"bob: raw {"vote":"NO","reason":"cold","conditions":["never"],"confidence":0.9}"#,
        r#"cy: raw {"vote":"YES","reason":"date","conditions":["only with a kill switch"],"confidence":0.9}"#,
    ];
    let report = report(&council("collaborative", &[], &[], &[NEUTRAL, votes].concat()));
    let why: Vec<(&str, Option<&str>)> =
        report.why().into_iter().map(|row| (row.who.as_str(), row.reason)).collect();
    assert_eq!(why, [("ann", Some("load")), ("cy", Some("date"))]);
    let conditions = report.conditions();
    assert_eq!(
        (conditions.len(), conditions[0].text, conditions[0].who.len()),
        (1, "only with a kill switch", 2)
    );
}

/// Why nothing was decided changes nothing that somebody could act on.
#[test]
fn another_reason_for_no_result_is_not_another_result() {
    use synod_core::kernel::{Decision, UndecidedReason};
    assert!(Decision::Undecided(UndecidedReason::Tie).comes_to(Decision::Undecided(UndecidedReason::Quorum)));
    assert!(!Decision::Undecided(UndecidedReason::Tie).comes_to(Decision::Rejected));
    assert!(!Decision::Passed { option: Some(0) }.comes_to(Decision::Passed { option: Some(1) }));
}

#[test]
fn a_comparison_tells_who_is_missing() {
    let with = |lost: &str| {
        let votes = SEATS.map(|name| match name == lost {
            true => format!("{name}: fails backend/time-out slow"),
            false => format!("{name}: YES 0.9"),
        });
        report(&council("collaborative", &[], &[], &[NEUTRAL, votes.each_ref().map(String::as_str)].concat()))
    };
    let compared = synod_core::view::Comparison::of(&with("ann"), &with("bob"));
    assert!(compared.differs.contains(&"missing"), "{:?}", compared.differs);
}

/// A draft or vote with everything a result looks at.
fn raw(name: &str, what: &str, side: &str, more: &str) -> String {
    let (key, words) = if what == "vote" { ("vote", "reason") } else { ("stance", "position") };
    format!(r#"{name}: raw {{"{key}":"{side}","{words}":"r","confidence":0.9{more}}}"#)
}

/// Three who say the same in the same words look like groupthink, which is not what these tests are about.
fn unwatched() -> String {
    source("blind-vote").replace("groupthink = true", "groupthink = false")
}

/// Three drafts under blind-vote, which are the vote.
fn drafts(side: &str, more: &str) -> World {
    let mut world = World::new();
    world.open_with(&unwatched(), "t", &[], &SEATS, |_| ());
    SEATS.iter().for_each(|name| drop(world.step(&raw(name, "draft", side, more))));
    world
}

#[test]
fn what_depends_on_something_is_not_done_at_once() {
    let plain = report(&drafts("YES", r#","strongest_objection":"It may be slow.""#));
    let conditional =
        report(&drafts("YES", r#","strongest_objection":"It may be slow.","conditions":["legal signs"]"#));
    assert_eq!(plain.advice.action, Recommendation::Proceed, "{}", plain.advice.why);
    assert_eq!(conditional.advice.action, Recommendation::Verify);
    assert!(conditional.advice.why.contains("it depends on 1 condition"), "{}", conditional.advice.why);
    assert_eq!(conditional.conditions()[0].who, [&who("ann"), &who("bob"), &who("cy")]);
}

#[test]
fn a_requirement_that_nobody_answers_is_not_met() {
    let advice = |checks: [&str; 3]| {
        let mut world = World::new();
        world.open_with(&unwatched(), "t", &[], &SEATS, |open| {
            open.question.must = vec!["no downtime".into()];
        });
        for (name, check) in SEATS.iter().zip(checks) {
            let more = format!(r#","strongest_objection":"It may be slow.","requirements":["{check}"]"#);
            world.step(&raw(name, "draft", "YES", &more));
        }
        let report = report(&world);
        (report.advice.action, format!("{} {}", report.headline, report.advice.why))
    };
    let (action, told) = advice(["yes: in steps"; 3]);
    assert_eq!(action, Recommendation::Proceed, "{told}");
    let (action, told) = advice(["unclear: no idea"; 3]);
    assert_eq!(action, Recommendation::Verify, "{told}");
    assert!(told.contains("no seat says that the requirement is met: no downtime"), "{told}");
    let (action, told) = advice(["yes: in steps", "yes: in steps", "unclear: no idea"]);
    assert_eq!(action, Recommendation::Verify, "{told}");
    assert!(told.contains("cy did not say whether it meets: no downtime"), "{told}");
}

#[test]
fn who_did_not_vote_in_the_deciding_vote_has_no_vote() {
    let drafts =
        ["ann", "bob", "cy"].map(|name| raw(name, "draft", if name == "ann" { "YES" } else { "NO" }, ""));
    let mut world = council("blind-vote", &[], &[], &drafts.each_ref().map(String::as_str));
    for name in SEATS {
        world.step(&raw(name, "draft", if name == "ann" { "YES" } else { "NO" }, ""));
    }
    for line in ["ann: fails backend/time-out slow", "bob: NO", "cy: NO"] {
        world.step(line);
    }
    let report = report(&world);
    assert_eq!(report.ballots.len(), 2, "{}", report.headline);
    let votes: Vec<Option<Choice>> = report.seats.iter().map(|row| row.vote).collect();
    assert_eq!(votes, [None, Some(Choice::No), Some(Choice::No)]);
}

#[test]
fn the_most_who_voted_alike_are_counted_whatever_came_of_it() {
    let lines = [
        "ann: NO",
        "bob: NO",
        "cy: YES",
        "ann: NO",
        "bob: fails backend/time-out slow",
        "cy: raw hm",
        "cy: raw hm",
    ];
    let report = report(&council("collaborative", &[], &[], &lines));
    let agreement = report.agreement.unwrap();
    assert_eq!((agreement.part, agreement.whole), (1, 3), "{}", report.headline);
}

#[test]
fn options_that_nobody_wants_are_no_tie() {
    let votes = SEATS.map(|name| format!(r#"{name}: raw {{"vote":"NONE","reason":"r","confidence":0.9}}"#));
    let said = ["ann: A", "bob: A", "cy: A"];
    let lines: Vec<&str> = said.into_iter().chain(votes.iter().map(String::as_str)).collect();
    let report = report(&council("ranked-choice", &["one", "two"], &[], &lines));
    assert!(
        report.headline.starts_with("REJECTED") && !report.headline.contains("tied"),
        "{}",
        report.headline
    );
    assert!(!report.advice.why.contains("tie"), "{}", report.advice.why);
}

/// What was assigned and what was said instead both stand in the path of a seat.
#[test]
fn a_seat_that_argues_the_other_side_is_shown_as_doing_so() {
    let lines = ["ann: YES", "bob: YES", "ann: YES", "bob: YES"];
    let mut world = World::new();
    world.open_with(&source("adversarial"), "t", &[], &["ann", "bob"], |_| ());
    lines.iter().for_each(|line| drop(world.step(line)));
    let report = report(&world);
    let stands = report.stands_for();
    let bob = stands.iter().find(|row| *row.who == who("bob")).unwrap();
    assert_eq!((bob.path[0].assigned, bob.path[0].side), (Some(Choice::No), Some(Choice::Yes)));
}

/// A side that was found in running text is no vote before the seat was asked for one.
#[test]
fn a_guessed_side_is_asked_about_before_it_counts() {
    let mut world = World::new();
    world.open_with(&unwatched(), "t", &[], &SEATS, |_| ());
    for name in ["ann", "bob"] {
        world.step(&raw(name, "draft", "YES", ""));
    }
    world.step("cy: raw I vote NO.");
    let case = world.house.case(world.matter()).unwrap();
    let guessed = |said: &synod_core::kernel::StoredContribution| {
        said.repairs.iter().any(|repair| repair.code == synod_core::brief::GUESSED)
    };
    assert!(case.said.iter().any(guessed), "{:?}", case.said.last());
    assert_eq!(case.ballots[0].votes.len(), 2);
    assert!(world.ask_of("cy").is_some() && world.ask_of("ann").is_none());
}

/// A vote below its bar for an early end decides nothing, whatever its count would have been worth as the last one.
#[test]
fn a_first_vote_below_its_bar_decided_nothing() {
    let mut world = World::new();
    world.careful = false;
    world.open_with(&source("blind-vote"), "t", &[], &SEATS, |_| ());
    for (name, side) in SEATS.iter().zip(["YES", "YES", "NO"]) {
        world.answer(name, &format!(r#"{{"stance":"{side}","position":"p","confidence":0.9}}"#));
    }
    let shown = report(&world);
    let first = &shown.ballots[0];
    assert!(first.tally.is_some() && !first.settled && shown.decision.is_none(), "{:?}", first.tally);
    assert_eq!((first.decision, first.margin), (None, None));
    let value = serde_json::to_value(&shown).unwrap();
    assert_eq!(
        (&value["ballots"][0]["decision"], &value["ballots"][0]["settled"]),
        (&Value::Null, &false.into())
    );
    world.step("stop");
    let shown = report(&world);
    assert!(
        shown.headline.contains("UNDECIDED") && shown.headline.contains("to settle it"),
        "{}",
        shown.headline
    );
    assert!(!shown.headline.contains("needs more than 1/2"), "{}", shown.headline);
}

/// Unknown is its own level: a clear count by seats that say nothing about how sure they are is nothing to act on.
#[test]
fn a_result_whose_winners_never_said_how_sure_they_are_is_asked_about() {
    // With three there would be a group, and signs of what groups do.
    let two = ["ann", "bob"];
    let advice = |side: &str, sure: [&str; 2]| {
        let vote =
            |(name, sure): (&&str, &str)| format!(r#"{name}: raw {{"vote":"{side}","reason":"r"{sure}}}"#);
        let votes: Vec<String> = two.iter().zip(sure).map(vote).collect();
        let lines: Vec<&str> = NEUTRAL[..2].iter().copied().chain(votes.iter().map(String::as_str)).collect();
        report(&council_of(&two, "collaborative", &[], &[], &lines)).advice
    };
    let sure = r#","confidence":0.9"#;
    for (side, clear) in [("NO", Recommendation::Reject), ("YES", Recommendation::Proceed)] {
        assert_eq!(advice(side, [sure; 2]).action, clear, "{side}");
        let unknown = advice(side, [""; 2]);
        assert_eq!(unknown.action, Recommendation::QueryDetail, "{side}: {}", unknown.why);
        let some = advice(side, [sure, ""]);
        assert_eq!(some.action, Recommendation::Verify, "{side}: {}", some.why);
        assert!(some.why.contains("not everyone on the winning side stated a confidence"), "{}", some.why);
    }
}

/// A number that never came counts once and alike: in the spread, among the missing and among the caveats.
#[test]
fn a_missing_number_is_counted_alike_everywhere() {
    let mut world = World::new();
    world.careful = false;
    world.open_with(&source("estimate"), "How many days?", &[], &SEATS, |open| {
        open.moved.insert("rounds".into(), 1.into());
    });
    world.answer("ann", r#"{"best":10,"low":8,"high":12,"reasoning":"r","confidence":0.9}"#);
    world.answer("bob", r#"{"best":12,"low":8,"high":14,"reasoning":"r","confidence":0.9}"#);
    world.step("cy: fails backend/time-out slow");
    let shown = report(&world);
    let found = shown.estimate.as_ref().unwrap();
    assert_eq!((found.counted, found.of, shown.missing.len()), (2, 3, 1), "{}", shown.headline);
    assert_eq!(
        shown.caveats.iter().filter(|line| line.contains("1 of 3 seats")).count(),
        1,
        "{:?}",
        shown.caveats
    );
}

/// The first vote was counted whole; what was missing is the vote after the debate.
#[test]
fn a_last_vote_that_was_never_held_had_nobody_missing_in_the_first() {
    let mut world = World::new();
    world.careful = false;
    world.open_with(&source("blind-vote"), "t", &[], &SEATS, |open| open.limits.calls = Some(4));
    for (name, side) in SEATS.iter().zip(["YES", "NO", "YES"]) {
        world.answer(name, &format!(r#"{{"stance":"{side}","position":"p","confidence":0.9}}"#));
    }
    for line in ["ann: fails! budget/calls spent", "bob: fails! budget/calls spent", "cy: YES"] {
        world.step(line);
    }
    let shown = report(&world);
    let Some(Decision::Undecided(_)) = shown.decision else { panic!("{}", shown.headline) };
    assert!(shown.headline.contains("too few seats were left to vote"), "{}", shown.headline);
    let case = world.house.case(world.matter()).unwrap();
    let receipt = receipt(case, None, Digest::of(b"x")).unwrap();
    let first = &shown.ballots[0];
    assert!(
        first.tally.is_some() && (shown.ballots.len() > 1 || receipt.tally.is_none()),
        "{}",
        shown.headline
    );
}

#[test]
fn those_who_all_abstain_agree_on_nothing() {
    let lines = [NEUTRAL, ["ann: ABSTAIN", "bob: ABSTAIN", "cy: ABSTAIN"]].concat();
    let shown = report(&council("collaborative", &[], &[], &lines));
    assert_eq!((shown.agreement, shown.advice.why.as_str()), (None, "nobody took a side"));
}
