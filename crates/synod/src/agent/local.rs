//! The house here: read beside its writer, written to by an engine that lives for one order.

use std::borrow::Cow;
use std::time::{Duration, Instant};

use synod_core::house::{Case, Item, Reader, Summary};
use synod_core::kernel::{About, Actor, At, Key, MatterId, Who};
use synod_core::matter::{Pause, Status};
use synod_core::monitor::{MalformedObservation, Observation};
use synod_core::procedure::ring;
use synod_core::view::Report;
use synod_core::{Act, Command, House, roster};
use synod_engine::{Engine, HouseClock, Order, now};
use synod_journal::vouch::ParticipantKey;
use synod_journal::{Head, SqliteReader, chain, mark};

use super::shown::{RingOverview, WaitResult, not_a_ring};
use super::{nothing, uninvited};
use crate::fail::{Fail, Result, code};
use crate::house::{
    AcknowledgedAct, HouseArg, Looked, keep_receipts, keep_receipts_of_issues, order, receipt_path,
};
use crate::matter_arg::{MatterArg, find};
use crate::resolve::{self, Unclear};
use crate::run::PATIENCE;
use crate::triggers::{RulesLoading, prepare};
use crate::vouching;
use crate::which_ring;
use crate::wire::{ActionRequest, Done, NoTurn, Turn, WhyNoTurn};

/// How often somebody who waits looks at the journal. A look is one small read.
const PACE: Duration = Duration::from_millis(50);
/// How long somebody who found the house held lets it be.
const PAUSE: Duration = Duration::from_millis(15);

/// The house here.
#[derive(Debug)]
pub(crate) struct LocalHouse {
    house: HouseArg,
    /// When this command began.
    begun: At,
    /// The key that what is done is signed with.
    signer: Option<ParticipantKey>,
}

impl LocalHouse {
    pub(crate) fn new(house: &HouseArg) -> Self {
        Self { house: house.clone(), begun: now(), signer: None }
    }

    /// Holds the house for a moment. Others do so too, for as short, and are waited for.
    pub(crate) async fn hold(&self) -> Result<Engine> {
        self.hold_within(PATIENCE).await
    }

    /// The same, for somebody with another patience.
    async fn hold_within(&self, patience: Duration) -> Result<Engine> {
        let begun = Instant::now();
        loop {
            match self.house.engine_now("synod, one order", &Default::default()).await {
                Err(fail) if fail.name() == "house/held" && begun.elapsed() < patience => {
                    tokio::time::sleep(PAUSE).await;
                }
                opened => return opened,
            }
        }
    }

    /// Gives one order and lets the house go; a refusal is an error here.
    pub(crate) async fn give(&self, command: Command) -> Result<Done> {
        self.house.reader()?; // a house is not founded by somebody who wants to take part in it
        let engine = self.hold().await?;
        let matter = match command.about() {
            About::Matter(matter) => Some(matter),
            About::House | About::Ask(_) => None,
        };
        let given = order(&engine, Order { by: Actor::Operator, key: None, command, vouched: None }).await;
        let given = given.map(|act| Done::of(&act, matter).acknowledged(act.acknowledgement()));
        let given = given.map(|done| engine.read(|house| done.naming(house)));
        self.leave(engine);
        given
    }

    /// What a participant does for itself: found out and given by one engine, so that the journal is read once.
    pub(crate) async fn act(
        &self,
        who: &Who,
        matter: Option<MatterArg>,
        action: ActionRequest,
    ) -> Result<Done> {
        self.house.reader()?;
        let engine = self.hold().await?;
        let done = self.act_with(&engine, who, matter, action).await;
        self.leave(engine);
        done
    }

