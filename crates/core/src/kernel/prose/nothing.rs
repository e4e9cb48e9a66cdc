//! Texts that say that there is nothing to say (`none`, `I see none`, `Es gibt keine`), and what stands behind a word and says
//! that it does not exist (`An alternative does not exist`).
//!
//! Both are told by closed lists: every word has to be known and at least one has to deny. A text with one word more says
//! something: `None beyond the usual tests`.

use super::super::text;
use super::denies;
use super::token::{Token, folded, tokens};

/// What somebody was asked to name.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Nameable {
    /// What speaks against something.
    Objection,
    /// What it depends on.
    Condition,
}

/// Words that deny alone, besides those of `words.rs`. Folded.
const NONE: [&str; 16] = [
    "na",
    "nil",
    "null",
    "nada",
    "nope",
    "hardly",
    "kaum",
    "scarcely",
    "unconditional",
    "unconditionally",
    "bedingungslos",
    "uneingeschränkt",
    "vorbehaltlos",
    "vorbehaltslos",
    "einwandfrei",
    "unlimited",
];

/// Whole texts in scripts without blanks, or without a word of the lists.
const WHOLE: [&str; 14] = [
    "无",
    "無",
    "没有",
    "沒有",
    "无条件",
    "無條件",
    "なし",
    "無し",
    "特になし",
    "ない",
    "없음",
    "нет",
    "нету",
    "لا شيء",
];

/// Words that carry nothing beside a denial.
#[rustfmt::skip]
const BESIDE: [&str; 105] = [
    "a", "actual", "additional", "all", "an", "and", "any", "anyone", "anything", "apparent", "applicable", "apply",
    "are", "as", "at", "attached", "be", "bekannt", "besonderen", "besteht", "bestehen", "bin", "but", "can", "come",
    "comes", "da", "das", "dazu", "do", "does", "ein", "eine", "einen", "else", "erforderlich", "ernsthaften",
    "ernsthafte", "erwähnenswerten", "es", "exist", "exists", "fallen", "far", "find", "found", "fällt", "für",
    "further", "gibt", "has", "have", "here", "hier", "i", "ich", "in", "is", "ist", "it", "keine", "kenne", "know",
    "known", "major", "material", "me", "meiner", "met", "mind", "mir", "moment", "more", "named", "necessary", "need",
    "needed", "nennenswerten", "nennenswerte", "nötig", "of", "or", "particular", "real", "remain", "remains",
    "required", "see", "sehe", "seen", "serious", "significant", "sind", "so", "specific", "strong", "that", "the",
    "there", "think", "this", "to", "von", "weiteren", "we",
];

/// What is objected.
#[rustfmt::skip]
const OBJECTIONS: [&str; 42] = [
    "against", "alternative", "alternativen", "alternatives", "argument", "argumente", "arguments", "concern",
    "concerns", "counter", "counterargument", "counterarguments", "counterpoint", "dagegen", "disagreement",
    "disadvantage", "disadvantages", "dissent", "doubt", "doubts", "downside", "downsides", "drawback", "drawbacks",
    "einwand", "einwände", "einzuwenden", "gegenargument", "gegenargumente", "nachteil", "nachteile", "objection",
    "objections", "reservations", "risk", "risks", "risiken", "risiko", "speaks", "spricht", "weakness", "weaknesses",
];

/// What something depends on.
#[rustfmt::skip]
const CONDITIONS: [&str; 30] = [
    "approval", "auflage", "auflagen", "bedingung", "bedingungen", "caveat", "caveats", "condition", "conditions",
    "constraints", "einschränkung", "einschränkungen", "limitations", "my", "precondition", "preconditions",
    "prerequisite", "prerequisites", "proviso", "requirement", "requirements", "reservation", "reservations",
    "restrictions", "support", "voraussetzung", "voraussetzungen", "vorbehalt", "vorbehalte", "yes",
];

