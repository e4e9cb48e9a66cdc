//! Delegation: whose vote is carried by whom.

use std::collections::{BTreeMap, BTreeSet};

use serde::{Deserialize, Serialize};

use crate::kernel::Who;

/// Why a delegated vote reached nobody who voted.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Loss {
    /// It went round in a cycle.
    Cycle,
    /// The last it was passed to cast no vote that could be read.
    Nobody,
}

impl Loss {
    /// The reason in a few words.
    pub fn words(self) -> &'static str {
        match self {
            Self::Cycle => "lost in a cycle",
            Self::Nobody => "passed to somebody who cast no vote",
        }
    }
}

/// A delegated vote that reached nobody.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct LostVote {
    /// Whose.
    pub who: Who,
    /// Why.
    pub why: Loss,
}

/// Where delegated votes went.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Routes {
    /// For each who voted and carries others: whose votes, in order of names.
    pub carried: BTreeMap<Who, Vec<Who>>,
    /// Votes that reached nobody, in order of names.
    pub lost: Vec<LostVote>,
}

/// Follows every delegation, however long the chain, to somebody who voted.
pub fn route(voted: &BTreeSet<Who>, passed: &BTreeMap<Who, Who>) -> Routes {
    let mut routes = Routes::default();
    for who in passed.keys() {
        let mut seen = BTreeSet::from([who]);
        let mut at = who;
        let end = loop {
            match passed.get(at) {
                Some(next) if voted.contains(next) => break Ok(next),
                Some(next) if !seen.insert(next) => break Err(Loss::Cycle),
                Some(next) => at = next,
                None => break Err(Loss::Nobody),
            }
        };
        match end {
            Ok(by) => routes.carried.entry(by.clone()).or_default().push(who.clone()),
            Err(why) => routes.lost.push(LostVote { who: who.clone(), why }),
        }
    }
    routes
}
