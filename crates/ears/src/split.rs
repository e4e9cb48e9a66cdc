//! Cuts a stream of bytes into JSON values, one per line or spread over many. Memory is bounded: a long list in a long file comes in
//! parts, each with what stood around it. A broken value loses itself and no other.

/// A value that is larger and cannot come in parts is passed over.
pub(crate) const VALUE_MOST: usize = 4 << 20;
/// A list comes in parts of about this size.
const PART: usize = 1 << 20;
/// What nests deeper is no transcript.
const DEPTH_MOST: usize = 64;

/// What was cut off.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum JsonPiece {
    /// Bytes that look like a value, and the line it began in.
    Value(u64, Vec<u8>),
    /// Something that was passed over, and why.
    Skipped(u64, &'static str),
    /// Something too large.
    TooLarge(u64),
}

/// The state between bytes.
#[derive(Debug)]
pub(crate) struct JsonSplitter {
    buffer: Vec<u8>,
    line: u64,
    began: u64,
    column: usize,
    /// The brackets that are open.
    open: Vec<u8>,
    in_string: bool,
    escaped: bool,
    /// The last byte that was no space, outside of strings.
    last: u8,
    /// The rest of the line is passed over.
    dropping: bool,
    /// The list that may come in parts: where its elements begin.
    list: Option<usize>,
    /// Whether a part of that list was given already.
    parted: bool,
    skip_comma: bool,
    /// Lists that are whole and would be repeated with every part of the next.
    closed: Vec<(usize, usize)>,
}

impl Default for JsonSplitter {
    fn default() -> Self {
        Self {
            buffer: Vec::new(),
            line: 1,
            began: 1,
            column: 0,
            open: Vec::new(),
            in_string: false,
            escaped: false,
            last: 0,
            dropping: false,
            list: None,
            parted: false,
            skip_comma: false,
            closed: Vec::new(),
        }
    }
}

impl JsonSplitter {
    pub(crate) fn feed(&mut self, bytes: &[u8], out: &mut Vec<JsonPiece>) {
        for &byte in bytes {
            self.step(byte, out);
            self.column += 1;
            if byte == b'\n' {
                self.line += 1;
                self.column = 0;
            }
        }
    }

    /// The end of the stream: what is open was cut off.
    pub(crate) fn end(&mut self, out: &mut Vec<JsonPiece>) {
        if !self.open.is_empty() {
            self.give_up("the input ends in the middle of a value", out);
        }
    }

    fn step(&mut self, byte: u8, out: &mut Vec<JsonPiece>) {
        if self.dropping {
            self.dropping = byte != b'\n';
        } else if self.open.is_empty() {
            self.outside(byte, out);
        } else if self.in_string {
            self.string(byte, out);
        } else {
            self.inside(byte, out);
        }
    }

    fn outside(&mut self, byte: u8, out: &mut Vec<JsonPiece>) {
        match byte {
            b'{' | b'[' => {
                self.began = self.line;
                self.buffer.push(byte);
                self.open.push(byte);
                self.last = byte;
                self.list = (byte == b'[').then_some(1);
            }
            // A mark of the byte order, and what separates records.
            b' ' | b'\t' | b'\r' | b'\n' | b',' | 0x1e | 0xef | 0xbb | 0xbf => (),
            _ => {
                out.push(JsonPiece::Skipped(self.line, "this is no JSON"));
                self.dropping = true;
            }
        }
    }

    fn string(&mut self, byte: u8, out: &mut Vec<JsonPiece>) {
        match byte {
            b'\n' => return self.give_up("the line ends in the middle of a text", out),
            _ if self.escaped => self.escaped = false,
            b'\\' => self.escaped = true,
            b'"' => self.in_string = false,
            _ => (),
        }
        self.take(byte, out);
    }

