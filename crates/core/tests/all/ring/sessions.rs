//! A thousand random rings on virtual time: agents that are late, repeat themselves, forge turns, speak out of
//! phase, say too much, fall silent, are killed or removed. After every step all invariants hold. A failure
//! prints its seed.

use std::collections::{BTreeMap, BTreeSet};

use synod_core::ballot::Grade;
use synod_core::command::Open;
use synod_core::kernel::{Actor, AskId, Digest, Id, Seat, SeatKind, Who};
use synod_core::kernel::{ContributionKind, Reaction};
use synod_core::matter::{Pause, Question, Status};
use synod_core::meter::Worst;
use synod_core::procedure::ring::Remark;
use synod_core::procedure::ring::{self, Action};
use synod_core::{Act, Command, House, Outcome, Task};

use super::invariants::{self, Step};
use crate::random::Dice;
use crate::world::{World, seat, source, who};

/// A word in everything that participants write, so that it can be looked for.
pub(super) const WORD: &str = "zebra";
/// A word in everything that only votes say.
pub(super) const IN_VOTES: &str = "okapi";

const NAMES: [&str; 5] = ["ann", "bob", "cy", "dee", "eli"];
const PRESETS: [&str; 4] = ["ring-default", "ring-quick", "ring-strict", "ring-critical"];
const STEPS: usize = 80;

/// One random ring, and what its faults need to know.
struct Play {
    world: World,
    dice: Dice,
    seats: Vec<&'static str>,
    /// Those who never act again, as if their process had been killed.
    dead: BTreeSet<&'static str>,
    /// Turns that were open once: what comes late names one of them.
    old: Vec<AskId>,
    /// Whether everyone keeps the floor for as long as it can be kept.
    talkative: bool,
}

/// A house with the four charters and everyone enrolled, in which rings can be opened.
fn founded() -> World {
    let mut world = World::new();
    world.careful = false; // the invariants fold the journal step by step
    for preset in PRESETS {
        world.submit(Actor::Operator, Command::Adopt { source: source(preset) });
    }
    for name in NAMES {
        let seat = Seat { kind: SeatKind::Outside, backend: "outside".into(), ..seat(name) };
        world.submit(Actor::Operator, Command::Enrol { seat });
    }
    world
}

impl Play {
    /// A ring that is about to be opened, and the command that does.
    fn new(seed: u64, founded: &World) -> (Self, Command) {
        let mut dice = Dice(seed.wrapping_mul(0x9E37_79B9_7F4A_7C15) | 1);
        dice.roll(2);
        let seats: Vec<&str> = NAMES[..2 + dice.roll(4) as usize].to_vec();
        let knobs = [
            ("rounds", 1 + dice.roll(4)),
            ("ring.token_ms", 20_000 + dice.roll(100_000)),
            ("ring.gather_ms", 30_000 + dice.roll(300_000)),
            ("ring.vote_ms", 20_000 + dice.roll(60_000)),
            ("ring.session_ms", 400_000 + dice.roll(4_000_000)),
        ];
        let question = Question::parse(&format!("shall the {WORD} run"), &[]).unwrap();
        let charter = Digest::of(source(PRESETS[dice.roll(4) as usize]).as_bytes());
        let mut open = Open::new(question, charter, seats.iter().map(|name| who(name)).collect());
        let moved = knobs.into_iter().filter(|_| dice.roll(3) > 0);
        open.moved = moved.map(|(knob, to)| (knob.to_string(), to.into())).collect();
        let (house, acts, now) = (founded.house.clone(), founded.acts.clone(), founded.now);
        let world = World { house, acts, now, careful: false };
        let talkative = dice.roll(10) == 0;
        let play = Self { world, dice, seats, dead: BTreeSet::new(), old: Vec::new(), talkative };
        (play, Command::Open(Box::new(open)))
    }

    fn over(&self) -> bool {
        self.world.house.cases().all(|case| matches!(case.status(), Status::Settled(_)))
    }

    fn words(&mut self) -> String {
        match self.dice.roll(60) {
            0 => String::new(),
            1 => WORD.repeat(401),
            2 => format!("{WORD}{}", "é".repeat(1995)),
            few => format!("{WORD} number {}", few % 12),
        }
    }

    fn maybe(&mut self, words: &str) -> Option<String> {
        (self.dice.roll(3) == 0).then(|| format!("because of the {words}"))
    }

