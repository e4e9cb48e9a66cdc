//! Proofs that stand alone: one act, the way from it to the root, and a signed checkpoint.

use std::fmt;

use synod_core::kernel::Digest;

use super::{Checkpoint, Note, TlogError, base64, decimal, hash_line, verify_inclusion};

const WHAT: &str = "not a tlog-proof";
const FIRST: &str = "c2sp.org/tlog-proof@v1";
/// As deep as a tree can be.
const PATH_MOST: usize = 64;

/// That an act is in the record of a house.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Proof {
    /// Said beside it; proves nothing by itself. Synod puts the hash of the record there.
    pub extra: Option<Vec<u8>>,
    /// The place of the act: its number less one.
    pub index: u64,
    /// From the leaf up to the root.
    pub path: Vec<Digest>,
    /// The checkpoint with its signatures.
    pub note: Note,
}

impl Proof {
    /// The number of the act.
    pub fn act(&self) -> u64 {
        self.index.saturating_add(1)
    }

    /// The hash that is said beside it, if it looks like one.
    pub fn claimed(&self) -> Option<Digest> {
        self.extra.as_deref().and_then(|extra| extra.try_into().ok()).map(Digest)
    }

    /// Reads a proof.
    pub fn parse(text: &str) -> Result<Self, TlogError> {
        let wrong = |why: &str| TlogError::malformed(WHAT, why);
        let rest = text.strip_prefix(FIRST).and_then(|rest| rest.strip_prefix('\n'));
        let rest = rest.ok_or_else(|| wrong("its first line is not c2sp.org/tlog-proof@v1"))?;
        let (head, note) = rest.split_once("\n\n").ok_or_else(|| wrong("it has no checkpoint"))?;
        let mut lines = head.split('\n').peekable();
        let extra = match lines.peek().and_then(|line| line.strip_prefix("extra ")) {
            Some(extra) => {
                lines.next();
                Some(base64::decode(extra).ok_or_else(|| wrong("its extra data is not base 64"))?)
            }
            None => None,
        };
        let index = lines.next().and_then(|line| line.strip_prefix("index ")).and_then(decimal);
        let index = index.ok_or_else(|| wrong("it does not say the index of the act"))?;
        let path: Option<Vec<Digest>> = lines.map(hash_line).collect();
        let path = path
            .filter(|path| path.len() <= PATH_MOST)
            .ok_or_else(|| wrong("its path is not a list of hashes"))?;
        Ok(Self { extra, index, path, note: Note::parse(note)? })
    }

    /// The text of a proof, from parts that were written before: the acts of one batch share their note and most hashes. `path`
    /// has each hash on a line of its own, after a newline.
    pub fn text(extra: Option<&[u8]>, index: u64, path: &str, note: &str) -> String {
        let mut text = String::with_capacity(FIRST.len() + 96 + path.len() + note.len());
        text.push_str(FIRST);
        if let Some(extra) = extra {
            text.push_str("\nextra ");
            base64::append(&mut text, extra);
        }
        text.push_str("\nindex ");
        text.push_str(&index.to_string());
        text.push_str(path);
        text.push_str("\n\n");
        text.push_str(note);
        text
    }

    /// Checks that a record is the act the proof speaks of. Who signed the checkpoint is another question.
    pub fn check(&self, record: &Digest) -> Result<Checkpoint, TlogError> {
        let checkpoint = Checkpoint::parse(self.note.text())?;
        match verify_inclusion(record, self.index, checkpoint.size, &self.path, &checkpoint.root) {
            true => Ok(checkpoint),
            false => Err(TlogError::NotIncluded { act: self.act(), size: checkpoint.size }),
        }
    }
}

impl fmt::Display for Proof {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let path: String = self.path.iter().map(|hash| format!("\n{}", base64::encode(&hash.0))).collect();
        f.write_str(&Self::text(self.extra.as_deref(), self.index, &path, &self.note.to_string()))
    }
}
