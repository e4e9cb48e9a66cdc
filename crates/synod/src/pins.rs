//! The keys a reader trusts: of a policy, of the command line, or of houses that this user has made.
//!
//! Nothing in a house, a receipt or a proof can add one: a forged receipt is signed well, by somebody else.

use std::path::{Path, PathBuf};

use clap::Args;
use synod_core::event::KeyChange;
use synod_core::house::KnownKey;
use synod_journal::tlog::{Algorithm, Checkpoint, Note, Policy, TlogError, VerifierKey, Witnessed};
use synod_journal::{HouseKey, file};

use crate::fail::{Fail, Result, code};
use crate::house::read_up_to;
use crate::user::state_dir;

const FILE: &str = "known-houses";
const FILE_MOST: u64 = 1 << 20;
/// Begins a line about a key that was revoked; no key looks like that.
const REVOKED: &str = "revoked";
const POLICY_MOST: u64 = 1 << 20;
/// Where a key comes from that was named on the command line.
const GIVEN: &str = "--key";

/// Which keys and witnesses the reader trusts.
#[derive(Debug, Clone, Default, Args)]
#[command(next_help_heading = "Trust")]
pub(crate) struct PinArgs {
    /// What you trust: a file with `log`, `witness`, `group` and `quorum` lines (C2SP tlog-policy).
    #[arg(long, value_name = "FILE")]
    pub(crate) policy: Option<PathBuf>,
    /// A public key of a house that you trust: 64 hex digits as on a receipt, or name+id+key. Repeatable.
    #[arg(long, value_name = "KEY")]
    pub(crate) key: Vec<String>,
}

/// The same, read.
#[derive(Debug, Default)]
pub(crate) struct Pins {
    policy: Option<Policy>,
    keys: Vec<PinnedKey>,
    /// Keys of which the first signed the second as the next of its house.
    followed: Vec<(String, String)>,
    /// Keys of houses of this user that were revoked, and the folders of the houses. Others may have them.
    revoked: Vec<(String, String)>,
    /// Signatures with such a key of which a journal says that they are from before.
    confirmed: Vec<String>,
}

#[derive(Debug)]
enum PinnedKey {
    /// A key under any name.
    Hex(String, String),
    /// A key of one log.
    Named(VerifierKey),
}

impl PinArgs {
    /// Reads what was given. Houses that this user made count only where neither a policy nor a key says what does.
    pub(crate) fn read(&self) -> Result<Pins> {
        let mut pins = Pins::default();
        if let Some(path) = &self.policy {
            let text = read_up_to(POLICY_MOST, path, "policy")?;
            let wrong = |flaw: TlogError| {
                Fail::new(code::DATA, "policy/flawed", format!("{}: {flaw}", path.display()))
            };
            pins.policy = Some(Policy::parse(&text).map_err(wrong)?);
        }
        for key in &self.key {
            let is_hex = key.len() == 64 && key.bytes().all(|digit| digit.is_ascii_hexdigit());
            pins.keys.push(match is_hex {
                true => PinnedKey::Hex(key.to_lowercase(), GIVEN.into()),
                false => PinnedKey::Named(
                    VerifierKey::parse(key).map_err(|flaw| Fail::usage(format!("--key: {flaw}")))?,
                ),
            });
        }
        if self.policy.is_none() && self.key.is_empty() {
            let revoked = revoked();
            let (gone, known) = known().into_iter().partition(|(key, _)| revoked.contains(key));
            pins.revoked = gone;
            let known: Vec<(String, String)> = known;
            pins.keys.extend(known.into_iter().map(|(key, path)| PinnedKey::Hex(key, path)));
        }
        Ok(pins)
    }
}

/// How far a checkpoint is to be believed.
#[derive(Debug)]
pub(crate) struct Believed {
    /// A key that the reader trusts signed it, and who says so.
    pub(crate) pinned: Option<String>,
    /// Witnesses that the reader trusts, where there is a policy.
    pub(crate) witnessed: Option<Witnessed>,
}

