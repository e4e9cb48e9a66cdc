//! Performing asks of seats: minds are asked, so many at once, and what they say comes back as commands. Nothing is
//! judged here; an answer that comes too late is refused by the house like any other.

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use synod_core::brief::Brief;
use synod_core::kernel::{Actor, AskId, Call, Cause, MatterId};
use synod_core::meter::Worst;
use synod_core::{Command, Outcome};
use synod_minds::{
    AskContext, CallEstimate, CallFailure, Granting, Mind, Pass, Permit, Reply, Sign, Toolbox,
};
use tokio::sync::{Semaphore, broadcast, mpsc};
use tokio::task::AbortHandle;

use crate::Order;
use crate::engine::Inbox;
use crate::first::{FirstCallFailure, FirstCalls, Trying};
use crate::signal::{AskProgress, Signal};
use crate::start::Closed;
use crate::tools::Kit;
use crate::world::{self, WorldJob};

/// The minds of a house, by what the seats' `backend` says.
pub type Minds = BTreeMap<String, Arc<dyn Mind>>;

/// What the writer wants done.
#[derive(Debug)]
pub(crate) enum Effect {
    /// Jobs that begin together.
    Perform(Vec<Job>),
    Deliver(Box<WorldJob>),
    CallOff(Closed),
}

/// One ask to perform.
#[derive(Debug)]
pub(crate) struct Job {
    pub(crate) ask: AskId,
    pub(crate) matter: MatterId,
    pub(crate) question: AskContext,
    pub(crate) brief: Brief,
    pub(crate) mind: Option<Arc<dyn Mind>>,
    pub(crate) spec: String,
    /// Whether the matter has a budget that may refuse a call.
    pub(crate) limited: bool,
    /// Whether the answer is a vote that is sealed.
    pub(crate) sealed: bool,
    /// The tools that may be used for it.
    pub(crate) kit: Option<Kit>,
}

impl Job {
    /// The answer of a mind that needs no waiting.
    pub(crate) fn at_once(&self) -> Option<Order> {
        let Some(mind) = &self.mind else { return Some(self.order(Err(self.unknown()), 0, false)) };
        mind.at_once(&self.question, &self.brief).map(|result| self.order(result, 0, false))
    }

    fn unknown(&self) -> CallFailure {
        let cause =
            Cause::lasting("backend/unknown", format!("no backend is configured for `{}`", self.spec));
        CallFailure { cause, usage: Default::default(), retries: Vec::new() }
    }

    /// What to tell the house.
    fn order(&self, result: Result<Reply, CallFailure>, took_ms: u64, halts: bool) -> Order {
        let brief = Some(self.brief.digest());
        let evidence = self.kit.as_ref().map(Kit::evidence).unwrap_or_default();
        match result {
            Ok(reply) => {
                let Reply { text, model, usage, retries } = reply;
                let usage = usage.capped();
                let call = Box::new(Call { brief, evidence, model, retries, usage, took_ms });
                let by = Actor::Seat(self.question.seat.clone());
                let salt = self.sealed.then(salt);
                let command = Command::Answer { ask: self.ask, text, call, salt };
                Order { by, key: None, command, vouched: None }
            }
            Err(CallFailure { cause, usage, retries }) => {
                let usage = usage.capped();
                let call = Box::new(Call { brief, evidence, model: None, retries, usage, took_ms });
                match halts {
                    true => Order::engine(Command::Halt { ask: self.ask, cause, call }),
                    false => Order::engine(Command::Fail { ask: self.ask, cause, call }),
                }
            }
        }
    }
}

/// A salt nobody can guess, as hex. Without randomness there is none, and the house refuses the vote.
pub(crate) fn salt() -> String {
    thread_local! {
        /// Each is given once. Drawing many costs the system hardly more than drawing one.
        static DRAWN: RefCell<Vec<u128>> = const { RefCell::new(Vec::new()) };
    }
    DRAWN.with_borrow_mut(|drawn| {
        if drawn.is_empty() {
            let mut bytes = [0; 16 * 32];
            if getrandom::fill(&mut bytes).is_ok() {
                drawn.extend(bytes.as_chunks().0.iter().copied().map(u128::from_be_bytes));
            }
        }
        drawn.pop().map_or_else(String::new, |salt| format!("{salt:032x}"))
    })
}

/// A call that ends within this time needs no beginning on the record, unless a budget is drawn on.
const BRIEF_CALL: Duration = Duration::from_millis(20);

