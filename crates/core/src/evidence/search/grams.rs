//! Where a quote cannot be: every edit harms at most four of its 4-grams, so where it stands with at most k edits, at least
//! `length - 3 - 4 k` of them stand close together.
//!
//! Grams of the text are counted in groups of 16, if they are among those of the quote by a bit of their hash. Both only count too
//! many, so nothing that matches is passed over.

use std::ops::Range;

use super::PlainText;
use super::pieces::{around, joined};

/// Characters of a gram.
const GRAM: usize = 4;
/// Grams of the text that are counted together.
const GROUP: usize = 16;
/// Bits by which grams are known. The longest quote takes 3 % of them.
const BITS: usize = 1 << 15;
/// Quotes of one block are compared as fast as grams are counted.
const LENGTH_LEAST: usize = 65;

/// The regions of a text in which a quote with at most `most` edits can stand.
pub(super) fn regions(quote: &str, length: u32, most: u32, text: &PlainText) -> Vec<Range<usize>> {
    let (hay, length, most) = (text.as_str(), length as usize, most as usize);
    let all = || std::iter::once(0..hay.len()).collect();
    // Where few grams have to be there they are there everywhere.
    let least = (length + 1).saturating_sub(GRAM * (most + 1));
    if length < LENGTH_LEAST || least * 10 < length {
        return all();
    }
    let codes = (text.widest() > 1).then(|| Codes::of(hay));
    let counts = match &codes {
        None => Known::of(quote.bytes().map(u16::from)).count(hay.as_bytes()),
        Some(codes) => Known::of(quote.chars().map(code)).count(&codes.codes),
    };
    // So many groups hold every part of the text that is as long as the quote with its edits.
    let span = (length + most - GRAM).div_ceil(GROUP) + 1;
    if counts.len() <= span {
        return all();
    }
    let start = |group: usize| match &codes {
        None => group * GROUP,
        Some(codes) => codes.starts.get(group).map_or(hay.len(), |start| *start as usize),
    };
    let mut found = Vec::new();
    let mut sum: usize = counts[..span].iter().map(|count| usize::from(*count)).sum();
    for first in 0..=counts.len() - span {
        if sum >= least {
            found.push(around(hay, start(first), start(first + span) + GRAM * text.widest()));
        }
        sum -= usize::from(counts[first]);
        sum += counts.get(first + span).map_or(0, |count| usize::from(*count));
    }
    joined(found)
}

/// Two bytes for each character. Characters that share them are taken for each other here, and only here.
fn code(c: char) -> u16 {
    c as u32 as u16
}

/// A text with two bytes for each character.
struct Codes {
    codes: Vec<u16>,
    /// Where each sixteenth character begins.
    starts: Vec<u32>,
}

impl Codes {
    fn of(text: &str) -> Self {
        let mut made = Self {
            codes: Vec::with_capacity(text.len()),
            starts: Vec::with_capacity(text.len() / GROUP + 1),
        };
        let mut rest = text;
        while !rest.is_empty() {
            let at = text.len() - rest.len();
            match rest.as_bytes().first_chunk::<GROUP>() {
                // Sixteen characters of ASCII are sixteen bytes, and one of them begins a group.
                Some(chunk) if chunk.is_ascii() => {
                    let next = made.codes.len().next_multiple_of(GROUP) - made.codes.len();
                    made.starts.push((at + next) as u32);
                    made.codes.extend(chunk.iter().map(|byte| u16::from(*byte)));
                    rest = &rest[GROUP..];
                }
                Some(_) | None => {
                    let end = rest.ceil_char_boundary(GROUP);
                    for (nth, c) in rest[..end].char_indices() {
                        if made.codes.len().is_multiple_of(GROUP) {
                            made.starts.push((at + nth) as u32);
                        }
                        made.codes.push(code(c));
                    }
                    rest = &rest[end..];
                }
            }
        }
        made
    }
}

/// The grams of a quote.
struct Known {
    bits: Box<[u64; BITS / 64]>,
}

impl Known {
    fn of(quote: impl Iterator<Item = u16>) -> Self {
        let mut known = Self { bits: Box::new([0; BITS / 64]) };
        for gram in quote.collect::<Vec<_>>().windows(GRAM) {
            let bit = bit(gram);
            known.bits[bit / 64] |= 1 << (bit % 64);
        }
        known
    }

    /// How many grams of each group of the text are among them.
    fn count<T: Copy + Into<u64>>(&self, text: &[T]) -> Vec<u8> {
        let has = |gram: &[T]| {
            let bit = bit(gram);
            (self.bits[bit / 64] >> (bit % 64) & 1) as u8
        };
        let mut counts = Vec::with_capacity(text.len() / GROUP + 1);
        let mut rest = text;
        while let Some(group) = rest.first_chunk::<{ GROUP + GRAM - 1 }>() {
            counts.push((0..GROUP).map(|at| has(&group[at..at + GRAM])).sum());
            rest = &rest[GROUP..];
        }
        if rest.len() >= GRAM {
            counts.push(rest.windows(GRAM).map(has).sum());
        }
        counts
    }
}

/// By which bit four characters are known.
#[inline(always)]
fn bit<T: Copy + Into<u64>>(gram: &[T]) -> usize {
    let word = gram[0].into() | gram[1].into() << 16 | gram[2].into() << 32 | gram[3].into() << 48;
    (word.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> (64 - BITS.trailing_zeros())) as usize
}
