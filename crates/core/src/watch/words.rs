//! The words that deny, by language, and those that only seem to.
//!
//! To teach a language: its words into [`DENY`], kept in order, or into [`IN_RUNS`] for a script without
//! blanks; set phrases that hold such a word and deny nothing into the lists below it. All are written as
//! [`token::folded`](super::token::folded) leaves them. Denial inside a word (`impossible`) is not read.

use Deny::{AfterNe, Answer, Concord, Each, Ne, Neither, Nor};

/// How a word denies.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Deny {
    /// By itself: two of them in a clause make an affirmation.
    Each,
    /// In a language where several of them in one clause are one denial: `no sé nada`, `никто не знает`.
    Concord,
    /// Only after the French `ne`.
    AfterNe,
    /// Only without `neither` before it.
    Nor,
    /// The French `ne` itself, which announces one.
    Ne,
    /// `neither`, which announces a `nor`.
    Neither,
    /// A denial, or an answer if it stands alone in its clause: `no, we should`.
    Answer,
}

/// In order, so that it can be searched by halves.
const DENY: [(&str, Deny); 120] = [
    ("aucun", Concord),
    ("aucune", Concord),
    ("aucuns", Concord),
    ("bez", Each),
    ("bukan", Each),
    ("cannot", Each),
    ("cant", Each),
    ("değil", Each),
    ("doesnt", Each),
    ("dont", Each),
    ("ei", Each),
    ("geen", Each),
    ("guère", AfterNe),
    ("icke", Each),
    ("ikke", Each),
    ("ikkje", Each),
    ("ingen", Each),
    ("inget", Each),
    ("inte", Each),
    ("isnt", Each),
    ("jamais", Concord),
    ("jamás", Concord),
    ("không", Each),
    ("nada", Concord),
    ("nadie", Concord),
    ("ne", Ne),
    ("nee", Answer),
    ("nein", Answer),
    ("neither", Neither),
    ("nej", Answer),
    ("nenhum", Concord),
    ("nenhuma", Concord),
    ("nessun", Concord),
    ("nessuna", Concord),
    ("nessuno", Concord),
    ("never", Each),
    ("nicht", Each),
    ("nichts", Each),
    ("nie", Each),
    ("niemals", Each),
    ("niemand", Each),
    ("niente", Concord),
    ("niet", Each),
    ("niets", Each),
    ("ninguna", Concord),
    ("ninguno", Concord),
    ("ninguém", Concord),
    ("ningún", Concord),
    ("no", Answer),
    ("nobody", Each),
    ("non", Answer),
    ("none", Each),
    ("nooit", Each),
    ("nor", Nor),
    ("not", Each),
    ("nothing", Each),
    ("nowhere", Each),
    ("nunca", Concord),
    ("não", Answer),
    ("ohne", Each),
    ("pas", Concord),
    ("personne", AfterNe),
    ("plus", AfterNe),
    ("point", AfterNe),
    ("rien", Concord),
    ("sans", Each),
    ("sem", Each),
    ("senza", Each),
    ("shouldnt", Each),
    ("sin", Each),
    ("tampoco", Concord),
    ("tidak", Each),
    ("weder", Each),
    ("without", Each),
    ("wont", Each),
    ("zonder", Each),
    ("δεν", Each),
    ("μην", Each),
    ("χωρίς", Each),
    ("без", Each),
    ("не", Concord),
    ("нельзя", Concord),
    ("немає", Concord),
    ("нет", Answer),
    ("никакой", Concord),
    ("никогда", Concord),
    ("никто", Concord),
    ("ничего", Concord),
    ("ні", Answer),
    ("ніколи", Concord),
    ("אין", Each),
    ("בלי", Each),
    ("לא", Each),
    ("بدون", Each),
    ("بلا", Each),
    ("غير", Each),
    ("فلا", Each),
    ("فلم", Each),
    ("فلن", Each),
    ("فليس", Each),
    ("لا", Each),
    ("لم", Each),
    ("لن", Each),
    ("ليس", Each),
    ("ليست", Each),
    ("نه", Each),
    ("نیست", Each),
    ("ولا", Each),
    ("ولم", Each),
    ("ولن", Each),
    ("وليس", Each),
    ("وليست", Each),
    ("न", Each),
    ("नही", Each),
    ("नहीं", Each),
    ("ना", Each),
    ("बिन", Each),
    ("बिना", Each),
    ("मत", Each),
    ("안", Each),
];

