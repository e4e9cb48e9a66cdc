//! The engine of one house: a thread that writes, and handles to talk to it.

use std::collections::VecDeque;
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::sync::{Arc, RwLock};
use std::thread::JoinHandle;
use std::time::Duration;

use synod_core::house::Desk;
use synod_core::kernel::{Actor, Key, MatterId, Seq};
use synod_core::matter::{Pause, Status};
use synod_core::{Act, Command, House};
use synod_journal::{Journal, Reader};
use tokio::sync::{broadcast, mpsc, oneshot};

use crate::clock::now;
use crate::perform::{Effect, Minds, Performer};
use crate::start::{Started, started};
use crate::writer::Writer;
use crate::Feed;

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

/// What became of one order of a batch.
#[derive(Debug)]
pub(crate) enum Verdict {
    Acted(Arc<Act>),
    Repeated(Seq),
    Nothing,
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
    /// The engine has ended.
    #[error("the engine of this house has ended")]
    Gone,
}

/// How an engine runs.
#[derive(Debug, Clone)]
pub struct Options {
    /// How many asks are performed at once.
    pub at_once: usize,
}

impl Default for Options {
    fn default() -> Self {
        Self { at_once: 64 }
    }
}

enum Message {
    Order(Order, Option<oneshot::Sender<Result<Done, Fault>>>),
    Reader(oneshot::Sender<Result<Box<dyn Reader>, Fault>>),
    End,
}

/// A handle on the inbox of an engine.
#[derive(Debug, Clone)]
pub(crate) struct Inbox(Sender<Message>);

impl Inbox {
    /// Gives an order and waits until it is durable.
    pub(crate) async fn submit(&self, order: Order) -> Result<Done, Fault> {
        let (reply, done) = oneshot::channel();
        self.0.send(Message::Order(order, Some(reply))).map_err(|_| Fault::Gone)?;
        done.await.map_err(|_| Fault::Gone)?
    }

    /// Gives an order nobody waits for.
    pub(crate) fn post(&self, order: Order) {
        // An engine that has ended needs no more orders.
        let _ = self.0.send(Message::Order(order, None));
    }
}

/// A running engine. Dropping it ends it; what was acknowledged stays.
#[derive(Debug)]
pub struct Engine {
    inbox: Inbox,
    house: Arc<RwLock<House>>,
    acts: broadcast::Sender<Arc<Act>>,
    thread: Option<JoinHandle<()>>,
    performer: Option<tokio::task::AbortHandle>,
}

impl Engine {
    /// Opens a house and starts its engine on the present tokio runtime. Matters that were running when an
    /// earlier engine ended are recorded as interrupted; `Command::Resume` lets them go on.
    pub fn open(journal: Box<dyn Journal>, minds: Minds, options: Options) -> Result<Self, Fault> {
        let mut writer = Writer::open(journal)?;
        let interrupted: Vec<MatterId> =
            writer.house().cases().filter(|case| case.status() == Status::Running).map(|case| case.id).collect();
        let pause = |matter| Order::engine(Command::Pause { matter, why: Pause::Interrupted });
        writer.commit(interrupted.into_iter().map(pause).collect())?;

        let (orders, inbox) = channel();
        let (effects, performing) = mpsc::unbounded_channel();
        let (acts, _) = broadcast::channel(1024);
        let house = writer.shared();
        let minds = Arc::new(minds);
        let performer = Performer::new(Inbox(orders.clone()), options.at_once);
        let performer = tokio::spawn(performer.run(performing)).abort_handle();
        let desk = Bench { writer, minds, effects, acts: acts.clone(), desk: Desk::default() };
        let thread = std::thread::Builder::new()
            .name("synod-writer".into())
            .spawn(move || desk.run(&inbox))
            .map_err(|_| Fault::Gone)?;
        let inbox = Inbox(orders);
        Ok(Self { inbox, house, acts, thread: Some(thread), performer: Some(performer) })
    }

    /// Gives an order and waits until what came of it is durable.
    pub async fn submit(&self, order: Order) -> Result<Done, Fault> {
        self.inbox.submit(order).await
    }

    /// Looks at the house. What is seen is durable.
    pub fn read<T>(&self, look: impl FnOnce(&House) -> T) -> T {
        look(&self.house.read().unwrap_or_else(std::sync::PoisonError::into_inner))
    }

