//! Distance and place of quotes, held against plain dynamic programming; and work that stays bounded.

use proptest::prelude::*;
use proptest::test_runner::Config;
use synod_core::evidence::{Needle, PlainText, QUOTE_MOST, QuoteFlaw, TextMatch};

/// The definition, as simply as it can be written: for every end the lowest distance of the quote to a part of the text
/// that ends there; of the lowest the first; of its beginnings the earliest.
fn plainly(quote: &str, text: &str, most: u32) -> Option<TextMatch> {
    let (quote, chars): (Vec<char>, Vec<char>) = (quote.chars().collect(), text.chars().collect());
    let free = table(&quote, &chars, |_| 0);
    let (distance, end) = (0..=chars.len()).map(|end| (free[end], end)).min()?;
    if distance > most as usize || distance >= quote.len() {
        return None;
    }
    let (mut reversed, mut before) = (quote, chars[..end].to_vec());
    reversed.reverse();
    before.reverse();
    let bound = table(&reversed, &before, |length| length);
    let length = (0..=end).rev().find(|length| bound[*length] == distance)?;
    let byte = |nth: usize| text.char_indices().nth(nth).map_or(text.len(), |(at, _)| at);
    Some(TextMatch { distance: distance as u32, start: byte(end - length), end: byte(end) })
}

/// The last row of the table, where the first row is given.
fn table(quote: &[char], text: &[char], first: impl Fn(usize) -> usize) -> Vec<usize> {
    let mut row: Vec<usize> = (0..=text.len()).map(first).collect();
    for (i, wanted) in quote.iter().enumerate() {
        let mut diagonal = std::mem::replace(&mut row[0], i + 1);
        for (j, c) in text.iter().enumerate() {
            let change = diagonal + usize::from(wanted != c);
            diagonal = row[j + 1];
            row[j + 1] = change.min(diagonal + 1).min(row[j] + 1);
        }
    }
    row
}

fn same(quote: &str, text: &str) {
    let Ok(needle) = Needle::new(quote) else { return };
    let plain = PlainText::of(text);
    let m = needle.length();
    for most in [(m - 1) / 5, m / 2, m / 16, 1, m] {
        assert_eq!(
            needle.find(&plain, most),
            plainly(needle.as_str(), plain.as_str(), most),
            "{quote:?} in {text:?}, at most {most}"
        );
    }
}

/// A quote from a text with some edits in it.
fn edited(text: &[char], from: usize, length: usize, edits: &[(usize, u8, char)]) -> String {
    let from = from % text.len().max(1);
    let mut quote: Vec<char> = text[from..].iter().copied().take(length).collect();
    for (at, kind, c) in edits {
        let at = at % (quote.len() + 1);
        match kind % 3 {
            0 => quote.insert(at, *c),
            1 if at < quote.len() => quote[at] = *c,
            _ if at < quote.len() => drop(quote.remove(at)),
            _ => (),
        }
    }
    quote.into_iter().collect()
}

fn edits(most: usize) -> impl Strategy<Value = Vec<(usize, u8, char)>> {
    prop::collection::vec(
        (0usize..2000, 0u8..3, prop::sample::select(vec!['a', 'e', ' ', 'ж', '字', '😀'])),
        0..most,
    )
}

/// Words of several languages, so that texts look like texts.
const WORDS: [&str; 40] = [
    "the",
    "of",
    "and",
    "to",
    "in",
    "that",
    "which",
    "council",
    "decides",
    "quickly",
    "der",
    "die",
    "und",
    "Größe",
    "Übersicht",
    "Straße",
    "nicht",
    "решение",
    "совет",
    "и",
    "в",
    "который",
    "быстро",
    "ёлка",
    "决定",
    "议会",
    "快速",
    "하나",
    "결정",
    "مجلس",
    "قرار",
    "naïve",
    "déjà",
    "ΣΊΣΥΦΟΣ",
    "😀",
    "👩\u{200d}🚀",
    "x = y;",
    "fn main()",
    "…",
    "—",
];

fn text(words: impl Into<prop::collection::SizeRange>) -> impl Strategy<Value = String> {
    let blank = prop::sample::select(vec![" ", " ", " ", "\n", "\r\n", "  ", "\t", "\u{a0}", "\n\n"]);
    prop::collection::vec((prop::sample::select(WORDS.to_vec()), blank), words)
        .prop_map(|pairs| pairs.into_iter().map(|(word, blank)| format!("{word}{blank}")).collect())
}

proptest! {
    #![proptest_config(Config { cases: 200, ..Config::default() })]

    #[test]
    fn as_plain_dynamic_programming_in_small_alphabets(quote in "[ab]{1,90}", text in "[abc ]{0,160}") {
        same(&quote, &text);
    }

    #[test]
    fn as_plain_dynamic_programming_in_any_characters(quote in "\\PC{1,30}", text in "\\PC{0,80}") {
        same(&quote, &text);
    }

    #[test]
    fn as_plain_dynamic_programming_in_many_languages(
        text in text(1..120), from in 0usize..2000, length in 1usize..260, edits in edits(40)
    ) {
        let chars: Vec<char> = text.chars().collect();
        same(&edited(&chars, from, length, &edits), &text);
    }
}

