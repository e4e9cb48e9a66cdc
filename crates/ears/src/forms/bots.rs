//! Programs that sit in a call: Vexa, Attendee, Recall.ai, LiveKit, Pipecat; and Meetily and Fireflies, which take notes.

use crate::fields::Fields;
use crate::forms::FormMemory;
use crate::forms::files::stamp;
use crate::note::EarNoteKind;
use crate::raw::{RawItem, RawSegment, RawWord, joined, mean_confidence, speaker, words};
use crate::when::{RawTime, TimeUnit};

/// Vexa: confirmed and pending segments, or single ones.
pub(super) fn vexa(message: &Fields<'_>, memory: &mut FormMemory, out: &mut Vec<RawItem>) -> bool {
    match message.str("type") {
        Some("transcript") => {
            let voice = speaker(message, &["speaker"]);
            for (list, confirmed) in [("confirmed", true), ("pending", false)] {
                for segment in message.list(list) {
                    let item = vexa_segment(&segment, voice.as_ref(), Some(confirmed), memory);
                    out.push(RawItem::Segment(item));
                }
            }
        }
        Some("transcription_segment") => {
            let item = vexa_segment(message, None, None, memory);
            out.push(RawItem::Segment(item));
        }
        Some("error") => source_error(message),
        // The state of the meeting and what is typed are no speech.
        Some("meeting.status" | "chat_message" | "subscribed" | "unsubscribed" | "pong") => (),
        Some(_) | None => return false,
    }
    true
}

fn vexa_segment(
    segment: &Fields<'_>,
    voice: Option<&String>,
    confirmed: Option<bool>,
    memory: &mut FormMemory,
) -> RawSegment {
    let seconds = TimeUnit::Seconds;
    let who = speaker(segment, &["speaker"]).or_else(|| voice.cloned());
    let completed = segment.flag(&["completed"]).or(confirmed).unwrap_or(true);
    let draft = !completed || confirmed == Some(false);
    let id = segment.name(&["segment_id"]);
    let id = id.unwrap_or_else(|| memory.slot(&format!("vexa-{}", who.as_deref().unwrap_or("")), draft));
    RawSegment {
        id: Some(id),
        draft,
        speaker: who,
        start: segment.when(&["absolute_start_time", "start_time", "start"], seconds),
        end: segment.when(&["absolute_end_time", "end_time", "end"], seconds),
        text: segment.text(&["text"]),
        lang: segment.name(&["language"]),
        ..RawSegment::default()
    }
}

/// Attendee: the trigger says what the data are.
pub(super) fn attendee(message: &Fields<'_>, out: &mut Vec<RawItem>) -> bool {
    let (Some(trigger), Some(data)) = (message.str("trigger"), message.object("data")) else { return false };
    let at = data.when(&["timestamp_ms"], TimeUnit::Millis);
    let person = data.name(&["participant_name", "participant_uuid"]);
    let event = data.str("event_type").unwrap_or("");
    match trigger {
        "transcript.update" => {
            let said = data.object("transcription");
            let text = said.and_then(|said| said.text(&["transcript"]));
            out.push(RawItem::Segment(RawSegment {
                id: message.name(&["idempotency_key"]),
                speaker: data.name(&["speaker_name", "speaker_uuid"]),
                start: at,
                length: data.span(&["duration_ms"], TimeUnit::Millis),
                text: text.or_else(|| data.text(&["transcription"])),
                ..RawSegment::default()
            }));
        }
        "participant_events.speech_start_stop" => match event {
            "speech_start" => out.push(RawItem::Onset { speaker: person, at, on: true }),
            "speech_stop" => out.push(RawItem::Onset { speaker: person, at, on: false }),
            _ => return false,
        },
        "participant_events.join_leave" => match (person, event) {
            (Some(speaker), "join") => out.push(RawItem::Presence { speaker, at, on: true }),
            (Some(speaker), "leave") => out.push(RawItem::Presence { speaker, at, on: false }),
            _ => return false,
        },
        _ if trigger.starts_with("realtime_audio") => {
            message.flaw(EarNoteKind::SoundIgnored, "a piece of sound; give sound to --audio");
        }
        "bot.state_change" | "chat_messages.update" | "calendar.events_update" | "calendar.state_change" => {}
        _ => return false,
    }
    true
}

