//! A seat as results show it. The record has another tag for the backend, and its bytes are frozen.

use serde::{Serialize, Serializer};

use crate::kernel::{Seat, SeatKind, SeatProfile, Who};

#[derive(Serialize)]
struct Seated<'a> {
    kind: SeatKind,
    backend: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    model: Option<&'a str>,
    name: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    persona: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    profile: Option<&'a SeatProfile>,
    who: &'a Who,
}

impl<'a> Seated<'a> {
    fn of(seat: &'a Seat) -> Self {
        let Seat { kind, backend, model, name, persona, profile, who } = seat;
        let (model, persona) = (model.as_deref(), persona.as_deref());
        Self { kind: *kind, backend, model, name, persona, profile: profile.as_deref(), who }
    }
}

/// One seat, for `serialize_with`.
pub(super) fn one<S: Serializer>(seat: &Seat, to: S) -> Result<S::Ok, S::Error> {
    Seated::of(seat).serialize(to)
}

/// Several, for `serialize_with`.
pub(super) fn all<S: Serializer>(seats: impl AsRef<[Seat]>, to: S) -> Result<S::Ok, S::Error> {
    to.collect_seq(seats.as_ref().iter().map(Seated::of))
}
