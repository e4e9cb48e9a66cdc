//! Tokens: who may speak to the service of a house, and as whom.
//!
//! A token is 256 random bits, shown once. The house keeps its SHA-256 in the file `tokens.json`, which only its
//! owner can read; a random token needs no slower hash. Tokens are no part of the deliberation, so they are no
//! acts: the record is handed out and lives for ever, and a token shall be forgotten when it is revoked. The
//! file is replaced whole, so a service sees any change with its next request.

use std::collections::HashMap;
use std::fs::File;
use std::io;
use std::os::unix::fs::MetadataExt as _;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

use serde::{Deserialize, Serialize};
use subtle::ConstantTimeEq as _;
use synod_core::kernel::{At, Digest, Who};
use synod_journal::file;

use crate::fail::{Fail, Result, code};
use crate::trust;

/// What every token begins with, so that people and scanners of leaked secrets know one when they see it.
const PREFIX: &str = "synod_";
/// More tokens than any house hands out; beyond it every request would become slow.
const MOST: usize = 10_000;

/// Whom a token lets act.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Holds {
    /// The operator. The name is a label.
    Operator(String),
    /// One participant.
    Participant(Who),
}

/// A token as the house keeps it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct StoredToken {
    /// The SHA-256 of the token.
    pub(crate) hash: Digest,
    /// Whom it lets act.
    pub(crate) holds: Holds,
    /// The secret that messages over Redis are signed and sealed with. It follows from the token and lets nobody in over HTTP.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) signing: Option<Digest>,
    /// The secret of the codes that bind acts to this token. It follows from the token and lets nobody in.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) mac: Option<Digest>,
    /// When it was made.
    pub(crate) made: At,
    /// From when on it is worth nothing.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) expires: Option<At>,
    /// When it was revoked.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) revoked: Option<At>,
}

impl StoredToken {
    /// What people name it by: the beginning of its hash, which tells nothing about the token.
    pub(crate) fn id(&self) -> String {
        self.hash.short()
    }

    /// The name it was made for.
    pub(crate) fn name(&self) -> &str {
        match &self.holds {
            Holds::Operator(label) => label,
            Holds::Participant(who) => who.as_str(),
        }
    }

    /// Where it stands, in a word.
    pub(crate) fn stands(&self, now: At) -> &'static str {
        match (self.revoked, self.expires) {
            (Some(_), _) => "revoked",
            (None, Some(until)) if until <= now => "expired",
            (None, Some(_) | None) => "good",
        }
    }
}

/// Everything the file holds. Those revoked and expired stay in it: acts in the record name them.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct TokenFile {
    /// The form of this file.
    version: u32,
    pub(crate) tokens: Vec<StoredToken>,
}

impl TokenFile {
    /// The tokens of the house in `dir`; none where none was ever made.
    pub(crate) fn load(dir: &Path) -> Result<Self> {
        Ok(open(dir)?.map(|file| read(dir, file)).transpose()?.map(|(tokens, _)| tokens).unwrap_or_default())
    }
}

/// The tokens that the user made or agreed to, by hash: a service lets nobody in by any other, however good it looks.
pub(crate) fn own(dir: &Path) -> Result<std::collections::BTreeSet<Digest>> {
    let kept = trust::StoredConsent::of(dir)?;
    let tokens = TokenFile::load(dir)?.tokens.into_iter();
    Ok(tokens
        .filter(|token| trust::is_kept(&kept, &trust::Want::of_token(token)))
        .map(|token| token.hash)
        .collect())
}

/// Makes a token and keeps its hash. The token itself is nowhere but in what is returned.
pub(crate) fn make(dir: &Path, holds: Holds, expires: Option<At>, now: At) -> Result<(String, StoredToken)> {
    let (token, kept) = make_unheard(dir, holds, expires, now)?;
    trust::token_is_made(dir, &kept);
    Ok((token, kept))
}

/// The same without the user's own word for it: only a service that trusts everything accepts it.
pub(crate) fn make_unheard(
    dir: &Path,
    holds: Holds,
    expires: Option<At>,
    now: At,
) -> Result<(String, StoredToken)> {
    let token = format!("{PREFIX}{}", secret()?);
    let signing = match holds {
        Holds::Participant(_) => Some(crate::bridge::seal::secret(&token)),
        Holds::Operator(_) => None,
    };
    let hash = Digest::of(token.as_bytes());
    let mac = Some(synod_journal::vouch::mac_secret(&token));
    let kept = StoredToken { hash, holds, signing, mac, made: now, expires, revoked: None };
    change(dir, |tokens| {
        if tokens.tokens.len() >= MOST {
            let message = format!(
                "this house has {MOST} tokens already: take revoked and expired ones out of {FILE} and leave the rest, \
                 since the others would stop working"
            );
            return Err(Fail::new(code::DATA, "token/too-many", message));
        }
        tokens.tokens.push(kept.clone());
        Ok(())
    })?;
    Ok((token, kept))
}

