//! What each vote is worth by counts: the weights that are right most often when errors go together as they did.
//!
//! Each seat's mean is drawn towards the average of all with the strength of `shrink` outcomes, and how its errors go
//! with another's towards what is usual, by the outcomes that both were marked on. Weights are the inverse of those
//! covariances times what each mean is above guessing. A negative weight would turn a vote round: it is cut.

use std::cmp::Reverse;

use super::book::{CERTAIN, Single, TrackBook};
use super::fixed::{ONE, over, root, solve, times};

/// The best vote, in thousandths.
pub(super) const WHOLE: u32 = 1000;
/// What every vote counts for at least, so that ties break.
pub(super) const LEAST_WEIGHT: u32 = 1;
/// What is added to every seat's own variance: pairs are estimated from different outcomes, and need not fit together.
const RIDGE: i128 = ONE / 10;
/// No pair is taken to agree or disagree always.
const MOST_TOGETHER: i128 = ONE / 100 * 99;
/// No variance is taken to be less than this.
const LEAST_VARIANCE: i128 = ONE / 1000;
/// So many seats are weighed by what goes together, those with the best means. The others keep the least weight: the
/// work grows with the cube of their number.
const SOLVED_MOST: usize = 128;

/// A seat that is weighed.
#[derive(Debug, Clone, Copy)]
pub(super) struct WeighedSeat<'a> {
    pub(super) model: Option<&'a str>,
    /// The number of its record, if it has one that counts.
    pub(super) record: Option<u32>,
}

/// Whose counts, which part of them is held out, and how strongly they are drawn together.
pub(super) struct Sample<'a> {
    pub(super) book: &'a TrackBook,
    pub(super) held_out: Option<(usize, usize)>,
    pub(super) seats: &'a [WeighedSeat<'a>],
    pub(super) shrink: u32,
}

/// What the counts of a sample come to.
pub(super) struct Worth {
    /// The seat with the best mean; of equal ones the first.
    pub(super) best: usize,
    /// Nobody is better than guessing.
    pub(super) hopeless: bool,
    /// How often each is taken to be right.
    pub(super) means: Vec<i128>,
    /// In thousandths of a vote.
    pub(super) weights: Vec<u32>,
}

impl Sample<'_> {
    /// Weighs the seats, of which there is one at least.
    pub(super) fn worth(&self) -> Worth {
        let singles: Vec<Single> = self.seats.iter().map(|seat| self.single(seat)).collect();
        let total = |of: fn(&Single) -> u64| singles.iter().map(of).sum::<u64>();
        let (marks, right) = (total(|it| it.marks.into()), total(|it| it.right.into()));
        // Half a mark more on either side, so that nobody is certain.
        let average = over((2 * i128::from(right) + 1) * ONE, (2 * i128::from(marks) + 2) * ONE);
        let chance = match marks {
            0 => 0,
            marks => over(i128::from(total(|it| it.chance)), i128::from(CERTAIN) * i128::from(marks)),
        };
        let shrink = i128::from(self.shrink);
        let mean = |it: &Single| {
            (i128::from(it.right) * ONE + shrink * average) / (i128::from(it.marks) + shrink).max(1)
        };
        let means: Vec<i128> = singles.iter().map(mean).collect();
        let best = (0..means.len()).max_by_key(|seat| (means[*seat], Reverse(*seat))).unwrap_or(0);
        let ahead: Vec<i128> = means.iter().map(|mean| mean - chance).collect();
        let hopeless = marks > 0 && ahead.iter().all(|ahead| *ahead <= 0);
        let weights = self.weights(&means, &ahead);
        Worth { best, hopeless, means, weights }
    }

    fn single(&self, seat: &WeighedSeat<'_>) -> Single {
        seat.record.map(|number| self.book.single_without(number, self.held_out)).unwrap_or_default()
    }

    fn weights(&self, means: &[i128], ahead: &[i128]) -> Vec<u32> {
        let mut chosen: Vec<usize> = (0..means.len()).collect();
        chosen.sort_by_key(|seat| (Reverse(means[*seat]), *seat));
        chosen.truncate(SOLVED_MOST);
        chosen.sort_unstable();
        let deviation = |seat: &usize| root(times(means[*seat], ONE - means[*seat]).max(LEAST_VARIANCE));
        let deviations: Vec<i128> = chosen.iter().map(deviation).collect();
        let together = self.together(&chosen, &deviations);
        let scaled = |at: usize| over(ahead[chosen[at]], deviations[at]);
        let rows = together.into_iter().enumerate().map(|(at, mut row)| {
            row.push(scaled(at));
            row
        });
        // Where nothing can be said of what goes together, each counts for itself.
        let found = solve(rows.collect()).unwrap_or_else(|| (0..chosen.len()).map(scaled).collect());
        let mut raw = vec![0; means.len()];
        for (at, seat) in chosen.iter().enumerate() {
            raw[*seat] = over(found[at], deviations[at]).max(0);
        }
        let Some(most) = raw.iter().copied().max().filter(|most| *most > 0) else {
            return vec![WHOLE; raw.len()];
        };
        let whole = i128::from(WHOLE);
        raw.iter().map(|raw| (((raw * whole + most / 2) / most) as u32).max(LEAST_WEIGHT)).collect()
    }

    /// How far each two are right and wrong together, drawn to what is usual.
    fn together(&self, chosen: &[usize], deviations: &[i128]) -> Vec<Vec<i128>> {
        let size = chosen.len();
        // The outcomes two share, and their covariance times those.
        let mut shared = vec![vec![(0, 0); size]; size];
        let (mut measured, mut possible) = (0, 0);
        for one in 0..size {
            for other in one + 1..size {
                let (a, b) = (&self.seats[chosen[one]], &self.seats[chosen[other]]);
                let Some((a, b)) = a.record.zip(b.record).filter(|(a, b)| a != b) else { continue };
                let pair = self.book.pair_without(a, b, self.held_out);
                let both = i128::from(pair.both);
                if both == 0 {
                    continue;
                }
                let beyond =
                    i128::from(pair.both_right()) * both - i128::from(pair.first) * i128::from(pair.second);
                let sum = beyond * ONE / both;
                shared[one][other] = (both, sum);
                measured += sum;
                possible += both * times(deviations[one], deviations[other]);
            }
        }
        let usual = if possible > 0 { over(measured, possible).clamp(0, MOST_TOGETHER) } else { 0 };
        let shrink = i128::from(self.shrink);
        let mut rows = vec![vec![0; size]; size];
        for one in 0..size {
            rows[one][one] = ONE + RIDGE;
            for other in one + 1..size {
                let (both, sum) = shared[one][other];
                let (a, b) = (&self.seats[chosen[one]], &self.seats[chosen[other]]);
                // Seats with one model are one voter until the record says otherwise.
                let expected = if a.model.is_some() && a.model == b.model { MOST_TOGETHER } else { usual };
                let product = times(deviations[one], deviations[other]).max(1);
                let found = (over(sum, product) + shrink * expected) / (both + shrink).max(1);
                let found = found.clamp(-MOST_TOGETHER, MOST_TOGETHER);
                (rows[one][other], rows[other][one]) = (found, found);
            }
        }
        rows
    }
}
