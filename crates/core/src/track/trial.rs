//! Which way of counting the record speaks for: weights by errors, one vote each, or the best seat alone.
//!
//! Weights pay where seats differ; where one towers over the rest, or all are alike, they add noise. So they are tried on
//! what is known: outcomes are dealt into five parts, each part is decided by the counts of the other four, and that twice.
//! Where the best seat or one vote each beats the weights by more than one standard error, that is used, and the ballot
//! says so. Where nothing shows that seats differ, weights have to be ahead of one vote each to be used at all. Learning
//! changes counts; only a ballot that opens goes through answers, and through so many at most.

use super::book::{DEALS, MarkedAnswer, PARTS, RIGHT, part_of};
use super::weigh::{Unweighed, Voter};
use super::worth::{LEAST_WEIGHT, Sample, WHOLE, WeighedSeat, Worth};
use super::{Track, fixed::ONE};
use crate::edition;
use crate::kernel::{ByRecord, RecordWeights, SeatWeight, WeighedBy, WeightTrial};

/// The youngest questions that a trial is made on.
const TRIED_MOST: usize = 4096;
/// A right decision, in parts that ties of up to ten sides divide.
const DECIDED: i64 = 2520;

/// What the vote of each counts for, and why, by an edition of the rules from 3 on.
pub fn learned_weights(
    edition: u32,
    track: &Track,
    voters: &[Voter<'_>],
    by: &ByRecord,
) -> Result<RecordWeights, Unweighed> {
    let book = &track.book;
    let long_enough = |number: &u32| book.record(*number).marks() >= by.least.max(1);
    let seats: Vec<WeighedSeat<'_>> = voters
        .iter()
        .map(|voter| WeighedSeat { model: voter.model, record: book.number(voter).filter(long_enough) })
        .collect();
    let known = seats.iter().filter(|seat| seat.record.is_some()).count();
    if known * 2 < voters.len() || known == 0 {
        return Err(Unweighed::TooFew { known: known as u32 });
    }
    let spreads = edition >= edition::SPREADS;
    let sample = |held_out| Sample { book, held_out, seats: &seats, shrink: by.shrink, spreads };
    let worth = sample(None).worth();
    let trial = CountingTrial::run(track, &seats, |deal, part| sample(Some((deal, part))).worth());
    let by_what = if worth.hopeless { WeighedBy::LeastBad } else { trial.verdict(worth.differ) };
    let mut weights = match by_what {
        WeighedBy::Errors => worth.weights.clone(),
        WeighedBy::Equal => vec![WHOLE; voters.len()],
        WeighedBy::Best | WeighedBy::LeastBad => alone(worth.best, voters.len()),
    };
    if let Some(top) = by.top.filter(|_| by_what != WeighedBy::Equal) {
        let mut order: Vec<usize> = (0..voters.len()).collect();
        order.sort_by_key(|seat| std::cmp::Reverse(weights[*seat])); // equal ones in the order of seats
        order.into_iter().skip(top as usize).for_each(|seat| weights[seat] = 0);
    }
    let entry = |(seat, voter): (usize, &Voter<'_>)| {
        let marks = seats[seat].record.map_or(0, |number| book.record(number).marks());
        let mean = (worth.means[seat] * 1000 + ONE / 2) / ONE;
        (voter.who.clone(), SeatWeight { marks, mean: mean as u32, weight: weights[seat] })
    };
    Ok(RecordWeights {
        by: by_what,
        seats: voters.iter().enumerate().map(entry).collect(),
        trial: trial.report(),
    })
}

/// One seat decides, the others only where it takes no side.
fn alone(best: usize, seats: usize) -> Vec<u32> {
    (0..seats).map(|seat| if seat == best { WHOLE } else { LEAST_WEIGHT }).collect()
}

/// How the ways of counting did.
#[derive(Debug, Default)]
struct CountingTrial {
    outcomes: i64,
    errors: i64,
    best: Rival,
    equal: Rival,
}

/// A way of counting beside the weights.
#[derive(Debug, Default)]
struct Rival {
    right: i64,
    /// How far it was ahead, summed over outcomes, and the squares of that.
    ahead: i64,
    squares: i64,
}

impl Rival {
    fn took(&mut self, right: i64, errors: i64) {
        self.right += right;
        self.ahead += right - errors;
        self.squares += (right - errors) * (right - errors);
    }

    /// More than one standard error ahead. With `n` outcomes that is `mean² > (squares/n − mean²) / (n − 1)`, which comes to this.
    fn is_ahead(&self) -> bool {
        self.ahead > 0 && self.ahead * self.ahead > self.squares
    }
}

impl CountingTrial {
    /// Decides each known outcome by weights that were made without it.
    fn run(track: &Track, seats: &[WeighedSeat<'_>], worth: impl Fn(usize, usize) -> Worth) -> Self {
        let cells = (0..DEALS).flat_map(|deal| (0..PARTS).map(move |part| (deal, part)));
        let worths: Vec<Worth> = cells.map(|(deal, part)| worth(deal, part)).collect();
        let alone: Vec<Vec<u32>> = worths.iter().map(|worth| alone(worth.best, seats.len())).collect();
        let equal = vec![WHOLE; seats.len()];
        let mut seat_of: Vec<Option<usize>> = Vec::new();
        for (seat, weighed) in seats.iter().enumerate() {
            if let Some(number) = weighed.record {
                seat_of.resize(seat_of.len().max(number as usize + 1), None);
                seat_of[number as usize] = Some(seat);
            }
        }
        let mut trial = Self::default();
        let mut given: Vec<(usize, u8)> = Vec::with_capacity(seats.len());
        for (question, answers) in track.book.answers() {
            given.clear();
            let seat =
                |answer: &MarkedAnswer| Some((*seat_of.get(answer.number as usize)?.as_ref()?, answer.side));
            given.extend(answers.iter().filter_map(seat));
            if given.is_empty() {
                continue;
            }
            let by_equal = right(&given, &equal) * DEALS as i64;
            let (mut errors, mut best) = (0, 0);
            for deal in 0..DEALS {
                let cell = deal * PARTS + part_of(question, deal);
                errors += right(&given, &worths[cell].weights);
                best += right(&given, &alone[cell]);
            }
            trial.errors += errors;
            trial.best.took(best, errors);
            trial.equal.took(by_equal, errors);
            trial.outcomes += 1;
            if trial.outcomes as usize == TRIED_MOST {
                break;
            }
        }
        trial
    }

    fn verdict(&self, differ: bool) -> WeighedBy {
        let equal = if differ { self.equal.is_ahead() } else { self.equal.ahead >= 0 };
        if self.best.is_ahead() && (!equal || self.best.ahead > self.equal.ahead) {
            WeighedBy::Best
        } else if equal {
            WeighedBy::Equal
        } else {
            WeighedBy::Errors
        }
    }

    fn report(&self) -> Option<WeightTrial> {
        let all = self.outcomes * DECIDED * DEALS as i64;
        let share = |right: i64| ((right * 1000 + all / 2) / all) as u32;
        (self.outcomes > 0).then(|| WeightTrial {
            best: share(self.best.right),
            equal: share(self.equal.right),
            errors: share(self.errors),
            outcomes: self.outcomes as u32,
        })
    }
}

/// How right these answers are under these weights: the right answer's share of the first place.
fn right(given: &[(usize, u8)], weights: &[u32]) -> i64 {
    let mut votes = [0u32; 256];
    let (mut most, mut wide) = (0, 0);
    for (seat, side) in given {
        wide = wide.max(usize::from(*side));
        let side = &mut votes[usize::from(*side)];
        *side += weights[*seat];
        most = most.max(*side);
    }
    if votes[usize::from(RIGHT)] < most {
        return 0;
    }
    DECIDED / votes[..=wide].iter().filter(|votes| **votes == most).count().max(1) as i64
}
