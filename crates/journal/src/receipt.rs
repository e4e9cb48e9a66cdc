//! Receipts: what a house signs and hands out, to be checked offline by people who trust none of it.
//!
//! A receipt is one line of canonical JSON with three fields. The signature covers the canonical bytes of
//! the body after a prefix, so it can be mistaken for no other thing the key may ever sign. That a receipt
//! checks says the holder of the key signed it; whether that key is the house's, the reader has to know.

use ed25519_dalek::{Signature, VerifyingKey};
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use crate::{HouseKey, canon, hex};

const PREFIX: &str = "synod-receipt-v1\n";

/// A signed statement of a house.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Receipt {
    /// What is stated.
    pub body: Value,
    /// The public key of the house, hex.
    pub key: String,
    /// The signature over the body, hex.
    pub signature: String,
}

/// Why a receipt is not accepted, or cannot be made.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum ReceiptError {
    /// The file is no JSON. Perhaps it is another file, or was cut short.
    #[error("this is not a receipt: {0}")]
    NotJson(String),
    /// The file is JSON and not in the one spelling receipts have. It was reformatted or edited; ask for the
    /// file as the house wrote it.
    #[error("this receipt was reformatted or edited ({0}); get the file as the house wrote it")]
    Reformatted(canon::Uncanonical),
    /// A field that every receipt has is not there, or is no text.
    #[error("this is not a receipt: it has no `{0}` of the right kind")]
    Missing(&'static str),
    /// There is a field that the signature would not cover.
    #[error("this receipt has a field `{0}` that is not signed; remove it")]
    Unsigned(String),
    /// The public key is not one.
    #[error("the key in this receipt is not an Ed25519 key in 64 hex digits")]
    Key,
    /// The signature is not one.
    #[error("the signature in this receipt is not 128 hex digits")]
    Signature,
    /// The signature is not that of this key over this body: one of the three was changed.
    #[error("this receipt was changed after it was signed, or signed with another key than it names")]
    Forged,
    /// The body holds what canonical JSON cannot.
    #[error("the body cannot be signed: {0}")]
    Body(#[from] canon::CanonError),
}

impl Receipt {
    /// Signs a statement.
    pub fn sign(key: &HouseKey, body: Value) -> Result<Self, ReceiptError> {
        let signature = hex::encode(&key.sign(&message(&body)?));
        Ok(Self { body, key: key.public_hex(), signature })
    }

    /// Is the body signed by the key the receipt names?
    pub fn check(&self) -> Result<(), ReceiptError> {
        let key = hex::decode(&self.key).ok_or(ReceiptError::Key)?;
        let key = VerifyingKey::from_bytes(&key).map_err(|_| ReceiptError::Key)?;
        let signature = hex::decode(&self.signature).ok_or(ReceiptError::Signature)?;
        // Strict: otherwise weak keys exist under which one signature fits many bodies.
        key.verify_strict(&message(&self.body)?, &Signature::from_bytes(&signature))
            .map_err(|_| ReceiptError::Forged)
    }

    /// The receipt as it stands in its file.
    pub fn to_line(&self) -> Result<String, ReceiptError> {
        Ok(canon::to_string(self)? + "\n")
    }

    /// Reads what `to_line` wrote. Only blanks at the end may differ: any other freedom would let two readers
    /// of one file see two statements. Does not check the signature.
    pub fn parse(bytes: &[u8]) -> Result<Self, ReceiptError> {
        let text =
            std::str::from_utf8(bytes).map_err(|error| ReceiptError::NotJson(error.to_string()))?.trim_end();
        let mut fields: Map<String, Value> =
            serde_json::from_str(text).map_err(|error| ReceiptError::NotJson(error.to_string()))?;
        canon::check(text).map_err(ReceiptError::Reformatted)?;
        let body = fields.remove("body").ok_or(ReceiptError::Missing("body"))?;
        let (key, signature) = (take(&mut fields, "key")?, take(&mut fields, "signature")?);
        match fields.into_iter().next() {
            Some((extra, _)) => Err(ReceiptError::Unsigned(extra)),
            None => Ok(Self { body, key, signature }),
        }
    }
}

fn take(fields: &mut Map<String, Value>, name: &'static str) -> Result<String, ReceiptError> {
    match fields.remove(name) {
        Some(Value::String(text)) => Ok(text),
        _ => Err(ReceiptError::Missing(name)),
    }
}

fn message(body: &Value) -> Result<Vec<u8>, canon::CanonError> {
    Ok((PREFIX.to_string() + &canon::to_string(body)?).into_bytes())
}
