//! The house: the only place that introduces organs to each other.
//!
//! One flow per file: `open`, `fork`, `round`, `contribute`, `clerk`, `supply`, `vote`, `settle`, `moderate`,
//! `observe`, `trigger`, `tick`, `begin`, `tell`, and `ring` for participants that come by themselves.
//! A flow reads top-down and holds all the branches; what it calls is pure. `decide` judges and changes
//! nothing; `evolve` records and judges nothing, so a replay cannot fail.

mod asks;
mod begin;
mod brief;
mod case;
mod clerk;
mod contribute;
mod dossier;
mod flow;
mod fork;
mod keys;
mod learn;
mod moderate;
mod names;
mod observe;
mod open;
mod poll;
mod ring;
mod round;
mod settle;
mod supply;
mod tick;
mod trigger;
mod vote;

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

pub use brief::BriefCache;
pub use case::{Ballot, Case, Lapse, asked};
pub use dossier::{Became, Dossier, Requested, Side};
pub use names::Names;
pub(crate) use poll::polled;
pub use poll::recount;
pub use ring::Member;
pub(crate) use vote::spelled;

use self::asks::Asks;
use crate::door;
use crate::event::{About, Adopted, Founded};
use crate::kernel::{Actor, AskId, At, Digest, Id, Key, MatterId, Seat, Seq, Who};
use crate::matter;
use crate::monitor::Monitor;
use crate::roster::{self, Roster};
use crate::track::{self, Track};
use crate::trigger::Triggers;
use crate::{Act, Ask, Command, Event, Outcome, Refusal};

/// The longest name of a participant, in characters.
const NAME_MOST: usize = 100;

/// A workspace of deliberation: participants, charters, matters. A fold of its journal.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct House {
    founded: Option<Founded>,
    seq: Seq,
    now: At,
    roster: Roster,
    charters: BTreeMap<Digest, Adopted>,
    cases: BTreeMap<MatterId, Case>,
    asks: Asks,
    /// Matters in which something may still happen by itself: those that are not over, and those with an open ask. A
    /// house has many more that are over.
    stirring: BTreeSet<MatterId>,
    keys: keys::Keys,
    monitor: Monitor,
    triggers: Triggers,
    track: Arc<Track>,
}

impl House {
    /// Judges one command. Reads the house, changes nothing.
    pub fn decide(&self, at: At, by: &Actor, command: &Command) -> Result<Vec<Event>, Refusal> {
        self.may(by, command)?;
        match command {
            Command::Found { key } => Ok(vec![Event::House(Founded { key: key.clone() })]),
            Command::Adopt { source } => self.adopt(source),
            Command::Enrol { seat } => self.enrol(seat),
            Command::Open(open) => self.open(at, open),
            Command::Begin { ask, worst } => self.begin(at, *ask, worst),
            Command::Answer { ask, text, call, salt } => self.answer(at, *ask, text, call, salt.as_deref()),
            Command::Fail { ask, cause, call } => self.fail(at, *ask, cause, call),
            Command::Pause { matter, why } => self.pause(at, *matter, *why),
            Command::Resume { matter } => self.resume(at, *matter),
            Command::Stop { matter } => self.stop(at, *matter),
            Command::Tick => Ok(self.tick(at)),
            Command::Continue { matter, focus, context, to_end } => {
                self.go_on(at, *matter, focus.as_deref(), context, *to_end)
            }
            Command::Fork(fork) => self.fork(at, fork),
            Command::Supply { matter, request, text } => self.supply(at, *matter, *request, Some(text)),
            Command::Waive { matter, request } => self.supply(at, *matter, *request, None),
            Command::Synthesise { matter, by } => self.synthesise(at, *matter, by),
            Command::Judge { matter, by, round } => self.judge(at, *matter, by, *round),
            Command::Redact { matter, acts } => self.redact(at, *matter, acts),
            Command::Regulate(regulate) => self.regulate(regulate),
            Command::Observe { observation } => self.observe(at, observation),
            Command::Trigger(request) => self.trigger(at, request),
            Command::Learn { matter, told } => self.learn(*matter, *told),
            Command::TurnAway { sums } => {
                let events = door::report(sums).map_err(|wrong| Refusal::MalformedReport { wrong })?;
                Ok(events.into_iter().map(Event::Door).collect())
            }
            Command::Partake { matter, part } => match by {
                Actor::Seat(who) => self.partake(at, *matter, who, part),
                Actor::Operator | Actor::Engine => Err(Refusal::NotAllowed { by: by.clone() }),
            },
            Command::Start { matter } => self.start(at, *matter),
            Command::Remove { matter, who } => self.remove(at, *matter, who),
        }
    }

