//! The border between the engine and whoever answers.
//!
//! Everything here is plain data but two traits: [`Mind`], which the engine calls, and [`Pass`], which a
//! mind calls before each try. A mind never keeps a question or a brief beyond one ask.

use std::fmt::{self, Debug};
use std::pin::Pin;
use std::sync::Arc;

use synod_core::brief::Brief;
use synod_core::kernel::{Attempt, Cause, Choice, Nano, Usage, Who};
use tokio::sync::OwnedSemaphorePermit;

use crate::prices::Price;
use crate::tools::Toolbox;

/// An answer under way. Dropping it gives up the ask; a child process is killed with it.
pub type Answering<'a> = Pin<Box<dyn Future<Output = Result<Reply, CallFailure>> + Send + 'a>>;

/// Leave being asked for.
pub type Granting<'a> = Pin<Box<dyn Future<Output = Result<Permit, Cause>> + Send + 'a>>;

/// Leave to make one call, until it is dropped. The process makes only so many at once, whoever is called.
#[derive(Debug, Default)]
pub struct Permit {
    _place: Option<OwnedSemaphorePermit>,
}

impl Permit {
    /// One of so many.
    pub fn new(place: OwnedSemaphorePermit) -> Self {
        Self { _place: Some(place) }
    }
}

/// Someone, or something, that answers briefs.
pub trait Mind: Send + Sync + Debug {
    /// Asks once. Runs on the tokio runtime and is given up by dropping the future.
    fn ask<'a>(&'a self, question: &'a AskContext, brief: &'a Brief, pass: &'a dyn Pass) -> Answering<'a>;

    /// Answers without waiting, for seats that are pure functions of the question. `None` means that this
    /// mind must be awaited.
    fn at_once(&self, _question: &AskContext, _brief: &Brief) -> Option<Result<Reply, CallFailure>> {
        None
    }

    /// What may be told and recorded about this mind.
    fn face(&self) -> &Face;

    /// What tells one model behind one key from every other: whether they work is found out by a first call. `None` for
    /// minds of which that cannot be said.
    fn account(&self) -> Option<&str> {
        None
    }

    /// How long an answer may take at least, for models that think before they speak.
    fn patience_ms(&self) -> Option<u64> {
        None
    }

    /// Whether it can use tools.
    fn uses_tools(&self) -> bool {
        false
    }
}

/// Leave to make one call. The engine records the reservation durably and may refuse it: the budget is
/// spent, or the ask has lapsed.
pub trait Pass: Send + Sync {
    /// Asks for leave. A refusal ends the ask with that very cause. What is given is held while the call is under way
    /// and no longer: whoever waits for a next try must not keep others from calling.
    fn begin<'a>(&'a self, estimate: CallEstimate) -> Granting<'a>;

    /// Tells how the ask is getting on. Nothing follows from it.
    fn note(&self, _sign: Sign) {}

    /// The tools that may be used for this ask.
    fn toolbox(&self) -> Option<&dyn Toolbox> {
        None
    }
}

/// How an ask is getting on.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Sign {
    /// The request was sent.
    Sent,
    /// The provider takes the request: key and model are good.
    Accepted,
    /// The provider said something that is not a lasting refusal, or nothing at all.
    Retrying {
        /// Why.
        cause: Cause,
        /// After so long.
        wait_ms: u64,
    },
    /// The answer is being written.
    Writing {
        /// About so many tokens so far.
        tokens: u64,
        /// Its first line, once there is one.
        line: Option<String>,
    },
    /// A tool is used.
    Tool {
        /// Which.
        name: String,
    },
}

/// The most that one call may use.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct CallEstimate {
    /// Tokens of the brief, estimated from its bytes and rather too many than too few.
    pub tokens_in: u64,
    /// The most tokens the answer may have.
    pub tokens_out_most: u64,
    /// The most it may cost; `None` when the price is not known.
    pub cost_most: Option<Nano>,
}

