//! Phrases that point at others instead of at a reason, and what is left of a sentence without them.

use super::token::{Token, folded, tokens};

/// References to what others hold. `*` is one to four words. Folded.
const REFERENCES: [&str; 73] = [
    "agree with",
    "agreeing with",
    "agrees with",
    "agreement with",
    "concur with",
    "i concur",
    "as * said",
    "as * says",
    "as * noted",
    "as * argued",
    "as * stated",
    "as * mentioned",
    "as * explained",
    "as * pointed out",
    "what * said",
    "like the others",
    "like everyone",
    "like everybody",
    "like most",
    "the majority",
    "a majority",
    "the others",
    "others agree",
    "others agreed",
    "others said",
    "others voted",
    "most voted",
    "most agree",
    "most agreed",
    "most others",
    "most seats",
    "most participants",
    "most people",
    "most of them",
    "most of us",
    "all agree",
    "all agreed",
    "all voted",
    "everyone agrees",
    "everyone agreed",
    "everyone else",
    "everybody agrees",
    "everybody else",
    "the consensus",
    "the group",
    "convinced by",
    "persuaded by",
    "swayed by",
    "nothing to add",
    "stimme * zu",
    "stimmen * zu",
    "stimmten * zu",
    "schliesse mich",
    "anschliessen",
    "wie * sagt",
    "wie * sagte",
    "wie * meint",
    "wie * schreibt",
    "wie * gesagt",
    "wie * erwähnt",
    "wie die anderen",
    "wie alle",
    "die mehrheit",
    "der mehrheit",
    "die anderen",
    "den anderen",
    "der anderen",
    "alle anderen",
    "die meisten",
    "nichts hinzuzufügen",
    "d'accord avec",
    "la majorité",
    "la mayoría",
];

/// The same where the first letter is not ASCII, so that neither list is gone through in vain.
const REFERENCES_BEYOND: [&str; 5] =
    ["überzeugt von", "überzeugt durch", "согласен с", "согласна с", "большинство"];

/// The same in scripts without blanks.
const RUN_REFERENCES: [&str; 10] =
    ["多数", "多數", "大家", "其他人", "同意", "赞同", "贊同", "他の人", "みんな", "皆"];

/// Words that give no reason by themselves. In order, so that they can be searched by halves.
const FILLERS: [&str; 170] = [
    "a",
    "abstain",
    "agree",
    "agreed",
    "agreement",
    "agrees",
    "all",
    "alle",
    "also",
    "am",
    "an",
    "and",
    "anderen",
    "are",
    "argument",
    "argumente",
    "arguments",
    "as",
    "assessment",
    "at",
    "auch",
    "be",
    "because",
    "been",
    "believe",
    "bin",
    "by",
    "change",
    "changed",
    "completely",
    "consensus",
    "convince",
    "convinced",
    "da",
    "dafür",
    "dagegen",
    "das",
    "dem",
    "den",
    "der",
    "did",
    "die",
    "do",
    "does",
    "ein",
    "eine",
    "er",
    "es",
    "everybody",
    "everyone",
    "follow",
    "following",
    "for",
    "from",
    "fully",
    "für",
    "gestimmt",
    "given",
    "group",
    "habe",
    "haben",
    "had",
    "has",
    "hat",
    "have",
    "he",
    "here",
    "i",
    "ich",
    "in",
    "is",
    "ist",
    "it",
    "its",
    "ja",
    "jetzt",
    "join",
    "joined",
    "just",
    "made",
    "majority",
    "many",
    "me",
    "mehrheit",
    "meinung",
    "meisten",
    "mich",
    "mind",
    "mir",
    "mit",
    "more",
    "most",
    "my",
    "nein",
    "neutral",
    "new",
    "no",
    "now",
    "nun",
    "of",
    "on",
    "opinion",
    "opinions",
    "or",
    "other",
    "others",
    "our",
    "overall",
    "panel",
    "participants",
    "people",
    "persuaded",
    "points",
    "position",
    "positions",
    "reason",
    "reasoning",
    "reasons",
    "said",
    "same",
    "seats",
    "she",
    "side",
    "sie",
    "simply",
    "since",
    "sind",
    "so",
    "stimme",
    "stimmen",
    "than",
    "that",
    "the",
    "their",
    "them",
    "there",
    "therefore",
    "these",
    "they",
    "think",
    "thinks",
    "this",
    "those",
    "thus",
    "to",
    "too",
    "und",
    "us",
    "view",
    "views",
    "voll",
    "von",
    "vote",
    "voted",
    "votes",
    "voting",
    "was",
    "we",
    "weil",
    "were",
    "will",
    "wir",
    "with",
    "would",
    "wurde",
    "yes",
    "you",
    "zu",
    "überzeugen",
    "überzeugt",
];

/// What one sentence holds.
pub(super) struct Content {
    /// It points at what others hold.
    pub(super) refers: bool,
    /// How many words are neither that nor filler.
    pub(super) words: usize,
}

