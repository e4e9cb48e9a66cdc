//! A feed: the acts of a house from any number on, first those recorded, then those to come. A reader that
//! falls behind catches up from the journal; it never holds up the writer. It never runs ahead of the house
//! that is shown: who has been told of an act finds it there.

use std::collections::VecDeque;
use std::sync::{Arc, PoisonError, RwLock};

use synod_core::kernel::Seq;
use synod_core::{Act, House};
use synod_journal::{Head, JournalReader, chain};
use tokio::sync::broadcast::{self, error::RecvError};

use crate::Fault;
use crate::keeper::Batch;

/// How many acts are read from the journal at a time.
const PAGE: usize = 256;

/// See the module.
pub struct Feed {
    next: Seq,
    live: broadcast::Receiver<Batch>,
    reader: Box<dyn JournalReader>,
    house: Arc<RwLock<House>>,
    read: VecDeque<Arc<Act>>,
    /// Acts up to this one are read from the journal; later ones come by the subscription.
    recorded: Seq,
}

impl std::fmt::Debug for Feed {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let (next, recorded) = (&self.next, &self.recorded);
        f.debug_struct("Feed").field("next", next).field("recorded", recorded).finish_non_exhaustive()
    }
}

impl Feed {
    pub(crate) fn new(
        from: Seq,
        live: broadcast::Receiver<Batch>,
        reader: Box<dyn JournalReader>,
        house: Arc<RwLock<House>>,
    ) -> Self {
        let next = Seq(from.0.max(1));
        let mut feed = Self { next, live, reader, house, read: VecDeque::new(), recorded: Seq(0) };
        feed.fall_behind();
        feed
    }

    /// What the house shows by now is read; what it shows from now on comes by the subscription.
    fn fall_behind(&mut self) {
        self.recorded = self.house.read().unwrap_or_else(PoisonError::into_inner).seq();
    }

    /// The number of the act that comes next.
    pub fn position(&self) -> Seq {
        self.next
    }

    /// The next act; `None` when the engine has ended.
    pub async fn next(&mut self) -> Result<Option<Arc<Act>>, Fault> {
        loop {
            if let Some(act) = self.read.pop_front() {
                self.next = act.seq.next();
                return Ok(Some(act));
            }
            if self.next <= self.recorded {
                self.catch_up()?;
                if self.read.is_empty() {
                    self.recorded = Seq(0); // the journal has no more
                }
                continue;
            }
            match self.live.recv().await {
                Ok(batch) if batch.is_empty() => return Ok(None),
                Ok(batch) => self.take(&batch),
                Err(RecvError::Lagged(_)) => self.fall_behind(),
                Err(RecvError::Closed) => return Ok(None),
            }
        }
    }

    /// Takes what is new of a batch; a gap is filled from the journal.
    fn take(&mut self, batch: &Batch) {
        let new = batch.iter().filter(|act| act.seq >= self.next);
        match new.clone().next() {
            Some(first) if first.seq > self.next => self.fall_behind(),
            Some(_) => self.read.extend(new.cloned()),
            None => (), // already read from the journal
        }
    }

    fn catch_up(&mut self) -> Result<(), Fault> {
        // No further: the journal may hold an act already that the house does not show yet.
        let ready = (self.recorded.0 + 1).saturating_sub(self.next.0);
        let records = self.reader.read(self.next, usize::try_from(ready).unwrap_or(PAGE).min(PAGE))?;
        let mut head = match self.next.0 {
            1 => Head::default(),
            next => match self.reader.read(Seq(next - 1), 1)?.into_iter().next() {
                Some(before) => Head { seq: before.seq, hash: before.hash },
                None => return Ok(()),
            },
        };
        for record in records {
            let act = chain::open(head, &record)?;
            head = Head { seq: record.seq, hash: record.hash };
            self.read.push_back(Arc::new(act));
        }
        Ok(())
    }
}