/// The facts that the engine gives besides the brief: who is asked what. Models never see them.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AskContext {
    /// The seat that is asked.
    pub seat: Who,
    /// What it is asked to do.
    pub task: MindTask,
    /// The round, counted from 1.
    pub round: u32,
    /// Which time the same thing is asked, counted from 1.
    pub attempt: u32,
    /// What the matter is about.
    pub topic: Arc<str>,
    /// How many options the matter has; 0 when it is a yes-or-no question.
    pub options: u8,
    /// The texts of the options.
    pub option_texts: Vec<String>,
    /// The side its part has to take in debate.
    pub side: Option<Choice>,
    /// How long the answer may take once it is begun; `None` where nothing says so.
    pub limit_ms: Option<u64>,
}

/// A task that a seat is asked to do.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum MindTask {
    /// To speak in a debate.
    Speak,
    /// To vote.
    Vote,
    /// To weigh a round.
    Judge,
    /// To digest what was said.
    Digest,
    /// To find perspectives for the seats.
    Perspectives,
    /// To sum a matter up.
    Synthesise,
    /// To say which proposed answers mean the same.
    Compare,
    /// To say whether a motion shall be debated.
    Second,
}

impl MindTask {
    /// All of them.
    pub const ALL: [Self; 8] = [
        Self::Speak,
        Self::Vote,
        Self::Judge,
        Self::Digest,
        Self::Perspectives,
        Self::Synthesise,
        Self::Compare,
        Self::Second,
    ];

    /// The word scripts use for it.
    pub fn word(self) -> &'static str {
        match self {
            Self::Speak => "speak",
            Self::Vote => "vote",
            Self::Judge => "judge",
            Self::Digest => "digest",
            Self::Perspectives => "perspectives",
            Self::Synthesise => "synthesize",
            Self::Compare => "compare",
            Self::Second => "second",
        }
    }
}

impl fmt::Display for MindTask {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.word())
    }
}

/// An answer, as it was given.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Reply {
    /// The text, not yet read as a form.
    pub text: String,
    /// The model as the provider named it in its answer.
    pub model: Option<String>,
    /// What the ask used up, all tries together.
    pub usage: Usage,
    /// Tries that failed before the one that answered.
    pub retries: Vec<Attempt>,
}

/// An ask that gave no answer.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{}: {}", cause.code, cause.detail)]
pub struct CallFailure {
    /// What the last try met.
    pub cause: Cause,
    /// What the ask used up, as far as it is known.
    pub usage: Usage,
    /// Tries before the last one.
    pub retries: Vec<Attempt>,
}

impl CallFailure {
    /// A fault before anything was used up.
    pub(crate) fn unspent(cause: Cause) -> Self {
        Self { cause, usage: NOTHING_USED, retries: Vec::new() }
    }
}

/// Known to be nothing, which is more than not known.
pub(crate) const NOTHING_USED: Usage =
    Usage { calls: 0, tokens_in: Some(0), tokens_cached: Some(0), tokens_out: Some(0), cost: Some(Nano(0)) };

/// The kinds of minds.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum MindKind {
    /// A language model behind HTTP.
    Model,
    /// A person.
    Person,
    /// Answers from a file.
    Scripted,
    /// A program that reads the brief and prints an answer.
    CommandLine,
    /// A stand-in that does not reason.
    Rehearsal,
}

/// What may be told and recorded about a mind. Holds no secret.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Face {
    /// What kind of mind it is.
    pub kind: MindKind,
    /// The spec it was made from.
    pub spec: String,
    /// The model that is asked for, exactly as it is sent.
    pub model: Option<String>,
    /// `openai`, `anthropic`, `gemini`, `ollama`, or the host of an endpoint.
    pub provider: Option<String>,
    /// The host that is sent what it is asked, or the program that is run.
    pub reaches: Option<String>,
    /// Its price, where known.
    pub price: Option<Price>,
    /// Whether its calls use up what a budget counts. False for scripts and rehearsals.
    pub metered: bool,
    /// The most tokens one answer may have; 0 where nothing limits it.
    pub output_most: u64,
    /// The tokens it can read and write together, where that is known.
    pub window: Option<u64>,
}

/// Tokens of some bytes, for estimates: English has about four bytes to a token and Chinese three, so a
/// third of the bytes errs on the side of the budget.
pub(crate) fn tokens_of(bytes: usize) -> u64 {
    (bytes as u64).div_ceil(3)
}
