//! What a vote counts for, by the record of who casts it.
//!
//! The best way to add up independent voters who are right with chance p is by the logarithm of p / (1 - p). Three
//! things keep that honest. A record is short, so each is drawn towards the average of all: a newcomer counts as
//! the average. Who is wrong as often as right says nothing and counts nothing; nobody's vote is turned round.
//! And seats that err together are not as many as they are: each counts for less, the more its errors go with those
//! of others. What goes together is measured; seats with one model count as one until the record says otherwise.
//!
//! It reads the counts in `book.rs` and nothing else. All of it in whole numbers, so that every machine comes to the same.

use super::Track;
use super::book::{Pair, TrackBook};
use crate::kernel::{ByRecord, Seat, Who};

/// One part of 65,536: what fractions are counted in here.
const ONE: u64 = 1 << 16;
/// A whole vote, which the best record has.
const WHOLE: u64 = 1000;

/// A seat that is weighed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Voter<'a> {
    /// What answers for it, where no model is known: another program behind a name is another voter.
    pub backend: Option<&'a str>,
    /// The model it runs on, if that is known.
    pub model: Option<&'a str>,
    /// Who.
    pub who: &'a Who,
}

impl<'a> Voter<'a> {
    /// A seat as a matter knows it.
    pub fn of(seat: &'a Seat) -> Self {
        let model = seat.model.as_deref();
        Self { backend: model.is_none().then_some(seat.backend.as_str()), model, who: &seat.who }
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

/// A voter and the number of its record; none if that is too short to say anything, in favour or against.
struct Weighed<'a> {
    model: Option<&'a str>,
    record: Option<u32>,
}

/// What the vote of each counts for, in thousandths of a vote.
pub fn weigh(track: &Track, voters: &[Voter<'_>], by: &ByRecord) -> Result<Vec<u32>, Unweighed> {
    let book = &track.book;
    let long_enough = |number: &u32| book.record(*number).marks() >= by.least.max(1);
    let weighed: Vec<Weighed<'_>> = voters
        .iter()
        .map(|voter| Weighed { model: voter.model, record: book.number(voter).filter(long_enough) })
        .collect();
    let known = weighed.iter().filter(|one| one.record.is_some()).count();
    if known * 2 < voters.len() || known == 0 {
        return Err(Unweighed::TooFew { known: known as u32 });
    }
    let odds = log_odds(book, &weighed, by.shrink);
    let mut weights: Vec<u64> = (0..voters.len())
        .map(|one| odds[one] * ONE / (ONE + together(book, &weighed, one, by.shrink)))
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
fn log_odds(book: &TrackBook, weighed: &[Weighed<'_>], shrink: u32) -> Vec<u64> {
    let counts = |one: &Weighed<'_>| {
        let record = one.record.map(|number| book.record(number));
        record.map_or((0, 0), |record| (u64::from(record.right), u64::from(record.wrong)))
    };
    let (right, wrong) =
        weighed.iter().map(counts).fold((0, 0), |sum, (right, wrong)| (sum.0 + right, sum.1 + wrong));
    // The average with half a mark more on either side, so that nobody is certain: good / (good + bad).
    let (good, bad) = (2 * right + 1, 2 * wrong + 1);
    let shrink = u64::from(shrink);
    let each = |one: &Weighed<'_>| {
        let (right, wrong) = counts(one);
        let won = right * (good + bad) + shrink * good;
        let lost = wrong * (good + bad) + shrink * bad;
        // Without shrinking a record without a fault would be worth everything.
        log2(won.max(1), lost.max(1))
    };
    weighed.iter().map(each).collect()
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
fn together(book: &TrackBook, weighed: &[Weighed<'_>], one: usize, shrink: u32) -> u64 {
    let others = weighed.iter().enumerate().filter(|(other, _)| *other != one);
    others
        .map(|(_, other)| {
            let own = &weighed[one];
            let alike = own.model.is_some() && own.model == other.model;
            let pair = own.record.zip(other.record).map(|(a, b)| book.pair(a, b)).unwrap_or_default();
            correlation(pair, alike, shrink)
        })
        .sum()
}

/// How far two are right and wrong together beyond chance (Cohen's kappa), drawn towards one for seats that share a
/// model and towards nothing for others; never less than nothing.
fn correlation(pair: Pair, alike: bool, shrink: u32) -> u64 {
    let [both, same, first, second] = [pair.both, pair.same, pair.first, pair.second].map(i128::from);
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
