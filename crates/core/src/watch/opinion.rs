//! What a judge mind makes of a round, kept apart from what was counted.

use serde::{Deserialize, Serialize};

use super::Analysis;
use crate::kernel::{Permille, words};

/// A judge mind's reading. What it did not say is not known.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct Opinion {
    /// How far the voices agree.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub agreement: Option<Permille>,
    /// Who stands together over what.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub clusters: Vec<String>,
    /// What all or most hold.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub common_ground: Vec<String>,
    /// What stands against what.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub disagreements: Vec<String>,
    /// Signs of groupthink.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub groupthink: Vec<String>,
    /// Differences within one side.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub nuances: Vec<String>,
    /// All of it in a few sentences.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub summary: Option<String>,
}

/// The least and the most of all known agreements, counted and judged; none if none is known.
pub fn spread<'a>(
    analysis: &Analysis,
    opinions: impl IntoIterator<Item = &'a Opinion>,
) -> Option<(Permille, Permille)> {
    let counted = analysis.agreement.map(|share| share.permille());
    let judged = opinions.into_iter().filter_map(|opinion| opinion.agreement);
    let known = counted.into_iter().chain(judged);
    known.fold(None, |span, one| match span {
        None => Some((one, one)),
        Some((least, most)) => Some((one.min(least), one.max(most))),
    })
}

words!(struct Opinion { clusters, common_ground, disagreements, groupthink, nuances, summary | agreement });
