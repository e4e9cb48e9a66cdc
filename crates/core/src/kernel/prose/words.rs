//! The words that deny, by language, and those that only seem to.
//!
//! To teach a language: its words into [`DENY`], or into [`IN_RUNS`] for a script without
//! blanks; set phrases that hold such a word and deny nothing into the lists below it. All are written as
//! [`token::folded`](super::token::folded) leaves them. Denial inside a word (`impossible`) is not read.

use super::index::{Index, firsts};
use Deny::{AfterNe, Answer, Concord, Each, Ne, Neither, Nor};

/// How a word denies.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Deny {
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

static INDEX: Index<{ DENY.len() }> = Index::of(firsts(&DENY));

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
pub(crate) const PORTUGUESE: [&str; 8] = ["não", "uma", "um", "são", "ao", "pelo", "pela", "em"];

/// How a word denies, if it does.
pub(crate) fn denies(word: &str) -> Option<Deny> {
    if let Some(at) = INDEX.find(word) {
        return Some(DENY[at].1);
    }
    // Most words are ruled out by one letter.
    let german = word.starts_with('k') && word.starts_with("kein");
    let korean = || {
        (word.contains(['않', '없']) || word.contains('못') && !word.contains("잘못"))
            || word.starts_with("아니")
    };
    (word.ends_with("n't") || german || (!word.is_ascii() && korean())).then_some(Each)
}

/// Whether a denial between these two words is only part of a set phrase.
pub(crate) fn seems(before: Option<&str>, word: &str, after: Option<&str>) -> bool {
    SEEMS_BEFORE.iter().any(|(first, then)| *first == word && after == Some(then))
        || SEEMS_AFTER.iter().any(|(first, then)| *then == word && before == Some(first))
}

/// What is left of a word when its denial is taken away: `shouldn't` leaves `should`.
pub(crate) fn stem(word: &str) -> Option<&str> {
    match word {
        "cannot" | "can't" => Some("can"),
        "won't" => Some("will"),
        _ => word.strip_suffix("n't"),
    }
}

/// What stands at one place of a run.
pub(crate) enum InRun {
    /// A denial of so many bytes.
    Denies(usize),
    /// So many bytes that deny nothing.
    Passes(usize),
}

/// What stands in a run after `before`, at the start of `here`.
pub(crate) fn in_run(before: &str, here: &str) -> InRun {
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
