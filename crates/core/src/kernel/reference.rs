//! What a participant names as evidence, as it was claimed. Nothing here is checked but whether a path can name a file.

use std::fmt;

use serde::{Deserialize, Serialize};

use super::{PathFlaw, clean_path, text, words};

/// A piece of evidence.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Reference {
    /// `canon:eyes@2`: an entry of the canon.
    Canon(CanonReference),
    /// `src/api.rs:10-14 "quote"`: a file.
    File(FileReference),
    /// `canon:?session-timeout`: canon is said to hold nothing on this, and the house searches it.
    Gap(String),
    /// `#34`: an issue by its number.
    Issue(u64),
}

/// An entry of the canon, and which version of it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct CanonReference {
    /// Its name.
    pub entry: String,
    /// The version that was read; the present one if none is named.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub version: Option<u32>,
}

/// A file with lines and words that are said to stand there.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct FileReference {
    /// The lines, counted from 1; anywhere in the file if none are named.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub lines: Option<LineRange>,
    /// As it was written, and not yet known to be one that may be read.
    pub path: String,
    /// The words.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub quote: Option<String>,
}

/// Lines as they were claimed. Zero, negative and reversed ones can be claimed; they are found false.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct LineRange {
    /// The last one; the first if none is named.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub end: Option<i64>,
    /// The first one.
    pub start: i64,
}

impl LineRange {
    /// The first and the last line, if a file with so many lines has them.
    pub fn within(self, line_count: u32) -> Option<(u32, u32)> {
        let (first, last) = (self.start, self.end.unwrap_or(self.start));
        let holds = 1 <= first && first <= last && last <= i64::from(line_count);
        holds.then_some((first as u32, last as u32))
    }
}

impl FileReference {
    /// The path in its plain form, or why it names no file below the root.
    pub fn clean_path(&self) -> Result<String, PathFlaw> {
        let digit = |byte: Option<&u8>| byte.is_some_and(u8::is_ascii_hexdigit);
        let bytes = self.path.as_bytes();
        let coded =
            memchr::memchr_iter(b'%', bytes).any(|at| digit(bytes.get(at + 1)) && digit(bytes.get(at + 2)));
        if coded { Err(PathFlaw::PercentCoded) } else { clean_path(&self.path) }
    }
}

impl Reference {
    /// The form by which two citations are the same, however they were spelled: plain path, both ends of the lines, the quote with
    /// case and white space folded.
    pub fn normal_form(&self) -> String {
        match self {
            Self::Canon(CanonReference { entry, version: Some(version) }) => {
                format!("canon:{}@{version}", text::fold(entry))
            }
            Self::Canon(CanonReference { entry, version: None }) => format!("canon:{}", text::fold(entry)),
            Self::Gap(subject) => format!("canon:?{}", text::fold(subject)),
            Self::Issue(number) => format!("#{number}"),
            Self::File(file) => {
                let path = file.clean_path().unwrap_or_else(|_| file.path.clone());
                let lines = file.lines.map(|lines| LineRange {
                    end: Some(lines.end.unwrap_or(lines.start)),
                    start: lines.start,
                });
                let quote = file.quote.as_deref().map(text::fold);
                Self::File(FileReference { lines, path, quote }).to_string()
            }
        }
    }
}

impl fmt::Display for Reference {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Canon(canon) => canon.fmt(f),
            Self::File(file) => file.fmt(f),
            Self::Gap(subject) => write!(f, "canon:?{subject}"),
            Self::Issue(number) => write!(f, "#{number}"),
        }
    }
}

impl fmt::Display for CanonReference {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.version {
            Some(version) => write!(f, "canon:{}@{version}", self.entry),
            None => write!(f, "canon:{}", self.entry),
        }
    }
}

impl fmt::Display for FileReference {
    /// A form that is read back as the same reference: the path in backticks if it needs them, quotation marks escaped.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let bare = !self.path.contains(|c: char| c.is_whitespace() || c == '"');
        if bare {
            f.write_str(&self.path)?
        } else {
            write!(f, "`{}`", self.path)?
        }
        if let Some(lines) = self.lines {
            write!(f, ":{lines}")?;
        }
        match &self.quote {
            Some(quote) => write!(f, " \"{}\"", quote.replace('\\', "\\\\").replace('"', "\\\"")),
            None => Ok(()),
        }
    }
}

impl fmt::Display for LineRange {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.end {
            Some(end) if end != self.start => write!(f, "{}-{end}", self.start),
            Some(_) | None => write!(f, "{}", self.start),
        }
    }
}

words!(enum Reference { Canon[canon], File[file], Gap[subject], Issue(number) });
words!(struct CanonReference { entry | version });
words!(struct FileReference { path, quote | lines });