impl Pins {
    /// Who vouches for a public key in hex, if anybody does.
    pub(crate) fn vouches(&self, public: &str) -> Option<String> {
        let logs = self.policy.iter().flat_map(Policy::logs);
        let of_policy =
            logs.filter(|log| log.public_hex() == public).map(|log| format!("the policy ({})", log.name()));
        let of_keys = self.keys.iter().filter_map(|pinned| match pinned {
            PinnedKey::Hex(key, from) => (key == public).then(|| from.clone()),
            PinnedKey::Named(key) => (key.public_hex() == public).then(|| "--key".into()),
        });
        of_policy.chain(of_keys).next()
    }

    /// The public keys that the reader trusts, in hex.
    pub(crate) fn known_keys(&self) -> Vec<String> {
        let logs = self.policy.iter().flat_map(Policy::logs).map(VerifierKey::public_hex);
        let keys = self.keys.iter().map(|pinned| match pinned {
            PinnedKey::Hex(key, _) => key.clone(),
            PinnedKey::Named(key) => key.public_hex(),
        });
        logs.chain(keys).collect()
    }

    /// Whether a key was trusted until it was revoked. What it signed counts only where a journal says that it was before.
    pub(crate) fn once_vouched(&self, public: &str) -> bool {
        self.revoked.iter().any(|(key, _)| key == public)
    }

    /// Takes a signature with a revoked key for good: a journal that the reader trusts has what it is of from before.
    pub(crate) fn confirm(&mut self, signature: String) {
        self.confirmed.push(signature);
    }

    /// Whether a signature with a revoked key is from before.
    pub(crate) fn is_confirmed(&self, signature: &str) -> bool {
        self.confirmed.iter().any(|known| known == signature)
    }

    /// Trusts a key of a house that one you trust has signed as the next. Not where that one was revoked: others may have signed with it.
    pub(crate) fn follow(&mut self, keys: &[KnownKey]) {
        for pair in keys.windows(2) {
            let [before, known] = pair else { continue };
            let Some(KeyChange::Rotated { signature }) = &known.how else { continue };
            let Some(from) = self.vouches(&before.key) else { continue };
            if self.vouches(&known.key).is_none() && HouseKey::vouches(&before.key, &known.key, signature) {
                let from = format!("{from}, which signed it in act {}", known.since);
                self.keys.push(PinnedKey::Hex(known.key.clone(), from));
            }
            if HouseKey::vouches(&before.key, &known.key, signature) {
                self.followed.push((before.key.clone(), known.key.clone()));
            }
        }
    }

    /// Whether two keys are of one house, as far as the reader knows. Whoever trusts two houses does not trust one of them to
    /// speak for the other.
    pub(crate) fn is_one_house(&self, one: &str, other: &str) -> bool {
        let logs = || self.policy.iter().flat_map(Policy::logs);
        let of_policy = || {
            logs().any(|log| {
                log.public_hex() == one
                    && logs().any(|next| next.public_hex() == other && next.name() == log.name())
            })
        };
        let made = |key: &str| -> Vec<&String> {
            let gone = self.revoked.iter().filter(|(known, _)| known == key).map(|(_, from)| from);
            let kept = self.keys.iter().filter_map(|pinned| match pinned {
                PinnedKey::Hex(known, from) if known == key && from != GIVEN => Some(from),
                PinnedKey::Hex(..) | PinnedKey::Named(_) => None,
            });
            kept.chain(gone).collect()
        };
        let of_one_folder = || made(one).iter().any(|from| made(other).contains(from));
        let mut reached = one;
        let is_followed = std::iter::from_fn(|| {
            let (_, next) = self.followed.iter().find(|(before, _)| before == reached)?;
            reached = next;
            Some(next)
        })
        .take(self.followed.len())
        .any(|next| next == other);
        // Whoever names one key means it, whatever the house was called at first.
        let is_alone = self.policy.is_none() && self.keys.len() == 1;
        one == other || is_followed || is_alone || of_policy() || of_one_folder()
    }

