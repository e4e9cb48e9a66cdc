//! What a reader of a form finds, before it is put straight: nothing in here is checked yet.

use serde_json::{Map, Value};

use crate::fields::Fields;
use crate::heard::{EarSource, Millis};
use crate::when::{RawTime, TimeUnit};

/// One thing as its source tells it.
#[derive(Debug, Clone, PartialEq)]
#[allow(clippy::large_enum_variant, reason = "nearly all are segments, and none lives long")]
pub(crate) enum RawItem {
    Segment(RawSegment),
    Onset { speaker: Option<String>, at: Option<RawTime>, on: bool },
    Rename { from: String, to: String },
    Revise { id: String, speaker: String },
    Presence { speaker: String, at: Option<RawTime>, on: bool },
    Clock(RawTime),
}

/// Something said, as its source tells it. Without a text it is activity.
#[derive(Debug, Clone, PartialEq, Default)]
pub(crate) struct RawSegment {
    pub(crate) id: Option<String>,
    pub(crate) draft: bool,
    pub(crate) speaker: Option<String>,
    pub(crate) start: Option<RawTime>,
    pub(crate) end: Option<RawTime>,
    pub(crate) length: Option<Millis>,
    pub(crate) text: Option<String>,
    pub(crate) confidence: Option<f64>,
    pub(crate) channel: Option<u32>,
    pub(crate) lang: Option<String>,
    pub(crate) stress: Option<f64>,
    pub(crate) stress_source: Option<EarSource>,
    pub(crate) emotion: Option<String>,
    pub(crate) emotion_source: Option<EarSource>,
    pub(crate) words: Vec<RawWord>,
    pub(crate) extra: Map<String, Value>,
}

/// A word as its source tells it.
#[derive(Debug, Clone, PartialEq, Default)]
pub(crate) struct RawWord {
    pub(crate) word: String,
    pub(crate) start: Option<RawTime>,
    pub(crate) end: Option<RawTime>,
    pub(crate) speaker: Option<String>,
    pub(crate) confidence: Option<f64>,
    /// Punctuation, which is written without a space before it.
    pub(crate) joined: bool,
}

/// The words in a list, under any of the names that sources give their fields.
pub(crate) fn words(fields: &Fields<'_>, list: &str, unit: TimeUnit) -> Vec<RawWord> {
    let word = |word: Fields<'_>| {
        Some(RawWord {
            word: word.text(&["punctuated_word", "w", "word", "text", "content"])?.trim().to_string(),
            start: word.when(&["s", "start", "start_time"], unit),
            end: word.when(&["e", "end", "end_time"], unit),
            speaker: speaker(&word, &["speaker", "speaker_label"]),
            confidence: word.number(&["confidence", "score", "probability"]),
            joined: false,
        })
    };
    match fields.map.get(list) {
        Some(Value::Array(_)) => fields.list(list).into_iter().filter_map(word).collect(),
        Some(_) | None => Vec::new(),
    }
}

/// Who speaks, under the first of these names. `?`, `UU`, `unknown` and negative numbers are nobody that is known.
pub(crate) fn speaker(fields: &Fields<'_>, names: &[&str]) -> Option<String> {
    let name = fields.name(names)?;
    let known = !matches!(name.trim(), "?" | "UU" | "<NA>")
        && !name.eq_ignore_ascii_case("unknown")
        && !name.parse::<i64>().is_ok_and(|number| number < 0);
    known.then_some(name)
}

/// Cuts a segment wherever its words change their speaker. The first part keeps the id.
pub(crate) fn by_speaker(whole: RawSegment) -> Vec<RawSegment> {
    let mut runs: Vec<(Option<String>, Vec<RawWord>)> = Vec::new();
    for word in &whole.words {
        let known = word.speaker.clone();
        match runs.last_mut() {
            // A word of nobody, and punctuation, belong to whoever speaks.
            Some((speaker, run)) if known.is_none() || word.joined || *speaker == known => {
                run.push(word.clone())
            }
            Some((speaker @ None, run)) => {
                *speaker = known;
                run.push(word.clone());
            }
            Some(_) | None => runs.push((known, vec![word.clone()])),
        }
    }
    if runs.len() <= 1 {
        let speaker = whole.speaker.clone().or_else(|| runs.pop()?.0);
        return vec![RawSegment { speaker, ..whole }];
    }
    let parts = runs.into_iter().enumerate();
    parts
        .map(|(at, (speaker, words))| RawSegment {
            id: whole.id.as_ref().map(|id| if at == 0 { id.clone() } else { format!("{id}.{at}") }),
            speaker: speaker.or_else(|| whole.speaker.clone()),
            start: words.iter().find_map(|word| word.start).or(whole.start),
            end: words.iter().rev().find_map(|word| word.end).or(whole.end),
            length: None,
            text: Some(joined(&words)),
            words,
            ..whole.clone()
        })
        .collect()
}

/// The text that words make.
pub(crate) fn joined(words: &[RawWord]) -> String {
    let mut text = String::new();
    for word in words {
        if !text.is_empty() && !word.joined {
            text.push(' ');
        }
        text.push_str(&word.word);
    }
    text
}

/// The mean of what the words say.
pub(crate) fn mean_confidence(words: &[RawWord]) -> Option<f64> {
    let known: Vec<f64> = words.iter().filter_map(|word| word.confidence).collect();
    (!known.is_empty()).then(|| known.iter().sum::<f64>() / known.len() as f64)
}
