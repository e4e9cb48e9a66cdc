//! Behaviours that must hold, one test each.

use synod_core::command::MotionProposal;
use synod_core::kernel::{Choice, Decision, UndecidedReason};
use synod_core::procedure::council::Command;
use synod_core::{Outcome, Task};

use super::chamber::{Chamber, name};
use crate::world::source;

fn refusal(act: &synod_core::Act) -> String {
    match &act.outcome {
        Outcome::Refused { code, message } => format!("{code}: {message}"),
        Outcome::Done(_) => "done".into(),
    }
}

/// A motion that nobody has seconded yet, put by s00.
fn proposed(seats: usize, listed: bool) -> Chamber {
    let mut chamber = Chamber::of(seats);
    let proposal = MotionProposal { by: Some(name("s00")), listed, seconder: None };
    chamber.put_with("parliament-policy", "We buy a bell.", &[], Some(proposal));
    chamber
}

#[test]
fn nobody_seconds_their_own_motion() {
    let mut chamber = proposed(3, true);
    assert_eq!(chamber.status(), "proposed");
    let matter = chamber.matter();
    let act = chamber.command(Command::Second { matter, by: name("s00") });
    assert_eq!(
        refusal(&act),
        "council/own-motion: s00 proposed this motion, so another seat has to second it"
    );
    let act = chamber.command(Command::Second { matter, by: name("eve") });
    assert!(refusal(&act).starts_with("roster/not-seated"), "{}", refusal(&act));
    chamber.command(Command::Second { matter, by: name("s01") });
    assert_eq!(chamber.status(), "seconded");
    let act = chamber.command(Command::Second { matter, by: name("s02") });
    assert!(refusal(&act).starts_with("council/already-seconded"), "{}", refusal(&act));
    chamber.world.step("resume");
    assert_eq!(chamber.status(), "debating");
    // Also where it is seconded as it is put.
    let mut chamber = Chamber::of(3);
    let own = MotionProposal { by: Some(name("s00")), listed: false, seconder: Some(name("s00")) };
    let act = chamber.put_with("parliament-policy", "We buy a bell.", &[], Some(own));
    assert!(refusal(&act).starts_with("council/own-motion"), "{}", refusal(&act));
}

#[test]
fn without_a_second_there_is_no_debate() {
    let mut chamber = proposed(12, false);
    let mut asked = 0;
    while let Some((_, who, Task::Second)) = chamber.asked() {
        assert_ne!(who, name("s00"), "whoever put it is not asked");
        chamber.says("NO");
        asked += 1;
    }
    assert_eq!(asked, 10, "the charter asks ten");
    assert_eq!(chamber.status(), "no-second");
    assert_eq!(chamber.case().decision(), Some(Decision::Undecided(UndecidedReason::NoSecond)));
    assert!(chamber.case().said.is_empty() && chamber.case().ballots.is_empty());
}

#[test]
fn a_seat_that_is_asked_may_second_or_fail() {
    let mut chamber = proposed(4, false);
    chamber.fails();
    chamber.says("perhaps");
    assert_eq!(chamber.status(), "proposed");
    chamber.says("YES");
    assert_eq!(chamber.motion().seconder, Some(name("s03")));
    assert_eq!(chamber.status(), "debating");
    // It keeps its seat: nobody owes a second.
    assert!(chamber.case().absent.is_empty());
}

#[test]
fn a_motion_can_be_withdrawn_or_tabled_before_the_vote() {
    let mut chamber = proposed(3, true);
    let matter = chamber.matter();
    let act = chamber.command(Command::Withdraw { matter, by: Some(name("s01")) });
    assert!(refusal(&act).starts_with("council/not-proposer"), "{}", refusal(&act));
    chamber.command(Command::Withdraw { matter, by: Some(name("s00")) });
    assert_eq!(chamber.status(), "withdrawn");
    let act = chamber.command(Command::Second { matter, by: name("s01") });
    assert!(refusal(&act).starts_with("matter/wrong-status"), "{}", refusal(&act));

    let mut chamber = Chamber::of(3);
    chamber.put("parliament-procedural", "We adjourn.", &[]);
    chamber.says("YES");
    let matter = chamber.matter();
    chamber.command(Command::Table { matter });
    assert_eq!(chamber.status(), "tabled");
    assert_eq!(chamber.case().decision(), Some(Decision::Undecided(UndecidedReason::Tabled)));

    let mut chamber = Chamber::of(3);
    chamber.put("parliament-procedural", "We adjourn.", &[]);
    chamber.speeches(3, |_| "YES");
    assert_eq!(chamber.status(), "voting");
    let matter = chamber.matter();
    let act = chamber.command(Command::Table { matter });
    assert!(refusal(&act).starts_with("council/voting-began"), "{}", refusal(&act));
}

