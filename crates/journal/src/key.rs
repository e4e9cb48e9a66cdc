//! The house's signing key: Ed25519, in the file `key` beside the journal. It is made with the house and replaced only by an
//! act of the record: the next one waits in `key.next` until that act is durable.
//!
//! It never leaves the process, is never printed, and is not used when others may read its file. Whoever
//! copies the file can sign as the house; that is all the protection there is, and the message says so.

use std::fmt;
use std::fs::{self, File};
use std::io::{self, Write as _};
use std::path::Path;

use ed25519_dalek::{Signature, Signer as _, SigningKey, VerifyingKey};

use crate::{Error, file, hex, make_dir};

const FILE: &str = "key";
const NEXT: &str = "key.next";
/// What a key signs to vouch for the next one begins with this: it can be mistaken for nothing else.
const PREFIX: &str = "synod-key-v1";
/// A key is 64 digits; somebody may have put blank lines behind it.
const SIZE_MOST: u64 = 1 << 12;

/// The key a house signs its receipts with.
pub struct HouseKey(SigningKey);

impl fmt::Debug for HouseKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("HouseKey").field(&self.public_hex()).finish()
    }
}

impl HouseKey {
    /// The key of the house in `dir`, made now if there is none. Two processes that make it at the same
    /// time end with the same key.
    pub fn load_or_create(dir: &Path) -> Result<Self, Error> {
        if let Some(key) = Self::load(dir)? {
            return Ok(key);
        }
        create(dir)?;
        Self::load(dir)?.ok_or_else(|| Error::NotAKey { path: dir.join(FILE) })
    }

    /// The key of the house in `dir`, if it has one.
    pub fn load(dir: &Path) -> Result<Option<Self>, Error> {
        Self::load_from(&dir.join(FILE))
    }

    fn load_from(path: &Path) -> Result<Option<Self>, Error> {
        let file = match file::open_own(path) {
            Ok(file) => file,
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
            Err(error) => return Err(Error::io("open the key", path, &error)),
        };
        refuse_open(&file, path)?;
        let written =
            file::whole(file, SIZE_MOST).map_err(|error| Error::io("read the key", path, &error))?;
        match std::str::from_utf8(&written).ok().and_then(|written| hex::decode(written.trim_end())) {
            Some(seed) => Ok(Some(Self(SigningKey::from_bytes(&seed)))),
            None => Err(Error::NotAKey { path: path.into() }),
        }
    }

    /// The key of the house in `dir` that its record says is in force, if it is there. A key that was recorded and not put in
    /// place, because the process died between, is put in place now.
    pub fn in_force(dir: &Path, public: &str) -> Result<Option<Self>, Error> {
        let present = Self::load(dir);
        if let Ok(Some(key)) = &present
            && key.public_hex() == public
        {
            return present;
        }
        let next = Self::load_from(&dir.join(NEXT)).ok().flatten().filter(|key| key.public_hex() == public);
        let Some(next) = next else { return present.map(|_| None) };
        let path = dir.join(FILE);
        let placed = fs::rename(dir.join(NEXT), &path).and_then(|()| sync_dir(dir));
        placed.map_err(|error| Error::io("put in place the key", &path, &error))?;
        Ok(Some(next))
    }

    /// Whether the key that the record says is in force is there, in place or still to be put there. Changes nothing.
    pub fn is_here(dir: &Path, public: &str) -> bool {
        let is = |name: &str| {
            Self::load_from(&dir.join(name)).ok().flatten().is_some_and(|key| key.public_hex() == public)
        };
        is(FILE) || is(NEXT)
    }

    /// Makes the key that may follow. It signs nothing before the record says so, see [`HouseKey::in_force`].
    pub fn create_next(dir: &Path) -> Result<Self, Error> {
        let path = dir.join(NEXT);
        let failed = |error: io::Error| Error::io("make the key", &path, &error);
        let mut seed = [0; 32];
        getrandom::fill(&mut seed).map_err(|error| failed(io::Error::other(error.to_string())))?;
        write_private(&path, &hex::encode(&seed)).and_then(|()| sync_dir(dir)).map_err(failed)?;
        Ok(Self(SigningKey::from_bytes(&seed)))
    }

    /// This key's word for the next one, in hex.
    pub fn vouch_for(&self, next: &Self) -> String {
        hex::encode(&self.sign(&word(&self.public_hex(), &next.public_hex())))
    }

    /// Whether one key, in hex, gave its word for the next one.
    pub fn vouches(key: &str, next: &str, signature: &str) -> bool {
        let checked = || {
            let public = VerifyingKey::from_bytes(&hex::decode(key)?).ok()?;
            let signature = Signature::from_bytes(&hex::decode(signature)?);
            public.verify_strict(&word(key, next), &signature).ok()
        };
        checked().is_some()
    }

    /// The public key as hex: what a receipt names, and what others keep to know the house by.
    pub fn public_hex(&self) -> String {
        hex::encode(self.0.verifying_key().as_bytes())
    }

    /// The public key itself.
    pub fn public(&self) -> [u8; 32] {
        self.0.verifying_key().to_bytes()
    }

    /// Whether this key signed a message.
    pub(crate) fn has_signed(&self, message: &[u8], signature: &[u8; 64]) -> bool {
        self.0.verifying_key().verify_strict(message, &Signature::from_bytes(signature)).is_ok()
    }

    pub(crate) fn sign(&self, message: &[u8]) -> [u8; 64] {
        self.0.sign(message).to_bytes()
    }
}

/// What one key signs to vouch for the next.
fn word(key: &str, next: &str) -> Vec<u8> {
    format!("{PREFIX}\n{key}\n{next}\n").into_bytes()
}

/// Looks at the open file and not at the path, which could change between a look and a read.
fn refuse_open(file: &File, path: &Path) -> Result<(), Error> {
    use std::os::unix::fs::PermissionsExt as _;
    let mode =
        file.metadata().map_err(|error| Error::io("look at the key", path, &error))?.permissions().mode();
    match mode & 0o077 {
        0 => Ok(()),
        _ => Err(Error::OpenKey { path: path.into(), mode: mode & 0o777 }),
    }
}

/// Writes a new key whole under a name of its own, then links it into place. The link fails where a key
/// stands already, so the first one wins and nobody ever reads half a key.
fn create(dir: &Path) -> Result<(), Error> {
    let path = dir.join(FILE);
    let failed = |error: io::Error| Error::io("make the key", &path, &error);
    let random = |error: getrandom::Error| failed(io::Error::other(error.to_string()));
    make_dir(dir)?;
    let (mut seed, mut name) = ([0; 32], [0; 8]);
    getrandom::fill(&mut seed).map_err(random)?;
    getrandom::fill(&mut name).map_err(random)?;
    let draft = dir.join(format!(".key-{}", hex::encode(&name)));
    let placed = write_private(&draft, &hex::encode(&seed)).and_then(|()| fs::hard_link(&draft, &path));
    let cleared = fs::remove_file(&draft);
    match placed {
        Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {}
        other => other.map_err(failed)?,
    }
    cleared.and_then(|()| sync_dir(dir)).map_err(failed)
}

fn write_private(path: &Path, text: &str) -> io::Result<()> {
    let mut file = file::create(path, 0o600)?;
    writeln!(file, "{text}")?;
    file.sync_all()
}

/// Makes the names in a directory durable, where the system can.
pub(crate) fn sync_dir(dir: &Path) -> io::Result<()> {
    if cfg!(unix) { File::open(dir)?.sync_all() } else { Ok(()) }
}
