//! The house: the only place that introduces organs to each other.
//!
//! One flow per file: `open`, `fork`, `round`, `contribute`, `clerk`, `supply`, `vote`, `settle`, `moderate`,
//! `observe`, `trigger`, `tick`, `begin`, `tell`, and `ring` for participants that come by themselves.
//! A flow reads top-down and holds all the branches; what it calls is pure. `decide` judges and changes
//! nothing; `evolve` records and judges nothing, so a replay cannot fail.

mod asks;
mod away;
mod begin;
mod case;
mod common;
mod deadlines;
mod dossier;
mod flow;
mod forget;
mod keys;
mod lapse;
mod learn;
pub(crate) mod lens;
mod moderate;
mod names;
mod observe;
mod open;
mod record;
pub mod refusal;
mod snapshot;

mod summary;
mod tick;
mod trigger;
mod upkeep;

use std::sync::Arc;

use imbl::{OrdMap, OrdSet};

pub use crate::procedure::council::BriefCache;
pub use case::{Ballot, Case, Lapse};
pub use dossier::{Became, Dossier, Requested, SidePoints};
pub use flow::Decided;
pub(crate) use flow::Flow;
pub use lens::{HouseItem, Item, Reader};
pub(crate) use moderate::wrong_status;
pub use names::Names;
pub(crate) use record::Recorded;

pub use snapshot::Damaged;
pub use summary::Summary;
pub use upkeep::{KnownKey, Upkeep};

use self::asks::Asks;
use self::away::Slot;
use self::deadlines::Deadlines;
use crate::canon::Canon;
use crate::dissent::DissentOrders;
use crate::edition;
use crate::event::{Adopted, Founded, HouseEvent, KeyChange, KeyChanged};
use crate::issue::Docket;
use crate::kernel::{
    About, Actor, AskId, At, Digest, Id, Key, MatterId, Reading, Seat, SeatKind, Seq, Who, text,
};
use crate::lease::Leases;
use crate::ledger::Ledger;
use crate::matter;
use crate::monitor::Monitor;
use crate::period::{self, Periods};
use crate::procedure::{self, Failed, SubmittedAnswer, council, ring, workshop};
use crate::rejections;
use crate::roster::{self, Appointment, Roster};
use crate::track::{self, Track};
use crate::trigger::Triggers;
use crate::{Act, Ask, Command, Event, Outcome, Refusal, Vouched, ask, charter, gate};

/// The longest name of a participant, in characters.
const NAME_MOST: usize = 100;

/// A workspace of deliberation: participants, charters, matters. A fold of its journal. Copies are cheap: everything
/// that grows is shared until it changes.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct House {
    founded: Option<Arc<Founded>>,
    edition: u32,
    seq: Seq,
    now: At,
    roster: Arc<Roster>,
    charters: OrdMap<Digest, Adopted>,
    /// All matters: those that are here, and summaries of those that left memory.
    cases: OrdMap<MatterId, Slot>,
    asks: Asks,
    deadlines: Deadlines,
    /// Matters in which something may still happen by itself: those that are not over, and those with an open ask. A
    /// house has many more that are over.
    active: OrdSet<MatterId>,
    /// The other matters that are here, by their last act: what may leave memory, and in which order.
    idle: OrdSet<(Seq, MatterId)>,
    keys: keys::Keys,
    monitor: Arc<Monitor>,
    triggers: Arc<Triggers>,
    track: Arc<Track>,
    upkeep: Arc<Upkeep>,
    /// What is known of all issues together.
    docket: Arc<Docket>,
    /// Who must object, or read without hearing others.
    dissent: Arc<DissentOrders>,
    periods: Arc<Periods>,
    /// Who earned trust.
    ledger: Arc<Ledger>,
    /// What the house holds to be true.
    canon: Arc<Canon>,
    /// Who works on which files.
    leases: Arc<Leases>,
}

