//! One field as a person fills it in: how it is asked for, and how what they type is read.

use serde_json::{Value, json};
use synod_core::brief::{ANSWER, BEST, Field, FieldValue, ValueKind};

/// The order in which a person is asked for a field, and whether they must answer.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum FieldNeed {
    /// There is no answer without it.
    Needed,
    /// Asked with those, but it may be left out.
    First,
    /// Offered afterwards.
    Offered,
}

/// How much a field matters to an answer: the reason and the side, the number or the answer itself are asked for before
/// anything that is optional. Among themselves they keep the order of the form, reasoning before side.
pub(super) fn rank(field: &Field) -> FieldNeed {
    match (&field.kind, field.key.as_str()) {
        (ValueKind::Choice(_) | ValueKind::Ranking(_) | ValueKind::Approval(_) | ValueKind::Scores(_), _) => {
            FieldNeed::Needed
        }
        // A statement without its claim is marked as incomplete.
        (_, "reason" | "reasoning" | "position" | ANSWER | BEST) => FieldNeed::Needed,
        (ValueKind::Number(_) | ValueKind::Confidence | ValueKind::Groups(_), _) => FieldNeed::First,
        (ValueKind::Text | ValueKind::List | ValueKind::Citations | ValueKind::Requests { .. }, _) => {
            FieldNeed::Offered
        }
    }
}

/// What may be typed, in brackets after the name.
pub(super) fn hint(kind: &ValueKind) -> String {
    match kind {
        ValueKind::Choice(words) => format!(" [{}]", words.join("/")),
        ValueKind::Ranking(_) => " [B > A = C, NONE or ABSTAIN]".into(),
        ValueKind::Approval(_) => " [A, C, or NONE, or ABSTAIN]".into(),
        ValueKind::Scores(_) => " [A=7, B=0, or NONE, or ABSTAIN]".into(),
        ValueKind::Confidence => " [0 to 1]".into(),
        ValueKind::List | ValueKind::Citations => " [separate with ;]".into(),
        ValueKind::Requests { files: false } => {
            " [what? | why? | required or optional; separate with ;]".into()
        }
        ValueKind::Requests { files: true } => {
            " [what? | why? | required or optional | file, if any; separate with ;]".into()
        }
        ValueKind::Number(unit) => format!(" [number of {unit}]"),
        ValueKind::Groups(_) => " [A = C; B = D; an empty line if all differ]".into(),
        ValueKind::Text => String::new(),
    }
}

/// What is asked for, without the signs that only mean something in JSON.
pub(super) fn question(field: &Field) -> String {
    field.ask.replace("[\"", "").replace("\"]", "").replace("[]", "nothing").replace("null", "nothing")
}

/// What may be typed, for somebody whose line could not be read.
fn allowed(kind: &ValueKind) -> String {
    let one_of = |words: &[String]| match words {
        [firsts @ .., last] if !firsts.is_empty() => format!("{} or {last}", firsts.join(", ")),
        words => words.join(""),
    };
    match kind {
        ValueKind::Choice(words) => format!("Type {}.", one_of(words)),
        ValueKind::Ranking(letters) => {
            format!("Rank {}, best first, such as B > A; or type NONE or ABSTAIN.", letters.join(", "))
        }
        ValueKind::Approval(letters) => {
            format!("Name some of {}, such as A, B; or type NONE or ABSTAIN.", letters.join(", "))
        }
        ValueKind::Scores(letters) => {
            format!(
                "Give each of {} a number from 0 to 10, such as A=7, B=0; or type NONE or ABSTAIN.",
                letters.join(", ")
            )
        }
        ValueKind::Confidence => "Type a number from 0 to 1, such as 0.8, or 80%.".into(),
        ValueKind::Number(unit) => format!("Type a number of {unit}, such as 12, or - if you cannot say."),
        ValueKind::Groups(letters) => {
            format!("Name which of {} mean the same, such as A = C; B = D.", letters.join(", "))
        }
        ValueKind::Text | ValueKind::List | ValueKind::Citations | ValueKind::Requests { .. } => {
            "Type a text.".into()
        }
    }
}

