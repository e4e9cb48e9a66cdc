//! Basic forms of words, so that `eyes`, `Augen` and `eye` are one.
//!
//! A word of the lists is found in any of its forms. Any other loses only the endings that cannot make two words of a
//! language one: the `s` of the plural and the genitive, and the endings of German adjectives.

use super::lists;

/// Endings of German adjectives and nouns, the longest first.
const GERMAN: [&str; 6] = ["en", "er", "es", "em", "e", "n"];

/// The form by which a folded word is compared.
pub(super) fn basic(word: &str, german: bool) -> String {
    if let Some(known) = lists::basic(word) {
        return known.into();
    }
    let singular = singular(word);
    if let Some(known) = lists::basic(&singular) {
        return known.into();
    }
    if german {
        if let Some(known) = stems(word).find_map(lists::basic) {
            return known.into();
        }
        if let Some(parts) = compound(word) {
            return parts;
        }
    }
    singular
}

/// The word without the `s` of the plural or the genitive.
fn singular(word: &str) -> String {
    let keeps = ["ss", "us", "is", "as", "os"].iter().any(|end| word.ends_with(end));
    if word.len() < 4 || keeps || lists::is_name_in_s(word) || word.chars().any(|c| c.is_ascii_digit()) {
        return word.into();
    }
    if let Some(stem) = word.strip_suffix("ies").filter(|stem| stem.len() > 2) {
        return format!("{stem}y");
    }
    let es = ["ches", "shes", "xes", "sses", "zes"].iter().any(|end| word.ends_with(end));
    match word.strip_suffix(if es { "es" } else { "s" }) {
        Some(stem) => stem.into(),
        None => word.into(),
    }
}

/// The word and what is left of it without an ending of German inflection.
pub(super) fn stems(word: &str) -> impl Iterator<Item = &str> {
    let cut = move |ending: &&str| word.strip_suffix(*ending).filter(|stem| stem.len() > 2);
    std::iter::once(word).chain(GERMAN.iter().filter_map(cut))
}

/// Two known words that are written as one: `Sitzungsdauer`.
fn compound(word: &str) -> Option<String> {
    if word.len() < 8 || word.len() > 40 {
        return None;
    }
    let cuts = word.char_indices().map(|(at, _)| at).filter(|at| *at >= 3 && at + 3 <= word.len());
    cuts.filter_map(|at| {
        let first = ["", "s", "n", "en"]
            .iter()
            .find_map(|joint| word[..at].strip_suffix(*joint).and_then(lists::basic))?;
        let second = stems(&word[at..]).find_map(lists::basic)?;
        Some(format!("{first} {second}"))
    })
    .next()
}

/// The colours that a word names, in any of its forms: `green`, `grünen`, `dunkelgrün`, `blue-green`.
pub(super) fn colour(word: &str) -> Option<Vec<String>> {
    let owned = |hues: &[&str]| hues.iter().map(|hue| (*hue).to_string()).collect();
    if let Some(hues) = stems(word).find_map(lists::colour) {
        return Some(owned(hues));
    }
    if let Some((one, two)) = word.split_once('-') {
        let shade = matches!(one, "dark" | "light" | "pale" | "deep" | "bright" | "dunkel" | "hell");
        return match (lists::colour(one), stems(two).find_map(lists::colour)) {
            (Some(one), Some(two)) => Some(owned(one).into_iter().chain(owned(two)).collect()),
            (None, Some(hues)) if shade => Some(owned(hues)),
            (Some(_) | None, _) => None,
        };
    }
    let shades = ["dunkel", "hell", "blass", "tief", "stahl", "himmel", "smaragd", "gras", "blut", "eis"];
    let base = shades.iter().find_map(|shade| word.strip_prefix(shade))?;
    stems(base).find_map(lists::colour).map(owned)
}

/// Words that look like an opposite of another and are none.
#[rustfmt::skip]
const NO_OPPOSITES: [&str; 22] = [
    "disinterested", "impassioned", "impending", "inborn", "inbred", "incoming", "indifferent", "indoor", "infamous", "infirm",
    "inflammable", "ingrown", "inland", "intense", "invaluable", "inward", "unbedingt", "unheimlich", "unlängst", "unterlegen",
    "unverschämt", "unwirsch",
];

/// What is harmful is not harmless. What is helpful may be helpless, so only these.
const FULL_OF: [&str; 9] = ["care", "doubt", "fear", "harm", "hope", "pain", "power", "taste", "use"];

/// The word whose opposite a word is by its form: `honest` for `dishonest`, `giftig` for `ungiftig`, `harmful` for `harmless`.
pub(super) fn denied_word(word: &str) -> Option<String> {
    if let Some(root) = word.strip_suffix("less").filter(|root| FULL_OF.contains(root)) {
        return Some(format!("{root}ful"));
    }
    let rest = match word {
        _ if NO_OPPOSITES.contains(&word) => None,
        _ if word.starts_with("non-") => word.strip_prefix("non-"),
        _ if word.starts_with("un") => word.strip_prefix("un"),
        // `displayed` is not `not played`.
        _ if word.ends_with("ed") => None,
        _ if word.starts_with("dis") => word.strip_prefix("dis"),
        _ if word.starts_with("ill") => word.strip_prefix("il"),
        _ if word.starts_with("irr") => word.strip_prefix("ir"),
        _ if ["imm", "imp", "imb"].iter().any(|front| word.starts_with(front)) => word.strip_prefix("im"),
        _ => word.strip_prefix("in"),
    };
    rest.filter(|rest| rest.len() > 3).map(str::to_string)
}

/// The pair of opposites that a word names, and its side. Besides those listed, `un-` before a participle or an adjective
/// makes its opposite.
pub(super) fn state(word: &str) -> Option<(String, bool)> {
    if let Some((pair, first)) = stems(word).find_map(lists::opposite) {
        return Some((pair.into(), first));
    }
    let ends =
        |word: &str| ["ed", "able", "ible", "bar", "lich", "iert"].iter().any(|end| word.ends_with(end));
    match word.strip_prefix("un").or_else(|| word.strip_prefix("non-")) {
        Some(rest) if rest.len() > 4 && ends(rest) => Some((rest.into(), false)),
        None if word.len() > 4 && ends(word) => Some((word.into(), true)),
        Some(_) | None => None,
    }
}
