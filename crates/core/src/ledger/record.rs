//! What is known of an agent with one model: counts, streaks, and what follows from them.

use std::collections::BTreeMap;

use imbl::Vector;
use serde::{Deserialize, Serialize};

use super::{
    AgentAction, AgentRating, CitationProof, CreditReason, Escalation, EscalationLevel, IssueFact, Ledger,
    Posting, RemediationConstraint, Rules, TierBound, TierBounds, TrustBounds, model_key,
};
use crate::kernel::{At, Id, Who, shared_list};

/// The most actions of a record that are kept one by one. No ladder looks back further.
pub const WINDOW_MOST: u32 = 100;

/// How reliable an agent is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ReliabilityTier {
    /// Not known, or not very.
    None,
    /// Somewhat.
    Bronze,
    /// Rather.
    Silver,
    /// Very.
    Gold,
}

impl ReliabilityTier {
    /// In a word.
    pub fn word(self) -> &'static str {
        match self {
            Self::None => "none",
            Self::Bronze => "bronze",
            Self::Silver => "silver",
            Self::Gold => "gold",
        }
    }
}

/// How far an agent may go by itself.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum AgentTrust {
    /// Others check all its proposals.
    Low,
    /// As usual.
    Normal,
    /// It may approve small changes by itself.
    High,
}

impl AgentTrust {
    /// In a word.
    pub fn word(self) -> &'static str {
        match self {
            Self::Low => "low",
            Self::Normal => "normal",
            Self::High => "high",
        }
    }
}

/// So many of so many.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct CreditRate {
    /// How many.
    pub part: u32,
    /// Of how many.
    pub whole: u32,
}

/// Counts of an agent with one model, of all times or of one period.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct CreditTally {
    /// Things done.
    pub actions: u32,
    /// Issues begun that were applied in work.
    pub applied: u32,
    /// Citations.
    pub citations: u32,
    /// Comments.
    pub comments: u32,
    /// Comments that cite something that holds.
    pub comments_with_evidence: u32,
    /// Credits.
    pub credits: i64,
    /// Issues begun that turned out irrelevant.
    pub irrelevant: u32,
    /// Actions that cost something.
    pub penalised: u32,
    /// How often each reason came up, and its credits.
    pub reasons: BTreeMap<CreditReason, (u32, i64)>,
    /// Issues resolved.
    pub resolved: u32,
    /// Issues begun.
    pub started: u32,
    /// Comments that were stopped.
    pub stopped: u32,
    /// Citations that hold.
    pub verified: u32,
}

impl CreditTally {
    pub(super) fn post(&mut self, posting: &Posting) {
        self.credits += posting.amount;
        let (count, credits) = self.reasons.entry(posting.reason).or_default();
        *count += 1;
        *credits += posting.amount;
        if let Some(citation) = new_citation(posting) {
            self.citations += 1;
            self.verified += u32::from(citation.is_verified());
        }
    }

    pub(super) fn act(&mut self, action: &AgentAction) {
        self.actions += 1;
        self.penalised += u32::from(action.penalised);
        if let Some(comment) = action.comment {
            self.comments += 1;
            self.comments_with_evidence += u32::from(comment.evidence);
            self.stopped += u32::from(comment.stopped);
        }
    }

    pub(super) fn count(&mut self, fact: IssueFact) {
        match fact {
            IssueFact::Started => self.started += 1,
            IssueFact::Resolved => self.resolved += 1,
            IssueFact::Applied => self.applied += 1,
            IssueFact::Irrelevant => self.irrelevant += 1,
        }
    }

    /// Adds another one: of another model, of another agent.
    pub(super) fn add(&mut self, other: &Self) {
        self.actions += other.actions;
        self.applied += other.applied;
        self.citations += other.citations;
        self.comments += other.comments;
        self.comments_with_evidence += other.comments_with_evidence;
        self.credits += other.credits;
        self.irrelevant += other.irrelevant;
        self.penalised += other.penalised;
        for (reason, (count, credits)) in &other.reasons {
            let own = self.reasons.entry(*reason).or_default();
            *own = (own.0 + count, own.1 + credits);
        }
        self.resolved += other.resolved;
        self.started += other.started;
        self.stopped += other.stopped;
        self.verified += other.verified;
    }

    /// How often a reason came up.
    pub fn times(&self, reason: CreditReason) -> u32 {
        self.reasons.get(&reason).map_or(0, |(count, _)| *count)
    }

    /// The tier these counts come to. With no citation or no action there is none.
    pub fn tier(&self, bounds: &TierBounds) -> ReliabilityTier {
        let holds = |bound: &TierBound| {
            bound.verified_above.is_exceeded_by(self.verified, self.citations)
                && self.actions > 0
                && !bound.penalised_below.is_met_by(self.penalised, self.actions)
        };
        let tiers = [
            (&bounds.gold, ReliabilityTier::Gold),
            (&bounds.silver, ReliabilityTier::Silver),
            (&bounds.bronze, ReliabilityTier::Bronze),
        ];
        tiers.into_iter().find(|(bound, _)| holds(bound)).map_or(ReliabilityTier::None, |(_, tier)| tier)
    }

