//! Leases: who works on which files now. A participant takes files or folders for a time; nobody else can take them, or
//! anything above or below them, until they are released or their time is over.
//!
//! Paths are names below the root of the house. They are compared without regard to case and to the form of accented
//! letters, because some disks do not tell these apart. Nothing here reads a disk: links are resolved by whoever asks.

mod path;
mod refusal;

use std::collections::{BTreeMap, BTreeSet};

use imbl::{OrdMap, OrdSet, Vector};
use serde::{Deserialize, Serialize};

pub use path::LeasePath;
pub use refusal::Refusal;

use crate::kernel::{About, AskChange, At, MatterId, Who, shared_list, shared_pairs, text, words};

/// The longest reason, in characters.
pub const WHY_MOST: usize = 500;
/// How many requests are kept with a lease: the holder needs to know that others wait, not how often each asked.
const ASKED_MOST: usize = 20;
/// How many times of leases are kept before those are dropped that ended long ago.
const TIMES_MOST: usize = 10_000;
/// How long they are kept then: thirty days.
const TIMES_MS: u64 = 30 * 86_400_000;

/// The numbers of leases, from the charter.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Rules {
    /// How many paths one participant may hold.
    pub each: u32,
    /// How long a lease lasts where nobody says it, in milliseconds.
    pub usual_ms: u64,
    /// The longest, in milliseconds.
    pub most_ms: u64,
}

/// What happens to leases.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Event {
    /// Somebody works on these from now on.
    Taken {
        /// Which.
        paths: Vec<LeasePath>,
        /// Until when, that moment not included.
        until: At,
        /// Who.
        who: Who,
        /// What for.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        why: Option<String>,
    },
    /// The holder needs them for longer, or less long.
    Renewed {
        /// Which.
        paths: Vec<LeasePath>,
        /// Until when.
        until: At,
        /// Who.
        who: Who,
    },
    /// They are free.
    Released {
        /// Who released them: the holder, or somebody who oversees.
        by: Who,
        /// Which.
        paths: Vec<LeasePath>,
        /// Who held them.
        who: Who,
    },
    /// Their time is over.
    Expired {
        /// Which.
        paths: Vec<LeasePath>,
        /// Who held them.
        who: Who,
    },
    /// Somebody needs what another holds.
    Asked {
        /// Who asks.
        by: Who,
        /// The issue that was opened for it.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        opened: Option<MatterId>,
        /// What is held.
        path: LeasePath,
        /// Who holds it.
        who: Who,
        /// Why it is needed.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        why: Option<String>,
    },
}

words!(enum Event {
    Taken { why | paths, until, who },
    Renewed { | paths, until, who },
    Released { | by, paths, who },
    Expired { | paths, who },
    Asked { why | by, opened, path, who },
});

impl Event {
    /// Leases are the house's.
    pub fn about(&self) -> About {
        About::House
    }

    /// They do nothing to asks.
    pub fn ask(&self) -> AskChange {
        AskChange::None
    }
}

/// Somebody who needs what another holds.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct LeaseRequest {
    /// When they asked.
    pub at: At,
    /// Who.
    pub by: Who,
    /// The issue that was opened for it.
    pub opened: Option<MatterId>,
    /// Why they need it.
    pub why: Option<String>,
}

/// A path that somebody holds.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Lease {
    /// The path as it was written.
    pub path: LeasePath,
    /// Since when.
    pub since: At,
    /// Until when, that moment not included.
    pub until: At,
    /// Who holds it.
    pub who: Who,
    /// What for.
    pub why: Option<String>,
    /// Who needs it, the latest last.
    #[serde(with = "shared_list")]
    pub asked: Vector<LeaseRequest>,
}

impl Lease {
    /// Whether it counts at a moment.
    pub fn holds(&self, at: At) -> bool {
        at < self.until
    }
}

/// All leases. Copies are cheap.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct Leases {
    /// By the form in which paths are compared.
    #[serde(with = "shared_pairs")]
    held: OrdMap<String, Lease>,
    /// When each of them ends.
    #[serde(with = "due_list")]
    due: OrdSet<(At, String)>,
    /// From when to when participants held what, by participant and compared form. Times before are joined to the last one.
    #[serde(with = "shared_pairs")]
    times: OrdMap<(Who, String), (At, At)>,
}

mod due_list {
    //! Ends of leases, written as a list.

    use super::{At, OrdSet};
    use serde::{Deserialize, Deserializer, Serializer};

    pub(super) fn serialize<S: Serializer>(due: &OrdSet<(At, String)>, out: S) -> Result<S::Ok, S::Error> {
        out.collect_seq(due.iter())
    }

    pub(super) fn deserialize<'de, D: Deserializer<'de>>(from: D) -> Result<OrdSet<(At, String)>, D::Error> {
        Ok(Vec::<(At, String)>::deserialize(from)?.into_iter().collect())
    }
}

/// Questions.
impl Leases {
    /// Leases that hold at a moment, by path.
    pub fn held(&self, at: At) -> impl Iterator<Item = &Lease> {
        self.held.values().filter(move |lease| lease.holds(at))
    }

