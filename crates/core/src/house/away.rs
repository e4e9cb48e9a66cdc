//! Matters that left memory, and how they come back.
//!
//! A settled matter in which nothing is asked may leave the house: its summary stays. It comes back by folding the
//! acts it is made of once more; the house itself reads no record, so whoever judges or records brings back what a
//! command ([`House::away_for`]) or an act ([`House::away_in`]) is about, before. What is away changes no decision.

use std::borrow::Cow;
use std::collections::BTreeSet;
use std::sync::Arc;

use super::{Case, House, Summary};
use crate::kernel::{About, Id, MatterId, Seq};
use crate::matter::{self, Forked};
use crate::procedure::workshop;
use crate::{Act, Command, Event};

/// A matter in the house.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Slot {
    Here(Arc<Case>),
    Away(Arc<Summary>),
}

impl Slot {
    pub(super) fn case(&self) -> Option<&Arc<Case>> {
        match self {
            Self::Here(case) => Some(case),
            Self::Away(_) => None,
        }
    }

    pub(super) fn case_mut(&mut self) -> Option<&mut Case> {
        match self {
            Self::Here(case) => Some(Arc::make_mut(case)),
            Self::Away(_) => None,
        }
    }

    pub(super) fn forked(&self) -> Option<Forked> {
        match self {
            Self::Here(case) => case.opening.forked,
            Self::Away(summary) => summary.forked,
        }
    }

    pub(super) fn summary(&self) -> Cow<'_, Summary> {
        match self {
            Self::Here(case) => Cow::Owned(Summary::of(case)),
            Self::Away(summary) => Cow::Borrowed(summary),
        }
    }
}

/// What is known of all matters.
impl House {
    /// How many matters there are.
    pub fn matters(&self) -> usize {
        self.cases.len()
    }

    /// Whether there is such a matter, here or away.
    pub fn knows(&self, matter: MatterId) -> bool {
        self.cases.contains_key(&matter)
    }

    /// Whether a matter left memory.
    pub fn is_away(&self, matter: MatterId) -> bool {
        matches!(self.cases.get(&matter), Some(Slot::Away(_)))
    }

    /// The summary of a matter.
    pub fn summary(&self, matter: MatterId) -> Option<Cow<'_, Summary>> {
        self.cases.get(&matter).map(Slot::summary)
    }

    /// The summaries of all matters, oldest first.
    pub fn summaries(&self) -> impl DoubleEndedIterator<Item = Cow<'_, Summary>> {
        self.cases.values().map(Slot::summary)
    }

    /// The summaries of all matters after this one, oldest first.
    pub fn summaries_after(&self, matter: MatterId) -> impl DoubleEndedIterator<Item = Cow<'_, Summary>> {
        let after = (std::ops::Bound::Excluded(matter), std::ops::Bound::Unbounded);
        self.cases.range(after).map(|(_, slot)| slot.summary())
    }

    /// The summaries of all matters before this one, oldest first.
    pub fn summaries_before(&self, matter: MatterId) -> impl DoubleEndedIterator<Item = Cow<'_, Summary>> {
        self.cases.range(..matter).map(|(_, slot)| slot.summary())
    }

    /// What a matter branches off from, and what that does, nearest first.
    pub fn origins(&self, matter: MatterId) -> impl Iterator<Item = MatterId> {
        let from = |matter: MatterId| {
            let forked = self.cases.get(&matter)?.forked()?;
            // No matter is younger than its branches; a forged record must not lead round in circles.
            (forked.from < matter && self.knows(forked.from)).then_some(forked.from)
        };
        std::iter::successors(from(matter), move |matter| from(*matter))
    }

    /// The matter, to be kept beside the house.
    pub fn shared(&self, matter: MatterId) -> Option<Arc<Case>> {
        self.cases.get(&matter)?.case().cloned()
    }
}

/// Leaving and coming back.
impl House {
    /// Lets settled matters leave until at most `keep` of them are here; the one that was touched last stays longest.
    pub fn archive_idle(&mut self, keep: usize) {
        while self.idle.len() > keep {
            let Some((_, matter)) = self.idle.remove_min() else { return };
            if let Some(Slot::Here(case)) = self.cases.get(&matter) {
                let summary = Arc::new(Summary::of(case));
                self.cases.insert(matter, Slot::Away(summary));
            }
        }
    }

