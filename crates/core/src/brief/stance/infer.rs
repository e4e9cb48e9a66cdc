//! The side that prose takes where none is written. Only a few shapes of sentences count: what the author says of themselves (`I cannot
//! support this motion`), what the house is told to do (`we should adopt it`) and what is to become of the motion (`this must not
//! pass`). Everything else takes no side here: questions, conditions, what others say, what was once so.

use super::clause::{SpokenWord, sentences, unquoted, words};
use super::lexicon::{is_between, is_conditional, is_denial, is_motion, is_saying, is_undecided, token};
use super::plain::PlainLine;
use super::value;
use super::{AskedFor, NoStance, declared};
use crate::kernel::Choice;

/// A clause of more words than this is no sentence that takes a side; going through it would take long.
const CLAUSE_MOST: usize = 80;

/// Who or what a clause is about.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Subject {
    /// The author.
    Author,
    /// The house, which should do something.
    House,
    /// The motion.
    Motion,
}

/// The side that the prose of these lines takes.
pub(super) fn side(lines: &[PlainLine], asked: AskedFor) -> Result<Option<Choice>, NoStance> {
    if declared::taken_back(lines) {
        return Err(NoStance::TakenBack);
    }
    let mut found = None;
    for (said, _) in sides(lines) {
        // Who stands between has no vote to count.
        let said = Some(said).filter(|said| asked == AskedFor::Stance || *said != Choice::Neutral);
        if let (Some(before), Some(said)) = (found, said)
            && before != said
        {
            return Err(NoStance::Contradiction);
        }
        found = found.or(said);
    }
    Ok(found)
}

/// The side that the author claims outright for themselves, if it is one.
pub(super) fn explicit(lines: &[PlainLine]) -> Option<Choice> {
    let own: Vec<Choice> =
        sides(lines).filter(|(_, subject)| *subject == Subject::Author).map(|(side, _)| side).collect();
    own.first().copied().filter(|first| own.iter().all(|side| side == first))
}

/// The sides that sentences take, each with who takes it.
fn sides(lines: &[PlainLine]) -> impl Iterator<Item = (Choice, Subject)> {
    lines.iter().filter(|line| !line.code && !line.heading).flat_map(|line| {
        let line = unquoted(&line.text);
        sentences(&line)
            .iter()
            .filter(|sentence| !sentence.asks())
            .flat_map(|sentence| of_sentence(&words(sentence.text)))
            .collect::<Vec<_>>()
    })
}

/// The sides of the clauses of a sentence. What follows a `but` outweighs what stands before it.
fn of_sentence(said: &[SpokenWord]) -> Vec<(Choice, Subject)> {
    if said
        .iter()
        .any(|word| is_conditional(&word.word) || is_between(&word.word) || told_by_another(&word.word))
    {
        return Vec::new();
    }
    let mut found: Vec<(Choice, Subject)> = Vec::new();
    let mut subject = None;
    for clause in clauses(said).into_iter().filter(|clause| clause.len() <= CLAUSE_MOST) {
        let all: Vec<&str> = clause.iter().map(|word| word.word.as_str()).collect();
        let turns = matches!(all.first(), Some(&("but" | "however" | "aber" | "jedoch" | "yet" | "doch")));
        let (named, from) = match subject_of(&all) {
            Some((named, from)) => (Some(named), from),
            // `for the motion and against it`: the second half has the subject of the first.
            None if matches!(all.first(), Some(&("and" | "but" | "und" | "aber"))) => (subject, 1),
            None => (None, 0),
        };
        subject = named;
        let Some(named) = named else { continue };
        if let Some(side) = of_clause(named, &all, from) {
            if turns {
                found.clear();
            }
            found.push((side, named));
        }
    }
    found
}

/// Whether a sentence takes the other side outright.
pub(super) fn said_otherwise(said: &[SpokenWord], side: Choice) -> bool {
    of_sentence(said).iter().any(|(other, subject)| {
        *subject != Subject::Motion && *other != side && *other != Choice::Neutral && side != Choice::Neutral
    })
}

/// Words by which a sentence tells what somebody else says. `Bael says he supports it; I oppose it` is two sentences.
fn told_by_another(word: &str) -> bool {
    is_saying(word) && !matches!(word, "say" | "form" | "example")
}

/// The clauses of a sentence: they end at marks of writing and before words that join two of them.
fn clauses(said: &[SpokenWord]) -> Vec<&[SpokenWord]> {
    let joins = |word: &SpokenWord| {
        word.apart
            || matches!(
                word.word.as_str(),
                "but"
                    | "however"
                    | "yet"
                    | "and"
                    | "because"
                    | "since"
                    | "although"
                    | "while"
                    | "aber"
                    | "und"
                    | "sondern"
                    | "jedoch"
                    | "weil"
                    | "obwohl"
                    | "which"
                    | "who"
            )
    };
    let mut found = Vec::new();
    let mut from = 0;
    for at in 1..said.len() {
        if joins(&said[at]) {
            found.push(&said[from..at]);
            from = at;
        }
    }
    if from < said.len() {
        found.push(&said[from..]);
    }
    found
}