    fn inside(&mut self, byte: u8, out: &mut Vec<JsonPiece>) {
        if byte.is_ascii_whitespace() {
            return self.take(byte, out);
        }
        if byte == b',' && std::mem::take(&mut self.skip_comma) {
            return;
        }
        let in_list = self.open.last() == Some(&b'[');
        let value_may_begin = matches!(self.last, b'[' | b':') || (self.last == b',' && in_list);
        match byte {
            b'{' if self.column == 0 && !value_may_begin => {
                self.give_up("the value before this line has no end", out);
                return self.outside(byte, out);
            }
            b'"' => self.in_string = true,
            b'{' | b'[' => self.open.push(byte),
            b'}' | b']' => {
                self.last = byte;
                return self.close(byte, out);
            }
            _ => (),
        }
        self.last = byte;
        if self.open.len() > DEPTH_MOST {
            return self.give_up("it is nested too deeply", out);
        }
        self.take(byte, out);
        if byte == b'[' && self.open == [b'{', b'['] {
            self.list = Some(self.buffer.len());
            self.parted = false;
        }
    }

    fn take(&mut self, byte: u8, out: &mut Vec<JsonPiece>) {
        self.buffer.push(byte);
        if self.buffer.len() > VALUE_MOST {
            out.push(JsonPiece::TooLarge(self.began));
            self.reset();
            self.dropping = byte != b'\n';
        }
    }

    fn close(&mut self, byte: u8, out: &mut Vec<JsonPiece>) {
        let wanted = if byte == b'}' { b'{' } else { b'[' };
        if self.open.pop() != Some(wanted) {
            self.open.push(wanted);
            self.give_up("its brackets do not match", out);
            self.dropping = true;
            return;
        }
        if byte == b']' && self.open == [b'{'] {
            self.close_list(out);
        }
        self.skip_comma = false;
        self.buffer.push(byte);
        if self.open.is_empty() {
            out.push(JsonPiece::Value(self.began, std::mem::take(&mut self.buffer)));
            self.reset();
        } else if self.in_list() && self.buffer.len() > PART {
            self.part(out);
        }
    }

    fn in_list(&self) -> bool {
        self.list.is_some() && (self.open == [b'{', b'['] || self.open == [b'['])
    }

    /// A list ends: what was given already is not given again.
    fn close_list(&mut self, out: &mut Vec<JsonPiece>) {
        let Some(start) = self.list.take() else { return };
        if self.parted {
            self.give(out, b"]}");
            self.buffer.truncate(start);
        } else {
            self.closed.push((start, self.buffer.len()));
        }
    }

    fn give(&self, out: &mut Vec<JsonPiece>, end: &[u8]) {
        let mut part = self.buffer.clone();
        part.extend_from_slice(end);
        out.push(JsonPiece::Value(self.began, part));
    }

    fn part(&mut self, out: &mut Vec<JsonPiece>) {
        let Some(start) = self.list else { return };
        self.give(out, if self.open.len() == 2 { b"]}" } else { b"]" });
        self.buffer.truncate(start);
        let mut gone = 0;
        for (from, to) in std::mem::take(&mut self.closed).into_iter().rev() {
            self.buffer.drain(from..to);
            gone += to - from;
        }
        self.list = Some(start - gone);
        self.parted = true;
        self.skip_comma = true;
    }

    /// What is open is broken. Whole lines in it that could be values of their own are tried as such.
    fn give_up(&mut self, why: &'static str, out: &mut Vec<JsonPiece>) {
        out.push(JsonPiece::Skipped(self.began, why));
        let buffer = std::mem::take(&mut self.buffer);
        for (line, at) in buffer.split(|byte| *byte == b'\n').zip(self.began..).skip(1) {
            if line.starts_with(b"{") && line.trim_ascii_end().ends_with(b"}") {
                out.push(JsonPiece::Value(at, line.to_vec()));
            }
        }
        self.reset();
    }

