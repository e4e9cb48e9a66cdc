//! Issues: what a thread is about, where it stands, and what the house knows of all threads together.
//!
//! [`Issue`] is one thread as its own matter knows it. [`Docket`] is the index over all of them, also those that left
//! memory: numbers, tags, who froze what, what is circled. Both record and answer questions; nothing here judges.
//!
//! What counts as an access of a topic stands in [`docket`]; what the house forgets, in [`memory`].

pub mod docket;
pub mod memory;
mod thread;

use std::fmt;

use serde::{Deserialize, Serialize};

pub use docket::{AgentTally, Docket, DocketRow, IssueNotice, IssueTally, Temper, Topic};
pub use memory::{FadedPriority, PeriodReflection, ReflectedAgent, TopicHealth};
pub use thread::{EscalationNote, Freeze, HeardComment, Issue};

pub use crate::kernel::Epistemic;

use crate::kernel::{
    About, AskChange, At, AuthorClass, Breaker, Digest, Id, Impact, MatterId, Priority, Who, text, words,
};

/// Where an issue stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum IssueStatus {
    /// Anybody may comment.
    Open,
    /// It rests until its time is up or somebody thaws it.
    Frozen,
    /// It was resolved.
    Resolved,
    /// It was closed without a resolution.
    Closed,
}

impl IssueStatus {
    /// All of them, with the words they are written as.
    pub const WORDS: [(&'static str, Self); 4] = [
        ("open", Self::Open),
        ("frozen", Self::Frozen),
        ("resolved", Self::Resolved),
        ("closed", Self::Closed),
    ];

    /// The word it is written as.
    pub fn word(self) -> &'static str {
        match self {
            Self::Open => "open",
            Self::Frozen => "frozen",
            Self::Resolved => "resolved",
            Self::Closed => "closed",
        }
    }

    /// Whether it is settled.
    pub fn is_over(self) -> bool {
        matches!(self, Self::Resolved | Self::Closed)
    }

    /// Where it stands at a moment, if it rests until then. One whose rest is over is open to everybody, though nobody has acted yet
    /// and the record does not say so.
    pub fn at(self, until: Option<At>, at: At) -> Self {
        match until {
            Some(until) if self == Self::Frozen && until <= at => Self::Open,
            Some(_) | None => self,
        }
    }
}

/// A word that issues are found by: lower case, without its `#`.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Tag(String);

impl Tag {
    /// The longest tag, in characters.
    pub const LONGEST: usize = 64;

    /// The tag that every issue has which the house itself opened.
    pub const META: &'static str = "meta";

    /// Reads `#timeline` or `timeline`; says what is wrong with what cannot be a tag.
    pub fn parse(written: &str) -> Result<Self, String> {
        let folded = text::fold(written.trim().trim_start_matches('#'));
        let shown = text::excerpt(&text::one_line(written), 40).into_owned();
        if folded.is_empty() || folded.chars().count() > Self::LONGEST {
            return Err(format!("`{shown}` is not a tag: write 1 to {} characters", Self::LONGEST));
        }
        match folded.chars().find(|c| !(c.is_alphanumeric() || matches!(c, '-' | '_' | '.' | '/'))) {
            Some(bad) => {
                Err(format!("the tag `{shown}` holds {bad:?}: use letters, digits, `-`, `_`, `.` and `/`"))
            }
            None => Ok(Self(folded)),
        }
    }

    /// A tag that the house itself gives.
    pub(crate) fn own(word: &str) -> Self {
        Self(word.into())
    }

    /// The tag without its `#`.
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// Whether only the house itself may give it.
    pub fn is_reserved(&self) -> bool {
        matches!(self.0.as_str(), Self::META | "circuit-breaker" | "devils-advocate" | "leech")
    }
}

impl fmt::Display for Tag {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "#{}", self.0)
    }
}

