//! Paid services: OpenAI, Deepgram, AssemblyAI, Speechmatics, Gladia.

use crate::fields::Fields;
use crate::forms::FormMemory;
use crate::forms::bots::source_error;
use crate::forms::live::plain;
use crate::raw::{RawItem, RawSegment, RawWord, by_speaker, joined, mean_confidence, speaker, words};
use crate::when::{RawTime, TimeUnit};

/// OpenAI: segments with speakers, from files and realtime. What has no times is placed where it arrives.
pub(super) fn openai(message: &Fields<'_>, memory: &mut FormMemory, out: &mut Vec<RawItem>) -> bool {
    let kind = message.str("type").unwrap_or("");
    let item = message.name(&["item_id"]);
    match kind.rsplit_once('.').map_or(kind, |(_, last)| last) {
        "segment" => {
            if let Some(item) = &item {
                memory.came_in_segments(item);
            }
            let id = message.name(&["id"]);
            out.push(RawItem::Segment(RawSegment {
                id: match (item, id) {
                    (Some(item), Some(id)) => Some(format!("{item}/{id}")),
                    (_, id) => id,
                },
                speaker: speaker(message, &["speaker"]),
                start: message.when(&["start"], TimeUnit::Seconds),
                end: message.when(&["end"], TimeUnit::Seconds),
                text: message.text(&["text"]),
                ..RawSegment::default()
            }));
        }
        // The whole of an item that did not come in segments.
        "completed" if !item.as_ref().is_some_and(|item| memory.in_segments.contains(item)) => {
            out.push(RawItem::Segment(RawSegment {
                id: item,
                text: message.text(&["transcript"]),
                ..RawSegment::default()
            }));
        }
        "speech_started" => {
            let at = message.when(&["audio_start_ms"], TimeUnit::Millis);
            out.push(RawItem::Onset { speaker: None, at, on: true });
        }
        "speech_stopped" => {
            let at = message.when(&["audio_end_ms"], TimeUnit::Millis);
            out.push(RawItem::Onset { speaker: None, at, on: false });
        }
        "failed" | "error" => source_error(message),
        "delta" | "done" | "completed" | "committed" | "cleared" => (),
        _ => return false,
    }
    true
}

/// Deepgram: results of a window (version 1), or turns (version 2), of which only the ended ones are final.
pub(super) fn deepgram(message: &Fields<'_>, out: &mut Vec<RawItem>) -> bool {
    match message.str("type") {
        Some("Results") => deepgram_window(message, out),
        Some("TurnInfo") => deepgram_turn(message, out),
        Some("Error") => source_error(message),
        Some("Metadata" | "UtteranceEnd" | "SpeechStarted" | "Connected" | "FatalError") => (),
        Some(_) | None => return false,
    }
    true
}

fn deepgram_window(message: &Fields<'_>, out: &mut Vec<RawItem>) {
    let Some(channel) = message.object("channel") else { return };
    let Some(best) = channel.list("alternatives").into_iter().next() else { return };
    let words = words(&best, "words", TimeUnit::Seconds);
    let index = message.map.get("channel_index").and_then(serde_json::Value::as_array);
    let number = |at: usize| index.and_then(|list| u32::try_from(list.get(at)?.as_u64()?).ok());
    // Of several channels each is a speaker.
    let voice = number(0).filter(|_| number(1).is_some_and(|count| count > 1));
    let start = message.when(&["start"], TimeUnit::Seconds);
    let draft = message.flag(&["is_final"]) == Some(false);
    let whole = RawSegment {
        id: start.map(|start| format!("dg-{}-{}", number(0).unwrap_or(0), plain(start))),
        draft,
        speaker: voice.map(|voice| format!("channel {voice}")),
        start: words.first().and_then(|word| word.start).or(start),
        end: words.last().and_then(|word| word.end),
        length: message.span(&["duration"], TimeUnit::Seconds),
        text: best.text(&["transcript"]),
        confidence: best.number(&["confidence"]),
        channel: number(0),
        words,
        ..RawSegment::default()
    };
    spread(whole, out);
}

fn deepgram_turn(message: &Fields<'_>, out: &mut Vec<RawItem>) {
    let words = words(message, "words", TimeUnit::Seconds);
    let whole = RawSegment {
        id: message.name(&["turn_index"]).map(|turn| format!("dg-turn-{turn}")),
        draft: message.str("event") != Some("EndOfTurn"),
        start: words
            .iter()
            .find_map(|word| word.start)
            .or_else(|| message.when(&["audio_window_start"], TimeUnit::Seconds)),
        end: words
            .iter()
            .rev()
            .find_map(|word| word.end)
            .or_else(|| message.when(&["audio_window_end"], TimeUnit::Seconds)),
        text: message.text(&["transcript"]),
        confidence: mean_confidence(&words),
        words,
        ..RawSegment::default()
    };
    spread(whole, out);
}