    /// Something on the table, or an id of nothing.
    fn lying(&mut self) -> Id {
        let table = &self.world.house.case(self.world.matter()).unwrap().ring().unwrap().1.table;
        let changes = table.proposals.iter().flat_map(|put| put.amendments.iter().map(|change| change.id.0));
        let mut ids: Vec<Id> = table.proposals.iter().map(|put| put.id.0).chain(changes).collect();
        let said = &self.world.house.case(self.world.matter()).unwrap().said;
        let remarks = said.iter().filter(|said| {
            matches!(
                said.kind,
                ContributionKind::Opinion | ContributionKind::Question | ContributionKind::Synthesis
            )
        });
        ids.extend(remarks.map(|said| said.id));
        ids.push("9999".parse().unwrap());
        *self.dice.pick(&ids)
    }

    fn proposal(&mut self) -> synod_core::kernel::ProposalId {
        let table = &self.world.house.case(self.world.matter()).unwrap().ring().unwrap().1.table;
        let mut ids: Vec<_> = table.proposals.iter().map(|put| put.id).collect();
        if ids.is_empty() || self.dice.roll(20) == 0 {
            ids.push("9999".parse().unwrap());
        }
        *self.dice.pick(&ids)
    }

    fn vote(&mut self) -> Action {
        let grade = match self.dice.roll(3) {
            0 => *self.dice.pick(&Grade::ALL),
            _ => Grade::Approve,
        };
        let listed = |roll: u64| match roll {
            0 => vec![format!("{WORD} {IN_VOTES}")],
            1 => vec![IN_VOTES.to_string(); 21],
            _ => Vec::new(),
        };
        let (conditions, changes) = (listed(self.dice.roll(9)), listed(self.dice.roll(30)));
        let (proposal, rationale) = (self.proposal(), self.maybe(&format!("{WORD} {IN_VOTES}")));
        let salt = (self.dice.roll(4) == 0).then(|| "salt".repeat(1 + self.dice.roll(40) as usize));
        Action::Vote { changes, conditions, grade, proposal, rationale, salt }
    }

    /// Something that is put down with the floor.
    fn put(&mut self, ask: AskId) -> Action {
        let (keep, text) = (self.talkative || self.dice.roll(4) == 0, self.words());
        match self.dice.roll(if self.talkative { 9 } else { 11 }) {
            0..=2 => {
                let kind = *self.dice.pick(&[Remark::Opinion, Remark::Question, Remark::Synthesis]);
                let to = (self.dice.roll(4) == 0).then(|| self.lying());
                Action::Say { ask, keep, kind, text, to }
            }
            3 | 4 => Action::Amend { ask, keep, proposal: self.proposal(), text, why: self.maybe(WORD) },
            5..=7 => {
                let reaction =
                    if self.dice.roll(2) == 0 { Reaction::Agree } else { *self.dice.pick(&Reaction::ALL) };
                let to = if self.dice.roll(2) == 0 { self.proposal().0 } else { self.lying() };
                Action::React { ask, keep, reaction, text: self.maybe(WORD), to }
            }
            8 => Action::Propose { ask, keep, text, title: format!("a {WORD}") },
            9 => Action::Skip { ask, why: self.maybe(WORD) },
            _ => Action::Release { ask },
        }
    }

    /// What an ask is for, done as it should be.
    fn proper(&mut self, ask: AskId, task: Task) -> Action {
        match task {
            Task::Join => Action::Join,
            Task::Propose if self.dice.roll(3) > 0 => {
                let (keep, text) = (self.dice.roll(6) == 0, self.words());
                Action::Propose { ask, keep, text, title: format!("a {WORD}") }
            }
            Task::Propose => Action::Skip { ask, why: None },
            Task::Weigh => self.rule(),
            Task::Vote { .. } => self.vote(),
            Task::Speak { .. } if self.dice.roll(5) == 0 => Action::Acknowledge { ask },
            Task::Speak { .. } | Task::Second | Task::Clerk(_) => self.put(ask),
        }
    }

    fn rule(&mut self) -> Action {
        let table = &self.world.house.case(self.world.matter()).unwrap().ring().unwrap().1.table;
        let mut ids: Vec<_> =
            table.proposals.iter().flat_map(|put| put.amendments.iter().map(|change| change.id)).collect();
        if ids.is_empty() {
            ids.push("9999".parse().unwrap());
        }
        let amendment = *self.dice.pick(&ids);
        Action::Rule { accept: self.dice.roll(2) == 0, amendment, why: self.maybe(WORD) }
    }

