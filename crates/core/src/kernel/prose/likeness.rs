//! Likeness of texts, in any script: shared pieces of words, unless one denies what the other says.
//!
//! A text becomes the list of its letter triples (pairs in scripts without blanks), without the words that
//! deny; likeness is twice the shared over all (Dice). Four things make two texts unlike whatever they
//! share: one denies an odd number of times and the other an even one; each denies a word that the other
//! affirms (`Kafka, not Rabbit` and `Rabbit, not Kafka`); one accepts and the other rejects; each gives a
//! figure that the other does not.
//!
//! It compares words, not meaning: the same thought in other words is unlike. Opposites that `poles.rs` does not know
//! share most letters, so letters alone never make two texts say the same: `align.rs` goes through their words, and `signs.rs`
//! reads the signs beside them.
//!
//! `tests/pairs.jsonl` holds labelled pairs; a test of them prints how often "the same" is right.

use super::super::Permille;
use super::super::text::number as hash;
use super::Reading;
use super::align::aligned;
use super::phrase::SentenceContent;
use super::poles::Poles;
use super::signs::signs;
use super::token::{Token, folded, tokens};
use super::turned::turned;
use super::words::{Deny, InRun, PORTUGUESE, denies, in_run, seems, stem};

/// From here on two texts say the same.
const ALIKE: u32 = 600;

/// From here on two texts are held against each other word by word, to see whether one turns the other round: an
/// opposite shares no letters.
const TURNED: u32 = 450;

/// Below this a text brings something that the other does not have.
const NEW: u32 = 500;

/// A text of more grams is long.
const LONG: usize = 128;

/// After a denial so many words are denied by it.
const SCOPE: u32 = 2;

/// How like two texts are; the same text is 1000.
pub fn likeness(one: &str, other: &str) -> Permille {
    Prose::of(one).likeness(&Prose::of(other))
}

/// Whether two texts say the same in nearly the same words. Sooner no than yes: see `docs/modes.md` for how often it
/// is right.
pub fn same(one: &str, other: &str) -> bool {
    Prose::of(one).alike(&Prose::of(other))
}

/// Whether two texts say opposite things in nearly the same words. Sooner no than yes.
pub fn opposed(one: &str, other: &str) -> bool {
    Prose::of(one).opposes(&Prose::of(other))
}

/// A text ready to be compared. All lists are sorted.
#[derive(Debug, Clone, Default)]
pub(crate) struct Prose {
    /// What is said without being denied; kept only where something is denied.
    affirmed: Vec<u64>,
    denied: Vec<u64>,
    /// Numbers, and words that begin with one.
    figures: Vec<u64>,
    /// A bit for each of them.
    figure_bits: u64,
    /// One of them may stand for another word: see [`is_bare`].
    odd_figures: bool,
    /// Some of it is in a script without blanks.
    in_runs: bool,
    folded: String,
    /// Packed characters, each once.
    grams: Vec<u64>,
    /// An odd number of denials.
    odd: bool,
    poles: Poles,
    /// Signs that change what the words beside them say. None where they are not read.
    signs: Vec<u64>,
    /// A bit for each gram, to tell most pairs apart at a glance.
    seal: [u64; 8],
    /// The same of a long text, whose bits would fill the other.
    wide: Vec<u64>,
}

impl Prose {
    pub(crate) fn of(text: &str) -> Self {
        Self::read(text, Reading::Close)
    }

    /// The same as an edition of the rules reads it.
    pub(crate) fn read(text: &str, reading: Reading) -> Self {
        let folded = folded(text);
        let cut = cut(&folded);
        let prose = Self::of_tokens(&folded, &cut, reading);
        Self { folded, ..prose }
    }

    /// The same of a sentence, if it says something besides pointing at others.
    pub(crate) fn of_statement(sentence: &str, reading: Reading) -> Option<Self> {
        let folded = folded(sentence);
        let cut = cut(&folded);
        if !SentenceContent::of(cut.iter().copied()).is_statement() {
            return None;
        }
        let prose = Self::of_tokens(&folded, &cut, reading);
        Some(Self { folded, ..prose })
    }

