//! Matters: what a house deliberates about.
//!
//! A matter knows its question, the charter it is held under and how far it has come. It never knows who
//! spoke or voted; the house brings that together.

mod kind;
mod refusal;

use std::collections::BTreeMap;
use std::sync::Arc;

use serde::{Deserialize, Serialize};

pub use kind::{Detected, QuestionKind, detect};
pub use refusal::{Operation, Refusal};

use crate::kernel::{
    About, AskChange, Cause, Decision, Digest, MatterId, Perspective, Seat, SettingValue, Who, text, words,
};

/// The longest topic, in characters. Long enough for a design document's summary, short enough that a
/// pasted log is refused before it is paid for once per seat and round.
pub const TOPIC_MOST: usize = 16_000;
/// The longest option, in characters.
pub const OPTION_MOST: usize = 500;
/// Options are lettered A to Z.
pub const OPTIONS_MOST: usize = 26;
/// The longest unit, in characters.
pub const UNIT_MOST: usize = 40;

/// Requirements a question can have: each statement answers all of them.
pub const MUST_MOST: usize = 10;

/// Words that mean something on every ballot. An option of that name could not be told from them.
const RESERVED: [&str; 10] = [
    "yes",
    "no",
    "none",
    "neutral",
    "abstain",
    "for",
    "against",
    "none of these",
    "none of them",
    "none of the above",
];

/// What is put before the house.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Question {
    /// The question.
    pub topic: Arc<str>,
    /// What to choose from; none for a question that is carried or not.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub options: Vec<String>,
    /// What is counted, where the question asks for a number: `days`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub unit: Option<String>,
    /// What any answer has to keep to. Every statement says for each whether it does.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub must: Vec<String>,
}

impl Question {
    /// Takes a written question, or says what is wrong with it.
    pub fn parse(topic: &str, options: &[String]) -> Result<Self, MalformedQuestion> {
        let topic = topic.trim();
        let long =
            |text: &str, most: usize| (text.len() > most).then(|| text.chars().count()).filter(|n| *n > most);
        if topic.is_empty() {
            return Err(MalformedQuestion::EmptyTopic);
        }
        if let Some(length) = long(topic, TOPIC_MOST) {
            return Err(MalformedQuestion::LongTopic { length });
        }
        if options.len() == 1 || options.len() > OPTIONS_MOST {
            return Err(MalformedQuestion::OptionCount { given: options.len() });
        }
        let options: Vec<String> = options.iter().map(|option| text::one_line(option)).collect();
        for (i, option) in options.iter().enumerate() {
            let folded = text::fold(option);
            if option.is_empty() {
                return Err(MalformedQuestion::EmptyOption { nth: i + 1 });
            }
            if is_reserved(&folded) {
                return Err(MalformedQuestion::ReservedOption { option: option.clone() });
            }
            if let Some(length) = long(option, OPTION_MOST) {
                return Err(MalformedQuestion::LongOption { nth: i + 1, length });
            }
            if options[..i].iter().any(|earlier| text::fold(earlier) == folded) {
                return Err(MalformedQuestion::DoubledOption { option: option.clone() });
            }
        }
        Ok(Self { topic: topic.into(), options, must: Vec::new(), unit: None })
    }

    /// The same question as one for a number of these, or what is wrong with the unit.
    pub fn in_unit(self, unit: &str) -> Result<Self, MalformedQuestion> {
        let unit = text::one_line(unit);
        if unit.is_empty() || text::length(&unit) > UNIT_MOST || unit.chars().any(|c| c.is_ascii_digit()) {
            return Err(MalformedQuestion::Unit);
        }
        if !self.options.is_empty() {
            return Err(MalformedQuestion::UnitAndOptions);
        }
        Ok(Self { unit: Some(unit), ..self })
    }

    /// The same question with requirements that any answer has to keep to.
    pub fn requiring(mut self, must: &[String]) -> Result<Self, MalformedQuestion> {
        if must.len() > MUST_MOST {
            return Err(MalformedQuestion::MustCount { given: must.len() });
        }
        for (i, must) in must.iter().map(|must| text::one_line(must)).enumerate() {
            let length = must.chars().count();
            if length == 0 || length > OPTION_MOST {
                return Err(MalformedQuestion::MustLength { nth: i + 1, length });
            }
            if !self.must.contains(&must) {
                self.must.push(must);
            }
        }
        Ok(self)
    }
}

/// Whether a folded text could not be told from a letter or a word of the ballot.
fn is_reserved(folded: &str) -> bool {
    folded.chars().count() == 1 || RESERVED.contains(&folded)
}

