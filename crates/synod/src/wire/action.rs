//! What a participant of a ring does: the bodies of its requests, the data of its messages on Redis.
//!
//! A sender may leave out the turn and the only proposal, and may name a proposal by its letter: see `resolve`.
//! The bodies keep their published names in the OpenAPI document (`as`) and in errors about a body that cannot be
//! read (`rename`).

use serde::{Deserialize, Serialize};
use synod_core::ballot::Grade;
use synod_core::kernel::Reaction;
use synod_core::procedure::ring::Remark;
use utoipa::ToSchema;

use super::ids::{ItemRef, WrittenId};
use super::words::{ReactionWord, StatementKind, VoteGrade, read_grade};

/// One thing a participant does for itself.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum ActionRequest {
    Join,
    Leave,
    Acknowledge { ask: WrittenId },
    Say(StatementBody),
    Propose(ProposalBody),
    Amend(AmendmentBody),
    React(ReactionBody),
    Release(ReleaseBody),
    Skip(SkipBody),
    Rule(RulingBody),
    Vote(VoteBody),
}

/// The body of a request that needs no fields: `{}`.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Nothing {}

/// Something to say in your turn.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields, rename = "Contribution")]
#[schema(as = Contribution)]
pub(crate) struct StatementBody {
    /// The turn; your open one if left out.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(inline)]
    pub(crate) ask: Option<WrittenId>,
    /// What it is meant as; `opinion` if left out.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<StatementKind>)]
    pub(crate) kind: Option<Remark>,
    /// The statement. Most charters allow 2000 characters.
    pub(crate) text: String,
    /// What it replies to.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(inline)]
    pub(crate) to: Option<ItemRef>,
    /// Keep the floor for more; otherwise your turn ends with this.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub(crate) keep: bool,
}

/// A proposal to make in your turn.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields, rename = "Proposal")]
#[schema(as = Proposal)]
pub(crate) struct ProposalBody {
    /// The turn; your open one if left out.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(inline)]
    pub(crate) ask: Option<WrittenId>,
    /// The proposal in one line.
    pub(crate) title: String,
    /// The proposal in full.
    pub(crate) text: String,
    /// Keep the floor for more; otherwise your turn ends with this.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub(crate) keep: bool,
}

/// A change to a proposal, asked for in your turn. Its author accepts or declines it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields, rename = "Amendment")]
#[schema(as = Amendment)]
pub(crate) struct AmendmentBody {
    /// The turn; your open one if left out.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(inline)]
    pub(crate) ask: Option<WrittenId>,
    /// The proposal to change.
    pub(crate) proposal: ItemRef,
    /// The whole text as it should be.
    pub(crate) text: String,
    /// The reason.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) why: Option<String>,
    /// Keep the floor for more; otherwise your turn ends with this.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub(crate) keep: bool,
}

/// Your answer to a change that somebody asked for in your proposal. Needs no turn.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields, rename = "Ruling")]
#[schema(as = Ruling)]
pub(crate) struct RulingBody {
    /// The change by its id, or the proposal's letter if only one change to it is open.
    pub(crate) amendment: ItemRef,
    /// Whether to accept it.
    pub(crate) accept: bool,
    /// The reason.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) why: Option<String>,
}

/// A reaction to something on the table, in your turn.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields, rename = "Reacting")]
#[schema(as = Reacting)]
pub(crate) struct ReactionBody {
    /// The turn; your open one if left out.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(inline)]
    pub(crate) ask: Option<WrittenId>,
    /// What you react to.
    pub(crate) to: ItemRef,
    /// Your reaction.
    #[schema(value_type = ReactionWord)]
    pub(crate) reaction: Reaction,
    /// A short remark.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) text: Option<String>,
    /// Keep the floor for more; otherwise your turn ends with this.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub(crate) keep: bool,
}

/// A turn to end.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields, rename = "Release")]
#[schema(as = Release)]
pub(crate) struct ReleaseBody {
    /// The turn; your open one if left out.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(inline)]
    pub(crate) ask: Option<WrittenId>,
}

/// A turn to skip.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields, rename = "Skip")]
#[schema(as = Skip)]
pub(crate) struct SkipBody {
    /// The turn; your open one if left out.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(inline)]
    pub(crate) ask: Option<WrittenId>,
    /// The reason.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) why: Option<String>,
}

/// A vote on a proposal.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields, rename = "Vote")]
#[schema(as = Vote)]
pub(crate) struct VoteBody {
    /// The proposal; the only one if left out.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(inline)]
    pub(crate) proposal: Option<ItemRef>,
    /// How far you support it.
    #[serde(deserialize_with = "read_grade")]
    #[schema(value_type = VoteGrade)]
    pub(crate) grade: Grade,
    /// Why.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) rationale: Option<String>,
    /// What the vote depends on.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub(crate) conditions: Vec<String>,
    /// Changes you ask for.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub(crate) changes: Vec<String>,
    /// Seals the vote where votes are not open: 16 to 64 letters, digits, `-` or `_`. Ignored where they are.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) salt: Option<String>,
}
