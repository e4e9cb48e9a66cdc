//! Messages of programs and services, one after the other.

use synod_ears::{EarForm, Intake, IntakeOptions, TimeUnit};

use crate::{check, codes, take, take_with, told};

#[test]
fn vexa() {
    check(
        EarForm::Vexa,
        r#"{"type":"meeting.status","meeting":{"id":42},"payload":{"status":"active"},"ts":"2026-03-27T09:59:00Z"}
{"type":"transcript","meeting":{"id":42},"speaker":"Ada","confirmed":[{"segment_id":"ch-0:1","speaker":"Ada","text":"We begin.","absolute_start_time":"2026-03-27T10:00:00Z","absolute_end_time":"2026-03-27T10:00:02Z","completed":true,"language":"en"}],"pending":[{"text":"And th","absolute_start_time":"2026-03-27T10:00:02Z","absolute_end_time":"2026-03-27T10:00:03Z","completed":false}]}
{"type":"transcript","meeting":{"id":42},"speaker":"Ada","confirmed":[],"pending":[{"text":"And then","absolute_start_time":"2026-03-27T10:00:02Z","absolute_end_time":"2026-03-27T10:00:03.500Z","completed":false}]}
{"type":"transcription_segment","speaker":"Bo","text":"Late.","start_time":"2026-03-27T10:00:04Z","end_time":6.5,"completed":true,"segment_id":"ch-1:1"}
{"type":"chat_message","sender":"Bot","text":"Summary ready"}
"#,
        &[
            "clock 2026-03-27T10:00:00Z",
            "final Ada 0.0-2.0 We begin.",
            "draft Ada 2.0-3.0 And th",
            "draft Ada 2.0-3.5 And then",
            "final Bo 4.0-6.5 Late.",
        ],
    );
}

#[test]
fn attendee() {
    check(
        EarForm::Attendee,
        r#"{"idempotency_key":"k0","bot_id":"b","trigger":"participant_events.join_leave","data":{"participant_name":"Bo","event_type":"join","timestamp_ms":1703123455000}}
{"idempotency_key":"k1","bot_id":"b","trigger":"transcript.update","data":{"speaker_name":"Ada","speaker_uuid":"u","timestamp_ms":1703123456000,"duration_ms":2100,"transcription":{"transcript":"Who is there?","words":[]}}}
{"idempotency_key":"k1","bot_id":"b","trigger":"transcript.update","data":{"speaker_name":"Ada","speaker_uuid":"u","timestamp_ms":1703123456000,"duration_ms":2100,"transcription":{"transcript":"Who is there?","words":[]}}}
{"trigger":"participant_events.speech_start_stop","data":{"participant_name":"Bo","event_type":"speech_start","timestamp_ms":1703123457000}}
{"trigger":"participant_events.speech_start_stop","data":{"participant_name":"Bo","event_type":"speech_stop","timestamp_ms":1703123459500}}
"#,
        &[
            "clock 2023-12-21T01:50:55Z",
            "present Bo 0.0 true",
            "final Ada 1.0-3.1 Who is there?",
            "onset Bo 2.0 true",
            "onset Bo 4.5 false",
        ],
    );
    let sound = br#"{"trigger":"realtime_audio.mixed","bot_id":"b","data":{"chunk":"AAAA","sample_rate":16000,"timestamp_ms":1703123456789}}"#;
    assert_eq!(codes(&take(None, sound)), ["ears/sound-ignored"]);
}

#[test]
fn recall() {
    check(
        EarForm::Recall,
        r#"{"event":"participant_events.join","data":{"data":{"participant":{"id":1,"name":"Ada"},"timestamp":{"relative":0.5,"absolute":"2026-03-27T10:00:00Z"}},"bot":{"id":"b"}}}
{"event":"participant_events.speech_on","data":{"data":{"participant":{"id":1,"name":"Ada"},"timestamp":{"relative":1.1}}}}
{"event":"transcript.partial_data","data":{"data":{"words":[{"text":"Hi","start_timestamp":{"relative":1.2},"end_timestamp":{"relative":1.5}}],"participant":{"id":1,"name":"Ada"}},"bot":{"id":"b"}}}
{"event":"transcript.data","data":{"data":{"words":[{"text":"Hi","start_timestamp":{"relative":1.2},"end_timestamp":{"relative":1.5}},{"text":"all.","start_timestamp":{"relative":1.6},"end_timestamp":{"relative":1.9}}],"participant":{"id":1,"name":"Ada"}},"bot":{"id":"b"}}}
{"event":"transcript.data","data":{"data":{"words":[{"text":"Hm.","start_timestamp":{"relative":2.2},"end_timestamp":null}],"participant":{"id":7,"name":null}}}}
"#,
        &[
            "present Ada 0.5 true",
            "onset Ada 1.1 true",
            "draft Ada 1.2-1.5 Hi",
            "final Ada 1.2-1.9 Hi all.",
            "final 7 ~2.2-2.557 Hm.",
        ],
    );
}

