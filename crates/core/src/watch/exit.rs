//! Leaving a stage before its last round.

use serde::{Deserialize, Serialize};

use super::{Analysis, Level, Rules, Share};
use crate::kernel::{Choice, Permille, Threshold};

/// Why a stage was left. The last three are put down by the house, which alone knows of them.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Exit {
    /// Enough stated the same side.
    Consensus,
    /// No stated side and no confidence moves any more.
    Convergence,
    /// All are sure, all stated where they stand, and none stands against the rest.
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

/// The lowest known agreement decides: a judge can hold a consensus back and never make one. Voices that stated no
/// side count against it, since nobody knows that they agree.
fn consensus(least: Threshold, analysis: &Analysis, judged: &[Permille]) -> bool {
    let Some(share) = analysis.agreement else { return false };
    let whole = share.whole.saturating_add(analysis.unknown.len() as u32);
    Share { whole, ..share }.meets(least) && judged.iter().all(|one| meets(least, *one))
}

/// All are sure, and nobody is sure of the opposite: a second side keeps the stage open however small it is, and so
/// does a voice whose side is unknown. NEUTRAL is no side, but too many of them are no agreement.
fn confidence(least: Threshold, analysis: &Analysis) -> bool {
    let sure = analysis.least_confidence.is_some_and(|one| meets(least, one));
    let sides = analysis.clusters.iter().filter(|cluster| cluster.stance != Some(Choice::Neutral)).count();
    let agreed = match Level::of(analysis.agreement) {
        Level::High | Level::Medium => true,
        Level::Low | Level::Unknown => false,
    };
    sure && agreed && sides < 2 && analysis.unknown.is_empty()
}

pub(super) fn meets(threshold: Threshold, one: Permille) -> bool {
    threshold.is_met_by(one.get().into(), 1000)
}
