//! A sentence at a glance: enough to tell that it surely does not say what another says, at a fraction of what
//! reading it takes. Most pairs of sentences have nothing in common, and a large council has very many pairs.
//!
//! A sketch never says that two sentences are alike. Where it cannot tell, both have to be read.

use super::likeness::{Prose, figure, figure_bit, gram_bit, grams};
use super::token::{Token, folded, is_unspaced, tokens};
use super::words::{denies, stem};

/// What can be told of the grams of a sentence without reading what it denies.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Sketch {
    /// A bit for each figure it gives.
    figures: u64,
    /// A bit for each gram it may have.
    seal: [u64; 8],
    /// It has at least so many different grams, and at most so many.
    least: usize,
    most: usize,
}

/// Of a sentence that has to be read.
const UNKNOWN: Sketch = Sketch { figures: 0, seal: [u64::MAX; 8], least: 0, most: usize::MAX };

impl Sketch {
    pub(crate) fn of(sentence: &str) -> Self {
        // A script without blanks is told by its first letter, and has to be read.
        if sentence.chars().find(|c| c.is_alphabetic()).is_some_and(is_unspaced) {
            return UNKNOWN;
        }
        let folded = folded(sentence);
        let mut sketch = Self { figures: 0, seal: [0; 8], least: 0, most: 0 };
        // Grams of words that deny are left out when the sentence is read, or only their stems stay.
        let mut doubtful = 0;
        for token in tokens(&folded) {
            let (Token::Word(word) | Token::Part(word)) = token else {
                match token {
                    // Which letters of a run deny is told by reading it.
                    Token::Run(_) => return UNKNOWN,
                    Token::Word(_) | Token::Part(_) | Token::Break | Token::Stop => continue,
                }
            };
            let before = sketch.most;
            grams(word, |gram| sketch.take(gram));
            sketch.figures |= figure(word).map_or(0, figure_bit);
            if denies(word).is_some() {
                if let Some(stem) = stem(word) {
                    grams(stem, |gram| sketch.take(gram));
                }
                doubtful += sketch.most - before;
            }
        }
        if sketch.most == 0 {
            return UNKNOWN; // signs alone, which are compared otherwise
        }
        let bits: u32 = sketch.seal.iter().map(|bits| bits.count_ones()).sum();
        sketch.least = (bits as usize).saturating_sub(doubtful);
        sketch
    }

    fn take(&mut self, gram: u64) {
        let (at, bit) = gram_bit(gram);
        self.seal[at] |= bit;
        self.most += 1;
    }

    /// Whether a text surely does not share so much with this sentence that it would repeat it.
    pub(crate) fn surely_new(&self, one: &Prose) -> bool {
        let (own, bits, figures) = one.at_a_glance();
        // Each gives a figure that the other does not.
        if figures & !self.figures != 0 && self.figures & !figures != 0 {
            return true;
        }
        // Half of both is shared by two texts of which one repeats the other: see `Prose::repeats`.
        if own > self.most.saturating_mul(3) || self.least > own * 3 {
            return true;
        }
        let lacking: u32 = bits.iter().zip(&self.seal).map(|(own, held)| (own & !held).count_ones()).sum();
        4 * own.saturating_sub(lacking as usize) < own + self.least
    }
}
