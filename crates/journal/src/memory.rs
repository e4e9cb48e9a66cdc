//! The journal in memory: the twin of those on disk, for tests, simulations and the lab.
//! It promises everything a journal promises, except to survive the process.

use std::sync::{Arc, PoisonError, RwLock, RwLockReadGuard};

use synod_core::kernel::Seq;

use crate::{Error, Head, Journal, Reader, Record, follow, known};

/// A journal in memory. Its readers share it.
#[derive(Debug, Default)]
pub struct Memory {
    records: Shared,
}

impl Memory {
    /// An empty journal.
    pub fn new() -> Self {
        Self::default()
    }
}

impl Journal for Memory {
    fn head(&self) -> Head {
        self.records.head()
    }

    fn append(&mut self, after: Head, records: &[Record]) -> Result<Head, Error> {
        let mut kept = self.records.0.write().unwrap_or_else(PoisonError::into_inner);
        let head = follow(kept.last().map(Record::head).unwrap_or_default(), after, records)?;
        kept.extend_from_slice(records);
        Ok(head)
    }

    fn redact(&mut self, bodies: &[(Seq, String)]) -> Result<(), Error> {
        known(self.head(), bodies)?;
        let mut kept = self.records.0.write().unwrap_or_else(PoisonError::into_inner);
        for (seq, body) in bodies {
            let place = usize::try_from(seq.0 - 1).unwrap_or(usize::MAX);
            let record = kept.get_mut(place).ok_or(Error::NoAct { seq: *seq })?;
            record.body.clone_from(body);
            record.redacted = true;
        }
        Ok(())
    }

    fn reader(&self) -> Result<Box<dyn Reader>, Error> {
        Ok(Box::new(self.records.clone()))
    }
}

#[derive(Debug, Clone, Default)]
struct Shared(Arc<RwLock<Vec<Record>>>);

impl Shared {
    /// A panic elsewhere cannot leave the list half-written: records are judged before the first is added.
    fn kept(&self) -> RwLockReadGuard<'_, Vec<Record>> {
        self.0.read().unwrap_or_else(PoisonError::into_inner)
    }

    fn head(&self) -> Head {
        self.kept().last().map(Record::head).unwrap_or_default()
    }
}

impl Reader for Shared {
    fn head(&self) -> Result<Head, Error> {
        Ok(self.head())
    }

    fn read(&self, from: Seq, most: usize) -> Result<Vec<Record>, Error> {
        let kept = self.kept();
        let start = usize::try_from(from.0.saturating_sub(1)).unwrap_or(usize::MAX).min(kept.len());
        let end = start.saturating_add(most).min(kept.len());
        Ok(kept[start..end].to_vec())
    }
}
