//! What each reader may see, worked out apart from the lens: from the charter's own words and the open asks.

use synod_core::charter::StageKind;
use synod_core::command::Open;
use synod_core::floor::FloorOrder;
use synod_core::house::{Case, HouseItem, Item, Reader};
use synod_core::kernel::{Actor, AskId, Contribution, Digest, Seat, SeatKind, Who};
use synod_core::lens::Sees;
use synod_core::matter::Question;
use synod_core::view::{Report, RoundReport, Thoughts};
use synod_core::{Command, Task};

use super::MODES;
use crate::random::Dice;
use crate::world::{World, seat, source, who};

/// Whether somebody still has to speak in a round.
fn is_open(case: &Case, round: u32) -> bool {
    case.decision().is_none() && case.asks().values().any(|ask| ask.task() == Some(Task::Speak { round }))
}

/// Whether somebody who has a seat, or nobody in particular, may read a statement beside the debate.
fn expected(case: &Case, reader: Option<&Who>, said: &Contribution) -> bool {
    if reader == Some(&said.who) || !is_open(case, said.round) {
        return true;
    }
    let Some(StageKind::Speak(speak)) = case.stage().map(|stage| &stage.kind) else { return true };
    let parity = |who: &Who| case.opening.seats.iter().position(|seat| seat.who == *who).map(|at| at % 2);
    match (speak.floor, speak.sees) {
        (FloorOrder::Parallel, _) | (_, Sees::Nothing | Sees::EarlierRounds) => false,
        (FloorOrder::Sequential | FloorOrder::Teams, Sees::SoFar) => true,
        (FloorOrder::Sequential | FloorOrder::Teams, Sees::Team) => {
            reader.is_some_and(|reader| parity(reader) == parity(&said.who))
        }
    }
}

