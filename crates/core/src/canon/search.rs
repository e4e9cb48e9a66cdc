//! Canon by its words: which entries a text is about, and whether any entry says something of a subject. Words are compared in
//! their basic form, in English and German. No model is asked, and no meaning is guessed: an entry is found by the words in it.

use std::collections::BTreeSet;
use std::sync::Arc;

use super::claim::basic_forms;
use super::{Canon, CanonRef, CanonVersion, EntryName};
use crate::kernel::{At, text};

/// The most words of a subject: a longer one would be found nowhere, whatever canon says.
pub const SUBJECT_WORDS_MOST: usize = 6;

/// Words that say nothing of what a text is about. Without them `the eyes of Mara` is searched like `Mara eyes`.
const EMPTY_WORDS: [&str; 89] = [
    "about", "am", "an", "and", "are", "as", "at", "auf", "aus", "be", "bei", "by", "das", "dem", "den",
    "der", "des", "did", "die", "do", "does", "ein", "eine", "einem", "einen", "einer", "er", "es", "for",
    "from", "für", "had", "has", "hat", "have", "he", "her", "his", "how", "if", "ihr", "im", "in", "into",
    "is", "ist", "it", "its", "mit", "my", "nicht", "no", "not", "oder", "of", "on", "or", "our", "should",
    "sind", "so", "that", "the", "their", "there", "this", "to", "um", "und", "up", "us", "von", "wann",
    "war", "was", "we", "welche", "were", "what", "when", "where", "which", "who", "why", "wie", "will",
    "with", "you", "zu",
];

/// The words of a text that say what it is about, each in every basic form it may have.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct TopicWords(BTreeSet<String>);

impl TopicWords {
    /// Reads a text.
    pub fn of(text: &str) -> Self {
        Self(told_words(text).flat_map(|word| basic_forms(&word)).collect())
    }

    /// Whether all words of another text stand in this one; never of one without words.
    pub fn hold(&self, other: &str) -> bool {
        let mut words = told_words(other).peekable();
        words.peek().is_some()
            && words.all(|word| basic_forms(&word).iter().any(|form| self.0.contains(form)))
    }
}

/// The words of a text that say something, folded, without the ending of an owner.
fn told_words(text: &str) -> impl Iterator<Item = String> {
    let bare = |word: &str| {
        let folded = text::fold(word).replace('’', "'");
        folded.strip_suffix("'s").map(str::to_string).unwrap_or(folded)
    };
    let words = text::words(text).map(bare);
    words.filter(|word| word.chars().count() > 1 && !EMPTY_WORDS.contains(&word.as_str()))
}

/// The form by which a subject is known again, whatever the order and the endings of its words. `None` if it names nothing, or too
/// much.
pub fn subject_key(subject: &str) -> Option<String> {
    let words: BTreeSet<String> =
        told_words(subject).filter_map(|word| basic_forms(&word).into_iter().next()).collect();
    let fits = (1..=SUBJECT_WORDS_MOST).contains(&words.len());
    fits.then(|| words.into_iter().collect::<Vec<_>>().join(" "))
}

/// How close an entry is to a text; 0 if it has nothing to do with it.
fn closeness(name: &EntryName, version: &CanonVersion, words: &TopicWords, tags: &[&str]) -> u32 {
    let named = if words.hold(name.as_str()) || tags.contains(&name.as_str()) { 2 } else { 0 };
    let claimed = version.claims.iter().map(|claim| match words.hold(&claim.subject) {
        true if words.hold(&claim.attribute) => 3,
        true => 1,
        false => 0,
    });
    named + claimed.max().unwrap_or(0)
}

impl Canon {
    /// Entries that hold and that a text or its tags are about, the closest first: those that say something of the same attribute of
    /// the same subject, then those of that name, then those that speak of the subject at all.
    pub fn about(&self, text: &str, tags: &[&str], at: At) -> Vec<(CanonRef, &Arc<CanonVersion>)> {
        let words = TopicWords::of(text);
        let all = self.current(at).map(|(name, held)| (closeness(name, held, &words, tags), name, held));
        let mut found: Vec<(u32, &EntryName, &Arc<CanonVersion>)> =
            all.filter(|(close, ..)| *close > 0).collect();
        found.sort_by(|one, other| (other.0, one.1).cmp(&(one.0, other.1)));
        let cited = |name: &EntryName, version: u32| CanonRef { name: name.clone(), version };
        found.into_iter().map(|(_, name, version)| (cited(name, version.version), version)).collect()
    }

    /// Entries that hold and say something of a subject: those that name everything that it names, in their name, their text or their
    /// claims, and those with a claim whose subject and attribute it names. Words added to a settled topic make no new topic.
    pub fn search(&self, subject: &str, at: At) -> Vec<CanonRef> {
        let words = TopicWords::of(subject);
        let says = |name: &EntryName, version: &CanonVersion| {
            let mut topics = version.claims.iter().map(|claim| (&claim.subject, &claim.attribute));
            if topics.any(|(of, attribute)| words.hold(of) && words.hold(attribute)) {
                return true;
            }
            let claims: Vec<String> = version.claims.iter().map(|claim| claim.in_words()).collect();
            TopicWords::of(&format!("{name}\n{}\n{}", version.text, claims.join("\n"))).hold(subject)
        };
        let found = self.current(at).filter(|(name, version)| says(name, version));
        found.map(|(name, held)| CanonRef { name: name.clone(), version: held.version }).collect()
    }
}
