//! Measures of text that hold in every script, and the two ways of putting foreign text where it can do
//! no harm: on one line, or behind a margin.

use std::borrow::Cow;

use unicode_normalization::UnicodeNormalization;
use unicode_normalization::char::is_combining_mark;
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
    if let Some(folded) = fold_plain(text) {
        return folded;
    }
    let folded: String =
        text.nfkc().flat_map(char::to_uppercase).flat_map(char::to_lowercase).nfkc().collect();
    folded.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// Whether a character shows nothing: controls, marks of direction, and what Unicode says may be left out of a line.
pub fn is_invisible(c: char) -> bool {
    c.is_control()
        || matches!(c,
            '\u{ad}' | '\u{34f}' | '\u{61c}' | '\u{115f}' | '\u{1160}' | '\u{17b4}' | '\u{17b5}' | '\u{180b}'..='\u{180f}'
            | '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2060}'..='\u{206f}' | '\u{3164}' | '\u{fe00}'..='\u{fe0f}'
            | '\u{feff}' | '\u{ffa0}' | '\u{fff0}'..='\u{fffb}' | '\u{1bca0}'..='\u{1bca3}' | '\u{1d173}'..='\u{1d17a}'
            | '\u{e0000}'..='\u{e0fff}')
}

/// Whether a text surely stays as it is when it is set on one line: no control characters, no blanks but single ones
/// between words, nothing that turns the direction of writing. Most text is so, and bytes tell it.
fn is_single_spaced(text: &str) -> bool {
    let bytes = text.as_bytes();
    let (Some(first), Some(last)) = (bytes.first(), bytes.last()) else { return false };
    // Looked at as a whole, without a branch per byte. Blanks, controls and marks of direction beyond ASCII begin with one
    // of these bytes.
    let is_odd = |byte: u8| byte < 0x20 || matches!(byte, 0x7f | 0xc2 | 0xe1 | 0xe2 | 0xf3);
    let (odd, may_be_wide) =
        bytes.iter().fold((false, false), |(odd, wide), byte| (odd | is_odd(*byte), wide | (*byte == 0xe3)));
    let pairs = bytes.iter().zip(&bytes[1..]);
    let doubled = pairs.fold(false, |found, (one, next)| found | ((*one == b' ') & (*next == b' ')));
    // Of what begins with 0xe3 only one is a blank; the rest is kana and signs.
    !odd && !doubled && *first != b' ' && *last != b' ' && !(may_be_wide && text.contains('\u{3000}'))
}

/// The same of text that needs no look into the tables of NFKC, which are most of the time; `None` of any other.
fn fold_plain(text: &str) -> Option<String> {
    let mut out = String::with_capacity(text.len() + 1);
    let mut after_blank = false;
    for c in text.chars() {
        if matches!(c, '\t'..='\r' | ' ') {
            after_blank = true;
            continue;
        }
        if std::mem::take(&mut after_blank) && !out.is_empty() {
            out.push(' ');
        }
        match c {
            // Most of what is written.
            '\0'..='\u{7f}' => out.push(c.to_ascii_lowercase()),
            'а'..='я' | '\u{4e00}'..='\u{9fff}' => out.push(c),
            '‘' | '’' => return None,
            _ if token::is_plain(c) => token::lower_into(&mut out, c),
            _ => return None,
        }
    }
    Some(out)
}

/// What a name looks like to somebody who reads fast: folded, without accents, blanks and signs, and with letters of other
/// alphabets as the Latin ones that they pass for. Names that come out equal can be mistaken for each other; they need
/// not belong to one participant.
pub fn look_alike(name: &str) -> String {
    // Decomposed, an accent stands alone and is no letter any more.
    fold(name).nfd().filter(|c| c.is_alphanumeric()).map(latin_twin).collect()
}

/// Without accents and other marks upon letters.
pub fn without_marks(text: &str) -> String {
    text.nfd().filter(|c| !is_combining_mark(*c)).collect()
}

/// The Latin letter that a small letter or a digit passes for.
pub(crate) fn latin_twin(c: char) -> char {
    match c {
        'а' | 'α' | 'ɑ' => 'a',
        'в' | 'β' | 'ь' => 'b',
        'с' | 'ϲ' => 'c',
        'ԁ' | 'đ' => 'd',
        'е' | 'ε' | 'є' => 'e',
        'ɡ' | 'ց' => 'g',
        'н' | 'һ' | 'հ' | 'ħ' => 'h',
        'і' | 'ι' | 'ı' | 'ɩ' => 'i',
        'ј' | 'ϳ' => 'j',
        'к' | 'κ' => 'k',
        'ӏ' | 'ł' | '1' => 'l',
        'м' | 'μ' => 'm',
        'η' | 'п' | 'ո' => 'n',
        'о' | 'ο' | 'օ' | 'ø' | 'σ' | '0' => 'o',
        'р' | 'ρ' => 'p',
        'ԛ' => 'q',
        'г' => 'r',
        'ѕ' => 's',
        'т' | 'τ' => 't',
        'υ' | 'ս' => 'u',
        'ν' | 'ѵ' => 'v',
        'ԝ' | 'ω' | 'ш' => 'w',
        'х' | 'χ' => 'x',
        'у' | 'γ' | 'ү' => 'y',
        'ζ' => 'z',
        other => other,
    }
}

/// Length in Unicode scalar values after trimming and NFC.
pub fn length(text: &str) -> usize {
    let text = text.trim();
    if text.chars().all(token::is_plain) { text.chars().count() } else { text.nfc().count() }
}

