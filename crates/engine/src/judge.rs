//! The judge: the one thread that decides. It works on a house of its own, which may be a batch ahead of
//! what readers see; nothing it decided is known to anybody before the keeper has it on disk.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError, SyncSender, sync_channel};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use synod_core::kernel::{Actor, At, Digest, Key, MatterId};
use synod_core::{Act, Command, House, Outcome, Vouched};
use synod_journal::{Head, chain, survey, vouch};
use tokio::sync::oneshot;

use crate::archive::{Archive, KEEP};
use crate::clock::HouseClock;
use crate::engine::{Inbox, JudgeMessage};
use crate::keeper::{AppendFailure, JudgedBatch, Keeper, OrderVerdict, Waiter, WaitingOrders};
use crate::perform::salt;
use crate::stall::After;
use crate::trouble::Trouble;
use crate::{Fault, Order, Redacted};

/// How many orders are judged and appended in one go.
const BATCH: usize = 512;
/// How many judged batches may wait for the disk.
const AHEAD: usize = 2;

/// See the module.
pub(crate) struct Judge {
    pub(crate) house: House,
    pub(crate) head: Head,
    keeper: Arc<Mutex<Keeper>>,
    archive: Arc<Archive>,
    line: Option<SyncSender<JudgedBatch>>,
    /// Until when the process is waking up after it was stopped.
    waking: Option<Instant>,
    /// Batches handed over and not yet kept.
    handed: Arc<AtomicUsize>,
    pub(crate) trouble: Arc<Trouble>,
    second: Option<JoinHandle<()>>,
    pub(crate) clock: HouseClock,
    /// How long the journal may refuse before the engine ends; none: for ever.
    pub(crate) patience: Option<Duration>,
}

/// While something has a deadline, the judge looks at the clock this often.
const BEAT_MS: u64 = 250;
/// A look that comes this much too late was held up: the process was stopped, or the machine slept.
const STOPPED_MS: u64 = 250;
/// So long after it the clock stands still: what came meanwhile lies in sockets and pipes, and has to be read first.
const WAKING: Duration = Duration::from_secs(1);

impl Judge {
    pub(crate) fn new(
        house: House,
        head: Head,
        keeper: Keeper,
        archive: Arc<Archive>,
        clock: HouseClock,
        patience: Option<Duration>,
    ) -> Self {
        let trouble = keeper.trouble();
        Self {
            house,
            head,
            keeper: Arc::new(Mutex::new(keeper)),
            archive,
            line: None,
            waking: None,
            handed: Arc::default(),
            trouble,
            second: None,
            clock,
            patience,
        }
    }

    /// Judges and keeps orders before anything else comes. Returns answers that were had at once.
    pub(crate) fn first(&mut self, orders: Vec<Order>) -> Result<Vec<Order>, Fault> {
        // Without a look at the clock: what is interrupted first was not late, nobody was there to answer to.
        let at = self.now();
        let (upgrade, rest): (Vec<Order>, Vec<Order>) =
            orders.into_iter().partition(|order| matches!(order.command, Command::Upgrade { .. }));
        // Where nothing happens, nothing is said of the clock either: a house that is opened again and again does not grow.
        let moved = if rest.is_empty() { None } else { self.clock_moved() };
        let orders = upgrade.into_iter().chain(moved).chain(rest);
        let judged = self.judge_at(at, orders.map(|order| (order, Waiter::Nobody)));
        let kept = self.keeper().keep(judged);
        kept.map_err(|(lost, _)| lost.fault())
    }

    /// Judges until the inbox is closed.
    pub(crate) fn run(mut self, inbox: &Receiver<JudgeMessage>, own: &Inbox) {
        let mut waiting = WaitingOrders::new();
        loop {
            // Before waiting for anything: what was lost may be all there was to wait for.
            if self.trouble.is_due() {
                match self.wait_out(inbox, std::mem::take(&mut waiting)) {
                    After::Over(orders) => waiting = orders,
                    After::End => return self.end(),
                }
            }
            let mut message = if waiting.is_empty() { Some(self.next(inbox)) } else { inbox.try_recv().ok() };
            // Whatever else has come meanwhile shares the same trip to the disk.
            while let Some(given) = message {
                match given {
                    JudgeMessage::Order(order, waiter) => waiting.push_back((*order, waiter)),
                    JudgeMessage::Orders(orders, several) => {
                        let waiter = |place| Waiter::Several(several.clone(), place);
                        waiting.extend(
                            orders.into_iter().enumerate().map(|(place, order)| (order, waiter(place))),
                        );
                    }
                    JudgeMessage::Reader(reply) => drop(reply.send(self.keeper().reader())),
                    JudgeMessage::Redact(matter, reply) => drop(reply.send(self.redact(matter))),
                    JudgeMessage::End => return self.end(),
                }
                message = if waiting.len() < 2 * BATCH { inbox.try_recv().ok() } else { None };
            }
            // A disk that hangs decides nothing: no deadline passes while answers wait behind it.
            if self.trouble.is_slow() {
                self.wait_for_second();
            }
            if self.trouble.is_due() {
                continue;
            }
            let size = waiting.len().min(BATCH);
            let judged = self.judge(waiting.drain(..size));
            if waiting.is_empty() && self.handed.load(Ordering::Acquire) == 0 {
                let kept = self.keeper().keep(judged);
                match kept {
                    Ok(orders) => waiting.extend(orders.into_iter().map(|order| (order, Waiter::Nobody))),
                    Err((lost, held)) => self.trouble.note(lost, held),
                }
            } else {
                self.hand_over(judged, own);
            }
        }
    }

