//! Holding a file reference against the text that the engine read.

use serde::{Deserialize, Serialize};

use super::altered::is_altered;
use super::echo::sample_of;
use super::quote::edits_most;
use super::{FILE_MOST, FileReference, LineRange, Needle, QUOTE_MOST, QuoteFinding, QuoteFlaw, READ_MS};
use crate::kernel::text::counted;
use crate::kernel::{At, Digest, PathFlaw, words};

/// A file as the engine read it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ReadFile {
    /// When the system says that it last changed.
    pub changed: Option<At>,
    /// SHA-256 of its bytes.
    pub digest: Digest,
    /// Its text.
    pub text: String,
}

/// What is known of a reference after it was looked up.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Checked {
    /// A canon entry.
    Canon {
        /// The version that holds now, if there is such an entry.
        current: Option<u32>,
        /// Whether the version that was cited exists.
        exists: bool,
    },
    /// A file.
    File(FileFinding),
    /// An issue.
    Issue {
        /// Whether there is one of that number.
        exists: bool,
    },
}

impl Checked {
    /// How good the evidence is.
    pub fn grade(&self) -> EvidenceGrade {
        match self {
            Self::Canon { exists: true, .. } | Self::Issue { exists: true } => EvidenceGrade::Exists,
            Self::Canon { exists: false, .. } | Self::Issue { exists: false } => EvidenceGrade::Unverified,
            Self::File(finding) => finding.grade(),
        }
    }
}

/// How good evidence is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum EvidenceGrade {
    /// It does not hold.
    Unverified,
    /// What is named exists. Nothing was said of what stands there, so it is verified and earns nothing.
    Exists,
    /// What is said to stand there does, or the lines are there.
    Verified,
    /// The same, quoted with care.
    Precise,
}

impl EvidenceGrade {
    /// Whether the citation is true.
    pub fn is_verified(self) -> bool {
        self > Self::Unverified
    }

    /// Whether it can earn credit.
    pub fn earns(self) -> bool {
        self >= Self::Verified
    }

    /// In a word.
    pub fn word(self) -> &'static str {
        match self {
            Self::Unverified => "not verified",
            Self::Exists => "exists",
            Self::Verified => "verified",
            Self::Precise => "precise",
        }
    }
}

/// What holding a file reference against its file came to.
///
/// `digest` and `changed` are what is known of where the text came from. Who wrote it is not known here: a flow can compare both
/// with what an agent was seen to write, and [`stands_in`] says whether a quote only repeats words of the issue itself.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct FileFinding {
    /// When the system says that the file last changed: its content, or whatever else of it only the system can set.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub changed: Option<At>,
    /// SHA-256 of the file as it was read; `None` if it was not.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub digest: Option<Digest>,
    /// Where the quote stands although not in the lines that were cited.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub elsewhere: Option<QuoteFinding>,
    /// How many lines the file has.
    pub line_count: u32,
    /// The lines that were cited, first and last.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub lines: Option<(u32, u32)>,
    /// Numbers of the words in the lines that were cited without a quote ([`marks_of`](super::marks_of)): whoever knows a text can tell
    /// whether it holds these lines, and nobody can read them.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub marks: Vec<u32>,
    /// Why it is not verified.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub problem: Option<Unverified>,
    /// What is nearest to the quote in the lines cited, or in the whole file if none were.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub quote: Option<QuoteFinding>,
}

impl FileFinding {
    /// Nothing was read.
    pub fn unread(problem: Unverified) -> Self {
        let (changed, digest, elsewhere, lines, quote) = (None, None, None, None, None);
        let marks = Vec::new();
        Self { changed, digest, elsewhere, line_count: 0, lines, marks, problem: Some(problem), quote }
    }

    /// How good the evidence is. A quote that is too short to prove anything adds nothing to the path and the lines.
    pub fn grade(&self) -> EvidenceGrade {
        let quoted = self.quote.as_ref().filter(|quote| quote.proves());
        match (self.problem, quoted, self.lines) {
            (Some(_), _, _) => EvidenceGrade::Unverified,
            (None, Some(quote), _) if quote.is_precise() => EvidenceGrade::Precise,
            (None, Some(_), _) | (None, None, Some(_)) => EvidenceGrade::Verified,
            (None, None, None) => EvidenceGrade::Exists,
        }
    }

    /// Whether the quote is like what stands there, and an edit makes it say something else.
    pub fn is_altered(&self) -> bool {
        let near = self.quote.as_ref().is_some_and(QuoteFinding::is_verified);
        near && self.problem == Some(Unverified::QuoteNotFound)
    }

    /// Why it is not verified, in words. What stands in the file is not among them: whoever cites it may not be allowed to read it.
    pub fn why(&self) -> Option<String> {
        let problem = self.problem?;
        let altered = self.quote.as_ref().filter(|_| self.is_altered());
        Some(match altered {
            Some(quote) => format!(
                "the quote changes a number, a negation, an operator or another word that decides the meaning: copy it from line {}",
                quote.first_line
            ),
            None => problem.words(self.line_count),
        })
    }

