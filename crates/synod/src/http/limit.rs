//! How much one caller may ask, and how long things may take: a bucket of requests that fills again with time,
//! places for connections that stay open, and the service's patience.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

/// Beyond so many callers, those that have not been heard of for long are forgotten.
const REMEMBERED: usize = 4096;

/// What a caller is known by: the beginning of the token's hash, or a word.
pub(crate) type Name = Arc<str>;

/// How long one service waits.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Patience {
    /// For a body to come.
    pub(crate) body: Duration,
    /// For anything that does not wait on purpose.
    pub(crate) answer: Duration,
    /// In silence, before a feed is told that it is still there.
    pub(crate) silence: Duration,
}

/// The limits of one service.
#[derive(Debug)]
pub(crate) struct Limits {
    /// Requests a second; 0 for as many as come.
    rate: f64,
    /// Open feeds and waiting polls.
    places: usize,
    callers: Mutex<HashMap<Name, Caller>>,
}

#[derive(Debug)]
struct Caller {
    left: f64,
    at: Instant,
    open: usize,
}

impl Limits {
    pub(crate) fn new(rate: u32, places: usize) -> Self {
        Self { rate: f64::from(rate), places, callers: Mutex::default() }
    }

    /// Takes one request out of the caller's bucket, or says after how many seconds there will be one.
    pub(crate) fn take(&self, who: &Name, now: Instant) -> Result<(), u64> {
        if self.rate == 0.0 {
            return Ok(());
        }
        let mut callers = self.callers();
        let caller = self.caller(&mut callers, who, now);
        if caller.left < 1.0 {
            return Err(((1.0 - caller.left) / self.rate).ceil().max(1.0) as u64);
        }
        caller.left -= 1.0;
        Ok(())
    }

    /// A place for a connection that stays open; none if the caller has them all.
    pub(crate) fn place(self: &Arc<Self>, who: &Name) -> Option<Place> {
        let mut callers = self.callers();
        let caller = self.caller(&mut callers, who, Instant::now());
        if caller.open >= self.places {
            return None;
        }
        caller.open += 1;
        Some(Place { of: self.clone(), who: who.clone() })
    }

    fn callers(&self) -> MutexGuard<'_, HashMap<Name, Caller>> {
        self.callers.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The caller as they stand now. A bucket holds what two seconds bring, so that a burst passes.
    fn caller<'a>(&self, callers: &'a mut HashMap<Name, Caller>, who: &Name, now: Instant) -> &'a mut Caller {
        let full = (2.0 * self.rate).max(1.0);
        if callers.len() >= REMEMBERED && !callers.contains_key(who) {
            // Who has a full bucket again is as good as new.
            callers.retain(|_, caller| {
                let since = now.saturating_duration_since(caller.at).as_secs_f64();
                caller.open > 0 || caller.left + since * self.rate < full
            });
        }
        let caller = callers.entry(who.clone()).or_insert(Caller { left: full, at: now, open: 0 });
        let since = now.saturating_duration_since(caller.at).as_secs_f64();
        (caller.left, caller.at) = ((caller.left + since * self.rate).min(full), now);
        caller
    }
}

/// A place that is taken; dropping it frees it.
#[derive(Debug)]
pub(crate) struct Place {
    of: Arc<Limits>,
    who: Name,
}

impl Drop for Place {
    fn drop(&mut self) {
        if let Some(caller) = self.of.callers().get_mut(&self.who) {
            caller.open -= 1;
        }
    }
}