/// The answer that somebody proposed, as an option of a ballot; none if it could not be told from a ballot word.
/// Whether it had to be cut to fit.
pub fn as_option(answer: &str) -> Option<(String, bool)> {
    let line = text::one_line(answer);
    let reserved = is_reserved(text::fold(&line).trim_end_matches(['.', '!']));
    if line.is_empty() || reserved {
        return None;
    }
    let cut = text::length(&line) > OPTION_MOST;
    Some((text::excerpt(&line, OPTION_MOST).into_owned(), cut))
}

impl Question {
    /// Everything it says: the topic, the options, the requirements, the unit.
    pub fn texts(&self) -> impl Iterator<Item = &str> {
        let rest = self.options.iter().chain(&self.must).chain(&self.unit).map(String::as_str);
        std::iter::once(&*self.topic).chain(rest)
    }
}

/// Problems with a question.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum MalformedQuestion {
    /// Nothing is asked.
    #[error("the topic is empty: say what is to be decided")]
    EmptyTopic,
    /// The topic is longer than a question.
    #[error(
        "the topic has {length} characters, at most {TOPIC_MOST} are allowed: shorten it and refer to files"
    )]
    LongTopic {
        /// Its length.
        length: usize,
    },
    /// One option is no choice, and letters end at Z.
    #[error("{} given: give none for a yes-or-no question, or 2 to {OPTIONS_MOST}", text::counted(*given as u64, "option"))]
    OptionCount {
        /// How many.
        given: usize,
    },
    /// More requirements than a statement can answer.
    #[error("{given} requirements given: at most {MUST_MOST} are allowed")]
    MustCount {
        /// How many.
        given: usize,
    },
    /// A requirement says nothing, or is longer than one.
    #[error("requirement {nth} has {length} characters: write 1 to {OPTION_MOST}")]
    MustLength {
        /// Counted from 1.
        nth: usize,
        /// Its length.
        length: usize,
    },
    /// An option says nothing.
    #[error("option {nth} is empty")]
    EmptyOption {
        /// Counted from 1.
        nth: usize,
    },
    /// An option is longer than a choice.
    #[error("option {nth} has {length} characters, at most {OPTION_MOST} are allowed")]
    LongOption {
        /// Counted from 1.
        nth: usize,
        /// Its length.
        length: usize,
    },
    /// An option that is a letter or a ballot word could not be told from one.
    #[error(
        "the option `{option}` is a ballot word or a single letter, which already name options on a ballot (A, B, C, …): write it out"
    )]
    ReservedOption {
        /// The option.
        option: String,
    },
    /// A unit that numbers cannot be told apart from, or a very long one.
    #[error("the unit must be 1 to {UNIT_MOST} characters without digits, such as `days`")]
    Unit,
    /// A question for a number has nothing to choose from.
    #[error("a question that asks for a number has no options: give a unit or options, not both")]
    UnitAndOptions,
    /// Two options are the same but for spelling.
    #[error("the option `{option}` is given twice")]
    DoubledOption {
        /// The second of the two.
        option: String,
    },
}

/// The charter in force, pinned by the digest of its source.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Pinned {
    /// Its name.
    pub name: String,
    /// SHA-256 of its source text.
    pub digest: Digest,
}

/// Everything fixed when a matter opens.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Opening {
    /// The rules.
    pub charter: Pinned,
    /// Where it branches off from another matter.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub forked: Option<Forked>,
    /// Who weighs each round. They do not vote.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub judges: Vec<Seat>,
    /// The kind of motion it is, of those the charter knows.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub motion: Option<String>,
    /// Settings of the charter that were moved for this matter.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub moved: BTreeMap<String, SettingValue>,
    /// Who put the motion, where it is one and a seat put it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub proposer: Option<Who>,
    /// Fields the seats speak for, in turn.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub perspectives: Vec<Perspective>,
    /// The question.
    pub question: Question,
    /// Seats of a branch with another mind than the seat of that name had in the rounds they share. What was said there is
    /// not theirs.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub replaced: Vec<Who>,
    /// Who digests and finds perspectives. They do not vote.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub scribe: Option<Seat>,
    /// Who takes part, in speaking order.
    pub seats: Vec<Seat>,
    /// Whether files are read for seats that ask to see them.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub sources: bool,
    /// Whether it rests before each round until the operator lets it go on.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub stepwise: bool,
    /// Who sums it up once a vote has decided it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub synthesis: Option<SummaryBy>,
}

/// Who sums a matter up. The summary is wording: it decides nothing.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum SummaryBy {
    /// The scribe, else the first seat on the winning side, if it is a model or a program.
    Auto,
    /// This seat or clerk.
    Seat(Who),
}

