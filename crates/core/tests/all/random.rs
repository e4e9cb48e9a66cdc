//! A thousand random matters: whatever happens in them, replaying gives the same house, judging again gives
//! the same acts, and the invariants hold after every step. A failure prints its seed.

use synod_core::house::BriefCache;
use synod_core::kernel::{Actor, Call, Cause, Digest, Usage};
use synod_core::matter::{Pause, Status};
use synod_core::meter::{Limits, Worst};
use synod_core::procedure::council::{self, Fork};
use synod_core::procedure::recount;
use synod_core::{Act, Command, House, Task};

use std::collections::BTreeMap;
use std::sync::Arc;

use synod_core::command::Perspectives;
use synod_core::kernel::{AskId, Contribution};

use crate::world::{World, source, who};

/// A small deterministic generator (xorshift); tests need repeatability, not quality.
pub(crate) struct Dice(pub(crate) u64);

impl Dice {
    pub(crate) fn roll(&mut self, sides: u64) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0 % sides
    }

    pub(crate) fn pick<'a, T>(&mut self, from: &'a [T]) -> &'a T {
        &from[self.roll(from.len() as u64) as usize]
    }
}

const ANSWERS: [&str; 27] = [
    r#"{"answer":"Redis","reasoning":"r","confidence":0.9}"#,
    r#"{"answer":"Use Redis.","confidence":0.7,"same":["A = B"],"vote":["A"]}"#,
    r#"{"answer":"none","same":[["A","C"]],"best":"10-20"}"#,
    r#"{"best":12,"low":9,"high":15,"confidence":0.8,"answer":"Postgres"}"#,
    r#"{"best":"14.5 days","low":20,"confidence":0.6,"same":[]}"#,
    r#"{"best":"1.200","answer":"redis","vote":["B","A"],"confidence":0.9}"#,
    r#"{"stance":"NO","position":"q","context_requests":[{"query":"how much","reason":"r","priority":"required"}]}"#,
    r#"{"stance":"YES","position":"p","citations":["https://example.org/a"],"what_moved_me":"nothing"}"#,
    r#"{"agreement":0.9,"summary":"s","perspectives":["a: b"],"points_yes":["p"],"points_no":["q"]}"#,
    r#"{"vote":"NO","new_argument":"the disk is full after a week","reason":"r"}"#,
    r#"{"stance":"YES","position":"p","confidence":0.9}"#,
    r#"{"stance":"NO","position":"q","confidence":0.2}"#,
    r#"{"stance":"A","position":"q","confidence":85}"#,
    r#"{"stance":"NEUTRAL","reasoning":"hm"}"#,
    r#"```json {"stance":"YES","position":"p",} ```"#,
    r#"{"vote":"YES","reason":"r"}"#,
    r#"{"vote":"NO","reason":"r","change_if":"c"}"#,
    r#"{"vote":"B"}"#,
    r#"{"vote":"ABSTAIN","reason":"I do not know"}"#,
    r#"{"vote":["B","A = C"],"confidence":0.5}"#,
    r#"{"vote":{"A":1,"B":9,"C":0},"confidence":0.5}"#,
    r#"{"vote":"ABSTAIN","delegate":"bob"}"#,
    "I vote YES",
    "no idea",
    "",
    "{\"stance\":\"YES\"",
    "[POSITION]\nthis\n[STANCE]\nNO",
];

/// Every shipped charter, and one that is not.
const CHARTERS: [&str; 15] = [
    "blind-vote",
    "collaborative",
    "one-by-one",
    "adversarial",
    "socratic",
    "expert-panel",
    "devils-advocate",
    "delphi",
    "red-team-blue-team",
    "ranked-choice",
    "open",
    "open",
    "estimate",
    "collaborative+method=instant-runoff+secrecy=secret+delegation=true",
    "collaborative+method=score+weights=confidence+veto=ann,bob",
];

