//! Sentences by UAX-29 of text in the usual characters, without a look into the tables of all the others.
//!
//! A sentence with any character that is not known here is left to the tables; a test holds both against each other.

/// What a character is to the rules of sentences.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum SentenceClass {
    /// Ends a line and a sentence.
    Line,
    Blank,
    Lower,
    Upper,
    /// A letter without case.
    Letter,
    Figure,
    /// A full stop, which may belong to a number or an abbreviation.
    Stop,
    /// `!`, `?` and their like.
    Mark,
    /// Brackets and quotation marks.
    Close,
    /// Goes on with the sentence: a comma, a dash.
    Continues,
    Other,
}

fn class(c: char) -> Option<SentenceClass> {
    Some(match c {
        '\n' | '\r' => SentenceClass::Line,
        ' ' | '\t' | '\u{b}' | '\u{c}' => SentenceClass::Blank,
        'a'..='z' | 'ß'..='ö' | 'ø'..='ÿ' | 'а'..='џ' => SentenceClass::Lower,
        'A'..='Z' | 'À'..='Ö' | 'Ø'..='Þ' | 'Ѐ'..='Я' => SentenceClass::Upper,
        'ぁ'..='ゖ' | 'ァ'..='ヺ' | '\u{4e00}'..='\u{9fff}' => SentenceClass::Letter,
        '0'..='9' => SentenceClass::Figure,
        '.' => SentenceClass::Stop,
        '!' | '?' | '。' | '！' | '？' => SentenceClass::Mark,
        '('
        | ')'
        | '['
        | ']'
        | '{'
        | '}'
        | '"'
        | '\''
        | '«'
        | '»'
        | '‘'
        | '’'
        | '“'
        | '”'
        | '„'
        | '「'..='』'
        | '（'
        | '）' => SentenceClass::Close,
        ',' | '-' | ':' | ';' | '–' | '—' | '、' | '，' | '：' => SentenceClass::Continues,
        '\0'..='\u{7f}' => SentenceClass::Other,
        _ => return None,
    })
}

/// Bytes at which a sentence may end, and all beyond ASCII.
static ENDS: [bool; 256] = {
    let mut ends = [true; 256];
    let mut byte = 0;
    while byte < 128 {
        ends[byte] = matches!(byte as u8, b'\n' | b'\r' | b'.' | b'!' | b'?');
        byte += 1;
    }
    ends
};

/// The length of the first sentence of a text that is not empty, with the blanks after it; `None` where it takes the tables
/// to tell.
pub(super) fn first(text: &str) -> Option<usize> {
    let bytes = text.as_bytes();
    let mut before = SentenceClass::Other;
    let mut at = 0;
    loop {
        // Of plain letters and signs that end nothing only the last one matters.
        let plain = bytes[at..].iter().position(|byte| ENDS[usize::from(*byte)]).unwrap_or(text.len() - at);
        if plain > 0 {
            at += plain;
            before = class(char::from(bytes[at - 1]))?;
        }
        let Some(c) = text[at..].chars().next() else { break };
        let next = at + c.len_utf8();
        let class = class(c)?;
        match class {
            SentenceClass::Line if c == '\r' && bytes.get(next) == Some(&b'\n') => return Some(next + 1),
            SentenceClass::Line => return Some(next),
            SentenceClass::Stop | SentenceClass::Mark => {
                let (more, ends) = after_end(&text[next..], class == SentenceClass::Stop, before)?;
                if ends {
                    return Some(next + more);
                }
                // What was passed over are brackets and blanks, after which a capital does not belong to an abbreviation.
                before = if more == 0 { class } else { SentenceClass::Other };
                at = next + more;
            }
            SentenceClass::Blank
            | SentenceClass::Lower
            | SentenceClass::Upper
            | SentenceClass::Letter
            | SentenceClass::Figure
            | SentenceClass::Close
            | SentenceClass::Continues
            | SentenceClass::Other => (before, at) = (class, next),
        }
    }
    Some(text.len())
}

/// How far what closes a sentence reaches after its mark, and whether the sentence ends there.
fn after_end(rest: &str, stop: bool, before: SentenceClass) -> Option<(usize, bool)> {
    let mut at = 0;
    let mut blanks = false;
    let next = loop {
        let Some(c) = rest[at..].chars().next() else { return Some((at, true)) };
        match class(c)? {
            SentenceClass::Close if !blanks => (),
            SentenceClass::Blank => blanks = true,
            other => break other,
        }
        at += c.len_utf8();
    };
    let goes_on = match next {
        // The line ends the sentence by itself.
        SentenceClass::Line | SentenceClass::Stop | SentenceClass::Mark | SentenceClass::Continues => true,
        SentenceClass::Figure if stop && at == 0 => true,
        SentenceClass::Upper
            if stop && at == 0 && matches!(before, SentenceClass::Upper | SentenceClass::Lower) =>
        {
            true
        }
        _ => stop && begins_small(&rest[at..])?,
    };
    Some((at, !goes_on))
}

/// Whether the next letter is a small one, before anything that ends a sentence.
fn begins_small(rest: &str) -> Option<bool> {
    for c in rest.chars() {
        match class(c)? {
            SentenceClass::Lower => return Some(true),
            SentenceClass::Upper
            | SentenceClass::Letter
            | SentenceClass::Line
            | SentenceClass::Stop
            | SentenceClass::Mark => return Some(false),
            SentenceClass::Blank
            | SentenceClass::Figure
            | SentenceClass::Close
            | SentenceClass::Continues
            | SentenceClass::Other => (),
        }
    }
    Some(false)
}

#[cfg(test)]
mod tests {
    use unicode_segmentation::UnicodeSegmentation;

    use super::{class, first};

    fn cut(text: &str) -> Vec<&str> {
        let (mut rest, mut found) = (text, Vec::new());
        while !rest.is_empty() {
            let tables = || rest.split_sentence_bounds().next().map_or(rest.len(), str::len);
            let (sentence, after) = rest.split_at(first(rest).unwrap_or_else(tables));
            found.push(sentence);
            rest = after;
        }
        found
    }

    fn check(text: &str) {
        assert_eq!(cut(text), text.split_sentence_bounds().collect::<Vec<_>>(), "{text:?}");
    }

    #[test]
    fn every_known_character_is_what_the_tables_say() {
        let known = (0..0x1_0000).filter_map(char::from_u32).filter(|c| class(*c).is_some());
        for c in known {
            for around in [
                "a. #b", "a.#B", "a! #", "a. # b", "#.B", "#. b", "a.# B", "a?#b C", "1.#", "# a", ".#.a",
                "a. \"# B",
            ] {
                check(&around.replace('#', c.encode_utf8(&mut [0; 4])));
            }
        }
    }

    #[test]
    fn sentences_end_where_the_tables_end_them() {
        let signs: Vec<char> =
            "..!?  aAbZ09)(\"',-:;\n\r\t«»“’—、。，яЖ中ぁ！：\u{b}%é\u{301}\u{2028}\u{85}\u{ad}…"
                .chars()
                .collect();
        let mut state = 0x9E37_79B9_7F4A_7C15_u64;
        let mut next = || {
            state ^= state << 13;
            state ^= state >> 7;
            state ^= state << 17;
            state as usize
        };
        for _ in 0..40_000 {
            let length = 1 + next() % 9;
            check(&(0..length).map(|_| signs[next() % signs.len()]).collect::<String>());
        }
    }
}
