//! Measures of text that hold in every script, and the two ways of putting foreign text where it can do
//! no harm: on one line, or behind a margin.

use std::borrow::Cow;

use unicode_normalization::UnicodeNormalization;
use unicode_segmentation::UnicodeSegmentation;

use super::prose::token;
use super::sentence;

/// NFKC and case-folded, runs of blanks as one: two spellings of a name become one.
///
/// Each character is raised and lowered, which joins what case folding joins (`ß` and `SS`, both sigmas).
pub fn fold(text: &str) -> String {
    if text.is_ascii() {
        let lower = text.to_ascii_lowercase();
        if is_single_spaced(&lower) {
            return lower;
        }
        let blanks = lower.bytes().filter(|byte| byte.is_ascii_whitespace()).count();
        return if blanks == 0 { lower } else { lower.split_whitespace().collect::<Vec<_>>().join(" ") };
    }
    if text.chars().all(|c| token::is_plain(c) && !matches!(c, '‘' | '’')) {
        return fold_plain(text);
    }
    let folded: String =
        text.nfkc().flat_map(char::to_uppercase).flat_map(char::to_lowercase).nfkc().collect();
    folded.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// Whether a text surely stays as it is when it is set on one line: no control characters, no blanks but single ones
/// between words, nothing that turns the direction of writing. Most text is so, and bytes tell it.
fn is_single_spaced(text: &str) -> bool {
    let mut after_blank = true;
    let single = text.bytes().all(|byte| match byte {
        b' ' => !std::mem::replace(&mut after_blank, true),
        // Blanks, controls and marks of direction beyond ASCII begin with one of these bytes.
        0..=0x1f | 0x7f | 0xc2 | 0xe1..=0xe3 | 0xf3 => false,
        _ => {
            after_blank = false;
            true
        }
    });
    single && !after_blank
}

/// The same of text that needs no look into the tables of NFKC, which are most of the time.
fn fold_plain(text: &str) -> String {
    let mut out = String::with_capacity(text.len() + 1);
    for piece in text.split_whitespace() {
        if !out.is_empty() {
            out.push(' ');
        }
        piece.chars().for_each(|c| token::lower_into(&mut out, c));
    }
    out
}

/// Length in Unicode scalar values after trimming and NFC.
pub fn length(text: &str) -> usize {
    text.trim().nfc().count()
}

/// Words by UAX-29, in order.
pub fn words(text: &str) -> impl Iterator<Item = &str> {
    text.unicode_words()
}

/// Sentences by UAX-29, in order.
pub fn sentences(text: &str) -> impl Iterator<Item = &str> {
    let mut rest = text;
    let cut = std::iter::from_fn(move || {
        let tables = || rest.split_sentence_bounds().next().map(str::len);
        let length = if rest.is_empty() { None } else { sentence::first(rest).or_else(tables) }?;
        let (sentence, after) = rest.split_at(length);
        rest = after;
        Some(sentence)
    });
    // Signs alone are not a sentence.
    cut.filter(|sentence| sentence.contains(char::is_alphanumeric)).map(str::trim)
}

/// Whether these are the words that models write where nothing is to be named.
pub fn names_nothing(named: &str) -> bool {
    let named = fold(named.trim().trim_end_matches('.'));
    matches!(
        named.as_str(),
        "" | "none"
            | "nothing"
            | "nobody"
            | "no one"
            | "n/a"
            | "null"
            | "-"
            | "empty"
            | "[]"
            | "no conditions"
            | "no condition"
            | "keine"
            | "keine bedingungen"
            | "nichts"
            | "niemand"
    )
}

/// At most `most` characters, cut at a word if one ends near, with an ellipsis when something was cut.
pub fn excerpt(text: &str, most: usize) -> Cow<'_, str> {
    let text = text.trim();
    if text.len() <= most {
        return Cow::Borrowed(text);
    }
    let Some((end, _)) = text.char_indices().nth(most) else { return Cow::Borrowed(text) };
    let kept = &text[..end];
    let kept = match kept.rfind(char::is_whitespace) {
        Some(blank) if blank * 4 >= end * 3 => &kept[..blank],
        Some(_) | None => kept,
    };
    Cow::Owned(format!("{} …", kept.trim_end()))
}

