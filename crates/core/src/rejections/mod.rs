//! Rejections: requests that were rejected before the house could judge them.
//!
//! A token that is none, another's name, a message sent twice: edges refuse these themselves. They tell the house in
//! sums, never one by one, so that the record knows of every refusal and nobody can fill it by being refused. It
//! holds who, how often and under which code, never what they sent.

mod refusal;

use serde::{Deserialize, Serialize};

pub use refusal::Refusal;

use crate::kernel::{Actor, At, MatterId};

/// The most sums in one report.
pub const SUMS_MOST: usize = 64;
/// The longest code, in bytes.
pub const CODE_MOST: usize = 64;

/// Refusals of one kind to one caller.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Rejection {
    /// In whose name, if a token or a signature proves it. A message sent again is signed too, whoever sends it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub by: Option<Actor>,
    /// Why, as they were told.
    pub code: String,
    /// How often.
    pub count: u32,
    /// The matter they wanted to act in, where there is one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub matter: Option<MatterId>,
    /// When it happened first.
    pub since: At,
    /// Where they came in.
    pub way: Way,
}

/// A way into the house.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Way {
    /// The service.
    Http,
    /// The bridge.
    Redis,
}

impl Way {
    /// In a word.
    pub fn word(self) -> &'static str {
        match self {
            Self::Http => "http",
            Self::Redis => "redis",
        }
    }
}

/// What was rejected.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Event {
    /// Somebody was rejected, once or more.
    Rejected(Rejection),
}

/// Problems with a report of rejections.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum MalformedReport {
    /// Nothing happened.
    #[error("a report of rejections names at least one")]
    Empty,
    /// It would let whoever is refused fill the record.
    #[error("a report of rejections has at most {SUMS_MOST} sums, not {0}")]
    TooMany(usize),
    /// Nobody was rejected no times.
    #[error("`{0}` is reported with a count of 0")]
    NoCount(String),
    /// Not what a code looks like.
    #[error("a code is 1 to {CODE_MOST} lower-case letters, digits, `/` and `-`")]
    Code,
}

/// Examines a report.
pub fn report(sums: &[Rejection]) -> Result<Vec<Event>, MalformedReport> {
    match sums.len() {
        0 => return Err(MalformedReport::Empty),
        1..=SUMS_MOST => (),
        more => return Err(MalformedReport::TooMany(more)),
    }
    let plain = |byte: u8| byte.is_ascii_lowercase() || byte.is_ascii_digit() || b"/-".contains(&byte);
    for sum in sums {
        if !(1..=CODE_MOST).contains(&sum.code.len()) || !sum.code.bytes().all(plain) {
            return Err(MalformedReport::Code);
        }
        if sum.count == 0 {
            return Err(MalformedReport::NoCount(sum.code.clone()));
        }
    }
    Ok(sums.iter().cloned().map(Event::Rejected).collect())
}