#[test]
fn a_round_that_is_open_is_read_over_nobodys_shoulder() {
    let (mut shown, mut kept) = (0, 0);
    for seed in 1..=64_u64 {
        let mut dice = Dice(seed.wrapping_mul(0x9E37_79B9_7F4A_7C15) | 1);
        let mode = MODES[seed as usize % MODES.len()];
        let names = ["quilla", "rosamund", "septimus", "thaddeus", "ursulina"];
        let seats = &names[..2 + dice.roll(4) as usize];
        let mut world = World::new();
        world.careful = false;
        world.open_with(&source(mode), "Shall we?", &[], seats, |_| ());
        for _ in 0..40 {
            let case = world.house.cases().last().unwrap();
            for said in &case.said {
                let item = Item::Contribution(said);
                for name in seats {
                    let may = case.may_see(Reader::Watcher(&who(name)), item);
                    assert_eq!(may, expected(case, Some(&who(name)), said), "seed {seed}, {mode}: {name}");
                    (shown, kept) = (shown + usize::from(may), kept + usize::from(!may));
                }
                assert_eq!(
                    case.may_see(Reader::Public, item),
                    expected(case, None, said),
                    "seed {seed}, {mode}"
                );
                assert_eq!(case.may_see(Reader::Channel, item), expected(case, None, said));
                assert!(case.may_see(Reader::Operator, item));
                // These seats are the house's own: nobody comes for them with a token.
                assert!(!case.may_see(Reader::Participant(&said.who), item));
            }
            let open: Vec<(AskId, Who, Task)> = world
                .house
                .open_asks()
                .map(|(id, ask)| (id, ask.who().unwrap().clone(), ask.task().unwrap()))
                .collect();
            if open.is_empty() {
                break;
            }
            let (_, speaker, task) = dice.pick(&open).clone();
            let side = *dice.pick(&["YES", "NO"]);
            let text = match task {
                Task::Vote { .. } => format!(r#"{{"vote":"{side}"}}"#),
                Task::Second => format!(r#"{{"second":"{side}"}}"#),
                Task::Speak { .. } | Task::Clerk(_) | Task::Join | Task::Propose | Task::Weigh => {
                    format!(r#"{{"stance":"{side}","position":"p"}}"#)
                }
            };
            world.answer(speaker.as_str(), &text);
        }
    }
    assert!(shown > 500 && kept > 200, "too tame: {shown} shown, {kept} kept back");
}

/// A council of three up to its vote.
fn voting(secrecy: &str) -> World {
    let mut world = World::new();
    let charter = source(&format!("collaborative+secrecy={secrecy}"));
    world.open_with(&charter, "t", &[], &["ann", "bob", "cy"], |open| {
        open.moved.insert("rounds".into(), 1.into());
    });
    ["ann", "bob", "cy"].iter().for_each(|name| drop(world.step(&format!("{name}: NEUTRAL"))));
    world
}

/// Which of operator, public, a voter at the terminal, and a seat that is asked may see how ann and bob vote.
fn seen(world: &World) -> [bool; 5] {
    let case = world.house.cases().last().unwrap();
    let ballot = case.ballots.last().unwrap();
    let (ann, bob) = (who("ann"), who("bob"));
    let seat = Reader::Speaker { sees: Sees::SoFar, round: case.round(), team: 0 };
    [
        case.may_see(Reader::Operator, Item::Votes(ballot)),
        case.may_see(Reader::Public, Item::Votes(ballot)),
        case.may_see(Reader::Watcher(&ann), Item::Vote { ballot, of: &bob }),
        case.may_see(Reader::Watcher(&ann), Item::Vote { ballot, of: &ann }),
        case.may_see(seat, Item::Votes(ballot)),
    ]
}

#[test]
fn a_vote_is_its_voters_alone_until_it_is_counted_and_a_secret_one_for_good() {
    let during =
        [("open", [true, false, false, true, false]), ("until-closed", [false; 5]), ("secret", [false; 5])];
    let after = [("open", [true; 5]), ("until-closed", [true; 5]), ("secret", [false; 5])];
    for ((secrecy, during), (_, after)) in during.into_iter().zip(after) {
        let mut world = voting(secrecy);
        for name in ["ann", "bob"] {
            world.answer(name, r#"{"vote":"YES"}"#);
        }
        assert_eq!(seen(&world), during, "{secrecy}, while it lasts");
        let case = world.house.cases().last().unwrap();
        let as_cast = Item::VoteAsCast(case.ballots.last().unwrap());
        assert_eq!(case.may_see(Reader::Operator, as_cast), secrecy == "open");
        assert!(!case.may_see(Reader::Public, as_cast) && !case.may_see(Reader::Channel, as_cast));
        world.answer("cy", r#"{"vote":"NO"}"#);
        assert!(world.house.cases().last().unwrap().decision().is_some());
        assert_eq!(seen(&world), after, "{secrecy}, when it is counted");
    }
}

#[test]
fn names_are_hidden_from_those_who_could_act_on_them() {
    for (mode, hidden) in [("delphi", true), ("collaborative", false)] {
        let mut world = World::new();
        world.open_with(&source(mode), "t", &[], &["zoe", "yan"], |_| ());
        let case = world.house.cases().last().unwrap();
        let seat = Reader::Speaker { sees: Sees::SoFar, round: 1, team: 0 };
        for item in [Item::Names, Item::Calls] {
            assert!(case.may_see(Reader::Operator, item));
            assert_eq!(case.may_see(Reader::Watcher(&who("zoe")), item), !hidden);
            assert_eq!(case.may_see(Reader::Public, item), !hidden);
            assert_eq!(case.may_see(seat, item), !hidden);
        }
        world.step("stop");
        let case = world.house.cases().last().unwrap();
        assert!(case.decision().is_some());
        assert!(case.may_see(Reader::Watcher(&who("zoe")), Item::Names), "nobody acts on them any more");
    }
}

/// Between two rounds of a Delphi with a person in it, no view tells who said what; when it is over all do.
#[test]
fn a_person_under_hidden_names_is_not_told_whose_words_these_are() {
    for person in [false, true] {
        let mut world = World::new();
        let charter = source("delphi");
        world.submit(Actor::Operator, Command::Adopt { source: charter.clone() });
        for (name, is_person) in [("ann", person), ("bob", false), ("zoe", false)] {
            let kind = if is_person { SeatKind::Person } else { SeatKind::Scripted };
            world.submit(Actor::Operator, Command::Enrol { seat: Seat { kind, ..seat(name) } });
        }
        let question = Question::parse("t", &[]).unwrap();
        let seats = ["ann", "bob", "zoe"].map(who).to_vec();
        let open = Open { stepwise: true, ..Open::new(question, Digest::of(charter.as_bytes()), seats) };
        world.submit(Actor::Operator, Command::Open(Box::new(open)));
        world.answer("ann", r#"{"stance":"NO","position":"first","confidence":0.9}"#);
        world.answer("bob", r#"{"stance":"YES","position":"second","confidence":0.9}"#);
        world.answer("zoe", r#"{"stance":"NEUTRAL","position":"third","confidence":0.9}"#);
        let told = |world: &World| {
            let case = world.house.cases().last().unwrap();
            let report = serde_json::to_value(Report::of(case)).unwrap();
            let thoughts = serde_json::to_string(&Thoughts::of(case, &who("bob")).unwrap()).unwrap();
            (report["headline"].clone(), format!("{}{}{thoughts}", report["rounds"], report["stands"]))
        };
        let (headline, words) = told(&world);
        let why = "NOT DECIDED YET: waiting; 3 of 3 have answered in round 1; names are hidden here, so who said what is shown once the matter is over";
        assert_eq!(headline.as_str().unwrap().starts_with(why), person, "{headline}");
        for said in ["first", "second", "third"] {
            assert_eq!(words.contains(said), !person, "{said}, person {person}: {words}");
        }
        let report = Report::of(world.house.cases().last().unwrap());
        assert!(
            report.rounds.iter().all(|round| round.analysis.is_some() != person),
            "who stands against whom"
        );
        world.step("stop");
        assert!(told(&world).1.contains("second"), "it is over");
    }
}

#[test]
fn a_matter_a_refusal_and_a_house_have_their_readers() {
    let mut world = World::new();
    world.open_with(&source("collaborative"), "t", &[], &["ann", "bob"], |_| ());
    let case = world.house.cases().last().unwrap();
    let (ann, zoe) = (who("ann"), who("zoe"));
    assert!(case.may_see(Reader::Watcher(&ann), Item::Matter));
    assert!(!case.may_see(Reader::Watcher(&zoe), Item::Matter), "who does not sit there");
    assert!(!case.may_see(Reader::Participant(&ann), Item::Matter), "the house speaks for this seat");
    let by = Actor::Seat(ann.clone());
    assert!(case.may_see(Reader::Operator, Item::Refusal { by: &by }));
    assert!(!case.may_see(Reader::Public, Item::Refusal { by: &by }));
    let items =
        [HouseItem::Head, HouseItem::Observations, HouseItem::Alarm, HouseItem::Records, HouseItem::Flaws];
    for item in items {
        assert!(world.house.may_see(Reader::Operator, item));
        assert!(!world.house.may_see(Reader::Participant(&ann), item));
        assert!(!world.house.may_see(Reader::Public, item));
        assert_eq!(world.house.may_see(Reader::Channel, item), item == HouseItem::Alarm);
    }
    for reader in [Reader::Operator, Reader::Participant(&ann)] {
        assert!(world.house.may_see(reader, HouseItem::Common));
    }
    for reader in [Reader::Public, Reader::Channel, Reader::Watcher(&ann)] {
        assert!(!world.house.may_see(reader, HouseItem::Common));
    }
}

/// Whoever runs the house may be the person at the table: their commands show no more than the person may know.
#[test]
fn where_a_person_sits_the_operator_waits_like_everybody_else() {
    let open = |mode: &str, person: bool| {
        let mut world = World::new();
        let charter = source(mode);
        world.submit(Actor::Operator, Command::Adopt { source: charter.clone() });
        for (name, person) in [("ann", person), ("bob", false)] {
            let kind = if person { SeatKind::Person } else { SeatKind::Scripted };
            world.submit(Actor::Operator, Command::Enrol { seat: Seat { kind, ..seat(name) } });
        }
        let question = Question::parse("t", &[]).unwrap();
        let mut open = Open::new(question, Digest::of(charter.as_bytes()), vec![who("ann"), who("bob")]);
        open.moved.insert("rounds".into(), 1.into());
        world.submit(Actor::Operator, Command::Open(Box::new(open)));
        world.answer("bob", r#"{"stance":"YES","position":"p","confidence":0.9}"#);
        world
    };
    let sees = |world: &World| {
        let case = world.house.cases().last().unwrap();
        let said = case.said.last().unwrap();
        let item = Item::Speech { of: &said.who, round: said.round };
        [Item::Contribution(said), Item::Round(said.round), item]
            .map(|item| case.may_see(Reader::Operator, item))
    };
    for mode in ["collaborative", "expert-panel", "delphi"] {
        assert_eq!(sees(&open(mode, false)), [true; 3], "{mode}: nobody at the table reads a screen");
        let mut world = open(mode, true);
        assert_eq!(sees(&world), [false; 3], "{mode}: ann has not answered");
        let matter = world.house.cases().last().unwrap();
        let shown = serde_json::to_string(&Report::of(matter)).unwrap();
        assert!(!shown.contains(r#""position":"p""#), "{shown}");
        let told = Thoughts::of(matter, &who("bob")).unwrap();
        assert!(told.turns.is_empty());
        let why = match mode {
            "delphi" => "names are hidden here, so who said what is shown once the matter is over",
            _ => "what they said is shown once the round is over",
        };
        let words = format!("1 of 2 have answered in round 1; {why}");
        assert_eq!(told.pending.unwrap().words(), words);
        assert_eq!(RoundReport::of(matter, 1).unwrap().pending.unwrap().words(), words);
        assert_eq!(Report::of(matter).headline, format!("NOT DECIDED YET: running; {words}"));
        world.answer("ann", r#"{"stance":"NO","position":"q","confidence":0.9}"#);
        let case = world.house.cases().last().unwrap();
        let said = case.said.iter().find(|said| said.who == who("bob")).unwrap();
        let named = case.may_see(Reader::Operator, Item::Contribution(said));
        assert_eq!(
            named,
            mode != "delphi",
            "{mode}, closed: where names are hidden, views would tell ann whose it is"
        );
        world.step("stop");
        let case = world.house.cases().last().unwrap();
        assert!(
            case.said.iter().all(|said| case.may_see(Reader::Operator, Item::Contribution(said))),
            "{mode}, over"
        );
    }
    let mut world = open("collaborative", true);
    world.answer("ann", r#"{"stance":"NO","position":"q","confidence":0.9}"#);
    world.answer("bob", r#"{"vote":"YES","reason":"r","confidence":0.9}"#);
    let case = world.house.cases().last().unwrap();
    let ballot = case.ballots.last().unwrap();
    assert!(!case.may_see(Reader::Operator, Item::Votes(ballot)), "ann has not voted");
    let headline = Report::of(case).headline;
    assert!(
        headline.contains("; 1 of 2 have voted in ") && headline.ends_with(" once the vote is over"),
        "{headline}"
    );
    world.answer("ann", r#"{"vote":"NO","reason":"r","confidence":0.9}"#);
    let case = world.house.cases().last().unwrap();
    assert!(case.may_see(Reader::Operator, Item::Votes(case.ballots.last().unwrap())));
}
