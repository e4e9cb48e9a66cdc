//! What goes wrong with the journal, between the threads that meet it and those who want to know.
//!
//! A journal that cannot be written decides nothing: the judge waits until it can, keeps what came meanwhile, and takes the
//! time out of the house's (see `stall`). Only where another process has the house by now, or patience is at an end, the
//! engine ends.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use synod_core::kernel::At;
use synod_journal::Stall;
use tokio::sync::watch;

use crate::Fault;
use crate::keeper::{AppendFailure, WaitingOrders};

/// An append that takes longer than this holds everybody up; nobody is charged for it.
pub(crate) const SLOW: Duration = Duration::from_secs(1);

/// See the module.
#[derive(Debug)]
pub(crate) struct Trouble {
    /// A batch could not be kept: what was judged after it hangs in the air.
    failed: AtomicBool,
    inner: Mutex<TroubleState>,
    stall: watch::Sender<Option<Stall>>,
}

#[derive(Debug, Default)]
struct TroubleState {
    /// Why there is no going on.
    grave: Option<AppendFailure>,
    /// What the journal said first.
    first: Option<AppendFailure>,
    /// Orders of our own that were in batches that were not kept, in their order.
    held: WaitingOrders,
    /// Since when a batch is being written.
    writing: Option<Instant>,
    /// The time in the house before which a write began that took long.
    slow: Option<At>,
}

impl Default for Trouble {
    fn default() -> Self {
        let (stall, _) = watch::channel(None);
        Self { failed: AtomicBool::default(), inner: Mutex::default(), stall }
    }
}

impl Trouble {
    fn inner(&self) -> MutexGuard<'_, TroubleState> {
        self.inner.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// A batch could not be kept.
    pub(crate) fn note(&self, lost: AppendFailure, held: WaitingOrders) {
        let mut inner = self.inner();
        inner.held.extend(held);
        if lost.grave {
            inner.grave.get_or_insert_with(|| lost.clone());
        }
        inner.first.get_or_insert(lost);
        drop(inner);
        self.failed.store(true, Ordering::Release);
    }

    /// Whether a batch could not be kept since that was last looked after.
    pub(crate) fn is_due(&self) -> bool {
        self.failed.load(Ordering::Acquire)
    }

    /// What the journal said first, and what was in the batches it did not keep.
    pub(crate) fn take(&self) -> (Option<AppendFailure>, WaitingOrders) {
        let mut inner = self.inner();
        self.failed.store(false, Ordering::Release);
        (inner.first.take(), std::mem::take(&mut inner.held))
    }

    pub(crate) fn is_grave(&self) -> bool {
        self.inner().grave.is_some()
    }

    /// Why the engine ended by itself, if it did.
    pub(crate) fn fault(&self) -> Option<Fault> {
        self.inner().grave.as_ref().map(AppendFailure::fault)
    }

    /// A batch is being written from now on.
    pub(crate) fn begin(&self) {
        self.inner().writing = Some(Instant::now());
    }

    /// It is written, or is not: the judge had decided it at `at`.
    pub(crate) fn end(&self, at: At) {
        let mut inner = self.inner();
        let took = inner.writing.take().map(|begun| begun.elapsed()).unwrap_or_default();
        if took > SLOW {
            inner.slow.get_or_insert(at);
        }
    }

    /// Whether a batch is being written for longer than that may take.
    pub(crate) fn is_slow(&self) -> bool {
        self.inner().writing.is_some_and(|begun| begun.elapsed() > SLOW)
    }

    /// The time in the house from which on a slow write held everybody up, if one did.
    pub(crate) fn take_slow(&self) -> Option<At> {
        self.inner().slow.take()
    }

    /// Says that nothing can be written, or that it can be again.
    pub(crate) fn say(&self, stall: Option<Stall>) {
        self.stall.send_if_modified(|said| {
            let changed = said.as_ref().map(|stall| &stall.said) != stall.as_ref().map(|stall| &stall.said);
            if changed {
                *said = stall;
            }
            changed
        });
    }

    /// Whether nothing can be written now, and why; and every change of that.
    pub(crate) fn stall(&self) -> watch::Receiver<Option<Stall>> {
        self.stall.subscribe()
    }
}
