//! The gate: is a contribution admitted.
//!
//! It lists every breach; the verdict is the gravest. It never changes what was said: a breach that does
//! not keep a contribution out is marked on it for all to see.
//!
//! To add a check: a variant of [`Breach`] with its verdict and code, and its line in [`examine`]. Comments in threads have
//! checks of their own, in `comment`.

mod comment;

use std::sync::Arc;

use serde::{Deserialize, Serialize};

pub use comment::{
    CitedReferences, CommentLimits, EvidenceLack, OfferedComment, ThreadFacts, alternates, comment_verdict,
    examine_comment, keyword_words, keywords_allowed,
};

use crate::kernel::{
    About, AskChange, AskId, Breaker, Choice, CommentKind, Contribution, Id, Impact, MatterId, Message,
    Permille, Response, Violation, Who, text, words,
};

/// What the charter asks of a contribution.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Rules {
    /// A side must be taken.
    pub stance_required: bool,
    /// A confidence must be stated and lie between these, ends included.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub confidence_range: Option<(Permille, Permille)>,
    /// The section that must name the argument when a stance changed, by key.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub moved_by: Option<String>,
    /// Sections that may not be empty, by key.
    pub required_fields: Vec<String>,
    /// The longest answer, in characters. Longer ones are turned away whole, never cut.
    pub chars_most: u32,
}

/// One way of breaking the rules.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Breach {
    /// Nothing was said.
    Empty,
    /// More was said than allowed.
    TooLong {
        /// Characters given.
        given: u32,
        /// Characters allowed.
        most: u32,
    },
    /// No side was taken where one is required.
    StanceMissing,
    /// No confidence was stated where one is required.
    ConfidenceMissing,
    /// The confidence lies outside the range.
    ConfidenceOutside {
        /// As stated.
        given: Permille,
        /// The least allowed.
        least: Permille,
        /// The most allowed.
        most: Permille,
    },
    /// A required section is empty.
    FieldMissing {
        /// Its key.
        field: String,
    },
    /// The role has to take a side, and another one or none was taken.
    StanceUnexpected {
        /// The side of the role.
        expected: Choice,
        /// The side taken.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        got: Option<Choice>,
    },
    /// The stance changed and no argument is named that changed it.
    Conformity {
        /// The stance before.
        from: Choice,
        /// The stance now.
        to: Choice,
    },
    /// The author has used up what they may write of this kind on the issue.
    CommentBudgetExceeded {
        /// What was to be written.
        kind: CommentKind,
        /// How many are allowed.
        most: u32,
        /// How many there are.
        used: u32,
    },
    /// The issue has as many comments as it may have.
    IssueCommentLimit {
        /// How many are allowed.
        most: u32,
        /// How many there are.
        used: u32,
    },
    /// More escalating words than allowed.
    EscalationLanguage {
        /// Which, as the charter writes them.
        found: Vec<String>,
        /// How many are allowed.
        most: u32,
    },
    /// Two authors answer each other back and forth.
    PingPong {
        /// How often.
        exchanges: u32,
        /// The other one.
        with: Who,
    },
    /// The comment is too short.
    InsufficientSubstance {
        /// Characters given.
        given: u32,
        /// Characters needed.
        least: u32,
    },
    /// The comment has too few different words.
    LowVocabulary {
        /// Different words given.
        given: u32,
        /// Different words needed.
        least: u32,
    },
    /// The comment says in nearly the same words what stands in the thread already.
    Repetition {
        /// The comment that says it.
        comment: Id,
        /// Who wrote that.
        who: Who,
    },
    /// The comment rests on too little for what it would change, or on what does not exist.
    MissingEvidence {
        /// How much it would change.
        impact: Impact,
        /// What to cite.
        lacks: EvidenceLack,
    },
    /// The issue would be resolved before enough was said.
    PrematureResolution {
        /// Nobody but its author has said anything yet.
        #[serde(default, skip_serializing_if = "std::ops::Not::not")]
        alone: bool,
        /// The first comment that may resolve it.
        least: u32,
        /// Which comment it would be.
        turn: u32,
    },
    /// Files that it cites do not say what it says they do.
    FalseEvidence {
        /// Which, and why not.
        cited: Vec<FalseCitation>,
    },
}

