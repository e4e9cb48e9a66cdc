//! The mask: names of participants in what others wrote, replaced by their labels.
//!
//! A name is found as whole words in any case and whatever stands between its words (`gpt-4.1 mini`), in
//! scripts without blanks also inside a run. A seat does not learn its own name where names are masked, so
//! a name in its text comes from the operator or from habit.

use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};

use unicode_normalization::char::is_combining_mark;

use super::vendors;
use crate::kernel::text;

/// Names and what stands for them.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Mask {
    /// Folded words of a name, and the label; longest first.
    names: Vec<(Vec<String>, String)>,
    /// The places of names in that list, by their first word.
    firsts: BTreeMap<String, Vec<usize>>,
    /// Names of scripts without blanks, as they are written.
    runs: Vec<(String, String)>,
    /// Where names of models and makers are hidden too: the words that stay readable.
    readable: Option<BTreeSet<String>>,
}

impl Mask {
    /// A mask for these names.
    pub fn new<'a>(names: impl IntoIterator<Item = (&'a str, &'a str)>) -> Self {
        let mut mask = Self::default();
        for (name, label) in names {
            let words: Vec<String> = pieces(name).into_iter().map(|(_, word)| text::fold(word)).collect();
            if words.is_empty() {
                continue;
            }
            if name.chars().any(unspaced) {
                mask.runs.push((name.trim().to_string(), label.to_string()));
            }
            if mask.names.iter().all(|(known, _)| *known != words) {
                mask.names.push((words, label.to_string()));
            }
        }
        mask.names.sort_by_key(|(words, _)| std::cmp::Reverse(words.len()));
        for (place, (words, _)) in mask.names.iter().enumerate() {
            mask.firsts.entry(words[0].clone()).or_default().push(place);
        }
        mask
    }

    /// The same mask, which also hides names of models and of their makers, except those in these texts.
    pub fn and_vendors<'t>(mut self, except: impl Iterator<Item = &'t str>) -> Self {
        let words = except.flat_map(pieces).map(|(_, word)| text::fold(word));
        self.readable = Some(words.collect());
        self
    }

    /// The text with every name replaced.
    pub fn hide<'t>(&self, said: &'t str) -> Cow<'t, str> {
        if self.names.is_empty() && self.readable.is_none() {
            return Cow::Borrowed(said);
        }
        let mut said = Cow::Borrowed(said);
        if said.contains(unseen) {
            // A name with something unseen inside would not be found, and would still be read.
            said = Cow::Owned(said.chars().filter(|c| !unseen(*c)).collect());
        }
        for (name, label) in &self.runs {
            if said.contains(name.as_str()) {
                said = Cow::Owned(said.replace(name.as_str(), label));
            }
        }
        let said = match self.replaced(&said) {
            Some(masked) => Cow::Owned(masked),
            None => said,
        };
        match self.readable.as_ref().and_then(|readable| vendors::hide(&said, readable)) {
            Some(masked) => Cow::Owned(masked),
            None => said,
        }
    }

    fn replaced(&self, said: &str) -> Option<String> {
        let pieces = pieces(said);
        let mut out = String::new();
        let (mut done, mut at) = (0, 0);
        while at < pieces.len() {
            let follows = |words: &[String]| {
                let here = pieces.get(at + 1..at + words.len());
                let last = words.len() - 1;
                here.is_some_and(|here| {
                    here.iter().zip(&words[1..]).zip(1..).all(|((piece, word), place)| {
                        text::fold(piece.1) == *word || place == last && is_genitive(piece.1, word)
                    })
                })
            };
            let fits = |(words, _): &&(Vec<String>, String)| {
                follows(words) && close(said, &pieces[at..at + words.len()])
            };
            // Names are looked up by their first word: a large council has hundreds of them.
            let first = text::fold(pieces[at].1);
            let begun = self.firsts.get(&first).into_iter().flatten().map(|place| &self.names[*place]);
            let owner = first.strip_suffix('s').and_then(|owner| self.firsts.get(owner));
            let owned = owner.into_iter().flatten().map(|place| &self.names[*place]);
            let owned = owned.filter(|(words, _)| words.len() == 1 && is_genitive(pieces[at].1, &words[0]));
            match begun.chain(owned).find(fits) {
                Some((words, label)) => {
                    let (last, word) = pieces[at + words.len() - 1];
                    out.push_str(&said[done..pieces[at].0]);
                    out.push_str(label);
                    done = last + word.len();
                    at += words.len();
                }
                None => at += 1,
            }
        }
        if done == 0 {
            return None;
        }
        out.push_str(&said[done..]);
        Some(out)
    }
}

