//! Edits that make a quote say something else: another number, one `not` more or less, `>=` for `<=`, `unsafe` for `safe`.
//!
//! Likeness counts characters, and such an edit is one or two of them. So a quote that was found with edits is compared word by
//! word with what stands there, and only the words that differ are judged. Slips of the pen pass. So does a word or number that the
//! quote cuts at its ends.
//!
//! To teach it a word: `altered_lists.rs`.

use std::ops::Range;

use super::altered_lists::{GROUPS, MOVABLE, NEGATIONS, NUMBER_WORDS, OPPOSITE_PREFIXES, OPPOSITES, UNITS};
use crate::kernel::{prose, text};

/// What a piece of text is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum PieceKind {
    Word,
    Number,
    /// `<`, `!=`, `&&`.
    Operator,
    /// A sign that denies what follows it: the `!` of `!ready`.
    Denial,
    /// Punctuation, which nobody is judged by.
    Mark,
}

/// A word, a number or a sign.
#[derive(Debug, Clone, PartialEq, Eq)]
struct TextPiece {
    kind: PieceKind,
    /// Folded.
    text: String,
}

/// Whether the edits between a quote and what was found for it change what it says.
pub(super) fn is_altered(quote: &str, found: &str) -> bool {
    let (quoted, stands) = (pieces(quote), pieces(found));
    let alike = |at: &(Range<usize>, Range<usize>)| {
        let place = DifferingWords { quoted: &quoted, stands: &stands, at };
        place.is_cut() || !place.changes_meaning()
    };
    let differing = differences(&quoted, &stands);
    !differing.iter().all(alike)
        || moves_words(&quoted, &stands, &differing)
        || moves_operators(&quoted, &stands)
}

/// Whether the same number of signs stands in another order: `a || b && c` for `a && b || c`.
fn moves_operators(quoted: &[TextPiece], stands: &[TextPiece]) -> bool {
    let signs = |side: &[TextPiece]| {
        let signs = side.iter().filter(|piece| piece.kind == PieceKind::Operator);
        signs.map(|piece| piece.text.clone()).collect::<Vec<_>>()
    };
    let (own, there) = (signs(quoted), signs(stands));
    own.len() == there.len() && own != there
}

/// Whether a word stands on the other side of other words: `Bob told Alice` for `Alice told Bob`.
fn moves_words(
    quoted: &[TextPiece],
    stands: &[TextPiece],
    differing: &[(Range<usize>, Range<usize>)],
) -> bool {
    let weighs = |piece: &&TextPiece| {
        piece.kind == PieceKind::Word
            && piece.text.chars().count() >= 3
            && !MOVABLE.contains(&piece.text.as_str())
    };
    differing.iter().enumerate().any(|(at, (own, _))| {
        quoted[own.clone()].iter().filter(weighs).any(|word| {
            let elsewhere = differing.iter().enumerate().filter(|(other, _)| *other != at);
            elsewhere.flat_map(|(_, (_, there))| &stands[there.clone()]).any(|piece| piece == word)
        })
    })
}

/// Words of a quote, and those that stand in their place.
struct DifferingWords<'a> {
    quoted: &'a [TextPiece],
    stands: &'a [TextPiece],
    at: &'a (Range<usize>, Range<usize>),
}

