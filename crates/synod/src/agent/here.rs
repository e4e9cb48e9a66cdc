//! The house here: read beside its writer, written to by an engine that lives for one order.

use std::time::{Duration, Instant};

use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::Value;
use synod_core::house::Case;
use synod_core::kernel::{Actor, At, Id, MatterId, Who};
use synod_core::matter::Status;
use synod_core::monitor::{Malformed, Observation};
use synod_core::view::{Report, TurnSheet};
use synod_core::{Act, Command, Event, House, Outcome};
use synod_engine::{Engine, Order, now};
use synod_journal::{Head, SqliteReader, chain};

use super::shown::{Happened, Next, Ring, Sheet, Shown, Told};
use super::uninvited;
use crate::fail::{Fail, Result, code};
use crate::house::{HouseArg, keep_receipt, order, pick, receipt_path};
use crate::out;
use crate::run::PATIENCE;
use crate::tag::kind;
use crate::triggers::{regulate, welcome};

/// How often somebody who waits looks at the journal. A look is one small read.
const PACE: Duration = Duration::from_millis(50);
/// How long somebody who found the house held lets it be.
const PAUSE: Duration = Duration::from_millis(15);

/// The house here.
#[derive(Debug)]
pub(crate) struct Here {
    house: HouseArg,
}