/// Why the house itself opened an issue. What it says follows from this alone, so no words of another issue live on in it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum MetaIssue {
    /// A breaker froze an issue: the moderator is to look at it.
    Frozen {
        /// What froze it.
        breaker: Breaker,
        /// The issue.
        issue: MatterId,
        /// Its last comments, oldest first.
        recent: Vec<Id>,
    },
    /// Somebody is to object in an issue.
    DevilsAdvocate {
        /// How many comments are asked for.
        comments: u32,
        /// The issue.
        issue: MatterId,
        /// Until when.
        until: At,
    },
    /// A topic is circled without anything coming of it.
    Leech {
        /// Accesses so far.
        accesses: u32,
        /// How often something came of it.
        applied: u32,
        /// Issues with this tag.
        issues: u32,
        /// Issues that were marked as irrelevant.
        irrelevant: u32,
        /// The topic.
        tag: Tag,
    },
}

impl MetaIssue {
    /// The issue it is about.
    pub fn issue(&self) -> Option<MatterId> {
        match self {
            Self::Frozen { issue, .. } | Self::DevilsAdvocate { issue, .. } => Some(*issue),
            Self::Leech { .. } => None,
        }
    }
}

/// How free an agent is to take part.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Default, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Freedom {
    /// The numbers of the charter.
    #[default]
    Full,
    /// One comment on each issue, and evidence for everything but wording.
    Limited,
    /// It may read, and not comment or open anything.
    ReadOnly,
}

impl Freedom {
    /// All of them, with the words they are written as.
    pub const WORDS: [(&'static str, Self); 3] =
        [("full", Self::Full), ("limited", Self::Limited), ("read-only", Self::ReadOnly)];

    /// The word it is written as.
    pub fn word(self) -> &'static str {
        match self {
            Self::Full => "full",
            Self::Limited => "limited",
            Self::ReadOnly => "read-only",
        }
    }
}

/// What somebody finds of an issue, or of a comment in it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum IssueMark {
    /// It was applied in the work.
    Applied,
    /// It has nothing to do with the project.
    Irrelevant,
    /// A comment helped.
    Helpful {
        /// Which.
        comment: Id,
    },
}

/// What is changed of an issue besides its status.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum IssueChange {
    /// Who sees to it; nobody if left out.
    Assign {
        /// Who.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        to: Option<Who>,
    },
    /// A tag it has from now on.
    Tag {
        /// Which.
        tag: Tag,
    },
    /// A tag it has no longer.
    Untag {
        /// Which.
        tag: Tag,
    },
    /// How urgent it is.
    Priority {
        /// How.
        priority: Priority,
    },
    /// Another issue that belongs to it.
    Relate {
        /// Which.
        to: MatterId,
    },
    /// Another issue that does not belong to it any more.
    Unrelate {
        /// Which.
        to: MatterId,
    },
}

/// Who is told something.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum NoticeTo {
    /// The person who leads.
    User,
    /// The moderators.
    Moderator,
}

/// What somebody is told.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum NoticeKind {
    /// An issue was frozen.
    Frozen {
        /// By what.
        breaker: Breaker,
    },
    /// Somebody wants a person, or the moderator, to look at an issue.
    Escalated,
    /// Nobody could be found to object.
    NoDevilsAdvocate,
    /// A large change lacks one of the two who should read it blind.
    NoBlindReader,
    /// A topic is circled.
    Leech,
    /// An agent is watched: too much of what it does costs something.
    AgentWatched {
        /// Which.
        who: Who,
    },
    /// The same, and it went on: somebody should look at it.
    AgentFlagged {
        /// Which.
        who: Who,
    },
    /// Something that was written contradicts canon.
    CanonConflict,
}

/// What ended the rest of a frozen issue.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ThawCause {
    /// Its time was up, and somebody acted.
    Cooldown,
    /// Somebody who may thawed it. Budgets count anew from here.
    Unfrozen,
}

