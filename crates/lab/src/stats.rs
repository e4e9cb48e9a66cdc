//! Shares and differences with their intervals. Every interval is a 95 % interval; a test measures its coverage.

use serde::Serialize;

/// The normal quantile of a two-sided 95 % interval.
pub const Z: f64 = 1.959_963_984_540_054;

/// A figure and the interval it lies in with 95 % confidence.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct Interval {
    /// The figure itself.
    pub mean: f64,
    /// The lower end.
    pub low: f64,
    /// The upper end.
    pub high: f64,
}

/// A share of `n` with Wilson's score interval. `hits` may be a fraction where ties are shared.
pub fn wilson(hits: f64, n: usize) -> Option<Interval> {
    if n == 0 {
        return None;
    }
    let n = n as f64;
    // A sum of shares may be a hair more than what it is a share of.
    let (share, z2) = ((hits / n).clamp(0.0, 1.0), Z * Z);
    let middle = (share + z2 / (2.0 * n)) / (1.0 + z2 / n);
    let half = Z / (1.0 + z2 / n) * (share * (1.0 - share) / n + z2 / (4.0 * n * n)).max(0.0).sqrt();
    // At the ends rounding must not exclude the figure itself.
    Some(Interval {
        mean: share,
        low: (middle - half).clamp(0.0, share),
        high: (middle + half).clamp(share, 1.0),
    })
}

/// The mean of paired differences, each from -1 to 1, with the interval of Agresti and Min (2005): as if there were one half more of each of the
/// four ways a pair can come out. It holds where few pairs differ, which is where the plain interval is too short.
pub fn paired(differences: &[f64]) -> Option<Interval> {
    if differences.is_empty() {
        return None;
    }
    let n = differences.len() as f64;
    let (sum, squares) = differences.iter().fold((0.0, 0.0), |(sum, squares), d| (sum + d, squares + d * d));
    let mean = sum / (n + 2.0);
    let spread = ((squares + 1.0) / (n + 2.0) - mean * mean).max(0.0);
    let half = Z * (spread / (n + 2.0)).sqrt();
    let plain = (sum / n).clamp(-1.0, 1.0);
    Some(Interval {
        mean: plain,
        low: (mean - half).clamp(-1.0, plain),
        high: (mean + half).clamp(plain, 1.0),
    })
}

/// The quantile of Student's distribution for a two-sided 95 % interval, by the expansion of Cornish and Fisher; good to a thousandth
/// from 4 degrees of freedom on.
pub fn student(degrees: f64) -> f64 {
    let (z, v) = (Z, degrees.max(1.0));
    let (z3, z5, z7) = (z.powi(3), z.powi(5), z.powi(7));
    z + (z3 + z) / (4.0 * v)
        + (5.0 * z5 + 16.0 * z3 + 3.0 * z) / (96.0 * v * v)
        + (3.0 * z7 + 19.0 * z5 + 17.0 * z3 - 15.0 * z) / (384.0 * v.powi(3))
}

/// The mean of any figures with Student's interval; for costs, counts and shares of many matters.
pub fn mean(values: &[f64]) -> Option<Interval> {
    let mut sums = Moments::default();
    values.iter().for_each(|value| sums.add(*value));
    sums.interval()
}

/// Sums from which a mean and its interval follow, whatever the number of figures.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Moments {
    count: f64,
    mean: f64,
    squares: f64,
}

impl Moments {
    /// Adds a figure.
    pub fn add(&mut self, value: f64) {
        self.merge(&Self { count: 1.0, mean: value, squares: 0.0 });
    }

    /// Adds those of another list.
    pub fn merge(&mut self, other: &Self) {
        let count = self.count + other.count;
        if count == 0.0 {
            return;
        }
        let apart = other.mean - self.mean;
        self.squares += other.squares + apart * apart * self.count * other.count / count;
        self.mean += apart * other.count / count;
        self.count = count;
    }

    /// The mean with Student's interval.
    pub fn interval(&self) -> Option<Interval> {
        let Self { count, mean, squares } = *self;
        if count == 0.0 {
            return None;
        }
        let error = if count > 1.0 { (squares / (count - 1.0) / count).sqrt() } else { f64::INFINITY };
        let half = student(count - 1.0) * error;
        Some(Interval { mean, low: mean - half, high: mean + half })
    }
}