#[test]
fn the_order_is_by_rank_then_by_name_in_every_round() {
    let seats = [("zoe", 1), ("amy", 2), ("bob", 1), ("dan", 0), ("cy", 2)];
    let mut chamber = Chamber::new(&seats.map(|(name, rank)| (name.to_string(), rank)));
    chamber.put("parliament-procedural", "We adjourn.", &[("debate.rounds", "2")]);
    let mut order = Vec::new();
    while let Some((_, who, Task::Speak { round })) = chamber.asked() {
        order.push(format!("{round} {who}"));
        chamber.says("YES");
    }
    let names = ["bob", "zoe", "amy", "cy", "dan"];
    let expected: Vec<String> =
        (1..=2).flat_map(|round| names.map(|name| format!("{round} {name}"))).collect();
    assert_eq!(order, expected);
}

#[test]
fn the_tenth_entry_on_one_side_brings_an_alert_before_the_eleventh() {
    let mut chamber = Chamber::of(15);
    chamber.put("parliament-policy", "We buy a bell.", &[]);
    chamber.speeches(9, |_| "YES");
    assert_eq!(chamber.alerts(), [0; 0]);
    assert_eq!(chamber.ordered(), None, "nine are too few");
    chamber.speeches(1, |_| "YES");
    assert_eq!(chamber.alerts(), [11]);
    assert_eq!(chamber.ordered(), Some(Choice::No));
    assert_eq!(chamber.speeches(5, |_| "YES"), [11, 12, 13]);
}

#[test]
fn a_forced_speaker_who_fails_is_replaced_by_the_next() {
    let mut chamber = Chamber::of(20);
    chamber.put("parliament-policy", "We buy a bell.", &[]);
    chamber.speeches(10, |_| "YES");
    chamber.speeches(1, |_| "YES");
    chamber.fails();
    assert_eq!(chamber.ordered(), Some(Choice::No), "the next one is ordered instead");
    chamber.speeches(2, |_| "YES");
    assert_eq!(chamber.ordered(), None);
    let state = chamber.motion();
    assert_eq!((state.all.no, state.free.no), (3, 0), "three forced speeches in all");
    assert_eq!(state.orders.len(), 4);
}

#[test]
fn a_break_never_leaks_into_the_next_motion() {
    let mut chamber = Chamber::of(12);
    chamber.put("parliament-policy", "We buy a bell.", &[]);
    chamber.speeches(11, |_| "YES");
    assert_eq!(chamber.ordered(), Some(Choice::No));
    let matter = chamber.matter();
    chamber.command(Command::Table { matter });
    chamber.put("parliament-policy", "We buy two bells.", &[]);
    assert_eq!(chamber.ordered(), None);
    assert_eq!(chamber.speeches(10, |_| "YES"), [0; 0]);
    assert_eq!(chamber.alerts(), [11]);
}

#[test]
fn counted_as_the_original_did_forced_speech_feeds_the_next_alert() {
    let mut chamber = Chamber::of(72);
    chamber.put("parliament-legacy", "We buy a bell.", &[]);
    let forced = chamber.speeches(216, |_| "NO");
    assert_eq!(chamber.alerts().len(), 11);
    assert_eq!(forced.len(), 33);
    let state = chamber.motion();
    let team = state.team.as_ref().expect("a red team was called");
    assert_eq!((team.all.yes, team.all.no), (33, 183));
    assert_eq!((team.free.yes, team.free.no), (0, 183));
    chamber.speeches(5, |_| "NO");
    assert_eq!((chamber.motion().all.yes, chamber.motion().all.no), (38, 183));
    assert_eq!((chamber.motion().free.yes, chamber.motion().free.no), (0, 183));
    assert_eq!(chamber.status(), "voting");
    chamber.votes(0, 72);
    assert_eq!(chamber.status(), "failed");
    // What was judged step by step is what a replay of the acts comes to.
    chamber.world.careful = true;
    chamber.world.step("wait 1s");
}