    /// Whether a finding that says verified follows from what it holds itself, without the file: whoever has the record can ask.
    pub fn is_borne_out(&self, reference: &FileReference) -> bool {
        let lines = reference.lines.map(|lines| lines.within(self.line_count));
        let sound = reference.clean_path().is_ok() && self.digest.is_some() && lines == self.lines.map(Some);
        let quoted = match (&reference.quote, &self.quote) {
            (None, None) => true,
            (Some(quote), Some(found)) => {
                let inside = (self.lines.is_none_or(|(first, _)| first <= found.first_line))
                    && (found.last_line <= self.lines.map_or(self.line_count, |(_, last)| last));
                let again = Needle::new(quote).ok().and_then(|needle| {
                    let again = QuoteFinding::find(&needle, &found.text, 1, edits_most(needle.length()))?;
                    is_true_to(&needle, &again).then_some(again)
                });
                inside && again.is_some_and(|a| (a.distance, a.length) == (found.distance, found.length))
            }
            (None, Some(_)) | (Some(_), None) => false,
        };
        self.problem.is_none() && sound && quoted
    }

    /// Whether two findings are about the same text: the same content, and lines that overlap. Citing a line more or less, or a copy
    /// of the file, is citing it again.
    pub fn is_same_place(&self, other: &Self) -> bool {
        let ((first, last), (from, to)) = (self.place(), other.place());
        self.digest.is_some() && self.digest == other.digest && first <= to && from <= last
    }

    /// The first and the last line that it is about: those of the quote, those cited, or all.
    pub fn place(&self) -> (u32, u32) {
        match (&self.quote, self.lines) {
            (Some(quote), _) => (quote.first_line, quote.last_line),
            (None, Some(lines)) => lines,
            (None, None) => (1, u32::MAX),
        }
    }
}

/// Why a file reference is not verified.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Unverified {
    /// No file can be named like this.
    Path(PathFlaw),
    /// There is no such file that may be cited. Missing, behind a link, secret and forbidden are one answer: telling them apart would
    /// say what is there.
    Unavailable,
    /// It is a folder, a device, a pipe or a socket.
    NotAFile,
    /// It is larger than what is read.
    TooLarge {
        /// Its size in bytes.
        bytes: u64,
    },
    /// It is not text in UTF-8.
    NotText,
    /// It has no text.
    EmptyFile,
    /// It changed while it was read.
    Changing,
    /// Reading took too long.
    TooSlow,
    /// The system could not read it: the disk failed, or too many files were open.
    Fault,
    /// The file has no such lines.
    Lines,
    /// The quote has no words.
    EmptyQuote,
    /// The quote is longer than what is searched for.
    LongQuote,
    /// The words do not stand there: nothing like them does, or something that says the opposite or another number.
    QuoteNotFound,
}

impl Unverified {
    /// The stable code.
    pub fn code(self) -> &'static str {
        match self {
            Self::Path(_) => "evidence/path",
            Self::Unavailable => "evidence/unavailable",
            Self::NotAFile => "evidence/not-a-file",
            Self::TooLarge { .. } => "evidence/too-large",
            Self::NotText => "evidence/not-text",
            Self::EmptyFile => "evidence/empty-file",
            Self::Changing => "evidence/changing",
            Self::TooSlow => "evidence/too-slow",
            Self::Fault => "evidence/fault",
            Self::Lines => "evidence/lines",
            Self::EmptyQuote => "evidence/empty-quote",
            Self::LongQuote => "evidence/long-quote",
            Self::QuoteNotFound => "evidence/quote-not-found",
        }
    }

    /// Whether the world failed and nobody cited anything false.
    pub fn is_fault(self) -> bool {
        matches!(self, Self::Changing | Self::TooSlow | Self::Fault)
    }

    /// Why, in words. `line_count` is how many lines the file has.
    pub fn words(self, line_count: u32) -> String {
        match self {
            Self::Path(flaw) => flaw.words().into(),
            Self::Unavailable => {
                "there is no such file that may be cited (missing, not allowed, or reached through a link: links are never followed, \
                 not even inside the root, so cite the file itself)"
                    .into()
            }
            Self::NotAFile => "it is not a regular file".into(),
            Self::TooLarge { bytes } => {
                format!("it has {bytes} bytes, and files up to {FILE_MOST} bytes are read")
            }
            Self::NotText => "it is not text in UTF-8".into(),
            Self::EmptyFile => "it is empty".into(),
            Self::Changing => "it changed while it was read: try again".into(),
            Self::TooSlow => format!("reading it took more than {} seconds: try again", READ_MS / 1000),
            Self::Fault => "the system could not read it: try again".into(),
            Self::Lines => {
                format!(
                    "there are no such lines: the file has {}, counted from 1",
                    counted(u64::from(line_count), "line")
                )
            }
            Self::EmptyQuote => "the quote is empty: leave it out, or quote some words".into(),
            Self::LongQuote => {
                format!("the quote is longer than {QUOTE_MOST} characters: cite the lines instead")
            }
            Self::QuoteNotFound => "the words do not stand there".into(),
        }
    }
}

