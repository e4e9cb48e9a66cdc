//! The ring: phases, turns, what lies on the table, the vote.
//!
//! Here is how scripts are written; what they prove stands by topic in the files below.

mod charters;
mod ends;
mod invariants;
mod phases;
mod presets;
mod prompts;
mod redaction;
mod refusals;
mod rests;
pub(crate) mod sessions;
mod table;
mod turns;
mod votes;

use std::fmt::Write as _;

use expect_test::expect;
use synod_core::Outcome;
use synod_core::ballot::Grade;
use synod_core::kernel::Reaction;
use synod_core::kernel::{AskId, Id, text};
use synod_core::procedure::ring::Action;
use synod_core::procedure::ring::Remark;
use synod_core::view::Session;

use crate::world::{World, check, each, source, who};

/// What a participant does, as a script writes it: `join`, `leave`, `ack`, `say WORDS`, `ask WORDS`, `sum WORDS`,
/// `propose TITLE: WORDS`, `amend A WORDS`, `accept 1`, `decline 1`, `react A agree`, `release`, `skip`, `vote A approve`.
/// A `+` at the end of a verb keeps the floor. `@ID` before it names another turn than one's own.
pub(crate) fn part(world: &World, name: &str, written: &str) -> Action {
    let (ask, written) = match written.strip_prefix('@') {
        Some(rest) => {
            let (id, rest) = rest.split_once(' ').unwrap();
            let other =
                world.ask_of(id).unwrap_or_else(|| AskId(id.parse().unwrap_or("9999".parse().unwrap())));
            (other, rest)
        }
        None => (world.ask_of(name).unwrap_or(AskId("9999".parse().unwrap())), written),
    };
    let (verb, rest) = written.split_once(' ').unwrap_or((written, ""));
    let keep = verb.ends_with('+');
    let table = &world.house.case(world.matter()).unwrap().ring().unwrap().1.table;
    let proposal = |letter: &str| {
        let found = table.proposals.iter().find(|proposal| proposal.letter().to_string() == letter);
        found.map_or("9999".parse().unwrap(), |found| found.id)
    };
    let amendment = |nth: &str| {
        let all = table.proposals.iter().flat_map(|proposal| &proposal.amendments);
        all.map(|change| change.id).nth(nth.parse::<usize>().unwrap() - 1).unwrap_or("9999".parse().unwrap())
    };
    let (first, more) = rest.split_once(' ').unwrap_or((rest, ""));
    let say = |kind| Action::Say { ask, keep, kind, text: rest.into(), to: None };
    match verb.trim_end_matches('+') {
        "join" => Action::Join,
        "leave" => Action::Leave,
        "ack" => Action::Acknowledge { ask },
        "say" => say(Remark::Opinion),
        "ask" => say(Remark::Question),
        "sum" => say(Remark::Synthesis),
        "long" => Action::Say {
            ask,
            keep,
            kind: Remark::Opinion,
            text: "x".repeat(rest.parse().unwrap()),
            to: None,
        },
        "propose" => {
            let (title, text) = rest.split_once(": ").unwrap_or((rest, rest));
            Action::Propose { ask, keep, text: text.into(), title: title.into() }
        }
        "amend" => Action::Amend { ask, keep, proposal: proposal(first), text: more.into(), why: None },
        "accept" | "decline" => {
            Action::Rule { accept: verb == "accept", amendment: amendment(first), why: None }
        }
        "react" => {
            let word = text::fold(more);
            let reaction = Reaction::ALL.into_iter().find(|known| known.word() == word).unwrap();
            Action::React { ask, keep, reaction, text: None, to: proposal(first).0 }
        }
        "answer" => {
            let said = &world.house.case(world.matter()).unwrap().said;
            let last: Option<Id> = said.last().map(|said| said.id);
            Action::Say { ask, keep, kind: Remark::Opinion, text: rest.into(), to: last }
        }
        "release" => Action::Release { ask },
        "skip" => Action::Skip { ask, why: None },
        "vote" => {
            let word = text::fold(more);
            let grade = Grade::ALL.into_iter().find(|known| text::fold(known.word()) == word).unwrap();
            let (conditions, changes, rationale, salt) = (Vec::new(), Vec::new(), None, None);
            Action::Vote { changes, conditions, grade, proposal: proposal(first), rationale, salt }
        }
        other => panic!("{} does {other}?", who(name)),
    }
}

/// Shows where the ring is: what a line `?` asks for.
pub(crate) fn show_phase(log: &mut String, world: &World) {
    let session = Session::of(world.house.case(world.matter()).unwrap()).unwrap();
    let reason = session.reason.map(|why| format!(": {why}")).unwrap_or_default();
    let carried = session.committed.and_then(|id| session.proposal(id));
    let carried = carried.map(|row| format!(": {}, {}", row.letter, row.text)).unwrap_or_default();
    let _ = writeln!(log, "= {}{reason}{carried}", session.phase);
}

