//! One unit of speech, as every organ sees it.

use std::fmt;
use std::ops::Deref;
use std::sync::Arc;

use serde::{Deserialize, Serialize};

use super::{
    AskId, At, AuthorClass, Citation, Comment, CommentDeed, ContextRequest, Estimate, Id, Message, Permille,
    ProposalId, Who, text, words,
};

/// A side taken, in speech or on a ballot. `Option(0)` is the first of the matter's options.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Choice {
    /// For the question; said YES.
    Yes,
    /// Against the question, or none of the options; said NO.
    No,
    /// Heard, and on no side: NEUTRAL in speech, an abstention on a ballot.
    Neutral,
    /// For one of the options.
    Option(u8),
}

impl Choice {
    /// The letter of an option, `A` for the first.
    pub fn letter(index: u8) -> char {
        char::from(b'A' + index.min(25))
    }
}

impl Choice {
    /// The word that is said for it where a question has options: NO to all of them is NONE.
    pub fn word(self, options: usize) -> String {
        match self {
            Self::No if options > 0 => "NONE".into(),
            Self::Yes | Self::No | Self::Neutral | Self::Option(_) => self.to_string(),
        }
    }

    /// The word on a ballot, where NEUTRAL is said ABSTAIN.
    pub fn ballot_word(self, options: usize) -> String {
        match self {
            Self::Neutral => "ABSTAIN".into(),
            Self::Yes | Self::No | Self::Option(_) => self.word(options),
        }
    }
}

impl fmt::Display for Choice {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Yes => f.write_str("YES"),
            Self::No => f.write_str("NO"),
            Self::Neutral => f.write_str("NEUTRAL"),
            Self::Option(index) => write!(f, "{}", Self::letter(*index)),
        }
    }
}

/// How an answer was read: the further down this list, the less of it was in the form that was asked for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum How {
    /// Written for just this purpose by somebody who comes for its turns: nothing had to be read.
    Direct,
    /// Strict JSON and nothing else.
    Json,
    /// JSON found inside a fence or among prose.
    Fenced,
    /// JSON that had to be repaired.
    Repaired,
    /// Headed sections.
    Sections,
    /// Plain text: only the words are known.
    Text,
}

/// How it is known where somebody stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum StanceSource {
    /// It is written as it was asked for.
    Token,
    /// Only the prose tells.
    Inferred,
    /// It is not known.
    None,
}

/// One thing done to an answer so that it could be read. Every repair is on the record.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Repair {
    /// A stable code such as `trailing-comma` or `confidence-clamped`.
    pub code: String,
    /// What was found and what was made of it.
    pub detail: Message,
}

impl Repair {
    /// A repair.
    pub fn new(code: &str, detail: impl Into<Message>) -> Self {
        Self { code: code.into(), detail: detail.into() }
    }
}

/// A rule of the charter that an admitted answer breaks. It is shown, never mended in silence.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Violation {
    /// A stable code such as `gate/stance-missing`.
    pub code: String,
    /// What was expected and what was got.
    pub detail: Message,
}

/// What a participant said, as far as it could be read. `None` is *unknown*: never a default.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct Response {
    /// What it answers to the requirements of the question, in their order.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub checks: Vec<RequirementCheck>,
    /// The sources it names.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub citations: Vec<Citation>,
    /// How sure.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub confidence: Option<Permille>,
    /// What it asks the operator for.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub context_requests: Vec<ContextRequest>,
    /// The number it gives, where one is asked for.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub estimate: Option<Estimate>,
    /// The points it rests on.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub key_points: Vec<String>,
    /// The claim in a sentence or two.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub position: Option<String>,
    /// Why.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reasoning: Option<String>,
    /// Further sections that the charter asked for, key and text, in the charter's order.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub sections: Vec<(String, String)>,
    /// The side taken.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub stance: Option<Choice>,
}

/// Whether an answer keeps to one requirement of the question.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct RequirementCheck {
    /// How, or why not, as it was written.
    pub how: String,
    /// Whether it does; `None` where that is unclear.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub met: Option<bool>,
}

