//! The checkpoints a house has signed, in the file `checkpoints` beside the journal: one JSON value a line, which only grows.
//!
//! They are not acts: they speak of acts. Losing the file loses cosignatures and no decision, and the next checkpoint is made
//! from the journal. A line that a crash cut off is not read. Whether a checkpoint is true is for the reader to check.
//!
//! Beside it, `witness-refusal.json` is there as long as a witness has refused this house: no checkpoint is signed meanwhile.

use std::io::{Read as _, Seek as _, SeekFrom};
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};
use synod_core::kernel::{At, Digest};

use crate::tlog::{Checkpoint, Frontier, Note, SignatureLine, from_base64, to_base64};
use crate::{Error, Head, JournalReader, file};

const FILE: &str = "checkpoints";
const REFUSAL: &str = "witness-refusal.json";
/// One for every settled matter of a large house.
const SIZE_MOST: u64 = 256 << 20;
/// The last checkpoint is looked for here first.
const TAIL: u64 = 64 << 10;
const REFUSAL_MOST: u64 = 64 << 10;
/// Hashes read at once.
const PAGE: usize = 20_000;

/// A checkpoint with its cosignatures and time stamps.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StoredCheckpoint {
    /// When the house signed it.
    pub at: At,
    /// What it says.
    pub checkpoint: Checkpoint,
    /// The note with the signature of the house and those of witnesses.
    pub note: Note,
    /// The tree at that size, to go on from.
    pub frontier: Frontier,
    /// Time stamps of it.
    pub stamps: Vec<TimeStamp>,
}

/// The answer of a time-stamping authority.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct TimeStamp {
    /// Where it was asked.
    pub authority: String,
    /// The whole answer (RFC 3161), base 64.
    pub answer: String,
}

/// That a witness refused a checkpoint of this house.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct WitnessRefusal {
    /// When it was told.
    pub at: At,
    /// Which witness, as the policy calls it.
    pub witness: String,
    /// The size of the checkpoint that it refused.
    pub size: u64,
    /// What it said.
    pub said: String,
}

/// One line of the file.
#[derive(Debug, Serialize, Deserialize)]
#[serde(untagged, deny_unknown_fields)]
enum CheckpointLine {
    Signed { at: At, frontier: Vec<String>, note: String },
    Cosigned { size: u64, cosignatures: Vec<String> },
    Stamped { size: u64, stamp: TimeStamp },
}

/// The file of a house.
pub fn path(dir: &Path) -> PathBuf {
    dir.join(FILE)
}

/// All checkpoints of a house, the oldest first.
pub fn all(dir: &Path) -> Result<Vec<StoredCheckpoint>, Error> {
    let path = path(dir);
    let bytes = match file::read_own(&path, SIZE_MOST) {
        Ok(bytes) => bytes,
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(Vec::new()),
        Err(error) => return Err(Error::io("read", &path, &error)),
    };
    Ok(collect(&bytes))
}

/// The last checkpoint of a house, without what came to it.
pub fn last(dir: &Path) -> Result<Option<StoredCheckpoint>, Error> {
    let path = path(dir);
    let fault = |error: std::io::Error| Error::io("read", &path, &error);
    let mut file = match file::open_own(&path) {
        Ok(file) => file,
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(None),
        Err(error) => return Err(fault(error)),
    };
    let length = file.metadata().map_err(fault)?.len();
    file.seek(SeekFrom::Start(length.saturating_sub(TAIL))).map_err(fault)?;
    let mut tail = Vec::new();
    file.take(TAIL).read_to_end(&mut tail).map_err(fault)?;
    // The first line of the tail may be half of one; then it is not read.
    match collect(&tail).pop() {
        None if length > TAIL => Ok(all(dir)?.pop()),
        found => Ok(found),
    }
}

