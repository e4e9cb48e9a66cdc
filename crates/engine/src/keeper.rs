//! The keeper: appends judged batches, and when they are durable shows them to readers, answers those who
//! wait, and starts what follows.

use std::sync::{Arc, Mutex, PoisonError, RwLock};

use synod_core::kernel::Seq;
use synod_core::{Act, House};
use synod_journal::{Error, Head, Journal, Reader, Record, chain};
use tokio::sync::{broadcast, oneshot};

use crate::snapshot::{Opened, Saver, open};
use crate::start::Work;
use crate::tree::{self, Tree};
use crate::{Done, Fault, Order};

/// Acts that became durable together. An empty batch says that no more will come.
pub(crate) type Batch = Arc<[Arc<Act>]>;

/// Who waits for an order.
#[derive(Debug)]
pub(crate) enum Waiter {
    /// Nobody.
    Nobody,
    /// One who gave this order alone.
    One(oneshot::Sender<Result<Done, Fault>>),
    /// One who gave several; this is the place of this order among them.
    Several(Arc<Several>, usize),
}

/// Several orders that are waited for together.
#[derive(Debug)]
pub(crate) struct Several(Mutex<Collected>);

#[derive(Debug)]
struct Collected {
    done: Vec<Option<Result<Done, Fault>>>,
    left: usize,
    reply: Option<oneshot::Sender<Vec<Result<Done, Fault>>>>,
}

impl Several {
    pub(crate) fn new(count: usize, reply: oneshot::Sender<Vec<Result<Done, Fault>>>) -> Arc<Self> {
        let done = std::iter::repeat_with(|| None).take(count).collect();
        Arc::new(Self(Mutex::new(Collected { done, left: count, reply: Some(reply) })))
    }

    fn tell(&self, place: usize, done: Result<Done, Fault>) {
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

    /// Tells what came of the order; who does not wait any more need not know.
    pub(crate) fn tell(self, done: Result<Done, Fault>) {
        match self {
            Self::Nobody => (),
            Self::One(reply) => drop(reply.send(done)),
            Self::Several(several, place) => several.tell(place, done),
        }
    }
}

/// What became of one order.
#[derive(Debug)]
pub(crate) enum Verdict {
    /// It was judged, and this is the act.
    Acted(Arc<Act>),
    /// It was given before under the same key.
    Repeated(Seq),
    /// It cannot be written down.
    Unsealable(Fault),
    /// A tick with nothing due: it leaves no mark.
    Nothing,
}

/// A batch that was judged and is to be kept.
#[derive(Debug)]
pub(crate) struct Judged {
    /// Where the journal must end before it.
    pub(crate) after: Head,
    /// What is to be appended.
    pub(crate) records: Vec<Record>,
    /// What to tell whom.
    pub(crate) verdicts: Vec<(Verdict, Waiter)>,
    /// The house after the batch, which readers get once the batch is durable.
    pub(crate) house: House,
}

/// A batch that could not be kept.
#[derive(Debug, Clone)]
pub(crate) struct Lost {
    /// It held orders nobody waits for: answers that were paid for, ticks, rests.
    pub(crate) answers: bool,
    /// The journal is another's by now, and takes nothing from us any more.
    pub(crate) fenced: bool,
    /// What the journal said.
    pub(crate) said: String,
}

impl Lost {
    /// What those who wait are told.
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
    /// Durable acts that feeds have not been told of yet.
    unsent: Vec<Arc<Act>>,
    saver: Saver,
    /// None where the journal lies in no directory.
    tree: Option<Tree>,
}

/// Feeds are told at the latest after so many acts.
const TOLD_AT_ONCE: usize = 256;

impl Keeper {
    pub(crate) fn new(
        journal: Box<dyn Journal>,
        house: Arc<RwLock<House>>,
        work: Work,
        acts: broadcast::Sender<Batch>,
        saver: Saver,
    ) -> Self {
        let tree = Tree::of(journal.dir());
        Self { journal, house, work, acts, unsent: Vec::new(), saver, tree }
    }

