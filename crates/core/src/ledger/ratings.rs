//! Ratings of agents by each other. They move no credit, and count by how reliable the rater is.

use serde::{Deserialize, Serialize};

use super::awards::receiver;
use super::{
    AgentTrust, AttemptFlaw, AwardRequest, CreditReceiver, EscalationLevel, Event, Ledger, LedgerCaller,
    Refusal, RefusedAttempt, ReliabilityTier, Rules,
};
use crate::kernel::{AuthorClass, MatterId, Who};

/// What others say of an agent, weighed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct AgentRating {
    /// For it.
    pub helpful: u64,
    /// Against it.
    pub unhelpful: u64,
}

/// A rating as it counts.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct StoredRating {
    pub(super) helpful: bool,
    pub(super) weight: u32,
}

impl AgentRating {
    /// Takes one out and another in.
    pub(super) fn replace(&mut self, before: Option<StoredRating>, now: StoredRating) {
        if let Some(before) = before {
            let side = self.side(before.helpful);
            *side = side.saturating_sub(u64::from(before.weight));
        }
        *self.side(now.helpful) += u64::from(now.weight);
    }

    fn side(&mut self, helpful: bool) -> &mut u64 {
        if helpful { &mut self.helpful } else { &mut self.unhelpful }
    }
}

/// What somebody says of an agent.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RatingRequest<'a> {
    /// For or against.
    pub helpful: bool,
    /// Where.
    pub matter: MatterId,
    /// Of whom.
    pub of: CreditReceiver<'a>,
}

impl Ledger {
    /// What a rating comes to.
    pub fn rate(
        &self,
        rules: &Rules,
        caller: &LedgerCaller<'_>,
        request: &RatingRequest<'_>,
    ) -> Result<Vec<Event>, Box<RefusedAttempt>> {
        let who = receiver(caller, &request.of).map_err(|(flaw, refusal)| {
            let (flaw, refusal) = if flaw == AttemptFlaw::SelfAward {
                (AttemptFlaw::SelfRating, Refusal::SelfRating)
            } else {
                (flaw, refusal)
            };
            let (amount, matter, slice) = (None, Some(request.matter), None);
            let as_award =
                AwardRequest { amount, matter, reason: super::awards::RATING, slice, to: request.of.clone() };
            RefusedAttempt::new(caller, &as_award, flaw, refusal)
        })?;
        let (by, matter) = (caller.who.cloned(), request.matter);
        let weight = self.rating_weight(rules, caller);
        Ok(vec![Event::Rated { by, helpful: request.helpful, matter, weight, who }])
    }

    /// How much the word of a caller counts.
    pub fn rating_weight(&self, rules: &Rules, caller: &LedgerCaller<'_>) -> u32 {
        match (caller.class, caller.who) {
            (AuthorClass::User, _) => rules.ratings.user,
            (AuthorClass::System, _) | (_, None) => 0,
            (AuthorClass::Moderator | AuthorClass::Agent, Some(who)) => self.agent_weight(rules, who),
        }
    }

    fn agent_weight(&self, rules: &Rules, who: &Who) -> u32 {
        let Some(record) = self.active_record(who) else { return rules.ratings.none };
        // An agent that is itself in trouble vouches for nobody.
        let doubted = record.level >= EscalationLevel::Remediation
            || record.tally.trust(&rules.trust) == AgentTrust::Low;
        if doubted {
            return rules.ratings.none;
        }
        match record.tally.tier(&rules.tiers) {
            ReliabilityTier::Gold => rules.ratings.gold,
            ReliabilityTier::Silver => rules.ratings.silver,
            ReliabilityTier::Bronze => rules.ratings.bronze,
            ReliabilityTier::None => rules.ratings.none,
        }
    }
}
