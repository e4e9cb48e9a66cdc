//! The forms of open questions and estimates, what is said when they are asked for, and how their values are read.

use std::fmt::Write as _;

use serde_json::Value;

use super::form::{POSITION, REQUESTS, SURE, field};
use super::read::FieldValue;
use super::{Field, Form, Section, ValueKind};
use crate::kernel::{Choice, NotANumber, Number, Range, Repair, text};

/// The key of an answer that somebody proposes.
pub const ANSWER: &str = "answer";
/// The keys of an estimate.
pub const LOW: &str = "low";
/// The number itself.
pub const BEST: &str = "best";
/// The upper end.
pub const HIGH: &str = "high";
/// The key of what means the same.
pub const SAME: &str = "same";

impl Form {
    /// The form of a proposed answer: the charter's sections, the answer, a confidence.
    pub fn proposal(sections: &[Section]) -> Self {
        let ask = "Your answer to the question, in one line of at most 20 words: the answer itself, not the reasons.";
        let mut fields = reasons(sections);
        fields.push(field(ANSWER, ValueKind::Text, ask));
        fields.push(field("confidence", ValueKind::Confidence, SURE));
        Self { name: "proposal", fields }
    }

    /// The form of an estimate in this unit.
    pub fn estimate(sections: &[Section], unit: &str) -> Self {
        let number = |key, ask: &str| field(key, ValueKind::Number(unit.to_string()), ask);
        let mut fields = reasons(sections);
        fields.push(number(
            LOW,
            "A low value: you would be surprised if it came out lower. null if you cannot say.",
        ));
        fields.push(number(
            HIGH,
            "A high value: you would be surprised if it came out higher. null if you cannot say.",
        ));
        fields.push(number(BEST, "Your single best estimate. null if you have none."));
        fields.push(field(
            "confidence",
            ValueKind::Confidence,
            "How sure you are that the truth lies between low and high.",
        ));
        Self { name: "estimate", fields }
    }

    /// The form in which a seat says which of so many answers mean the same.
    pub fn comparison(answers: usize) -> Self {
        let letters = (0..answers).map(|nth| Choice::letter(nth as u8).to_string()).collect();
        let ask = "Groups of answers that mean the same, such as \"A = C\": somebody who carries out one has carried out \
                   the other. An empty list if all differ. When in doubt, they differ.";
        Self { name: "comparison", fields: vec![field(SAME, ValueKind::Groups(letters), ask)] }
    }
}

/// The charter's sections, without the claim: the answer or the number takes its place. Nothing can be asked of the
/// operator here, since no debate follows in which the answer could be used.
fn reasons(sections: &[Section]) -> Vec<Field> {
    let kept = sections.iter().filter(|section| section.key != POSITION && section.key != REQUESTS);
    kept.map(|section| field(&section.key, super::form::meaning(&section.key), &section.ask)).collect()
}

/// What a seat is asked that proposes an answer.
pub fn ask_for_proposal(focus: Option<&str>) -> String {
    let mut out = String::from(
        "\n# Now: your answer\n\nPropose one answer to the question. The others propose theirs at the same time and see \
         yours afterwards, without your name. Then all rank the answers.\n",
    );
    focus_into(&mut out, focus);
    out
}

/// What a seat is asked that gives an estimate; `numbers`: the last round in numbers.
pub fn ask_for_estimate(
    unit: &str,
    round: u32,
    last: bool,
    focus: Option<&str>,
    numbers: Option<&str>,
) -> String {
    let mut out = String::new();
    let rank = match (round, last) {
        (1, true) => "first and only",
        (1, false) => "first",
        (_, true) => "last",
        (_, false) => "next",
    };
    let _ = write!(out, "\n# Now: your {rank} estimate, round {round}\n\n");
    let _ = writeln!(
        out,
        "Give numbers in {unit}, with digits and a point for decimals. A number in another unit cannot be counted."
    );
    match numbers {
        Some(numbers) => {
            let _ = write!(out, "The last round in numbers:\n{numbers}");
            out.push_str(
                "Keep your number unless a reason changes it. Where the others stand is not a reason. If your number lies \
                 outside the middle half, give the reason that the others should hear.\n",
            );
        }
        None => {
            out.push_str("The others give theirs at the same time, and nobody sees them before all are in.\n")
        }
    }
    focus_into(&mut out, focus);
    out
}

fn focus_into(out: &mut String, focus: Option<&str>) {
    if let Some(focus) = focus {
        out.push_str("The operator asks you to answer this first:\n");
        text::quote_into(out, focus);
    }
}

