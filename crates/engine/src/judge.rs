//! The judge: the one thread that decides. It works on a house of its own, which may be a batch ahead of
//! what readers see; nothing it decided is known to anybody before the keeper has it on disk.

use std::collections::VecDeque;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError, SyncSender, sync_channel};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread::JoinHandle;
use std::time::Duration;

use synod_core::kernel::{Actor, At, MatterId};
use synod_core::{Act, Command, House, Outcome};
use synod_journal::{Head, chain, survey};
use tokio::sync::oneshot;

use crate::archive::{Archive, KEEP};
use crate::clock::now;
use crate::engine::{Inbox, Message};
use crate::keeper::{Judged, Keeper, Lost, Verdict, Waiter};
use crate::{Fault, Order, Redacted};

/// How many orders are judged and appended in one go.
const BATCH: usize = 512;
/// How many judged batches may wait for the disk.
const AHEAD: usize = 2;

/// What went wrong with the journal.
#[derive(Debug, Default)]
pub(crate) struct Trouble {
    /// A batch could not be kept: what was judged after it hangs in the air.
    failed: AtomicBool,
    /// The first such batch after which there is no going on.
    grave: Mutex<Option<Lost>>,
}

impl Trouble {
    pub(crate) fn note(&self, lost: Lost) {
        if lost.answers || lost.fenced {
            self.grave.lock().unwrap_or_else(PoisonError::into_inner).get_or_insert(lost);
        }
        self.failed.store(true, Ordering::Release);
    }

    fn is_grave(&self) -> bool {
        self.fault().is_some()
    }

    /// Why the engine ended by itself, if it did.
    pub(crate) fn fault(&self) -> Option<Fault> {
        self.grave.lock().unwrap_or_else(PoisonError::into_inner).as_ref().map(Lost::fault)
    }
}

/// See the module.
pub(crate) struct Judge {
    house: House,
    head: Head,
    keeper: Arc<Mutex<Keeper>>,
    archive: Arc<Archive>,
    line: Option<SyncSender<Judged>>,
    /// Batches handed over and not yet kept.
    handed: Arc<AtomicUsize>,
    fault: Arc<Trouble>,
    second: Option<JoinHandle<()>>,
    /// How far the house's time is ahead of the system's clock, in milliseconds: see `now`.
    ahead: u64,
}

impl Judge {
    pub(crate) fn new(
        house: House,
        head: Head,
        keeper: Keeper,
        archive: Arc<Archive>,
        fault: Arc<Trouble>,
    ) -> Self {
        let keeper = Arc::new(Mutex::new(keeper));
        Self {
            house,
            head,
            keeper,
            archive,
            line: None,
            handed: Arc::default(),
            fault,
            second: None,
            ahead: 0,
        }
    }

    /// Judges and keeps orders before anything else comes. Returns answers that were had at once.
    pub(crate) fn first(&mut self, orders: Vec<Order>) -> Result<Vec<Order>, Fault> {
        // Without a look at the clock: what is interrupted first was not late, nobody was there to answer to.
        let at = self.now();
        let judged = self.judge_at(at, orders.into_iter().map(|order| (order, Waiter::Nobody)));
        let kept = self.keeper().keep(judged);
        kept.map_err(|lost| lost.fault())
    }

    /// Judges until the inbox is closed.
    pub(crate) fn run(mut self, inbox: &Receiver<Message>, own: &Inbox) {
        let mut waiting: VecDeque<(Order, Waiter)> = VecDeque::new();
        loop {
            // Before waiting for anything: what was lost may be all there was to wait for.
            if self.must_end() {
                return self.end();
            }
            let mut message = if waiting.is_empty() { Some(self.next(inbox)) } else { inbox.try_recv().ok() };
            // Whatever else has come meanwhile shares the same trip to the disk.
            while let Some(given) = message {
                match given {
                    Message::Order(order, waiter) => waiting.push_back((*order, waiter)),
                    Message::Orders(orders, several) => {
                        let waiter = |place| Waiter::Several(several.clone(), place);
                        waiting.extend(
                            orders.into_iter().enumerate().map(|(place, order)| (order, waiter(place))),
                        );
                    }
                    Message::Reader(reply) => drop(reply.send(self.keeper().reader())),
                    Message::Redact(matter, reply) => drop(reply.send(self.redact(matter))),
                    Message::End => return self.end(),
                }
                message = if waiting.len() < 2 * BATCH { inbox.try_recv().ok() } else { None };
            }
            if self.must_end() {
                return self.end();
            }
            let size = waiting.len().min(BATCH);
            let judged = self.judge(waiting.drain(..size));
            if waiting.is_empty() && self.handed.load(Ordering::Acquire) == 0 {
                let kept = self.keeper().keep(judged);
                match kept {
                    Ok(orders) => waiting.extend(orders.into_iter().map(|order| (order, Waiter::Nobody))),
                    Err(lost) => self.fault.note(lost),
                }
            } else {
                self.hand_over(judged, own);
            }
        }
    }

