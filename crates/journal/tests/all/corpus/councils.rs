//! Chapters of councils that are steered: what they have before them, who serves them, what is found in what
//! they say, and how one branches off from another.

use std::collections::BTreeMap;

use synod_core::Command;
use synod_core::command::{Open, Perspectives};
use synod_core::context::Material;
use synod_core::kernel::{
    Actor, Call, Cause, Decision, Digest, Id, MatterId, Nano, Perspective, SettingValue,
};
use synod_core::kernel::{Seat, SeatKind, UndecidedReason};
use synod_core::matter::SummaryBy;
use synod_core::meter::{Limits, Worst};
use synod_core::procedure::council::{self, Fork};

use super::chapters::{WORDS, in_turn};
use super::scribe::{Scribe, call, open, seat, who};

/// Sections that only some charters ask for.
const SECTIONS: &str = r#"
[[brief.first]]
key = "key_points"
ask = "Points."
[[brief.first]]
key = "citations"
ask = "Sources."
[[brief.first]]
key = "context_requests"
ask = "What you need to know."
[[brief.later]]
key = "key_points"
ask = "New points."
[[brief.later]]
key = "what_moved_me"
ask = "What changed your stance."
[[brief.later]]
key = "context_requests"
ask = "What you still need to know."
"#;

/// A panel that grows, unnamed, from several fields; a vote, a debate of what is left, a vote.
fn moot() -> String {
    let rules = r#"name = "moot"
title = "Moot"
summary = "Some are asked, then more; a vote, a debate, a vote."
[turn]
history_chars = { is = 1_000, from = 1_000, to = 8_000 }
[gate]
stance_required = true
required_fields = ["position"]
chars_most = 1_200
moved_by = "what_moved_me"
[ballot]
pass = "> 1/2"
basis = "cast"
quorum = "1/2"
tie = "undecided"
change_needs_argument = true
[watch]
groupthink = true
consensus = ">= 9/10"
confidence = ">= 17/20"
still_rounds = 1
early = { is = 1, from = 0, to = 1 }
[lens]
transforms = ["anonymize", "statistics"]
[tools]
encouraged = ["read_files"]
discouraged = ["ask_other_models"]
reason = "Look for yourself."
[[perspective]]
name = "practice"
view = "what it takes to run it"
[[perspective]]
name = "users"
view = "who lives with it"
[[stage]]
name = "survey"
kind = "speak"
floor = "parallel"
sees = "nothing"
panel = [2, 4]
[[stage]]
name = "first-vote"
kind = "vote"
early = ">= 1/1"
[[stage]]
name = "debate"
kind = "speak"
floor = "parallel"
sees = "earlier-rounds"
rounds = { is = 2, from = 1, to = 4 }
until_clear = ">= 9/10"
until_still = true
[[stage]]
name = "vote"
kind = "vote"
"#;
    [rules, WORDS, SECTIONS].concat()
}

/// Two who are ordered to a side, in two teams, and witnesses who are not.
fn two_teams() -> String {
    let rules = r#"name = "two-teams"
title = "Two teams"
summary = "One attacks, one defends, others bear witness; a vote."
[gate]
stance_required = true
required_fields = ["position"]
chars_most = 500
[ballot]
pass = "> 1/2"
basis = "cast"
quorum = "1/2"
tie = "undecided"
[watch]
still_rounds = 1
early = { is = 0, from = 0, to = 1 }
[roles]
by_seats = ["attack", "attack defence"]
beyond = ["witness"]
[[role]]
name = "attack"
emoji = "🟥"
title = "Attack"
definition = "You are ordered to say NO."
mission = "Break it."
must = ["Name the way it breaks."]
must_not = ["Attack what is not proposed."]
expects = "NO"
[[role]]
name = "defence"
emoji = "🟦"
title = "Defence"
definition = "You are ordered to say YES."
mission = "Mend it."
expects = "YES"
[[role]]
name = "witness"
emoji = "👁"
title = "Witness"
definition = "You say what you think."
mission = "Tell what you know."
[[stage]]
name = "exercise"
kind = "speak"
floor = "teams"
sees = "team"
rounds = { is = 2, from = 1, to = 3 }
[[stage]]
name = "vote"
kind = "vote"
"#;
    [rules, WORDS, SECTIONS].concat()
}

