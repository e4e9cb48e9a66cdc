//! Questions put as a command: `Name three risks`, `Estimate the cost`, `Choose between A and B`. Motions begin with the same
//! verbs (`Name the service Atlas`), so a verb alone tells nothing: what follows has to ask for something too.

use super::words::{
    ASK_FOR, ASKED, ASKING, CHOOSING, COUNTING, ESTIMATING, GIVING, MEASURED, NUMBERS, POLITE,
    QUESTION_WORDS, SAYING, TO_WHOM, holds, phrases,
};
use super::{Detected, QuestionKind, begins, by_words, choice};

/// How far from the verb the word stands that says what is asked for.
const NEAR: usize = 4;

/// What a command asks for; `None` if it moves something.
pub(super) fn detect(words: &[String], text: &str) -> Option<Detected> {
    let words = without_courtesies(words);
    let (verb, rest) = words.split_first()?;
    let rest = match rest {
        [whom, rest @ ..] if holds(TO_WHOM, whom.as_str()) => rest,
        rest => rest,
    };
    let first = rest.first().map_or("", String::as_str);
    let near = &rest[..rest.len().min(NEAR)];
    let has = |list: &str| near.iter().any(|word| holds(list, word));
    let numbered =
        near.iter().take(3).any(|word| holds(NUMBERS, word) || word.chars().all(|c| c.is_ascii_digit()));
    if holds(CHOOSING, verb) {
        return chosen(rest, text);
    }
    if holds(ESTIMATING, verb) {
        let counts = phrases(COUNTING).any(|phrase| begins(rest, &phrase));
        return match counts {
            true => Some(by_words(rest, text)),
            false => near
                .iter()
                .take(3)
                .any(|word| holds(MEASURED, word))
                .then(|| Detected::of(QuestionKind::Estimate)),
        };
    }
    // `Tell us how many …`, `Explain why …`, `Decide which …`.
    if holds(SAYING, verb) {
        let rest = if first == "out" { &rest[1..] } else { rest };
        let asks = rest.first().is_some_and(|word| holds(QUESTION_WORDS, word) && word != "when");
        if asks {
            return Some(by_words(rest, text));
        }
    }
    let asks = (holds(ASKING, verb) && (numbered || has(ASKED)))
        || (holds(ASK_FOR, verb) && (has(ASKED) || is_one(rest)))
        || (holds(GIVING, verb) && has(ASKED));
    asks.then(|| Detected::of(QuestionKind::Open))
}

/// `a database`, `an alternative`: one of a kind, for something or nobody in particular.
fn is_one(rest: &[String]) -> bool {
    let one = rest
        .first()
        .is_some_and(|word| matches!(word.as_str(), "a" | "an" | "some" | "einen" | "eine" | "ein"));
    // `Propose a pay cut to the board`: to whom it goes is said of a motion.
    one && !rest.iter().any(|word| matches!(word.as_str(), "to" | "dem" | "den" | "der"))
}

fn without_courtesies(words: &[String]) -> &[String] {
    match words {
        [can, you, rest @ ..]
            if matches!(can.as_str(), "can" | "could" | "would" | "will") && you == "you" =>
        {
            without_courtesies(rest)
        }
        [polite, rest @ ..] if holds(POLITE, polite) => without_courtesies(rest),
        words => words,
    }
}

/// `Choose between A and B`, `Pick one: A, B or C`, `Pick a name for it`.
fn chosen(rest: &[String], text: &str) -> Option<Detected> {
    let of = |options| Detected { kind: QuestionKind::Choice, options, unit: None };
    if let Some(options) = choice::between(text) {
        return Some(of(options));
    }
    let first = rest.first()?.as_str();
    if matches!(first, "one" | "eins" | "eines") {
        return choice::tail(text).map(of);
    }
    let asks = holds(QUESTION_WORDS, first) && first != "when";
    let one = matches!(first, "a" | "an" | "einen" | "eine" | "ein")
        && rest.iter().any(|word| matches!(word.as_str(), "for" | "für"));
    match (asks, one) {
        (true, _) => Some(by_words(rest, text)),
        (false, true) => Some(Detected::of(QuestionKind::Open)),
        (false, false) => None,
    }
}