impl Here {
    pub(crate) fn new(house: &HouseArg) -> Self {
        Self { house: house.clone() }
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
    pub(crate) async fn give(&self, by: Actor, command: Command) -> Result<Told> {
        self.house.reader()?; // a house is not founded by somebody who wants to take part in it
        let engine = self.hold().await?;
        let given = order(&engine, Order { by, key: None, command }).await;
        self.leave(engine);
        given.map(|act| told(&act))
    }

    /// Notes what an agent does at its work, if the house can be had soon. Who is not known is taken in.
    pub(crate) async fn observe(&self, observation: Observation, patience: Duration) -> Result<()> {
        let malformed = |wrong: Malformed| Fail::new(code::DATA, "observation/malformed", wrong.to_string());
        observation.note().map_err(malformed)?;
        let engine = self.hold_within(patience).await?;
        let noted = async {
            regulate(&engine, self.house.dir()).await?;
            welcome(&engine, &observation.agent).await?;
            let by = Actor::Seat(observation.agent.clone());
            order(&engine, Order { by, key: None, command: Command::Observe { observation } }).await
        };
        let noted = noted.await;
        self.leave(engine);
        noted.map(drop)
    }

    /// Lets the house go. Rings that ended under this engine get their receipts first.
    pub(crate) fn leave(&self, engine: Engine) {
        let unsigned: Vec<MatterId> = engine.read(|house| {
            let over = |case: &&Case| {
                case.charter.ring.is_some()
                    && matches!(case.status(), Status::Settled(_))
                    && case.redacted_by.is_none()
                    && !receipt_path(self.house.dir(), case.id).exists()
            };
            house.cases().filter(over).map(|case| case.id).collect()
        });
        for matter in unsigned {
            let kept = self.house.reader().and_then(|reader| {
                engine.read(|house| keep_receipt(self.house.dir(), house, &reader, matter))
            });
            // It is decided all the same, and `synod receipt` signs it again at any time.
            if let Err(fail) = kept {
                out::error(&out::clean(&format!("synod: {}", fail.message())));
            }
        }
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

    /// The house as it stands: what is overdue has lapsed, unless this cannot be written down.
    pub(crate) async fn fresh(&self) -> Result<House> {
        let (house, _) = self.house.read()?;
        if due(&house).is_none_or(|due| due > now()) {
            return Ok(house);
        }
        self.tick().await;
        Ok(self.house.read()?.0)
    }

    pub(crate) fn ring(&self, who: &Who, wanted: Option<MatterId>) -> Result<MatterId> {
        let (house, _) = self.house.read()?;
        if let Some(matter) = wanted {
            return pick(&house, Some(matter));
        }
        let open = rings(&house, who, None).filter(|case| !is_over(case));
        open.last().map(|case| case.id).ok_or_else(|| uninvited(who))
    }

    pub(crate) fn last_ring(&self, who: Option<&Who>) -> Result<MatterId> {
        let (house, _) = self.house.read()?;
        let theirs =
            |case: &&Case| case.charter.ring.is_some() && who.is_none_or(|who| case.seat(who).is_some());
        let open = house.cases().filter(theirs).filter(|case| !is_over(case)).last();
        match (open.or_else(|| house.cases().filter(theirs).last()), who) {
            (Some(case), _) => Ok(case.id),
            (None, Some(who)) => Err(uninvited(who)),
            (None, None) => Err(super::no_ring()),
        }
    }

    pub(crate) async fn shown(&self, matter: MatterId) -> Result<Shown> {
        let house = self.fresh().await?;
        shown(&house, matter)
    }

    pub(crate) fn turns(&self, who: &Who, matter: Option<MatterId>) -> Result<Vec<Sheet>> {
        let (house, _) = self.house.read()?;
        turns(&house, who, matter)
    }

    pub(crate) async fn next(&self, who: &Who, matter: Option<MatterId>, wait: Duration) -> Result<Next> {
        let (house, _) = self.house.read()?;
        if let Some(matter) = matter {
            invited(&house, who, matter)?;
        }
        let found = self.wait(Some(wait), |house, _| upcoming(house, who, matter)).await?;
        let open = |house: &House| rings(house, who, matter).any(|case| !is_over(case));
        Ok(match found {
            Some(next) => next,
            None if self.house.read().is_ok_and(|(house, _)| !open(&house)) => Next::Uninvited,
            None => Next::Nothing,
        })
    }

    /// Waits until something is found in the house; none if that takes too long. What happens meanwhile is handed
    /// on. Nothing is held while waiting; what is overdue lapses also if nobody else writes.
    pub(crate) async fn wait<T>(
        &self,
        most: Option<Duration>,
        mut look: impl FnMut(&House, &[Act]) -> Result<Option<T>>,
    ) -> Result<Option<T>> {
        let begun = Instant::now();
        let mut watcher = Watcher::open(&self.house)?;
        let mut acts = Vec::new();
        loop {
            if let Some(found) = look(&watcher.house, &acts)? {
                return Ok(Some(found));
            }
            let left = most.map(|most| most.saturating_sub(begun.elapsed()));
            if left.is_some_and(|left| left.is_zero()) {
                return Ok(None);
            }
            let due = due(&watcher.house).map(|due| Duration::from_millis(due.since(now())));
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
    house: House,
}

impl Watcher {
    fn open(house: &HouseArg) -> Result<Self> {
        let mut watcher = Self { reader: house.reader()?, head: Head::default(), house: House::default() };
        watcher.catch_up()?;
        Ok(watcher)
    }

    /// Reads what is new.
    fn catch_up(&mut self) -> Result<Vec<Act>> {
        let mut acts = Vec::new();
        let house = &mut self.house;
        self.head = chain::walk(&self.reader, self.head, |act, _| {
            house.evolve(&act);
            acts.push(act);
            Ok::<(), synod_journal::Error>(())
        })?;
        Ok(acts)
    }
}

/// When something lapses next in a ring that goes on.
fn due(house: &House) -> Option<At> {
    let running =
        house.cases().filter(|case| case.charter.ring.is_some() && case.status() == Status::Running);
    running.filter_map(Case::next_deadline).min()
}

fn is_over(case: &Case) -> bool {
    matches!(case.status(), Status::Settled(_))
}

/// The rings a participant is invited to, oldest first.
fn rings<'a>(
    house: &'a House,
    who: &'a Who,
    matter: Option<MatterId>,
) -> impl Iterator<Item = &'a Case> + use<'a> {
    let theirs = move |case: &&Case| case.charter.ring.is_some() && case.seat(who).is_some();
    house.cases().filter(theirs).filter(move |case| matter.is_none_or(|matter| matter == case.id))
}

/// Refuses a matter that never has a turn for this participant.
fn invited(house: &House, who: &Who, matter: MatterId) -> Result<()> {
    let matter = pick(house, Some(matter))?;
    let refusal = match house.case(matter) {
        Some(case) if case.charter.ring.is_none() => synod_core::Refusal::NoRing { matter },
        Some(case) if case.seat(who).is_none() => synod_core::Refusal::NotSeated { who: who.clone(), matter },
        Some(_) | None => return Ok(()),
    };
    Err(Fail::new(code::USAGE, refusal.code(), refusal.to_string()))
}

/// The turn a participant has now, or why none will come.
fn upcoming(house: &House, who: &Who, matter: Option<MatterId>) -> Result<Option<Next>> {
    if let Some(sheet) = turns(house, who, matter)?.into_iter().next() {
        return Ok(Some(Next::Turn(Box::new(sheet))));
    }
    let open: Vec<&Case> = rings(house, who, matter).filter(|case| !is_over(case)).collect();
    if open.is_empty() {
        let Some(case) = rings(house, who, matter).last() else { return Ok(None) };
        let ring: Ring = shown(house, case.id)?.ring;
        return Ok(Some(Next::Over(case.id, ring.phase, ring.reason)));
    }
    let gone = open.iter().map(|case| case.gone.get(who)).collect::<Option<Vec<_>>>();
    Ok(gone.and_then(|gone| Some(Next::Gone(open.last()?.id, gone.last()?.detail.clone()))))
}

/// The open turns of a participant, oldest first. One whose time is over is none, also where nobody has said so yet.
fn turns(house: &House, who: &Who, matter: Option<MatterId>) -> Result<Vec<Sheet>> {
    let now = now();
    let mut found = Vec::new();
    for case in rings(house, who, matter).filter(|case| case.status() == Status::Running) {
        let own = case.asks().iter().filter(|(_, ask)| ask.who == *who && ask.until > now);
        for sheet in own.filter_map(|(id, _)| TurnSheet::of(case, *id)) {
            found.push(read_back(&sheet)?);
        }
    }
    Ok(found)
}

fn shown(house: &House, matter: MatterId) -> Result<Shown> {
    let matter = pick(house, Some(matter))?;
    let mut report = house.case(matter).map(Report::of);
    let session = report.as_mut().and_then(|report| report.ring.take());
    let (Some(report), Some(session)) = (report, session) else {
        let refusal = synod_core::Refusal::NoRing { matter };
        return Err(Fail::new(code::USAGE, refusal.code(), refusal.to_string()));
    };
    let session: Value = read_back(&session)?;
    Ok(Shown {
        matter,
        topic: report.question.topic.to_string(),
        charter: report.charter.name,
        status: report.status.into(),
        headline: report.headline,
        ring: read_back(&session)?,
        session,
    })
}

/// The same value in another type: both are the same JSON.
fn read_back<T: DeserializeOwned>(value: &impl Serialize) -> Result<T> {
    let read = serde_json::to_value(value).and_then(serde_json::from_value);
    read.map_err(|error| {
        Fail::new(code::DATA, "house/unreadable", format!("this ring cannot be shown: {error}"))
    })
}

fn told(act: &Act) -> Told {
    let events = match &act.outcome {
        Outcome::Done(events) => events.as_slice(),
        Outcome::Refused { .. } => &[],
    };
    let happened = |(nth, event): (usize, &Event)| Happened {
        id: Id { act: act.seq, nth: nth as u16 },
        kind: kind(event),
    };
    Told { act: act.seq.0, events: events.iter().enumerate().map(happened).collect() }
}
