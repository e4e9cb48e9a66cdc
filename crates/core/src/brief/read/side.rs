//! The side a field's value takes. A value is a choice and nothing else, or a choice with its reason, or it is unknown:
//! what takes a choice back, limits it or names another one beside it makes it none.

use serde_json::Value;

use super::super::form::choice;
use super::lexicon::{OBJECTS, REASONS, doubts, is_of_votes, strikes, translated, turns_back};
use super::prose;
use crate::brief::GUESSED;
use crate::kernel::{Choice, Repair, text};

/// A side as it was found.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct ReadSide {
    /// The side.
    pub choice: Choice,
    /// Whether it was taken out of text that says more.
    pub prose: bool,
    /// Whether it was said in other words than the form's.
    pub translated: bool,
}

/// The side of a field's value, with what had to be done to find it.
pub(super) fn of_value(
    key: &str,
    value: &Value,
    options: &[String],
    repairs: &mut Vec<Repair>,
) -> Option<Choice> {
    let (side, nested) = found(value, options)?;
    if nested {
        repairs.push(Repair::new(
            "nested-choice",
            format!("`{key}` held its one choice in a list or an object"),
        ));
    }
    if side.translated {
        let detail = format!("`{key}` was said in another word for {}", side.choice.word(options.len()));
        repairs.push(Repair::new("translated-choice", detail));
    }
    if side.prose {
        let detail = format!("`{key}` was found in the text as {}", side.choice);
        repairs.push(Repair::new(GUESSED, detail));
    }
    Some(side.choice)
}

fn found(value: &Value, options: &[String]) -> Option<(ReadSide, bool)> {
    match value {
        Value::String(said) => of_text(said, options).map(|side| (side, false)),
        Value::Bool(said) => of_text(&said.to_string(), options).map(|side| (side, false)),
        Value::Array(items) => {
            let mut sides = items.iter().filter(|item| !is_empty(item)).map(|item| found(item, options));
            let (first, _) = sides.next()??;
            // A list of both sides takes none of them.
            sides
                .all(|side| side.is_some_and(|(side, _)| side.choice == first.choice))
                .then_some((first, true))
        }
        Value::Object(members) => {
            let holds = |key: &str| {
                matches!(text::fold(key).as_str(), "choice" | "vote" | "stance" | "side" | "value" | "answer")
            };
            let beside = |key: &str| {
                matches!(text::fold(key).as_str(), "reason" | "reasoning" | "confidence" | "why" | "text")
            };
            let mut held = members.iter().filter(|(key, _)| holds(key));
            let (Some((_, only)), None) = (held.next(), held.next()) else { return None };
            let known = members.keys().all(|key| holds(key) || beside(key));
            found(only, options).filter(|_| known).map(|(side, _)| (side, true))
        }
        Value::Null | Value::Number(_) => None,
    }
}

fn is_empty(value: &Value) -> bool {
    value.is_null() || value.as_str().is_some_and(|said| said.trim().is_empty())
}

/// A choice with more text after it than this is an essay that begins with a word.
const TAIL_MOST: usize = 8_000;
/// How much longer than the longest option a text may be that is nothing but a choice.
const MARKS_MOST: usize = 60;

/// The side of a text that stands where a choice was asked for.
pub(super) fn of_text(said: &str, options: &[String]) -> Option<ReadSide> {
    let own = prose::unquoted(said);
    whole(&own, options).or_else(|| headed(&own, options)).or_else(|| prose::stated(&own, options))
}

/// A choice that is the whole text.
pub(super) fn whole(said: &str, options: &[String]) -> Option<ReadSide> {
    let longest = options.iter().map(String::len).max().unwrap_or_default();
    if said.trim().len() > longest + MARKS_MOST || strikes(said.trim()) || said.contains(is_picture) {
        return None;
    }
    let bare = said.trim().trim_matches(|c: char| !c.is_alphanumeric());
    let folded = text::fold(said.trim());
    let named =
        options.iter().any(|option| text::fold(option) == folded || text::fold(option) == text::fold(bare));
    // "A: but rather B" is more than a letter.
    if !named && (said.contains('?') || bare.contains([')', '.', ':', ','])) {
        return None;
    }
    let clear = |choice| ReadSide { choice, prose: false, translated: false };
    let other = |choice| ReadSide { choice, prose: false, translated: true };
    choice(bare, options)
        .or_else(|| choice(&folded, options))
        .map(clear)
        .or_else(|| translated(bare, options).map(other))
}

