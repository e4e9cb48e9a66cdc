//! Text in a header: a name may hold any letter, a header only ASCII. Written as in addresses, `%C5%BE` for `ž`.

/// Writes a text so that a header can carry it.
pub(crate) fn encode(text: &str) -> String {
    let mut written = String::with_capacity(text.len());
    for byte in text.bytes() {
        match byte {
            b'%' => written.push_str("%25"),
            b' '..=b'~' => written.push(char::from(byte)),
            other => written.push_str(&format!("%{other:02X}")),
        }
    }
    written
}

/// Writes a text so that one part of an address can carry it, whatever it holds.
pub(crate) fn segment(text: &str) -> String {
    let plain = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_' | b'.' | b'~');
    let written = text.bytes().map(|byte| match plain(byte) {
        true => char::from(byte).to_string(),
        false => format!("%{byte:02X}"),
    });
    written.collect()
}

/// Reads it back; none if it is not written so.
pub(crate) fn decode(written: &str) -> Option<String> {
    let mut bytes = Vec::with_capacity(written.len());
    let mut rest = written.as_bytes();
    while let [byte, behind @ ..] = rest {
        rest = match (byte, behind) {
            (b'%', [high, low, behind @ ..]) => {
                bytes.push(digit(*high)? << 4 | digit(*low)?);
                behind
            }
            (b'%', _) => return None,
            (byte, behind) => {
                bytes.push(*byte);
                behind
            }
        };
    }
    String::from_utf8(bytes).ok()
}

fn digit(byte: u8) -> Option<u8> {
    char::from(byte).to_digit(16).and_then(|digit| u8::try_from(digit).ok())
}