impl RequirementCheck {
    /// Reads "yes: how" or "no: why not"; anything else is unclear.
    pub fn read(said: &str) -> Self {
        let said = text::one_line(said);
        let bare = said.trim_start_matches(|c: char| !c.is_alphabetic());
        let end = bare.find(|c: char| !c.is_alphabetic()).unwrap_or(bare.len());
        let met = match bare[..end].to_lowercase().as_str() {
            "yes" | "met" => Some(true),
            "no" | "unmet" | "not" => Some(false),
            _ => None,
        };
        let how = bare[end..].trim_start_matches([':', ',', '.', '-', ' ']).to_string();
        Self { how: if met.is_some() { how } else { said }, met }
    }
}

/// The key under which a vote, and a statement that may become one, says what would change it.
pub const CHANGE_IF: &str = "change_if";
/// The key under which it says what it depends on.
pub const CONDITIONS: &str = "conditions";

impl Response {
    /// The shortest faithful form: the position, else the reasoning, else the first section.
    pub fn gist(&self) -> Option<&str> {
        let section = || self.sections.first().map(|(_, text)| text.as_str());
        self.position.as_deref().or(self.reasoning.as_deref()).or_else(section)
    }

    /// The points it makes: those it names, else those its words come to. No mind is asked.
    pub fn points(&self) -> Vec<String> {
        if !self.key_points.is_empty() {
            return self.key_points.iter().map(|point| text::one_line(point)).collect();
        }
        let reasoning = self.reasoning.as_deref().unwrap_or_default();
        let listed: Vec<String> = reasoning.lines().filter_map(bullet).collect();
        if listed.len() > 1 {
            return listed;
        }
        let words = [self.position.as_deref().unwrap_or_default(), reasoning];
        let sentences = words.iter().flat_map(|part| text::sentences(part));
        let telling = sentences.filter(|sentence| text::words(sentence).nth(3).is_some());
        let mut points: Vec<String> = Vec::new();
        for sentence in telling.map(text::one_line) {
            if points.len() < POINTS_MOST && !points.contains(&sentence) {
                points.push(sentence);
            }
        }
        points
    }
}

/// How many points are taken from the words of an answer that names none.
const POINTS_MOST: usize = 4;

/// The text of a line that is an item of a list.
fn bullet(line: &str) -> Option<String> {
    let line = line.trim();
    let rest = line.strip_prefix(['-', '*', '•']).or_else(|| {
        let digits = line.trim_start_matches(|c: char| c.is_ascii_digit());
        if digits.len() < line.len() { digits.strip_prefix(['.', ')']) } else { None }
    })?;
    Some(text::one_line(rest)).filter(|item| !item.is_empty())
}

/// The kinds of contributions: a statement, a question, a proposal and so on.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ContributionKind {
    /// An answer to a call to speak, with the sections a charter asks for.
    #[default]
    Statement,
    /// A view.
    Opinion,
    /// A question to the others.
    Question,
    /// A summary of the discussion so far.
    Synthesis,
    /// Something to decide on. Its id is the id of the event that admitted it.
    Proposal {
        /// Counted from 1, in the order they were put.
        number: u32,
        /// The proposal in one line.
        title: String,
    },
    /// A change somebody wants to a proposal.
    Amendment {
        /// What is to change.
        proposal: ProposalId,
        /// Which version of the proposal it changes.
        version: u32,
    },
    /// A short answer to another contribution.
    Reaction(Reaction),
    /// An answer proposed to an open question. It stands in `position`.
    Answer,
    /// A number. It stands in `estimate`, and in words in `position`.
    Estimate,
    /// A comment in the thread of an issue. Its words stand in `position`, its stance in `stance`.
    Comment(Box<Comment>),
}

impl ContributionKind {
    fn is_statement(&self) -> bool {
        *self == Self::Statement
    }

    /// Whether it ends the turn it was made in. Others end theirs by giving the floor back.
    pub fn ends_turn(&self) -> bool {
        match self {
            Self::Statement | Self::Answer | Self::Estimate => true,
            Self::Opinion | Self::Question | Self::Synthesis => false,
            Self::Proposal { .. } | Self::Amendment { .. } | Self::Reaction(_) => false,
            // Nobody is asked for it.
            Self::Comment(_) => false,
        }
    }

