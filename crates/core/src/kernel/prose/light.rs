//! Words that carry nothing when two texts are held against each other, and words that stand for each other.
//!
//! A word belongs here only if no sentence says something else without it: `only`, `almost` and `all` do not. All are
//! folded.

/// Phrases that only say whose opinion it is.
pub(super) const HEDGES: [&[&str]; 26] = [
    &["i", "think", "that"],
    &["i", "think"],
    &["i", "believe", "that"],
    &["i", "believe"],
    &["i", "am", "convinced", "that"],
    &["in", "my", "view"],
    &["in", "my", "opinion"],
    &["of", "course"],
    &["ich", "denke", "dass"],
    &["ich", "denke"],
    &["ich", "glaube", "dass"],
    &["ich", "glaube"],
    &["ich", "meine"],
    &["meiner", "meinung", "nach"],
    &["meines", "erachtens"],
    &["auf", "jeden", "fall"],
    &["je", "pense", "que"],
    &["creo", "que"],
    &["я", "думаю", "что"],
    &["я", "считаю", "что"],
    &["на", "мой", "взгляд"],
    &["أعتقد", "أن"],
    &["في", "رأيي"],
    &["νομίζω", "ότι"],
    &["πιστεύω", "ότι"],
    &["κατά", "τη", "γνώμη", "μου"],
];

/// The same in scripts without blanks.
pub(super) const RUN_HEDGES: [&str; 8] =
    ["我认为", "我認為", "我觉得", "我覺得", "我相信", "と思います", "と思う", "と考える"];

/// Sorted.
const LIGHT: [&str; 62] = [
    "a",
    "absolutely",
    "actually",
    "additionally",
    "also",
    "an",
    "and",
    "auch",
    "certainly",
    "clearly",
    "daher",
    "das",
    "definitely",
    "dennoch",
    "der",
    "deshalb",
    "die",
    "ein",
    "eindeutig",
    "eine",
    "einem",
    "einen",
    "einer",
    "eines",
    "evidently",
    "furthermore",
    "hence",
    "however",
    "indeed",
    "insgesamt",
    "jedoch",
    "klar",
    "la",
    "le",
    "les",
    "moreover",
    "natürlich",
    "nevertheless",
    "obviously",
    "offensichtlich",
    "overall",
    "really",
    "sicherlich",
    "simply",
    "so",
    "surely",
    "that",
    "the",
    "therefore",
    "thus",
    "truly",
    "ultimately",
    "und",
    "undoubtedly",
    "wirklich",
    "zweifellos",
    "η",
    "ο",
    "οι",
    "τα",
    "το",
    "конечно",
];

/// Words that stand for each other: each with the one it is read as. Sorted.
const EQUAL: [(&str, &str); 23] = [
    ("aid", "help"),
    ("approach", "method"),
    ("are", "is"),
    ("defect", "bug"),
    ("difficult", "hard"),
    ("does", "do"),
    ("easy", "simple"),
    ("haben", "hat"),
    ("has", "have"),
    ("können", "kann"),
    ("könnten", "könnte"),
    ("müssen", "muss"),
    ("pick", "choose"),
    ("schwierig", "schwer"),
    ("select", "choose"),
    ("sind", "ist"),
    ("sollen", "soll"),
    ("sollten", "sollte"),
    ("waren", "war"),
    ("werden", "wird"),
    ("were", "was"),
    ("würden", "würde"),
    ("скорый", "быстрый"),
];

/// Whether a word carries nothing.
pub(super) fn is_light(word: &str) -> bool {
    LIGHT.binary_search(&word).is_ok()
}

/// Letters of scripts without blanks that only tie others together.
pub(super) fn is_light_letter(c: char) -> bool {
    matches!(c, '的' | '了')
}

/// The word that a word is read as.
pub(super) fn canonical(word: &str) -> &str {
    EQUAL.binary_search_by(|(one, _)| (*one).cmp(word)).map_or(word, |at| EQUAL[at].1)
}