impl House {
    /// Judges one command: what happens, and the house after it. This one is unchanged.
    pub fn decide(&self, at: At, by: &Actor, command: &Command) -> Result<Decided, Refusal> {
        self.may(by, command)?;
        let mut flow = Flow::new(self, at);
        match command {
            Command::Found { key, edition } => flow.found_house(key, *edition)?,
            Command::Upgrade { edition } => flow.upgrade(*edition)?,
            Command::AdjustTime(adjusted) => {
                flow.put(Event::House(HouseEvent::TimeAdjusted(adjusted.clone())));
            }
            Command::ChangeKey { how, key } => flow.change_key(how, key)?,
            Command::NoteRepair(repaired) => {
                flow.put(Event::House(HouseEvent::Repaired(*repaired)));
            }
            Command::Adopt { source } => flow.adopt(source)?,
            Command::Enrol { seat } => flow.enrol(seat)?,
            Command::Key { who, key } => flow.register_key(who, key.as_deref())?,
            Command::Open(open) => drop(flow.open(open)?),
            Command::Begin { ask, patience_ms, worst } => flow.begin(*ask, worst, *patience_ms)?,
            Command::Answer { ask, text, call, salt } => {
                flow.answer(&SubmittedAnswer { id: *ask, text, call, salt: salt.as_deref() })?;
            }
            Command::Fail { ask, cause, call } => {
                flow.fail(&Failed { id: *ask, cause, call })?;
            }
            Command::Halt { ask, cause, call } => flow.halt(&Failed { id: *ask, cause, call })?,
            Command::Deliver { ask, delivered } => flow.deliver(*ask, delivered)?,
            Command::Pause { matter, why } => flow.pause(*matter, *why)?,
            Command::Resume { matter } => flow.resume(*matter)?,
            Command::Stop { matter } => flow.stop(*matter)?,
            Command::Tick => flow.tick(),
            Command::Redact { matter, acts } => flow.redact(*matter, acts)?,
            Command::ConfigureTriggers(given) => flow.configure_triggers(given)?,
            Command::Observe { observation } => flow.observe(observation)?,
            Command::Trigger(request) => flow.trigger(request)?,
            Command::RecordOutcome { matter, verdict } => flow.record_outcome(*matter, *verdict)?,
            Command::ReportRejections { sums } => {
                let events = rejections::report(sums).map_err(rejections::Refusal::Malformed)?;
                for event in events {
                    flow.put(Event::Rejections(event));
                }
            }
            Command::Council(command) => council::decide(&mut flow, by, command)?,
            Command::Ring(command) => ring::decide(&mut flow, by, command)?,
            Command::Workshop(command) => workshop::decide(&mut flow, by, command)?,
            Command::Appoint { who, appointment } => flow.appoint(who, *appointment)?,
        }
        Ok(flow.done())
    }

    /// Refuses a command that its author should have signed and did not. A first key signs its own registration. A signed
    /// command has an idempotency key, which the house never forgets: else anybody who has seen the signature could have the
    /// command given once more.
    fn is_signed(
        &self,
        by: &Actor,
        key: Option<&Key>,
        command: &Command,
        signed: bool,
    ) -> Result<(), Refusal> {
        let Actor::Seat(who) = by else { return Ok(()) };
        let due = self.roster.key(who).is_some() || matches!(command, Command::Key { key: Some(_), .. });
        match (due, signed, key) {
            (false, _, _) | (true, true, Some(_)) => Ok(()),
            (true, false, _) => Err(roster::Refusal::Unsigned { who: who.clone() }.into()),
            (true, true, None) => Err(roster::Refusal::Repeatable.into()),
        }
    }

