//! Takes in a transcript of any form, as bytes of a file or a pipe or as messages of a socket, and gives what was heard. Whatever
//! comes in, nothing here panics, nothing grows with the length of the input, and nothing is lost without a note.

use std::borrow::Cow;

use serde_json::Value;

use crate::fields::{Fields, Flaws};
use crate::forms::{self, EarForm, FormMemory};
use crate::heard::Millis;
use crate::lines::{self, FoundInLine, LineReader, LineSplitter};
use crate::note::{EarNoteKind, EarOutput};
use crate::split::{JsonPiece, JsonSplitter};
use crate::straight::{Place, Straightener};
use crate::turns::EarTurns;
use crate::when::TimeUnit;

/// So many bytes are looked at to tell the form.
const HEAD_MOST: usize = 1 << 16;

/// How a transcript is to be read.
#[derive(Debug, Clone, Default)]
pub struct IntakeOptions {
    /// Its form; without one it is told by what it looks like.
    pub form: Option<EarForm>,
    /// When the room started, in milliseconds since 1970. Without it the first date that comes is its start.
    pub t0: Option<i64>,
    /// The recording, where a file holds several. Without it, the first.
    pub only: Option<String>,
    /// What bare numbers count, where the form is not known.
    pub unit: Option<TimeUnit>,
    /// Who spoke when, for words that do not say it.
    pub turns: EarTurns,
}

/// How bytes are cut.
#[derive(Debug)]
enum Cutting {
    /// Not known yet: what came so far.
    Head(Vec<u8>),
    Json(JsonSplitter),
    Lines(LineSplitter, LineReader),
    /// It is no transcript.
    Nothing,
}

/// Takes in one transcript.
#[derive(Debug)]
pub struct Intake {
    options: IntakeOptions,
    cutting: Cutting,
    form: Option<EarForm>,
    memory: FormMemory,
    straight: Straightener,
    messages: u64,
}

impl Intake {
    /// Begins.
    pub fn new(mut options: IntakeOptions) -> Self {
        let memory = FormMemory::counting(options.unit);
        let cutting = match options.form {
            Some(form) if form.is_json() => Cutting::Json(JsonSplitter::default()),
            Some(form) => Self::lines(form, &options),
            None => Cutting::Head(Vec::new()),
        };
        let straight = Straightener::starting(options.t0, std::mem::take(&mut options.turns));
        Self { form: options.form, options, cutting, memory, straight, messages: 0 }
    }

    fn lines(form: EarForm, options: &IntakeOptions) -> Cutting {
        match LineReader::of(form, options.only.clone()) {
            Some(reading) => Cutting::Lines(LineSplitter::default(), reading),
            None => Cutting::Json(JsonSplitter::default()),
        }
    }

    /// The form of what came last, if it is known.
    pub fn form(&self) -> Option<EarForm> {
        self.form
    }

    /// Tells the time in the room, for sources that give none.
    pub fn set_now(&mut self, now: Millis) {
        self.straight.now = Some(now);
    }

    /// Takes some bytes. They may end anywhere.
    pub fn feed(&mut self, bytes: &[u8], out: &mut Vec<EarOutput>) {
        match &mut self.cutting {
            Cutting::Head(head) => {
                head.extend_from_slice(bytes);
                let whole =
                    head.len() > HEAD_MOST || first_line(head).is_some_and(|line| line.ends_with(b"\n"));
                if whole || head.trim_ascii_start().starts_with(b"{") {
                    self.decide(out);
                }
            }
            Cutting::Json(splitter) => {
                let mut pieces = Vec::new();
                for chunk in bytes.chunks(HEAD_MOST) {
                    splitter.feed(chunk, &mut pieces);
                }
                self.pieces(pieces, None, out);
            }
            Cutting::Lines(splitter, reading) => {
                let straight = &mut self.straight;
                splitter.feed(bytes, &mut |number, line| read_line(number, line, reading, straight, out));
            }
            Cutting::Nothing => (),
        }
    }

    /// Takes one message of a socket, or the body of one request: JSON, in one value or several.
    pub fn message(&mut self, message: &[u8], out: &mut Vec<EarOutput>) {
        self.messages += 1;
        let (mut splitter, mut pieces) = (JsonSplitter::default(), Vec::new());
        splitter.feed(message, &mut pieces);
        splitter.end(&mut pieces);
        self.pieces(pieces, Some(self.messages), out);
    }

    /// The end: what was begun is finished, and notes that were only counted are told.
    pub fn end(&mut self, out: &mut Vec<EarOutput>) {
        if matches!(&self.cutting, Cutting::Head(head) if !head.trim_ascii().is_empty()) {
            self.decide(out);
        }
        match &mut self.cutting {
            Cutting::Json(splitter) => {
                let mut pieces = Vec::new();
                splitter.end(&mut pieces);
                self.pieces(pieces, None, out);
            }
            Cutting::Lines(splitter, reading) => {
                let straight = &mut self.straight;
                splitter.end(&mut |number, line| read_line(number, line, reading, straight, out));
                let mut found = FoundInLine::default();
                reading.end(&mut found);
                pass_on(found, None, straight, out);
            }
            Cutting::Head(_) | Cutting::Nothing => (),
        }
        let mut items = Vec::new();
        self.memory.end(&mut items);
        let mut place = Place { line: None, out };
        items.into_iter().for_each(|item| self.straight.item(item, &mut place));
        self.straight.teller.end(out);
    }

