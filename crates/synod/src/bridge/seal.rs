//! Secrets, signatures and sealed messages: a participant and the house share a secret, and the token never travels.
//!
//! Both sides derive the secret from the token. Public messages are signed with it (HMAC-SHA-256). Private ones are
//! sealed: encrypted and authenticated with ChaCha20-Poly1305, under one key per direction, bound to the participant.
//! The house keeps the secret beside the token's hash; the secret does not open the HTTP service.

use chacha20poly1305::aead::{Aead as _, Payload};
use chacha20poly1305::{ChaCha20Poly1305, Key, KeyInit as _, Nonce};
use hmac::{Hmac, Mac as _};
use serde::{Deserialize, Serialize};
use sha2::Sha256;
use subtle::ConstantTimeEq as _;
use synod_core::kernel::{Digest, Who};

/// What the secret is derived for. Another use of the same token would have another label.
const LABEL: &[u8] = b"synod/redis/1";
/// The version of sealed messages.
const VERSION: u32 = 2;
/// Texts are padded to a multiple of this many bytes: without that, the length of a vote would tell how it was cast.
const PAD: usize = 512;
/// The bytes of a nonce. They are random: a token would need billions of messages before two are alike.
const NONCE: usize = 12;

fn mac(key: &[u8], message: &[u8]) -> [u8; 32] {
    // HMAC takes keys of any length, so there is nothing to fail.
    let mut mac = match <Hmac<Sha256> as hmac::KeyInit>::new_from_slice(key) {
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
pub(crate) fn verify<'a>(
    secrets: impl IntoIterator<Item = &'a Digest>,
    message: &str,
    signature: &Digest,
) -> bool {
    let good = |secret: &Digest| bool::from(sign(secret, message).0.ct_eq(&signature.0));
    // Every secret is tried, so that the time it takes tells nothing.
    secrets.into_iter().fold(false, |found, secret| found | good(secret))
}

/// Where a sealed message goes. Each direction has a key of its own, so that nothing can be sent back to its sender.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Direction {
    ToHouse,
    ToAgent,
}

impl Direction {
    fn word(self) -> &'static str {
        match self {
            Self::ToHouse => "to-house",
            Self::ToAgent => "to-agent",
        }
    }

    /// HKDF-Expand (RFC 5869) of the secret; for one block of output that is a single HMAC.
    fn key(self, secret: &Digest) -> Key {
        let mut info = format!("synod/redis/2/{}", self.word()).into_bytes();
        info.push(1);
        mac(&secret.0, &info).into()
    }

    /// What is authenticated besides the text: a message to one participant is none to another.
    fn bound_to(self, who: &Who) -> String {
        format!("synod/redis/2/{}/{who}", self.word())
    }
}

/// A sealed message as it travels.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, rename = "Sealed")]
pub(crate) struct SealedMessage {
    version: u32,
    /// Under which token: the id that `synod token list` shows.
    pub(super) token: String,
    nonce: String,
    sealed: String,
}

/// Why a sealed message cannot be read.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Unsealed {
    /// Not made with this key for this participant in this direction, or changed on the way.
    Wrong,
    /// It is genuine, but its length tells something about its text.
    Unpadded,
}

impl SealedMessage {
    /// Seals a text; none if the system gives no random numbers.
    pub(crate) fn new(token: &str, secret: &Digest, to: Direction, who: &Who, text: &str) -> Option<Self> {
        let mut nonce = [0; NONCE];
        getrandom::fill(&mut nonce).ok()?;
        let padded = text.to_string() + &" ".repeat(missing(text.len()));
        let bound = to.bound_to(who);
        let payload = Payload { msg: padded.as_bytes(), aad: bound.as_bytes() };
        let cipher = ChaCha20Poly1305::new(&to.key(secret));
        let sealed = cipher.encrypt(&Nonce::from(nonce), payload).ok()?;
        Some(Self { version: VERSION, token: token.into(), nonce: hex(&nonce), sealed: hex(&sealed) })
    }

