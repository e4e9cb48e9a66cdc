//! Context: what a council has before it besides what its members say.
//!
//! Material the operator gives, the focus of a round, what participants ask for and what came of it (the operator
//! answers, or a file is read: `source`), perspectives, and what clerks write (digest, synthesis). It judges whether a request may stand;
//! when the matter waits for an answer is for the house to say.

mod answers;
mod refusal;
mod source;

use serde::{Deserialize, Serialize};

pub use answers::{AnswerOption, are_all_same, list, merge};
pub use refusal::{Refusal, RequestClosure};
pub use source::{BYTES_MOST, Excerpt, FILES_MOST, FileReading, READ_MS, TEXT_MOST, Unreadable};

use crate::kernel::{
    About, AskChange, AskId, Choice, ContextRequest, Id, MatterId, Perspective, Repair, Who, words,
};

/// The longest query of a request, in characters.
pub const QUERY_MOST: usize = 1000;
/// The longest reason of a request, in characters.
pub const REASON_MOST: usize = 500;
/// The longest piece of material and the longest answer to a request, in characters.
pub const MATERIAL_MOST: usize = 16_000;
/// The most pieces of material a matter may be given.
pub const MATERIALS_MOST: usize = 20;
/// The longest focus question, in characters.
pub const FOCUS_MOST: usize = 2000;
/// The longest name of a piece of material or of a perspective, in characters.
pub const NAME_MOST: usize = 200;
/// The longest view of a perspective, in characters.
pub const VIEW_MOST: usize = 1000;

/// A piece of material.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Material {
    /// What it is called, such as the name of its file.
    pub name: String,
    /// What it says.
    pub text: String,
}

/// Problems with context that the operator gave.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum MalformedContext {
    /// Nothing was given.
    #[error("{what} is empty")]
    Empty {
        /// What.
        what: &'static str,
    },
    /// More was given than is told to every seat.
    #[error("{what} has {given} characters, at most {most} are allowed")]
    Long {
        /// What.
        what: &'static str,
        /// How long it is.
        given: usize,
        /// How long it may be.
        most: usize,
    },
    /// Too many pieces.
    #[error("{given} pieces of material, at most {MATERIALS_MOST} are allowed")]
    Many {
        /// How many there would be.
        given: usize,
    },
}

/// Whether a text is there and not too long.
pub fn fits(what: &'static str, text: &str, most: usize) -> Result<(), MalformedContext> {
    let given = crate::kernel::text::length(text);
    match given {
        0 => Err(MalformedContext::Empty { what }),
        _ if given > most => Err(MalformedContext::Long { what, given, most }),
        _ => Ok(()),
    }
}

/// Whether all of the material may be given to a matter that has `already` so much.
pub fn fit(material: &[Material], already: usize) -> Result<(), MalformedContext> {
    let given = already + material.len();
    if given > MATERIALS_MOST {
        return Err(MalformedContext::Many { given });
    }
    for piece in material {
        fits("the name of the material", &piece.name, NAME_MOST)?;
        fits("the material", &piece.text, MATERIAL_MOST)?;
    }
    Ok(())
}

/// Why a participant's request does not stand.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Wrong {
    /// The query is empty or too long.
    Query {
        /// Its length.
        given: u32,
    },
    /// The reason is empty or too long.
    Reason {
        /// Its length.
        given: u32,
    },
    /// The priority is neither `required` nor `optional`.
    Priority {
        /// As it was said.
        said: String,
    },
    /// The same was asked before, and the operator has dealt with it.
    Repeated {
        /// The earlier request.
        of: Id,
    },
    /// No round follows in which an answer could be used.
    LastRound {
        /// The last round there can be.
        last: u32,
        /// The round it was made in.
        round: u32,
    },
    /// What it names as a file cannot be one below a folder.
    File {
        /// As it was said.
        said: String,
    },
    /// As many files were asked for as may be read for a matter.
    Files {
        /// So many.
        most: u32,
    },
    /// The same file was asked for before.
    FileRepeated {
        /// The earlier request.
        of: Id,
    },
}

