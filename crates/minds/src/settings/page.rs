//! A TOML file that is read to its end, with a list of what is wrong in it.
//!
//! Readers ask for a value in the form they need and get `None` when it is not so; the flaw is then
//! already noted with its line.

use std::borrow::Cow;
use std::fmt;
use std::ops::RangeInclusive;

use synod_core::kernel::text;
use toml::Spanned;
use toml::de::{DeTable, DeValue};

/// Something wrong in a file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Flaw {
    /// The file.
    pub file: String,
    /// The line, counted from 1; 0 when the whole file is meant.
    pub line: usize,
    /// What is wrong, and what to write.
    pub what: String,
}

impl fmt::Display for Flaw {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.line {
            0 => write!(f, "{}: {}", self.file, self.what),
            line => write!(f, "{}:{line}: {}", self.file, self.what),
        }
    }
}

type Key<'a> = Spanned<Cow<'a, str>>;
type Value<'a> = Spanned<DeValue<'a>>;

/// A file being read.
pub(crate) struct Page<'a> {
    file: &'a str,
    text: &'a str,
    root: DeTable<'a>,
    flaws: Vec<Flaw>,
}

impl<'a> Page<'a> {
    /// Parses the file. One that does not parse gives nothing to read, since flaws of what was guessed
    /// from it would mislead.
    pub(crate) fn open(file: &'a str, text: &'a str) -> Self {
        let (root, errors) = DeTable::parse_recoverable(text);
        let mut page = Self { file, text, root: root.into_inner(), flaws: Vec::new() };
        for error in &errors {
            let at = error.span().map_or(0, |span| span.start);
            page.flaw(at, text::one_line(error.message()));
            page.root.clear();
        }
        page
    }

    /// The top-level entries.
    pub(crate) fn take_root(&mut self) -> Vec<(Key<'a>, Value<'a>)> {
        let entries = std::mem::take(&mut self.root);
        entries.into_iter().collect()
    }

    /// All flaws, by line.
    pub(crate) fn close(mut self) -> Vec<Flaw> {
        self.flaws.sort_by_key(|flaw| flaw.line);
        self.flaws
    }

    /// Notes a flaw at a byte of the text.
    pub(crate) fn flaw(&mut self, at: usize, what: String) {
        let line = self.text.bytes().take(at).filter(|b| *b == b'\n').count() + 1;
        self.flaws.push(Flaw { file: self.file.into(), line, what });
    }

    /// Notes a word that is not known.
    pub(crate) fn unknown(&mut self, at: usize, written: &str, known: &[&str]) {
        let what = match text::nearest(written, known.iter().copied()) {
            Some(meant) => format!("`{written}` is not known: did you mean `{meant}`?"),
            None => format!("`{written}` is not known: write one of {}", known.join(", ")),
        };
        self.flaw(at, what);
    }

    /// The value as a table.
    pub(crate) fn table<'v>(&mut self, key: &Key<'_>, value: &'v Value<'a>) -> Option<&'v DeTable<'a>> {
        let table = value.get_ref().as_table();
        if table.is_none() {
            self.flaw(key.span().start, format!("`{0}` should be a table: write [{0}]", key.get_ref()));
        }
        table
    }

    /// The value as text with something in it.
    pub(crate) fn text(&mut self, key: &Key<'_>, value: &Value<'_>) -> Option<String> {
        let text = value.get_ref().as_str().map(str::trim).filter(|text| !text.is_empty());
        if text.is_none() {
            self.flaw(value.span().start, format!("`{}` should be text in quotes", key.get_ref()));
        }
        text.map(str::to_string)
    }

    /// The value as a whole number within a range.
    pub(crate) fn number(
        &mut self,
        key: &Key<'_>,
        value: &Value<'_>,
        range: RangeInclusive<u64>,
    ) -> Option<u64> {
        let number = value.get_ref().as_integer();
        let number = number.and_then(|n| u64::from_str_radix(n.as_str(), n.radix()).ok());
        let number = number.filter(|n| range.contains(n));
        if number.is_none() {
            let (least, most) = (range.start(), range.end());
            let what = format!("`{}` should be a whole number from {least} to {most}", key.get_ref());
            self.flaw(value.span().start, what);
        }
        number
    }

    /// The value as a decimal, in quotes or not, kept as it is written: no float ever holds it.
    pub(crate) fn decimal<T>(
        &mut self,
        key: &Key<'_>,
        value: &Value<'_>,
        read: impl Fn(&str) -> Result<T, String>,
    ) -> Option<T> {
        let written = match value.get_ref() {
            DeValue::String(text) => text.trim(),
            DeValue::Integer(number) => number.as_str(),
            DeValue::Float(number) => number.as_str(),
            DeValue::Boolean(_) | DeValue::Datetime(_) | DeValue::Array(_) | DeValue::Table(_) => "",
        };
        read(written)
            .map_err(|what| self.flaw(value.span().start, format!("`{}` {what}", key.get_ref())))
            .ok()
    }
}
