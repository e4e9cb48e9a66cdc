//! Matters that left memory, read back from the journal: the acts a matter is made of are folded once more.
//!
//! Each record that is read must have the hash it was recorded with; that it belongs to the chain was checked when the
//! house was folded, and is checked again by `synod verify`.

use std::collections::{BTreeSet, VecDeque};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use synod_core::house::{Case, Summary};
use synod_core::kernel::{Digest, MatterId, Seq};
use synod_core::{Act, House};
use synod_journal::{Journal, JournalReader, SqliteReader, chain};

use crate::Fault;

/// So many settled matters stay in memory.
pub(crate) const KEEP: usize = 256;

/// So many matters that were read back are remembered for whoever looks at them again.
const REMEMBERED: usize = 16;

/// See the module.
pub struct Archive {
    source: RecordSource,
    /// The last ones read, each with the last acts of it and of its origins.
    recent: Mutex<VecDeque<(Vec<Seq>, Arc<Case>)>>,
}

/// The place that records are read from.
enum RecordSource {
    /// Opened for each matter: a writer that leaves last folds its log into the one file, and nobody may read on beside it.
    Dir(PathBuf),
    /// A journal that lies in no directory.
    Held(Mutex<Box<dyn JournalReader>>),
}

impl std::fmt::Debug for Archive {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Archive").finish_non_exhaustive()
    }
}

impl Archive {
    /// The archive of the house in a directory.
    pub fn at(dir: &Path) -> Self {
        Self { source: RecordSource::Dir(dir.into()), recent: Mutex::default() }
    }

    pub(crate) fn of(journal: &dyn Journal) -> Result<Self, Fault> {
        let source = match journal.dir() {
            Some(dir) => RecordSource::Dir(dir.into()),
            None => RecordSource::Held(Mutex::new(journal.reader()?)),
        };
        Ok(Self { source, recent: Mutex::default() })
    }

    /// Brings those of these matters back into the house that are away.
    pub fn bring(&self, house: &mut House, matters: impl IntoIterator<Item = MatterId>) -> Result<(), Fault> {
        for matter in matters {
            if house.is_away(matter) {
                let case = self.load(house, matter)?;
                house.restore(case);
            }
        }
        Ok(())
    }

    /// Records an act, after what it is about is here.
    pub fn evolve(&self, house: &mut House, act: &Act) -> Result<(), Fault> {
        let away = house.away_in(act);
        self.bring(house, away)?;
        house.evolve(act);
        Ok(())
    }

    /// A matter as the house knows it.
    pub fn load(&self, house: &House, matter: MatterId) -> Result<Arc<Case>, Fault> {
        let line = std::iter::once(matter).chain(house.origins(matter));
        let stamp: Vec<Seq> =
            line.filter_map(|of| house.summary(of)).map(|summary| summary.last_act()).collect();
        let known = |(then, case): &&(Vec<Seq>, Arc<Case>)| case.id == matter && *then == stamp;
        if let Some((_, case)) = self.recent().iter().find(known) {
            return Ok(case.clone());
        }
        let case = match &self.source {
            RecordSource::Dir(dir) => load(&SqliteReader::open(dir)?, house, matter)?,
            RecordSource::Held(reader) => {
                load(&**reader.lock().unwrap_or_else(PoisonError::into_inner), house, matter)?
            }
        };
        let mut recent = self.recent();
        recent.retain(|(_, known)| known.id != matter);
        recent.push_back((stamp, case.clone()));
        if recent.len() > REMEMBERED {
            recent.pop_front();
        }
        Ok(case)
    }

    /// The hash of the record with this number; none if there is no such record on disk.
    pub(crate) fn hash_of(&self, act: Seq) -> Result<Option<Digest>, Fault> {
        let found = match &self.source {
            RecordSource::Dir(dir) => SqliteReader::open(dir)?.heads(act, 1)?,
            RecordSource::Held(reader) => {
                reader.lock().unwrap_or_else(PoisonError::into_inner).heads(act, 1)?
            }
        };
        Ok(found.first().filter(|head| head.seq == act).map(|head| head.hash))
    }

    fn recent(&self) -> MutexGuard<'_, VecDeque<(Vec<Seq>, Arc<Case>)>> {
        self.recent.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Reads the acts of a matter and folds them.
pub(crate) fn load(reader: &dyn JournalReader, house: &House, matter: MatterId) -> Result<Arc<Case>, Fault> {
    let acts = read(reader, &house.acts_of(matter))?;
    let case = house.rebuild(matter, &acts).filter(|case| {
        let again = Summary::of(case);
        house.summary(matter).is_some_and(|known| *known == again)
    });
    case.ok_or(Fault::Unlike { matter })
}

/// These acts; those that follow each other are read in one go.
fn read(reader: &dyn JournalReader, wanted: &BTreeSet<Seq>) -> Result<Vec<Act>, Fault> {
    let mut acts = Vec::with_capacity(wanted.len());
    let mut left = wanted.iter().copied().peekable();
    while let Some(first) = left.next() {
        let mut last = first;
        while let Some(next) = left.next_if(|next| *next == last.next()) {
            last = next;
        }
        let records = reader.read(first, usize::try_from(last.0 - first.0 + 1).unwrap_or(1))?;
        for (seq, record) in (first.0..=last.0).zip(&records) {
            let order = |found| synod_journal::Broken::Order { seq: Seq(seq), found };
            if record.seq != Seq(seq) {
                return Err(order(record.seq).into());
            }
            acts.push(chain::open_alone(record)?);
        }
    }
    Ok(acts)
}