    /// Who may give which command. An answer is the seat's own; the clock, the fate of calls and what happens at the
    /// door are the engine's; what a participant does in a ring, reports of itself and asks a council for is its own; everything
    /// else is the operator's.
    fn may(&self, by: &Actor, command: &Command) -> Result<(), Refusal> {
        match (&self.founded, command) {
            (Some(_), Command::Found { .. }) => return Err(Refusal::AlreadyFounded),
            (None, Command::Found { .. }) | (Some(_), _) => (),
            (None, _) => return Err(Refusal::NotFounded),
        }
        let allowed = match command {
            Command::Answer { ask, .. } => match self.ask(*ask) {
                Some(open) => *by == Actor::Seat(open.who.clone()),
                None => return Err(Refusal::AskNotOpen { ask: *ask }),
            },
            Command::Partake { .. } => matches!(by, Actor::Seat(_)),
            Command::Begin { .. } | Command::Fail { .. } | Command::Tick | Command::TurnAway { .. } => {
                *by == Actor::Engine
            }
            Command::Pause { why: matter::Pause::Interrupted, .. } => *by == Actor::Engine,
            Command::Observe { observation } => Self::may_observe(by, observation),
            Command::Trigger(request) => Self::may_trigger(by, request),
            Command::Found { .. }
            | Command::Regulate(_)
            | Command::Adopt { .. }
            | Command::Enrol { .. }
            | Command::Open(_)
            | Command::Pause { why: matter::Pause::Operator, .. }
            | Command::Resume { .. }
            | Command::Stop { .. }
            | Command::Continue { .. }
            | Command::Fork(_)
            | Command::Supply { .. }
            | Command::Waive { .. }
            | Command::Synthesise { .. }
            | Command::Judge { .. }
            | Command::Start { .. }
            | Command::Remove { .. }
            | Command::Learn { .. }
            | Command::Redact { .. } => *by == Actor::Operator,
            Command::Pause { why: matter::Pause::NeedsContext | matter::Pause::BetweenRounds, .. } => false,
        };
        if allowed { Ok(()) } else { Err(Refusal::NotAllowed { by: by.clone() }) }
    }

    /// Judges a command and makes the act of it, without recording it.
    pub fn act(&self, at: At, by: Actor, key: Option<Key>, command: Command) -> Act {
        let at = at.max(self.now); // A clock that was set back must not reorder the record.
        let outcome = match self.decide(at, &by, &command) {
            Ok(events) => Outcome::Done(events),
            Err(refusal) => Outcome::Refused { code: refusal.code().into(), message: refusal.to_string() },
        };
        Act { seq: self.seq.next(), at, by, key, command, outcome }
    }

    /// Records one act. Total: nothing is judged here.
    pub fn evolve(&mut self, act: &Act) {
        debug_assert_eq!(act.seq, self.seq.next(), "the journal has a gap");
        self.seq = act.seq;
        self.now = self.now.max(act.at);
        self.keys.note(self.now, act);
        for (nth, event) in act.events().iter().enumerate() {
            self.record(Id { act: act.seq, nth: nth as u16 }, act.at, event);
        }
    }

