//! Reading an answer: strict JSON, then JSON among other text, then mended JSON, then headed sections,
//! then plain text. Every step down and every repair is said; what cannot be read is unknown.

use std::collections::{BTreeMap, BTreeSet};

use serde::de::{Deserialize, Deserializer, MapAccess, Visitor};
use serde_json::Value;

use super::form::{Stands, approval, choice, plain_key, ranking, scored};
use super::{Field, Form, Kind, kinds, mend};
use crate::kernel::{Choice, Citation, How, Marks, Number, Permille, Range, Repair, Request, text};

/// An answer as far as it could be read.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Read {
    /// What was given, by the field's key.
    pub fields: BTreeMap<String, Given>,
    /// How it was read.
    pub how: How,
    /// What had to be repaired.
    pub repairs: Vec<Repair>,
}

/// A value of a field.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Given {
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
    Requests(Vec<Request>),
}

/// A field that holds another kind of value than the one wanted has nothing to give.
impl Given {
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

/// The members of an object, in order.
type Members = Vec<(String, Value)>;

impl Form {
    /// Reads an answer to this form, for a question with these options.
    pub fn read(&self, answer: &str, options: &[String]) -> Read {
        let answer = answer.trim_start_matches('\u{feff}').trim();
        let (answer, thought) = without_thinking(answer);
        let mut repairs: Vec<Repair> =
            thought.then(|| Repair::new("thinking", "thinking aloud was left out")).into_iter().collect();
        if let Ok(Pairs(pairs)) = serde_json::from_str(answer)
            && self.knows(&pairs)
        {
            return self.take(pairs, How::Json, repairs, options);
        }
        if let Some(pairs) = self.strict_inside(answer) {
            repairs.push(Repair::new("fenced", "the JSON stood inside other text"));
            return self.take(pairs, How::Fenced, repairs, options);
        }
        if let Some((pairs, overlooked)) = self.mended_inside(answer) {
            repairs.extend(overlooked.into_iter().map(|code| Repair::new(code, "overlooked in the JSON")));
            if !answer.starts_with('{') {
                repairs.push(Repair::new("fenced", "the JSON stood inside other text"));
            }
            return self.take(pairs, How::Repaired, repairs, options);
        }
        let sections = self.sections(answer);
        if !sections.is_empty() {
            repairs.push(Repair::new("sections", "no JSON; the headed sections were read"));
            return self.take(sections, How::Sections, repairs, options);
        }
        self.plain(answer, repairs, options)
    }

    fn knows(&self, pairs: &[(String, Value)]) -> bool {
        pairs.iter().any(|(key, _)| self.find(key).is_some())
    }

    /// The members of every strict object among other text that has one of our keys, in order. Where they
    /// contradict each other is for `take` to see.
    fn strict_inside(&self, answer: &str) -> Option<Members> {
        let mut found = Vec::new();
        let mut from = 0;
        for at in starts(answer) {
            if at < from {
                continue; // inside an object that was read already
            }
            let mut stream = serde_json::Deserializer::from_str(&answer[at..]).into_iter::<Pairs>();
            if let Some(Ok(Pairs(pairs))) = stream.next()
                && self.knows(&pairs)
            {
                from = at + stream.byte_offset();
                found.extend(pairs);
            }
        }
        (!found.is_empty()).then_some(found)
    }

    /// The first object that can be mended and has one of our keys.
    fn mended_inside(&self, answer: &str) -> Option<(Members, BTreeSet<&'static str>)> {
        starts(answer).into_iter().find_map(|at| {
            let (map, overlooked) = mend::object(&answer[at..])?;
            let pairs: Vec<_> = map.into_iter().collect();
            self.knows(&pairs).then_some((pairs, overlooked))
        })
    }

