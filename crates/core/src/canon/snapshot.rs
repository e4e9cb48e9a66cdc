//! Canon as a snapshot of the house keeps it: plain lists.

use std::sync::Arc;

use imbl::OrdSet;
use serde::{Deserialize, Serialize};

use super::{Canon, CanonEntry, CanonVersion, DecidedConflict, EntryName, FoundConflicts, ProposedClaims};
use crate::kernel::{MatterId, Who};

/// See the module.
#[derive(Serialize, Deserialize)]
pub(super) struct CanonSnapshot {
    decisions: Vec<DecidedConflict>,
    entries: Vec<(EntryName, Vec<Arc<CanonVersion>>)>,
    found: Vec<FoundConflicts>,
    proposals: Vec<ProposedClaims>,
    support: Vec<(MatterId, Vec<Who>)>,
}

impl From<Canon> for CanonSnapshot {
    fn from(canon: Canon) -> Self {
        let history = |entry: &CanonEntry| entry.history().cloned().collect();
        let support =
            |(matter, supporters): (&MatterId, &OrdSet<Who>)| (*matter, supporters.iter().cloned().collect());
        Self {
            decisions: canon.decisions.into_iter().collect(),
            entries: canon.entries.iter().map(|(name, entry)| (name.clone(), history(entry))).collect(),
            found: canon.found.values().cloned().collect(),
            proposals: canon.proposals.values().cloned().collect(),
            support: canon.support.iter().map(support).collect(),
        }
    }
}

impl From<CanonSnapshot> for Canon {
    fn from(kept: CanonSnapshot) -> Self {
        let mut canon = Self::default();
        for (name, versions) in kept.entries {
            let entry = canon.entries.entry(name).or_default();
            versions.into_iter().for_each(|version| entry.add(version));
        }
        for (matter, supporters) in kept.support {
            canon.support.insert(matter, supporters.into_iter().collect());
        }
        canon.found = kept.found.into_iter().map(|found| (found.id, found)).collect();
        canon.proposals = kept.proposals.into_iter().map(|proposed| (proposed.id, proposed)).collect();
        canon.decisions = kept.decisions.into_iter().collect();
        canon
    }
}
