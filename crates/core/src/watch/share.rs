//! Exact shares and the levels they are spoken of.

use serde::{Deserialize, Serialize};

use crate::kernel::{Permille, Ratio, Threshold};

/// So many of so many, exactly.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Share {
    /// So many.
    pub part: u32,
    /// Of so many.
    pub whole: u32,
}

impl Share {
    /// Whether it passes. Exactly 9 of 10 meets `>= 9/10`.
    pub fn meets(self, threshold: Threshold) -> bool {
        threshold.is_met_by(self.part, self.whole)
    }

    /// To the nearest thousandth, for people: nothing is decided by it.
    pub fn permille(self) -> Permille {
        nearest(u64::from(self.part) * 1000, u64::from(self.whole.max(1)))
    }
}

/// `sum / count` thousandths, halves up, at most 1000.
fn nearest(sum: u64, count: u64) -> Permille {
    let thousandths = ((2 * sum + count) / (2 * count)).min(1000);
    Permille::new(thousandths as u16).expect("cut down to 1000")
}

/// The mean to the nearest thousandth; of nothing there is none.
pub(super) fn mean(known: impl Iterator<Item = Permille>) -> Option<Permille> {
    let (sum, count) = known.fold((0, 0), |(sum, count), one| (sum + u64::from(one.get()), count + 1));
    (count > 0).then(|| nearest(sum, count))
}

/// How far an agreement goes, in one word.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Level {
    /// At least seven tenths.
    High,
    /// At least four tenths.
    Medium,
    /// Less.
    Low,
    /// Not known, which is not low, and never a reason to proceed.
    Unknown,
}

impl Level {
    /// The level of an agreement.
    pub fn of(share: Option<Share>) -> Self {
        const HIGH: Ratio = Ratio::new(7, 10).expect("a fraction");
        const MEDIUM: Ratio = Ratio::new(4, 10).expect("a fraction");
        match share {
            None => Self::Unknown,
            Some(share) if HIGH.is_met_by(share.part, share.whole) => Self::High,
            Some(share) if MEDIUM.is_met_by(share.part, share.whole) => Self::Medium,
            Some(_) => Self::Low,
        }
    }

    /// One word for people and scripts.
    pub fn word(self) -> &'static str {
        match self {
            Self::High => "high",
            Self::Medium => "medium",
            Self::Low => "low",
            Self::Unknown => "unknown",
        }
    }
}
