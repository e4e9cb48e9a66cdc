//! The quote as it is, in a text as it is: where a text is ASCII nothing has to be made ready, and the search runs at about the
//! speed of memory.

use std::ops::Range;

/// What a search came to.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum ExactSearch {
    /// The first place, in bytes of the text as it is.
    Found(Range<usize>),
    /// It does not stand there.
    Absent,
    /// The text is not ASCII, or so much like the quote that another way is cheaper.
    Unknown,
}

/// Finds a quote whose blanks stand for any white space.
pub(super) fn search(quote: &str, text: &str) -> ExactSearch {
    if !text.is_ascii() {
        return ExactSearch::Unknown;
    }
    let (quote, text) = (quote.as_bytes(), text.as_bytes());
    let anchor = longest_word(quote);
    let finder = memchr::memmem::Finder::new(&quote[anchor.clone()]);
    let (mut from, mut left) = (0, 4 * text.len() + quote.len());
    while let Some(at) = finder.find(&text[from..]).map(|at| from + at) {
        let start = agreed(quote[..anchor.start].iter().rev(), text[..at].iter().rev(), &mut left);
        let end = agreed(quote[anchor.end..].iter(), text[at + anchor.len()..].iter(), &mut left);
        match (start, end) {
            (Some(before), Some(behind)) => {
                return ExactSearch::Found(at - before..at + anchor.len() + behind);
            }
            _ if left == 0 => return ExactSearch::Unknown,
            _ => from = at + 1,
        }
    }
    ExactSearch::Absent
}

/// The longest run of a quote without a blank: the rarest part of it, as a rule.
fn longest_word(quote: &[u8]) -> Range<usize> {
    let mut longest = 0..0;
    let mut start = 0;
    for end in memchr::memchr_iter(b' ', quote).chain([quote.len()]) {
        if end - start > longest.len() {
            longest = start..end;
        }
        start = end + 1;
    }
    longest
}

/// How many bytes of a text agree with all of a quote, if they do. `left` bounds what is compared in all.
fn agreed<'a>(
    quote: impl Iterator<Item = &'a u8>,
    text: impl Iterator<Item = &'a u8>,
    left: &mut usize,
) -> Option<usize> {
    let mut text = text.peekable();
    let mut taken = 0;
    for wanted in quote {
        let before = taken;
        if *wanted == b' ' {
            while text.next_if(|byte| char::from(**byte).is_whitespace()).is_some() {
                taken += 1;
            }
        } else if text.next_if(|byte| *byte == wanted).is_some() {
            taken += 1;
        }
        *left = left.saturating_sub(1 + taken - before);
        if taken == before || *left == 0 {
            return None;
        }
    }
    Some(taken)
}
