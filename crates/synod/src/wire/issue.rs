//! What somebody does to issues, as it is sent: one shape for the command line, the service and Redis.
//!
//! To add something: a variant here with its body and its path, its arm in `issues.rs`, its route in `http/issues.rs`.

use serde::{Deserialize, Serialize};
use synod_core::issue::Freedom;
use synod_core::kernel::{CitationTrigger, CommentDeed, CommentKind, Impact, Priority};
use synod_core::ledger::CitationOutcome;
use synod_core::roster::WorkRole;
use utoipa::ToSchema;

use super::Nothing;
use super::ids::{IssueRef, WrittenId};
use super::words::{IssueStanceWord, MarkWord, PriorityWord};
use crate::percent;

/// Something that is done in the workshop.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum WorkshopAction {
    /// Open an issue.
    Open(IssueBody),
    /// Put several issues together.
    Consolidate(ConsolidationBody),
    /// Something to one issue.
    On(IssueRef, IssueStep),
    /// Let agents open nothing under a tag.
    FreezeTag(String, ReasonBody),
    /// Let them again.
    ThawTag(String),
    /// Let an agent be more or less free.
    SetFreedom(String, FreedomBody),
    /// Give a participant a role. For the operator.
    Appoint(String, AppointmentBody),
    /// Choose the charter of issues. For the operator.
    Configure(RulesBody),
    /// Begin a named stretch of work.
    OpenPeriod(PeriodBody),
    /// End it.
    ClosePeriod(PeriodBody),
}

/// Something that is done to one issue.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum IssueStep {
    Comment(CommentBody),
    Close,
    Reopen,
    Change(ChangeBody),
    Unfreeze(GuidanceBody),
    Force(ForceBody),
    Escalate(EscalationBody),
    Challenge(ChallengeBody),
    Mark(MarkBody),
    Outcome(OutcomeBody),
}

impl WorkshopAction {
    /// Where it is sent.
    pub(crate) fn path(&self) -> String {
        let named =
            |place: &str, name: &str, what: &str| format!("/v1/{place}/{}/{what}", percent::segment(name));
        match self {
            Self::Open(_) => "/v1/issues".into(),
            Self::Consolidate(_) => "/v1/issues/consolidate".into(),
            Self::On(issue, step) => {
                format!("/v1/issues/{}/{}", percent::segment(&issue.to_string()), step.place())
            }
            Self::FreezeTag(tag, _) => named("tags", tag, "freeze"),
            Self::ThawTag(tag) => named("tags", tag, "thaw"),
            Self::SetFreedom(who, _) => named("agents", who, "freedom"),
            Self::Appoint(who, _) => named("agents", who, "appointment"),
            Self::Configure(_) => "/v1/issues/rules".into(),
            Self::OpenPeriod(_) => "/v1/periods/open".into(),
            Self::ClosePeriod(_) => "/v1/periods/close".into(),
        }
    }

    /// What is sent there.
    pub(crate) fn body(&self) -> Result<serde_json::Value, serde_json::Error> {
        match self {
            Self::Open(body) => serde_json::to_value(body),
            Self::Consolidate(body) => serde_json::to_value(body),
            Self::On(_, step) => step.body(),
            Self::FreezeTag(_, body) => serde_json::to_value(body),
            Self::SetFreedom(_, body) => serde_json::to_value(body),
            Self::Appoint(_, body) => serde_json::to_value(body),
            Self::Configure(body) => serde_json::to_value(body),
            Self::OpenPeriod(body) | Self::ClosePeriod(body) => serde_json::to_value(body),
            Self::ThawTag(_) => serde_json::to_value(Nothing {}),
        }
    }

    /// Whether only the operator may do it, whatever roles say.
    pub(crate) fn is_for_operators(&self) -> bool {
        matches!(self, Self::Appoint(..) | Self::Configure(_))
    }
}

