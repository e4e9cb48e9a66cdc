//! What a field's value comes to: text, lists, marks, sources, requests.

use serde_json::Value;

use super::super::form::{Stands, approval, choice, ranking, scored};
use super::super::{Field, ValueKind, kinds};
use super::{FieldValue, confidence::confidence, side};
use crate::kernel::{Choice, Citation, ContextRequest, Repair, text};

pub(in crate::brief) fn given(
    field: &Field,
    value: Value,
    options: &[String],
    repairs: &mut Vec<Repair>,
) -> Option<FieldValue> {
    // Null is how strict modes of providers leave something out.
    if value.is_null() {
        return None;
    }
    match &field.kind {
        ValueKind::Text if field.optional => {
            words(value).filter(|said| !is_nothing(said)).map(FieldValue::Text)
        }
        ValueKind::Text => words(value).map(FieldValue::Text),
        ValueKind::List => match value {
            Value::Array(items) => Some(FieldValue::List(items.into_iter().filter_map(words).collect())),
            other => words(other).map(|text| FieldValue::List(listed(&text))),
        },
        ValueKind::Citations => {
            Some(FieldValue::Citations(each(field, CITATIONS_MOST, value, citation, repairs)))
        }
        ValueKind::Requests { files } => {
            let request = |value| request(value, *files);
            Some(FieldValue::Requests(each(field, REQUESTS_MOST, value, request, repairs)))
        }
        ValueKind::Confidence => confidence(field, &value, repairs).map(FieldValue::Confidence),
        ValueKind::Number(unit) => kinds::number(field, &value, unit, repairs),
        ValueKind::Groups(letters) => kinds::groups(field, &value, letters.len(), repairs),
        ValueKind::Ranking(_) | ValueKind::Approval(_) | ValueKind::Scores(_) => {
            let said = words(value.clone()).unwrap_or_default();
            let found = marks(field, value, options);
            if found.is_none() {
                let said = text::excerpt(&text::one_line(&said), 60).into_owned();
                repairs.push(Repair::new("marks-unknown", format!("`{}` is no ballot: {said}", field.key)));
            }
            found
        }
        ValueKind::Choice(_) => {
            let found = side::of_value(&field.key, &value, options, repairs);
            let said = words(value)?;
            if found.is_none() {
                let detail = format!(
                    "`{}` holds no known choice: {}",
                    field.key,
                    text::excerpt(&text::one_line(&said), 60)
                );
                repairs.push(Repair::new("choice-unknown", detail));
            }
            found.map(FieldValue::Choice)
        }
    }
}

/// What stands on a marked ballot. Anything that is not wholly understood is no ballot.
pub(super) fn marks(field: &Field, value: Value, options: &[String]) -> Option<FieldValue> {
    let items = |separators: &[char]| match &value {
        Value::String(text) => {
            let parts = text.split(separators).map(|part| part.trim().to_string());
            Some(parts.filter(|part| !part.is_empty()).collect::<Vec<_>>())
        }
        Value::Array(items) => items
            .iter()
            .map(|item| match item {
                Value::String(text) => Some(text.trim().to_string()),
                Value::Array(equal) => {
                    let equal: Option<Vec<&str>> = equal.iter().map(Value::as_str).collect();
                    equal.map(|equal| equal.join(" = "))
                }
                Value::Null | Value::Bool(_) | Value::Number(_) | Value::Object(_) => None,
            })
            .collect(),
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::Object(_) => None,
    };
    let stands = match &field.kind {
        ValueKind::Ranking(_) => ranking(&items(&['>', '\n'])?, options),
        ValueKind::Approval(_) => approval(&items(&[',', '\n'])?, options),
        ValueKind::Scores(_) => match &value {
            Value::Object(members) => {
                let pair = |(key, score): (&String, &Value)| match score {
                    Value::Null => Some((key.clone(), None)),
                    Value::Number(number) => Some((key.clone(), Some(number.to_string()))),
                    Value::String(text) => Some((key.clone(), Some(text.clone()))),
                    Value::Bool(_) | Value::Array(_) | Value::Object(_) => None,
                };
                scored(&members.iter().map(pair).collect::<Option<Vec<_>>>()?, options)
            }
            Value::String(text) => match choice(text, options) {
                Some(word @ (Choice::No | Choice::Neutral)) => Some(Stands::Word(word)),
                Some(Choice::Yes | Choice::Option(_)) | None => {
                    let parts = text.split([',', '\n']).filter(|part| !part.trim().is_empty());
                    let pair = |part: &str| {
                        let (option, score) = part.split_once(['=', ':'])?;
                        Some((option.to_string(), Some(score.to_string())))
                    };
                    scored(&parts.map(pair).collect::<Option<Vec<_>>>()?, options)
                }
            },
            Value::Null | Value::Bool(_) | Value::Number(_) | Value::Array(_) => None,
        },
        ValueKind::Text
        | ValueKind::List
        | ValueKind::Confidence
        | ValueKind::Choice(_)
        | ValueKind::Number(_)
        | ValueKind::Groups(_)
        | ValueKind::Citations
        | ValueKind::Requests { .. } => None,
    };
    Some(match stands? {
        Stands::Word(choice) => FieldValue::Choice(choice),
        Stands::Marks(marks) => FieldValue::Marks(marks),
    })
}