    pub(crate) fn keeper(&self) -> MutexGuard<'_, Keeper> {
        self.keeper.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The time in this house. It never goes back.
    pub(crate) fn now(&mut self) -> At {
        if let Some(at) = self.trouble.take_slow() {
            self.clock.take_out(at);
        }
        self.clock.now().max(self.house.now())
    }

    /// What the record has to say of the clock first, if anything.
    fn clock_moved(&mut self) -> Option<Order> {
        self.house.founded()?;
        let adjusted = self.clock.due(&self.house)?;
        self.clock.is_noted();
        Some(Order::engine(Command::AdjustTime(adjusted)))
    }

    /// The next message, or a tick when something is due before one comes.
    fn next(&mut self, inbox: &Receiver<JudgeMessage>) -> JudgeMessage {
        let Some(due) = self.house.next_deadline() else { return inbox.recv().unwrap_or(JudgeMessage::End) };
        loop {
            let before = self.now();
            let left_ms = due.since(before);
            let waking = self.waking.filter(|until| Instant::now() < *until).is_some();
            let wait_ms = if waking { BEAT_MS } else { left_ms.min(BEAT_MS) };
            let came = inbox.recv_timeout(Duration::from_millis(wait_ms));
            // Answers may be waiting that nobody could read: whoever is late because of that was not late.
            let was_stopped = self.clock.now().since(before) > wait_ms.saturating_add(STOPPED_MS);
            if was_stopped {
                self.waking = Some(Instant::now() + WAKING);
            }
            if was_stopped || waking {
                self.clock.take_out(before);
            } else if matches!(came, Err(RecvTimeoutError::Timeout)) && left_ms <= BEAT_MS {
                return JudgeMessage::Order(Box::new(Order::engine(Command::Tick)), Waiter::Nobody);
            }
            match came {
                Ok(message) => return message,
                Err(RecvTimeoutError::Disconnected) => return JudgeMessage::End,
                Err(RecvTimeoutError::Timeout) => (),
            }
        }
    }

    /// Judges a batch, one order after the other, each by the house the one before left behind.
    fn judge(&mut self, orders: impl Iterator<Item = (Order, Waiter)>) -> JudgedBatch {
        let at = self.now();
        // What is overdue lapses before anything else is judged, also where orders never stop coming.
        let overdue = self.house.next_deadline().is_some_and(|due| due <= at);
        let tick = overdue.then(|| Order::engine(Command::Tick));
        let first = self.clock_moved().into_iter().chain(tick).map(|order| (order, Waiter::Nobody));
        self.judge_at(at, first.chain(orders))
    }

    pub(crate) fn judge_at(&mut self, at: At, orders: impl Iterator<Item = (Order, Waiter)>) -> JudgedBatch {
        let mut judged = JudgedBatch {
            at,
            after: self.head,
            records: Vec::new(),
            verdicts: Vec::new(),
            house: House::default(),
        };
        for (order, waiter) in orders {
            let verdict = self.judge_one(at, order, &mut judged);
            judged.verdicts.push((verdict, waiter));
        }
        self.house.archive_idle(KEEP);
        judged.house = self.house.clone();
        judged
    }