/// A citation that does not hold.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct FalseCitation {
    /// As it was written.
    pub cited: String,
    /// The stable code of what is wrong with it.
    pub code: String,
    /// The same in words.
    pub why: Message,
}

/// The position of an answer's author, against which the answer is checked besides the rules.
#[derive(Debug, Clone, Copy, Default)]
pub struct AuthorStanding {
    /// The side its role has to take.
    pub expected: Option<Choice>,
    /// Where it changed from, when no new argument is named.
    pub unargued: Option<Choice>,
}

/// The fate of a contribution, from mild to severe.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum GateVerdict {
    /// It stands.
    Admit,
    /// It stands, with its breaches marked on it.
    Mark,
    /// It does not stand, and the thread it was for rests.
    Freeze,
    /// It does not stand.
    Reject,
}

impl Breach {
    /// How grave it is.
    pub fn verdict(&self) -> GateVerdict {
        match self {
            Self::Empty | Self::TooLong { .. } => GateVerdict::Reject,
            Self::StanceMissing | Self::ConfidenceMissing => GateVerdict::Mark,
            Self::ConfidenceOutside { .. } | Self::FieldMissing { .. } => GateVerdict::Mark,
            Self::StanceUnexpected { .. } | Self::Conformity { .. } => GateVerdict::Mark,
            Self::CommentBudgetExceeded { .. } | Self::IssueCommentLimit { .. } => GateVerdict::Freeze,
            Self::EscalationLanguage { .. } | Self::PingPong { .. } => GateVerdict::Freeze,
            Self::InsufficientSubstance { .. } | Self::LowVocabulary { .. } => GateVerdict::Reject,
            Self::Repetition { .. } => GateVerdict::Reject,
            Self::MissingEvidence { .. } | Self::PrematureResolution { .. } => GateVerdict::Reject,
            Self::FalseEvidence { .. } => GateVerdict::Reject,
        }
    }