pub(crate) fn play(seed: u64) -> World {
    let mut dice = Dice(seed.wrapping_mul(0x9E37_79B9_7F4A_7C15) | 1);
    let mut world = World::new();
    world.careful = seed.is_multiple_of(50); // the whole journal is folded again at the end in any case
    for _ in 0..1 + dice.roll(2) {
        let names = ["ann", "bob", "cy", "dee", "eli"];
        let seats = &names[..1 + dice.roll(5) as usize];
        let options: &[&str] = if dice.roll(2) == 0 { &[] } else { &["one", "two", "three"] };
        let charter = *dice.pick(&CHARTERS);
        let calls = (dice.roll(4) == 0).then(|| dice.roll(20) as u32);
        let (judge, scribe, step, generate) = (dice.roll(4), dice.roll(4), dice.roll(5), dice.roll(8));
        world.open_with(&source(charter), "topic", options, seats, |open| {
            open.limits = Limits { calls, ..Limits::default() };
            open.judges = ["jo", "ju"][..(judge / 2) as usize].iter().map(|name| who(name)).collect();
            open.scribe = (scribe == 0).then(|| who("sc"));
            open.stepwise = step == 0;
            if generate == 0 {
                open.perspectives = Perspectives::Generated;
            }
            if scribe < 2 {
                open.moved.insert("turn.history_chars".into(), 1000.into());
            }
        });
    }
    let mut said = BTreeMap::new();
    let mut briefs = BriefCache::default();
    for _ in 0..120 {
        if world.house.cases().all(|case| matches!(case.status(), Status::Settled(_))) {
            break;
        }
        step(&mut world, &mut dice);
        hold(&world, seed);
        unchanged(&world, &mut said, seed);
        if seed.is_multiple_of(20) {
            told_alike(&world, &mut briefs, seed);
        }
    }
    world
}

pub(crate) fn step(world: &mut World, dice: &mut Dice) {
    let open: Vec<_> = world.house.open_asks().map(|(id, ask)| (id, ask.who().unwrap().clone())).collect();
    let matters: Vec<_> = world.house.cases().map(|case| case.id).collect();
    let matter = *dice.pick(&matters);
    match dice.roll(46) {
        40 => drop(
            world
                .submit(
                    Actor::Operator,
                    Command::Council(council::Command::Continue {
                        matter,
                        focus: Some("why".into()),
                        context: Vec::new(),
                        to_end: dice.roll(2) == 0,
                    }),
                )
                .seq,
        ),
        41 | 42 => {
            let requests: Vec<_> =
                world.house.cases().flat_map(|case| case.dossier.requests.keys().copied()).collect();
            if !requests.is_empty() {
                let request = *dice.pick(&requests);
                world.submit(Actor::Operator, Command::Council(council::Command::Waive { matter, request }));
            }
        }
        43 if world.house.cases().count() < 4 => {
            let name = *dice.pick(&CHARTERS);
            let other = source(name);
            let charter = (dice.roll(3) == 0).then(|| Digest::of(other.as_bytes()));
            world.submit(Actor::Operator, Command::Adopt { source: other });
            let fork = Fork {
                from: matter,
                round: dice.roll(3) as u32,
                charter,
                seats: None,
                limits: Limits::default(),
                moved: Default::default(),
                focus: None,
                stepwise: dice.roll(4) == 0,
            };
            world.submit(Actor::Operator, Command::Council(council::Command::Fork(Box::new(fork))));
        }
        44 => drop(
            world
                .submit(
                    Actor::Operator,
                    Command::Council(council::Command::Synthesise { matter, by: who("ann") }),
                )
                .seq,
        ),
        45 => drop(
            world
                .submit(
                    Actor::Operator,
                    Command::Council(council::Command::Judge { matter, by: who("ann"), round: 1 }),
                )
                .seq,
        ),
        0 => drop(world.submit(Actor::Operator, Command::Pause { matter, why: Pause::Operator }).seq),
        1 => drop(world.submit(Actor::Engine, Command::Pause { matter, why: Pause::Interrupted }).seq),
        2..=4 => drop(world.submit(Actor::Operator, Command::Resume { matter }).seq),
        5 if dice.roll(10) == 0 => drop(world.submit(Actor::Operator, Command::Stop { matter }).seq),
        6 => {
            world.now = world.now.plus(dice.roll(200_000));
            world.submit(Actor::Engine, Command::Tick);
        }
        7 => drop(world.submit(Actor::Seat(who("mallory")), Command::Tick).seq),
        _ if open.is_empty() => {
            world.submit(Actor::Operator, Command::Resume { matter });
            let (focus, context) = (None, Vec::new());
            world.submit(
                Actor::Operator,
                Command::Council(council::Command::Continue { matter, focus, context, to_end: true }),
            );
        }
        8..=12 => {
            let (ask, _) = dice.pick(&open).clone();
            world.submit(
                Actor::Engine,
                Command::Begin { ask, patience_ms: None, worst: Worst { tokens: 10, cost: None } },
            );
        }
        13..=15 => {
            let (ask, _) = dice.pick(&open).clone();
            let cause =
                Cause { code: "backend/http-500".into(), detail: "x".into(), lasting: dice.roll(3) == 0 };
            world.submit(Actor::Engine, Command::Fail { ask, cause, call: Box::default() });
        }
        _ => {
            let (ask, who) = dice.pick(&open).clone();
            let call = Box::new(Call { usage: Usage { calls: 1, ..Usage::default() }, ..Call::default() });
            let salt = Some("0123456789abcdef".to_string());
            world.submit(
                Actor::Seat(who),
                Command::Answer { ask, salt, text: (*dice.pick(&ANSWERS)).into(), call },
            );
        }
    }
}