    /// Who may give which command. An answer is the seat's own; the clock, the fate of calls, what the world was asked for and
    /// rejected requests are the engine's; what a participant does in a ring, reports of itself and asks a council for is its own; everything
    /// else is the operator's.
    fn may(&self, by: &Actor, command: &Command) -> Result<(), Refusal> {
        match (&self.founded, command) {
            (Some(_), Command::Found { .. }) => return Err(refusal::Refusal::AlreadyFounded.into()),
            (None, Command::Found { .. }) | (Some(_), _) => (),
            (None, _) => return Err(refusal::Refusal::NotFounded.into()),
        }
        let allowed = match command {
            Command::Answer { ask, .. } => match self.ask(*ask) {
                Some(open) => open.who().is_some_and(|who| *by == Actor::Seat(who.clone())),
                None => return Err(ask::Refusal::NotOpen { ask: *ask }.into()),
            },
            Command::Ring(command) => ring::may(by, command),
            Command::Workshop(command) => workshop::may(by, command),
            Command::Council(command) => council::may(by, command),
            Command::Begin { .. } | Command::Fail { .. } | Command::Tick => *by == Actor::Engine,
            Command::Deliver { .. } | Command::Halt { .. } => *by == Actor::Engine,
            Command::Upgrade { .. } | Command::AdjustTime(_) => *by == Actor::Engine,
            Command::ReportRejections { .. } => *by == Actor::Engine,
            // What was interrupted goes on by itself when the house runs again.
            Command::Resume { .. } => matches!(by, Actor::Operator | Actor::Engine),
            Command::Pause { why: matter::Pause::Interrupted, .. } => *by == Actor::Engine,
            Command::Observe { observation } => Self::may_observe(by, observation),
            Command::Trigger(request) => Self::may_trigger(by, request),
            // A key is its owner's; one that was lost is taken away by the operator, who can put no other in its place.
            Command::Key { who, key } => match by {
                Actor::Seat(seat) => seat == who,
                Actor::Operator => key.is_none(),
                Actor::Engine => false,
            },
            Command::Found { .. }
            | Command::ChangeKey { .. }
            | Command::NoteRepair(_)
            | Command::ConfigureTriggers(_)
            | Command::Adopt { .. }
            | Command::Enrol { .. }
            | Command::Appoint { .. }
            | Command::Open(_)
            | Command::Pause { why: matter::Pause::Operator, .. }
            | Command::Stop { .. }
            | Command::RecordOutcome { .. }
            | Command::Redact { .. } => *by == Actor::Operator,
            Command::Pause {
                why:
                    matter::Pause::NeedsContext
                    | matter::Pause::BetweenRounds
                    | matter::Pause::Unusable
                    | matter::Pause::Listed,
                ..
            } => false,
        };
        if allowed { Ok(()) } else { Err(refusal::Refusal::NotAllowed { by: by.clone() }.into()) }
    }

    /// Judges a command: the act that comes of it, and the house after that act. This one is unchanged.
    pub fn judge(&self, at: At, by: Actor, key: Option<Key>, command: Command) -> (Act, Self) {
        self.judge_vouched(at, by, None, key, command)
    }

    /// The same of a command that somebody vouched for. A signature that stands there was checked.
    pub fn judge_vouched(
        &self,
        at: At,
        by: Actor,
        vouched: Option<Vouched>,
        key: Option<Key>,
        command: Command,
    ) -> (Act, Self) {
        let at = at.max(self.now); // A clock that was set back must not reorder the record.
        let signed = vouched.as_ref().is_some_and(|vouched| vouched.signature.is_some());
        let decided =
            self.is_signed(&by, key.as_ref(), &command, signed).and_then(|()| self.decide(at, &by, &command));
        let (outcome, mut house) = match decided {
            Ok(decided) => (Outcome::Done(decided.events), decided.house),
            Err(refusal) => {
                let refused =
                    Outcome::Refused { code: refusal.code().into(), message: refusal.to_string().into() };
                (refused, self.clone())
            }
        };
        let act = Act { seq: self.seq.next(), at, by, key, command, outcome, salt: None, vouched };
        house.note(&act);
        (act, house)
    }

    /// Records one act. Total: nothing is judged here.
    pub fn evolve(&mut self, act: &Act) {
        debug_assert_eq!(act.seq, self.seq.next(), "the journal has a gap");
        for (nth, event) in act.events().iter().enumerate() {
            self.record(Id { act: act.seq, nth: nth as u16 }, act.at, event);
        }
        self.note(act);
    }

    /// Notes the act itself: its number, its time, its key.
    fn note(&mut self, act: &Act) {
        self.seq = act.seq;
        self.keys.note(act.at.since(self.now), act);
        self.now = self.now.max(act.at);
    }

