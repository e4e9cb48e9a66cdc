//! The ledger: who earned trust.
//!
//! Credits follow from what was checked and from what others gave, never from what somebody says of themself. Every change
//! of a balance is a [`Posting`], and every balance, tier and level is a fold of events: [`Ledger::apply`] judges nothing.
//! The functions that judge take plain values and the numbers of a charter ([`Rules`]), and return events.
//!
//! It reads no file, asks no model, and does not know which agents there are; flows say so. It never takes the word of a
//! request for who gives it: the caller is whoever the house authenticated. Every refused attempt to move credit is an event
//! ([`SecurityAttempt`]).
//!
//! To add a reason for credit: a line of [`TERMS`]. To add a number: a field in `rules.rs`.

mod awards;
mod board;
mod citations;
mod dosage;
mod goals;
mod ladder;
mod prices;
mod ratings;
mod record;
mod refusal;
mod rules;
mod state;
mod team;

use std::sync::Arc;

use serde::{Deserialize, Serialize};

pub use awards::{
    AttemptFlaw, AwardRange, AwardRequest, AwardTerms, CreditReason, CreditReceiver, LedgerCaller,
    RefusedAttempt, SecurityAttempt, TERMS, TaskSlice,
};
pub use board::{Highlight, Leaderboard, LeaderboardEntry, LeaderboardScope};
pub use citations::{CitationFinding, CommentFacts, UpgradeScope, citation_key, gap_form};
pub use dosage::{SLICES_MOST, TaskDosage, slices};
pub use goals::{GOALS_MOST, Goal, GoalDraft, GoalMetric, GoalProgress, GoalTerms, IssuesDone, IssuesDoneIn};
pub use ladder::{EscalationLevel, RemediationConstraint};
pub use prices::{CitationOutcome, CitationPrices, CitationProof, Factor, MalformedFactor};
pub use ratings::{AgentRating, RatingRequest};
pub use record::{
    AgentProfile, AgentTrust, CreditRate, CreditTally, PerformanceRecord, ProfilePeriods, ReliabilityTier,
    WINDOW_MOST,
};
pub use refusal::Refusal;
pub use rules::{
    DosageRules, LadderRules, RatingWeights, Rules, TeamAmounts, TierBound, TierBounds, TrustBounds,
};
pub use state::{AttemptLine, Ledger};
pub use team::{PeriodEnd, PeriodSpan, TeamPosting, TeamReason};

use crate::kernel::{About, AskChange, AuthorClass, CitationTrigger, Digest, Id, MatterId, Who, text, words};

/// What happens to credits.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Event {
    /// Credit moved, or a citation was found to be worth nothing.
    Posted(Arc<Posting>),
    /// An agent did something that counts.
    Acted(Arc<AgentAction>),
    /// Something became known of an issue that an agent began or resolved.
    Counted(Arc<IssueCount>),
    /// An agent moved on the ladder.
    Escalated(Arc<Escalation>),
    /// Another model answers for an agent. The record of the one before is put away, an earlier one of the new is
    /// taken up again.
    ModelChanged {
        /// The model before, if one was known.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        from: Option<String>,
        /// The model now.
        to: String,
        /// Who.
        who: Who,
    },
    /// Somebody tried to move credit that they may not move.
    Attempted(Arc<SecurityAttempt>),
    /// An agent or the user rated an agent. A later rating by the same one in the same matter replaces it.
    Rated {
        /// Who rated; the user if nobody is named.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        by: Option<Who>,
        /// For or against.
        helpful: bool,
        /// Where.
        matter: MatterId,
        /// How much it counts, by how reliable the rater was then.
        weight: u32,
        /// Who was rated.
        who: Who,
    },
    /// The team got credit.
    TeamPosted(Arc<TeamPosting>),
    /// A goal was set. Its id is the id of this event.
    GoalSet(Arc<GoalTerms>),
    /// A goal was reached, missed or taken back.
    GoalEnded {
        /// Which.
        goal: Id,
        /// Whether it was reached.
        reached: bool,
    },
}