/// Who a clause is about, and where what is said of them begins.
fn subject_of(all: &[&str]) -> Option<(Subject, usize)> {
    if let Some(at) = all.iter().position(|word| matches!(*word, "i" | "i'm" | "i'll" | "ich")) {
        return Some((Subject::Author, at + 1));
    }
    let first =
        all.iter().position(|word| !matches!(*word, "and" | "but" | "so" | "therefore" | "thus" | "then"))?;
    let word = |at: usize| all.get(at).copied().unwrap_or_default();
    match (word(first), word(first + 1)) {
        ("my", "objection" | "objections") | ("count", "me") => Some((Subject::Author, first)),
        ("we" | "wir", _) => Some((Subject::House, first)),
        ("let", "us") | ("let's", _) => Some((Subject::House, first)),
        ("this" | "it", _) => Some((Subject::Motion, first)),
        ("the" | "that" | "der" | "dieser", named) if is_motion(named) => Some((Subject::Motion, first)),
        _ => None,
    }
}

/// The side of a clause about this subject.
fn of_clause(subject: Subject, all: &[&str], from: usize) -> Option<Choice> {
    // What nobody should assume, and what was once hoped for, is no side.
    let told = |word: &&str| {
        matches!(
            *word,
            "that"
                | "dass"
                | "had"
                | "hoped"
                | "wanted"
                | "tried"
                | "promised"
                | "ordered"
                | "planned"
                | "meant"
        )
    };
    if subject == Subject::Author && (all[..from].contains(&"that") || all[from..].iter().take(3).any(told)) {
        return None;
    }
    let (side, verb) = match subject {
        Subject::Author => author(all, from)?,
        Subject::House => house(all, from)?,
        Subject::Motion => motion(all, from)?,
    };
    let german = all.iter().any(|word| matches!(*word, "ich" | "wir" | "der" | "dieser"));
    let behind = if german { &all[verb..] } else { &all[verb..verb] };
    let denials = all[..verb].iter().chain(behind).filter(|word| is_denial(word)).count();
    let degree = all
        .iter()
        .any(|word| matches!(*word, "lightly" | "blindly" | "fully" | "entirely" | "leichtfertig" | "yet"));
    match (side, denials % 2 == 1) {
        (side, false) => Some(side),
        // Who does not support it lightly supports it.
        (_, true) if degree => None,
        (Choice::Yes, true) => Some(Choice::No),
        (Choice::No, true) => Some(Choice::Yes),
        (Choice::Neutral | Choice::Option(_), true) => None,
    }
}

/// Whether the first of these words name the motion itself: `the motion`, but not `the text of a letter` or `the proposal to amend
/// section 3`. A motion may be named by its title: `the motion to establish a register`.
fn of_the_motion(words: &[&str]) -> bool {
    let named = words.iter().take(6).position(|word| is_motion(word) && !matches!(*word, "this" | "that"));
    let goes_on = |at: usize| match words.get(at + 1) {
        Some(&"to") => words[at] != "motion",
        Some(next) => matches!(*next, "of" | "that" | "being" | "about" | "only" | "whose" | "dass"),
        None => false,
    };
    let whole = |at: usize| matches!(words[at], "it" | "adoption" | "passage" | "creation") || !goes_on(at);
    value::names_motion(words) && named.is_none_or(whole)
}

