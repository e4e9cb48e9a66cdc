//! The order of keys: by UTF-16 units, as RFC 8785 has it. It differs from the order of UTF-8 bytes only
//! beyond the basic plane, and there silently.
//! Keys are given as they stand in the text, escaped, between their quotes.

use std::cmp::Ordering;

/// Compares two keys as they stand in canonical text.
pub(super) fn compare(a: &str, b: &str) -> Ordering {
    let (one, two) = (a.as_bytes(), b.as_bytes());
    let same = one.iter().zip(two).take_while(|(one, two)| one == two).count();
    // Where nothing is escaped or beyond ASCII up to the place where they part, the bytes there tell.
    if one.iter().take(same + 1).chain(two.get(same)).all(plain) {
        one.get(same).cmp(&two.get(same))
    } else {
        units(a).cmp(&units(b))
    }
}

fn plain(byte: &u8) -> bool {
    byte.is_ascii() && *byte != b'\\'
}

fn units(key: &str) -> Vec<u16> {
    unescape(key).encode_utf16().collect()
}

/// The text that an escaped key stands for.
pub(super) fn unescape(key: &str) -> String {
    let mut out = String::with_capacity(key.len());
    let mut rest = key.chars();
    while let Some(c) = rest.next() {
        out.push(if c == '\\' { escaped(&mut rest) } else { c });
    }
    out
}

fn escaped(rest: &mut std::str::Chars<'_>) -> char {
    match rest.next() {
        Some('b') => '\u{8}',
        Some('t') => '\t',
        Some('n') => '\n',
        Some('f') => '\u{c}',
        Some('r') => '\r',
        Some('u') => {
            let code =
                rest.by_ref().take(4).filter_map(|digit| digit.to_digit(16)).fold(0, |sum, d| sum * 16 + d);
            char::from_u32(code).unwrap_or(char::REPLACEMENT_CHARACTER)
        }
        Some(itself) => itself,
        None => '\\',
    }
}