/// How hard to look for a quote that does not stand there.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SearchDepth {
    /// Only as far as a quote can still be verified. This is the fastest.
    Verdict,
    /// Up to half of its characters, so that a person sees what was probably meant. The verdict is the same.
    Nearest,
}

/// Holds a reference against its file, or against why that could not be read.
pub fn check(
    reference: &FileReference,
    read: Result<&ReadFile, Unverified>,
    depth: SearchDepth,
) -> FileFinding {
    if let Err(flaw) = reference.clean_path() {
        return FileFinding::unread(Unverified::Path(flaw));
    }
    let file = match read {
        Ok(file) => file,
        Err(why) => return FileFinding::unread(why),
    };
    let line_count = u32::try_from(count_lines(&file.text)).unwrap_or(u32::MAX);
    let mut finding = FileFinding {
        changed: file.changed,
        digest: Some(file.digest),
        elsewhere: None,
        line_count,
        lines: None,
        marks: Vec::new(),
        problem: None,
        quote: None,
    };
    finding.problem = examine(&mut finding, reference, &file.text, depth).err();
    finding
}

/// Looks at lines and quote, and notes what was found.
fn examine(
    finding: &mut FileFinding,
    reference: &FileReference,
    text: &str,
    depth: SearchDepth,
) -> Result<(), Unverified> {
    match text {
        _ if memchr::memchr(0, text.as_bytes()).is_some() => return Err(Unverified::NotText),
        _ if text.trim().is_empty() => return Err(Unverified::EmptyFile),
        _ => (),
    }
    let within = |lines: LineRange| lines.within(finding.line_count).ok_or(Unverified::Lines);
    finding.lines = reference.lines.map(within).transpose()?;
    let Some(quote) = &reference.quote else {
        if let Some((first, last)) = finding.lines {
            finding.marks = sample_of(lines_between(text, first, last));
        }
        return Ok(());
    };
    let needle = Needle::new(quote).map_err(|flaw| match flaw {
        QuoteFlaw::Empty => Unverified::EmptyQuote,
        QuoteFlaw::TooLong { .. } => Unverified::LongQuote,
    })?;
    let verified = edits_most(needle.length());
    let most = if depth == SearchDepth::Verdict { verified } else { needle.length() / 2 };
    let (first, part) = match finding.lines {
        Some((first, last)) => (first, lines_between(text, first, last)),
        None => (1, text),
    };
    finding.quote = QuoteFinding::find(&needle, part, first, most);
    if finding.quote.as_ref().is_some_and(|quote| is_true_to(&needle, quote)) {
        return Ok(());
    }
    if finding.lines.is_some() {
        let elsewhere = QuoteFinding::find(&needle, text, 1, verified);
        finding.elsewhere = elsewhere.filter(|quote| is_true_to(&needle, quote));
    }
    Err(Unverified::QuoteNotFound)
}

/// Whether what was found is near enough, and says what the quote says.
fn is_true_to(needle: &Needle, found: &QuoteFinding) -> bool {
    let same = found.distance == 0 && found.text == needle.as_str();
    found.is_verified() && (same || !is_altered(needle.as_str(), &found.text))
}

/// Whether a quote would be verified in this text: words of the issue itself prove nothing about it.
pub fn stands_in(quote: &str, text: &str) -> bool {
    let found = |needle: Needle| QuoteFinding::find(&needle, text, 1, edits_most(needle.length())).is_some();
    Needle::new(quote).is_ok_and(found)
}

/// How many lines a text has, without the empty tail behind the last line break.
fn count_lines(text: &str) -> usize {
    let breaks = memchr::memchr_iter(b'\n', text.as_bytes()).count();
    breaks + usize::from(!text.is_empty() && !text.ends_with('\n'))
}

/// The lines from `first` to `last`, both counted from 1 and known to be there.
fn lines_between(text: &str, first: u32, last: u32) -> &str {
    let mut ends = memchr::memchr_iter(b'\n', text.as_bytes());
    let start = match first {
        1 => 0,
        _ => ends.nth(first as usize - 2).map_or(text.len(), |end| end + 1),
    };
    let end = ends.nth((last - first) as usize).unwrap_or(text.len());
    &text[start..end]
}

words!(struct FileFinding { elsewhere, quote | changed, digest, line_count, lines, marks, problem });
words!(enum Checked { Canon { | current, exists }, File[finding], Issue { | exists } });
