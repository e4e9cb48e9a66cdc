//! Seals: what shows of a secret vote. Whoever knows the salt can prove how a vote was cast; nobody else can
//! find it out from the seal.

use serde::Serialize;

use crate::kernel::{BallotId, Digest, Who};

/// The fewest characters of a salt: fewer could be tried one by one.
pub const SALT_LEAST: usize = 16;
/// The most.
pub const SALT_MOST: usize = 64;

/// Whether this can be a salt: letters, digits, `-` and `_`, neither too few nor too many.
pub fn is_salt(salt: &str) -> bool {
    let plain = salt.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'-' || byte == b'_');
    plain && (SALT_LEAST..=SALT_MOST).contains(&salt.len())
}

/// The input of a seal's digest. As JSON with its keys in order and no blanks, so that anyone can make one with the
/// tools they have.
#[derive(Debug, Clone, Serialize)]
pub struct SealInput<'a> {
    /// The ballot.
    pub ballot: BallotId,
    /// The vote as [`Vote::spelled`](super::Vote::spelled) has it, or `to NAME` where it is delegated.
    pub choice: &'a str,
    /// What only the voter and the record know.
    pub salt: &'a str,
    /// Who voted.
    pub who: &'a Who,
}

impl SealInput<'_> {
    /// The text that is digested.
    pub fn text(&self) -> String {
        serde_json::to_string(self).unwrap_or_default()
    }

    /// The seal.
    pub fn seal(&self) -> Digest {
        Digest::of(self.text().as_bytes())
    }
}
