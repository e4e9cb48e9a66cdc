//! How much one caller may ask, and how long things may take: a bucket of requests that fills again with time,
//! places for connections that stay open, and the service's patience.

use std::collections::HashMap;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

/// Beyond so many callers, those that have not been heard of for long are forgotten.
const REMEMBERED: usize = 4096;

/// What of one caller's may be refused at once, in KiB, and how much more each second: the record keeps it whole and for
/// ever, so nobody may fill it by being refused.
const REFUSED_FULL: f64 = 256.0;
const REFUSED_RATE: f64 = 1.0;

/// The same of what one participant may have put down that belongs to no matter: observations, and requests for councils.
/// Nobody has invited them to that, and the record keeps it for ever: 22 MB a day at the most.
const NOTED_FULL: f64 = 256.0;
const NOTED_RATE: f64 = 0.25;

/// The name of a caller: the beginning of the token's hash, or a word.
pub(crate) type CallerName = Arc<str>;

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
pub(crate) struct ServiceLimits {
    /// Requests a second; 0 for as many as come.
    rate: f64,
    /// Open feeds and waiting polls of one caller.
    places: usize,
    /// The same of all callers together.
    staying_most: usize,
    staying: AtomicUsize,
    callers: Mutex<HashMap<CallerName, CallerQuota>>,
    /// What may still be refused of each, and when that was true.
    refused: Mutex<HashMap<CallerName, (f64, Instant)>>,
    /// The same of what belongs to no matter.
    noted: Mutex<HashMap<CallerName, (f64, Instant)>>,
}

#[derive(Debug)]
struct CallerQuota {
    left: f64,
    at: Instant,
    open: usize,
}

impl ServiceLimits {
    pub(crate) fn new(rate: u32, places: usize, staying_most: usize) -> Self {
        Self {
            rate: f64::from(rate),
            places,
            staying_most,
            staying: AtomicUsize::new(0),
            callers: Mutex::default(),
            refused: Mutex::default(),
            noted: Mutex::default(),
        }
    }

    /// Takes one request out of the caller's bucket, or says after how many seconds there will be one.
    pub(crate) fn take(&self, who: &CallerName, now: Instant) -> Result<(), u64> {
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

    /// Whether somebody may try something, after all that was refused of theirs; else after how many seconds.
    pub(crate) fn may_try(&self, who: &CallerName, now: Instant) -> Result<(), u64> {
        let refused = self.refused.lock().unwrap_or_else(PoisonError::into_inner);
        match refused.get(who).map(|(left, at)| left + since(*at, now) * REFUSED_RATE) {
            Some(left) if left < 1.0 && self.rate > 0.0 => Err(((1.0 - left) / REFUSED_RATE).ceil() as u64),
            Some(_) | None => Ok(()),
        }
    }

    /// Notes that so many bytes of somebody's were refused and recorded.
    pub(crate) fn refused(&self, who: &CallerName, bytes: usize, now: Instant) {
        let mut refused = self.refused.lock().unwrap_or_else(PoisonError::into_inner);
        if refused.len() >= REMEMBERED && !refused.contains_key(who) {
            refused.retain(|_, (left, at)| *left + since(*at, now) * REFUSED_RATE < REFUSED_FULL);
        }
        let (left, at) = refused.entry(who.clone()).or_insert((REFUSED_FULL, now));
        *left = (*left + since(*at, now) * REFUSED_RATE).min(REFUSED_FULL) - (bytes as f64 / 1024.0).max(1.0);
        *at = now;
    }

    /// Whether somebody may put down something that belongs to no matter; else after how many seconds.
    pub(crate) fn may_note(&self, who: &CallerName, now: Instant) -> Result<(), u64> {
        let noted = self.noted.lock().unwrap_or_else(PoisonError::into_inner);
        match noted.get(who).map(|(left, at)| left + since(*at, now) * NOTED_RATE) {
            Some(left) if left < 1.0 && self.rate > 0.0 => Err(((1.0 - left) / NOTED_RATE).ceil() as u64),
            Some(_) | None => Ok(()),
        }
    }

    /// Notes that so many bytes of that were put down.
    pub(crate) fn noted(&self, who: &CallerName, bytes: usize, now: Instant) {
        let mut noted = self.noted.lock().unwrap_or_else(PoisonError::into_inner);
        if noted.len() >= REMEMBERED && !noted.contains_key(who) {
            noted.retain(|_, (left, at)| *left + since(*at, now) * NOTED_RATE < NOTED_FULL);
        }
        let (left, at) = noted.entry(who.clone()).or_insert((NOTED_FULL, now));
        *left = (*left + since(*at, now) * NOTED_RATE).min(NOTED_FULL) - bytes as f64 / 1024.0;
        *at = now;
    }

    /// A place for a connection that stays open.
    pub(crate) fn place(self: &Arc<Self>, who: &CallerName) -> Result<ConnectionSlot, NoPlace> {
        let mut callers = self.callers();
        let caller = self.caller(&mut callers, who, Instant::now());
        if caller.open >= self.places {
            return Err(NoPlace::OfCaller);
        }
        // Counted under the lock of the callers, so that two cannot take the last one.
        if self.staying.load(Ordering::Relaxed) >= self.staying_most {
            return Err(NoPlace::OfService);
        }
        self.staying.fetch_add(1, Ordering::Relaxed);
        caller.open += 1;
        Ok(ConnectionSlot { of: self.clone(), who: who.clone() })
    }

    fn callers(&self) -> MutexGuard<'_, HashMap<CallerName, CallerQuota>> {
        self.callers.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The caller as they stand now. A bucket holds what two seconds bring, so that a burst passes.
    fn caller<'a>(
        &self,
        callers: &'a mut HashMap<CallerName, CallerQuota>,
        who: &CallerName,
        now: Instant,
    ) -> &'a mut CallerQuota {
        let full = (2.0 * self.rate).max(1.0);
        if callers.len() >= REMEMBERED && !callers.contains_key(who) {
            // Who has a full bucket again is as good as new.
            callers.retain(|_, caller| {
                caller.open > 0 || caller.left + since(caller.at, now) * self.rate < full
            });
        }
        let caller = callers.entry(who.clone()).or_insert(CallerQuota { left: full, at: now, open: 0 });
        (caller.left, caller.at) = ((caller.left + since(caller.at, now) * self.rate).min(full), now);
        caller
    }
}

fn since(at: Instant, now: Instant) -> f64 {
    now.saturating_duration_since(at).as_secs_f64()
}

/// Why there is no place for a connection that stays open.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum NoPlace {
    /// The caller has all of theirs.
    OfCaller,
    /// The service has no more: descriptors are kept for those who write.
    OfService,
}

/// A slot that is taken; dropping it frees it.
#[derive(Debug)]
pub(crate) struct ConnectionSlot {
    of: Arc<ServiceLimits>,
    who: CallerName,
}

impl Drop for ConnectionSlot {
    fn drop(&mut self) {
        if let Some(caller) = self.of.callers().get_mut(&self.who) {
            caller.open -= 1;
        }
        self.of.staying.fetch_sub(1, Ordering::Relaxed);
    }
}