/// A choice that a text begins with, set apart from what follows: `NO, because …`, `A: Redis`.
pub(super) fn headed(said: &str, options: &[String]) -> Option<ReadSide> {
    let said = said.trim().trim_start_matches(['*', '_', '`', '"', '#', ' ', '(', '[', '“', '„', ':', '=']);
    let (side, rest) = head(said, options)?;
    let rest = rest.trim_start_matches(['*', '_', '`', '"', '”', '“']);
    let tail = apart(without_object(rest))?;
    let tail = match side.choice {
        Choice::Option(place) => without_name(tail, &options[usize::from(place)]),
        Choice::Yes | Choice::No | Choice::Neutral => tail,
    };
    if takes_back(tail, side.choice, options) {
        return None;
    }
    let silent = !tail.chars().any(char::is_alphanumeric);
    let prose = !silent && !first_word(tail).is_some_and(|word| is_reason(&word));
    Some(ReadSide { prose, ..side })
}

/// The choice at the very beginning, and what stands after it.
fn head<'t>(said: &'t str, options: &[String]) -> Option<(ReadSide, &'t str)> {
    let clear = |choice| ReadSide { choice, prose: false, translated: false };
    let ends = |rest: &str| !rest.starts_with(|c: char| c.is_alphanumeric() || matches!(c, '\'' | '’'));
    let names = options.iter().enumerate().filter_map(|(place, option)| {
        let rest = after(said, option).filter(|rest| ends(rest))?;
        Some((clear(Choice::Option(place as u8)), rest))
    });
    // Of two names that fit, the longer was said.
    if let Some(found) = names.min_by_key(|(_, rest)| rest.len()) {
        return Some(found);
    }
    if !options.is_empty() {
        let rest = ["none of the above", "none of these", "none of them"]
            .iter()
            .find_map(|words| after(said, words));
        if let Some(rest) = rest.filter(|rest| ends(rest)) {
            return Some((clear(Choice::No), rest));
        }
    }
    let (lettered, said) = match after(said, "option ") {
        Some(rest) if !options.is_empty() => (true, rest.trim_start()),
        Some(_) | None => (false, said),
    };
    let end = said.find(|c: char| !c.is_alphanumeric()).unwrap_or(said.len());
    let (word, rest) = said.split_at(end);
    let known = if lettered { choice(word, options) } else { in_prose(word, options) };
    let other = || translated(word, options).filter(|_| word.chars().count() > 1 && !lettered);
    let side = known
        .map(clear)
        .or_else(|| other().map(|choice| ReadSide { choice, prose: false, translated: true }))?;
    ends(rest).then_some((side, rest))
}

/// What follows a text at the beginning of another, whatever the case.
fn after<'t>(said: &'t str, beginning: &str) -> Option<&'t str> {
    let start = said.get(..beginning.len())?;
    (!beginning.is_empty() && text::fold(start) == text::fold(beginning)).then(|| &said[beginning.len()..])
}

/// Without what the vote is said to be on.
fn without_object(rest: &str) -> &str {
    let bare = rest.trim_start();
    let object = OBJECTS.iter().find_map(|object| {
        after(bare, object).filter(|rest| !rest.starts_with(|c: char| c.is_alphanumeric() || c == '\''))
    });
    // Only a blank may part the two: "yes, that …" begins another clause.
    object.filter(|_| rest.len() > bare.len()).unwrap_or(rest)
}

