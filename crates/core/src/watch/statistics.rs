//! The figures of a round without its names: what a panel that must not know each other may see.

use super::share;
use super::voices::{answers, filled, quoted};
use crate::kernel::prose::Prose;
use crate::kernel::{Choice, Permille, Response};

/// How many groups of positions are shown.
const SHOWN: usize = 5;

/// A round in figures.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Statistics {
    /// The mean of the stated confidences, to the nearest thousandth.
    pub mean_confidence: Option<Permille>,
    /// How many said what, the most frequent first, then as it was first said. Alike ones of one stated side are one,
    /// in the words of the first; a position without a side stands alone, after the others.
    pub positions: Vec<(String, u32)>,
    /// How many took each side that was taken, in the order in which the question lists them.
    pub stances: Vec<(Choice, u32)>,
}

/// The figures of some voices. `options`: how many the question has.
pub fn statistics(options: usize, voices: &[&Response]) -> Statistics {
    Statistics {
        mean_confidence: share::mean(voices.iter().filter_map(|voice| voice.confidence)),
        positions: positions(options, voices),
        stances: stances(options, voices),
    }
}

fn stances(options: usize, voices: &[&Response]) -> Vec<(Choice, u32)> {
    let place = |stance: Choice| match stance {
        Choice::Yes => 0,
        Choice::Option(index) => usize::from(index),
        Choice::No => options + 1,
        Choice::Neutral => options + 2,
    };
    let mut taken: Vec<Choice> = voices.iter().filter_map(|voice| voice.stance).collect();
    taken.retain(|stance| answers(options, *stance));
    taken.sort_by_key(|stance| place(*stance));
    let sides = taken.chunk_by(|a, b| a == b);
    sides.map(|side| (side[0], side.len() as u32)).collect()
}

fn positions(options: usize, voices: &[&Response]) -> Vec<(String, u32)> {
    let mut groups: Vec<HeldPosition<'_>> = Vec::new();
    for voice in voices {
        let Some(said) = filled(&voice.position) else { continue };
        let stance = voice.stance.filter(|stance| answers(options, *stance));
        let prose = Prose::of(said);
        let alike = |held: &&mut HeldPosition<'_>| {
            stance.is_some() && held.stance == stance && held.prose.alike(&prose)
        };
        match groups.iter_mut().find(alike) {
            Some(held) => held.count += 1,
            None => groups.push(HeldPosition { count: 1, prose, said, stance }),
        }
    }
    // Stable: the first said stays first.
    groups.sort_by_key(|held| (held.stance.is_none(), std::cmp::Reverse(held.count)));
    groups.into_iter().take(SHOWN).map(|held| (quoted(held.said), held.count)).collect()
}

/// A position, and how many of one side hold it.
struct HeldPosition<'a> {
    count: u32,
    prose: Prose,
    said: &'a str,
    stance: Option<Choice>,
}
