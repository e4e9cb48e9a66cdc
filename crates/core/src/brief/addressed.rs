//! What is meant for one seat among what others said: sentences that name it, and offers that meet its condition.
//! Likeness of words chooses here what is put to a seat; it never says that anybody agrees.

use std::collections::BTreeSet;

use super::Worded;
use super::worded::Hide;
use crate::kernel::{Response, prose, text};

/// The sentences of a statement that name a participant, as readers see them.
pub fn addressed_to(label: &str, worded: &Worded, hide: Hide<'_>) -> Vec<String> {
    let response = &worded.said().response;
    let mut found: Vec<String> = Vec::new();
    for part in parts(response) {
        let part = hide(part);
        for sentence in text::sentences(&part).filter(|sentence| names(sentence, label)) {
            let sentence = text::one_line(sentence);
            if !found.contains(&sentence) {
                found.push(sentence);
            }
        }
    }
    found
}

/// Everything a statement says, part by part.
fn parts(response: &Response) -> impl Iterator<Item = &str> {
    let sections = response.sections.iter().map(|(_, body)| body.as_str());
    let points = response.key_points.iter().map(String::as_str);
    sections.chain(points).chain(response.position.as_deref()).chain(response.reasoning.as_deref())
}

/// Whether a sentence names somebody, as whole words in any case.
fn names(sentence: &str, label: &str) -> bool {
    let (sentence, label) = (text::fold(sentence), text::fold(label));
    let ends = |c: Option<char>| c.is_none_or(|c| !c.is_alphanumeric());
    !label.is_empty()
        && sentence.match_indices(&label).any(|(at, _)| {
            ends(sentence[..at].chars().next_back()) && ends(sentence[at + label.len()..].chars().next())
        })
}

/// The sentence of a statement that speaks most to a condition, if any speaks to at least half of it, and how many of its
/// words it has.
pub fn meets<'a>(condition: &str, worded: &'a Worded) -> Option<(usize, &'a str)> {
    let wanted = stems(condition);
    let sentences = parts(&worded.said().response).flat_map(text::sentences);
    // "We do not need a kill switch" has the words of the condition and does not meet it.
    let sentences = sentences.filter(|sentence| !prose::turns_against(condition, sentence));
    let shared = |sentence: &'a str| (stems(sentence).intersection(&wanted).count(), sentence);
    let best = sentences.map(shared).reduce(|best, next| if next.0 > best.0 { next } else { best })?;
    (best.0 >= 2 && 2 * best.0 >= wanted.len()).then_some(best)
}

/// The telling words of a text, without their endings.
fn stems(said: &str) -> BTreeSet<String> {
    let words = text::words(said).map(str::to_lowercase).filter(|word| word.chars().count() >= 4);
    let telling = words.filter(|word| !EVERYDAY.contains(&word.as_str()));
    telling.map(|word| word.chars().take(6).collect()).collect()
}

/// Words of every condition.
const EVERYDAY: [&str; 24] = [
    "would", "should", "could", "that", "this", "there", "were", "have", "with", "from", "will", "than",
    "then", "them", "they", "what", "when", "which", "more", "change", "vote", "true", "shown", "proposal",
];
