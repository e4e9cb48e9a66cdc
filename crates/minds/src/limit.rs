//! Limits of one provider: how many requests start in a minute, how many tokens they ask for, how many
//! are under way together, and a pause when the provider asks for one.
//!
//! A slot is reserved under a lock (the generic cell rate algorithm with a burst of one), so any number
//! of waiters cannot overdraw it. A limiter never drops anyone and never lends ahead: a waiter that gives
//! up loses its slot. At most as many slots are reserved ahead as requests may be under way.

use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use tokio::sync::{Semaphore, SemaphorePermit};
use tokio::time::{Instant, sleep_until};

const MINUTE: Duration = Duration::from_secs(60);

/// The limits of one provider, shared by all its seats.
#[derive(Debug)]
pub struct Limiter {
    per_request: Duration,
    tokens_per_minute: Option<u64>,
    under_way: Semaphore,
    book: Mutex<FreeTimes>,
}

/// The times at which each limit is free again. `None` is now.
#[derive(Debug, Default)]
struct FreeTimes {
    requests: Option<Instant>,
    tokens: Option<Instant>,
    paused: Option<Instant>,
}

/// A turn from the limiter. The request counts as under way until this is dropped.
#[derive(Debug)]
pub struct LimiterTurn<'a> {
    _permit: Option<SemaphorePermit<'a>>,
}

impl Limiter {
    /// Limits to so many requests and tokens in a minute (`None` is no limit), so many `at_once`.
    pub fn new(requests_per_minute: Option<u32>, tokens_per_minute: Option<u64>, at_once: usize) -> Self {
        let per_request = requests_per_minute.map_or(Duration::ZERO, |n| MINUTE / n.max(1));
        let under_way = Semaphore::new(at_once.clamp(1, Semaphore::MAX_PERMITS));
        Self { per_request, tokens_per_minute, under_way, book: Mutex::default() }
    }

    /// Waits for a turn to ask for so many tokens.
    pub async fn turn(&self, tokens: u64) -> LimiterTurn<'_> {
        // The permit comes first: a slot that passed while waiting for one would be spent in a bunch.
        let permit = self.under_way.acquire().await.ok();
        loop {
            let slot = self.reserve(tokens);
            if let Some(slot) = slot {
                sleep_until(slot).await;
            }
            // A pause that began meanwhile holds for this request too. Its slot is lost; it takes another.
            if self.book().paused.is_none_or(|until| until <= Instant::now()) {
                return LimiterTurn { _permit: permit };
            }
        }
    }

    /// Lets nothing start for so long. A longer pause that already runs stays.
    pub fn pause(&self, length: Duration) {
        let until = Instant::now() + length;
        let mut book = self.book();
        book.paused = Some(book.paused.map_or(until, |old| old.max(until)));
    }

    /// Takes the next free slot; `None` is at once.
    fn reserve(&self, tokens: u64) -> Option<Instant> {
        let mut book = self.book();
        let now = Instant::now();
        let slot = [book.requests, book.tokens, book.paused].into_iter().flatten().fold(now, Instant::max);
        if !self.per_request.is_zero() {
            book.requests = Some(slot + self.per_request);
        }
        if let Some(per_minute) = self.tokens_per_minute {
            let nanos = u128::from(tokens) * MINUTE.as_nanos() / u128::from(per_minute.max(1));
            book.tokens = Some(slot + Duration::from_nanos(u64::try_from(nanos).unwrap_or(u64::MAX / 2)));
        }
        (slot > now).then_some(slot)
    }

    fn book(&self) -> MutexGuard<'_, FreeTimes> {
        self.book.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
