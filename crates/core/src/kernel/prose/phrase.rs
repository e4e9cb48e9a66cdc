//! Phrases that point at others instead of at a reason, and what is left of a sentence without them.

use super::index::{Index, Sieve, firsts};
use super::token::{Token, ascii_words, folded, tokens};

/// References to what others hold: the first word, and each way it goes on. `*` is one to four words, and
/// where nothing follows the word stands alone. Folded.
const REFERENCES: [(&str, &[&str]); 37] = [
    ("a", &["majority"]),
    ("agree", &["with"]),
    ("agreeing", &["with"]),
    ("agreement", &["with"]),
    ("agrees", &["with"]),
    ("all", &["agree", "agreed", "voted"]),
    ("alle", &["anderen"]),
    ("anschliessen", &[""]),
    (
        "as",
        &[
            "* said",
            "* says",
            "* noted",
            "* argued",
            "* stated",
            "* mentioned",
            "* explained",
            "* pointed out",
        ],
    ),
    ("concur", &["with"]),
    ("convinced", &["by"]),
    ("d'accord", &["avec"]),
    ("den", &["anderen"]),
    ("der", &["mehrheit", "anderen"]),
    ("die", &["mehrheit", "anderen", "meisten"]),
    ("everybody", &["agrees", "else"]),
    ("everyone", &["agrees", "agreed", "else"]),
    ("i", &["concur"]),
    ("la", &["majorité", "mayoría"]),
    ("like", &["the others", "everyone", "everybody", "most"]),
    ("most", &["voted", "agree", "agreed", "others", "seats", "participants", "people", "of them", "of us"]),
    ("nichts", &["hinzuzufügen"]),
    ("nothing", &["to add"]),
    ("others", &["agree", "agreed", "said", "voted"]),
    ("persuaded", &["by"]),
    ("schliesse", &["mich"]),
    ("stimme", &["* zu"]),
    ("stimmen", &["* zu"]),
    ("stimmten", &["* zu"]),
    ("swayed", &["by"]),
    ("the", &["majority", "others", "consensus", "group"]),
    ("what", &["* said"]),
    ("wie", &["* sagt", "* sagte", "* meint", "* schreibt", "* gesagt", "* erwähnt", "die anderen", "alle"]),
    ("überzeugt", &["von", "durch"]),
    ("большинство", &[""]),
    ("согласен", &["с"]),
    ("согласна", &["с"]),
];

static REFERENCE_INDEX: Index<{ REFERENCES.len() }> = Index::of(firsts(&REFERENCES));

/// The same in scripts without blanks.
const RUN_REFERENCES: [&str; 10] =
    ["多数", "多數", "大家", "其他人", "同意", "赞同", "贊同", "他の人", "みんな", "皆"];

static RUN_SIEVE: Sieve = Sieve::of(&RUN_REFERENCES);

/// Words that give no reason by themselves.
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

static FILLER_INDEX: Index<{ FILLERS.len() }> = Index::of(FILLERS);

/// A summary of one sentence: whether it refers to another one, and how many words it has.
pub(crate) struct SentenceContent {
    /// It points at what others hold.
    pub(crate) refers: bool,
    /// How many words are neither that nor filler.
    pub(crate) words: usize,
}

impl SentenceContent {
    pub(crate) fn of<'a>(mut sentence: impl Iterator<Item = Token<'a>> + Clone) -> Self {
        let mut held = Self { refers: false, words: 0 };
        // So many of the words to come belong to a reference.
        let mut covered = 0;
        while let Some(token) = sentence.next() {
            if let Some(word) = word(token) {
                covered = reference(word, sentence.clone()).max(covered);
                held.refers |= covered > 0;
                held.words += usize::from(covered == 0 && !is_filler(word));
                covered = covered.saturating_sub(1);
            } else {
                let (refers, words) = in_run(token);
                held.refers |= refers;
                held.words += words;
            }
        }
        held
    }

    /// It says something of its own. Next to a reference two words may be but names.
    pub(crate) fn is_statement(&self) -> bool {
        self.words >= if self.refers { 3 } else { 2 }
    }
}