    async fn act_with(
        &self,
        engine: &Engine,
        who: &Who,
        matter: Option<MatterArg>,
        action: ActionRequest,
    ) -> Result<Done> {
        let matter = engine.read(|house| match matter {
            Some(MatterArg::Last) => {
                resolve::last_open_ring(house, who).ok_or_else(|| uninvited(resolve::uninvited(house, who)))
            }
            Some(matter) => find(house, Some(matter)),
            None => which_ring::meant(house, who, &action).map_err(unclear),
        })?;
        let (matter, resolved) = engine.read_with([matter], |house| {
            let case = house.case(matter).ok_or_else(|| uninvited(resolve::uninvited(house, who)))?;
            Ok::<_, Fail>((matter, resolve::resolve(case, who, action).map_err(unclear)?))
        })??;
        let command = Command::Ring(ring::Command::Participate { matter, action: resolved.part.clone() });
        let given = self.as_seat(engine, who, command).await;
        let explained = |fail: Fail| {
            let message = resolved.explain(fail.name(), fail.message());
            Fail::new(fail.code(), fail.name(), message)
        };
        let given = given.map_err(explained)?;
        let done = Done::of(&given, Some(matter)).acknowledged(given.acknowledgement());
        Ok(engine.read(|house| done.naming(house)))
    }

    /// Gives a command of a participant. Whoever runs this holds the house, and vouches for them.
    async fn as_seat(&self, engine: &Engine, who: &Who, command: Command) -> Result<AcknowledgedAct> {
        let by = Actor::Seat(who.clone());
        let key =
            self.signer.as_ref().map(|_| Key(format!("signed/{by}/{}", crate::tokens::random_hex()).into()));
        let about = (&by, key.as_ref(), &command);
        let vouched = vouching::by_owner(engine, about, self.signer.as_ref())?;
        order(engine, Order { by, key, command, vouched: Some(vouched) }).await
    }

    /// Signs what is done from now on.
    pub(super) fn sign_with(&mut self, key: ParticipantKey) {
        self.signer = Some(key);
    }

    /// Signs with this key from now on.
    pub(super) async fn register(&self, who: &Who, key: Option<String>) -> Result<Done> {
        self.house.reader()?;
        let engine = self.hold().await?;
        let given = self.as_seat(&engine, who, Command::Key { key, who: who.clone() }).await;
        self.leave(engine);
        let given = given?;
        Ok(Done::of(&given, None).acknowledged(given.acknowledgement()))
    }

    /// Reports what an agent does at its work, if the house can be had soon. Agents that are not known are taken in.
    pub(crate) async fn observe(&self, observation: Observation, patience: Duration) -> Result<()> {
        let malformed =
            |wrong: MalformedObservation| Fail::new(code::DATA, "observation/malformed", wrong.to_string());
        observation.note().map_err(malformed)?;
        let engine = self.hold_within(patience).await?;
        let noted = async {
            prepare(&engine, RulesLoading::Once(self.house.dir()), &[&observation.agent]).await?;
            let command = Command::Observe { observation: observation.clone() };
            self.as_seat(&engine, &observation.agent, command).await
        };
        let noted = noted.await;
        self.leave(engine);
        noted.map(drop)
    }

    /// Lets the house go. Rings and issues that ended under this engine get their receipts first.
    pub(crate) fn leave(&self, engine: Engine) {
        let unsigned: Vec<MatterId> = engine.read(|house| {
            let over = |case: &&Case| {
                case.ring().is_some()
                    && case.last >= self.begun
                    && resolve::is_over(case)
                    && case.redacted_by.is_none()
                    && !receipt_path(self.house.dir(), case.id).exists()
            };
            house.cases().filter(over).map(|case| case.id).collect()
        });
        keep_receipts(&self.house, &engine, unsigned);
        keep_receipts_of_issues(&self.house, &engine, self.begun);
        engine.end();
    }

    /// Lets lapse what is overdue, if nobody else is about to.
    async fn tick(&self) {
        if self.house.held() {
            return;
        }
        // Opening the house is enough. Who cannot write here still reads.
        if let Ok(engine) = self.house.engine("synod, the clock", Default::default()).await {
            self.leave(engine);
        }
    }

    /// What time it is in the house, whatever anybody did to the clock of the machine.
    fn clock(&self, house: &House) -> HouseClock {
        HouseClock::of(house, mark::read(self.house.dir()).ok().flatten())
    }

    /// The house as it stands: what is overdue has lapsed, unless this cannot be written down.
    pub(crate) async fn fresh(&self) -> Result<Looked> {
        let (house, _) = self.house.read()?;
        if due(&house).is_none_or(|due| due > self.clock(&house).now()) {
            return Ok(house);
        }
        self.tick().await;
        Ok(self.house.read()?.0)
    }

