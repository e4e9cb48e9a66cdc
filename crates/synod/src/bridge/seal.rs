//! Signatures: who knows a participant's token can sign for it, and the token itself never travels.
//!
//! Both sides derive a secret from the token; a message is signed with HMAC-SHA-256 over its exact bytes. The house
//! keeps the secret beside the token's hash: it lets nobody in over HTTP.

use hmac::{Hmac, KeyInit as _, Mac as _};
use sha2::Sha256;
use subtle::ConstantTimeEq as _;
use synod_core::kernel::Digest;

/// What the secret is derived for. Another use of the same token would have another label.
const LABEL: &[u8] = b"synod/redis/1";

fn mac(key: &[u8], message: &[u8]) -> [u8; 32] {
    // HMAC takes keys of any length, so there is nothing to fail.
    let mut mac = match Hmac::<Sha256>::new_from_slice(key) {
        Ok(mac) => mac,
        Err(_) => return [0; 32],
    };
    mac.update(message);
    mac.finalize().into_bytes().into()
}

/// The secret that goes with a token.
pub(crate) fn secret(token: &str) -> Digest {
    Digest(mac(token.as_bytes(), LABEL))
}

/// The signature of a message.
pub(crate) fn sign(secret: &Digest, message: &str) -> Digest {
    Digest(mac(&secret.0, message.as_bytes()))
}

/// Whether one of these secrets made the signature.
pub(crate) fn verify(secrets: &[Digest], message: &str, signature: &Digest) -> bool {
    let good = |secret: &Digest| bool::from(sign(secret, message).0.ct_eq(&signature.0));
    // Every secret is tried, so that the time it takes tells nothing.
    secrets.iter().fold(false, |found, secret| found | good(secret))
}
