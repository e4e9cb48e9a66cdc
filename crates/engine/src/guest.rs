//! Working in a house that another process holds: orders go to that process, what came of them and everything else is
//! read from the journal beside it, and asks of our own matters are performed here.
//!
//! When that process is gone the house is taken over: calls that are under way go on, orders that were not
//! acknowledged are given again, each under the key it had, so that nothing acts twice.

use std::fs::{File, TryLockError};
use std::path::{Path, PathBuf};
use std::sync::mpsc::{Receiver, RecvTimeoutError};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, RwLock};
use std::time::{Duration, Instant};

use synod_core::house::Case;
use synod_core::kernel::{Key, MatterId};
use synod_core::matter::{self, Pause};
use synod_core::{Act, Event, House};
use synod_journal::{
    Error, Head, Journal, JournalReader, LockHolder, Sqlite, SqliteReader, Stall, chain, file,
};
use tokio::sync::{broadcast, oneshot};

use crate::archive::{Archive, KEEP};
use crate::claims::Claims;
use crate::clock::HouseClock;
use crate::engine::{Inbox, JudgeMessage, first_orders, is_resumption, stall_left};
use crate::host::{Host, await_absent};
use crate::judge::Judge;
use crate::keeper::{AppendFailure, Batch, Keeper, Waiter, WaitingOrders};
use crate::link::{DurableAct, GuestReply, GuestRequest, Link, VERSION};
use crate::snapshot::Saver;
use crate::stall::is_stale;
use crate::start::Work;
use crate::trouble::Trouble;
use crate::{EngineOptions, Fault, Order, Redacted};

/// How often the journal is looked at for what others did. What follows from our own orders is seen at once.
const PACE: Duration = Duration::from_millis(20);
/// How long to wait before an order is given again that could not be kept.
const AGAIN: Duration = Duration::from_millis(500);
/// How long a way into the house is looked for when the process that held it is gone.
const PATIENCE: Duration = Duration::from_secs(10);

/// The file that everybody who has joined holds a shared lock on. The lock ends with the process, however that ends.
const PRESENT: &str = "guests";

/// Says that somebody has joined, until it is dropped.
fn be_present(dir: &Path) -> Option<File> {
    let file = file::open_to_write(&dir.join(PRESENT)).ok()?;
    file.lock_shared().ok().map(|()| file)
}

/// Whether processes that had joined the last holder of the house in `dir` are still there: they are about to join its
/// next holder, with their matters. Asked by that holder alone.
pub fn guests_wait(dir: &Path) -> bool {
    let there = file::open_own(&dir.join(PRESENT)).ok().map(|file| file.try_lock());
    matches!(there, Some(Err(TryLockError::WouldBlock)))
}

/// The way into a house.
#[derive(Debug)]
pub(crate) struct Entrance {
    dir: PathBuf,
    who: LockHolder,
    pub(crate) options: EngineOptions,
}

/// How one came in.
pub(crate) enum Entered {
    /// The house is ours to write.
    Holds(Box<dyn Journal>),
    /// Another process writes for us.
    Joins(Link),
}

impl Entrance {
    pub(crate) fn new(dir: &Path, who: &LockHolder, options: EngineOptions) -> Self {
        Self { dir: dir.into(), who: who.clone(), options }
    }

    /// Says that this process has joined, until it is dropped.
    pub(crate) fn be_present(&self) -> Option<File> {
        be_present(&self.dir)
    }

    /// Whether others had joined the last holder.
    pub(crate) fn guests_wait(&self) -> bool {
        guests_wait(&self.dir)
    }

    pub(crate) fn dir(&self) -> &Path {
        &self.dir
    }

    pub(crate) fn reader(&self) -> Result<Box<dyn JournalReader>, Fault> {
        Ok(Box::new(SqliteReader::open(&self.dir)?))
    }

    /// Tries once to come in.
    pub(crate) fn enter(&self) -> Result<Entered, Fault> {
        self.enter_with(&[])
    }

    /// The same for one who performs matters already.
    fn enter_with(&self, matters: &[MatterId]) -> Result<Entered, Fault> {
        // Asked first: a socket that nobody listens on says so at once, while a lock is waited for.
        if let Some(link) = self.join(matters)? {
            return Ok(Entered::Joins(link));
        }
        match Sqlite::open(&self.dir, &self.who) {
            Ok(journal) => Ok(Entered::Holds(Box::new(journal))),
            Err(held @ Error::Held { .. }) => match self.join(matters)? {
                Some(link) => Ok(Entered::Joins(link)),
                None => Err(held.into()),
            },
            Err(error) => Err(error.into()),
        }
    }

