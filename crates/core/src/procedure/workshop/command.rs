//! What can be done with issues.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use super::canon::CanonCommand;
use super::lease::LeaseCommand;
use crate::issue::{Freedom, IssueChange, IssueMark, Tag};
use crate::kernel::{
    About, At, Choice, CitationTrigger, CommentAction, CommentKind, Digest, Id, Impact, MatterId, Priority,
    Reference, SettingValue, Who, words,
};
use crate::ledger::{CitationOutcome, GoalMetric, TaskSlice};

/// A command to the workshop.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Command {
    /// Choose the charter that issues are opened under from now on.
    Configure {
        /// The charter, by the digest of its source. The house must have adopted it.
        charter: Digest,
    },
    /// Open an issue.
    Open(Box<OpenIssue>),
    /// Comment on an issue. A comment whose action is `resolved` settles it.
    Comment(Box<WriteComment>),
    /// Close an issue without a resolution.
    Close {
        /// Which.
        issue: MatterId,
    },
    /// Open an issue again that is over.
    Reopen {
        /// Which.
        issue: MatterId,
    },
    /// Put several issues together into a new one.
    Consolidate {
        /// What the new one says.
        body: String,
        /// Which.
        issues: Vec<MatterId>,
        /// What it is called.
        title: String,
    },
    /// Change something of an issue besides its status.
    Change {
        /// What.
        change: IssueChange,
        /// Which issue.
        issue: MatterId,
    },
    /// Let a frozen issue go on, with guidance.
    Unfreeze {
        /// What those who go on should heed.
        guidance: String,
        /// Which.
        issue: MatterId,
    },
    /// Resolve an issue whatever its thread has come to.
    ForceResolution {
        /// What is decided.
        decision: String,
        /// Which issue.
        issue: MatterId,
        /// Why.
        reasoning: String,
    },
    /// Want a person to look at an issue.
    Escalate {
        /// Which.
        issue: MatterId,
        /// What it is about.
        summary: String,
    },
    /// Have somebody object in an issue.
    InvokeDevilsAdvocate {
        /// Which.
        issue: MatterId,
        /// Who; the next in the rotation if left out.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        who: Option<Who>,
    },
    /// Say what came of an issue, or of a comment in it.
    Mark {
        /// Which.
        issue: MatterId,
        /// What.
        mark: IssueMark,
    },
    /// Let agents open nothing under a tag for now.
    FreezeTag {
        /// Why.
        reason: String,
        /// Which.
        tag: Tag,
    },
    /// Let them again.
    ThawTag {
        /// Which.
        tag: Tag,
    },
    /// Let an agent be more or less free.
    SetFreedom {
        /// How free.
        freedom: Freedom,
        /// Which agent.
        who: Who,
    },
    /// Ask a seat that Synod performs to comment on an issue. Outside agents come by themselves.
    Invite {
        /// Which issue.
        issue: MatterId,
        /// Whom.
        who: Who,
    },
    /// Begin a named stretch of work.
    OpenPeriod {
        /// What it is called.
        name: String,
    },
    /// End it.
    ClosePeriod {
        /// What it is called.
        name: String,
    },
    /// Change what the house holds to be true, or how far an issue is to be relied on.
    Canon(CanonCommand),
    /// Take files and folders for a time, or give them back.
    Lease(LeaseCommand),
    /// Say what came of the evidence in a comment.
    Outcome {
        /// Which comment.
        comment: Id,
        /// In which issue.
        issue: MatterId,
        /// What.
        outcome: CitationOutcome,
    },
    /// Give somebody credit, or take it. Who verifies it is whoever gives the command.
    Award(Box<AwardCredit>),
    /// Say whether somebody helped in an issue. It moves no credit.
    Rate {
        /// Whether.
        helpful: bool,
        /// In which issue.
        issue: MatterId,
        /// Who, as written.
        who: String,
    },
    /// Set a goal.
    SetGoal(Box<SetGoal>),
    /// Take a goal back.
    DropGoal {
        /// Which.
        goal: Id,
    },
    /// Say that another model answers for an agent from outside. Records are kept for each model.
    ChangeModel {
        /// Which model.
        model: String,
        /// For whom.
        who: Who,
    },
}

/// Credit that somebody gives.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct AwardCredit {
    /// How much; may be left out where the reason has one amount.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub amount: Option<i64>,
    /// The issue it is about.
    pub issue: MatterId,
    /// Why, as written.
    pub reason: String,
    /// Which slice of a task that was cut.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub slice: Option<TaskSlice>,
    /// To whom, as written.
    pub to: String,
}

/// What somebody wants reached.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct SetGoal {
    /// The agent; the team if left out.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub agent: Option<Who>,
    /// What is counted.
    pub metric: GoalMetric,
    /// The name of an open period it is for; from now on if left out.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub period: Option<String>,
    /// It as a sentence.
    pub sentence: String,
    /// How many.
    pub target: u32,
    /// Until when.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub until: Option<At>,
}

