//! Recognises canonical JSON without building anything: exactly the texts that `to_string` writes.
//! It never repairs; it says where the first byte stands that should not.

use super::{DEEPEST, LARGEST, order, special};

/// Where a text stops being canonical JSON, and why.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("not canonical JSON at byte {at}: {what}")]
pub struct Uncanonical {
    /// The byte, counted from 0.
    pub at: usize,
    /// What is wrong there.
    pub what: &'static str,
}

/// Is this text the one canonical spelling of its value?
pub fn check(text: &str) -> Result<(), Uncanonical> {
    let mut scan = Scan { text, at: 0, depth: 0 };
    scan.value()?;
    match scan.peek() {
        None => Ok(()),
        Some(_) => scan.fail("something follows the value"),
    }
}

struct Scan<'a> {
    text: &'a str,
    at: usize,
    depth: usize,
}

impl<'a> Scan<'a> {
    fn peek(&self) -> Option<u8> {
        self.text.as_bytes().get(self.at).copied()
    }

    fn fail<T>(&self, what: &'static str) -> Result<T, Uncanonical> {
        Err(Uncanonical { at: self.at, what })
    }

    /// Steps over `byte` if it is next.
    fn eat(&mut self, byte: u8) -> bool {
        let found = self.peek() == Some(byte);
        self.at += usize::from(found);
        found
    }

    fn value(&mut self) -> Result<(), Uncanonical> {
        match self.peek() {
            Some(b'{') => self.nested(b'}', Self::members),
            Some(b'[') => self.nested(b']', Self::items),
            Some(b'"') => self.string().map(|_| ()),
            Some(b'-' | b'0'..=b'9') => self.integer(),
            Some(b't') => self.word("true"),
            Some(b'f') => self.word("false"),
            Some(b'n') => self.word("null"),
            Some(b' ' | b'\t' | b'\r' | b'\n') => self.fail("a blank outside text"),
            Some(_) => self.fail("a value should begin here"),
            None => self.fail("it ends too early"),
        }
    }

    fn word(&mut self, word: &str) -> Result<(), Uncanonical> {
        if !self.text[self.at..].starts_with(word) {
            return self.fail("a value should begin here");
        }
        self.at += word.len();
        Ok(())
    }

    fn nested(
        &mut self,
        close: u8,
        contents: fn(&mut Self) -> Result<(), Uncanonical>,
    ) -> Result<(), Uncanonical> {
        self.depth += 1;
        if self.depth > DEEPEST {
            return self.fail("arrays and maps nest too deep");
        }
        self.at += 1;
        if !self.eat(close) {
            contents(self)?;
            if !self.eat(close) {
                return self.fail("a comma or a closing bracket should stand here");
            }
        }
        self.depth -= 1;
        Ok(())
    }

    fn items(&mut self) -> Result<(), Uncanonical> {
        self.value()?;
        while self.eat(b',') {
            self.value()?;
        }
        Ok(())
    }

    fn members(&mut self) -> Result<(), Uncanonical> {
        let mut last = self.member()?;
        while self.eat(b',') {
            let start = self.at;
            let key = self.member()?;
            if order::compare(last, key).is_ge() {
                return Err(Uncanonical {
                    at: start,
                    what: "the keys of a map are out of order, or one stands twice",
                });
            }
            last = key;
        }
        Ok(())
    }

    fn member(&mut self) -> Result<&'a str, Uncanonical> {
        if self.peek() != Some(b'"') {
            return self.fail("a key should begin here");
        }
        let key = self.string()?;
        if !self.eat(b':') {
            return self.fail("a colon should stand here");
        }
        self.value()?;
        Ok(key)
    }

    /// Steps over a string; gives what stands between its quotes.
    fn string(&mut self) -> Result<&'a str, Uncanonical> {
        self.at += 1;
        let start = self.at;
        loop {
            let left = &self.text.as_bytes()[self.at..];
            self.at += special(left).unwrap_or(left.len());
            match self.peek() {
                Some(b'"') => break,
                Some(b'\\') => self.escape()?,
                Some(_) => return self.fail("a control character stands in text unescaped"),
                None => return self.fail("text is not closed"),
            }
        }
        self.at += 1;
        Ok(&self.text[start..self.at - 1])
    }

    fn escape(&mut self) -> Result<(), Uncanonical> {
        self.at += match &self.text.as_bytes()[self.at + 1..] {
            [b'"' | b'\\' | b'b' | b't' | b'n' | b'f' | b'r', ..] => 2,
            [b'u', b'0', b'0', b'0', b'0'..=b'7' | b'b' | b'e' | b'f', ..] => 6,
            [b'u', b'0', b'0', b'1', b'0'..=b'9' | b'a'..=b'f', ..] => 6,
            _ => return self.fail("this has a shorter spelling, or is no escape at all"),
        };
        Ok(())
    }

    fn integer(&mut self) -> Result<(), Uncanonical> {
        let start = self.at;
        let negative = self.eat(b'-');
        let digits = &self.text.as_bytes()[self.at..];
        let digits = &digits[..digits.iter().position(|byte| !byte.is_ascii_digit()).unwrap_or(digits.len())];
        self.at += digits.len();
        let size = digits
            .iter()
            .try_fold(0_u64, |sum, digit| sum.checked_mul(10)?.checked_add(u64::from(digit - b'0')));
        let what = match (digits, size) {
            ([], _) => "digits should stand here",
            ([b'0'], _) if negative => "zero has no sign",
            ([b'0', _, ..], _) => "a number begins with a needless zero",
            (_, Some(0..=LARGEST)) if !matches!(self.peek(), Some(b'.' | b'e' | b'E')) => return Ok(()),
            (_, Some(0..=LARGEST)) => "a float",
            _ => "an integer beyond 2^53-1",
        };
        Err(Uncanonical { at: start, what })
    }
}
