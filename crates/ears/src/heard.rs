//! What was heard, in one plain form for every source. Times are milliseconds from the start of the room; shares are permille.

use serde_json::{Map, Value, json};

/// Milliseconds from the start of the room, or between two moments.
pub type Millis = i64;

/// One thing that a source tells of a room.
#[derive(Debug, Clone, PartialEq)]
#[allow(clippy::large_enum_variant, reason = "nearly all are segments, and none lives long")]
pub enum EarItem {
    /// Somebody says something.
    Segment(EarSegment),
    /// Somebody speaks, whatever they say.
    Activity {
        /// Who, if it is known.
        speaker: Option<String>,
        /// From when.
        start: Millis,
        /// Until when.
        end: Millis,
    },
    /// Somebody begins or ceases to speak.
    Onset {
        /// Who, if it is known.
        speaker: Option<String>,
        /// When.
        at: Millis,
        /// Whether they begin.
        on: bool,
    },
    /// Whoever was called `from` is `to`, from now on and backwards. Where `to` is known, the two are one.
    Rename {
        /// The old name.
        from: String,
        /// The new name.
        to: String,
    },
    /// A segment was said by somebody else than it was first said.
    Revise {
        /// The segment.
        id: String,
        /// Who said it.
        speaker: String,
    },
    /// Somebody comes or leaves.
    Presence {
        /// Who.
        speaker: String,
        /// When, if that was said.
        at: Option<Millis>,
        /// Whether they come.
        on: bool,
    },
    /// When the room started, in milliseconds since 1970.
    Clock {
        /// That moment.
        t0: i64,
    },
}

/// What somebody says. The same id again replaces it.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct EarSegment {
    /// Which one it is.
    pub id: String,
    /// Whether it will stay as it is. A draft is for the screen alone.
    pub is_final: bool,
    /// Who, if it is known.
    pub speaker: Option<String>,
    /// From when.
    pub start: Millis,
    /// Until when.
    pub end: Millis,
    /// Whether a time was worked out from the number of words.
    pub estimated: bool,
    /// What.
    pub text: String,
    /// How sure the recogniser is.
    pub confidence: Option<u16>,
    /// The channel it came by.
    pub channel: Option<u32>,
    /// Its language, as the source writes it.
    pub lang: Option<String>,
    /// How far the speaker is above their own calm.
    pub stress: Option<EarStress>,
    /// A feeling that was named, and by what.
    pub emotion: Option<(String, EarSource)>,
    /// Its words with their times.
    pub words: Vec<EarWord>,
    /// What else the source wrote in our own form; kept and not judged.
    pub extra: Map<String, Value>,
}

/// A stress, and how it is known.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct EarStress {
    /// In permille.
    pub permille: u16,
    /// How it is known. From the voice it is at most [`crate::STRESS_CAP`] and never stands alone.
    pub source: EarSource,
}

/// How a signal about a speaker is known.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum EarSource {
    /// A device measured it.
    Sensor,
    /// A person said so.
    Person,
    /// It was worked out from the voice.
    Voice,
}

impl EarSource {
    /// The word it is written as.
    pub fn word(self) -> &'static str {
        match self {
            Self::Sensor => "sensor",
            Self::Person => "person",
            Self::Voice => "voice",
        }
    }

    /// What a word means.
    pub fn parse(word: &str) -> Option<Self> {
        [Self::Sensor, Self::Person, Self::Voice].into_iter().find(|source| source.word() == word)
    }
}

/// A word and when it was said.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct EarWord {
    /// The word.
    pub word: String,
    /// From when.
    pub start: Millis,
    /// Until when.
    pub end: Millis,
}

impl EarItem {
    /// The same as a line of our own form.
    pub fn to_json(&self) -> Value {
        match self {
            Self::Segment(segment) => segment.to_json(),
            Self::Activity { speaker, start, end } => {
                json!({"type": "activity", "speaker": speaker, "start": seconds(*start), "end": seconds(*end)})
            }
            Self::Onset { speaker, at, on } => {
                json!({"type": "activity", "speaker": speaker, "at": seconds(*at), "on": on})
            }
            Self::Rename { from, to } => json!({"type": "speaker", "from": from, "to": to}),
            Self::Revise { id, speaker } => json!({"type": "revise", "id": id, "speaker": speaker}),
            Self::Presence { speaker, at, on } => {
                json!({"type": "present", "speaker": speaker, "at": at.map(seconds), "on": on})
            }
            Self::Clock { t0 } => json!({"type": "clock", "t0": crate::when::iso(*t0)}),
        }
    }
}

impl EarSegment {
    fn to_json(&self) -> Value {
        let mut line = self.extra.clone();
        let mut put = |key: &str, value: Value| {
            if !value.is_null() {
                line.insert(key.into(), value);
            }
        };
        put("type", json!("segment"));
        put("id", json!(self.id));
        put("final", json!(self.is_final));
        put("speaker", json!(self.speaker));
        put("start", seconds(self.start));
        put("end", seconds(self.end));
        put("text", json!(self.text));
        put("estimated", if self.estimated { json!(true) } else { Value::Null });
        put("confidence", json!(self.confidence.map(|share| f64::from(share) / 1000.0)));
        put("channel", json!(self.channel));
        put("lang", json!(self.lang));
        if let Some((name, source)) = &self.emotion {
            put("emotion", json!(name));
            put("emotion_source", json!(source.word()));
        }
        if let Some(stress) = self.stress {
            put("stress", json!(f64::from(stress.permille) / 1000.0));
            put("stress_source", json!(stress.source.word()));
        }
        if !self.words.is_empty() {
            let word =
                |word: &EarWord| json!({"w": word.word, "s": seconds(word.start), "e": seconds(word.end)});
            put("words", self.words.iter().map(word).collect());
        }
        Value::Object(line)
    }
}

fn seconds(millis: Millis) -> Value {
    json!(millis as f64 / 1000.0)
}