    /// After a failed append: goes back to what the journal holds, or gives up. Where answers were lost, going
    /// on would wait for them for ever; what is in the journal can be resumed. Where another writes by now, every
    /// write would be refused, and what is told to readers would soon be old.
    fn must_end(&mut self) -> bool {
        self.fault.failed.load(Ordering::Acquire) && (self.fault.is_grave() || self.rebuild().is_err())
    }

    fn keeper(&self) -> MutexGuard<'_, Keeper> {
        self.keeper.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The time in this house. It never goes back. Where the system's clock was ahead once, and was set back since, time
    /// goes on from the last act as fast as the clock does: it must not stand still until the clock has caught up, since no
    /// limit would hold meanwhile.
    fn now(&mut self) -> At {
        let clock = now().plus(self.ahead);
        self.ahead += self.house.now().since(clock);
        clock.max(self.house.now())
    }

    /// The next message, or a tick when something is due before one comes.
    fn next(&mut self, inbox: &Receiver<Message>) -> Message {
        let Some(due) = self.house.next_deadline() else { return inbox.recv().unwrap_or(Message::End) };
        match inbox.recv_timeout(Duration::from_millis(due.since(self.now()))) {
            Ok(message) => message,
            Err(RecvTimeoutError::Timeout) => {
                Message::Order(Box::new(Order::engine(Command::Tick)), Waiter::Nobody)
            }
            Err(RecvTimeoutError::Disconnected) => Message::End,
        }
    }

    /// Judges a batch, one order after the other, each by the house the one before left behind.
    fn judge(&mut self, orders: impl Iterator<Item = (Order, Waiter)>) -> Judged {
        let at = self.now();
        // What is overdue lapses before anything else is judged, also where orders never stop coming.
        let overdue = self.house.next_deadline().is_some_and(|due| due <= at);
        let tick = overdue.then(|| (Order::engine(Command::Tick), Waiter::Nobody));
        self.judge_at(at, tick.into_iter().chain(orders))
    }

    fn judge_at(&mut self, at: At, orders: impl Iterator<Item = (Order, Waiter)>) -> Judged {
        let mut judged =
            Judged { after: self.head, records: Vec::new(), verdicts: Vec::new(), house: House::default() };
        for (order, waiter) in orders {
            let verdict = self.judge_one(at, order, &mut judged);
            judged.verdicts.push((verdict, waiter));
        }
        self.house.archive_idle(KEEP);
        judged.house = self.house.clone();
        judged
    }

    fn judge_one(&mut self, at: At, order: Order, judged: &mut Judged) -> Verdict {
        if let Some(seq) = order.key.as_ref().and_then(|key| self.house.given_under(key, at)) {
            return Verdict::Repeated(seq);
        }
        if let Err(fault) = self.bring(self.house.away_for(&order.command)) {
            return Verdict::Unsealable(fault);
        }
        let (act, house) = self.house.judge(at, order.by, order.key, order.command);
        if act.command == Command::Tick && act.by == Actor::Engine && act.events().is_empty() {
            return Verdict::Nothing;
        }
        match chain::seal(self.head, &act) {
            Err(error) => Verdict::Unsealable(error.into()),
            Ok(record) => {
                self.head = record.head();
                self.house = house;
                judged.records.push(record);
                Verdict::Acted(Arc::new(act))
            }
        }
    }