impl IssueStep {
    fn place(&self) -> &'static str {
        match self {
            Self::Comment(_) => "comments",
            Self::Close => "close",
            Self::Reopen => "reopen",
            Self::Change(_) => "changes",
            Self::Unfreeze(_) => "unfreeze",
            Self::Force(_) => "force",
            Self::Escalate(_) => "escalate",
            Self::Challenge(_) => "challenge",
            Self::Mark(_) => "marks",
            Self::Outcome(_) => "outcomes",
        }
    }

    fn body(&self) -> Result<serde_json::Value, serde_json::Error> {
        match self {
            Self::Comment(body) => serde_json::to_value(body),
            Self::Close | Self::Reopen => serde_json::to_value(Nothing {}),
            Self::Change(body) => serde_json::to_value(body),
            Self::Unfreeze(body) => serde_json::to_value(body),
            Self::Force(body) => serde_json::to_value(body),
            Self::Escalate(body) => serde_json::to_value(body),
            Self::Challenge(body) => serde_json::to_value(body),
            Self::Mark(body) => serde_json::to_value(body),
            Self::Outcome(body) => serde_json::to_value(body),
        }
    }
}

/// An issue to open.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields, rename = "NewIssue")]
#[schema(as = NewIssue)]
pub(crate) struct IssueBody {
    /// What it is called, in one line.
    pub(crate) title: String,
    /// What it says.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub(crate) body: String,
    /// What it is found by.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub(crate) tags: Vec<String>,
    /// How urgent it is: `critical`, `high`, `normal` or `low`; normal if left out.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<String>, pattern = "^(critical|high|normal|low)$")]
    pub(crate) priority: Option<Priority>,
    /// How much it would change: `cosmetic`, `minor`, `structural` or `canon-changing`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<String>, pattern = "^(cosmetic|minor|structural|canon-changing)$")]
    pub(crate) impact: Option<Impact>,
    /// Who should see to it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) assignee: Option<String>,
    /// Issues that belong to it.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[schema(inline)]
    pub(crate) related: Vec<IssueRef>,
}

/// Issues to put together into a new one.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields, rename = "Consolidation")]
#[schema(as = Consolidation)]
pub(crate) struct ConsolidationBody {
    /// Which; at least two.
    #[schema(inline)]
    pub(crate) issues: Vec<IssueRef>,
    /// What the new one is called.
    pub(crate) title: String,
    /// What it says.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub(crate) body: String,
}

/// A comment on an issue.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields, rename = "NewComment")]
#[schema(as = NewComment)]
pub(crate) struct CommentBody {
    /// What it says. References in it count as evidence: `path:10-14 "quote"`, `#34`, `canon:eyes@2`. `canon:?subject` with
    /// the trigger `canon-gap-search` says that canon has nothing on a subject; the house searches.
    pub(crate) body: String,
    /// `comment`, `question` or `acknowledgement`; a comment if left out.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<String>, pattern = "^(comment|question|acknowledgement)$")]
    pub(crate) kind: Option<CommentKind>,
    /// Where you stand.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) stance: Option<IssueStanceWord>,
    /// How much it would change: `cosmetic`, `minor`, `structural` or `canon-changing`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<String>, pattern = "^(cosmetic|minor|structural|canon-changing)$")]
    pub(crate) impact: Option<Impact>,
    /// What it rests on, each written as in the text.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub(crate) evidence: Vec<String>,
    /// Why the evidence was looked up, such as `answer-to-question`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<String>, pattern = "^(answer-to-question|support-proposal|resolve-conflict|verify-continuity|challenge-consensus|canon-gap-search|unprompted)$")]
    pub(crate) trigger: Option<CitationTrigger>,
    /// What was done: `patch-created`, `file-modified`, `resolved` or `escalated`. `resolved` settles the issue.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<String>, pattern = "^(patch-created|file-modified|resolved|escalated)$")]
    pub(crate) action: Option<CommentDeed>,
    /// A word about what was done.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) details: Option<String>,
}

