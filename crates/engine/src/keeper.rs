//! The keeper: appends judged batches, and when they are durable shows them to readers, answers those who
//! wait, and starts what follows.

use std::collections::VecDeque;
use std::sync::{Arc, Mutex, PoisonError, RwLock};

use synod_core::kernel::{At, Seq};
use synod_core::{Act, Command, House};
use synod_journal::{Error, Head, Journal, JournalReader, Record, Stall, chain};
use tokio::sync::{broadcast, oneshot};

use crate::snapshot::{Opened, Saver, open};
use crate::start::Work;
use crate::tree::{self, Tree};
use crate::trouble::Trouble;
use crate::{CommittedOrder, Fault, Order};

/// Acts that became durable together. An empty batch says that no more will come.
pub(crate) type Batch = Arc<[Arc<Act>]>;

/// Who waits for an order.
#[derive(Debug)]
pub(crate) enum Waiter {
    /// Nobody.
    Nobody,
    /// A call of ours that may not begin before this is durable. It waits also while the journal cannot be written.
    Own(oneshot::Sender<Result<CommittedOrder, Fault>>),
    /// One who gave this order alone.
    One(oneshot::Sender<Result<CommittedOrder, Fault>>),
    /// One who gave several; this is the place of this order among them.
    Several(Arc<Several>, usize),
}

/// Orders to be judged, and who waits for each.
pub(crate) type WaitingOrders = VecDeque<(Order, Waiter)>;

/// Several orders that are waited for together.
#[derive(Debug)]
pub(crate) struct Several(Mutex<Collected>);

#[derive(Debug)]
struct Collected {
    done: Vec<Option<Result<CommittedOrder, Fault>>>,
    left: usize,
    reply: Option<oneshot::Sender<Vec<Result<CommittedOrder, Fault>>>>,
}

impl Several {
    pub(crate) fn new(count: usize, reply: oneshot::Sender<Vec<Result<CommittedOrder, Fault>>>) -> Arc<Self> {
        let done = std::iter::repeat_with(|| None).take(count).collect();
        Arc::new(Self(Mutex::new(Collected { done, left: count, reply: Some(reply) })))
    }

    fn tell(&self, place: usize, done: Result<CommittedOrder, Fault>) {
        let mut collected = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(slot) = collected.done.get_mut(place) {
            *slot = Some(done);
            collected.left -= 1;
        }
        if collected.left == 0
            && let Some(reply) = collected.reply.take()
        {
            let _ = reply.send(collected.done.drain(..).flatten().collect());
        }
    }
}

impl Waiter {
    pub(crate) fn is_there(&self) -> bool {
        !matches!(self, Self::Nobody)
    }

    /// Whether the order is of this engine: an answer that was paid for, the beginning or the end of a call, a pause. It is
    /// kept in mind while the journal cannot be written.
    pub(crate) fn is_own(&self) -> bool {
        match self {
            Self::Nobody | Self::Own(_) => true,
            Self::One(_) | Self::Several(..) => false,
        }
    }

    /// Reports the result of the order. Nothing is lost if the caller no longer waits.
    pub(crate) fn tell(self, done: Result<CommittedOrder, Fault>) {
        match self {
            Self::Nobody => (),
            Self::One(reply) | Self::Own(reply) => drop(reply.send(done)),
            Self::Several(several, place) => several.tell(place, done),
        }
    }
}

/// The result of judging one order.
#[derive(Debug)]
pub(crate) enum OrderVerdict {
    /// It was judged, and this is the act.
    Acted(Arc<Act>),
    /// It was given before under the same key.
    Repeated(Seq),
    /// It cannot be written down.
    Unsealable(Fault),
    /// It could not be judged: what it is about could not be read.
    Unread(Box<Order>, Fault),
    /// A tick with nothing due: it leaves no mark.
    Nothing,
}

