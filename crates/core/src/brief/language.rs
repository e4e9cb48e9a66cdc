//! Which language a question is in, told by its commonest words and its script. It only words a request: where nothing
//! is found, seats are asked to write in the language of the question.

use crate::kernel::text;

/// Languages with words that are common in questions and rare in the other languages here.
const WORDS: [(&str, &[&str]); 6] = [
    (
        "German",
        &[
            "der", "die", "das", "und", "ist", "nicht", "wir", "soll", "sollen", "sollten", "ein", "eine",
            "einen", "für", "mit", "auf", "wie", "welche", "welcher", "welches", "zu", "werden", "oder",
            "den", "dem",
        ],
    ),
    (
        "French",
        &[
            "le", "la", "les", "et", "est", "nous", "des", "une", "pour", "avec", "dans", "faut", "il",
            "doit", "quel", "quelle", "ou",
        ],
    ),
    (
        "Spanish",
        &[
            "el",
            "los",
            "las",
            "y",
            "es",
            "una",
            "para",
            "con",
            "debemos",
            "deberíamos",
            "qué",
            "cuál",
            "cómo",
            "del",
            "que",
        ],
    ),
    (
        "Italian",
        &["il", "gli", "di", "che", "per", "con", "dobbiamo", "dovremmo", "quale", "nel", "una", "sono"],
    ),
    ("Portuguese", &["o", "os", "um", "uma", "para", "com", "devemos", "não", "qual", "como", "do", "da"]),
    (
        "Dutch",
        &["het", "een", "wij", "moeten", "niet", "voor", "met", "zijn", "welke", "hoe", "van", "of", "we"],
    ),
];

/// English words, which a mixed question is held against.
const ENGLISH: &[&str] = &[
    "the", "and", "is", "not", "we", "should", "shall", "a", "an", "for", "with", "to", "how", "which",
    "what", "or", "of", "our", "in", "it", "do", "does", "of",
];

/// The language of a question, if it is one of those known here. English needs no word: seats write it anyway.
pub(crate) fn language(topic: &str) -> Option<&'static str> {
    if let Some(found) = script(topic) {
        return Some(found);
    }
    let words: Vec<String> = text::words(topic).map(str::to_lowercase).collect();
    let hits = |known: &[&str]| words.iter().filter(|word| known.contains(&word.as_str())).count();
    let best = WORDS.iter().map(|(name, known)| (hits(known), *name)).reduce(|best, next| {
        // The first of equals, so that the order of the table decides.
        if next.0 > best.0 { next } else { best }
    });
    best.filter(|(count, _)| *count >= 2 && *count > hits(ENGLISH)).map(|(_, name)| name)
}

/// A language that its script alone tells, if most letters are of it.
fn script(topic: &str) -> Option<&'static str> {
    let letters = topic.chars().filter(|c| c.is_alphabetic()).count();
    let most = |of: fn(char) -> bool| 2 * topic.chars().filter(|c| of(*c)).count() > letters && letters > 0;
    let kana = |c: char| matches!(c, '\u{3040}'..='\u{30ff}');
    let han = |c: char| matches!(c, '\u{3400}'..='\u{9fff}');
    let hangul = |c: char| matches!(c, '\u{ac00}'..='\u{d7af}');
    if topic.chars().any(kana) && most(|c| matches!(c, '\u{3040}'..='\u{30ff}' | '\u{3400}'..='\u{9fff}')) {
        Some("Japanese")
    } else if most(han) {
        Some("Chinese")
    } else if most(hangul) {
        Some("Korean")
    } else {
        None
    }
}

#[cfg(test)]
mod tests {
    use super::language;

    #[test]
    fn a_question_is_answered_in_its_language() {
        for (topic, found) in [
            ("Shall we cache the search index?", None),
            ("Sollen wir den Suchindex zwischenspeichern?", Some("German")),
            ("Ist die 4-Tage-Woche für uns zulässig?", Some("German")),
            ("Faut-il mettre le cache dans Redis pour les images ?", Some("French")),
            ("¿Debemos migrar los datos para el lunes?", Some("Spanish")),
            ("検索インデックスをキャッシュすべきですか", Some("Japanese")),
            ("我们应该缓存搜索索引吗", Some("Chinese")),
            ("Redis oder Postgres?", None),
            ("Is \"die Zeit ist um\" a good title for the book?", None),
        ] {
            assert_eq!(language(topic), found, "{topic}");
        }
    }
}