impl DifferingWords<'_> {
    fn sides(&self) -> [&[TextPiece]; 2] {
        [&self.quoted[self.at.0.clone()], &self.stands[self.at.1.clone()]]
    }

    /// Whether the quote only begins or ends inside of a word. The end of a number is another number, and `safe` is not the end of
    /// `unsafe`.
    fn is_cut(&self) -> bool {
        let (first, last) = (self.at.0.start == 0, self.at.0.end == self.quoted.len());
        let part = |own: &TextPiece, there: &TextPiece| {
            own.kind == PieceKind::Word
                && there.kind == PieceKind::Word
                && number(own).is_none()
                && !denies(there)
                && !turns_round(std::slice::from_ref(own), std::slice::from_ref(there))
        };
        match self.sides() {
            [quoted, stands] if first || last => match (quoted, stands) {
                ([own], [.., there]) if first && there.text.ends_with(&own.text) => part(own, there),
                ([own], [there, ..]) if last && there.text.starts_with(&own.text) => part(own, there),
                _ => quoted.iter().all(|piece| piece.kind == PieceKind::Mark),
            },
            _ => false, // in the middle
        }
    }

    fn changes_meaning(&self) -> bool {
        let [quoted, stands] = self.sides();
        let count = |side: &[TextPiece]| side.iter().filter(|piece| denies(piece)).count();
        count(quoted) != count(stands)
            || self.changes_number()
            || self.changes_unit()
            || changes_operator(quoted, stands)
            || self.changes_sum()
            || GROUPS.iter().any(|group| changes_member(quoted, stands, group))
            || turns_round(quoted, stands)
    }

    /// Digits count wherever they differ. Number words count only against another number: `two` may be a slip for `too`.
    fn changes_number(&self) -> bool {
        let [quoted, stands] = self.sides();
        let digits = |side: &[TextPiece]| side.iter().any(|piece| piece.kind == PieceKind::Number);
        let (own, there) = (numbers(quoted), numbers(stands));
        let judged = digits(quoted) || digits(stands) || !own.is_empty() && !there.is_empty();
        judged && own != there && !is_footnote(quoted, stands)
    }

    fn changes_unit(&self) -> bool {
        let unit = |all: &[TextPiece], at: &Range<usize>| {
            // `5 kg`, `20 °C`, `30 MB/s`, `15 requests per hour`.
            let behind_number = |at: &usize| match at.checked_sub(1).map(|before| &all[before]) {
                Some(before) if number(before).is_some() => true,
                Some(before) => ["°", "/", "per", "pro", "je"].contains(&before.text.as_str()),
                None => false,
            };
            let known = at.clone().filter(behind_number).find_map(|at| unit_named(&all[at].text));
            known.map(str::to_string)
        };
        match (unit(self.quoted, &self.at.0), unit(self.stands, &self.at.1)) {
            (Some(own), Some(there)) => own != there,
            (Some(_), None) | (None, Some(_)) | (None, None) => false,
        }
    }
}

impl DifferingWords<'_> {
    /// `a - b` for `a + b`. A sign that only marks the items of a list stands before a word and behind no operand.
    fn changes_sum(&self) -> bool {
        let sign = |side: &[TextPiece]| match side {
            [one] if "+-*/^".contains(one.text.as_str()) => Some(one.text.clone()),
            _ => None, // more than a sign
        };
        let operand = |at: Option<usize>| {
            let piece = at.and_then(|at| self.quoted.get(at));
            piece.is_some_and(|piece| piece.kind == PieceKind::Number || piece.text.chars().count() == 1)
        };
        let near = operand(self.at.0.start.checked_sub(1)) || operand(Some(self.at.0.end));
        match self.sides().map(sign) {
            [Some(own), Some(there)] => {
                own != there && (near || [own, there].iter().any(|one| one == "+" || one == "/"))
            }
            _ => false, // words
        }
    }
}

fn denies(piece: &TextPiece) -> bool {
    let word = piece.text.as_str();
    match piece.kind {
        PieceKind::Denial => true,
        PieceKind::Word => NEGATIONS.contains(&word) || word.ends_with("n't"),
        PieceKind::Number | PieceKind::Operator | PieceKind::Mark => false,
    }
}

fn number(piece: &TextPiece) -> Option<&str> {
    match piece.kind {
        PieceKind::Number => Some(piece.text.as_str()),
        PieceKind::Word => {
            let known = NUMBER_WORDS.iter().find(|(word, _)| *word == piece.text).map(|(_, digits)| *digits);
            known.or_else(|| is_joined_number(&piece.text).then_some(piece.text.as_str()))
        }
        PieceKind::Operator | PieceKind::Denial | PieceKind::Mark => None,
    }
}

/// `einundzwanzig`, `zweihundert`.
fn is_joined_number(word: &str) -> bool {
    let known = |part: &str| part == "ein" || NUMBER_WORDS.iter().any(|(word, _)| *word == part);
    let joined = |between: &str| {
        word.match_indices(between).any(|(at, _)| known(&word[..at]) && known(&word[at + between.len()..]))
    };
    joined("und") || ["hundert", "tausend"].iter().any(|end| word.strip_suffix(end).is_some_and(known))
}

fn numbers(side: &[TextPiece]) -> Vec<&str> {
    side.iter().filter_map(number).collect()
}

/// The unit without the ending of its plural.
fn unit_named(word: &str) -> Option<&str> {
    let plain = ["s", "en", "e", "n"].iter().find_map(|ending| {
        let stem = word.strip_suffix(ending)?;
        UNITS.contains(&stem).then_some(stem)
    });
    UNITS.contains(&word).then_some(word).or(plain)
}