/// Recall.ai: whether it is final, the name of the event says.
pub(super) fn recall(message: &Fields<'_>, memory: &mut FormMemory, out: &mut Vec<RawItem>) -> bool {
    let (Some(event), Some(outer)) = (message.str("event"), message.object("data")) else { return false };
    let data = outer.object("data").unwrap_or(outer);
    let participant = data.object("participant");
    let person = participant.and_then(|person| person.name(&["name", "id"]));
    match event {
        "transcript.data" | "transcript.partial_data" => {
            let draft = event == "transcript.partial_data";
            let words: Vec<RawWord> = data.list("words").iter().filter_map(recall_word).collect();
            let who = participant.and_then(|person| person.name(&["id", "name"])).unwrap_or_default();
            out.push(RawItem::Segment(RawSegment {
                id: Some(memory.slot(&format!("recall-{who}"), draft)),
                draft,
                speaker: person,
                start: words.iter().find_map(|word| word.start),
                end: words.iter().rev().find_map(|word| word.end),
                text: Some(joined(&words)),
                words,
                lang: data.name(&["language_code"]),
                ..RawSegment::default()
            }));
            return true;
        }
        _ => (),
    }
    let at = stamp(&data, "timestamp");
    match (event, person) {
        ("participant_events.speech_on", speaker) => out.push(RawItem::Onset { speaker, at, on: true }),
        ("participant_events.speech_off", speaker) => out.push(RawItem::Onset { speaker, at, on: false }),
        ("participant_events.join", Some(speaker)) => out.push(RawItem::Presence { speaker, at, on: true }),
        ("participant_events.leave", Some(speaker)) => out.push(RawItem::Presence { speaker, at, on: false }),
        (event, _) => return event.starts_with("participant_events.") || event.starts_with("bot."),
    }
    true
}

fn recall_word(word: &Fields<'_>) -> Option<RawWord> {
    Some(RawWord {
        word: word.text(&["text"])?.trim().to_string(),
        start: stamp(word, "start_timestamp"),
        end: stamp(word, "end_timestamp"),
        ..RawWord::default()
    })
}

/// LiveKit: a text stream with its attributes, or an event with segments. A new stream of the same segment replaces it.
pub(super) fn livekit(message: &Fields<'_>, memory: &mut FormMemory, out: &mut Vec<RawItem>) -> bool {
    let names = [
        "transcribed_participant_identity",
        "participant_identity",
        "sender_identity",
        "identity",
        "participant",
        "from",
    ];
    let person = speaker(message, &names)
        .or_else(|| message.object("participant").and_then(|person| person.name(&["name", "identity"])));
    if message.has("segments") {
        for segment in message.list("segments") {
            out.push(RawItem::Segment(RawSegment {
                id: segment.name(&["id"]),
                draft: segment.flag(&["final"]) == Some(false),
                speaker: person.clone(),
                start: positive(segment.when(&["start_time", "startTime"], TimeUnit::Millis)),
                end: positive(segment.when(&["end_time", "endTime"], TimeUnit::Millis)),
                text: segment.text(&["text"]),
                lang: segment.name(&["language"]),
                ..RawSegment::default()
            }));
        }
        return true;
    }
    let attributes = message.object("attributes").unwrap_or(*message);
    let draft = attributes.flag(&["lk.transcription_final"]) == Some(false);
    let track = attributes.name(&["lk.transcribed_track_id"]);
    let voice = person.clone().or_else(|| track.clone()).unwrap_or_default();
    let id = attributes.name(&["lk.segment_id"]);
    out.push(RawItem::Segment(RawSegment {
        id: Some(id.unwrap_or_else(|| memory.slot(&format!("lk-{voice}"), draft))),
        draft,
        speaker: person.or(track),
        start: message.when(&["start_time", "start"], TimeUnit::Seconds),
        end: message.when(&["end_time", "end", "timestamp"], TimeUnit::Seconds),
        text: message.text(&["text", "message"]),
        ..RawSegment::default()
    }));
    message.has("text") || message.has("message")
}

