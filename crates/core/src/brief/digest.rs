//! The digest: what was said as points, exactly as many for one side as for any other, so that neither number nor
//! length argues. It chooses and cuts; it never rewords what somebody said.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;

use super::worded::{Hide, StatementPoint, Worded};
use crate::kernel::{Choice, text};

/// A digest that a mind has written: points for each side, as many for one as for another.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct WrittenDigest {
    /// The last round it covers.
    pub round: u32,
    /// The sides with their points.
    pub sides: Vec<(Choice, Vec<String>)>,
}

/// The material that a digest is made of.
pub(super) struct DigestMaterial<'a> {
    /// Statements, oldest first.
    pub(super) said: Vec<&'a Worded>,
    /// Whatever else belongs there, worded already; told after the points.
    pub(super) rest: &'a str,
    /// How much of that does not count against the budget.
    pub(super) given: usize,
}

/// The way in which a digest is worded.
#[derive(Clone, Copy)]
pub(super) struct DigestStyle<'a> {
    pub(super) options: usize,
    pub(super) hide: Hide<'a>,
    pub(super) written: Option<&'a WrittenDigest>,
}

/// The shortest and the longest a point may be in a digest while points compete for room, in characters. Between them
/// the budget is shared out, so that a brief is as long in a large council as in a small one.
const POINT: (usize, usize) = (80, 400);
/// How long points may be where room is left, the longest that fits first.
const LONGER: [usize; 4] = [2400, 1600, 1000, 600];

/// What a side takes besides its points, in characters: its heading and the line on what was cut.
const HEAD: usize = 140;

/// With more voices than this on a side its claims and points are more than a digest holds, and its reasons
/// need not be cut into sentences.
const FEW: usize = 48;

/// One side in a digest.
struct DigestSide<'a> {
    choice: Option<Choice>,
    voices: usize,
    /// How many of them were ordered to it.
    ordered: usize,
    /// Each with the name of who made it, best first.
    points: Vec<(&'a str, &'a str)>,
}

/// The latest word of each seat as points. A side with fewer points sets the measure; no side is ever left out.
pub(super) fn digest(
    heading: &str,
    material: &DigestMaterial<'_>,
    budget: usize,
    manner: DigestStyle<'_>,
) -> String {
    let mut sides = sides(&material.said, manner.hide);
    let covers =
        |written: &&WrittenDigest| material.said.iter().all(|said| said.said().round <= written.round);
    if let Some(written) = manner.written.filter(covers) {
        for side in &mut sides {
            if let Some((_, points)) = written.sides.iter().find(|(choice, _)| Some(*choice) == side.choice) {
                side.points = points.iter().map(|point| ("", point.as_str())).collect();
            }
        }
    }
    let counted = material.rest.len().saturating_sub(material.given);
    let mut out = String::with_capacity(budget + material.rest.len());
    out.push_str(heading);
    let (each, length) = measure(&sides, budget.saturating_sub(out.len() + counted));
    for side in &sides {
        tell(&mut out, side, (each, length), manner.options);
    }
    out.push_str(material.rest);
    out
}

fn tell(out: &mut String, side: &DigestSide<'_>, (each, length): (usize, usize), options: usize) {
    let word = side.choice.map_or("No stance".into(), |choice| choice.word(options));
    let seats = text::counted(side.voices as u64, "seat");
    let by_order = match side.ordered {
        0 => String::new(),
        all if all == side.voices => ", assigned".into(),
        some => format!(", {some} assigned"),
    };
    let _ = writeln!(out, "\n{word}, {seats}{by_order}:");
    for (label, point) in side.points.iter().take(each) {
        let by = if label.is_empty() { "" } else { ": " };
        let _ = writeln!(out, "| - {label}{by}{}", text::one_line(&text::excerpt(point, length)));
    }
    let left = side.points.len().saturating_sub(each);
    if left > 0 {
        let _ = writeln!(out, "({left} more left out; every side was cut to {each}.)");
    }
}

/// The sides, by the latest statement of each seat, with their points: first the first of every seat, then
/// the second, so that many voices come before one voice's many points.
fn sides<'a>(said: &[&'a Worded], hide: Hide<'_>) -> Vec<DigestSide<'a>> {
    let latest: BTreeMap<&str, &Worded> = said.iter().map(|worded| (worded.label(), *worded)).collect();
    let mut voices: BTreeMap<Option<Choice>, Vec<&'a Worded>> = BTreeMap::new();
    for worded in latest.into_values() {
        voices.entry(worded.stance()).or_default().push(worded);
    }
    let side = |(choice, voices): (Option<Choice>, Vec<&'a Worded>)| {
        // A side of few voices has its reasons told too: the side with the fewest points sets the measure for all.
        let few = voices.len() <= FEW;
        let deepest = voices.iter().map(|voice| voice.points(few, hide).len()).max().unwrap_or(0);
        let mut points = Vec::new();
        let mut known: BTreeSet<&StatementPoint> = BTreeSet::new();
        for depth in 0..deepest {
            for voice in &voices {
                if let Some(point) = voice.points(few, hide).get(depth)
                    && known.insert(point)
                {
                    points.push((voice.label(), point.text()));
                }
            }
        }
        let ordered = voices.iter().filter(|voice| voice.ordered()).count();
        DigestSide { choice, voices: voices.len(), ordered, points }
    };
    voices.into_iter().map(side).collect()
}

/// How many points each side gets, and how long each may be: as many as the room holds when they are as long as
/// they may be; if not even one each fits so, shorter ones.
fn measure(sides: &[DigestSide<'_>], budget: usize) -> (usize, usize) {
    // Those on no side have nothing to be weighed against: they take as many as they have, up to the measure.
    let takes_side = |side: &&DigestSide<'_>| side.choice.is_some_and(|choice| choice != Choice::Neutral);
    let count = |side: &DigestSide<'_>| side.points.len();
    let fewest = sides.iter().filter(takes_side).map(count).min();
    let fewest = fewest.or_else(|| sides.iter().map(count).max()).unwrap_or(0).max(1);
    let room = budget.saturating_sub(sides.len() * HEAD);
    // What one more point of every side takes.
    let takes = |nth: usize, longest: usize| {
        let point = |(label, point): &(&str, &str)| label.len() + point.len().min(longest) + 10;
        sides.iter().filter_map(|side| side.points.get(nth)).map(point).sum::<usize>()
    };
    let (mut each, mut taken) = (1, takes(0, POINT.1));
    if taken <= room {
        while each < fewest && taken + takes(each, POINT.1) <= room {
            taken += takes(each, POINT.1);
            each += 1;
        }
        let fits = |longest: &usize| (0..each).map(|nth| takes(nth, *longest)).sum::<usize>() <= room;
        return (each, LONGER.into_iter().find(fits).unwrap_or(POINT.1));
    }
    let length = room / sides.iter().map(|side| count(side).min(1)).sum::<usize>().max(1);
    (each, length.saturating_sub(40).clamp(POINT.0, POINT.1))
}
