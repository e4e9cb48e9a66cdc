//! The engine of one house: the handle others talk to.

use std::sync::mpsc::{Sender, channel};
use std::sync::{Arc, PoisonError, RwLock};
use std::thread::JoinHandle;

use synod_core::house::Case;
use synod_core::kernel::{Actor, Key, MatterId, Seq};
use synod_core::matter::{Pause, Status};
use synod_core::{Act, Command, House, edition};
use synod_journal::{Journal, Reader};
use tokio::sync::{broadcast, mpsc, oneshot};

use crate::judge::{Judge, Trouble};
use crate::keeper::{Batch, Keeper, Several, Waiter};
use crate::perform::{Minds, Performer};
use crate::{Feed, fold};

/// A command with who gives it.
#[derive(Debug, Clone)]
pub struct Order {
    /// Who.
    pub by: Actor,
    /// The idempotency key.
    pub key: Option<Key>,
    /// What.
    pub command: Command,
}

impl Order {
    /// An order of the operator.
    pub fn operator(command: Command) -> Self {
        Self { by: Actor::Operator, key: None, command }
    }

    /// An order of the engine itself.
    pub(crate) fn engine(command: Command) -> Self {
        Self { by: Actor::Engine, key: None, command }
    }
}

/// What became of an order: the act is durable. Whether the rules said no stands in its outcome.
#[derive(Debug, Clone)]
pub struct Done {
    /// The act.
    pub act: Arc<Act>,
    /// It was given before under the same key; nothing happened now.
    pub repeated: bool,
}

/// What became of a redaction.
#[derive(Debug, Clone)]
pub struct Redacted {
    /// The act that declares it. Whether the rules said no stands in its outcome. None if nothing was left to
    /// declare, because that was done before.
    pub act: Option<Arc<Act>>,
    /// Acts whose words were removed now.
    pub acts: usize,
}

/// The world failed the engine.
#[derive(Debug, thiserror::Error)]
pub enum Fault {
    /// The journal could not be read or written.
    #[error(transparent)]
    Journal(#[from] synod_journal::Error),
    /// The journal's chain is broken.
    #[error("{0}")]
    Broken(#[from] synod_journal::Broken),
    /// The batch an order was in could not be appended. Nothing of it happened.
    #[error("the journal could not be written: {0}")]
    Append(String),
    /// The same, because another writer has opened the house since. The engine ends.
    #[error("{0}")]
    Fenced(String),
    /// The house is judged by an edition of the rules that this build does not know.
    #[error(
        "this house is judged by edition {edition} of the rules, and this build knows {} to {}: upgrade synod to write to it",
        edition::KNOWN.start(),
        edition::KNOWN.end()
    )]
    Newer {
        /// The edition.
        edition: u32,
    },
    /// The engine has ended.
    #[error("the engine of this house has ended")]
    Gone,
}

/// How an engine runs.
#[derive(Debug, Clone)]
pub struct Options {
    /// How many asks are performed at once.
    pub at_once: usize,
    /// Rings are not interrupted by the end of an engine. Nobody performs anything for them: time simply passes,
    /// and what is overdue when an engine opens lapses before it takes any order. For engines that live for one
    /// command; one that is meant to stay should interrupt, so that nobody is late because it was away.
    pub rings_run_on: bool,
}

impl Default for Options {
    fn default() -> Self {
        Self { at_once: 128, rings_run_on: false }
    }
}

/// What the judge is sent.
pub(crate) enum Message {
    /// An order, and who waits for it.
    Order(Box<Order>, Waiter),
    /// Several orders, waited for together.
    Orders(Vec<Order>, Arc<Several>),
    /// Somebody wants to read the journal.
    Reader(oneshot::Sender<Result<Box<dyn Reader>, Fault>>),
    /// The words of a matter shall go.
    Redact(MatterId, oneshot::Sender<Result<Redacted, Fault>>),
    /// The engine ends.
    End,
}

/// A handle on the inbox of an engine.
#[derive(Debug, Clone)]
pub(crate) struct Inbox(Sender<Message>);

impl Inbox {
    /// Gives an order and waits until it is durable.
    pub(crate) async fn submit(&self, order: Order) -> Result<Done, Fault> {
        let (reply, done) = oneshot::channel();
        self.0.send(Message::Order(Box::new(order), Waiter::One(reply))).map_err(|_| Fault::Gone)?;
        done.await.map_err(|_| Fault::Gone)?
    }

    /// Gives an order nobody waits for.
    pub(crate) fn post(&self, order: Order) {
        // An engine that has ended needs no more orders.
        let _ = self.0.send(Message::Order(Box::new(order), Waiter::Nobody));
    }
}

/// A running engine. Dropping it ends it; what was acknowledged stays.
#[derive(Debug)]
pub struct Engine {
    inbox: Inbox,
    house: Arc<RwLock<House>>,
    acts: broadcast::Sender<Batch>,
    trouble: Arc<Trouble>,
    thread: Option<JoinHandle<()>>,
    performer: Option<tokio::task::AbortHandle>,
}

