//! The ring: phases, turns, what lies on the table, the vote.
//!
//! Here is how scripts are written; what they prove stands by topic in the files below.

mod invariants;
mod sessions;

use expect_test::expect;
use synod_core::ballot::Grade;
use synod_core::command::Part;
use synod_core::kernel::{AskId, Id, text};
use synod_core::table::{Kind, Reaction};

use crate::world::{World, check, who};

/// What a participant does, as a script writes it: `join`, `leave`, `ack`, `say WORDS`, `ask WORDS`, `sum WORDS`,
/// `propose TITLE: WORDS`, `amend A WORDS`, `accept 1`, `decline 1`, `react A agree`, `release`, `skip`, `vote A approve`.
/// A `+` at the end of a verb keeps the floor. `@ID` before it names another turn than one's own.
pub(crate) fn part(world: &World, name: &str, written: &str) -> Part {
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
    let table = &world.house.case(world.matter()).unwrap().table;
    let proposal = |letter: &str| {
        let found = table.proposals.iter().find(|proposal| proposal.letter().to_string() == letter);
        found.map_or("9999".parse().unwrap(), |found| found.id)
    };
    let amendment = |nth: &str| {
        let all = table.proposals.iter().flat_map(|proposal| &proposal.amendments);
        all.map(|change| change.id).nth(nth.parse::<usize>().unwrap() - 1).unwrap_or("9999".parse().unwrap())
    };
    let (first, more) = rest.split_once(' ').unwrap_or((rest, ""));
    let say = |kind| Part::Say { ask, keep, kind, text: rest.into(), to: None };
    match verb.trim_end_matches('+') {
        "join" => Part::Join,
        "leave" => Part::Leave,
        "ack" => Part::Acknowledge { ask },
        "say" => say(Kind::Opinion),
        "ask" => say(Kind::Question),
        "sum" => say(Kind::Synthesis),
        "long" => {
            Part::Say { ask, keep, kind: Kind::Opinion, text: "x".repeat(rest.parse().unwrap()), to: None }
        }
        "propose" => {
            let (title, text) = rest.split_once(": ").unwrap_or((rest, rest));
            Part::Propose { ask, keep, text: text.into(), title: title.into() }
        }
        "amend" => Part::Amend { ask, keep, proposal: proposal(first), text: more.into(), why: None },
        "accept" | "decline" => {
            Part::Rule { accept: verb == "accept", amendment: amendment(first), why: None }
        }
        "react" => {
            let word = text::fold(more);
            let reaction = Reaction::ALL.into_iter().find(|known| known.word() == word).unwrap();
            Part::React { ask, keep, reaction, text: None, to: proposal(first).0 }
        }
        "answer" => {
            let last: Option<Id> = table.said.last().map(|said| said.id);
            Part::Say { ask, keep, kind: Kind::Opinion, text: rest.into(), to: last }
        }
        "release" => Part::Release { ask },
        "skip" => Part::Skip { ask, why: None },
        "vote" => {
            let word = text::fold(more);
            let grade = Grade::ALL.into_iter().find(|known| text::fold(known.word()) == word).unwrap();
            let (conditions, changes, rationale, salt) = (Vec::new(), Vec::new(), None, None);
            Part::Vote { changes, conditions, grade, proposal: proposal(first), rationale, salt }
        }
        other => panic!("{} does {other}?", who(name)),
    }
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
            left: the rounds allowed are used up
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
