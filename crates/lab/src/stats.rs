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
    let (share, z2) = (hits / n, Z * Z);
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
    let plain = sum / n;
    Some(Interval {
        mean: plain,
        low: (mean - half).clamp(-1.0, plain),
        high: (mean + half).clamp(plain, 1.0),
    })
}

/// The mean of any figures with the plain normal interval; for costs and counts, where there are many.
pub fn mean(values: &[f64]) -> Option<Interval> {
    if values.is_empty() {
        return None;
    }
    let n = values.len() as f64;
    let mean = values.iter().sum::<f64>() / n;
    let spread = values.iter().map(|value| (value - mean) * (value - mean)).sum::<f64>();
    let half = if n > 1.0 { Z * (spread / (n - 1.0) / n).sqrt() } else { f64::INFINITY };
    Some(Interval { mean, low: mean - half, high: mean + half })
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