    fn record(&mut self, id: Id, at: At, event: &Event) {
        match event {
            Event::House(founded) => self.founded = Some(founded.clone()),
            Event::Charter(adopted) => drop(self.charters.insert(adopted.digest, adopted.clone())),
            Event::Roster(event) => self.roster.apply(event),
            Event::Monitor(event) => self.monitor.apply(at, event),
            Event::Trigger(event) => self.triggers.apply(at, event),
            // Nothing hangs on it: what was turned away changes nothing.
            Event::Door(_) => (),
            Event::Track(known @ track::Event::Learned(learned)) => {
                Arc::make_mut(&mut self.track).apply(known);
                if let Some(case) = self.cases.get_mut(&learned.matter) {
                    case.apply(id, at, event, &mut self.asks);
                }
            }
            Event::Matter(matter::Event::Opened(opening)) => {
                if let Some(adopted) = self.charters.get(&opening.charter.digest) {
                    // The moves were judged when the matter was opened; what cannot be moved stays as it is.
                    let charter =
                        adopted.rules.moved(&opening.moved).unwrap_or_else(|_| adopted.rules.clone());
                    let charter = charter.for_motion(opening.motion.as_deref()).unwrap_or(charter);
                    let origin = opening.forked.and_then(|forked| self.cases.get(&forked.from));
                    let case = Case::open(MatterId(id), at, opening.clone(), charter, origin);
                    self.cases.insert(MatterId(id), case);
                    self.stirring.insert(MatterId(id));
                }
            }
            Event::Matter(_)
            | Event::Floor(_)
            | Event::Gate(_)
            | Event::Ballot(_)
            | Event::Meter(_)
            | Event::Ask(_)
            | Event::Context(_)
            | Event::Table(_)
            | Event::Watch(_) => {
                let matter = match event.about() {
                    About::House => None,
                    About::Matter(matter) => Some(matter),
                    About::Ask(ask) => self.asks.matter(ask),
                };
                if let Some(case) = matter.and_then(|matter| self.cases.get_mut(&matter)) {
                    case.apply(id, at, event, &mut self.asks);
                    match matches!(case.status(), matter::Status::Settled(_)) && case.asks().is_empty() {
                        true => self.stirring.remove(&case.id),
                        false => self.stirring.insert(case.id),
                    };
                }
                if let Event::Matter(matter::Event::Redacted { matter }) = event {
                    self.forget_in_branches(*matter, None);
                }
            }
        }
    }

    /// Takes the words of a matter out of those that branched off from it, and from them.
    /// `until` bounds them for branches of branches: the last round they have of it, and when they left it.
    fn forget_in_branches(&mut self, matter: MatterId, until: Option<(u32, Id)>) {
        let shared = |case: &Case| {
            // A branch is younger than what it branches off from; a forged record may say otherwise.
            let forked = case.opening.forked.filter(|forked| forked.from == matter && matter < case.id)?;
            let (last, begun) = until.unwrap_or((forked.round, case.id.0));
            Some((case.id, last.min(forked.round), begun))
        };
        let branches: Vec<(MatterId, u32, Id)> = self.cases.values().filter_map(shared).collect();
        for (branch, last, begun) in branches {
            if let Some(case) = self.cases.get_mut(&branch) {
                case.forget_shared(last, begun);
            }
            self.forget_in_branches(branch, Some((last, begun)));
        }
    }

    fn enrol(&self, seat: &Seat) -> Result<Vec<Event>, Refusal> {
        if Who::parse(seat.who.as_str()).as_ref() != Ok(&seat.who) {
            return Err(Refusal::UncanonicalId { who: seat.who.clone() });
        }
        let name = &seat.name;
        if crate::kernel::text::one_line(name) != *name || name.is_empty() || name.chars().count() > NAME_MOST
        {
            return Err(Refusal::MalformedName { name: name.clone(), most: NAME_MOST });
        }
        Ok(roster::enrol(&self.roster, seat).map(Event::Roster).into_iter().collect())
    }

