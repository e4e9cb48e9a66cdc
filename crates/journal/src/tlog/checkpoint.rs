//! Checkpoints: how large the tree of a house is, and its root.

use synod_core::kernel::Digest;

use super::{Note, TlogError, base64, decimal, hash_line};
use crate::HouseKey;

const WHAT: &str = "not a checkpoint";

/// The state of a log that a note speaks of.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Checkpoint {
    /// Whose log it is. For a house, see [`Checkpoint::origin_of`].
    pub origin: String,
    /// How many acts there are.
    pub size: u64,
    /// The root of the tree over them.
    pub root: Digest,
}

impl Checkpoint {
    /// The origin of the house whose first record has this hash. The hash is in the tree, and a house keeps its origin
    /// when its key is replaced.
    pub fn origin_of(first: &Digest) -> String {
        let mut hex = first.to_string();
        hex.truncate(16);
        format!("synod-house/{hex}")
    }

    /// What is signed.
    pub fn text(&self) -> String {
        format!("{}\n{}\n{}\n", self.origin, self.size, base64::encode(&self.root.0))
    }

    /// Reads the text of a note. Lines that others may add are not looked at.
    pub fn parse(text: &str) -> Result<Self, TlogError> {
        let wrong = |why: &str| TlogError::malformed(WHAT, why);
        let mut lines = text.strip_suffix('\n').unwrap_or(text).split('\n');
        let (Some(origin), Some(size), Some(root)) = (lines.next(), lines.next(), lines.next()) else {
            return Err(wrong("it has fewer than three lines"));
        };
        if origin.is_empty() || lines.any(str::is_empty) {
            return Err(wrong("a line of it is empty"));
        }
        let size = decimal(size).ok_or_else(|| wrong("the second line is not a size"))?;
        let root = hash_line(root).ok_or_else(|| wrong("the third line is not the base 64 of a hash"))?;
        Ok(Self { origin: origin.into(), size, root })
    }

    /// The checkpoint as a note that the house has signed. The name of its key is the origin.
    pub fn sign(&self, key: &HouseKey) -> Result<Note, TlogError> {
        let mut note = Note::new(self.text())?;
        note.sign(&self.origin, key)?;
        Ok(note)
    }
}
