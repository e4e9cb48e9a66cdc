//! Reading TOML so that every flaw is found in one go, each with its line and what to write instead.
//!
//! A [`SourceTable`] is asked for its keys one by one; what is wrong is noted and reading goes on. Keys nobody
//! asked for are flaws too.

use std::cell::{Cell, RefCell};
use std::collections::BTreeSet;
use std::fmt;
use std::str::FromStr;

use toml::Spanned;
use toml::de::{DeTable, DeValue};

use super::Knob;
use crate::kernel::text;

/// Something wrong with a file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Flaw {
    /// The file it was written in; empty for the text that was given.
    pub file: String,
    /// Where, counted from 1.
    pub line: usize,
    /// Which key, with its path; empty for the file as a whole.
    pub key: String,
    /// What is wrong.
    pub wrong: String,
    /// What to write.
    pub fix: String,
    /// False for a warning.
    pub is_error: bool,
}

impl fmt::Display for Flaw {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if !self.file.is_empty() {
            write!(f, "{} ", self.file)?;
        }
        write!(f, "line {}: ", self.line)?;
        if !self.key.is_empty() {
            write!(f, "`{}`: ", self.key)?;
        }
        write!(f, "{}", self.wrong)?;
        if self.fix.is_empty() { Ok(()) } else { write!(f, "; {}", self.fix) }
    }
}

/// A value and the line it stands on.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Lined<T> {
    /// The value.
    pub value: T,
    /// Its line, counted from 1.
    pub line: usize,
}

/// What reading a file finds out besides its values.
#[derive(Debug)]
struct Notes {
    /// The byte after each end of line: a file is searched for them once, not once for each key.
    starts: Vec<usize>,
    flaws: RefCell<Vec<Flaw>>,
    asked: RefCell<BTreeSet<String>>,
}

impl Notes {
    fn line(&self, at: usize) -> usize {
        1 + self.starts.partition_point(|start| *start <= at)
    }

    fn flaw(&self, line: usize, key: &str, wrong: impl Into<String>, fix: impl Into<String>) {
        self.flaws.borrow_mut().push(Flaw {
            file: String::new(),
            line,
            key: key.into(),
            wrong: wrong.into(),
            fix: fix.into(),
            is_error: true,
        });
    }
}

/// Reads a whole file: `take` asks the root table for what it wants. Returns what it made, every flaw, and
/// the path of every key it asked for.
pub fn read<T>(
    source: &str,
    take: impl FnOnce(&SourceTable<'_, '_>) -> T,
) -> (T, Vec<Flaw>, BTreeSet<String>) {
    let source = source.trim_start_matches('\u{feff}');
    let starts = source.match_indices('\n').map(|(at, _)| at + 1).collect();
    let notes = Notes { starts, flaws: RefCell::default(), asked: RefCell::default() };
    let (root, errors) = DeTable::parse_recoverable(source);
    for error in &errors {
        let line = error.span().map_or(1, |span| notes.line(span.start));
        notes.flaw(line, "", format!("this is not TOML: {}", text::one_line(error.message())), "");
    }
    let table = SourceTable {
        path: String::new(),
        line: 1,
        table: root.get_ref(),
        notes: &notes,
        known: RefCell::default(),
        open: Cell::default(),
    };
    let made = take(&table);
    table.finish();
    (made, notes.flaws.into_inner(), notes.asked.into_inner())
}

/// A table being read.
#[derive(Debug)]
pub struct SourceTable<'t, 's> {
    path: String,
    line: usize,
    table: &'t DeTable<'s>,
    notes: &'t Notes,
    known: RefCell<BTreeSet<&'static str>>,
    /// Its keys are names the writer chose: none is unknown.
    open: Cell<bool>,
}

impl<'t, 's> SourceTable<'t, 's> {
    /// The line the table begins on.
    pub fn line(&self) -> usize {
        self.line
    }

    fn path_of(&self, key: &str) -> String {
        if self.path.is_empty() { key.into() } else { format!("{}.{key}", self.path) }
    }

    fn get(&self, key: &'static str) -> Option<&'t Spanned<DeValue<'s>>> {
        self.known.borrow_mut().insert(key);
        self.notes.asked.borrow_mut().insert(self.path_of(key));
        self.table.iter().find(|(name, _)| name.get_ref() == key).map(|(_, value)| value)
    }

    /// Notes a flaw at a key of this table.
    pub fn flaw(&self, line: usize, key: &str, wrong: impl Into<String>, fix: impl Into<String>) {
        self.notes.flaw(line, &self.path_of(key), wrong, fix);
    }