    fn adopt(&self, source: &str) -> Result<Vec<Event>, Refusal> {
        let digest = Digest::of(source.as_bytes());
        if self.charters.contains_key(&digest) {
            return Ok(Vec::new());
        }
        let (rules, _) =
            crate::charter::Charter::parse(source).map_err(|flaws| Refusal::FlawedCharter { flaws })?;
        Ok(vec![Event::Charter(Adopted { digest, rules: Arc::new(rules) })])
    }
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
        self.founded.as_ref()
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

    /// The act given under that key, if the key is still known at that time: for ever where the act opened a
    /// matter, else for 24 hours of the record's time.
    pub fn given_under(&self, key: &Key, at: At) -> Option<Seq> {
        self.keys.find(key, at.max(self.now))
    }

    /// How many keys the house keeps in mind.
    pub fn known_keys(&self) -> usize {
        self.keys.count()
    }

    /// The matter of that id.
    pub fn case(&self, matter: MatterId) -> Option<&Case> {
        self.cases.get(&matter)
    }

    /// All matters, oldest first.
    pub fn cases(&self) -> impl Iterator<Item = &Case> {
        self.cases.values()
    }

    /// The ask of that id, if it is open, also while its matter rests.
    pub fn ask(&self, ask: AskId) -> Option<&Ask> {
        self.cases.get(&self.asks.matter(ask)?)?.asks().get(&ask)
    }

    /// What the world is asked to do now. The same after a crash as before it.
    pub fn open_asks(&self) -> impl Iterator<Item = (AskId, &Ask)> {
        self.live().flat_map(|case| case.asks().iter().map(|(id, ask)| (*id, ask)))
    }

    /// What of that somebody is asked, in the same order.
    pub fn asks_of(&self, who: &Who) -> impl Iterator<Item = (AskId, &Ask)> {
        self.asks.of(who).filter_map(|(matter, ask)| {
            let case = self.cases.get(&matter).filter(|case| case.is_live())?;
            Some((ask, case.asks().get(&ask)?))
        })
    }

    /// Matters whose asks are performed and whose time passes, oldest first.
    fn live(&self) -> impl Iterator<Item = &Case> {
        self.stirring.iter().filter_map(|matter| self.cases.get(matter)).filter(|case| case.is_live())
    }

    /// When `Command::Tick` must be given at the latest.
    pub fn next_deadline(&self) -> Option<At> {
        let watched = self.monitor.next_deadline().into_iter().chain(self.next_look());
        self.live().filter_map(Case::next_deadline).chain(watched).min()
    }

    fn find(&self, matter: MatterId) -> Result<&Case, Refusal> {
        self.cases.get(&matter).ok_or(Refusal::UnknownMatter { matter })
    }

    /// A matter whose seats are called, rather than a ring.
    fn debate(&self, matter: MatterId) -> Result<&Case, Refusal> {
        let case = self.find(matter)?;
        if case.charter.ring.is_some() { Err(Refusal::NotInRing { matter }) } else { Ok(case) }
    }

    /// Whoever is asked: as the matter knows them, else as the house does.
    pub fn asked(&self, ask: &Ask) -> Option<&Seat> {
        let case = self.cases.get(&ask.matter)?;
        case.participant(&ask.who).or_else(|| self.roster.get(&ask.who))
    }

    /// The open ask and its matter, if asks of it are performed.
    fn running(&self, ask: AskId) -> Result<(&Case, &Ask), Refusal> {
        let case = self.asks.matter(ask).and_then(|matter| self.cases.get(&matter));
        let case = case.filter(|case| case.is_live());
        let open = case.and_then(|case| case.asks().get(&ask).map(|open| (case, open)));
        open.ok_or(Refusal::AskNotOpen { ask })
    }
}