#[test]
fn free_entries_alone_count_and_a_pause_follows_each_break() {
    let mut chamber = Chamber::of(72);
    chamber.put("parliament-constitutional", "We buy a bell.", &[("debate.rounds", "3")]);
    let forced = chamber.speeches(216, |_| "NO");
    assert_eq!(
        forced[..9],
        [11, 12, 13, 24, 25, 26, 37, 38, 39],
        "three speeches, then ten without an order"
    );
    assert_eq!(chamber.motion().free.yes, 0);
}

#[test]
fn nobody_diverges_from_a_stance_they_were_ordered_to_take() {
    let mut chamber = Chamber::of(12);
    chamber.put("parliament-policy", "We buy a bell.", &[]);
    chamber.speeches(12, |_| "NO");
    chamber.speeches(5, |_| "NO");
    // s10 and s11 were forced to speak for it, s00 spoke freely against it.
    while let Some((_, who, Task::Vote { .. })) = chamber.asked() {
        let text = match who.as_str() {
            "s00" => r#"{"vote":"ABSTAIN"}"#,
            "s01" => r#"{"vote":"YES","reason":"the cost was answered"}"#,
            _ => r#"{"vote":"NO"}"#,
        };
        chamber.world.answer(who.as_str(), text);
    }
    let vote = |who: &str| {
        let votes = &chamber.case().ballots[0].votes;
        votes.iter().find(|vote| vote.who == name(who)).expect("a vote").clone()
    };
    assert_eq!(vote("s10").changed_from, None, "forced for it, votes against it");
    assert_eq!(vote("s00").changed_from, Some(Choice::No));
    let report = synod_core::view::MotionView::of(chamber.case()).expect("a motion");
    let rows: Vec<(String, bool)> =
        report.divergences.iter().map(|row| (row.who.to_string(), row.explained)).collect();
    assert_eq!(rows, [("s00".to_string(), false), ("s01".to_string(), true)]);
}

/// How a vote of these numbers ends.
fn ends(charter: &str, yes: usize, no: usize, abstain: usize) -> String {
    let mut chamber = Chamber::of(yes + no + abstain);
    let off = [("parliament.consensus_break.on", "0"), ("red-team.on", "0")];
    let off: &[(&str, &str)] = &off;
    let moved: Vec<(&str, &str)> = off.to_vec();
    chamber.put(charter, "We buy a bell.", &moved);
    chamber.speeches((yes + no + abstain) as u32, |_| "NEUTRAL");
    chamber.votes(yes, no);
    chamber.status().to_string()
}

#[test]
fn thresholds_are_exact_fractions() {
    for (charter, yes, no, abstain, expected) in [
        ("parliament-constitutional", 48, 24, 0, "passed"),
        ("parliament-constitutional", 47, 25, 0, "failed"),
        ("parliament-constitutional", 47, 23, 2, "passed"),
        ("parliament-constitutional+pass=0.67", 48, 24, 0, "failed"),
        ("parliament-procedural", 36, 36, 0, "failed"),
        ("parliament-procedural", 37, 35, 0, "passed"),
        ("parliament-policy", 3, 2, 0, "passed"),
        ("parliament-policy", 0, 0, 72, "failed"),
        ("parliament-legacy+x=y", 11, 61, 0, "failed"),
    ] {
        let charter = charter.strip_suffix("+x=y").unwrap_or(charter);
        let moved = charter.strip_prefix("parliament-legacy").map_or(charter.to_string(), |_| charter.into());
        if charter == "parliament-legacy" {
            continue; // three rounds of 72 are held in a test of their own
        }
        assert_eq!(ends(&moved, yes, no, abstain), expected, "{charter} {yes}/{no}/{abstain}");
    }
}

#[test]
fn a_second_vote_under_another_spelling_is_refused() {
    let mut chamber = Chamber::of(3);
    chamber.put("parliament-procedural", "We adjourn.", &[]);
    chamber.speeches(3, |_| "YES");
    let (ask, ..) = chamber.asked().expect("a vote is asked for");
    chamber.says("YES");
    let call = Box::default();
    let again = synod_core::Command::Answer { ask, call, salt: None, text: "{\"vote\":\"NO\"}".into() };
    let by = synod_core::kernel::Actor::Seat(name(" S00 "));
    let act = chamber.world.submit(by, again).clone();
    assert!(refusal(&act).starts_with("ask/not-open"), "{}", refusal(&act));
    assert_eq!(chamber.case().ballots[0].votes.len(), 1);
}

