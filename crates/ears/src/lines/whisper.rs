//! What whisper.cpp prints: `[00:00:00.000 --> 00:00:02.500]  text`, in blocks of `### Transcription` where it listens.

use crate::heard::Millis;
use crate::lines::FoundInLine;
use crate::raw::{RawItem, RawSegment};
use crate::when::{RawTime, clock};

/// Whether a line is a segment as whisper.cpp prints it.
pub(super) fn is_printed(line: &str) -> bool {
    times(line).is_some()
}

fn times(line: &str) -> Option<(Millis, Millis, &str)> {
    let (times, text) = line.trim().strip_prefix('[')?.split_once(']')?;
    let (start, end) = times.split_once("-->")?;
    Some((clock(start)?, clock(end)?, text))
}

/// Reads printed segments. The times in a block count from the block's own start.
#[derive(Debug, Default)]
pub(crate) struct PrintedReader {
    offset: Millis,
    count: u64,
}

impl PrintedReader {
    pub(super) fn line(&mut self, line: &str, found: &mut FoundInLine) {
        if line.contains("### Transcription") {
            let t0 = line.split_once("t0 = ").and_then(|(_, rest)| rest.split_whitespace().next());
            if let Some(t0) = t0.and_then(|t0| t0.parse::<Millis>().ok()) {
                self.offset = t0;
            }
            return;
        }
        // What is not a segment is what the program says of itself.
        let Some((start, end, text)) = times(line) else { return };
        let (speaker, text) = spoken_by(text.trim());
        self.count += 1;
        found.items.push(RawItem::Segment(RawSegment {
            id: Some(format!("w{}", self.count)),
            speaker,
            start: Some(RawTime::Room(start.saturating_add(self.offset))),
            end: Some(RawTime::Room(end.saturating_add(self.offset))),
            text: Some(text.to_string()),
            ..RawSegment::default()
        }));
    }
}

/// `(speaker 1) text`; `(speaker ?)` is nobody that is known.
fn spoken_by(text: &str) -> (Option<String>, &str) {
    match text.strip_prefix("(speaker ").and_then(|rest| rest.split_once(')')) {
        Some((name, rest)) => ((name != "?").then(|| name.to_string()), rest.trim()),
        None => (None, text),
    }
}