/// `[3]` that one side leaves out.
fn is_footnote(quoted: &[TextPiece], stands: &[TextPiece]) -> bool {
    let note = |side: &[TextPiece]| match side {
        [open, inner, close] => open.text == "[" && inner.kind == PieceKind::Number && close.text == "]",
        _ => false, // more, or less
    };
    quoted.is_empty() && note(stands) || stands.is_empty() && note(quoted)
}

/// A sign on one side alone is a mark of quotation or of a tag rather than a comparison.
fn changes_operator(quoted: &[TextPiece], stands: &[TextPiece]) -> bool {
    let operators = |side: &[TextPiece]| {
        let signs = side.iter().filter(|piece| piece.kind == PieceKind::Operator);
        signs.map(|piece| piece.text.clone()).collect::<Vec<_>>()
    };
    let (own, there) = (operators(quoted), operators(stands));
    !own.is_empty() && !there.is_empty() && own != there
}

/// Whether one word of a group stands for another: `must` for `may`, `true` for `false`.
fn changes_member(quoted: &[TextPiece], stands: &[TextPiece], group: &[&str]) -> bool {
    let members = |side: &[TextPiece]| {
        let known = side.iter().filter(|piece| group.contains(&piece.text.as_str()));
        known.map(|piece| piece.text.clone()).collect::<Vec<_>>()
    };
    let (own, there) = (members(quoted), members(stands));
    !own.is_empty() && !there.is_empty() && own != there
}

/// Whether a word became its opposite by what it begins or ends with: `unsafe`, `harmless`.
fn turns_round(quoted: &[TextPiece], stands: &[TextPiece]) -> bool {
    let words = |side: &[TextPiece]| {
        let words = side.iter().filter(|piece| piece.kind == PieceKind::Word);
        words.map(|piece| piece.text.clone()).collect::<Vec<_>>()
    };
    let (own, there) = (words(quoted), words(stands));
    // `in side` for `inside` is a slip.
    own.concat() != there.concat()
        && own.iter().any(|one| there.iter().any(|other| are_opposites(one, other)))
}

fn are_opposites(one: &str, other: &str) -> bool {
    let (short, long) = if one.len() < other.len() { (one, other) } else { (other, one) };
    let prefixed = long
        .strip_suffix(short)
        .is_some_and(|prefix| short.chars().count() >= 4 && OPPOSITE_PREFIXES.contains(&prefix));
    let swapped = |full: &str, empty: &str| {
        let stems =
            [(one, other), (other, one)].map(|(a, b)| a.strip_suffix(full).zip(b.strip_suffix(empty)));
        stems.into_iter().flatten().any(|(a, b)| a == b && !a.is_empty())
    };
    // `worthless` has no worth.
    let emptied = long.strip_prefix(short).is_some_and(|end| ["less", "los"].contains(&end));
    // A few letters behind the beginning are its forms: `decrypts`, `decrypted`.
    let form = |word: &str, start: &str| word.strip_prefix(start).is_some_and(|end| end.chars().count() <= 4);
    let named =
        OPPOSITES.iter().any(|(a, b)| form(one, a) && form(other, b) || form(one, b) && form(other, a));
    prefixed
        || emptied
        || named
        || prose::against(one, other)
        || swapped("ful", "less")
        || swapped("voll", "los")
}

/// A text cut into pieces.
fn pieces(written: &str) -> Vec<TextPiece> {
    let folded = text::fold(written).replace(['’', 'ʼ', '‘'], "'");
    let seen: Vec<char> = folded.chars().filter(|c| c.is_whitespace() || !text::is_invisible(*c)).collect();
    let mut found = Vec::new();
    let mut at = 0;
    while at < seen.len() {
        let (kind, length) = piece_at(&seen, at);
        if let Some(kind) = kind {
            let text = seen[at..at + length].iter().collect::<String>().replace(['−', '–'], "-");
            let text = if kind == PieceKind::Number { ungrouped(text) } else { text };
            found.push(TextPiece { kind, text });
        }
        at += length;
    }
    found
}

/// `1,000` is `1000` and `1,5` is `1.5`.
fn ungrouped(number: String) -> String {
    let Some((whole, parts)) = number.split_once(',') else { return number };
    match parts.split(',').map(str::len).collect::<Vec<_>>()[..] {
        [3] if whole != "0" => format!("{whole}{parts}"),
        [1 | 2] => format!("{whole}.{parts}"),
        _ => number, // a list, or more
    }
}