const CACHE: &str = "We should cache every response at the edge for one hour";
const QUEUE: &str = "Put a durable queue between the writers and the database";

fn material(name: &str, text: &str) -> Material {
    Material { name: name.into(), text: text.into() }
}

fn perspective(name: &str, view: &str) -> Perspective {
    Perspective { name: name.into(), view: view.into() }
}

fn moved(settings: &[(&str, u64)]) -> BTreeMap<String, SettingValue> {
    settings.iter().map(|(setting, to)| ((*setting).to_string(), (*to).into())).collect()
}

fn go_on(matter: MatterId) -> Command {
    Command::Council(council::Command::Continue { matter, context: Vec::new(), focus: None, to_end: false })
}

/// Nothing is left out: material, a focus, clerks, a growing panel, requests of every kind, rounds held one by
/// one, votes that change with and without an argument, a synthesis, a late judgement.
pub(super) fn that_asks(it: &mut Scribe) {
    let model = |name: &str| seat(name, SeatKind::Model, "openai:gpt-4.1-mini");
    for name in ["fay", "gus", "hal", "ju", "sam"] {
        it.operator(Command::Enrol { seat: model(name) });
    }
    let strict = Some("Weighs words, not voices.".into());
    it.operator(Command::Enrol { seat: Seat { persona: strict, ..model("jo") } });
    it.adopt(&moot());
    let question = Open {
        judges: vec![who("jo")],
        scribe: Some(who("sam")),
        context: vec![material("load.md", "The index has 40 GB.\nIt grows by « 2 GB » a month.")],
        focus: Some("What does it cost to run? ".into()),
        perspectives: Perspectives::Given(vec![
            perspective("operations", "who is woken at night"),
            perspective("cost", "what a month of it takes"),
        ]),
        stepwise: true,
        synthesis: Some(SummaryBy::Auto),
        ..open(&moot(), "Shall we cache at the edge?", &[], &["ann", "Élodie", "cy", "dee", "eli"])
    };
    for focus in ["\n", &"x".repeat(2001)] {
        let malformed = Open { focus: Some(focus.into()), ..question.clone() };
        it.refused("context/malformed", Actor::Operator, Command::Open(Box::new(malformed)));
    }
    it.opens(question);
    let matter = it.matter();
    let answered = survey(it, matter);
    it.refused("context/pending", Actor::Operator, Command::Resume { matter });
    requests(it, matter, answered);
    it.operator(Command::Resume { matter });
    it.all_vote(&[("ann", "YES"), ("Élodie", "NO"), ("cy", "YES"), ("dee", "NO")]);
    debate(it, matter);
    it.all_say(&[
        ("ann", r#"{"vote":"NO","new_argument":"Dee measured that the cache is cold after each deploy","reason":"cold"}"#),
        ("Élodie", r#"{"vote":"YES","new_argument":"the majority","reason":"so do the others"}"#),
        ("cy", r#"{"vote":"YES","new_argument":"","change_if":"it grows","conditions":["purged « hourly »"],"confidence":0.7}"#),
        ("dee", r#"{"vote":"YES","new_argument":"The pilot in May cut the bill by half","reason":"cheap"}"#),
    ]);
    it.settled(Decision::Passed { option: None });
    it.says("sam", "They want a cache that is purged each hour.", Call::default());
    afterwards(it, matter);
}

/// Two do not agree, so four are asked. Says which of the requests are required, in order.
fn survey(it: &mut Scribe, matter: MatterId) -> Vec<Id> {
    let long = "Every reader waits for the origin, and the origin waits for the disk. ".repeat(6);
    let ann = format!(
        r#"{{"stance":"YES","position":"{CACHE}.","reasoning":"{long}","key_points":["Reads get faster"],
        "citations":[{{"url":"https://example.org/load","title":"Load test","quote":"p99 « 800 ms »"}},"RFC 9111"],
        "context_requests":[{{"query":"How large is the index?","reason":"it decides","priority":"required"}},
        {{"query":"Who runs it?","reason":"nights","priority":"Required"}}],"confidence":0.7}}"#
    );
    it.begins("ann", Worst { tokens: 4000, cost: Some(Nano(9_000_000)) });
    it.says("ann", &ann, call());
    let long = "Nobody knows when a page is stale, and nobody is told when it is. ".repeat(6);
    let elodie = format!(
        r#"{{"stance":"NO","position":"{QUEUE}.","reasoning":"{long}","context_requests":[
        {{"query":"Since when?","reason":"age","priority":"optional"}},
        {{"query":"","reason":"r","priority":"optional"}},{{"query":"q","reason":"","priority":"optional"}},
        {{"query":"q","reason":"r","priority":"urgent « now »"}}],"confidence":0.6}}"#
    );
    it.says("Élodie", &elodie, Call::default());
    it.all_say(&[
        ("cy", r#"{"stance":"YES","position":"Reads are nine of ten.","confidence":0.6}"#),
        ("dee", r#"{"stance":"NO","position":"The cache would be cold.","confidence":0.5}"#),
    ]);
    let judgement = r#"{"agreement":0.4,"common_ground":["Reads are slow"],"disagreements":["ann: cache; élodie: queue"],
        "clusters":["ann, cy: for it"],"nuances":["cy is less sure"],"groupthink":["cy adds little"],
        "summary":"They differ over where the wait is."}"#;
    it.says("jo", judgement, call());
    let digest = r#"{"points_yes":["Reads get faster","Reads are nine of ten","old"],"points_no":["Stale pages","Cold"]}"#;
    it.says("sam", digest, Call::default());
    it.pending(matter)
}