    /// Whether the key that signed a receipt, or another of its house, signed this checkpoint.
    pub(crate) fn are_of_one_house(&self, note: &Note, key: &str) -> bool {
        let Ok(Checkpoint { origin, .. }) = Checkpoint::parse(note.text()) else { return false };
        let has_signed = |key: &str| {
            VerifierKey::of_hex(&origin, Algorithm::Ed25519, key).is_ok_and(|key| note.check(&key).is_ok())
        };
        let logs = self.policy.iter().flat_map(Policy::logs);
        let mut named = logs.filter(|log| log.name() == origin);
        let pinned = self.keys.iter().filter_map(|pinned| match pinned {
            PinnedKey::Hex(key, _) => Some(key.clone()),
            PinnedKey::Named(key) => (key.name() == origin).then(|| key.public_hex()),
        });
        let followed = self.followed.iter().flat_map(|(one, other)| [one.clone(), other.clone()]);
        has_signed(key)
            || named.any(|log| log.public_hex() == key)
            || pinned.chain(followed).any(|other| {
                has_signed(&other) && (self.is_one_house(&other, key) || self.is_one_house(key, &other))
            })
    }

    /// Looks at the signatures of a checkpoint. One that names a trusted key and does not fit is an error.
    pub(crate) fn believe(&self, note: &Note) -> std::result::Result<Believed, TlogError> {
        let origin = Checkpoint::parse(note.text())?.origin;
        let mut pinned = None;
        let mut take = |from: &str, checked: std::result::Result<(), TlogError>| match checked {
            Ok(()) => {
                pinned.get_or_insert_with(|| from.to_string());
                Ok(())
            }
            Err(TlogError::Unsigned { .. }) => Ok(()),
            Err(forged) => Err(forged),
        };
        if let Some(policy) = &self.policy {
            take("the policy", policy.log(note, &origin).map(drop))?;
        }
        for key in &self.keys {
            match key {
                PinnedKey::Named(key) if key.name() == origin => take("--key", note.check(key))?,
                PinnedKey::Named(_) => (),
                PinnedKey::Hex(key, from) => {
                    if let Ok(key) = VerifierKey::of_hex(&origin, Algorithm::Ed25519, key) {
                        take(from, note.check(&key))?;
                    }
                }
            }
        }
        let witnessed = self.policy.as_ref().map(|policy| policy.witnessed(note)).transpose()?;
        Ok(Believed { pinned, witnessed })
    }

    /// The policy, if there is one.
    pub(crate) fn policy(&self) -> Option<&Policy> {
        self.policy.as_ref()
    }
}

/// The houses this user has made: public key and folder.
fn known() -> Vec<(String, String)> {
    rows().into_iter().filter(|(key, _)| key != REVOKED).collect()
}

fn rows() -> Vec<(String, String)> {
    let read = state_dir().and_then(|dir| file::read_own(&dir.join(FILE), FILE_MOST).ok());
    let text = read.and_then(|bytes| String::from_utf8(bytes).ok()).unwrap_or_default();
    let row = |line: &str| line.split_once(' ').map(|(key, path)| (key.to_string(), path.to_string()));
    text.lines().filter_map(row).collect()
}

/// The keys among them that were revoked.
fn revoked() -> Vec<String> {
    let row = |(word, key): (String, String)| (word == REVOKED).then_some(key);
    rows().into_iter().filter_map(row).collect()
}

/// Remembers that a key is not to be trusted any more.
pub(crate) fn revoke(public: &str) {
    let Some(state) = state_dir() else { return };
    let _ = file::append_line(&state.join(FILE), format!("{REVOKED} {public}\n").as_bytes());
}

/// Whether this user knows a key.
pub(crate) fn is_known(public: &str) -> bool {
    known().iter().any(|(key, _)| key == public)
}

/// Remembers a house that this user makes, so that its receipts are known later. Done where it can be: `--key` does it too.
pub(crate) fn remember(dir: &Path, public: &str) {
    if known().iter().any(|(key, _)| key == public) {
        return;
    }
    let Some(state) = state_dir() else { return };
    let path = dir.canonicalize().unwrap_or_else(|_| dir.into());
    let line = format!("{public} {}\n", path.display().to_string().replace('\n', " "));
    let _ =
        std::fs::create_dir_all(&state).and_then(|()| file::append_line(&state.join(FILE), line.as_bytes()));
}