/// A script that begins in a phase: all have joined, in DISCUSSING the first has proposed, in VOTING all have
/// said something once, which takes `rounds=1`. `head` is the first line of a script. The log begins with `script`.
fn at(phase: &str, head: &str, script: &str) -> String {
    let names: Vec<&str> = head.split_whitespace().skip(2).filter(|word| !word.contains('=')).collect();
    let mut lines = vec![head.to_string()];
    if phase != "GATHERING" {
        lines.push("all: join".into());
    }
    if phase == "DISCUSSING" || phase == "VOTING" {
        lines.push(format!("{}: propose Redis: Put a Redis before it.", names[0]));
        lines.extend(names[1..].iter().map(|name| format!("{name}: skip")));
    }
    if phase == "VOTING" {
        lines.extend(names.iter().map(|name| format!("{name}: say {name} has a word")));
    }
    lines.push("---".into());
    lines.push(script.into());
    lines.join("\n")
}

/// The house in which a script was played; every line of it was allowed.
pub(crate) fn played(script: &str) -> World {
    let mut lines = script.trim().lines().map(str::trim).filter(|line| !matches!(*line, "" | "---" | "?"));
    let head: Vec<&str> = lines.next().unwrap().split_whitespace().collect();
    let (settings, seats): (Vec<&str>, Vec<&str>) = head[2..].iter().partition(|word| word.contains('='));
    let mut world = World::new();
    world.open_with(&source(head[0]), head[1], &[], &seats, |open| {
        let moved = settings.iter().filter_map(|setting| setting.split_once('='));
        open.moved = moved.map(|(knob, to)| (knob.to_string(), to.parse().unwrap())).collect();
    });
    for line in lines.flat_map(|line| each(line, &seats)) {
        let act = world.step(&line);
        assert!(matches!(act.outcome, Outcome::Done(_)), "{line}: {:?}", act.outcome);
    }
    world
}

#[test]
fn from_gathering_to_committed() {
    check(
        "ring-default cache ann bob cy rounds=1
         bob: join
         ann: join
         cy: join
         ann: propose Redis: Put a Redis before the database.
         bob: skip
         cy: skip
         ann: ack
         ann: say It halves the load.
         bob: amend A Put a Redis before the database, with a TTL of 60 s.
         cy: react A agree
         ann: accept 1
         ann: vote A approve
         bob: vote A approve_with_concerns
         cy: vote A reject",
        expect![[r#"
            opened for 3 seats
            stage gathering
            asked ann to Join until 5:00
            asked bob to Join until 5:00
            asked cy to Join until 5:00
            > bob: join
            bob joined from round 1
            > ann: join
            ann joined from round 1
            > cy: join
            cy joined from round 1
            stage proposing
            asked ann to Propose until 2:00
            asked bob to Propose until 2:00
            asked cy to Propose until 2:00
            > ann: propose Redis: Put a Redis before the database.
            ann proposed 1: Redis
            released
            > bob: skip
            skipped
            > cy: skip
            skipped
            stage discussing
            round 1 opened
            called ann until 2:00
            > ann: ack
            begun until 2:00
            > ann: say It halves the load.
            ann said opinion
            released
            called bob until 2:00
            > bob: amend A Put a Redis before the database, with a TTL of 60 s.
            bob would change version 1
            released
            called cy until 2:00
            > cy: react A agree
            cy reacted agree
            released
            round 1 closed: 3 answered, 0 lapsed
            left: all rounds done
            stage converging
            asked ann to Weigh until 2:00
            > ann: accept 1
            change accepted: true
            stage voting
            ballot opened: >= 60/100 of votes
            asked ann to vote
            asked bob to vote
            asked cy to vote
            > ann: vote A approve
            ann graded APPROVE
            > bob: vote A approve_with_concerns
            bob graded APPROVE_WITH_CONCERNS
            > cy: vote A reject
            cy graded REJECT
            counted [1, 1, 0, 0, 1] Passed { option: None }
            ballot closed: yes 2 no 1 abstain 0 options [] unparsed 0 missing 0: Passed { option: Some(0) }, settles true
            settled Passed { option: Some(0) }
        "#]],
    );
}

/// The guide tells this session. What it quotes is what happens.
#[test]
fn the_guide_tells_a_session_as_it_goes() {
    let guide = include_str!("../../../../docs/consensus.md");
    let (_, rest) = guide.split_once("```text\n").expect("the guide has a log");
    let (told, _) = rest.split_once("```").expect("that ends");
    let done = told.lines().filter_map(|line| line.strip_prefix("> "));
    let script: Vec<&str> = std::iter::once("ring-default cache ann bob cy rounds=1").chain(done).collect();
    assert_eq!(crate::world::log(&script.join("\n")), told);
}