/// Words by UAX-29, in order.
pub fn words(text: &str) -> impl Iterator<Item = &str> {
    text.unicode_words()
}

/// The same, each with where it begins.
pub fn placed_words(text: &str) -> impl Iterator<Item = (usize, &str)> {
    text.unicode_word_indices()
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

/// The keys of all runs of letters and figures in a text, as [`key`] gives them. The text is folded, or ASCII.
pub(crate) fn run_keys(text: &str, mut take: impl FnMut(u64)) {
    let is_letter = |c: char| match c {
        'а'..='я' | '\u{4e00}'..='\u{9fff}' => true,
        _ => c.is_alphanumeric(),
    };
    let (mut at, mut run) = (0, None);
    while let Some(byte) = text.as_bytes().get(at) {
        let (letter, width) = match byte {
            0..=0x7f => (byte.is_ascii_alphanumeric(), 1),
            0x80.. => text[at..].chars().next().map_or((false, 1), |c| (is_letter(c), c.len_utf8())),
        };
        match (letter, run) {
            (true, None) => run = Some(at),
            (false, Some(from)) => {
                take(key(&text[from..at]));
                run = None;
            }
            (true, Some(_)) | (false, None) => (),
        }
        at += width;
    }
    run.into_iter().for_each(|from| take(key(&text[from..])));
}

/// A key for a text, for as long as the process runs: texts with different ones differ even when they are folded. It is
/// made of eight bytes at a time, and an ASCII text need not be folded first.
pub(crate) fn key(text: &str) -> u64 {
    // Makes ASCII letters small, and some signs alike: whoever minds that looks at the texts themselves.
    const SMALL: u64 = 0x2020_2020_2020_2020;
    let mix = |key: u64, eight: u64| {
        let key = (key ^ (eight | SMALL)).wrapping_mul(0x9E37_79B9_7F4A_7C15);
        key ^ key >> 32
    };
    let mut eights = text.as_bytes().chunks_exact(8);
    let mut key = text.len() as u64;
    for eight in &mut eights {
        key = eight.try_into().map_or(key, |eight| mix(key, u64::from_le_bytes(eight)));
    }
    mix(key, eights.remainder().iter().fold(0, |last, byte| last << 8 | u64::from(*byte)))
}

/// The key of a text as [`fold`] leaves it, for most texts without folding them.
pub(crate) fn fold_key(text: &str) -> u64 {
    if text.is_ascii() && is_single_spaced(text) { key(text) } else { key(&fold(text)) }
}

/// Where FNV-1a begins, and what it multiplies by.
const FNV: (u64, u64) = (0xcbf2_9ce4_8422_2325, 0x0100_0000_01b3);

fn fnv(hash: u64, byte: u8) -> u64 {
    (hash ^ u64::from(byte)).wrapping_mul(FNV.1)
}

/// The same of bytes that are not at hand as a text.
pub(crate) fn number_of(bytes: impl Iterator<Item = u8>) -> u64 {
    bytes.fold(FNV.0, fnv)
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

#[cfg(test)]
mod tests {
    use unicode_normalization::UnicodeNormalization;

    use super::{fold, fold_key, is_single_spaced, key, length, one_line, run_keys};

    /// Texts of letters, blanks and signs of several scripts.
    fn texts() -> impl Iterator<Item = String> {
        let signs = "aZß0 \u{a0}\t\n\u{1c}.'’‘-–。，\u{3000}жЁЇÀéxe\u{301}\u{308}中ぁか\u{3099}ガ가١ａ１½ﬁΣς\u{200f}\u{2028}İ";
        let signs: Vec<char> = signs.chars().collect();
        let mut state = 0x9E37_79B9_7F4A_7C15_u64;
        let mut next = move || {
            state ^= state << 13;
            state ^= state >> 7;
            state ^= state << 17;
            state as usize
        };
        (0..60_000).map(move |_| (0..1 + next() % 7).map(|_| signs[next() % signs.len()]).collect())
    }

    #[test]
    fn the_short_ways_come_to_what_the_tables_say() {
        for text in texts() {
            let folded: String =
                text.nfkc().flat_map(char::to_uppercase).flat_map(char::to_lowercase).nfkc().collect();
            let folded = folded.split_whitespace().collect::<Vec<_>>().join(" ");
            assert_eq!(fold(&text), folded, "{text:?}");
            assert_eq!(length(&text), text.trim().nfc().count(), "{text:?}");
            let runs = folded.split(|c: char| !c.is_alphanumeric()).filter(|run| !run.is_empty());
            let mut keys = Vec::new();
            run_keys(&folded, |key| keys.push(key));
            assert_eq!(keys, runs.map(key).collect::<Vec<_>>(), "{text:?}");
            assert_eq!(fold_key(&text), key(&folded), "{text:?}");
            if text.is_ascii() {
                let mut unfolded = Vec::new();
                run_keys(&text, |key| unfolded.push(key));
                assert_eq!(unfolded, keys, "{text:?}");
            }
        }
    }

    #[test]
    fn what_is_left_as_it_is_would_come_out_the_same() {
        let kept = texts().filter(|text| is_single_spaced(text));
        let with_a_line = |text: &String| one_line(&format!("{text}\n"));
        let kept = kept.inspect(|text| assert_eq!(with_a_line(text), *text)).count();
        assert!(kept > 1_000, "{kept}");
    }
}