fn requests(it: &mut Scribe, matter: MatterId, required: Vec<Id>) {
    let [size, nights] = required[..] else { panic!("two are required: {required:?}") };
    let supply = |request, text: &str| {
        Command::Council(council::Command::Supply { matter, request, text: text.into() })
    };
    let unknown = "9999.9".parse().expect("an id");
    it.refused("context/unknown-request", Actor::Operator, supply(unknown, "It has 40 GB."));
    it.refused("context/malformed", Actor::Operator, supply(size, " "));
    it.operator(supply(size, "It has 40 GB. "));
    it.refused("context/request-done", Actor::Operator, supply(size, "It has 41 GB."));
    it.operator(Command::Council(council::Command::Waive { matter, request: nights }));
    it.refused(
        "context/request-done",
        Actor::Operator,
        Command::Council(council::Command::Waive { matter, request: nights }),
    );
}

/// Round two moves some, round three nobody.
fn debate(it: &mut Scribe, matter: MatterId) {
    it.operator(Command::Council(council::Command::Continue {
        matter,
        context: vec![material("bill.csv", "month,usd\n2025-05,1200\n")],
        focus: Some("Is it cold after a deploy?".into()),
        to_end: false,
    }));
    it.refused("matter/wrong-status", Actor::Operator, go_on(matter));
    let shout = format!(r#"{{"stance":"YES","position":"{}"}}"#, "Yes! ".repeat(300));
    it.all_say(&[
        ("ann", r#"{"stance":"YES","position":"It can be warmed.","confidence":0.6}"#),
        (
            "Élodie",
            r#"{"stance":"YES","position":"Then yes.","what_moved_me":"the others","confidence":0.5}"#,
        ),
        (
            "cy",
            r#"{"stance":"NEUTRAL","position":"It depends.","what_moved_me":"Nobody has measured a deploy"}"#,
        ),
        ("dee", &shout),
    ]);
    let unreachable = Cause::passing("backend/time-out", "no answer within 110 s");
    it.fails("jo", unreachable, Call::default());
    it.says("sam", "nothing that could be read", Call::default());
    it.operator(Command::Council(council::Command::Synthesise { matter, by: who("ann") }));
    it.says("ann", r#"{"summary":"Not decided yet."}"#, Call::default());
    it.operator(Command::Council(council::Command::Continue {
        matter,
        context: Vec::new(),
        focus: None,
        to_end: true,
    }));
    it.all_say(&[
        (
            "ann",
            r#"{"stance":"YES","position":"Warming takes a minute.","confidence":0.6,
            "context_requests":[{"query":"How long?","reason":"r","priority":"required"}]}"#,
        ),
        ("Élodie", r#"{"stance":"YES","position":"Purges can be told.","confidence":0.5}"#),
        ("cy", r#"{"stance":"NEUTRAL","position":"The bill is small.","confidence":0.6}"#),
        ("dee", r#"{"stance":"NO","position":"It is cold each day.","confidence":0.6}"#),
    ]);
    it.says("jo", r#"{"agreement":0.5,"summary":"Half of them agree."}"#, Call::default());
    it.says("sam", r#"{"points_yes":["Warming is quick"],"points_no":["Cold each day"]}"#, Call::default());
}

fn afterwards(it: &mut Scribe, matter: MatterId) {
    let by = |name: &str| Command::Council(council::Command::Synthesise { matter, by: who(name) });
    it.refused("roster/not-seated", Actor::Operator, by("fay"));
    it.operator(by("cy"));
    it.operator(by("cy")); // asked again: the first is given up
    let synthesis = r#"{"summary":"The council is for a cache.","recommendation":"Cache for an hour.",
        "agreed":["Reads are slow"],"disputed":["Whether it stays warm"],"open_questions":["Who is woken"],
        "next_steps":["Measure","Decide « again »"]}"#;
    it.says("cy", synthesis, call());
    it.refused(
        "matter/no-such-round",
        Actor::Operator,
        Command::Council(council::Command::Judge { matter, by: who("ju"), round: 7 }),
    );
    it.operator(Command::Council(council::Command::Judge { matter, by: who("ju"), round: 1 }));
    it.says("ju", r#"{"agreement":0.5,"summary":"Late, but here."}"#, Call::default());
}

/// A branch that changes nothing.
pub(super) fn fork_of(from: MatterId, round: u32) -> Fork {
    Fork {
        from,
        round,
        charter: None,
        seats: None,
        limits: Limits::default(),
        moved: BTreeMap::new(),
        focus: None,
        stepwise: false,
    }
}

/// The last council of that charter goes on otherwise: from its second round, and from its first by other rules.
pub(super) fn branches(it: &mut Scribe) {
    it.adopt(&two_teams());
    let (from, five) = (it.matter(), ["ann", "Élodie", "cy", "dee", "fay"]);
    let fork = |round| fork_of(from, round);
    let branch = |fork| Command::Council(council::Command::Fork(Box::new(fork)));
    it.refused("matter/no-such-round", Actor::Operator, branch(fork(4)));
    it.operator(branch(Fork {
        seats: Some(five.map(who).to_vec()),
        limits: Limits { calls: Some(40), ..Limits::default() },
        moved: moved(&[("watch.early", 0)]),
        focus: Some("What if it were free?".into()),
        ..fork(2)
    }));
    for name in five {
        it.says(name, r#"{"stance":"YES","position":"Then yes.","confidence":0.8}"#, Call::default());
    }
    it.says("jo", r#"{"agreement":1,"summary":"All agree."}"#, Call::default());
    it.all_vote(&five.map(|name| (name, "YES")));
    it.settled(Decision::Passed { option: None });

    let charter = Some(Digest::of(two_teams().as_bytes()));
    it.operator(branch(Fork { charter, stepwise: true, ..fork(1) }));
    let matter = it.matter();
    it.says("ann", r#"{"stance":"YES","position":"I would rather not."}"#, Call::default());
    it.operator(Command::Stop { matter });
    it.settled(Decision::Undecided(UndecidedReason::Stopped));
}

/// Orders kept and broken, fields found by a clerk, and a round in which there is something of everything.
pub(super) fn ordered_sides(it: &mut Scribe) {
    let eight = ["ann", "Élodie", "cy", "dee", "eli", "fay", "gus", "hal"];
    let optional = open(&two_teams(), "Which cache?", &["Edge", "Origin"], &eight);
    it.refused("charter/plain-question", Actor::Operator, Command::Open(Box::new(optional)));
    let mut opening = open(&two_teams(), "Shall we cache?", &[], &eight);
    opening.question.must = vec!["No downtime".into()];
    it.opens(Open { scribe: Some(who("sam")), perspectives: Perspectives::Generated, ..opening });
    let fields = r#"{"perspectives":["operations: who is woken at night","cost: what a month of it takes"]}"#;
    it.says("sam", fields, Call::default());
    let said = |stance: &str, text: &str, points: &str, sure: &str| {
        format!(r#"{{"stance":"{stance}","position":"{text}","key_points":[{points}],"confidence":{sure}}}"#)
    };
    let shout = "Whatever I am told. ".repeat(30);
    it.all_say(&[
        ("ann", &said("YES", &shout, "", "0.5")),
        ("Élodie", &format!(r#"{{"position":"{shout}"}}"#)),
        ("cy", &said("YES", CACHE, "", "0.9")),
        ("dee", &said("YES", CACHE, "", "0.6")),
        ("eli", &said("NO", QUEUE, "", "0.6")),
        ("fay", &said("NO", "It is not safe yet.", "", "0.6")),
        ("gus", &said("YES", CACHE, "", "0.6")),
        ("hal", &said("NEUTRAL", "I cannot tell.", "", "0.5")),
    ]);
    let (gradual, safe) = (r#""The rollout must be gradual""#, r#""The cache is safe under load""#);
    let unsafe_ = r#""The rollout must be gradual","The cache is not safe under load""#;
    it.all_say(&[
        ("ann", &said("NO", "It breaks on each deploy.", "", "0.5")),
        ("Élodie", &said("NO", "I cannot defend it.", "", "0.5")),
        ("cy", &said("YES", CACHE, &format!("{gradual},{safe}"), "0.95")),
        ("dee", &said("YES", "I agree with cy.", r#""I think the rollout must be gradual""#, "0.6")),
        ("eli", &said("YES", "I now say yes.", "", "0.6")),
        ("fay", &said("NO", "It is not safe yet.", unsafe_, "0.7")),
        (
            "gus",
            &said(
                "YES",
                "The bill falls by half in a month.",
                r#""I think the rollout must be gradual""#,
                "0.5",
            ),
        ),
        ("hal", r#"{"confidence":0.5,"requirements":["no: each deploy drops it"]}"#),
    ]);
    it.all_vote(&[("ann", "YES"), ("Élodie", "YES"), ("cy", "YES"), ("dee", "YES")]);
    it.all_vote(&[("eli", "YES"), ("fay", "NO"), ("gus", "YES"), ("hal", "ABSTAIN")]);
    it.settled(Decision::Passed { option: None });
    // Where there are options, parts that are only for yes or no are given to nobody.
    let source = two_teams()
        .replace("[gate]", "personas = [\"weigh the cost.\"]\n[gate]")
        .replace("[roles]", "[roles]\nyes_no_only = true");
    it.operator(Command::Adopt { source: source.clone() });
    it.opens(open(&source, "Which cache?", &["Edge", "Origin"], &["ann", "cy"]));
    let matter = it.matter();
    it.operator(Command::Stop { matter });
}

/// Talk ends early: all agree, nothing moves, all are sure.
pub(super) fn ways_out(it: &mut Scribe) {
    let in_turn = in_turn();
    let says = |stance: &str, sure: &str| {
        format!(r#"{{"stance":"{stance}","position":"{CACHE}","confidence":{sure}}}"#)
    };
    it.opens(open(&in_turn, "Do all agree?", &[], &["ann", "cy", "dee"]));
    let yes = says("YES", "0.9");
    it.all_say(&[("ann", &yes), ("cy", &yes), ("dee", &yes)]);
    it.all_vote(&[("ann", "YES"), ("cy", "YES"), ("dee", "YES")]);
    it.settled(Decision::Passed { option: None });

    let question = open(&in_turn, "Does anything move?", &[], &["ann", "cy"]);
    it.opens(Open { moved: moved(&[("talk.rounds", 3)]), ..question });
    let no = format!(r#"{{"stance":"NO","position":"{QUEUE}","confidence":0.5}}"#);
    for _ in 0..3 {
        it.all_say(&[("ann", &yes), ("cy", &no)]);
    }
    it.all_vote(&[("ann", "YES"), ("cy", "NO")]);
    it.settled(Decision::Rejected);

    it.opens(open(&in_turn, "Are all sure?", &[], &["ann", "cy", "dee", "eli"]));
    it.all_say(&[("ann", &yes), ("cy", &yes), ("dee", &yes), ("eli", &says("NEUTRAL", "0.9"))]);
    it.all_vote(&[("ann", "YES"), ("cy", "YES"), ("dee", "YES"), ("eli", "NO")]);
    it.settled(Decision::Passed { option: None });
}

/// What clerks say has to be mended, a request is made twice, and what was redacted is not gone on from.
pub(super) fn second_thoughts(it: &mut Scribe) {
    let moot = moot();
    it.opens(Open {
        judges: vec![who("ju")],
        scribe: Some(who("sam")),
        perspectives: Perspectives::Generated,
        ..open(&moot, "Is it worth a second look?", &[], &["ann", "cy"])
    });
    let matter = it.matter();
    let fenced = |json: &str| format!("```json\n{json}\n```");
    it.says("sam", &fenced(r#"{"perspectives":["cost: what it takes"]}"#), Call::default());
    let asks =
        r#","context_requests":[{"query":"How large is it?","reason":"It decides.","priority":"required"}]"#;
    let words = "Whatever it takes. ".repeat(30);
    let says = |stance: &str, more: &str| {
        format!(r#"{{"stance":"{stance}","position":"{words}","confidence":0.5{more}}}"#)
    };
    it.all_say(&[("ann", &says("YES", asks)), ("cy", &says("NO", ""))]);
    let weighed = fenced(r#"{"agreement":85,"summary":"They are at odds."}"#);
    let digested = fenced(r#"{"points_yes":["It is fast."],"points_no":["It is stale."]}"#);
    it.says("ju", &weighed, Call::default());
    it.says("sam", &digested, Call::default());
    for request in it.pending(matter) {
        it.operator(Command::Council(council::Command::Supply {
            matter,
            request,
            text: "It has 40 GB.".into(),
        }));
    }
    it.operator(Command::Resume { matter });
    it.all_vote(&[("ann", "YES"), ("cy", "NO")]);
    it.all_say(&[("ann", &says("YES", asks)), ("cy", &says("NO", ""))]);
    it.says("ju", &weighed, Call::default());
    it.says("sam", &digested, Call::default());
    it.all_vote(&[("ann", "YES"), ("cy", "NO")]);
    it.settled(Decision::Undecided(UndecidedReason::Tie));
    let by_ann = || Command::Council(council::Command::Synthesise { by: who("ann"), matter });
    it.operator(by_ann());
    it.says("ann", &fenced(r#"{"summary":"They parted.","recommendation":"Measure it."}"#), Call::default());
    let late = Fork {
        from: matter,
        round: 2,
        charter: None,
        seats: None,
        limits: Limits::default(),
        moved: moved(&[("debate.rounds", 1)]),
        focus: Some("What does it cost?".into()),
        stepwise: false,
    };
    it.refused(
        "context/no-round-left",
        Actor::Operator,
        Command::Council(council::Command::Fork(Box::new(late))),
    );
    let name = Seat { name: "an\nn".into(), ..seat("ann", SeatKind::Scripted, "script:ann.txt") };
    it.refused("roster/malformed-name", Actor::Operator, Command::Enrol { seat: name });
    let unmaskable = open(&moot, "Is ann right?", &[], &["ann", "cy"]);
    it.refused("roster/unmaskable", Actor::Operator, Command::Open(Box::new(unmaskable)));
    let acts = it.bare(matter);
    it.operator(Command::Redact { matter, acts });
    it.refused("matter/redacted", Actor::Operator, by_ann());
}