    /// Applies one event. Flows, replays and readers' houses all come through here, each once.
    fn record(&mut self, id: Id, at: At, event: &Event) {
        match event {
            Event::House(HouseEvent::Founded(founded)) => {
                self.edition = founded.edition;
                self.upkeep = Arc::new(Upkeep::founded(&founded.key, id.act));
                self.founded = Some(Arc::new(founded.clone()));
            }
            Event::House(HouseEvent::Upgraded { edition }) => self.edition = *edition,
            Event::House(HouseEvent::TimeAdjusted(adjusted)) => {
                Arc::make_mut(&mut self.upkeep).adjust_time(id.act, at, adjusted);
            }
            Event::House(HouseEvent::KeyChanged(changed)) => {
                Arc::make_mut(&mut self.upkeep).change_key(id.act, changed);
            }
            Event::House(HouseEvent::Repaired(repaired)) => {
                Arc::make_mut(&mut self.upkeep).repaired.push((id.act, *repaired));
            }
            Event::Charter(adopted) => drop(self.charters.insert(adopted.digest, adopted.clone())),
            Event::Roster(event) => Arc::make_mut(&mut self.roster).apply(event),
            Event::Monitor(event) => Arc::make_mut(&mut self.monitor).apply(at, event),
            Event::Trigger(event) => Arc::make_mut(&mut self.triggers).apply(at, event),
            // Nothing hangs on it: what was rejected changes nothing.
            Event::Rejections(_) => (),
            Event::Track(known @ track::Event::Learned(learned)) => {
                Arc::make_mut(&mut self.track).apply(known);
                self.record_in(learned.matter, id, at, event);
            }
            Event::Matter(matter::Event::Opened(opening)) => {
                if let Some(adopted) = self.charters.get(&opening.charter.digest) {
                    let charter = adopted.rules.with(&opening.moved, opening.motion.as_deref());
                    let origin = opening.forked.and_then(|forked| self.case(forked.from));
                    let mut case = Case::open(MatterId(id), at, opening.clone(), charter, origin);
                    case.number = self.cases.len() as u64 + 1;
                    self.cases.insert(MatterId(id), Slot::Here(Arc::new(case)));
                    self.active.insert(MatterId(id));
                }
            }
            Event::Period(event) => {
                Arc::make_mut(&mut self.periods).apply(id, at, event);
                let docket = Arc::make_mut(&mut self.docket);
                match event {
                    period::Event::Opened { .. } => docket.mark_period(id, false),
                    period::Event::Closed { period } => docket.mark_period(*period, true),
                }
            }
            // Balances are the house's, also those that an issue led to.
            Event::Ledger(event) => Arc::make_mut(&mut self.ledger).apply(id, at, event),
            Event::Lease(_) | Event::Canon(_) => self.record_common(id, at, event),
            Event::Matter(_)
            | Event::Issue(_)
            | Event::Evidence(_)
            | Event::Dissent(_)
            | Event::Floor(_)
            | Event::Gate(_)
            | Event::Ballot(_)
            | Event::Meter(_)
            | Event::Ask(_)
            | Event::Context(_)
            | Event::Table(_)
            | Event::Watch(_) => {
                self.record_on_docket(id, at, event);
                let matter = match event.about() {
                    About::House => None,
                    About::Matter(matter) => Some(matter),
                    About::Ask(ask) => self.asks.matter(ask),
                };
                if let Some(matter) = matter {
                    self.record_in(matter, id, at, event);
                }
                if let Event::Matter(matter::Event::Redacted { matter }) = event {
                    self.forget_in_branches(*matter, None);
                    Arc::make_mut(&mut self.canon).forget(*matter);
                }
            }
        }
    }

    /// Keeps what the house knows of all issues together in step.
    fn record_on_docket(&mut self, id: Id, at: At, event: &Event) {
        let uncounts = self.edition() >= edition::MEANT;
        let docket = &mut self.docket;
        match event {
            Event::Issue(event) => {
                let number = match event.about() {
                    About::Matter(matter) => {
                        self.cases.get(&matter).and_then(Slot::case).map_or(0, |case| case.number)
                    }
                    About::House | About::Ask(_) => 0,
                };
                Arc::make_mut(docket).apply(at, event, number);
            }
            Event::Gate(gate::Event::Posted { matter, said }) => {
                Arc::make_mut(docket).post(at, *matter, said);
                if let Some(order) = said.comment().and_then(|comment| comment.order) {
                    Arc::make_mut(&mut self.dissent).comment(order);
                }
            }
            Event::Gate(gate::Event::Refused { breaches, matter, who, .. }) => {
                Arc::make_mut(docket).refuse(at, *matter, who, &workshop::breakers(breaches));
            }
            Event::Dissent(event) => Arc::make_mut(&mut self.dissent).apply(id, at, event),
            Event::Matter(matter::Event::Settled { decision, matter }) if docket.row(*matter).is_some() => {
                Arc::make_mut(docket).settle(at, id.act, *matter, workshop::settled_as(*decision));
            }
            Event::Matter(matter::Event::Reopened { matter }) => {
                Arc::make_mut(docket).reopen(at, *matter, uncounts);
            }
            _ => (), // nothing else happens to issues
        }
    }