/// Leave to call: each call is put before the house. Where a budget may refuse it, the call waits until the
/// reservation is durable. Where nothing can, the beginning is put down once the call is no brief one: it
/// starts the turn's clock, and after a crash it tells of a call whose end is unknown.
struct CallPermission<'a> {
    ask: AskId,
    limited: bool,
    /// Beginnings held back while the call may be a brief one; `None` once it is not.
    held: Mutex<Option<Vec<Order>>>,
    inbox: &'a Inbox,
    /// The calls that may be under way in this process.
    places: &'a Arc<Semaphore>,
    /// How long this seat may take at least.
    patience_ms: Option<u64>,
    kit: Option<&'a Kit>,
    trying: &'a Trying,
    signals: Signaller<'a>,
}

/// Tells whoever looks how one ask is getting on.
#[derive(Clone, Copy)]
struct Signaller<'a> {
    job: &'a Job,
    to: &'a broadcast::Sender<Signal>,
}

impl Signaller<'_> {
    fn tell(&self, live: AskProgress) {
        // Nobody looking is the usual case.
        if self.to.receiver_count() > 0 {
            let (ask, matter, who) = (self.job.ask, self.job.matter, self.job.question.seat.clone());
            let _ = self.to.send(Signal { ask, matter, who, live });
        }
    }
}

impl CallPermission<'_> {
    fn note(&self, order: Order) {
        match &mut *self.held.lock().unwrap_or_else(PoisonError::into_inner) {
            Some(held) => held.push(order),
            None => self.inbox.post(order),
        }
    }

    /// The call is no brief one: what was held back is put down, and what follows at once.
    fn release(&self) {
        let held = self.held.lock().unwrap_or_else(PoisonError::into_inner).take();
        held.into_iter().flatten().for_each(|order| self.inbox.post(order));
    }
}

impl Pass for CallPermission<'_> {
    fn note(&self, sign: Sign) {
        match sign {
            Sign::Sent => (),
            Sign::Accepted => self.trying.proved(),
            Sign::Retrying { cause, wait_ms } => {
                self.trying.release();
                self.signals.tell(AskProgress::Retrying { cause, wait_ms });
            }
            Sign::Writing { tokens, line } => self.signals.tell(AskProgress::Writing { tokens, line }),
            Sign::Tool { name } => self.signals.tell(AskProgress::Tool { name }),
        }
    }

    fn toolbox(&self) -> Option<&dyn Toolbox> {
        self.kit.map(|kit| kit as &dyn Toolbox)
    }

    fn begin<'a>(&'a self, estimate: CallEstimate) -> Granting<'a> {
        Box::pin(async move {
            // Taken after the provider's own turn, so that whoever waits for a slow one holds up nobody else, and before
            // the turn's clock starts.
            let place = self.places.clone().acquire_owned().await;
            let permit = place.map_or_else(|_| Permit::default(), Permit::new);
            let tokens = estimate.tokens_in.saturating_add(estimate.tokens_out_most);
            let worst = Worst { tokens, cost: estimate.cost_most };
            let patience_ms = self.patience_ms;
            let order = Order::engine(Command::Begin { ask: self.ask, patience_ms, worst });
            if !self.limited {
                self.note(order);
                return Ok(permit);
            }
            let done = self.inbox.submit_own(order).await;
            match done {
                // The engine ends, and says why. A fault of ours never speaks for a seat: the ask stays open.
                Err(_) => std::future::pending().await,
                Ok(done) => match &done.act.outcome {
                    Outcome::Done(_) => Ok(permit),
                    // Asking again would meet the same empty purse.
                    Outcome::Refused { code, message } if code.starts_with("budget/") => {
                        Err(Cause::lasting(code, message.clone()))
                    }
                    Outcome::Refused { code, message } => Err(Cause::passing(code, message.clone())),
                },
            }
        })
    }
}

/// Runs the jobs.
pub(crate) struct Performer {
    inbox: Inbox,
    places: Arc<Semaphore>,
    first: FirstCalls,
    signals: broadcast::Sender<Signal>,
    under_way: UnderWay,
}

/// Jobs that are not done, each with its matter.
type UnderWay = Arc<Mutex<BTreeMap<AskId, (MatterId, AbortHandle)>>>;

impl Performer {
    pub(crate) fn new(
        inbox: Inbox,
        at_once: usize,
        first: FirstCalls,
        signals: broadcast::Sender<Signal>,
    ) -> Self {
        let places = Arc::new(Semaphore::new(at_once.max(1)));
        Self { inbox, places, first, signals, under_way: UnderWay::default() }
    }

