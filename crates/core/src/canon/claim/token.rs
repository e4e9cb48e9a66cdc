//! Sentences cut into words.

use super::passage::{QUOTED, SentencePlace};
use super::{WORDS_MOST, lists, stem, units};
use crate::kernel::text;

/// What a token is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum TokenKind {
    /// A word.
    Word,
    /// Digits.
    Number,
    /// A comma.
    Comma,
    /// Another sign that ends a clause.
    Break,
    /// An equals sign.
    Equals,
    /// A colon.
    Colon,
    /// Something quoted stood here.
    Quote,
}

/// A word or a sign.
#[derive(Debug, Clone)]
pub(super) struct ClaimToken {
    /// Folded.
    pub(super) word: String,
    /// In its basic form.
    pub(super) basic: String,
    pub(super) kind: TokenKind,
    /// It begins with a capital letter.
    pub(super) capital: bool,
    /// It stands for an owner: `Mara's`.
    pub(super) genitive: bool,
    /// It is written as names of programs are: `eu-west-1`, `max_retries`, `PostgreSQL`.
    pub(super) technical: bool,
}

impl ClaimToken {
    pub(super) fn is(&self, words: &[&str]) -> bool {
        self.kind == TokenKind::Word && words.contains(&self.word.as_str())
    }

    fn sign(kind: TokenKind) -> Self {
        Self {
            word: String::new(),
            basic: String::new(),
            kind,
            capital: false,
            genitive: false,
            technical: false,
        }
    }
}

/// The tokens of a sentence.
#[derive(Debug)]
pub(super) struct SentenceTokens {
    pub(super) tokens: Vec<ClaimToken>,
    pub(super) german: bool,
}

/// The tokens of a sentence. `None` if it is a question, or too long to be read.
pub(super) fn read(sentence: &SentencePlace) -> Option<SentenceTokens> {
    let said = sentence.text.replace(['’', 'ʼ', '‘'], "'");
    if said.contains(['?', '？', '؟']) || said.len() > 12 * WORDS_MOST {
        return None;
    }
    let mut tokens = Vec::new();
    let mut rest = said.as_str();
    while let Some(first) = rest.chars().next() {
        let length = if first.is_alphanumeric() { word_length(rest) } else { first.len_utf8() };
        let (piece, after) = rest.split_at(length);
        if first.is_alphanumeric() {
            push_word(&mut tokens, piece);
        } else {
            push_sign(&mut tokens, first, after);
        }
        rest = after;
    }
    if tokens.len() > WORDS_MOST || tokens.is_empty() {
        return None;
    }
    let german = is_german(&tokens);
    for token in &mut tokens {
        token.basic = basic_words(token, german);
    }
    join_time_out(&mut tokens);
    if german {
        mark_german_owners(&mut tokens);
        join_separable(&mut tokens);
    }
    Some(SentenceTokens { tokens, german })
}

/// How far a word goes: letters and digits, and the signs inside names, numbers and contractions.
fn word_length(rest: &str) -> usize {
    let mut chars = rest.char_indices().peekable();
    let mut before = ' ';
    while let Some((at, c)) = chars.next() {
        let next = chars.peek().map_or(' ', |(_, next)| *next);
        let tie = match c {
            '_' | '\'' | '-' | '.' | '/' => next.is_alphanumeric(),
            ',' | ':' => before.is_ascii_digit() && next.is_ascii_digit(),
            _ => false,
        };
        if !c.is_alphanumeric() && !tie {
            return at;
        }
        before = c;
    }
    rest.len()
}

fn push_sign(tokens: &mut Vec<ClaimToken>, sign: char, after: &str) {
    let kind = match sign {
        ',' => TokenKind::Comma,
        ';' | '—' | '–' | '(' | ')' | '[' | ']' | '…' => TokenKind::Break,
        ':' if after.starts_with(char::is_whitespace) || after.is_empty() => TokenKind::Colon,
        ':' => TokenKind::Break,
        '=' => TokenKind::Equals,
        QUOTED => TokenKind::Quote,
        // The owner of what follows: Thomas'
        '\'' => {
            if let Some(last) = tokens.last_mut().filter(|last| last.word.ends_with('s')) {
                last.genitive = true;
            }
            return;
        }
        '%' | '€' | '$' => {
            let word = match sign {
                '€' => "euro",
                '$' => "dollar",
                _ => "%",
            };
            tokens.push(ClaimToken { word: word.into(), ..ClaimToken::sign(TokenKind::Word) });
            return;
        }
        _ => return,
    };
    tokens.push(ClaimToken::sign(kind));
}

