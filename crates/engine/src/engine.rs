//! The engine of one house: the handle others talk to.

use std::path::Path;
use std::sync::mpsc::{Receiver, Sender, channel};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, RwLock};
use std::thread::JoinHandle;
use std::time::Duration;

use serde::{Deserialize, Serialize};
use synod_core::event::TimeAdjusted;
use synod_core::house::Case;
use synod_core::kernel::{About, Actor, AskChange, AskId, Key, MatterId, SeatKind, Seq};
use synod_core::matter::{Pause, Status};
use synod_core::{Act, Command, Event, House, SeenRecord, Vouched, edition};
use synod_journal::{HouseKey, Journal, JournalReader, LockHolder, Stall, mark};
use synod_minds::Fetcher;
use tokio::sync::{broadcast, mpsc, oneshot, watch};

use crate::Feed;
use crate::Root;
use crate::archive::Archive;
use crate::claims::{Claims, ME, announce};
use crate::clock::HouseClock;
use crate::first::FirstCalls;
use crate::guest::{Entered, Entrance, Guest, token};
use crate::host::{Host, await_absent};
use crate::judge::Judge;
use crate::keeper::{Batch, Keeper, Several, Waiter};
use crate::link::Link;
use crate::perform::{Effect, Minds, Performer};
use crate::signal::Signal;
use crate::snapshot::{Opened, Saver, SnapshotPlace, open};
use crate::start::Work;
use crate::tools::ToolSources;
use crate::tree::Promise;
use crate::trouble::Trouble;
use crate::world::Performers;

/// A command with who gives it.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct Order {
    /// Who.
    pub by: Actor,
    /// The idempotency key.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub key: Option<Key>,
    /// What.
    #[serde(with = "crate::link::command_text")]
    pub command: Command,
    /// Who vouched that it is theirs.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub vouched: Option<Vouched>,
}

impl Order {
    /// An order of the operator.
    pub fn operator(command: Command) -> Self {
        Self { by: Actor::Operator, key: None, command, vouched: None }
    }

    /// An order of the engine itself.
    pub(crate) fn engine(command: Command) -> Self {
        Self { by: Actor::Engine, key: None, command, vouched: None }
    }
}

/// An order whose act is durable. Whether the rules refused it stands in the act's outcome.
#[derive(Debug, Clone)]
pub struct CommittedOrder {
    /// The act.
    pub act: Arc<Act>,
    /// It was given before under the same key; nothing happened now.
    pub repeated: bool,
    /// What to hold against the house later. None where the journal lies in no directory.
    pub promise: Option<Promise>,
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
    /// The batch an order was in could not be appended. Nothing of it happened, and nobody is charged for the time until
    /// the journal can be written again.
    #[error("the journal could not be written: {0}")]
    Append(String),
    /// The same, because another writer has opened the house since. The engine ends.
    #[error("{0}")]
    Fenced(String),
    /// The house is judged by an edition of the rules that this build does not know.
    #[error(
        "this house is judged by edition {edition} of the rules, and this build knows {}: upgrade synod to write to it",
        edition::words(*edition::KNOWN.start(), *edition::KNOWN.end())
    )]
    Newer {
        /// The edition.
        edition: u32,
    },
    /// A matter that left memory does not come back as it was known: the snapshot of the house is not of its journal.
    #[error(
        "matter {matter} does not come back from its acts as it was: delete the file `snapshot` of the house, and run `synod verify`"
    )]
    Unlike {
        /// The matter.
        matter: MatterId,
    },
    /// The engine has ended.
    #[error("the engine of this house has ended")]
    Gone,
}

