//! Who is connected, and who has to go when too many are.
//!
//! A connection belongs to a stranger until a request on it has shown a good token. Strangers may take a part of the room,
//! each address a part of that, and the oldest of them makes room for the next: whoever has a token shows it at once and is
//! no stranger any more, so a crowd that stays silent shuts nobody out. All of this happens before a byte is read.
//!
//! Connections of one token are bounded too. One that is in use is never ended for others.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::net::{IpAddr, Ipv6Addr};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use tokio::sync::Notify;

use super::limit::CallerName;

/// Connections of one token, besides its feeds and waiting requests.
const OF_TOKEN: usize = 64;

/// How many connections there may be.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Room {
    all: usize,
    strangers: usize,
    /// Strangers of one address.
    of_address: usize,
    of_token: usize,
}

impl Room {
    fn of(all: usize, places: usize) -> Self {
        Self {
            all,
            strangers: (all / 4).max(4),
            of_address: (all / 16).max(4),
            of_token: places.saturating_add(OF_TOKEN),
        }
    }
}

/// Everybody who is connected.
#[derive(Debug)]
pub(crate) struct Crowd {
    room: Room,
    inside: Mutex<Inside>,
}

#[derive(Debug, Default)]
struct Inside {
    next: u64,
    guests: BTreeMap<u64, ConnectionEntry>,
    /// By number, so that the first is the oldest.
    strangers: BTreeSet<u64>,
    of_address: HashMap<IpAddr, BTreeSet<u64>>,
    of_token: HashMap<CallerName, BTreeSet<u64>>,
}

#[derive(Debug)]
struct ConnectionEntry {
    address: IpAddr,
    token: Option<CallerName>,
    /// Whether a request is under way, or a feed is read.
    busy: bool,
    leave: Arc<Notify>,
}

impl Crowd {
    /// For so many connections, with so many feeds and waiting requests of one token.
    pub(crate) fn new(connections: usize, places: usize) -> Arc<Self> {
        Arc::new(Self { room: Room::of(connections, places), inside: Mutex::default() })
    }

    /// Somebody comes. Somebody else may be told to leave for it.
    pub(crate) fn enter(self: &Arc<Self>, address: IpAddr) -> CrowdConnection {
        let address = network(address);
        let leave = Arc::new(Notify::new());
        let mut inside = self.inside();
        let number = inside.next;
        inside.next += 1;
        let entry = ConnectionEntry { address, token: None, busy: false, leave: leave.clone() };
        inside.guests.insert(number, entry);
        inside.strangers.insert(number);
        let here = inside.of_address.entry(address).or_default();
        here.insert(number);
        let crowded = (here.len() > self.room.of_address).then(|| here.first().copied()).flatten();
        let full = inside.strangers.len() > self.room.strangers || inside.guests.len() >= self.room.all;
        let victim = crowded.or_else(|| full.then(|| inside.strangers.first().copied()).flatten());
        // The one who comes is no victim as long as there is any other.
        let victim = victim.filter(|victim| *victim != number);
        let victim =
            victim.or_else(|| (inside.guests.len() >= self.room.all).then(|| inside.idle()).flatten());
        inside.dismiss(victim);
        CrowdConnection { crowd: self.clone(), number, address, leave, known: AtomicBool::new(false) }
    }

    fn inside(&self) -> MutexGuard<'_, Inside> {
        self.inside.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Inside {
    /// Tells somebody to leave. They are not counted any more, so that nobody is told twice.
    fn dismiss(&mut self, number: Option<u64>) {
        if let Some(entry) = number.and_then(|number| self.remove(number)) {
            entry.leave.notify_one();
        }
    }

    fn remove(&mut self, number: u64) -> Option<ConnectionEntry> {
        let entry = self.guests.remove(&number)?;
        self.strangers.remove(&number);
        drop_from(&mut self.of_address, &entry.address, number);
        if let Some(token) = &entry.token {
            drop_from(&mut self.of_token, token, number);
        }
        Some(entry)
    }

    /// The oldest of a token's connections that nothing is under way on.
    fn idle_of(&self, token: &CallerName) -> Option<u64> {
        let own = self.of_token.get(token)?;
        own.iter().copied().find(|number| self.guests.get(number).is_some_and(|entry| !entry.busy))
    }

    /// The same of the token that has most.
    fn idle(&self) -> Option<u64> {
        let mut tokens: Vec<(&CallerName, usize)> =
            self.of_token.iter().map(|(name, own)| (name, own.len())).collect();
        tokens.sort_by_key(|(_, count)| std::cmp::Reverse(*count));
        tokens.into_iter().find_map(|(name, _)| self.idle_of(name))
    }
}

fn drop_from<K: std::hash::Hash + Eq + Clone>(map: &mut HashMap<K, BTreeSet<u64>>, key: &K, number: u64) {
    if let Some(own) = map.get_mut(key) {
        own.remove(&number);
        if own.is_empty() {
            map.remove(key);
        }
    }
}

/// What counts as one address: whoever has an IPv6 network has all its addresses.
pub(crate) fn network(address: IpAddr) -> IpAddr {
    match address.to_canonical() {
        IpAddr::V6(six) => {
            let mut parts = six.segments();
            parts[4..].fill(0);
            IpAddr::V6(Ipv6Addr::from(parts))
        }
        four => four,
    }
}

/// One connection. Dropping it leaves.
#[derive(Debug)]
pub(crate) struct CrowdConnection {
    crowd: Arc<Crowd>,
    number: u64,
    /// The network they come from.
    pub(crate) address: IpAddr,
    leave: Arc<Notify>,
    /// Whether a good token was shown.
    known: AtomicBool,
}

impl CrowdConnection {
    /// Returns when they have to leave.
    pub(crate) async fn told_to_leave(&self) {
        self.leave.notified().await;
    }

