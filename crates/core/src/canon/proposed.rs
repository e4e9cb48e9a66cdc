//! Claims that somebody proposes for an entry. A model may propose what no rule of this organ reads from the text; a person
//! or a rule decides, and until then the entry does not make them.

use serde::{Deserialize, Serialize};

use super::{CanonRef, Claim};
use crate::kernel::{Actor, At, Id, Who, words};

/// Who or what proposed a claim.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ClaimSource {
    /// A model that was asked for the claims of a text.
    Model {
        /// Which.
        name: String,
    },
    /// A participant.
    Seat(Who),
    /// The rules of this organ, by which edition.
    Rules {
        /// The edition.
        edition: u32,
    },
}

words!(enum ClaimSource { Model { | name }, Seat(who), Rules { | edition } });

/// Proposed claims and what became of them.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ProposedClaims {
    /// The event that proposed them.
    pub id: Id,
    /// When.
    pub at: At,
    /// For which entry and version.
    pub entry: CanonRef,
    /// The claims.
    pub claims: Vec<Claim>,
    /// Who or what proposed them.
    pub source: ClaimSource,
    /// Whether they were accepted, by whom and why; `None` while nobody has decided.
    pub decided: Option<(bool, Actor, Option<String>)>,
}

words!(struct ProposedClaims { claims, source, decided | id, at, entry });

impl ProposedClaims {
    pub(super) fn new(id: Id, at: At, entry: CanonRef, claims: Vec<Claim>, source: ClaimSource) -> Self {
        Self { id, at, entry, claims, source, decided: None }
    }

    pub(super) fn decide(&mut self, accepted: bool, by: Actor, why: Option<String>) {
        self.decided = Some((accepted, by, why));
    }
}