    fn join(&self, matters: &[MatterId]) -> Result<Option<Link>, Fault> {
        let Ok(mut link) = Link::call(&self.dir) else { return Ok(None) };
        match link.ask(&GuestRequest::Join { version: VERSION.into(), matters: matters.into() }) {
            Ok(GuestReply::Joined(_)) => Ok(Some(link)),
            Ok(GuestReply::Failed(why)) => Err(Fault::Append(why)),
            // It is about to end, or has.
            Ok(GuestReply::Done(_) | GuestReply::Redacted { .. }) | Err(_) => Ok(None),
        }
    }
}

/// See the module.
pub(crate) struct Guest {
    pub(crate) entrance: Entrance,
    pub(crate) link: Link,
    pub(crate) reader: Box<dyn JournalReader>,
    /// Up to where the house was read.
    pub(crate) head: Head,
    pub(crate) house: Arc<RwLock<House>>,
    pub(crate) archive: Arc<Archive>,
    pub(crate) acts: broadcast::Sender<Batch>,
    pub(crate) work: Work,
    pub(crate) claims: Arc<Mutex<Claims>>,
    pub(crate) trouble: Arc<Trouble>,
    pub(crate) host: Arc<Mutex<Option<Host>>>,
    pub(crate) own: Inbox,
    pub(crate) present: Option<File>,
    /// What the keys of our own making begin with: no other run of a process has the same.
    pub(crate) run: String,
}

/// An order that was given, who waits for it, and what came of it.
type HandedIn = (Order, Waiter, Result<DurableAct, String>);

impl Guest {
    /// Works until the inbox is closed.
    pub(crate) fn run(mut self, inbox: &Receiver<JudgeMessage>) {
        let mut given = 0_u64;
        let mut waiting = WaitingOrders::new();
        let mut stalled: Option<Instant> = None;
        loop {
            let mut message = match waiting.is_empty() {
                true => match inbox.recv_timeout(PACE) {
                    Ok(message) => Some(message),
                    Err(RecvTimeoutError::Timeout) => None,
                    Err(RecvTimeoutError::Disconnected) => Some(JudgeMessage::End),
                },
                false => None,
            };
            while let Some(got) = message {
                match got {
                    JudgeMessage::Order(order, waiter) => waiting.push_back((*order, waiter)),
                    JudgeMessage::Orders(orders, several) => {
                        let waiter = |place| Waiter::Several(several.clone(), place);
                        waiting.extend(orders.into_iter().enumerate().map(|(i, order)| (order, waiter(i))));
                    }
                    JudgeMessage::Reader(reply) => drop(reply.send(self.entrance.reader())),
                    JudgeMessage::Redact(matter, reply) => self.redact(matter, reply),
                    JudgeMessage::End => return self.say_ended(),
                }
                message = inbox.try_recv().ok();
            }
            self.give_keys(&mut waiting, &mut given);
            let done = self.hand_in(&mut waiting);
            if done.is_none() {
                match self.enter_again() {
                    Ok(Entered::Joins(link)) => self.link = link,
                    Ok(Entered::Holds(journal)) => return self.take_over(journal, waiting, inbox),
                    Err(fault) => return self.fail(fault.to_string()),
                }
            }
            let orders = match self.catch_up(true) {
                Ok(Some(orders)) => orders,
                // Another process has opened the house and does not know us: it is asked before callers here are answered.
                Ok(None) => {
                    match self.enter_again() {
                        Ok(Entered::Joins(link)) => self.link = link,
                        Ok(Entered::Holds(journal)) => return self.take_over(journal, waiting, inbox),
                        Err(fault) => return self.fail(fault.to_string()),
                    }
                    match self.catch_up(false) {
                        Ok(orders) => orders.unwrap_or_default(),
                        Err(fault) => return self.fail(fault.to_string()),
                    }
                }
                Err(fault) => return self.fail(fault.to_string()),
            };
            waiting.extend(orders.into_iter().map(|order| (order, Waiter::Nobody)));
            // Callers are answered after reading, so that an act they hear of is in the house they see.
            let mut refused = None;
            for (order, waiter, done) in done.into_iter().flatten() {
                match done {
                    // An answer that was paid for could not be kept there. Nothing of it happened: it is given again.
                    Err(said) if waiter.is_own() => {
                        refused = Some(said);
                        waiting.push_back((order, waiter));
                    }
                    done => waiter.tell(done.map(DurableAct::done).map_err(Fault::Append)),
                }
            }
            match refused {
                None => stalled = None,
                Some(said) => {
                    let since = *stalled.get_or_insert_with(Instant::now);
                    if self.entrance.options.write_patience.is_some_and(|most| since.elapsed() >= most) {
                        return self.fail(said);
                    }
                    self.trouble.say(Some(Stall { since: crate::now(), said }));
                    std::thread::sleep(AGAIN);
                }
            }
            if stalled.is_none() {
                self.trouble.say(None);
            }
        }
    }