/// The sentences of a text. A line ends one; so does a full stop before a blank, unless what follows begins
/// small, as after `e.g.`
pub(crate) fn sentences(text: &str) -> impl Iterator<Item = &str> {
    let mut rest = text;
    let cut = std::iter::from_fn(move || {
        let sentence = &rest[..sentence_end(rest)?];
        rest = &rest[sentence.len()..];
        Some(sentence.trim())
    });
    cut.filter(|sentence| !sentence.is_empty())
}

fn sentence_end(rest: &str) -> Option<usize> {
    if rest.is_empty() {
        return None;
    }
    let mut from = 0;
    // Most of a text is letters, which are passed over byte by byte. Beyond ASCII the marks of `ends` begin so.
    let is_mark = |byte: &u8| matches!(byte, b'\n' | b'.' | b'!' | b'?' | 0xd8 | 0xdb | 0xe0 | 0xe3 | 0xef);
    while let Some(at) = rest.as_bytes()[from..].iter().position(is_mark).map(|more| from + more) {
        let Some(c) = rest[at..].chars().next() else { break };
        from = at + c.len_utf8();
        if ends(c, &rest[from..]) {
            return Some(from);
        }
    }
    Some(rest.len())
}

/// Whether a sentence ends with a character, by what stands after it.
fn ends(c: char, after: &str) -> bool {
    match c {
        '\n' | '。' | '！' | '？' | '।' | '؟' | '۔' => true,
        '.' | '!' | '?' => {
            let after = after.trim_start_matches(['"', '\'', ')', '”', '»']);
            let next = after.trim_start().chars().next();
            next.is_none_or(|next| after.starts_with(char::is_whitespace) && !next.is_lowercase())
        }
        _ => false,
    }
}

fn word(token: Token<'_>) -> Option<&str> {
    match token {
        Token::Word(word) | Token::Part(word) => Some(word),
        Token::Run(_) | Token::Break | Token::Stop => None,
    }
}

/// Whether a text points at others anywhere.
pub(crate) fn refers(text: &str) -> bool {
    let folded = folded(text);
    if folded.is_ascii() {
        return ascii_words(&folded).any(|(word, after)| reference(word, tokens(after)) > 0);
    }
    let mut tokens = tokens(&folded);
    while let Some(token) = tokens.next() {
        if word(token).map_or_else(|| in_run(token).0, |word| reference(word, tokens.clone()) > 0) {
            return true;
        }
    }
    false
}

/// How many words point at others, from this one on.
fn reference<'a>(first: &str, after: impl Iterator<Item = Token<'a>> + Clone) -> usize {
    let Some(at) = REFERENCE_INDEX.find(bare(first)) else { return 0 };
    // The next word tells most phrases apart, so it is cut once for all of them.
    let mut rest = after.clone();
    let next = rest.find_map(word).map(bare);
    let goes_on = |phrase: &str| match phrase.strip_prefix(next?)? {
        "" => Some(1),
        more => Some(1 + fits(more.strip_prefix(' ')?, rest.clone())?),
    };
    let initial = next.and_then(|next| next.bytes().next());
    let mut ahead = None;
    let longest = REFERENCES[at].1.iter().filter_map(|phrase| match phrase.bytes().next() {
        None => Some(0),
        Some(b'*') => fits_later(&phrase[1..], ahead.get_or_insert_with(|| words_ahead(after.clone()))),
        first if first == initial => goes_on(phrase),
        Some(_) => None,
    });
    longest.max().map_or(0, |more| 1 + more)
}

/// So many words a phrase may take after its first one: those between, and the two at most that it goes on with.
const AHEAD: usize = BETWEEN + 2;
const BETWEEN: usize = 4;

fn words_ahead<'a>(mut after: impl Iterator<Item = Token<'a>>) -> [Option<&'a str>; AHEAD] {
    std::array::from_fn(|_| after.find_map(word).map(bare))
}

/// How many words a phrase takes that may begin after some others.
fn fits_later(phrase: &str, ahead: &[Option<&str>; AHEAD]) -> Option<usize> {
    let length = phrase.split_whitespace().count();
    let begins =
        |gap: &usize| phrase.split_whitespace().zip(&ahead[*gap..]).all(|(one, word)| *word == Some(one));
    (1..=BETWEEN).find(begins).map(|gap| gap + length)
}

