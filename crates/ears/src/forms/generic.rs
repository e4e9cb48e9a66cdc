//! Any JSON with a text in it: fields are known by the names that most sources use.

use serde_json::Value;

use crate::fields::Fields;
use crate::forms::FormMemory;
use crate::raw::{RawItem, RawSegment, mean_confidence, speaker, words};
use crate::when::{RawTime, TimeUnit};

/// How deep a text is looked for.
const DEEP: usize = 6;

const TEXT: [&str; 7] = ["text", "transcript", "content", "utterance", "sentence", "caption", "message"];
const START: [&str; 9] = [
    "start",
    "start_time",
    "audio_start_time",
    "absolute_start_time",
    "startTime",
    "begin",
    "from",
    "offset",
    "start_timestamp",
];
const END: [&str; 8] =
    ["end", "end_time", "audio_end_time", "absolute_end_time", "endTime", "stop", "to", "end_timestamp"];
const START_MS: [&str; 5] = ["start_ms", "timestamp_ms", "startMs", "start_time_ms", "offset_ms"];
const END_MS: [&str; 3] = ["end_ms", "endMs", "end_time_ms"];
const AT: [&str; 5] = ["timestamp", "time", "at", "created_at", "ts"];
const WHO: [&str; 10] = [
    "speaker",
    "speaker_name",
    "speaker_label",
    "speakerName",
    "participant_name",
    "user_name",
    "user_id",
    "name",
    "sender",
    "author",
];
const ID: [&str; 7] =
    ["id", "segment_id", "chunk_id", "turn_order", "sequence_id", "utterance_id", "message_id"];
const FINAL: [&str; 6] = ["final", "is_final", "isFinal", "completed", "end_of_turn", "speech_final"];
const DRAFT: [&str; 4] = ["is_partial", "partial", "interim", "is_interim"];

/// Reads every object with a text, however deep it lies.
pub(super) fn read(message: &Fields<'_>, memory: &mut FormMemory, out: &mut Vec<RawItem>) -> bool {
    let before = out.len();
    look(message, memory, DEEP, out);
    out.len() > before
}

fn look(object: &Fields<'_>, memory: &mut FormMemory, deep: usize, out: &mut Vec<RawItem>) {
    let holds_text = TEXT.iter().any(|name| object.map.get(*name).is_some_and(Value::is_string));
    let lists = object.map.iter().filter(|(_, value)| holds_objects_with_text(value));
    let lists: Vec<&Vec<Value>> = lists.filter_map(|(_, value)| value.as_array()).collect();
    // A text over a list of texts is the whole of them.
    if holds_text && lists.is_empty() {
        let segment = segment(object, memory);
        out.push(RawItem::Segment(segment));
        return;
    }
    if deep == 0 {
        return;
    }
    for value in lists.into_iter().flatten().chain(object.map.values()) {
        if let Some(inner) = object.of(value) {
            look(&inner, memory, deep - 1, out);
        }
    }
}

/// Whether a value is a list of segments, and not one of words.
fn holds_objects_with_text(value: &Value) -> bool {
    let Some(list) = value.as_array() else { return false };
    list.iter().take(3).any(|entry| {
        entry.as_object().is_some_and(|entry| {
            TEXT.iter().any(|name| {
                entry.get(*name).and_then(Value::as_str).is_some_and(|text| text.trim().contains(' '))
            }) || (entry.contains_key("text") && WHO.iter().any(|name| entry.contains_key(*name)))
        })
    })
}

fn segment(object: &Fields<'_>, memory: &mut FormMemory) -> RawSegment {
    let unit = memory.unit.unwrap_or(TimeUnit::Seconds);
    let words = words(object, "words", unit);
    let offsets = object.object("offsets");
    let exact = |name: &str| offsets.and_then(|offsets| offsets.when(&[name], TimeUnit::Millis));
    let first = |names: &[&str], millis: &[&str], name: &str| {
        exact(name).or_else(|| object.when(millis, TimeUnit::Millis)).or_else(|| times(object, names, unit))
    };
    let start = first(&START, &START_MS, "from").or_else(|| words.iter().find_map(|word| word.start));
    let end = first(&END, &END_MS, "to").or_else(|| words.iter().rev().find_map(|word| word.end));
    let end = end.or_else(|| if start.is_none() { times(object, &AT, unit) } else { None });
    let span = |names: &[&str], unit| object.value(names).and_then(|_| object.span(names, unit));
    let partial = object.flag(&DRAFT).unwrap_or(false);
    let person =
        object.object("participant").or_else(|| object.object("speaker")).or_else(|| object.object("user"));
    RawSegment {
        id: object.name(&ID).or_else(|| Some(memory.next("g"))),
        draft: partial || object.flag(&FINAL) == Some(false),
        speaker: speaker(object, &WHO)
            .or_else(|| person.and_then(|person| person.name(&["name", "identity", "id"]))),
        start,
        end,
        length: span(&["duration_ms"], TimeUnit::Millis).or_else(|| span(&["duration"], unit)),
        text: TEXT.iter().find_map(|name| object.str(name)).map(str::to_string),
        confidence: object.number(&["confidence"]).or_else(|| mean_confidence(&words)),
        channel: None,
        lang: object.name(&["lang", "language", "language_code"]),
        words,
        ..RawSegment::default()
    }
}

/// A time under one of these names, if what stands there can be one.
fn times(object: &Fields<'_>, names: &[&str], unit: TimeUnit) -> Option<RawTime> {
    let known =
        |name: &&&str| object.map.get(**name).is_some_and(|value| value.is_number() || value.is_string());
    object.when(&[names.iter().find(known)?], unit)
}
