//! Values as JSON. Every form is made from one text: the code that writes a type is compiled once for each way of writing it,
//! and it was a third of this crate while there were four.

use std::collections::BTreeSet;

use serde::Serialize;
use serde_json::Value;

/// The value in one line.
pub(crate) fn text(value: &impl Serialize) -> serde_json::Result<String> {
    serde_json::to_string(value)
}

/// The value indented by two spaces, for people.
pub(crate) fn pretty(value: &impl Serialize) -> serde_json::Result<String> {
    text(value).map(|text| indented(&text))
}

/// The value as one that can be looked into.
pub(crate) fn value(value: &impl Serialize) -> serde_json::Result<Value> {
    serde_json::from_str(&text(value)?)
}

/// JSON without white space, written over lines.
fn indented(text: &str) -> String {
    let mut out = String::with_capacity(text.len() * 5 / 4);
    let (mut depth, mut is_quoted, mut is_escaped) = (0, false, false);
    let mut rest = text.chars().peekable();
    while let Some(c) = rest.next() {
        if is_quoted {
            out.push(c);
            is_quoted = is_escaped || c != '"';
            is_escaped = !is_escaped && c == '\\';
            continue;
        }
        match c {
            '{' | '[' => {
                out.push(c);
                // What is empty stays on its line.
                match rest.next_if(|next| matches!(next, '}' | ']')) {
                    Some(end) => out.push(end),
                    None => {
                        depth += 1;
                        line(&mut out, depth);
                    }
                }
            }
            '}' | ']' => {
                depth -= 1;
                line(&mut out, depth);
                out.push(c);
            }
            ',' => {
                out.push(c);
                line(&mut out, depth);
            }
            ':' => out.push_str(": "),
            _ => {
                is_quoted = c == '"';
                out.push(c);
            }
        }
    }
    out
}

fn line(out: &mut String, depth: usize) {
    out.push('\n');
    out.extend(std::iter::repeat_n("  ", depth));
}

/// The first key that an object of a text holds twice, if one does: readers would disagree on what it says. The text is JSON.
pub(crate) fn doubled_key(text: &str) -> Option<String> {
    // The keys of every object that is open here; a list has none.
    let mut open: Vec<Option<BTreeSet<String>>> = Vec::new();
    let mut at = 0;
    while let Some(byte) = text.as_bytes().get(at) {
        match byte {
            b'{' => open.push(Some(BTreeSet::new())),
            b'[' => open.push(None),
            b'}' | b']' => drop(open.pop()),
            b'"' => {
                let end = string_end(text, at);
                // Compared as they are read: the same key can be spelled with an escape.
                let is_key = text.get(end..).is_some_and(|rest| rest.trim_start().starts_with(':'));
                if let (true, Some(Some(keys))) = (is_key, open.last_mut())
                    && let Some(key) =
                        text.get(at..end).and_then(|key| serde_json::from_str::<String>(key).ok())
                    && !keys.insert(key.clone())
                {
                    return Some(key);
                }
                at = end;
                continue;
            }
            _ => (), // signs, numbers and white space hold no key
        }
        at += 1;
    }
    None
}

/// Where a string ends that begins at a place.
fn string_end(text: &str, start: usize) -> usize {
    let mut is_escaped = false;
    for (at, byte) in text.bytes().enumerate().skip(start + 1) {
        match byte {
            b'"' if !is_escaped => return at + 1,
            _ => is_escaped = byte == b'\\' && !is_escaped,
        }
    }
    text.len()
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use serde_json::{Value, json};

    fn anything() -> impl Strategy<Value = Value> {
        let leaf = prop_oneof![
            Just(Value::Null),
            any::<bool>().prop_map(Value::from),
            any::<i64>().prop_map(Value::from),
            any::<String>().prop_map(Value::from),
            r#"[\\"{}\[\],: a]{0,8}"#.prop_map(Value::from),
        ];
        leaf.prop_recursive(4, 32, 4, |inner| {
            prop_oneof![
                prop::collection::vec(inner.clone(), 0..4).prop_map(Value::from),
                prop::collection::btree_map(any::<String>(), inner, 0..4)
                    .prop_map(|map| Value::Object(map.into_iter().collect())),
            ]
        })
    }

    proptest! {
        #[test]
        fn indented_as_everybody_does(value in anything()) {
            prop_assert_eq!(super::pretty(&value).expect("JSON"), serde_json::to_string_pretty(&value).expect("JSON"));
        }

        #[test]
        fn a_value_comes_back(value in anything()) {
            prop_assert_eq!(super::value(&value).expect("JSON"), value);
        }
    }

    #[test]
    fn a_key_that_stands_twice_is_found() {
        for (text, found) in [
            (r#"{"a":1,"b":{"a":2},"c":[{"a":1},{"a":1}]}"#, None),
            (r#"{"a":"\"a\":","b":"a"}"#, None),
            (r#"{"a":1,"b":2,"a":3}"#, Some("a")),
            (r#"{"x":[{"k":1, "k" : 2}]}"#, Some("k")),
            (r#"{"\u0061":1,"a":2}"#, Some("a")),
            (r#""a""#, None),
        ] {
            assert_eq!(super::doubled_key(text).as_deref(), found, "{text}");
        }
    }

    #[test]
    fn quotes_and_brackets_inside_text_stay() {
        let value = json!({ "a": "\\\"{[,:]}", "b": [], "c": {}, "d": [[{}]] });
        assert_eq!(super::pretty(&value).expect("JSON"), serde_json::to_string_pretty(&value).expect("JSON"));
    }
}
