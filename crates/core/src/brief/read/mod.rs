//! Reading an answer: strict JSON, then JSON among other text, then mended JSON, then headed sections,
//! then plain text. Every step down and every repair is said; what cannot be read is unknown.

mod around;
mod confidence;
mod lexicon;
mod loose;
mod prose;
mod side;
mod sole;
mod values;

use std::collections::{BTreeMap, BTreeSet};

use serde::de::{Deserialize, Deserializer, MapAccess, Visitor};
use serde_json::Value;

use self::around::Around;
pub(crate) use self::loose::text_of_object;
pub(super) use self::sole::side_in_json;
pub(super) use self::values::given;
use self::values::marks;
use super::form::is_same_key;
use super::{Field, Form, ValueKind, kinds, mend, stance};
use crate::kernel::{Choice, Citation, ContextRequest, How, Marks, Number, Permille, Range, Repair};

/// An answer as far as it could be read.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ReadAnswer {
    /// What was given, by the field's key.
    pub fields: BTreeMap<String, FieldValue>,
    /// How it was read.
    pub how: How,
    /// What had to be repaired.
    pub repairs: Vec<Repair>,
}

/// A value of a field.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum FieldValue {
    /// Free text.
    Text(String),
    /// Several short texts.
    List(Vec<String>),
    /// A confidence.
    Confidence(Permille),
    /// A side.
    Choice(Choice),
    /// What stands on a ballot of more than one side.
    Marks(Marks),
    /// A number.
    Number(Number),
    /// A range without one number in it.
    Range(Range),
    /// Things that belong together, by place.
    Groups(Vec<Vec<u8>>),
    /// Sources.
    Citations(Vec<Citation>),
    /// Questions to the operator.
    Requests(Vec<ContextRequest>),
}

/// A field that holds another kind of value than the one wanted has nothing to give.
impl FieldValue {
    /// The text, if it is one.
    pub fn text(self) -> Option<String> {
        if let Self::Text(text) = self { Some(text) } else { None }
    }

    /// The side, if it is one.
    pub fn choice(self) -> Option<Choice> {
        if let Self::Choice(choice) = self { Some(choice) } else { None }
    }

    /// The confidence, if it is one.
    pub fn confidence(self) -> Option<Permille> {
        if let Self::Confidence(confidence) = self { Some(confidence) } else { None }
    }

    /// The number, if it is one.
    pub fn number(self) -> Option<Number> {
        if let Self::Number(number) = self { Some(number) } else { None }
    }

    /// The texts, also of a single one.
    pub fn list(self) -> Vec<String> {
        match self {
            Self::List(texts) => texts,
            Self::Text(text) => vec![text],
            Self::Confidence(_)
            | Self::Number(_)
            | Self::Range(_)
            | Self::Groups(_)
            | Self::Choice(_)
            | Self::Marks(_)
            | Self::Citations(_)
            | Self::Requests(_) => Vec::new(),
        }
    }
}

/// The code of a repair that took a side from running text: it may be a guess.
pub const GUESSED: &str = "choice-in-prose";
/// The code of a repair that found a side written as it was asked for, outside of the form.
pub const TOKEN: &str = "choice-among-text";
/// The code of a repair that says which side the prose takes where none is written. That side is not counted.
pub const INFERRED: &str = "choice-inferred";

/// The members of an object, in order.
type Members = Vec<(String, Value)>;

impl Form {
    /// Reads an answer to this form, for a question with these options.
    pub fn read(&self, answer: &str, options: &[String]) -> ReadAnswer {
        self.read_keeping(None, answer, options).0
    }

    /// The same, and the text of one field as it was written where the whole answer is JSON.
    fn read_keeping(
        &self,
        kept: Option<&str>,
        answer: &str,
        options: &[String],
    ) -> (ReadAnswer, Option<String>) {
        let answer = answer.trim_start_matches('\u{feff}').trim();
        let (answer, thought) = without_thinking(answer);
        let repairs: Vec<Repair> =
            thought.then(|| Repair::new("thinking", "thinking aloud was left out")).into_iter().collect();
        if let Ok(Pairs(pairs)) = serde_json::from_str(answer)
            && self.knows(&pairs)
        {
            let named = |key: &str| pairs.iter().find(|(named, _)| same_key(named, key));
            let written = kept.filter(|_| !thought).and_then(named).and_then(|(_, value)| value.as_str());
            let written = written.map(String::from);
            return (self.take(pairs, How::Json, repairs, options), written);
        }
        (self.read_inside(answer, repairs, options), None)
    }