    pub(crate) fn reader(&self) -> Result<Box<dyn Reader>, Fault> {
        Ok(self.journal.reader()?)
    }

    /// Tells feeds what is new.
    fn publish(&mut self) {
        if !self.unsent.is_empty() {
            let _ = self.acts.send(self.unsent.drain(..).collect()); // nobody may be listening
        }
    }

    /// Tells feeds that no more acts will come. `whole`: the journal is still ours, and took everything.
    pub(crate) fn say_ended(&mut self, whole: bool) {
        self.publish();
        let _ = self.acts.send(Arc::from([]));
        let house = self.house.read().unwrap_or_else(PoisonError::into_inner).clone();
        if whole && house.seq() == self.journal.head().seq {
            self.tree.iter_mut().for_each(Tree::sign);
            self.saver.save_at_end(&house, self.journal.head());
        }
    }

    /// The house as the journal has it, after something went wrong.
    pub(crate) fn rebuilt(&self) -> Result<(House, Head), Fault> {
        let Opened { house, head, .. } = open(&*self.reader()?, self.saver.place())?;
        Ok((house, head))
    }

    /// Keeps a batch: durable first, then everything else. Returns answers that were had at once. On an
    /// error nothing of the batch happened, and everybody who waits for it is told so.
    pub(crate) fn keep(&mut self, judged: Judged) -> Result<Vec<Order>, Lost> {
        if !judged.records.is_empty()
            && let Err(error) = self.journal.append(judged.after, &judged.records)
        {
            let fenced = matches!(error, Error::Fenced { .. });
            let mut lost = Lost { answers: false, fenced, said: error.to_string() };
            for (verdict, waiter) in judged.verdicts {
                let happened = matches!(verdict, Verdict::Acted(_) | Verdict::Unsealable(_));
                lost.answers |= happened && !waiter.is_there();
                waiter.tell(Err(lost.fault()));
            }
            return Err(lost);
        }
        let grown = self.grow(&judged);
        let acted = |(verdict, _): &(Verdict, Waiter)| match verdict {
            Verdict::Acted(act) => Some(act.clone()),
            Verdict::Repeated(_) | Verdict::Unsealable(_) | Verdict::Nothing => None,
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
        // A chain of steps that runs by itself is told in one go: each waking costs more than a step.
        if orders.is_empty() || self.unsent.len() >= TOLD_AT_ONCE {
            self.publish();
        }
        Ok(orders)
    }

    /// Adds a durable batch to the tree.
    fn grow(&mut self, judged: &Judged) -> Option<tree::Batch> {
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

    fn tell(&mut self, verdict: Verdict, waiter: Waiter, grown: Option<&tree::Batch>) {
        if !waiter.is_there() {
            return;
        }
        let done = match verdict {
            Verdict::Acted(act) => {
                let promise = grown.and_then(|grown| grown.promise(act.seq));
                Ok(Done { act, repeated: false, promise })
            }
            Verdict::Repeated(seq) => self.recall(seq),
            Verdict::Unsealable(fault) => Err(fault),
            Verdict::Nothing => Err(Fault::Gone),
        };
        waiter.tell(done);
    }

    /// An act that was recorded before.
    fn recall(&mut self, seq: Seq) -> Result<Done, Fault> {
        let reader = self.reader()?;
        let before = match seq.0 {
            0 | 1 => Head::default(),
            _ => reader.read(Seq(seq.0 - 1), 1)?.first().map(Record::head).ok_or(Fault::Gone)?,
        };
        let record = reader.read(seq, 1)?.into_iter().next().ok_or(Fault::Gone)?;
        let house = self.house.read().unwrap_or_else(PoisonError::into_inner);
        let head = self.journal.head();
        let promise = self.tree.as_mut().and_then(|tree| tree.recall(&*reader, head, &house, &record));
        Ok(Done { act: Arc::new(chain::open(before, &record)?), repeated: true, promise })
    }

    /// Starts what follows from acts that are durable.
    fn follow(&mut self, acts: &[Arc<Act>]) -> Vec<Order> {
        self.work.follow(&self.house.read().unwrap_or_else(PoisonError::into_inner), acts)
    }
}
