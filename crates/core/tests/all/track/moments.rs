//! The counts that records and weights are read from, beside the same counts made from everything that was learned.

use std::collections::BTreeMap;
use std::sync::Arc;

use synod_core::edition::CURRENT;
use synod_core::kernel::{ByRecord, Choice, MatterId, Who};
use synod_core::track::{Event, JudgedVote, Learned, Track, Truth, Unweighed, Voter, learned_weights, weigh};

use super::weights::matter;
use crate::random::Dice;
use crate::world::who;

const MODELS: [Option<&str>; 3] = [None, Some("small"), Some("large")];

/// Marks of some of the voters; the same seat may run on another model next time.
fn learned(dice: &mut Dice, names: &[Who]) -> Learned {
    let (nth, branched) = (dice.roll(12) as usize, dice.roll(3) == 0);
    // Matters from 6 on may be branches of one of the first three.
    let root = if nth >= 6 && branched { nth % 3 } else { nth };
    let mut marks = Vec::new();
    for who in names {
        if dice.roll(4) > 0 {
            let model = dice.pick(&MODELS).map(str::to_string);
            let backend = model.is_none().then(|| "script:a".to_string());
            let (minority, right) = (dice.roll(3) == 0, dice.roll(5) > 1);
            marks.push(JudgedVote { backend, minority, model, right, side: None, who: who.clone() });
        }
    }
    Learned { marks, matter: matter(nth), options: 0, root: matter(root), truth: Truth::Is(Choice::Yes) }
}

/// Marks by question, of one voter: those of the youngest branch.
fn marks_of(known: &BTreeMap<MatterId, Learned>, voter: Voter<'_>) -> BTreeMap<MatterId, JudgedVote> {
    let own = |mark: &&JudgedVote| {
        (mark.who == *voter.who)
            && (mark.model.as_deref(), mark.backend.as_deref()) == (voter.model, voter.backend)
    };
    let mark = |learned: &Learned| Some((learned.root, learned.marks.iter().find(own)?.clone()));
    known.values().filter_map(mark).collect()
}

/// Cohen's kappa of two lists, drawn to what is expected, in parts of 65,536.
fn kappa(
    one: &BTreeMap<MatterId, JudgedVote>,
    other: &BTreeMap<MatterId, JudgedVote>,
    alike: bool,
    shrink: i128,
) -> i128 {
    let both: Vec<(bool, bool)> =
        one.iter().filter_map(|(id, mark)| Some((mark.right, other.get(id)?.right))).collect();
    let n = both.len() as i128;
    let count = |holds: fn(&(bool, bool)) -> bool| both.iter().filter(|pair| holds(pair)).count() as i128;
    let (same, first, second) = (count(|pair| pair.0 == pair.1), count(|pair| pair.0), count(|pair| pair.1));
    let chance = first * second + (n - first) * (n - second);
    let (measured, weight) = match n * n - chance {
        0 => (0, 0),
        most => (n * (n * same - chance) * 65_536 / most, n),
    };
    let expected = if alike { shrink * 65_536 } else { 0 };
    ((measured + expected) / (weight + shrink)).max(0)
}

/// How much each one's errors go with those of the others. What the whole weight adds to it is tested by `weights`.
fn together(lists: &[BTreeMap<MatterId, JudgedVote>], voters: &[Voter<'_>], shrink: i128) -> Vec<i128> {
    let of = |one: usize| {
        let others = (0..lists.len()).filter(|other| *other != one);
        others
            .map(|other| {
                let alike = voters[one].model.is_some() && voters[one].model == voters[other].model;
                kappa(&lists[one], &lists[other], alike, shrink)
            })
            .sum()
    };
    (0..lists.len()).map(of).collect()
}

#[test]
fn counts_kept_while_learning_are_those_of_everything_learned() {
    let names: Vec<Who> = ["a", "b", "c", "d", "e"].map(who).into();
    let mut weighed = 0;
    for seed in 1..=300 {
        let mut dice = Dice(seed * 7919);
        let (mut track, mut known) = (Track::default(), BTreeMap::<MatterId, Learned>::new());
        for _ in 0..dice.roll(40) {
            let mut one = learned(&mut dice, &names);
            // What a matter is a branch of never changes.
            if let Some(before) = known.get(&one.matter) {
                one.root = before.root;
            }
            known.insert(one.matter, one.clone());
            track.apply(&Event::Learned(Arc::new(one)));
        }
        let voters: Vec<Voter<'_>> = names
            .iter()
            .map(|who| {
                let model = *dice.pick(&MODELS);
                Voter { backend: model.is_none().then_some("script:a"), model, who }
            })
            .collect();
        let lists: Vec<BTreeMap<MatterId, JudgedVote>> =
            voters.iter().map(|voter| marks_of(&known, *voter)).collect();
        for record in track.records() {
            let model = record.model.as_deref();
            let voter = Voter { backend: record.backend.as_deref(), model, who: &record.who };
            let own = marks_of(&known, voter);
            let count = |right: bool, alone: bool| {
                own.values().filter(|mark| mark.right == right && (!alone || mark.minority)).count() as u32
            };
            let counted = [count(true, false), count(false, false), count(true, true), count(false, true)];
            let kept = [record.right, record.wrong, record.right_alone, record.wrong_alone];
            assert_eq!(kept, counted, "seed {seed}: {record:?}");
        }
        // Learned afresh and in order, weights come out the same as through every change of mind.
        let mut afresh = Track::default();
        known.values().for_each(|one| afresh.apply(&Event::Learned(Arc::new(one.clone()))));
        let by = ByRecord { least: 1, shrink: 4, top: None };
        assert_eq!(weigh(&track, &voters, &by), weigh(&afresh, &voters, &by), "seed {seed}");
        let by_errors = |track| learned_weights(CURRENT, track, &voters, &by);
        assert_eq!(by_errors(&track), by_errors(&afresh), "seed {seed}");
        assert_eq!(track.records(), afresh.records(), "seed {seed}");
        weighed += usize::from(agrees(&lists, &voters, weigh(&track, &voters, &by), seed));
    }
    assert!(weighed > 50, "only {weighed} tracks were long enough to be weighed");
}

/// Whether equal numbers of right and wrong marks are told apart by what goes together, and by nothing else.
fn agrees(
    lists: &[BTreeMap<MatterId, JudgedVote>],
    voters: &[Voter<'_>],
    weights: Result<Vec<u32>, Unweighed>,
    seed: u64,
) -> bool {
    let Ok(weights) = weights else { return false };
    let together = together(lists, voters, 4);
    let score = |at: usize| {
        let right = lists[at].values().filter(|mark| mark.right).count();
        (right, lists[at].len() - right)
    };
    for one in 0..lists.len() {
        for other in 0..lists.len() {
            if score(one) == score(other) && together[one] < together[other] {
                assert!(weights[one] >= weights[other], "seed {seed}: {weights:?} with {together:?}");
            }
        }
    }
    true
}