/// The options that an engine runs with.
#[derive(Debug, Clone)]
pub struct EngineOptions {
    /// How many calls are under way at once in this process, whatever their providers allow.
    pub at_once: usize,
    /// Rings are not interrupted by the end of an engine. Nobody performs anything for them: time simply passes,
    /// and what is overdue when an engine opens lapses before it takes any order. For engines that live for one
    /// command; one that is meant to stay should interrupt, so that nobody is late because it was away. Rings that a
    /// service left behind are resumed first: while it was down their participants could not come.
    pub rings_run_on: bool,
    /// Processes that had joined the last holder of the house are about to join this one (see [`crate::guests_wait`]):
    /// what runs is kept for them for a moment before it is interrupted.
    pub guests_wait: bool,
    /// Where this process reads files for seats that ask to see them. Without it such asks are left to another process, and
    /// lapse if there is none.
    pub sources: Option<Arc<Root>>,
    /// Whether seats that comment on issues may look into those files as well. A debate is opened with the permission; an issue
    /// is there before anybody is asked, so the process says it.
    pub issues_read: bool,
    /// Where this process reads files that comments cite. Without it such comments wait for another process.
    pub evidence: Option<Arc<Root>>,
    /// From where this process fetches pages for seats whose models can use tools.
    pub pages: Option<Arc<Fetcher>>,
    /// Whether seats may use tools at all.
    pub tools: bool,
    /// A seat whose key or model is refused is missing, and its matter goes on. Else the matter halts before others are
    /// paid.
    pub go_on: bool,
    /// How long the journal may refuse to be written before the engine ends: what was acknowledged is kept, and what runs is
    /// resumed later. None: for ever.
    pub write_patience: Option<Duration>,
    /// The key of this user that snapshots are signed with. Without it none is used and none is written.
    pub snapshots: Option<Arc<HouseKey>>,
    /// Whether a tree over the acts is kept, for checkpoints and acknowledgements. Without it nothing is signed; for measuring what it
    /// costs.
    pub tree: bool,
}

impl Default for EngineOptions {
    fn default() -> Self {
        // Enough for the largest council on several providers, and well below the files a process may open.
        Self {
            at_once: 256,
            rings_run_on: false,
            guests_wait: false,
            sources: None,
            issues_read: false,
            evidence: None,
            pages: None,
            tools: true,
            go_on: false,
            write_patience: Some(Duration::from_secs(30)),
            snapshots: None,
            tree: true,
        }
    }
}

/// A message to the judge.
pub(crate) enum JudgeMessage {
    /// An order, and who waits for it.
    Order(Box<Order>, Waiter),
    /// Several orders, waited for together.
    Orders(Vec<Order>, Arc<Several>),
    /// Somebody wants to read the journal.
    Reader(oneshot::Sender<Result<Box<dyn JournalReader>, Fault>>),
    /// The words of a matter shall go.
    Redact(MatterId, oneshot::Sender<Result<Redacted, Fault>>),
    /// The engine ends.
    End,
}

/// A handle on the inbox of an engine.
#[derive(Debug, Clone)]
pub(crate) struct Inbox(pub(crate) Sender<JudgeMessage>);

impl Inbox {
    /// Gives an order and waits until it is durable.
    pub(crate) async fn submit(&self, order: Order) -> Result<CommittedOrder, Fault> {
        let (reply, done) = oneshot::channel();
        self.0.send(JudgeMessage::Order(Box::new(order), Waiter::One(reply))).map_err(|_| Fault::Gone)?;
        done.await.map_err(|_| Fault::Gone)?
    }

    /// The same for an order of our own, which waits until the journal can be written.
    pub(crate) async fn submit_own(&self, order: Order) -> Result<CommittedOrder, Fault> {
        let (reply, done) = oneshot::channel();
        self.0.send(JudgeMessage::Order(Box::new(order), Waiter::Own(reply))).map_err(|_| Fault::Gone)?;
        done.await.map_err(|_| Fault::Gone)?
    }

    /// Gives an order nobody waits for.
    pub(crate) fn post(&self, order: Order) {
        // An engine that has ended needs no more orders.
        let _ = self.0.send(JudgeMessage::Order(Box::new(order), Waiter::Nobody));
    }
}

/// A running engine. Dropping it ends it; what was acknowledged stays.
#[derive(Debug)]
pub struct Engine {
    inbox: Inbox,
    house: Arc<RwLock<House>>,
    /// For matters that left memory.
    archive: Arc<Archive>,
    acts: broadcast::Sender<Batch>,
    minds: Arc<RwLock<Minds>>,
    claims: Arc<Mutex<Claims>>,
    trouble: Arc<Trouble>,
    sources: Option<Arc<Root>>,
    signals: broadcast::Sender<Signal>,
    /// What lets other processes in, where this one holds the house and does.
    host: Arc<Mutex<Option<Host>>>,
    thread: Option<JoinHandle<()>>,
    performer: Option<tokio::task::AbortHandle>,
}

/// The loose parts of an engine that is about to start.
struct EngineParts {
    engine: Engine,
    messages: Receiver<JudgeMessage>,
    work: Work,
}