    fn of_tokens(folded: &str, tokens: &[Token<'_>], reading: Reading) -> Self {
        let denials = denials(tokens);
        let signs = match reading {
            Reading::Early => Vec::new(),
            Reading::Close => {
                let mut signs = signs(folded);
                // `Not, as some think, now` does not say `not now`.
                signs.extend(
                    denials.iter().filter(|at| tokens.get(**at + 1) == Some(&Token::Break)).map(|_| 0),
                );
                signs.sort_unstable();
                signs
            }
        };
        let may_deny = !denials.is_empty() || tokens.iter().any(|token| matches!(token, Token::Run(_)));
        let mut maker = Maker { may_deny, ..Maker::default() };
        maker.prose.grams.reserve(folded.len());
        let mut denials = denials.into_iter().peekable();
        for (at, token) in tokens.iter().enumerate() {
            maker.take(*token, denials.next_if_eq(&at).is_some());
        }
        Self { signs, ..maker.finish(folded) }
    }

    /// How like the other, negation and figures minded.
    pub(crate) fn likeness(&self, other: &Self) -> Permille {
        let likeness = if self.differs(other) { 0 } else { self.shared(other) };
        Permille::new(likeness as u16).expect("at most 1000")
    }

    /// Whether both say the same, word by word. Letters tell most pairs apart and cost less, so they come first.
    pub(crate) fn alike(&self, other: &Self) -> bool {
        self.odd == other.odd
            && self.signs == other.signs
            && !self.differs(other)
            && self.reaches(other, ALIKE)
            && aligned(&self.folded, &other.folded)
    }

    /// What tells at a glance that it surely does not say the same as another.
    pub(crate) fn glance(&self) -> Glance {
        // Signs that are the same come to the same number.
        let signs = self.signs.iter().fold(0, |sum: u64, sign| (sum ^ sign).wrapping_mul(SPREAD));
        Glance { figures: self.figure_bits, signs, grams: self.grams.len(), odd: self.odd }
    }

    /// Whether this says nothing that the other does not.
    pub(crate) fn repeats(&self, other: &Self) -> bool {
        self.odd == other.odd
            && !lacks(&self.signs, &other.signs)
            && self.reaches(other, NEW)
            && !self.differs(other)
    }

    /// Whether one says the opposite of the other in the same words. Two opposites make the same.
    pub(crate) fn opposes(&self, other: &Self) -> bool {
        // Figures tell most pairs apart, and cost less than letters.
        let apart = !self.in_runs && !other.in_runs && self.parts_by_figures(other);
        !apart && self.reaches(other, TURNED) && self.is_turned(other)
    }

    fn is_turned(&self, other: &Self) -> bool {
        let (denied, poles) = (self.odd != other.odd, self.poles.stand_against(other.poles));
        let swaps = !poles && self.swaps(other);
        if self.in_runs || other.in_runs {
            // Without blanks there are no words to hold against each other.
            return swaps || denied != poles && self.reaches(other, ALIKE);
        }
        !self.parts_by_figures(other) && turned(&self.folded, &other.folded, denied, swaps)
    }

    /// Whether both surely keep a figure that has no counterpart in the other: then neither is the other one turned
    /// round, and their words need not be gone through.
    fn parts_by_figures(&self, other: &Self) -> bool {
        !self.odd_figures && !other.odd_figures && self.figures_differ(other)
    }

    /// Each gives a figure that the other does not.
    fn figures_differ(&self, other: &Self) -> bool {
        let (own, theirs) = (self.figure_bits, other.figure_bits);
        own & !theirs != 0 && theirs & !own != 0
            || lacks(&self.figures, &other.figures) && lacks(&other.figures, &self.figures)
    }

    /// The same, and other figures in the same words are a contradiction too: `the limit is 5` and `is 7`.
    pub(crate) fn disputes(&self, other: &Self) -> bool {
        self.reaches(other, ALIKE) && (self.figures_differ(other) || self.is_turned(other))
    }

    /// How many grams it has, a bit for each of them, and a bit for each figure.
    pub(super) fn at_a_glance(&self) -> (usize, &[u64; 8], u64) {
        (self.grams.len(), &self.seal, self.figure_bits)
    }

    fn differs(&self, other: &Self) -> bool {
        self.figures_differ(other) || self.contradicts(other)
    }

    fn contradicts(&self, other: &Self) -> bool {
        self.odd != other.odd || self.poles.stand_against(other.poles) || self.swaps(other)
    }

    /// Each denies something that the other only affirms.
    fn swaps(&self, other: &Self) -> bool {
        let against = |one: &Self, two: &Self| {
            one.denied.iter().any(|word| {
                two.affirmed.binary_search(word).is_ok()
                    && two.denied.binary_search(word).is_err()
                    && one.affirmed.binary_search(word).is_err()
            })
        };
        against(self, other) && against(other, self)
    }

    /// Whether the shared part is at least `least`; most pairs fall by size or seal without being counted.
    fn reaches(&self, other: &Self, least: u32) -> bool {
        let (small, large) =
            if self.grams.len() <= other.grams.len() { (self, other) } else { (other, self) };
        let enough = enough(small.grams.len() + large.grams.len(), least);
        small.grams.len() >= enough
            && (small.grams == large.grams
                || !small.surely_lacks(large, small.grams.len() - enough)
                    && small.count(large, enough) >= enough)
    }

    /// Whether more grams of this than `most` are surely not in the other.
    fn surely_lacks(&self, other: &Self, most: usize) -> bool {
        let mut lacking = 0;
        let mut falls = |(a, b): (&u64, &u64)| {
            lacking += (a & !b).count_ones() as usize;
            lacking > most
        };
        match (self.wide.is_empty(), other.wide.is_empty()) {
            (true, true) => self.seal.iter().zip(&other.seal).any(&mut falls),
            (false, false) => self.wide.iter().zip(&other.wide).any(&mut falls),
            (true, false) | (false, true) => false,
        }
    }

    /// Twice the shared grams over all, in thousandths, rounded down. Nothing is like nothing.
    fn shared(&self, other: &Self) -> u32 {
        let all = self.grams.len() + other.grams.len();
        (2000 * self.count(other, usize::MAX)).checked_div(all).unwrap_or(1000) as u32
    }

    /// How many grams both have; counting ends at `enough`.
    fn count(&self, other: &Self, enough: usize) -> usize {
        let (a, b) = (&self.grams, &other.grams);
        let (mut i, mut j, mut shared) = (0, 0, 0);
        while i < a.len() && j < b.len() && shared < enough {
            let (x, y) = (a[i], b[j]);
            shared += usize::from(x == y);
            i += usize::from(x <= y);
            j += usize::from(y <= x);
        }
        shared
    }
}

/// What little of a text tells it apart from most others, so small that those of a whole round lie close together: every
/// point of a round is held against every other one.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Glance {
    figures: u64,
    signs: u64,
    grams: usize,
    odd: bool,
}