    fn under_way(&self) -> MutexGuard<'_, BTreeMap<AskId, (MatterId, AbortHandle)>> {
        self.under_way.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub(crate) async fn run(self, mut effects: mpsc::UnboundedReceiver<Effect>) {
        while let Some(effect) = effects.recv().await {
            match effect {
                Effect::Perform(jobs) => {
                    // All parts are given out before anybody begins.
                    let jobs: Vec<(Job, Trying)> = jobs
                        .into_iter()
                        .map(|job| {
                            let part = self.part(&job);
                            (job, part)
                        })
                        .collect();
                    for (job, trying) in jobs {
                        let (inbox, places) = (self.inbox.clone(), self.places.clone());
                        let signals = self.signals.clone();
                        self.start(job.ask, job.matter, perform(job, inbox, places, trying, signals));
                    }
                }
                Effect::Deliver(job) => {
                    self.start(job.ask, job.matter, world::perform(*job, self.inbox.clone()));
                }
                Effect::CallOff(Closed::Ask(ask)) => {
                    if let Some((_, handle)) = self.under_way().remove(&ask) {
                        handle.abort();
                    }
                }
                Effect::CallOff(Closed::Matter(matter)) => self.under_way().retain(|_, (of, handle)| {
                    if *of == matter {
                        handle.abort();
                    }
                    *of != matter
                }),
            }
        }
    }

    /// The part of a job in finding out which models can be used.
    fn part(&self, job: &Job) -> Trying {
        let mind = job.mind.as_deref();
        let paid = mind.is_some_and(|mind| mind.face().metered);
        self.first.enter(job.matter, mind.and_then(Mind::account), paid)
    }

    fn start(&self, ask: AskId, matter: MatterId, work: impl Future<Output = ()> + Send + 'static) {
        let done = self.under_way.clone();
        // Held until the job is noted, so that it cannot be done before.
        let mut under_way = self.under_way();
        let task = tokio::spawn(async move {
            work.await;
            done.lock().unwrap_or_else(PoisonError::into_inner).remove(&ask);
        });
        if let Some((_, earlier)) = under_way.insert(ask, (matter, task.abort_handle())) {
            earlier.abort();
        }
    }
}

impl Drop for Performer {
    fn drop(&mut self) {
        for (_, handle) in self.under_way().values() {
            handle.abort();
        }
    }
}

/// Tells the house when a job breaks down: a bug of ours must not look like a silent seat, so the matter rests.
struct BreakdownWatch {
    ask: AskId,
    inbox: Inbox,
}

impl Drop for BreakdownWatch {
    fn drop(&mut self) {
        if std::thread::panicking() {
            let cause = Cause::passing(
                "engine/panicked",
                "asking this seat broke down inside Synod; please report it",
            );
            self.inbox.post(Order::engine(Command::Halt { ask: self.ask, cause, call: Box::default() }));
        }
    }
}

async fn perform(
    job: Job,
    inbox: Inbox,
    places: Arc<Semaphore>,
    mut trying: Trying,
    signals: broadcast::Sender<Signal>,
) {
    let _watch = BreakdownWatch { ask: job.ask, inbox: inbox.clone() };
    let Some(mind) = &job.mind else { return };
    trying.cleared().await;
    let signals = Signaller { job: &job, to: &signals };
    signals.tell(AskProgress::Started);
    let begun = Instant::now();
    let result = ask(&job, &**mind, &inbox, &places, &trying, signals).await;
    let took_ms = begun.elapsed().as_millis() as u64;
    let halts = match &result {
        Ok(_) => {
            signals.tell(AskProgress::Answered);
            trying.proved();
            FirstCallFailure::Not
        }
        Err(failure) => {
            signals.tell(AskProgress::Failed { cause: failure.cause.clone() });
            trying.refused(&failure.cause).await
        }
    };
    // Posted before the part in the first calls ends: who waits for this one finds its answer ahead of its own.
    match halts {
        FirstCallFailure::Known => (),
        FirstCallFailure::Not | FirstCallFailure::Halts => {
            inbox.post(job.order(result, took_ms, halts == FirstCallFailure::Halts))
        }
    }
}

/// Asks a mind, and puts down that it was begun once it is no brief call.
async fn ask(
    job: &Job,
    mind: &dyn Mind,
    inbox: &Inbox,
    places: &Arc<Semaphore>,
    trying: &Trying,
    signals: Signaller<'_>,
) -> Result<Reply, CallFailure> {
    let leave = CallPermission {
        ask: job.ask,
        limited: job.limited,
        held: Mutex::new(Some(Vec::new())),
        inbox,
        places,
        patience_ms: mind.patience_ms(),
        kit: job.kit.as_ref(),
        trying,
        signals,
    };
    let mut asking = std::pin::pin!(mind.ask(&job.question, &job.brief, &leave));
    match tokio::time::timeout(BRIEF_CALL, &mut asking).await {
        Ok(result) => result,
        Err(_) => {
            leave.release();
            asking.await
        }
    }
}