/// One change to an issue.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields, rename_all = "snake_case", rename = "IssueChange")]
#[schema(as = IssueChange)]
pub(crate) enum ChangeBody {
    /// Who sees to it; nobody if null.
    Assign(Option<String>),
    /// A tag it gets.
    Tag(String),
    /// A tag it loses.
    Untag(String),
    /// How urgent it is: `critical`, `high`, `normal` or `low`.
    Priority(PriorityWord),
    /// An issue that belongs to it.
    Relate(#[schema(inline)] IssueRef),
    /// An issue that does not belong to it any more.
    Unrelate(#[schema(inline)] IssueRef),
}

/// Guidance with which a frozen issue goes on.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields, rename = "Guidance")]
#[schema(as = Guidance)]
pub(crate) struct GuidanceBody {
    /// What those who go on should heed.
    pub(crate) guidance: String,
}

/// A decision on an issue, whatever its thread has come to.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields, rename = "ForcedResolution")]
#[schema(as = ForcedResolution)]
pub(crate) struct ForceBody {
    /// Why.
    pub(crate) reasoning: String,
    /// What is decided.
    pub(crate) decision: String,
}

/// A request to the user to look at an issue.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields, rename = "Escalation")]
#[schema(as = Escalation)]
pub(crate) struct EscalationBody {
    /// What it is about, in a few sentences.
    pub(crate) summary: String,
}

/// A request that somebody objects in an issue.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields, rename = "Challenge")]
#[schema(as = Challenge)]
pub(crate) struct ChallengeBody {
    /// Who; the next in the rotation if left out.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) who: Option<String>,
}

/// What came of an issue.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields, rename = "NewMark")]
#[schema(as = NewMark)]
pub(crate) struct MarkBody {
    pub(crate) mark: MarkWord,
    /// The comment that helped.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<String>, pattern = r"^[0-9]{1,15}(\.[0-9]{1,4})?$")]
    pub(crate) comment: Option<WrittenId>,
}

/// What came of the evidence in a comment.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields, rename = "EvidenceOutcome")]
#[schema(as = EvidenceOutcome)]
pub(crate) struct OutcomeBody {
    /// The comment.
    #[schema(value_type = String, pattern = r"^[0-9]{1,15}(\.[0-9]{1,4})?$")]
    pub(crate) comment: WrittenId,
    /// Such as `prevented-error` or `informed-decision`.
    #[schema(value_type = String, pattern = "^(informed-decision|led-to-file-change|resolved-issue|prevented-error|identified-canon-gap|established-new-canon|prevented-user-conflict|no-action-yet|no-action)$")]
    pub(crate) outcome: CitationOutcome,
}

/// Why something is done.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields, rename = "Reason")]
#[schema(as = Reason)]
pub(crate) struct ReasonBody {
    pub(crate) reason: String,
}

/// How free an agent is.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields, rename = "AgentFreedom")]
#[schema(as = AgentFreedom)]
pub(crate) struct FreedomBody {
    /// `full`, `limited` (one comment on each issue, evidence for all but wording) or `read-only`.
    #[schema(value_type = String, pattern = "^(full|limited|read-only)$")]
    pub(crate) freedom: Freedom,
}

/// A role among agents that work together. What is left out stays as it is.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields, rename = "NewAppointment")]
#[schema(as = NewAppointment)]
pub(crate) struct AppointmentBody {
    /// `moderator`, `assistant`, `critic`, `continuity`, `writer` or `lead`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<String>, pattern = "^(moderator|assistant|critic|continuity|writer|lead)$")]
    pub(crate) role: Option<WorkRole>,
    /// Whether it can be asked to object.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) devils_advocate: Option<bool>,
    /// Whether it takes part.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) enabled: Option<bool>,
}

/// The charter that issues are opened under.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields, rename = "IssueRules")]
#[schema(as = IssueRules)]
pub(crate) struct RulesBody {
    /// Its name, such as `workshop-strict`.
    pub(crate) charter: String,
}

/// A named stretch of work.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields, rename = "NewPeriod")]
#[schema(as = NewPeriod)]
pub(crate) struct PeriodBody {
    /// What it is called.
    pub(crate) name: String,
}