impl Engine {
    /// Opens a house and starts its engine on the present tokio runtime. Matters that were running when an
    /// earlier engine ended are recorded as interrupted, but for rings where the options say that they run on;
    /// `Command::Resume` lets them go on.
    pub fn open(journal: Box<dyn Journal>, minds: Minds, options: EngineOptions) -> Result<Self, Fault> {
        let Opened { house, head, snapshot } =
            open(&*journal.reader()?, SnapshotPlace::of(journal.dir(), options.snapshots.as_deref()))?;
        if house.edition() > edition::CURRENT {
            return Err(Fault::Newer { edition: house.edition() });
        }
        let EngineParts { mut engine, messages, mut work } =
            Self::parts(house.clone(), Archive::of(&*journal)?, minds, Claims::default(), &options);
        work.take_up(&house);
        let saver = Saver::new(journal.dir(), options.snapshots.clone(), snapshot);
        let service_died = journal.left_by().is_some_and(|holder| holder.service.is_some());
        let clock = HouseClock::of(&house, journal.mark());
        let reader = journal.reader()?;
        let resumed_last = move |case: &Case| is_resumption(&*reader, case.last_act());
        let stalled = stall_left(&*journal, &house);
        let (shown, acts, trouble) = (engine.house.clone(), engine.acts.clone(), engine.trouble.clone());
        let keeper = Keeper::new(journal, shown, work, acts, saver, trouble);
        let keeper = if options.tree { keeper } else { keeper.without_tree() };
        let mut judge =
            Judge::new(house, head, keeper, engine.archive.clone(), clock, options.write_patience);
        // Durable before anybody else can look or give an order: a running matter without an engine is none.
        let (first, stands) = {
            let mut claims = engine.claims.lock().unwrap_or_else(PoisonError::into_inner);
            engine.read(|house| first_orders(house, &options, service_died, &mut claims, &resumed_last))
        };
        if stands {
            judge.clock.take_out(engine.read(House::now));
        }
        let first = stalled.into_iter().chain(first).collect();
        judge.first(first)?.into_iter().for_each(|order| engine.inbox.post(order));
        await_absent(&engine.inbox, &engine.house, &engine.claims);
        let own = engine.inbox.clone();
        engine.thread = Some(start_thread("synod-judge", move || judge.run(&messages, &own))?);
        Ok(engine)
    }

    /// Comes into the house in `dir`: holds it, or joins the process that holds it and lets others in. One that has
    /// joined performs its own matters here, gives its orders to the one that holds the house, and takes the house
    /// over when that one is gone. Tries once; `Fault::Journal` with `Error::Held` says that neither is possible now.
    pub fn enter(dir: &Path, who: &LockHolder, minds: Minds, options: EngineOptions) -> Result<Self, Fault> {
        let entrance = Entrance::new(dir, who, options.clone());
        match entrance.enter()? {
            Entered::Holds(journal) => {
                let options = EngineOptions { guests_wait: entrance.guests_wait(), ..options };
                Self::open(journal, minds, options)
            }
            Entered::Joins(link) => Self::join(entrance, link, minds),
        }
    }

    fn join(entrance: Entrance, link: Link, minds: Minds) -> Result<Self, Fault> {
        let reader = entrance.reader()?;
        let place = SnapshotPlace::of(Some(entrance.dir()), entrance.options.snapshots.as_deref());
        let Opened { house, head, .. } = open(&*reader, place)?;
        let archive = Archive::at(entrance.dir());
        let EngineParts { mut engine, messages, work } =
            Self::parts(house, archive, minds, Claims::of_guest(), &entrance.options);
        let guest = Guest {
            present: entrance.be_present(),
            run: format!("guest/{}/", token()),
            entrance,
            link,
            reader,
            head,
            work,
            house: engine.house.clone(),
            archive: engine.archive.clone(),
            acts: engine.acts.clone(),
            claims: engine.claims.clone(),
            trouble: engine.trouble.clone(),
            host: engine.host.clone(),
            own: engine.inbox.clone(),
        };
        engine.thread = Some(start_thread("synod-guest", move || guest.run(&messages))?);
        Ok(engine)
    }

