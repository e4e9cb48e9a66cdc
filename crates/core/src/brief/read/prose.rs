//! A choice said outright in prose: the whole text, or a sentence that says "I vote …" and nothing else before the
//! choice. When in doubt it is none, and the seat is asked again.

use super::around::{attributes, disowns};
use super::lexicon::{BEGINNINGS, LEAD_INS, is_of_votes, translated};
use super::side::{ReadSide, headed, in_prose, whole};
use crate::kernel::{Choice, text};

/// A text without the lines that quote somebody.
pub(super) fn unquoted(said: &str) -> String {
    if !said.contains('>') {
        return said.to_string();
    }
    said.lines().filter(|line| !line.trim_start().starts_with('>')).collect::<Vec<_>>().join("\n")
}

/// The side said outright in a text that is nobody else's.
pub(super) fn stated(said: &str, options: &[String]) -> Option<ReadSide> {
    if let Some(side) = whole(said, options) {
        return Some(side);
    }
    let mut from = 0;
    for sentence in said.split_inclusive(['.', '!', '?', ';', '\n']) {
        if let Some(side) = voted(&said[from..], options) {
            let before = &said[..from];
            let announced = before.trim_end().ends_with(':') && attributes(before);
            let good = !announced && !disowns(before) && !mentions_other(before, side.choice, options);
            return good.then_some(side);
        }
        from += sentence.len();
    }
    None
}

/// The side of a text that begins with the words of a vote. The longest beginning that leaves a choice counts: "vote for"
/// alone is a vote FOR.
fn voted(said: &str, options: &[String]) -> Option<ReadSide> {
    let mut rest = said;
    while let Some(after) = LEAD_INS.iter().find_map(|word| phrase(rest, word)) {
        rest = after.trim_start_matches([',', ' ']);
    }
    let rests = BEGINNINGS.iter().filter_map(|beginning| phrase(rest, beginning));
    rests.into_iter().find_map(|rest| whole(rest, options).or_else(|| headed(rest, options)))
}

/// What stands after some words, apart from blanks and marks between them.
fn phrase<'t>(said: &'t str, words: &str) -> Option<&'t str> {
    let mut rest = said;
    for word in words.split(' ') {
        rest = rest.trim_start_matches(['*', '_', '#', '`', '-', ' ', '\t', '\n', '\r']);
        let start = rest.get(..word.len()).filter(|start| start.eq_ignore_ascii_case(word))?;
        rest = &rest[start.len()..];
        if rest.starts_with(|c: char| c.is_alphanumeric() || matches!(c, '\'' | '’')) {
            return None;
        }
    }
    Some(rest)
}

/// Whether a sentence speaks of a vote for another side.
pub(super) fn mentions_other(before: &str, side: Choice, options: &[String]) -> bool {
    before.split(['.', '!', '?', ';', '\n']).any(|sentence| {
        let words: Vec<&str> = text::words(sentence).collect();
        let Some(at) = words.iter().position(|word| is_of_votes(&text::fold(word))) else { return false };
        // "for" and "against" are words of every sentence.
        let telling =
            words[at + 1..].iter().filter(|word| !matches!(text::fold(word).as_str(), "for" | "against"));
        let said = |word: &&str| {
            in_prose(word, options).or_else(|| translated(word, options).filter(|_| word.len() > 1))
        };
        telling.filter_map(said).any(|other| other != side)
    })
}