    fn taken<T>(
        &self,
        key: &'static str,
        wanted: &str,
        take: impl FnOnce(&'t DeValue<'s>) -> Result<T, Option<String>>,
    ) -> Option<Lined<T>> {
        let value = self.get(key)?;
        let line = self.notes.line(value.span().start);
        match take(value.get_ref()) {
            Ok(value) => Some(Lined { value, line }),
            Err(wrong) => {
                let found = wrong.unwrap_or_else(|| format!("this is {}", a(value.get_ref().type_str())));
                self.flaw(line, key, found, format!("write {wanted}"));
                None
            }
        }
    }

    /// A text.
    pub fn text(&self, key: &'static str) -> Option<Lined<String>> {
        self.taken(key, "a text in quotes", |value| match value {
            DeValue::String(text) if text.trim().is_empty() => Err(Some("this text is empty".into())),
            DeValue::String(text) => Ok(text.trim().to_string()),
            _ => Err(None),
        })
    }

    /// A text that is one of several words.
    pub fn word<T: Copy>(&self, key: &'static str, words: &[(&str, T)]) -> Option<Lined<T>> {
        let list = words.iter().map(|(word, _)| format!("\"{word}\"")).collect::<Vec<_>>().join(", ");
        self.taken(key, &format!("one of {list}"), |value| match value {
            DeValue::String(text) => {
                let found = words.iter().find(|(word, _)| *word == text.trim());
                found.map(|(_, value)| *value).ok_or_else(|| {
                    let near = text::nearest(text, words.iter().map(|(word, _)| *word));
                    let near = near.map(|near| format!(" (did you mean \"{near}\"?)")).unwrap_or_default();
                    Some(format!("\"{}\" is not known{near}", text::excerpt(text, 40)))
                })
            }
            _ => Err(None),
        })
    }

    /// A text that parses as something.
    pub fn parsed<T: FromStr>(&self, key: &'static str, wanted: &str) -> Option<Lined<T>> {
        self.taken(key, wanted, parse)
    }

    /// True or false.
    pub fn bool(&self, key: &'static str) -> Option<Lined<bool>> {
        self.taken(key, "true or false", |value| value.as_bool().ok_or(None))
    }

    /// A whole number.
    pub fn whole(&self, key: &'static str) -> Option<Lined<u64>> {
        self.taken(key, "a whole number that is not negative", |value| number(value))
    }

    /// A whole number that may be moved.
    pub fn knob(&self, key: &'static str) -> Option<Lined<Knob>> {
        self.movable(key, "a whole number, or { is = 2, from = 1, to = 5 } to let it be moved", number)
    }

