//! Strong words that escalate nothing: denied ones (`neither urgent nor critical`), those of somebody else in a sentence that
//! says so (`Bob wrote "urgent"`), and plain terms (`emergency exit`).
//!
//! Only words that are written plainly are let off. A disguised one is meant, whatever stands before it.

use super::language::{Keyword, plain_word};
use crate::kernel::prose::{denies, seems};
use crate::kernel::text;

/// The longest quotation within a line, in bytes.
const QUOTED: usize = 300;

/// Marks that begin and end the words of somebody else.
const QUOTES: [(char, char); 5] = [('"', '"'), ('“', '”'), ('„', '“'), ('«', '»'), ('»', '«')];

/// Words of a sentence that says whose words it quotes.
#[rustfmt::skip]
const SAYS: [&str; 38] = [
    "according", "argued", "argues", "behauptet", "behauptete", "bezeichnet", "call", "called", "calls", "claimed",
    "claims", "labelled", "labels", "laut", "meint", "meinte", "named", "names", "nannte", "nennt", "phrase", "quote",
    "quoted", "quotes", "reads", "said", "sagt", "sagte", "says", "schreibt", "schrieb", "signal", "stated", "states",
    "titled", "writes", "wrote", "zitat",
];

/// Words of authors who speak for themselves.
const SELF: [&str; 8] = ["i", "we", "my", "our", "ich", "wir", "mein", "unser"];

/// What may stand between a denial and what it denies.
#[rustfmt::skip]
const BETWEEN: [&str; 44] = [
    "a", "all", "als", "an", "any", "anything", "are", "as", "at", "be", "been", "das", "der", "die", "ein", "eine",
    "einen", "es", "especially", "etwas", "für", "here", "hier", "in", "is", "ist", "of", "other", "particularly",
    "really", "remotely", "sehr", "sind", "so", "that", "the", "this", "too", "truly", "very", "way", "wirklich",
    "yet", "überhaupt",
];

/// What ties a word to one before it.
const AND: [&str; 7] = ["and", "or", "nor", "noch", "oder", "sowie", "und"];

/// What may stand between a word and a German denial behind it.
const BEHIND: [&str; 9] = ["ist", "sind", "war", "es", "das", "dies", "sie", "er", "daran"];

/// Terms that only hold a strong word: how they begin, and what follows.
const TERMS: [(&str, &[&str]); 11] = [
    ("absolut", &["path", "paths", "value", "values"]),
    (
        "critical",
        &[
            "path",
            "paths",
            "section",
            "sections",
            "mass",
            "edition",
            "apparatus",
            "thinking",
            "temperature",
            "angle",
            "point",
        ],
    ),
    ("disaster", &["recovery", "relief", "film", "movie"]),
    (
        "emergency",
        &[
            "exit", "exits", "room", "rooms", "brake", "brakes", "stop", "contact", "contacts", "service",
            "services", "kit", "light", "lights", "number",
        ],
    ),
    ("essential", &["amino", "oil", "oils", "fatty", "nutrient", "nutrients", "scene"]),
    ("kritisch", &["pfad", "masse", "ausgabe", "temperatur", "abschnitt", "infrastruktur", "theorie"]),
    ("urgent", &["care"]),
    ("vital", &["organ", "organs", "sign", "signs", "statistics", "records"]),
    ("must", &["have", "haves"]),
    ("sofort", &["bild", "kamera"]),
    ("immediately", &["adjacent", "preceding", "following", "before", "after", "above", "below"]),
];

/// The passages without strong words that escalate nothing. `little`: whether what is left says hardly anything, so that quotes
/// count.
pub(super) fn calmed(
    passages: &[String],
    keywords: &[Keyword<'_>],
    little: impl Fn(&str) -> bool,
) -> Vec<String> {
    let unquoted: Vec<String> = passages.iter().map(|passage| without_quotes(passage)).collect();
    let kept = if little(&unquoted.join("\n")) { passages } else { &unquoted };
    kept.iter().map(|passage| without_calm(passage, keywords)).collect()
}

/// Without quotations in sentences that say that somebody else is quoted.
fn without_quotes(passage: &str) -> String {
    let (mut out, mut rest) = (String::with_capacity(passage.len()), passage);
    while let Some((at, (open, close))) = rest
        .char_indices()
        .find_map(|(at, c)| QUOTES.iter().find(|(open, _)| *open == c).map(|marks| (at, *marks)))
    {
        let inner = &rest[at + open.len_utf8()..];
        let near = &inner[..inner.floor_char_boundary(QUOTED)];
        let quoted = near.find(close).filter(|end| !near[..*end].contains('\n'));
        let Some(end) = quoted else {
            out.push_str(&rest[..at + open.len_utf8()]);
            rest = inner;
            continue;
        };
        let after = &inner[end + close.len_utf8()..];
        out.push_str(&rest[..at]);
        match is_of_another(sentence_before(&out), sentence_after(after)) {
            true => out.push_str(" ; "),
            false => out.push_str(&rest[at..rest.len() - after.len()]),
        }
        rest = after;
    }
    out.push_str(rest);
    out
}

/// How far from a quotation its sentence is looked at, in bytes: what costs more than the text is long is not read.
const NEAR: usize = 200;

fn sentence_before(text: &str) -> &str {
    let near = &text[text.ceil_char_boundary(text.len().saturating_sub(NEAR))..];
    near.rfind(ends_sentence).map_or(near, |at| &near[at + 1..])
}

fn sentence_after(text: &str) -> &str {
    let near = &text[..text.floor_char_boundary(NEAR)];
    near.find(ends_sentence).map_or(near, |at| &near[..at])
}

fn ends_sentence(c: char) -> bool {
    matches!(c, '.' | '!' | '?' | '\n')
}

/// Whether the words around a quotation say that it is somebody else's.
fn is_of_another(before: &str, after: &str) -> bool {
    let around: Vec<String> = [before, after].into_iter().flat_map(text::words).map(text::fold).collect();
    let holds = |list: &[&str]| around.iter().any(|word| list.contains(&word.as_str()));
    holds(&SAYS) && !holds(&SELF)
}

/// A word where it stands.
struct WordPlace<'a> {
    at: usize,
    /// As keywords are compared with it.
    plain: String,
    /// As denials are.
    folded: String,
    word: &'a str,
}