/// LiveKit writes 0 where it does not know a time.
fn positive(when: Option<RawTime>) -> Option<RawTime> {
    when.filter(|when| *when != RawTime::Room(0))
}

/// Pipecat: RTVI messages. A transcription has a moment and no length.
pub(super) fn pipecat(message: &Fields<'_>, memory: &mut FormMemory, out: &mut Vec<RawItem>) -> bool {
    let (Some(kind), data) = (message.str("type"), message.object("data")) else { return false };
    match (kind, data) {
        ("user-transcription", Some(data)) => {
            let person = speaker(&data, &["user_id"]);
            let draft = data.flag(&["final"]) == Some(false);
            out.push(RawItem::Segment(RawSegment {
                id: Some(memory.slot(&format!("rtvi-{}", person.as_deref().unwrap_or("")), draft)),
                draft,
                speaker: person,
                end: data.when(&["timestamp"], TimeUnit::Seconds),
                text: data.text(&["text"]),
                ..RawSegment::default()
            }));
        }
        ("user-started-speaking" | "user-stopped-speaking", data) => {
            let speaker = data.and_then(|data| speaker(&data, &["user_id"]));
            out.push(RawItem::Onset { speaker, at: None, on: kind == "user-started-speaking" });
        }
        ("error" | "error-response", Some(data)) => source_error(&data),
        // What the bot says and does is not heard.
        _ => return !kind.is_empty(),
    }
    true
}

/// Meetily: nobody is named, drafts are.
pub(super) fn meetily(message: &Fields<'_>, memory: &mut FormMemory, out: &mut Vec<RawItem>) -> bool {
    let draft = message.flag(&["is_partial"]) == Some(true);
    let id = message.name(&["sequence_id"]).map(|id| format!("meetily-{id}"));
    out.push(RawItem::Segment(RawSegment {
        id: Some(id.unwrap_or_else(|| memory.slot("meetily", draft))),
        draft,
        speaker: speaker(message, &["speaker"]),
        start: message.when(&["audio_start_time"], TimeUnit::Seconds),
        end: message.when(&["audio_end_time"], TimeUnit::Seconds),
        length: message.span(&["duration"], TimeUnit::Seconds),
        text: message.text(&["text"]),
        confidence: message.number(&["confidence"]),
        ..RawSegment::default()
    }));
    message.has("text")
}

/// Fireflies: the same chunk again replaces it.
pub(super) fn fireflies(message: &Fields<'_>, out: &mut Vec<RawItem>) -> bool {
    let words = words(message, "words", TimeUnit::Seconds);
    out.push(RawItem::Segment(RawSegment {
        id: message.name(&["chunk_id"]),
        speaker: speaker(message, &["speaker_name"]),
        start: message.when(&["start_time"], TimeUnit::Seconds),
        end: message.when(&["end_time"], TimeUnit::Seconds),
        text: message.text(&["text"]),
        confidence: mean_confidence(&words),
        words,
        ..RawSegment::default()
    }));
    message.has("text")
}

/// A source that tells of its own trouble.
pub(super) fn source_error(message: &Fields<'_>) {
    let told = message.object("error").unwrap_or(*message);
    let what = told.text(&["reason", "description", "detail", "message", "error"]).unwrap_or_default();
    let what: String = what.chars().filter(|c| !c.is_control()).take(200).collect();
    message.flaw(EarNoteKind::SourceError, format!("the source reports an error: {what}"));
}