    /// Reads an answer that is not all JSON.
    fn read_inside(&self, answer: &str, mut repairs: Vec<Repair>, options: &[String]) -> ReadAnswer {
        if let Some((pairs, around)) = self.strict_inside(answer) {
            repairs.push(Repair::new("fenced", "the JSON stood inside other text"));
            return around.heard(self.take(pairs, How::Fenced, repairs, options), options);
        }
        if let Some((pairs, overlooked, around)) = self.mended_inside(answer) {
            repairs.extend(overlooked.into_iter().map(|code| Repair::new(code, "overlooked in the JSON")));
            if !answer.starts_with('{') {
                repairs.push(Repair::new("fenced", "the JSON stood inside other text"));
            }
            return around.heard(self.take(pairs, How::Repaired, repairs, options), options);
        }
        let sections = self.sections(answer);
        if !sections.is_empty() {
            repairs.push(Repair::new("sections", "no JSON; the headed sections were read"));
            let around = Around::apart(self.preamble(answer));
            return around.heard(self.take(sections, How::Sections, repairs, options), options);
        }
        self.plain(answer, repairs, options)
    }

    /// The same where sides are read by the one reader of stances and votes: what the form did not find is looked for as it
    /// was asked for, and two sides are none. Questions with options are read by the form alone.
    pub fn read_with_stances(&self, answer: &str, options: &[String]) -> ReadAnswer {
        let side = self.fields.iter().find(|field| matches!(field.kind, ValueKind::Choice(_)));
        let Some(field) = side.filter(|_| options.is_empty()) else { return self.read(answer, options) };
        let (mut read, written) = self.read_keeping(Some(&field.key), answer, options);
        let before = match read.fields.get(&field.key) {
            Some(FieldValue::Choice(side)) => Some(*side),
            Some(_) | None => None,
        };
        // Strict JSON with a side says what it says, unless words behind the side undo it; what the form has found to contradict
        // itself stays so.
        let settled = before.is_some() && read.how == How::Json;
        if settled && written.is_some_and(|said| stance::is_undone(&said)) {
            read.repairs.retain(|repair| repair.code != GUESSED);
            let detail = format!("what stands behind `{}` undoes it: taken as unknown", field.key);
            read.repairs.push(Repair::new("contradiction", detail));
            read.fields.remove(&field.key);
            return read;
        }
        if settled || read.repairs.iter().any(|repair| repair.code == "contradiction") {
            return read;
        }
        match stance::settle(&field.key, answer, before, &mut read) {
            Some(side) => drop(read.fields.insert(field.key.clone(), FieldValue::Choice(side))),
            None => drop(read.fields.remove(&field.key)),
        }
        read
    }

    fn knows(&self, pairs: &[(String, Value)]) -> bool {
        pairs.iter().any(|(key, _)| self.find(key).is_some())
    }

    /// The members of every strict object among other text that has one of our keys, in order. Where they
    /// contradict each other is for `take` to see.
    fn strict_inside(&self, answer: &str) -> Option<(Members, Around)> {
        let (mut found, mut around) = (Vec::new(), Around::default());
        let mut from = 0;
        for at in starts(answer) {
            if at < from {
                continue; // inside an object that was read already
            }
            let mut stream = serde_json::Deserializer::from_str(&answer[at..]).into_iter::<Pairs>();
            if let Some(Ok(Pairs(pairs))) = stream.next()
                && self.knows(&pairs)
            {
                around.before(&answer[from..at]);
                from = at + stream.byte_offset();
                found.extend(pairs);
            }
        }
        around.after(&answer[from..]);
        (!found.is_empty()).then_some((found, around))
    }