    /// Takes a matter back that was away; any other is left as it is.
    pub fn restore(&mut self, case: Arc<Case>) {
        let matter = case.id;
        if !self.is_away(matter) {
            return;
        }
        for (id, ask) in case.asks() {
            self.asks.open(*id, ask);
        }
        self.deadlines.set(matter, case.next_deadline().filter(|_| case.is_live()));
        match case.is_idle() {
            true => drop(self.idle.insert((case.last_act(), matter))),
            false => drop(self.active.insert(matter)),
        }
        self.cases.insert(matter, Slot::Here(case));
    }

    /// Matters that are away and that a command is about: they have to be here before it is judged.
    pub fn away_for(&self, command: &Command) -> Vec<MatterId> {
        let about = match command.about() {
            About::Matter(matter) => Some(matter),
            // Whose asks are open is here.
            About::House | About::Ask(_) => None,
        };
        // What was opened when an issue was frozen goes on when the issue is frozen again.
        let meta = about.and_then(|matter| self.docket.row(matter)?.meta_issue);
        // What an entry came from is not canon any more when the entry ends or changes.
        let origin = match command {
            Command::Workshop(workshop::Command::Canon(command)) => {
                command.changes().and_then(|name| self.canon.entry(name)?.latest()?.matter)
            }
            _ => None, // no other command changes what is canon
        };
        // Who kept the house from a contradiction is found in the thread where it came up.
        let contradicted = match command {
            Command::Workshop(workshop::Command::Canon(command)) => command.conflict(),
            _ => None, // no other command decides a conflict
        };
        let contradicted =
            contradicted.and_then(|id| self.canon.found_conflict(id)).map(|found| found.matter);
        about
            .into_iter()
            .chain(meta)
            .chain(origin)
            .chain(contradicted)
            .filter(|matter| self.is_away(*matter))
            .collect()
    }

    /// Matters that are away and that an act is about: they have to be here before it is recorded.
    pub fn away_in(&self, act: &Act) -> Vec<MatterId> {
        let of = |event: &Event| match (event, event.about()) {
            (Event::Matter(matter::Event::Opened(opening)), _) => opening.forked.map(|forked| forked.from),
            (_, About::Matter(matter)) => Some(matter),
            (_, About::House | About::Ask(_)) => None,
        };
        let away = act.events().iter().filter_map(of).filter(|matter| self.is_away(*matter));
        away.collect::<BTreeSet<_>>().into_iter().collect()
    }

    /// The acts to give to [`House::rebuild`]: those the matter is made of, and what it branches off from.
    pub fn acts_of(&self, matter: MatterId) -> BTreeSet<Seq> {
        let slots = std::iter::once(matter).chain(self.origins(matter)).filter_map(|of| self.cases.get(&of));
        slots.flat_map(|slot| slot.summary().acts.to_vec()).collect()
    }

    /// Folds a matter from the acts that it and its origins are made of, given in order. `None` if its opening is
    /// not among them.
    pub fn rebuild<'a>(
        &self,
        matter: MatterId,
        acts: impl IntoIterator<Item = &'a Act>,
    ) -> Option<Arc<Case>> {
        let wanted: BTreeSet<MatterId> = std::iter::once(matter).chain(self.origins(matter)).collect();
        let mut scratch = Self { charters: self.charters.clone(), ..Self::default() };
        for act in acts {
            for (nth, event) in act.events().iter().enumerate() {
                scratch.record_of(self, &wanted, Id { act: act.seq, nth: nth as u16 }, act, event);
            }
        }
        scratch.shared(matter)
    }

    /// Records an event if it is about one of these matters. Their numbers are those in the `whole` house.
    fn record_of(&mut self, whole: &Self, wanted: &BTreeSet<MatterId>, id: Id, act: &Act, event: &Event) {
        match (event, event.about()) {
            (Event::Matter(matter::Event::Opened(_)), _) => {
                if !wanted.contains(&MatterId(id)) {
                    return;
                }
                self.record(id, act.at, event);
                let number = whole.cases.get(&MatterId(id)).map_or(0, |slot| slot.summary().number);
                if let Some(case) = self.cases.get_mut(&MatterId(id)).and_then(Slot::case_mut) {
                    case.number = number;
                }
            }
            (_, About::Matter(_) | About::Ask(_)) => self.record(id, act.at, event),
            (_, About::House) => (),
        }
    }
}