/// The place a matter branches off from.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Forked {
    /// The other matter.
    pub from: MatterId,
    /// The last round they share.
    pub round: u32,
}

/// What happens to a matter as a whole.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Event {
    /// It was opened. Its id is the id of this event.
    Opened(Arc<Opening>),
    /// The next stage of its charter began.
    StageEntered {
        /// The matter.
        matter: MatterId,
        /// Which stage, counted from 0.
        stage: u16,
    },
    /// It rests; nothing is asked and no deadline runs.
    Paused {
        /// What cannot be used as things are, where that is why.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        halt: Option<Box<Halt>>,
        /// The matter.
        matter: MatterId,
        /// Why it rests.
        why: Pause,
    },
    /// It goes on.
    Resumed {
        /// The matter.
        matter: MatterId,
    },
    /// From now on it rests before each round, or no longer does.
    Stepped {
        /// The matter.
        matter: MatterId,
        /// Whether it does.
        stepwise: bool,
    },
    /// It is over.
    Settled {
        /// How it ended.
        decision: Decision,
        /// The matter.
        matter: MatterId,
    },
    /// A motion has a second, so it will be debated.
    Seconded {
        /// The matter.
        matter: MatterId,
        /// Who seconded it.
        who: Who,
    },
    /// It is not over any more.
    Reopened {
        /// The matter.
        matter: MatterId,
    },
    /// Its words are no longer part of the record. What was decided stays.
    Redacted {
        /// The matter.
        matter: MatterId,
    },
}

/// Why a matter rests.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Pause {
    /// The operator asked for it.
    Operator,
    /// The engine that ran it ended before it did.
    Interrupted,
    /// A participant needs to know something before it can go on.
    NeedsContext,
    /// It is held round by round, and the next waits for the operator.
    BetweenRounds,
    /// What answers for a seat cannot be used as things are: a wrong key, an unknown model.
    Unusable,
    /// A motion that was proposed, and that nobody has called up yet.
    Listed,
}

/// A seat that cannot be asked as things are.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Halt {
    /// Why.
    pub cause: Cause,
    /// Whose turn it was.
    pub who: Who,
}

/// Where a matter stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Status {
    /// Asks are open.
    Running,
    /// It rests.
    Paused(Pause),
    /// It is over.
    Settled(Decision),
}

impl Status {
    /// One word for people and scripts.
    pub fn word(&self) -> &'static str {
        match self {
            Self::Running => "running",
            Self::Paused(Pause::Operator | Pause::Unusable) => "paused",
            Self::Paused(Pause::Interrupted) => "interrupted",
            Self::Paused(Pause::NeedsContext) => "needs_context",
            Self::Paused(Pause::BetweenRounds) => "waiting",
            Self::Paused(Pause::Listed) => "listed",
            Self::Settled(decision) => decision.word(),
        }
    }
}

// A unit is a fact like a name: numbers mean nothing without it, and they stay when words are deleted.
words!(struct Question { topic, options, must | unit });
words!(struct Halt { cause | who });
words!(struct Opening {
    judges, perspectives, question, scribe, seats | charter, forked, motion, moved, proposer, replaced, sources,
        stepwise, synthesis
});
words!(enum Event {
    Opened[opening],
    StageEntered { | matter, stage },
    Paused { halt | matter, why },
    Resumed { | matter },
    Stepped { | matter, stepwise },
    Settled { | decision, matter },
    Seconded { | matter, who },
    Reopened { | matter },
    Redacted { | matter },
});

impl Event {
    /// What it is about. The matter it opens is not there before it.
    pub fn about(&self) -> About {
        match self {
            Self::Opened(_) => About::House,
            Self::StageEntered { matter, .. }
            | Self::Paused { matter, .. }
            | Self::Resumed { matter }
            | Self::Stepped { matter, .. }
            | Self::Reopened { matter }
            | Self::Seconded { matter, .. }
            | Self::Redacted { matter }
            | Self::Settled { matter, .. } => About::Matter(*matter),
        }
    }

    /// What it does to asks.
    pub fn ask(&self) -> AskChange {
        match self {
            Self::Paused { matter, .. } | Self::Settled { matter, .. } => AskChange::Interrupts(*matter),
            Self::Opened(_) | Self::Reopened { .. } | Self::Redacted { .. } => AskChange::None,
            Self::StageEntered { .. } | Self::Resumed { .. } | Self::Stepped { .. } => AskChange::None,
            Self::Seconded { .. } => AskChange::None,
        }
    }
}