#[test]
fn openai() {
    check(
        EarForm::OpenAi,
        r#"{"type":"transcript.text.segment","id":"seg_0","start":0.0,"end":2.3,"speaker":"A","text":"The lift is stuck."}
{"type":"transcript.text.delta","delta":"The"}
{"type":"input_audio_buffer.speech_started","item_id":"i1","audio_start_ms":2500}
{"type":"conversation.item.input_audio_transcription.segment","event_id":"e","item_id":"i1","content_index":0,"id":"s1","start":2.5,"end":3.2,"speaker":"B","text":"Again?"}
{"type":"conversation.item.input_audio_transcription.completed","item_id":"i1","transcript":"Again?"}
"#,
        &["final A 0.0-2.3 The lift is stuck.", "onset - 2.5 true", "final B 2.5-3.2 Again?"],
    );
}

#[test]
fn deepgram() {
    check(
        EarForm::Deepgram,
        r#"{"type":"Results","channel_index":[0,1],"start":0.0,"duration":2.0,"is_final":false,"channel":{"alternatives":[{"transcript":"hello th","confidence":0.9,"words":[{"word":"hello","start":0.1,"end":0.4,"confidence":0.98,"speaker":0,"punctuated_word":"Hello"}]}]}}
{"type":"Results","channel_index":[0,1],"start":0.0,"duration":2.0,"is_final":true,"speech_final":true,"channel":{"alternatives":[{"transcript":"Hello there. Good day.","confidence":0.99,"words":[{"word":"hello","start":0.1,"end":0.4,"speaker":0,"punctuated_word":"Hello"},{"word":"there","start":0.5,"end":0.8,"speaker":0,"punctuated_word":"there."},{"word":"good","start":1.0,"end":1.2,"speaker":1,"punctuated_word":"Good"},{"word":"day","start":1.3,"end":1.6,"speaker":1,"punctuated_word":"day."}]}]}}
{"type":"Results","channel_index":[0,1],"start":2.0,"duration":1.0,"is_final":true,"channel":{"alternatives":[{"transcript":"","confidence":0.0,"words":[]}]}}
{"type":"Results","channel_index":[1,2],"start":3.0,"duration":1.0,"is_final":true,"channel":{"alternatives":[{"transcript":"Yes.","confidence":0.8,"words":[{"word":"yes","start":3.1,"end":3.4}]}]}}
{"type":"UtteranceEnd","channel":[0,1],"last_word_end":3.4}
"#,
        &[
            "draft 0 0.1-0.4 hello th",
            "final 0 0.1-0.8 Hello there.",
            "final 1 1.0-1.6 Good day.",
            "final channel 1 3.1-3.4 Yes.",
        ],
    );
    check(
        EarForm::Deepgram,
        r#"{"type":"TurnInfo","event":"Update","turn_index":3,"audio_window_start":0.0,"audio_window_end":1.4,"transcript":"We might","words":[]}
{"type":"TurnInfo","event":"EndOfTurn","turn_index":3,"audio_window_start":0.0,"audio_window_end":2.4,"transcript":"We might wait.","words":[{"word":"We","confidence":0.9},{"word":"might","confidence":0.7},{"word":"wait.","confidence":0.8}],"end_of_turn_confidence":0.9}
"#,
        &["draft - 0.0-1.4 We might", "final - 0.0-2.4 We might wait."],
    );
}