    /// The text, as one of the ends that share the secret sealed it.
    pub(crate) fn open(&self, secret: &Digest, to: Direction, who: &Who) -> Result<String, Unsealed> {
        if self.version != VERSION {
            return Err(Unsealed::Wrong);
        }
        let nonce = bytes(&self.nonce).and_then(|nonce| <[u8; NONCE]>::try_from(nonce).ok());
        let (nonce, sealed) = nonce.zip(bytes(&self.sealed)).ok_or(Unsealed::Wrong)?;
        let bound = to.bound_to(who);
        let payload = Payload { msg: &sealed, aad: bound.as_bytes() };
        let cipher = ChaCha20Poly1305::new(&to.key(secret));
        let text = cipher.decrypt(&Nonce::from(nonce), payload).map_err(|_| Unsealed::Wrong)?;
        let text = String::from_utf8(text).map_err(|_| Unsealed::Wrong)?;
        if missing(text.len()) > 0 || text.is_empty() { Err(Unsealed::Unpadded) } else { Ok(text) }
    }
}

/// How many bytes a text of this length lacks.
fn missing(length: usize) -> usize {
    length.next_multiple_of(PAD) - length
}

fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

fn bytes(hex: &str) -> Option<Vec<u8>> {
    let digits = hex.as_bytes();
    let pair = |pair: &[u8]| {
        let digit = |digit: u8| char::from(digit).to_digit(16);
        Some((digit(pair[0])? * 16 + digit(pair[1])?) as u8)
    };
    digits.len().is_multiple_of(2).then(|| digits.chunks_exact(2).map(pair).collect()).flatten()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn who(name: &str) -> Who {
        Who::parse(name).expect("a name")
    }

    fn sealed(text: &str) -> SealedMessage {
        SealedMessage::new("id", &secret("token"), Direction::ToHouse, &who("ann"), text)
            .expect("random numbers")
    }

    #[test]
    fn a_sealed_text_comes_back_padded_and_only_at_its_end_and_for_its_participant() {
        let message = sealed("{\"vote\":\"ä\"}");
        let open = |key: &str, to, name: &str| message.open(&secret(key), to, &who(name));
        let text = open("token", Direction::ToHouse, "ann").expect("it opens");
        assert_eq!((text.trim_end(), text.len()), ("{\"vote\":\"ä\"}", PAD));
        assert_eq!(open("other", Direction::ToHouse, "ann"), Err(Unsealed::Wrong));
        assert_eq!(open("token", Direction::ToAgent, "ann"), Err(Unsealed::Wrong));
        assert_eq!(open("token", Direction::ToHouse, "bob"), Err(Unsealed::Wrong));
    }

    #[test]
    fn what_is_cut_swapped_or_changed_does_not_open() {
        let (first, second) = (sealed("one"), sealed("two"));
        assert_ne!(first.sealed, sealed("one").sealed, "a nonce is used once");
        assert_eq!(first.sealed.len(), sealed(&"x".repeat(PAD)).sealed.len(), "the length tells nothing");
        let flipped = if first.sealed.starts_with('0') { "1" } else { "0" };
        let wrong = [
            SealedMessage { sealed: first.sealed[..first.sealed.len() - 2].into(), ..first.clone() },
            SealedMessage { sealed: first.sealed[1..].into(), ..first.clone() },
            SealedMessage { sealed: format!("{flipped}{}", &first.sealed[1..]), ..first.clone() },
            SealedMessage { nonce: second.nonce.clone(), ..first.clone() },
            SealedMessage { nonce: String::new(), ..first.clone() },
            SealedMessage { sealed: "zz".into(), ..first.clone() },
            SealedMessage { version: 1, ..first.clone() },
        ];
        for message in wrong {
            let opened = message.open(&secret("token"), Direction::ToHouse, &who("ann"));
            assert_eq!(opened, Err(Unsealed::Wrong), "{message:?}");
        }
    }
}