    /// A text that parses as something that may be moved.
    pub fn parsed_knob<T>(&self, key: &'static str, wanted: &str) -> Option<Lined<Knob<T>>>
    where
        T: FromStr + Copy + Ord + fmt::Display,
    {
        self.movable(key, wanted, parse)
    }

    /// A value, alone if fixed, as `{ is, from, to }` if it may be moved.
    fn movable<T: Copy + Ord + fmt::Display>(
        &self,
        key: &'static str,
        wanted: &str,
        read: fn(&DeValue<'_>) -> Result<T, Option<String>>,
    ) -> Option<Lined<Knob<T>>> {
        self.taken(key, wanted, |value| match value {
            DeValue::Table(table) => {
                let part = |name: &str| {
                    let value = table.iter().find(|(key, _)| key.get_ref() == name).map(|(_, value)| value);
                    value.ok_or(Some(format!("`{name}` is missing"))).and_then(|value| read(value.get_ref()))
                };
                if let Some((other, _)) =
                    table.iter().find(|(key, _)| !["is", "from", "to"].contains(&key.get_ref().as_ref()))
                {
                    return Err(Some(format!("`{}` is not known here", other.get_ref())));
                }
                let knob = Knob { is: part("is")?, from: part("from")?, to: part("to")? };
                if knob.from <= knob.is && knob.is <= knob.to {
                    Ok(knob)
                } else {
                    Err(Some(format!("{} is not between {} and {}", knob.is, knob.from, knob.to)))
                }
            }
            other => read(other).map(Knob::fixed),
        })
    }

    /// A list of texts.
    pub fn texts(&self, key: &'static str) -> Option<Lined<Vec<String>>> {
        self.taken(key, "a list of texts in quotes", |value| {
            let items = value.as_array().ok_or(None)?.iter();
            let text =
                |item: &Spanned<DeValue<'_>>| item.get_ref().as_str().map(|text| text.trim().to_string());
            let texts: Option<Vec<String>> = items.map(text).collect();
            texts.ok_or(Some("an item of this list is not a text".into()))
        })
    }

    /// A list of whole numbers.
    pub fn wholes(&self, key: &'static str) -> Option<Lined<Vec<u64>>> {
        self.taken(key, "a list of whole numbers such as [3, 5, 7]", |value| {
            value.as_array().ok_or(None)?.iter().map(|item| number(item.get_ref())).collect()
        })
    }

    /// A table inside.
    pub fn table(&self, key: &'static str) -> Option<SourceTable<'t, 's>> {
        let table =
            self.taken(key, &format!("[{}]", self.path_of(key)), |value| value.as_table().ok_or(None))?;
        Some(self.inside(self.path_of(key), table.value, table.line))
    }

    /// The tables of a list, `[[key]]`.
    pub fn tables(&self, key: &'static str) -> Vec<SourceTable<'t, 's>> {
        let wanted = format!("[[{}]]", self.path_of(key));
        let Some(list) = self.taken(key, &wanted, |value| value.as_array().ok_or(None)) else {
            return Vec::new();
        };
        let mut tables = Vec::new();
        for item in list.value.iter() {
            let line = self.notes.line(item.span().start);
            match item.get_ref().as_table() {
                Some(table) => tables.push(self.inside(self.path_of(key), table, line)),
                None => {
                    self.flaw(line, key, "an item of this list is not a table", format!("write {wanted}"))
                }
            }
        }
        tables
    }

    /// Every table of this table, by its key, whatever the keys are.
    pub fn named_tables(&self, wanted: &str) -> Vec<(Lined<String>, SourceTable<'t, 's>)> {
        self.open.set(true);
        let mut tables = Vec::new();
        for (name, value) in self.table.iter() {
            let line = self.notes.line(name.span().start);
            match value.get_ref().as_table() {
                Some(table) => {
                    let name = Lined { value: name.get_ref().to_string(), line };
                    tables.push((name.clone(), self.inside(self.path_of(&name.value), table, line)));
                }
                None => self.flaw(line, name.get_ref(), "this is not a table", format!("write {wanted}")),
            }
        }
        tables
    }

    /// Every text of this table, by its key, whatever the keys are.
    pub fn named_texts(&self, wanted: &str) -> Vec<(Lined<String>, String)> {
        self.open.set(true);
        let mut texts = Vec::new();
        for (name, value) in self.table.iter() {
            let line = self.notes.line(name.span().start);
            match value.get_ref().as_str().map(str::trim) {
                Some(text) if !text.is_empty() => {
                    texts.push((Lined { value: name.get_ref().to_string(), line }, text.to_string()));
                }
                Some(_) | None => {
                    self.flaw(line, name.get_ref(), "this is not a text", format!("write {wanted}"))
                }
            }
        }
        texts
    }

    /// Takes every key as known: this reading is only after some of them.
    pub(super) fn leave_open(&self) {
        self.open.set(true);
    }

    /// The table as it was parsed.
    pub(super) fn raw(&self) -> &'t DeTable<'s> {
        self.table
    }

    fn inside(&self, path: String, table: &'t DeTable<'s>, line: usize) -> SourceTable<'t, 's> {
        SourceTable { path, line, table, notes: self.notes, known: RefCell::default(), open: Cell::default() }
    }

    /// Notes every key that was not asked for. To be called last.
    pub fn finish(&self) {
        if self.open.get() {
            return;
        }
        let known = self.known.borrow();
        for (name, _) in self.table.iter() {
            let key = name.get_ref().as_ref();
            if !known.contains(key) {
                let near = text::nearest(key, known.iter().copied());
                let fix = match near {
                    Some(near) => meant(near),
                    None => format!("known here: {}", known.iter().copied().collect::<Vec<_>>().join(", ")),
                };
                self.flaw(self.notes.line(name.span().start), key, "this key is not known", fix);
            }
        }
    }
}

/// The remedy for a misspelt key.
pub(super) fn meant(key: &str) -> String {
    format!("did you mean `{key}`?")
}

fn parse<T: FromStr>(value: &DeValue<'_>) -> Result<T, Option<String>> {
    let written = match value {
        DeValue::String(text) => text.to_string(),
        DeValue::Float(number) => number.as_str().to_string(),
        DeValue::Integer(number) => number.to_string(),
        _ => return Err(None),
    };
    written.parse().map_err(|_| Some(format!("`{}` cannot be read", text::excerpt(&written, 40))))
}

fn number(value: &DeValue<'_>) -> Result<u64, Option<String>> {
    let number = value.as_integer().ok_or(None)?;
    u64::from_str_radix(number.as_str(), number.radix())
        .ok()
        .filter(|number| *number < 1 << 40) // some 35 years in milliseconds
        .ok_or_else(|| Some(format!("{number} is out of range")))
}

fn a(kind: &str) -> String {
    let article = if kind.starts_with(['a', 'e', 'i', 'o', 'u']) { "an" } else { "a" };
    format!("{article} {kind}")
}
