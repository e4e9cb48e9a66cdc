//! The lens: what a participant may see.
//!
//! Nothing anyone said reaches a participant except through here, so one test of the lens covers every
//! way a brief could leak. It selects, and where a charter wants it, it hides who spoke: with labels that
//! stay the same through all rounds, and with a mask over names in what was said. It never changes the
//! record.

mod mask;
mod models;
mod vendors;

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

pub use mask::{Mask, garbles};

use crate::kernel::{Contribution, Hasher, MatterId, Who};

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
    /// What was said in earlier rounds, and by one's own team in this round so far.
    Team,
}

/// What a charter does to what is seen.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct Rules {
    /// Nobody learns who spoke.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub anonymize: bool,
    /// Everybody sees the last round in numbers.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub statistics: bool,
}

impl Rules {
    /// Whether nothing is hidden or added.
    pub fn is_plain(&self) -> bool {
        *self == Self::default()
    }
}

/// Whether a speaker of round `round` may see a contribution; `mate` says that it is of the speaker's team. Asked by
/// the house alone (`Case::may_see`).
pub(crate) fn may_see(sees: Sees, round: u32, said: &Contribution, mate: bool) -> bool {
    may_hear(sees, round, said.round, mate)
}

/// The same for anything said in round `of`.
pub(crate) fn may_hear(sees: Sees, round: u32, of: u32, mate: bool) -> bool {
    reaches(sees, round, of) || (sees == Sees::Team && of == round && mate)
}

/// Whether a speaker of round `round` may see all of round `of`.
pub(crate) fn reaches(sees: Sees, round: u32, of: u32) -> bool {
    match sees {
        Sees::Nothing => false,
        Sees::EarlierRounds | Sees::Team => of < round,
        Sees::SoFar => of <= round,
    }
}

/// Names that tell nothing, the same in every round of a matter. They are dealt by a digest, so that they
/// do not follow the order of seats.
pub fn pseudonyms(matter: MatterId, seats: &[Who]) -> BTreeMap<Who, String> {
    let lot = |who: &Who| {
        let mut hasher = Hasher::default();
        hasher.update(matter.0.to_string().as_bytes());
        hasher.update(b"\0");
        hasher.update(who.as_str().as_bytes());
        hasher.finish()
    };
    let mut dealt: Vec<&Who> = seats.iter().collect();
    dealt.sort_by_key(|who| lot(who).0);
    dealt.into_iter().enumerate().map(|(i, who)| (who.clone(), format!("Participant {}", i + 1))).collect()
}
