//! Matters that leave memory change nothing: what is folded again is what was there, and a house that lets them go
//! and packs itself away in between judges as one that never does.

use std::sync::Arc;

use synod_core::house::{Case, Summary};
use synod_core::kernel::{Actor, MatterId};
use synod_core::matter::Status;
use synod_core::track::Verdict;
use synod_core::{Act, Command, House};

use crate::random::{Dice, play, step};
use crate::ring::sessions::played_out;
use crate::world::World;

/// A random world that goes on after its matters are over: outcomes, branches, late clerks, words taken away.
fn long(seed: u64, redact: bool) -> World {
    let mut world = play(seed);
    let mut dice = Dice(seed.wrapping_mul(0xD134_2543_DE82_EF95) | 1);
    for _ in 0..if world.house.matters() > 0 { 40 } else { 0 } {
        let over: Vec<MatterId> = world.house.cases().filter(|case| over(case)).map(|case| case.id).collect();
        match (dice.roll(8), over.is_empty()) {
            (0, false) => {
                let (matter, verdict) = (*dice.pick(&over), *dice.pick(&[Verdict::Right, Verdict::Wrong]));
                world.submit(Actor::Operator, Command::RecordOutcome { matter, verdict });
            }
            (1, false) if redact => drop(world.redact(*dice.pick(&over)).seq),
            _ => step(&mut world, &mut dice),
        }
    }
    world
}

fn over(case: &Case) -> bool {
    matches!(case.status(), Status::Settled(_))
}

/// The matter as its own acts have it.
fn rebuilt(house: &House, acts: &[Act], matter: MatterId) -> Arc<Case> {
    let own = house.acts_of(matter);
    let own = own.iter().map(|seq| &acts[seq.0 as usize - 1]);
    house.rebuild(matter, own).expect("the acts hold its opening")
}

fn check_rebuilt(world: &World, seed: u64) -> usize {
    for case in world.house.cases() {
        let again = rebuilt(&world.house, &world.acts, case.id);
        assert_eq!(*again, *case, "seed {seed}: {} is made of its own acts", case.id);
    }
    world.house.cases().count()
}

#[test]
fn a_matter_is_the_same_when_it_is_folded_from_its_own_acts() {
    let mut branches = 0;
    for seed in 1..=100 {
        let world = long(seed, seed % 2 == 0);
        check_rebuilt(&world, seed);
        branches += world.house.cases().filter(|case| case.opening.forked.is_some()).count();
    }
    assert!(branches > 15, "only {branches} branches: the generator is too tame");
    for seed in 1..=30 {
        check_rebuilt(&played_out(seed), seed);
    }
}

/// Brings matters back that an act or a command is about.
fn bring(house: &mut House, acts: &[Act], matters: impl IntoIterator<Item = MatterId>) {
    for matter in matters {
        let case = rebuilt(house, acts, matter);
        assert_eq!(Summary::of(&case), *house.summary(matter).unwrap(), "{matter}: its summary stays true");
        house.restore(case);
    }
}

/// A copy that was packed and unpacked; what runs is brought back.
fn packed(house: &House, acts: &[Act]) -> House {
    let mut again = House::unpack(&house.pack()).expect("what was packed can be unpacked");
    let active = again.left_active();
    bring(&mut again, acts, active);
    again
}

/// Lets matters leave and come back at random moments while a world happens once more.
fn again_in_parts(world: &World, seed: u64, judged: bool) -> usize {
    let mut dice = Dice(seed.wrapping_mul(0x2545_F491_4F6C_DD1D) | 1);
    let (mut house, mut most) = (House::default(), 0);
    for act in &world.acts {
        if judged {
            let away = house.away_for(&act.command);
            bring(&mut house, &world.acts, away);
            let (again, after) = house.judge(act.at, act.by.clone(), act.key.clone(), act.command.clone());
            assert_eq!(again, *act, "seed {seed}: act {} comes out otherwise", act.seq);
            house = after;
        } else {
            let away = house.away_in(act);
            bring(&mut house, &world.acts[..act.seq.0 as usize - 1], away);
            house.evolve(act);
        }
        if dice.roll(3) == 0 {
            house.archive_idle(dice.roll(2) as usize);
        }
        if dice.roll(12) == 0 {
            house = packed(&house, &world.acts[..act.seq.0 as usize]);
        }
        most = most.max(house.matters() - house.cases().count());
    }
    let all: Vec<MatterId> = house.summaries().map(|summary| summary.id).collect();
    let away: Vec<MatterId> = all.into_iter().filter(|matter| house.is_away(*matter)).collect();
    bring(&mut house, &world.acts, away);
    assert!(house == world.house, "seed {seed}: a house in parts is the house");
    most
}

#[test]
fn a_house_whose_matters_come_and_go_judges_the_same() {
    let mut away = 0;
    for seed in 1..=100 {
        away += again_in_parts(&long(seed, false), seed, true);
    }
    for seed in 1..=30 {
        away += again_in_parts(&played_out(seed), seed, true);
    }
    assert!(away > 50, "only {away} matters were away");
}

#[test]
fn a_house_whose_matters_come_and_go_records_redactions_the_same() {
    let mut away = 0;
    for seed in 1..=100 {
        away += again_in_parts(&long(seed, true), seed, false);
    }
    assert!(away > 50, "only {away} matters were away");
}

#[test]
fn bytes_that_are_no_house_are_refused() {
    let world = long(7, true);
    let bytes = world.house.pack();
    for cut in [0, 7, 8, 40, bytes.len() / 2, bytes.len() - 1] {
        assert!(House::unpack(&bytes[..cut]).is_err(), "cut after {cut} of {} bytes", bytes.len());
    }
    let longer: Vec<u8> = bytes.iter().copied().chain([0]).collect();
    assert!(House::unpack(&longer).is_err(), "more than a house");
    // Any byte may be wrong; nothing may panic, and what is read is a house all the same.
    for at in (0..bytes.len()).step_by(101).chain(bytes.len() - 200..bytes.len()) {
        let mut wrong = bytes.clone();
        wrong[at] ^= 0x55;
        drop(House::unpack(&wrong));
    }
}

#[test]
fn what_runs_never_leaves() {
    for seed in 1..=50 {
        let mut world = play(seed);
        world.house.archive_idle(0);
        for summary in world.house.summaries().filter(|summary| world.house.is_away(summary.id)) {
            assert!(summary.is_over() && !summary.active, "seed {seed}: {} is not over", summary.id);
        }
    }
    let unknown = MatterId("9999".parse().unwrap());
    let house = House::default();
    assert!(!house.knows(unknown) && !house.is_away(unknown) && house.summary(unknown).is_none());
}