impl Glance {
    /// Whether two texts surely do not say the same: [`Prose::alike`] would say no.
    pub(crate) fn surely_apart(&self, other: &Self) -> bool {
        let (few, many) = (self.grams.min(other.grams), self.grams.max(other.grams));
        self.figures & !other.figures != 0 && other.figures & !self.figures != 0
            || self.odd != other.odd
            || self.signs != other.signs
            || few < enough(few + many, ALIKE)
    }
}

/// How many of all grams of two texts have to be shared, so that they are like each other by so much.
fn enough(all: usize, least: u32) -> usize {
    (least as usize * all).div_ceil(2000)
}

/// Sets a bit for each gram. There are about six for each, so that few share one.
fn seal(grams: &[u64], seal: &mut [u64]) {
    for gram in grams {
        let spread = gram.wrapping_mul(SPREAD);
        seal[(spread >> 58) as usize & (seal.len() - 1)] |= 1 << (spread >> 40 & 63);
    }
}

const SPREAD: u64 = 0x9E37_79B9_7F4A_7C15;

/// The place of a gram in a seal of eight words, and its bit there.
pub(super) fn gram_bit(gram: u64) -> (usize, u64) {
    let spread = gram.wrapping_mul(SPREAD);
    ((spread >> 58) as usize & 7, 1 << (spread >> 40 & 63))
}

/// A number, or a word that begins with one.
pub(super) fn figure(word: &str) -> Option<u64> {
    word.starts_with(|c: char| c.is_numeric()).then(|| hash(word))
}

/// Whether a figure has a counterpart only in the very same figure. A longer one may end a word that turns it
/// (`a2024`), and one that owns something is read without its ending (`7's`).
fn is_bare(figure: &str) -> bool {
    figure.len() <= 3 && !figure.contains('\'')
}

