//! Text cut into words and clauses, in any script.

use unicode_normalization::char::is_combining_mark;

use super::super::text;

/// A piece of folded text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Token<'a> {
    /// A word between blanks.
    Word(&'a str),
    /// A word that a hyphen ties to the next: the `non` of `non-blocking` is part of a name.
    Part(&'a str),
    /// Letters of a script that sets no blanks between words.
    Run(&'a str),
    /// The end of a clause.
    Break,
    /// The end of a sentence.
    Stop,
}

/// NFKC and case-folded, one kind of apostrophe, lines kept: the end of a line ends a sentence.
pub(crate) fn folded(said: &str) -> String {
    if said.is_ascii() {
        return said.to_ascii_lowercase();
    }
    let mut out = String::with_capacity(said.len() + 1);
    if fold_plain_into(&mut out, said) {
        return out;
    }
    out.clear();
    for line in said.lines() {
        out.push_str(&text::fold(line));
        out.push('\n');
    }
    out.replace(['’', 'ʼ', '‘'], "'")
}

/// Folds a text as long as all of it is plain, and tells whether it was.
fn fold_plain_into(out: &mut String, said: &str) -> bool {
    for c in said.chars() {
        match c {
            // Most of what is written, and the same whatever stands beside it.
            '\0'..='\u{7f}' => out.push(c.to_ascii_lowercase()),
            'а'..='я' | '\u{4e00}'..='\u{9fff}' => out.push(c),
            _ if is_plain(c) => lower_into(out, c),
            _ => return false,
        }
    }
    true
}

/// Characters that need no look into the tables of NFKC, alone and next to each other. They are most of
/// what is written, and the tables are most of the time.
pub(crate) fn is_plain(c: char) -> bool {
    matches!(c, '\0'..='\u{7f}' | 'À'..='Ö' | 'Ø'..='ö' | 'ø'..='ÿ' | '«' | '»' | 'Ѐ'..='я' | 'ѐ'..='џ'
        | '\u{621}'..='\u{63a}' | '\u{641}'..='\u{64a}' | '،' | '؛' | '؟' | '–' | '—' | '‘' | '’' | '“' | '”'
        | '„' | '•' | '、' | '。' | '「'..='』' | 'ぁ'..='ゖ' | 'ァ'..='ー' | '\u{4e00}'..='\u{9fff}'
        | '\u{ac00}'..='\u{d7a3}' | '\u{ff01}'..='\u{ff5e}')
}

/// What [`text::fold`] makes of a plain character.
pub(crate) fn lower_into(out: &mut String, c: char) {
    match c {
        'ß' => out.push_str("ss"),
        '‘' | '’' => out.push('\''),
        '\u{ff01}'..='\u{ff5e}' => {
            let narrow = (u32::from(c) - 0xff01) as u8 + b'!';
            out.push(char::from(narrow.to_ascii_lowercase()));
        }
        'À'..='Þ' | 'А'..='Я' => out.extend(char::from_u32(u32::from(c) + 32)),
        'Ѐ'..='Џ' => out.extend(char::from_u32(u32::from(c) + 80)),
        'а'..='џ' | '\u{600}'.. => out.push(c),
        _ => out.extend(c.to_lowercase()),
    }
}

/// The tokens of folded text, cut as they are asked for. A copy goes on from the same place.
pub(crate) fn tokens(folded: &str) -> ProseTokens<'_> {
    ProseTokens { rest: folded }
}

/// See [`tokens`].
#[derive(Debug, Clone)]
pub(crate) struct ProseTokens<'a> {
    rest: &'a str,
}

impl<'a> Iterator for ProseTokens<'a> {
    type Item = Token<'a>;

    fn next(&mut self) -> Option<Token<'a>> {
        loop {
            let (token, length) = match *self.rest.as_bytes().first()? {
                b' ' => (None, 1),
                b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' => word(self.rest),
                sign @ 0..=0x7f => (mark(char::from(sign), &self.rest[1..]), 1),
                0x80.. => beyond(self.rest),
            };
            self.rest = &self.rest[length..];
            if token.is_some() {
                return token;
            }
        }
    }
}

/// What stands at the start of a text that begins beyond ASCII.
fn beyond(rest: &str) -> (Option<Token<'_>>, usize) {
    let Some(first) = rest.chars().next() else { return (None, 0) };
    if is_unspaced(first) {
        let length = extent(rest, |c, _| is_unspaced(c));
        (Some(Token::Run(&rest[..length])), length)
    } else if is_letter(first) {
        word(rest)
    } else {
        (mark(first, &rest[first.len_utf8()..]), first.len_utf8())
    }
}

fn word(rest: &str) -> (Option<Token<'_>>, usize) {
    let plain = letters(rest.as_bytes());
    let length = match rest.as_bytes()[plain..] {
        // Most words end in plain sight.
        [] | [b'\'' | b'.'] => plain,
        [b'\'' | b'.', next @ 0..=0x7f, ..] if !next.is_ascii_alphanumeric() => plain,
        [b'\'' | b'.' | 0x80.., ..] => extent(rest, is_inside),
        [0..=0x7f, ..] => plain,
    };
    let tied = match rest.as_bytes()[length..] {
        [b'-', ..] => rest[length + 1..].starts_with(is_letter),
        _ => false,
    };
    let word = &rest[..length];
    (Some(if tied { Token::Part(word) } else { Token::Word(word) }), length)
}

