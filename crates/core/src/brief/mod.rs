//! Briefs: what a participant is told, and how what they answer is read.
//!
//! A brief is a pure function of plain values, so what a model saw can be reproduced from the journal. It
//! has three layers of text, ordered so that providers' prefix caches hit: `stable` is the same for all
//! asks of a matter that want the same form, `shared` is the same for all seats that see the same things and grows by appending,
//! `own` is this ask's, what is particular to the seat last. What others said stands behind a margin and
//! is named as data.
//!
//! The file that asks for a field also reads it: `form`. To change wording: `words` and the charters, and
//! look at the diff of the snapshot tests.

mod addressed;
mod clerk;
mod comment;
mod digest;
mod form;
mod history;
mod kinds;
mod language;
mod mend;
mod motion;
mod person;
mod read;
mod stance;
mod turn;
mod worded;
mod words;

use std::sync::Arc;

pub use addressed::{ChangeCondition, Sought, addressed_to};
pub use clerk::{ClerkTask, chore, office, side_key};
pub use comment::{
    COMMENT, CommentBrief, WrittenComment, canon_section, cited_into, comment_task, thread_item, thread_rules,
};
pub use digest::WrittenDigest;
pub use form::{CHECKS, DELEGATE, Field, Form, Marking, NEW_ARGUMENT, REQUESTS, ValueKind, VoteForm};
pub use history::{History, HistoryItem, Keep};
pub use kinds::{ANSWER, BEST, HIGH, LOW, SAME, ask_for_estimate, ask_for_proposal};
pub(crate) use language::language;
pub use motion::{
    OrderedSide, SECONDS, SpeechNotes, SumNotes, VoteNotes, ask_for_second, speech_notes, sum_notes,
    vote_notes,
};
pub use read::{FieldValue, GUESSED, INFERRED, ReadAnswer, TOKEN, same_key};
pub(crate) use read::{text_of_object, without_thinking};
pub use stance::{AskedFor, NoStance, StanceReading, read_stance, stance_source};
pub use turn::{Lying, TurnOf, shown_at_most, turn};
pub use worded::{Hide, Worded};
pub use words::{
    AddressedSeat, Contract, Filling, Ground, Part, RoleWording, Section, Telling, Tools, Wording, own,
    stable, task,
};

use crate::kernel::{Digest, Hasher};

/// A piece of text with its digest, made once and shared by many briefs.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Layer {
    text: Arc<str>,
    digest: Digest,
}

impl Layer {
    /// Takes the text and its digest.
    pub fn new(text: String) -> Self {
        let digest = Digest::of(text.as_bytes());
        Self { text: text.into(), digest }
    }

    /// The text.
    pub fn text(&self) -> &str {
        &self.text
    }
}

/// A layer that grows by appending: what was hashed is not hashed again.
#[derive(Debug, Clone)]
struct GrowingLayer {
    text: String,
    hasher: Hasher,
    /// How much of the text the hasher has taken.
    hashed: usize,
    /// How many items stand in the text.
    told: usize,
}

impl GrowingLayer {
    fn new(text: String, told: usize) -> Self {
        Self { text, hasher: Hasher::default(), hashed: 0, told }
    }

    fn push(&mut self, text: &str) {
        self.text.push_str(text);
    }

    fn push_item(&mut self, text: &str) {
        self.push(text);
        self.told += 1;
    }

    fn hash(&mut self) {
        self.hasher.update(&self.text.as_bytes()[self.hashed..]);
        self.hashed = self.text.len();
    }

    fn layer(&mut self) -> Layer {
        self.hash();
        Layer { text: self.text.as_str().into(), digest: self.hasher.clone().finish() }
    }
}

/// What one participant is told for one ask.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Brief {
    /// The same for every ask of the matter.
    pub stable: Layer,
    /// The same for every seat that sees the same things.
    pub shared: Layer,
    /// This ask's alone.
    pub own: String,
    /// The form of the answer.
    pub form: Arc<Form>,
}

impl Brief {
    /// What the journal keeps of it: the digest over the digests of both shared layers and the own text.
    pub fn digest(&self) -> Digest {
        let mut hasher = Hasher::default();
        hasher.update(&self.stable.digest.0);
        hasher.update(&self.shared.digest.0);
        hasher.update(self.own.as_bytes());
        hasher.finish()
    }

    /// All three layers as one text, for seats that take a single prompt.
    pub fn text(&self) -> String {
        [self.stable.text(), self.shared.text(), &self.own].concat()
    }

    /// Bytes of all three layers.
    pub fn len(&self) -> usize {
        self.stable.text.len() + self.shared.text.len() + self.own.len()
    }

    /// Whether nothing is said.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }
}