/// The bit of a figure. Two figures may share one, so that only a bit that is missing tells something.
pub(super) fn figure_bit(figure: u64) -> u64 {
    1 << (figure.wrapping_mul(SPREAD) >> 58)
}

/// Whether `one` has something that `other` lacks.
fn lacks(one: &[u64], other: &[u64]) -> bool {
    one.iter().any(|figure| other.binary_search(figure).is_err())
}

fn cut(folded: &str) -> Vec<Token<'_>> {
    let mut cut = Vec::with_capacity(folded.len() / 4);
    cut.extend(tokens(folded));
    cut
}

/// The places of the tokens that deny, rising.
fn denials(tokens: &[Token<'_>]) -> Vec<usize> {
    let (mut concord, mut ne, mut neither) = (false, false, false);
    let mut found = Vec::new();
    for (at, token) in tokens.iter().enumerate() {
        let denial = match token {
            Token::Word(word) => match denies(word) {
                None => false,
                Some(_) if seems(word_at(tokens, at.wrapping_sub(1)), word, word_at(tokens, at + 1)) => false,
                Some(Deny::Each) => true,
                Some(Deny::Concord) => !std::mem::replace(&mut concord, true),
                Some(Deny::Answer) => {
                    !is_alone(tokens, at)
                        && !is_portuguese(tokens, word)
                        && !std::mem::replace(&mut concord, true)
                }
                Some(Deny::AfterNe) => ne && !std::mem::replace(&mut concord, true),
                Some(Deny::Nor) => !neither,
                Some(Deny::Ne) => {
                    ne = true;
                    false
                }
                Some(Deny::Neither) => {
                    neither = true;
                    true
                }
            },
            Token::Part(_) | Token::Run(_) => false,
            Token::Break | Token::Stop => {
                (concord, ne) = (false, false);
                neither &= *token == Token::Break;
                false
            }
        };
        // The elided French `n'`.
        ne |= matches!(token, Token::Word(word) if word.starts_with("n'"));
        if denial {
            found.push(at);
        }
    }
    found
}

fn word_at<'a>(tokens: &[Token<'a>], at: usize) -> Option<&'a str> {
    match tokens.get(at)? {
        Token::Word(word) | Token::Part(word) => Some(word),
        Token::Run(_) | Token::Break | Token::Stop => None,
    }
}