/// How many bytes from the start are ASCII or Cyrillic letters, or figures.
fn letters(rest: &[u8]) -> usize {
    let mut at = 0;
    loop {
        match rest[at..] {
            [byte, ..] if PLAIN[usize::from(byte)] => at += 1,
            // From `Ѐ` to `џ`.
            [0xd0, _, ..] | [0xd1, 0x80..=0x9f, ..] => at += 2,
            [] | [_, ..] => return at,
        }
    }
}

/// The words of a folded text in ASCII, each with what stands after it: the same that [`tokens`] finds, without what
/// stands between them.
pub(crate) fn ascii_words(folded: &str) -> impl Iterator<Item = (&str, &str)> {
    let mut rest = folded;
    std::iter::from_fn(move || {
        rest = &rest[rest.bytes().position(|byte| PLAIN[usize::from(byte)])?..];
        let (word, after) = rest.split_at(ascii_word(rest.as_bytes()));
        rest = after;
        Some((word, after))
    })
}

/// How long the word is that begins with an ASCII letter or figure, as far as it is in ASCII.
fn ascii_word(rest: &[u8]) -> usize {
    let mut end = 1;
    loop {
        match rest[end..] {
            [byte, ..] if PLAIN[usize::from(byte)] => end += 1,
            [b'\'' | b'.', next, ..] if PLAIN[usize::from(next)] => end += 2,
            [] | [_, ..] => return end,
        }
    }
}

/// The words that begin with a figure, as they stand in a text that is not folded. `None` where that takes a look into
/// tables.
pub(crate) fn figures(text: &str) -> Option<Vec<&str>> {
    let is_told = |c: char| c.is_ascii() || is_plain(c) && !matches!(c, '\u{ff01}'..='\u{ff5e}');
    if !text.is_ascii() && !text.chars().all(|c| is_told(c) || matches!(c, '！' | '，' | '：' | '；' | '？'))
    {
        return None;
    }
    let (mut found, mut at) = (Vec::new(), 0);
    while let Some(more) = text.as_bytes()[at..].iter().position(u8::is_ascii_digit) {
        let (before, rest) = text.split_at(at + more);
        let (word, after) = rest.split_at(ascii_word(rest.as_bytes()));
        at = before.len() + word.len();
        let mut back = before.chars().rev();
        let is_inside = match back.next() {
            Some('\'' | '’' | '‘' | '.') => back.next().is_some_and(in_word),
            last => last.is_some_and(in_word),
        };
        // The end of the word lies beyond ASCII.
        if after
            .trim_start_matches(['\'', '.'])
            .starts_with(|c| !char::is_ascii(&c) && (in_word(c) || matches!(c, '’' | '‘')))
        {
            return None;
        }
        if !is_inside {
            found.push(word);
        }
    }
    Some(found)
}

/// ASCII letters and figures.
static PLAIN: [bool; 256] = {
    let mut plain = [false; 256];
    let mut byte = 0;
    while byte < 128 {
        plain[byte] = (byte as u8).is_ascii_alphanumeric();
        byte += 1;
    }
    plain
};

/// Inside a word stand apostrophes and points: `don't`, `0.9`, `api.md`.
fn is_inside(c: char, next: Option<char>) -> bool {
    in_word(c) || (matches!(c, '\'' | '.') && next.is_some_and(in_word))
}

fn in_word(c: char) -> bool {
    is_letter(c) && !is_unspaced(c)
}

fn mark(c: char, after: &str) -> Option<Token<'static>> {
    match c {
        '\n' | '.' | '!' | '?' | '。' | '।' | '؟' | '۔' => Some(Token::Stop),
        ',' | ';' | ':' | '(' | ')' | '[' | ']' | '"' | '–' | '—' | '、' | '،' | '؛' | '»' | '«' => {
            Some(Token::Break)
        }
        '-' if after.starts_with([' ', '-']) => Some(Token::Break),
        _ => None, // other signs stand for nothing here
    }
}

/// How many bytes from the start hold: each character is given with the one after it.
fn extent(rest: &str, holds: impl Fn(char, Option<char>) -> bool) -> usize {
    let mut chars = rest.char_indices().peekable();
    while let Some((at, c)) = chars.next() {
        if !holds(c, chars.peek().map(|(_, next)| *next)) {
            return at;
        }
    }
    rest.len()
}

fn is_letter(c: char) -> bool {
    match c {
        '\0'..='\u{7f}' => c.is_ascii_alphanumeric(),
        // Letters all, and no look into a table.
        'Ѐ'..='џ' | '\u{621}'..='\u{63a}' | '\u{641}'..='\u{64a}' | '\u{ac00}'..='\u{d7a3}' => true,
        _ => c.is_alphanumeric() || is_combining_mark(c),
    }
}

/// Han, kana, Thai, Lao, Tibetan, Burmese and Khmer.
pub(crate) fn is_unspaced(c: char) -> bool {
    c >= '\u{e00}'
        && matches!(c, '\u{e00}'..='\u{109f}' | '\u{1780}'..='\u{17ff}' | '\u{3005}'..='\u{3007}'
        | '\u{3040}'..='\u{30fa}' | '\u{30fc}'..='\u{30ff}' | '\u{3400}'..='\u{9fff}'
        | '\u{f900}'..='\u{faff}' | '\u{20000}'..='\u{3ffff}')
}