/// What holds after every step.
fn hold(world: &World, seed: u64) {
    let open: Vec<_> = world.house.open_asks().collect();
    for name in ["ann", "bob", "cy", "dee", "eli", "jo", "ju", "sc", "mallory"].map(who) {
        let own: Vec<_> = open.iter().copied().filter(|(_, ask)| ask.is_of(&name)).collect();
        let found: Vec<_> = world.house.asks_of(&name).collect();
        assert_eq!(found, own, "seed {seed}: {name} is asked what is open for them, in that order");
    }
    for case in world.house.cases() {
        let settled = matches!(case.status(), Status::Settled(_));
        let clerks = |task| matches!(task, Task::Clerk(_));
        assert!(
            !settled || case.asks().values().all(|ask| clerks(ask.task().unwrap())),
            "seed {seed}: a settled matter asks its seats nothing"
        );
        let running = case.status() == Status::Running;
        assert!(!running || !case.asks().is_empty(), "seed {seed}: a running matter waits for something");
        for ballot in &case.ballots {
            let mut voters: Vec<_> =
                ballot.votes.iter().map(|vote| &vote.who).chain(&ballot.unparsed).collect();
            voters.extend(ballot.delegations.iter().map(|passed| &passed.who));
            voters.sort();
            voters.dedup();
            assert_eq!(
                voters.len(),
                ballot.votes.len() + ballot.unparsed.len() + ballot.delegations.len(),
                "seed {seed}: one ballot per voter"
            );
            assert!(voters.len() <= case.opening.seats.len(), "seed {seed}: no more votes than seats");
            if let Some((tally, decision)) = &ballot.result {
                let recorded = (tally.clone(), *decision, ballot.count.as_deref().cloned());
                assert_eq!(recount(case, ballot), recorded, "seed {seed}: a recount comes to the same");
                let counted = tally.yes
                    + tally.no
                    + tally.neutral
                    + tally.options.iter().sum::<u32>()
                    + tally.unparsed
                    + tally.missing;
                assert_eq!(counted, tally.seats, "seed {seed}: every seat is counted once");
            }
        }
        for ask in case.asks().values().filter(|ask| !clerks(ask.task().unwrap())) {
            let voting = matches!(ask.task(), Some(Task::Vote { .. }));
            assert_eq!(
                voting,
                matches!(case.stage().unwrap().kind, synod_core::charter::StageKind::Vote { .. }),
                "seed {seed}"
            );
        }
    }
}

/// What was admitted stays as it was, in every matter that shares it.
fn unchanged(world: &World, said: &mut BTreeMap<AskId, Contribution>, seed: u64) {
    for one in world.house.cases().flat_map(|case| &case.said) {
        let one: &Arc<Contribution> = &one.said;
        let known = said.entry(one.ask).or_insert_with(|| (**one).clone());
        assert_eq!(*known, **one, "seed {seed}: a recorded answer was changed");
    }
}

/// What is told does not depend on what was told before.
fn told_alike(world: &World, briefs: &mut BriefCache, seed: u64) {
    for (ask, _) in world.house.open_asks() {
        let (kept, fresh) =
            (world.house.brief(ask, briefs), world.house.brief(ask, &mut BriefCache::default()));
        assert_eq!(kept, fresh, "seed {seed}: the brief of {ask} depends on the cache");
    }
}

/// Judges every recorded command again.
fn judge_again(acts: &[Act]) -> House {
    let mut house = House::default();
    for act in acts {
        let (again, _) = house.judge(act.at, act.by.clone(), act.key.clone(), act.command.clone());
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
