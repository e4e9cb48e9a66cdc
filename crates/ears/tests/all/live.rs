//! WhisperLiveKit and WhisperLive, which repeat what they said.

use synod_ears::EarForm;

use crate::check;

#[test]
fn whole_lists_again_and_again() {
    check(
        EarForm::WhisperLiveKit,
        r#"{"status":"active_transcription","lines":[],"buffer_transcription":"Hello","buffer_diarization":"","remaining_time_transcription":1.2}
{"status":"active_transcription","lines":[{"speaker":1,"text":"Hello","start":"0:00:00","end":"0:00:01"}],"buffer_transcription":" wor","buffer_diarization":""}
{"status":"active_transcription","lines":[{"speaker":1,"text":"Hello world.","start":"0:00:00","end":"0:00:02"}],"buffer_transcription":"","buffer_diarization":""}
{"status":"active_transcription","lines":[{"speaker":1,"text":"Hello world.","start":"0:00:00","end":"0:00:02"},{"speaker":-2,"text":"","start":"0:00:02","end":"0:00:04"}],"buffer_transcription":"","buffer_diarization":""}
{"status":"active_transcription","lines":[{"speaker":1,"text":"Hello world.","start":"0:00:00","end":"0:00:02"},{"speaker":-2,"text":"","start":"0:00:02","end":"0:00:04"},{"speaker":2,"text":"Fine.","start":"0:00:04","end":"0:00:06"}],"buffer_transcription":"","buffer_diarization":""}
{"status":"active_transcription","lines":[{"speaker":3,"text":"Hello world.","start":"0:00:00","end":"0:00:02"},{"speaker":-2,"text":"","start":"0:00:02","end":"0:00:04"},{"speaker":2,"text":"Fine.","start":"0:00:04","end":"0:00:06"}],"buffer_transcription":"","buffer_diarization":""}
{"status":"active_transcription","lines":[{"speaker":3,"text":"Hello world.","start":"0:00:00","end":"0:00:02"},{"speaker":-2,"text":"","start":"0:00:02","end":"0:00:04"},{"speaker":2,"text":"Fine. And you?","start":"0:00:04","end":"0:00:08"}],"buffer_transcription":"","buffer_diarization":""}
{"status":"active_transcription","lines":[{"speaker":3,"text":"Hello world.","start":"0:00:00","end":"0:00:02"},{"speaker":-2,"text":"","start":"0:00:02","end":"0:00:04"},{"speaker":2,"text":"Fine. And you?","start":"0:00:04","end":"0:00:08"}],"buffer_transcription":"","buffer_diarization":""}
"#,
        &[
            "draft - ~0.0-0.357 Hello",
            "draft 1 0.0-1.0 Hello",
            "draft - ~1.0-1.357 wor",
            "draft 1 0.0-2.0 Hello world.",
            "draft - ~2.0-2.2 ",
            "final 1 0.0-2.0 Hello world.",
            "draft 2 4.0-6.0 Fine.",
            "revise wlk-0 3",
            "final 2 4.0-6.0 Fine.",
            "draft 2 6.0-8.0 And you?",
            "final 2 6.0-8.0 And you?",
        ],
    );
}

#[test]
fn differences() {
    check(
        EarForm::WhisperLiveKit,
        r#"{"type":"snapshot","seq":1,"status":"active_transcription","lines":[{"speaker":1,"text":"One.","start":"0:00:00","end":"0:00:01"}],"buffer_transcription":""}
{"type":"diff","seq":2,"status":"active_transcription","n_lines":2,"new_lines":[{"speaker":1,"text":"One.","start":"0:00:00","end":"0:00:01"},{"speaker":2,"text":"Two.","start":"0:00:02","end":"0:00:03"}],"buffer_transcription":""}
{"type":"diff","seq":3,"status":"active_transcription","n_lines":2,"lines_pruned":1,"new_lines":[{"speaker":1,"text":"Three.","start":"0:00:12","end":"0:00:14"}],"buffer_transcription":""}
{"type":"diff","seq":4,"status":"active_transcription","n_lines":2,"new_lines":[{"speaker":1,"text":"Three.","start":"0:00:12","end":"0:00:14"}],"buffer_transcription":""}
"#,
        &[
            "draft 1 0.0-1.0 One.",
            "final 1 0.0-1.0 One.",
            "draft 2 2.0-3.0 Two.",
            "final 2 2.0-3.0 Two.",
            "draft 1 12.0-14.0 Three.",
            "final 1 12.0-14.0 Three.",
        ],
    );
}

#[test]
fn the_last_segments_with_times_as_text() {
    check(
        EarForm::WhisperLive,
        r#"{"uid":"u","message":"SERVER_READY","backend":"faster_whisper"}
{"uid":"u","segments":[{"start":"0.000","end":"1.480","text":" Open the","completed":false}]}
{"uid":"u","segments":[{"start":"0.000","end":"2.480","text":" Open the gate.","completed":true},{"start":"2.480","end":"3.000","text":" Which","completed":false}]}
{"uid":"u","segments":[{"start":"0.000","end":"2.480","text":" Open the gate.","completed":true},{"start":"2.480","end":"3.500","text":" Which one?","completed":true,"speaker":"Bo"}]}
"#,
        &[
            "draft - 0.0-1.48 Open the",
            "final - 0.0-2.48 Open the gate.",
            "draft - 2.48-3.0 Which",
            "final Bo 2.48-3.5 Which one?",
        ],
    );
}
