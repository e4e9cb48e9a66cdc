//! What was seen within a time.

use std::collections::VecDeque;

use serde::{Deserialize, Serialize};

use crate::kernel::At;

/// However much is seen within a window, no more is kept: the oldest go first.
const MOST: usize = 4096;

/// Things with the time they were seen, the oldest first.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Window<T>(VecDeque<(At, T)>);

impl<T> Default for Window<T> {
    fn default() -> Self {
        Self(VecDeque::new())
    }
}

impl<T> Window<T> {
    pub(super) fn push(&mut self, at: At, seen: T) {
        if self.0.len() == MOST {
            self.0.pop_front();
        }
        self.0.push_back((at, seen));
    }

    /// Lets go of what lies further back than `window_ms`; what lies back exactly so far stays.
    pub(super) fn forget(&mut self, at: At, window_ms: u64) {
        while self.0.front().is_some_and(|(seen, _)| at.since(*seen) > window_ms) {
            self.0.pop_front();
        }
    }

    /// All of it, the oldest first.
    pub(super) fn iter(&self) -> impl DoubleEndedIterator<Item = &T> {
        self.0.iter().map(|(_, seen)| seen)
    }
}