const _: () = {
    let mut at = 1;
    while at < DENY.len() {
        assert!(is_before(DENY[at - 1].0.as_bytes(), DENY[at].0.as_bytes()), "DENY is out of order");
        at += 1;
    }
};

/// Whether one word is ordered before another; while the crate is built there is no `<` for text.
const fn is_before(one: &[u8], other: &[u8]) -> bool {
    match (one, other) {
        (_, []) => false,
        ([], _) => true,
        ([a, one @ ..], [b, other @ ..]) => *a < *b || (*a == *b && is_before(one, other)),
    }
}

/// Set phrases that begin with a denial and deny nothing: the word and the one after it.
const SEEMS_BEFORE: [(&str, &str); 27] = [
    ("not", "only"),
    ("not", "just"),
    ("not", "merely"),
    ("not", "least"),
    ("no", "doubt"),
    ("no", "question"),
    ("no", "later"),
    ("no", "less"),
    ("nothing", "but"),
    ("without", "doubt"),
    ("without", "question"),
    ("nicht", "nur"),
    ("nicht", "bloss"),
    ("nicht", "zuletzt"),
    ("nichts", "anderes"),
    ("kein", "zweifel"),
    ("ohne", "zweifel"),
    ("sans", "doute"),
    ("pas", "seulement"),
    ("no", "sólo"),
    ("no", "solo"),
    ("non", "solo"),
    ("não", "só"),
    ("niet", "alleen"),
    ("не", "только"),
    ("لا", "شك"),
    ("لا", "بد"),
];

/// Set phrases that end in a denial and deny nothing: the word before it and the word.
const SEEMS_AFTER: [(&str, &str); 10] = [
    ("or", "not"),
    ("why", "not"),
    ("if", "not"),
    ("oder", "nicht"),
    ("ob", "nicht"),
    ("warum", "nicht"),
    ("ou", "non"),
    ("или", "нет"),
    ("뿐만", "아니라"),
    ("뿐", "아니라"),
];

/// Denials inside a run of letters without blanks.
const IN_RUNS: [&str; 13] =
    ["不", "没", "沒", "无", "無", "非", "未", "ない", "なかっ", "なけれ", "なく", "ません", "ไม่"];

/// What begins like a denial in a run and is none: not only, very, regardless, however, different …
const RUN_SEEMS: [&str; 31] = [
    "不仅",
    "不僅",
    "不但",
    "不只",
    "不止",
    "不光",
    "不同",
    "不过",
    "不過",
    "不管",
    "不论",
    "不論",
    "不断",
    "不斷",
    "不少",
    "不错",
    "不錯",
    "没错",
    "沒錯",
    "无论",
    "無論",
    "无非",
    "無非",
    "无疑",
    "無疑",
    "無料",
    "非常",
    "未来",
    "未來",
    "ないし",
    "ไม่เพียง",
];

/// What stands before a denial in a run and takes its force: unless, few, dangerous, perhaps, no doubt, only.
const RUN_TAKES: [(&str, &str); 10] = [
    ("除", "非"),
    ("少", "ない"),
    ("すく", "ない"),
    ("危", "ない"),
    ("あぶ", "ない"),
    ("しれ", "ない"),
    ("しれ", "ません"),
    ("違い", "ない"),
    ("違いあり", "ません"),
    ("しか", "ない"),
];