    /// The leases that a path touches at a moment: on itself, on a folder above it, or on something below it.
    pub fn touching(&self, path: &LeasePath, at: At) -> impl Iterator<Item = &Lease> {
        let key = path.key();
        let above: Vec<&Lease> = path::folders(&key).filter_map(|folder| self.held.get(folder)).collect();
        let within = format!("{key}/");
        let below = self.held.range(within.clone()..).take_while(move |(one, _)| one.starts_with(&within));
        let below: Vec<&Lease> = below.map(|(_, lease)| lease).collect();
        above.into_iter().chain(below).filter(move |lease| lease.holds(at))
    }

    /// The lease of somebody else that keeps a participant from writing a path, the one that ends last.
    pub fn against(&self, who: &Who, path: &LeasePath, at: At) -> Option<&Lease> {
        self.touching(path, at).filter(|lease| lease.who != *who).max_by_key(|lease| lease.until)
    }

    /// Whether somebody held a path, or a folder above it, at a moment that may be long ago: then it was theirs to change.
    pub fn held_at(&self, who: &Who, path: &str, at: At) -> bool {
        let Ok(path) = LeasePath::parse(path) else { return false };
        let key = path.key();
        let held = |folder: &str| {
            let times = self.times.get(&(who.clone(), folder.to_string()));
            times.is_some_and(|(since, until)| *since <= at && at <= *until)
        };
        path::folders(&key).any(held)
    }

    /// When the next lease ends.
    pub fn next_deadline(&self) -> Option<At> {
        self.due.get_min().map(|(at, _)| *at)
    }
}

/// What follows. Nothing changes.
impl Leases {
    /// Takes paths, all or none. Taking what one holds renews it.
    pub fn take(
        &self,
        at: At,
        rules: &Rules,
        who: &Who,
        written: &[String],
        for_ms: Option<u64>,
        why: Option<&str>,
    ) -> Result<Event, Refusal> {
        let paths = parsed(written)?;
        let until = ends(at, rules, for_ms)?;
        for path in &paths {
            if let Some(lease) = self.against(who, path, at) {
                return Err(held(who, path, lease));
            }
        }
        let named: BTreeSet<String> = paths.iter().map(LeasePath::key).collect();
        let own =
            self.held(at).filter(|lease| lease.who == *who && !named.contains(&lease.path.key())).count();
        let (wanted, most) = (own + paths.len(), rules.each);
        if wanted > most as usize {
            return Err(Refusal::TooMany { wanted, most });
        }
        Ok(Event::Taken { paths, until, who: who.clone(), why: reason(why)? })
    }

    /// Gives the holder another end; all paths they hold if none are named.
    pub fn renew(
        &self,
        at: At,
        rules: &Rules,
        who: &Who,
        written: &[String],
        for_ms: Option<u64>,
    ) -> Result<Event, Refusal> {
        let until = ends(at, rules, for_ms)?;
        let paths = self.own(at, who, written)?;
        Ok(Event::Renewed { paths, until, who: who.clone() })
    }

    /// Releases what one holds; all of it if nothing is named.
    pub fn release(&self, at: At, who: &Who, written: &[String]) -> Result<Event, Refusal> {
        let paths = self.own(at, who, written)?;
        Ok(Event::Released { by: who.clone(), paths, who: who.clone() })
    }

    /// Releases what others hold, for somebody who oversees them: one event for each holder.
    pub fn release_any(&self, at: At, by: &Who, written: &[String]) -> Result<Vec<Event>, Refusal> {
        let mut holders: BTreeMap<Who, Vec<LeasePath>> = Default::default();
        for path in parsed(written)? {
            let lease = self.exactly(&path, at)?;
            holders.entry(lease.who.clone()).or_default().push(lease.path.clone());
        }
        let released = |(who, paths)| Event::Released { by: by.clone(), paths, who };
        Ok(holders.into_iter().map(released).collect())
    }

    /// Asks for what another holds. The event names the lease that is in the way.
    pub fn ask(&self, at: At, by: &Who, written: &str, why: Option<&str>) -> Result<Event, Refusal> {
        let path = LeasePath::parse(written)?;
        let why = reason(why)?;
        match self.against(by, &path, at) {
            Some(lease) => {
                let (path, who) = (lease.path.clone(), lease.who.clone());
                Ok(Event::Asked { by: by.clone(), opened: None, path, who, why })
            }
            None if self.touching(&path, at).next().is_some() => Err(Refusal::OwnLease { path }),
            None => Err(Refusal::NotHeld { path }),
        }
    }

    /// What is over at a moment: one event for each holder.
    pub fn overdue(&self, at: At) -> Vec<Event> {
        let mut holders: BTreeMap<Who, Vec<LeasePath>> = Default::default();
        for (_, key) in self.due.iter().take_while(|(until, _)| *until <= at) {
            if let Some(lease) = self.held.get(key) {
                holders.entry(lease.who.clone()).or_default().push(lease.path.clone());
            }
        }
        holders.into_iter().map(|(who, paths)| Event::Expired { paths, who }).collect()
    }

