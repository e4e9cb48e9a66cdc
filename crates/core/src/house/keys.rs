//! Which act was given under which idempotency key, and for how long that is known.
//!
//! A key that opened a matter is known as long as the matter, which is for ever: that it opens one and not two is
//! all it is for. So is the key of a signed command, refused or not: nobody may give it again. Any other is known for `KNOWN_MS` in which the house was in use, so that a house that is written to
//! for years does not carry every key it was ever given. Time between two acts counts as `STEP_MOST_MS` at most: a clock
//! that is two days ahead for one act must not make the house forget, or the next try of the same write would act twice.
//! The same acts leave the same keys behind.

use imbl::{OrdMap, Vector};

use crate::kernel::{Key, Seq};
use crate::{Act, Event, matter};

/// How long a key that opened no matter is known: a day, which is longer than anybody tries a write again, and
/// far longer than the five minutes for which a signed message is taken.
pub(super) const KNOWN_MS: u64 = 24 * 60 * 60 * 1000;

/// The longest time between two acts that counts as use of the house. One jump of a clock is one step.
pub(super) const STEP_MOST_MS: u64 = 60 * 60 * 1000;

/// A key that will be forgotten: after how much use of the house, and the act that was given under it.
pub(super) type Fading = (u64, Key, Seq);

/// See the module.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(super) struct Keys {
    given: OrdMap<Key, KeyUse>,
    /// Those that will be forgotten, in the order in which they will.
    fading: Vector<(u64, Key)>,
    /// For how long the house was in use, in milliseconds.
    lived_ms: u64,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct KeyUse {
    act: Seq,
    /// `None`: for ever.
    until: Option<u64>,
}

impl Keys {
    /// The act given under that key, if it is still known.
    pub(super) fn find(&self, key: &Key) -> Option<Seq> {
        let is_known = |given: &&KeyUse| given.until.is_none_or(|until| self.lived_ms < until);
        self.given.get(key).filter(is_known).map(|given| given.act)
    }

    /// For how long the house was in use.
    pub(super) fn lived_ms(&self) -> u64 {
        self.lived_ms
    }

    /// Notes the key of an act that came `since_ms` after the one before, and forgets those whose time is over.
    pub(super) fn note(&mut self, since_ms: u64, act: &Act) {
        self.lived_ms = self.lived_ms.saturating_add(since_ms.min(STEP_MOST_MS));
        let now = self.lived_ms;
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
        let signed = act.vouched.as_ref().is_some_and(|vouched| vouched.signature.is_some());
        let lasts = signed || act.events().iter().any(opens);
        let until = (!lasts).then(|| now.saturating_add(KNOWN_MS));
        if let Some(until) = until {
            self.fading.push_back((until, key.clone()));
        }
        self.given.insert(key.clone(), KeyUse { act: act.seq, until });
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
    pub(super) fn of(lasting: Vec<(Key, Seq)>, fading: Vec<Fading>, lived_ms: u64) -> Self {
        let lasting = lasting.into_iter().map(|(key, act)| (key, KeyUse { act, until: None }));
        let mut given: OrdMap<Key, KeyUse> = lasting.collect();
        for (until, key, act) in &fading {
            given.insert(key.clone(), KeyUse { act: *act, until: Some(*until) });
        }
        Self { given, lived_ms, fading: fading.into_iter().map(|(until, key, _)| (until, key)).collect() }
    }

    /// How many are kept in mind.
    pub(super) fn count(&self) -> usize {
        debug_assert!(self.fading.len() <= self.given.len(), "a key fades that nobody knows");
        self.given.len()
    }
}
