//! A forgiving reader of JSON, for what models write when they mean JSON. It records each thing it had to
//! overlook; it never guesses a value that is not there.

use std::collections::BTreeSet;

use serde_json::{Map, Number, Value};

/// Nesting deeper than this is no answer of ours, and must not exhaust the stack.
const DEEPEST: usize = 32;

/// Reads the object that begins at `text`'s first character, overlooking what can be overlooked. Returns it
/// with the codes of what was overlooked; `None` if there is no object with at least one key.
pub(super) fn object(text: &str) -> Option<(Map<String, Value>, BTreeSet<&'static str>)> {
    let mut reader = LenientReader { rest: text, overlooked: BTreeSet::new() };
    match reader.value(0)? {
        Value::Object(map) if !map.is_empty() => Some((map, reader.overlooked)),
        _ => None,
    }
}

struct LenientReader<'a> {
    rest: &'a str,
    overlooked: BTreeSet<&'static str>,
}

impl LenientReader<'_> {
    fn peek(&self) -> Option<char> {
        self.rest.chars().next()
    }

    fn skip(&mut self, bytes: usize) {
        self.rest = &self.rest[bytes..];
    }

    /// Passes over white space and comments.
    fn blanks(&mut self) {
        loop {
            self.rest = self.rest.trim_start();
            let end = match self.rest {
                rest if rest.starts_with("//") => rest.find('\n').unwrap_or(rest.len()),
                rest if rest.starts_with("/*") => rest.find("*/").map_or(rest.len(), |end| end + 2),
                _ => return,
            };
            self.overlooked.insert("comment");
            self.skip(end);
        }
    }

    fn value(&mut self, depth: usize) -> Option<Value> {
        self.blanks();
        if depth > DEEPEST {
            return None;
        }
        match self.peek()? {
            '{' => self.map(depth),
            '[' => self.list(depth),
            '"' | '\'' | '“' | '‘' => self.string().map(Value::String),
            _ => self.bare(),
        }
    }

    fn map(&mut self, depth: usize) -> Option<Value> {
        self.skip(1);
        let mut map = Map::new();
        loop {
            self.blanks();
            match self.peek() {
                None => {
                    self.overlooked.insert("unclosed");
                    return Some(Value::Object(map));
                }
                Some('}') => {
                    self.skip(1);
                    return Some(Value::Object(map));
                }
                Some(',') => {
                    self.skip(1);
                    self.blanks();
                    if matches!(self.peek(), Some('}') | None) {
                        self.overlooked.insert("trailing-comma");
                    }
                }
                Some(_) => {
                    let key = self.key()?;
                    self.blanks();
                    if self.peek() != Some(':') {
                        // A key cut off before its value says nothing.
                        self.overlooked.insert("unclosed");
                        return self.rest.is_empty().then_some(Value::Object(map));
                    }
                    self.skip(1);
                    let value = match self.value(depth + 1) {
                        Some(value) => value,
                        None if self.rest.is_empty() => {
                            self.overlooked.insert("unclosed");
                            return Some(Value::Object(map));
                        }
                        None => return None,
                    };
                    map.insert(key, value);
                    self.blanks();
                    if !matches!(self.peek(), Some(',' | '}') | None) {
                        self.overlooked.insert("missing-comma");
                    }
                }
            }
        }
    }

    fn list(&mut self, depth: usize) -> Option<Value> {
        self.skip(1);
        let mut items = Vec::new();
        loop {
            self.blanks();
            match self.peek() {
                None => {
                    self.overlooked.insert("unclosed");
                    return Some(Value::Array(items));
                }
                Some(']') => {
                    self.skip(1);
                    return Some(Value::Array(items));
                }
                Some(',') => {
                    self.skip(1);
                    self.blanks();
                    if matches!(self.peek(), Some(']') | None) {
                        self.overlooked.insert("trailing-comma");
                    }
                }
                Some('}') => {
                    // The list was never closed, but its object is.
                    self.overlooked.insert("unclosed");
                    return Some(Value::Array(items));
                }
                Some(_) => items.push(self.value(depth + 1)?),
            }
        }
    }

    fn key(&mut self) -> Option<String> {
        if matches!(self.peek()?, '"' | '\'' | '“' | '‘') {
            return self.string();
        }
        let end = self.rest.find(|c: char| !(c.is_alphanumeric() || matches!(c, '_' | '-')))?;
        if end == 0 {
            return None;
        }
        self.overlooked.insert("unquoted-key");
        let key = self.rest[..end].to_string();
        self.skip(end);
        Some(key)
    }

    fn string(&mut self) -> Option<String> {
        let open = self.peek()?;
        let close = match open {
            '“' => '”',
            '‘' => '’',
            other => other,
        };
        if open != '"' {
            self.overlooked.insert("odd-quotes");
        }
        self.skip(open.len_utf8());
        let mut out = String::new();
        while let Some(c) = self.peek() {
            self.skip(c.len_utf8());
            match c {
                '\\' => self.escape(&mut out),
                c if c == close => {
                    if self.ends_here() {
                        return Some(out);
                    }
                    self.overlooked.insert("bare-quote");
                    out.push(c);
                }
                c if c.is_control() => {
                    self.overlooked.insert("bare-line-break");
                    out.push(c);
                }
                c => out.push(c),
            }
        }
        self.overlooked.insert("unclosed");
        Some(out)
    }

    /// Whether a quote just read really ends its string: what follows must be JSON's punctuation, the end
    /// of the line, or the next key.
    fn ends_here(&self) -> bool {
        let rest = self.rest.trim_start();
        matches!(rest.chars().next(), None | Some(',' | ':' | '}' | ']'))
            || self.rest.trim_start_matches([' ', '\t', '\r']).starts_with('\n')
            || rest.strip_prefix('"').is_some_and(is_key)
    }

    fn escape(&mut self, out: &mut String) {
        let Some(c) = self.peek() else { return };
        self.skip(c.len_utf8());
        match c {
            'n' => out.push('\n'),
            't' => out.push('\t'),
            'r' | 'b' | 'f' => out.push(' '),
            'u' => {
                let code = self.code_unit();
                let c = match code {
                    // A pair of surrogates is one character.
                    Some(high @ 0xd800..=0xdbff) if self.rest.starts_with("\\u") => {
                        self.skip(2);
                        let low = self.code_unit().filter(|low| (0xdc00..=0xdfff).contains(low));
                        low.and_then(|low| char::from_u32(0x10000 + ((high - 0xd800) << 10) + (low - 0xdc00)))
                    }
                    Some(code) => char::from_u32(code),
                    None => None,
                };
                out.push(c.unwrap_or('\u{fffd}'));
            }
            '"' | '\\' | '/' => out.push(c),
            other => {
                self.overlooked.insert("odd-escape");
                out.push(other);
            }
        }
    }

    /// Four hex digits.
    fn code_unit(&mut self) -> Option<u32> {
        let code = self.rest.get(..4).and_then(|hex| u32::from_str_radix(hex, 16).ok())?;
        self.skip(4);
        Some(code)
    }

    /// A number, a literal, or a word without quotes.
    fn bare(&mut self) -> Option<Value> {
        let end = self.rest.find([',', '}', ']', '\n']).unwrap_or(self.rest.len());
        let word = self.rest[..end].trim();
        let value = match word {
            "" => return None,
            "null" => Value::Null,
            "true" => Value::Bool(true),
            "false" => Value::Bool(false),
            "None" | "True" | "False" | "undefined" | "NaN" => {
                self.overlooked.insert("odd-literal");
                match word {
                    "True" => Value::Bool(true),
                    "False" => Value::Bool(false),
                    _ => Value::Null,
                }
            }
            other => match serde_json::from_str::<Number>(other) {
                Ok(number) => Value::Number(number),
                Err(_) => {
                    self.overlooked.insert("unquoted-text");
                    Value::String(other.to_string())
                }
            },
        };
        self.skip(end);
        Some(value)
    }
}

/// Whether a text begins with a key, its closing quote and a colon.
fn is_key(text: &str) -> bool {
    let end = text.find(|c: char| !(c.is_alphanumeric() || matches!(c, '_' | '-')));
    let rest = end.filter(|end| (1..=40).contains(end)).and_then(|end| text[end..].strip_prefix('"'));
    rest.is_some_and(|rest| rest.trim_start().starts_with(':'))
}