    /// The trust these counts come to. Nothing is any part of zero, so an unknown agent is trusted as usual.
    pub fn trust(&self, bounds: &TrustBounds) -> AgentTrust {
        let low = bounds.hallucination.is_exceeded_by(self.irrelevant, self.started)
            || bounds.rejection.is_exceeded_by(self.stopped, self.comments);
        let high = bounds.useful.is_exceeded_by(self.applied, self.started)
            && bounds.evidence.is_exceeded_by(self.comments_with_evidence, self.comments);
        match (low, high) {
            (true, _) => AgentTrust::Low,
            (false, true) => AgentTrust::High,
            (false, false) => AgentTrust::Normal,
        }
    }
}

/// The proof of a citation that this posting prices for the first time.
fn new_citation(posting: &Posting) -> Option<CitationProof> {
    let first = posting.reason != CreditReason::EvidenceOutcomeUpgrade;
    posting.citation.filter(|_| first).map(|citation| citation.proof)
}

/// What is known of an agent with one model.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct PerformanceRecord {
    /// When another model took over, if one did.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub archived: Option<At>,
    /// Actions without a penalty since the last one with a penalty, or since the last step on the ladder.
    pub clean: u32,
    /// How closely it is watched.
    pub level: EscalationLevel,
    /// The most verified citations in a row.
    pub longest_streak: u32,
    /// Verified citations in a row up to now.
    pub streak: u32,
    /// Counts.
    pub tally: CreditTally,
    /// The user heard of it, and it has not been back to normal since.
    pub user_told: bool,
    /// Whether each of the last actions cost something, latest last.
    #[serde(with = "shared_list")]
    pub window: Vector<bool>,
}

impl PerformanceRecord {
    pub(super) fn post(&mut self, posting: &Posting) {
        self.tally.post(posting);
        if let Some(proof) = new_citation(posting) {
            self.streak = if proof.is_verified() { self.streak + 1 } else { 0 };
            self.longest_streak = self.longest_streak.max(self.streak);
        }
    }

    pub(super) fn act(&mut self, action: &AgentAction) {
        self.tally.act(action);
        self.clean = if action.penalised { 0 } else { self.clean + 1 };
        self.window.push_back(action.penalised);
        if self.window.len() > WINDOW_MOST as usize {
            self.window.pop_front();
        }
    }

    pub(super) fn escalate(&mut self, escalation: &Escalation) {
        self.level = escalation.to;
        self.user_told = (self.user_told || escalation.tell_user) && escalation.to != EscalationLevel::Normal;
        self.clean = 0;
    }

    /// How many of the last actions cost something, and how many there are.
    pub fn recent(&self, window: u32) -> (u32, u32) {
        let of = self.window.len().min(window as usize);
        let penalised = self.window.iter().rev().take(of).filter(|penalised| **penalised).count();
        (penalised as u32, of as u32)
    }
}

/// Which periods a profile shows credits of.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct ProfilePeriods {
    /// The period, such as a chapter.
    pub period: Option<Id>,
    /// The session.
    pub session: Option<Id>,
}

/// Everything a reader wants to know of an agent with one model.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct AgentProfile {
    /// Whether this model answers for the agent now.
    pub active: bool,
    /// Issues begun that were applied.
    pub application: CreditRate,
    /// What it has to heed.
    pub constraints: Vec<RemediationConstraint>,
    /// How closely it is watched.
    pub level: EscalationLevel,
    /// All its credits.
    pub lifetime: i64,
    /// The most verified citations in a row.
    pub longest_streak: u32,
    /// The model.
    pub model: String,
    /// Actions that cost something.
    pub penalty: CreditRate,
    /// Its credits in the period, if one is named.
    pub period: Option<i64>,
    /// What others say of it, with any model.
    pub rating: AgentRating,
    /// How often each reason came up, and its credits.
    pub reasons: BTreeMap<CreditReason, (u32, i64)>,
    /// Its credits in the session, if one is named.
    pub session: Option<i64>,
    /// Verified citations in a row up to now.
    pub streak: u32,
    /// How reliable it is.
    pub tier: ReliabilityTier,
    /// How far it may go by itself.
    pub trust: AgentTrust,
    /// Citations that hold.
    pub verification: CreditRate,
    /// Who.
    pub who: Who,
}

impl Ledger {
    /// The profile of an agent with a model, also of one that never did anything.
    pub fn profile(&self, rules: &Rules, who: &Who, model: &str, of: ProfilePeriods) -> AgentProfile {
        let model = model_key(model);
        let record = self.record(who, &model).cloned().unwrap_or_default();
        let credits = |period: Id| self.period_tally(period, who, &model).map_or(0, |tally| tally.credits);
        let tally = &record.tally;
        AgentProfile {
            active: self.active_model(who) == Some(&model),
            application: CreditRate { part: tally.applied, whole: tally.started },
            constraints: record.constraints(&rules.ladder),
            level: record.level,
            lifetime: tally.credits,
            longest_streak: record.longest_streak,
            penalty: CreditRate { part: tally.penalised, whole: tally.actions },
            period: of.period.map(credits),
            rating: self.rating(who),
            reasons: tally.reasons.clone(),
            session: of.session.map(credits),
            streak: record.streak,
            tier: tally.tier(&rules.tiers),
            trust: tally.trust(&rules.trust),
            verification: CreditRate { part: tally.verified, whole: tally.citations },
            who: who.clone(),
            model,
        }
    }
}