    /// Tells the form by the first bytes, and reads them.
    fn decide(&mut self, out: &mut Vec<EarOutput>) {
        let Cutting::Head(head) = std::mem::replace(&mut self.cutting, Cutting::Nothing) else { return };
        let line = first_line(&head[..head.len().min(HEAD_MOST)]).unwrap_or(&head);
        let line = String::from_utf8_lossy(line);
        let line = line.trim_start_matches('\u{feff}').trim();
        let form = if line.starts_with('{') { None } else { lines::detect(line) };
        if let Some(form) = form {
            self.form = Some(form);
            self.cutting = Self::lines(form, &self.options);
        } else if line.starts_with(['{', '[']) {
            self.cutting = Cutting::Json(JsonSplitter::default());
        } else {
            let shown: String = line.chars().take(40).filter(|c| !c.is_control()).collect();
            let known: Vec<&str> = EarForm::ALL.iter().map(|form| form.name()).collect();
            let detail = format!(
                "{shown:?} begins no form that is known; name it with --format: {}",
                known.join(", ")
            );
            self.straight.note(EarNoteKind::UnknownForm, detail, &mut Place { line: Some(1), out });
            return;
        }
        self.feed(&head, out);
    }

    fn pieces(&mut self, pieces: Vec<JsonPiece>, message: Option<u64>, out: &mut Vec<EarOutput>) {
        for piece in pieces {
            match piece {
                JsonPiece::Value(line, bytes) => self.value(&bytes, message.unwrap_or(line), out),
                JsonPiece::Skipped(line, why) => {
                    let mut place = Place { line: Some(message.unwrap_or(line)), out };
                    self.straight.note(EarNoteKind::Unreadable, format!("{why}; passed over"), &mut place);
                }
                JsonPiece::TooLarge(line) => {
                    let mut place = Place { line: Some(message.unwrap_or(line)), out };
                    let detail =
                        format!("a message of more than {} MiB; passed over", crate::split::VALUE_MOST >> 20);
                    self.straight.note(EarNoteKind::TooLarge, detail, &mut place);
                }
            }
        }
    }

    fn value(&mut self, bytes: &[u8], line: u64, out: &mut Vec<EarOutput>) {
        let mut place = Place { line: Some(line), out };
        let text = as_text(bytes, &mut self.straight, &mut place);
        match serde_json::from_str(&text) {
            Ok(Value::Array(list)) => list.iter().for_each(|value| self.one(value, &mut place)),
            Ok(value) => self.one(&value, &mut place),
            Err(error) => {
                let detail = format!("this is no JSON ({}); passed over", short(&error));
                self.straight.note(EarNoteKind::Unreadable, detail, &mut place);
            }
        }
    }

    fn one(&mut self, value: &Value, place: &mut Place<'_>) {
        let flaws = Flaws::default();
        let Some(map) = value.as_object() else {
            return self.straight.note(EarNoteKind::Unreadable, "this is no object; passed over", place);
        };
        let message = Fields { map, flaws: &flaws };
        let form = self.options.form.unwrap_or_else(|| forms::detect(&message));
        let mut items = Vec::new();
        let known = forms::read(form, &message, &mut self.memory, &mut items);
        if known {
            self.form = Some(form);
        }
        for (kind, what) in flaws.take() {
            self.straight.note(kind, what, place);
        }
        if !known && items.is_empty() {
            let keys: Vec<&str> = map.keys().map(String::as_str).take(8).collect();
            let keys: String = keys.join(", ").chars().filter(|c| !c.is_control()).take(120).collect();
            let detail = format!("no message of the form {} has the fields {keys}; passed over", form.name());
            self.straight.note(EarNoteKind::UnknownForm, detail, place);
        }
        for item in items {
            self.straight.item(item, place);
        }
    }
}

/// The first line that is not empty, with its end if that came.
fn first_line(head: &[u8]) -> Option<&[u8]> {
    head.split_inclusive(|byte| *byte == b'\n').find(|line| !line.trim_ascii().is_empty())
}

fn as_text<'a>(bytes: &'a [u8], straight: &mut Straightener, place: &mut Place<'_>) -> Cow<'a, str> {
    let text = String::from_utf8_lossy(bytes);
    if matches!(text, Cow::Owned(_)) {
        straight.note(EarNoteKind::NotUtf8, "bytes that are not UTF-8 were replaced", place);
    }
    text
}

fn read_line(
    number: u64,
    line: Option<&[u8]>,
    reading: &mut LineReader,
    straight: &mut Straightener,
    out: &mut Vec<EarOutput>,
) {
    let mut place = Place { line: Some(number), out };
    let Some(line) = line else {
        return straight.note(EarNoteKind::TooLarge, "a line that is too long; passed over", &mut place);
    };
    let text = as_text(line, straight, &mut place);
    let mut found = FoundInLine::default();
    reading.line(&text, &mut found);
    pass_on(found, Some(number), straight, out);
}

fn pass_on(found: FoundInLine, line: Option<u64>, straight: &mut Straightener, out: &mut Vec<EarOutput>) {
    let mut place = Place { line, out };
    for (kind, what) in found.flaws {
        straight.note(kind, what, &mut place);
    }
    for item in found.items {
        straight.item(item, &mut place);
    }
}

/// What a parser says, without the place, which is one within a piece.
fn short(error: &serde_json::Error) -> String {
    let text = error.to_string();
    text.split(" at line ").next().unwrap_or("").chars().filter(|c| !c.is_control()).take(80).collect()
}