    /// Anything at all, with any turn: late, doubled, another's, unknown.
    fn improper(&mut self) -> Action {
        let ask = match self.dice.roll(3) {
            0 if !self.old.is_empty() => *self.dice.pick(&self.old),
            1 => "9999".parse().map(AskId).unwrap(),
            _ => {
                let open: Vec<AskId> = self.world.house.open_asks().map(|(id, _)| id).collect();
                if open.is_empty() { "9999".parse().map(AskId).unwrap() } else { *self.dice.pick(&open) }
            }
        };
        match self.dice.roll(8) {
            0 => Action::Join,
            1 => self.vote(),
            2 => self.rule(),
            3 => Action::Acknowledge { ask },
            _ => self.put(ask),
        }
    }

    /// The next thing that happens, and by whom.
    fn next(&mut self) -> (Actor, Command) {
        let matter = self.world.matter();
        let open: Vec<(AskId, Who, Task)> = self
            .world
            .house
            .open_asks()
            .map(|(id, ask)| (id, ask.who().unwrap().clone(), ask.task().unwrap()))
            .collect();
        let name = *self.dice.pick(&self.seats);
        let operator = |command| (Actor::Operator, command);
        let partake = |who: Who, part| {
            (Actor::Seat(who), Command::Ring(ring::Command::Participate { matter, action: part }))
        };
        match self.dice.roll(100) {
            0 => operator(Command::Pause { matter, why: Pause::Operator }),
            1 => (Actor::Engine, Command::Pause { matter, why: Pause::Interrupted }),
            2..=4 => operator(Command::Resume { matter }),
            5 => operator(Command::Ring(ring::Command::Start { matter })),
            6 if self.dice.roll(3) == 0 => {
                operator(Command::Ring(ring::Command::Remove { matter, who: who(name) }))
            }
            7 if self.dice.roll(12) == 0 => operator(Command::Stop { matter }),
            8 | 9 => partake(who(name), if self.dice.roll(3) == 0 { Action::Leave } else { Action::Join }),
            10 => partake(who("mallory"), self.improper()),
            11 => {
                // An answer to nothing belongs to no matter, and nobody could redact it.
                let Some((ask, ..)) = open.first().cloned() else { return (Actor::Engine, Command::Tick) };
                let (text, call) = (self.words(), Box::default());
                match self.dice.roll(3) {
                    0 => (
                        Actor::Engine,
                        Command::Begin { ask, patience_ms: None, worst: Worst { tokens: 1, cost: None } },
                    ),
                    1 => partake(who(name), Action::Leave),
                    _ => (Actor::Seat(who(name)), Command::Answer { ask, text, call, salt: None }),
                }
            }
            12 if self.dice.roll(6) == 0 => {
                self.dead.insert(name);
                (Actor::Engine, Command::Tick)
            }
            13..=22 => {
                let least = if self.dice.roll(3) == 0 { 120_000 } else { 5_000 };
                self.world.now = self.world.now.plus(self.dice.roll(least));
                if self.dice.roll(4) == 0 {
                    partake(who(name), self.improper())
                } else {
                    (Actor::Engine, Command::Tick)
                }
            }
            23..=34 => partake(who(name), self.improper()),
            _ if open.is_empty() => operator(Command::Resume { matter }),
            _ => {
                let (ask, asked, task) = self.dice.pick(&open).clone();
                if self.dead.contains(asked.as_str()) {
                    self.world.now = self.world.now.plus(self.dice.roll(60_000));
                    return (Actor::Engine, Command::Tick);
                }
                self.old.push(ask);
                let part = self.proper(ask, task);
                partake(asked, part)
            }
        }
    }
}

/// Plays one ring to its end. What is not over after so many steps is left to the clock.
fn play(seed: u64, founded: &World) -> World {
    let (mut play, open) = Play::new(seed, founded);
    let mut all = invariants::all(&founded.house);
    step(&mut play.world, &mut all, seed, Actor::Operator, open);
    for _ in 0..STEPS {
        if play.over() {
            break;
        }
        let (by, command) = play.next();
        step(&mut play.world, &mut all, seed, by, command);
    }
    invariants::ends::run_out(&mut play.world, |world, by, command| step(world, &mut all, seed, by, command));
    assert!(play.over(), "seed {seed}: a ring that is left to the clock ends");
    // What comes after the end is refused, and holds words all the same.
    let late = play.improper();
    let matter = play.world.matter();
    let name = who(play.seats[0]);
    step(
        &mut play.world,
        &mut all,
        seed,
        Actor::Seat(name),
        Command::Ring(ring::Command::Participate { matter, action: late }),
    );
    play.world
}