    /// The stable code.
    pub fn code(&self) -> &'static str {
        match self {
            Self::Empty => "gate/empty",
            Self::TooLong { .. } => "gate/too-long",
            Self::StanceMissing => "gate/stance-missing",
            Self::ConfidenceMissing => "gate/confidence-missing",
            Self::ConfidenceOutside { .. } => "gate/confidence-outside",
            Self::FieldMissing { .. } => "gate/field-missing",
            Self::StanceUnexpected { .. } => "gate/stance-unexpected",
            Self::Conformity { .. } => "gate/conformity",
            Self::CommentBudgetExceeded { .. } => "gate/comment-budget-exceeded",
            Self::IssueCommentLimit { .. } => "gate/issue-comment-limit",
            Self::EscalationLanguage { .. } => "gate/escalation-language",
            Self::PingPong { .. } => "gate/ping-pong-detected",
            Self::InsufficientSubstance { .. } => "gate/insufficient-substance",
            Self::LowVocabulary { .. } => "gate/low-vocabulary",
            Self::Repetition { .. } => "gate/repetition",
            Self::MissingEvidence { .. } => "gate/missing-evidence-for-impact",
            Self::PrematureResolution { .. } => "gate/premature-resolution",
            Self::FalseEvidence { .. } => "gate/false-evidence",
        }
    }

    /// The breaker it is, if it is one.
    pub fn breaker(&self) -> Option<Breaker> {
        Some(match self {
            Self::CommentBudgetExceeded { .. } => Breaker::CommentBudgetExceeded,
            Self::IssueCommentLimit { .. } => Breaker::IssueCommentLimit,
            Self::EscalationLanguage { .. } => Breaker::EscalationLanguage,
            Self::PingPong { .. } => Breaker::PingPongDetected,
            Self::InsufficientSubstance { .. } => Breaker::InsufficientSubstance,
            Self::LowVocabulary { .. } => Breaker::LowVocabulary,
            Self::Repetition { .. } => Breaker::Repetition,
            Self::MissingEvidence { .. } => Breaker::MissingEvidenceForImpact,
            Self::PrematureResolution { .. } => Breaker::PrematureResolution,
            Self::Empty | Self::TooLong { .. } | Self::StanceMissing | Self::ConfidenceMissing => {
                return None;
            }
            Self::ConfidenceOutside { .. } | Self::FieldMissing { .. } => return None,
            // Its price is that of the citation.
            Self::FalseEvidence { .. } => return None,
            Self::StanceUnexpected { .. } | Self::Conformity { .. } => return None,
        })
    }

    /// The breach as it is marked on a contribution.
    pub fn violation(&self) -> Violation {
        let detail: String = match self {
            Self::Empty => "nothing was said".into(),
            Self::TooLong { given, most } => format!("{given} characters, at most {most} are allowed"),
            Self::StanceMissing => "expected a stance, got none".into(),
            Self::ConfidenceMissing => "expected a confidence from 0 to 1, got none".into(),
            Self::ConfidenceOutside { given, least, most } => {
                format!("expected a confidence from {least} to {most}, got {given}")
            }
            Self::FieldMissing { field } => format!("the section `{field}` is empty"),
            Self::StanceUnexpected { expected, got: Some(got) } => format!("expected {expected}, got {got}"),
            Self::StanceUnexpected { expected, got: None } => format!("expected {expected}, got none"),
            Self::Conformity { from, to } => {
                format!("changed from {from} to {to} without naming an argument")
            }
            Self::CommentBudgetExceeded { kind, most, used } => {
                let (has, allowed) = (counted(*used, kind.word()), counted(*most, kind.word()));
                format!("you have {has} on this issue, and {allowed} are allowed: let others speak")
            }
            Self::IssueCommentLimit { most, used } => {
                format!("the issue has {used} comments without a resolution, at most {most} are allowed")
            }
            Self::EscalationLanguage { found, most } => {
                let (words, allowed) = (found.join(", "), counted(*most, "such word"));
                format!("escalating words: {words}; {allowed} allowed: say it calmly")
            }
            Self::PingPong { exchanges, with } => {
                let times = counted(*exchanges, "exchange");
                format!(
                    "{times} between you and {with} with no other agent in between: let another agent speak"
                )
            }
            Self::InsufficientSubstance { given, least } => {
                format!("{given} characters, at least {least} are needed: give your reasons")
            }
            Self::LowVocabulary { given, least } => {
                format!("{given} different words, at least {least} are needed: be specific")
            }
            Self::Repetition { comment, who } => {
                format!(
                    "it says what comment {comment} by {who} says, in nearly the same words: add what is new"
                )
            }
            Self::MissingEvidence { impact, lacks } if lacks.follows_from_impact() => {
                format!("the impact is {}: {}", impact.word(), lacks.words())
            }
            Self::MissingEvidence { lacks, .. } => lacks.words(),
            Self::PrematureResolution { alone: true, .. } => {
                "nobody else has commented, and nobody resolves an issue alone".into()
            }
            Self::PrematureResolution { least, turn, .. } => {
                format!(
                    "this would be comment {turn}, and comment {least} is the first that may resolve the issue"
                )
            }
            Self::FalseEvidence { cited } => {
                let each = cited.iter().map(|one| format!("{}: {}", one.cited, one.why));
                format!("not what stands there: {}", each.collect::<Vec<_>>().join("; "))
            }
        };
        Violation { code: self.code().into(), detail: detail.into() }
    }
}

fn counted(count: u32, what: &str) -> String {
    text::counted(count.into(), what)
}

/// Lists every breach; an empty list admits the contribution. `raw` is the answer as it came.
pub fn examine(rules: &Rules, raw: &str, response: &Response, standing: AuthorStanding) -> Vec<Breach> {
    if raw.trim().is_empty() {
        return vec![Breach::Empty];
    }
    let mut breaches = Vec::new();
    breaches.extend(too_long(rules, raw));
    match (standing.expected, response.stance) {
        (Some(expected), got) if got != Some(expected) => {
            breaches.push(Breach::StanceUnexpected { expected, got });
        }
        (None, None) if rules.stance_required => breaches.push(Breach::StanceMissing),
        (Some(_) | None, _) => (),
    }
    if let (Some(from), Some(to)) = (standing.unargued, response.stance) {
        breaches.push(Breach::Conformity { from, to });
    }
    if let Some((least, most)) = rules.confidence_range {
        match response.confidence {
            None => breaches.push(Breach::ConfidenceMissing),
            Some(given) if given < least || most < given => {
                breaches.push(Breach::ConfidenceOutside { given, least, most });
            }
            Some(_) => (),
        }
    }
    let missing = rules.required_fields.iter().filter(|field| !is_given(response, field));
    breaches.extend(missing.map(|field| Breach::FieldMissing { field: field.clone() }));
    breaches
}