impl Event {
    /// What it is about.
    pub fn about(&self) -> About {
        let of = |matter: Option<MatterId>| matter.map_or(About::House, About::Matter);
        match self {
            Self::Posted(posting) => of(posting.matter),
            Self::Acted(action) => of(action.matter),
            Self::Counted(count) => About::Matter(count.matter),
            Self::Rated { matter, .. } => About::Matter(*matter),
            // What somebody tried in a matter is not part of it.
            Self::Attempted(_) => About::House,
            Self::Escalated(_)
            | Self::ModelChanged { .. }
            | Self::TeamPosted(_)
            | Self::GoalSet(_)
            | Self::GoalEnded { .. } => About::House,
        }
    }

    /// It does nothing to asks.
    pub fn ask(&self) -> AskChange {
        AskChange::None
    }
}

/// One change of a balance.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Posting {
    /// How much.
    pub amount: i64,
    /// Who verified it or said what came of it, unless it was the house or the person who runs it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub by: Option<Who>,
    /// The citation it is for.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub citation: Option<PricedCitation>,
    /// In which capacity it was verified.
    pub class: AuthorClass,
    /// The matter it is about.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub matter: Option<MatterId>,
    /// The model that answered for the receiver.
    pub model: String,
    /// The periods that were open.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub periods: Vec<Id>,
    /// Why.
    pub reason: CreditReason,
    /// Which slice of a task, and what the whole is worth.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub slice: Option<(TaskSlice, i64)>,
    /// Whose balance.
    pub who: Who,
}

/// A citation as it was priced.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct PricedCitation {
    /// By which it is known again: [`citation_key`].
    pub key: Digest,
    /// What came of it.
    pub outcome: CitationOutcome,
    /// Its author had as many paid citations in the matter as can earn.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub over_limit: bool,
    /// Its author had as much for unjudged citations as can be had: it is paid once somebody judges it.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub deferred: bool,
    /// The place that it earns for, so that it earns for it once.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub place: Option<CitedPlace>,
    /// What became known of it.
    pub proof: CitationProof,
    /// Why it was looked up.
    pub trigger: CitationTrigger,
}

/// Lines of a text that was read.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct CitedPlace {
    /// SHA-256 of the file.
    pub digest: Digest,
    /// The first line.
    pub first: u32,
    /// The last line.
    pub last: u32,
}

/// Something that an agent did.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct AgentAction {
    /// The comment that it was, if it was one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub comment: Option<CommentCount>,
    /// Where.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub matter: Option<MatterId>,
    /// The model that answered.
    pub model: String,
    /// Whether it cost anything.
    pub penalised: bool,
    /// The periods that were open.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub periods: Vec<Id>,
    /// Who.
    pub who: Who,
}

/// What counts of a comment.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct CommentCount {
    /// It cites something that holds.
    pub evidence: bool,
    /// A rule stopped it.
    pub stopped: bool,
}

/// What became known of an issue.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum IssueFact {
    /// The agent began it.
    Started,
    /// The agent resolved it.
    Resolved,
    /// What the agent began was applied in work.
    Applied,
    /// What the agent began is irrelevant.
    Irrelevant,
}

/// The same, of whom and where.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct IssueCount {
    /// What.
    pub fact: IssueFact,
    /// Which issue.
    pub matter: MatterId,
    /// The model that answered for the agent.
    pub model: String,
    /// The periods that were open.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub periods: Vec<Id>,
    /// Who.
    pub who: Who,
}

/// An agent moved on the ladder.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Escalation {
    /// Where it was.
    pub from: EscalationLevel,
    /// The model that answers for it.
    pub model: String,
    /// Of how many actions.
    pub of: u32,
    /// How many were penalised.
    pub penalised: u32,
    /// Whether the user is to hear of it.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub tell_user: bool,
    /// Where it is.
    pub to: EscalationLevel,
    /// Who.
    pub who: Who,
}

/// The form in which records know a model. Another spelling of the same model is no fresh start.
pub fn model_key(model: &str) -> String {
    let key = text::fold(model.trim());
    if key.is_empty() { "unknown".into() } else { key }
}

words!(enum Event {
    Posted(posting),
    Acted(action),
    Counted(count),
    Escalated(escalation),
    ModelChanged { | from, to, who },
    Attempted[attempt],
    Rated { | by, helpful, matter, weight, who },
    TeamPosted(posting),
    GoalSet[terms],
    GoalEnded { | goal, reached },
});
