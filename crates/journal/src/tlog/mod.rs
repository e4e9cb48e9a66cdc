//! The record as a transparency log: a Merkle tree over the hashes of the records, checkpoints that the house signs, proofs
//! that one act is in it, and cosignatures of witnesses who saw it grow.
//!
//! The bytes are those of C2SP (signed note, tlog-checkpoint, tlog-cosignature, tlog-proof, tlog-policy) over an RFC 6962 tree,
//! so that tools that are not ours can check them. A leaf is the 32-byte hash of a record, which a redaction keeps. The leaf of
//! act 1 has index 0, so a tree of size `n` holds the acts 1 to `n`. Nothing here reads a journal, a clock or a network.
//!
//! To add a kind of signature: its byte in `vkey.rs`, its message beside `cosignature.rs`, a vector in the tests.

mod base64;
mod checkpoint;
mod cosignature;
mod growth;
mod note;
mod policy;
mod proof;
mod tree;
mod vkey;

pub use base64::{decode as from_base64, encode as to_base64};
pub use checkpoint::Checkpoint;
pub use cosignature::{cosign, cosigned_at};
pub use growth::Growth;
pub use note::{Note, SignatureLine};
pub use policy::{Policy, Witness, WitnessGroup, Witnessed};
pub use proof::Proof;
pub use tree::{
    Frontier, Leaves, NewSubtrees, consistency, empty_root, inclusion, leaf, root_of, verify_consistency,
    verify_inclusion,
};
pub use vkey::{Algorithm, VerifierKey};

/// The reason why something in one of these formats cannot be read, or does not hold.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum TlogError {
    /// The text is not in the format it should have.
    #[error("{what}: {why}")]
    Malformed {
        /// Which format.
        what: &'static str,
        /// What is wrong with it.
        why: String,
    },
    /// A key signed this note, and the signature does not fit: the note was changed, or the line was made up.
    #[error("the signature of {name} does not fit: the text was changed after it was signed")]
    Forged {
        /// The name of the key.
        name: String,
    },
    /// No known key signed it.
    #[error("it is not signed by {name}")]
    Unsigned {
        /// The name of the key that was looked for.
        name: String,
    },
    /// The path does not lead from the act to the root.
    #[error("act {act} with this hash is not in the tree of size {size}")]
    NotIncluded {
        /// The act.
        act: u64,
        /// The size of the tree.
        size: u64,
    },
    /// The larger tree does not contain the smaller one unchanged.
    #[error("the tree of size {new} does not continue the tree of size {old}: the history was rewritten")]
    Inconsistent {
        /// The smaller size.
        old: u64,
        /// The larger size.
        new: u64,
    },
}

impl TlogError {
    pub(crate) fn malformed(what: &'static str, why: impl Into<String>) -> Self {
        Self::Malformed { what, why: why.into() }
    }
}

/// A decimal number as these formats write it: digits only, no leading zero.
fn decimal(text: &str) -> Option<u64> {
    let plain = text == "0" || (!text.starts_with('0') && text.bytes().all(|byte| byte.is_ascii_digit()));
    if plain && !text.is_empty() { text.parse().ok() } else { None }
}

/// One hash of a proof, as base64.
fn hash_line(text: &str) -> Option<synod_core::kernel::Digest> {
    let bytes: [u8; 32] = from_base64(text)?.try_into().ok()?;
    Some(synod_core::kernel::Digest(bytes))
}