    /// A caller that waits for an order gets its result, even if the next process that holds the house gives it.
    fn give_keys(&self, waiting: &mut WaitingOrders, given: &mut u64) {
        let unnamed = |(order, waiter): &&mut (Order, Waiter)| waiter.is_there() && order.key.is_none();
        for (order, _) in waiting.iter_mut().filter(unnamed) {
            *given += 1;
            order.key = Some(Key(format!("{}{given}", self.run).into()));
        }
    }

    fn claims(&self) -> MutexGuard<'_, Claims> {
        self.claims.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Gives all orders, and returns what came of them. None if the other process is gone; what it did not acknowledge
    /// is still waiting then.
    fn hand_in(&mut self, waiting: &mut WaitingOrders) -> Option<Vec<HandedIn>> {
        if waiting.is_empty() {
            return self.link.is_up().then(Vec::new);
        }
        let orders: Vec<Order> = waiting.iter().map(|(order, _)| order.clone()).collect();
        // Nobody else uses our keys: an act under one of them is ours, even if its acknowledgement was lost.
        let made = |order: &Order| order.key.clone().filter(|key| key.0.starts_with(&self.run));
        orders.iter().filter_map(made).for_each(|key| self.claims().expect(&key));
        match self.link.ask(&GuestRequest::Orders(orders)) {
            Ok(GuestReply::Done(done)) => {
                let own = done.iter().flatten().filter_map(DurableAct::own_key);
                own.for_each(|key| self.claims().expect(key));
                Some(
                    waiting
                        .drain(..)
                        .zip(done)
                        .map(|((order, waiter), done)| (order, waiter, done))
                        .collect(),
                )
            }
            Ok(GuestReply::Joined(_) | GuestReply::Redacted { .. } | GuestReply::Failed(_)) | Err(_) => None,
        }
    }

    fn redact(&mut self, matter: MatterId, reply: oneshot::Sender<Result<Redacted, Fault>>) {
        let done = match self.link.ask(&GuestRequest::Redact(matter)) {
            Ok(GuestReply::Redacted { act, acts }) => {
                Ok(Redacted { act: act.map(|act| Arc::new(act.0)), acts })
            }
            Ok(GuestReply::Failed(said)) => Err(Fault::Append(said)),
            Ok(GuestReply::Joined(_) | GuestReply::Done(_)) | Err(_) => Err(Fault::Gone),
        };
        self.work.reword();
        let _ = reply.send(done); // the caller may have stopped waiting
    }

    /// Reads what is new in the journal, shows it, and starts what follows of our own. Returns answers that were had at
    /// once. None, and nothing shown, if a matter of ours was interrupted and we are `wary` of that.
    fn catch_up(&mut self, wary: bool) -> Result<Option<Vec<Order>>, Fault> {
        let mut acts: Vec<Arc<Act>> = Vec::new();
        let head = chain::walk(&*self.reader, self.head, |act, _| {
            acts.push(Arc::new(act));
            Ok::<(), Fault>(())
        })?;
        if wary && self.is_interrupted(&acts) {
            return Ok(None);
        }
        self.head = head;
        if acts.is_empty() {
            return Ok(Some(Vec::new()));
        }
        let mut house = self.house.read().unwrap_or_else(PoisonError::into_inner).clone();
        for act in &acts {
            self.archive.evolve(&mut house, act)?;
        }
        house.archive_idle(KEEP);
        *self.house.write().unwrap_or_else(PoisonError::into_inner) = house;
        let orders = self.work.follow(&self.house.read().unwrap_or_else(PoisonError::into_inner), &acts);
        let _ = self.acts.send(acts.into()); // nobody may be listening
        Ok(Some(orders))
    }

