//! Track records: who was right, as far as it became known later.
//!
//! A matter decides before anybody knows. When somebody does, the house is told what was true and marks each
//! vote. From the marks of a seat and the model it ran on come its record, and its weight where a charter weighs by
//! it. Abstentions, unread and passed-on votes are no marks, and a secret ballot has none: who was right tells how
//! they voted.

mod book;
mod fixed;
mod refusal;
mod trial;
mod weigh;
mod worth;

use std::collections::BTreeMap;
use std::sync::Arc;

use imbl::OrdMap;
use serde::{Deserialize, Serialize};

use crate::kernel::{Choice, MatterId, Number, ProposalId, Who, shared_pairs};

use book::TrackBook;
pub use refusal::Refusal;
pub use trial::learned_weights;
pub use weigh::{Unweighed, Voter, weigh};

/// What somebody says was true.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Verdict {
    /// The decision was right.
    Right,
    /// The decision was wrong.
    Wrong,
    /// This answer was right.
    Answer(Choice),
    /// This proposal was right.
    Proposal(ProposalId),
    /// This number came true.
    Number(Number),
}

/// What is known then.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Truth {
    /// This answer was right, and all others wrong.
    Is(Choice),
    /// This answer was wrong. Which of the others was right is not known.
    IsNot(Choice),
    /// This proposal was right or wrong.
    Proposal {
        /// Which.
        id: ProposalId,
        /// Whether it was right.
        right: bool,
    },
    /// This number came true.
    Number(Number),
}

impl Truth {
    /// Whether a side was right; none where that is not known, or no side was taken.
    pub fn marks(self, side: Choice) -> Option<bool> {
        match (self, side) {
            // How far off a number is says nobody was right or wrong.
            (_, Choice::Neutral) | (Self::Number(_), _) => None,
            (Self::Is(truth), side) => Some(side == truth),
            (Self::IsNot(wrong), side) => (side == wrong).then_some(false),
            (Self::Proposal { right, .. }, side) => Some((side == Choice::Yes) == right),
        }
    }
}

/// A vote and whether it turned out right.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct JudgedVote {
    /// What answered for the seat, where no model is known.
    #[serde(default, rename = "mind", skip_serializing_if = "Option::is_none")]
    pub backend: Option<String>,
    /// It was cast against what was decided.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub minority: bool,
    /// The model the seat ran on, if that is known.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub model: Option<String>,
    /// It was right.
    pub right: bool,
    /// What it was for. Records of edition 2 and before do not say.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub side: Option<Choice>,
    /// Whose.
    pub who: Who,
}

/// What was learned of a matter.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Learned {
    /// Each vote that can be marked.
    pub marks: Vec<JudgedVote>,
    /// The matter.
    pub matter: MatterId,
    /// How many options the question had; 0 for a plain one, and in records of edition 2 and before.
    #[serde(default, skip_serializing_if = "is_plain")]
    pub options: u8,
    /// The matter it branched off from in the end, or itself: branches of one question are one question.
    pub root: MatterId,
    /// What was true.
    pub truth: Truth,
}

fn is_plain(options: &u8) -> bool {
    *options == 0
}

/// What happens to track records.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Event {
    /// It became known what was true. A later one replaces an earlier one of the same matter.
    Learned(Arc<Learned>),
}

/// What is known of all matters.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct Track {
    #[serde(with = "shared_pairs")]
    learned: OrdMap<MatterId, Arc<Learned>>,
    /// The matters of a question that branched; one that did not is not here.
    branches: BTreeMap<MatterId, Vec<MatterId>>,
    book: TrackBook,
}

/// The record of a seat with a model.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct TrackRecord {
    /// The seat.
    pub who: Who,
    /// The model it ran on, if that is known.
    pub model: Option<String>,
    /// What answered for it, where no model is known.
    pub backend: Option<String>,
    /// Votes that were right.
    pub right: u32,
    /// Votes that were wrong.
    pub wrong: u32,
    /// Votes against what was decided that were right.
    pub right_alone: u32,
    /// Votes against what was decided that were wrong.
    pub wrong_alone: u32,
}

impl Track {
    /// Records an event. What was known of the question before is taken back first, since a later word replaces an
    /// earlier one of the same matter, and a question counts once however it branched.
    pub fn apply(&mut self, event: &Event) {
        let Event::Learned(learned) = event;
        // A matter stays with its root: both are fixed when it opens.
        let root = learned.root;
        let before = self.of_root(root);
        self.book.take_back(root, options(&before), &holding(&before));
        if learned.matter != root || self.branches.contains_key(&root) {
            let branches = self.branches.entry(root).or_default();
            if !branches.contains(&root) && self.learned.contains_key(&root) {
                branches.push(root);
            }
            if let Err(at) = branches.binary_search(&learned.matter) {
                branches.insert(at, learned.matter);
            }
        }
        self.learned.insert(learned.matter, learned.clone());
        let now = self.of_root(root);
        self.book.add(root, options(&now), &holding(&now));
    }

    /// What was learned of a question, by the matters it was put in, the oldest first.
    fn of_root(&self, root: MatterId) -> Vec<Arc<Learned>> {
        let own = [root];
        let matters = self.branches.get(&root).map_or(&own[..], Vec::as_slice);
        matters.iter().filter_map(|matter| self.learned.get(matter).cloned()).collect()
    }

    /// Of how many matters something is known.
    pub fn known(&self) -> usize {
        self.learned.len()
    }

    /// What is known of a matter.
    pub fn learned(&self, matter: MatterId) -> Option<&Arc<Learned>> {
        self.learned.get(&matter)
    }

    /// The record of every seat with each model it ran on. A question counts once, however it branched: by what was
    /// learned of its youngest branch.
    pub fn records(&self) -> Vec<TrackRecord> {
        self.book.records()
    }
}

/// How many options a question has: its branches share them.
fn options(learned: &[Arc<Learned>]) -> u8 {
    learned.last().map_or(0, |learned| learned.options)
}

/// The marks that hold for one question: of each voter the one in its youngest branch.
fn holding(learned: &[Arc<Learned>]) -> Vec<&JudgedVote> {
    match learned {
        [] => Vec::new(),
        [only] => only.marks.iter().collect(),
        several => {
            let marks = several.iter().flat_map(|learned| &learned.marks);
            marks.map(|mark| (mark.voter(), mark)).collect::<BTreeMap<_, _>>().into_values().collect()
        }
    }
}

impl TrackRecord {
    /// The record of a voter before its first mark.
    fn empty(mark: &JudgedVote) -> Self {
        Self {
            who: mark.who.clone(),
            model: mark.model.clone(),
            backend: mark.backend.clone(),
            right: 0,
            wrong: 0,
            right_alone: 0,
            wrong_alone: 0,
        }
    }

    /// Whose it is.
    fn voter(&self) -> Voter<'_> {
        Voter { backend: self.backend.as_deref(), model: self.model.as_deref(), who: &self.who }
    }

    /// How many votes it holds.
    fn marks(&self) -> u32 {
        self.right + self.wrong
    }
}

impl JudgedVote {
    /// Whose record it belongs to.
    fn voter(&self) -> Voter<'_> {
        Voter { backend: self.backend.as_deref(), model: self.model.as_deref(), who: &self.who }
    }
}
