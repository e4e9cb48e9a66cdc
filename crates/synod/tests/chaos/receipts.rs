//! Receipts that were changed, made up, or signed again by somebody else. None is ever called good.

use serde_json::Value;
use synod_journal::{HouseKey, Receipt};

use crate::form::{Counts, sample, sweep};
use crate::world::{Place, Run};

/// A house with a settled matter, and its receipt.
fn settled() -> (Place, Receipt) {
    let place = Place::new();
    place.run(["debate", "Should we cache the index?", "--quiet", "--rehearse", "--charter=collaborative"]);
    let line = place.run(["receipt"]).exits(0).out;
    (place, Receipt::parse(line.as_bytes()).expect("a receipt"))
}

/// The pointers of all values in a document that hold no others.
fn leaves(value: &Value, at: &str, found: &mut Vec<String>) {
    match value {
        Value::Object(fields) if !fields.is_empty() => {
            for (name, inner) in fields {
                let name = name.replace('~', "~0").replace('/', "~1");
                leaves(inner, &format!("{at}/{name}"), found);
            }
        }
        Value::Array(items) if !items.is_empty() => {
            items.iter().enumerate().for_each(|(nth, inner)| leaves(inner, &format!("{at}/{nth}"), found));
        }
        _ => found.push(at.to_string()),
    }
}

/// Another value of the same kind.
fn other(value: &Value) -> Value {
    match value {
        Value::Null => Value::Bool(true),
        Value::Bool(is) => Value::Bool(!is),
        Value::Number(number) => number.as_u64().map_or(0, |number| number + 1).into(),
        Value::String(text) if text.is_empty() => "x".into(),
        Value::String(text) => text.chars().rev().chain(['0']).collect::<String>().into(),
        Value::Array(_) | Value::Object(_) => Value::Null,
    }
}

#[track_caller]
fn is_not_good(run: &Run) {
    assert_ne!(run.code, 0, "a forged receipt is called good\n{run}");
}

#[test]
fn every_field_of_a_receipt() {
    let (place, receipt) = settled();
    let whole = serde_json::to_value(&receipt).expect("a receipt");
    let mut points = Vec::new();
    leaves(&whole, "", &mut points);
    let away = Place::new();
    sweep("changed receipt", sample("receipts", &points, 40), |pointer| {
        let mut changed = whole.clone();
        let value = changed.pointer_mut(pointer).expect("a value");
        *value = other(value);
        let changed: Receipt = serde_json::from_value(changed).expect("a receipt");
        let line = changed.to_line().expect("a line");
        for reader in [&place, &away] {
            reader.write("changed.json", &line);
            is_not_good(&reader.run(["verify", "changed.json"]));
        }
        Counts::of([("found", 2)])
    });
    place.spoil();
}

/// Somebody who has read how receipts are made signs another decision with a key of their own.
#[test]
fn signed_again_with_another_key() {
    let (place, receipt) = settled();
    let (thief, _) = settled();
    let key = HouseKey::load(&thief.house()).expect("a key").expect("a key");
    let mut points = Vec::new();
    leaves(&receipt.body, "", &mut points);
    points.push(String::new());
    sweep("receipt signed again", sample("again", &points, 12), |pointer| {
        let mut body = receipt.body.clone();
        if !pointer.is_empty() {
            let value = body.pointer_mut(pointer).expect("a value");
            *value = other(value);
        }
        let line = Receipt::sign(&key, body).and_then(|forged| forged.to_line()).expect("a line");
        place.write("forged.json", &line);
        is_not_good(&place.run(["verify", "forged.json"]));
        Counts::of([("found", 1)])
    });
    place.spoil();
    thief.spoil();
}

/// A reader without the house knows no key. Signed by anybody at all is not good.
#[test]
fn signed_by_a_key_nobody_pinned() {
    let (thief, receipt) = settled();
    let away = Place::new();
    sweep("receipt of an unknown key", ["as it is"], |_| {
        away.write("receipt.json", receipt.to_line().expect("a line"));
        is_not_good(&away.run(["verify", "receipt.json"]));
        Counts::of([("found", 1)])
    });
    thief.spoil();
}
