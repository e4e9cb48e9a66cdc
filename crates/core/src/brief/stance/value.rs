//! What stands where a side was asked for: a side, something that is no clear side, or other words.

use super::NoStance;
use super::clause::words;
use super::infer::said_otherwise;
use super::lexicon::{
    is_between, is_common, is_conditional, is_degree, is_denial, is_motion, is_reason, is_saying,
    is_undecided, token,
};
use crate::kernel::Choice;

/// What a text that stands in the place of a side comes to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::brief) enum Value {
    /// A side.
    Side(Choice),
    /// It says that no side was chosen.
    Undecided,
    /// It speaks of sides without taking one that can be counted.
    Unusable(NoStance),
    /// It is about something else.
    Other,
}

/// How far a text is looked at: what takes a side back stands close behind it.
const TAIL_MOST: usize = 240;

/// The side of a text that begins with one.
pub(in crate::brief) fn value(said: &str) -> Value {
    let said = head(said);
    if said.contains("~~") || said.contains("[ ]") {
        return Value::Unusable(NoStance::Unclear);
    }
    let all = words(said);
    let Some(at) = all.iter().position(|word| !is_degree(&word.word)).filter(|at| *at <= 2) else {
        return Value::Other;
    };
    let word = all[at].word.as_str();
    if word != "no" && (is_denial(word) || is_between(word)) {
        // `Not FOR` denies a side, `not what we need` says something else.
        let denied = all[at + 1..].iter().take(2).any(|next| token(&next.word).is_some());
        return if denied { Value::Unusable(NoStance::Unclear) } else { Value::Other };
    }
    if is_undecided(word) {
        return Value::Undecided;
    }
    let next = all.get(at + 1).map(|next| next.word.as_str());
    let favours = word == "in" && matches!(next, Some("favor" | "favour" | "support"));
    let (last, side) = match token(word) {
        _ if favours => (at + 1, Choice::Yes),
        Some(side) => (at, side),
        None => return Value::Other,
    };
    // A cross before a side strikes it out; before NAY it only repeats it.
    if said.contains(['❌', '✗', '✘', '🚫', '👎', '☒']) && side == Choice::Yes
        || said[..all[at].start].contains('!')
    {
        return Value::Unusable(NoStance::Unclear);
    }
    let plain = matches!(word, "yes" | "no" | "yea" | "ja" | "nein");
    // `No to this motion` is a side, `no motion` is not.
    match next {
        Some(next) if plain && is_aside(next) && !matches!(next, "on" | "to" | "zu" | "zum") => Value::Other,
        Some(next) if plain && is_motion(next) => Value::Other,
        Some(_) | None => followed(&said[all[last].end..], side),
    }
}

/// The first characters of a text.
pub(super) fn head(said: &str) -> &str {
    let end = said.char_indices().nth(TAIL_MOST).map_or(said.len(), |(end, _)| end);
    said[..end].trim()
}

/// What a side comes to with what follows it.
fn followed(rest: &str, side: Choice) -> Value {
    let bare = rest.trim_start();
    let glued = bare.len() == rest.len();
    let all = words(bare);
    let first = all.first().map_or("", |word| word.word.as_str());
    let second = all.get(1).map_or("", |word| word.word.as_str());
    let other = |word: &str| token(word).is_some_and(|other| other != side);
    match bare.chars().next() {
        None => Value::Side(side),
        Some(_) if asks(bare) => Value::Unusable(NoStance::Unclear),
        Some('/' | '|' | '\\') if other(first) => Value::Unusable(NoStance::Unclear),
        Some('-' | '\'' | '_') if glued && bare[1..].starts_with(char::is_alphanumeric) => Value::Other,
        Some(c) if !c.is_alphanumeric() => tail(bare, side),
        Some(_) if glued => Value::Other,
        Some(_) if token(first) == Some(side) => followed(&bare[all[0].end..], side),
        Some(_) => match first {
            "or" | "oder" | "and" | "und" | "vs" | "versus" if other(second) => {
                Value::Unusable(NoStance::Unclear)
            }
            "and" | "und" | "with" | "mit" | "here" | "today" | "heute" | "at" => Value::Side(side),
            "but" | "aber" | "only" | "nur" | "except" | "unless" => Value::Unusable(NoStance::Unclear),
            word if is_reason(word) => Value::Side(side),
            word if is_conditional(word) => Value::Unusable(NoStance::Unclear),
            _ if names_motion(&all.iter().map(|word| word.word.as_str()).collect::<Vec<_>>()) => {
                Value::Side(side)
            }
            _ => Value::Other,
        },
    }
}

