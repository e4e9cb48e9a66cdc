//! A text against canon: which of its claims contradict which entry, and where.
//!
//! The work grows with the text and not with text times entries: claims of canon lie under their topic, and only sentences that
//! hold a word of a topic are read closely.

use std::collections::{BTreeMap, BTreeSet};

use super::claim::claims_where;
use super::{Canon, CanonRef, Claim};
use crate::kernel::At;

/// The most conflicts that one check reports: a text with more of them is about something else.
pub const CONFLICTS_MOST: usize = 1000;

/// A claim of a text that contradicts a claim of canon.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CanonConflict {
    /// The entry, at the version that holds.
    pub entry: CanonRef,
    /// What canon says.
    pub canon: Claim,
    /// The line of the text, counted from 1.
    pub line: u32,
    /// What the text says.
    pub text: Claim,
}

impl CanonConflict {
    /// In a sentence: `line 3: canon:eyes@2 has "mara eye: green", the text has "mara eye: blue"`.
    pub fn message(&self) -> String {
        let Self { entry, canon, line, text } = self;
        format!("line {line}: {entry} has \"{}\", the text has \"{}\"", canon.in_words(), text.in_words())
    }
}

/// Two entries that hold and contradict each other.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Contradiction {
    /// The first by name, and its claim.
    pub one: (CanonRef, Claim),
    /// The other.
    pub other: (CanonRef, Claim),
}

/// The claims of canon by topic.
#[derive(Debug)]
struct TopicIndex<'a> {
    topics: BTreeMap<String, Vec<(CanonRef, &'a Claim)>>,
    words: BTreeSet<&'a str>,
}

impl<'a> TopicIndex<'a> {
    fn of(canon: &'a Canon, at: At) -> Self {
        let mut index = Self { topics: BTreeMap::new(), words: BTreeSet::new() };
        for (name, version) in canon.current(at) {
            for claim in &version.claims {
                let entry = CanonRef { name: name.clone(), version: version.version };
                index.words.insert(claim.rarest_word());
                index.topics.entry(claim.topic()).or_default().push((entry, claim));
            }
        }
        index
    }
}

/// Every claim of a text that contradicts what is canon at a time, in the order of the text.
pub fn conflicts(canon: &Canon, text: &str, at: At) -> Vec<CanonConflict> {
    let index = TopicIndex::of(canon, at);
    if index.topics.is_empty() {
        return Vec::new();
    }
    let mut found: Vec<CanonConflict> = Vec::new();
    for claimed in claims_where(text, |word| index.words.contains(word)) {
        let held = index.topics.get(&claimed.claim.topic()).into_iter().flatten();
        for (entry, claim) in held.filter(|(_, claim)| claim.contradicts(&claimed.claim)) {
            found.push(CanonConflict {
                entry: entry.clone(),
                canon: (*claim).clone(),
                line: claimed.line,
                text: claimed.claim.clone(),
            });
        }
        if found.len() >= CONFLICTS_MOST {
            found.truncate(CONFLICTS_MOST);
            break;
        }
    }
    found
}

impl Canon {
    /// Entries that contradict each other although both hold, at most [`CONFLICTS_MOST`].
    pub fn contradictions(&self, at: At) -> Vec<Contradiction> {
        let index = TopicIndex::of(self, at);
        let mut found = Vec::new();
        for held in index.topics.values() {
            for (place, (entry, claim)) in held.iter().enumerate() {
                for (other, second) in held[place + 1..].iter().filter(|(other, _)| other.name != entry.name)
                {
                    if found.len() < CONFLICTS_MOST && claim.contradicts(second) {
                        found.push(Contradiction {
                            one: (entry.clone(), (*claim).clone()),
                            other: (other.clone(), (*second).clone()),
                        });
                    }
                }
            }
        }
        found
    }
}
