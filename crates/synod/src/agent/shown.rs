//! A ring with what it is about: the same whether it came from a journal or over a wire.

use serde_json::Value;
use synod_core::kernel::MatterId;

use crate::fail::{Fail, Result, code};
use crate::wire::{Matter, RingView, StatusWord, Turn, WhyNoTurn};

/// A ring with what it is about.
#[derive(Debug)]
pub(crate) struct RingOverview {
    pub(crate) matter: MatterId,
    pub(crate) number: u64,
    pub(crate) topic: String,
    pub(crate) charter: String,
    pub(crate) status: StatusWord,
    pub(crate) headline: String,
    pub(crate) ring: RingView,
    /// The same whole, as JSON.
    pub(crate) session: Value,
}

impl RingOverview {
    /// Of a matter that is a ring.
    pub(super) fn of(shown: Matter) -> Result<Self> {
        let Matter { matter, number, question, status, headline, charter, ring, .. } = shown;
        let ring = ring.ok_or_else(|| not_a_ring(matter))?;
        let session = crate::json::value(&ring).unwrap_or_default();
        let (topic, charter) = (question.topic, charter.name);
        Ok(Self { matter, number, topic, charter, status, headline, ring, session })
    }
}

pub(super) fn not_a_ring(matter: MatterId) -> Fail {
    let refusal = synod_core::procedure::ring::Refusal::NotARing { matter };
    Fail::new(code::USAGE, refusal.code(), refusal.to_string())
}

/// The result of waiting for a turn.
#[derive(Debug)]
pub(crate) enum WaitResult {
    /// This turn.
    Turn(Box<Turn>),
    /// None, and why.
    Nothing { why: WhyNoTurn, matter: Option<MatterId>, words: String },
}
