//! Who vouches for what a caller gives: the owner of the house for somebody, or a token. And the keys that participants
//! sign with. The house judges only whether a signature is there; that it holds is checked by the engine.

use std::io::Write as _;
use std::path::Path;

use synod_core::kernel::{Actor, Digest, Key};
use synod_core::{Command, SeenRecord, Vouched};
use synod_engine::Engine;
use synod_journal::vouch::{self, ParticipantKey};
use synod_journal::{canon, file};

use crate::fail::{Fail, Result, code};
use crate::tokens::{StoredToken, random_hex};

/// Who vouches, and with what.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Voucher {
    by: String,
    /// The secret of the token's codes; none for the owner, and for a token that was made before there were any.
    secret: Option<Digest>,
}

impl Voucher {
    /// Whoever holds the house.
    pub(crate) fn owner() -> Self {
        Self { by: Vouched::by_owner().by, secret: None }
    }

    /// A token that was shown.
    pub(crate) fn token(kept: &StoredToken) -> Self {
        Self { by: format!("token:{}", kept.id()), secret: kept.mac }
    }

    /// What goes into the record with a command.
    pub(crate) fn vouch(
        &self,
        about: (&Actor, Option<&Key>, &Command),
        signed: Option<(String, SeenRecord)>,
    ) -> std::result::Result<Vouched, canon::CanonError> {
        let code = |secret: &Digest| vouch::mac(secret, random_hex(), &self.by, about);
        let mac = self.secret.as_ref().map(code).transpose()?;
        let (signature, seen) = signed.unzip();
        Ok(Vouched { by: self.by.clone(), mac, seen, signature })
    }
}

/// The longest file of a key.
const SIZE_MOST: u64 = 1 << 12;

fn unusable(path: &Path, why: impl std::fmt::Display) -> Fail {
    let message = format!("the key file {} {why}", path.display());
    Fail::new(code::DATA, "key/unusable", message)
}

/// Reads a key that somebody signs with, from a file that is theirs alone.
pub(crate) fn load(path: &Path) -> Result<ParticipantKey> {
    use std::os::unix::fs::PermissionsExt as _;
    let open = file::open_own(path).map_err(|error| unusable(path, format!("cannot be read: {error}")))?;
    let mode = open.metadata().map_err(|error| unusable(path, error))?.permissions().mode();
    if mode & 0o077 != 0 {
        return Err(unusable(path, format!("can be read by others: run `chmod 600 {}`", path.display())));
    }
    let bytes =
        file::whole(open, SIZE_MOST).map_err(|error| unusable(path, format!("cannot be read: {error}")))?;
    let key = String::from_utf8(bytes).ok().and_then(|text| ParticipantKey::from_hex(&text));
    key.ok_or_else(|| unusable(path, "holds no key: `synod ring key --new --sign FILE` makes one"))
}

/// Makes a key in a new file.
pub(crate) fn make(path: &Path) -> Result<ParticipantKey> {
    use std::os::unix::fs::OpenOptionsExt as _;
    let cannot = |error: std::io::Error| unusable(path, format!("cannot be made: {error}"));
    let mut options = std::fs::OpenOptions::new();
    let mut made = options.write(true).create_new(true).mode(0o600).open(path).map_err(cannot)?;
    let seed = crate::tokens::secret()?;
    writeln!(made, "{seed}").and_then(|()| made.sync_all()).map_err(cannot)?;
    load(path)
}

/// A signature over a command that is given here, and whose word it is that it comes from its author.
pub(crate) fn by_owner(
    engine: &Engine,
    about: (&Actor, Option<&Key>, &Command),
    signer: Option<&ParticipantKey>,
) -> Result<Vouched> {
    let unsealable = |error: canon::CanonError| Fail::new(code::DATA, "act/unsealable", error.to_string());
    let Some(signer) = signer else { return Voucher::owner().vouch(about, None).map_err(unsealable) };
    let seen = engine.newest_record()?;
    let founded = engine.read(|house| house.founded().map(|founded| founded.key.clone())).unwrap_or_default();
    let text = vouch::signed_text(&founded, about, &seen).map_err(unsealable)?;
    Voucher::owner().vouch(about, Some((signer.sign(&text), seen))).map_err(unsealable)
}
