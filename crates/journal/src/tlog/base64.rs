//! Base 64 of RFC 4648, section 4: with padding, and one spelling for each value.

const DIGITS: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
/// So many bytes are written at once: a hash fits in. Divisible by three.
const PART: usize = 36;

/// Writes bytes as base 64.
pub fn encode(bytes: &[u8]) -> String {
    let mut text = String::with_capacity(bytes.len().div_ceil(3) * 4);
    append(&mut text, bytes);
    text
}

/// Adds bytes as base 64 to a text.
pub(super) fn append(text: &mut String, bytes: &[u8]) {
    let digits_of = |[one, two, three]: [u8; 3]| {
        let number = u32::from(one) << 16 | u32::from(two) << 8 | u32::from(three);
        [18, 12, 6, 0].map(|shift| DIGITS[(number >> shift) as usize & 63])
    };
    for part in bytes.chunks(PART) {
        let mut digits = [b'='; PART / 3 * 4];
        let (words, rest) = part.as_chunks::<3>();
        let mut fours = digits.as_chunks_mut::<4>().0.iter_mut();
        for (word, four) in words.iter().zip(&mut fours) {
            *four = digits_of(*word);
        }
        if let (false, Some(four)) = (rest.is_empty(), fours.next()) {
            let word = [rest[0], rest.get(1).copied().unwrap_or_default(), 0];
            four[..=rest.len()].copy_from_slice(&digits_of(word)[..=rest.len()]);
        }
        let written = &digits[..part.len().div_ceil(3) * 4];
        text.push_str(std::str::from_utf8(written).unwrap_or_default());
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
