//! Base 64 of RFC 4648, section 4: with padding, and one spelling for each value.

const DIGITS: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

/// Writes bytes as base 64.
pub fn encode(bytes: &[u8]) -> String {
    let mut text = String::with_capacity(bytes.len().div_ceil(3) * 4);
    append(&mut text, bytes);
    text
}

/// Adds bytes as base 64 to a text. Every acknowledgement is some twenty hashes, so four digits are added at once.
pub(super) fn append(text: &mut String, bytes: &[u8]) {
    let digit = |number: u32, place: u32| DIGITS[(number >> (18 - 6 * place)) as usize & 63];
    let (whole, rest) = bytes.as_chunks::<3>();
    let four = |word: &[u8; 3]| {
        let number = u32::from_be_bytes([0, word[0], word[1], word[2]]);
        [0, 1, 2, 3].map(|place| digit(number, place))
    };
    let mut add = |digits: &[u8; 4]| text.push_str(std::str::from_utf8(digits).unwrap_or_default());
    whole.iter().for_each(|word| add(&four(word)));
    if let [first, more @ ..] = rest {
        let mut digits = four(&[*first, more.first().copied().unwrap_or_default(), 0]);
        digits[rest.len() + 1..].fill(b'=');
        add(&digits);
    }
}

/// Reads base 64. None for anything that [`encode`] would not have written.
pub fn decode(text: &str) -> Option<Vec<u8>> {
    let digits = text.trim_end_matches('=');
    let mut bytes = Vec::with_capacity(text.len() / 4 * 3);
    let (mut held, mut bits) = (0_u32, 0);
    for digit in digits.bytes() {
        let value = match digit {
            b'A'..=b'Z' => digit - b'A',
            b'a'..=b'z' => digit - b'a' + 26,
            b'0'..=b'9' => digit - b'0' + 52,
            b'+' => 62,
            b'/' => 63,
            _ => return None,
        };
        held = held << 6 | u32::from(value);
        bits += 6;
        if bits >= 8 {
            bits -= 8;
            bytes.push((held >> bits) as u8);
            held &= (1 << bits) - 1;
        }
    }
    // Stray bits, too many or too few signs at the end would be a second spelling.
    (encode(&bytes) == text).then_some(bytes)
}