/// Whether the first of these words name what is voted on: `on this motion`, `of it`, `the proposal as amended`.
pub(super) fn names_motion(words: &[&str]) -> bool {
    let named = words
        .iter()
        .take(5)
        .find(|word| !is_aside(word) || is_motion(word) && !matches!(**word, "this" | "that"));
    match named {
        Some(word) => is_motion(word),
        None => words.iter().any(|word| matches!(*word, "this" | "that")),
    }
}

/// Whether the marks that a text begins with ask: `AYE?`, `AYE!?`.
fn asks(rest: &str) -> bool {
    rest.chars().take_while(|c| !c.is_alphanumeric() && !c.is_whitespace()).any(|c| c == '?')
}

/// Words between a side and what is voted on.
fn is_aside(word: &str) -> bool {
    matches!(
        word,
        "on" | "of"
            | "to"
            | "the"
            | "this"
            | "that"
            | "my"
            | "its"
            | "for"
            | "adopting"
            | "passing"
            | "den"
            | "dem"
            | "diesen"
            | "diesem"
            | "dieses"
            | "des"
            | "zu"
            | "zum"
            | "present"
            | "entire"
            | "amended"
            | "whole"
    )
}

/// What a side comes to with what is set apart behind it.
fn tail(rest: &str, side: Choice) -> Value {
    let mut parts =
        rest.split(['.', '!', ';', '\n']).map(str::trim).filter(|part| part.contains(char::is_alphanumeric));
    let unclear = Value::Unusable(NoStance::Unclear);
    let Some(first) = parts.next() else { return Value::Side(side) };
    let heads: Vec<_> = words(first);
    let said: Vec<&str> = heads.iter().map(|word| word.word.as_str()).collect();
    let second = said.get(1).copied().unwrap_or_default();
    // `But only as a trial` says what it is for, `but only if` does not.
    let third = said.get(2).copied().unwrap_or_default();
    let shouted = first[heads[0].start..heads[0].end].chars().all(char::is_uppercase);
    let is_other = token(said[0]).is_some_and(|other| other != side) && (shouted || !is_common(said[0]));
    let limits = match said[0] {
        "but" | "aber" if matches!(second, "only" | "nur") => !matches!(third, "as" | "als"),
        "but" | "aber" => is_denial(second) || is_conditional(second) || second == "wait",
        "only" | "nur" | "not" | "never" | "hardly" | "kaum" | "nicht" | "niemals" | "though" | "wait"
        | "actually" => true,
        // `No. 1` counts something, and `I vote yes, said Bob` is Bob's.
        word => is_conditional(word) || is_saying(word) || word.starts_with(|c: char| c.is_ascii_digit()),
    };
    if is_other || limits {
        return unclear;
    }
    // `Yes, we should reject it`: what is said goes against the word before it.
    if said_otherwise(&heads, side) {
        return unclear;
    }
    let back = |part: &str| words(part).first().is_some_and(|word| takes_back(&word.word));
    match back(first) || parts.next().is_some_and(back) {
        true => Value::Unusable(NoStance::TakenBack),
        false => Value::Side(side),
    }
}

/// Words that begin a sentence which takes back the one before.
fn takes_back(word: &str) -> bool {
    matches!(
        word,
        "wait"
            | "actually"
            | "scratch"
            | "correction"
            | "korrektur"
            | "kidding"
            | "psych"
            | "kaum"
            | "hardly"
            | "never"
    )
}
