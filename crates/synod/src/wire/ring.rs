//! A ring as it stands, as it is shown: the same JSON as `synod_core::view::Session` writes.

use serde::{Deserialize, Serialize};
use serde_json::Value;
use synod_core::kernel::{AmendmentId, AskId, At, Id, ProposalId, Who};
use utoipa::ToSchema;

use super::words::{MemberState, PhaseWord, ReactionWord, StatementKind, VoteGrade};

/// A ring.
#[derive(Debug, Clone, Serialize, Deserialize, ToSchema)]
#[schema(as = Ring)]
pub(crate) struct RingView {
    pub(crate) phase: PhaseWord,
    /// Why it ended as it did, where it did not commit.
    pub(crate) reason: Option<String>,
    /// The round, 0 before the first.
    pub(crate) round: u32,
    /// Rounds at most.
    pub(crate) rounds: u32,
    /// Why the discussion ended.
    #[schema(value_type = Option<Value>)]
    pub(crate) talk_ended: Option<Value>,
    /// When the session is broken off, in Unix milliseconds.
    #[schema(value_type = Option<u64>)]
    pub(crate) until: Option<At>,
    /// Who has the floor.
    pub(crate) holder: Option<HolderView>,
    /// Everybody invited; those who take part first, in speaking order.
    pub(crate) members: Vec<MemberView>,
    /// Statements, in order.
    pub(crate) said: Vec<Statement>,
    /// Turns that were skipped, in order.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub(crate) skips: Vec<SkippedTurn>,
    /// Reactions, in order.
    pub(crate) reactions: Vec<Reacted>,
    /// Proposals, in order. While PROPOSING lasts only your own: all propose at once, without seeing each other's.
    pub(crate) proposals: Vec<ProposalView>,
    /// How many proposals are not shown yet.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub(crate) withheld: u32,
    /// The vote, once it is open.
    pub(crate) vote: Option<VoteState>,
    /// The proposal that was carried.
    #[schema(value_type = Option<String>)]
    pub(crate) committed: Option<ProposalId>,
}

fn is_zero(count: &u32) -> bool {
    *count == 0
}

/// Who has the floor.
#[derive(Debug, Clone, Serialize, Deserialize, ToSchema)]
#[schema(as = Holder)]
pub(crate) struct HolderView {
    #[schema(value_type = String)]
    pub(crate) who: Who,
    /// The turn.
    #[schema(value_type = String)]
    pub(crate) ask: AskId,
    /// Until when, in Unix milliseconds.
    #[schema(value_type = u64)]
    pub(crate) until: At,
    /// Whether the turn was fetched and acknowledged.
    pub(crate) acknowledged: bool,
}

/// Somebody invited.
#[derive(Debug, Clone, Serialize, Deserialize, ToSchema)]
#[schema(as = Member)]
pub(crate) struct MemberView {
    #[schema(value_type = String)]
    pub(crate) who: Who,
    /// The name as they write it.
    pub(crate) name: String,
    pub(crate) state: MemberState,
    /// Why they are absent or gone.
    pub(crate) why: Option<String>,
    /// The first round they are called in.
    pub(crate) from_round: Option<u32>,
}

/// A statement.
#[derive(Debug, Clone, Serialize, Deserialize, ToSchema)]
pub(crate) struct Statement {
    #[schema(value_type = String)]
    pub(crate) id: Id,
    pub(crate) round: u32,
    #[schema(value_type = String)]
    pub(crate) who: Who,
    pub(crate) kind: StatementKind,
    pub(crate) text: String,
    /// The id of what it replies to.
    #[schema(value_type = Option<String>)]
    pub(crate) to: Option<Id>,
}

/// A turn that was skipped.
#[derive(Debug, Clone, Serialize, Deserialize, ToSchema)]
pub(crate) struct SkippedTurn {
    /// The round; null for the turn to propose.
    pub(crate) round: Option<u32>,
    /// The turn was to answer changes to its own proposal.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub(crate) weigh: bool,
    #[schema(value_type = String)]
    pub(crate) who: Who,
    /// The reason given.
    pub(crate) why: Option<String>,
}

/// A reaction that was given.
#[derive(Debug, Clone, Serialize, Deserialize, ToSchema)]
#[schema(as = ReactionGiven)]
pub(crate) struct Reacted {
    pub(crate) round: u32,
    #[schema(value_type = String)]
    pub(crate) who: Who,
    pub(crate) reaction: ReactionWord,
    /// The id of what it is a reaction to.
    #[schema(value_type = String)]
    pub(crate) to: Id,
    /// A short remark.
    pub(crate) text: Option<String>,
}