/// The side of a verb of the author's, and where it stands.
fn author(all: &[&str], from: usize) -> Option<(Choice, usize)> {
    let word = |at: usize| all.get(at).copied().unwrap_or_default();
    let has = |wanted: &str| all[from..].contains(&wanted);
    if word(from) == "my" {
        return has("stands").then_some((Choice::No, all.len()));
    }
    if word(from) == "count" {
        let side = if has("supporters") { Choice::Yes } else { Choice::No };
        return (has("supporters") || has("opponents")).then_some((side, all.len()));
    }
    // Half of a sentence that has its subject from the other half stands as that does.
    let inherits = matches!(all[0], "and" | "but" | "und" | "aber") && from == 1;
    let before = from.checked_sub(1).map_or("", |at| all[at]);
    for at in from..all.len() {
        let rest = &all[at + 1..];
        let of_motion = rest.is_empty() || of_the_motion(rest);
        let stands = inherits || before == "i'm" || all[from..at].iter().any(|word| is_standing(word));
        let side = match word(at) {
            "back" if !rest.is_empty() && of_the_motion(rest) => Choice::Yes,
            "support" | "endorse" | "favor" | "favour" | "approve" | "welcome" | "supporting"
            | "endorsing" | "unterstütze" | "befürworte" | "begrüsse" | "unterstützen" | "befürworten"
                if of_motion && at.checked_sub(1).is_none_or(|before| all[before] != "in") =>
            {
                Choice::Yes
            }
            "oppose" | "reject" | "opposing" | "rejecting" if of_motion => Choice::No,
            "agree" | "disagree" if rest.first() == Some(&"with") && of_the_motion(&rest[1..]) => {
                sided(word(at))
            }
            "disagree" if rest.is_empty() => Choice::No,
            "object" if rest.is_empty() || rest.first() == Some(&"to") && of_the_motion(rest) => Choice::No,
            "in" if stands && matches!(word(at + 1), "favor" | "favour" | "support") => {
                let of = &rest[1..];
                if !of.is_empty() && !of_the_motion(of) {
                    continue;
                }
                Choice::Yes
            }
            "for" | "against" | "opposed" if stands && of_motion => sided(word(at)),
            "dafür" | "dagegen" if stands => sided(word(at)),
            "neutral" if stands => Choice::Neutral,
            open if stands && is_undecided(open) => Choice::Neutral,
            "no" if word(at + 1) == "side" || word(at + 1) == "strong" && has("either") => {
                return Some((Choice::Neutral, at));
            }
            "objection" | "objections" | "einwand" | "einwände"
                if of_motion || rest.first() == Some(&"gegen") =>
            {
                Choice::No
            }
            "with" if all[..at].last() == Some(&"stand") && rest == ["the", "proposer"] => Choice::Yes,
            "recommend" | "urge" | "ask" => return wanted(all, at + 1),
            "lehne" if has("ab") => Choice::No,
            "zustimmen" => Choice::Yes,
            "vote"
                if all[..at].iter().any(|word| is_denial(word))
                    && matches!(word(at + 1), "for" | "against")
                    && of_the_motion(&rest[1..]) =>
            {
                sided(word(at + 1))
            }
            _ => continue,
        };
        return Some((side, at));
    }
    None
}

fn sided(word: &str) -> Choice {
    match word {
        "for" | "agree" | "dafür" => Choice::Yes,
        _ => Choice::No,
    }
}

/// Verbs that put somebody somewhere.
fn is_standing(word: &str) -> bool {
    matches!(
        word,
        "am" | "stand"
            | "remain"
            | "come"
            | "lean"
            | "leaning"
            | "speak"
            | "bin"
            | "bleibe"
            | "stehe"
            | "stay"
    )
}

/// The side of what somebody wants others to do.
fn wanted(all: &[&str], from: usize) -> Option<(Choice, usize)> {
    let word = |at: usize| all.get(at).copied().unwrap_or_default();
    for at in from..all.len() {
        let rest = &all[at + 1..];
        let side = match word(at) {
            "adopt" | "adoption" | "pass" | "passage" | "approve" | "approval" | "support" | "accept"
            | "endorse" | "annehmen" | "zustimmen" | "adopting"
                if rest.is_empty()
                    || of_the_motion(rest)
                    || matches!(rest[0], "without" | "as" | "now" | "today") =>
            {
                Choice::Yes
            }
            "reject" | "rejection" | "oppose" | "defeat" | "ablehnen"
                if rest.is_empty() || of_the_motion(rest) || rest[0] == "and" =>
            {
                Choice::No
            }
            "vote" if rest.contains(&"down") => Choice::No,
            "vote" => token(rest.first()?)?,
            "send" if rest.contains(&"back") => Choice::No,
            _ => continue,
        };
        return Some((side, at));
    }
    None
}

/// What the house should do.
fn house(all: &[&str], from: usize) -> Option<(Choice, usize)> {
    let ought = |word: &&str| {
        matches!(*word, "should" | "must" | "shall" | "ought" | "let" | "let's" | "sollten" | "müssen")
    };
    let at = all[from..].iter().position(ought)?;
    wanted(all, from + at + 1)
}

/// What should become of the motion.
fn motion(all: &[&str], from: usize) -> Option<(Choice, usize)> {
    let modal = all[from..].iter().take(4).position(|word| {
        matches!(*word, "should" | "must" | "shall" | "ought" | "deserves" | "sollte" | "muss" | "darf")
    })?;
    for at in from + modal..all.len() {
        let side = match all[at] {
            "adopted" | "passed" | "pass" | "approved" | "supported" | "accepted" | "carried"
            | "angenommen" => Choice::Yes,
            "support" | "approval" if all[from + modal] == "deserves" => Choice::Yes,
            "rejected" | "fail" | "defeated" | "withdrawn" | "abgelehnt" => Choice::No,
            _ => continue,
        };
        return Some((side, at));
    }
    None
}