#[test]
fn assemblyai() {
    check(
        EarForm::AssemblyAi,
        r#"{"type":"Begin","id":"x","expires_at":1}
{"type":"Turn","turn_order":1,"turn_is_formatted":false,"end_of_turn":false,"transcript":"close the","words":[{"start":1000,"end":1100,"confidence":0.9,"text":"close","word_is_final":true},{"start":1200,"end":1300,"confidence":0.9,"text":"the"}]}
{"type":"Turn","turn_order":1,"turn_is_formatted":true,"end_of_turn":true,"transcript":"Close the door.","words":[{"start":1000,"end":1100,"confidence":0.9,"text":"Close"},{"start":1200,"end":1300,"confidence":0.7,"text":"the"},{"start":1400,"end":1900,"confidence":0.8,"text":"door."}],"speaker_label":"B"}
{"type":"SpeakerRevision","revisions":[{"turn_order":1,"speaker_label":"A","words":[]}]}
{"type":"Termination","audio_duration_seconds":3}
"#,
        &["draft - 1.0-1.3 close the", "final B 1.0-1.9 Close the door.", "revise turn-1 A"],
    );
}

#[test]
fn speechmatics() {
    check(
        EarForm::Speechmatics,
        r#"{"message":"RecognitionStarted","id":"x","metadata":{}}
{"message":"AddPartialTranscript","metadata":{"start_time":0.0,"end_time":1.0,"transcript":"that"},"results":[{"type":"word","start_time":0.03,"end_time":0.27,"alternatives":[{"content":"that","confidence":1.0}]}]}
{"message":"AddTranscript","format":"2.7","metadata":{"start_time":0.0,"end_time":3.2,"transcript":"That helps. I know."},"results":[{"type":"word","start_time":0.03,"end_time":0.27,"alternatives":[{"content":"That","confidence":1.0,"language":"en","speaker":"S1"}]},{"type":"word","start_time":0.3,"end_time":0.8,"alternatives":[{"content":"helps","confidence":0.8,"language":"en","speaker":"S1"}]},{"type":"punctuation","attaches_to":"previous","start_time":0.8,"end_time":0.8,"alternatives":[{"content":".","confidence":1.0,"speaker":"S1"}]},{"type":"word","start_time":2.0,"end_time":2.2,"alternatives":[{"content":"I","confidence":1.0,"speaker":"S2"}]},{"type":"word","start_time":2.3,"end_time":2.9,"alternatives":[{"content":"know","confidence":1.0,"speaker":"S2"}]},{"type":"punctuation","attaches_to":"previous","start_time":2.9,"end_time":2.9,"alternatives":[{"content":".","speaker":"S2"}]}]}
{"message":"EndOfTranscript","metadata":{}}
"#,
        &["draft - 0.03-0.27 that", "final S1 0.03-0.8 That helps.", "final S2 2.0-2.9 I know."],
    );
    let error = br#"{"message":"Error","type":"quota_exceeded","reason":"no more hours","seq_no":1}"#;
    assert_eq!(codes(&take(None, error)), ["ears/source-error"]);
}

#[test]
fn livekit() {
    check(
        EarForm::LiveKit,
        r#"{"topic":"lk.transcription","participant_identity":"ada","attributes":{"lk.transcription_final":"false","lk.segment_id":"SG_1","lk.transcribed_track_id":"TR_1"},"text":"The key","timestamp":1703123457000}
{"topic":"lk.transcription","participant_identity":"ada","attributes":{"lk.transcription_final":"true","lk.segment_id":"SG_1","lk.transcribed_track_id":"TR_1"},"text":"The key is gone.","timestamp":1703123458000}
{"transcribed_participant_identity":"bo","track_id":"TR_2","segments":[{"id":"SG_2","text":"Look below.","start_time":0,"end_time":0,"language":"en","final":true}]}
"#,
        &[
            "clock 2023-12-21T01:50:57Z",
            "draft ada ~0.0-0.0 The key",
            "final ada ~0.0-1.0 The key is gone.",
            "final bo ~1.0-1.714 Look below.",
        ],
    );
}

#[test]
fn pipecat() {
    check(
        EarForm::Pipecat,
        r#"{"label":"rtvi-ai","type":"bot-ready","data":{"version":"1"},"id":"1"}
{"label":"rtvi-ai","type":"user-transcription","data":{"text":"we need","user_id":"u1","timestamp":"2026-03-27T10:00:01.000Z","final":false}}
{"label":"rtvi-ai","type":"user-transcription","data":{"text":"We need seven words to be exact.","user_id":"u1","timestamp":"2026-03-27T10:00:03.500Z","final":true}}
"#,
        &[
            "clock 2026-03-27T10:00:01Z",
            "draft u1 ~0.0-0.0 we need",
            "final u1 ~0.0-2.5 We need seven words to be exact.",
        ],
    );
}