fn push_word(tokens: &mut Vec<ClaimToken>, piece: &str) {
    if piece.starts_with(|c: char| c.is_ascii_digit()) {
        return push_number(tokens, piece);
    }
    let capital = piece.starts_with(char::is_uppercase);
    tokens.extend(expanded(piece).into_iter().map(|(word, genitive)| ClaimToken {
        word: text::fold(word),
        basic: String::new(),
        kind: TokenKind::Word,
        capital,
        genitive,
        technical: is_technical(word),
    }));
}

/// The words of a contraction, each with whether it is an owner: `Mara's`, `isn't`, `they're`.
fn expanded(piece: &str) -> Vec<(&str, bool)> {
    if piece.eq_ignore_ascii_case("cannot") {
        return vec![("can", false), ("not", false)];
    }
    let Some((base, tail)) = piece.rsplit_once('\'') else { return vec![(piece, false)] };
    let folded = text::fold(base);
    let more = match (folded.as_str(), tail) {
        ("let", _) => return vec![(piece, false)],
        ("it" | "he" | "she" | "that" | "there" | "here" | "what" | "who", "s") => "is",
        (_, "s" | "S") => return vec![(base, true)],
        ("can", "t") => return vec![("can", false), ("not", false)],
        ("won", "t") => return vec![("will", false), ("not", false)],
        (_, "t") => {
            // `isn` leaves `is`.
            return base
                .strip_suffix(['n', 'N'])
                .map_or(vec![(piece, false)], |verb| vec![(verb, false), ("not", false)]);
        }
        (_, "re") => "are",
        (_, "ve") => "have",
        (_, "ll") => "will",
        (_, "d") => "would",
        _ => return vec![(piece, false)], // a name such as O'Brien
    };
    vec![(base, false), (more, false)]
}

/// Digits, with a unit that is written right behind them as a token of its own: `30s`.
fn push_number(tokens: &mut Vec<ClaimToken>, piece: &str) {
    let digits = piece
        .find(|c: char| !(c.is_ascii_digit() || matches!(c, '.' | ',' | ':' | '-' | '\'')))
        .unwrap_or(piece.len());
    let (number, unit) = piece.split_at(digits);
    let number_token = |word: &str| ClaimToken { word: word.into(), ..ClaimToken::sign(TokenKind::Number) };
    let unit_word = text::fold(unit);
    if unit.is_empty() && number.matches('.').count() > 1 && number.len() < 9 {
        // A version is a name: 1.2.3
        tokens.push(ClaimToken { word: number.into(), technical: true, ..ClaimToken::sign(TokenKind::Word) });
    } else if unit.is_empty() {
        tokens.push(number_token(number));
    } else if units::named(&unit_word).is_some() && !number.ends_with(['-', '.', ',', ':']) {
        tokens.push(number_token(number));
        tokens.push(ClaimToken { word: unit_word, ..ClaimToken::sign(TokenKind::Word) });
    } else if let Some((count, rest)) = piece.split_once('-').filter(|(_, rest)| {
        units::named(&text::fold(rest.split('-').next().unwrap_or_default())).is_some_and(|_| rest.len() > 1)
    }) {
        // `30-year-old` is a number, its unit and what it measures.
        tokens.push(number_token(count));
        for part in rest.split('-') {
            tokens.push(ClaimToken { word: text::fold(part), ..ClaimToken::sign(TokenKind::Word) });
        }
    } else {
        tokens.push(ClaimToken {
            word: text::fold(piece),
            technical: true,
            ..ClaimToken::sign(TokenKind::Word)
        });
    }
}

/// Whether a word looks like a name that programs use.
fn is_technical(word: &str) -> bool {
    let inner = word.chars().skip(1).any(char::is_uppercase) && word.chars().any(char::is_lowercase);
    word.contains(['_', '/']) || word.chars().any(|c| c.is_ascii_digit()) || inner
}

