//! What a call to a mind took and what came of it, as the core is told of it.

use serde::{Deserialize, Serialize};

use super::{Digest, Message, Nano, words};

/// What was used up. `None` is *not known*, which is never the same as zero.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct Usage {
    /// Calls that left this machine, retries included.
    pub calls: u32,
    /// The price.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cost: Option<Nano>,
    /// Of those, tokens served from the provider's prefix cache.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub tokens_cached: Option<u64>,
    /// Tokens read by the model.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub tokens_in: Option<u64>,
    /// Tokens written by the model.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub tokens_out: Option<u64>,
}

impl Usage {
    /// The same with figures no real call reaches cut down to ones that can be recorded: a provider may
    /// report anything.
    pub fn capped(self) -> Self {
        const MOST: u64 = 1 << 40;
        let cap = |tokens: Option<u64>| tokens.map(|tokens| tokens.min(MOST));
        Self {
            calls: self.calls,
            tokens_in: cap(self.tokens_in),
            tokens_cached: cap(self.tokens_cached),
            tokens_out: cap(self.tokens_out),
            cost: self.cost.map(|cost| cost.min(Nano::MOST)),
        }
    }
}

/// One try that did not give an answer and was followed by another.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Attempt {
    /// What went wrong.
    pub cause: Cause,
    /// How long was waited before the next try.
    pub waited_ms: u64,
}

/// Why the world did not do what was asked. A fault, never an opinion.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Cause {
    /// A stable code such as `backend/time-out` or `backend/http-500`.
    pub code: String,
    /// One line for people. Never holds a secret.
    pub detail: Message,
    /// Asking again would fail in the same way (a wrong key, an unknown model).
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub lasting: bool,
}

impl Cause {
    /// A passing fault.
    pub fn passing(code: &str, detail: impl Into<Message>) -> Self {
        Self { code: code.into(), detail: detail.into(), lasting: false }
    }

    /// No answer came within the time of a turn.
    pub fn late(limit_ms: u64) -> Self {
        let (seconds, tenths) = (limit_ms / 1000, limit_ms % 1000 / 100);
        Self::passing("ask/late", format!("no answer within {seconds}.{tenths:01} s"))
    }

    /// A fault that asking again would meet again.
    pub fn lasting(code: &str, detail: impl Into<Message>) -> Self {
        Self { code: code.into(), detail: detail.into(), lasting: true }
    }
}

/// The record of one performed ask.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct Call {
    /// Digest of the brief that was sent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub brief: Option<Digest>,
    /// What was looked up for the answer with tools, in order.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub evidence: Vec<Evidence>,
    /// The model as the provider named it in its answer.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub model: Option<String>,
    /// Tries that failed before the last one.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub retries: Vec<Attempt>,
    /// From the first try to the end.
    #[serde(default)]
    pub took_ms: u64,
    /// What it used up.
    #[serde(default)]
    pub usage: Usage,
}

/// Something that a seat looked up while it answered.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Evidence {
    /// SHA-256 of the whole of it as it was read; none if nothing was.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub digest: Option<Digest>,
    /// The first and the last line that were given, of a file.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub lines: Option<(u32, u32)>,
    /// The path below the folder of sources, the URL, or what was searched for.
    pub source: String,
    /// With which tool.
    pub tool: String,
    /// Why nothing came of it, as a stable code.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub wrong: Option<String>,
}

words!(struct Evidence { source | digest, lines, tool, wrong });
words!(struct Cause { detail | code, lasting });
words!(struct Attempt { cause | waited_ms });
words!(struct Call { evidence, retries | brief, model, took_ms, usage });