/// Whether a text that was to name something says that there is nothing. An empty one does.
pub(crate) fn says_none(said: &str, asked: Nameable) -> bool {
    if text::names_nothing(said) || !said.contains(char::is_alphanumeric) {
        return true;
    }
    let folded = folded(said.trim());
    let bare = folded.trim_matches(|c: char| !c.is_alphanumeric());
    if WHOLE.contains(&bare) || bare == "n/a" {
        return true;
    }
    let about: &[&str] = match asked {
        Nameable::Objection => &OBJECTIONS,
        Nameable::Condition => &CONDITIONS,
    };
    let mut denied = false;
    for token in tokens(&folded) {
        match token {
            Token::Word(word) | Token::Part(word) => {
                let denies = denies(word) || NONE.contains(&word);
                denied |= denies;
                if !denies && !BESIDE.contains(&word) && !about.contains(&word) {
                    return false;
                }
            }
            Token::Run(_) => return false,
            Token::Break | Token::Stop => (),
        }
    }
    denied
}

/// Words that may stand between a word and what says that it does not exist.
#[rustfmt::skip]
const EXISTS: [&str; 79] = [
    "a", "an", "any", "all", "apparent", "are", "arise", "at", "auf", "auftreten", "available", "be", "been", "bekannt",
    "besteht", "bestehen", "can", "come", "comes", "conceivable", "concern", "could", "denkbar", "did", "do", "does",
    "eintreten", "erkennbar", "ersichtlich", "es", "exist", "exists", "existiert", "existieren", "expected", "for",
    "found", "gab", "gibt", "happen", "happens", "here", "hier", "i", "ich", "imaginable", "involved", "is", "ist", "issue",
    "kann", "known", "liegt", "me", "mind", "mir", "möglich", "occur", "occurs", "out", "possible", "present", "problem",
    "really", "see", "seen", "sehe", "sind", "there", "to", "tritt", "us", "sehen", "vor", "vorhanden", "zu", "war", "we", "wir",
];

/// Words that say in one that something is not there.
#[rustfmt::skip]
const RULED_OUT: [&str; 18] = [
    "absent", "ausgeschlossen", "excluded", "gone", "impossible", "negligible", "nil", "none", "null", "nonexistent",
    "over", "ruled", "undenkbar", "unmöglich", "vernachlässigbar", "zero", "fehlen", "fehlt",
];

/// Words that say so of what is done already, and nothing of what can be done.
#[rustfmt::skip]
const DONE: [&str; 16] = [
    "avoided", "averted", "behoben", "beseitigt", "closed", "eliminated", "fixed", "gebannt", "gelöst", "mitigated",
    "patched", "prevented", "removed", "resolved", "solved", "vermieden",
];

/// Words that something can be, or was.
const MAY: [&str; 4] = ["can", "could", "kann", "might"];
const IS: [&str; 14] = [
    "is", "are", "was", "were", "has", "have", "been", "ist", "sind", "war", "wurde", "wurden", "already",
    "now",
];

/// Words with which a reason or a place begins.
#[rustfmt::skip]
const GOES_ON: [&str; 16] = [
    "because", "since", "as", "due", "thanks", "weil", "denn", "dank", "in", "im", "with", "mit", "bei", "during",
    "anymore", "mehr",
];

/// Whether the words behind another say that it is not there: `does not exist`, `is ruled out`, `gibt es nicht`. Two denials
/// say that it is: `cannot be ruled out`.
pub(crate) fn is_gone<'a>(behind: impl IntoIterator<Item = &'a str>) -> bool {
    let (mut denials, mut may, mut says) = (0, false, false);
    for word in behind {
        // A reason that follows changes nothing, and neither does a place once it is said.
        if says && GOES_ON.contains(&word) {
            break;
        }
        let done = !may && DONE.contains(&word);
        if denies(word) || RULED_OUT.contains(&word) || done {
            denials += 1;
            says = true;
        } else if !EXISTS.contains(&word) && !IS.contains(&word) {
            return false;
        }
        may |= MAY.contains(&word);
    }
    denials % 2 == 1
}