/// A proposal on the table.
#[derive(Debug, Clone, Serialize, Deserialize, ToSchema)]
#[schema(as = ProposalShown)]
pub(crate) struct ProposalView {
    /// What votes and changes name it by.
    #[schema(value_type = String)]
    pub(crate) id: ProposalId,
    /// `A` for the first.
    #[schema(value_type = String)]
    pub(crate) letter: char,
    /// In one line.
    pub(crate) title: String,
    /// As it stands now.
    pub(crate) text: String,
    /// As it was first put, if it was changed since.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) first: Option<String>,
    /// 1, and one more for every accepted change.
    pub(crate) version: u32,
    /// Its author.
    #[schema(value_type = String)]
    pub(crate) who: Who,
    /// Changes asked for.
    pub(crate) amendments: Vec<Change>,
    /// How many participants support it by their reactions, its author included.
    pub(crate) support: u32,
}

/// A change to a proposal that somebody asked for.
#[derive(Debug, Clone, Serialize, Deserialize, ToSchema)]
#[schema(as = AmendmentShown)]
pub(crate) struct Change {
    #[schema(value_type = String)]
    pub(crate) id: AmendmentId,
    #[schema(value_type = String)]
    pub(crate) who: Who,
    /// The whole text as it should be.
    pub(crate) text: String,
    /// The reason given.
    pub(crate) why: Option<String>,
    /// Whether the author accepted it; null until then.
    pub(crate) accepted: Option<bool>,
    /// The author's reason.
    pub(crate) answer: Option<String>,
}

/// The vote of a ring.
#[derive(Debug, Clone, Serialize, Deserialize, ToSchema)]
pub(crate) struct VoteState {
    /// The rule it is judged by.
    #[schema(value_type = Object)]
    pub(crate) rule: Value,
    /// How many could vote.
    pub(crate) seats: u32,
    /// Who has voted on every proposal.
    #[schema(value_type = Vec<String>)]
    pub(crate) voted: Vec<Who>,
    /// Who has not.
    #[schema(value_type = Vec<String>)]
    pub(crate) missing: Vec<Who>,
    /// The votes, once voting is closed and unless they are secret.
    pub(crate) votes: Vec<CastVote>,
    /// What proves secret votes without showing them.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[schema(value_type = Vec<Object>)]
    pub(crate) seals: Vec<Value>,
    /// The counts, once voting is closed.
    pub(crate) results: Vec<ProposalResult>,
    /// Proposals that shared the first place.
    #[schema(value_type = Vec<String>)]
    pub(crate) tied: Vec<ProposalId>,
    /// How many independent voters there were, where some share a model.
    #[schema(value_type = Option<Object>)]
    pub(crate) voters: Option<Value>,
}

/// A vote that was cast.
#[derive(Debug, Clone, Serialize, Deserialize, ToSchema)]
pub(crate) struct CastVote {
    #[schema(value_type = String)]
    pub(crate) who: Who,
    #[schema(value_type = String)]
    pub(crate) proposal: ProposalId,
    pub(crate) grade: VoteGrade,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) changed_from: Option<VoteGrade>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) rationale: Option<String>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub(crate) conditions: Vec<String>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub(crate) changes: Vec<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) seal: Option<String>,
}

/// The votes on one proposal, counted.
#[derive(Debug, Clone, Serialize, Deserialize, ToSchema)]
pub(crate) struct ProposalResult {
    #[schema(value_type = String)]
    pub(crate) proposal: ProposalId,
    /// Votes by grade, from full support to none.
    #[schema(value_type = Vec<Vec<Value>>)]
    pub(crate) grades: Vec<(VoteGrade, u32)>,
    /// The count by side.
    #[schema(value_type = Object)]
    pub(crate) tally: Value,
    /// What the rule makes of this proposal alone.
    pub(crate) decision: Value,
    /// Seats with a veto that rejected it.
    #[schema(value_type = Vec<String>)]
    pub(crate) vetoed: Vec<Who>,
    /// The share of approval on every basis.
    #[schema(value_type = Vec<Object>)]
    pub(crate) bases: Vec<Value>,
    /// The fewest votes that would have changed whether it passes.
    pub(crate) margin: Option<u32>,
}

impl RingView {
    /// Whether nothing more will happen in it.
    pub(crate) fn is_over(&self) -> bool {
        self.phase.is_over()
    }
}
