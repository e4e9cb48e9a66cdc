//! Who was turned away at the door.

use synod_core::Command;
use synod_core::kernel::{Actor, At};
use synod_core::rejections::{Event, Rejection, Way};

use super::kinds::named;
use super::scribe::{Scribe, who};

named! {
    way(Way) in WAYS {
        Way::Http => "way http",
        Way::Redis => "way redis",
    }
}

const FIELDS: [&str; 2] = ["turned.by", "turned.matter"];

/// Every name here.
pub(super) fn all() -> impl Iterator<Item = &'static str> {
    WAYS.iter().chain(&FIELDS).copied()
}

/// The names of what happened at the door.
pub(super) fn happened(event: &Event, names: &mut Vec<&'static str>) {
    let Event::Rejected(Rejection { by, code: _, count: _, matter, since: _, way: came }) = event;
    names.push(way(came));
    names.extend(by.iter().map(|_| FIELDS[0]));
    names.extend(matter.iter().map(|_| FIELDS[1]));
}

/// The chapter.
pub(super) fn turns_away(it: &mut Scribe) {
    let turned = |by: Option<&str>, code: &str, way: Way| Rejection {
        by: by.map(|name| Actor::Seat(who(name))),
        code: code.into(),
        count: 3,
        matter: None,
        since: At(1_763_300_000_000),
        way,
    };
    let matter = Some(it.matter());
    let sums = vec![
        turned(None, "token/unknown", Way::Http),
        Rejection { matter, ..turned(Some("cy"), "token/not-owner", Way::Http) },
        turned(Some("cy"), "redis/replayed", Way::Redis),
        Rejection { by: Some(Actor::Operator), ..turned(None, "request/unfit", Way::Http) },
    ];
    it.done(Actor::Engine, Command::ReportRejections { sums });
    it.refused("rejections/malformed", Actor::Engine, Command::ReportRejections { sums: Vec::new() });
}
