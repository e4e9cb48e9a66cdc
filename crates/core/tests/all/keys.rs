//! Idempotency keys: what they open is known for ever, everything else for a day of the record's time.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use expect_test::{Expect, expect};
use synod_core::command::Open;
use synod_core::kernel::{Actor, At, Digest, Key, Seq};
use synod_core::matter::{self, Question};
use synod_core::{Act, Command, Event, House, Outcome};

use crate::random::Dice;
use crate::world::{START, World, seat, source, who};

const HOUR_MS: u64 = 60 * 60 * 1000;
const DAY_MS: u64 = 24 * HOUR_MS;

/// Gives an order as an engine does: once under a key.
fn give(world: &mut World, key: &str, command: Command) -> Result<Act, Seq> {
    let key = Key(key.into());
    match world.house.given_under(&key) {
        Some(before) => Err(before),
        None => Ok(world.submit_under(Some(key), Actor::Operator, command).clone()),
    }
}

fn opening(topic: &str) -> Command {
    let question = Question::parse(topic, &[]).unwrap();
    let charter = Digest::of(source("collaborative").as_bytes());
    Command::Open(Box::new(Open::new(question, charter, vec![who("ann"), who("bob")])))
}

/// A house with a charter and two participants.
fn ready() -> World {
    let mut world = World::new();
    world.submit(Actor::Operator, Command::Adopt { source: source("collaborative") });
    for name in ["ann", "bob"] {
        world.submit(Actor::Operator, Command::Enrol { seat: seat(name) });
    }
    world
}

/// Lets time pass in a house that is in use: something happens every hour.
fn pass(world: &mut World, until: At) {
    while until.since(world.now) > HOUR_MS {
        world.now = world.now.plus(HOUR_MS);
        world.submit(Actor::Engine, Command::Enrol { seat: seat("nobody") });
    }
    world.now = until;
}

/// One line each: when (in hours and minutes), what, under which key.
#[track_caller]
fn check(script: &str, expect: Expect) {
    let mut world = ready();
    let mut log = String::new();
    for line in script.trim().lines().map(str::trim) {
        let words: Vec<&str> = line.split_whitespace().collect();
        let [time, what, name, key] = words[..] else { panic!("{line}") };
        let (hours, minutes) = time.split_once(':').unwrap();
        let minutes = hours.parse::<u64>().unwrap() * 60 + minutes.parse::<u64>().unwrap();
        pass(&mut world, START.plus(minutes * 60 * 1000));
        let command = match what {
            "enrol" => Command::Enrol { seat: seat(name) },
            "open" => opening(name),
            "stop" => Command::Stop { matter: name.parse().unwrap() },
            other => panic!("{other}"),
        };
        let _ = match give(&mut world, key, command).map(|act| (act.seq, act.outcome)) {
            Ok((seq, Outcome::Done(_))) => writeln!(log, "{time} act {seq}"),
            Ok((seq, Outcome::Refused { code, .. })) => writeln!(log, "{time} act {seq} refused {code}"),
            Err(seq) => writeln!(log, "{time} known from act {seq}"),
        };
    }
    expect.assert_eq(&log);
}

#[test]
fn a_key_is_known_for_a_day_and_then_serves_anew() {
    check(
        "0:00 enrol cy k
         0:00 enrol dee k
         23:59 enrol dee k
         24:00 enrol dee k
         24:01 enrol dee k
         47:59 enrol dee k
         48:00 enrol cy k",
        expect![[r#"
            0:00 act 5
            0:00 known from act 5
            23:59 known from act 5
            24:00 known from act 5
            24:01 known from act 5
            47:59 act 52
            48:00 known from act 52
        "#]],
    );
}

#[test]
fn asking_again_does_not_keep_a_key_alive_and_other_acts_do_not_end_it() {
    check(
        "0:00 enrol cy k
         12:00 enrol cy k
         12:00 enrol dee other
         23:00 enrol eli third
         23:59 enrol cy k
         24:00 enrol cy k
         35:59 enrol dee other",
        expect![[r#"
            0:00 act 5
            12:00 known from act 5
            12:00 act 17
            23:00 act 28
            23:59 known from act 5
            24:00 known from act 5
            35:59 known from act 17
        "#]],
    );
}

#[test]
fn a_key_that_opened_a_matter_is_known_for_ever_and_one_that_was_refused_is_not() {
    check(
        "0:00 open bikes k
         0:01 stop m5 s
         48:00 open bikes k
         9000:00 open trams k
         9000:00 stop m77 lost
         9023:59 stop m77 lost
         9024:00 stop m77 lost",
        expect![[r#"
            0:00 act 5
            0:01 act 6
            48:00 known from act 5
            9000:00 known from act 5
            9000:00 act 9005 refused matter/unknown
            9023:59 known from act 9005
            9024:00 known from act 9005
        "#]],
    );
}

#[test]
fn a_clock_that_jumps_makes_the_house_forget_nothing() {
    let mut world = ready();
    let first = give(&mut world, "k", Command::Enrol { seat: seat("cy") }).unwrap();
    for days in [2, 400] {
        world.now = START.plus(days * DAY_MS);
        give(&mut world, &format!("{days} days ahead"), Command::Enrol { seat: seat("dee") }).unwrap();
        world.now = START.plus(1000);
        assert_eq!(give(&mut world, "k", Command::Tick), Err(first.seq), "it never runs twice");
    }
    assert_eq!(world.house.now(), START.plus(400 * DAY_MS), "the record's time does not go back");
}

/// What the record alone says about a key: the last act under it, if it opened a matter or is younger than a day.
fn from_the_record(world: &World) -> BTreeMap<Key, Seq> {
    let opens = |event: &Event| matches!(event, Event::Matter(matter::Event::Opened(_)));
    // In use for how long after each act: an hour between two of them at most.
    let (mut used, mut before) = (0, world.house.now());
    let mut known = BTreeMap::new();
    for act in world.acts.iter().rev() {
        used += before.since(act.at).min(HOUR_MS);
        before = act.at;
        if let Some(key) = act.key.clone().filter(|_| used < DAY_MS || act.events().iter().any(opens)) {
            known.entry(key).or_insert(act.seq);
        }
    }
    known
}

#[test]
fn what_is_kept_in_mind_is_what_the_record_says_and_no_more() {
    for seed in 1..=20 {
        let mut dice = Dice(seed);
        let mut world = ready();
        world.careful = false;
        let mut most = 0;
        for step in 0..600 {
            world.now = world.now.plus(dice.roll(2 * HOUR_MS));
            let key = format!("k{}", dice.roll(400));
            let command = match dice.roll(40) {
                0 => opening(&format!("topic {step}")),
                1..=9 => Command::Stop { matter: "m4000".parse().unwrap() },
                _ => Command::Enrol { seat: seat(&format!("p{}", dice.roll(30))) },
            };
            let _ = give(&mut world, &key, command);
            let known = from_the_record(&world);
            assert_eq!(world.house.known_keys(), known.len(), "seed {seed}, step {step}");
            for (key, act) in known {
                assert_eq!(world.house.given_under(&key), Some(act), "seed {seed}, {key:?}");
            }
            most = most.max(world.house.known_keys() - world.house.cases().count());
        }
        // Acts are an hour apart in the mean, and count as three quarters: a day has 32, and never 100.
        assert!(most < 100, "seed {seed}: {most} keys are kept");
        let mut again = House::default();
        world.acts.iter().for_each(|act| again.evolve(act));
        assert_eq!(again, world.house, "seed {seed}");
    }
}
