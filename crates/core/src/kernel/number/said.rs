//! What people write around the digits of a number, and instead of them.

use super::{NotANumber, Number, same_unit};
use crate::kernel::text;

/// Words before a number that make it a bound.
const BOUNDS: [&str; 31] = [
    "less than",
    "fewer than",
    "more than",
    "no more than",
    "not more than",
    "no less than",
    "no fewer than",
    "not less than",
    "at least",
    "at most",
    "up to",
    "over",
    "under",
    "above",
    "below",
    "max",
    "min",
    "maximum",
    "minimum",
    "mindestens",
    "höchstens",
    "maximal",
    "minimal",
    "mehr als",
    "weniger als",
    "nicht mehr als",
    "über",
    "unter",
    "bis zu",
    "beyond",
    "nearly up to",
];
/// The same after it.
const BOUNDS_AFTER: [&str; 9] = [
    "or more",
    "or less",
    "or fewer",
    "at least",
    "at most",
    "oder mehr",
    "oder weniger",
    "and more",
    "und mehr",
];
/// Words that deny what follows.
const DENIALS: [&str; 7] = ["not", "never", "isn't", "nicht", "kein", "keine", "keinesfalls"];

/// What is wrong with a text as a whole, whatever its digits.
pub(super) fn shape(bare: &str) -> Option<NotANumber> {
    if bare.starts_with(['[', '{']) {
        return Some(NotANumber::List);
    }
    let folded = text::fold(bare);
    let begins = |word: &str| {
        folded.strip_prefix(word).is_some_and(|rest| rest.is_empty() || rest.starts_with([' ', '.', ':']))
    };
    let signed = folded.starts_with(['<', '>', '≤', '≥']);
    let open = folded.strip_suffix('+').is_some_and(|rest| rest.ends_with(|c: char| c.is_ascii_digit()));
    let ends = BOUNDS_AFTER.iter().any(|words| folded.ends_with(words));
    if signed || open || ends || BOUNDS.iter().any(|word| begins(word)) {
        return Some(NotANumber::Bound);
    }
    DENIALS.iter().any(|word| begins(word)).then_some(NotANumber::Denied)
}

/// Words and letters that multiply a number. None is read: a billion is not the same everywhere, nor is an M.
pub(super) fn multiplies(given: &str) -> bool {
    const SCALES: [&str; 25] = [
        "k",
        "thousand",
        "thousands",
        "tsd",
        "tausend",
        "m",
        "mn",
        "mio",
        "million",
        "millions",
        "millionen",
        "b",
        "bn",
        "mrd",
        "mia",
        "billion",
        "billions",
        "billionen",
        "milliarde",
        "milliarden",
        "t",
        "trillion",
        "trillions",
        "hundred",
        "hundert",
    ];
    let first = given.split([' ', '.']).next().unwrap_or_default();
    // A small letter m, b or t is a unit more often than a multiple.
    let unit = first.chars().count() == 1 && first.chars().any(char::is_lowercase) && first != "k";
    !unit && SCALES.contains(&text::fold(first).as_str())
}

/// The text with blanks between groups of three digits taken out: `1 000 000`.
pub(super) fn joined(bare: &str) -> String {
    let digits = |text: &str| !text.is_empty() && text.bytes().all(|b| b.is_ascii_digit());
    let mut words: Vec<String> = Vec::new();
    let mut grouped = false;
    for word in bare.split(' ') {
        let head = word.split([',', '.']).next().unwrap_or_default();
        let third = digits(head) && head.len() == 3;
        match words.last_mut() {
            Some(last) if third && (grouped || begins_groups(last)) => {
                last.push_str(word);
                grouped = digits(word);
            }
            Some(_) | None => {
                words.push(word.to_string());
                grouped = false;
            }
        }
    }
    words.join(" ")
}

/// Whether groups of three digits may follow: up to three digits and a sign or a currency before them.
fn begins_groups(word: &str) -> bool {
    let bare = word.trim_start_matches(|c: char| !c.is_alphanumeric());
    (1..=3).contains(&bare.len()) && bare.bytes().all(|b| b.is_ascii_digit()) && !bare.starts_with('0')
}

/// The text without a power of ten that stands right after the digits, and that power: `1e3 days` is `1 days` and 3.
pub(super) fn exponent(bare: &str) -> (String, u32) {
    let whole = (bare.to_string(), 0);
    let Some(at) = bare.find(['e', 'E']).filter(|at| bare[..*at].ends_with(|c: char| c.is_ascii_digit()))
    else {
        return whole;
    };
    let power = bare[at + 1..].strip_prefix('+').unwrap_or(&bare[at + 1..]);
    let end = power.find(|c: char| !c.is_ascii_digit()).unwrap_or(power.len());
    let alone = !power[end..].starts_with(|c: char| c.is_alphanumeric() || matches!(c, '.' | ','));
    match power[..end].parse() {
        Ok(times) if alone && end <= 2 => (format!("{}{}", &bare[..at], &power[end..]), times),
        Ok(_) | Err(_) => whole,
    }
}

/// A number said as a word, up to twelve.
pub(super) fn word(bare: &str, unit: &str) -> Result<Number, NotANumber> {
    const WORDS: [[&str; 2]; 13] = [
        ["zero", "zero"],
        ["one", "eins"],
        ["two", "zwei"],
        ["three", "drei"],
        ["four", "vier"],
        ["five", "fünf"],
        ["six", "sechs"],
        ["seven", "sieben"],
        ["eight", "acht"],
        ["nine", "neun"],
        ["ten", "zehn"],
        ["eleven", "elf"],
        ["twelve", "zwölf"],
    ];
    let (first, rest) = bare.split_once(' ').unwrap_or((bare, ""));
    let first = text::fold(first);
    let number =
        WORDS.iter().position(|words| words.contains(&first.as_str())).ok_or(NotANumber::Unreadable)?;
    let more = text::words(rest).any(|word| WORDS.iter().flatten().any(|known| *known == text::fold(word)));
    match rest.trim() {
        "" => Ok(Number::whole(number as i64)),
        given if same_unit(given, unit) => Ok(Number::whole(number as i64)),
        _ if more => Err(NotANumber::Unreadable),
        given if multiplies(given) => Err(NotANumber::Multiplied),
        _ => Err(NotANumber::OtherUnit),
    }
}
