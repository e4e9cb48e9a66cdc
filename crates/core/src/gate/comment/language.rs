//! Words that escalate. Whole words in any case and disguise, each counted once; what is quoted or is code does not count,
//! unless the comment holds hardly anything else. The words of a phrase follow each other: `we need. To sum up` is not `need to`.
//! A word that is denied, quoted from somebody else or part of a plain term escalates nothing: see `calm.rs`.

use unicode_normalization::char::is_combining_mark;

use super::calm::calmed;
use super::substance::says_little;
use super::{CommentLimits, OfferedComment};
use crate::gate::Breach;
use crate::kernel::{markup, text};

/// More different escalating words than allowed.
pub(super) fn escalates(limits: &CommentLimits, offered: &OfferedComment<'_>) -> Option<Breach> {
    let own = markup::own_words(offered.body);
    // Whoever says nothing but what stands in a quote or in a code block says that.
    let passages: Vec<String> = match says_little(limits, &own) {
        true => offered.body.split("\n\n").map(str::to_string).collect(),
        false => markup::own_passages(offered.body),
    };
    let keywords: Vec<Keyword<'_>> = offered.keywords.iter().map(|word| Keyword::of(word)).collect();
    let calm = calmed(&passages, &keywords, |left| says_little(limits, left));
    let said = Spoken::of(&calm);
    let holds = |keyword: &&Keyword<'_>| said.holds(keyword);
    let named = |keyword: &Keyword<'_>| text::one_line(keyword.written.trim_end_matches('*'));
    let found: Vec<String> = keywords.iter().filter(holds).map(named).collect();
    let most = limits.keywords_most;
    (found.len() > most as usize).then_some(Breach::EscalationLanguage { found, most })
}

/// A word or a phrase that escalates. One that ends with `*` is the beginning of a word.
pub(super) struct Keyword<'a> {
    written: &'a str,
    begins: bool,
    words: Vec<String>,
}

impl<'a> Keyword<'a> {
    fn of(written: &'a str) -> Self {
        let words = letters(written, char::is_alphanumeric);
        Self { written, begins: words.len() == 1 && written.trim_end().ends_with('*'), words }
    }

    /// How many words it takes at the start of some, if they are it.
    pub(super) fn leads<'w>(&self, mut words: impl Iterator<Item = &'w str>) -> Option<usize> {
        let is =
            |known: &String, word: &str| word == known || self.begins && word.starts_with(known.as_str());
        let all = self.words.iter().all(|known| words.next().is_some_and(|word| is(known, word)));
        (all && !self.words.is_empty()).then_some(self.words.len())
    }
}

/// A word as keywords are compared with it.
pub(super) fn plain_word(word: &str) -> String {
    letters(word, char::is_alphanumeric).concat()
}

/// The words of a keyword, which may be a phrase.
pub fn keyword_words(keyword: &str) -> impl Iterator<Item = &str> {
    text::words(keyword)
}

/// What is said, in the ways in which a word can be hidden in it.
struct Spoken {
    /// Split at everything but letters and digits.
    words: Vec<String>,
    /// Split at everything but letters: `urgent2`.
    parts: Vec<String>,
    /// Put together what signs or blanks tear apart: `crit-ical`, `c r i t i c a l`.
    joined: Vec<String>,
    /// Words with nothing but blanks and light signs between them, in which a phrase can stand.
    runs: Vec<Vec<String>>,
}

impl Spoken {
    fn of(passages: &[String]) -> Self {
        let said = passages.join("\n");
        let words = letters(&said, char::is_alphanumeric);
        let mut joined: Vec<String> = said.split_whitespace().map(text::look_alike).collect();
        let spelt = words.chunk_by(|one, next| is_letter(one) && is_letter(next));
        joined.extend(spelt.filter(|run| run.len() > 2).map(|run| run.concat()));
        let runs =
            passages.iter().flat_map(|passage| passage.split(parts_phrases)).flat_map(runs_of).collect();
        Self { parts: letters(&said, char::is_alphabetic), words, joined, runs }
    }

    fn holds(&self, keyword: &Keyword<'_>) -> bool {
        let is = |word: &String| keyword.leads(std::iter::once(word.as_str())).is_some();
        match keyword.words.as_slice() {
            [] => false,
            [_] => [&self.words, &self.parts, &self.joined].iter().any(|words| words.iter().any(is)),
            phrase => self.runs.iter().any(|run| run.windows(phrase.len()).any(|some| some == phrase)),
        }
    }
}

/// Whether a sign stands between two thoughts. Marks of emphasis and quotation marks do not, and a comma hides nothing.
fn parts_phrases(c: char) -> bool {
    !c.is_alphanumeric()
        && !c.is_whitespace()
        && !text::is_invisible(c)
        && !is_combining_mark(c)
        && !"*_~,'\"’‘“”„".contains(c)
}

/// The words of a run, once with digits and once without: `need2`.
fn runs_of(run: &str) -> [Vec<String>; 2] {
    let split = |belongs: fn(char) -> bool| {
        run.split_whitespace().map(|word| letters(word, belongs).concat()).collect::<Vec<_>>()
    };
    [split(char::is_alphanumeric), split(char::is_alphabetic)]
}

fn is_letter(word: &str) -> bool {
    word.chars().count() == 1
}

/// The words of a text as they look, split wherever `belongs` does not hold.
fn letters(said: &str, belongs: fn(char) -> bool) -> Vec<String> {
    let visible: String = said.chars().filter(|c| c.is_whitespace() || !text::is_invisible(*c)).collect();
    // A mark of its own belongs to the letter before it.
    let folded = text::without_marks(&text::fold(&visible));
    let words = folded.split(|c| !belongs(c)).filter(|word| !word.is_empty());
    words.map(text::look_alike).collect()
}
