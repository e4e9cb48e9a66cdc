//! A thousand random matters: whatever happens in them, replaying gives the same house, judging again gives
//! the same acts, and the invariants hold after every step. A failure prints its seed.

use synod_core::kernel::{Actor, Call, Cause, Usage};
use synod_core::matter::{Pause, Status};
use synod_core::meter::{Limits, Worst};
use synod_core::{Act, Command, House, Task};

use crate::world::{World, source, who};

/// A small deterministic generator (xorshift); tests need repeatability, not quality.
struct Dice(u64);

impl Dice {
    fn roll(&mut self, sides: u64) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0 % sides
    }

    fn pick<'a, T>(&mut self, from: &'a [T]) -> &'a T {
        &from[self.roll(from.len() as u64) as usize]
    }
}

const ANSWERS: [&str; 14] = [
    r#"{"stance":"YES","position":"p","confidence":0.9}"#,
    r#"{"stance":"NO","position":"q","confidence":0.2}"#,
    r#"{"stance":"A","position":"q","confidence":85}"#,
    r#"{"stance":"NEUTRAL","reasoning":"hm"}"#,
    r#"```json {"stance":"YES","position":"p",} ```"#,
    r#"{"vote":"YES","reason":"r"}"#,
    r#"{"vote":"NO","reason":"r","change_if":"c"}"#,
    r#"{"vote":"B"}"#,
    r#"{"vote":"ABSTAIN"}"#,
    "I vote YES",
    "no idea",
    "",
    "{\"stance\":\"YES\"",
    "[POSITION]\nthis\n[STANCE]\nNO",
];

pub(crate) fn play(seed: u64) -> World {
    let mut dice = Dice(seed.wrapping_mul(0x9E37_79B9_7F4A_7C15) | 1);
    let mut world = World::new();
    world.careful = seed.is_multiple_of(50); // the whole journal is folded again at the end in any case
    for _ in 0..1 + dice.roll(2) {
        let names = ["ann", "bob", "cy", "dee", "eli"];
        let seats = &names[..1 + dice.roll(5) as usize];
        let options: &[&str] = if dice.roll(2) == 0 { &[] } else { &["one", "two", "three"] };
        let charter = *dice.pick(&["blind-vote", "collaborative", "one-by-one"]);
        let calls = (dice.roll(4) == 0).then(|| dice.roll(20) as u32);
        world.open(&source(charter), "topic", options, seats, Limits { calls, ..Limits::default() });
    }
    for _ in 0..120 {
        if world.house.cases().all(|case| matches!(case.status(), Status::Settled(_))) {
            break;
        }
        step(&mut world, &mut dice);
        hold(&world, seed);
    }
    world
}

fn step(world: &mut World, dice: &mut Dice) {
    let open: Vec<_> = world.house.open_asks().map(|(id, ask)| (id, ask.who.clone())).collect();
    let matters: Vec<_> = world.house.cases().map(|case| case.id).collect();
    let matter = *dice.pick(&matters);
    match dice.roll(40) {
        0 => drop(world.submit(Actor::Operator, Command::Pause { matter, why: Pause::Operator }).seq),
        1 => drop(world.submit(Actor::Engine, Command::Pause { matter, why: Pause::Interrupted }).seq),
        2..=4 => drop(world.submit(Actor::Operator, Command::Resume { matter }).seq),
        5 if dice.roll(10) == 0 => drop(world.submit(Actor::Operator, Command::Stop { matter }).seq),
        6 => {
            world.now = world.now.plus(dice.roll(200_000));
            world.submit(Actor::Engine, Command::Tick);
        }
        7 => drop(world.submit(Actor::Seat(who("mallory")), Command::Tick).seq),
        _ if open.is_empty() => drop(world.submit(Actor::Operator, Command::Resume { matter }).seq),
        8..=12 => {
            let (ask, _) = dice.pick(&open).clone();
            world.submit(Actor::Engine, Command::Begin { ask, worst: Worst { tokens: 10, cost: None } });
        }
        13..=15 => {
            let (ask, _) = dice.pick(&open).clone();
            let cause =
                Cause { code: "mind/http-500".into(), detail: "x".into(), lasting: dice.roll(3) == 0 };
            world.submit(Actor::Engine, Command::Fail { ask, cause, call: Box::default() });
        }
        _ => {
            let (ask, who) = dice.pick(&open).clone();
            let call = Box::new(Call { usage: Usage { calls: 1, ..Usage::default() }, ..Call::default() });
            world
                .submit(Actor::Seat(who), Command::Answer { ask, text: (*dice.pick(&ANSWERS)).into(), call });
        }
    }
}

/// What holds after every step.
fn hold(world: &World, seed: u64) {
    for case in world.house.cases() {
        let settled = matches!(case.status(), Status::Settled(_));
        assert!(!settled || case.asks().is_empty(), "seed {seed}: a settled matter asks nothing");
        assert!(settled || !case.asks().is_empty(), "seed {seed}: an open matter waits for something");
        for ballot in &case.ballots {
            let mut voters: Vec<_> =
                ballot.votes.iter().map(|vote| &vote.who).chain(&ballot.unparsed).collect();
            voters.sort();
            voters.dedup();
            assert_eq!(
                voters.len(),
                ballot.votes.len() + ballot.unparsed.len(),
                "seed {seed}: one ballot per voter"
            );
            assert!(voters.len() <= case.opening.seats.len(), "seed {seed}: no more votes than seats");
            if let Some((tally, _)) = &ballot.result {
                let counted = tally.yes
                    + tally.no
                    + tally.neutral
                    + tally.options.iter().sum::<u32>()
                    + tally.unparsed
                    + tally.missing;
                assert_eq!(counted, tally.seats, "seed {seed}: every seat is counted once");
            }
        }
        for ask in case.asks().values() {
            let voting = matches!(ask.task, Task::Vote { .. });
            assert_eq!(
                voting,
                matches!(case.stage().kind, synod_core::charter::StageKind::Vote { .. }),
                "seed {seed}"
            );
        }
    }
}

/// Judges every recorded command again.
fn judge_again(acts: &[Act]) -> House {
    let mut house = House::default();
    for act in acts {
        let again = house.act(act.at, act.by.clone(), act.key.clone(), act.command.clone());
        assert_eq!(again, *act, "act {} comes out otherwise", act.seq);
        house.evolve(&again);
    }
    house
}

#[test]
fn a_thousand_random_matters_replay_equal() {
    let mut settled = 0;
    for seed in 1..=1000 {
        let world = play(seed);
        assert_eq!(judge_again(&world.acts), world.house, "seed {seed}");
        settled += world.house.cases().filter(|case| matches!(case.status(), Status::Settled(_))).count();
        for act in &world.acts {
            let json = serde_json::to_string(act).unwrap();
            assert_eq!(serde_json::from_str::<Act>(&json).unwrap(), *act, "seed {seed}: acts survive JSON");
        }
    }
    assert!(settled > 500, "only {settled} matters were played to the end: the generator is too tame");
}
