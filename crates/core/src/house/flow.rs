//! A flow: a decision in the making. It works on a copy of the whole house, to which each event is applied as soon
//! as it is put down, by the same code a replay uses. So what comes next is judged by exactly what a replay will
//! see, and the copy is the house after the decision: nobody applies the events again.
//!
//! Copies are cheap because everything large in a house is shared until it is changed.

use super::{Case, House};
use crate::kernel::{At, Id, MatterId, Seq};
use crate::{Event, Refusal};

/// What a command comes to: its events, and the house after them.
#[derive(Debug)]
pub struct Decided {
    /// What happened, in order.
    pub events: Vec<Event>,
    /// The house with all of it applied. The act itself, its number and its key, is not noted yet.
    pub house: House,
}

/// See the module.
#[derive(Debug)]
pub(crate) struct Flow {
    pub(crate) at: At,
    pub(crate) house: House,
    matter: MatterId,
    events: Vec<Event>,
}

impl Flow {
    pub(super) fn new(house: &House, at: At) -> Self {
        let nothing = MatterId(Id { act: Seq(0), nth: 0 });
        Self { at, house: house.clone(), matter: nothing, events: Vec::new() }
    }

    /// Goes on with a matter: `case` is that matter from now on.
    pub(crate) fn turn_to(&mut self, matter: MatterId) {
        self.matter = matter;
    }

    /// The matter the flow is about, with everything put down so far.
    pub(crate) fn case(&self) -> &Case {
        self.house.case(self.matter).expect("a flow turns to a matter before it asks about it")
    }

    /// The id that the next event gives birth to.
    pub(crate) fn next_id(&self) -> Id {
        // Openings bound the seats of a matter and ticks the matters of an act, so that this never wraps.
        debug_assert!(self.events.len() < usize::from(u16::MAX), "more events than an act can number");
        Id { act: self.house.seq().next(), nth: self.events.len() as u16 }
    }

    /// Puts an event down. Returns the id of what it gives birth to.
    pub(crate) fn put(&mut self, event: Event) -> Id {
        let id = self.next_id();
        self.house.record(id, self.at, &event);
        self.events.push(event);
        id
    }

    /// Tries something whose refusal is not the end of the decision: what it put down is taken back.
    pub(crate) fn attempt<T>(
        &mut self,
        step: impl FnOnce(&mut Self) -> Result<T, Refusal>,
    ) -> Result<T, Refusal> {
        let (house, events, matter) = (self.house.clone(), self.events.len(), self.matter);
        step(self).inspect_err(|_| {
            self.house = house;
            self.events.truncate(events);
            self.matter = matter;
        })
    }

    /// How many events were put down.
    pub(super) fn len(&self) -> usize {
        self.events.len()
    }

    /// The same for procedures.
    pub(crate) fn events_so_far(&self) -> usize {
        self.len()
    }

    pub(super) fn done(self) -> Decided {
        Decided { events: self.events, house: self.house }
    }
}
