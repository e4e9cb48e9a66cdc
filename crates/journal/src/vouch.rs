//! What proves that a command is its author's: the code of a token, and the signature of a participant.
//!
//! Both cover the canonical JSON (RFC 8785) of one object, so that anybody can make the bytes again from the record:
//!
//! ```json
//! {"by":"seat:ann","command":{…},"house":"HEX","key":"…","kind":"synod/act/2","seen":{"act":57,"hash":"HEX"}}
//! {"by":"seat:ann","command":{…},"key":"…","kind":"synod/mac/1","nonce":"…","voucher":"token:…"}
//! ```
//!
//! `command` and `key` are the fields of the record (`key` is left out where the record has none), `house` is the public key
//! that the house was founded with. `seen` is a record that the participant had seen: ids alone would name something else in a
//! house whose owner put old files back, and the hash fixes everything up to it ([`fits_history`]). A signature is Ed25519 over the bytes of the first; a code is HMAC-SHA-256 over those of
//! the second, by a secret that follows from the token: `HMAC-SHA-256(token, "synod/mac/1")`. Nothing here reads a file.

use ed25519_dalek::{Signature, Signer as _, SigningKey, VerifyingKey};
use hmac::{Hmac, KeyInit as _, Mac as _};
use serde::{Deserialize, Serialize};
use sha2::Sha256;
use synod_core::kernel::{Actor, Digest, Key};
use synod_core::{Act, Command, Mac, SeenRecord, Vouched};

use crate::{canon, hex};

const ACT: &str = "synod/act/2";
const MAC: &str = "synod/mac/1";

#[derive(Serialize)]
struct Signed<'a> {
    by: &'a Actor,
    command: &'a Command,
    house: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    key: Option<&'a Key>,
    kind: &'static str,
    seen: &'a SeenRecord,
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
    (by, key, command): (&Actor, Option<&Key>, &Command),
    seen: &SeenRecord,
) -> Result<String, canon::CanonError> {
    canon::to_string(&Signed { by, command, house, key, kind: ACT, seen })
}

/// The record that a signed text names; none if it is not such a text.
pub fn seen_in(text: &str) -> Option<SeenRecord> {
    #[derive(Deserialize)]
    struct SignedAbout {
        kind: String,
        seen: SeenRecord,
    }
    let named: SignedAbout = serde_json::from_str(text).ok()?;
    (named.kind == ACT).then_some(named.seen)
}

/// Whether a command that was signed by somebody who had seen this record means what stands in this history: the record with
/// that number is the same, and none of the ids in the command is younger. `recorded` is the hash of that record here.
pub fn fits_history(seen: &SeenRecord, recorded: Option<Digest>, command: &Command) -> bool {
    recorded == Some(seen.hash) && command.newest_named().is_none_or(|named| named <= seen.act)
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

#[cfg(test)]
mod tests {
    use synod_core::kernel::{AmendmentId, MatterId, Seq, Who};
    use synod_core::procedure::ring;

    use super::*;

    fn seen(act: u64) -> SeenRecord {
        SeenRecord { act: Seq(act), hash: Digest::of(b"a record") }
    }

    fn command(action: ring::Action) -> Command {
        let matter: MatterId = "m57".parse().expect("an id");
        Command::Ring(ring::Command::Participate { action, matter })
    }

    /// A vector for other implementations: the key with the seed 01…, and what it signs.
    #[test]
    fn the_signed_text_is_the_one_that_is_documented() {
        let by = Actor::Seat(Who::parse("ann").expect("a name"));
        let key = Key("http/seat:ann/1".into());
        let join = command(ring::Action::Join);
        let text = signed_text(&"a5".repeat(32), (&by, Some(&key), &join), &seen(60)).expect("a text");
        let house = "a5".repeat(32);
        let hash = Digest::of(b"a record");
        let due = format!(
            r#"{{"by":"seat:ann","command":{{"ring":{{"participate":{{"action":"join","matter":"m57"}}}}}},"house":"{house}","key":"http/seat:ann/1","kind":"synod/act/2","seen":{{"act":60,"hash":"{hash}"}}}}"#
        );
        assert_eq!(text, due);
        assert_eq!(seen_in(&text), Some(seen(60)));
        assert_eq!(seen_in(&text.replace("act/2", "act/1")), None, "another kind of text");
        let signer = ParticipantKey::from_hex(&"01".repeat(32)).expect("a seed");
        assert!(has_signed(&signer.public_hex(), &text, &signer.sign(&text)));
        assert!(!has_signed(&signer.public_hex(), &text.replace("60", "61"), &signer.sign(&text)));
    }

    #[test]
    fn a_record_before_what_the_command_names_is_not_enough() {
        let recorded = Some(Digest::of(b"a record"));
        let join = command(ring::Action::Join);
        assert!(fits_history(&seen(57), recorded, &join));
        assert!(!fits_history(&seen(56), recorded, &join));
        assert!(!fits_history(&seen(57), Some(Digest::of(b"another")), &join));
        assert!(!fits_history(&seen(57), None, &join));
        let amendment: AmendmentId = "61.1".parse().expect("an id");
        let rule = command(ring::Action::Rule { accept: true, amendment, why: None });
        assert!(fits_history(&seen(61), recorded, &rule));
        assert!(!fits_history(&seen(60), recorded, &rule));
    }
}