    /// Applies an event to its matter, and keeps the indexes of the house in step.
    fn record_in(&mut self, matter: MatterId, id: Id, at: At, event: &Event) {
        debug_assert!(!self.is_away(matter), "an act about a matter that nobody brought back");
        let Some(case) = self.cases.get_mut(&matter).and_then(Slot::case_mut) else { return };
        let before = case.is_idle().then(|| (case.last_act(), matter));
        case.apply(id, at, event, &mut self.asks);
        self.deadlines.follow(case, event);
        let (idle, last) = (case.is_idle(), case.last_act());
        if let Some(before) = before {
            self.idle.remove(&before);
        }
        match idle {
            true => {
                self.active.remove(&matter);
                self.idle.insert((last, matter));
            }
            false => drop(self.active.insert(matter)),
        }
    }

    /// Takes the words of a matter out of those that branched off from it, and from them.
    /// `until` bounds them for branches of branches: the last round they have of it, and when they left it.
    fn forget_in_branches(&mut self, matter: MatterId, until: Option<(u32, Id)>) {
        let shared = |(id, slot): (&MatterId, &Slot)| {
            // A branch is younger than what it branches off from; a forged record may say otherwise.
            let forked = slot.forked().filter(|forked| forked.from == matter && matter < *id)?;
            let (last, begun) = until.unwrap_or((forked.round, id.0));
            Some((*id, last.min(forked.round), begun))
        };
        let branches: Vec<(MatterId, u32, Id)> = self.cases.iter().filter_map(shared).collect();
        for (branch, last, begun) in branches {
            // One that is away is folded from the record when it comes back, this act included.
            if let Some(case) = self.cases.get_mut(&branch).and_then(Slot::case_mut) {
                case.forget_shared(last, begun);
            }
            self.forget_in_branches(branch, Some((last, begun)));
        }
    }
}

impl Flow {
    fn found_house(&mut self, key: &str, edition: u32) -> Result<(), Refusal> {
        known_edition(edition)?;
        self.put(Event::House(HouseEvent::Founded(Founded { edition, key: key.into() })));
        Ok(())
    }

    /// From the next act on the house is judged by a later edition. What was judged before stays as recorded.
    fn upgrade(&mut self, edition: u32) -> Result<(), Refusal> {
        known_edition(edition)?;
        if edition > self.house.edition {
            self.put(Event::House(HouseEvent::Upgraded { edition }));
        }
        Ok(())
    }

    /// Another key signs from the next act on. Whether the key before vouches for it is checked by whoever reads the record.
    fn change_key(&mut self, how: &KeyChange, key: &str) -> Result<(), Refusal> {
        let is_key = key.len() == 64 && key.bytes().all(|byte| matches!(byte, b'0'..=b'9' | b'a'..=b'f'));
        if !is_key {
            return Err(refusal::Refusal::NotAKey.into());
        }
        if self.house.upkeep.keys.iter().any(|known| known.key == key) {
            return Err(refusal::Refusal::KnownKey.into());
        }
        let from = self.house.upkeep.key().map(|key| key.key.clone()).unwrap_or_default();
        let changed = KeyChanged { from, how: how.clone(), key: key.into() };
        self.put(Event::House(HouseEvent::KeyChanged(changed)));
        Ok(())
    }