    /// The acts from a number on: those recorded, then those to come.
    pub async fn feed(&self, from: Seq) -> Result<Feed, Fault> {
        // Subscribed before reading, so that nothing falls between the two.
        let live = self.acts.subscribe();
        let (reply, reader) = oneshot::channel();
        self.inbox.0.send(Message::Reader(reply)).map_err(|_| Fault::Gone)?;
        Ok(Feed::new(from, live, reader.await.map_err(|_| Fault::Gone)??))
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

/// How many orders are judged and appended in one go.
const BATCH: usize = 512;

/// What the writing thread works with.
struct Bench {
    writer: Writer,
    minds: Arc<Minds>,
    effects: mpsc::UnboundedSender<Effect>,
    acts: broadcast::Sender<Arc<Act>>,
    desk: Desk,
}

type Waiting = (Order, Option<oneshot::Sender<Result<Done, Fault>>>);

impl Bench {
    fn run(mut self, inbox: &Receiver<Message>) {
        let mut waiting: VecDeque<Waiting> = VecDeque::new();
        loop {
            let mut message = if waiting.is_empty() { Some(self.next(inbox)) } else { inbox.try_recv().ok() };
            // Whatever else has come meanwhile shares the same trip to the disk.
            while let Some(given) = message {
                match given {
                    Message::Order(order, reply) => waiting.push_back((order, reply)),
                    Message::Reader(reply) => drop(reply.send(self.writer.reader())),
                    Message::End => return,
                }
                message = if waiting.len() < BATCH { inbox.try_recv().ok() } else { None };
            }
            let size = waiting.len().min(BATCH);
            let answers = self.process(waiting.drain(..size).collect());
            waiting.extend(answers.into_iter().map(|order| (order, None)));
        }
    }

    /// The next message, or a tick when something is due before one comes.
    fn next(&self, inbox: &Receiver<Message>) -> Message {
        let due = self.writer.house().next_deadline();
        let Some(due) = due else { return inbox.recv().unwrap_or(Message::End) };
        let wait = Duration::from_millis(due.since(now()));
        match inbox.recv_timeout(wait) {
            Ok(message) => message,
            Err(RecvTimeoutError::Timeout) => Message::Order(Order::engine(Command::Tick), None),
            Err(RecvTimeoutError::Disconnected) => Message::End,
        }
    }

    /// Commits a batch, tells those who wait, and starts what follows. Returns answers that were had at once.
    fn process(&mut self, batch: Vec<Waiting>) -> Vec<Order> {
        let (orders, replies): (Vec<_>, Vec<_>) = batch.into_iter().unzip();
        match self.writer.commit(orders) {
            Err(fault) => {
                let said = fault.to_string();
                for reply in replies.into_iter().flatten() {
                    let _ = reply.send(Err(Fault::Append(said.clone())));
                }
                Vec::new()
            }
            Ok(verdicts) => {
                let mut acts = Vec::with_capacity(verdicts.len());
                for (verdict, reply) in verdicts.into_iter().zip(replies) {
                    self.tell(verdict, reply, &mut acts);
                }
                self.follow(&acts)
            }
        }
    }

    fn tell(&self, verdict: Verdict, reply: Option<oneshot::Sender<Result<Done, Fault>>>, acts: &mut Vec<Arc<Act>>) {
        let done = match verdict {
            Verdict::Acted(act) => {
                let _ = self.acts.send(act.clone()); // nobody may be listening
                acts.push(act.clone());
                Ok(Done { act, repeated: false })
            }
            Verdict::Repeated(seq) => self.writer.recall(seq),
            Verdict::Nothing => Err(Fault::Gone),
        };
        if let Some(reply) = reply {
            let _ = reply.send(done);
        }
    }

    /// Starts new asks and calls off closed ones.
    fn follow(&mut self, acts: &[Arc<Act>]) -> Vec<Order> {
        let Started { opened, closed } = started(acts);
        for ask in closed {
            let _ = self.effects.send(Effect::CallOff(ask));
        }
        let house = self.writer.house();
        let mut at_once = Vec::new();
        for ask in opened {
            if let Some(job) = crate::start::job(&house, &self.minds, ask, &mut self.desk) {
                match job.at_once() {
                    Some(order) => at_once.push(order),
                    None => drop(self.effects.send(Effect::Perform(Box::new(job)))),
                }
            }
        }
        at_once
    }
}
