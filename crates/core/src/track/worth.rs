//! What each vote is worth by counts: the weights that are right most often when errors go together as they did.
//!
//! Each seat's mean is drawn towards the average of all: with the strength of `shrink` outcomes where nothing shows that seats
//! differ, with less where they evidently do, since there the average says little about one of them. How its errors go with
//! another's is drawn towards what is usual, by the outcomes that both were marked on. Weights are the inverse of those
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
/// However much seats differ, a mean is drawn to the average with the strength of so many outcomes.
const LEAST_DRAWN: i128 = 4 * ONE;
/// Seats differ evidently where one outcome tells more about a seat than the average of all would after so many.
const ALIKE_FROM: i128 = 32 * ONE;
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
    /// Whether how far seats differ decides how strongly means are drawn: not before edition 4.
    pub(super) spreads: bool,
}

/// What the counts of a sample come to.
pub(super) struct Worth {
    /// The seat with the best mean; of equal ones the first.
    pub(super) best: usize,
    /// Seats differ by more than chance explains, or nobody asks.
    pub(super) differ: bool,
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
        let shrink = i128::from(self.shrink) * ONE;
        let alike = alike(&singles, average).filter(|_| self.spreads);
        let strength = alike.map_or(shrink, |alike| alike.max(LEAST_DRAWN).min(shrink));
        let drawn = |strength: i128| -> Vec<i128> {
            let mean = |it: &Single| {
                let (right, marks) = (i128::from(it.right) * ONE, i128::from(it.marks) * ONE);
                over(right + times(strength, average), (marks + strength).max(ONE))
            };
            singles.iter().map(mean).collect()
        };
        let means = drawn(strength);
        let best = (0..means.len()).max_by_key(|seat| (means[*seat], Reverse(*seat))).unwrap_or(0);
        let ahead: Vec<i128> = means.iter().map(|mean| mean - chance).collect();
        let hopeless = marks > 0 && ahead.iter().all(|ahead| *ahead <= 0);
        let differ = !self.spreads || alike.is_some_and(|alike| alike < ALIKE_FROM);
        // How much a seat's answers vary is taken from the steadier means: near certainty, where nothing varies, a few
        // outcomes would make one seat worth all others.
        let weights = self.weights(&drawn(shrink), &ahead);
        Worth { best, differ, hopeless, means, weights }
    }

    fn single(&self, seat: &WeighedSeat<'_>) -> Single {
        seat.record.map(|number| self.book.single_without(number, self.held_out)).unwrap_or_default()
    }

    fn weights(&self, means: &[i128], ahead: &[i128]) -> Vec<u32> {
        let mut chosen: Vec<usize> = (0..means.len()).collect();
        chosen.sort_by_key(|seat| (Reverse(ahead[*seat]), *seat));
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

/// Of how many outcomes the average of all says as much about a seat as its own record: how much one outcome varies, over how
/// much seats differ beyond that. None where they differ no more than chance explains.
fn alike(singles: &[Single], average: i128) -> Option<i128> {
    let marked: Vec<&Single> = singles.iter().filter(|it| it.marks > 0).collect();
    let many = marked.len() as i128;
    if many < 2 {
        return None;
    }
    let share = |it: &&Single| over(i128::from(it.right) * ONE, i128::from(it.marks) * ONE);
    let shares: Vec<i128> = marked.iter().map(share).collect();
    let middle = shares.iter().sum::<i128>() / many;
    let apart = shares.iter().map(|share| times(share - middle, share - middle)).sum::<i128>() / (many - 1);
    let marks: i128 = marked.iter().map(|it| i128::from(it.marks)).sum();
    let varies = times(average, ONE - average);
    // Each share varies by chance alone, the more the fewer marks there are.
    let beyond = apart - varies * many / marks;
    (beyond > 0).then(|| over(varies, beyond))
}