proptest! {
    #![proptest_config(Config { cases: 24, ..Config::default() })]

    /// Long enough that pieces and grams leave most of the text alone.
    #[test]
    fn filters_lose_nothing_in_long_texts(
        text in text(500..900), from in 0usize..5000, length in 60usize..320, edits in edits(60)
    ) {
        let chars: Vec<char> = text.chars().collect();
        same(&edited(&chars, from, length, &edits), &text);
    }

    #[test]
    fn filters_lose_nothing_in_ascii(
        words in prop::collection::vec("[a-z]{1,9}", 500..900), from in 0usize..4000, length in 60usize..320, edits in edits(64)
    ) {
        let text = words.join(" ");
        let chars: Vec<char> = text.chars().collect();
        let quote = edited(&chars, from, length, &edits).replace(|c: char| !c.is_ascii(), "q");
        same(&quote, &text);
    }

    /// A text that is searched as it is holds a quote where it does when made plain: the first place, in the same lines.
    #[test]
    fn quotes_are_found_as_they_are_where_they_are_found_in_plain_text(
        text in "[ab]([ab \\n\\t\\r\\x0b]|  ){0,60}[ab]", from in 0usize..60, length in 1usize..30
    ) {
        let chars: Vec<char> = text.chars().collect();
        let quote: String = chars[from % chars.len()..].iter().take(length).collect();
        prop_assume!(!quote.trim().is_empty());
        let plain = PlainText::of(&text);
        let place = Needle::new(&quote).unwrap().find(&plain, 0).expect("it was taken from there");
        let found = super::found(&text, None, Some(&quote)).quote.expect("it was taken from there");
        let lines = (plain.line_at(place.start) as u32, plain.line_at(place.end - 1) as u32);
        prop_assert_eq!((found.distance, (found.first_line, found.last_line)), (0, lines), "{:?}", quote);
        // Words that the quote cuts are whole.
        prop_assert!(found.text.contains(&plain.as_str()[place.start..place.end]), "{:?}", found.text);
    }

    /// Any text comes out plain: no run of white space, none at the ends, and every place has a line that holds it.
    #[test]
    fn plain_text_is_plain(raw in "[ a-c\\u{e9}e\\u{301}\\r\\n\\t\\u{a0}\\u{3000}]{0,80}") {
        let plain = PlainText::of(&raw);
        prop_assert_eq!(plain.line_count(), raw.lines().count());
        prop_assert!(!plain.as_str().contains("  ") && plain.as_str().trim() == plain.as_str());
        prop_assert!(!plain.as_str().contains(|c: char| c.is_whitespace() && c != ' '));
        prop_assert!(PlainText::of(plain.as_str()).as_str() == plain.as_str());
        let lines: Vec<PlainText> = raw.lines().map(PlainText::of).collect();
        for (at, c) in plain.as_str().char_indices().filter(|(_, c)| *c != ' ') {
            prop_assert!(lines[plain.line_at(at) - 1].as_str().contains(c));
        }
    }
}

#[test]
fn what_is_searched_for_has_bounds() {
    assert_eq!(Needle::new(" \n ").unwrap_err(), QuoteFlaw::Empty);
    assert_eq!(Needle::new(&"ж".repeat(QUOTE_MOST)).unwrap().length(), 1000);
    assert_eq!(Needle::new(&"ж".repeat(QUOTE_MOST + 1)).unwrap_err(), QuoteFlaw::TooLong { length: 1001 });
}

#[test]
fn texts_without_words_hold_nothing() {
    let needle = Needle::new("something").unwrap();
    for text in ["", " ", "\n\n"] {
        assert_eq!(needle.find(&PlainText::of(text), 9), None, "{text:?}");
    }
    assert_eq!(needle.find(&PlainText::of("some"), 9).map(|found| found.distance), Some(5));
}

/// Steps are not counted, so time is: a quadratic search of these would take hours, and this takes seconds even without
/// optimisation.
#[test]
fn hostile_texts_cost_no_more_than_one_comparison() {
    let begun = std::time::Instant::now();
    let long = |piece: &str| piece.repeat(60_000 / piece.len());
    let half = "a".repeat(QUOTE_MOST / 2);
    for (text, quote) in [
        (long("a"), format!("{half}b{half}").chars().take(QUOTE_MOST).collect::<String>()),
        (long("a"), "b".repeat(QUOTE_MOST)),
        (long("ab"), "ba".repeat(QUOTE_MOST / 2) + ""),
        (long("a "), "a a b ".repeat(160)),
        (long("ж"), format!("{}ю", "ж".repeat(QUOTE_MOST - 1))),
        (long("abcabcabd"), "abcabcabcabd".repeat(80)),
    ] {
        let (needle, text) = (Needle::new(&quote).unwrap(), PlainText::of(&text));
        for most in [(needle.length() - 1) / 5, needle.length() / 2] {
            let found = needle.find(&text, most);
            assert!(found.is_none_or(|found| found.distance <= most));
        }
    }
    assert!(begun.elapsed().as_secs() < 60, "{:?}", begun.elapsed());
}
