//! Which act was given under which idempotency key, and for how long that is known.
//!
//! A key that opened a matter is known as long as the matter, which is for ever: that it opens one and not two is
//! all it is for. Any other is known for `KNOWN_MS` of the record's own time, so that a house that is written to
//! for years does not carry every key it was ever given. No clock has a say in it: the same acts leave the same
//! keys behind.

use imbl::{OrdMap, Vector};

use crate::kernel::{At, Key, Seq};
use crate::{Act, Event, matter};

/// How long a key that opened no matter is known: a day, which is longer than anybody tries a write again, and
/// far longer than the five minutes for which a signed message is taken.
pub(super) const KNOWN_MS: u64 = 24 * 60 * 60 * 1000;

/// A key that will be forgotten: when, and the act that was given under it.
pub(super) type Fading = (At, Key, Seq);

/// See the module.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(super) struct Keys {
    given: OrdMap<Key, Given>,
    /// Those that will be forgotten, in the order in which they will.
    fading: Vector<(At, Key)>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Given {
    act: Seq,
    /// `None`: for ever.
    until: Option<At>,
}

impl Keys {
    /// The act given under that key, if it is still known at that time.
    pub(super) fn find(&self, key: &Key, at: At) -> Option<Seq> {
        self.given.get(key).filter(|given| given.until.is_none_or(|until| at < until)).map(|given| given.act)
    }

    /// Notes the key of an act, and forgets those whose time is over. `now` never goes back.
    pub(super) fn note(&mut self, now: At, act: &Act) {
        while self.fading.front().is_some_and(|(until, _)| *until <= now) {
            if let Some((_, key)) = self.fading.pop_front() {
                self.given.remove(&key);
            }
        }
        let Some(key) = &act.key else { return };
        if self.given.contains_key(key) {
            return; // Only a forged record has it twice; the first is what was answered.
        }
        let opens = |event: &Event| matches!(event, Event::Matter(matter::Event::Opened(_)));
        let until = if act.events().iter().any(opens) { None } else { Some(now.plus(KNOWN_MS)) };
        if let Some(until) = until {
            self.fading.push_back((until, key.clone()));
        }
        self.given.insert(key.clone(), Given { act: act.seq, until });
    }

    /// Those that are known for ever, and those that will be forgotten, in the order in which they will.
    pub(super) fn parts(&self) -> (Vec<(&Key, Seq)>, Vec<Fading>) {
        let lasting = self.given.iter().filter(|(_, given)| given.until.is_none());
        let fading = self.fading.iter().filter_map(|(until, key)| {
            let given = self.given.get(key)?;
            Some((*until, key.clone(), given.act))
        });
        (lasting.map(|(key, given)| (key, given.act)).collect(), fading.collect())
    }

    /// The keys of these parts.
    pub(super) fn of(lasting: Vec<(Key, Seq)>, fading: Vec<Fading>) -> Self {
        let lasting = lasting.into_iter().map(|(key, act)| (key, Given { act, until: None }));
        let mut given: OrdMap<Key, Given> = lasting.collect();
        for (until, key, act) in &fading {
            given.insert(key.clone(), Given { act: *act, until: Some(*until) });
        }
        Self { given, fading: fading.into_iter().map(|(until, key, _)| (until, key)).collect() }
    }

    /// How many are kept in mind.
    pub(super) fn count(&self) -> usize {
        debug_assert!(self.fading.len() <= self.given.len(), "a key fades that nobody knows");
        self.given.len()
    }
}