/// What was typed, as the answer holds it; an error says what is allowed.
pub(super) fn read(field: &Field, typed: &str, options: &[String]) -> Result<Option<Value>, String> {
    let value = written(&field.kind, typed);
    let (given, repairs) = field.read(value.clone(), options);
    let refused = || Err(format!("\"{typed}\" cannot be read here. {}", allowed(&field.kind)));
    match given {
        // A number above 1 is a slip, and nobody but the person knows which.
        Some(FieldValue::Confidence(_))
            if repairs.iter().any(|repair| repair.code == "confidence-clamped") =>
        {
            refused()
        }
        Some(FieldValue::Confidence(sure)) => Ok(Some(json!(sure.to_string()))),
        Some(_) => Ok(Some(value)),
        // Whoever types "none" leaves it out.
        None if repairs.is_empty() => Ok(None),
        None => refused(),
    }
}

/// A line as a value of its kind.
fn written(kind: &ValueKind, typed: &str) -> Value {
    let items = || typed.split([';', '\n']).map(str::trim).filter(|item| !item.is_empty());
    match kind {
        ValueKind::List | ValueKind::Citations => json!(items().collect::<Vec<_>>()),
        ValueKind::Requests { .. } => items().map(request).collect(),
        ValueKind::Text | ValueKind::Choice(_) | ValueKind::Ranking(_) | ValueKind::Approval(_) => {
            json!(typed)
        }
        ValueKind::Scores(_) | ValueKind::Number(_) | ValueKind::Groups(_) | ValueKind::Confidence => {
            json!(typed)
        }
    }
}

/// A question to the operator, as a person writes it.
fn request(written: &str) -> Value {
    let mut parts = written.split('|').map(str::trim);
    let mut next = || parts.next().unwrap_or_default().to_string();
    json!({ "query": next(), "reason": next(), "priority": next(), "file": next() })
}

#[cfg(test)]
mod tests {
    use synod_core::brief::{Form, VoteForm};

    use super::*;

    fn field(form: &Form, key: &str) -> Field {
        form.fields.iter().find(|field| field.key == key).expect("a field").clone()
    }

    #[test]
    fn slips_are_told_with_what_is_allowed() {
        let form = Form::vote(0, VoteForm::default());
        let told = |key: &str, typed: &str| read(&field(&form, key), typed, &[]);
        assert_eq!(
            told("vote", "maybe"),
            Err("\"maybe\" cannot be read here. Type YES, NO or ABSTAIN.".into())
        );
        assert_eq!(told("vote", "yes"), Ok(Some(json!("yes"))));
        for wrong in ["7", "1.5", "very", "-1"] {
            let why = told("confidence", wrong).expect_err(wrong);
            assert!(why.contains("from 0 to 1"), "{why}");
        }
        assert_eq!(told("confidence", "80%"), Ok(Some(json!("0.80"))), "a repair that needs no mark");
        assert_eq!(told("confidence", "0.9"), Ok(Some(json!("0.90"))));
    }

    #[test]
    fn ballots_and_numbers() {
        let options = ["tea".to_string(), "coffee".to_string()];
        let asked = VoteForm { marking: synod_core::brief::Marking::Ranking, ..VoteForm::default() };
        let vote = field(&Form::vote(2, asked), "vote");
        assert!(read(&vote, "B > A", &options).is_ok());
        assert!(read(&vote, "B > C", &options).expect_err("there is no C").contains("Rank A, B, best first"));
        let best = field(&Form::estimate(&[], "days"), "best");
        assert_eq!(read(&best, "12", &[]), Ok(Some(json!("12"))));
        assert_eq!(read(&best, "-", &[]), Ok(None));
        assert!(read(&best, "a while", &[]).expect_err("no number").contains("a number of days"));
    }

    #[test]
    fn the_side_and_its_reason_come_first() {
        let form = Form::vote(0, VoteForm::default());
        let of = |wanted: FieldNeed| -> Vec<&str> {
            form.fields.iter().filter(|field| rank(field) == wanted).map(|field| field.key.as_str()).collect()
        };
        assert_eq!(of(FieldNeed::Needed), ["reason", "vote"]);
        assert_eq!(of(FieldNeed::First), ["confidence"]);
        assert_eq!(of(FieldNeed::Offered), ["change_if", "conditions"]);
    }
}