/// A batch that was judged and is to be kept.
#[derive(Debug)]
pub(crate) struct JudgedBatch {
    /// When it was judged.
    pub(crate) at: At,
    /// Where the journal must end before it.
    pub(crate) after: Head,
    /// What is to be appended.
    pub(crate) records: Vec<Record>,
    /// The result for each caller.
    pub(crate) verdicts: Vec<(OrderVerdict, Waiter)>,
    /// The house after the batch, which readers get once the batch is durable.
    pub(crate) house: House,
}

/// The reason why a batch could not be appended.
#[derive(Debug, Clone)]
pub(crate) struct AppendFailure {
    /// There is no going on.
    pub(crate) grave: bool,
    /// The journal is another's by now, and takes nothing from us any more.
    pub(crate) fenced: bool,
    /// When it was judged.
    pub(crate) at: At,
    /// What the journal said.
    pub(crate) said: String,
    /// The same in a few words, for the record.
    pub(crate) cause: String,
}

impl AppendFailure {
    /// The journal failed with a batch that was judged at `at`.
    pub(crate) fn by(error: &Error, at: At) -> Self {
        let fenced = matches!(error, Error::Fenced { .. });
        let grave = fenced || matches!(error, Error::Lost { .. });
        Self { grave, fenced, at, said: error.to_string(), cause: error.cause() }
    }

    /// There is no going on, for another reason.
    pub(crate) fn gravely(said: String) -> Self {
        let cause = said.lines().next().unwrap_or_default().into();
        Self { grave: true, fenced: false, at: At::default(), said, cause }
    }

    /// The error that waiting callers get.
    pub(crate) fn fault(&self) -> Fault {
        match self.fenced {
            true => Fault::Fenced(self.said.clone()),
            false => Fault::Append(self.said.clone()),
        }
    }
}

/// Holds the journal, and the house as readers see it: everything in it is durable.
pub(crate) struct Keeper {
    journal: Box<dyn Journal>,
    house: Arc<RwLock<House>>,
    work: Work,
    acts: broadcast::Sender<Batch>,
    /// Durable acts that were not sent to feeds yet.
    unsent: Vec<Arc<Act>>,
    saver: Saver,
    /// None where the journal lies in no directory.
    tree: Option<Tree>,
    trouble: Arc<Trouble>,
    /// A note that the journal cannot be written may lie beside it.
    noted: bool,
}

/// Acts are sent to feeds after this many at the latest.
const TOLD_AT_ONCE: usize = 256;

impl Keeper {
    pub(crate) fn new(
        journal: Box<dyn Journal>,
        house: Arc<RwLock<House>>,
        work: Work,
        acts: broadcast::Sender<Batch>,
        saver: Saver,
        trouble: Arc<Trouble>,
    ) -> Self {
        let tree = Tree::of(journal.dir());
        Self { journal, house, work, acts, unsent: Vec::new(), saver, tree, trouble, noted: true }
    }

    pub(crate) fn trouble(&self) -> Arc<Trouble> {
        self.trouble.clone()
    }

    /// Leaves a note beside the journal that it cannot be written.
    pub(crate) fn note_stall(&mut self, stall: &Stall) {
        self.noted = true;
        self.journal.note_stall(Some(stall));
    }

    /// The same, but nothing is signed.
    pub(crate) fn without_tree(self) -> Self {
        Self { tree: None, ..self }
    }

    pub(crate) fn reader(&self) -> Result<Box<dyn JournalReader>, Fault> {
        Ok(self.journal.reader()?)
    }

    /// Sends new acts to feeds.
    fn publish(&mut self) {
        if !self.unsent.is_empty() {
            let _ = self.acts.send(self.unsent.drain(..).collect()); // nobody may be listening
        }
    }

