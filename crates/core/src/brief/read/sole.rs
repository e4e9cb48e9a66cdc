//! The one side in the JSON of an answer, whatever other keys stand beside it.

use serde_json::Value;

use super::around::Around;
use super::{FieldValue, Members, Pairs, ReadAnswer, side};
use crate::brief::form::{field, plain_key};
use crate::brief::stance::value::{Value as Said, value};
use crate::brief::stance::{AskedFor, NoStance};
use crate::brief::{Form, ValueKind};
use crate::kernel::{Choice, How};

/// Keys that hold a side, whatever was asked for.
const EITHER: [&str; 5] = ["choice", "decision", "verdict", "side", "answer"];
const STANCES: [&str; 4] = ["stance", "position", "haltung", "standpunkt"];
const VOTES: [&str; 4] = ["vote", "ballot", "stimme", "votum"];

/// How many words a value may have that is nothing but a side: `strongly against this motion`.
const SHORT: usize = 4;

/// The side that the JSON of an answer gives; `None` if there is no JSON with a key of a side.
pub(in crate::brief) fn side_in_json(answer: &str, asked: AskedFor) -> Option<Result<Choice, NoStance>> {
    if !answer.contains('{') {
        return None;
    }
    let own = match asked {
        AskedFor::Stance => STANCES,
        AskedFor::Vote => VOTES,
    };
    let choice = |key: &&str| field(key, ValueKind::Choice(Vec::new()), "");
    let form = Form { name: "stance", fields: own.iter().chain(&EITHER).map(choice).collect() };
    let (members, around) = members(&form, answer)?;
    // A key of what was asked for is heard before one that may mean anything: `stance`, then `position`, then `choice`.
    let holds = |named: &&&str| members.iter().any(|(key, _)| plain_key(key) == **named);
    let first = own.iter().chain(&EITHER).find(holds)?;
    let sides = members.iter().filter(|(key, _)| plain_key(key) == *first);
    Some(together(sides, asked).and_then(|side| match keeps(side, around) {
        true => Ok(side),
        false => Err(NoStance::TakenBack),
    }))
}

fn members(form: &Form, answer: &str) -> Option<(Members, Around)> {
    if let Ok(Pairs(pairs)) = serde_json::from_str(answer)
        && form.knows(&pairs)
    {
        return Some((pairs, Around::default()));
    }
    form.strict_inside(answer).or_else(|| {
        let (pairs, _, around) = form.mended_inside(answer)?;
        Some((pairs, around))
    })
}

/// The one side of these members. One that cannot be read leaves nothing to rely on.
fn together<'a>(
    members: impl Iterator<Item = &'a (String, Value)>,
    asked: AskedFor,
) -> Result<Choice, NoStance> {
    let mut found = None;
    for (_, given) in members.filter(|(_, given)| !given.is_null()) {
        let said = one(given, asked)?;
        if found.is_some_and(|found| found != said) {
            return Err(NoStance::Contradiction);
        }
        found = Some(said);
    }
    found.ok_or(NoStance::NotSaid)
}

fn one(given: &Value, asked: AskedFor) -> Result<Choice, NoStance> {
    if let Some(side) = side::of_value("", given, &[], &mut Vec::new()) {
        return Ok(side);
    }
    // A value of many words that the form cannot read is a text that happens to begin with a side.
    let short = given.as_str().filter(|said| said.split_whitespace().count() <= SHORT);
    match short.map(value) {
        Some(Said::Side(side)) => Ok(side),
        Some(Said::Undecided) if asked == AskedFor::Stance => Ok(Choice::Neutral),
        Some(Said::Unusable(reason)) => Err(reason),
        Some(Said::Undecided | Said::Other) | None => Err(NoStance::Unclear),
    }
}

/// Whether the words around the JSON leave it what it is.
fn keeps(side: Choice, around: Around) -> bool {
    let fields = [("side".to_string(), FieldValue::Choice(side))].into();
    let read = ReadAnswer { fields, how: How::Fenced, repairs: Vec::new() };
    around.heard(read, &[]).fields.contains_key("side")
}