/// What happens to issues.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Event {
    /// It was opened, with everything but its title.
    Filed {
        /// Who sees to it.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        assignee: Option<Who>,
        /// What it says.
        #[serde(default, skip_serializing_if = "String::is_empty")]
        body: String,
        /// Who opened it.
        by: Who,
        /// In which capacity.
        class: AuthorClass,
        /// How far it is to be relied on.
        epistemic: Epistemic,
        /// How much it would change.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        impact: Option<Impact>,
        /// The matter.
        matter: MatterId,
        /// Why the house itself opened it.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        meta: Option<MetaIssue>,
        /// How urgent it is.
        priority: Priority,
        /// Issues that belong to it.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        related: Vec<MatterId>,
        /// What it is found by.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        tags: Vec<Tag>,
    },
    /// Something of it changed.
    Changed {
        /// Who changed it.
        by: Who,
        /// What.
        change: IssueChange,
        /// The matter.
        matter: MatterId,
    },
    /// It rests.
    Frozen {
        /// By what.
        breaker: Breaker,
        /// Whose comment froze it.
        by: Who,
        /// The matter.
        matter: MatterId,
        /// Until when, that moment not included.
        until: At,
    },
    /// What this issue reports on was frozen once more. There is never a second issue for the same thread.
    Reported {
        /// By what.
        breaker: Breaker,
        /// The matter that reports.
        matter: MatterId,
        /// The last comments of what was frozen, oldest first.
        recent: Vec<Id>,
    },
    /// It does not rest any more.
    Thawed {
        /// Who acted.
        by: Who,
        /// Why.
        cause: ThawCause,
        /// The matter.
        matter: MatterId,
    },
    /// How far it is to be relied on changed.
    Raised {
        /// To what.
        epistemic: Epistemic,
        /// The matter.
        matter: MatterId,
    },
    /// It went into another one.
    Consolidated {
        /// Which.
        into: MatterId,
        /// The matter.
        matter: MatterId,
    },
    /// Somebody wants a person to look at it.
    Escalated {
        /// Who.
        by: Who,
        /// The matter.
        matter: MatterId,
        /// What it is about, in a few sentences.
        summary: String,
    },
    /// Somebody was told something.
    Noticed {
        /// The matter.
        matter: MatterId,
        /// Who.
        to: NoticeTo,
        /// What.
        what: NoticeKind,
    },
    /// Somebody said what came of it.
    Marked {
        /// Who.
        by: Who,
        /// What.
        mark: IssueMark,
        /// The matter.
        matter: MatterId,
    },
    /// The rules that issues are opened under from now on.
    Configured {
        /// The charter, by the digest of its source.
        charter: Digest,
    },
    /// Agents may open nothing under a tag for now.
    TagFrozen {
        /// Who froze it.
        by: Who,
        /// Why.
        reason: String,
        /// The tag.
        tag: Tag,
    },
    /// They may again.
    TagThawed {
        /// Who thawed it.
        by: Who,
        /// The tag.
        tag: Tag,
    },
    /// An agent is more or less free than before.
    FreedomSet {
        /// Who set it.
        by: Who,
        /// How free.
        freedom: Freedom,
        /// Which agent.
        who: Who,
    },
}

words!(enum Event {
    Filed { body | assignee, by, class, epistemic, impact, matter, meta, priority, related, tags },
    Changed { | by, change, matter },
    Frozen { | breaker, by, matter, until },
    Reported { | breaker, matter, recent },
    Thawed { | by, cause, matter },
    Raised { | epistemic, matter },
    Consolidated { | into, matter },
    Escalated { summary | by, matter },
    Noticed { | matter, to, what },
    Marked { | by, mark, matter },
    Configured { | charter },
    TagFrozen { | by, reason, tag },
    TagThawed { | by, tag },
    FreedomSet { | by, freedom, who },
});

impl Event {
    /// What it is about.
    pub fn about(&self) -> About {
        match self {
            Self::Filed { matter, .. }
            | Self::Changed { matter, .. }
            | Self::Frozen { matter, .. }
            | Self::Reported { matter, .. }
            | Self::Thawed { matter, .. }
            | Self::Raised { matter, .. }
            | Self::Consolidated { matter, .. }
            | Self::Escalated { matter, .. }
            | Self::Noticed { matter, .. }
            | Self::Marked { matter, .. } => About::Matter(*matter),
            Self::Configured { .. } => About::House,
            Self::TagFrozen { .. } | Self::TagThawed { .. } | Self::FreedomSet { .. } => About::House,
        }
    }

    /// It does nothing to asks.
    pub fn ask(&self) -> AskChange {
        AskChange::None
    }
}
