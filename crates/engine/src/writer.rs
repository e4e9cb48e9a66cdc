//! The writer: judges a batch of orders one after the other, appends the acts in one go, and answers only
//! when they are durable. If the append fails the house is rebuilt from what the journal really holds.

use std::sync::{Arc, RwLock, RwLockReadGuard};

use synod_core::kernel::{Actor, Seq};
use synod_core::{Act, Command, House};
use synod_journal::{Head, Journal, Reader, Record, chain};

use crate::clock::now;
use crate::engine::Verdict;
use crate::{Done, Fault, Order, fold};

/// Holds the house and its journal. There is one per house.
pub(crate) struct Writer {
    house: Arc<RwLock<House>>,
    journal: Box<dyn Journal>,
    head: Head,
    batch: Vec<Record>,
}

impl Writer {
    /// Folds the journal and takes charge of it.
    pub(crate) fn open(journal: Box<dyn Journal>) -> Result<Self, Fault> {
        let (house, head) = fold(&*journal.reader()?)?;
        Ok(Self { house: Arc::new(RwLock::new(house)), journal, head, batch: Vec::new() })
    }

    pub(crate) fn shared(&self) -> Arc<RwLock<House>> {
        self.house.clone()
    }

    pub(crate) fn reader(&self) -> Result<Box<dyn Reader>, Fault> {
        Ok(self.journal.reader()?)
    }

    pub(crate) fn house(&self) -> RwLockReadGuard<'_, House> {
        self.house.read().unwrap_or_else(std::sync::PoisonError::into_inner)
    }

    /// Judges and records a batch. Readers see the house before or after it, never in between: the lock is
    /// held until the acts are durable.
    pub(crate) fn commit(&mut self, orders: Vec<Order>) -> Result<Vec<Verdict>, Fault> {
        let shared = self.house.clone();
        let mut house = shared.write().unwrap_or_else(std::sync::PoisonError::into_inner);
        let at = now();
        let mut head = self.head;
        let mut verdicts = Vec::with_capacity(orders.len());
        self.batch.clear();
        for order in orders {
            if let Some(seq) = order.key.as_ref().and_then(|key| house.given_under(key)) {
                verdicts.push(Verdict::Repeated(seq));
                continue;
            }
            let idle_tick = order.command == Command::Tick && house.next_deadline().is_none_or(|due| at < due);
            let act = house.act(at, order.by, order.key, order.command);
            if idle_tick && act.events().is_empty() && act.by == Actor::Engine {
                verdicts.push(Verdict::Nothing);
                continue; // a clock that only ticks leaves no mark
            }
            let record = chain::seal(head, &act)?;
            head = Head { seq: record.seq, hash: record.hash };
            house.evolve(&act);
            self.batch.push(record);
            verdicts.push(Verdict::Acted(Arc::new(act)));
        }
        if self.batch.is_empty() {
            return Ok(verdicts);
        }
        match self.journal.append(self.head, &self.batch) {
            Ok(head) => {
                self.head = head;
                Ok(verdicts)
            }
            Err(error) => {
                let (rebuilt, head) = fold(&*self.journal.reader()?)?;
                *house = rebuilt;
                self.head = head;
                Err(error.into())
            }
        }
    }

    /// An act that was recorded before.
    pub(crate) fn recall(&self, seq: Seq) -> Result<Done, Fault> {
        let reader = self.journal.reader()?;
        let earlier = match seq.0 {
            0 | 1 => Head::default(),
            _ => {
                let before = reader.read(Seq(seq.0 - 1), 1)?.into_iter().next().ok_or(Fault::Gone)?;
                Head { seq: before.seq, hash: before.hash }
            }
        };
        let record = reader.read(seq, 1)?.into_iter().next().ok_or(Fault::Gone)?;
        let act: Act = chain::open(earlier, &record)?;
        Ok(Done { act: Arc::new(act), repeated: true })
    }
}
