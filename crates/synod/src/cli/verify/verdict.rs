//! What a check comes to, in one word: the worst of what was found.

use std::fmt;

use serde::{Serialize, Serializer};

use crate::fail::code;

/// The degree to which something can be believed, the worst first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Assurance {
    /// Something does not fit.
    Broken,
    /// Nothing is signed.
    Unsigned,
    /// It is signed, by a key that the reader does not know.
    UnknownKey,
    /// It is signed by a key that the reader trusts.
    Signed,
    /// The same, and an authority says when it was there at the latest.
    TimeStamped,
    /// The same, and witnesses saw it.
    Witnessed {
        /// How many.
        by: usize,
        /// Of how many.
        of: usize,
    },
}

impl fmt::Display for Assurance {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Broken => f.write_str("broken"),
            Self::Unsigned => f.write_str("unsigned"),
            Self::UnknownKey => f.write_str("signed by an unknown key"),
            Self::Signed => f.write_str("signed"),
            Self::TimeStamped => f.write_str("time-stamped"),
            Self::Witnessed { by, of } => write!(f, "witnessed {by} of {of}"),
        }
    }
}

impl Serialize for Assurance {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl Assurance {
    /// The exit code. `enough`: the policy of the reader is met, or there is none.
    pub(super) fn code(self, enough: bool) -> u8 {
        match self {
            Self::Broken => code::FAILED,
            Self::UnknownKey => code::UNKNOWN_KEY,
            Self::Unsigned | Self::Signed | Self::TimeStamped | Self::Witnessed { .. } if !enough => {
                code::TOO_LITTLE
            }
            Self::Unsigned | Self::Signed | Self::TimeStamped | Self::Witnessed { .. } => code::PASSED,
        }
    }
}
