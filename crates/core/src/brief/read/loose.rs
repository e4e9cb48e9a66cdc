//! The text inside JSON of a shape that nobody asked for. It never looks for a choice or a number there: only words for
//! people are taken from it.

use serde_json::Value;

use super::{Members, Pairs, mend, starts};

/// The text of an answer that is an object with keys of its own: a line for each of them. `None` if it is no such object,
/// or if most of it is prose that merely holds one.
pub(crate) fn text_of_object(answer: &str) -> Option<String> {
    let members = starts(answer).into_iter().find_map(|at| members(answer, at))?;
    let mut lines: Vec<(String, String)> =
        members.iter().filter_map(|(key, value)| Some((heading(key), line(value)?))).collect();
    match lines.len() {
        0 => None,
        // The one text of an answer needs no heading.
        1 => lines.pop().map(|(_, text)| text),
        _ => Some(lines.iter().map(|(key, text)| format!("{key}: {text}")).collect::<Vec<_>>().join("\n")),
    }
}

/// The members of the object that begins here, where it makes up most of the answer.
fn members(answer: &str, at: usize) -> Option<Members> {
    let rest = &answer[at..];
    let mut stream = serde_json::Deserializer::from_str(rest).into_iter::<Pairs>();
    let (members, length) = match stream.next() {
        Some(Ok(Pairs(members))) => (members, stream.byte_offset()),
        Some(Err(_)) | None => {
            let (map, _) = mend::object(rest)?;
            (map.into_iter().collect(), rest.rfind('}').map_or(rest.len(), |end| end + 1))
        }
    };
    (2 * length >= answer.len()).then_some(members)
}

/// A value as one line; nothing where it says nothing.
fn line(value: &Value) -> Option<String> {
    let joined = |lines: Vec<String>| (!lines.is_empty()).then(|| lines.join("; "));
    match value {
        Value::Null => None,
        Value::Bool(_) | Value::Number(_) => Some(value.to_string()),
        Value::String(text) => Some(text.trim().to_string()).filter(|text| !text.is_empty()),
        Value::Array(items) => joined(items.iter().filter_map(line).collect()),
        Value::Object(map) if map.len() == 1 => map.values().find_map(line),
        Value::Object(map) => joined(
            map.iter()
                .filter_map(|(key, value)| Some(format!("{}: {}", heading(key), line(value)?)))
                .collect(),
        ),
    }
}

/// A key as words.
fn heading(key: &str) -> String {
    key.replace(['_', '-'], " ").trim().to_string()
}