    fn judge_one(&mut self, at: At, order: Order, judged: &mut JudgedBatch) -> OrderVerdict {
        if let Some(seq) = order.key.as_ref().and_then(|key| self.house.given_under(key)) {
            return OrderVerdict::Repeated(seq);
        }
        if let Err(fault) = self.bring(self.house.away_for(&order.command)) {
            return OrderVerdict::Unread(Box::new(order), fault);
        }
        let Order { by, key, command, vouched } = order;
        let vouched = vouched.map(|vouched| self.checked(vouched, (&by, key.as_ref(), &command)));
        let vouched = match vouched.transpose() {
            Ok(vouched) => vouched,
            Err((vouched, fault)) => {
                let order = Order { by, key, command, vouched: Some(vouched) };
                return OrderVerdict::Unread(Box::new(order), fault);
            }
        };
        let (mut act, house) = self.house.judge_vouched(at, by, vouched, key, command);
        act.salt = matches!(act.by, Actor::Seat(_)).then(salt);
        if act.command == Command::Tick && act.by == Actor::Engine && act.events().is_empty() {
            return OrderVerdict::Nothing;
        }
        match chain::seal(self.head, &act) {
            Err(error) => OrderVerdict::Unsealable(error.into()),
            Ok(record) => {
                self.head = record.head();
                self.house = house;
                judged.records.push(record);
                OrderVerdict::Acted(Arc::new(act))
            }
        }
    }

    /// What is vouched for, without a signature that does not hold: the record keeps none that proves nothing.
    fn checked(
        &self,
        vouched: Vouched,
        about: (&Actor, Option<&Key>, &Command),
    ) -> Result<Vouched, (Vouched, Fault)> {
        let unsigned = |vouched| Vouched { signature: None, seen: None, ..vouched };
        let Some(seen) = vouched.seen.filter(|_| vouched.signature.is_some()) else {
            return Ok(unsigned(vouched));
        };
        match self.archive.hash_of(seen.act) {
            Err(fault) => Err((vouched, fault)),
            Ok(recorded) if holds(&self.house, &vouched, recorded, about) => Ok(vouched),
            Ok(_) => Ok(unsigned(vouched)),
        }
    }

    /// Brings a matter back that left memory. What was judged of it must be on disk by then.
    fn bring(&mut self, away: Vec<MatterId>) -> Result<(), Fault> {
        if !away.is_empty() {
            self.wait_for_second();
        }
        self.archive.bring(&mut self.house, away)
    }

    /// Declares the redaction of a matter and carries it out, with nothing in between: an act on the matter
    /// that came after its words were looked for would keep them.
    fn redact(&mut self, matter: MatterId) -> Result<Redacted, Fault> {
        self.wait_for_second();
        if self.trouble.is_due() {
            return Err(Fault::Append("an earlier write failed".into()));
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
        if let Err((lost, held)) = kept {
            self.trouble.note(lost, held);
        }
        Ok(done.try_recv().map_err(|_| Fault::Gone)??.act)
    }

    /// Gives a batch to the second thread, so that the next can be judged while this one is written.
    fn hand_over(&mut self, judged: JudgedBatch, own: &Inbox) {
        let line = self.line.get_or_insert_with(|| {
            let (line, batches) = sync_channel::<JudgedBatch>(AHEAD);
            let (keeper, handed, trouble, own) =
                (self.keeper.clone(), self.handed.clone(), self.trouble.clone(), own.clone());
            self.second = Some(std::thread::spawn(move || {
                for judged in batches {
                    let kept = keeper.lock().unwrap_or_else(PoisonError::into_inner).keep(judged);
                    match kept {
                        Ok(orders) => orders.into_iter().for_each(|order| own.post(order)),
                        Err((lost, held)) => {
                            trouble.note(lost, held);
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
            self.trouble.note(
                AppendFailure::gravely("the thread that writes has ended".into()),
                WaitingOrders::new(),
            );
        }
    }

    /// Until everything handed over is kept or lost.
    pub(crate) fn wait_for_second(&self) {
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
        let whole = !self.trouble.is_due() && !self.trouble.is_grave();
        self.keeper().say_ended(whole);
    }
}

/// Whether a signature is its author's, and over this command in this history. A first key proves itself, a later one is signed
/// for with the one before.
fn holds(
    house: &House,
    vouched: &Vouched,
    recorded: Option<Digest>,
    about: (&Actor, Option<&Key>, &Command),
) -> bool {
    let (by, _, command) = about;
    let (Some(signature), Some(seen)) = (&vouched.signature, &vouched.seen) else { return false };
    let registered = match by {
        Actor::Seat(who) => house.roster().key(who),
        Actor::Operator | Actor::Engine => None,
    };
    let first = if let Command::Key { key, .. } = command { key.as_deref() } else { None };
    let house_key = house.founded().map(|founded| founded.key.as_str()).unwrap_or_default();
    let text = vouch::signed_text(house_key, about, seen);
    vouch::fits_history(seen, recorded, command)
        && registered
            .or(first)
            .zip(text.ok())
            .is_some_and(|(public, text)| vouch::has_signed(public, &text, signature))
}
