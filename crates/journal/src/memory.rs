//! The journal in memory: the twin of those on disk, for tests, simulations and the lab.
//! It promises everything a journal promises, except to survive the process.

use std::sync::{Arc, PoisonError, RwLock, RwLockReadGuard, RwLockWriteGuard};

use synod_core::kernel::Seq;

use crate::{Error, Head, Journal, JournalReader, LockHolder, Record, Term, follow, known};

/// A writer of a journal in memory. Its readers share it.
#[derive(Debug)]
pub struct Memory {
    shelf: Shelf,
    term: Term,
}

impl Memory {
    /// An empty journal.
    pub fn new() -> Self {
        Self::on(&Shelf::default())
    }

    /// A writer of the journal on this shelf. Whoever wrote there before is fenced from now on.
    pub fn on(shelf: &Shelf) -> Self {
        let mut kept = shelf.kept_mut();
        kept.term.0 += 1;
        Self { shelf: shelf.clone(), term: kept.term }
    }

    /// The journal, if this writer may still write to it.
    fn held(&self) -> Result<RwLockWriteGuard<'_, MemoryRecords>, Error> {
        let kept = self.shelf.kept_mut();
        if kept.term == self.term {
            return Ok(kept);
        }
        Err(Error::Fenced { term: self.term, by: LockHolder::unknown().in_term(kept.term) })
    }
}

impl Default for Memory {
    fn default() -> Self {
        Self::new()
    }
}

impl Journal for Memory {
    fn term(&self) -> Term {
        self.term
    }

    fn head(&self) -> Head {
        self.shelf.kept().head()
    }

    fn append(&mut self, after: Head, records: &[Record]) -> Result<Head, Error> {
        let mut kept = self.held()?;
        let head = follow(kept.head(), after, records)?;
        kept.records.extend_from_slice(records);
        Ok(head)
    }

    fn redact(&mut self, bodies: &[(Seq, String)]) -> Result<(), Error> {
        let mut kept = self.held()?;
        known(kept.head(), bodies)?;
        for (seq, body) in bodies {
            let place = usize::try_from(seq.0 - 1).unwrap_or(usize::MAX);
            let record = kept.records.get_mut(place).ok_or(Error::NoAct { seq: *seq })?;
            record.body.clone_from(body);
            record.redacted = true;
        }
        Ok(())
    }

    fn reader(&self) -> Result<Box<dyn JournalReader>, Error> {
        Ok(Box::new(self.shelf.clone()))
    }
}

#[derive(Debug, Default)]
struct MemoryRecords {
    records: Vec<Record>,
    /// The last one given.
    term: Term,
}

impl MemoryRecords {
    fn head(&self) -> Head {
        self.records.last().map(Record::head).unwrap_or_default()
    }
}

/// Where a journal in memory lies while its writers come and go. A panic elsewhere cannot leave the list
/// half-written: records are judged before the first is added.
#[derive(Debug, Clone, Default)]
pub struct Shelf(Arc<RwLock<MemoryRecords>>);

impl Shelf {
    fn kept(&self) -> RwLockReadGuard<'_, MemoryRecords> {
        self.0.read().unwrap_or_else(PoisonError::into_inner)
    }

    fn kept_mut(&self) -> RwLockWriteGuard<'_, MemoryRecords> {
        self.0.write().unwrap_or_else(PoisonError::into_inner)
    }
}

impl JournalReader for Shelf {
    fn head(&self) -> Result<Head, Error> {
        Ok(self.kept().head())
    }

    fn read(&self, from: Seq, most: usize) -> Result<Vec<Record>, Error> {
        let kept = &self.kept().records;
        let start = usize::try_from(from.0.saturating_sub(1)).unwrap_or(usize::MAX).min(kept.len());
        let end = start.saturating_add(most).min(kept.len());
        Ok(kept[start..end].to_vec())
    }
}