    /// The first object that can be mended and has one of our keys.
    fn mended_inside(&self, answer: &str) -> Option<(Members, BTreeSet<&'static str>, Around)> {
        starts(answer).into_iter().find_map(|at| {
            let (map, overlooked) = mend::object(&answer[at..])?;
            let pairs: Vec<_> = map.into_iter().collect();
            let mut around = Around::default();
            around.before(&answer[..at]);
            around.after(answer[at..].rsplit_once('}').map_or("", |(_, after)| after));
            self.knows(&pairs).then_some((pairs, overlooked, around))
        })
    }

    /// Sections headed by a key: `[POSITION]`, `## Position`, `Position: …`.
    fn sections(&self, answer: &str) -> Vec<(String, Value)> {
        let mut found: Vec<(&Field, String)> = Vec::new();
        let mut said = 0;
        for line in answer.split_inclusive('\n') {
            let before = &answer[..said];
            said += line.len();
            let line = line.trim_end_matches(['\n', '\r']);
            // A choice that somebody else is said to have made is not this seat's.
            let foreign = |field: &Field| {
                is_exact(&field.kind) && before.trim_end().ends_with(':') && around::attributes(before)
            };
            match self.heading(line).filter(|(field, _)| !foreign(field)) {
                // Two headings of one choice are two choices, and of other texts more of the same.
                Some((field, rest))
                    if is_exact(&field.kind) || found.iter().all(|(known, _)| known.key != field.key) =>
                {
                    found.push((field, rest.to_string()));
                }
                Some(_) | None => {
                    if let Some((_, body)) = found.last_mut() {
                        body.push('\n');
                        body.push_str(line);
                    }
                }
            }
        }
        let filled = found.into_iter().filter(|(_, body)| !body.trim().is_empty());
        filled.map(|(field, body)| (field.key.clone(), Value::String(body.trim().to_string()))).collect()
    }

    /// What stands before the first heading.
    fn preamble<'t>(&self, answer: &'t str) -> &'t str {
        let lines = answer.split_inclusive('\n');
        let length = lines.take_while(|line| self.heading(line).is_none()).map(str::len).sum();
        &answer[..length]
    }

    fn heading<'t>(&self, line: &'t str) -> Option<(&Field, &'t str)> {
        let line = line.trim();
        if line.starts_with('>') {
            return None; // somebody else's
        }
        let bare = line.trim_start_matches(['#', '*', '[', '-', ' ', '_']);
        let (name, rest) = match bare.find([':', ']']) {
            Some(at) if at <= 40 => {
                (&bare[..at], bare[at + 1..].trim_start_matches([':', ']', '*', ' ', '_']))
            }
            Some(_) | None if line.starts_with(['#', '[', '*']) && bare.len() <= 40 => (bare, ""),
            Some(_) | None => return None,
        };
        Some((self.find(name)?, rest))
    }

    /// Plain text: its words are the reasoning; a vote counts only where it is said outright.
    fn plain(&self, answer: &str, mut repairs: Vec<Repair>, options: &[String]) -> ReadAnswer {
        let mut fields = BTreeMap::new();
        repairs.push(Repair::new("text", "neither JSON nor sections; only the words are known"));
        for field in &self.fields {
            if let ValueKind::Choice(_) = field.kind
                && let Some(found) = prose::stated(&prose::unquoted(answer), options)
            {
                let found = found.choice;
                repairs
                    .push(Repair::new(GUESSED, format!("`{}` was found in the text as {found}", field.key)));
                fields.insert(field.key.clone(), FieldValue::Choice(found));
            }
            if let Some(given) = kinds::only_number(field, answer) {
                let detail = format!("`{}` was the whole answer", field.key);
                repairs.push(Repair::new("number-in-prose", detail));
                fields.insert(field.key.clone(), given);
            }
            // Marks count only where the whole answer is nothing else.
            if let Some(given) = marks(field, Value::String(answer.to_string()), options) {
                let detail = format!("`{}` was the whole answer", field.key);
                repairs.push(Repair::new(GUESSED, detail));
                fields.insert(field.key.clone(), given);
            }
        }
        let words = ["reasoning", "reason"].into_iter().find_map(|key| self.find(key));
        if let Some(field) = words.filter(|_| !answer.is_empty()) {
            fields.insert(field.key.clone(), FieldValue::Text(answer.to_string()));
        }
        ReadAnswer { fields, how: How::Text, repairs }
    }

    /// Takes each field from the members found, whatever their keys' spelling. Of several values the last
    /// counts; of several choices that contradict each other none does.
    fn take(
        &self,
        pairs: Vec<(String, Value)>,
        how: How,
        mut repairs: Vec<Repair>,
        options: &[String],
    ) -> ReadAnswer {
        let mut fields: BTreeMap<String, FieldValue> = BTreeMap::new();
        let (mut torn, mut unread): (BTreeSet<String>, BTreeSet<String>) = Default::default();
        for (key, value) in pairs {
            let Some(field) = self.find(&key) else { continue };
            let said = !value.is_null();
            let Some(given) = given(field, value, options, &mut repairs) else {
                // Beside a choice that cannot be read none can be relied on.
                if said && matches!(field.kind, ValueKind::Choice(_)) {
                    unread.insert(field.key.clone());
                }
                continue;
            };
            match fields.get(&field.key) {
                Some(
                    earlier @ (FieldValue::Choice(_)
                    | FieldValue::Marks(_)
                    | FieldValue::Number(_)
                    | FieldValue::Groups(_)),
                ) if *earlier != given => {
                    torn.insert(field.key.clone());
                }
                Some(_) | None => drop(fields.insert(field.key.clone(), given)),
            }
        }
        for key in torn {
            repairs.push(Repair::new(
                "contradiction",
                format!("`{key}` was given more than once and not alike: taken as unknown"),
            ));
            fields.remove(&key);
        }
        fields.retain(|key, _| !unread.contains(key));
        ReadAnswer { fields, how, repairs }
    }
}

