//! RTTM: who speaks from when to when, one turn a line, and words where there are LEXEME lines. CTM: words alone, one a line.

use std::collections::BTreeMap;

use crate::forms::EarForm;
use crate::heard::Millis;
use crate::lines::FoundInLine;
use crate::note::EarNoteKind;
use crate::raw::{RawItem, RawSegment, RawWord, joined, mean_confidence};
use crate::when::{RawTime, TimeUnit, written};

/// What a line may be.
pub(super) const KINDS: [&str; 8] =
    ["SPEAKER", "LEXEME", "SPKR-INFO", "NON-LEX", "NON-SPEECH", "SEGMENT", "NOSCORE", "NO_RT_METADATA"];
/// A pause that ends what somebody says.
const PAUSE: Millis = 1000;
/// The most words of one segment, and the most people who speak at once.
const WORDS_MOST: usize = 200;
const VOICES_MOST: usize = 64;

/// Reads turns line by line.
#[derive(Debug, Default)]
pub(crate) struct TurnReader {
    only: Option<String>,
    words_alone: bool,
    others: u64,
    count: u64,
    open: BTreeMap<String, (Millis, Vec<RawWord>)>,
}

impl TurnReader {
    pub(super) fn of(form: EarForm, only: Option<String>) -> Self {
        Self { only, words_alone: form == EarForm::Ctm, ..Self::default() }
    }

    pub(super) fn line(&mut self, line: &str, found: &mut FoundInLine) {
        let fields: Vec<&str> = line.split_whitespace().collect();
        let Some(kind) = fields.first().map(|kind| kind.trim_start_matches('\u{feff}')) else { return };
        if kind.starts_with(";;") {
            return;
        }
        if self.words_alone {
            return self.word_alone(&fields, found);
        }
        if !KINDS.contains(&kind) {
            let shown: String = kind.chars().take(40).collect();
            return found
                .flaw(EarNoteKind::Unreadable, format!("{shown:?} is no kind of RTTM line; passed over"));
        }
        if !matches!(kind, "SPEAKER" | "LEXEME") {
            return;
        }
        let [_, file, _, begin, length, word, _, name, rest @ ..] = fields.as_slice() else {
            return found
                .flaw(EarNoteKind::Unreadable, format!("a {kind} line has 8 columns or more; passed over"));
        };
        if !self.is_ours(file) {
            return;
        }
        let (Some(begin), Some(length)) = (time(begin), time(length)) else {
            return found
                .flaw(EarNoteKind::Unreadable, format!("{begin} and {length} are no times; passed over"));
        };
        let speaker = (*name != "<NA>").then(|| (*name).to_string());
        if kind == "SPEAKER" {
            found.items.push(RawItem::Segment(RawSegment {
                speaker,
                start: Some(RawTime::Room(begin)),
                end: Some(RawTime::Room(begin.saturating_add(length))),
                ..RawSegment::default()
            }));
        } else {
            let confidence = rest.first().and_then(|share| share.parse().ok());
            self.word(begin, length, word, speaker.unwrap_or_default(), confidence, found);
        }
    }

    /// `file channel begin length word confidence`, of nobody that is named.
    fn word_alone(&mut self, fields: &[&str], found: &mut FoundInLine) {
        let [file, _, begin, length, word, rest @ ..] = fields else {
            return found.flaw(EarNoteKind::Unreadable, "a word has 5 columns or more; passed over");
        };
        let (Some(begin), Some(length)) = (time(begin), time(length)) else {
            return found
                .flaw(EarNoteKind::Unreadable, format!("{begin} and {length} are no times; passed over"));
        };
        if self.is_ours(file) {
            let confidence = rest.first().and_then(|share| share.parse().ok());
            self.word(begin, length, word, String::new(), confidence, found);
        }
    }

    /// Whether a line is of the recording that is read: the one that was asked for, or the first.
    fn is_ours(&mut self, file: &str) -> bool {
        let ours = self.only.get_or_insert_with(|| file.to_string()) == file;
        self.others += u64::from(!ours);
        ours
    }

    fn word(
        &mut self,
        begin: Millis,
        length: Millis,
        word: &str,
        speaker: String,
        confidence: Option<f64>,
        found: &mut FoundInLine,
    ) {
        let ended: Vec<String> = self
            .open
            .iter()
            .filter(|(_, (end, words))| begin.saturating_sub(*end) > PAUSE || words.len() >= WORDS_MOST)
            .map(|(voice, _)| voice.clone())
            .collect();
        for voice in ended {
            self.close(&voice, found);
        }
        if self.open.len() >= VOICES_MOST && !self.open.contains_key(&speaker) {
            self.end_voices(found);
        }
        let end = begin.saturating_add(length);
        let (last, words) = self.open.entry(speaker).or_default();
        *last = end;
        let (start, end) = (Some(RawTime::Room(begin)), Some(RawTime::Room(end)));
        words.push(RawWord { word: word.into(), start, end, confidence, ..RawWord::default() });
    }

    fn close(&mut self, voice: &str, found: &mut FoundInLine) {
        let Some((_, words)) = self.open.remove(voice) else { return };
        self.count += 1;
        found.items.push(RawItem::Segment(RawSegment {
            id: Some(format!("rttm-{}", self.count)),
            speaker: (!voice.is_empty()).then(|| voice.to_string()),
            start: words.first().and_then(|word| word.start),
            end: words.last().and_then(|word| word.end),
            text: Some(joined(&words)),
            confidence: mean_confidence(&words),
            words,
            ..RawSegment::default()
        }));
    }

    fn end_voices(&mut self, found: &mut FoundInLine) {
        let mut voices: Vec<_> = self.open.iter().map(|(voice, (end, _))| (*end, voice.clone())).collect();
        voices.sort();
        for (_, voice) in voices {
            self.close(&voice, found);
        }
    }

    pub(super) fn end(&mut self, found: &mut FoundInLine) {
        self.end_voices(found);
        others(self.others, self.only.as_deref(), found);
        self.others = 0;
    }
}

fn time(text: &str) -> Option<Millis> {
    match written(text, TimeUnit::Seconds) {
        Ok(RawTime::Room(time)) => Some(time),
        Ok(RawTime::Epoch(_)) | Err(_) => None,
    }
}

/// Whether a line is a word as CTM writes it.
pub(super) fn is_word(line: &str) -> bool {
    let fields: Vec<&str> = line.split_whitespace().collect();
    let number = |at: usize| fields.get(at).is_some_and(|field| field.parse::<f64>().is_ok());
    (5..=8).contains(&fields.len()) && number(2) && number(3)
}

/// Says how many lines were of other recordings.
pub(super) fn others(count: u64, only: Option<&str>, found: &mut FoundInLine) {
    if count > 0 {
        let only = only.unwrap_or("");
        let detail = format!(
            "{count} lines of recordings other than {only:?}; passed over (--only NAME reads another)"
        );
        found.flaw(EarNoteKind::OtherRecording, detail);
    }
}