    fn enrol(&mut self, seat: &Seat) -> Result<(), Refusal> {
        if Who::parse(seat.who.as_str()).as_ref() != Ok(&seat.who) {
            return Err(roster::Refusal::UncanonicalId { who: seat.who.clone() }.into());
        }
        let name = &seat.name;
        let is_plain = text::one_line(name) == *name && !name.chars().any(text::is_invisible);
        if !is_plain || name.is_empty() || name.chars().count() > NAME_MOST {
            return Err(roster::Refusal::MalformedName { name: name.clone(), most: NAME_MOST }.into());
        }
        // One who is known already was let in under these names.
        if self.house.roster.get(&seat.who).is_none_or(|known| known.name != *name) {
            for name in [seat.who.as_str(), name] {
                let stands = roster::stands_for_other(name)
                    .filter(|_| self.house.edition() >= crate::edition::RESERVES_USER);
                if let Some(reserved) = roster::reserved(name).or(stands) {
                    return Err(roster::Refusal::ReservedName { name: name.into(), reserved }.into());
                }
                if let Some(other) = roster::look_alike(&self.house.roster, &seat.who, name) {
                    return Err(roster::Refusal::LookAlike { name: name.into(), other: other.clone() }.into());
                }
            }
        }
        if let Some(event) = roster::enrol(&self.house.roster, seat) {
            self.put(Event::Roster(event));
        }
        Ok(())
    }

    /// Gives a participant a role, or another standing.
    fn appoint(&mut self, who: &Who, appointment: Appointment) -> Result<(), Refusal> {
        // It would count as oversight, and could never act.
        if let Some(reserved) = roster::stands_for_other(who.as_str()) {
            return Err(roster::Refusal::ReservedName { name: who.to_string(), reserved }.into());
        }
        if self.house.roster.get(who).is_none() {
            return Err(roster::Refusal::UnknownSeat { who: who.clone() }.into());
        }
        if self.house.roster.appointment(who) != appointment {
            self.put(Event::Roster(roster::Event::Appointed { appointment, who: who.clone() }));
        }
        Ok(())
    }

    /// Takes over the key that a participant signs with from now on, or takes it away.
    fn register_key(&mut self, who: &Who, key: Option<&str>) -> Result<(), Refusal> {
        let known =
            self.house.roster.get(who).ok_or_else(|| roster::Refusal::UnknownSeat { who: who.clone() })?;
        let is_outside = known.kind == SeatKind::Outside;
        if let Some(key) = key {
            let is_hex =
                key.len() == 64 && key.bytes().all(|c| c.is_ascii_digit() || (b'a'..=b'f').contains(&c));
            if !is_hex {
                return Err(roster::Refusal::MalformedKey.into());
            }
            if !is_outside {
                // For all others the house itself speaks.
                return Err(refusal::Refusal::NotAllowed { by: Actor::Seat(who.clone()) }.into());
            }
        }
        if self.house.roster.key(who) != key {
            let event = roster::Event::Keyed { who: who.clone(), key: key.map(str::to_string) };
            self.put(Event::Roster(event));
        }
        Ok(())
    }

    fn adopt(&mut self, source: &str) -> Result<(), Refusal> {
        let digest = Digest::of(source.as_bytes());
        if self.house.charters.contains_key(&digest) {
            return Ok(());
        }
        let (rules, _) = crate::charter::Charter::parse_by(source, self.house.edition)
            .map_err(|flaws| charter::Refusal::Flawed { flaws })?;
        self.put(Event::Charter(Adopted { digest, rules: Arc::new(rules) }));
        Ok(())
    }

    /// A matter as it is now; the flow goes on with it.
    pub(crate) fn find(&mut self, matter: MatterId) -> Result<Arc<Case>, Refusal> {
        debug_assert!(!self.house.is_away(matter), "a command about a matter that nobody brought back");
        let case = self.house.shared(matter).ok_or(matter::Refusal::Unknown { matter })?;
        self.turn_to(matter);
        Ok(case)
    }

    /// A council as it is now; the flow goes on with it.
    pub(crate) fn council(&mut self, matter: MatterId) -> Result<Arc<Case>, Refusal> {
        let case = self.find(matter)?;
        if case.council().is_none() { Err(council::Refusal::NotADebate { matter }.into()) } else { Ok(case) }
    }

    /// The matter of an open ask whose asks are performed; the flow goes on with it.
    fn running(&mut self, ask: AskId) -> Result<Arc<Case>, Refusal> {
        let matter = self.house.asks.matter(ask).ok_or(ask::Refusal::NotOpen { ask })?;
        let case = self.find(matter)?;
        let open = case.is_live() && case.asks().contains_key(&ask);
        if open { Ok(case) } else { Err(ask::Refusal::NotOpen { ask }.into()) }
    }
}