/// The basic form of a token; a name of several words is those words.
fn basic_words(token: &ClaimToken, german: bool) -> String {
    match token.kind {
        TokenKind::Word if token.word.contains('_') => {
            let parts = token.word.split('_').filter(|part| !part.is_empty());
            parts.map(|part| stem::basic(part, false)).collect::<Vec<_>>().join(" ")
        }
        TokenKind::Word => stem::basic(&token.word, german),
        TokenKind::Number => token.word.clone(),
        TokenKind::Comma | TokenKind::Break | TokenKind::Equals | TokenKind::Colon | TokenKind::Quote => {
            String::new()
        }
    }
}

#[rustfmt::skip]
const GERMAN: [&str; 56] = [
    "aber", "am", "auch", "auf", "aus", "beim", "bis", "das", "dass", "dem", "den", "der", "des", "die",
    "ein", "eine", "einem", "einen", "einer", "es", "für", "früher", "gibt", "hat", "hatte", "haben",
    "heisst", "ihre", "ihren", "im", "ist", "kein", "keine", "keinen", "mit", "nach", "nicht", "nie",
    "sein", "sich", "sie", "sind", "und", "vom", "von", "war", "waren", "werden", "wird", "wir", "wohnt",
    "wurde", "wurden", "zu", "zum", "zur",
];

#[rustfmt::skip]
const ENGLISH: [&str; 40] = [
    "a", "after", "also", "an", "and", "are", "as", "by", "can", "does", "do", "for", "from", "had", "has",
    "have", "her", "his", "is", "it", "must", "never", "no", "not", "of", "on", "that", "the", "there",
    "they", "to", "was", "we", "were", "will", "with", "without", "you", "at", "its",
];

/// Whether more words are German than English. What could be either counts as English, unless it holds an umlaut.
fn is_german(tokens: &[ClaimToken]) -> bool {
    let count = |list: &[&str]| tokens.iter().filter(|token| token.is(list)).count();
    let (german, english) = (count(&GERMAN), count(&ENGLISH));
    german > english || (german == english && tokens.iter().any(|token| token.word.contains(['ä', 'ö', 'ü'])))
}

/// `time out` is one word.
fn join_time_out(tokens: &mut Vec<ClaimToken>) {
    let at =
        tokens.windows(2).position(|pair| pair[0].is(&["time", "times", "timed"]) && pair[1].is(&["out"]));
    if let Some(at) = at {
        tokens.remove(at + 1);
        tokens[at].basic = "timeout".into();
    }
}

/// `läuft … ab` is one verb in two parts.
fn join_separable(tokens: &mut Vec<ClaimToken>) {
    let verb = tokens.iter().position(|token| token.is(&["läuft", "laufen", "lief", "liefen"]));
    if let Some(at) = verb.filter(|_| tokens.last().is_some_and(|last| last.is(&["ab"]))) {
        tokens[at].basic = "timeout".into();
        tokens.pop();
    }
}

/// German owners have no apostrophe: `Maras Augen`, `Maras grüne Augen`. A capital word that ends in `s`, without an
/// article before it and before another noun, is one.
fn mark_german_owners(tokens: &mut [ClaimToken]) {
    for at in 0..tokens.len() {
        let token = &tokens[at];
        let fits = token.kind == TokenKind::Word
            && token.capital
            && token.word.len() > 3
            && token.word.ends_with('s');
        let known = token.is(&GERMAN)
            || token.is(&["als", "dieses", "jedes", "alles", "falls", "ausserdem", "damals"]);
        let article = at > 0
            && tokens[at - 1]
                .is(&["der", "die", "das", "des", "dem", "den", "ein", "eine", "eines", "einem"]);
        let noun = match &tokens[at + 1..] {
            [next, ..] if next.capital && !next.technical => true,
            [adjective, next, ..] => stem::colour(&adjective.word).is_some() && next.capital,
            [] | [_] => false,
        };
        if fits && !known && !article && noun {
            let word = &tokens[at].word;
            let cut = word.strip_suffix('s').filter(|_| !lists::is_name_in_s(word));
            let name = cut.unwrap_or(word).to_string();
            tokens[at].basic = stem::basic(&name, false);
            tokens[at].word = name;
            tokens[at].genitive = true;
        }
    }
}
