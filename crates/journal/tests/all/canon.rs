//! Our canonical JSON against another implementation, and the checker against the writer.

use std::collections::BTreeMap;

use proptest::prelude::{Just, ProptestConfig, Strategy, any, prop, prop_oneof, proptest};
use serde::Serialize;
use serde_json::{Value, json};
use synod_journal::canon::{CanonError, DEEPEST, LARGEST, check, to_string};

/// Text with all that is awkward: escapes, controls, and characters either side of the surrogates.
fn text() -> impl Strategy<Value = String> {
    let awkward = prop::sample::select(vec![
        '"', '\\', '/', '\n', '\u{8}', '\u{b}', '\u{1f}', '\u{7f}', 'é', '\u{e000}', '\u{ffff}', '😀',
    ]);
    prop_oneof![
        3 => "[a-d]{0,3}",
        2 => prop::collection::vec(prop_oneof![awkward, any::<char>()], 0..6).prop_map(String::from_iter),
    ]
}

fn value() -> impl Strategy<Value = Value> {
    let largest = LARGEST as i64;
    let leaf = prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::from),
        (-largest..=largest).prop_map(Value::from),
        (-99_i64..99).prop_map(Value::from),
        text().prop_map(Value::from),
    ];
    leaf.prop_recursive(5, 60, 8, |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..6).prop_map(Value::from),
            prop::collection::vec((text(), inner), 0..9)
                .prop_map(|members| Value::Object(members.into_iter().collect())),
        ]
    })
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(1500) })]

    #[test]
    fn agrees_with_another_implementation(value in value()) {
        let ours = to_string(&value).unwrap();
        assert_eq!(ours, serde_json_canonicalizer::to_string(&value).unwrap());
        assert_eq!(serde_json::from_str::<Value>(&ours).unwrap(), value);
        assert_eq!(check(&ours), Ok(()));
    }

    /// The checker accepts exactly what the writer writes, also among texts that are almost right.
    #[test]
    fn checks_what_it_writes(value in value(), at in any::<prop::sample::Index>(), put in "[ \\[\\]{},:\"\\\\a-u0-9.eE-]{0,2}", cut in 0..3_usize) {
        let mut text = to_string(&value).unwrap();
        let mut start = at.index(text.len() + 1);
        while !text.is_char_boundary(start) { start -= 1; }
        let end = text[start..].char_indices().nth(cut).map_or(text.len(), |(at, _)| start + at);
        text.replace_range(start..end, &put);
        let again = serde_json::from_str::<Value>(&text).ok().and_then(|value| to_string(&value).ok());
        assert_eq!(check(&text).is_ok(), again.as_ref() == Some(&text), "{text}");
    }
}

#[derive(Serialize)]
enum Shape {
    Unit,
    One(u8),
    Two(u8, char),
    Named { z: Option<u8>, a: () },
}

#[test]
fn shapes() {
    let shapes = (Shape::Unit, Shape::One(1), Shape::Two(2, '"'), Shape::Named { z: None, a: () });
    assert_eq!(
        to_string(&shapes).unwrap(),
        r#"["Unit",{"One":1},{"Two":[2,"\""]},{"Named":{"a":null,"z":null}}]"#
    );
    assert_eq!(to_string(&BTreeMap::from([('b', 0), ('a', -1)])).unwrap(), r#"{"a":-1,"b":0}"#);
    assert_eq!(to_string(&[i64::MIN + 1, 0][1..]).unwrap(), "[0]");
}

#[test]
fn refusals() {
    assert_eq!(to_string(&json!([1.5])), Err(CanonError::Float("1.5".into())));
    assert_eq!(to_string(&1.0_f32), Err(CanonError::Float("1".into())));
    assert_eq!(to_string(&u64::MAX), Err(CanonError::Large(u64::MAX.into())));
    assert_eq!(to_string(&i64::MIN), Err(CanonError::Large(i64::MIN.into())));
    assert_eq!(to_string(&i128::MIN), Err(CanonError::Large(i128::MIN)));
    assert_eq!(to_string(&LARGEST), Ok("9007199254740991".into()));
    assert_eq!(to_string(&-9_007_199_254_740_991_i64), Ok("-9007199254740991".into()));
    assert_eq!(to_string(&(LARGEST + 1)), Err(CanonError::Large(9_007_199_254_740_992)));
    assert_eq!(to_string(&BTreeMap::from([(1, 2)])), Err(CanonError::Key("an integer")));
    #[derive(Serialize)]
    struct Twice {
        #[serde(rename = "a\n")]
        one: u8,
        #[serde(flatten)]
        rest: Value,
    }
    assert_eq!(to_string(&Twice { one: 1, rest: json!({"a\n": 2}) }), Err(CanonError::Twice("a\n".into())));
}

#[test]
fn what_is_written_can_be_parsed_however_deep() {
    let nest = |depth: usize| (0..depth).fold(Value::Null, |inner, _| json!([inner]));
    let deepest = to_string(&nest(DEEPEST)).unwrap();
    assert!(serde_json::from_str::<Value>(&deepest).is_ok());
    assert_eq!(check(&deepest), Ok(()));
    assert_eq!(to_string(&nest(DEEPEST + 1)), Err(CanonError::Deep));
    assert!(check(&"[".repeat(1_000_000)).is_err());
}

#[test]
fn a_text_that_is_not_canonical_is_told_where() {
    for (text, at) in [
        ("", 0),
        (" 1", 0),
        ("1 ", 1),
        ("[1, 2]", 3),
        ("-0", 0),
        ("01", 0),
        ("1.0", 0),
        ("1e3", 0),
        (r#"{"b":1,"a":2}"#, 7),
        (r#"{"a":1,"a":2}"#, 7),
        (r#""\/""#, 1),
        (r#""\u000A""#, 1),
        (r#""\u0041""#, 1),
        (r#""\u001F""#, 1),
        ("\"\n\"", 1),
        ("\"open", 5),
        ("[1", 2),
        ("{1:2}", 1),
        ("9007199254740992", 0),
        ("tru", 0),
    ] {
        assert_eq!(check(text).map_err(|error| error.at), Err(at), "{text}");
    }
}
