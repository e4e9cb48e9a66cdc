//! The house's signing key: Ed25519, made once, in the file `key` beside the journal.
//!
//! It never leaves the process, is never printed, and is not used when others may read its file. Whoever
//! copies the file can sign as the house; that is all the protection there is, and the message says so.

use std::fmt;
use std::fs::{self, File};
use std::io::{self, Write as _};
use std::path::Path;

use ed25519_dalek::{Signature, Signer as _, SigningKey};

use crate::{Error, file, hex, make_dir};

const FILE: &str = "key";
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
        let path = dir.join(FILE);
        let file = match file::open_own(&path) {
            Ok(file) => file,
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
            Err(error) => return Err(Error::io("open the key", &path, &error)),
        };
        refuse_open(&file, &path)?;
        let written =
            file::whole(file, SIZE_MOST).map_err(|error| Error::io("read the key", &path, &error))?;
        match std::str::from_utf8(&written).ok().and_then(|written| hex::decode(written.trim_end())) {
            Some(seed) => Ok(Some(Self(SigningKey::from_bytes(&seed)))),
            None => Err(Error::NotAKey { path }),
        }
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