/// What it takes to open an issue.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct OpenIssue {
    /// Who sees to it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub assignee: Option<Who>,
    /// What it says.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub body: String,
    /// Another charter than the one of the house. Only for those who lead.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub charter: Option<Digest>,
    /// How much it would change.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub impact: Option<Impact>,
    /// Settings of the charter to move, by name. Only for those who lead.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub moved: BTreeMap<String, SettingValue>,
    /// How urgent it is.
    #[serde(default = "normal", skip_serializing_if = "is_normal")]
    pub priority: Priority,
    /// Issues that belong to it.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub related: Vec<MatterId>,
    /// What it is found by.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub tags: Vec<Tag>,
    /// What it is called.
    pub title: String,
}

fn normal() -> Priority {
    Priority::Normal
}

fn is_normal(priority: &Priority) -> bool {
    *priority == Priority::Normal
}

impl OpenIssue {
    /// An issue with a title and a body, and nothing besides.
    pub fn new(title: &str, body: &str) -> Self {
        Self {
            assignee: None,
            body: body.into(),
            charter: None,
            impact: None,
            moved: BTreeMap::new(),
            priority: Priority::Normal,
            related: Vec::new(),
            tags: Vec::new(),
            title: title.into(),
        }
    }
}

/// What it takes to comment.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct WriteComment {
    /// What was done.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub action: Option<CommentAction>,
    /// What it says.
    pub body: String,
    /// What it rests on.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub evidence: Vec<Reference>,
    /// How much it would change.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub impact: Option<Impact>,
    /// On which issue.
    pub issue: MatterId,
    /// What it is meant as.
    #[serde(default, skip_serializing_if = "is_comment")]
    pub kind: CommentKind,
    /// For (`yes`), against (`no`) or neither (`neutral`).
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub stance: Option<Choice>,
    /// Why its evidence was looked up.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub trigger: Option<CitationTrigger>,
}

fn is_comment(kind: &CommentKind) -> bool {
    *kind == CommentKind::Comment
}

impl WriteComment {
    /// A comment with words, and nothing besides.
    pub fn new(issue: MatterId, body: &str) -> Self {
        Self {
            action: None,
            body: body.into(),
            evidence: Vec::new(),
            impact: None,
            issue,
            kind: CommentKind::Comment,
            stance: None,
            trigger: None,
        }
    }
}

impl Command {
    /// What it is about. The issue that it opens is not there before it.
    pub fn about(&self) -> About {
        match self {
            Self::Comment(comment) => About::Matter(comment.issue),
            Self::Close { issue }
            | Self::Reopen { issue }
            | Self::Change { issue, .. }
            | Self::Unfreeze { issue, .. }
            | Self::ForceResolution { issue, .. }
            | Self::Escalate { issue, .. }
            | Self::InvokeDevilsAdvocate { issue, .. }
            | Self::Outcome { issue, .. }
            | Self::Invite { issue, .. }
            | Self::Mark { issue, .. } => About::Matter(*issue),
            Self::Configure { .. } | Self::Open(_) | Self::Consolidate { .. } => About::House,
            Self::FreezeTag { .. } | Self::ThawTag { .. } | Self::SetFreedom { .. } => About::House,
            Self::Award(award) => About::Matter(award.issue),
            Self::Rate { issue, .. } => About::Matter(*issue),
            Self::SetGoal(_) | Self::DropGoal { .. } | Self::ChangeModel { .. } => About::House,
            Self::OpenPeriod { .. } | Self::ClosePeriod { .. } | Self::Lease(_) => About::House,
            Self::Canon(command) => command.about(),
        }
    }

    /// Whether its words are those of the issue it opens, and of no other.
    pub fn opens(&self) -> bool {
        match self {
            Self::Canon(command) => command.opens(),
            Self::Lease(command) => command.opens(),
            _ => matches!(self, Self::Open(_) | Self::Consolidate { .. }),
        }
    }
}

words!(struct OpenIssue {
    body, title | assignee, charter, impact, moved, priority, related, tags
});
words!(struct WriteComment {
    action, body, evidence | impact, issue, kind, stance, trigger
});
words!(enum Command {
    Configure { | charter },
    Open[open],
    Comment[comment],
    Close { | issue },
    Reopen { | issue },
    Consolidate { body, title | issues },
    Change { | change, issue },
    Unfreeze { guidance | issue },
    ForceResolution { decision, reasoning | issue },
    Escalate { summary | issue },
    InvokeDevilsAdvocate { | issue, who },
    Invite { | issue, who },
    Mark { | issue, mark },
    FreezeTag { | reason, tag },
    ThawTag { | tag },
    SetFreedom { | freedom, who },
    OpenPeriod { | name },
    ClosePeriod { | name },
    Outcome { | comment, issue, outcome },
    Award[award],
    Rate { who | helpful, issue },
    SetGoal[goal],
    DropGoal { | goal },
    ChangeModel { | model, who },
    Canon[command],
    Lease[command],
});
words!(struct AwardCredit { reason, to | amount, issue, slice });
words!(struct SetGoal { sentence | agent, metric, period, target, until });