/// The factor `c` where each of some trials succeeds with the chance `c` times its own weight, with the interval that inverts the score
/// test: Wilson's where all weights are 1.
pub fn factor(hits: f64, weights: &[f64]) -> Option<Interval> {
    let (sum, squares) = weights.iter().fold((0.0, 0.0), |(sum, squares), w| (sum + w, squares + w * w));
    if sum <= 0.0 {
        return None;
    }
    let z2 = Z * Z;
    let (a, b) = (sum * sum + z2 * squares, 2.0 * hits * sum + z2 * sum);
    let root = (b * b - 4.0 * a * hits * hits).max(0.0).sqrt();
    let share = (hits / sum).clamp(0.0, 1.0);
    Some(Interval {
        mean: share,
        low: ((b - root) / (2.0 * a)).clamp(0.0, share),
        high: ((b + root) / (2.0 * a)).clamp(share, 1.0),
    })
}

/// A share of trials that come in groups whose members go together: hits and trials of each group. The interval is Wilson's for as many
/// trials as they are worth, found from how far the groups differ.
pub fn grouped(groups: &[(f64, f64)]) -> Option<Interval> {
    let (hits, trials) = groups.iter().fold((0.0, 0.0), |(hits, all), (hit, many)| (hits + hit, all + many));
    if trials <= 0.0 {
        return None;
    }
    let (many, share) = (groups.len() as f64, (hits / trials).clamp(0.0, 1.0));
    let apart: f64 = groups.iter().map(|(hit, of)| (hit - share * of).powi(2)).sum();
    let variance = many / (many - 1.0) * apart / (trials * trials);
    let plain = share * (1.0 - share);
    // Groups that are all alike say nothing about how far they differ.
    let worth = if variance > 0.0 && plain > 0.0 && variance.is_finite() { plain / variance } else { trials };
    // What few groups leave unknown makes the interval wider, as Student's does.
    let wider = (Z / student(many - 1.0)).powi(2);
    let worth = worth.min(trials) * wider;
    let z2 = Z * Z;
    let middle = (share + z2 / (2.0 * worth)) / (1.0 + z2 / worth);
    let half =
        Z / (1.0 + z2 / worth) * (share * (1.0 - share) / worth + z2 / (4.0 * worth * worth)).max(0.0).sqrt();
    Some(Interval {
        mean: share,
        low: (middle - half).clamp(0.0, share),
        high: (middle + half).clamp(share, 1.0),
    })
}

/// Any figure of some groups, with the interval that leaving each of them out gives (jackknife). `of` gives the figure without one group, or
/// of all.
pub fn jackknife(groups: usize, of: impl Fn(Option<usize>) -> Option<f64>) -> Option<Interval> {
    let whole = of(None)?;
    let without: Vec<f64> = (0..groups).map(|group| of(Some(group))).collect::<Option<_>>()?;
    let many = groups as f64;
    if groups < 2 {
        return Some(Interval { mean: whole, low: f64::NEG_INFINITY, high: f64::INFINITY });
    }
    let mean = without.iter().sum::<f64>() / many;
    let error = ((many - 1.0) / many * without.iter().map(|it| (it - mean).powi(2)).sum::<f64>()).sqrt();
    let half = student(many - 1.0) * error;
    Some(Interval { mean: whole, low: whole - half, high: whole + half })
}

/// The correlation of two lists of marks where both have one (phi); none where either is always the same.
pub fn correlation(one: &[Option<bool>], other: &[Option<bool>]) -> Option<f64> {
    let mut counts = [0.0f64; 4];
    for pair in one.iter().zip(other).filter_map(|(a, b)| Some(((*a)?, (*b)?))) {
        counts[usize::from(pair.0) * 2 + usize::from(pair.1)] += 1.0;
    }
    let [neither, second, first, both] = counts;
    let ends = (first + both) * (neither + second) * (second + both) * (neither + first);
    (ends > 0.0).then(|| (both * neither - first * second) / ends.sqrt())
}

/// How many independent voters so many amount to whose errors go together this much on average.
pub fn effective_voters(voters: usize, together: f64) -> f64 {
    let voters = voters as f64;
    (voters / (1.0 + (voters - 1.0) * together.max(0.0))).max(1.0)
}
