//! What happens to the house apart from its matters: its time, its keys, what was lost of it.

use synod_core::Command;
use synod_core::event::{HouseEvent, HouseRepair, KeyChange, TimeAdjusted};
use synod_core::kernel::{Actor, Digest, Seq};

use super::kinds::named;
use super::scribe::Scribe;

named! {
    change(KeyChange) in CHANGES {
        KeyChange::Rotated { .. } => "key rotated",
        KeyChange::Revoked { .. } => "key revoked",
        KeyChange::Recovered => "key recovered",
    }
}

const FIELDS: [&str; 4] = ["time.cause", "time.jumped", "time.stalled", "repaired.restored"];

/// Every name here.
pub(super) fn all() -> impl Iterator<Item = &'static str> {
    CHANGES.iter().chain(&FIELDS).copied()
}

/// The names of what happened to the house.
pub(super) fn happened(event: &HouseEvent, names: &mut Vec<&'static str>) {
    match event {
        HouseEvent::Founded(_) | HouseEvent::Upgraded { .. } => (),
        HouseEvent::TimeAdjusted(TimeAdjusted { ahead_ms: _, cause, jumped_ms, stalled_ms }) => {
            names.extend(cause.iter().map(|_| FIELDS[0]));
            names.extend((*jumped_ms != 0).then_some(FIELDS[1]));
            names.extend((*stalled_ms != 0).then_some(FIELDS[2]));
        }
        HouseEvent::KeyChanged(changed) => names.push(change(&changed.how)),
        HouseEvent::Repaired(HouseRepair { hash: _, kept: _, lost: _, restored }) => {
            names.extend(restored.then_some(FIELDS[3]));
        }
    }
}

/// The chapter.
pub(super) fn of_a_house(it: &mut Scribe) {
    let back = TimeAdjusted { ahead_ms: 172_800_000, cause: None, jumped_ms: -172_800_000, stalled_ms: 0 };
    it.done(Actor::Engine, Command::AdjustTime(back));
    let cause = Some("database or disk is full".into());
    let full = TimeAdjusted { ahead_ms: 172_793_000, cause, jumped_ms: 0, stalled_ms: 7_000 };
    it.done(Actor::Engine, Command::AdjustTime(full.clone()));
    it.refused("house/not-allowed", Actor::Operator, Command::AdjustTime(full));
    let signature = "5a".repeat(64);
    let rotated = KeyChange::Rotated { signature: signature.clone() };
    let key = |digits: &str| digits.repeat(32);
    it.operator(Command::ChangeKey { how: rotated.clone(), key: key("a1") });
    it.operator(Command::ChangeKey { how: KeyChange::Revoked { signature }, key: key("a2") });
    it.operator(Command::ChangeKey { how: KeyChange::Recovered, key: key("a3") });
    it.refused(
        "house/known-key",
        Actor::Operator,
        Command::ChangeKey { how: rotated.clone(), key: key("a1") },
    );
    it.refused("house/not-a-key", Actor::Operator, Command::ChangeKey { how: rotated, key: "A1".into() });
    let hash = Digest::of(b"an act that is gone");
    let lost = HouseRepair { hash, kept: Seq(127), lost: Seq(407), restored: false };
    it.operator(Command::NoteRepair(lost));
    it.operator(Command::NoteRepair(HouseRepair { restored: true, ..lost }));
}