impl Wrong {
    /// The stable code.
    pub fn code(&self) -> &'static str {
        match self {
            Self::Query { .. } => "context/query",
            Self::Reason { .. } => "context/reason",
            Self::Priority { .. } => "context/priority",
            Self::Repeated { .. } => "context/repeated",
            Self::LastRound { .. } => "context/last-round",
            Self::File { .. } => "context/file",
            Self::Files { .. } => "context/files",
            Self::FileRepeated { .. } => "context/file-repeated",
        }
    }

    /// What is wrong, in words.
    pub fn words(&self) -> String {
        match self {
            Self::Query { given } => {
                format!("the query has {given} characters, 1 to {QUERY_MOST} are allowed")
            }
            Self::Reason { given } => {
                format!("the reason has {given} characters, 1 to {REASON_MOST} are allowed")
            }
            Self::Priority { said } => {
                format!("the priority is `{said}`, `required` or `optional` is allowed")
            }
            Self::Repeated { of } => format!("it repeats request {of}, which the operator has dealt with"),
            Self::LastRound { last, round } => {
                format!("it was made in round {round} of {last}, the last: no round is left to use an answer")
            }
            Self::File { said } => {
                format!("`{said}` does not name a file: write a relative path, such as src/api.rs:10-40")
            }
            Self::Files { most } => format!("{most} files were asked for already, the most of a matter"),
            Self::FileRepeated { of } => format!("the same file was asked for in request {of}"),
        }
    }
}

/// Whether a request made in `round` stands, and whether it is required. `last` is the last round there can
/// be.
pub fn judge(request: &ContextRequest, round: u32, last: u32) -> Result<bool, Wrong> {
    if round >= last {
        return Err(Wrong::LastRound { last, round });
    }
    let within = |text: &str, most: usize| {
        let given = crate::kernel::text::length(text);
        if given == 0 || given > most { Err(given as u32) } else { Ok(()) }
    };
    within(&request.query, QUERY_MOST).map_err(|given| Wrong::Query { given })?;
    within(&request.reason, REASON_MOST).map_err(|given| Wrong::Reason { given })?;
    match crate::kernel::text::fold(&request.priority).as_str() {
        "required" => Ok(true),
        "optional" => Ok(false),
        _ => {
            let said = crate::kernel::text::excerpt(&request.priority, 40).into_owned();
            Err(Wrong::Priority { said })
        }
    }
}

/// A clerk's summing up of a matter. It decides nothing.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct Synthesis {
    /// What all sides share.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub agreed: Vec<String>,
    /// What stayed open between them.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub disputed: Vec<String>,
    /// What would settle it or carry it out.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub next_steps: Vec<String>,
    /// What nobody could answer.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub open_questions: Vec<String>,
    /// What to do now.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub recommendation: Option<String>,
    /// What the council came to.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub summary: Option<String>,
}

