//! Two texts word by word: whether one is the other with nothing added, left out, exchanged or turned round.
//!
//! Shared letters cannot tell `legal` from `illegal`, `Monday` from `Friday` or `A is cheaper than B` from `B is
//! cheaper than A`. So two texts say the same only if each word of one has its counterpart in the other, in the same
//! order or with one clause moved from the end to the front. Exempt are words that carry nothing (`light.rs`); a
//! counterpart is the same word, an inflected form of it, or a listed synonym.

use std::borrow::Cow;
use std::collections::BTreeMap;

use super::light::{HEDGES, RUN_HEDGES, canonical, is_light, is_light_letter};
use super::likeness::is_ornament;
use super::token::{Token, tokens};
use super::words::{denies, stem};

/// Stands for `not` in any form, so that `shouldn't` and `should not` are the same words.
const NOT: &str = "¬";

/// Whether two folded texts are the same words, apart from what carries nothing.
pub(super) fn aligned(one: &str, other: &str) -> bool {
    if one == other {
        return true;
    }
    let (one, other) = (&*without_run_hedges(one), &*without_run_hedges(other));
    let (ones, others) = (units(one), units(other));
    let tongue = Inflection::of(one).or(Inflection::of(other));
    match matched(&ones, &others, tongue) {
        Some(places) => is_in_order(&places),
        None => false,
    }
}

/// A text without the phrases of scripts without blanks that only say whose opinion it is.
fn without_run_hedges(folded: &str) -> Cow<'_, str> {
    let held = RUN_HEDGES.iter().filter(|hedge| folded.contains(**hedge));
    held.fold(Cow::Borrowed(folded), |left, hedge| Cow::Owned(left.replace(hedge, "")))
}

/// The words of a text that have to be found again; letters where a script sets no blanks.
fn units(folded: &str) -> Vec<Cow<'_, str>> {
    let mut words: Vec<Cow<'_, str>> = Vec::new();
    for token in tokens(folded) {
        match token {
            Token::Word(word) | Token::Part(word) => push(&mut words, word),
            Token::Run(run) => {
                let letters = run.char_indices().filter(|(_, c)| !is_light_letter(*c));
                words.extend(letters.map(|(at, c)| Cow::Borrowed(&run[at..at + c.len_utf8()])));
            }
            Token::Break | Token::Stop => (),
        }
    }
    without_hedges(&mut words);
    words.retain(|word| !is_light(word));
    if words.is_empty() {
        // Signs, or nothing but light words: then these are all there is.
        words.extend(folded.split_whitespace().map(Cow::Borrowed));
    }
    words
}

fn push<'a>(words: &mut Vec<Cow<'a, str>>, word: &'a str) {
    if word == "not" {
        return words.push(Cow::Borrowed(NOT));
    }
    if let Some(left) = stem(word).filter(|_| denies(word).is_some()) {
        words.extend([Cow::Borrowed(canonical(left)), Cow::Borrowed(NOT)]);
        return;
    }
    // `it's`, `they're`, `we'll`
    let parted = word.split_once('\'').and_then(|(first, end)| match end {
        "s" => Some((first, "is")),
        "re" => Some((first, "is")),
        "ll" => Some((first, "will")),
        "ve" => Some((first, "have")),
        _ => None,
    });
    match parted {
        Some((first, end)) => words.extend([Cow::Borrowed(canonical(first)), Cow::Borrowed(end)]),
        None if word.contains(is_optional) => words.push(Cow::Owned(spelled(word))),
        None => words.push(Cow::Borrowed(canonical(word))),
    }
}

/// Letters that are written or not, as one likes: Arabic vowels, the dots of `ё`.
fn is_optional(c: char) -> bool {
    c == 'ё' || is_ornament(c)
}

fn spelled(word: &str) -> String {
    word.chars().filter(|c| !is_ornament(*c)).map(|c| if c == 'ё' { 'е' } else { c }).collect()
}

/// Takes out `I think`, `in my view` and the like.
fn without_hedges(words: &mut Vec<Cow<'_, str>>) {
    let mut at = 0;
    while at < words.len() {
        let fits = |hedge: &&&[&str]| {
            words[at..].len() > hedge.len() && words[at..].iter().zip(**hedge).all(|(a, b)| a == b)
        };
        match HEDGES.iter().find(fits) {
            Some(hedge) => drop(words.drain(at..at + hedge.len())),
            None => at += 1,
        }
    }
}