    /// The lease on exactly this path.
    fn exactly(&self, path: &LeasePath, at: At) -> Result<&Lease, Refusal> {
        let lease = self.held.get(&path.key()).filter(|lease| lease.holds(at));
        lease.ok_or_else(|| Refusal::NotHeld { path: path.clone() })
    }

    /// Paths that somebody holds themself: those named, or all.
    fn own(&self, at: At, who: &Who, written: &[String]) -> Result<Vec<LeasePath>, Refusal> {
        if written.is_empty() {
            let all: Vec<LeasePath> =
                self.held(at).filter(|lease| lease.who == *who).map(|lease| lease.path.clone()).collect();
            return if all.is_empty() { Err(Refusal::NothingHeld { who: who.clone() }) } else { Ok(all) };
        }
        let mut own = Vec::new();
        for path in parsed(written)? {
            let lease = self.exactly(&path, at)?;
            if lease.who != *who {
                return Err(Refusal::NotYours { path, who: lease.who.clone() });
            }
            own.push(lease.path.clone());
        }
        Ok(own)
    }
}

/// Recording. Total: a lease that is not known is passed over.
impl Leases {
    /// Records an event.
    pub(crate) fn apply(&mut self, at: At, event: &Event) {
        match event {
            Event::Taken { paths, until, who, why } => {
                for path in paths {
                    let before = self.remove(path);
                    let same = before.filter(|lease| lease.who == *who && lease.holds(at));
                    let (since, asked) = same.map_or((at, Vector::new()), |lease| (lease.since, lease.asked));
                    let (path, until, who, why) = (path.clone(), *until, who.clone(), why.clone());
                    self.insert(Lease { path, since, until, who, why, asked });
                }
            }
            Event::Renewed { paths, until, .. } => {
                for path in paths {
                    if let Some(lease) = self.remove(path) {
                        self.insert(Lease { until: *until, ..lease });
                    }
                }
            }
            Event::Released { paths, who, .. } | Event::Expired { paths, who } => {
                for path in paths {
                    self.remove(path);
                    if let Some((_, until)) = self.times.get_mut(&(who.clone(), path.key())) {
                        *until = at.min(*until);
                    }
                }
            }
            Event::Asked { by, opened, path, why, .. } => {
                if let Some(lease) = self.held.get_mut(&path.key()) {
                    let asked = LeaseRequest { at, by: by.clone(), opened: *opened, why: why.clone() };
                    lease.asked.retain(|known| known.by != *by);
                    lease.asked.push_back(asked);
                    if lease.asked.len() > ASKED_MOST {
                        lease.asked.pop_front();
                    }
                }
            }
        }
    }

    fn insert(&mut self, lease: Lease) {
        let key = lease.path.key();
        let mine = (lease.who.clone(), key.clone());
        let since = self.times.get(&mine).map_or(lease.since, |(since, _)| lease.since.min(*since));
        self.times.insert(mine, (since, lease.until));
        if self.times.len() > TIMES_MOST {
            let old = At(lease.since.0.saturating_sub(TIMES_MS));
            let kept = self.times.iter().filter(|(_, (_, until))| *until >= old);
            self.times = kept.map(|(key, times)| (key.clone(), *times)).collect();
        }
        self.due.insert((lease.until, key.clone()));
        self.held.insert(key, lease);
    }

    fn remove(&mut self, path: &LeasePath) -> Option<Lease> {
        let key = path.key();
        let lease = self.held.remove(&key)?;
        self.due.remove(&(lease.until, key));
        Some(lease)
    }
}

/// Paths as they are kept, each once, without those that lie in a folder that is named as well.
fn parsed(written: &[String]) -> Result<Vec<LeasePath>, Refusal> {
    let mut named: BTreeMap<String, LeasePath> = BTreeMap::new();
    for one in written {
        let path = LeasePath::parse(one)?;
        named.entry(path.key()).or_insert(path);
    }
    if named.is_empty() {
        return Err(Refusal::NothingNamed);
    }
    // Looked up by its folders: comparing every path with every other would let one long list hold up the house.
    let inside = |key: &str| path::folders(key).skip(1).any(|folder| named.contains_key(folder));
    Ok(named.iter().filter(|(key, _)| !inside(key)).map(|(_, path)| path.clone()).collect())
}

fn ends(at: At, rules: &Rules, for_ms: Option<u64>) -> Result<At, Refusal> {
    let ms = for_ms.unwrap_or(rules.usual_ms);
    match (1..=rules.most_ms).contains(&ms) {
        true => Ok(at.plus(ms)),
        false => Err(Refusal::BadTime { most_s: rules.most_ms / 1000 }),
    }
}

fn reason(why: Option<&str>) -> Result<Option<String>, Refusal> {
    let why = why.map(text::one_line).filter(|why| !why.is_empty());
    match why {
        Some(why) if text::length(&why) > WHY_MOST => Err(Refusal::LongReason { most: WHY_MOST }),
        why => Ok(why),
    }
}

fn held(by: &Who, path: &LeasePath, lease: &Lease) -> Refusal {
    let (held, until, who) = (lease.path.clone(), lease.until, lease.who.clone());
    Refusal::Held { by: by.clone(), path: path.clone(), held, until, who }
}