/// A draft stays in one piece, so that one segment replaces it.
fn spread(whole: RawSegment, out: &mut Vec<RawItem>) {
    if whole.draft {
        let speaker =
            whole.speaker.clone().or_else(|| whole.words.iter().find_map(|word| word.speaker.clone()));
        out.push(RawItem::Segment(RawSegment { speaker, ..whole }));
    } else {
        out.extend(by_speaker(whole).into_iter().map(RawItem::Segment));
    }
}

/// AssemblyAI: turns in milliseconds, whose speakers may be corrected later.
pub(super) fn assemblyai(message: &Fields<'_>, out: &mut Vec<RawItem>) -> bool {
    let turn = |of: &Fields<'_>| of.name(&["turn_order"]).map(|turn| format!("turn-{turn}"));
    match message.str("type") {
        Some("Turn") => {
            let words = words(message, "words", TimeUnit::Millis);
            let common = words.iter().find_map(|word| word.speaker.clone());
            out.push(RawItem::Segment(RawSegment {
                id: turn(message),
                draft: message.flag(&["end_of_turn"]) == Some(false),
                speaker: speaker(message, &["speaker_label"]).or(common),
                start: words.iter().find_map(|word| word.start),
                end: words.iter().rev().find_map(|word| word.end),
                text: message.text(&["transcript"]),
                confidence: mean_confidence(&words),
                lang: message.name(&["language_code"]),
                words,
                ..RawSegment::default()
            }));
        }
        Some("SpeakerRevision") => {
            for revision in message.list("revisions") {
                match (turn(&revision), speaker(&revision, &["speaker_label"])) {
                    (Some(id), Some(speaker)) => out.push(RawItem::Revise { id, speaker }),
                    _ => return false,
                }
            }
        }
        Some("Error") => source_error(message),
        Some("Begin" | "Termination" | "SpeechStarted") => (),
        Some(_) | None => return false,
    }
    true
}

/// Speechmatics: words and signs one by one, to be put together by speaker.
pub(super) fn speechmatics(message: &Fields<'_>, memory: &mut FormMemory, out: &mut Vec<RawItem>) -> bool {
    let draft = match message.str("message") {
        Some("AddTranscript") => false,
        Some("AddPartialTranscript") => true,
        Some("Error") => {
            source_error(message);
            return true;
        }
        Some(_) => return true,
        None => return false,
    };
    let words: Vec<RawWord> = message.list("results").iter().filter_map(speechmatics_word).collect();
    let metadata = message.object("metadata");
    let at = |name: &str| metadata.and_then(|metadata| metadata.when(&[name], TimeUnit::Seconds));
    let text =
        metadata.and_then(|metadata| metadata.text(&["transcript"])).filter(|text| !text.trim().is_empty());
    if words.is_empty() && text.is_none() {
        return true;
    }
    let channel = message.name(&["channel"]);
    let lang = message
        .list("results")
        .iter()
        .find_map(|result| result.list("alternatives").first().and_then(|best| best.name(&["language"])));
    spread(
        RawSegment {
            id: Some(memory.slot(&format!("sm-{}", channel.clone().unwrap_or_default()), draft)),
            draft,
            speaker: channel,
            start: words.first().and_then(|word| word.start).or_else(|| at("start_time")),
            end: words.iter().rev().find_map(|word| word.end).or_else(|| at("end_time")),
            text: Some(text.unwrap_or_else(|| joined(&words))),
            confidence: mean_confidence(&words),
            lang,
            words,
            ..RawSegment::default()
        },
        out,
    );
    true
}

fn speechmatics_word(result: &Fields<'_>) -> Option<RawWord> {
    let best = result.list("alternatives").into_iter().next()?;
    let joined = result.str("type") == Some("punctuation") && result.str("attaches_to") != Some("next");
    let time = |name: &str| result.when(&[name], TimeUnit::Seconds);
    let (start, end): (Option<RawTime>, Option<RawTime>) = (time("start_time"), time("end_time"));
    Some(RawWord {
        word: best.text(&["content"])?,
        start,
        end,
        speaker: speaker(&best, &["speaker"]),
        confidence: best.number(&["confidence"]).filter(|_| !joined),
        joined,
    })
}

/// Gladia: an utterance in the data.
pub(super) fn gladia(message: &Fields<'_>, memory: &mut FormMemory, out: &mut Vec<RawItem>) -> bool {
    let Some(data) = message.object("data") else { return false };
    let Some(utterance) = data.object("utterance") else { return message.has("type") };
    let draft = data.flag(&["is_final"]) == Some(false);
    let channel = utterance.index(&["channel"]);
    let words = words(&utterance, "words", TimeUnit::Seconds);
    let id = data.name(&["id"]);
    out.push(RawItem::Segment(RawSegment {
        id: Some(id.unwrap_or_else(|| memory.slot(&format!("gladia-{}", channel.unwrap_or(0)), draft))),
        draft,
        speaker: speaker(&utterance, &["speaker"]),
        start: utterance.when(&["start"], TimeUnit::Seconds),
        end: utterance.when(&["end"], TimeUnit::Seconds),
        text: utterance.text(&["text"]),
        confidence: utterance.number(&["confidence"]),
        channel,
        lang: utterance.name(&["language"]),
        words,
        ..RawSegment::default()
    }));
    true
}