/// Forgets the checkpoints of acts that are given up. Whoever calls this keeps a copy.
pub(crate) fn forget_after(dir: &Path, end: u64) -> Result<(), Error> {
    let path = path(dir);
    let bytes = match file::read_own(&path, SIZE_MOST) {
        Ok(bytes) => bytes,
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(()),
        Err(error) => return Err(Error::io("read", &path, &error)),
    };
    let size = |line: &[u8]| match serde_json::from_slice::<CheckpointLine>(line).ok()? {
        CheckpointLine::Signed { at, frontier, note } => Some(signed(at, &frontier, &note)?.checkpoint.size),
        CheckpointLine::Cosigned { size, .. } | CheckpointLine::Stamped { size, .. } => Some(size),
    };
    let lines = bytes.split_inclusive(|byte| *byte == b'\n');
    let left: Vec<u8> =
        lines.filter(|line| size(line).is_some_and(|size| size <= end)).flatten().copied().collect();
    file::replace_durably(&path, &left).map_err(|error| Error::io("write", &path, &error))
}

fn collect(bytes: &[u8]) -> Vec<StoredCheckpoint> {
    let mut kept: Vec<StoredCheckpoint> = Vec::new();
    for line in bytes.split(|byte| *byte == b'\n') {
        let Ok(line) = serde_json::from_slice::<CheckpointLine>(line) else { continue };
        let of = |kept: &mut Vec<StoredCheckpoint>, size| {
            kept.iter().rposition(|known| known.checkpoint.size == size)
        };
        match line {
            CheckpointLine::Signed { at, frontier, note } => kept.extend(signed(at, &frontier, &note)),
            CheckpointLine::Cosigned { size, cosignatures } => {
                let Some(nth) = of(&mut kept, size) else { continue };
                let lines = cosignatures.iter().filter_map(|line| SignatureLine::parse(line).ok());
                lines.for_each(|line| kept[nth].note.add(line));
            }
            CheckpointLine::Stamped { size, stamp } => {
                let Some(nth) = of(&mut kept, size) else { continue };
                kept[nth].stamps.push(stamp);
            }
        }
    }
    kept
}

fn signed(at: At, frontier: &[String], note: &str) -> Option<StoredCheckpoint> {
    let note = Note::parse(note).ok()?;
    let checkpoint = Checkpoint::parse(note.text()).ok()?;
    let root = |text: &String| from_base64(text)?.try_into().ok().map(Digest);
    let roots: Option<Vec<Digest>> = frontier.iter().map(root).collect();
    let frontier = Frontier::of(checkpoint.size, roots?).filter(|tree| tree.root() == checkpoint.root)?;
    Some(StoredCheckpoint { at, checkpoint, note, frontier, stamps: Vec::new() })
}

/// Lines of the file that cannot be read, by their numbers. The last one may be half a line that a power cut left.
pub fn unreadable(dir: &Path) -> Result<Vec<usize>, Error> {
    let path = path(dir);
    let bytes = match file::read_own(&path, SIZE_MOST) {
        Ok(bytes) => bytes,
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(Vec::new()),
        Err(error) => return Err(Error::io("read", &path, &error)),
    };
    let whole = bytes.iter().rposition(|byte| *byte == b'\n').map_or(0, |end| end + 1);
    let is_read = |line: &[u8]| match serde_json::from_slice::<CheckpointLine>(line) {
        Ok(CheckpointLine::Signed { at, frontier, note }) => signed(at, &frontier, &note).is_some(),
        Ok(CheckpointLine::Cosigned { .. } | CheckpointLine::Stamped { .. }) => true,
        Err(_) => line.is_empty(),
    };
    let lines = bytes[..whole].split(|byte| *byte == b'\n').enumerate();
    Ok(lines.filter(|(_, line)| !is_read(line)).map(|(nth, _)| nth + 1).collect())
}

/// The first of these checkpoints that a journal contradicts, by its size. One of more acts than the journal has is left out.
pub fn contradicted(reader: &dyn JournalReader, kept: &[StoredCheckpoint]) -> Result<Option<u64>, Error> {
    let end = reader.head()?.seq.0;
    let mut kept: Vec<&StoredCheckpoint> = kept.iter().filter(|known| known.checkpoint.size <= end).collect();
    kept.sort_by_key(|known| known.checkpoint.size);
    let mut tree = Frontier::default();
    for known in kept {
        follow(reader, &mut tree, known.checkpoint.size)?;
        if tree.root() != known.checkpoint.root {
            return Ok(Some(known.checkpoint.size));
        }
    }
    Ok(None)
}