#[test]
fn meetily_gladia_and_fireflies() {
    check(
        EarForm::Meetily,
        r#"{"text":"So far","timestamp":"14:30:05","source":"mic","sequence_id":7,"is_partial":true,"confidence":0.9,"audio_start_time":125.3,"audio_end_time":126.6,"duration":1.3}
{"text":"So far so good.","timestamp":"14:30:07","source":"mic","sequence_id":7,"is_partial":false,"confidence":0.9,"audio_start_time":125.3,"audio_end_time":128.6,"duration":3.3}
"#,
        &["draft - 125.3-126.6 So far", "final - 125.3-128.6 So far so good."],
    );
    check(
        EarForm::Gladia,
        r#"{"type":"transcript","session_id":"s","data":{"id":"00_1","is_final":true,"utterance":{"start":1.2,"end":3.4,"speaker":1,"channel":0,"confidence":0.9,"language":"en","text":"Turn it off.","words":[{"word":" Turn","start":1.2,"end":1.4,"confidence":0.9}]}}}"#,
        &["final 1 1.2-3.4 Turn it off."],
    );
    check(
        EarForm::Fireflies,
        r#"{"chunk_id":"c1","text":"First","speaker_name":"Ada","start_time":0.0,"end_time":0.75}
{"chunk_id":"c1","text":"First things first.","speaker_name":"Ada","start_time":0.0,"end_time":1.25}
"#,
        &["final Ada 0.0-0.75 First", "final Ada 0.0-1.25 First things first."],
    );
}

#[test]
fn anything_with_a_text_in_it() {
    check(
        EarForm::Generic,
        r#"{"payload":{"entries":[{"sentence":"The road is dry.","speakerName":"Ada","startTime":"0:00:04","endTime":"0:00:06"},{"sentence":"Until noon.","speaker":{"name":"Bo"},"start_ms":6000,"end_ms":7500,"isFinal":false}]}}
{"utterance_id":"u9","participant":{"name":"Cleo"},"content":"Snow in May?","timestamp_ms":8000,"duration_ms":1200}
"#,
        &[
            "final Ada 4.0-6.0 The road is dry.",
            "draft Bo 6.0-7.5 Until noon.",
            "final Cleo 8.0-9.2 Snow in May?",
        ],
    );
    let text = br#"{"text":"in milliseconds","speaker":"Ada","start":1500,"end":2500}"#;
    let options = IntakeOptions { unit: Some(TimeUnit::Millis), ..IntakeOptions::default() };
    assert_eq!(told(&take_with(options, text, 9)), ["final Ada 1.5-2.5 in milliseconds"]);
}

/// What a socket sends comes in messages, and a time where there is none.
#[test]
fn messages_have_the_time_they_come_at() {
    let (mut intake, mut out) = (Intake::new(IntakeOptions::default()), Vec::new());
    intake.set_now(60_000);
    intake.message(br#"{"text":"seven words are said before the minute","user_id":"ada"}"#, &mut out);
    intake.set_now(61_000);
    intake.message(
        b"[{\"label\":\"rtvi-ai\",\"type\":\"user-started-speaking\"}]\n{\"no\":\"thing\"}",
        &mut out,
    );
    assert_eq!(
        told(&out),
        ["final ada ~57.5-60.0 seven words are said before the minute", "onset - 61.0 true"]
    );
    let notes = crate::notes(&out);
    assert_eq!((notes.len(), notes[0].place), (1, Some(2)), "{notes:?}");
    assert_eq!(notes[0].kind.code(), "ears/unknown-form");
}

#[test]
fn a_form_that_is_named_is_held_to() {
    let out = take(Some(EarForm::Deepgram), br#"{"text":"hello","speaker":"Ada","start":1,"end":2}"#);
    assert_eq!((told(&out).len(), codes(&out)), (0, vec!["ears/unknown-form"]));
    for form in EarForm::ALL {
        assert_eq!(EarForm::parse(form.name()), Some(*form));
    }
    assert_eq!(EarForm::parse("word"), None);
}