    /// Sends feeds the end: no more acts will come. `whole`: the journal is still ours, and took everything.
    pub(crate) fn say_ended(&mut self, whole: bool) {
        self.publish();
        let _ = self.acts.send(Arc::from([]));
        let house = self.house.read().unwrap_or_else(PoisonError::into_inner).clone();
        if whole && house.seq() == self.journal.head().seq {
            self.tree.iter_mut().for_each(Tree::sign);
            self.saver.save_at_end(&house, self.journal.head());
        }
    }

    /// The house as the journal has it, after something went wrong. What turns out to be in it after all is shown and
    /// followed. Returns answers that were had at once.
    pub(crate) fn recover(&mut self) -> Result<(House, Head, Vec<Order>), Fault> {
        let head = self.journal.recover()?;
        let house = self.house.read().unwrap_or_else(PoisonError::into_inner).clone();
        let shown = house.seq();
        if shown == head.seq {
            return Ok((house, head, Vec::new()));
        }
        let Opened { house, head, .. } = open(&*self.reader()?, self.saver.place())?;
        let mut orders = Vec::new();
        if shown < house.seq() {
            let reader = self.reader()?;
            let before = match shown {
                Seq(0) => Head::default(),
                shown => reader.read(shown, 1)?.first().map(Record::head).ok_or(Fault::Gone)?,
            };
            let mut acts = Vec::new();
            chain::walk(&*reader, before, |act, _| {
                acts.push(Arc::new(act));
                Ok::<(), Fault>(())
            })?;
            *self.house.write().unwrap_or_else(PoisonError::into_inner) = house.clone();
            orders = self.follow(&acts);
            self.unsent.extend(acts);
            self.publish();
        }
        Ok((house, head, orders))
    }

    /// Keeps a batch: durable first, then everything else. Returns answers that were had at once. On an error nothing of
    /// the batch happened: orders of our own are handed back, and other callers get the error.
    pub(crate) fn keep(&mut self, judged: JudgedBatch) -> Result<Vec<Order>, (AppendFailure, WaitingOrders)> {
        if !judged.records.is_empty() {
            self.trouble.begin();
            let appended = self.journal.append(judged.after, &judged.records);
            self.trouble.end(judged.at);
            if let Err(error) = appended {
                let lost = AppendFailure::by(&error, judged.at);
                let held = hand_back(judged.verdicts, &lost);
                return Err((lost, held));
            }
            if std::mem::take(&mut self.noted) {
                self.journal.note_stall(None);
            }
        }
        let grown = self.grow(&judged);
        let acted = |(verdict, _): &(OrderVerdict, Waiter)| match verdict {
            OrderVerdict::Acted(act) => Some(act.clone()),
            OrderVerdict::Repeated(_)
            | OrderVerdict::Unsealable(_)
            | OrderVerdict::Unread(..)
            | OrderVerdict::Nothing => None,
        };
        let acts: Batch = judged.verdicts.iter().filter_map(acted).collect();
        let shown =
            std::mem::replace(&mut *self.house.write().unwrap_or_else(PoisonError::into_inner), judged.house);
        // Outside of the lock: readers need not wait until what nobody shares any more is freed.
        drop(shown);
        self.saver
            .save_at_times(&self.house.read().unwrap_or_else(PoisonError::into_inner), self.journal.head());
        for (verdict, waiter) in judged.verdicts {
            self.tell(verdict, waiter, grown.as_ref());
        }
        self.tree.iter_mut().for_each(|tree| tree.sign_at_times(&acts));
        let orders = self.follow(&acts);
        self.unsent.extend(acts.iter().cloned());
        // A chain of steps that runs by itself is sent at once: each wake-up costs more than a step.
        if orders.is_empty() || self.unsent.len() >= TOLD_AT_ONCE {
            self.publish();
        }
        Ok(orders)
    }

    /// Adds a durable batch to the tree.
    fn grow(&mut self, judged: &JudgedBatch) -> Option<tree::BatchProof> {
        if judged.records.is_empty() {
            return None;
        }
        let journal = &self.journal;
        let reader = || journal.reader().ok();
        self.tree.as_mut()?.grow(reader, judged.after, &judged.records, &judged.house)
    }