/// What the piece at a place is, and how many characters it takes. White space and `_` part words and are none.
fn piece_at(seen: &[char], at: usize) -> (Option<PieceKind>, usize) {
    let c = seen[at];
    let run =
        |from: usize, fits: &dyn Fn(usize) -> bool| (from..seen.len()).take_while(|at| fits(*at)).count();
    let next = |at: usize| seen.get(at + 1).copied().unwrap_or(' ');
    let before = at.checked_sub(1).map_or(' ', |at| seen[at]);
    let signed = matches!(c, '-' | '−' | '–')
        && is_digit(next(at))
        && (before.is_whitespace() || "([{=<>:,*/".contains(before));
    match c {
        _ if c.is_whitespace() || c == '_' => (None, 1),
        _ if is_digit(c) || signed => {
            let inside =
                |at: usize| is_digit(seen[at]) || matches!(seen[at], '.' | ',' | ':') && is_digit(next(at));
            (Some(PieceKind::Number), 1 + run(at + 1, &inside))
        }
        '%' | '‰' | '°' | '€' | '$' | '£' => (Some(PieceKind::Word), 1),
        _ if is_syllabic(c) => (Some(PieceKind::Word), 1),
        _ if c.is_alphabetic() => {
            let letter = |c: char| c.is_alphabetic() && !is_syllabic(c) && !is_digit(c);
            let inside = |at: usize| letter(seen[at]) || seen[at] == '\'' && letter(next(at));
            (Some(PieceKind::Word), 1 + run(at + 1, &inside))
        }
        _ if is_operator(c) => {
            let length = run(at, &|at| is_operator(seen[at]));
            (Some(operator_kind(&seen[at..], length, before)), length)
        }
        _ => (Some(PieceKind::Mark), 1),
    }
}

/// `!ready` denies, `Stop!` and `vec!(` do not.
fn operator_kind(from: &[char], length: usize, before: char) -> PieceKind {
    if length > 1 || !matches!(from[0], '!' | '¬') {
        return PieceKind::Operator;
    }
    let behind = from.get(1).copied().unwrap_or(' ');
    match !before.is_alphanumeric() && (behind.is_alphanumeric() || "_(".contains(behind)) {
        true => PieceKind::Denial,
        false => PieceKind::Mark,
    }
}

fn is_digit(c: char) -> bool {
    c.is_numeric() || "〇一二三四五六七八九十百千万".contains(c)
}

fn is_operator(c: char) -> bool {
    "<>=!&|≤≥≠¬".contains(c)
}

/// Scripts that are written without blanks: every character is a piece.
fn is_syllabic(c: char) -> bool {
    matches!(c, '\u{3040}'..='\u{30ff}' | '\u{3400}'..='\u{9fff}' | '\u{f900}'..='\u{faff}' | '\u{20000}'..='\u{3ffff}')
}

/// Whether a word goes on across a place between these characters.
pub(super) fn goes_on(before: char, behind: char) -> bool {
    let belongs = |c: char| c.is_alphanumeric() && !is_syllabic(c);
    belongs(before) && belongs(behind)
}

/// Where two rows of pieces differ, as ranges of both.
fn differences(one: &[TextPiece], other: &[TextPiece]) -> Vec<(Range<usize>, Range<usize>)> {
    let shared = common(one, other);
    let mut found = Vec::new();
    let (mut from, mut start) = (0, 0);
    for (at, place) in shared.into_iter().chain([(one.len(), other.len())]) {
        if from < at || start < place {
            found.push((from..at, start..place));
        }
        (from, start) = (at + 1, place + 1);
    }
    found
}

/// The longest row of pieces that both have in this order, by their places. A quote has at most a thousand pieces.
fn common(one: &[TextPiece], other: &[TextPiece]) -> Vec<(usize, usize)> {
    let width = other.len() + 1;
    let mut longest = vec![0_u16; (one.len() + 1) * width];
    for (at, piece) in one.iter().enumerate().rev() {
        for (place, there) in other.iter().enumerate().rev() {
            longest[at * width + place] = match piece == there {
                true => longest[(at + 1) * width + place + 1] + 1,
                false => longest[(at + 1) * width + place].max(longest[at * width + place + 1]),
            };
        }
    }
    let (mut at, mut place) = (0, 0);
    let mut found = Vec::new();
    while at < one.len() && place < other.len() {
        if one[at] == other[place] {
            found.push((at, place));
            (at, place) = (at + 1, place + 1);
        } else if longest[(at + 1) * width + place] >= longest[at * width + place + 1] {
            at += 1;
        } else {
            place += 1;
        }
    }
    found
}
