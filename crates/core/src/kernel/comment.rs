//! What a comment in an issue thread carries besides its words: its kind, how much it would change, what it cites and
//! what was done.
//!
//! A comment is a `Contribution` like everything else that is said; these are the parts that only threads have.

use serde::{Deserialize, Serialize};

use super::{Id, Reference, words};

/// What a comment is meant as.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Default, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum CommentKind {
    /// A view with its reasons.
    #[default]
    Comment,
    /// A question to the others. It may be short, and approves nothing.
    Question,
    /// A short word that something was read. It approves nothing.
    Acknowledgement,
}

impl CommentKind {
    /// All of them, with the words they are written as.
    pub const WORDS: [(&'static str, Self); 3] = [
        ("comment", Self::Comment),
        ("question", Self::Question),
        ("acknowledgement", Self::Acknowledgement),
    ];

    /// The word it is written as.
    pub fn word(self) -> &'static str {
        word_of(&Self::WORDS, self)
    }
}

/// How much a change would touch, from little to much.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Impact {
    /// Wording, formatting.
    Cosmetic,
    /// A detail.
    Minor,
    /// How parts hang together.
    Structural,
    /// What the house holds to be true.
    CanonChanging,
}

impl Impact {
    /// All of them, with the words they are written as.
    pub const WORDS: [(&'static str, Self); 4] = [
        ("cosmetic", Self::Cosmetic),
        ("minor", Self::Minor),
        ("structural", Self::Structural),
        ("canon-changing", Self::CanonChanging),
    ];

    /// The word it is written as.
    pub fn word(self) -> &'static str {
        word_of(&Self::WORDS, self)
    }
}

/// Why evidence was looked up.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum CitationTrigger {
    /// Somebody asked.
    AnswerToQuestion,
    /// To back a proposal.
    SupportProposal,
    /// To end a disagreement.
    ResolveConflict,
    /// To check that things fit together.
    VerifyContinuity,
    /// To challenge what all agree on.
    ChallengeConsensus,
    /// A search for something that nobody has settled yet.
    CanonGapSearch,
    /// Nobody asked.
    Unprompted,
}

impl CitationTrigger {
    /// All of them, with the words they are written as.
    pub const WORDS: [(&'static str, Self); 7] = [
        ("answer-to-question", Self::AnswerToQuestion),
        ("support-proposal", Self::SupportProposal),
        ("resolve-conflict", Self::ResolveConflict),
        ("verify-continuity", Self::VerifyContinuity),
        ("challenge-consensus", Self::ChallengeConsensus),
        ("canon-gap-search", Self::CanonGapSearch),
        ("unprompted", Self::Unprompted),
    ];

    /// The word it is written as.
    pub fn word(self) -> &'static str {
        word_of(&Self::WORDS, self)
    }
}

/// What a comment says was done.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum CommentDeed {
    /// A patch was made.
    PatchCreated,
    /// A file was changed.
    FileModified,
    /// The issue is settled by this comment.
    Resolved,
    /// The moderator should look at it.
    Escalated,
}

impl CommentDeed {
    /// All of them, with the words they are written as.
    pub const WORDS: [(&'static str, Self); 4] = [
        ("patch-created", Self::PatchCreated),
        ("file-modified", Self::FileModified),
        ("resolved", Self::Resolved),
        ("escalated", Self::Escalated),
    ];

    /// The word it is written as.
    pub fn word(self) -> &'static str {
        word_of(&Self::WORDS, self)
    }

    /// Whether it says that a file of the project was touched.
    pub fn touches_files(self) -> bool {
        match self {
            Self::PatchCreated | Self::FileModified => true,
            Self::Resolved | Self::Escalated => false,
        }
    }
}

/// What was done, and a word about it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct CommentAction {
    /// What.
    pub deed: CommentDeed,
    /// The details.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub details: String,
}

/// In which capacity somebody wrote, as the house knew them then: later changes of roles rewrite nothing.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Default, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum AuthorClass {
    /// The person who leads, or whoever they made a lead.
    User,
    /// The house itself.
    System,
    /// A moderator.
    Moderator,
    /// Everybody else.
    #[default]
    Agent,
}

impl AuthorClass {
    /// The word for it.
    pub fn word(self) -> &'static str {
        match self {
            Self::User => "user",
            Self::System => "system",
            Self::Moderator => "moderator",
            Self::Agent => "agent",
        }
    }

    fn is_agent(&self) -> bool {
        *self == Self::Agent
    }
}