impl Content {
    pub(super) fn of(sentence: &str) -> Self {
        debug_assert!(FILLERS.is_sorted(), "searched by halves");
        let folded = folded(sentence);
        let tokens = tokens(&folded);
        let words: Vec<&str> = tokens.iter().filter_map(|token| word(*token)).collect();
        let mut covered = vec![false; words.len()];
        for at in 0..words.len() {
            covered[at..at + reference(&words[at..])].fill(true);
        }
        let is_content =
            |(word, covered): (&&str, &bool)| !covered && FILLERS.binary_search(&bare(word)).is_err();
        let runs = tokens.iter().map(|token| in_run(*token));
        let (run_refers, run_words) = runs.fold((false, 0), |sum, one| (sum.0 || one.0, sum.1 + one.1));
        Self {
            refers: run_refers || covered.contains(&true),
            words: run_words + words.iter().zip(&covered).filter(|pair| is_content(*pair)).count(),
        }
    }

    /// It says something of its own. Next to a reference two words may be but names.
    pub(super) fn is_statement(&self) -> bool {
        self.words >= if self.refers { 3 } else { 2 }
    }
}

/// The sentences of a text. A line ends one; so does a full stop before a blank, unless what follows begins
/// small, as after `e.g.`
pub(super) fn sentences(text: &str) -> impl Iterator<Item = &str> {
    let mut rest = text;
    let cut = std::iter::from_fn(move || {
        let sentence = &rest[..sentence_end(rest)?];
        rest = &rest[sentence.len()..];
        Some(sentence.trim())
    });
    cut.filter(|sentence| !sentence.is_empty())
}

fn sentence_end(rest: &str) -> Option<usize> {
    let is_end = |(at, c): &(usize, char)| match c {
        '\n' | '。' | '！' | '？' | '।' | '؟' | '۔' => true,
        '.' | '!' | '?' => {
            let after = rest[at + 1..].trim_start_matches(['"', '\'', ')', '”', '»']);
            let next = after.trim_start().chars().next();
            next.is_none_or(|next| after.starts_with(char::is_whitespace) && !next.is_lowercase())
        }
        _ => false,
    };
    if rest.is_empty() {
        return None;
    }
    Some(rest.char_indices().find(is_end).map_or(rest.len(), |(at, c)| at + c.len_utf8()))
}

fn word(token: Token<'_>) -> Option<&str> {
    match token {
        Token::Word(word) | Token::Part(word) => Some(word),
        Token::Run(_) | Token::Break | Token::Stop => None,
    }
}

/// How many words at the start of some words point at others.
fn reference(words: &[&str]) -> usize {
    let Some(first) = words.first().and_then(|word| word.bytes().next()) else { return 0 };
    let known: &[&str] = if first.is_ascii() { &REFERENCES } else { &REFERENCES_BEYOND };
    let near = known.iter().filter(|phrase| phrase.as_bytes()[0] == first);
    near.filter_map(|phrase| fits(phrase, words)).max().unwrap_or(0)
}

/// Whether a text points at others anywhere.
pub(super) fn refers(text: &str) -> bool {
    let folded = folded(text);
    let tokens = tokens(&folded);
    let words: Vec<&str> = tokens.iter().filter_map(|token| word(*token)).collect();
    (0..words.len()).any(|at| reference(&words[at..]) > 0) || tokens.iter().any(|token| in_run(*token).0)
}

fn bare(word: &str) -> &str {
    word.strip_suffix("'s").unwrap_or(word)
}

/// How many words a phrase takes at the start of some words.
fn fits(phrase: &str, words: &[&str]) -> Option<usize> {
    let word = bare(words.first()?);
    // Asked of every phrase at every word, and most fall by the first letter.
    if phrase.as_bytes().first() != word.as_bytes().first() {
        return None;
    }
    let rest = phrase.strip_prefix(word)?;
    if rest.is_empty() {
        return Some(1);
    }
    let rest = rest.strip_prefix(' ')?;
    match rest.strip_prefix("* ") {
        None => fits(rest, &words[1..]).map(|more| 1 + more),
        Some(rest) => (1..=4).find_map(|gap| Some(1 + gap + fits(rest, words.get(1 + gap..)?)?)),
    }
}

/// Whether a run points at others, and roughly how many words it holds besides: two letters are one.
fn in_run(token: Token<'_>) -> (bool, usize) {
    let Token::Run(run) = token else { return (false, 0) };
    let held = RUN_REFERENCES.iter().filter(|phrase| run.contains(**phrase));
    let (count, letters) = held.fold((0, 0), |sum, one| (sum.0 + 1, sum.1 + one.chars().count()));
    // Around such a phrase stand a few letters that only tie it in.
    let left = run.chars().count().saturating_sub(letters + 2 * count);
    (count > 0, left.div_ceil(2))
}