    /// The rings that are not over.
    pub(crate) fn open_rings(&self) -> Result<Vec<which_ring::OpenRing>> {
        let (house, _) = self.house.read()?;
        let open = house.cases().filter(|case| case.ring().is_some() && !resolve::is_over(case));
        Ok(open.map(which_ring::OpenRing::of).collect())
    }

    pub(crate) fn matter(&self, wanted: MatterArg) -> Result<MatterId> {
        find(&self.house.read()?.0, Some(wanted))
    }

    /// A ring as it stands: the one named, else the newest one, an open one before one that is over.
    pub(crate) async fn shown(&self, who: Option<&Who>, matter: Option<MatterArg>) -> Result<RingOverview> {
        let mut house = self.fresh().await?;
        let theirs = |known: &Cow<'_, Summary>| known.ring && who.is_none_or(|who| known.seat(who).is_some());
        let matter = match (matter, who) {
            (Some(matter @ (MatterArg::Number(_) | MatterArg::Id(_))), _) => find(&house, Some(matter))?,
            (Some(MatterArg::Last) | None, who) => {
                let open = house.summaries().filter(theirs).rfind(|known| !known.is_over());
                let last = open.or_else(|| house.summaries().rfind(theirs));
                last.map(|known| known.id).ok_or_else(|| {
                    who.map_or_else(super::no_ring, |who| uninvited(resolve::never_invited(who)))
                })?
            }
        };
        house.bring(matter)?;
        shown(&house, matter, who)
    }

    pub(crate) fn turns(&self, who: &Who) -> Result<Vec<Turn>> {
        let (house, _) = self.house.read()?;
        Ok(turns(&house, self.clock(&house).now(), who, None))
    }

    pub(crate) async fn next(
        &self,
        who: &Who,
        matter: Option<MatterArg>,
        wait: Duration,
    ) -> Result<WaitResult> {
        let matter = match matter {
            None | Some(MatterArg::Last) => None,
            Some(MatterArg::Id(matter)) => Some(matter),
            Some(MatterArg::Number(_)) => matter.map(|wanted| self.matter(wanted)).transpose()?,
        };
        let mut none = None;
        let found = self.wait(Some(wait), |house, _| {
            if let Some(matter) = matter.filter(|_| none.is_none()) {
                invited(house, who, matter)?;
            }
            if let Some(turn) = turns(house, self.clock(house).now(), who, matter).into_iter().next() {
                return Ok(Some(WaitResult::Turn(Box::new(turn))));
            }
            if let Some(over) = resolve::last_ring(house, who, matter) {
                house.bring(over)?;
            }
            none = Some(resolve::why_no_turn(house, who, matter));
            let hopeless = resolve::hopeless(house, who, matter);
            Ok(hopeless.map(|why| nothing(who, why, wait)))
        });
        let found = found.await?;
        let none = none.unwrap_or(NoTurn { why: WhyNoTurn::None, matter, phase: None, reason: None });
        Ok(found.unwrap_or_else(|| nothing(who, none, wait)))
    }

    /// Waits until something is found in the house; none if that takes too long. What happens meanwhile is handed
    /// on. Nothing is held while waiting; what is overdue lapses also if nobody else writes.
    pub(crate) async fn wait<T>(
        &self,
        most: Option<Duration>,
        mut look: impl FnMut(&mut Looked, &[Act]) -> Result<Option<T>>,
    ) -> Result<Option<T>> {
        let begun = Instant::now();
        let mut watcher = Watcher::open(&self.house)?;
        let mut acts = Vec::new();
        // A ring that a service left interrupted goes on now, also for somebody who does not wait.
        let mut clock = self.clock(&watcher.house);
        if due(&watcher.house).is_some_and(|due| due <= clock.now()) {
            self.tick().await;
            acts = watcher.catch_up()?;
        }
        loop {
            if let Some(found) = look(&mut watcher.house, &acts)? {
                return Ok(Some(found));
            }
            let left = most.map(|most| most.saturating_sub(begun.elapsed()));
            if left.is_some_and(|left| left.is_zero()) {
                return Ok(None);
            }
            if !acts.is_empty() {
                clock = self.clock(&watcher.house);
            }
            let due = due(&watcher.house).map(|due| Duration::from_millis(due.since(clock.now())));
            if due.is_some_and(|due| due.is_zero()) {
                self.tick().await;
            }
            let pause = left.into_iter().chain(due.filter(|due| !due.is_zero())).fold(PACE, Duration::min);
            tokio::time::sleep(pause.max(Duration::from_millis(1))).await;
            acts = watcher.catch_up()?;
        }
    }
}