/// A random ring, left somewhere on its way or at its end, under every preset, with secret votes, and with a veto. Nothing
/// is checked on the way.
pub(crate) fn played(seed: u64) -> World {
    let mut founded = founded();
    for other in ["ring-secret", "ring-veto"] {
        founded.submit(Actor::Operator, Command::Adopt { source: source(other) });
    }
    let (mut play, mut open) = Play::new(seed, &founded);
    let other = match seed % 6 {
        0 => Some("ring-secret"),
        1 => Some("ring-veto"),
        _ => None,
    };
    if let (Command::Open(open), Some(other)) = (&mut open, other) {
        open.charter = Digest::of(source(other).as_bytes());
    }
    play.world.submit(Actor::Operator, open);
    for _ in 0..STEPS {
        if play.over() {
            break;
        }
        let (by, command) = play.next();
        play.world.submit(by, command);
    }
    if !seed.is_multiple_of(7) {
        invariants::ends::run_out(&mut play.world, |world, by, command| {
            world.submit(by, command);
        });
    }
    play.world
}

fn step(world: &mut World, all: &mut invariants::All, seed: u64, by: Actor, command: Command) {
    let before = world.house.clone();
    let act: Act = world.submit(by, command).clone();
    all.hold(&Step::new(seed, &before, &act, &world.house));
}

/// How rings ended, and what was refused in them.
#[derive(Default)]
struct Met {
    ended: BTreeMap<&'static str, u32>,
    refused: BTreeSet<String>,
}

fn met(seeds: impl Iterator<Item = u64>) -> Met {
    let (mut met, founded) = (Met::default(), founded());
    for seed in seeds {
        let mut world = play(seed, &founded);
        let case = world.house.cases().next().unwrap();
        *met.ended.entry(case.phase_word()).or_default() += 1;
        met.refused.extend(world.acts.iter().filter_map(|act| match &act.outcome {
            Outcome::Refused { code, .. } => Some(code.clone()),
            Outcome::Done(_) => None,
        }));
        invariants::redaction::leaves_no_word(&mut world, seed);
    }
    met
}

#[test]
fn a_thousand_random_sessions_hold_every_invariant() {
    // Each seed is a ring of its own; two threads only halve the wait.
    let (odd, even) = std::thread::scope(|scope| {
        let odd = scope.spawn(|| met((1..=1000).step_by(2)));
        let even = met((2..=1000).step_by(2));
        (odd.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic)), even)
    });
    let of = |end| [&odd, &even].iter().map(|met| met.ended.get(end).copied().unwrap_or(0)).sum::<u32>();
    let refused: BTreeSet<&String> = odd.refused.iter().chain(&even.refused).collect();
    // A generator that is too tame proves nothing.
    for (end, least) in [("COMMITTED", 200), ("ABORTED", 200), ("DEFERRED", 20)] {
        assert!(of(end) >= least, "only {} ended {end}", of(end));
    }
    for code in [
        "ask/not-open",
        "ballot/already-cast",
        "ballot/too-many-listed",
        "floor/not-holder",
        "floor/turn-full",
        "matter/wrong-status",
        "ring/already-joined",
        "ring/by-part",
        "ring/not-joined",
        "ring/removed",
        "ring/too-few-joined",
        "ring/wrong-phase",
        "roster/not-seated",
        "table/already-ruled",
        "table/empty",
        "table/no-change",
        "table/not-proposer",
        "table/stale",
        "table/too-long",
        "table/unknown",
    ] {
        assert!(refused.contains(&code.to_string()), "no session met {code}: {refused:?}");
    }
}

/// The house rebuilt from acts.
pub(super) fn folded(acts: &[Act]) -> House {
    let mut house = House::default();
    acts.iter().for_each(|act| house.evolve(act));
    house
}

/// A random ring, played to its end.
pub(crate) fn played_out(seed: u64) -> World {
    play(seed, &founded())
}
