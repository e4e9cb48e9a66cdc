//! Leaving a stage before its last round.

use serde::{Deserialize, Serialize};

use super::{Analysis, Level, Rules};
use crate::kernel::{Choice, Permille, Threshold};

/// Why a stage was left. The last three are put down by the house, which alone knows of them.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Exit {
    /// Enough stand on one side.
    Consensus,
    /// Nothing moves any more.
    Convergence,
    /// All are sure and none stands against the rest.
    Confidence,
    /// The stances taken are clear.
    Clear,
    /// The round moved nobody.
    Still,
    /// The rounds allowed are used up.
    Rounds,
    /// Rounds went by in which nothing new was said.
    Stagnation,
}

impl Exit {
    /// The reason in a few words.
    pub fn words(self) -> &'static str {
        match self {
            Self::Consensus => "consensus",
            Self::Convergence => "positions no longer change",
            Self::Confidence => "everyone is confident and nobody disagrees",
            Self::Clear => "positions are clear",
            Self::Still => "nobody changed their mind",
            Self::Rounds => "all rounds done",
            Self::Stagnation => "nothing new was said",
        }
    }
}

/// The first of consensus, convergence and confidence that holds. `judged`: the agreements that judge minds
/// stated; one that is not known is left out by the caller.
pub fn exit(rules: &Rules, analysis: &Analysis, judged: &[Permille]) -> Option<Exit> {
    if consensus(rules.consensus, analysis, judged) {
        Some(Exit::Consensus)
    } else if analysis.converged == Some(true) {
        Some(Exit::Convergence)
    } else if confidence(rules.confidence, analysis) {
        Some(Exit::Confidence)
    } else {
        None
    }
}

/// The lowest known agreement decides: neither the count nor a judge can talk the others into a consensus.
fn consensus(least: Threshold, analysis: &Analysis, judged: &[Permille]) -> bool {
    let counted = analysis.agreement.map(|share| share.meets(least));
    let mut known = counted.into_iter().chain(judged.iter().map(|one| meets(least, *one))).peekable();
    known.peek().is_some() && known.all(|met| met)
}

/// All are sure, and what they are sure of is not each other's error: up to a high agreement any second side
/// keeps the stage open (1 against 1, 2 against 2, 2 against 1, 3 against 2), above it a small minority does
/// not. NEUTRAL is no side.
fn confidence(least: Threshold, analysis: &Analysis) -> bool {
    let sure = analysis.least_confidence.is_some_and(|one| meets(least, one));
    let sides = analysis.clusters.iter().filter(|cluster| cluster.stance != Some(Choice::Neutral)).count();
    sure && match Level::of(analysis.agreement) {
        Level::High => true,
        Level::Medium => sides < 2,
        Level::Low | Level::Unknown => false,
    }
}

pub(super) fn meets(threshold: Threshold, one: Permille) -> bool {
    threshold.is_met_by(one.get().into(), 1000)
}