    /// Sections headed by a key: `[POSITION]`, `## Position`, `Position: …`.
    fn sections(&self, answer: &str) -> Vec<(String, Value)> {
        let mut found: Vec<(&Field, String)> = Vec::new();
        for line in answer.lines() {
            match self.heading(line) {
                Some((field, rest)) if found.iter().all(|(known, _)| known.key != field.key) => {
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

    fn heading<'t>(&self, line: &'t str) -> Option<(&Field, &'t str)> {
        let line = line.trim();
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
    fn plain(&self, answer: &str, mut repairs: Vec<Repair>, options: &[String]) -> Read {
        let mut fields = BTreeMap::new();
        repairs.push(Repair::new("text", "neither JSON nor sections; only the words are known"));
        for field in &self.fields {
            if let Kind::Choice(_) = field.kind
                && let Some(found) = outright(answer, options)
            {
                repairs.push(Repair::new(
                    "choice-in-prose",
                    format!("`{}` was found in the text as {found}", field.key),
                ));
                fields.insert(field.key.clone(), Given::Choice(found));
            }
            if let Some(given) = kinds::only_number(field, answer) {
                let detail = format!("`{}` was the whole answer", field.key);
                repairs.push(Repair::new("number-in-prose", detail));
                fields.insert(field.key.clone(), given);
            }
            // Marks count only where the whole answer is nothing else.
            if let Some(given) = marks(field, Value::String(answer.to_string()), options) {
                let detail = format!("`{}` was the whole answer", field.key);
                repairs.push(Repair::new("choice-in-prose", detail));
                fields.insert(field.key.clone(), given);
            }
        }
        let words = ["reasoning", "reason"].into_iter().find_map(|key| self.find(key));
        if let Some(field) = words.filter(|_| !answer.is_empty()) {
            fields.insert(field.key.clone(), Given::Text(answer.to_string()));
        }
        Read { fields, how: How::Text, repairs }
    }

    /// Takes each field from the members found, whatever their keys' spelling. Of several values the last
    /// counts; of several choices that contradict each other none does.
    fn take(
        &self,
        pairs: Vec<(String, Value)>,
        how: How,
        mut repairs: Vec<Repair>,
        options: &[String],
    ) -> Read {
        let mut fields: BTreeMap<String, Given> = BTreeMap::new();
        let mut torn: BTreeSet<String> = BTreeSet::new();
        for (key, value) in pairs {
            let Some(field) = self.find(&key) else { continue };
            let Some(given) = given(field, value, options, &mut repairs) else { continue };
            match fields.get(&field.key) {
                Some(
                    earlier @ (Given::Choice(_) | Given::Marks(_) | Given::Number(_) | Given::Groups(_)),
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
        Read { fields, how, repairs }
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

pub(super) fn given(
    field: &Field,
    value: Value,
    options: &[String],
    repairs: &mut Vec<Repair>,
) -> Option<Given> {
    // Null is how strict modes of providers leave something out.
    if value.is_null() {
        return None;
    }
    match &field.kind {
        Kind::Text if field.optional => words(value).filter(|said| !is_nothing(said)).map(Given::Text),
        Kind::Text => words(value).map(Given::Text),
        Kind::List => match value {
            Value::Array(items) => Some(Given::List(items.into_iter().filter_map(words).collect())),
            other => words(other).map(|text| Given::List(listed(&text))),
        },
        Kind::Citations => Some(Given::Citations(each(field, CITATIONS_MOST, value, citation, repairs))),
        Kind::Requests { files } => {
            let request = |value| request(value, *files);
            Some(Given::Requests(each(field, REQUESTS_MOST, value, request, repairs)))
        }
        Kind::Confidence => confidence(field, &value, repairs).map(Given::Confidence),
        Kind::Number(unit) => kinds::number(field, &value, unit, repairs),
        Kind::Groups(letters) => kinds::groups(field, &value, letters.len(), repairs),
        Kind::Ranking(_) | Kind::Approval(_) | Kind::Scores(_) => {
            let said = words(value.clone()).unwrap_or_default();
            let found = marks(field, value, options);
            if found.is_none() {
                let said = text::excerpt(&text::one_line(&said), 60).into_owned();
                repairs.push(Repair::new("marks-unknown", format!("`{}` is no ballot: {said}", field.key)));
            }
            found
        }
        Kind::Choice(_) => {
            let said = words(value)?;
            let found = choice(&said, options)
                .or_else(|| leading(&said, options))
                .or_else(|| outright(&said, options));
            if found.is_none() {
                let detail = format!(
                    "`{}` holds no known choice: {}",
                    field.key,
                    text::excerpt(&text::one_line(&said), 60)
                );
                repairs.push(Repair::new("choice-unknown", detail));
            }
            found.map(Given::Choice)
        }
    }
}

/// What stands on a marked ballot. Anything that is not wholly understood is no ballot.
fn marks(field: &Field, value: Value, options: &[String]) -> Option<Given> {
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
        Kind::Ranking(_) => ranking(&items(&['>', '\n'])?, options),
        Kind::Approval(_) => approval(&items(&[',', '\n'])?, options),
        Kind::Scores(_) => match &value {
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
        Kind::Text
        | Kind::List
        | Kind::Confidence
        | Kind::Choice(_)
        | Kind::Number(_)
        | Kind::Groups(_)
        | Kind::Citations
        | Kind::Requests { .. } => None,
    };
    Some(match stands? {
        Stands::Word(choice) => Given::Choice(choice),
        Stands::Marks(marks) => Given::Marks(marks),
    })
}

/// Text of a value: strings as they are, numbers and truth values as written, nested values as JSON.
fn words(value: Value) -> Option<String> {
    match value {
        Value::Null => None,
        Value::String(text) => Some(text.trim().to_string()).filter(|text| !text.is_empty()),
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
fn request(value: Value, files: bool) -> Option<Request> {
    match value {
        Value::Object(mut map) => {
            let mut take = |key: &str| map.remove(key).and_then(words).unwrap_or_default();
            let (query, reason, priority) = (take("query"), take("reason"), take("priority"));
            let file = Some(take("file")).filter(|file| files && !file.is_empty() && !is_nothing(file));
            // A request that names a file needs no query: the file is what is wanted.
            let query = if query.is_empty() { file.clone().unwrap_or_default() } else { query };
            let empty = query.is_empty() && reason.is_empty();
            (!empty).then_some(Request { file, priority, query, reason })
        }
        other => {
            let query = words(other)?;
            let request =
                |query| Request { file: None, priority: String::new(), query, reason: String::new() };
            (!is_nothing(&query)).then(|| request(query))
        }
    }
}

/// Whether a text says that there is nothing to say.
fn is_nothing(said: &str) -> bool {
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

fn confidence(field: &Field, value: &Value, repairs: &mut Vec<Repair>) -> Option<Permille> {
    let written = match value {
        Value::Number(number) => number.to_string(),
        Value::String(text) => text.trim().to_string(),
        Value::Null | Value::Bool(_) | Value::Array(_) | Value::Object(_) => String::new(),
    };
    let mut mended = |code: &str, made: &str| {
        repairs.push(Repair::new(
            code,
            format!("`{}` was `{}`: {made}", field.key, text::excerpt(&written, 20)),
        ));
    };
    let (number, percent) = match written.strip_suffix('%') {
        Some(number) => (number.trim(), true),
        None => (written.as_str(), false),
    };
    let Some(thousandths) = thousandths(number) else {
        mended("confidence-unreadable", "taken as unknown");
        return None;
    };
    let permille = |value: i64| Permille::new(value.clamp(0, 1000) as u16);
    match thousandths {
        value if percent && (0..=100_000).contains(&value) => {
            mended("confidence-percent", "taken as per cent");
            permille((value + 50) / 100)
        }
        0..=1000 if !percent => permille(thousandths),
        value if value < 0 && !percent => {
            mended("confidence-clamped", "taken as 0");
            permille(0)
        }
        1001..=2000 if !percent => {
            mended("confidence-clamped", "taken as 1");
            permille(1000)
        }
        10_000..=100_000 if !percent => {
            mended("confidence-percent", "taken as per cent");
            permille((thousandths + 50) / 100)
        }
        _ => {
            // 2 to 10 might be a mark out of ten or of five; nobody can tell.
            mended("confidence-unreadable", "taken as unknown");
            None
        }
    }
}

/// A decimal number in thousandths, rounded toward zero, read digit by digit. Exponents are no way to say
/// how sure one is, except tiny ones, which are nothing.
fn thousandths(written: &str) -> Option<i64> {
    let (sign, digits) = match written.strip_prefix('-') {
        Some(rest) => (-1, rest),
        None => (1, written.strip_prefix('+').unwrap_or(written)),
    };
    if let Some((mantissa, exponent)) = digits.split_once(['e', 'E']) {
        let tiny = exponent.starts_with('-')
            && thousandths(mantissa).is_some()
            && exponent[1..].parse::<u32>().ok()? > 3;
        return tiny.then_some(0);
    }
    let (whole, part) = digits.split_once('.').unwrap_or((digits, ""));
    if (whole.is_empty() && part.is_empty())
        || whole.len() > 9
        || !whole.bytes().chain(part.bytes()).all(|b| b.is_ascii_digit())
    {
        return None;
    }
    let whole: i64 = if whole.is_empty() { 0 } else { whole.parse().ok()? };
    let part: i64 = format!("{part:0<3}")[..3].parse().ok()?;
    Some(sign * (whole * 1000 + part))
}

/// What may stand before a choice at the beginning of a sentence that votes, apart from a lead-in.
const OUTRIGHT: [&[&str]; 14] = [
    &["i", "vote"],
    &["i", "vote", "for"],
    &["my", "vote"],
    &["my", "vote", "is"],
    &["my", "vote", "is", "for"],
    &["my", "final", "vote", "is"],
    &["final", "vote"],
    &["vote"],
    &["stance"],
    &["my", "stance", "is"],
    &["choice"],
    &["my", "choice", "is"],
    &["ballot"],
    &["my", "ballot"],
];
/// Lead-ins that change nothing.
const LEAD_INS: [&str; 8] = ["so", "thus", "hence", "therefore", "finally", "overall", "accordingly", "and"];

/// A choice that a value begins with, before punctuation or a line break: `NO, because …`.
fn leading(said: &str, options: &[String]) -> Option<Choice> {
    let said = said.trim().trim_start_matches(['*', '_', '`', '"', '#', ' ']);
    let end = said.find(|c: char| !c.is_alphanumeric())?;
    let after = said[end..].trim_start_matches(['*', '_', '`', '"']);
    let ends = after.starts_with([',', '.', ';', ':', '!', '\n', ')'])
        || after.starts_with(" -")
        || after.starts_with(" –");
    if ends { in_prose(&said[..end], options) } else { None }
}

/// A choice said outright in prose: the whole text, or a sentence that says "I vote …" and nothing else
/// before the choice. Any other mention of another choice after "vote" makes it none: when in doubt the
/// seat is asked again.
fn outright(said: &str, options: &[String]) -> Option<Choice> {
    let bare: String = said.chars().filter(|c| !matches!(c, '*' | '_' | '`' | '"' | '#')).collect();
    if let Some(found) = choice(&bare, options) {
        return Some(found);
    }
    let mut found: BTreeSet<Choice> = BTreeSet::new();
    let mut mentioned: BTreeSet<Choice> = BTreeSet::new();
    for sentence in bare.split(['.', '!', '?', ';', '\n']) {
        let words: Vec<&str> = text::words(sentence).collect();
        found.extend(voted(&words, options));
        let is_vote =
            |word: &&str| matches!(word.to_lowercase().as_str(), "vote" | "votes" | "voting" | "voted");
        if let Some(at) = words.iter().position(is_vote) {
            // "for" and "against" are words of every sentence.
            let telling = words[at + 1..]
                .iter()
                .filter(|word| !matches!(word.to_lowercase().as_str(), "for" | "against"));
            mentioned.extend(telling.filter_map(|word| in_prose(word, options)));
        }
    }
    let other = |found: &Choice| mentioned.iter().any(|other| other != found);
    match (found.len(), found.first()) {
        (1, Some(choice)) if !other(choice) => Some(*choice),
        _ => None,
    }
}

/// The choice of a sentence that votes: one of the beginnings, then the choice.
fn voted(words: &[&str], options: &[String]) -> Option<Choice> {
    let lower: Vec<String> = words.iter().map(|word| word.to_lowercase()).collect();
    let lead = lower.iter().take_while(|word| LEAD_INS.contains(&word.as_str())).count();
    let rest = &lower[lead..];
    let begins = |beginning: &&[&str]| {
        rest.len() > beginning.len() && rest.iter().zip(beginning.iter()).all(|(a, b)| a == b)
    };
    // The longest beginning leaves the choice next; "vote for" alone is a vote FOR.
    let mut beginnings: Vec<&[&str]> = OUTRIGHT.into_iter().filter(|beginning| begins(beginning)).collect();
    beginnings.sort_by_key(|beginning| std::cmp::Reverse(beginning.len()));
    beginnings.into_iter().find_map(|beginning| {
        let mut at = lead + beginning.len();
        if words.get(at).is_some_and(|word| word.eq_ignore_ascii_case("option")) {
            at += 1;
        }
        let said = in_prose(words.get(at)?, options)?;
        // "I vote against YES" is no vote for YES, and none against it that could be relied on.
        let against =
            lower[at] == "against" && words[at + 1..].iter().any(|word| in_prose(word, options).is_some());
        (!against).then_some(said)
    })
}

/// A choice among prose. A letter must be a capital: the article "a" is no vote for option A.
fn in_prose(word: &str, options: &[String]) -> Option<Choice> {
    let article = word.chars().count() == 1 && word.chars().any(char::is_lowercase);
    if article { None } else { choice(word, options) }
}

/// Whether two keys are the same but for spelling; used by charters to keep sections apart.
pub fn same_key(a: &str, b: &str) -> bool {
    plain_key(a) == plain_key(b)
}
