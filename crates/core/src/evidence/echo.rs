//! Whether words only say again what others said before.
//!
//! A text is known by the numbers of its runs of three words. They tell that two texts share words, and not what the words are, so a
//! finding can carry those of cited lines without carrying the lines.

use std::collections::BTreeSet;

use crate::kernel::text;

/// Words of a run: two stand together in many texts by chance, three rarely do.
const RUN: usize = 3;
/// The most numbers that are kept of one text. The smallest are a fair sample of all.
const MARKS_MOST: usize = 32;

/// Every run of three words in a text, as numbers; the whole text if it has fewer words.
pub fn marks_of(text: &str) -> BTreeSet<u32> {
    let folded = text::fold(text);
    let words: Vec<&str> = text::words(&folded).collect();
    let number = |run: &[&str]| {
        let number = text::number(&run.join(" "));
        (number ^ (number >> 32)) as u32 // half of it is enough, and every reader of JSON can hold it
    };
    match words.len() {
        0 => BTreeSet::new(),
        1..RUN => BTreeSet::from([number(&words)]),
        _ => words.windows(RUN).map(number).collect(),
    }
}

/// A sample of them that is small enough to be recorded.
pub fn sample_of(text: &str) -> Vec<u32> {
    marks_of(text).into_iter().take(MARKS_MOST).collect()
}

/// Whether at least half of a text stands in what is known already: a quote that is widened by some words says nothing new.
pub fn echoes<'a>(own: impl IntoIterator<Item = &'a u32>, known: &BTreeSet<u32>) -> bool {
    let (mut shared, mut all) = (0_usize, 0_usize);
    for mark in own {
        all += 1;
        shared += usize::from(known.contains(mark));
    }
    all > 0 && 2 * shared >= all
}