    fn parts(
        house: House,
        archive: Archive,
        minds: Minds,
        claims: Claims,
        options: &EngineOptions,
    ) -> EngineParts {
        let (orders, messages) = channel();
        let (effects, performing): (_, mpsc::UnboundedReceiver<Effect>) = mpsc::unbounded_channel();
        let (acts, _) = broadcast::channel(1024);
        let (minds, claims) = (Arc::new(RwLock::new(minds)), Arc::new(Mutex::new(claims)));
        let inbox = Inbox(orders);
        let (signals, _) = broadcast::channel(1024);
        let first = FirstCalls::new(options.go_on);
        let performer = Performer::new(inbox.clone(), options.at_once, first, signals.clone());
        let performer = tokio::spawn(performer.run(performing)).abort_handle();
        let files = options.sources.clone().filter(|_| options.tools);
        let pages = options.pages.clone().filter(|_| options.tools);
        let tools = ToolSources { files, issues: options.issues_read, lists: false, pages };
        let (sources, evidence) = (options.sources.clone(), options.evidence.clone());
        let performers = Performers { sources, evidence, tools };
        let work = Work::new(minds.clone(), performers, claims.clone(), effects);
        let engine = Self {
            inbox,
            house: Arc::new(RwLock::new(house)),
            archive: Arc::new(archive),
            acts,
            minds,
            claims,
            trouble: Arc::default(),
            sources: options.sources.clone(),
            signals,
            host: Arc::default(),
            thread: None,
            performer: Some(performer),
        };
        EngineParts { engine, messages, work }
    }

    /// Adds minds, and puts those in the place of others that have the same name. Asks that are under way go on with
    /// the minds they began with.
    pub fn add_minds(&self, minds: Minds) {
        self.minds.write().unwrap_or_else(PoisonError::into_inner).extend(minds);
    }

    /// How asks that this process performs are getting on, from now on. See [`Signal`].
    pub fn signals(&self) -> broadcast::Receiver<Signal> {
        self.signals.subscribe()
    }

    /// Where this process reads files for seats that ask to see them.
    pub fn sources(&self) -> Option<&Arc<Root>> {
        self.sources.as_ref()
    }

    /// Lets other processes of the same user join this one. Does nothing in an engine that has joined another itself.
    pub fn let_others_in(&self, dir: &Path) -> std::io::Result<()> {
        if self.is_guest() {
            return Ok(());
        }
        let host = Host::start(dir, &self.inbox, &self.house, &self.claims)?;
        *self.host() = Some(host);
        Ok(())
    }

    /// Whether another process holds the house, and this one has joined it.
    pub fn is_guest(&self) -> bool {
        self.claims.lock().unwrap_or_else(PoisonError::into_inner).is_guest()
    }

    fn host(&self) -> MutexGuard<'_, Option<Host>> {
        self.host.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Gives an order and waits until what came of it is durable.
    pub async fn submit(&self, order: Order) -> Result<CommittedOrder, Fault> {
        self.announce(&order);
        self.inbox.submit(order).await
    }

    /// What comes of an order of this process is this process's to perform, also where a guest gives the same one.
    fn announce(&self, order: &Order) {
        if let Some(key) = order.key.as_ref().filter(|_| !self.is_guest()) {
            announce(&self.claims, &self.house, key, ME);
        }
    }

    /// Gives several orders and waits until all of them are durable. Each is judged for itself.
    pub async fn submit_all(&self, orders: Vec<Order>) -> Result<Vec<Result<CommittedOrder, Fault>>, Fault> {
        if orders.is_empty() {
            return Ok(Vec::new());
        }
        orders.iter().for_each(|order| self.announce(order));
        let (reply, done) = oneshot::channel();
        let several = Several::new(orders.len(), reply);
        self.inbox.0.send(JudgeMessage::Orders(orders, several)).map_err(|_| Fault::Gone)?;
        done.await.map_err(|_| Fault::Gone)
    }

    /// Takes the words of a matter that is over out of the record: declares it by an act of the operator, then
    /// replaces the bodies. Given again, it finishes what was declared and not carried out, also for other matters.
    pub async fn redact(&self, matter: MatterId) -> Result<Redacted, Fault> {
        let (reply, done) = oneshot::channel();
        self.inbox.0.send(JudgeMessage::Redact(matter, reply)).map_err(|_| Fault::Gone)?;
        done.await.map_err(|_| Fault::Gone)?
    }

