//! Text cut into sentences with their lines. What is quoted, struck out or code is blanked out; what states nothing by its form is
//! left out: headings, front matter, tables, open tasks.

use std::borrow::Cow;

use super::lists;
use crate::kernel::markup::{self, LineOwner, OwnedLine};
use crate::kernel::prose::phrase;
use crate::kernel::text;

/// Stands where something was quoted: one byte, so that places in the text stay.
pub(super) const QUOTED: char = '\u{1}';
/// A quotation of so many words is a name; a longer one is speech.
const NAME_WORDS: usize = 3;
/// The longest paragraph that is read, in bytes: what is longer without a break is data.
const PARAGRAPH_MOST: usize = 100_000;

/// A sentence as it stands in the text.
pub(super) struct SentencePlace {
    /// Without what was quoted.
    pub(super) text: String,
    /// As it was written.
    pub(super) written: String,
    /// Counted from 1.
    pub(super) line: u32,
}

/// The sentences of a text. Headings, quoted lines, tables, code, front matter and open tasks hold none.
pub(super) fn sentences(text: &str) -> Vec<SentencePlace> {
    let mut found = Vec::new();
    let mut paragraph = Paragraph::default();
    let matter = front_matter(text);
    for (at, line) in markup::owned_lines(text).enumerate().skip(matter) {
        let bare = line.line.trim();
        if states_nothing(&line, bare) {
            paragraph.close(&mut found);
            continue;
        }
        if is_underline(bare) && !paragraph.text.is_empty() {
            paragraph.end_at_underline(line.line.starts_with([' ', '\t']), &mut found);
            continue;
        }
        let item = list_item(bare);
        let (item, is_open) = task(item, item.len() < bare.len());
        let setting = is_setting(item);
        let is_item = item.len() < bare.len();
        if is_item || setting || paragraph.text.len() > PARAGRAPH_MOST {
            paragraph.close(&mut found);
        }
        paragraph.add(item, at as u32 + 1, is_item, is_open);
        if setting {
            paragraph.close(&mut found);
        }
    }
    paragraph.close(&mut found);
    found
}

/// Whether a line is not prose of its author. What goes on right below a quote belongs to it.
fn states_nothing(line: &OwnedLine<'_>, bare: &str) -> bool {
    line.owner != LineOwner::Author
        || line.trails_quote
        || bare.is_empty()
        || bare.starts_with(['#', '|', '<'])
}

/// How many lines the front matter takes with which a text may begin, its marks included.
fn front_matter(text: &str) -> usize {
    let mut lines = text.lines();
    if lines.next().is_none_or(|first| first.trim_end() != "---") {
        return 0;
    }
    lines.position(|line| matches!(line.trim_end(), "---" | "...")).map_or(0, |at| at + 2)
}

/// Whether a line makes a heading of the lines above it.
fn is_underline(bare: &str) -> bool {
    bare.len() > 1 && (bare.bytes().all(|byte| byte == b'=') || bare.bytes().all(|byte| byte == b'-'))
}

/// An item without the box of a task, and whether the task is still to be done.
fn task(item: &str, is_item: bool) -> (&str, bool) {
    let behind = |mark: &str| item.strip_prefix(mark).filter(|_| is_item);
    match (behind("[ ] "), behind("[x] ").or_else(|| behind("[X] "))) {
        (Some(task), _) => (task, true),
        (None, Some(task)) => (task, false),
        (None, None) => (item, false),
    }
}

/// A line without the sign that makes it an item of a list.
fn list_item(line: &str) -> &str {
    let bullet = ["- ", "* ", "+ ", "• "].iter().find_map(|mark| line.strip_prefix(mark));
    let numbered = || {
        let rest = line.trim_start_matches(|c: char| c.is_ascii_digit());
        let digits = line.len() - rest.len();
        let item = rest.strip_prefix(". ").or_else(|| rest.strip_prefix(") "))?;
        // `3. Mai` may begin a line.
        let date =
            item.split_whitespace().next().is_some_and(|word| lists::month(&text::fold(word)).is_some());
        ((1..=3).contains(&digits) && !date).then_some(item)
    };
    bullet.or_else(numbered).map_or(line, str::trim_start)
}

/// Whether a line sets something: `timeout = 30 s`, `Port: 8080`.
fn is_setting(line: &str) -> bool {
    let key = line.split_once(" = ").or_else(|| line.split_once('=')).or_else(|| line.split_once(": "));
    key.is_some_and(|(key, value)| {
        line.len() <= 80
            && key.split_whitespace().count() <= 4
            && !key.contains(['.', ',', '"'])
            && !value.contains('=')
    })
}

/// Lines that belong together, joined.
#[derive(Default)]
struct Paragraph {
    text: String,
    /// Where each line begins, and its number.
    starts: Vec<(usize, u32)>,
    is_item: bool,
    /// It is a task that is still to be done.
    is_open: bool,
}

impl Paragraph {
    fn add(&mut self, line: &str, number: u32, is_item: bool, is_open: bool) {
        match self.text.is_empty() {
            true => (self.is_item, self.is_open) = (is_item, is_open),
            false => self.text.push(' '),
        }
        self.starts.push((self.text.len(), number));
        self.text.push_str(line);
    }