/// What a comment carries besides its words, which stand in `Response::position`, and its stance.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct Comment {
    /// What was done.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub action: Option<CommentAction>,
    /// It was written before its author saw what others wrote. It uses up no budget.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub blind: bool,
    /// Where the findings on the files that it cites stand.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub checked: Option<Id>,
    /// In which capacity its author wrote.
    #[serde(default, skip_serializing_if = "AuthorClass::is_agent")]
    pub class: AuthorClass,
    /// What it rests on.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub evidence: Vec<Reference>,
    /// How much it would change.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub impact: Option<Impact>,
    /// What it is meant as.
    pub kind: CommentKind,
    /// The order to object that it was written under. It has a budget of its own.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub order: Option<Id>,
    /// A placeholder of a rehearsal wrote it: nobody's opinion.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub rehearsed: bool,
    /// Why its evidence was looked up.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub trigger: Option<CitationTrigger>,
    /// How many of its references were found to be true.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub verified: u32,
}

fn is_zero(count: &u32) -> bool {
    *count == 0
}

impl Comment {
    /// Whether it counts against the budget of its author and of its issue.
    pub fn uses_budget(&self) -> bool {
        !self.blind && self.order.is_none()
    }

    /// Whether it was done with this comment.
    pub fn did(&self, deed: CommentDeed) -> bool {
        self.action.as_ref().is_some_and(|action| action.deed == deed)
    }

    /// Whether it touches a file of the project: it cites one, or says that one was changed.
    pub fn touches_files(&self) -> bool {
        let cites = self.evidence.iter().any(|one| matches!(one, Reference::File(_)));
        cites || self.action.as_ref().is_some_and(|action| action.deed.touches_files())
    }

    /// What it says that canon lacks.
    pub fn gaps(&self) -> impl Iterator<Item = &str> {
        self.evidence.iter().filter_map(|one| match one {
            Reference::Gap(subject) => Some(subject.as_str()),
            Reference::File(_) | Reference::Canon(_) | Reference::Issue(_) => None,
        })
    }

    /// The issues it cites, by number.
    pub fn cited_issues(&self) -> impl Iterator<Item = u64> {
        self.evidence.iter().filter_map(|one| match one {
            Reference::Issue(number) => Some(*number),
            Reference::File(_) | Reference::Canon(_) | Reference::Gap(_) => None,
        })
    }
}

/// The rules that stop a comment, under the names that people and records know them by.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Breaker {
    /// The author has used up their comments on the issue.
    CommentBudgetExceeded,
    /// The issue has as many comments as it may have.
    IssueCommentLimit,
    /// The words are more intense than the rules allow.
    EscalationLanguage,
    /// Two participants answer each other back and forth.
    PingPongDetected,
    /// The comment is too short.
    InsufficientSubstance,
    /// The comment has too few different words.
    LowVocabulary,
    /// The comment says what another one in the thread has said already.
    Repetition,
    /// What would change much rests on too little.
    MissingEvidenceForImpact,
    /// An issue is to be resolved before enough was said.
    PrematureResolution,
    /// One participant was turned away for missing evidence again and again.
    RepeatedMissingEvidence,
}

impl Breaker {
    /// All of them, in the order in which they are checked and reported.
    pub const ALL: [Self; 10] = [
        Self::CommentBudgetExceeded,
        Self::IssueCommentLimit,
        Self::EscalationLanguage,
        Self::PingPongDetected,
        Self::InsufficientSubstance,
        Self::LowVocabulary,
        Self::Repetition,
        Self::MissingEvidenceForImpact,
        Self::PrematureResolution,
        Self::RepeatedMissingEvidence,
    ];

    /// The word it is written as, which is also a tag.
    pub fn word(self) -> &'static str {
        match self {
            Self::CommentBudgetExceeded => "comment-budget-exceeded",
            Self::IssueCommentLimit => "issue-comment-limit",
            Self::EscalationLanguage => "escalation-language",
            Self::PingPongDetected => "ping-pong-detected",
            Self::InsufficientSubstance => "insufficient-substance",
            Self::LowVocabulary => "low-vocabulary",
            Self::Repetition => "repetition",
            Self::MissingEvidenceForImpact => "missing-evidence-for-impact",
            Self::PrematureResolution => "premature-resolution",
            Self::RepeatedMissingEvidence => "repeated-missing-evidence",
        }
    }
}

/// The word of a value in a list of words.
fn word_of<T: PartialEq + Copy>(words: &[(&'static str, T)], value: T) -> &'static str {
    words.iter().find(|(_, one)| *one == value).map_or("", |(word, _)| *word)
}

words!(struct CommentAction { details | deed });
words!(struct Comment {
    action, evidence | blind, checked, class, impact, kind, order, rehearsed, trigger, verified
});