#[test]
fn real_answers_are_read() {
    let mut chamber = Chamber::of(6);
    chamber.put("parliament-procedural", "We adjourn.", &[("debate.rounds", "1")]);
    // Not a stance: it must not be read as one for it.
    chamber.says("raw STANCE: FORMAL OBJECTION\n\nThis is out of order.");
    assert_eq!(chamber.motion().all.yes, 0);
    chamber.says("raw STANCE: AGAINST\n\nIt is too early.");
    chamber.says("raw **STANCE: FOR**\n\nIt is late.");
    assert_eq!((chamber.motion().all.yes, chamber.motion().all.no), (1, 1));
    chamber.speeches(3, |_| "NEUTRAL");
    chamber.says("raw {\"choice\":\"AYE\"}\nI weighed {both} sides and found {none} wanting.");
    chamber.says("raw **I VOTE NAY.**");
    let votes = &chamber.case().ballots[0].votes;
    assert_eq!(votes.iter().map(|vote| vote.choice).collect::<Vec<_>>(), [Choice::Yes, Choice::No]);
}

#[test]
fn the_same_text_has_the_same_risks_in_every_digest() {
    let motion = "We establish a provisional advisory body. It publishes notes and has no authority.";
    let mut chamber = Chamber::of(25);
    chamber.put("parliament-constitutional", motion, &[("parliament.consensus_break.on", "0")]);
    chamber.speeches(25, |nth| if nth % 2 == 0 { "YES" } else { "NO" });
    let sums = &chamber.motion().sums;
    let words = |nth: usize| sums[nth].risks.iter().map(|risk| risk.word()).collect::<Vec<_>>();
    assert_eq!(
        words(0),
        [
            "SOFT POWER CREEP",
            "INSTITUTIONAL EXPANSION",
            "NARRATIVE CONTROL",
            "NEGATIVE DEFINITION",
            "PERMANENCE BIAS"
        ]
    );
    assert_eq!((sums.len(), words(0)), (2, words(1)));

    let mut capped = Chamber::of(12);
    capped.put("parliament-policy", motion, &[]);
    capped.speeches(11, |nth| if nth % 2 == 0 { "YES" } else { "NO" });
    assert_eq!(capped.motion().sums[0].risks.len(), 3, "the first three");
    let asked = capped.asked().expect("somebody speaks").0;
    let brief = capped.world.house.brief(asked, &mut Default::default()).expect("a brief").text();
    assert_eq!(brief.matches("What would lessen it").count(), 3, "each with one remedy:\n{brief}");
}

#[test]
fn after_a_crash_it_goes_on_with_the_same_break() {
    let mut chamber = Chamber::of(12);
    chamber.put("parliament-policy", "We buy a bell.", &[("debate.rounds", "2")]);
    chamber.speeches(11, |_| "YES");
    let before = chamber.motion().clone();
    chamber.world.step("interrupt");
    assert_eq!(chamber.motion(), &before);
    chamber.world.step("resume");
    assert_eq!(chamber.motion(), &before);
    assert_eq!(chamber.ordered(), Some(Choice::No));
    chamber.speeches(1, |_| "YES");
    assert_eq!(chamber.case().round(), 2);
    assert_eq!(chamber.speeches(2, |_| "YES"), [13], "one forced speech was left");
    assert_eq!(chamber.case().said.len(), 14, "none lost, none doubled");
}

#[test]
fn only_parliaments_have_motions() {
    let mut chamber = Chamber::of(3);
    let proposal = MotionProposal { by: Some(name("s00")), listed: false, seconder: None };
    let act = chamber.put_with("collaborative", "We adjourn.", &[], Some(proposal));
    assert!(refusal(&act).starts_with("council/no-motions"), "{}", refusal(&act));
    chamber.put_with("collaborative", "We adjourn.", &[], None);
    let matter = chamber.matter();
    let act = chamber.command(Command::Table { matter });
    assert!(refusal(&act).starts_with("council/not-a-motion"), "{}", refusal(&act));
    let stranger = MotionProposal { by: Some(name("eve")), listed: false, seconder: None };
    let act = chamber.put_with("parliament-policy", "We adjourn.", &[], Some(stranger));
    assert!(refusal(&act).starts_with("council/not-among-seats"), "{}", refusal(&act));
    let plain = source("collaborative");
    let wrong = plain + "\n[[stage]]\nname = \"team\"\nkind = \"red-team\"\n";
    assert!(synod_core::charter::Charter::parse(&wrong).is_err(), "a red team belongs to motions");
}
