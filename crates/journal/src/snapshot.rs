//! The snapshot: a file beside the journal with the house as it stood after some act, so that it need not be folded
//! from the first one. A cache and no record: it may be deleted at any time, and one that is damaged, foreign or of
//! another version is as good as none. What is in it is the caller's; here it is kept and found again.
//!
//! The file is written whole under another name and then renamed, so that no reader ever sees half of one. It is not
//! synced: the signature at its end shows what a crash cut off. It is signed with a key of the user, which lies outside
//! of every house: what others put beside a journal, or a stranger's folder brings along, is never believed.

use std::fs;
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};
use std::time::SystemTime;

use synod_core::kernel::{Digest, Seq};

use crate::{Error, Head, HouseKey, file};

const FILE: &str = "snapshot";
const DRAFT: &str = "snapshot.new";
const MAGIC: &[u8] = b"synod snapshot\n";
/// Far more than any house needs.
const SIZE_MOST: u64 = 1 << 30;

/// A snapshot that was read whole. Whether it fits the journal is for the caller to see.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Snapshot {
    /// The act after which the house stood so.
    pub head: Head,
    /// What wrote it, and in which form. Others do not read it.
    pub form: String,
    /// The house.
    pub body: Vec<u8>,
}

/// What can be told of a snapshot without reading it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SnapshotFile {
    /// Where it is.
    pub path: PathBuf,
    /// How long it is, in bytes.
    pub size: u64,
    /// When it was written, if the file system knows.
    pub written: Option<SystemTime>,
}

impl Snapshot {
    /// The snapshot in the directory of a house, if there is one that can be read and that this key signed.
    pub fn load(dir: &Path, key: &HouseKey) -> Option<Self> {
        // A link, a pipe or a file of any length may lie there; none of them is one of ours.
        let mut bytes = file::read_own(&dir.join(FILE), SIZE_MOST).ok()?;
        let whole = bytes.len().checked_sub(64)?;
        let (signed, signature) = bytes.split_last_chunk::<64>()?;
        if !key.has_signed(&Digest::of(signed).0, signature) {
            return None;
        }
        let rest = bytes[..whole].strip_prefix(MAGIC)?;
        let (length, rest) = rest.split_first_chunk::<4>()?;
        let (form, rest) = rest.split_at_checked(u32::from_be_bytes(*length) as usize)?;
        let (seq, rest) = rest.split_first_chunk::<8>()?;
        let (hash, body) = rest.split_first_chunk::<32>()?;
        let head = Head { seq: Seq(u64::from_be_bytes(*seq)), hash: Digest(*hash) };
        let form = String::from_utf8(form.to_vec()).ok()?;
        let begins = whole - body.len();
        bytes.truncate(whole);
        bytes.drain(..begins);
        Some(Self { head, form, body: bytes })
    }

    /// Puts the snapshot in the place of the one before. Only whoever holds the house does this.
    pub fn save(&self, dir: &Path, key: &HouseKey) -> io::Result<()> {
        let mut bytes = MAGIC.to_vec();
        bytes.extend((self.form.len() as u32).to_be_bytes());
        bytes.extend(self.form.as_bytes());
        bytes.extend(self.head.seq.0.to_be_bytes());
        bytes.extend(self.head.hash.0);
        bytes.extend(&self.body);
        let signature = key.sign(&Digest::of(&bytes).0);
        bytes.extend(signature);
        let draft = dir.join(DRAFT);
        let written = draft_file(&draft).and_then(|mut file| file.write_all(&bytes));
        let kept = written.and_then(|()| fs::rename(&draft, dir.join(FILE)));
        if kept.is_err() {
            let _ = fs::remove_file(&draft); // half of it is no use to anybody
        }
        kept
    }

    /// Takes the snapshot away, and whatever a writer that died left of one.
    pub fn remove(dir: &Path) -> Result<(), Error> {
        for file in [DRAFT, FILE] {
            let path = dir.join(file);
            match fs::remove_file(&path) {
                Err(error) if error.kind() != io::ErrorKind::NotFound => {
                    return Err(Error::io("remove", &path, &error));
                }
                Ok(()) | Err(_) => (),
            }
        }
        Ok(())
    }

    /// The file, if there is one.
    pub fn file(dir: &Path) -> Option<SnapshotFile> {
        let path = dir.join(FILE);
        let found = fs::metadata(&path).ok()?;
        Some(SnapshotFile { path, size: found.len(), written: found.modified().ok() })
    }
}

/// A new file that only its owner reads: topics of matters lie in it.
fn draft_file(path: &Path) -> io::Result<fs::File> {
    crate::file::create(path, 0o600)
}