/// Revokes the good tokens of that id or name. Returns them.
pub(crate) fn revoke(dir: &Path, wanted: &str, now: At) -> Result<Vec<StoredToken>> {
    let unknown = || {
        let message = format!(
            "no token here has the id or name `{wanted}` and is not revoked; `synod token list` shows them"
        );
        Fail::new(code::NO_INPUT, "token/unknown", message)
    };
    if open(dir)?.is_none() {
        return Err(unknown());
    }
    let who = Who::parse(wanted).ok();
    let mut revoked = Vec::new();
    change(dir, |tokens| {
        let fits = |kept: &StoredToken| {
            let named = match &kept.holds {
                Holds::Operator(label) => label == wanted,
                Holds::Participant(known) => Some(known) == who.as_ref(),
            };
            kept.revoked.is_none() && (named || kept.id() == wanted)
        };
        for kept in tokens.tokens.iter_mut().filter(|kept| fits(kept)) {
            kept.revoked = Some(now);
            revoked.push(kept.clone());
        }
        if revoked.is_empty() { Err(unknown()) } else { Ok(()) }
    })?;
    trust::tokens_are_revoked(dir, &revoked)?;
    Ok(revoked)
}

/// 128 random bits in hex, for what must only be different each time. Without random numbers nothing is vouched for
/// twice by the same code either: the time stands in.
pub(crate) fn random_hex() -> String {
    let mut bytes = [0; 16];
    if getrandom::fill(&mut bytes).is_err() {
        bytes[..8].copy_from_slice(&synod_engine::now().0.to_be_bytes());
    }
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

/// 256 random bits in hex.
pub(crate) fn secret() -> Result<String> {
    let mut bytes = [0; 32];
    getrandom::fill(&mut bytes).map_err(|error| {
        Fail::new(code::IO, "token/random", format!("the system gives no random numbers: {error}"))
    })?;
    Ok(bytes.iter().map(|byte| format!("{byte:02x}")).collect())
}

const FILE: &str = "tokens.json";
const LOCK: &str = "tokens.lock";
const VERSION: u32 = 1;
/// Room for a hundred thousand tokens.
const SIZE_MOST: u64 = 1 << 26;

/// Changes the file: whole or not at all, one at a time.
fn change(dir: &Path, edit: impl FnOnce(&mut TokenFile) -> Result<()>) -> Result<()> {
    let cannot = |error: io::Error| unwritable(&dir.join(FILE), &error);
    synod_journal::make_dir(dir)?;
    let lock = file::open_to_write(&dir.join(LOCK)).map_err(|error| unwritable(&dir.join(LOCK), &error))?;
    lock.lock().map_err(cannot)?; // until it is dropped
    let mut tokens = TokenFile::load(dir)?;
    edit(&mut tokens)?;
    tokens.version = VERSION;
    file::replace_durably(&dir.join(FILE), json(&tokens).as_bytes()).map_err(cannot)
}

fn json(value: &impl Serialize) -> String {
    crate::json::pretty(value).unwrap_or_default() + "\n"
}

fn unwritable(path: &Path, error: &io::Error) -> Fail {
    let message = format!("{} cannot be written: {error}", path.display());
    Fail::new(code::IO, "file/unwritable", message)
}

fn open(dir: &Path) -> Result<Option<File>> {
    match file::open_own(&dir.join(FILE)) {
        Ok(file) => Ok(Some(file)),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
        Err(error) => Err(unreadable(dir, &error.to_string())),
    }
}

/// Reads the open file, and refuses one that others may read: what is in it would be no secret any more.
fn read(dir: &Path, file: File) -> Result<(TokenFile, File)> {
    let cannot = |error: io::Error| unreadable(dir, &error.to_string());
    let mode = file.metadata().map_err(cannot)?.mode() & 0o777;
    if mode & 0o077 != 0 {
        let path = dir.join(FILE);
        let message = format!(
            "others may read {} (mode {mode:o}): make it private with `chmod 600`, then revoke its tokens and make new ones",
            path.display()
        );
        return Err(Fail::new(code::DATA, "token/open-file", message));
    }
    let bytes = file::whole(file.try_clone().map_err(cannot)?, SIZE_MOST).map_err(cannot)?;
    let tokens: TokenFile =
        serde_json::from_slice(&bytes).map_err(|error| unreadable(dir, &error.to_string()))?;
    if tokens.version > VERSION {
        return Err(unreadable(dir, "it was written by a later version of synod"));
    }
    Ok((tokens, file))
}

fn unreadable(dir: &Path, why: &str) -> Fail {
    let message = format!("the tokens in {} cannot be read: {why}", dir.join(FILE).display());
    Fail::new(code::DATA, "token/unreadable", message)
}

/// The tokens as a service sees them: read again whenever the file was replaced.
#[derive(Debug)]
pub(crate) struct Gate {
    path: PathBuf,
    dir: PathBuf,
    /// Whether every token of the file counts, and not only those that the user made or agreed to.
    trusts: bool,
    seen: Mutex<Option<TokenFileCache>>,
    /// How often the file was found changed.
    version: AtomicU64,
}

/// The file as it was last read. It is kept open: as long as it is, no other can have its number, so that a look at
/// the number tells whether it was replaced.
#[derive(Debug)]
struct TokenFileCache {
    _file: File,
    number: (u64, u64),
    /// What the user's consent looked like.
    consent: Option<(u64, u64, i64, i64)>,
    /// Tokens that nobody here made or agreed to.
    strange: usize,
    /// By hash. How long a look takes may tell something about hashes, and from a hash nobody comes to a token.
    kept: HashMap<Digest, Arc<StoredToken>>,
}

impl Gate {
    pub(crate) fn new(dir: &Path, trusts: bool) -> Result<Self> {
        let gate = Self {
            path: dir.join(FILE),
            dir: dir.into(),
            trusts,
            seen: Mutex::new(None),
            version: AtomicU64::new(0),
        };
        gate.fresh(|_| ())?;
        Ok(gate)
    }

    /// Whether any token is good now.
    pub(crate) fn has_good(&self, now: At) -> Result<bool> {
        self.fresh(|kept| kept.values().any(|kept| kept.stands(now) == "good"))
    }

    /// How many tokens of the file let nobody in, because they came with the house.
    pub(crate) fn strange(&self) -> Result<usize> {
        self.fresh(|_| ())?;
        let seen = self.seen.lock().unwrap_or_else(PoisonError::into_inner);
        Ok(seen.as_ref().map_or(0, |seen| seen.strange))
    }

    /// The token of that hash, if it is good now.
    pub(crate) fn weigh(&self, hash: &Digest, now: At) -> Result<Option<Arc<StoredToken>>> {
        let found = self.fresh(|kept| kept.get(hash).cloned())?;
        Ok(found.filter(|kept| bool::from(kept.hash.0.ct_eq(&hash.0)) && kept.stands(now) == "good"))
    }

    /// A number that changes whenever tokens were made or revoked, or their file was removed.
    pub(crate) fn version(&self) -> Result<u64> {
        self.fresh(|_| ())?;
        Ok(self.version.load(Ordering::Relaxed))
    }

    /// The good token of that id.
    pub(crate) fn by_id(&self, id: &str, now: At) -> Result<Option<Arc<StoredToken>>> {
        self.fresh(|kept| kept.values().find(|kept| kept.id() == id && kept.stands(now) == "good").cloned())
    }

    /// What the good tokens of a participant sign and seal with, by their ids.
    pub(crate) fn signing(&self, who: &Who, now: At) -> Result<Vec<(String, Digest)>> {
        self.fresh(|kept| {
            let own = kept.values().filter(|kept| match &kept.holds {
                Holds::Participant(known) => known == who && kept.stands(now) == "good",
                Holds::Operator(_) => false,
            });
            own.filter_map(|kept| Some((kept.id(), kept.signing?))).collect()
        })
    }

    /// Looks at the tokens as the file has them now.
    fn fresh<T>(&self, look: impl FnOnce(&HashMap<Digest, Arc<StoredToken>>) -> T) -> Result<T> {
        let mut seen = self.seen.lock().unwrap_or_else(PoisonError::into_inner);
        let there = std::fs::metadata(&self.path).ok().map(|meta| (meta.dev(), meta.ino()));
        let consent = if self.trusts { None } else { trust::StoredConsent::stamp() };
        let same = seen.as_ref().is_some_and(|seen| there == Some(seen.number) && consent == seen.consent);
        if !same {
            // A file that is still missing is not a change.
            if there.is_some() || seen.is_some() {
                self.version.fetch_add(1, Ordering::Relaxed);
            }
            *seen = None; // what cannot be read now is not believed any longer
            *seen = open(&self.dir)?.map(|file| self.read(file, consent)).transpose()?;
        }
        Ok(match &*seen {
            Some(seen) => look(&seen.kept),
            None => look(&HashMap::new()),
        })
    }

    fn read(&self, file: File, consent: Option<(u64, u64, i64, i64)>) -> Result<TokenFileCache> {
        let (mut tokens, file) = read(&self.dir, file)?;
        let all = tokens.tokens.len();
        if !self.trusts {
            let kept = trust::StoredConsent::of(&self.dir)?;
            tokens.tokens.retain(|token| trust::is_kept(&kept, &trust::Want::of_token(token)));
        }
        let strange = all - tokens.tokens.len();
        let meta = file.metadata().map_err(|error| unreadable(&self.dir, &error.to_string()))?;
        let kept: HashMap<_, _> = tokens.tokens.into_iter().map(|kept| (kept.hash, Arc::new(kept))).collect();
        Ok(TokenFileCache { _file: file, number: (meta.dev(), meta.ino()), consent, strange, kept })
    }
}
