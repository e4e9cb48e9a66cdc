//! Text as quotes are compared: NFC, every run of white space as one blank, and which line each place came from.

use unicode_normalization::{IsNormalized, UnicodeNormalization as _, is_nfc_quick};

use crate::kernel::prose::token::is_plain;

/// A text made ready to be searched. Line breaks of every kind, tabs and repeated blanks are one blank each.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct PlainText {
    text: String,
    /// Where each line begins in `text`. A line without words begins where the next one with words does, or one before.
    lines: Vec<u32>,
    /// The most bytes that one character takes.
    widest: usize,
}

impl PlainText {
    /// Makes a text ready. A byte order mark is not part of it.
    pub fn of(text: &str) -> Self {
        let text = text.strip_prefix('\u{feff}').unwrap_or(text);
        let mut plain = Self { text: String::with_capacity(text.len()), lines: Vec::new(), widest: 1 };
        let mut from = 0;
        for end in memchr::memchr_iter(b'\n', text.as_bytes()) {
            plain.add(&text[from..end]);
            from = end + 1;
        }
        if from < text.len() {
            plain.add(&text[from..]);
        }
        plain
    }

    /// The text.
    pub fn as_str(&self) -> &str {
        &self.text
    }

    /// How many lines it had, without the empty tail behind the last line break.
    pub fn line_count(&self) -> usize {
        self.lines.len()
    }

    /// The line in which a byte of the text stands, counted from 1.
    pub fn line_at(&self, byte: usize) -> usize {
        self.lines.partition_point(|start| *start as usize <= byte).max(1)
    }

    /// The most bytes that one of its characters takes: 1 if all are ASCII.
    pub(super) fn widest(&self) -> usize {
        self.widest
    }

    fn add(&mut self, line: &str) {
        let line = trimmed(line);
        if line.is_empty() {
            self.lines.push(self.text.len() as u32);
            return;
        }
        if !self.text.is_empty() {
            self.text.push(' ');
        }
        self.lines.push(self.text.len() as u32);
        match look(line) {
            Some(widest) => {
                self.text.push_str(line);
                self.widest = self.widest.max(widest);
            }
            None => self.add_slowly(line),
        }
    }

    fn add_words(&mut self, line: &str) {
        for (nth, word) in line.split_whitespace().enumerate() {
            if nth > 0 {
                self.text.push(' ');
            }
            self.text.push_str(word);
        }
    }

    /// A line with other white space, or with characters that need a look into the tables. Composing never crosses a line break.
    fn add_slowly(&mut self, line: &str) {
        let from = self.text.len();
        if line.is_ascii() || is_nfc_quick(line.chars()) == IsNormalized::Yes {
            self.add_words(line);
        } else {
            self.add_words(&line.nfc().collect::<String>());
        }
        if self.widest < 4 {
            let added = self.text[from..].chars().map(char::len_utf8).max().unwrap_or(1);
            self.widest = self.widest.max(added);
        }
    }
}

/// Most lines end in something to be seen, and many begin so.
fn trimmed(line: &str) -> &str {
    let seen = |byte: Option<&u8>| byte.is_some_and(u8::is_ascii_graphic);
    let bytes = line.as_bytes();
    if seen(bytes.first()) && seen(bytes.last()) { line } else { line.trim() }
}

/// The bytes of its widest character, if a line is plain already: single blanks, no other white space, nothing to compose.
fn look(line: &str) -> Option<usize> {
    let (last, bytes) = line.as_bytes().split_last()?;
    let (mut odd, mut all, mut twice) = (*last < b' ', *last, false);
    // A plain loop without a way out, so that the compiler takes many bytes at a time. No byte but a blank is one of its bits.
    for (byte, next) in bytes.iter().zip(&line.as_bytes()[1..]) {
        odd |= *byte < b' ';
        all |= *byte;
        twice |= *byte | *next == b' ';
    }
    match (odd | twice, all < 0x80) {
        (false, true) => Some(1),
        (false, false) => look_at_wide(line),
        (true, _) => None,
    }
}

fn look_at_wide(line: &str) -> Option<usize> {
    let leads = line.bytes().fold(0, |leads, byte| leads.max(LEADS[usize::from(byte)]));
    if leads <= 4 {
        return Some(usize::from(leads));
    }
    line.chars()
        .filter(|c| !c.is_ascii())
        .try_fold(1, |widest, c| is_settled(c).then(|| c.len_utf8().max(widest)))
}

/// The width of characters by their first byte, if all that begin so are settled (Latin, Cyrillic, Chinese, most of Korean), else more
/// than any width.
const LEADS: [u8; 256] = {
    let mut leads = [0; 256];
    let mut byte = 0;
    while byte < 256 {
        leads[byte] = match byte {
            0..=0xbf => 1,
            0xc3..=0xcb | 0xd0 | 0xd1 => 2,
            0xe4..=0xe9 | 0xeb | 0xec => 3,
            _ => 5,
        };
        byte += 1;
    }
    leads
};

/// Characters beyond ASCII that are no white space and that NFC leaves alone, whichever of them stand together. They are nearly
/// all that is written.
fn is_settled(c: char) -> bool {
    matches!(c, '\u{a1}'..='\u{2ff}' | '\u{2010}'..='\u{2027}' | '\u{2030}'..='\u{205e}' | '\u{2190}'..='\u{2328}'
        | '\u{2500}'..='\u{27bf}' | '\u{1f300}'..='\u{1faff}')
        || is_plain(c)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn settled_characters_are_settled() {
        let by_lead = |c: char| LEADS[usize::from(c.to_string().as_bytes()[0])] as usize == c.len_utf8();
        let settled = || ('\u{80}'..=char::MAX).filter(|c| is_settled(*c) || by_lead(*c));
        assert!(settled().count() > 30_000);
        for c in settled() {
            assert!(!c.is_whitespace(), "{c:?}");
            assert_eq!(is_nfc_quick([c].into_iter()), IsNormalized::Yes, "{c:?}");
            assert_eq!(unicode_normalization::char::canonical_combining_class(c), 0, "{c:?}");
        }
    }
}