/// Words that show a text to be Portuguese, where `no` is `in the`.
pub(super) const PORTUGUESE: [&str; 8] = ["não", "uma", "um", "são", "ao", "pelo", "pela", "em"];

/// The ASCII words of [`DENY`] by their first two letters: most words are told apart by these.
const STARTS: [u32; 26] = {
    let mut starts = [0; 26];
    let mut at = 0;
    while at < DENY.len() {
        starts = with_start(starts, DENY[at].0);
        at += 1;
    }
    with_start(starts, "kein")
};

/// Marks the first two letters of a word, if the first is ASCII.
pub(super) const fn with_start(mut starts: [u32; 26], word: &str) -> [u32; 26] {
    let word = word.as_bytes();
    if word[0].is_ascii() {
        starts[(word[0] - b'a') as usize] |= 1 << (word[1] & 31);
    }
    starts
}

/// Whether a word that starts so may be among those marked. Only ASCII is told apart.
pub(super) fn begins(starts: &[u32; 26], start: &[u8]) -> bool {
    match start {
        [first @ b'a'..=b'z', second @ b'a'..=b'z', ..] => {
            starts[usize::from(first - b'a')] & 1 << (second & 31) != 0
        }
        [b'0'..=b'9', ..] => false,
        _ => true,
    }
}

/// How a word denies, if it does.
pub(super) fn denies(word: &str) -> Option<Deny> {
    if !begins(&STARTS, word.as_bytes()) && !word.ends_with("n't") {
        return None;
    }
    if let Ok(at) = DENY.binary_search_by(|(known, _)| (*known).cmp(word)) {
        return Some(DENY[at].1);
    }
    let german = word.starts_with("kein");
    let korean = || {
        (word.contains(['않', '없']) || word.contains('못') && !word.contains("잘못"))
            || word.starts_with("아니")
    };
    (word.ends_with("n't") || german || (!word.is_ascii() && korean())).then_some(Each)
}

/// Whether a denial between these two words is only part of a set phrase.
pub(super) fn seems(before: Option<&str>, word: &str, after: Option<&str>) -> bool {
    SEEMS_BEFORE.iter().any(|(first, then)| *first == word && after == Some(then))
        || SEEMS_AFTER.iter().any(|(first, then)| *then == word && before == Some(first))
}

/// What is left of a word when its denial is taken away: `shouldn't` leaves `should`.
pub(super) fn stem(word: &str) -> Option<&str> {
    match word {
        "cannot" | "can't" => Some("can"),
        "won't" => Some("will"),
        _ => word.strip_suffix("n't"),
    }
}

/// What stands at one place of a run.
pub(super) enum InRun {
    /// A denial of so many bytes.
    Denies(usize),
    /// So many bytes that deny nothing.
    Passes(usize),
}

/// What stands in a run after `before`, at the start of `here`.
pub(super) fn in_run(before: &str, here: &str) -> InRun {
    let first = here.chars().next().unwrap_or(' ');
    if !matches!(first, '不' | '没' | '沒' | '无' | '無' | '非' | '未' | 'な' | 'ま' | 'ไ') {
        return InRun::Passes(first.len_utf8());
    }
    if let Some(seeming) = RUN_SEEMS.iter().find(|seeming| here.starts_with(**seeming)) {
        return InRun::Passes(seeming.len());
    }
    let Some(denial) = IN_RUNS.iter().find(|denial| here.starts_with(**denial)) else {
        return InRun::Passes(first.len_utf8());
    };
    let taken = RUN_TAKES.iter().any(|(taker, then)| then == denial && before.ends_with(taker));
    // 是不是, 能不能: a question, not a denial.
    let asked = before.chars().next_back().is_some_and(|c| here[denial.len()..].starts_with(c));
    if taken || asked { InRun::Passes(denial.len()) } else { InRun::Denies(denial.len()) }
}
