//! What is meant for one seat among what others said: sentences that name it, and offers that meet its condition.
//! Likeness of words chooses here what is put to a seat; it never says that anybody agrees.

use super::Worded;
use super::worded::Hide;
use crate::kernel::{Response, prose, text};

/// A name that is looked for in what others said.
#[derive(Debug)]
pub struct Sought {
    folded: String,
    /// The key of its first word; none in a name without letters and figures.
    first: Option<u64>,
}

impl Sought {
    /// Somebody who is called so.
    pub fn new(label: &str) -> Self {
        let folded = text::fold(label);
        let first = runs(&folded).next().map(text::key);
        Self { folded, first }
    }

    /// Whether a statement may name it. Most statements do not name most seats, which their words tell without a look at
    /// their sentences.
    pub fn may_be_in(&self, worded: &Worded, hide: Hide<'_>) -> bool {
        self.first.is_none_or(|first| worded.may_name(first, hide))
    }

    /// What [`Sought::may_be_in`] follows from: the same for all names that begin with the same word.
    pub fn first_word(&self) -> Option<u64> {
        self.first
    }
}

/// The sentences of a statement that name a participant, as readers see them.
pub fn addressed_to(sought: &Sought, worded: &Worded, hide: Hide<'_>) -> Vec<String> {
    if !sought.may_be_in(worded, hide) {
        return Vec::new();
    }
    let response = &worded.said().response;
    let mut found: Vec<String> = Vec::new();
    for part in parts(response) {
        let part = hide(part);
        for sentence in text::sentences(&part).filter(|sentence| names(sentence, &sought.folded)) {
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
    let sentence = text::fold(sentence);
    let ends = |c: Option<char>| c.is_none_or(|c| !c.is_alphanumeric());
    !label.is_empty()
        && sentence.match_indices(label).any(|(at, _)| {
            ends(sentence[..at].chars().next_back()) && ends(sentence[at + label.len()..].chars().next())
        })
}

/// Letters and figures between what ends a name.
fn runs(folded: &str) -> impl Iterator<Item = &str> {
    folded.split(|c: char| !c.is_alphanumeric()).filter(|run| !run.is_empty())
}

/// The keys of all words of a statement as readers see it. No sentence ends within a word, so the words of all
/// sentences are among them.
#[derive(Debug, Default)]
pub(super) struct StatementWords {
    /// A bit for each of them: most names are in no statement, which one look tells.
    seal: [u64; 8],
    keys: Vec<u64>,
}

impl StatementWords {
    pub(super) fn of(response: &Response, hide: Hide<'_>) -> Self {
        let mut words = Self::default();
        for part in parts(response) {
            let part = hide(part);
            if part.is_ascii() {
                text::run_keys(&part, |key| words.take(key));
            } else {
                text::run_keys(&text::fold(&part), |key| words.take(key));
            }
        }
        words
    }

    fn take(&mut self, key: u64) {
        self.seal[(key >> 6) as usize & 7] |= 1 << (key & 63);
        self.keys.push(key);
    }

    pub(super) fn has(&self, key: u64) -> bool {
        self.seal[(key >> 6) as usize & 7] >> (key & 63) & 1 == 1 && self.keys.contains(&key)
    }
}

/// A condition under which somebody would change their vote.
#[derive(Debug)]
pub struct ChangeCondition<'a> {
    said: &'a str,
    wanted: Vec<u64>,
}

impl<'a> ChangeCondition<'a> {
    /// The condition in these words.
    pub fn new(said: &'a str) -> Self {
        Self { said, wanted: stems(said) }
    }

    /// The sentence of a statement that speaks most to it, if any speaks to at least half of it and has more of its words than
    /// `more_than`, and how many it has.
    pub fn met_by<'w>(&self, worded: &'w Worded, more_than: usize) -> Option<(usize, &'w str)> {
        let enough = |shared: usize| shared >= 2 && 2 * shared >= self.wanted.len();
        let mut best: Option<(usize, &str)> = None;
        for sentence in worded.sentences() {
            let shared = sentence.stems.iter().filter(|stem| self.wanted.binary_search(stem).is_ok()).count();
            let is_more = shared > best.map_or(more_than, |(most, _)| most);
            // "We do not need a kill switch" has the words of the condition and does not meet it. That takes longest to tell.
            if enough(shared) && is_more && !prose::turns_against(self.said, &sentence.text) {
                best = Some((shared, &sentence.text));
            }
        }
        best
    }
}

/// A sentence of a statement, with its telling words.
#[derive(Debug)]
pub(super) struct StatementSentence {
    text: String,
    stems: Vec<u64>,
}

/// The sentences of a statement.
pub(super) fn sentences_of(response: &Response) -> Vec<StatementSentence> {
    let sentences = parts(response).flat_map(text::sentences);
    sentences.map(|said| StatementSentence { text: said.into(), stems: stems(said) }).collect()
}

/// The numbers of the telling words of a text without their endings, rising.
fn stems(said: &str) -> Vec<u64> {
    let words = text::words(said).map(str::to_lowercase).filter(|word| word.chars().count() >= 4);
    let telling = words.filter(|word| !EVERYDAY.contains(&word.as_str()));
    let mut stems: Vec<u64> =
        telling.map(|word| text::number(&word.chars().take(6).collect::<String>())).collect();
    stems.sort_unstable();
    stems.dedup();
    stems
}

/// Words of every condition.
const EVERYDAY: [&str; 24] = [
    "would", "should", "could", "that", "this", "there", "were", "have", "with", "from", "will", "than",
    "then", "them", "they", "what", "when", "which", "more", "change", "vote", "true", "shown", "proposal",
];

#[cfg(test)]
mod tests {
    use std::borrow::Cow;

    use super::{Sought, StatementWords, names};
    use crate::kernel::{Response, text};

    #[test]
    fn whoever_is_named_in_a_sentence_is_not_passed_over_by_the_words() {
        for (said, label) in [
            ("Ask Seat-03, please. It knows.", "seat-03"),
            ("No. ANN! Why?", "Ann"),
            ("(Participant 2) says so.", "Participant 2"),
            ("Так. Спросите Анну-2. Она знает.", "анну-2"),
            ("问一下 Ann。然后", "ann"),
            ("Straße: Großmann?", "GROSSMANN"),
            ("Yes. Ａｎｎ was right.", "ann"),
            ("O’Neil is right…", "O’Neil"),
            ("see @ann.", "@ann"),
        ] {
            let sought = Sought::new(label);
            assert!(text::sentences(said).any(|one| names(one, &sought.folded)), "{said}");
            let response = Response { reasoning: Some(said.into()), ..Response::default() };
            let words = StatementWords::of(&response, &|text| Cow::Borrowed(text));
            assert!(sought.first.is_some_and(|first| words.has(first)), "{said}");
        }
    }
}
