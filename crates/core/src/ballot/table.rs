//! What if: the same count under other thresholds and bases.

use serde::{Deserialize, Serialize};

use super::{Basis, Tally};
use crate::kernel::{Ratio, Threshold};

const fn threshold(num: u32, den: u32, strict: bool) -> Threshold {
    match Ratio::new(num, den) {
        Some(ratio) => Threshold { ratio, strict },
        None => panic!("not a fraction from 0 to 1"),
    }
}

/// The thresholds that results are shown under.
pub const THRESHOLDS: [Threshold; 5] = [
    threshold(1, 2, true),
    threshold(3, 5, false),
    threshold(2, 3, false),
    threshold(3, 4, false),
    threshold(1, 1, false),
];

/// One basis of a result: the share of what leads, and what it would pass.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct BasisShare {
    /// The basis.
    pub basis: Basis,
    /// Votes for what leads.
    pub part: u32,
    /// What they are taken of.
    pub whole: u32,
    /// The thresholds met. Of nothing, none is.
    pub passes: Vec<Threshold>,
}

/// The count on every basis.
pub fn pass_table(tally: &Tally) -> Vec<BasisShare> {
    let part = tally.votes_for(tally.leading());
    Basis::ALL.into_iter().map(|basis| line(basis, part, tally.whole(basis))).collect()
}

pub(super) fn line(basis: Basis, part: u32, whole: u32) -> BasisShare {
    let passes = THRESHOLDS.into_iter().filter(|threshold| threshold.is_met_by(part, whole)).collect();
    BasisShare { basis, part, whole, passes }
}

impl BasisShare {
    /// Whether the share meets a threshold.
    pub fn meets(&self, threshold: Threshold) -> bool {
        threshold.is_met_by(self.part, self.whole)
    }
}
