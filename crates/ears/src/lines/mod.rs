//! Forms that are lines of text: subtitles, speaker turns, tables.

mod ami;
mod cues;
mod rttm;
mod whisper;

pub use ami::AmiRow;

use crate::forms::EarForm;
use crate::note::EarNoteKind;
use crate::raw::RawItem;

/// A longer line is passed over.
const LINE_MOST: usize = 2 << 20;

/// What a reader of lines finds.
#[derive(Debug, Default)]
pub(crate) struct FoundInLine {
    pub(crate) items: Vec<RawItem>,
    pub(crate) flaws: Vec<(EarNoteKind, String)>,
}

impl FoundInLine {
    fn flaw(&mut self, kind: EarNoteKind, detail: impl Into<String>) {
        self.flaws.push((kind, detail.into()));
    }
}

/// The reader of a form, with what it remembers.
#[derive(Debug)]
pub(crate) enum LineReader {
    Cues(cues::CueReader),
    Rttm(rttm::TurnReader),
    Ami(ami::AmiReader),
    Whisper(whisper::PrintedReader),
}

impl LineReader {
    /// The reader for a form that is lines. `only` names the recording, where a file holds several.
    pub(crate) fn of(form: EarForm, only: Option<String>) -> Option<Self> {
        match form {
            EarForm::Vtt | EarForm::Srt => Some(Self::Cues(cues::CueReader::default())),
            EarForm::Rttm | EarForm::Ctm => Some(Self::Rttm(rttm::TurnReader::of(form, only))),
            EarForm::Ami => Some(Self::Ami(ami::AmiReader::of(only))),
            EarForm::WhisperText => Some(Self::Whisper(whisper::PrintedReader::default())),
            EarForm::Jsonl
            | EarForm::Whisper
            | EarForm::WhisperCpp
            | EarForm::Vexa
            | EarForm::Attendee
            | EarForm::WhisperLiveKit
            | EarForm::WhisperLive
            | EarForm::OpenAi
            | EarForm::Deepgram
            | EarForm::AssemblyAi
            | EarForm::Speechmatics
            | EarForm::Recall
            | EarForm::LiveKit
            | EarForm::Pipecat
            | EarForm::Meetily
            | EarForm::Gladia
            | EarForm::Fireflies
            | EarForm::Generic => None,
        }
    }

    pub(crate) fn line(&mut self, line: &str, found: &mut FoundInLine) {
        match self {
            Self::Cues(reader) => reader.line(line, found),
            Self::Rttm(reader) => reader.line(line, found),
            Self::Ami(reader) => reader.line(line, found),
            Self::Whisper(reader) => reader.line(line, found),
        }
    }

    pub(crate) fn end(&mut self, found: &mut FoundInLine) {
        match self {
            Self::Cues(reader) => reader.line("", found),
            Self::Rttm(reader) => reader.end(found),
            Self::Ami(reader) => reader.end(found),
            Self::Whisper(_) => (),
        }
    }
}

/// Tells a form of lines by the first one that says anything.
pub(crate) fn detect(line: &str) -> Option<EarForm> {
    let line = line.trim_start_matches('\u{feff}').trim();
    let first = line.split_whitespace().next().unwrap_or("");
    if line.starts_with("WEBVTT") {
        Some(EarForm::Vtt)
    } else if line.starts_with('#') && line.contains("Transcription") || whisper::is_printed(line) {
        Some(EarForm::WhisperText)
    } else if line.contains("-->") || (!line.is_empty() && line.bytes().all(|byte| byte.is_ascii_digit())) {
        Some(EarForm::Srt)
    } else if rttm::KINDS.contains(&first) || first.starts_with(";;") {
        Some(EarForm::Rttm)
    } else if line.split('\t').any(|column| column == "meeting") && line.contains("\tspeaker\t") {
        Some(EarForm::Ami)
    } else if rttm::is_word(line) {
        Some(EarForm::Ctm)
    } else {
        None
    }
}

/// Cuts bytes into lines. Lines may end in `\n`, `\r\n` or `\r`.
#[derive(Debug, Default)]
pub(crate) struct LineSplitter {
    buffer: Vec<u8>,
    line: u64,
    after_return: bool,
    too_large: bool,
}

impl LineSplitter {
    /// Gives each whole line with its number to `each`, and nothing for one that is too large.
    pub(crate) fn feed(&mut self, bytes: &[u8], each: &mut dyn FnMut(u64, Option<&[u8]>)) {
        for &byte in bytes {
            let follows = std::mem::take(&mut self.after_return);
            match byte {
                b'\n' if follows => (),
                b'\n' | b'\r' => {
                    self.after_return = byte == b'\r';
                    self.give(each);
                }
                _ if self.buffer.len() < LINE_MOST => self.buffer.push(byte),
                _ => self.too_large = true,
            }
        }
    }

    pub(crate) fn end(&mut self, each: &mut dyn FnMut(u64, Option<&[u8]>)) {
        if !self.buffer.is_empty() {
            self.give(each);
        }
    }

    fn give(&mut self, each: &mut dyn FnMut(u64, Option<&[u8]>)) {
        self.line += 1;
        let whole = !std::mem::take(&mut self.too_large);
        each(self.line, whole.then_some(self.buffer.as_slice()));
        self.buffer.clear();
    }
}
