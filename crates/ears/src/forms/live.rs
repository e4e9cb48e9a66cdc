//! WhisperLiveKit and WhisperLive: both repeat what they said, the first its whole list of lines, the second the last few segments.

use std::collections::BTreeMap;

use crate::fields::Fields;
use crate::forms::bots::source_error;
use crate::heard::Millis;
use crate::raw::{RawItem, RawSegment, mean_confidence, speaker, words};
use crate::when::{RawTime, TimeUnit};

/// So many lines may still change.
const OPEN_MOST: usize = 64;
/// The id of what has no line yet.
const BUFFER: &str = "wlk-buffer";

/// What is known of a line that may still grow.
#[derive(Debug, Default, Clone)]
struct LiveLine {
    /// The text of which segments were made.
    told: String,
    /// How many they are.
    parts: u32,
    /// How it came last.
    seen: String,
    speaker: Option<String>,
    end: Option<RawTime>,
    /// The draft that waits to be final.
    open: Option<RawSegment>,
}

impl LiveLine {
    /// What was a draft is final.
    fn close(&mut self, out: &mut Vec<RawItem>) {
        let Some(segment) = self.open.take() else { return };
        self.told.clone_from(&self.seen);
        self.parts = self.parts.saturating_add(1);
        self.end = segment.end;
        out.push(RawItem::Segment(RawSegment { draft: false, ..segment }));
    }
}

/// The lines of WhisperLiveKit.
#[derive(Debug, Default)]
pub(super) struct LiveLines {
    lines: BTreeMap<u64, LiveLine>,
    /// How many lines the other side has let go, where it tells so.
    gone: u64,
    buffered: bool,
}

/// One message of WhisperLiveKit: all lines, or those that are new.
pub(super) fn whisper_live_kit(message: &Fields<'_>, known: &mut LiveLines, out: &mut Vec<RawItem>) -> bool {
    if message.str("status") == Some("error") || message.has("error") {
        source_error(message);
        return true;
    }
    let diff = message.str("type") == Some("diff");
    let lines = message.list(if diff { "new_lines" } else { "lines" });
    let mut first = 0;
    if diff {
        known.gone = known.gone.saturating_add(message.index(&["lines_pruned"]).unwrap_or(0).into());
        let total = message.index(&["n_lines"]).map_or(lines.len() as u64, u64::from);
        first = known.gone + total.saturating_sub(lines.len() as u64);
    }
    let pending = message.text(&["buffer_transcription"]).unwrap_or_default()
        + &message.text(&["buffer_diarization"]).unwrap_or_default();
    let count = lines.len();
    let mut end = None;
    for (at, line) in lines.iter().enumerate() {
        let open = at + 1 == count && !message.str("status").is_some_and(|status| status.contains("stop"));
        known.line(first + at as u64, line, open, pending.trim().is_empty(), out);
        end = line.when(&["end"], TimeUnit::Seconds).or(end);
    }
    if !pending.trim().is_empty() || known.buffered {
        known.buffered = !pending.trim().is_empty();
        let at = end.or_else(|| known.lines.values().next_back()?.end);
        out.push(RawItem::Segment(RawSegment {
            id: Some(BUFFER.into()),
            draft: true,
            start: at,
            text: Some(pending),
            ..RawSegment::default()
        }));
    }
    diff || message.has("lines") || message.has("status") || message.has("type")
}

impl LiveLines {
    /// The last line grows, so it is a draft until another follows or it comes unchanged with nothing pending.
    fn line(&mut self, index: u64, line: &Fields<'_>, open: bool, quiet: bool, out: &mut Vec<RawItem>) {
        let silence = line.value(&["speaker"]).and_then(serde_json::Value::as_i64) == Some(-2);
        let text = line.text(&["text"]).unwrap_or_default();
        if silence || text.trim().is_empty() || self.is_past(index) {
            return;
        }
        let who = speaker(line, &["speaker"]);
        // In differences, what is not sent again stays as it is.
        self.lines.range_mut(..index).for_each(|(_, line)| line.close(out));
        let known = self.lines.entry(index).or_default();
        let id = |part: u32| if part == 0 { format!("wlk-{index}") } else { format!("wlk-{index}.{part}") };
        if let Some(name) =
            who.as_ref().filter(|name| known.parts > 0 && known.speaker.as_ref() != Some(*name))
        {
            let ids = (0..known.parts).map(id);
            out.extend(ids.map(|id| RawItem::Revise { id, speaker: name.clone() }));
        }
        known.speaker = who.clone().or(known.speaker.take());
        let unchanged = known.seen == text;
        let told_all = known.told == text;
        let start = line.when(&["start"], TimeUnit::Seconds);
        let end = line.when(&["end"], TimeUnit::Seconds);
        let (part, rest, start) = match text.strip_prefix(known.told.as_str()) {
            Some(rest) if known.parts > 0 => (known.parts, rest.to_string(), known.end.or(start)),
            // Words that were told already have changed: only a line of one part can be replaced as a whole.
            None if known.parts > 1 => (known.parts, String::new(), start),
            Some(_) | None => (0, text.clone(), start),
        };
        known.seen = text.clone();
        if told_all || rest.trim().is_empty() {
            return;
        }
        // A line that changed as a whole begins anew.
        known.parts = part;
        let segment = RawSegment {
            id: Some(id(part)),
            draft: true,
            speaker: who,
            start,
            end,
            text: Some(rest),
            lang: line.name(&["detected_language"]),
            ..RawSegment::default()
        };
        known.open = Some(segment.clone());
        if open && !(quiet && unchanged) {
            out.push(RawItem::Segment(segment));
        } else {
            known.close(out);
        }
        while self.lines.len() > OPEN_MOST {
            self.lines.pop_first();
        }
    }

    /// The end: what was open is final.
    pub(super) fn end(&mut self, out: &mut Vec<RawItem>) {
        self.lines.values_mut().for_each(|line| line.close(out));
    }

    /// Whether so many lines have followed that this one was told long ago.
    fn is_past(&self, index: u64) -> bool {
        self.lines.len() >= OPEN_MOST && self.lines.first_key_value().is_some_and(|(first, _)| index < *first)
    }
}

/// One message of WhisperLive: the last segments, each with its times as text.
pub(super) fn whisper_live(message: &Fields<'_>, out: &mut Vec<RawItem>) -> bool {
    if message.str("status") == Some("ERROR") {
        source_error(message);
        return true;
    }
    for segment in message.list("segments") {
        let start = segment.when(&["start"], TimeUnit::Seconds);
        let words = words(&segment, "words", TimeUnit::Seconds);
        out.push(RawItem::Segment(RawSegment {
            id: start.map(|start| format!("wl-{}", plain(start))),
            draft: segment.flag(&["completed"]) == Some(false),
            speaker: speaker(&segment, &["speaker"]),
            start,
            end: segment.when(&["end"], TimeUnit::Seconds),
            text: segment.text(&["text"]),
            confidence: mean_confidence(&words),
            words,
            lang: message.name(&["language"]),
            ..RawSegment::default()
        }));
    }
    message.has("segments") || message.has("message") || message.has("status") || message.has("language")
}

/// A moment as part of an id.
pub(super) fn plain(when: RawTime) -> Millis {
    match when {
        RawTime::Room(moment) | RawTime::Epoch(moment) => moment,
    }
}