/// Keeps a checkpoint. Not synced: what it speaks of is durable, and a lost one is made again.
pub fn keep(dir: &Path, at: At, note: &Note, frontier: &Frontier) -> Result<(), Error> {
    let frontier = frontier.roots().iter().map(|root| to_base64(&root.0)).collect();
    add(dir, &CheckpointLine::Signed { at, frontier, note: note.to_string() })
}

/// Keeps what witnesses signed.
pub fn cosigned(dir: &Path, size: u64, lines: &[SignatureLine]) -> Result<(), Error> {
    add(
        dir,
        &CheckpointLine::Cosigned { size, cosignatures: lines.iter().map(ToString::to_string).collect() },
    )
}

/// Keeps a time stamp.
pub fn stamped(dir: &Path, size: u64, stamp: TimeStamp) -> Result<(), Error> {
    add(dir, &CheckpointLine::Stamped { size, stamp })
}

fn add(dir: &Path, line: &CheckpointLine) -> Result<(), Error> {
    let path = path(dir);
    let fault = |error: std::io::Error| Error::io("write to", &path, &error);
    let mut bytes = serde_json::to_vec(line).map_err(|error| fault(std::io::Error::other(error)))?;
    bytes.push(b'\n');
    file::append_line(&path, &bytes).map_err(fault)
}

/// The refusal of a witness that was not resolved yet.
pub fn refusal(dir: &Path) -> Option<WitnessRefusal> {
    let bytes = match file::read_own(&dir.join(REFUSAL), REFUSAL_MOST) {
        Ok(bytes) => bytes,
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => return None,
        Err(_) => Vec::new(),
    };
    // Something lies there: what cannot be read stops the house all the same.
    let unknown = || WitnessRefusal {
        at: At(0),
        witness: "unknown".into(),
        size: 0,
        said: "the file cannot be read".into(),
    };
    Some(serde_json::from_slice(&bytes).unwrap_or_else(|_| unknown()))
}

/// Keeps the refusal of a witness. The first one stays.
pub fn refuse(dir: &Path, refusal: &WitnessRefusal) -> Result<(), Error> {
    if self::refusal(dir).is_some() {
        return Ok(());
    }
    let path = dir.join(REFUSAL);
    let bytes = serde_json::to_vec_pretty(refusal).unwrap_or_default();
    file::replace_durably(&path, &bytes).map_err(|error| Error::io("write", &path, &error))
}

/// Lets the house sign checkpoints again.
pub fn resolve(dir: &Path) -> Result<(), Error> {
    let path = dir.join(REFUSAL);
    match std::fs::remove_file(&path) {
        Err(error) if error.kind() != std::io::ErrorKind::NotFound => Err(Error::io("remove", &path, &error)),
        Ok(()) | Err(_) => Ok(()),
    }
}

/// Goes on with a tree to the act `until`, by the hashes the journal has.
pub fn follow(reader: &dyn JournalReader, tree: &mut Frontier, until: u64) -> Result<(), Error> {
    hashes(reader, tree.size(), until, |hash| tree.push(&hash))
}

/// Hands on the hashes of the acts after `after` up to `until`. Fails where one is missing.
pub fn hashes(
    reader: &dyn JournalReader,
    after: u64,
    until: u64,
    mut each: impl FnMut(Digest),
) -> Result<(), Error> {
    let mut at = after;
    while at < until {
        let next = synod_core::kernel::Seq(at + 1);
        let page = reader.heads(next, PAGE.min(usize::try_from(until - at).unwrap_or(PAGE)))?;
        if page.is_empty() {
            return Err(Error::NoAct { seq: next });
        }
        for Head { seq, hash } in page {
            if seq.0 != at + 1 {
                return Err(Error::Order { expected: synod_core::kernel::Seq(at + 1), found: seq });
            }
            at += 1;
            each(hash);
        }
    }
    Ok(())
}
