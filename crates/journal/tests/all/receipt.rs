//! A receipt checks as it was signed and in no other form.

use serde_json::{Value, json};
use synod_journal::{HouseKey, Receipt, ReceiptError, canon};

use crate::sample::quick_dir;

fn key() -> HouseKey {
    HouseKey::load_or_create(quick_dir().path()).unwrap()
}

fn receipt() -> Receipt {
    let body = json!({"matter": "3", "tally": {"for": 48, "against": 24}, "rule": "2/3", "dissent": ["ça"]});
    Receipt::sign(&key(), body).unwrap()
}

#[test]
fn is_read_and_checked_as_it_was_signed() {
    let signed = receipt();
    signed.check().unwrap();
    let line = signed.to_line().unwrap();
    assert!(
        line.starts_with(r#"{"body":{"dissent":["ça"],"matter":"3","#) && line.ends_with("\"}\n"),
        "{line}"
    );
    let read = Receipt::parse(line.as_bytes()).unwrap();
    assert_eq!(read, signed);
    read.check().unwrap();
    Receipt::parse(line.trim_end().as_bytes()).unwrap().check().unwrap();
}

#[test]
fn any_byte_changed_is_found() {
    let line = receipt().to_line().unwrap();
    let line = line.trim_end();
    for at in 0..line.len() {
        let mut bytes = line.as_bytes().to_vec();
        bytes[at] ^= 1 << (at % 8);
        let accepted = Receipt::parse(&bytes).and_then(|receipt| receipt.check());
        assert!(accepted.is_err(), "byte {at} changed: {}", String::from_utf8_lossy(&bytes));
    }
}

#[test]
fn changed_fields() {
    type Change = fn(&mut Receipt);
    let table: [(&str, Change, ReceiptError); 10] = [
        ("another tally", |r| r.body["tally"]["for"] = 49.into(), ReceiptError::Forged),
        ("one more field", |r| r.body["note"] = Value::Null, ReceiptError::Forged),
        ("another house's key", |r| r.key = key().public_hex(), ReceiptError::Forged),
        ("another receipt's signature", |r| r.signature = receipt().signature, ReceiptError::Forged),
        ("a key that is no hex", |r| r.key.replace_range(..1, "x"), ReceiptError::Key),
        ("a key in upper case", |r| r.key = "AB".repeat(32), ReceiptError::Key),
        ("a key cut short", |r| r.key.truncate(62), ReceiptError::Key),
        ("a key that is no point", |r| r.key = format!("02{}", "0".repeat(62)), ReceiptError::Key),
        ("a signature cut short", |r| r.signature.truncate(126), ReceiptError::Signature),
        ("a float", |r| r.body = 0.5.into(), ReceiptError::Body(canon::CanonError::Float("0.5".into()))),
    ];
    for (what, change, expected) in table {
        let mut changed = receipt();
        change(&mut changed);
        assert_eq!(changed.check(), Err(expected), "{what}");
    }
}

/// Under the key that is the neutral point, one signature would fit every body if checked leniently.
#[test]
fn a_weak_key_proves_nothing() {
    let neutral = format!("01{}", "0".repeat(62));
    let weak =
        Receipt { body: json!("anything"), signature: neutral.clone() + &"0".repeat(64), key: neutral };
    assert_eq!(weak.check(), Err(ReceiptError::Forged));
}

#[test]
fn files_that_are_none() {
    let good = receipt().to_line().unwrap();
    for (file, message) in [
        (String::new(), "this is not a receipt: EOF while parsing a value"),
        ("dear diary".into(), "this is not a receipt: expected value at line 1"),
        ("[]".into(), "this is not a receipt: invalid type: sequence, expected a map"),
        (good[..good.len() / 2].into(), "this is not a receipt: EOF while parsing a string"),
        ("{}".into(), "it has no `body`"),
        (r#"{"body":1}"#.into(), "it has no `key`"),
        (r#"{"body":1,"key":2}"#.into(), "it has no `key` of the right kind"),
        (r#"{"body":1,"key":"ab"}"#.into(), "it has no `signature`"),
        (good.replace("}\n", r#","trust":"me"}"#), "has a field `trust` that is not signed"),
        (good.replace("{\"body\"", "{ \"body\""), "was reformatted or edited (not canonical JSON at byte 1"),
        (good.replace(r#""matter":"3""#, r#""matter":"4","matter":"3""#), "was reformatted or edited"),
    ] {
        let found = Receipt::parse(file.as_bytes()).expect_err(&file).to_string();
        assert!(found.contains(message), "{found}");
    }
    assert!(matches!(Receipt::parse(b"\xff"), Err(ReceiptError::NotJson(_))));
}

#[test]
fn what_has_no_canonical_form_is_not_signed() {
    assert!(matches!(Receipt::sign(&key(), json!({"share": 0.67})), Err(ReceiptError::Body(_))));
}
