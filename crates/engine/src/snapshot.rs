//! Opening a house from its snapshot and the acts since, and writing the next snapshot.
//!
//! A snapshot is used only if this user's key signed it, this version of synod wrote it and the act it names stands in the journal with
//! the same hash; else the journal is folded from its first act. Every act after the snapshot is checked as always.
//! Small houses have none: folding them is cheap, and checks the whole chain each time.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::thread::JoinHandle;

use synod_core::House;
use synod_journal::{Head, HouseKey, JournalReader, Snapshot, chain};

use crate::Fault;
use crate::archive::{KEEP, load};

/// Journals with fewer acts have no snapshot.
pub(crate) const LEAST: u64 = 1_000;
/// A running engine writes the next snapshot after so many acts.
const EVERY: u64 = 2_000;
/// An engine that ends writes one if there were so many acts since the last: folding fewer is cheaper than writing.
const AT_END: u64 = 250;

/// What wrote a snapshot, and in which form.
fn form() -> String {
    format!("{} {}", env!("CARGO_PKG_VERSION"), House::SNAPSHOT_FORM)
}

/// A house as its journal has it. Settled matters may be away.
#[derive(Debug)]
pub struct Opened {
    /// The house.
    pub house: House,
    /// Where the journal ends.
    pub head: Head,
    /// The last act in the snapshot it was opened from.
    pub snapshot: Option<Head>,
}

/// Where the snapshot of a house lies, and the key of the user that signs it. One that another key signed is not used:
/// it is a cache of this user, and nobody else's word.
#[derive(Debug, Clone, Copy)]
pub struct SnapshotPlace<'a> {
    /// The directory of the house.
    pub dir: &'a Path,
    /// The key, which lies outside of it.
    pub key: &'a HouseKey,
}

impl<'a> SnapshotPlace<'a> {
    /// None where one of the two is missing: without both there is no snapshot.
    pub fn of(dir: Option<&'a Path>, key: Option<&'a HouseKey>) -> Option<Self> {
        dir.zip(key).map(|(dir, key)| Self { dir, key })
    }
}

/// Opens the house of a journal: from its snapshot if that fits, else by folding all of it.
pub fn open(reader: &dyn JournalReader, place: Option<SnapshotPlace<'_>>) -> Result<Opened, Fault> {
    let started = match place {
        Some(place) if reader.head()?.seq.0 >= LEAST => start(reader, place),
        Some(_) | None => None,
    };
    let (mut house, from) = started.unwrap_or_default();
    let head = chain::walk(reader, from, |act, _| {
        for matter in house.away_in(&act) {
            let case = load(reader, &house, matter)?;
            house.restore(case);
        }
        house.evolve(&act);
        house.archive_idle(KEEP);
        Ok::<(), Fault>(())
    })?;
    Ok(Opened { house, head, snapshot: Some(from).filter(|from| *from != Head::default()) })
}

/// The house of the snapshot, with everything in it that is not over. None if anything about it is not as it should
/// be: folding the journal says what, if it is the journal.
fn start(reader: &dyn JournalReader, place: SnapshotPlace<'_>) -> Option<(House, Head)> {
    let snapshot = fitting(reader, place)?;
    let mut house = House::unpack(&snapshot.body).ok()?;
    if house.seq() != snapshot.head.seq {
        return None;
    }
    for matter in house.left_active() {
        let case = load(reader, &house, matter).ok()?;
        house.restore(case);
    }
    Some((house, snapshot.head))
}

/// The snapshot, if it is one of this journal that this version of synod wrote.
fn fitting(reader: &dyn JournalReader, place: SnapshotPlace<'_>) -> Option<Snapshot> {
    let snapshot = Snapshot::load(place.dir, place.key).filter(|snapshot| snapshot.form == form())?;
    let record = reader.read(snapshot.head.seq, 1).ok()?.into_iter().next()?;
    let same = record.head() == snapshot.head && chain::open_alone(&record).is_ok();
    same.then_some(snapshot)
}

/// The result of checking the snapshot of a house.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SnapshotCheck {
    /// There is none.
    None,
    /// It cannot be used: it is damaged, of another user, another version or another journal. It will be replaced.
    Unusable,
    /// It says what the acts up to this one come to.
    Agrees(Head),
    /// It says something else.
    Differs(Head),
}

