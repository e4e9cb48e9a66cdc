//! The consent a user gave, in a file of theirs: one line for each, a digest and the house it is for.
//!
//! The digest is over house and thing together, so a line holds for no other house.

use std::fs::{DirBuilder, OpenOptions};
use std::io::{ErrorKind, Read as _, Write as _};
use std::os::unix::ffi::OsStrExt as _;
use std::os::unix::fs::{DirBuilderExt as _, MetadataExt as _, OpenOptionsExt as _};
use std::path::{Path, PathBuf};

use rustix::fs::OFlags;
use synod_core::kernel::Digest;

use super::visible;
use crate::fail::{Fail, Result, code};

/// The consent a user gave, as one house is concerned.
#[derive(Debug)]
pub(crate) struct StoredConsent {
    /// Where it is kept; `None` if the user has no place for it.
    file: Option<PathBuf>,
    /// The house, by the one name that every way to it leads to.
    house: PathBuf,
    /// Whose folder it is, and which: another one at the same path is another house. None while there is none.
    identity: Option<(u32, u64)>,
    /// Digest and house of each line.
    lines: Vec<(String, String)>,
}

impl StoredConsent {
    pub(crate) fn of(house: &Path) -> Result<Self> {
        let house = canonical(house);
        // A house that holds the user's own state would hold its own consent.
        let file = state().filter(|file| !canonical(file).starts_with(&house));
        let lines = file.as_deref().map(read).transpose()?.unwrap_or_default();
        let identity = std::fs::metadata(&house).ok().map(|found| (found.uid(), found.ino()));
        Ok(Self { file, house, identity, lines })
    }

    /// The digest of a thing in this house.
    pub(crate) fn digest(&self, exactly: &str) -> Digest {
        let mut bytes = self.house.as_os_str().as_bytes().to_vec();
        let (owner, folder) = self.identity.unwrap_or_default();
        bytes.extend_from_slice(format!("\0{owner} {folder}\0").as_bytes());
        bytes.extend_from_slice(exactly.as_bytes());
        Digest::of(&bytes)
    }

    pub(crate) fn holds(&self, digest: &Digest) -> bool {
        let digest = digest.to_string();
        self.lines.iter().any(|(known, _)| *known == digest)
    }

    /// Whether there is consent for anything in this house.
    pub(crate) fn knows_house(&self) -> bool {
        let name = self.name();
        self.lines.iter().any(|(_, house)| *house == name)
    }

    /// Whether there is a folder that consent can be bound to.
    pub(crate) fn is_bound(&self) -> bool {
        self.identity.is_some()
    }

    /// What tells whether the file of consent has changed: its number, its length and its time.
    pub(crate) fn stamp() -> Option<(u64, u64, i64, i64)> {
        let found = std::fs::metadata(state()?).ok()?;
        Some((found.ino(), found.len(), found.mtime(), found.mtime_nsec()))
    }

    /// Whether consent can be kept at all.
    pub(crate) fn is_possible(&self) -> bool {
        self.file.is_some()
    }

    /// The houses for which there is consent, each once.
    pub(crate) fn houses(&self) -> std::collections::BTreeSet<&str> {
        self.lines.iter().map(|(_, house)| house.as_str()).collect()
    }

    /// Adds consent for this house.
    pub(crate) fn add(&mut self, digests: &[Digest]) -> Result<()> {
        let file = self.file.clone().ok_or_else(nowhere)?;
        let name = self.name();
        let new = digests.iter().filter(|digest| !self.holds(digest)).map(ToString::to_string);
        let new: Vec<(String, String)> = new.map(|digest| (digest, name.clone())).collect();
        if new.is_empty() {
            return Ok(());
        }
        let text: String = new.iter().map(|(digest, house)| format!("{digest} {house}\n")).collect();
        if let Some(dir) = file.parent() {
            DirBuilder::new().recursive(true).mode(0o700).create(dir).map_err(|error| cannot(dir, &error))?;
        }
        let mut options = OpenOptions::new();
        options.append(true).create(true).mode(0o600).custom_flags(OFlags::NOFOLLOW.bits() as i32);
        let written = options.open(&file).and_then(|mut open| open.write_all(text.as_bytes()));
        written.map_err(|error| cannot(&file, &error))?;
        self.lines.extend(new);
        Ok(())
    }