/// Words of every text. Where names are hidden, a seat called so would tear holes into what others read.
const COMMON: [&str; 52] = [
    "a", "all", "an", "and", "any", "are", "as", "at", "be", "but", "by", "can", "do", "for", "from", "has",
    "have", "he", "how", "i", "if", "in", "is", "it", "may", "me", "must", "no", "not", "of", "on", "one",
    "or", "our", "she", "should", "so", "than", "that", "the", "they", "this", "to", "us", "we", "what",
    "when", "which", "why", "will", "yes", "you",
];

/// Whether hiding a name would garble what others write: it is too short, a word of every text, or one of
/// these texts.
pub fn garbles<'t>(name: &str, mut texts: impl Iterator<Item = &'t str>) -> bool {
    let letters = name.chars().filter(|c| c.is_alphanumeric()).count();
    let mask = Mask::new([(name, "\u{1}")]);
    letters < 2
        || COMMON.contains(&text::fold(name).as_str())
        || texts.any(|text| mask.hide(text).contains('\u{1}'))
}

/// Runs of letters and digits, with where they begin. A run ends also where a script that sets no blanks meets one that
/// does: `我是ChatGPT模型` is three.
pub(super) fn pieces(text: &str) -> Vec<(usize, &str)> {
    let mut pieces = Vec::new();
    let mut begun: Option<(usize, bool)> = None;
    for (at, c) in text.char_indices() {
        let mark = begun.is_some() && is_combining_mark(c);
        let inside = c.is_alphanumeric() || mark;
        if let Some((from, run)) = begun
            && (!inside || !mark && run != unspaced(c))
        {
            pieces.push((from, &text[from..at]));
            begun = None;
        }
        if inside && begun.is_none() {
            begun = Some((at, unspaced(c)));
        }
    }
    if let Some((from, _)) = begun {
        pieces.push((from, &text[from..]));
    }
    pieces
}

/// Whether a piece is a word of a name, or its German genitive: `Annas`.
fn is_genitive(piece: &str, word: &str) -> bool {
    piece.starts_with(char::is_uppercase)
        && word.chars().nth(2).is_some()
        && text::fold(piece).strip_suffix('s') == Some(word)
}

/// Whether pieces stand so near that they can be one name.
fn close(text: &str, pieces: &[(usize, &str)]) -> bool {
    pieces.windows(2).all(|pair| {
        let between = &text[pair[0].0 + pair[0].1.len()..pair[1].0];
        between.chars().count() <= 3
    })
}

/// Scripts that put no blank between words.
pub(super) fn unspaced(c: char) -> bool {
    matches!(c, '\u{0e00}'..='\u{0eff}' | '\u{1000}'..='\u{109f}' | '\u{1780}'..='\u{17ff}'
        | '\u{3040}'..='\u{30ff}' | '\u{3400}'..='\u{9fff}' | '\u{ac00}'..='\u{d7af}' | '\u{f900}'..='\u{faff}'
        | '\u{20000}'..='\u{3ffff}')
}

/// Characters that take no place.
fn unseen(c: char) -> bool {
    matches!(c, '\u{ad}' | '\u{200b}'..='\u{200d}' | '\u{2060}'..='\u{2064}' | '\u{feff}' | '\u{180e}' | '\u{34f}')
}