/// Text of a value: strings as they are, numbers and truth values as written, nested values as JSON.
fn words(value: Value) -> Option<String> {
    match value {
        Value::Null => None,
        Value::String(text) => {
            let bare = text.trim();
            // Most texts have no blanks around them and stay where they are.
            let text = if bare.len() == text.len() { text } else { bare.to_string() };
            Some(text).filter(|text| !text.is_empty())
        }
        Value::Bool(_) | Value::Number(_) => Some(value.to_string()),
        Value::Array(items) => {
            let lines: Vec<String> = items.into_iter().filter_map(words).collect();
            (!lines.is_empty()).then(|| lines.join("\n"))
        }
        Value::Object(_) => Some(value.to_string()),
    }
}

/// How many sources of one statement are read; more is a dump.
const CITATIONS_MOST: usize = 50;
/// How many questions to the operator of one statement are read: a person has to answer them.
const REQUESTS_MOST: usize = 10;

/// What each item of a list comes to; a text is taken line by line.
fn each<T>(
    field: &Field,
    most: usize,
    value: Value,
    take: impl Fn(Value) -> Option<T>,
    repairs: &mut Vec<Repair>,
) -> Vec<T> {
    let items: Vec<Value> = match value {
        Value::Array(items) => items,
        Value::String(text) => listed(&text).into_iter().map(Value::String).collect(),
        Value::Null => Vec::new(),
        other @ (Value::Bool(_) | Value::Number(_) | Value::Object(_)) => vec![other],
    };
    if items.len() > most {
        let detail = format!("`{}` had {} items: the first {most} were read", field.key, items.len());
        repairs.push(Repair::new("cut", detail));
    }
    items.into_iter().take(most).filter_map(take).collect()
}

/// A source: an object with our keys, or a text. Placeholders that some models write are none.
fn citation(value: Value) -> Option<Citation> {
    let found = match value {
        Value::Object(mut map) => {
            let mut take = |key: &str| map.remove(key).and_then(words);
            let (url, title, quote) = (take("url"), take("title"), take("quote"));
            let untitled = title.or_else(|| take("source")).or_else(|| take("name"));
            Citation { quote, title: untitled, url }
        }
        other => Citation::from_text(&words(other)?)?,
    };
    let empty = found.url.is_none() && found.title.is_none();
    let none = |text: &Option<String>| {
        text.as_deref().is_none_or(|text| matches!(text::fold(text).as_str(), "none" | "n/a" | "-" | "null"))
    };
    let nameless = empty || (none(&found.url) && none(&found.title));
    (!nameless).then_some(found)
}

/// A request as it was put: what is wrong with it the house says. A file is read only where one may be asked for.
fn request(value: Value, files: bool) -> Option<ContextRequest> {
    match value {
        Value::Object(mut map) => {
            let mut take = |key: &str| map.remove(key).and_then(words).unwrap_or_default();
            let (query, reason, priority) = (take("query"), take("reason"), take("priority"));
            let file = Some(take("file")).filter(|file| files && !file.is_empty() && !is_nothing(file));
            // A request that names a file needs no query: the file is what is wanted.
            let query = if query.is_empty() { file.clone().unwrap_or_default() } else { query };
            let empty = query.is_empty() && reason.is_empty();
            (!empty).then_some(ContextRequest { file, priority, query, reason })
        }
        other => {
            let query = words(other)?;
            let request =
                |query| ContextRequest { file: None, priority: String::new(), query, reason: String::new() };
            (!is_nothing(&query)).then(|| request(query))
        }
    }
}

/// Whether a text says that there is nothing to say.
fn is_nothing(said: &str) -> bool {
    // Folded, each of them begins with one of these; what is written in other scripts has to be folded to tell.
    let first = said.trim_start().chars().next();
    if first.is_none_or(|first| first.is_ascii() && !matches!(first, 'n' | 'N' | '-')) {
        return false;
    }
    matches!(text::fold(said).trim_end_matches('.'), "none" | "n/a" | "-" | "nothing" | "null")
}

/// The points of a list written as text: one per line, marks removed.
fn listed(text: &str) -> Vec<String> {
    let mark = |c: char| c.is_whitespace() || matches!(c, '-' | '*' | '•');
    text.lines()
        .map(|line| line.trim_start_matches(mark).trim().to_string())
        .filter(|line| !line.is_empty())
        .collect()
}
