//! Few edits leave pieces unharmed: a quote in k + 1 pieces with at most k edits has at least one piece that stands in the text as
//! it is. So only the surroundings of its pieces have to be compared.

use std::ops::Range;

use super::PlainText;

/// The fewest characters of a piece. Shorter ones stand everywhere.
const PIECE_LEAST: u32 = 12;
/// The most pieces: each is searched for in the whole text.
const PIECES_MOST: u32 = 16;

/// How many edits this look is for.
pub(super) fn few(length: u32) -> u32 {
    (length / PIECE_LEAST).clamp(1, PIECES_MOST) - 1
}

/// The regions of a text in which a quote with at most `few` edits can stand; `None` if its pieces are so common that they say
/// nothing.
pub(super) fn regions(quote: &str, length: u32, few: u32, text: &PlainText) -> Option<Vec<Range<usize>>> {
    let hay = text.as_str();
    let reach = (length + 2 * few) as usize * text.widest();
    // If the surroundings came to a good part of the text, comparing all of it would be as cheap.
    let mut left = 4 + hay.len() / (4 * reach);
    let mut regions = Vec::new();
    for piece in split(quote, length, few + 1) {
        let finder = memchr::memmem::Finder::new(&quote[piece.clone()]);
        for hit in finder.find_iter(hay.as_bytes()) {
            left = left.checked_sub(1)?;
            // A hit that overlaps with this one is not told; it lies within the length of the piece.
            let slack = piece.len();
            let before = (piece.start + few as usize) * text.widest() + slack;
            let behind = (quote.len() - piece.start + few as usize) * text.widest() + slack;
            regions.push(around(hay, hit.saturating_sub(before), hit + behind));
        }
    }
    Some(joined(regions))
}

/// The quote in so many pieces of the same length, give or take a character.
fn split(quote: &str, length: u32, pieces: u32) -> Vec<Range<usize>> {
    let starts: Vec<usize> = quote.char_indices().map(|(at, _)| at).chain([quote.len()]).collect();
    let cut = |nth: u32| starts[(nth * length / pieces) as usize];
    (0..pieces).map(|nth| cut(nth)..cut(nth + 1)).collect()
}

/// A region widened to whole characters.
pub(super) fn around(text: &str, start: usize, end: usize) -> Range<usize> {
    text.floor_char_boundary(start)..text.ceil_char_boundary(end.min(text.len()))
}

/// Regions in order, those that touch as one.
pub(super) fn joined(mut regions: Vec<Range<usize>>) -> Vec<Range<usize>> {
    regions.sort_unstable_by_key(|region| region.start);
    let mut joined: Vec<Range<usize>> = Vec::with_capacity(regions.len());
    for region in regions {
        match joined.last_mut() {
            Some(before) if region.start <= before.end => before.end = before.end.max(region.end),
            Some(_) | None => joined.push(region),
        }
    }
    joined
}
