//! The same talk in every form comes to the same.

use synod_ears::EarForm;

use crate::{items, notes, take};

/// Who, from, until, what.
const TALK: [(usize, u32, u32, &str); 5] = [
    (0, 1, 3, "The north gate stays open."),
    (1, 3, 6, "Until when, and who decides?"),
    (0, 6, 8, "I do."),
    (1, 8, 9, "Fine."),
    (0, 10, 14, "Then we meet at the mill at six."),
];

fn lines(each: impl Fn(usize, usize, u32, u32, &str) -> String) -> String {
    TALK.iter()
        .enumerate()
        .map(|(n, (who, start, end, text))| each(n, *who, *start, *end, text) + "\n")
        .collect()
}

fn json_words(text: &str, start: u32, end: u32, each: impl Fn(&str, f64, f64) -> String) -> String {
    let words: Vec<&str> = text.split(' ').collect();
    let step = f64::from(end - start) / words.len() as f64;
    let at = |n: usize| f64::from(start) + step * n as f64;
    words.iter().enumerate().map(|(n, word)| each(word, at(n), at(n + 1))).collect::<Vec<_>>().join(",")
}

fn iso(second: u32) -> String {
    format!("2026-03-27T10:00:{second:02}Z")
}

/// The talk in a form, and what its two speakers are called there.
#[allow(clippy::too_many_lines, reason = "a table")]
fn talk(form: EarForm) -> Option<(String, [&'static str; 2])> {
    const NAMES: [&str; 2] = ["Ada", "Bo"];
    const NUMBERS: [&str; 2] = ["1", "2"];
    const LETTERS: [&str; 2] = ["A", "B"];
    Some(match form {
        EarForm::Jsonl => (
            lines(|n, who, start, end, text| {
                format!(
                    r#"{{"type":"segment","id":"{n}","speaker":"{}","start":{start},"end":{end},"text":"{text}"}}"#,
                    NAMES[who]
                )
            }),
            NAMES,
        ),
        EarForm::Rttm => (
            TALK.iter().fold(String::new(), |all, (who, start, end, text)| {
                let step = f64::from(end - start) / text.split(' ').count() as f64;
                let words = text.split(' ').enumerate().map(|(n, word)| {
                    let at = f64::from(*start) + step * n as f64;
                    format!("LEXEME t 1 {at:.6} {step:.6} {word} lex {} <NA> <NA>\n", NAMES[*who])
                });
                all + &words.collect::<String>()
            }),
            NAMES,
        ),
        EarForm::Vtt => (
            "WEBVTT\n\n".to_string()
                + &lines(|_, who, start, end, text| {
                    format!("00:00:{start:02}.000 --> 00:00:{end:02}.000\n<v {}>{text}</v>\n", NAMES[who])
                }),
            NAMES,
        ),
        EarForm::Srt => (
            lines(|n, who, start, end, text| {
                format!("{}\n00:00:{start:02},000 --> 00:00:{end:02},000\n{}: {text}\n", n + 1, NAMES[who])
            }),
            NAMES,
        ),
        EarForm::Ami => (
            "meeting\tidx\tstart\tend\tspeaker\trole\tact\taddressees\ttopic\ttext\n".to_string()
                + &lines(|n, who, start, end, text| {
                    format!("T\t{n}\t{start}\t{end}\t{}\t\tinf\t\t0\t{text}", NAMES[who])
                }),
            NAMES,
        ),
        EarForm::WhisperText => (
            lines(|_, who, start, end, text| {
                format!("[00:00:{start:02}.000 --> 00:00:{end:02}.000]  (speaker {}) {text}", NUMBERS[who])
            }),
            NUMBERS,
        ),
        EarForm::Whisper => {
            let segment = |(who, start, end, text): &(usize, u32, u32, &str)| {
                let word = |w: &str, s, e| {
                    format!(r#"{{"word":"{w}","start":{s},"end":{e},"speaker":"{}"}}"#, NAMES[*who])
                };
                let words = json_words(text, *start, *end, word);
                format!(
                    r#"{{"start":{start},"end":{end},"text":" {text}","speaker":"{}","words":[{words}]}}"#,
                    NAMES[*who]
                )
            };
            let segments: Vec<String> = TALK.iter().map(segment).collect();
            (format!("{{\"segments\":[{}],\"language\":\"en\"}}", segments.join(",")), NAMES)
        }
        EarForm::WhisperCpp => {
            let segment = |(who, start, end, text): &(usize, u32, u32, &str)| {
                let (from, to) = (start * 1000, end * 1000);
                format!(
                    r#"{{"offsets":{{"from":{from},"to":{to}}},"text":" {text}","speaker":"{}"}}"#,
                    NUMBERS[*who]
                )
            };
            let segments: Vec<String> = TALK.iter().map(segment).collect();
            (format!("{{\"transcription\":[{}]}}", segments.join(",")), NUMBERS)
        }
        EarForm::Vexa => (
            lines(|n, who, start, end, text| {
                format!(
                    r#"{{"type":"transcript","confirmed":[{{"segment_id":"s{n}","speaker":"{}","text":"{text}","absolute_start_time":"{}","absolute_end_time":"{}","completed":true}}],"pending":[]}}"#,
                    NAMES[who],
                    iso(start),
                    iso(end)
                )
            }),
            NAMES,
        ),
        EarForm::Attendee => (
            lines(|n, who, start, end, text| {
                let (at, long) = (1_703_123_456_000 + u64::from(start) * 1000, (end - start) * 1000);
                format!(
                    r#"{{"idempotency_key":"k{n}","trigger":"transcript.update","data":{{"speaker_name":"{}","timestamp_ms":{at},"duration_ms":{long},"transcription":{{"transcript":"{text}"}}}}}}"#,
                    NAMES[who]
                )
            }),
            NAMES,
        ),
        EarForm::WhisperLiveKit => (
            lines(|n, who, start, end, text| {
                let total = n + 1;
                format!(
                    r#"{{"type":"diff","seq":{n},"status":"active_transcription","n_lines":{total},"new_lines":[{{"speaker":{},"text":"{text}","start":"0:00:{start:02}","end":"0:00:{end:02}"}}]}}"#,
                    NUMBERS[who]
                )
            }),
            NUMBERS,
        ),
        EarForm::WhisperLive => (
            lines(|_, who, start, end, text| {
                format!(
                    r#"{{"uid":"u","segments":[{{"start":"{start}.000","end":"{end}.000","text":" {text}","completed":true,"speaker":"{}"}}]}}"#,
                    NAMES[who]
                )
            }),
            NAMES,
        ),
        EarForm::OpenAi => (
            lines(|n, who, start, end, text| {
                format!(
                    r#"{{"type":"transcript.text.segment","id":"seg_{n}","start":{start},"end":{end},"speaker":"{}","text":"{text}"}}"#,
                    LETTERS[who]
                )
            }),
            LETTERS,
        ),
        EarForm::Deepgram => (
            lines(|_, who, start, end, text| {
                let word = |w: &str, s, e| {
                    format!(
                        r#"{{"punctuated_word":"{w}","word":"x","start":{s},"end":{e},"speaker":{}}}"#,
                        NUMBERS[who]
                    )
                };
                format!(
                    r#"{{"type":"Results","channel_index":[0,1],"start":{start},"duration":{},"is_final":true,"channel":{{"alternatives":[{{"transcript":"{text}","words":[{}]}}]}}}}"#,
                    end - start,
                    json_words(text, start, end, word)
                )
            }),
            NUMBERS,
        ),
        EarForm::AssemblyAi => (
            lines(|n, who, start, end, text| {
                let word = |w: &str, s: f64, e: f64| {
                    format!(r#"{{"text":"{w}","start":{:.0},"end":{:.0}}}"#, s * 1000.0, e * 1000.0)
                };
                format!(
                    r#"{{"type":"Turn","turn_order":{n},"end_of_turn":true,"transcript":"{text}","words":[{}],"speaker_label":"{}"}}"#,
                    json_words(text, start, end, word),
                    LETTERS[who]
                )
            }),
            LETTERS,
        ),
        EarForm::Speechmatics => (
            lines(|_, who, start, end, text| {
                let word = |w: &str, s, e| {
                    format!(
                        r#"{{"type":"word","start_time":{s},"end_time":{e},"alternatives":[{{"content":"{w}","speaker":"S{}"}}]}}"#,
                        who + 1
                    )
                };
                format!(
                    r#"{{"message":"AddTranscript","metadata":{{}},"results":[{}]}}"#,
                    json_words(text, start, end, word)
                )
            }),
            ["S1", "S2"],
        ),
        EarForm::Recall => (
            lines(|_, who, start, end, text| {
                let word = |w: &str, s, e| {
                    format!(
                        r#"{{"text":"{w}","start_timestamp":{{"relative":{s}}},"end_timestamp":{{"relative":{e}}}}}"#
                    )
                };
                format!(
                    r#"{{"event":"transcript.data","data":{{"data":{{"words":[{}],"participant":{{"id":{who},"name":"{}"}}}}}}}}"#,
                    json_words(text, start, end, word),
                    NAMES[who]
                )
            }),
            NAMES,
        ),
        EarForm::LiveKit => (
            lines(|n, who, start, end, text| {
                let (start, end) = (start * 1000, end * 1000);
                format!(
                    r#"{{"transcribed_participant_identity":"{}","segments":[{{"id":"SG_{n}","text":"{text}","start_time":{start},"end_time":{end},"final":true}}]}}"#,
                    NAMES[who]
                )
            }),
            NAMES,
        ),
        EarForm::Meetily => (
            lines(|n, who, start, end, text| {
                format!(
                    r#"{{"text":"{text}","sequence_id":{n},"is_partial":false,"speaker":"{}","audio_start_time":{start},"audio_end_time":{end}}}"#,
                    NAMES[who]
                )
            }),
            NAMES,
        ),
        EarForm::Gladia => (
            lines(|n, who, start, end, text| {
                format!(
                    r#"{{"type":"transcript","data":{{"id":"g{n}","is_final":true,"utterance":{{"start":{start},"end":{end},"speaker":{},"text":"{text}"}}}}}}"#,
                    NUMBERS[who]
                )
            }),
            NUMBERS,
        ),
        EarForm::Fireflies => (
            lines(|n, who, start, end, text| {
                format!(
                    r#"{{"chunk_id":"c{n}","text":"{text}","speaker_name":"{}","start_time":{start},"end_time":{end}}}"#,
                    NAMES[who]
                )
            }),
            NAMES,
        ),
        EarForm::Generic => (
            lines(|_, who, start, end, text| {
                format!(
                    r#"{{"utterance":"{text}","participant_name":"{}","offset":"{start}s","stop":"0:00:{end:02}"}}"#,
                    NAMES[who]
                )
            }),
            NAMES,
        ),
        // A moment and no length: it cannot come to the same.
        EarForm::Pipecat => return None,
        // Words of nobody.
        EarForm::Ctm => return None,
    })
}

#[test]
fn the_same_talk_comes_to_the_same_in_every_form() {
    let mut tried = 0;
    for form in EarForm::ALL {
        let Some((text, names)) = talk(*form) else { continue };
        tried += 1;
        let out = take(None, text.as_bytes());
        assert!(notes(&out).is_empty(), "{}: {:?}", form.name(), notes(&out));
        let segments: Vec<_> = items(&out)
            .into_iter()
            .filter_map(|item| match item {
                synod_ears::EarItem::Segment(segment) if segment.is_final => Some(segment),
                _ => None,
            })
            .collect();
        // Forms that count from a date count from the first one.
        let zero = if segments[0].start == 0 { 1000 } else { 0 };
        let found: Vec<_> = segments
            .iter()
            .map(|segment| {
                let who = names.iter().position(|name| segment.speaker.as_deref() == Some(*name));
                (who, segment.start + zero, segment.end + zero, segment.text.as_str())
            })
            .collect();
        let wanted: Vec<_> = TALK
            .iter()
            .map(|(who, start, end, text)| {
                (Some(*who), i64::from(*start) * 1000, i64::from(*end) * 1000, *text)
            })
            .collect();
        assert_eq!(found, wanted, "{}", form.name());
        let mut ids: Vec<_> = segments.iter().map(|segment| &segment.id).collect();
        ids.dedup();
        assert_eq!(ids.len(), TALK.len(), "{}: each has its own id", form.name());
    }
    assert_eq!(tried, EarForm::ALL.len() - 2);
}
