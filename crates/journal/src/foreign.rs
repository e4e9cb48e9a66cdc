//! Receipts in formats of others: a DSSE envelope, and the signature of an Open Decision Receipt. Each message begins in its own way, so
//! that no signature for one of them fits anything else the key signs.

use serde_json::{Value, json};
use synod_core::kernel::Digest;

use crate::tlog::to_base64;
use crate::{HouseKey, ReceiptError, canon};

/// Puts a payload into a signed envelope (DSSE).
pub fn envelope(key: &HouseKey, kind: &str, payload: &str) -> Value {
    let message = format!("DSSEv1 {} {kind} {} {payload}", kind.len(), payload.len());
    json!({
        "payloadType": kind,
        "payload": to_base64(payload.as_bytes()),
        "signatures": [{ "keyid": key.public_hex(), "sig": to_base64(&key.sign(message.as_bytes())) }],
    })
}

/// The `signatures` entry of an Open Decision Receipt 0.2 whose canonical bytes without signatures are these.
pub fn odr_signature(key: &HouseKey, canonical: &str) -> Result<Value, ReceiptError> {
    let mut id = Digest::of(&key.public()).to_string();
    id.truncate(16);
    let mut entry = json!({ "alg": "Ed25519", "key_id": format!("ed25519-{id}"), "role": "emitter" });
    let digest = Digest::of(canonical.as_bytes()).to_string();
    let message = json!({ "odr_digest": digest, "odr_signature_input": "0.2", "protected": entry });
    let signature = key.sign(canon::to_string(&message)?.as_bytes());
    entry["signature"] = to_base64(&signature).into();
    Ok(entry)
}