    /// Whether no good token was shown yet.
    pub(crate) fn is_stranger(&self) -> bool {
        !self.known.load(Ordering::Relaxed)
    }

    /// They have shown a good token.
    pub(crate) fn is_known_by(&self, token: &CallerName) {
        self.known.store(true, Ordering::Relaxed);
        let mut inside = self.crowd.inside();
        let Some(entry) = inside.guests.get_mut(&self.number) else { return };
        if entry.token.as_ref() == Some(token) {
            return;
        }
        let (before, address) = (entry.token.replace(token.clone()), entry.address);
        match before {
            Some(before) => drop_from(&mut inside.of_token, &before, self.number),
            None => {
                inside.strangers.remove(&self.number);
                drop_from(&mut inside.of_address, &address, self.number);
            }
        }
        let own = inside.of_token.entry(token.clone()).or_default();
        own.insert(self.number);
        if own.len() > self.crowd.room.of_token {
            let victim = inside.idle_of(token);
            inside.dismiss(victim);
        }
    }

    /// Whether something is under way.
    pub(crate) fn is_busy(&self, busy: bool) {
        if let Some(entry) = self.crowd.inside().guests.get_mut(&self.number) {
            entry.busy = busy;
        }
    }
}

impl Drop for CrowdConnection {
    fn drop(&mut self) {
        self.crowd.inside().remove(self.number);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn crowd() -> Arc<Crowd> {
        Crowd::new(64, 2) // 16 strangers, 4 of one address
    }

    fn is_here(guest: &CrowdConnection) -> bool {
        guest.crowd.inside().guests.contains_key(&guest.number)
    }

    fn here(guests: &[CrowdConnection]) -> Vec<bool> {
        guests.iter().map(is_here).collect()
    }

    #[test]
    fn the_oldest_stranger_of_an_address_makes_room() {
        let crowd = crowd();
        let (one, other): (IpAddr, IpAddr) = ([10, 0, 0, 1].into(), [10, 0, 0, 2].into());
        let first = crowd.enter(other);
        let mut guests: Vec<CrowdConnection> = (0..4).map(|_| crowd.enter(one)).collect();
        guests[1].is_known_by(&"ann".into());
        guests.push(crowd.enter(one));
        assert_eq!(here(&guests), [true; 5], "one has shown a token");
        guests.push(crowd.enter(one));
        assert_eq!(here(&guests), [false, true, true, true, true, true]);
        assert!(is_here(&first), "another address loses nothing");
    }

    #[test]
    fn strangers_of_many_addresses_take_a_part_of_the_room() {
        let crowd = crowd();
        let guests: Vec<CrowdConnection> = (0..40).map(|nth| crowd.enter([10, 0, 0, nth].into())).collect();
        assert_eq!(here(&guests).iter().filter(|here| **here).count(), 16);
        assert!(is_here(&guests[39]), "who comes last is let in");
        let six = |nth: u16| IpAddr::V6(Ipv6Addr::new(0x2001, 0xdb8, 0, 7, nth, 0, 0, 1));
        assert_eq!(network(six(1)), network(six(2)));
    }

    #[test]
    fn a_token_keeps_those_in_use() {
        let crowd = Crowd::new(1024, 2);
        let guests: Vec<CrowdConnection> = (0..70u8)
            .map(|nth| {
                let guest = crowd.enter([10, 0, 0, 1].into());
                guest.is_known_by(&"ann".into());
                guest.is_busy(nth < 2);
                guest
            })
            .collect();
        let here = here(&guests);
        assert!(here[0] && here[1], "in use");
        assert_eq!(here.iter().filter(|here| **here).count(), 66);
        assert!(!here[2] && here[69]);
    }
}