/// What stands after a choice that is set apart; none if the text goes on as one sentence.
fn apart(rest: &str) -> Option<&str> {
    let bare = rest.trim_start_matches(' ');
    let mut chars = bare.chars();
    let (first, next) = (chars.next(), chars.next());
    let glued = rest.len() == bare.len();
    let part = match first {
        None => return Some(""),
        Some('.' | ',') => !next.is_some_and(char::is_alphanumeric),
        Some(';' | ':' | '!' | '\n' | '\r' | ')' | ']' | '–' | '—' | '(' | '。' | '、' | '，' | '！') => {
            true
        }
        Some('-') => !glued,
        Some(_) => return first_word(bare).filter(|word| !glued && is_reason(word)).map(|_| bare),
    };
    part.then(|| bare[first.map_or(0, char::len_utf8)..].trim())
}

/// Without the option's own name: "A: Redis".
fn without_name<'t>(tail: &'t str, name: &str) -> &'t str {
    let bare = tail.trim_start_matches(|c: char| !c.is_alphanumeric());
    after(bare, name).filter(|rest| !rest.starts_with(char::is_alphanumeric)).unwrap_or(tail)
}

fn first_word(said: &str) -> Option<String> {
    text::words(said).next().map(text::fold)
}

fn is_reason(word: &str) -> bool {
    REASONS.contains(&word)
}

/// Whether what follows a choice takes it back, limits it, or names another. A reason may deny things and speak of the
/// other side; what comes after the reason may not.
pub(super) fn takes_back(tail: &str, side: Choice, options: &[String]) -> bool {
    if tail.len() > TAIL_MOST
        || tail.contains(['?', '？'])
        || strikes(tail.trim_start())
        || tail.contains(is_unspaced)
    {
        return true;
    }
    let other = |words: &[&str], clause: &str| names_other(clause, words, side, options);
    let mut reasoned = false;
    for clause in tail.split(['.', '!', ';', '\n']) {
        let words: Vec<&str> = text::words(clause).collect();
        let folded: Vec<String> = words.iter().map(|word| text::fold(word)).collect();
        if folded.iter().any(|word| turns_back(word)) {
            return true;
        }
        if folded.first().is_some_and(|word| is_reason(word)) {
            reasoned = true;
            let own = folded.iter().any(|word| matches!(word.as_str(), "my" | "mein" | "meine"));
            // "because I have to, my real vote is NO"; "because NO".
            let ends = words.last().is_some_and(|last| other(&[last], ""));
            if ends || (own && folded.iter().skip(1).any(|word| is_of_votes(word))) {
                return true;
            }
            continue;
        }
        let doubtful = folded.iter().any(|word| is_of_votes(word) || (!reasoned && doubts(word)));
        if doubtful || other(&words, clause) {
            return true;
        }
    }
    false
}

/// Signs that are neither letters nor the marks of writing. Some tick and some cross out.
fn is_picture(c: char) -> bool {
    matches!(c, '\u{2190}'..='\u{2bff}' | '\u{1f000}'..='\u{1faff}')
}

/// Letters of scripts that put no blanks between words, whose words cannot be looked up here.
fn is_unspaced(c: char) -> bool {
    matches!(c, '\u{3040}'..='\u{9fff}' | '\u{ac00}'..='\u{d7af}' | '\u{0e00}'..='\u{0e7f}')
}

/// Whether a clause names another choice than this one.
fn names_other(clause: &str, words: &[&str], side: Choice, options: &[String]) -> bool {
    // "for" is a word of every sentence.
    let telling = words.iter().filter(|word| !word.eq_ignore_ascii_case("for"));
    let mut said = telling.filter_map(|word| {
        let long = word.chars().count() > 1;
        in_prose(word, options).or_else(|| translated(word, options).filter(|_| long))
    });
    let folded = text::fold(clause);
    let named = |(place, option): (usize, &String)| {
        side != Choice::Option(place as u8) && !option.is_empty() && folded.contains(&text::fold(option))
    };
    said.any(|other| other != side) || options.iter().enumerate().any(named)
}

/// A choice among prose. A letter must be a capital: the article "a" is no vote for option A.
pub(super) fn in_prose(word: &str, options: &[String]) -> Option<Choice> {
    let article = word.chars().count() == 1 && word.chars().any(char::is_lowercase);
    if article { None } else { choice(word, options) }
}