/// The text on one line: every run of white space and control characters becomes one blank, marks that turn
/// the direction of writing are dropped.
pub fn one_line(text: &str) -> String {
    if is_single_spaced(text) {
        return text.to_string();
    }
    let mut line = String::with_capacity(text.len());
    for piece in text.split(|c: char| c.is_whitespace() || c.is_control()).filter(|piece| !piece.is_empty()) {
        if !line.is_empty() {
            line.push(' ');
        }
        if piece.is_ascii() {
            line.push_str(piece);
        } else {
            line.extend(piece.chars().filter(|c| !turns(*c)));
        }
    }
    line
}

/// Appends foreign text as a quotation: every line of it begins with `| `, whatever the text holds.
///
/// A margin cannot be closed from inside, unlike a fence. All characters that some reader may take for a
/// line break end a line here; control characters and marks that turn the direction of writing are dropped.
pub fn quote_into(out: &mut String, text: &str) {
    // Most text is plain: no line break but the usual one, nothing to drop.
    let is_plain = |byte: u8| byte == b'\n' || byte == b'\t' || (0x20..0x7f).contains(&byte);
    if text.bytes().all(is_plain) {
        return margin(out, text.trim().split('\n'), |out, line| out.push_str(line));
    }
    let is_break =
        |c: char| matches!(c, '\n' | '\r' | '\u{b}' | '\u{c}' | '\u{85}' | '\u{2028}' | '\u{2029}');
    let is_dropped = |c: char| (c.is_control() && c != '\t') || turns(c);
    margin(out, text.trim().split(is_break), |out, line| {
        out.extend(line.chars().filter(|c| !is_dropped(*c)))
    });
}

/// Puts the margin before each line. One empty line is as good as many.
fn margin<'a>(out: &mut String, lines: impl Iterator<Item = &'a str>, put: impl Fn(&mut String, &str)) {
    let mut blank = true;
    for line in lines {
        let empty = line.trim().is_empty();
        if empty && blank {
            continue;
        }
        blank = empty;
        out.push_str("| ");
        put(out, line);
        out.push('\n');
    }
}

/// Bidirectional controls and the tag characters, which hide text from people but not from models.
pub fn turns(c: char) -> bool {
    matches!(c, '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}' | '\u{200e}' | '\u{200f}' | '\u{e0000}'..='\u{e007f}')
}

/// A short number for a text (FNV-1a), the same on every machine: texts with different ones differ.
pub fn number(text: &str) -> u64 {
    number_of(text.bytes())
}

/// The same of bytes that are not at hand as a text.
pub(crate) fn number_of(bytes: impl Iterator<Item = u8>) -> u64 {
    bytes.fold(0xcbf2_9ce4_8422_2325, |hash, byte| (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3))
}

/// How many single-character edits turn one word into the other; for "did you mean".
pub fn distance(a: &str, b: &str) -> usize {
    let b: Vec<char> = b.chars().collect();
    let mut row: Vec<usize> = (0..=b.len()).collect();
    for (i, left) in a.chars().enumerate() {
        let mut diagonal = std::mem::replace(&mut row[0], i + 1);
        for (j, right) in b.iter().enumerate() {
            let change = diagonal + usize::from(left != *right);
            diagonal = row[j + 1];
            row[j + 1] = change.min(diagonal + 1).min(row[j] + 1);
        }
    }
    row[b.len()]
}

/// The known word nearest to a written one, if it is near enough to be what was meant.
pub fn nearest<'a>(written: &str, known: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    let limit = written.chars().count() / 3 + 1;
    let letters = |word: &str| {
        let mut letters: Vec<char> = word.chars().collect();
        letters.sort_unstable();
        letters
    };
    let own = letters(written);
    // Of two that are equally near, the one with the same letters was meant: `lsit` is `list`, not `init`.
    let measured = known.into_iter().map(|word| (distance(written, word), own != letters(word), word));
    // Where half of a short word differs, only the same beginning makes it a slip: `nope` is not `open`.
    let length = written.chars().count();
    let is_slip =
        |steps: usize, word: &str| 2 * steps < length || word.chars().next() == written.chars().next();
    measured.filter(|(steps, _, word)| *steps <= limit && is_slip(*steps, word)).min().map(|(.., word)| word)
}

/// `1 call`, `2 calls`.
pub fn counted(count: u64, what: &str) -> String {
    if count == 1 { format!("1 {what}") } else { format!("{count} {what}s") }
}