/// Only what this build can judge can be founded or upgraded to.
fn known_edition(edition: u32) -> Result<(), Refusal> {
    if edition::KNOWN.contains(&edition) {
        return Ok(());
    }
    let (from, to) = (*edition::KNOWN.start(), *edition::KNOWN.end());
    Err(refusal::Refusal::UnknownEdition { edition, from, to }.into())
}

/// What can be read off a house.
impl House {
    /// The number of the last act.
    pub fn seq(&self) -> Seq {
        self.seq
    }

    /// The time of the last act.
    pub fn now(&self) -> At {
        self.now
    }

    /// How the house was founded, if it was.
    pub fn founded(&self) -> Option<&Founded> {
        self.founded.as_deref()
    }

    /// The edition of the rules that the next act is judged by; 0 before the house is founded.
    pub fn edition(&self) -> u32 {
        self.edition
    }

    /// How the edition it is judged by reads texts.
    pub(crate) fn reading(&self) -> Reading {
        edition::reading(self.edition)
    }

    /// The participants.
    pub fn roster(&self) -> &Roster {
        &self.roster
    }

    /// What agents were seen to do lately.
    pub fn monitor(&self) -> &Monitor {
        &self.monitor
    }

    /// What calls councils here.
    pub fn triggers(&self) -> &Triggers {
        &self.triggers
    }

    /// Who was right, as far as it became known.
    pub fn track(&self) -> &Track {
        &self.track
    }

    /// The charter with that digest, if it was adopted.
    pub fn charter(&self, digest: &Digest) -> Option<&Adopted> {
        self.charters.get(digest)
    }

    /// The act given under that key, if the key is still known: for ever where the act opened a matter, else for 24 hours
    /// in which the house was in use. No clock has a say in it.
    pub fn given_under(&self, key: &Key) -> Option<Seq> {
        self.keys.find(key)
    }

    /// What happened to the house apart from its matters: its keys, its time, what was lost of it.
    pub fn upkeep(&self) -> &Upkeep {
        &self.upkeep
    }

    /// How many keys the house keeps in mind.
    pub fn known_keys(&self) -> usize {
        self.keys.count()
    }

    /// The matter of that id, if it is here.
    pub fn case(&self, matter: MatterId) -> Option<&Case> {
        self.cases.get(&matter)?.case().map(|case| &**case)
    }

    /// The matters that are here, oldest first: all that are not over, and as many others as did not leave memory.
    /// See [`House::summaries`] for all.
    pub fn cases(&self) -> impl DoubleEndedIterator<Item = &Case> {
        self.cases.values().filter_map(Slot::case).map(|case| &**case)
    }

    /// The ask of that id, if it is open, also while its matter rests.
    pub fn ask(&self, ask: AskId) -> Option<&Ask> {
        self.case(self.asks.matter(ask)?)?.asks().get(&ask)
    }

    /// The brief for an open ask: a pure function of the house, whatever the cache holds. Participants that come by
    /// themselves read a turn sheet instead (`procedure::ring::TurnSheet`).
    pub fn brief(&self, ask: AskId, cache: &mut BriefCache) -> Option<crate::brief::Brief> {
        let open = self.ask(ask)?;
        procedure::brief(self, self.case(open.matter)?, open, cache)
    }

    /// What seats and the world are asked to do now. The same after a crash as before it.
    pub fn open_asks(&self) -> impl Iterator<Item = (AskId, &Ask)> {
        self.live().flat_map(|case| case.asks().iter().map(|(id, ask)| (*id, ask)))
    }

    /// What of that somebody is asked, in the same order.
    pub fn asks_of(&self, who: &Who) -> impl Iterator<Item = (AskId, &Ask)> {
        self.asks.of(who).filter_map(|(matter, ask)| {
            let case = self.case(matter).filter(|case| case.is_live())?;
            Some((ask, case.asks().get(&ask)?))
        })
    }

    /// Matters whose asks are performed and whose time passes, oldest first.
    fn live(&self) -> impl Iterator<Item = &Case> {
        self.active.iter().filter_map(|matter| self.case(*matter)).filter(|case| case.is_live())
    }

    /// The participant who is asked: as the matter knows them, else as the house does.
    pub fn asked(&self, ask: &Ask) -> Option<&Seat> {
        let (case, who) = (self.case(ask.matter)?, ask.who()?);
        case.participant(who).or_else(|| self.roster.get(who))
    }
}
