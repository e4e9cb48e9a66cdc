//! Values as JSON. Every form is made from one text: the code that writes a type is compiled once for each way of writing it,
//! and it was a third of this crate while there were four.

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
    fn quotes_and_brackets_inside_text_stay() {
        let value = json!({ "a": "\\\"{[,:]}", "b": [], "c": {}, "d": [[{}]] });
        assert_eq!(super::pretty(&value).expect("JSON"), serde_json::to_string_pretty(&value).expect("JSON"));
    }
}