/// A clause of its own: `No, we should cache` denies nothing in `we should cache`.
fn is_alone(tokens: &[Token<'_>], at: usize) -> bool {
    let ends = |at: usize| matches!(tokens.get(at), None | Some(Token::Break | Token::Stop));
    ends(at.wrapping_sub(1)) && ends(at + 1)
}

fn is_portuguese(tokens: &[Token<'_>], word: &str) -> bool {
    word == "no" && tokens.iter().any(|token| matches!(token, Token::Word(word) if PORTUGUESE.contains(word)))
}

/// Words of three letters that a denial passes over on its way to what it denies. Shorter ones it always does.
const FUNCTION: [&str; 20] = [
    "the", "use", "and", "for", "any", "our", "all", "its", "das", "die", "der", "den", "dem", "ein", "und",
    "les", "des", "une", "los", "las",
];

#[derive(Default)]
struct Maker {
    prose: Prose,
    denials: u32,
    /// Something is denied, or it cannot be told yet: only then it matters which words are not.
    may_deny: bool,
    /// How many more words the last denial covers.
    scope: u32,
}

impl Maker {
    fn take(&mut self, token: Token<'_>, denial: bool) {
        match token {
            Token::Word(word) if denial => {
                self.denials += 1;
                if let Some(left) = stem(word) {
                    self.grams(left);
                }
                self.scope = SCOPE;
            }
            Token::Word(word) | Token::Part(word) => self.word(word),
            Token::Run(run) => self.run(run),
            Token::Break | Token::Stop => self.scope = 0,
        }
    }

    fn word(&mut self, word: &str) {
        self.grams(word);
        self.prose.poles.take(word);
        if let Some(figure) = figure(word) {
            self.prose.figures.push(figure);
            self.prose.figure_bits |= figure_bit(figure);
            self.prose.odd_figures |= !is_bare(word);
        }
        if self.may_deny && word.chars().nth(2).is_some() && (word.len() > 3 || !FUNCTION.contains(&word)) {
            self.unit(hash(word));
        }
    }

    fn unit(&mut self, unit: u64) {
        if self.scope > 0 {
            self.scope -= 1;
            self.prose.denied.push(unit);
        } else {
            self.prose.affirmed.push(unit);
        }
    }

    fn grams(&mut self, word: &str) {
        grams(word, |gram| self.prose.grams.push(gram));
    }

    /// Letter pairs of what is left of a run without its denials.
    fn run(&mut self, run: &str) {
        self.prose.poles.take_run(run);
        self.prose.in_runs = true;
        let (mut last, mut kept, mut at) = (None, 0, 0);
        while at < run.len() {
            match in_run(&run[..at], &run[at..]) {
                InRun::Denies(length) => {
                    (self.denials, self.scope) = (self.denials + 1, SCOPE);
                    at += length;
                }
                InRun::Passes(length) => {
                    for c in run[at..at + length].chars() {
                        kept += 1;
                        if let Some(last) = last.replace(pack(c)) {
                            self.prose.grams.push(last << 21 | pack(c));
                            self.unit(last << 21 | pack(c));
                        }
                    }
                    at += length;
                }
            }
        }
        if let (Some(only), 1) = (last, kept) {
            self.prose.grams.push(only);
        }
    }

    fn finish(mut self, folded: &str) -> Prose {
        let prose = &mut self.prose;
        prose.odd = self.denials % 2 == 1;
        if prose.grams.is_empty() {
            // No letters: signs are all there is to compare.
            prose.grams.extend(folded.chars().filter(|c| !c.is_whitespace()).map(pack));
        }
        if self.denials == 0 {
            prose.affirmed.clear();
        }
        for list in [&mut prose.affirmed, &mut prose.denied, &mut prose.figures, &mut prose.grams] {
            list.sort_unstable();
        }
        prose.grams.dedup();
        seal(&prose.grams, &mut prose.seal);
        if prose.grams.len() > LONG {
            prose.wide = vec![0; 4 * prose.seal.len()];
            seal(&prose.grams, &mut prose.wide);
        }
        self.prose
    }
}

/// Letter triples of a word, which is set between blanks so that its ends count.
pub(super) fn grams(word: &str, mut take: impl FnMut(u64)) {
    if let ([first, rest @ ..], true) = (word.as_bytes(), word.is_ascii()) {
        let mut window = u64::from(b' ') << 21 | u64::from(*first);
        for byte in rest.iter().chain(b" ") {
            window = (window << 21 | u64::from(*byte)) & THREE;
            take(window);
        }
        return;
    }
    let (mut before, mut last) = (0, pack(' '));
    for c in word.chars().chain([' ']).filter(|c| !is_ornament(*c)) {
        if before != 0 {
            take(before << 42 | last << 21 | pack(c));
        }
        (before, last) = (last, pack(c));
    }
}

/// Three packed characters.
const THREE: u64 = (1 << 63) - 1;

fn pack(c: char) -> u64 {
    u64::from(u32::from(c))
}

/// Marks that Arabic is written with or without.
pub(super) fn is_ornament(c: char) -> bool {
    matches!(c, '\u{640}' | '\u{64b}'..='\u{65f}' | '\u{670}')
}

#[cfg(test)]
mod tests {
    use super::Prose;

    /// Every sentence of the labelled pairs against every other one.
    #[test]
    fn what_is_told_apart_at_a_glance_is_not_alike() {
        let lines = include_str!("../../../tests/pairs.jsonl").lines();
        let pairs = lines.filter_map(|line| serde_json::from_str::<serde_json::Value>(line).ok());
        let texts: Vec<String> = pairs
            .flat_map(|pair| ["one", "other"].map(|side| pair[side].as_str().unwrap_or_default().to_string()))
            .collect();
        let read: Vec<Prose> = texts.iter().map(|text| Prose::of(text)).collect();
        let (mut apart, mut alike) = (0, 0);
        for (at, one) in read.iter().enumerate() {
            for (with, other) in read.iter().enumerate().skip(at) {
                let surely = one.glance().surely_apart(&other.glance());
                let same = one.alike(other);
                assert!(!(surely && same), "{:?} and {:?}", texts[at], texts[with]);
                apart += usize::from(surely);
                alike += usize::from(same);
            }
        }
        assert!(
            apart > texts.len() && alike > texts.len(),
            "{apart} apart, {alike} alike of {}",
            texts.len()
        );
    }
}