    /// Whether acts interrupted a matter that we perform.
    fn is_interrupted(&self, acts: &[Arc<Act>]) -> bool {
        let own = self.claims().own();
        let interrupts = |event: &Event| {
            let Event::Matter(matter::Event::Paused { matter, why: Pause::Interrupted, .. }) = event else {
                return false;
            };
            own.contains(matter)
        };
        acts.iter().any(|act| act.events().iter().any(interrupts))
    }

    /// The process that held the house is gone: joins the next one, or is the next one.
    fn enter_again(&self) -> Result<Entered, Fault> {
        let begun = Instant::now();
        loop {
            let matters = self.claims().own();
            match self.entrance.enter_with(&matters) {
                Err(Fault::Journal(Error::Held { .. })) if begun.elapsed() < PATIENCE => {
                    std::thread::sleep(PACE);
                }
                entered => return entered,
            }
        }
    }

    /// Holds the house from now on.
    fn take_over(
        mut self,
        journal: Box<dyn Journal>,
        mut waiting: WaitingOrders,
        inbox: &Receiver<JudgeMessage>,
    ) {
        while self.head != journal.head() {
            match self.catch_up(false) {
                Ok(orders) => {
                    let orders = orders.unwrap_or_default().into_iter();
                    waiting.extend(orders.map(|order| (order, Waiter::Nobody)));
                }
                Err(fault) => return self.fail(fault.to_string()),
            }
        }
        let house = self.house.read().unwrap_or_else(PoisonError::into_inner).clone();
        drop(self.present.take());
        let options =
            EngineOptions { guests_wait: guests_wait(&self.entrance.dir), ..self.entrance.options.clone() };
        let service_died = journal.left_by().is_some_and(|holder| holder.service.is_some());
        let resumed_last = |case: &Case| is_resumption(&*self.reader, case.last_act());
        let (first, _) = first_orders(&house, &options, service_died, &mut self.claims(), &resumed_last);
        // It was recorded before the other process ended, and only its acknowledgement was lost.
        waiting.retain(|(order, waiter)| waiter.is_there() || !is_stale(&house, order));
        // A writer that leaves last folds its log into the one file: nothing of ours may read on beside it.
        drop(self.reader);
        let saver = Saver::new(journal.dir(), self.entrance.options.snapshots.clone(), None);
        let clock = HouseClock::of(&house, journal.mark());
        let first = stall_left(&*journal, &house).into_iter().chain(first).collect();
        let (shown, acts, trouble) = (self.house.clone(), self.acts.clone(), self.trouble.clone());
        self.work.take_up(&house);
        let keeper = Keeper::new(journal, shown, self.work, acts, saver, trouble);
        let mut judge =
            Judge::new(house, self.head, keeper, self.archive.clone(), clock, options.write_patience);
        match judge.first(first) {
            Ok(orders) => orders.into_iter().for_each(|order| self.own.post(order)),
            Err(fault) => self.trouble.note(AppendFailure::gravely(fault.to_string()), WaitingOrders::new()),
        }
        for (order, waiter) in waiting {
            let _ = self.own.0.send(JudgeMessage::Order(Box::new(order), waiter));
        }
        await_absent(&self.own, &self.house, &self.claims);
        // Where the socket cannot be made, others wait or are refused, as before this process came.
        if let Ok(host) = Host::start(&self.entrance.dir, &self.own, &self.house, &self.claims) {
            *self.host.lock().unwrap_or_else(PoisonError::into_inner) = Some(host);
        }
        judge.run(inbox, &self.own);
    }

    /// There is no way to go on.
    fn fail(self, said: String) {
        self.trouble.note(AppendFailure::gravely(said), WaitingOrders::new());
        self.say_ended();
    }

    fn say_ended(&self) {
        let _ = self.acts.send(Arc::from([]));
    }
}

/// A word for this run of a process that no other run has.
pub(crate) fn token() -> String {
    let mut bytes = [0; 8];
    match getrandom::fill(&mut bytes) {
        Ok(()) => bytes.iter().map(|byte| format!("{byte:02x}")).collect(),
        Err(_) => format!("{}-{}", std::process::id(), crate::now().0),
    }
}
