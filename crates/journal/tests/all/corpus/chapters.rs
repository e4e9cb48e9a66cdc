//! What the frozen lines tell: a house that comes through everything a house can do.
//!
//! A chapter whose lines are frozen is not played again; it stays as a record of how they came about.
//! Matters end within their chapter, so that a later one finds nothing under way.

use std::collections::BTreeMap;

use synod_core::kernel::{
    Actor, Call, Cause, Decision, Digest, Evidence, Nano, Seat, SeatKind, UndecidedReason, Usage,
};
use synod_core::matter::Pause;
use synod_core::meter::{Limits, Worst};
use synod_core::procedure::council::{self, Fork};
use synod_core::{Command, charter};

use super::scribe::{Chapter, Scribe, call, open, seat, who};
use super::{
    answers, ballots, called, councils, credits, door, hindsight, lore, motions, rings, shop, sources,
    upkeep, vouched,
};

/// The edition that the house was founded with. A later chapter upgrades it.
const FOUNDED: u32 = 2;

/// In the order they were added.
pub(super) const ALL: [Chapter; 38] = [
    ("founding", founding),
    ("refused openings", refused_openings),
    ("a motion that divides", a_motion_that_divides),
    ("options", options),
    ("turned away at the gate", turned_away),
    ("silence", silence),
    ("a budget", a_budget),
    ("rest", rest),
    ("shapes no command line makes", odd_shapes),
    ("words taken away", words_taken_away),
    ("a council that asks", councils::that_asks),
    ("branches", councils::branches),
    ("ordered sides", councils::ordered_sides),
    ("ways out", councils::ways_out),
    ("second thoughts", councils::second_thoughts),
    ("a ring that commits", rings::that_commits),
    ("rings that end otherwise", rings::that_end_otherwise),
    ("words of a ring taken away", rings::words_taken_away),
    ("ballots of every kind", ballots::of_every_kind),
    ("councils that are called", called::councils),
    ("a veto behind closed hands", rings::vetoed_in_secret),
    ("the door", door::turns_away),
    ("hindsight", hindsight::becomes_known),
    ("kinds of motion", kinds_of_motion),
    ("files that are read", sources::are_read),
    ("a wrong key", a_wrong_key),
    ("answers and numbers", answers::answers_and_numbers),
    ("drafts that are votes", stances),
    ("upkeep of a house", upkeep::of_a_house),
    ("who vouched", vouched::signs),
    ("names, and a record that was seen", vouched::names),
    ("issues", shop::of_issues),
    ("credits", credits::are_earned),
    ("canon", lore::of_canon),
    ("leases", lore::of_leases),
    ("weights that are tried", hindsight::weights_are_tried),
    ("motions", motions::are_debated),
    ("motions that are refused", motions::are_refused),
];

pub(super) fn blind_vote() -> &'static str {
    charter::shipped("blind-vote").expect("it ships").source
}

/// The same, with a first vote that asks everyone.
fn asked_twice() -> String {
    blind_vote().replace("stances = true", "stances = false")
}

