//! What was written in issues and contradicts canon. It stops nobody: the author and the lead are told, and the lead decides.

use serde::{Deserialize, Serialize};

use super::{CanonConflict, CanonRef, ConflictChoice, EntryName};
use crate::kernel::{At, Id, MatterId, Who, words};

/// One sentence that contradicts one entry.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ConflictNote {
    /// What canon says: `mara eye: green`.
    pub canon: String,
    /// The entry, at the version that held.
    pub entry: CanonRef,
    /// The line of the text, counted from 1; 0 for the title of an issue.
    pub line: u32,
    /// The sentence of the text.
    pub said: String,
    /// What it says: `mara eye: blue`.
    pub text: String,
}

words!(struct ConflictNote { canon, said, text | entry, line });

impl ConflictNote {
    /// The same conflict as it is kept. `before`: how many lines stood before the text.
    pub fn of(conflict: &CanonConflict, before: u32) -> Self {
        Self {
            canon: conflict.canon.in_words(),
            entry: conflict.entry.clone(),
            line: conflict.line.saturating_sub(before),
            said: conflict.text.said.clone(),
            text: conflict.text.in_words(),
        }
    }
}

/// The conflicts of one comment, or of what an issue says.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct FoundConflicts {
    /// The event that recorded them.
    pub id: Id,
    /// When.
    pub at: At,
    /// The comment; none if it is what the issue itself says.
    pub comment: Option<Id>,
    /// Where and how.
    pub conflicts: Vec<ConflictNote>,
    /// What was chosen, by entry.
    pub decided: Vec<(EntryName, ConflictChoice)>,
    /// The issue.
    pub matter: MatterId,
    /// Who wrote it.
    pub who: Who,
}

words!(struct FoundConflicts { conflicts | id, at, comment, decided, matter, who });

impl FoundConflicts {
    pub(super) fn new(
        id: Id,
        at: At,
        comment: Option<Id>,
        conflicts: Vec<ConflictNote>,
        matter: MatterId,
        who: Who,
    ) -> Self {
        Self { id, at, comment, conflicts, decided: Vec::new(), matter, who }
    }

    pub(super) fn decide(&mut self, name: &EntryName, choice: ConflictChoice) {
        self.decided.push((name.clone(), choice));
    }

    /// What was chosen about an entry, if anything.
    pub fn choice(&self, name: &EntryName) -> Option<ConflictChoice> {
        self.decided.iter().find(|(decided, _)| decided == name).map(|(_, choice)| *choice)
    }
}
