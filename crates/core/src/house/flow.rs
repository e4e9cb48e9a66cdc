//! A flow: a decision in the making. It keeps a copy of the case to which each event is applied as soon as
//! it is put down, so that what comes next is judged by exactly what a replay will see.

use std::sync::Arc;

use super::asks::Asks;
use super::{Case, House};
use crate::kernel::{At, Id, Seq, Who};
use crate::track::Track;
use crate::{Ask, Event, Task};

pub(super) struct Flow {
    pub(super) at: At,
    pub(super) case: Case,
    /// Who was right so far.
    pub(super) track: Arc<Track>,
    seq: Seq,
    offset: usize,
    events: Vec<Event>,
}

impl Flow {
    /// A flow whose events will be those of the next act of a house, after `offset` others.
    pub(super) fn new(house: &House, offset: usize, at: At, case: Case) -> Self {
        Self { at, case, track: house.track.clone(), seq: house.seq.next(), offset, events: Vec::new() }
    }

    /// Puts an event down. Returns the id of what it gives birth to.
    pub(super) fn put(&mut self, event: Event) -> Id {
        let id = Id { act: self.seq, nth: (self.offset + self.events.len()) as u16 };
        self.case.apply(id, self.at, &event, &mut Asks::default());
        self.events.push(event);
        id
    }

    /// The events put down.
    pub(super) fn done(self) -> Vec<Event> {
        self.events
    }

    /// When an ask opened now lapses if nobody begins to perform it.
    pub(super) fn queued_until(&self, who: &Who) -> At {
        self.at.plus(self.case.charter.turn.queue_ms.is).plus(self.case.limit_ms(who))
    }
}

impl Flow {
    /// When an ask lapses that is asked anew after a rest.
    pub(super) fn renewed_until(&self, ask: &Ask) -> At {
        match (&self.case.charter.ring, ask.task) {
            (Some(ring), Task::Join) => self.at.plus(ring.gather_ms.is),
            (Some(ring), Task::Vote { .. }) => self.at.plus(ring.vote_ms.is),
            (Some(_), Task::Speak { .. } | Task::Propose | Task::Weigh | Task::Clerk(_)) | (None, _) => {
                self.queued_until(&ask.who)
            }
        }
    }
}

impl Case {
    /// How long a seat may take.
    pub(super) fn limit_ms(&self, who: &Who) -> u64 {
        let turn = &self.charter.turn;
        match self.participant(who).map(|seat| seat.kind) {
            Some(crate::kernel::SeatKind::Person) => turn.person_limit_ms.is,
            Some(_) | None => turn.limit_ms.is,
        }
    }
}