/// For each word of `others` its place in `ones`; `None` if a word of either has no counterpart.
fn matched(ones: &[Cow<'_, str>], others: &[Cow<'_, str>], tongue: Inflection) -> Option<Vec<usize>> {
    if ones.len() != others.len() {
        return None;
    }
    let mut free: BTreeMap<&str, Vec<usize>> = BTreeMap::new();
    // Places are taken from the end of each list, so the first stands last.
    ones.iter().enumerate().rev().for_each(|(at, word)| free.entry(word).or_default().push(at));
    let mut places: Vec<Option<usize>> =
        others.iter().map(|word| free.get_mut(&**word).and_then(Vec::pop)).collect();
    let mut left: Vec<usize> = free.into_values().flatten().collect();
    left.sort_unstable();
    if left.len() > tongue.inexact() {
        return None;
    }
    for (at, place) in places.iter_mut().enumerate().filter(|(_, place)| place.is_none()) {
        let form = left.iter().position(|one| tongue.inflects(&ones[*one], &others[at]))?;
        *place = Some(left.remove(form));
    }
    places.into_iter().collect()
}

/// Whether places rise, or rise in two parts of which the second belongs before the first: a clause was moved. Two
/// words changed about are not that.
fn is_in_order(places: &[usize]) -> bool {
    let falls = places.windows(2).filter(|pair| pair[0] > pair[1]).count();
    let wraps = places.first() < places.last();
    falls == 0 || falls == 1 && !wraps && places.len() > 3
}

/// The way in which words of a text change their endings.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Inflection {
    English,
    German,
    /// Endings tell who does what to whom: `врач лечит учителя` is not `врача лечит учитель`.
    Cyrillic,
}

/// Words by which German is told.
const GERMAN: [&str; 14] = [
    "der", "das", "den", "dem", "des", "ist", "sind", "ein", "eine", "einer", "und", "wir", "nicht",
    "nachdem",
];

const ENGLISH_ENDS: [(&str, &str); 3] = [("", "s"), ("", "es"), ("y", "ies")];

const GERMAN_ENDS: [(&str, &str); 17] = [
    ("", "s"),
    ("", "es"),
    ("", "e"),
    ("", "n"),
    ("", "en"),
    ("", "r"),
    ("", "t"),
    ("e", "t"),
    ("r", "s"),
    ("r", "m"),
    ("r", "n"),
    ("n", "s"),
    ("m", "n"),
    ("m", "s"),
    ("n", "t"),
    ("en", "t"),
    ("et", "en"),
];

impl Inflection {
    pub(super) fn of(folded: &str) -> Self {
        let is_german = |token| matches!(token, Token::Word(word) if GERMAN.contains(&word));
        if folded.contains(|c| matches!(c, 'Ѐ'..='ӿ')) {
            Self::Cyrillic
        } else if folded.contains(['ä', 'ö', 'ü']) || tokens(folded).any(is_german) {
            Self::German
        } else {
            Self::English
        }
    }

    pub(super) fn or(self, other: Self) -> Self {
        if self == Self::English { other } else { self }
    }

    /// How many words may be there in another form.
    fn inexact(self) -> usize {
        match self {
            Self::English | Self::German => 6,
            Self::Cyrillic => 1,
        }
    }

    pub(super) fn inflects(self, one: &str, other: &str) -> bool {
        if one.contains(char::is_numeric) || other.contains(char::is_numeric) {
            return false;
        }
        let shared: usize =
            one.chars().zip(other.chars()).take_while(|(a, b)| a == b).map(|(a, _)| a.len_utf8()).sum();
        let (root, a, b) = (&one[..shared], &one[shared..], &other[shared..]);
        let long = |least: usize| root.chars().nth(least - 1).is_some();
        let listed = |ends: &[(&str, &str)]| ends.contains(&(a, b)) || ends.contains(&(b, a));
        match self {
            Self::English => long(3) && listed(&ENGLISH_ENDS),
            Self::German => long(4) && listed(&GERMAN_ENDS),
            Self::Cyrillic => long(4) && a.chars().nth(2).is_none() && b.chars().nth(2).is_none(),
        }
    }
}
