//! Reading an answer: strict JSON, then JSON among other text, then mended JSON, then headed sections,
//! then plain text. Every step down and every repair is said; what cannot be read is unknown.

use std::collections::BTreeMap;

use serde_json::{Map, Value};

use super::form::{choice, plain_key};
use super::{Field, Form, Kind, mend};
use crate::kernel::{Choice, How, Permille, Repair, text};

/// An answer as far as it could be read.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Read {
    /// What was given, by the field's key.
    pub fields: BTreeMap<String, Given>,
    /// How it was read.
    pub how: How,
    /// What had to be mended.
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
}

impl Form {
    /// Reads an answer to this form, for a question with these options.
    pub fn read(&self, answer: &str, options: &[String]) -> Read {
        let answer = answer.trim_start_matches('\u{feff}').trim();
        if let Ok(Value::Object(map)) = serde_json::from_str(answer)
            && self.knows(&map)
        {
            return self.take(map, How::Json, Vec::new(), options);
        }
        if let Some(map) = self.strict_inside(answer) {
            let repair = Repair::new("fenced", "the JSON stood inside other text");
            return self.take(map, How::Fenced, vec![repair], options);
        }
        if let Some((map, overlooked)) = self.mended_inside(answer) {
            let mut repairs: Vec<_> =
                overlooked.into_iter().map(|code| Repair::new(code, "overlooked in the JSON")).collect();
            if !answer.starts_with('{') {
                repairs.push(Repair::new("fenced", "the JSON stood inside other text"));
            }
            return self.take(map, How::Repaired, repairs, options);
        }
        let sections = self.sections(answer);
        if !sections.is_empty() {
            let repair = Repair::new("sections", "no JSON; the headed sections were read");
            return self.take(sections, How::Sections, vec![repair], options);
        }
        self.plain(answer, options)
    }

    fn knows(&self, map: &Map<String, Value>) -> bool {
        map.keys().any(|key| self.find(key).is_some())
    }

    /// The first strict object among other text that has one of our keys.
    fn strict_inside(&self, answer: &str) -> Option<Map<String, Value>> {
        starts(answer).find_map(|at| {
            let mut stream = serde_json::Deserializer::from_str(&answer[at..]).into_iter::<Value>();
            match stream.next() {
                Some(Ok(Value::Object(map))) if self.knows(&map) => Some(map),
                _ => None,
            }
        })
    }

    /// The first object that can be mended and has one of our keys.
    fn mended_inside(
        &self,
        answer: &str,
    ) -> Option<(Map<String, Value>, std::collections::BTreeSet<&'static str>)> {
        starts(answer).find_map(|at| mend::object(&answer[at..]).filter(|(map, _)| self.knows(map)))
    }

    /// Sections headed by a key: `[POSITION]`, `## Position`, `Position: …`.
    fn sections(&self, answer: &str) -> Map<String, Value> {
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
    fn plain(&self, answer: &str, options: &[String]) -> Read {
        let mut fields = BTreeMap::new();
        let mut repairs = vec![Repair::new("text", "neither JSON nor sections; only the words are known")];
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
        }
        let words = ["reasoning", "reason"].into_iter().find_map(|key| self.find(key));
        if let Some(field) = words.filter(|_| !answer.is_empty()) {
            fields.insert(field.key.clone(), Given::Text(answer.to_string()));
        }
        Read { fields, how: How::Text, repairs }
    }

    /// Takes each field from an object, whatever its keys' spelling.
    fn take(&self, map: Map<String, Value>, how: How, mut repairs: Vec<Repair>, options: &[String]) -> Read {
        let mut fields = BTreeMap::new();
        for (key, value) in map {
            if let Some(field) = self.find(&key)
                && let Some(given) = given(field, value, options, &mut repairs)
            {
                fields.entry(field.key.clone()).or_insert(given);
            }
        }
        Read { fields, how, repairs }
    }
}

/// Where an object may begin. Only so many are tried: prose full of braces must not cost quadratic time.
fn starts(answer: &str) -> impl Iterator<Item = usize> {
    answer.match_indices('{').map(|(at, _)| at).take(16)
}

fn given(field: &Field, value: Value, options: &[String], repairs: &mut Vec<Repair>) -> Option<Given> {
    match &field.kind {
        Kind::Text => words(value).map(Given::Text),
        Kind::List => match value {
            Value::Array(items) => Some(Given::List(items.into_iter().filter_map(words).collect())),
            other => words(other).map(|text| Given::List(listed(&text))),
        },
        Kind::Confidence => confidence(field, &value, repairs).map(Given::Confidence),
        Kind::Choice(_) => {
            let said = words(value)?;
            let found = choice(&said, options).or_else(|| outright(&said, options));
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

/// Words that may stand between "vote" and what is voted.
const FILLING: [&str; 11] =
    ["is", "my", "to", "for", "be", "would", "will", "the", "option", "choice", "against"];
/// Words that turn a sentence into its opposite.
const NEGATION: [&str; 7] = ["not", "never", "cannot", "don't", "won't", "can't", "wouldn't"];

/// A choice said outright in prose: the whole text, or after "vote", "stance" or "choice" with nothing but
/// filling between and no negation before. Two that contradict are none.
fn outright(said: &str, options: &[String]) -> Option<Choice> {
    let bare: String = said.chars().filter(|c| !matches!(c, '*' | '_' | '`' | '"' | '#')).collect();
    if let Some(found) = choice(&bare, options) {
        return Some(found);
    }
    let words: Vec<&str> = text::words(&bare).collect();
    let is = |word: &str, set: &[&str]| set.contains(&word.to_lowercase().as_str());
    let mut found = None;
    for (i, word) in words.iter().enumerate() {
        let negated = words[i.saturating_sub(3)..i].iter().any(|word| is(word, &NEGATION));
        if negated || !is(word, &["vote", "votes", "voting", "stance", "choice", "ballot"]) {
            continue;
        }
        let after = &words[i + 1..];
        let filling = after.iter().take_while(|word| is(word, &FILLING)).count();
        // The word after the filling, or else the filling's own last word: "stance: against".
        let spoken = after.get(filling).and_then(|word| in_prose(word, options));
        let last = || after.get(filling.checked_sub(1)?).and_then(|word| in_prose(word, options));
        let Some(now) = spoken.or_else(last) else { continue };
        if found.is_some_and(|earlier| earlier != now) {
            return None;
        }
        found = Some(now);
    }
    found
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
