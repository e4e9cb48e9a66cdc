//! Which process performs what, where several perform asks in one house.
//!
//! One process holds the house and writes. Others join it, and perform the matters they opened or resumed and the
//! single asks they gave. A claim is announced by the key of an order before the order is given, so that it holds
//! from that very act on. Nothing of this is recorded: after a crash, matters are interrupted and resumed as always.

use std::collections::BTreeMap;
use std::sync::{Mutex, PoisonError, RwLock};

use synod_core::kernel::{AskId, Id, Key, MatterId, SeatKind, Seq};
use synod_core::procedure::workshop;
use synod_core::{Act, Command, Event, House, ask, floor, matter};

/// A process that has joined, by its number.
pub(crate) type GuestId = u64;

/// This process itself.
pub(crate) const ME: GuestId = 0;

/// Whoever performed what a process found running when it took the house over. They may still come.
pub(crate) const ABSENT: GuestId = GuestId::MAX;

/// Announces an order before it is given, in the process that holds the house. Two may give one order under the same key at the
/// same moment: whoever announced it first performs what comes of it, whichever is judged first. Says whether that is this
/// guest; of what was given before, it is nobody.
pub(crate) fn announce(claims: &Mutex<Claims>, house: &RwLock<House>, key: &Key, guest: GuestId) -> bool {
    let mut claims = claims.lock().unwrap_or_else(PoisonError::into_inner);
    if let Some(first) = claims.awaited.get(key) {
        return *first == guest;
    }
    // Asked after the claims: an act leaves them when the house shows it already.
    let house = house.read().unwrap_or_else(PoisonError::into_inner);
    let new = house.given_under(key).is_none();
    if new {
        claims.awaited.insert(key.clone(), guest);
    }
    new
}

/// Whether an act invites a seat to comment on an issue. Issues are open to everybody, so nobody claims the matter: whoever
/// invites a seat has what answers for it.
fn invites(act: &Act, event: &Event) -> bool {
    matches!(act.command, Command::Workshop(workshop::Command::Invite { .. }))
        && matches!(event, Event::Floor(floor::Event::Called { .. }))
}

/// See the module.
#[derive(Debug, Default)]
pub(crate) struct Claims {
    /// Whether this process has joined another. It then performs only what it claims; else, what nobody claims.
    joined: bool,
    /// Orders whose acts were not read yet. Those that made none are forgotten with their guest.
    awaited: BTreeMap<Key, GuestId>,
    matters: BTreeMap<MatterId, GuestId>,
    /// Acts that asked a judge, a seat for a summary, or a seat to comment on an issue.
    acts: BTreeMap<Seq, GuestId>,
}

impl Claims {
    /// The claims of a process that has joined.
    pub(crate) fn of_guest() -> Self {
        Self { joined: true, ..Self::default() }
    }

    /// Whether this process has joined another.
    pub(crate) fn is_guest(&self) -> bool {
        self.joined
    }

    /// This process holds the house from now on, and keeps these matters for those who performed them.
    pub(crate) fn hold(&mut self, kept: Vec<MatterId>) {
        *self =
            Self { matters: kept.into_iter().map(|matter| (matter, ABSENT)).collect(), ..Self::default() };
    }

    /// What comes of the order with this key is ours to perform: the process that holds the house has said so.
    pub(crate) fn expect(&mut self, key: &Key) {
        self.awaited.insert(key.clone(), ME);
    }

    /// The guest performs this matter from now on.
    pub(crate) fn take(&mut self, matter: MatterId, guest: GuestId) {
        self.matters.insert(matter, guest);
    }

    /// The matters this process claims.
    pub(crate) fn own(&self) -> Vec<MatterId> {
        self.matters.iter().filter(|(_, guest)| **guest == ME).map(|(matter, _)| *matter).collect()
    }

    /// Reads an act for what it gives to whom. The house is as it stands after the act, or later.
    pub(crate) fn note(&mut self, house: &House, act: &Act) {
        if self.awaited.is_empty() && self.matters.is_empty() {
            return;
        }
        let guest = act.key.as_ref().and_then(|key| self.awaited.remove(key));
        let guest = guest.filter(|guest| self.joined || *guest != ME);
        let mut asker = guest;
        for (nth, event) in act.events().iter().enumerate() {
            // A summary that is asked for as the matter settles is for whoever performed the matter.
            if let Event::Matter(matter::Event::Settled { matter, .. }) = event {
                asker = asker.or_else(|| self.matters.get(matter).copied());
            }
            if let Event::Matter(event) = event {
                self.note_matter(house, MatterId(Id { act: act.seq, nth: nth as u16 }), event, guest);
            }
            let asks = matches!(event, Event::Ask(ask::Event::Opened { .. })) || invites(act, event);
            if let Some(guest) = asker.filter(|_| asks) {
                self.acts.insert(act.seq, guest);
            }
        }
    }

    fn note_matter(&mut self, house: &House, new: MatterId, event: &matter::Event, guest: Option<GuestId>) {
        match event {
            matter::Event::Opened(_) => self.give(house, new, guest),
            matter::Event::Resumed { matter } => self.give(house, *matter, guest),
            matter::Event::Settled { matter, .. } => self.give(house, *matter, None),
            matter::Event::StageEntered { .. } | matter::Event::Paused { .. } => (),
            matter::Event::Seconded { .. } => (),
            matter::Event::Stepped { .. }
            | matter::Event::Reopened { .. }
            | matter::Event::Redacted { .. } => (),
        }
    }

    /// Gives a matter to a guest; to none, where the process that holds the house resumed it itself. Nobody performs
    /// for participants that come by themselves, so nobody claims their matters.
    fn give(&mut self, house: &House, matter: MatterId, guest: Option<GuestId>) {
        let seats = house.case(matter).map(|case| case.opening.seats.as_slice()).unwrap_or_default();
        let performed = seats.iter().any(|seat| seat.kind != SeatKind::Outside);
        match guest.filter(|_| performed) {
            Some(guest) => drop(self.matters.insert(matter, guest)),
            None => drop(self.matters.remove(&matter)),
        }
    }

    /// Whether this process performs an ask.
    pub(crate) fn are_ours(&self, matter: MatterId, ask: AskId) -> bool {
        let guest = self.acts.get(&ask.0.act).or_else(|| self.matters.get(&matter));
        match self.joined {
            true => guest == Some(&ME),
            false => guest.is_none(),
        }
    }

    /// Whether a guest performs any matter.
    pub(crate) fn has(&self, guest: GuestId) -> bool {
        self.matters.values().any(|of| *of == guest)
    }

    /// Forgets a guest. Gives the matters it performed.
    pub(crate) fn forget(&mut self, guest: GuestId) -> Vec<MatterId> {
        self.awaited.retain(|_, of| *of != guest);
        self.acts.retain(|_, of| *of != guest);
        let left = self.matters.iter().filter(|(_, of)| **of == guest).map(|(matter, _)| *matter).collect();
        self.matters.retain(|_, of| *of != guest);
        left
    }
}