/// A number in a field, or the range that stands there; what cannot be read is unknown, and why is said.
pub(super) fn number(
    field: &Field,
    value: &Value,
    unit: &str,
    repairs: &mut Vec<Repair>,
) -> Option<FieldValue> {
    let written = match value {
        Value::Null => return None,
        Value::Number(number) => number.to_string(),
        Value::String(text) if is_nothing(text) => return None,
        Value::String(text) => text.trim().to_string(),
        Value::Bool(_) | Value::Array(_) | Value::Object(_) => value.to_string(),
    };
    // In JSON a point is always the decimal sign.
    let read = match value {
        Value::Number(_) => written.parse().map_err(|_| NotANumber::Unreadable),
        Value::Null | Value::Bool(_) | Value::String(_) | Value::Array(_) | Value::Object(_) => {
            Number::read(&written, unit)
        }
    };
    let mut unknown = |code: &str, why: &str| {
        let said = text::excerpt(&written, 40).into_owned();
        repairs.push(Repair::new(code, format!("`{}` was `{said}`: {why}, taken as unknown", field.key)));
    };
    match read {
        Ok(number) => Some(FieldValue::Number(number)),
        Err(NotANumber::Range) => match Range::read(&written, unit) {
            Some(range) => Some(FieldValue::Range(range)),
            None => {
                unknown("number-unreadable", "a range whose ends are the wrong way round");
                None
            }
        },
        Err(why @ NotANumber::Ambiguous) => {
            unknown("number-ambiguous", &why.to_string());
            None
        }
        Err(why @ NotANumber::OtherUnit) => {
            unknown("number-unit", &why.to_string());
            None
        }
        Err(
            why @ (NotANumber::Unreadable
            | NotANumber::Bound
            | NotANumber::Denied
            | NotANumber::List
            | NotANumber::Multiplied),
        ) => {
            unknown("number-unreadable", &why.to_string());
            None
        }
    }
}

/// A number that is the whole of an answer without any form. Numbers among prose are never taken: nobody can tell which
/// of them is meant.
pub(super) fn only_number(field: &Field, answer: &str) -> Option<FieldValue> {
    let ValueKind::Number(unit) = &field.kind else { return None };
    let best = field.key == BEST && answer.len() < 60;
    best.then(|| Number::read(answer, unit).ok()).flatten().map(FieldValue::Number)
}

fn is_nothing(said: &str) -> bool {
    matches!(
        text::fold(said.trim()).trim_end_matches('.'),
        "" | "null" | "none" | "n/a" | "unknown" | "-" | "?"
    )
}

/// Groups of answers that mean the same, by place. Anything that is not wholly understood is unknown.
pub(super) fn groups(
    field: &Field,
    value: &Value,
    answers: usize,
    repairs: &mut Vec<Repair>,
) -> Option<FieldValue> {
    let items: Vec<String> = match value {
        Value::Null => Vec::new(),
        Value::String(text) if is_nothing(text) => Vec::new(),
        Value::String(text) => text.split([';', '\n']).map(str::to_string).collect(),
        Value::Array(items) => items.iter().map(item).collect(),
        Value::Bool(_) | Value::Number(_) | Value::Object(_) => vec![value.to_string()],
    };
    let items = items.iter().filter(|item| !is_nothing(item));
    let found: Option<Vec<Vec<u8>>> = items.map(|item| group(item, answers)).collect();
    if found.is_none() {
        let said = text::excerpt(&text::one_line(&value.to_string()), 60).into_owned();
        repairs.push(Repair::new("groups-unknown", format!("`{}` names no groups: {said}", field.key)));
    }
    // Who names a single answer says nothing of it.
    found.map(|groups| FieldValue::Groups(groups.into_iter().filter(|group| group.len() > 1).collect()))
}

/// One group as a text: `A = C`.
fn item(value: &Value) -> String {
    match value {
        Value::String(text) => text.clone(),
        Value::Array(letters) => letters.iter().filter_map(Value::as_str).collect::<Vec<_>>().join("="),
        Value::Null => String::new(),
        Value::Bool(_) | Value::Number(_) | Value::Object(_) => value.to_string(),
    }
}

fn group(item: &str, answers: usize) -> Option<Vec<u8>> {
    let letters = item.split(['=', ',', '+', '&']).map(str::trim).filter(|letter| !letter.is_empty());
    let place = |letter: &str| {
        let letter = letter.to_uppercase();
        let bare =
            letter.strip_prefix("OPTION").or_else(|| letter.strip_prefix("ANSWER")).unwrap_or(&letter).trim();
        let mut chars = bare.chars();
        let (Some(first), None) = (chars.next(), chars.next()) else { return None };
        (first as u32).checked_sub('A' as u32).filter(|nth| (*nth as usize) < answers).map(|nth| nth as u8)
    };
    let mut found: Vec<u8> = letters.map(place).collect::<Option<_>>()?;
    found.sort_unstable();
    found.dedup();
    Some(found)
}