/// Drafts that are votes already, and one that is unclear.
fn stances(it: &mut Scribe) {
    let draft = |stance: &str| {
        format!(
            r#"{{"reasoning":"It halves the reads.","position":"Cache it.","stance":"{stance}","change_if":"The writes doubled.","confidence":0.8}}"#
        )
    };
    it.opens(open(blind_vote(), "Shall we cache?", &[], &["ann", "cy", "dee"]));
    it.all_say(&[("ann", &draft("YES")), ("cy", &draft("NEUTRAL")), ("dee", &draft("YES"))]);
    it.says("cy", r#"{"reason":"It is cheap.","vote":"YES","confidence":0.6}"#, Call::default());
    it.settled(Decision::Passed { option: None });
    let from = it.matter();
    // Somebody else under the same name: the draft of the first is not the vote of the second.
    it.operator(Command::Enrol { seat: seat("dee", SeatKind::Scripted, "script:other.txt") });
    let seats = Some(["ann", "cy", "dee"].map(who).to_vec());
    let fork = Fork { seats, ..councils::fork_of(from, 1) };
    it.operator(Command::Council(council::Command::Fork(Box::new(fork))));
    it.says("cy", r#"{"reason":"It is cheap.","vote":"YES","confidence":0.6}"#, Call::default());
    it.says("dee", r#"{"reason":"It is dear.","vote":"NO","confidence":0.9}"#, Call::default());
    it.operator(Command::Stop { matter: it.matter() });
    it.settled(Decision::Undecided(UndecidedReason::Stopped));
}

/// What a charter must say and these do not need.
pub(super) const WORDS: &str = r#"
[brief]
checklist = ["Did I answer?"]
[brief.role]
emoji = "🧊"
title = "Member"
definition = "You are one of several."
mission = "Answer."
persistence = "Keep to it."
helpful = "an answer."
not_helpful = "none."
[brief.contract]
must = ["Answer."]
must_not = ["Guess."]
priority = ["Being right."]
failure = "An empty answer is turned away."
[[brief.first]]
key = "position"
ask = "Your answer."
[[brief.first]]
key = "reasoning"
ask = "Why."
[[brief.later]]
key = "position"
ask = "Your answer now."
"#;

/// One after the other, hearing each other; a narrow gate; an equal division fails.
pub(super) fn in_turn() -> String {
    r#"name = "in-turn"
title = "In turn"
summary = "One after the other, twice, then a vote of all seats."
[turn]
absent_after = 1
[gate]
stance_required = true
required_fields = ["position"]
confidence_least = "0.05"
confidence_most = "95%"
chars_most = 160
[ballot]
pass = "> 1/2"
basis = "seats"
quorum = "1/2"
tie = "fails"
[[stage]]
name = "talk"
kind = "speak"
floor = "sequential"
sees = "so-far"
rounds = { is = 2, from = 1, to = 3 }
[[stage]]
name = "vote"
kind = "vote"
"#
    .to_string()
        + WORDS
}

/// Nothing but a vote.
pub(super) fn vote_only(name: &str, rule: &str) -> String {
    format!(
        "name = \"{name}\"\ntitle = \"Vote\"\nsummary = \"A vote.\"\n[ballot]\n{rule}\n\
         [[stage]]\nname = \"vote\"\nkind = \"vote\"\n{WORDS}"
    )
}

fn of_votes() -> String {
    vote_only("of-votes", "pass = \">= 1/2\"\nbasis = \"votes\"\nquorum = \"2/3\"\ntie = \"earlier\"")
}

fn of_present() -> String {
    let rule =
        "pass = \">= 2/3\"\nbasis = \"present\"\nquorum = 0.5\ntie = \"undecided\"\nunparsed_retries = 0";
    vote_only("of-present", rule)
}

fn founding(it: &mut Scribe) {
    it.refused("house/not-founded", Actor::Engine, Command::Tick);
    it.operator(Command::Found { edition: FOUNDED, key: "a5".repeat(32) });
    it.refused(
        "house/already-founded",
        Actor::Operator,
        Command::Found { edition: FOUNDED, key: "5a".repeat(32) },
    );
    it.done(Actor::Engine, Command::Upgrade { edition: FOUNDED }); // it is judged by that already
    it.refused("house/unknown-edition", Actor::Engine, Command::Upgrade { edition: 999 });
    it.refused("charter/flawed", Actor::Operator, Command::Adopt { source: "name = \"Café\"\n".into() });
    it.adopt(blind_vote());
    it.adopt(blind_vote()); // known already: done, and nothing happened
    it.adopt(&asked_twice());
    for source in [in_turn(), of_votes(), of_present()] {
        it.adopt(&source);
    }
    let seats = [
        seat("ann", SeatKind::Model, "openai:gpt-4.1-mini"),
        seat("Élodie", SeatKind::Person, "person"),
        seat("cy", SeatKind::Scripted, "script:cy.txt"),
        seat("dee", SeatKind::CommandLine, "exec:claude -p \"$(cat)\""),
        seat("eli", SeatKind::Rehearsal, "rehearsal"),
    ];
    let changed = Seat {
        model: Some("gpt-4.1-mini".into()),
        profile: None,
        persona: Some("Doubts figures.\n\tAsks \"who measured?\" \\ 😀 \u{1}".into()),
        ..seats[0].clone()
    };
    for seat in seats {
        it.operator(Command::Enrol { seat });
    }
    it.operator(Command::Enrol { seat: changed });
    it.refused("house/not-allowed", Actor::Seat(who("eli")), Command::Tick);
    it.waits(60_000);
}

fn refused_openings(it: &mut Scribe) {
    let with = |seats: &[&str], moved: &[(&str, u64)]| {
        let moved = moved.iter().map(|(setting, to)| ((*setting).to_string(), (*to).into())).collect();
        synod_core::command::Open { moved, ..open(&asked_twice(), "REST or GraphQL?", &[], seats) }
    };
    let unknown = synod_core::command::Open { charter: Digest::of(b"none"), ..with(&["ann"], &[]) };
    for (code, open) in [
        ("charter/unknown", unknown),
        ("charter/unknown-setting", with(&["ann"], &[("volume", 11)])),
        ("charter/fixed-setting", with(&["ann"], &[("drafts.rounds", 2)])),
        ("charter/setting-outside", with(&["ann"], &[("debate.rounds", 7)])),
        ("roster/no-seats", with(&[], &[])),
        ("roster/seat-twice", with(&["ann", "ANN"], &[])),
        ("roster/unknown-seat", with(&["ann", "nobody"], &[])),
    ] {
        it.refused(code, Actor::Operator, Command::Open(Box::new(open)));
    }
    let (matter, ask) = ("m9999".parse().expect("an id"), "9999.9".parse().expect("an id"));
    it.refused("matter/unknown", Actor::Operator, Command::Stop { matter });
    let answer = Command::Answer { ask, salt: None, text: "late".into(), call: Box::default() };
    it.refused("ask/not-open", Actor::Seat(who("ann")), answer);
}

const FIVE: [&str; 5] = ["ann", "Élodie", "cy", "dee", "eli"];

/// Every way of being read, in speech and on a ballot, and votes that change.
fn a_motion_that_divides(it: &mut Scribe) {
    let limits = Limits {
        cost: Nano::parse_usd("2.50").ok(),
        calls: Some(40),
        tokens: Some(200_000),
        time_ms: Some(86_400_000),
    };
    let moved = BTreeMap::from([
        ("debate.rounds".to_string(), 1.into()),
        ("turn.limit_ms".to_string(), 90_000.into()),
    ]);
    let question = open(&asked_twice(), "Shall the API become GraphQL?\nSee api.md.", &[], &FIVE);
    it.opens(synod_core::command::Open { limits, moved, ..question });
    it.begins("ann", Worst { tokens: 4000, cost: Some(Nano(9_000_000)) });
    let json = r#"{"stance":"YES","position":"It would halve the calls.","reasoning":"Measured.",
        "key_points":["one round trip","typed"],"strongest_objection":"Caching is harder.","confidence":0.85}"#;
    it.says("ann", json, call());
    let fenced = "Gladly:\n```json\n{\"stance\":\"NO\",\"position\":\"Caching « dies ».\",\"confidence\":\"60%\"}\n```";
    it.says("Élodie", fenced, Call::default());
    it.all_say(&[
        ("cy", "{'stance': 'NEUTRAL', 'position': 'Unclear', 'confidence': 1.3,}"),
        ("dee", "[STANCE]\nNO\n[POSITION]\nREST is enough.\n[KEY POINTS]\n- known\n- cached"),
        ("eli", "I really cannot tell from here."),
    ]);
    it.all_say(&[
        ("ann", r#"{"vote":"YES","reason":"fewer calls","change_if":"caching matters","confidence":0.9}"#),
        ("Élodie", "```json\n{\"vote\":\"NO\",\"reason\":\"caching\"}\n```"),
        ("cy", "{\"vote\":\"ABSTAIN\",}"),
        ("dee", "Vote: NO\nReason: known"),
        ("eli", "I vote YES."),
    ]);
    it.all_say(&[
        ("ann", r#"{"stance":"YES","position":"Caching can be had at the edge.","confidence":0.9}"#),
        ("Élodie", r#"{"stance":"YES","position":"With persisted queries, yes.","confidence":0.55}"#),
        ("cy", r#"{"stance":"NEUTRAL","position":"Still unclear."}"#),
        ("dee", r#"{"stance":"NO","position":"REST is still enough."}"#),
    ]);
    it.says("eli", r#"{"stance":"YES","position":"Yes."}"#, call());
    it.all_vote(&[("ann", "YES"), ("Élodie", "YES"), ("cy", "ABSTAIN"), ("dee", "NO"), ("eli", "YES")]);
    it.settled(Decision::Passed { option: None });
}

fn options(it: &mut Scribe) {
    let three = ["REST", "GraphQL", "gRPC"];
    // So many agree that the first vote settles it.
    it.opens(open(&asked_twice(), "Which API?", &three, &["ann", "cy", "dee"]));
    for name in ["ann", "cy", "dee"] {
        it.says(name, r#"{"stance":"B","position":"GraphQL.","confidence":1}"#, Call::default());
    }
    it.all_vote(&[("ann", "B"), ("cy", "graphql"), ("dee", "option b")]);
    it.settled(Decision::Passed { option: Some(1) });

    let (of_votes, of_present) = (of_votes(), of_present());
    it.opens(open(&of_votes, "Which API?", &three, &FIVE));
    it.all_vote(&[("ann", "A"), ("Élodie", "A"), ("cy", "B"), ("dee", "C"), ("eli", "NONE")]);
    it.settled(Decision::Undecided(UndecidedReason::Below));

    it.opens(open(&of_votes, "Which API?", &three, &["ann", "cy", "dee", "eli"]));
    it.all_vote(&[("ann", "B"), ("cy", "B"), ("dee", "C"), ("eli", "C")]);
    it.settled(Decision::Passed { option: Some(1) });

    // Asked once more, then read.
    it.opens(open(&of_votes, "Shall we?", &[], &["ann", "cy"]));
    it.says("ann", "It depends. 😀 ".repeat(20).trim(), Call::default());
    it.all_vote(&[("ann", "NO"), ("cy", "NO")]);
    it.settled(Decision::Rejected);

    it.opens(open(&of_present, "Shall we?", &[], &["ann", "cy"]));
    it.all_vote(&[("ann", "YES"), ("cy", "NO")]);
    it.settled(Decision::Undecided(UndecidedReason::Tie));

    // One that cannot be read might have decided it.
    it.opens(open(&of_present, "Shall we?", &[], &["ann", "cy", "dee"]));
    it.all_vote(&[("ann", "YES"), ("cy", "NO")]);
    it.says("dee", "it depends", Call::default());
    it.settled(Decision::Contested);
}

fn turned_away(it: &mut Scribe) {
    it.opens(open(&in_turn(), "Shall we?", &[], &["ann", "cy", "dee", "eli"]));
    let sure = format!(r#"{{"stance":"YES","position":"{}","confidence":0.99}}"#, "Yes! ".repeat(40));
    it.all_say(&[
        ("ann", r#"{"stance":"YES","position":"Yes.","confidence":0.6}"#),
        ("cy", "  \n"),
        ("dee", &"A log line that nobody wants. ".repeat(8)),
        ("eli", &sure),
        ("ann", r#"{"stance":"YES","position":"Yes."}"#),
        ("cy", r#"{"stance":"NO","position":"No.","confidence":0.99}"#),
        ("dee", r#"{"confidence":0.5}"#),
        ("eli", r#"{"stance":"NO","position":"No.","confidence":0.05}"#),
    ]);
    it.all_vote(&[("ann", "YES"), ("cy", "NO"), ("dee", "YES"), ("eli", "NO")]);
    it.settled(Decision::Rejected);
}

fn silence(it: &mut Scribe) {
    // Too late, never begun, out of reach for good: each is not called again, and nobody is left.
    it.opens(open(&in_turn(), "Is anybody there?", &[], &["ann", "cy", "dee"]));
    it.begins("ann", Worst { tokens: 4000, cost: None });
    it.waits(120_000);
    it.waits(3_720_000);
    let lasting = Cause::lasting("backend/http-401", "the key was refused");
    it.fails("dee", lasting, Call { usage: Usage { calls: 1, ..Usage::default() }, ..Call::default() });
    it.settled(Decision::Undecided(UndecidedReason::NoAnswers));

    let of_votes = of_votes();
    it.opens(open(&of_votes, "Is anybody there?", &[], &["ann", "cy", "dee"]));
    it.all_vote(&[("ann", "YES")]);
    it.fails("cy", Cause::passing("backend/time-out", "no answer within 110 s"), call());
    it.fails("dee", Cause::passing("backend/unreachable", "connection refused"), Call::default());
    it.settled(Decision::Undecided(UndecidedReason::Quorum));

    let limits = Limits { time_ms: Some(60_000), ..Limits::default() };
    let question = open(&of_votes, "Is it too late?", &[], &["ann", "cy"]);
    it.opens(synod_core::command::Open { limits, ..question });
    it.waits(60_000);
    it.settled(Decision::Undecided(UndecidedReason::Time));
}

fn a_budget(it: &mut Scribe) {
    let limits =
        Limits { cost: Nano::parse_usd("0.10").ok(), calls: Some(2), tokens: Some(1000), time_ms: None };
    let question = open(&of_votes(), "Can we afford it?", &[], &["ann", "cy"]);
    it.opens(synod_core::command::Open { limits, ..question });
    let worst = |tokens, usd: &str| Worst { tokens, cost: Nano::parse_usd(usd).ok() };
    it.cannot_begin("budget/tokens", "ann", worst(1001, "0.01"));
    it.cannot_begin("budget/price-unknown", "ann", Worst { tokens: 10, cost: None });
    it.cannot_begin("budget/cost", "ann", worst(10, "0.100000001"));
    it.begins("ann", worst(10, "0.04"));
    it.begins("ann", worst(10, "0.04")); // once more: paid for, in the same turn
    it.cannot_begin("budget/calls", "cy", worst(10, "0.01"));
    it.says("ann", "YES", call());
    it.fails("cy", Cause::lasting("budget/calls", "all 2 calls of the budget are made"), Call::default());
    it.settled(Decision::Undecided(UndecidedReason::Quorum));
}

fn rest(it: &mut Scribe) {
    it.opens(open(&of_votes(), "Shall we rest?", &[], &["ann", "Élodie"]));
    let matter = it.matter();
    it.begins("ann", Worst { tokens: 4000, cost: Some(Nano(9_000_000)) });
    it.operator(Command::Pause { matter, why: Pause::Operator });
    it.refused("matter/wrong-status", Actor::Operator, Command::Pause { matter, why: Pause::Operator });
    it.operator(Command::Resume { matter });
    it.done(Actor::Engine, Command::Pause { matter, why: Pause::Interrupted });
    it.operator(Command::Resume { matter });
    it.operator(Command::Stop { matter });
    it.settled(Decision::Undecided(UndecidedReason::Stopped));
}

/// A model that thinks first and looks things up, and one whose key is refused.
fn a_wrong_key(it: &mut Scribe) {
    it.opens(open(&of_votes(), "Is the key right?", &[], &["ann", "cy"]));
    let matter = it.matter();
    let (ask, worst) = (it.ask("ann"), Worst { tokens: 10, cost: None });
    it.done(Actor::Engine, Command::Begin { ask, patience_ms: Some(600_000), worst });
    let looked_up = |tool: &str, source: &str| Evidence {
        digest: None,
        lines: None,
        source: source.into(),
        tool: tool.into(),
        wrong: None,
    };
    let digest = Some(Digest::of(b"fn main() {}"));
    let evidence = vec![
        Evidence { digest, lines: Some((1, 40)), ..looked_up("read_file", "src/main.rs") },
        Evidence { wrong: Some("fetch/host".into()), ..looked_up("fetch_url", "https://example.com/") },
    ];
    it.says("ann", "YES", Call { evidence, ..call() });
    let cause = Cause::lasting("backend/http-401", "api.example.com answered 401: no such key");
    let (ask, call) = (it.ask("cy"), Box::new(call()));
    it.refused(
        "house/not-allowed",
        Actor::Operator,
        Command::Halt { ask, call: call.clone(), cause: cause.clone() },
    );
    it.done(Actor::Engine, Command::Halt { ask, call, cause });
    it.operator(Command::Resume { matter });
    it.says("cy", "YES", Call::default());
    it.settled(Decision::Passed { option: None });
}

/// Commands may come as JSON from anywhere: what is read from there is judged like anything else.
fn odd_shapes(it: &mut Scribe) {
    let mut empty = open(&asked_twice(), "soon gone", &[], &["ann"]);
    empty.question.topic = "".into();
    it.refused("matter/malformed", Actor::Operator, Command::Open(Box::new(empty)));
    let mut shouting = seat("ann", SeatKind::Person, "person");
    shouting.who = serde_json::from_str("\"ANN\"").expect("any text reads as an id");
    it.refused("roster/uncanonical-id", Actor::Operator, Command::Enrol { seat: shouting });
}

fn words_taken_away(it: &mut Scribe) {
    it.opens(open(&of_votes(), "Who may read this?", &["Everybody", "Nobody"], &["ann", "cy", "dee"]));
    let matter = it.matter();
    let one = vec![(matter.0.act, Digest::of(b"any"))];
    it.refused("matter/wrong-status", Actor::Operator, Command::Redact { matter, acts: one });
    it.all_vote(&[("ann", "B"), ("cy", "nobody")]);
    it.fails("dee", Cause::passing("backend/http-400", "the server said: Who may read this?"), call());
    it.settled(Decision::Passed { option: Some(1) });
    it.refused("matter/nothing-to-redact", Actor::Operator, Command::Redact { matter, acts: Vec::new() });
    let acts = it.bare(matter);
    it.operator(Command::Redact { matter, acts });
    it.settled(Decision::Passed { option: Some(1) });
}

fn kinds_of_motion(it: &mut Scribe) {
    let rule = "pass = \"> 1/2\"\nbasis = \"cast\"\nquorum = \"1/2\"\ntie = \"fails\"";
    let source = vote_only("by-kind", rule) + "\n[[motion]]\nname = \"constitutional\"\npass = \">= 2/3\"\n";
    it.adopt(&source);
    let motion = |kind: &str| synod_core::command::Open {
        motion: Some(kind.into()),
        ..open(&source, "Shall we?", &[], &["ann", "cy", "dee", "eli", "Élodie"])
    };
    it.refused("charter/unknown-motion", Actor::Operator, Command::Open(Box::new(motion("budget"))));
    let moved = [("ballot.pass".to_string(), 1.into())].into();
    let other = synod_core::command::Open { moved, ..motion("constitutional") };
    it.refused("charter/other-threshold", Actor::Operator, Command::Open(Box::new(other)));
    it.opens(motion("constitutional"));
    it.all_vote(&[("ann", "YES"), ("cy", "YES"), ("dee", "YES"), ("eli", "NO"), ("Élodie", "NO")]);
    it.settled(Decision::Rejected);
}