    /// Puts redacted bodies in place. What was worded for briefs is worded anew when it is needed.
    pub(crate) fn redact(&mut self, bodies: &[(Seq, String)]) -> Result<(), Fault> {
        self.work.reword();
        // Topics lie in it. The next one is written without.
        self.saver.remove()?;
        Ok(self.journal.redact(bodies)?)
    }

    fn tell(&mut self, verdict: OrderVerdict, waiter: Waiter, grown: Option<&tree::BatchProof>) {
        let own = waiter.is_own();
        let done = match verdict {
            // An answer that cannot be kept is nobody's fault but ours: it must not look like a silent seat.
            OrderVerdict::Unread(order, Fault::Journal(error)) if own => {
                let lost = AppendFailure::by(&error, self.shown_at());
                return self.trouble.note(lost, WaitingOrders::from([(*order, waiter)]));
            }
            OrderVerdict::Unsealable(fault) | OrderVerdict::Unread(_, fault) if own => {
                return self.trouble.note(AppendFailure::gravely(fault.to_string()), WaitingOrders::new());
            }
            _ if !waiter.is_there() => return, // nobody asks what came of it
            OrderVerdict::Acted(act) => {
                let promise = grown.and_then(|grown| grown.promise(act.seq));
                Ok(CommittedOrder { act, repeated: false, promise })
            }
            OrderVerdict::Repeated(seq) => self.recall(seq),
            OrderVerdict::Unsealable(fault) | OrderVerdict::Unread(_, fault) => Err(fault),
            OrderVerdict::Nothing => Err(Fault::Gone),
        };
        waiter.tell(done);
    }

    fn shown_at(&self) -> At {
        self.house.read().unwrap_or_else(PoisonError::into_inner).now()
    }

    /// An act that was recorded before.
    fn recall(&mut self, seq: Seq) -> Result<CommittedOrder, Fault> {
        let reader = self.reader()?;
        let before = match seq.0 {
            0 | 1 => Head::default(),
            _ => reader.read(Seq(seq.0 - 1), 1)?.first().map(Record::head).ok_or(Fault::Gone)?,
        };
        let record = reader.read(seq, 1)?.into_iter().next().ok_or(Fault::Gone)?;
        let house = self.house.read().unwrap_or_else(PoisonError::into_inner);
        let head = self.journal.head();
        let promise = self.tree.as_mut().and_then(|tree| tree.recall(&*reader, head, &house, &record));
        Ok(CommittedOrder { act: Arc::new(chain::open(before, &record)?), repeated: true, promise })
    }

    /// Starts what follows from acts that are durable.
    fn follow(&mut self, acts: &[Arc<Act>]) -> Vec<Order> {
        self.work.follow(&self.house.read().unwrap_or_else(PoisonError::into_inner), acts)
    }
}

/// The orders of our own in a batch that was not kept. Other callers get the error.
fn hand_back(verdicts: Vec<(OrderVerdict, Waiter)>, lost: &AppendFailure) -> WaitingOrders {
    let mut held = WaitingOrders::new();
    for (verdict, waiter) in verdicts {
        let order = match verdict {
            OrderVerdict::Acted(act) => {
                let act = Arc::unwrap_or_clone(act);
                Some(Order { by: act.by, key: act.key, command: act.command, vouched: act.vouched })
            }
            OrderVerdict::Unread(order, _) => Some(*order),
            OrderVerdict::Repeated(_) | OrderVerdict::Unsealable(_) | OrderVerdict::Nothing => None,
        };
        match order {
            // The clock is looked at again in any case.
            Some(Order { command: Command::Tick | Command::AdjustTime(_), .. }) if waiter.is_own() => (),
            Some(order) if waiter.is_own() => held.push_back((order, waiter)),
            Some(_) | None => waiter.tell(Err(lost.fault())),
        }
    }
    held
}