    /// Looks at the house with these matters in it, also where they left memory. What is seen is durable.
    pub fn read_with<T>(
        &self,
        matters: impl IntoIterator<Item = MatterId>,
        look: impl FnOnce(&House) -> T,
    ) -> Result<T, Fault> {
        let shown = self.house.read().unwrap_or_else(PoisonError::into_inner);
        let away: Vec<MatterId> = matters.into_iter().filter(|matter| shown.is_away(*matter)).collect();
        if away.is_empty() {
            return Ok(look(&shown));
        }
        let mut house = shown.clone();
        drop(shown); // nobody waits for us while the journal is read
        self.archive.bring(&mut house, away)?;
        Ok(look(&house))
    }

    /// Looks at the house. What is seen is durable. Settled matters may have left it, see [`Engine::read_with`].
    pub fn read<T>(&self, look: impl FnOnce(&House) -> T) -> T {
        look(&self.house.read().unwrap_or_else(PoisonError::into_inner))
    }

    /// The record of an act, for somebody who signs what they do after it; none if there is no such act.
    pub fn record_of(&self, act: Seq) -> Result<Option<SeenRecord>, Fault> {
        Ok(self.archive.hash_of(act)?.map(|hash| SeenRecord { act, hash }))
    }

    /// The newest record that is durable.
    pub fn newest_record(&self) -> Result<SeenRecord, Fault> {
        let newest = self.read(House::seq);
        self.record_of(newest)?.ok_or(Fault::Gone)
    }

    /// The acts from a number on: those recorded, then those to come.
    pub async fn feed(&self, from: Seq) -> Result<Feed, Fault> {
        // Subscribed before reading, so that nothing falls between the two.
        let live = self.acts.subscribe();
        let (reply, reader) = oneshot::channel();
        self.inbox.0.send(JudgeMessage::Reader(reply)).map_err(|_| Fault::Gone)?;
        let reader = reader.await.map_err(|_| Fault::Gone)??;
        Ok(Feed::new(from, live, reader, self.house.clone()))
    }

    /// The act that closes an ask, whatever came of it. `opened` is the act that opened it.
    pub async fn closing(&self, ask: AskId, opened: &Act) -> Result<Arc<Act>, Fault> {
        let matter = opened.events().get(usize::from(ask.0.nth)).and_then(|event| match event.about() {
            About::Matter(matter) => Some(matter),
            About::House | About::Ask(_) => None,
        });
        let mut feed = self.feed(opened.seq.next()).await?;
        while let Some(act) = feed.next().await? {
            let closes = |event: &Event| match event.ask() {
                AskChange::Answers(other) | AskChange::Lapses(other) => other == ask,
                AskChange::Interrupts(other) => Some(other) == matter,
                AskChange::None | AskChange::Opens | AskChange::Renews(_) => false,
            };
            if act.events().iter().any(closes) {
                return Ok(act);
            }
        }
        Err(self.trouble())
    }

    /// Why the engine has ended by itself: the journal refused an answer, or is another's by now. Everything acknowledged is kept.
    pub fn trouble(&self) -> Fault {
        self.trouble.fault().unwrap_or(Fault::Gone)
    }

    /// Whether the journal cannot be written now, and why; and every change of that. Matters stand still meanwhile, nobody
    /// is charged for the time, and they go on by themselves when it can be.
    pub fn stall(&self) -> watch::Receiver<Option<Stall>> {
        self.trouble.stall()
    }

    /// Whether it takes orders: it has not ended by itself.
    pub fn is_running(&self) -> bool {
        self.trouble.fault().is_none()
    }

    /// Ends the engine and waits until the journal is let go.
    pub fn end(mut self) {
        self.finish();
    }

    /// Interrupts the rings that run, for an engine that served them and is about to end: their participants cannot
    /// come while it is away, and the record says from when on.
    pub async fn interrupt_rings(&self) -> Result<(), Fault> {
        let running = |case: &&Case| {
            is_outside(case) && !case.charter.is_timeless() && case.status() == Status::Running
        };
        let rings: Vec<MatterId> =
            self.read(|house| house.cases().filter(running).map(|case| case.id).collect());
        for matter in rings {
            self.submit(Order::engine(Command::Pause { matter, why: Pause::Interrupted })).await?;
        }
        Ok(())
    }

    fn finish(&mut self) {
        if let Some(performer) = self.performer.take() {
            performer.abort();
        }
        // Nobody new comes in while the house is let go of; whoever is in learns of it when it is free to take.
        let host = self.host().take().map(Host::close);
        let _ = self.inbox.0.send(JudgeMessage::End);
        if let Some(thread) = self.thread.take() {
            let _ = thread.join();
        }
        // One that was a guest until now may have begun to let others in.
        let late = self.host().take().map(Host::close);
        drop((host, late));
    }
}