    /// Takes back all consent for this house; gives how much there was.
    pub(crate) fn revoke(&mut self) -> Result<usize> {
        let name = self.name();
        self.keep(|(_, house)| *house != name)
    }

    /// Takes back consent for single things of this house.
    pub(crate) fn withdraw(&mut self, digests: &[Digest]) -> Result<()> {
        let gone: Vec<String> = digests.iter().map(ToString::to_string).collect();
        self.keep(|(digest, _)| !gone.contains(digest)).map(drop)
    }

    fn keep(&mut self, stays: impl Fn(&(String, String)) -> bool) -> Result<usize> {
        let before = self.lines.len();
        self.lines.retain(stays);
        let gone = before - self.lines.len();
        let Some(file) = self.file.as_deref().filter(|_| gone > 0) else { return Ok(gone) };
        let text: String = self.lines.iter().map(|(digest, house)| format!("{digest} {house}\n")).collect();
        synod_journal::file::replace_durably(file, text.as_bytes()).map_err(|error| cannot(file, &error))?;
        Ok(gone)
    }

    fn name(&self) -> String {
        visible(&self.house.display().to_string())
    }
}

/// Where the user's consent is kept. A relative path would lead into whatever folder the command runs in.
fn state() -> Option<PathBuf> {
    Some(crate::user::state_dir()?.join("trusted"))
}

/// A path without links, as far as it exists: a house may be about to be made.
fn canonical(path: &Path) -> PathBuf {
    let path = std::path::absolute(path).unwrap_or_else(|_| path.into());
    let found = path.ancestors().find_map(|above| Some((above, above.canonicalize().ok()?)));
    match found.and_then(|(above, real)| Some((real, path.strip_prefix(above).ok()?))) {
        Some((real, rest)) if rest.as_os_str().is_empty() => real,
        Some((real, rest)) => real.join(rest),
        None => path,
    }
}

/// Reads the file, if it is the user's own and nobody else's. Where a cloned folder is also the user's home it could bring
/// one along, and git makes files that others can read under the usual umask.
fn read(path: &Path) -> Result<Vec<(String, String)>> {
    let flags = (OFlags::NOFOLLOW | OFlags::NONBLOCK).bits() as i32;
    let mut file = match OpenOptions::new().read(true).custom_flags(flags).open(path) {
        Ok(file) => file,
        Err(error) if error.kind() == ErrorKind::NotFound => return Ok(Vec::new()),
        Err(error) => return Err(cannot(path, &error)),
    };
    let found = file.metadata().map_err(|error| cannot(path, &error))?;
    let own = found.uid() == rustix::process::geteuid().as_raw();
    if !found.is_file() || !own || found.mode() & 0o077 != 0 {
        let path = path.display();
        let message = format!(
            "{path} is not a file that only you can read, so Synod did not write it: check it, then run `chmod 600 {path}` or remove it"
        );
        return Err(Fail::new(code::DATA, "house/unsafe-consent", message));
    }
    let mut text = String::new();
    file.read_to_string(&mut text).map_err(|error| cannot(path, &error))?;
    let lines = text.lines().filter_map(|line| line.split_once(' '));
    Ok(lines.map(|(digest, house)| (digest.into(), house.into())).collect())
}

fn nowhere() -> Fail {
    let message = "consent cannot be saved, because neither HOME nor XDG_STATE_HOME is set";
    Fail::new(code::UNAVAILABLE, "house/no-consent-file", message)
}

fn cannot(path: &Path, error: &std::io::Error) -> Fail {
    Fail::new(code::IO, "house/no-consent-file", format!("cannot use {}: {error}", path.display()))
}
