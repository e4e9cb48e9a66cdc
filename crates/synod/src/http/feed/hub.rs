//! The hub: every act is translated and written once, then handed to the readers that may see it.
//!
//! Readers are kept by what they follow, so that an act of one matter wakes nobody who follows another. Acts that come
//! in quick succession go out together: waking a thousand readers costs more than telling them ten acts at once. The
//! hub never waits for a reader, and reads nothing from the journal that is older than the moment it began.

use std::collections::{BTreeSet, HashMap, VecDeque};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use axum::body::Bytes;
use futures_util::FutureExt as _;
use synod_core::Act;
use synod_core::kernel::{MatterId, Seq, Who};
use synod_engine::Feed;
use tokio::time::{Instant, sleep_until};

use super::filter::{Filter, Viewer, WrittenAct};
use super::queue::{End, Queue, WAITING_MOST};
use crate::http::Service;
use crate::http::listen::shutdown_requested;
use crate::out;
use crate::wire::Translator;

/// After readers were told something nothing is sent for so long for each of them. A send costs about 9 µs, most of it in
/// the kernel, so that feeds take at most about a fifth of a core, however many acts there are.
const PAUSE_PER_READER: Duration = Duration::from_micros(50);
const PAUSE_MOST: Duration = Duration::from_millis(200);
/// So many acts, or bytes of them, go out without waiting for the pause to end.
const TOGETHER_ACTS: usize = 256;
const TOGETHER_BYTES: usize = WAITING_MOST / 4;
/// Acts kept for readers that come back after a moment, and how much memory they may take.
const RECENT_ACTS: usize = 1024;
const RECENT_BYTES: usize = WAITING_MOST / 2;
/// How long to wait before a journal that could not be read is read again.
const AGAIN_AFTER: Duration = Duration::from_secs(1);

/// What readers are found by.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
enum Route {
    /// Operators that follow everything.
    House,
    /// Anybody who follows this matter only.
    Matter(MatterId),
    /// A participant who follows all matters they are invited to.
    Participant(Who),
}

impl Route {
    fn of(filter: &Filter) -> Self {
        match (filter.matter, &filter.viewer) {
            (Some(matter), _) => Self::Matter(matter),
            (None, Viewer::Operator) => Self::House,
            (None, Viewer::Participant(who)) => Self::Participant(who.clone()),
        }
    }
}

/// See the module.
#[derive(Debug, Default)]
pub(crate) struct Hub {
    state: Mutex<HubState>,
    /// The last act that every reader has been told, or has in its queue.
    told: AtomicU64,
    /// Changes when tokens were made, revoked or removed.
    tokens: AtomicU64,
}

#[derive(Debug, Default)]
struct HubState {
    readers: HashMap<Route, Vec<FeedReader>>,
    /// Readers, also those that are still catching up.
    interested: usize,
    /// The next act the hub will be given.
    next: Seq,
    /// Acts that were told, and after them those that wait for the pause to end. Without gap up to `next`.
    recent: VecDeque<Arc<WrittenAct>>,
    recent_bytes: usize,
    /// How many of the recent acts were not told yet.
    pending: usize,
    pending_bytes: usize,
    /// Nothing more will be told.
    ended: bool,
}

#[derive(Debug)]
struct FeedReader {
    filter: Filter,
    queue: Arc<Queue>,
    /// The first act to tell.
    from: Seq,
}

impl Hub {
    fn state(&self) -> MutexGuard<'_, HubState> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The last act that went to all queues. Read before looking whether a queue is empty, it says how far its reader is.
    pub(super) fn told(&self) -> Seq {
        Seq(self.told.load(Ordering::Acquire))
    }

    /// A number that changes with the tokens of the house.
    pub(super) fn tokens(&self) -> u64 {
        self.tokens.load(Ordering::Acquire)
    }

    /// Lets the hub know that somebody is about to follow.
    pub(super) fn follow(self: &Arc<Self>, filter: Filter) -> Follower {
        self.state().interested += 1;
        Follower { hub: self.clone(), filter, queue: Arc::default() }
    }

    /// Follows from the first act on that the house will show; called once, before any reader comes.
    pub(crate) fn begin(&self, next: Seq) {
        self.state().next = next;
        self.told.store(next.0.saturating_sub(1), Ordering::Release);
    }
}

/// One who follows: catches up first, then is told what happens. Dropping it ends that.
#[derive(Debug)]
pub(super) struct Follower {
    hub: Arc<Hub>,
    pub(super) filter: Filter,
    pub(super) queue: Arc<Queue>,
}