/// A house that is read as it grows.
#[derive(Debug)]
struct Watcher {
    reader: SqliteReader,
    head: Head,
    house: Looked,
}

impl Watcher {
    fn open(house: &HouseArg) -> Result<Self> {
        let (looked, head) = house.read()?;
        Ok(Self { reader: house.reader()?, head, house: looked })
    }

    /// Reads what is new.
    fn catch_up(&mut self) -> Result<Vec<Act>> {
        let mut acts = Vec::new();
        let house = &mut self.house;
        self.head = chain::walk(&self.reader, self.head, |act, _| {
            house.evolve(&act)?;
            acts.push(act);
            Ok::<(), synod_engine::Fault>(())
        })?;
        Ok(acts)
    }
}

/// It is not clear what a participant means. Nobody who is invited nowhere has given wrong words.
fn unclear(unclear: Unclear) -> Fail {
    let exit = if unclear.code == which_ring::UNINVITED { code::NO_INPUT } else { code::USAGE };
    Fail::new(exit, unclear.code, unclear.message)
}

/// When something lapses next in a ring that goes on; at once where a service left one interrupted.
fn due(house: &House) -> Option<At> {
    let due = |case: &Case| match case.status() {
        Status::Running => case.next_deadline(),
        Status::Paused(Pause::Interrupted) => Some(At(0)),
        Status::Paused(_) | Status::Settled(_) => None,
    };
    house.cases().filter(|case| case.ring().is_some()).filter_map(due).min()
}

/// Refuses a matter that never has a turn for this participant.
fn invited(house: &House, who: &Who, matter: MatterId) -> Result<()> {
    let matter = find(house, Some(matter.into()))?;
    let refusal = match house.summary(matter) {
        Some(known) if !known.ring => synod_core::Refusal::from(ring::Refusal::NotARing { matter }),
        Some(known) if known.seat(who).is_none() => {
            synod_core::Refusal::from(roster::Refusal::NotSeated { who: who.clone(), matter })
        }
        Some(_) | None => return Ok(()),
    };
    Err(Fail::new(code::USAGE, refusal.code(), refusal.to_string()))
}

/// The open turns of a participant, oldest first. One whose time is over is not open, also where nobody has said so yet.
fn turns(house: &House, now: At, who: &Who, matter: Option<MatterId>) -> Vec<Turn> {
    let running = resolve::rings(house, who, matter).filter(|case| case.status() == Status::Running);
    let own = running.flat_map(|case| {
        case.asks().iter().filter(|(_, ask)| ask.is_of(who) && ask.until > now).map(|(id, _)| (case.id, *id))
    });
    own.filter_map(|(matter, ask)| resolve::turn(house, matter, ask)).collect()
}

fn shown(house: &House, matter: MatterId, who: Option<&Who>) -> Result<RingOverview> {
    // Who holds the files is the operator, unless they look for a participant.
    let seen = |case: &Case| {
        let theirs = who.map(Reader::Participant).filter(|reader| case.may_see(*reader, Item::Matter));
        Report::seen_by(case, theirs.unwrap_or(Reader::Operator))
    };
    let report = house.case(matter).map(seen).filter(|report| report.ring.is_some());
    let report = report.ok_or_else(|| not_a_ring(matter))?;
    // The same JSON as a service sends, read by the same types.
    let unreadable = |error: serde_json::Error| {
        Fail::new(code::DATA, "house/unreadable", format!("this ring cannot be shown: {error}"))
    };
    let written = crate::json::value(&report).map_err(unreadable)?;
    let session = written["ring"].clone();
    let shown = RingOverview::of(serde_json::from_value(written).map_err(unreadable)?)?;
    debug_assert_eq!(shown.session, session, "the wire's ring leaves something out");
    Ok(shown)
}