    /// One word for people and scripts.
    pub fn word(&self) -> &'static str {
        match self {
            Self::Statement => "statement",
            Self::Opinion => "opinion",
            Self::Question => "question",
            Self::Synthesis => "synthesis",
            Self::Proposal { .. } => "proposal",
            Self::Amendment { .. } => "amendment",
            Self::Reaction(_) => "reaction",
            Self::Answer => "answer",
            Self::Estimate => "estimate",
            Self::Comment(comment) => comment.kind.word(),
        }
    }
}

/// A short answer to another contribution.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Reaction {
    /// For it.
    Agree,
    /// Against it.
    Disagree,
    /// Not understood.
    NeedClarification,
    /// Worth a thought.
    Interesting,
    /// Worrying.
    Concerning,
    /// For a part of it.
    PartiallyAgree,
}

impl Reaction {
    /// All of them, in the order help texts list them.
    pub const ALL: [Self; 6] = [
        Self::Agree,
        Self::Disagree,
        Self::NeedClarification,
        Self::Interesting,
        Self::Concerning,
        Self::PartiallyAgree,
    ];

    /// The word it is written as.
    pub fn word(self) -> &'static str {
        match self {
            Self::Agree => "agree",
            Self::Disagree => "disagree",
            Self::NeedClarification => "need_clarification",
            Self::Interesting => "interesting",
            Self::Concerning => "concerning",
            Self::PartiallyAgree => "partially_agree",
        }
    }
}

/// An admitted contribution to a matter: everything anybody says in any procedure.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Contribution {
    /// The ask it answers. Where nobody was asked it is the id of the matter, which no ask has.
    pub ask: AskId,
    /// When it was admitted.
    pub at: At,
    /// How it was read.
    pub how: How,
    /// What it is meant as.
    #[serde(default, skip_serializing_if = "ContributionKind::is_statement")]
    pub kind: ContributionKind,
    /// The side its author was ordered to take: what is said under an order is nobody's free opinion.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub ordered: Option<Choice>,
    /// What had to be repaired to read it.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub repairs: Vec<Repair>,
    /// The same words were contributed before.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub repeats: bool,
    /// What was said. Free text stands in `position`, the reason given for it in `reasoning`.
    pub response: Response,
    /// The round it belongs to, counted from 1 through the whole matter; 0 before the first.
    pub round: u32,
    /// The stage of a council's charter.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub stage: u16,
    /// What it answers.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub to: Option<Id>,
    /// What in it breaks the charter.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub violations: Vec<Violation>,
    /// Who spoke.
    pub who: Who,
}

fn is_zero(stage: &u16) -> bool {
    *stage == 0
}

impl Contribution {
    /// What it carries as a comment in a thread, if it is one.
    pub fn comment(&self) -> Option<&Comment> {
        if let ContributionKind::Comment(comment) = &self.kind { Some(comment) } else { None }
    }

    /// Whether whoever oversees issues resolved one with it, whatever its thread had come to. Only they give the reasons apart.
    pub fn forces_resolution(&self) -> bool {
        let overseen = self
            .comment()
            .is_some_and(|comment| comment.did(CommentDeed::Resolved) && comment.class != AuthorClass::Agent);
        overseen && self.response.reasoning.is_some()
    }

    /// Its text, where it is one text.
    pub fn text(&self) -> &str {
        self.response.position.as_deref().unwrap_or_default()
    }
}

/// A contribution in the store of its matter, with the id of the event that admitted it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StoredContribution {
    /// Its id.
    pub id: Id,
    /// What was contributed.
    pub said: Arc<Contribution>,
}

impl Deref for StoredContribution {
    type Target = Contribution;
    fn deref(&self) -> &Contribution {
        &self.said
    }
}

words!(struct Repair { detail | code });
words!(struct Violation { detail | code });
words!(struct RequirementCheck { how | met });
words!(struct Response {
    checks, citations, context_requests, key_points, position, reasoning, sections | confidence, estimate, stance
});
words!(struct Contribution {
    kind, repairs, response, violations | ask, at, how, ordered, repeats, round, stage, to, who
});
words!(struct StoredContribution { said | id });
words!(enum ContributionKind {
    Statement,
    Opinion,
    Question,
    Synthesis,
    Proposal { title | number },
    Amendment { | proposal, version },
    Reaction(given),
    Answer,
    Estimate,
    Comment[comment],
});
