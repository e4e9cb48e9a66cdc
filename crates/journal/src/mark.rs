//! The high-water mark: how far the journal was known to be durable, kept outside of it.
//!
//! A log that loses its tail (a flipped bit, a file put back from an older copy) still looks whole: every check of the
//! chain passes on what is left. The mark is what tells. It is a small file with two slots that are written in turn, after
//! an append is on the disk, so that it is never ahead of a healthy journal; one that is torn leaves the other. Only the
//! writer writes it. It is synced now and then, and at a clean end.
//!
//! Each slot also says when it was written, by the machine's clock and by the time since the machine started. Whoever opens
//! the house next can tell from that whether the clock was set meanwhile.
//!
//! Behind the slots there is room for a note of why nothing can be written. It takes no new space, so that it can be
//! left on a disk that is full.

use std::fs::File;
use std::io;
use std::os::unix::fs::FileExt as _;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

use serde::Serialize;
use synod_core::kernel::{At, Digest, Seq};

use crate::{Error, Head, JournalReader, file, hex, key};

const FILE: &str = "mark";
const SLOT: u64 = 512;
const NOTE_AT: u64 = 2 * SLOT;
const SIZE: u64 = 2048;
/// The longest time a mark may be lost by a power failure.
const SYNC_AFTER: Duration = Duration::from_secs(5);
const NAME: &str = "synod-mark-1";

/// The last head of a journal that was known to be durable, and when that was.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub struct DurabilityMark {
    /// Where the journal ended.
    pub head: Head,
    /// When that was.
    pub moment: Moment,
    /// How many marks were written before: which of two slots is the newer one.
    #[serde(skip)]
    count: u64,
}

/// A moment by the clocks of this machine.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub struct Moment {
    /// By the clock that people set, Unix milliseconds.
    pub wall: At,
    /// Since the machine started, in milliseconds. Nobody sets that, and it goes on while the machine sleeps.
    pub uptime_ms: u64,
    /// Which start of which machine; zero where that is not known.
    pub boot: u64,
}

impl Moment {
    /// This moment.
    pub fn now() -> Self {
        let wall = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
        let wall = At(u64::try_from(wall.as_millis()).unwrap_or(u64::MAX));
        Self { wall, uptime_ms: uptime_ms(), boot: boot() }
    }

    /// How much time passed since an earlier moment, whatever anybody did to the clock; none if that cannot be told.
    pub fn since(&self, earlier: &Self) -> Option<u64> {
        let same = self.boot == earlier.boot && self.boot != 0;
        same.then(|| self.uptime_ms.checked_sub(earlier.uptime_ms)).flatten()
    }
}

/// Milliseconds since the machine started, also those it slept.
pub fn uptime_ms() -> u64 {
    #[cfg(target_os = "linux")]
    let clock = rustix::time::ClockId::Boottime;
    // There it goes on while the machine sleeps.
    #[cfg(not(target_os = "linux"))]
    let clock = rustix::time::ClockId::Monotonic;
    let time = rustix::time::clock_gettime(clock);
    let seconds = u64::try_from(time.tv_sec).unwrap_or_default();
    seconds.saturating_mul(1000).saturating_add(u64::try_from(time.tv_nsec).unwrap_or_default() / 1_000_000)
}

/// A number for this start of this machine.
fn boot() -> u64 {
    static BOOT: std::sync::OnceLock<u64> = std::sync::OnceLock::new();
    *BOOT.get_or_init(|| {
        let id = std::fs::read("/proc/sys/kernel/random/boot_id").unwrap_or_default();
        if id.is_empty() { 0 } else { short(&id).max(1) }
    })
}

/// The first eight bytes of a digest, as a number.
fn short(bytes: &[u8]) -> u64 {
    Digest::of(bytes).0.iter().take(8).fold(0, |number, byte| number << 8 | u64::from(*byte))
}

impl DurabilityMark {
    fn line(&self) -> String {
        let Self { head, moment, count } = self;
        let Moment { wall, uptime_ms, boot } = moment;
        let body = format!(
            "{NAME} {count} {} {} {} {uptime_ms} {boot:016x}",
            head.seq,
            hex::encode(&head.hash.0),
            wall.0
        );
        format!("{body} {:016x}\n", short(body.as_bytes()))
    }

    fn parse(line: &str) -> Option<Self> {
        let (body, sum) = line.split_once('\n')?.0.rsplit_once(' ')?;
        if u64::from_str_radix(sum, 16).ok()? != short(body.as_bytes()) {
            return None;
        }
        let words: Vec<&str> = body.split(' ').collect();
        let [NAME, count, seq, hash, wall, uptime, boot] = words[..] else { return None };
        let head = Head { seq: Seq(seq.parse().ok()?), hash: Digest(hex::decode(hash)?) };
        let boot = u64::from_str_radix(boot, 16).ok()?;
        let moment = Moment { wall: At(wall.parse().ok()?), uptime_ms: uptime.parse().ok()?, boot };
        Some(Self { head, moment, count: count.parse().ok()? })
    }
}

/// Why nothing can be written, as it was noted when that was so.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Stall {
    /// Since when.
    pub since: At,
    /// What the journal said.
    pub said: String,
}

fn path(dir: &Path) -> PathBuf {
    dir.join(FILE)
}

/// The mark of the house in `dir`; none where there is none: a house that was copied without it, or an old one.
pub fn read(dir: &Path) -> Result<Option<DurabilityMark>, Error> {
    let path = path(dir);
    let failed = |error: io::Error| Error::io("read", &path, &error);
    match file::open_own(&path) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
        Err(error) => Err(failed(error)),
        Ok(file) => newest(&file).map_err(failed),
    }
}

