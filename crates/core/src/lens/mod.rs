//! The lens: what a participant may see.
//!
//! Nothing anyone said reaches a participant except through here, so one test of the lens covers every
//! way a brief could leak. It selects; it never changes what was said.

use serde::{Deserialize, Serialize};

use crate::kernel::Contribution;

/// How far a stage lets its speakers see.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Sees {
    /// Nothing that anybody said: independent drafts.
    Nothing,
    /// What was said in earlier rounds.
    EarlierRounds,
    /// Also what was said in this round so far.
    SoFar,
}

/// Whether a speaker of round `round` may see a contribution.
pub fn may_see(sees: Sees, round: u32, said: &Contribution) -> bool {
    match sees {
        Sees::Nothing => false,
        Sees::EarlierRounds => said.round < round,
        Sees::SoFar => said.round <= round,
    }
}