impl Follower {
    /// Goes over to what happens now, from this act on. False if the hub does not remember as far back: then those
    /// acts have to be read from the journal first. Nothing is told twice and nothing left out, since the hub is
    /// given no act meanwhile.
    pub(super) fn go_live(&self, from: Seq) -> bool {
        let mut state = self.hub.state();
        let remembered = state.next.0.saturating_sub(state.recent.len() as u64);
        if from.0 < remembered {
            return false;
        }
        let told = state.recent.len() - state.pending;
        let mut missed = Vec::new();
        for act in state.recent.range(..told).filter(|act| act.seq >= from) {
            self.filter.write(act, &mut missed);
        }
        if !missed.is_empty() {
            self.queue.push(missed.into());
        }
        let reader = FeedReader { filter: self.filter.clone(), queue: self.queue.clone(), from };
        match state.ended {
            true => reader.queue.end(End::Service),
            false => state.readers.entry(Route::of(&self.filter)).or_default().push(reader),
        }
        true
    }

    /// The last act to read from the journal before trying to go live again.
    pub(super) fn read_up_to(&self) -> Seq {
        Seq(self.hub.state().next.0.saturating_sub(1))
    }
}

impl Drop for Follower {
    fn drop(&mut self) {
        let mut state = self.hub.state();
        state.interested -= 1;
        let route = Route::of(&self.filter);
        if let Some(readers) = state.readers.get_mut(&route) {
            readers.retain(|reader| !Arc::ptr_eq(&reader.queue, &self.queue));
            if readers.is_empty() {
                state.readers.remove(&route);
            }
        }
    }
}

impl HubState {
    /// Takes the next act.
    fn take(&mut self, act: WrittenAct) {
        self.next = act.seq.next();
        let size = act.size();
        (self.recent_bytes, self.pending_bytes) = (self.recent_bytes + size, self.pending_bytes + size);
        self.pending += 1;
        self.recent.push_back(Arc::new(act));
    }

    /// Passes over an act, which nobody is there to be told of.
    fn pass(&mut self, seq: Seq) {
        self.next = seq.next();
        self.recent.clear();
        (self.recent_bytes, self.pending, self.pending_bytes) = (0, 0, 0);
    }

    /// Tells readers what was not told yet. Returns how many were told something, and how many were too slow.
    fn tell(&mut self) -> (usize, usize) {
        let first = self.recent.len() - self.pending;
        let acts: Vec<Arc<WrittenAct>> = self.recent.range(first..).cloned().collect();
        (self.pending, self.pending_bytes) = (0, 0);
        let mut written = OutgoingBatch::new(&acts);
        let (mut told, mut slow) = (0, 0);
        for route in self.routes(&acts) {
            let Some(readers) = self.readers.get_mut(&route) else { continue };
            readers.retain(|reader| {
                let bytes = written.for_reader(reader);
                if bytes.is_empty() {
                    return true;
                }
                told += 1;
                let end = reader.queue.push(bytes);
                slow += usize::from(end == Some(End::Slow));
                end.is_none()
            });
            if readers.is_empty() {
                self.readers.remove(&route);
            }
        }
        self.forget();
        (told, slow)
    }

    /// Where readers of these acts are to be found.
    fn routes(&self, acts: &[Arc<WrittenAct>]) -> BTreeSet<Route> {
        let mut routes = BTreeSet::from([Route::House]);
        let mut last: Option<&Arc<[Who]>> = None;
        for message in acts.iter().flat_map(|act| &act.messages) {
            routes.extend(message.matter.map(Route::Matter));
            // Messages about one matter share the list of those who may see them.
            if !last.is_some_and(|last| Arc::ptr_eq(last, &message.participants)) {
                let named = message.participants.iter().cloned().map(Route::Participant);
                routes.extend(named.filter(|route| self.readers.contains_key(route)));
            }
            last = Some(&message.participants);
        }
        routes
    }

    /// Lets go of acts that are too old or too many to keep.
    fn forget(&mut self) {
        while self.recent.len() > RECENT_ACTS || self.recent_bytes > RECENT_BYTES {
            let Some(oldest) = self.recent.pop_front() else { return };
            self.recent_bytes -= oldest.size();
        }
    }
}

/// Acts that go out together, written once for each filter.
struct OutgoingBatch<'a> {
    acts: &'a [Arc<WrittenAct>],
    /// By what passes: readers with other filters may be told the same.
    by_content: HashMap<Vec<bool>, Bytes>,
    by_filter: HashMap<(Filter, usize), Bytes>,
}

impl<'a> OutgoingBatch<'a> {
    fn new(acts: &'a [Arc<WrittenAct>]) -> Self {
        Self { acts, by_content: HashMap::new(), by_filter: HashMap::new() }
    }

