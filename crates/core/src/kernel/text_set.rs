//! A set of texts that were seen before, by their digests. It only grows, and a copy of it is cheap however large it
//! is: what is in it lies in sorted runs that copies share, each at least twice as long as the next.

use std::sync::Arc;

use super::Digest;

/// See the module.
#[derive(Debug, Clone, Default)]
pub struct TextSet {
    /// Sorted, the longest first.
    runs: Vec<Arc<[u128]>>,
}

impl TextSet {
    /// Adds a text.
    pub fn insert(&mut self, text: &str) {
        let key = key(text);
        if self.holds(key) {
            return;
        }
        // Runs of like length are merged, so that each key is moved once for every doubling of the set.
        let mut merged = vec![key];
        while self.runs.last().is_some_and(|last| last.len() <= merged.len()) {
            merged.extend(self.runs.pop().iter().flat_map(|run| run.iter()));
        }
        merged.sort_unstable();
        self.runs.push(merged.into());
    }

    /// Whether a text was added.
    pub fn contains(&self, text: &str) -> bool {
        self.holds(key(text))
    }

    fn holds(&self, key: u128) -> bool {
        self.runs.iter().any(|run| run.binary_search(&key).is_ok())
    }

    fn sorted(&self) -> Vec<u128> {
        let mut keys: Vec<u128> = self.runs.iter().flat_map(|run| run.iter()).copied().collect();
        keys.sort_unstable();
        keys
    }
}

/// The first half of the digest: two texts with the same one are not found by chance, nor on purpose.
fn key(text: &str) -> u128 {
    let Digest(bytes) = Digest::of(text.as_bytes());
    bytes.iter().take(16).fold(0, |key, byte| key << 8 | u128::from(*byte))
}

impl PartialEq for TextSet {
    fn eq(&self, other: &Self) -> bool {
        self.sorted() == other.sorted()
    }
}

impl Eq for TextSet {}
