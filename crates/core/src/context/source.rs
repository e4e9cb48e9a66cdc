//! Sources: files that participants ask to see and that somebody reads for them, where the operator allowed it.
//!
//! The rules here are pure: which requests stand, how much is taken. That nothing outside of the operator's folder is
//! read is for the jail of whoever reads (`engine`) to make sure.

use serde::{Deserialize, Serialize};

use crate::kernel::{Digest, words};

/// The most files that are read for a matter. Each is told to every seat in every later round: twelve of the longest fill
/// about 50,000 tokens, which leaves room for the talk itself.
pub const FILES_MOST: usize = 12;
/// The most characters that are taken from a file, as many as a piece of material may have.
pub const TEXT_MOST: usize = super::MATERIAL_MOST;
/// The largest file that is read at all, in bytes: all of it is needed for its digest, and no source text is larger.
pub const BYTES_MOST: u64 = 4 << 20;
/// How long a reading may take. A file on a disk takes milliseconds; one on a network that hangs must not hold up a
/// council.
pub const READ_MS: u64 = 30_000;

/// The result of reading a file.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum FileReading {
    /// This was taken from it.
    Taken(Excerpt),
    /// It cannot be read, or must not.
    Unreadable(Unreadable),
}

/// What was taken from a file, and from which.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Excerpt {
    /// Whether more was asked for than may be taken.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub cut: bool,
    /// SHA-256 of the whole file as it was read.
    pub digest: Digest,
    /// The first line taken, counted from 1.
    pub from: u32,
    /// How many lines the file has.
    pub of: u32,
    /// The text of the lines.
    pub text: String,
    /// The last line taken.
    pub to: u32,
}

impl Excerpt {
    /// Whether it can be what it says: lines in order, and no more text than may be taken.
    pub fn is_sound(&self) -> bool {
        let ordered = 0 < self.from && self.from <= self.to && self.to <= self.of;
        ordered && self.text.chars().count() <= TEXT_MOST
    }

    /// Which lines these are, such as `lines 10 to 40 of 212`.
    pub fn lines(&self) -> String {
        let cut = if self.cut { ", cut at the limit" } else { "" };
        match (self.from, self.to) {
            (1, to) if to == self.of && !self.cut => "the whole file".into(),
            (from, to) if from == to => format!("line {from} of {}{cut}", self.of),
            (from, to) => format!("lines {from} to {to} of {}{cut}", self.of),
        }
    }
}

/// Why a file was not read.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Unreadable {
    /// There is no such file.
    Missing,
    /// A name on the way is a symbolic link. None are followed: they may lead out of the folder.
    Link,
    /// It is not a regular file.
    NotAFile,
    /// Its name or its content says that it holds secrets.
    Secret,
    /// It is larger than what is read.
    TooLarge {
        /// Its size in bytes.
        bytes: u64,
    },
    /// It is not text in UTF-8.
    Binary,
    /// It has no text.
    Empty,
    /// It has no such lines.
    NoSuchLines {
        /// How many it has.
        of: u32,
    },
    /// The system did not let it be read.
    Denied,
}

impl Unreadable {
    /// The stable code.
    pub fn code(self) -> &'static str {
        match self {
            Self::Missing => "source/missing",
            Self::Link => "source/link",
            Self::NotAFile => "source/not-a-file",
            Self::Secret => "source/secret",
            Self::TooLarge { .. } => "source/too-large",
            Self::Binary => "source/binary",
            Self::Empty => "source/empty",
            Self::NoSuchLines { .. } => "source/no-such-lines",
            Self::Denied => "source/denied",
        }
    }

    /// Why, in words.
    pub fn words(self) -> String {
        match self {
            Self::Missing => "there is no such file".into(),
            Self::Link => "it is a symbolic link or lies behind one, and links are not followed".into(),
            Self::NotAFile => "it is not a regular file".into(),
            Self::Secret => "files that may hold secrets are not read".into(),
            Self::TooLarge { bytes } => {
                format!("it has {bytes} bytes, and files up to {BYTES_MOST} bytes are read")
            }
            Self::Binary => "it is not text in UTF-8".into(),
            Self::Empty => "it is empty".into(),
            Self::NoSuchLines { of } => {
                format!("it has only {}", crate::kernel::text::counted(u64::from(of), "line"))
            }
            Self::Denied => "the system did not allow it to be read".into(),
        }
    }
}

words!(enum FileReading { Taken[excerpt], Unreadable(why) });
words!(struct Excerpt { text | cut, digest, from, of, to });