    fn reset(&mut self) {
        let (line, column) = (self.line, self.column);
        *self = Self { line, column, ..Self::default() };
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn split(text: &str) -> Vec<JsonPiece> {
        let (mut splitter, mut out) = (JsonSplitter::default(), Vec::new());
        splitter.feed(text.as_bytes(), &mut out);
        splitter.end(&mut out);
        out
    }

    fn value(line: u64, text: &str) -> JsonPiece {
        JsonPiece::Value(line, text.as_bytes().to_vec())
    }

    #[test]
    fn values_end_where_they_end() {
        assert_eq!(
            split("{\"a\":1}\n{\"b\":\"}\\\"\"}"),
            [value(1, "{\"a\":1}"), value(2, "{\"b\":\"}\\\"\"}")]
        );
        assert_eq!(split("[\n{\"a\":1},\n{\"b\":2}\n]"), [value(1, "[\n{\"a\":1},\n{\"b\":2}\n]")]);
    }

    #[test]
    fn a_broken_line_loses_itself_alone() {
        let found = split(
            "{\"a\":\"x\n{\"b\":1}\n{\"c\":\n{\"d\":2}\n{\"e\":3}\nword\n{\"f\":4}]\n{\"g\":5}\n{\"h\"",
        );
        let values: Vec<_> = found
            .iter()
            .filter_map(|piece| match piece {
                JsonPiece::Value(line, bytes) => Some((*line, String::from_utf8_lossy(bytes).into_owned())),
                JsonPiece::Skipped(..) | JsonPiece::TooLarge(_) => None,
            })
            .collect();
        let known: Vec<(u64, &str)> = values.iter().map(|(line, text)| (*line, text.as_str())).collect();
        assert_eq!(
            known,
            [(2, "{\"b\":1}"), (4, "{\"d\":2}"), (5, "{\"e\":3}"), (7, "{\"f\":4}"), (8, "{\"g\":5}")]
        );
        assert_eq!(found.len() - values.len(), 5, "{found:?}");
    }

    #[test]
    fn a_long_list_comes_in_parts_with_what_stood_around_it() {
        let text = "x".repeat(1000);
        let elements =
            |count: usize| (0..count).map(|n| format!("{{\"n\":{n},\"t\":\"{text}\"}}")).collect::<Vec<_>>();
        let whole = format!(
            "{{\"language\":\"en\",\"small\":[1,2],\"segments\":[{}],\"more\":[{}],\"end\":true}}",
            elements(3000).join(", "),
            elements(1500).join(",")
        );
        let mut seen = (0, 0, 0);
        let found = split(&whole);
        assert!(found.len() >= 5, "{}", found.len());
        for piece in &found {
            let JsonPiece::Value(1, bytes) = piece else { panic!("{piece:?}") };
            assert!(bytes.len() < 2 * PART);
            let part: serde_json::Value = serde_json::from_slice(bytes).unwrap();
            assert_eq!(part["language"], "en");
            for element in part["segments"].as_array().unwrap() {
                assert_eq!(element["n"], seen.0);
                seen.0 += 1;
            }
            for element in part["more"].as_array().into_iter().flatten() {
                assert_eq!(element["n"], seen.1);
                seen.1 += 1;
            }
            seen.2 += part["small"].as_array().unwrap().len();
        }
        assert_eq!(seen, (3000, 1500, 2));
        let list = format!("[{}]", elements(3000).join(","));
        let parts = split(&list);
        assert!(parts.len() > 1, "a list of its own comes in parts too");
    }

    #[test]
    fn what_is_too_large_is_passed_over() {
        let text = format!("{{\"t\":\"{}\"}}\n{{\"a\":1}}\n", "x".repeat(VALUE_MOST));
        assert_eq!(split(&text), [JsonPiece::TooLarge(1), value(2, "{\"a\":1}")]);
        let deep = format!("{}\n{{\"a\":1}}\n", "[".repeat(5000));
        assert_eq!(split(&deep).last(), Some(&value(2, "{\"a\":1}")));
    }
}
