//! What proves that a command is its author's: the code of a token, and the signature of a participant.
//!
//! Both cover the canonical JSON (RFC 8785) of one object, so that anybody can make the bytes again from the record:
//!
//! ```json
//! {"by":"seat:ann","command":{…},"house":"HEX","key":"…","kind":"synod/act/1"}
//! {"by":"seat:ann","command":{…},"key":"…","kind":"synod/mac/1","nonce":"…","voucher":"token:…"}
//! ```
//!
//! `command` and `key` are the fields of the record (`key` is left out where the record has none), `house` is the public key
//! that the house was founded with. A signature is Ed25519 over the bytes of the first; a code is HMAC-SHA-256 over those of
//! the second, by a secret that follows from the token: `HMAC-SHA-256(token, "synod/mac/1")`. Nothing here reads a file.

use ed25519_dalek::{Signature, Signer as _, SigningKey, VerifyingKey};
use hmac::{Hmac, KeyInit as _, Mac as _};
use serde::Serialize;
use sha2::Sha256;
use synod_core::kernel::{Actor, Digest, Key};
use synod_core::{Act, Command, Mac, Vouched};

use crate::{canon, hex};

const ACT: &str = "synod/act/1";
const MAC: &str = "synod/mac/1";

#[derive(Serialize)]
struct Signed<'a> {
    by: &'a Actor,
    command: &'a Command,
    house: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    key: Option<&'a Key>,
    kind: &'static str,
}

#[derive(Serialize)]
struct Coded<'a> {
    by: &'a Actor,
    command: &'a Command,
    #[serde(skip_serializing_if = "Option::is_none")]
    key: Option<&'a Key>,
    kind: &'static str,
    nonce: &'a str,
    voucher: &'a str,
}

/// The bytes that a participant signs.
pub fn signed_text(
    house: &str,
    by: &Actor,
    key: Option<&Key>,
    command: &Command,
) -> Result<String, canon::CanonError> {
    canon::to_string(&Signed { by, command, house, key, kind: ACT })
}

/// Whether a public key has made this signature over these bytes; both in hex.
pub fn has_signed(public: &str, text: &str, signature: &str) -> bool {
    let key = hex::decode(public).and_then(|key| VerifyingKey::from_bytes(&key).ok());
    let signature = hex::decode(signature).map(|bytes| Signature::from_bytes(&bytes));
    // Strict: otherwise weak keys exist under which one signature fits many texts.
    key.zip(signature).is_some_and(|(key, signature)| key.verify_strict(text.as_bytes(), &signature).is_ok())
}

/// A key that a participant signs with.
pub struct ParticipantKey(SigningKey);

impl std::fmt::Debug for ParticipantKey {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_tuple("ParticipantKey").field(&self.public_hex()).finish()
    }
}

impl ParticipantKey {
    /// The key of this seed in hex, as its file holds it.
    pub fn from_hex(seed: &str) -> Option<Self> {
        hex::decode(seed.trim()).map(|seed| Self(SigningKey::from_bytes(&seed)))
    }

    /// The public key, in hex.
    pub fn public_hex(&self) -> String {
        hex::encode(self.0.verifying_key().as_bytes())
    }

    /// The signature over a text, in hex.
    pub fn sign(&self, text: &str) -> String {
        hex::encode(&self.0.sign(text.as_bytes()).to_bytes())
    }
}

/// HMAC-SHA-256.
fn hmac(secret: &[u8], message: &[u8]) -> Digest {
    // HMAC takes keys of any length, so there is nothing to fail.
    let Ok(mut mac) = Hmac::<Sha256>::new_from_slice(secret) else { return Digest::default() };
    mac.update(message);
    Digest(mac.finalize().into_bytes().into())
}

/// The secret that goes with a token, for the codes of acts.
pub fn mac_secret(token: &str) -> Digest {
    hmac(token.as_bytes(), MAC.as_bytes())
}

/// What binds a command to the token that vouched for it.
pub fn mac(
    secret: &Digest,
    nonce: String,
    voucher: &str,
    (by, key, command): (&Actor, Option<&Key>, &Command),
) -> Result<Mac, canon::CanonError> {
    let coded = canon::to_string(&Coded { by, command, key, kind: MAC, nonce: &nonce, voucher })?;
    Ok(Mac { tag: hmac(&secret.0, coded.as_bytes()), nonce })
}

/// Whether the code of an act is that of this secret.
pub fn has_vouched(secret: &Digest, act: &Act, vouched: &Vouched) -> bool {
    let Some(found) = &vouched.mac else { return false };
    let about = (&act.by, act.key.as_ref(), &act.command);
    mac(secret, found.nonce.clone(), &vouched.by, about).is_ok_and(|due| due == *found)
}