/// Checks the snapshot of a house against its acts.
pub fn check(reader: &dyn JournalReader, dir: &Path, key: Option<&HouseKey>) -> Result<SnapshotCheck, Fault> {
    if Snapshot::file(dir).is_none() {
        return Ok(SnapshotCheck::None);
    }
    let fitting = SnapshotPlace::of(Some(dir), key).and_then(|place| fitting(reader, place));
    let Some(snapshot) = fitting else { return Ok(SnapshotCheck::Unusable) };
    let mut house = House::default();
    let head = snapshot.head;
    let mut packed = None;
    chain::walk(reader, Head::default(), |act, record| {
        if record.seq <= head.seq {
            for matter in house.away_in(&act) {
                let case = load(reader, &house, matter)?;
                house.restore(case);
            }
            house.evolve(&act);
            house.archive_idle(KEEP);
        }
        if record.seq == head.seq {
            packed = Some(house.pack());
        }
        Ok::<(), Fault>(())
    })?;
    let same = packed.is_some_and(|packed| packed == snapshot.body);
    Ok(if same { SnapshotCheck::Agrees(head) } else { SnapshotCheck::Differs(head) })
}

/// Writes snapshots of the house that this process holds.
#[derive(Debug)]
pub(crate) struct Saver {
    /// None where the journal lies in no directory, or nobody signs snapshots.
    place: Option<(PathBuf, Arc<HouseKey>)>,
    dir: Option<PathBuf>,
    /// The last act of the last snapshot; 0 if there is none.
    saved: Arc<AtomicU64>,
    writing: Option<JoinHandle<()>>,
}

impl Saver {
    pub(crate) fn new(dir: Option<&Path>, key: Option<Arc<HouseKey>>, saved: Option<Head>) -> Self {
        let saved = saved.map_or(0, |head| head.seq.0);
        let dir = dir.map(Path::to_path_buf);
        let place = dir.clone().zip(key);
        Self { place, dir, saved: Arc::new(AtomicU64::new(saved)), writing: None }
    }

    /// Where the snapshot lies, for whoever opens the house again.
    pub(crate) fn place(&self) -> Option<SnapshotPlace<'_>> {
        self.place.as_ref().map(|(dir, key)| SnapshotPlace { dir, key })
    }

    fn is_due(&self, house: &House, after: u64) -> bool {
        let (seq, saved) = (house.seq().0, self.saved.load(Ordering::Acquire));
        self.place.is_some() && seq >= LEAST && seq.saturating_sub(saved) >= after
    }

    /// Writes one on a thread of its own, if it is time.
    pub(crate) fn save_at_times(&mut self, house: &House, head: Head) {
        let busy = self.writing.as_ref().is_some_and(|writing| !writing.is_finished());
        if busy || !self.is_due(house, EVERY) {
            return;
        }
        self.wait();
        let (house, saved, place) = (house.clone(), self.saved.clone(), self.place.clone());
        let write = move || {
            place.iter().for_each(|(dir, key)| save(&house, head, SnapshotPlace { dir, key }, &saved))
        };
        self.writing = std::thread::Builder::new().name("synod-snapshot".into()).spawn(write).ok();
    }

    /// Writes the last one, if it is worth it.
    pub(crate) fn save_at_end(&mut self, house: &House, head: Head) {
        self.wait();
        if let Some(place) = self.place().filter(|_| self.is_due(house, AT_END)) {
            save(house, head, place, &self.saved);
        }
    }

    /// Takes the snapshot away: words are about to leave the record.
    pub(crate) fn remove(&mut self) -> Result<(), Fault> {
        self.wait();
        self.saved.store(0, Ordering::Release);
        Ok(self.dir.as_deref().map_or(Ok(()), Snapshot::remove)?)
    }

    fn wait(&mut self) {
        if let Some(writing) = self.writing.take() {
            let _ = writing.join();
        }
    }
}

/// Whoever cannot write one goes on without, and tries again when the next is due.
fn save(house: &House, head: Head, place: SnapshotPlace<'_>, saved: &AtomicU64) {
    debug_assert_eq!(head.seq, house.seq(), "a snapshot of one act under the hash of another");
    let _ = Snapshot { head, form: form(), body: house.pack() }.save(place.dir, place.key);
    saved.store(head.seq.0, Ordering::Release);
}
