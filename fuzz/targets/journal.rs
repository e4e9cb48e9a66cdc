//! What the journal reads of others: canonical JSON, receipts, records of a chain, proofs, notes and policies.
//! Each function takes any bytes, and panics where a promise is broken.

use serde_json::Value;
use synod_core::kernel::{Digest, Seq};
use synod_journal::chain::open_alone;
use synod_journal::tlog::{Checkpoint, Note, Policy, Proof, VerifierKey};
use synod_journal::{Receipt, Record, canon};

/// Text passes as canonical exactly where writing its value again gives the same bytes.
pub(crate) fn canonical(bytes: &[u8]) {
    let Ok(text) = std::str::from_utf8(bytes) else { return };
    let value: Option<Value> = serde_json::from_str(text).ok();
    let written = value.and_then(|value| canon::to_string(&value).ok());
    match canon::check(text) {
        Ok(()) => assert_eq!(written.as_deref(), Some(text), "passed, and is written otherwise"),
        Err(why) => assert_ne!(written.as_deref(), Some(text), "refused, and is written so: {why}"),
    }
}

/// A receipt that is read is written as it was, and one whose bytes are not the house's is never found good.
pub(crate) fn receipt(bytes: &[u8]) {
    let Ok(receipt) = Receipt::parse(bytes) else { return };
    let line = receipt.to_line().expect("it was canonical");
    assert_eq!(line.trim_end().as_bytes(), bytes.trim_ascii_end(), "read and written again");
    let _ = receipt.check();
}

/// A record opens only if it decodes, and never with a panic.
pub(crate) fn record(bytes: &[u8]) {
    let Ok(body) = std::str::from_utf8(bytes) else { return };
    let hash = Digest::of(bytes);
    let record = Record { seq: Seq(1), hash, body: body.into(), redacted: false };
    let opened = open_alone(&record);
    assert_eq!(opened.is_ok(), open_alone(&record).is_ok(), "opening is a function");
    let other = Record { hash: Digest::of(b"other"), ..record };
    assert!(open_alone(&other).is_err(), "another hash is not opened");
}

/// A proof, a note, a key or a checkpoint that is read is written as it was. A policy that is read counts no witness for a note
/// that none of them signed.
pub(crate) fn proof(bytes: &[u8]) {
    let Ok(text) = std::str::from_utf8(bytes) else { return };
    if let Ok(proof) = Proof::parse(text) {
        assert_eq!(proof.to_string(), text, "a proof is read and written again");
        let _ = (proof.act(), proof.claimed());
    }
    if let Ok(note) = Note::parse(text) {
        assert_eq!(note.to_string(), text, "a note is read and written again");
    }
    if let Ok(checkpoint) = Checkpoint::parse(text) {
        assert!(text.starts_with(checkpoint.text().trim_end()), "a checkpoint is read and written again");
    }
    if let Ok(key) = VerifierKey::parse(text) {
        assert_eq!(key.to_string(), text, "a key is read and written again");
    }
    let (policy, note) = (Policy::parse(text), Note::new("origin\n".into()));
    if let (Ok(policy), Ok(note)) = (policy, note) {
        let counted = policy.witnessed(&note);
        assert!(counted.is_ok_and(|counted| counted.by.is_empty()), "nobody signed it");
    }
}
