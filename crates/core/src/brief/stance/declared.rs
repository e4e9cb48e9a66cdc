//! Sides that a sentence declares in words of its own: `I abstain`, `stimme ich dagegen`, `put me down as a NAY`; and sentences that
//! take back what was said or say that there is no vote.

use super::clause::{SpokenWord, sentences, unquoted, words};
use super::lexicon::{is_between, is_common, is_conditional, is_denial, is_motion, is_saying, token};
use super::plain::PlainLine;
use super::token::{Finality, Mention, Owed};
use crate::kernel::Choice;

/// The votes that sentences declare.
pub(super) fn mentions(lines: &[PlainLine]) -> Vec<Mention> {
    let mut found = Vec::new();
    for line in lines.iter().filter(|line| !line.code) {
        let line = unquoted(&line.text);
        for sentence in sentences(&line).iter().filter(|sentence| !sentence.asks()) {
            let said = words(sentence.text);
            let doubtful = |word: &SpokenWord| {
                is_conditional(&word.word)
                    || is_denial(&word.word)
                    || is_saying(&word.word)
                    || is_between(&word.word)
            };
            // A reason may deny what it likes.
            let reason =
                said.iter().position(|word| super::lexicon::is_reason(&word.word) && word.word != "as");
            let told = &said[..reason.unwrap_or(said.len())];
            let Some(side) = side(told) else { continue };
            // `Ich stimme nicht mit Ja`: the `nein` of a vote is no denial.
            if !told.iter().filter(|word| word.word != "nein" && word.word != "no").any(doubtful) {
                found.push(Mention { owed: Owed::Vote, side: Ok(side), finality: Finality::Plain });
            }
        }
    }
    found
}

fn side(said: &[SpokenWord]) -> Option<Choice> {
    let word = |at: usize| said.get(at).map_or("", |word| word.word.as_str());
    let has = |wanted: &str| said.iter().any(|word| word.word == wanted);
    for at in 0..said.len() {
        match (word(at), word(at + 1)) {
            ("i" | "i'm" | "i'll", _) => {
                let verb = said[at + 1..]
                    .iter()
                    .take(4)
                    .position(|word| matches!(word.word.as_str(), "abstain" | "abstaining"));
                let between = &said[at + 1..at + 1 + verb.unwrap_or(0)];
                let light = |word: &SpokenWord| {
                    matches!(
                        word.word.as_str(),
                        "choose" | "to" | "will" | "must" | "shall" | "therefore" | "hereby" | "am" | "again"
                    )
                };
                if verb.is_some() && between.iter().all(light) {
                    return Some(Choice::Neutral);
                }
            }
            ("put", "me") if word(at + 2) == "down" && matches!(word(at + 3), "as" | "for") => {
                let named =
                    said[at + 4..].iter().take(2).find(|word| word.word != "a" && word.word != "an")?;
                return token(&named.word);
            }
            ("have", "my") if word(0) == "you" && !is_common(word(at + 2)) => return token(word(at + 2)),
            (said, "from") if word(at + 2) == "me" && !is_common(said) && token(said).is_some() => {
                return token(said);
            }
            ("stimme", "mit") if has("ich") => return german(&said[at + 1..]),
            ("ich", "enthalte") | ("enthalte", "ich") if has("mich") => return Some(Choice::Neutral),
            ("ich", "stimme") | ("stimme", "ich") => return german(&said[at + 2..]),
            ("ich", "werde") | ("werde", "ich") if has("stimmen") => return german(&said[at + 2..]),
            _ => (),
        }
    }
    None
}

/// The side of what follows `ich stimme`.
fn german(said: &[SpokenWord]) -> Option<Choice> {
    let word = |at: usize| said.get(at).map_or("", |word| word.word.as_str());
    let article = |word: &str| matches!(word, "den" | "diesen" | "das" | "dem" | "diesem");
    let mut at = 0;
    while matches!(
        word(at),
        "deshalb" | "daher" | "heute" | "hiermit" | "also" | "mit" | "klar" | "deshalb," | "darum"
    ) {
        at += 1;
    }
    match word(at) {
        "dafür" | "ja" => Some(Choice::Yes),
        "dagegen" | "nein" => Some(Choice::No),
        "für" if article(word(at + 1)) && is_motion(word(at + 2)) => Some(Choice::Yes),
        "gegen" if article(word(at + 1)) && is_motion(word(at + 2)) => Some(Choice::No),
        "zu" => Some(Choice::Yes),
        first if article(first) && is_motion(word(at + 1)) && word(at + 2) == "zu" => Some(Choice::Yes),
        _ => None,
    }
}

/// Whether a sentence takes back what was written, or says that its author does not vote.
pub(super) fn taken_back(lines: &[PlainLine]) -> bool {
    lines.iter().filter(|line| !line.code).any(|line| {
        let line = unquoted(&line.text);
        sentences(&line).iter().any(|sentence| {
            let said: Vec<String> = words(sentence.text).into_iter().map(|word| word.word).collect();
            withdraws(&said) || refuses(&said)
        })
    })
}

fn withdraws(said: &[String]) -> bool {
    let word = |at: usize| said.get(at).map_or("", String::as_str);
    let pair = |one: &str, other: &str| said.windows(2).any(|pair| pair[0] == one && pair[1] == other);
    matches!(word(0), "correction" | "korrektur" | "psych")
        || pair("i", "retract")
        || pair("i", "withdraw")
            && said.iter().any(|word| matches!(word.as_str(), "vote" | "stance" | "that" | "this"))
        || pair("scratch", "that")
        || pair("i", "meant")
        || pair("just", "kidding")
        || pair("only", "joking")
        || said.iter().any(|word| word == "placeholder") && said.len() < 12
        || pair("ignore", "this")
        || pair("ignore", "that")
}

/// Whether somebody says that they do not vote, decide or answer.
fn refuses(said: &[String]) -> bool {
    let own = said.iter().position(|word| matches!(word.as_str(), "i" | "i'm" | "ich"));
    let Some(own) = own else { return false };
    let limits =
        |word: &String| is_conditional(word) || is_saying(word) || matches!(word.as_str(), "but" | "aber");
    if said.iter().any(limits) {
        return false;
    }
    let after = &said[own..];
    let no = after.iter().position(|word| {
        is_denial(word) || matches!(word.as_str(), "refuse" | "decline" | "unable" | "recuse" | "weigere")
    });
    let Some(no) = no.filter(|no| *no <= 4) else { return false };
    let deed = after[no..].iter().take(5).position(|word| {
        matches!(
            word.as_str(),
            "vote" | "decide" | "decided" | "participate" | "abstimmen" | "entschieden" | "myself"
        )
    });
    // `I do not vote for circles` refuses something else.
    deed.is_some_and(|deed| {
        after.get(no + deed + 1).is_none_or(|next| {
            matches!(next.as_str(), "yet" | "today" | "here" | "on" | "in" | "at" | "and" | "noch")
        })
    })
}