    fn for_reader(&mut self, reader: &FeedReader) -> Bytes {
        let start = self.acts.partition_point(|act| act.seq < reader.from);
        let key = (reader.filter.clone(), start);
        if let Some(bytes) = self.by_filter.get(&key) {
            return bytes.clone();
        }
        let acts = &self.acts[start..];
        let skipped = self.acts[..start].iter().flat_map(|act| &act.messages).map(|_| false);
        let passing = acts.iter().flat_map(|act| &act.messages).map(|message| reader.filter.passes(message));
        let bytes = self.by_content.entry(skipped.chain(passing).collect()).or_insert_with(|| {
            let mut out = Vec::new();
            acts.iter().for_each(|act| reader.filter.write(act, &mut out));
            out.into()
        });
        self.by_filter.insert(key, bytes.clone());
        bytes.clone()
    }
}

/// Tells readers what happens, until the service or its engine ends.
pub(crate) async fn run(service: Arc<Service>) {
    let mut ending = service.ending.clone();
    tokio::select! {
        () = shutdown_requested(&mut ending) => (),
        () = carry_on(&service) => (),
    }
    let mut state = service.hub.state();
    state.ended = true;
    let readers = std::mem::take(&mut state.readers);
    drop(state);
    readers.into_values().flatten().for_each(|reader| reader.queue.end(End::Service));
}

/// The same as long as the journal can be read; returns when the engine has ended.
async fn carry_on(service: &Service) {
    let mut translator = Translator::default();
    loop {
        let next = service.hub.state().next;
        let Ok(mut feed) = service.engine.feed(next).await else { return };
        match publish(service, &mut feed, &mut translator).await {
            Ok(()) => return,
            Err(fault) => {
                out::error(&out::clean(&format!("feeds are late, the journal cannot be read: {fault}")))
            }
        }
        tokio::time::sleep(AGAIN_AFTER).await;
    }
}

async fn publish(
    service: &Service,
    feed: &mut Feed,
    translator: &mut Translator,
) -> Result<(), synod_engine::Fault> {
    let mut quiet_until = Instant::now();
    let mut waiting = false;
    loop {
        tokio::select! {
            biased;
            () = sleep_until(quiet_until), if waiting => {
                quiet_until = Instant::now() + tell(service);
                waiting = false;
            }
            act = feed.next() => match act? {
                Some(act) => waiting |= take(service, translator, &act),
                None => return Ok(()),
            },
        }
        // What became durable together is told together.
        while waiting && !is_enough(service) {
            match feed.next().now_or_never() {
                Some(act) => match act? {
                    Some(act) => {
                        take(service, translator, &act);
                    }
                    None => return Ok(()),
                },
                None => break,
            }
        }
        if waiting && (is_enough(service) || Instant::now() >= quiet_until) {
            quiet_until = Instant::now() + tell(service);
            waiting = false;
        }
    }
}

/// Whether so much waits that it goes out at once.
fn is_enough(service: &Service) -> bool {
    let state = service.hub.state();
    state.pending >= TOGETHER_ACTS || state.pending_bytes >= TOGETHER_BYTES
}

/// Takes an act. False if nobody is there to be told of it.
fn take(service: &Service, translator: &mut Translator, act: &Act) -> bool {
    let hub = &service.hub;
    let mut state = hub.state();
    if state.interested == 0 {
        state.pass(act.seq);
        drop(state);
        hub.told.store(act.seq.0, Ordering::Release);
        return false;
    }
    drop(state);
    // Whoever comes meanwhile goes live before this act or after it; the hub alone changes what comes next.
    translator.prepare(act, |seq| service.act(seq));
    let away = service.engine.read(|house| translator.away(house, act));
    let written = service.engine.read_with(away, |house| {
        let messages = translator.translate(house, act);
        WrittenAct::of(house, act.seq, &messages)
    });
    match written {
        Ok(written) => hub.state().take(written),
        // Whoever comes back for it reads it from the journal, or is told why not.
        Err(fault) => {
            out::error(&out::clean(&fault.to_string()));
            hub.state().pass(act.seq);
        }
    }
    true
}

/// Tells readers what waits. Returns how long to let them be.
fn tell(service: &Service) -> Duration {
    let hub = &service.hub;
    // One look at the tokens for all readers; each looks for itself only if something has changed.
    match service.access.gate.version() {
        Ok(version) => hub.tokens.store(version, Ordering::Release),
        // Each finds out for itself that tokens cannot be read, and is told nothing more.
        Err(_) => drop(hub.tokens.fetch_add(1, Ordering::AcqRel)),
    }
    let mut state = hub.state();
    let (told, slow) = state.tell();
    let last = state.next.0.saturating_sub(1);
    drop(state);
    hub.told.store(last, Ordering::Release);
    if slow > 0 {
        let most = WAITING_MOST >> 20;
        out::error(&format!("dropped a reader that fell more than {most} MiB behind ({slow} of them)"));
    }
    (PAUSE_PER_READER * u32::try_from(told).unwrap_or(u32::MAX)).min(PAUSE_MOST)
}