/// What happens to the context of a matter.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Event {
    /// The operator put material before the council.
    Given {
        /// The material.
        material: Material,
        /// The matter.
        matter: MatterId,
    },
    /// The next round turns to a question of the operator.
    Focused {
        /// The question.
        focus: String,
        /// The matter.
        matter: MatterId,
        /// The round.
        round: u32,
    },
    /// A participant needs to know something. The request's id is the id of this event.
    Requested {
        /// The matter.
        matter: MatterId,
        /// As it was put.
        request: ContextRequest,
        /// Whether the matter waits for an answer.
        required: bool,
        /// The round.
        round: u32,
        /// Who asks.
        who: Who,
    },
    /// A request does not stand. What else was said does.
    Refused {
        /// The matter.
        matter: MatterId,
        /// The round.
        round: u32,
        /// Who asked.
        who: Who,
        /// Why.
        wrong: Wrong,
    },
    /// The operator answered a request.
    Answered {
        /// The matter.
        matter: MatterId,
        /// The request.
        request: Id,
        /// The answer.
        text: String,
    },
    /// The operator will not answer a request.
    Waived {
        /// The matter.
        matter: MatterId,
        /// The request.
        request: Id,
    },
    /// A file that a participant asked to see was read.
    Read {
        /// The ask it answers.
        ask: AskId,
        /// What was taken from it.
        excerpt: Box<Excerpt>,
        /// The file.
        path: String,
        /// The request.
        request: Id,
    },
    /// A file that a participant asked to see cannot be read, or must not.
    Unread {
        /// The ask it answers.
        ask: AskId,
        /// The request.
        request: Id,
        /// Why.
        why: Unreadable,
    },
    /// A clerk found perspectives for the seats, in seat order.
    Perspectives {
        /// The ask it answers.
        ask: AskId,
        /// The perspectives.
        perspectives: Vec<Perspective>,
        /// What had to be mended to read it.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        repairs: Vec<Repair>,
    },
    /// A clerk digested what was said: as many points for each side.
    Digested {
        /// The ask it answers.
        ask: AskId,
        /// What had to be mended to read it.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        repairs: Vec<Repair>,
        /// The last round it covers.
        round: u32,
        /// Each side with its points.
        sides: Vec<(Choice, Vec<String>)>,
    },
    /// A clerk summed the matter up.
    Synthesised {
        /// The ask it answers.
        ask: AskId,
        /// What had to be mended to read it.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        repairs: Vec<Repair>,
        /// The synthesis.
        synthesis: Box<Synthesis>,
    },
    /// A seat said which of the proposed answers mean the same.
    Compared {
        /// The ask it answers.
        ask: AskId,
        /// Groups of answers, by place on the list.
        groups: Vec<Vec<u8>>,
        /// What had to be mended to read it.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        repairs: Vec<Repair>,
    },
    /// The answers that seats proposed, as they may be voted on. A later list replaces an earlier one.
    Listed {
        /// The answers, in the order of the ballot.
        answers: Vec<AnswerOption>,
        /// Answers that a ballot has no room for.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        left_out: Vec<AnswerOption>,
        /// The matter.
        matter: MatterId,
    },
}

words!(struct Material { name, text | });
words!(struct Synthesis { agreed, disputed, next_steps, open_questions, recommendation, summary | });
words!(enum Wrong {
    Query { | given },
    Reason { | given },
    Priority { said | },
    Repeated { | of },
    LastRound { | last, round },
    File { said | },
    Files { | most },
    FileRepeated { | of },
});
words!(enum Event {
    Given { material | matter },
    Focused { focus | matter, round },
    Requested { request | matter, required, round, who },
    Refused { wrong | matter, round, who },
    Answered { text | matter, request },
    Waived { | matter, request },
    Read { excerpt, path | ask, request },
    Unread { | ask, request, why },
    Perspectives { perspectives, repairs | ask },
    Digested { repairs, sides | ask, round },
    Synthesised { repairs, synthesis | ask },
    Compared { repairs | ask, groups },
    Listed { answers, left_out | matter },
});

impl Event {
    /// What it is about.
    pub fn about(&self) -> About {
        match self {
            Self::Given { matter, .. }
            | Self::Focused { matter, .. }
            | Self::Requested { matter, .. }
            | Self::Refused { matter, .. }
            | Self::Answered { matter, .. }
            | Self::Listed { matter, .. }
            | Self::Waived { matter, .. } => About::Matter(*matter),
            Self::Read { ask, .. } | Self::Unread { ask, .. } => About::Ask(*ask),
            Self::Perspectives { ask, .. }
            | Self::Digested { ask, .. }
            | Self::Compared { ask, .. }
            | Self::Synthesised { ask, .. } => About::Ask(*ask),
        }
    }

    /// What it does to an ask.
    pub fn ask(&self) -> AskChange {
        match self {
            Self::Read { ask, .. } | Self::Unread { ask, .. } => AskChange::Answers(*ask),
            Self::Perspectives { ask, .. }
            | Self::Digested { ask, .. }
            | Self::Compared { ask, .. }
            | Self::Synthesised { ask, .. } => AskChange::Answers(*ask),
            Self::Given { .. }
            | Self::Focused { .. }
            | Self::Requested { .. }
            | Self::Refused { .. }
            | Self::Answered { .. }
            | Self::Listed { .. }
            | Self::Waived { .. } => AskChange::None,
        }
    }
}
