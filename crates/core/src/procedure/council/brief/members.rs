//! Who sits at the table, as all seats are told: names with parts and fields, never models or vendors.

use std::collections::BTreeMap;

use super::items::number;
use crate::house::Case;
use crate::kernel::{Seat, SeatKind, Who, text};

/// So many members are named; of a larger council only the number of each part is told, so that what a seat is told
/// does not grow with the seats.
const NAMED: usize = 12;

/// The members in one line.
pub(super) fn members(case: &Case) -> String {
    let seats = &case.opening.seats;
    if case.names.mask().is_some() {
        return hidden(case);
    }
    if seats.len() <= NAMED {
        let named = seats.iter().map(|seat| match what(case, &seat.who) {
            Some(what) => format!("{} ({what})", case.names.label(&seat.who)),
            None => case.names.label(&seat.who).to_string(),
        });
        return named.collect::<Vec<_>>().join(", ") + ".";
    }
    let mut parts: BTreeMap<String, u64> = BTreeMap::new();
    for what in seats.iter().filter_map(|seat| what(case, &seat.who)) {
        *parts.entry(what).or_default() += 1;
    }
    let counts: Vec<String> = parts.iter().map(|(what, count)| format!("{count} {what}")).collect();
    let of = if counts.is_empty() { String::new() } else { format!(": {}", counts.join(", ")) };
    format!("{}{of}.", seats.len())
}

/// Pseudonyms alone, by number: neither the order of seats nor a part must tell who is who.
fn hidden(case: &Case) -> String {
    let seats = &case.opening.seats;
    if seats.len() > NAMED {
        return format!("{}.", seats.len());
    }
    let mut labels: Vec<&str> = seats.iter().map(|seat| case.names.label(&seat.who)).collect();
    labels.sort_by_key(|label| number(label));
    labels.join(", ") + "."
}

/// The part or field of a member.
fn what(case: &Case, who: &Who) -> Option<String> {
    let parts = &case.council()?.0.brief.parts;
    let part = case.role(who).and_then(|role| parts.iter().find(|part| part.name == role.name));
    let field = case.perspective(who);
    part.map(|part| part.title.clone()).or_else(|| field.map(|field| text::one_line(&field.name)))
}

impl Case {
    /// The point of view of a seat: its own, or, where seats share a model, one of the charter's, so that copies of one
    /// model do not all look at the same thing. A field to speak for is a point of view already.
    pub(super) fn point_of_view<'a>(&'a self, seat: &'a Seat, voting: bool) -> Option<&'a str> {
        if let Some(own) = &seat.persona {
            return Some(own);
        }
        let personas = &self.council()?.0.personas;
        // A vote weighs everything: the charter's points of view are for statements.
        if voting
            || personas.is_empty()
            || self.perspective(&seat.who).is_some()
            || self.ordered(&seat.who).is_some()
        {
            return None;
        }
        let mut alike = self.opening.seats.iter().filter(|other| same_model(other, seat));
        let place = alike.clone().position(|other| other.who == seat.who)?;
        // A seat whose model no other has needs no point of view to differ.
        let shared = alike.nth(1).is_some();
        personas.get(place % personas.len()).filter(|_| shared).map(String::as_str)
    }
}

fn model(seat: &Seat) -> &str {
    seat.model.as_deref().unwrap_or(&seat.backend)
}

/// Whether the same model answers for two seats.
fn same_model(one: &Seat, other: &Seat) -> bool {
    let thinks = |seat: &Seat| matches!(seat.kind, SeatKind::Model | SeatKind::CommandLine);
    thinks(one) && thinks(other) && model(one) == model(other)
}