/// Without strong words that are denied or part of a plain term.
fn without_calm(passage: &str, keywords: &[Keyword<'_>]) -> String {
    let places: Vec<WordPlace<'_>> = text::placed_words(passage)
        .map(|(at, word)| WordPlace { at, plain: plain_word(word), folded: text::fold(word), word })
        .collect();
    let (mut out, mut done, mut denied_to) = (String::with_capacity(passage.len()), 0, None);
    let mut at = 0;
    while at < places.len() {
        let rest = || places[at..].iter().map(|place| place.plain.as_str());
        let Some(length) = keywords.iter().find_map(|keyword| keyword.leads(rest())) else {
            at += 1;
            continue;
        };
        let read = StrongWord { passage, places: &places, at, length };
        let denied = read.is_denied() || read.is_tied_to(denied_to);
        if denied || read.is_term() {
            out.push_str(&passage[done..places[at].at]);
            out.push(';');
            let last = &places[at + length - 1];
            done = last.at + last.word.len();
        }
        if denied {
            denied_to = Some(at + length);
        }
        at += length;
    }
    out.push_str(&passage[done..]);
    out
}

/// A strong word and what stands around it.
struct StrongWord<'a> {
    passage: &'a str,
    places: &'a [WordPlace<'a>],
    at: usize,
    length: usize,
}

impl StrongWord<'_> {
    /// Whether nothing but a blank stands between a word and the next.
    fn are_tied(&self, first: usize) -> bool {
        match (self.places.get(first), self.places.get(first + 1)) {
            (Some(one), Some(next)) => {
                let between = &self.passage[one.at + one.word.len()..next.at];
                !between.contains(['.', ',', '!', '?', ';', ':', '\n', '(', ')', '–', '—'])
            }
            (Some(_), None) | (None, _) => false,
        }
    }

    fn is_denied(&self) -> bool {
        self.is_denied_before() || self.is_denied_behind()
    }

    fn is_denied_before(&self) -> bool {
        let mut passed = 0;
        let mut at = self.at;
        while at > 0 && self.are_tied(at - 1) {
            at -= 1;
            let word = self.places[at].folded.as_str();
            if denies(word) {
                let before = at.checked_sub(1).map(|before| self.places[before].folded.as_str());
                let after = self.places.get(at + 1).map(|after| after.folded.as_str());
                return !seems(before, word, after);
            }
            passed += 1;
            if passed > 3 || !BETWEEN.contains(&word) {
                return false;
            }
        }
        false
    }

    /// `Dringend ist das nicht`
    fn is_denied_behind(&self) -> bool {
        let mut at = self.at + self.length;
        let from = at;
        while at < self.places.len() && at < from + 4 && self.are_tied(at - 1) {
            match self.places[at].folded.as_str() {
                "nicht" => return at > from,
                word if BEHIND.contains(&word) => at += 1,
                _ => return false,
            }
        }
        false
    }

    /// Whether `and` or `or` ties it to a denied one that ends at a place.
    fn is_tied_to(&self, denied_to: Option<usize>) -> bool {
        denied_to.is_some_and(|end| {
            end + 1 == self.at && AND.contains(&self.places[end].folded.as_str()) && self.are_tied(end)
        })
    }

    /// A plain term in small letters.
    fn is_term(&self) -> bool {
        let (place, next) = (&self.places[self.at], self.places.get(self.at + self.length));
        let shouted = place.word.chars().all(char::is_uppercase);
        let follows = |list: &[&str]| next.is_some_and(|next| list.contains(&next.folded.as_str()));
        let term = TERMS.iter().any(|(start, then)| place.plain.starts_with(start) && follows(then));
        term && !shouted && self.are_tied(self.at + self.length - 1)
    }
}
