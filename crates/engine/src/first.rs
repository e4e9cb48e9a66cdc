//! First calls: whether a key and a model are good is found out by one call each, before the other seats are paid.
//!
//! Of seats that share a model and a key, one is asked first in this process; whoever else of its matter costs something waits
//! until every such first call was taken or met a passing fault. One that is refused for good halts the matter, once
//! what was already asked has been answered: what was paid for counts, and nobody is asked twice.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use synod_core::kernel::{Cause, MatterId};
use tokio::sync::watch;

/// How long others wait for a first call. Keys and models are refused within a second or two; a provider that takes longer is
/// writing an answer, and does not stream it.
const PATIENCE: Duration = Duration::from_secs(3);

/// What is known of the models of this process. Copies are of one book.
#[derive(Debug, Clone)]
pub(crate) struct FirstCalls {
    book: Arc<Mutex<FirstCallBook>>,
    changed: Arc<watch::Sender<u64>>,
    /// Nobody waits and nothing halts: a seat that cannot be asked is missing.
    go_on: bool,
}

#[derive(Debug, Default)]
struct FirstCallBook {
    /// Models that have taken a call.
    proven: BTreeSet<String>,
    matters: BTreeMap<MatterId, Trial>,
}

/// The calls of one matter.
#[derive(Debug, Default)]
struct Trial {
    /// First calls that are not taken yet.
    first: BTreeSet<String>,
    /// Jobs that may be calling.
    running: usize,
    /// A first call was refused for good.
    halted: bool,
}

impl FirstCalls {
    pub(crate) fn new(go_on: bool) -> Self {
        Self { book: Arc::default(), changed: Arc::new(watch::Sender::new(0)), go_on }
    }

    fn book(&self) -> MutexGuard<'_, FirstCallBook> {
        self.book.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn tell(&self) {
        self.changed.send_modify(|count| *count = count.wrapping_add(1));
    }

    /// The part of a job in this. Asked for all jobs that begin together, before any of them begins.
    pub(crate) fn enter(&self, matter: MatterId, account: Option<&str>, paid: bool) -> Trying {
        let mut trying =
            Trying { calls: self.clone(), matter, account: None, counted: false, running: false };
        if self.go_on || !paid {
            return trying;
        }
        let mut book = self.book();
        let FirstCallBook { proven, matters } = &mut *book;
        let trial = matters.entry(matter).or_default();
        // Each matter has first calls of its own: it halts for them, whatever another does.
        let is_new = |account: &&str| !proven.contains(*account) && !trial.first.contains(*account);
        trying.account = account.filter(is_new).map(str::to_string);
        // It was resumed: whoever waited in the run before has been called off.
        trial.halted &= trial.running > 0;
        trial.first.extend(trying.account.clone());
        trying.counted = true;
        trying.running = trying.account.is_some();
        trial.running += usize::from(trying.running);
        trying
    }
}

/// The effect of a failed call on its matter.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum FirstCallFailure {
    /// Nothing: the seat is missing.
    Not,
    /// The matter halts.
    Halts,
    /// The matter halts for another seat; this ask stays open.
    Known,
}

/// One job's part. Dropping it, however the job ends, lets others go on.
#[derive(Debug)]
pub(crate) struct Trying {
    calls: FirstCalls,
    matter: MatterId,
    /// The model that is called for the first time.
    account: Option<String>,
    /// Whether this job has a part at all.
    counted: bool,
    /// Whether it counts as one that may be calling.
    running: bool,
}

impl Trying {
    /// Waits until the job may begin: at once for a first call and for jobs that cost nothing.
    pub(crate) async fn cleared(&mut self) {
        if !self.counted || self.account.is_some() {
            return;
        }
        let mut changed = self.calls.changed.subscribe();
        let patience = tokio::time::sleep(PATIENCE);
        tokio::pin!(patience);
        loop {
            {
                let mut book = self.calls.book();
                let trial = book.matters.entry(self.matter).or_default();
                if (trial.first.is_empty() || patience.is_elapsed()) && !trial.halted {
                    trial.running += 1;
                    self.running = true;
                    return;
                }
            }
            // A matter that halts calls its jobs off.
            tokio::select! {
                told = changed.changed() => if told.is_err() { return },
                () = &mut patience, if !patience.is_elapsed() => (),
            }
        }
    }

    /// The provider takes the call: key and model are good.
    pub(crate) fn proved(&self) {
        if let Some(account) = &self.account {
            self.calls.book().proven.insert(account.clone());
            self.release();
        }
    }

    /// The call met a passing fault. That says nothing about the key, and others need not wait for it.
    pub(crate) fn release(&self) {
        let Some(account) = &self.account else { return };
        let mut book = self.calls.book();
        if let Some(trial) = book.matters.get_mut(&self.matter) {
            trial.first.remove(account);
        }
        drop(book);
        self.calls.tell();
    }

    /// What a failure means: a first call that was refused for good halts the matter. Waits until what others were asked
    /// meanwhile has been answered; only the first of several such failures halts.
    pub(crate) async fn refused(&mut self, cause: &Cause) -> FirstCallFailure {
        let refused = cause.lasting && cause.code.starts_with("backend/http-4");
        let Some(account) = self.account.clone().filter(|_| refused) else { return FirstCallFailure::Not };
        let mut changed = self.calls.changed.subscribe();
        {
            let mut book = self.calls.book();
            if book.proven.contains(&account) {
                return FirstCallFailure::Not;
            }
            let trial = book.matters.entry(self.matter).or_default();
            trial.running = trial.running.saturating_sub(usize::from(std::mem::take(&mut self.running)));
            trial.first.remove(&account);
            if std::mem::replace(&mut trial.halted, true) {
                self.calls.tell();
                return FirstCallFailure::Known; // somebody else says so; the ask stays open
            }
        }
        self.calls.tell();
        loop {
            if self.calls.book().matters.get(&self.matter).is_none_or(|trial| trial.running == 0) {
                return FirstCallFailure::Halts;
            }
            if changed.changed().await.is_err() {
                return FirstCallFailure::Halts;
            }
        }
    }
}

impl Drop for Trying {
    fn drop(&mut self) {
        if !self.counted {
            return;
        }
        let mut book = self.calls.book();
        if let Some(trial) = book.matters.get_mut(&self.matter) {
            if let Some(account) = &self.account {
                trial.first.remove(account);
            }
            trial.running = trial.running.saturating_sub(usize::from(self.running));
            if trial.running == 0 && trial.first.is_empty() && !trial.halted {
                book.matters.remove(&self.matter);
            }
        }
        drop(book);
        self.calls.tell();
    }
}
