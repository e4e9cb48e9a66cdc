//! The roster: who belongs to the house.
//!
//! It knows participants and nothing of matters. A participant who changes (another model, another name)
//! is enrolled again under the same id; what a matter saw of them stays as it was.

mod appointment;
mod health;
mod names;
mod refusal;
mod roles;

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

pub use appointment::{Appointment, WorkRole};
pub use health::{HealthMode, Preflight, PreflightFlaw, preflight};
pub use names::{RESERVED, look_alike, reserved, stands_for_other};
pub use refusal::Refusal;
pub use roles::{Role, Roles};

use crate::kernel::{Seat, SeatKind, Who};

/// What happens to the roster.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Event {
    /// A participant joined, or changed.
    Enrolled {
        /// As they are from now on.
        seat: Seat,
    },
    /// A participant signs with this key from now on, or with none.
    Keyed {
        /// The public key, Ed25519 in hex; none if it was taken away.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        key: Option<String>,
        /// Who.
        who: Who,
    },
    /// A participant has another role among agents that work together, or another standing.
    Appointed {
        /// As it is from now on.
        appointment: Appointment,
        /// Who.
        who: Who,
    },
}

/// The participants of a house, by canonical id.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct Roster {
    seats: BTreeMap<Who, Seat>,
    /// The public keys of those who sign what they do.
    keys: BTreeMap<Who, String>,
    /// Roles of those who have one, or are not as usual.
    #[serde(default)]
    appointments: BTreeMap<Who, Appointment>,
}

impl Roster {
    /// The participant of that id.
    pub fn get(&self, who: &Who) -> Option<&Seat> {
        self.seats.get(who)
    }

    /// Whether a participant is a placeholder of a rehearsal: what it says is nobody's opinion.
    pub fn is_placeholder(&self, who: &Who) -> bool {
        self.get(who).is_some_and(|seat| seat.kind == SeatKind::Rehearsal)
    }

    /// The public key that a participant signs with, in hex.
    pub fn key(&self, who: &Who) -> Option<&str> {
        self.keys.get(who).map(String::as_str)
    }

    /// The role and standing of a participant.
    pub fn appointment(&self, who: &Who) -> Appointment {
        self.appointments.get(who).copied().unwrap_or_default()
    }

    /// Everybody who is enrolled and active, with their role and standing, by id.
    pub fn active(&self) -> impl Iterator<Item = (&Seat, Appointment)> {
        let all = self.seats.values().map(|seat| (seat, self.appointment(&seat.who)));
        all.filter(|(_, appointment)| appointment.enabled)
    }

    /// All participants, by id.
    pub fn seats(&self) -> impl Iterator<Item = &Seat> {
        self.seats.values()
    }

    /// Records an event.
    pub fn apply(&mut self, event: &Event) {
        match event {
            Event::Enrolled { seat } => drop(self.seats.insert(seat.who.clone(), seat.clone())),
            Event::Keyed { who, key: Some(key) } => drop(self.keys.insert(who.clone(), key.clone())),
            Event::Keyed { who, key: None } => drop(self.keys.remove(who)),
            Event::Appointed { who, appointment } => {
                self.appointments.insert(who.clone(), *appointment);
            }
        }
    }
}

/// What enrolling would change: nothing if the participant is known just so.
pub fn enrol(roster: &Roster, seat: &Seat) -> Option<Event> {
    (roster.get(&seat.who) != Some(seat)).then(|| Event::Enrolled { seat: seat.clone() })
}

/// The seats in another order: first one seat of every model, in their order, then the second of each, and so on.
/// A seat that no model answers for is like no other.
pub fn unlike_first(seats: Vec<Seat>) -> Vec<Seat> {
    let model = |seat: &Seat| match seat.kind {
        SeatKind::Model | SeatKind::CommandLine => seat.model.clone().unwrap_or_else(|| seat.backend.clone()),
        SeatKind::Person | SeatKind::Scripted | SeatKind::Rehearsal | SeatKind::Outside => {
            seat.who.to_string()
        }
    };
    let mut met: BTreeMap<String, usize> = BTreeMap::new();
    let mut ranked: Vec<(usize, Seat)> = Vec::with_capacity(seats.len());
    for seat in seats {
        let nth = met.entry(model(&seat)).or_insert(0);
        ranked.push((*nth, seat));
        *nth += 1;
    }
    ranked.sort_by_key(|(nth, _)| *nth);
    ranked.into_iter().map(|(_, seat)| seat).collect()
}

/// The first participant who is named twice.
pub fn doubled(seats: &[Who]) -> Option<&Who> {
    seats.iter().enumerate().find(|(i, who)| seats[..*i].contains(who)).map(|(_, who)| who)
}
