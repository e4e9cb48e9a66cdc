//! Our own lines, and the files that Whisper and its kin write.

use crate::fields::Fields;
use crate::forms::FormMemory;
use crate::heard::EarSource;
use crate::note::EarNoteKind;
use crate::raw::{RawItem, RawSegment, by_speaker, mean_confidence, speaker, words};
use crate::when::{RawTime, TimeUnit};

/// The fields of our own segments; what is beside them is kept.
const OWN: [&str; 17] = [
    "type",
    "id",
    "final",
    "speaker",
    "start",
    "end",
    "text",
    "estimated",
    "confidence",
    "channel",
    "lang",
    "stress",
    "stress_source",
    "emotion",
    "emotion_source",
    "words",
    "at",
];

/// A line of our own form.
pub(super) fn own(line: &Fields<'_>, out: &mut Vec<RawItem>) -> bool {
    let seconds = TimeUnit::Seconds;
    let person = || line.name(&["speaker"]);
    match line.str("type").unwrap_or("segment") {
        "segment" => return own_segment(line, out),
        "activity" => match line.flag(&["on"]) {
            Some(on) => {
                out.push(RawItem::Onset { speaker: person(), at: line.when(&["at", "start"], seconds), on });
            }
            None => out.push(RawItem::Segment(RawSegment {
                speaker: person(),
                start: line.when(&["start"], seconds),
                end: line.when(&["end"], seconds),
                ..RawSegment::default()
            })),
        },
        "speaker" => match (line.name(&["from"]), line.name(&["to"])) {
            (Some(from), Some(to)) => out.push(RawItem::Rename { from, to }),
            _ => return false,
        },
        "revise" => match (line.name(&["id"]), person()) {
            (Some(id), Some(speaker)) => out.push(RawItem::Revise { id, speaker }),
            _ => return false,
        },
        "present" => match (person(), line.flag(&["on"])) {
            (Some(speaker), Some(on)) => {
                out.push(RawItem::Presence { speaker, at: line.when(&["at"], seconds), on });
            }
            _ => return false,
        },
        "clock" => match line.when(&["t0"], seconds) {
            Some(t0) => out.push(RawItem::Clock(t0)),
            None => return line.has("t0"),
        },
        _ => return false,
    }
    true
}

fn own_segment(line: &Fields<'_>, out: &mut Vec<RawItem>) -> bool {
    let seconds = TimeUnit::Seconds;
    let text = line.text(&["text"]);
    if text.is_none() && !line.has("start") && !line.has("words") {
        return false;
    }
    let words = words(line, "words", seconds);
    let extra = line.map.iter().filter(|(key, _)| !OWN.contains(&key.as_str()));
    out.push(RawItem::Segment(RawSegment {
        id: line.name(&["id"]),
        draft: line.flag(&["final"]) == Some(false),
        speaker: person_of(line),
        start: line.when(&["start"], seconds),
        end: line.when(&["end"], seconds),
        text: text.or_else(|| (!words.is_empty()).then(|| crate::raw::joined(&words))),
        confidence: line.number(&["confidence"]),
        channel: line.index(&["channel"]),
        lang: line.name(&["lang"]),
        stress: line.number(&["stress"]),
        stress_source: source(line, "stress_source"),
        emotion: line.name(&["emotion"]),
        emotion_source: source(line, "emotion_source"),
        words,
        extra: extra.map(|(key, value)| (key.clone(), value.clone())).collect(),
        ..RawSegment::default()
    }));
    true
}

/// How a signal is known. A word that is none counts as the voice, which proves least.
fn source(line: &Fields<'_>, name: &str) -> Option<EarSource> {
    let word = line.text(&[name])?;
    let known = EarSource::parse(&word);
    if known.is_none() {
        line.flaw(
            EarNoteKind::BadValue,
            format!("`{name}` should be sensor, person or voice; taken for voice"),
        );
    }
    Some(known.unwrap_or(EarSource::Voice))
}

/// In our own form a name is a name, whatever it is.
fn person_of(line: &Fields<'_>) -> Option<String> {
    line.name(&["speaker"])
}

/// A file of Whisper, WhisperX or OpenAI, or a part of one: its list of segments.
pub(super) fn whisper(file: &Fields<'_>, memory: &mut FormMemory, out: &mut Vec<RawItem>) -> bool {
    if !file.map.get("segments").is_some_and(serde_json::Value::is_array) {
        return false;
    }
    let lang = file.name(&["language"]);
    for segment in file.list("segments") {
        let words = words(&segment, "words", TimeUnit::Seconds);
        let id = segment.str("id").map_or_else(|| memory.next("w"), str::to_string);
        let whole = RawSegment {
            id: Some(id),
            speaker: speaker(&segment, &["speaker"]),
            start: segment.when(&["start"], TimeUnit::Seconds),
            end: segment.when(&["end"], TimeUnit::Seconds),
            text: segment.text(&["text"]),
            confidence: mean_confidence(&words),
            lang: segment.name(&["language"]).or_else(|| lang.clone()),
            words,
            ..RawSegment::default()
        };
        out.extend(by_speaker(whole).into_iter().map(RawItem::Segment));
    }
    true
}

/// A file of whisper.cpp: offsets in milliseconds.
pub(super) fn whisper_cpp(file: &Fields<'_>, memory: &mut FormMemory, out: &mut Vec<RawItem>) -> bool {
    let lang = file.object("result").and_then(|result| result.name(&["language"]));
    for segment in file.list("transcription") {
        let at = |name: &str| {
            let exact = segment.object("offsets").and_then(|offsets| offsets.when(&[name], TimeUnit::Millis));
            exact.or_else(|| segment.object("timestamps")?.when(&[name], TimeUnit::Seconds))
        };
        out.push(RawItem::Segment(RawSegment {
            id: Some(memory.next("w")),
            speaker: speaker(&segment, &["speaker"]),
            start: at("from"),
            end: at("to"),
            text: segment.text(&["text"]),
            lang: lang.clone(),
            ..RawSegment::default()
        }));
    }
    if !file.has("transcription") {
        file.flaw(EarNoteKind::Unreadable, "there is no list `transcription`");
    }
    true
}

/// A moment given as a field of an object: `{"relative": 1.2, "absolute": "…"}`.
pub(super) fn stamp(of: &Fields<'_>, name: &str) -> Option<RawTime> {
    match of.object(name) {
        Some(stamp) => stamp.when(&["relative", "absolute"], TimeUnit::Seconds),
        None => of.when(&[name], TimeUnit::Seconds),
    }
}
