//! All tests of the ears, in one binary. Programs, HTTP and sound are real.

mod broken;
mod differ;
mod lamps;
mod lines;
mod live;
mod messages;
mod recognisers;
mod sounds;

use std::io::{self, Write as _};

use serde_json::Value;
use synod_ears::{EarForm, EarItem, EarNote, EarOutput, Intake, IntakeOptions};

fn say(line: &str) {
    let _ = writeln!(io::stderr(), "{line}");
}

/// Everything that comes of a text, read in one piece.
fn take(form: Option<EarForm>, text: &[u8]) -> Vec<EarOutput> {
    take_with(IntakeOptions { form, ..IntakeOptions::default() }, text, text.len().max(1))
}

/// The same in pieces of some bytes.
fn take_with(options: IntakeOptions, text: &[u8], piece: usize) -> Vec<EarOutput> {
    let (mut intake, mut out) = (Intake::new(options), Vec::new());
    text.chunks(piece).for_each(|piece| intake.feed(piece, &mut out));
    intake.end(&mut out);
    out
}

fn items(out: &[EarOutput]) -> Vec<EarItem> {
    let item = |output: &EarOutput| match output {
        EarOutput::Heard(item) => Some(item.clone()),
        EarOutput::Note(_) => None,
    };
    out.iter().filter_map(item).collect()
}

fn notes(out: &[EarOutput]) -> Vec<EarNote> {
    let note = |output: &EarOutput| match output {
        EarOutput::Heard(_) => None,
        EarOutput::Note(note) => Some(note.clone()),
    };
    out.iter().filter_map(note).collect()
}

/// The codes of notes, in order.
fn codes(out: &[EarOutput]) -> Vec<&'static str> {
    notes(out).iter().map(|note| note.kind.code()).collect()
}

/// What was heard as lines of our own form, short: `final Ada 1.5-2.5 text`.
fn told(out: &[EarOutput]) -> Vec<String> {
    items(out).iter().map(line).collect()
}

fn line(item: &EarItem) -> String {
    let json = item.to_json();
    let text = |key: &str| match &json[key] {
        Value::Null => "-".to_string(),
        Value::String(text) => text.clone(),
        other => other.to_string(),
    };
    match item {
        EarItem::Segment(segment) => {
            let kind = if segment.is_final { "final" } else { "draft" };
            let about = if segment.estimated { "~" } else { "" };
            format!("{kind} {} {about}{}-{} {}", text("speaker"), text("start"), text("end"), segment.text)
        }
        EarItem::Activity { .. } => format!("activity {} {}-{}", text("speaker"), text("start"), text("end")),
        EarItem::Onset { .. } => format!("onset {} {} {}", text("speaker"), text("at"), text("on")),
        EarItem::Rename { .. } => format!("rename {} {}", text("from"), text("to")),
        EarItem::Revise { .. } => format!("revise {} {}", text("id"), text("speaker")),
        EarItem::Presence { .. } => format!("present {} {} {}", text("speaker"), text("at"), text("on")),
        EarItem::Clock { .. } => format!("clock {}", text("t0")),
    }
}

/// Checks what comes of a text whose form is told by what it looks like, and that it comes in any pieces.
fn check(form: EarForm, text: &str, wanted: &[&str]) {
    let (mut intake, mut out) = (Intake::new(IntakeOptions::default()), Vec::new());
    intake.feed(text.as_bytes(), &mut out);
    intake.end(&mut out);
    assert_eq!(intake.form(), Some(form), "{text}");
    assert_eq!(told(&out), wanted, "{text}");
    assert_eq!(codes(&out), [""; 0], "{:?}", notes(&out));
    assert_eq!(take_with(IntakeOptions::default(), text.as_bytes(), 1), out, "byte by byte");
    assert_eq!(take(Some(form), text.as_bytes()), out, "with its form named");
}
