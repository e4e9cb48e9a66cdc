//! Where a quote was found, and how like it that is.

use serde::{Deserialize, Serialize};

use super::altered::goes_on;
use super::{Needle, PRECISE_ABOVE, PlainText, QUOTE_LEAST, TextMatch, VERIFIED_ABOVE};
use crate::kernel::{Ratio, words};

/// The part of a file that is nearest to a quote.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct QuoteFinding {
    /// The fewest characters that must be inserted, removed or replaced to make the quote a part of the text.
    pub distance: u32,
    /// The line in which the part begins, counted from 1.
    pub first_line: u32,
    /// The line in which it ends.
    pub last_line: u32,
    /// The characters of the quote, white space collapsed.
    pub length: u32,
    /// The part itself, white space collapsed. Words that it cuts at its ends are whole.
    pub text: String,
}

impl QuoteFinding {
    /// Finds a quote in a text whose first line has this number.
    pub(super) fn find(needle: &Needle, text: &str, first: u32, most: u32) -> Option<Self> {
        let length = needle.length();
        if let Some(place) = needle.find_raw(text) {
            let breaks = |part: &str| memchr::memchr_iter(b'\n', part.as_bytes()).count() as u32;
            let first_line = first + breaks(&text[..place.start]);
            let last_line = first_line + breaks(&text[place.clone()]);
            let whole = whole_words(text, place.start, place.end);
            let text = match whole.len() == place.len() {
                true => needle.as_str().into(),
                false => PlainText::of(whole).as_str().into(),
            };
            return Some(Self { distance: 0, first_line, last_line, length, text });
        }
        let text = PlainText::of(text);
        let TextMatch { distance, start, end } = needle.find(&text, most)?;
        let line = |byte| first + text.line_at(byte) as u32 - 1;
        Some(Self {
            distance,
            first_line: line(start),
            last_line: line(end.saturating_sub(1).max(start)),
            length,
            text: whole_words(text.as_str(), start, end).to_string(),
        })
    }

    /// One less the distance over the length of the quote.
    pub fn similarity(&self) -> Ratio {
        Ratio::new(self.length.saturating_sub(self.distance), self.length.max(1)).unwrap_or(Ratio::ONE)
    }

    /// Whether it is near enough to be that quote.
    pub fn is_verified(&self) -> bool {
        self.similarity() > VERIFIED_ABOVE
    }

    /// Whether it was copied with care, and is long enough for that to mean something.
    pub fn is_precise(&self) -> bool {
        self.proves() && self.similarity() > PRECISE_ABOVE
    }

    /// Whether the quote is long enough to say more than that the file exists.
    pub fn proves(&self) -> bool {
        self.length >= QUOTE_LEAST
    }
}

/// The most characters that a word is completed by on either side. What goes on for longer is not a word.
const COMPLETED_MOST: usize = 24;

/// A part of a text with the words and numbers whole in which it begins and ends: `ot safe` is `not safe`, `5 users` is `1.5 users`. A
/// blank at an end belongs to a word that was replaced, so that word is taken in. Whoever searches the result finds the same again.
fn whole_words(text: &str, start: usize, end: usize) -> &str {
    let mut from = start;
    let mut behind = text[start..end].chars().next();
    let mut before_it = text[..start].char_indices().rev().take(COMPLETED_MOST).peekable();
    while let Some((at, c)) = before_it.next() {
        let next = before_it.peek().map(|(_, c)| *c);
        if !behind.is_some_and(|behind| belongs(c, behind, next)) {
            break;
        }
        (from, behind) = (at, Some(c));
    }
    let mut to = end;
    let mut before = text[start..end].chars().next_back();
    let mut behind_it = text[end..].chars().take(COMPLETED_MOST).peekable();
    while let Some(c) = behind_it.next() {
        let next = behind_it.peek().copied();
        if !before.is_some_and(|before| belongs(c, before, next)) {
            break;
        }
        (to, before) = (to + c.len_utf8(), Some(c));
    }
    &text[from..to]
}

/// Whether a character belongs to what it stands beside; `next` is the one beyond it.
fn belongs(c: char, beside: char, next: Option<char>) -> bool {
    let digit = |c: char| c.is_ascii_digit();
    let in_number = matches!(c, '.' | ',') && digit(beside) && next.is_some_and(digit);
    let of_number = digit(c) && matches!(beside, '.' | ',');
    let replaced = beside.is_whitespace() && !c.is_whitespace();
    goes_on(c, beside) || in_number || of_number || replaced
}

/// The most edits of a quote of this length that is still verified.
pub(super) fn edits_most(length: u32) -> u32 {
    // Similarity above 4/5 is a distance below a fifth.
    (length - 1) / 5
}

words!(struct QuoteFinding { text | distance, first_line, last_line, length });
