//! What a vote counts for, by the record of who casts it.
//!
//! The best way to add up independent voters who are right with chance p is by the logarithm of p / (1 - p). Three
//! things keep that honest. A record is short, so each is drawn towards the average of all: a newcomer counts as
//! the average. Who is wrong as often as right says nothing and counts nothing; nobody's vote is turned round.
//! And seats that err together are not as many as they are: each counts for less, the more its errors go with those
//! of others. What goes together is measured; seats with one model count as one until the record says otherwise.
//!
//! All of it in whole numbers, so that every machine comes to the same.

use std::collections::BTreeMap;

use super::Track;
use crate::kernel::{ByRecord, MatterId, Seat, Who};

/// One part of 65,536: what fractions are counted in here.
const ONE: u64 = 1 << 16;
/// A whole vote, which the best record has.
const WHOLE: u64 = 1000;

/// A seat that is weighed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Voter<'a> {
    /// What answers for it, where no model is known: another program behind a name is another voter.
    pub mind: Option<&'a str>,
    /// The model it runs on, if that is known.
    pub model: Option<&'a str>,
    /// Who.
    pub who: &'a Who,
}

impl<'a> Voter<'a> {
    /// A seat as a matter knows it.
    pub fn of(seat: &'a Seat) -> Self {
        let model = seat.model.as_deref();
        Self { mind: model.is_none().then_some(seat.mind.as_str()), model, who: &seat.who }
    }
}

/// Why nobody is weighed: one seat, one vote.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Unweighed {
    /// Fewer than half of the seats have a record.
    TooFew {
        /// Those who have.
        known: u32,
    },
    /// No seat was right more often than wrong.
    NoneAhead,
}

/// What the vote of each counts for, in thousandths of a vote.
pub fn weigh(track: &Track, voters: &[Voter<'_>], by: &ByRecord) -> Result<Vec<u32>, Unweighed> {
    let mut records: Vec<BTreeMap<MatterId, bool>> = voters.iter().map(|voter| track.of(voter)).collect();
    // What is too short to be a record says nothing, in favour or against.
    records.iter_mut().filter(|record| record.len() < by.least as usize).for_each(BTreeMap::clear);
    let known = records.iter().filter(|record| !record.is_empty()).count();
    if known * 2 < voters.len() || known == 0 {
        return Err(Unweighed::TooFew { known: known as u32 });
    }
    let odds = log_odds(&records, by.shrink);
    let mut weights: Vec<u64> = (0..voters.len())
        .map(|one| odds[one] * ONE / (ONE + together(voters, &records, one, by.shrink)))
        .collect();
    if let Some(top) = by.top {
        let mut order: Vec<usize> = (0..voters.len()).collect();
        order.sort_by_key(|one| std::cmp::Reverse(weights[*one])); // equal ones in the order of seats
        order.into_iter().skip(top as usize).for_each(|one| weights[one] = 0);
    }
    match weights.iter().copied().max() {
        None | Some(0) => Err(Unweighed::NoneAhead),
        Some(best) => Ok(weights.iter().map(|weight| ((weight * WHOLE + best / 2) / best) as u32).collect()),
    }
}

/// The logarithm of each one's odds of being right, as far as they are better than even.
fn log_odds(records: &[BTreeMap<MatterId, bool>], shrink: u32) -> Vec<u64> {
    let right = |record: &BTreeMap<MatterId, bool>| record.values().filter(|right| **right).count() as u64;
    let all: u64 = records.iter().map(|record| record.len() as u64).sum();
    let all_right: u64 = records.iter().map(right).sum();
    // The average with half a mark more on either side, so that nobody is certain: good / (good + bad).
    let (good, bad) = (2 * all_right + 1, 2 * (all - all_right) + 1);
    let shrink = u64::from(shrink);
    let each = |record: &BTreeMap<MatterId, bool>| {
        let right = right(record);
        let wrong = record.len() as u64 - right;
        let won = right * (good + bad) + shrink * good;
        let lost = wrong * (good + bad) + shrink * bad;
        // Without shrinking a record without a fault would be worth everything.
        log2(won.max(1), lost.max(1))
    };
    records.iter().map(each).collect()
}

/// The logarithm of a fraction; nothing if it is less than one. One bit after the other: where the square of a
/// number reaches two, the next bit of its logarithm is set.
fn log2(part: u64, whole: u64) -> u64 {
    if part <= whole {
        return 0;
    }
    let integer = (part / whole).ilog2();
    let mut rest = (u128::from(part) << 32) / (u128::from(whole) << integer);
    let mut bits = u64::from(integer);
    for _ in 0..ONE.ilog2() {
        rest = (rest * rest) >> 32;
        bits <<= 1;
        if rest >= 2 << 32 {
            rest >>= 1;
            bits |= 1;
        }
    }
    bits
}

/// How many others one's errors amount to, all in all.
fn together(voters: &[Voter<'_>], records: &[BTreeMap<MatterId, bool>], one: usize, shrink: u32) -> u64 {
    let others = (0..voters.len()).filter(|other| *other != one);
    others
        .map(|other| {
            let alike = voters[one].model.is_some() && voters[one].model == voters[other].model;
            correlation(&records[one], &records[other], alike, shrink)
        })
        .sum()
}

/// How far two are right and wrong together beyond chance (Cohen's kappa), drawn towards one for seats that share a
/// model and towards nothing for others; never less than nothing.
fn correlation(
    one: &BTreeMap<MatterId, bool>,
    other: &BTreeMap<MatterId, bool>,
    alike: bool,
    shrink: u32,
) -> u64 {
    let (mut both, mut same, mut first, mut second) = (0i128, 0i128, 0i128, 0i128);
    for (matter, right) in one {
        let Some(also) = other.get(matter) else { continue };
        both += 1;
        same += i128::from(right == also);
        first += i128::from(*right);
        second += i128::from(*also);
    }
    let by_chance = first * second + (both - first) * (both - second);
    let (beyond, most) = (both * same - by_chance, both * both - by_chance);
    let (one, shrink) = (i128::from(ONE), i128::from(shrink));
    let expected = if alike { shrink * one } else { 0 };
    // Where both were always right or always wrong, nothing can be told.
    let (measured, matters) = if most == 0 { (0, 0) } else { (both * beyond * one / most, both) };
    match matters + shrink {
        0 => u64::from(alike) * ONE,
        of => u64::try_from((measured + expected) / of).unwrap_or(0),
    }
}
