//! A sentence at a glance: enough to tell that it surely does not say what another says, at a fraction of what
//! reading it takes. Most pairs of sentences have nothing in common, and a large council has very many pairs.
//!
//! A sketch never says that two sentences are alike. Where it cannot tell, both have to be read.

use super::super::text::number_of;
use super::likeness::{Prose, figure, figure_bit, gram_bit, grams};
use super::token::{Token, ascii_words, figures, folded, is_unspaced, tokens};
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

/// A bit for each figure that a text gives. Where two texts each have one that the other has not, neither repeats the
/// other, and nothing more need be known of them.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct FigureBits(u64);

impl FigureBits {
    pub(crate) fn of(text: &str) -> Self {
        if let Some(figures) = figures(text) {
            let lower = |figure: &str| number_of(figure.bytes().map(|byte| byte.to_ascii_lowercase()));
            return Self(figures.into_iter().fold(0, |bits, figure| bits | figure_bit(lower(figure))));
        }
        let folded = folded(text);
        let words = tokens(&folded).filter_map(word);
        Self(words.fold(0, |bits, word| bits | figure(word).map_or(0, figure_bit)))
    }

    /// Whether a text surely gives another figure than this, and this than it.
    pub(crate) fn surely_part(self, one: &Prose) -> bool {
        let (_, _, figures) = one.at_a_glance();
        figures & !self.0 != 0 && self.0 & !figures != 0
    }
}

fn word(token: Token<'_>) -> Option<&str> {
    match token {
        Token::Word(word) | Token::Part(word) => Some(word),
        Token::Run(_) | Token::Break | Token::Stop => None,
    }
}

impl Sketch {
    pub(crate) fn of(sentence: &str) -> Self {
        if sentence.is_ascii() {
            let folded = sentence.to_ascii_lowercase();
            return Self::of_words(ascii_words(&folded).map(|(word, _)| word));
        }
        // A script without blanks is told by its first letter, and has to be read.
        if sentence.chars().find(|c| c.is_alphabetic()).is_some_and(is_unspaced) {
            return UNKNOWN;
        }
        let folded = folded(sentence);
        // Which letters of a run deny is told by reading it.
        if tokens(&folded).any(|token| matches!(token, Token::Run(_))) {
            return UNKNOWN;
        }
        Self::of_words(tokens(&folded).filter_map(word))
    }

    fn of_words<'a>(words: impl Iterator<Item = &'a str>) -> Self {
        let mut sketch = Self { figures: 0, seal: [0; 8], least: 0, most: 0 };
        // Grams of words that deny are left out when the sentence is read, or only their stems stay.
        let mut doubtful = 0;
        for word in words {
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

#[cfg(test)]
mod tests {
    use super::super::likeness::{figure, figure_bit};
    use super::super::token::{ascii_words, folded, tokens};
    use super::{FigureBits, word};

    /// Texts of signs that words begin, go on and end with, in several scripts.
    fn texts(signs: &str, many: usize) -> impl Iterator<Item = String> {
        let signs: Vec<char> = signs.chars().collect();
        let mut state = 0x9E37_79B9_7F4A_7C15_u64;
        let mut next = move || {
            state ^= state << 13;
            state ^= state >> 7;
            state ^= state << 17;
            state as usize
        };
        (0..many).map(move |_| (0..1 + next() % 8).map(|_| signs[next() % signs.len()]).collect())
    }

    #[test]
    fn figures_are_the_words_that_begin_with_one() {
        for text in texts("15aZß.'’‘ -–。，：жЖ中过１Ａ²一½٣é\u{301}%(", 60_000) {
            let read = folded(&text);
            let bits =
                tokens(&read).filter_map(word).filter_map(figure).fold(0, |bits, one| bits | figure_bit(one));
            assert_eq!(FigureBits::of(&text), FigureBits(bits), "{text:?}");
        }
    }

    #[test]
    fn ascii_words_are_the_words_of_the_tokens() {
        for text in texts("15az.'' -,\n!(", 40_000) {
            let words: Vec<&str> = ascii_words(&text).map(|(word, _)| word).collect();
            assert_eq!(words, tokens(&text).filter_map(word).collect::<Vec<_>>(), "{text:?}");
        }
    }
}