    /// A line of `===` or `---` below makes it a heading; below an item of a list it is a rule between two parts.
    fn end_at_underline(&mut self, indented: bool, found: &mut Vec<SentencePlace>) {
        match self.is_item && !indented {
            true => self.close(found),
            false => *self = Self::default(),
        }
    }

    /// Its sentences, and an empty one in its place.
    fn close(&mut self, found: &mut Vec<SentencePlace>) {
        let Self { text, starts, is_open, .. } = std::mem::take(self);
        if text.is_empty() || is_open {
            return;
        }
        let blanked = blanked(&without_struck(&text));
        let mut pending: Option<(usize, usize)> = None;
        let mut put = |(from, to): (usize, usize)| {
            let line = starts[starts.partition_point(|(start, _)| *start <= from) - 1].1;
            // A blanked letter of several bytes leaves places inside it.
            let written = &text[text.floor_char_boundary(from)..text.ceil_char_boundary(to)];
            found.push(SentencePlace { text: blanked[from..to].into(), written: written.into(), line });
        };
        for sentence in phrase::sentences(&blanked) {
            let from = sentence.as_ptr() as usize - blanked.as_ptr() as usize;
            let to = from + sentence.len();
            match pending {
                Some((start, end)) if goes_on(&blanked[start..end], sentence) => pending = Some((start, to)),
                Some(whole) => {
                    put(whole);
                    pending = Some((from, to));
                }
                None => pending = Some((from, to)),
            }
        }
        if let Some(whole) = pending {
            put(whole);
        }
    }
}

/// Whether a full stop did not end a sentence: `3. Mai`, `Dr. Mara`.
fn goes_on(before: &str, after: &str) -> bool {
    let Some(bare) = before.strip_suffix('.') else { return false };
    let last = bare.rsplit(|c: char| c.is_whitespace()).next().unwrap_or_default();
    let day = last.len() <= 2 && !last.is_empty() && last.bytes().all(|byte| byte.is_ascii_digit());
    let month =
        || lists::month(&text::fold(after.split(|c: char| !c.is_alphabetic()).next().unwrap_or_default()));
    let short = ["dr", "mr", "mrs", "ms", "st", "ca", "nr", "no", "prof", "hr", "fr", "z", "bzw", "approx"];
    (day && month().is_some()) || short.contains(&text::fold(last).as_str())
}

/// The text with what is struck out (`~~`) blanked, byte for byte in the same places.
fn without_struck(text: &str) -> Cow<'_, str> {
    let mut out = String::new();
    let mut rest = text;
    while let Some((before, inner)) = rest.split_once("~~") {
        let Some((struck, behind)) = inner.split_once("~~") else { break };
        out.push_str(before);
        "~~".chars().chain(struck.chars()).chain("~~".chars()).for_each(|c| blank_into(&mut out, c));
        rest = behind;
    }
    if out.is_empty() {
        return text.into();
    }
    out.push_str(rest);
    out.into()
}

/// The text with quotations and code blanked out, byte for byte in the same places. A quoted name stays.
fn blanked(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(at) = rest.find(['"', '“', '„', '«', '»', '`', '”']) {
        let (before, from) = rest.split_at(at);
        out.push_str(before);
        let open = from.chars().next().unwrap_or(' ');
        let inner = &from[open.len_utf8()..];
        // Five feet six: 5'6".
        let inches = open == '"' && before.ends_with(|c: char| c.is_ascii_digit());
        let closing: &[char] = match open {
            '“' => &['”', '“'],
            '„' => &['“', '”'],
            '«' => &['»'],
            '»' => &['«'],
            '`' => &['`'],
            _ => &['"'],
        };
        blank_into(&mut out, open);
        if inches || open == '”' {
            rest = inner;
            continue;
        }
        let end = inner.find(closing).unwrap_or(inner.len());
        let quoted = &inner[..end];
        if is_name(quoted, open == '`') && end < inner.len() {
            out.push_str(quoted);
        } else {
            quoted.chars().for_each(|c| blank_into(&mut out, c));
            mark_last(&mut out);
        }
        rest = &inner[end..];
        if let Some(close) = rest.chars().next() {
            blank_into(&mut out, close);
            rest = &rest[close.len_utf8()..];
        }
    }
    out.push_str(rest);
    out
}

fn blank_into(out: &mut String, c: char) {
    out.extend(std::iter::repeat_n(' ', c.len_utf8()));
}

/// Puts the mark of a quotation over the last blank.
fn mark_last(out: &mut String) {
    if out.ends_with(' ') {
        out.pop();
        out.push(QUOTED);
    }
}

/// Whether what is quoted is a name or a value and not speech.
fn is_name(quoted: &str, code: bool) -> bool {
    let words = quoted.split_whitespace().count();
    // `"like trapped sunlight"` describes, `"The Grey Petrel"` names.
    let most = if !code && quoted.starts_with(char::is_uppercase) { NAME_WORDS } else { 1 };
    let strange =
        |c: char| !(c.is_alphanumeric() || c.is_whitespace() || matches!(c, '-' | '_' | '.' | ':' | '\''));
    if code && quoted.contains(strange) {
        return false;
    }
    (1..=most).contains(&words)
        && quoted.len() <= 60
        && !quoted.contains([',', '!', '?', ';'])
        && !quoted.ends_with('.')
}
