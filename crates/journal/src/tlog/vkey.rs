//! Public keys as people hand them on: `name+id+key`, the verifier keys of signed notes.

use std::fmt;

use ed25519_dalek::{Signature, VerifyingKey};
use synod_core::kernel::Digest;

use super::TlogError;
use super::base64;
use crate::hex;

/// What a key signs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Algorithm {
    /// The text of a note, as a log does.
    Ed25519,
    /// A checkpoint with the time at which it was seen, as a witness does.
    Cosignature,
}

impl Algorithm {
    fn byte(self) -> u8 {
        match self {
            Self::Ed25519 => 1,
            Self::Cosignature => 4,
        }
    }
}

/// A public key with its name.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct VerifierKey {
    name: String,
    algorithm: Algorithm,
    key: [u8; 32],
}

const WHAT: &str = "not a verifier key";

impl VerifierKey {
    /// The key under this name.
    pub fn new(name: &str, algorithm: Algorithm, key: [u8; 32]) -> Result<Self, TlogError> {
        if !is_name(name) {
            let why =
                format!("`{name}` is not a name: it is empty, or holds a space, a control character or `+`");
            return Err(TlogError::malformed(WHAT, why));
        }
        VerifyingKey::from_bytes(&key)
            .map_err(|_| TlogError::malformed(WHAT, "this is not an Ed25519 key"))?;
        Ok(Self { name: name.into(), algorithm, key })
    }

    /// The same for a key that is written in hex, as a house and its receipts do.
    pub fn of_hex(name: &str, algorithm: Algorithm, key: &str) -> Result<Self, TlogError> {
        let key = hex::decode(key).ok_or_else(|| TlogError::malformed(WHAT, "a key is 64 hex digits"))?;
        Self::new(name, algorithm, key)
    }

    /// Reads `name+id+key`.
    pub fn parse(text: &str) -> Result<Self, TlogError> {
        let wrong = |why: &str| TlogError::malformed(WHAT, format!("`{text}`: {why}"));
        // The base 64 of a key may hold `+`, its name and its id may not.
        let mut parts = text.splitn(3, '+');
        let (Some(name), Some(id), Some(key)) = (parts.next(), parts.next(), parts.next()) else {
            return Err(wrong("write name+id+key"));
        };
        let bytes = base64::decode(key).ok_or_else(|| wrong("its key is not base 64"))?;
        let (algorithm, key) = match bytes.split_first() {
            Some((1, key)) => (Algorithm::Ed25519, key),
            Some((4, key)) => (Algorithm::Cosignature, key),
            Some((other, _)) => {
                return Err(wrong(&format!("signature type {other} is not known here (1 and 4 are)")));
            }
            None => return Err(wrong("its key is empty")),
        };
        let key = key.try_into().map_err(|_| wrong("its key is not 32 bytes long"))?;
        let known = Self::new(name, algorithm, key)?;
        if hex::encode(&known.id()) != id {
            return Err(wrong("its id is not that of its name and key: it was mistyped or changed"));
        }
        Ok(known)
    }

    /// Its name.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// What it signs.
    pub fn algorithm(&self) -> Algorithm {
        self.algorithm
    }

    /// The key itself, hex.
    pub fn public_hex(&self) -> String {
        hex::encode(&self.key)
    }

    pub(crate) fn bytes(&self) -> &[u8; 32] {
        &self.key
    }

    /// The four bytes by which signatures name it.
    pub fn id(&self) -> [u8; 4] {
        let mut named = self.name.clone().into_bytes();
        named.push(b'\n');
        named.push(self.algorithm.byte());
        named.extend_from_slice(&self.key);
        let [a, b, c, d, ..] = Digest::of(&named).0;
        [a, b, c, d]
    }

    /// Whether it signed these bytes.
    pub(crate) fn has_signed(&self, message: &[u8], signature: &[u8]) -> bool {
        let (Ok(key), Ok(signature)) =
            (VerifyingKey::from_bytes(&self.key), Signature::from_slice(signature))
        else {
            return false;
        };
        // Strict: otherwise weak keys exist under which one signature fits many texts.
        key.verify_strict(message, &signature).is_ok()
    }
}

impl fmt::Display for VerifierKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut typed = vec![self.algorithm.byte()];
        typed.extend_from_slice(&self.key);
        write!(f, "{}+{}+{}", self.name, hex::encode(&self.id()), base64::encode(&typed))
    }
}

pub(super) fn is_name(name: &str) -> bool {
    let strange = |c: char| c.is_whitespace() || c.is_control() || c == '+';
    !name.is_empty() && !name.contains(strange)
}
