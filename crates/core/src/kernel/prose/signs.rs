//! Signs that change what the words beside them say: `-5`, `x < 5`, `a != b`, `5 %`, `$5`, `C++`, `2 * 3`, and a question mark.
//!
//! Words are compared without signs (`token.rs`). So texts that are the same words are held against each other by their
//! signs as well: each with the number it belongs to, in no order. Sooner different than equal.

use super::super::text::number as hash;

/// The signs of a folded text, sorted.
pub(super) fn signs(folded: &str) -> Vec<u64> {
    let mut found = Vec::new();
    let (mut before, mut starts_line, mut passed) = (None, true, 0);
    for (at, c) in folded.char_indices() {
        if at >= passed && !c.is_ascii_alphanumeric() && c != ' ' {
            let here = SignPlace { before, starts_line, text: folded, at, c };
            if let Some((sign, length)) = here.sign() {
                found.push(hash(&sign));
                passed = at + length;
            }
        }
        starts_line = c == '\n' || starts_line && c.is_whitespace();
        before = Some(c);
    }
    found.sort_unstable();
    found
}

/// A character where it stands.
struct SignPlace<'a> {
    before: Option<char>,
    starts_line: bool,
    text: &'a str,
    at: usize,
    c: char,
}

impl SignPlace<'_> {
    /// What stands here, and how many bytes it takes. `None` for what changes nothing.
    fn sign(&self) -> Option<(String, usize)> {
        let next = self.next();
        let alone = |sign: &str| Some((sign.to_string(), self.c.len_utf8()));
        let double = |sign: &str| Some((sign.to_string(), 2));
        match (self.c, next) {
            ('-', Some('>')) | ('=', Some('>')) => double("→"),
            ('!', Some('=')) => double("≠"),
            ('<', Some('=')) => double("≤"),
            ('>', Some('=')) => double("≥"),
            ('=', Some('=')) | ('&', Some('&')) | ('|', Some('|')) => double(&format!("{0}{0}", self.c)),
            ('-' | '−' | '–', _) => self.minus().map(|sign| (sign, self.c.len_utf8())),
            // A quotation, where it begins a line.
            ('>', _) => (!self.starts_line).then(|| (">".to_string(), 1)),
            ('<' | '=' | '^', _) => alone(&self.c.to_string()),
            ('!', Some(next)) if next.is_alphanumeric() && !self.is_behind_word() => alone("¬"),
            ('+', next) => {
                let signs_number = !self.is_behind_word() && next.is_some_and(|c| c.is_ascii_digit());
                (!signs_number).then(|| ("+".to_string(), 1))
            }
            ('*' | '/', _) if self.is_between() => alone(&self.c.to_string()),
            ('#', _) if self.is_behind_word() => alone("#"),
            ('~', Some(next)) if next.is_ascii_digit() => alone("~"),
            ('.', Some(next)) if next.is_ascii_digit() && !self.is_behind_word() => alone("."),
            ('%' | '‰' | '°' | '$' | '¢'..='¥' | '\u{20a0}'..='\u{20cf}', _) => {
                alone(&format!("{}{}", self.c, self.number()))
            }
            ('?' | '؟', _) => alone("?"),
            ('±' | '×' | '÷' | '¬' | '\u{2190}'..='\u{22ff}', _) => alone(&self.c.to_string()),
            _ => None,
        }
    }

    fn next(&self) -> Option<char> {
        self.after().chars().next()
    }

    fn after(&self) -> &str {
        &self.text[self.at + self.c.len_utf8()..]
    }

    /// `C++`, `C#`
    fn is_behind_word(&self) -> bool {
        self.before.is_some_and(|c| c.is_alphanumeric() || c == '+')
    }

    /// `2*3`, `2 * 3`, and no `**emphasis**`.
    fn is_between(&self) -> bool {
        let word = |c: Option<char>| c.is_some_and(char::is_alphanumeric);
        let blank = |c: Option<char>| c == Some(' ');
        let next = self.next();
        word(self.before) && word(next) || !self.starts_line && blank(self.before) && blank(next)
    }

    /// A number below nought, or from one number to another. A hyphen or a dash is neither.
    fn minus(&self) -> Option<String> {
        let next = self.next()?;
        let number = next.is_ascii_digit() || next == '.' || is_money(next);
        match self.before {
            Some(before) if before.is_ascii_digit() => next.is_ascii_digit().then(|| "–".to_string()),
            Some(before) if before.is_alphanumeric() || before == '-' => None,
            Some(_) | None => number.then(|| format!("-{}", self.number())),
        }
    }

    /// The number that a sign belongs to: the one behind it, else the one before.
    fn number(&self) -> &str {
        let is_part = |c: char| c.is_ascii_digit() || matches!(c, '.' | ',');
        // One blank, one sign of money (`-$5`), so that what is read costs no more than it is long.
        let after = self.after();
        let after = after.strip_prefix(' ').unwrap_or(after);
        let after = after.strip_prefix(is_money).unwrap_or(after);
        if after.starts_with(|c: char| c.is_ascii_digit()) {
            let end = after.find(|c| !is_part(c)).unwrap_or(after.len());
            return after[..end].trim_end_matches(['.', ',']);
        }
        let before = &self.text[..self.at];
        let before = before.strip_suffix(' ').unwrap_or(before);
        let begin = before
            .rfind(|c| !is_part(c))
            .map_or(0, |at| at + before[at..].chars().next().map_or(1, char::len_utf8));
        before[begin..].trim_start_matches(['.', ','])
    }
}

fn is_money(c: char) -> bool {
    matches!(c, '$' | '¢'..='¥' | '\u{20a0}'..='\u{20cf}')
}

#[cfg(test)]
mod tests {
    use super::signs;

    #[test]
    fn signs_that_change_a_text_are_found_and_others_are_not() {
        for (one, other) in [
            ("the limit is -5", "the limit is 5"),
            ("the limit is −5", "the limit is 5"),
            ("x < 5 holds", "x > 5 holds"),
            ("a == b", "a != b"),
            ("at 5 %", "at 5"),
            ("$5 today", "€5 today"),
            ("c++ is fine", "c is fine"),
            ("use c#", "use c"),
            ("!enabled", "enabled"),
            ("2 * 3", "2 / 3"),
            ("a -> b", "a <- b"),
            ("5+ users", "5 users"),
            ("-5 and 3", "5 and -3"),
            (".5 ml", "5 ml"),
            ("now?", "now."),
        ] {
            assert_ne!(signs(one), signs(other), "{one} / {other}");
        }
        for (one, other) in [
            ("it works - today", "it works today"),
            ("**bold** words", "bold words"),
            ("- an item", "an item"),
            ("> quoted", "quoted"),
            ("5% of it", "5 % of it"),
            ("€5", "5 €"),
            ("a != b", "a ≠ b"),
            ("gpt-4 works!", "gpt-4 works"),
            ("\"it\", he said", "it, he said"),
            ("+5 users", "5 users"),
        ] {
            assert_eq!(signs(one), signs(other), "{one} / {other}");
        }
    }
}
