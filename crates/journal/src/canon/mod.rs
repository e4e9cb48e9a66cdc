//! Canonical JSON (RFC 8785): one value, one spelling, so that equal things have equal hashes.
//!
//! Keys stand in the order of their UTF-16 units, strings are escaped as little as possible, there are no
//! blanks. It never writes a float: in a record of votes and money they have no place, and without them
//! the rules fit in a few screens. What is written here, any JSON parser reads.
//!
//! To allow another kind of value: `write.rs` spells it, `check.rs` recognises it, and the property tests
//! hold the two together.

mod check;
mod key;
mod open;
mod order;
mod write;

use std::fmt::Display;

use serde::{Serialize, ser};

pub use check::{Uncanonical, check};

/// The largest integer, either side of zero. RFC 8785 numbers are doubles, and beyond this two integers
/// share one double.
pub const LARGEST: u64 = (1 << 53) - 1;

/// How deep arrays and maps may nest. Common parsers stop at 128, and what is written must be readable.
pub const DEEPEST: usize = 127;

/// The reason why a value has no canonical form here.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum CanonError {
    /// A number with a fraction, or one that arrived as a float. Use an integer in a smaller unit
    /// (permille, milliseconds, nano-dollars), or text.
    #[error("{0} is a float; give an integer in a smaller unit, or text")]
    Float(String),
    /// An integer that a double cannot hold exactly. Give it as text.
    #[error("the integer {0} is beyond 2^53-1 and other JSON readers would round it; give it as text")]
    Large(i128),
    /// A map whose keys are not text. Make them text.
    #[error("a map has a key that is not text ({0})")]
    Key(&'static str),
    /// One map holds the same key twice, so readers would disagree on what it says.
    #[error("a map holds the key `{0}` twice")]
    Twice(String),
    /// Arrays and maps nest deeper than [`DEEPEST`]. Flatten the value.
    #[error("arrays and maps nest more than {DEEPEST} deep")]
    Deep,
    /// The value's own `Serialize` gave up.
    #[error("{0}")]
    Other(String),
}

impl ser::Error for CanonError {
    fn custom<T: Display>(message: T) -> Self {
        Self::Other(message.to_string())
    }
}

/// The canonical form of a value.
pub fn to_string<T: Serialize + ?Sized>(value: &T) -> Result<String, CanonError> {
    let mut writer = write::CanonWriter::new();
    value.serialize(&mut writer)?;
    Ok(writer.finish())
}

/// Where the first byte stands that text may not hold as it is: a quote, a backslash, a control character.
fn special(bytes: &[u8]) -> Option<usize> {
    let is_special = |byte: &u8| *byte < b' ' || *byte == b'"' || *byte == b'\\';
    // A stretch is first looked at as a whole, without a branch per byte; most hold nothing of the kind.
    let (stretches, _) = bytes.as_chunks::<16>();
    let mut clean = stretches.iter();
    let at = clean.position(|stretch| stretch.iter().fold(false, |found, byte| found | is_special(byte)));
    let from = 16 * at.unwrap_or(stretches.len());
    Some(from + bytes[from..].iter().position(is_special)?)
}