    /// Brings a matter back that left memory. What was judged of it must be on disk by then.
    fn bring(&mut self, away: Option<MatterId>) -> Result<(), Fault> {
        if away.is_some() {
            self.wait_for_second();
        }
        self.archive.bring(&mut self.house, away)
    }

    /// Declares the redaction of a matter and carries it out, with nothing in between: an act on the matter
    /// that came after its words were looked for would keep them.
    fn redact(&mut self, matter: MatterId) -> Result<Redacted, Fault> {
        self.wait_for_second();
        if let Some(fault) = self.fault.failed.load(Ordering::Acquire).then(|| self.fault.fault()) {
            return Err(fault.unwrap_or_else(|| Fault::Append("an earlier write failed".into())));
        }
        let reader = self.keeper().reader()?;
        let found = survey(&*reader, Some(matter))?;
        drop(reader);
        let before = self.house.summary(matter).is_some_and(|known| known.redacted_by.is_some());
        let act = match found.acts.is_empty() && before {
            true => None,
            false => Some(self.declare(Command::Redact { matter, acts: found.acts })?),
        };
        if let Some(Outcome::Refused { .. }) = act.as_ref().map(|act| &act.outcome) {
            return Ok(Redacted { act, acts: 0 });
        }
        self.keeper().redact(&found.due)?;
        Ok(Redacted { act, acts: found.due.len() })
    }

    /// Judges and keeps one order of the operator at once.
    fn declare(&mut self, command: Command) -> Result<Arc<Act>, Fault> {
        let (reply, mut done) = oneshot::channel();
        let judged = self.judge(std::iter::once((Order::operator(command), Waiter::One(reply))));
        let kept = self.keeper().keep(judged);
        if let Err(lost) = kept {
            self.fault.note(lost);
        }
        Ok(done.try_recv().map_err(|_| Fault::Gone)??.act)
    }

    /// Gives a batch to the second thread, so that the next can be judged while this one is written.
    fn hand_over(&mut self, judged: Judged, own: &Inbox) {
        let line = self.line.get_or_insert_with(|| {
            let (line, batches) = sync_channel::<Judged>(AHEAD);
            let (keeper, handed, fault, own) =
                (self.keeper.clone(), self.handed.clone(), self.fault.clone(), own.clone());
            self.second = Some(std::thread::spawn(move || {
                for judged in batches {
                    let kept = keeper.lock().unwrap_or_else(PoisonError::into_inner).keep(judged);
                    match kept {
                        Ok(orders) => orders.into_iter().for_each(|order| own.post(order)),
                        Err(lost) => {
                            fault.note(lost);
                            // The judge may be waiting for answers that are gone; a tick that is not due
                            // leaves no mark and makes it look.
                            own.post(Order::engine(Command::Tick));
                        }
                    }
                    handed.fetch_sub(1, Ordering::AcqRel);
                }
            }));
            line
        });
        self.handed.fetch_add(1, Ordering::AcqRel);
        if line.send(judged).is_err() {
            self.handed.fetch_sub(1, Ordering::AcqRel);
            self.fault.failed.store(true, Ordering::Release);
        }
    }

    /// Goes back to what the journal really holds. Batches that were judged on top of a lost one are
    /// refused by the journal, and those who wait for them are told.
    fn rebuild(&mut self) -> Result<(), Fault> {
        self.wait_for_second();
        let (house, head) = self.keeper().rebuilt()?;
        (self.house, self.head) = (house, head);
        self.fault.failed.store(false, Ordering::Release);
        Ok(())
    }

    /// Until everything handed over is kept or lost.
    fn wait_for_second(&self) {
        while self.handed.load(Ordering::Acquire) > 0 {
            std::thread::sleep(Duration::from_millis(1));
        }
    }

    /// Waits for what was handed over, then lets the journal go.
    fn end(mut self) {
        self.line = None;
        if let Some(second) = self.second.take() {
            let _ = second.join();
        }
        let whole = !self.fault.failed.load(Ordering::Acquire) && !self.fault.is_grave();
        self.keeper().say_ended(whole);
    }
}