impl Engine {
    /// Opens a house and starts its engine on the present tokio runtime. Matters that were running when an
    /// earlier engine ended are recorded as interrupted, but for rings where the options say that they run on;
    /// `Command::Resume` lets them go on.
    pub fn open(journal: Box<dyn Journal>, minds: Minds, options: Options) -> Result<Self, Fault> {
        let (house, head) = fold(&*journal.reader()?)?;
        if house.edition() > edition::CURRENT {
            return Err(Fault::Newer { edition: house.edition() });
        }
        let edition_before = house.edition();
        let runs_on = |case: &Case| options.rings_run_on && case.runs_by_itself();
        let running = house.cases().filter(|case| case.status() == Status::Running && !runs_on(case));
        let interrupted: Vec<MatterId> = running.map(|case| case.id).collect();

        let (orders, messages) = channel();
        let (effects, performing) = mpsc::unbounded_channel();
        let (acts, _) = broadcast::channel(1024);
        let shown = Arc::new(RwLock::new(house.clone()));
        let inbox = Inbox(orders);
        let performer = Performer::new(inbox.clone(), options.at_once);
        let performer = tokio::spawn(performer.run(performing)).abort_handle();
        let keeper = Keeper::new(journal, shown.clone(), minds, effects, acts.clone());
        let trouble = Arc::new(Trouble::default());
        let mut judge = Judge::new(house, head, keeper, trouble.clone());
        // Durable before anybody else can look or give an order: a running matter without an engine is none.
        let rest = |matter| Order::engine(Command::Pause { matter, why: Pause::Interrupted });
        // Then the clock, for whatever ran on: a turn that is over must not be taken late.
        let tick = options.rings_run_on.then(|| Order::engine(Command::Tick));
        // What follows is judged by the rules of this build, and the record says so first.
        let upgrade = (1..edition::CURRENT).contains(&edition_before);
        let upgrade = upgrade.then(|| Order::engine(Command::Upgrade { edition: edition::CURRENT }));
        judge.first(upgrade.into_iter().chain(interrupted.into_iter().map(rest)).chain(tick).collect())?;
        let own = inbox.clone();
        let thread = std::thread::Builder::new()
            .name("synod-judge".into())
            .spawn(move || judge.run(&messages, &own))
            .map_err(|_| Fault::Gone)?;
        Ok(Self { inbox, house: shown, acts, trouble, thread: Some(thread), performer: Some(performer) })
    }

    /// Gives an order and waits until what came of it is durable.
    pub async fn submit(&self, order: Order) -> Result<Done, Fault> {
        self.inbox.submit(order).await
    }

    /// Gives several orders and waits until all of them are durable. Each is judged for itself.
    pub async fn submit_all(&self, orders: Vec<Order>) -> Result<Vec<Result<Done, Fault>>, Fault> {
        if orders.is_empty() {
            return Ok(Vec::new());
        }
        let (reply, done) = oneshot::channel();
        let several = Several::new(orders.len(), reply);
        self.inbox.0.send(Message::Orders(orders, several)).map_err(|_| Fault::Gone)?;
        done.await.map_err(|_| Fault::Gone)
    }

    /// Takes the words of a matter that is over out of the record: declares it by an act of the operator, then
    /// replaces the bodies. Given again, it finishes what was declared and not carried out, also for other matters.
    pub async fn redact(&self, matter: MatterId) -> Result<Redacted, Fault> {
        let (reply, done) = oneshot::channel();
        self.inbox.0.send(Message::Redact(matter, reply)).map_err(|_| Fault::Gone)?;
        done.await.map_err(|_| Fault::Gone)?
    }

    /// Looks at the house. What is seen is durable.
    pub fn read<T>(&self, look: impl FnOnce(&House) -> T) -> T {
        look(&self.house.read().unwrap_or_else(PoisonError::into_inner))
    }

    /// The acts from a number on: those recorded, then those to come.
    pub async fn feed(&self, from: Seq) -> Result<Feed, Fault> {
        // Subscribed before reading, so that nothing falls between the two.
        let live = self.acts.subscribe();
        let (reply, reader) = oneshot::channel();
        self.inbox.0.send(Message::Reader(reply)).map_err(|_| Fault::Gone)?;
        let reader = reader.await.map_err(|_| Fault::Gone)??;
        Ok(Feed::new(from, live, reader, self.house.clone()))
    }

    /// Why the engine has ended by itself: the journal refused an answer, or is another's by now. Everything acknowledged is kept.
    pub fn trouble(&self) -> Fault {
        self.trouble.fault().unwrap_or(Fault::Gone)
    }

    /// Ends the engine and waits until the journal is let go.
    pub fn end(mut self) {
        self.finish();
    }

    fn finish(&mut self) {
        if let Some(performer) = self.performer.take() {
            performer.abort();
        }
        let _ = self.inbox.0.send(Message::End);
        if let Some(thread) = self.thread.take() {
            let _ = thread.join();
        }
    }
}

impl Drop for Engine {
    fn drop(&mut self) {
        self.finish();
    }
}
