//! The forms in which transcripts come. To add one: a variant here with its name, a reader in one of the files beside this one, and
//! for JSON the keys that tell it from others.

mod bots;
mod files;
mod generic;
mod live;
mod services;

use std::collections::BTreeMap;

use serde_json::Value;

use crate::fields::Fields;
use crate::raw::RawItem;
use crate::when::TimeUnit;

/// So many speakers have a draft at once.
const SLOTS_MOST: usize = 256;

/// So many items of a realtime service are remembered.
const ITEMS_MOST: usize = 32;

macro_rules! forms {
    ($($(#[$doc:meta])* $name:ident = $word:literal,)*) => {
        /// A form of transcripts.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
        pub enum EarForm {
            $($(#[$doc])* $name,)*
        }

        impl EarForm {
            /// All of them.
            pub const ALL: &'static [Self] = &[$(Self::$name,)*];

            /// The word for `--format`.
            pub fn name(self) -> &'static str {
                match self {
                    $(Self::$name => $word,)*
                }
            }
        }
    };
}

forms! {
    /// Our own lines.
    Jsonl = "jsonl",
    /// Speaker turns, with words where there are LEXEME lines.
    Rttm = "rttm",
    /// Words with their times, one a line.
    Ctm = "ctm",
    /// WebVTT with voices.
    Vtt = "vtt",
    /// SubRip.
    Srt = "srt",
    /// The table of the AMI corpus.
    Ami = "ami",
    /// What whisper.cpp prints on a terminal.
    WhisperText = "whisper-text",
    /// Files of Whisper, WhisperX and faster-whisper.
    Whisper = "whisper",
    /// Files of whisper.cpp.
    WhisperCpp = "whisper-cpp",
    /// The WebSocket of Vexa.
    Vexa = "vexa",
    /// Webhooks of Attendee.
    Attendee = "attendee",
    /// WhisperLiveKit, whole lists and differences.
    WhisperLiveKit = "whisperlivekit",
    /// WhisperLive.
    WhisperLive = "whisperlive",
    /// OpenAI, with speakers and realtime.
    OpenAi = "openai",
    /// Deepgram, both versions.
    Deepgram = "deepgram",
    /// AssemblyAI, streaming version 3.
    AssemblyAi = "assemblyai",
    /// Speechmatics, realtime.
    Speechmatics = "speechmatics",
    /// Recall.ai.
    Recall = "recall",
    /// LiveKit, text streams.
    LiveKit = "livekit",
    /// Pipecat, RTVI messages.
    Pipecat = "pipecat",
    /// Meetily.
    Meetily = "meetily",
    /// Gladia.
    Gladia = "gladia",
    /// Fireflies.
    Fireflies = "fireflies",
    /// Any JSON with a text in it.
    Generic = "generic",
}

impl EarForm {
    /// The form of that name.
    pub fn parse(name: &str) -> Option<Self> {
        Self::ALL.iter().copied().find(|form| form.name() == name)
    }

    /// Whether it is JSON.
    pub(crate) fn is_json(self) -> bool {
        !matches!(self, Self::Rttm | Self::Ctm | Self::Vtt | Self::Srt | Self::Ami | Self::WhisperText)
    }
}

/// What a reader of messages remembers from one to the next.
#[derive(Debug, Default)]
pub(crate) struct FormMemory {
    slots: BTreeMap<String, u64>,
    count: u64,
    live: live::LiveLines,
    /// The last items of a realtime service that came in segments.
    in_segments: Vec<String>,
    /// What bare numbers count in the generic form.
    unit: Option<TimeUnit>,
}

impl FormMemory {
    /// What bare numbers count, where the form does not say.
    pub(crate) fn counting(unit: Option<TimeUnit>) -> Self {
        Self { unit, ..Self::default() }
    }

    /// An id for sources that give none: a draft has the id of the final segment that will follow it.
    fn slot(&mut self, of: &str, draft: bool) -> String {
        let of = if self.slots.len() >= SLOTS_MOST && !self.slots.contains_key(of) { "" } else { of };
        let count = self.slots.entry(of.to_string()).or_default();
        let id = format!("{of}#{count}");
        *count += u64::from(!draft);
        id
    }

    /// An item of a realtime service came in segments, so its whole says nothing new.
    fn came_in_segments(&mut self, item: &str) {
        self.in_segments.retain(|known| known != item);
        self.in_segments.push(item.to_string());
        let many = self.in_segments.len().saturating_sub(ITEMS_MOST);
        self.in_segments.drain(..many);
    }

    /// The end of the stream.
    pub(crate) fn end(&mut self, out: &mut Vec<RawItem>) {
        self.live.end(out);
    }

    fn next(&mut self, prefix: &str) -> String {
        self.count += 1;
        format!("{prefix}{}", self.count)
    }
}

/// Tells the form of a message by its keys.
pub(crate) fn detect(message: &Fields<'_>) -> EarForm {
    let (kind, has) = (message.str("type").unwrap_or(""), |name: &str| message.has(name));
    let holds = |name: &str| message.map.get(name).is_some_and(Value::is_array);
    match kind {
        "segment" | "activity" | "speaker" | "revise" | "present" | "clock" => return EarForm::Jsonl,
        "transcript" if message.object("data").is_some_and(|data| data.has("utterance")) => {
            return EarForm::Gladia;
        }
        "transcript" | "meeting.status" | "transcription_segment" | "chat_message" => return EarForm::Vexa,
        "Turn" | "SpeakerRevision" | "Begin" | "Termination" => return EarForm::AssemblyAi,
        "Results" | "TurnInfo" | "UtteranceEnd" | "Metadata" | "SpeechStarted" => return EarForm::Deepgram,
        "diff" | "snapshot" if has("lines") || has("new_lines") || has("n_lines") => {
            return EarForm::WhisperLiveKit;
        }
        _ => (),
    }
    let openai = ["transcript.text.", "conversation.item.input_audio_transcription.", "input_audio_buffer."];
    let livekit = ["lk.segment_id", "lk.transcription_final"];
    if openai.iter().any(|start| kind.starts_with(start)) {
        EarForm::OpenAi
    } else if message.str("label") == Some("rtvi-ai") {
        EarForm::Pipecat
    } else if has("trigger") && has("data") {
        EarForm::Attendee
    } else if has("event") && has("data") {
        EarForm::Recall
    } else if message.str("message").is_some() && (has("metadata") || has("results") || has("seq_no")) {
        EarForm::Speechmatics
    } else if livekit.iter().any(|key| has(key) || message.object("attributes").is_some_and(|a| a.has(key)))
        || has("transcribed_participant_identity")
    {
        EarForm::LiveKit
    } else if holds("transcription") {
        EarForm::WhisperCpp
    } else if holds("lines") && (has("status") || has("buffer_transcription")) {
        EarForm::WhisperLiveKit
    } else if has("uid") && (holds("segments") || has("message") || has("status")) {
        EarForm::WhisperLive
    } else if holds("segments") {
        EarForm::Whisper
    } else if has("audio_start_time") && has("text") {
        EarForm::Meetily
    } else if has("chunk_id") && has("text") {
        EarForm::Fireflies
    } else {
        EarForm::Generic
    }
}

/// Reads a message of a form. Says no where it is none of that form.
pub(crate) fn read(
    form: EarForm,
    message: &Fields<'_>,
    memory: &mut FormMemory,
    out: &mut Vec<RawItem>,
) -> bool {
    match form {
        EarForm::Jsonl => files::own(message, out),
        EarForm::Whisper => files::whisper(message, memory, out),
        EarForm::WhisperCpp => files::whisper_cpp(message, memory, out),
        EarForm::Vexa => bots::vexa(message, memory, out),
        EarForm::Attendee => bots::attendee(message, out),
        EarForm::Recall => bots::recall(message, memory, out),
        EarForm::LiveKit => bots::livekit(message, memory, out),
        EarForm::Pipecat => bots::pipecat(message, memory, out),
        EarForm::Meetily => bots::meetily(message, memory, out),
        EarForm::Fireflies => bots::fireflies(message, out),
        EarForm::WhisperLiveKit => live::whisper_live_kit(message, &mut memory.live, out),
        EarForm::WhisperLive => live::whisper_live(message, out),
        EarForm::OpenAi => services::openai(message, memory, out),
        EarForm::Deepgram => services::deepgram(message, out),
        EarForm::AssemblyAi => services::assemblyai(message, out),
        EarForm::Speechmatics => services::speechmatics(message, memory, out),
        EarForm::Gladia => services::gladia(message, memory, out),
        EarForm::Generic => generic::read(message, memory, out),
        // These are lines, not messages.
        EarForm::Rttm | EarForm::Ctm | EarForm::Vtt | EarForm::Srt | EarForm::Ami | EarForm::WhisperText => {
            false
        }
    }
}