fn bare(word: &str) -> &str {
    word.strip_suffix("'s").unwrap_or(word)
}

fn is_filler(word: &str) -> bool {
    FILLER_INDEX.find(bare(word)).is_some()
}

/// How many words a phrase takes at the start of what is given. What is not a word is passed over.
fn fits<'a>(phrase: &str, mut after: impl Iterator<Item = Token<'a>> + Clone) -> Option<usize> {
    if phrase.is_empty() {
        return Some(0);
    }
    if let Some(rest) = phrase.strip_prefix("* ") {
        return (1..=4).find_map(|gap| {
            after.find_map(word)?;
            Some(gap + fits(rest, after.clone())?)
        });
    }
    let (first, rest) = phrase.split_once(' ').unwrap_or((phrase, ""));
    if bare(after.find_map(word)?) != first {
        return None;
    }
    Some(1 + fits(rest, after)?)
}

/// Whether a run points at others, and roughly how many words it holds besides: two letters are one.
fn in_run(token: Token<'_>) -> (bool, usize) {
    let Token::Run(run) = token else { return (false, 0) };
    if !RUN_SIEVE.may_be_in(run) {
        return (false, run.chars().count().div_ceil(2));
    }
    let held = RUN_REFERENCES.iter().filter(|phrase| run.contains(**phrase));
    let (count, letters) = held.fold((0, 0), |sum, one| (sum.0 + 1, sum.1 + one.chars().count()));
    // Around such a phrase stand a few letters that only tie it in.
    let left = run.chars().count().saturating_sub(letters + 2 * count);
    (count > 0, left.div_ceil(2))
}

#[cfg(test)]
mod tests {
    use super::super::token::{Token, folded, tokens};
    use super::{AHEAD, BETWEEN, REFERENCE_INDEX, REFERENCES, bare, fits, in_run, refers, word};

    #[test]
    fn enough_words_are_looked_ahead() {
        let later =
            REFERENCES.iter().flat_map(|(_, phrases)| *phrases).filter_map(|one| one.strip_prefix("* "));
        assert_eq!(later.map(|rest| rest.split(' ').count()).max(), Some(AHEAD - BETWEEN));
    }

    /// Phrase by phrase, each from its first word.
    fn refers_slowly(text: &str) -> bool {
        let folded = folded(text);
        let mut rest = tokens(&folded);
        let mut found = false;
        while let Some(token) = rest.next() {
            found |= match word(token).map(|word| REFERENCE_INDEX.find(bare(word))) {
                None => matches!(token, Token::Run(_)) && in_run(token).0,
                Some(None) => false,
                Some(Some(at)) => REFERENCES[at].1.iter().any(|phrase| fits(phrase, rest.clone()).is_some()),
            };
        }
        found
    }

    #[test]
    fn what_refers_is_found_the_fast_way_and_the_slow_one() {
        let pieces = [
            "the",
            "majority",
            "majorité",
            "mayor",
            "as",
            "Ann",
            "said",
            "most",
            "of",
            "them",
            "i",
            "agree",
            "with",
            "la",
            "everyone",
            "else",
            "what",
            "pointed",
            "out",
            "like",
            "others",
            "-",
            "согласен",
            "с",
            "всё",
            "皆",
            "anschliessen",
            ".",
            ",",
            "group's",
            "by",
            "persuaded",
            "all",
            "a's",
        ];
        let mut state = 0x9E37_79B9_7F4A_7C15_u64;
        let mut next = || {
            state ^= state << 13;
            state ^= state >> 7;
            state ^= state << 17;
            state as usize
        };
        let mut referring = 0;
        for _ in 0..60_000 {
            let said: Vec<&str> = (0..1 + next() % 6).map(|_| pieces[next() % pieces.len()]).collect();
            let said = said.join([" ", ""][usize::from(next() % 8 == 0)]);
            assert_eq!(refers(&said), refers_slowly(&said), "{said:?}");
            referring += usize::from(refers(&said));
        }
        assert!((5_000..55_000).contains(&referring), "{referring}");
    }
}
