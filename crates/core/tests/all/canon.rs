//! Canon: the ladder and its versions, claims, and conflicts.

mod claims;
mod conflicts;
mod entries;
mod ladder;
mod pairs;
mod properties;

use synod_core::canon::{Canon, CanonRole, EntryName, Event, IssueSupport, Mover, Promotion, Rules};
use synod_core::kernel::{Actor, At, Epistemic, Id, Seq, Who};

/// Canon with one entry, `entry`, that holds this text.
fn canon_of(text: &str) -> Canon {
    let mut canon = Canon::default();
    promote(&mut canon, 1, "entry", text);
    canon
}

fn id(act: u64) -> Id {
    Id { act: Seq(act), nth: 0 }
}

fn name(written: &str) -> EntryName {
    EntryName::parse(written).unwrap()
}

fn who(written: &str) -> Who {
    Who::parse(written).unwrap()
}

fn user() -> Mover {
    Mover { by: Actor::Operator, role: CanonRole::User }
}

fn agent(written: &str) -> Mover {
    Mover { by: Actor::Seat(who(written)), role: CanonRole::Agent }
}

fn promotion(written: &str, text: &str) -> Promotion {
    Promotion { name: name(written), text: text.into(), matter: None, until: None }
}

/// The user promotes a text, in act `act` and at moment 0.
fn promote(canon: &mut Canon, act: u64, written: &str, text: &str) {
    let nobody = imbl::OrdSet::new();
    let support =
        IssueSupport { status: Epistemic::Draft, author: None, supporters: &nobody, agents: &nobody };
    let event =
        canon.promote(At(0), &Rules::default(), &promotion(written, text), &user(), &support).unwrap();
    record(canon, act, At(0), &[event]);
}

fn record(canon: &mut Canon, act: u64, at: At, events: &[Event]) {
    for (nth, event) in events.iter().enumerate() {
        let kept = serde_json::to_string(event).unwrap();
        let back: Event = serde_json::from_str(&kept).unwrap();
        assert_eq!(back, *event, "an event is read back as it was written");
        canon.apply(Id { nth: nth as u16, ..id(act) }, at, event);
    }
    let kept: Canon = serde_json::from_str(&serde_json::to_string(canon).unwrap()).unwrap();
    assert_eq!(kept, *canon, "a snapshot is read back as it was written");
}