/// Whether more of a value is not more of the same.
fn is_exact(kind: &ValueKind) -> bool {
    match kind {
        ValueKind::Choice(_)
        | ValueKind::Number(_)
        | ValueKind::Ranking(_)
        | ValueKind::Approval(_)
        | ValueKind::Scores(_) => true,
        ValueKind::Text
        | ValueKind::List
        | ValueKind::Confidence
        | ValueKind::Groups(_)
        | ValueKind::Citations
        | ValueKind::Requests { .. } => false,
    }
}

/// An answer without what was thought aloud before it.
pub(crate) fn without_thinking(answer: &str) -> (&str, bool) {
    const END: &str = "</think>";
    // Most answers hold no `<` at all, and looking for one sign is much cheaper than looking for a word.
    let ends = answer.rmatch_indices('<').map(|(at, _)| &answer[at..]).find(|rest| rest.starts_with(END));
    match ends {
        Some(rest) => (rest[END.len()..].trim(), true),
        None => (answer, false),
    }
}

/// The members of an object as they stand, doubled ones included.
struct Pairs(Vec<(String, Value)>);

impl<'de> Deserialize<'de> for Pairs {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        struct Taker;
        impl<'de> Visitor<'de> for Taker {
            type Value = Pairs;
            fn expecting(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                f.write_str("an object")
            }
            fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Pairs, A::Error> {
                let mut pairs = Vec::new();
                while let Some(pair) = map.next_entry()? {
                    pairs.push(pair);
                }
                Ok(Pairs(pairs))
            }
        }
        from.deserialize_map(Taker)
    }
}

/// How many places are tried from the front and from the back.
const TRIED: usize = 16;

/// Where an object may begin: the first places and the last. Prose full of braces must not cost quadratic
/// time, and an answer may stand after a long sample of code.
fn starts(answer: &str) -> Vec<usize> {
    let mut places: Vec<usize> = answer.match_indices('{').map(|(at, _)| at).take(TRIED).collect();
    let last: Vec<usize> = answer.rmatch_indices('{').map(|(at, _)| at).take(TRIED).collect();
    places.extend(
        last.into_iter().rev().filter(|at| places.last().is_none_or(|known| known < at)).collect::<Vec<_>>(),
    );
    places
}

/// Whether two keys are the same but for spelling; used by charters to keep sections apart.
pub fn same_key(a: &str, b: &str) -> bool {
    is_same_key(a, b)
}
