//! Finding words in a text although some of their characters differ.
//!
//! The distance of a quote in a text is the fewest characters that must be inserted, removed or replaced to make the quote a part of
//! the text. Three looks, each only if the one before found nothing, and together linear in the text:
//!
//! 1. The quote itself, at about the speed of memory (`memmem`; `exact` where the text need not even be made ready).
//! 2. Few edits: of k + 1 pieces of the quote one is unharmed by k edits, so only the surroundings of the pieces are compared
//!    (`pieces`).
//! 3. All edits that are allowed: where too few of the quote's 4-grams stand close together the quote cannot be (`grams`).
//!
//! What is left to be compared is compared 64 characters of the quote at a time (`blocks`). No look loses a match: a test holds
//! distance and place against plain dynamic programming. Hostile text (one character, repeated) makes the filters useless, never the
//! work larger than one comparison of the whole text.

mod blocks;
mod exact;
mod grams;
mod pieces;

use std::ops::Range;

use super::{PlainText, QUOTE_MOST};
use blocks::Blocks;
use exact::ExactSearch;

/// Why words cannot be searched for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum QuoteFlaw {
    /// There are none.
    #[error("the quote is empty")]
    Empty,
    /// There are too many of them.
    #[error(
        "the quote has {length} characters, and up to {QUOTE_MOST} are searched for: cite the lines instead"
    )]
    TooLong {
        /// Its characters.
        length: usize,
    },
}

/// Words to be searched for, ready for any number of texts.
#[derive(Debug, Clone)]
pub struct Needle {
    text: String,
    length: u32,
    blocks: Blocks,
}

/// Where words stand in a text, or something like them.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct TextMatch {
    /// The fewest edits that make the quote a part of the text.
    pub distance: u32,
    /// The first byte of that part in the plain text.
    pub start: usize,
    /// The byte behind its last.
    pub end: usize,
}

impl Needle {
    /// Takes words as somebody wrote them.
    pub fn new(quote: &str) -> Result<Self, QuoteFlaw> {
        let text = PlainText::of(quote).as_str().to_string();
        match text.chars().count() {
            0 => Err(QuoteFlaw::Empty),
            length if length > QUOTE_MOST => Err(QuoteFlaw::TooLong { length }),
            length => Ok(Self { length: length as u32, blocks: Blocks::new(&text), text }),
        }
    }

    /// The words as they are compared.
    pub fn as_str(&self) -> &str {
        &self.text
    }

    /// Their length in characters.
    pub fn length(&self) -> u32 {
        self.length
    }

    /// Where the quote stands without an edit in a text that was not made ready, in bytes of that text. `None` if that cannot be
    /// told at little cost; it may stand there all the same.
    pub(super) fn find_raw(&self, text: &str) -> Option<Range<usize>> {
        match exact::search(&self.text, text) {
            ExactSearch::Found(place) => Some(place),
            ExactSearch::Absent | ExactSearch::Unknown => None,
        }
    }

    /// The part of the text that is nearest to the quote, if at most this many edits are needed. Of parts that are equally near
    /// it is the one that ends first, and of those the longest.
    pub fn find(&self, text: &PlainText, most: u32) -> Option<TextMatch> {
        let hay = text.as_str();
        if let Some(start) = memchr::memmem::find(hay.as_bytes(), self.text.as_bytes()) {
            return Some(TextMatch { distance: 0, start, end: start + self.text.len() });
        }
        // More edits than that would make nothing out of it.
        let most = most.min(self.length - 1);
        if most == 0 {
            return None;
        }
        let few = pieces::few(self.length).min(most);
        if few > 0
            && let Some(regions) = pieces::regions(&self.text, self.length, few, text)
        {
            let found = self.nearest(text, &regions, few);
            if found.is_some() || few == most {
                return found;
            }
        }
        let regions = grams::regions(&self.text, self.length, most, text);
        self.nearest(text, &regions, most)
    }

    /// The nearest part that lies in one of these regions of the text.
    fn nearest(&self, text: &PlainText, regions: &[Range<usize>], most: u32) -> Option<TextMatch> {
        let mut best = None;
        let mut scan = self.blocks.scan(most);
        for region in regions {
            let part = &text.as_str()[region.clone()];
            if let Some((distance, end)) = scan.run(part, text.widest() == 1) {
                best = Some((distance, region.start + end));
            }
        }
        best.map(|(distance, end)| {
            let start = self.start_of(&text.as_str()[..end], distance);
            TextMatch { distance, start, end }
        })
    }

    /// Where the longest part of the text begins that ends with it and is this far from the quote. The table is filled backwards
    /// from the end, for the few hundred characters that such a part can have.
    fn start_of(&self, text: &str, distance: u32) -> usize {
        let quote: Vec<char> = self.text.chars().rev().collect();
        let mut column: Vec<u32> = (0..=self.length).collect();
        let mut start = text.len();
        for ((at, c), length) in text.char_indices().rev().zip(1..=self.length + distance) {
            let mut diagonal = std::mem::replace(&mut column[0], length);
            for (row, wanted) in quote.iter().enumerate() {
                let change = diagonal + u32::from(*wanted != c);
                diagonal = column[row + 1];
                column[row + 1] = change.min(diagonal + 1).min(column[row] + 1);
            }
            if column[quote.len()] == distance {
                start = at;
            }
        }
        start
    }
}