fn newest(file: &File) -> io::Result<Option<DurabilityMark>> {
    let slots = [slot(file, 0)?, slot(file, SLOT)?];
    let marks = slots.iter().filter_map(|slot| DurabilityMark::parse(slot));
    Ok(marks.max_by_key(|mark| mark.count))
}

fn slot(file: &File, at: u64) -> io::Result<String> {
    let mut bytes = [0; SLOT as usize];
    let mut got = 0;
    while got < bytes.len() {
        match file.read_at(&mut bytes[got..], at + got as u64)? {
            0 => break,
            more => got += more,
        }
    }
    Ok(String::from_utf8_lossy(&bytes[..got]).into_owned())
}

/// Why nothing can be written to the house in `dir`, if its last writer said so.
pub fn stalled(dir: &Path) -> Option<Stall> {
    let file = file::open_own(&path(dir)).ok()?;
    let note = slot(&file, NOTE_AT).ok()?;
    let (since, said) = note.split_once('\n')?;
    let (said, _) = said.split_once('\0')?;
    Some(Stall { since: At(since.parse().ok()?), said: said.trim_end().into() })
        .filter(|stall| !stall.said.is_empty())
}

/// The result of comparing a journal with its mark.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case", tag = "is")]
pub enum MarkComparison {
    /// There is no mark: nobody can tell.
    Unknown,
    /// Everything that was known to be durable is there.
    Whole {
        /// The last act that was.
        seq: Seq,
    },
    /// Acts that were durable are gone, or others are in their place.
    Lost {
        /// What was known to be durable.
        mark: Head,
        /// Where the journal ends.
        found: Head,
    },
}

/// Compares a journal with its mark. The mark is read first: the journal may grow meanwhile and never shrinks.
pub fn compare(dir: &Path, reader: &dyn JournalReader) -> Result<MarkComparison, Error> {
    match read(dir)? {
        Some(mark) => standing(mark, reader.head()?, |seq| {
            Ok(reader.read(seq, 1)?.first().filter(|record| record.seq == seq).map(|record| record.hash))
        }),
        None => Ok(MarkComparison::Unknown),
    }
}

pub(crate) fn standing(
    mark: DurabilityMark,
    found: Head,
    hash: impl FnOnce(Seq) -> Result<Option<Digest>, Error>,
) -> Result<MarkComparison, Error> {
    let mark = mark.head;
    if mark == Head::default() {
        return Ok(MarkComparison::Whole { seq: mark.seq });
    }
    match found.seq >= mark.seq && hash(mark.seq)? == Some(mark.hash) {
        true => Ok(MarkComparison::Whole { seq: mark.seq }),
        false => Ok(MarkComparison::Lost { mark, found }),
    }
}

/// The mark of a journal that is being written.
#[derive(Debug)]
pub(crate) struct Marker {
    file: File,
    count: u64,
    synced: Instant,
    is_synced: bool,
}

impl Marker {
    /// Opens the mark of the house in `dir` to write it, and makes room for it.
    pub(crate) fn open(dir: &Path, last: Option<DurabilityMark>) -> Result<Self, Error> {
        let path = path(dir);
        let failed = |error: io::Error| Error::io("write", &path, &error);
        let file = file::open_to_write(&path).map_err(failed)?;
        if file.metadata().map_err(failed)?.len() < SIZE {
            // Real bytes: a hole would need space later.
            file.write_all_at(&[0; SIZE as usize], 0).and_then(|()| file.sync_all()).map_err(failed)?;
            key::sync_dir(dir).map_err(failed)?;
        }
        let count = last.map_or(0, |mark| mark.count);
        Ok(Self { file, count, synced: Instant::now(), is_synced: true })
    }

    /// Notes where the journal ends. It is durable there already. A mark that cannot be written is not worth a write that
    /// was: the one before still holds.
    pub(crate) fn set(&mut self, head: Head) {
        self.put(head, Moment::now());
    }

    /// The same for acts that somebody else wrote: nobody knows when.
    pub(crate) fn set_found(&mut self, head: Head) {
        self.put(head, Moment { boot: 0, ..Moment::now() });
    }

    fn put(&mut self, head: Head, moment: Moment) {
        self.count += 1;
        let mark = DurabilityMark { head, moment, count: self.count };
        let mut slot = mark.line().into_bytes();
        slot.resize(SLOT as usize, 0);
        let _ = self.file.write_all_at(&slot, (self.count % 2) * SLOT);
        self.is_synced = false;
        if self.synced.elapsed() >= SYNC_AFTER {
            self.sync();
        }
    }

    /// Leaves a note of why nothing can be written, or takes it away.
    pub(crate) fn note(&self, stall: Option<&Stall>) {
        let mut slot = vec![0; SLOT as usize];
        if let Some(stall) = stall {
            let said = stall.said.lines().next().unwrap_or_default();
            let note = format!("{}\n{said}", stall.since.0);
            let cut = note.floor_char_boundary(note.len().min(SLOT as usize - 1));
            slot[..cut].copy_from_slice(&note.as_bytes()[..cut]);
        }
        let _ = self.file.write_all_at(&slot, NOTE_AT);
    }

    fn sync(&mut self) {
        let _ = self.file.sync_data();
        (self.synced, self.is_synced) = (Instant::now(), true);
    }
}

impl Drop for Marker {
    fn drop(&mut self) {
        if !self.is_synced {
            self.sync();
        }
    }
}

/// Takes the mark away, for a journal that lost acts and goes on without them.
pub(crate) fn forget(dir: &Path) -> Result<(), Error> {
    let failed = |error: io::Error| Error::io("remove", &path(dir), &error);
    match std::fs::remove_file(path(dir)) {
        Err(error) if error.kind() != io::ErrorKind::NotFound => Err(failed(error)),
        Ok(()) | Err(_) => key::sync_dir(dir).map_err(failed),
    }
}