/// What an engine that has just opened a house does before anything else: interrupts what nobody performs any more, and
/// looks at the clock for what ran on: a turn that is over must not be taken late. What this process performed as a guest
/// it performs still, and what other guests perform is kept for them. Rings that a service ran are resumed with full time:
/// nobody is charged for the time it was down. One in which nothing happened since it was last resumed is not interrupted again:
/// a service that crashes at every start would fill the disk. The time of the house has to stand still for it instead, which
/// is what the second value says.
pub(crate) fn first_orders(
    house: &House,
    options: &EngineOptions,
    service_died: bool,
    claims: &mut Claims,
    resumed_last: &dyn Fn(&Case) -> bool,
) -> (Vec<Order>, bool) {
    let mut stands = false;
    let running =
        house.cases().filter(|case| case.status() == Status::Running && !case.charter.is_timeless());
    let (mut kept, mut left) = (Vec::new(), Vec::new());
    let own = claims.own();
    for case in running.filter(|case| !own.contains(&case.id)) {
        match (!is_outside(case), options) {
            (true, EngineOptions { guests_wait: true, .. }) => kept.push(case.id),
            (false, EngineOptions { rings_run_on: true, .. }) if !service_died => (),
            (false, EngineOptions { rings_run_on: false, .. }) if resumed_last(case) => stands = true,
            (true, EngineOptions { guests_wait: false, .. }) | (false, EngineOptions { .. }) => {
                left.push(case.id);
            }
        }
    }
    claims.hold(kept);
    let rest = |matter| Order::engine(Command::Pause { matter, why: Pause::Interrupted });
    let tick = options.rings_run_on.then(|| Order::engine(Command::Tick));
    let again = rings_to_resume(house, options, &left);
    let again = again.into_iter().map(|matter| Order::engine(Command::Resume { matter }));
    // What follows is judged by the rules of this build, and the record says so first.
    let upgrade = (1..edition::CURRENT).contains(&house.edition());
    let upgrade = upgrade.then(|| Order::engine(Command::Upgrade { edition: edition::CURRENT }));
    (upgrade.into_iter().chain(left.into_iter().map(rest)).chain(again).chain(tick).collect(), stands)
}

/// Whether an act let a matter go on.
pub(crate) fn is_resumption(reader: &dyn JournalReader, act: Seq) -> bool {
    let record = reader.read(act, 1).ok().and_then(|records| records.into_iter().next());
    let body = record.and_then(|record| serde_json::from_str::<serde_json::Value>(&record.body).ok());
    body.is_some_and(|body| body["command"].get("resume").is_some())
}

/// Puts down why the last engine could not go on, where it ended because it could not write.
pub(crate) fn stall_left(journal: &dyn Journal, house: &House) -> Option<Order> {
    house.founded()?;
    let stall = mark::stalled(journal.dir()?)?;
    let adjusted = TimeAdjusted {
        ahead_ms: house.upkeep().ahead_ms,
        cause: Some(stall.said),
        jumped_ms: 0,
        stalled_ms: 0,
    };
    Some(Order::engine(Command::AdjustTime(adjusted)))
}

/// Rings that go on at once with an engine that does not stay: those just interrupted, and those that a service
/// interrupted when it ended.
fn rings_to_resume(house: &House, options: &EngineOptions, left: &[MatterId]) -> Vec<MatterId> {
    if !options.rings_run_on {
        return Vec::new();
    }
    let rests = |case: &Case| match case.status() {
        Status::Running => left.contains(&case.id),
        Status::Paused(why) => why == Pause::Interrupted,
        Status::Settled(_) => false,
    };
    let runs = |case: &&Case| is_outside(case) && !case.charter.is_timeless() && rests(case);
    house.cases().filter(runs).map(|case| case.id).collect()
}

/// Whether nobody performs anything for a matter: its participants come by themselves.
fn is_outside(case: &Case) -> bool {
    case.opening.seats.iter().all(|seat| seat.kind == SeatKind::Outside)
}

fn start_thread(name: &str, work: impl FnOnce() + Send + 'static) -> Result<JoinHandle<()>, Fault> {
    std::thread::Builder::new().name(name.into()).spawn(work).map_err(|_| Fault::Gone)
}

impl Drop for Engine {
    fn drop(&mut self) {
        self.finish();
    }
}
