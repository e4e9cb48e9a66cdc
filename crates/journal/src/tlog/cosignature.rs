//! Cosignatures: a witness says when it saw a checkpoint as the largest one of its log.

use super::{Algorithm, Note, SignatureLine, TlogError, VerifierKey};
use crate::HouseKey;

/// Signs a checkpoint as a witness that checked it, at a time in seconds of the epoch.
pub fn cosign(note: &Note, name: &str, key: &HouseKey, time: u64) -> Result<SignatureLine, TlogError> {
    let known = VerifierKey::new(name, Algorithm::Cosignature, key.public())?;
    let mut signature = time.to_be_bytes().to_vec();
    signature.extend_from_slice(&key.sign(&message(note, time)));
    Ok(SignatureLine { name: name.into(), id: known.id(), signature })
}

/// When a witness signed a checkpoint, in seconds of the epoch; the last time where it did so often.
pub fn cosigned_at(note: &Note, key: &VerifierKey) -> Result<u64, TlogError> {
    let mut last = None;
    for line in note.signatures().iter().filter(|line| line.is_of(key)) {
        let forged = || TlogError::Forged { name: key.name().into() };
        let (time, signature) = line.signature.split_first_chunk::<8>().ok_or_else(forged)?;
        let time = u64::from_be_bytes(*time);
        let fits = time <= i64::MAX as u64 && key.has_signed(&message(note, time), signature);
        last = Some(if fits { last.unwrap_or(0).max(time) } else { return Err(forged()) });
    }
    last.ok_or_else(|| TlogError::Unsigned { name: key.name().into() })
}

fn message(note: &Note, time: u64) -> Vec<u8> {
    format!("cosignature/v1\ntime {time}\n{}", note.text()).into_bytes()
}