/// Whether an answer, a statement's or a vote's, is longer than allowed.
pub fn too_long(rules: &Rules, raw: &str) -> Option<Breach> {
    let most = rules.chars_most;
    if raw.len() <= most as usize {
        return None;
    }
    let given = raw.chars().count() as u32;
    (given > most).then_some(Breach::TooLong { given, most })
}

/// The gravest of the breaches decides.
pub fn verdict(breaches: &[Breach]) -> GateVerdict {
    breaches.iter().map(Breach::verdict).max().unwrap_or(GateVerdict::Admit)
}

fn is_given(response: &Response, field: &str) -> bool {
    let some = |text: &Option<String>| text.as_deref().is_some_and(|text| !text.trim().is_empty());
    match field {
        "position" => some(&response.position),
        "reasoning" => some(&response.reasoning),
        "key_points" => !response.key_points.is_empty(),
        "citations" => !response.citations.is_empty(),
        "context_requests" => !response.context_requests.is_empty(),
        other => response.sections.iter().any(|(key, text)| key == other && !text.trim().is_empty()),
    }
}

/// What happens at the gate.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Event {
    /// A contribution stands.
    Admitted(Arc<Contribution>),
    /// A contribution was turned away.
    Rejected {
        /// The ask it would have answered.
        ask: AskId,
        /// Every breach.
        breaches: Vec<Breach>,
    },
    /// A comment waits until the files that it cites were read. It does not stand yet.
    Held {
        /// The matter.
        matter: MatterId,
        /// What would be said.
        said: Arc<Contribution>,
    },
    /// A comment that nobody was asked for stands.
    Posted {
        /// The matter.
        matter: MatterId,
        /// What was said.
        said: Arc<Contribution>,
    },
    /// A comment that nobody was asked for was turned away. Its words stand in the command alone.
    Refused {
        /// Every breach.
        breaches: Vec<Breach>,
        /// The matter.
        matter: MatterId,
        /// Whether it was rejected, or the thread was frozen for it.
        verdict: GateVerdict,
        /// Who wrote it.
        who: Who,
    },
}

words!(enum Breach {
    Empty,
    TooLong { | given, most },
    StanceMissing,
    ConfidenceMissing,
    ConfidenceOutside { | given, least, most },
    FieldMissing { | field },
    StanceUnexpected { | expected, got },
    Conformity { | from, to },
    CommentBudgetExceeded { | kind, most, used },
    IssueCommentLimit { | most, used },
    EscalationLanguage { | found, most },
    PingPong { | exchanges, with },
    InsufficientSubstance { | given, least },
    LowVocabulary { | given, least },
    Repetition { | comment, who },
    MissingEvidence { | impact, lacks },
    PrematureResolution { | alone, least, turn },
    FalseEvidence { cited | },
});
words!(struct FalseCitation { cited, why | code });
words!(enum Event {
    Admitted[said],
    Rejected { breaches | ask },
    Held { said | matter },
    Posted { said | matter },
    Refused { breaches | matter, verdict, who },
});

impl Event {
    /// What it is about.
    pub fn about(&self) -> About {
        match self {
            Self::Admitted(said) => About::Ask(said.ask),
            Self::Rejected { ask, .. } => About::Ask(*ask),
            Self::Held { matter, .. } | Self::Posted { matter, .. } | Self::Refused { matter, .. } => {
                About::Matter(*matter)
            }
        }
    }

    /// What it does to an ask.
    pub fn ask(&self) -> AskChange {
        match self {
            Self::Admitted(said) if said.kind.ends_turn() => AskChange::Answers(said.ask),
            Self::Admitted(_) => AskChange::None,
            Self::Rejected { ask, .. } => AskChange::Answers(*ask),
            Self::Held { .. } | Self::Posted { .. } | Self::Refused { .. } => AskChange::None,
        }
    }
}
