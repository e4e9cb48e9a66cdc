//! Files: our own lines, subtitles, speaker turns, what Whisper writes.

use synod_ears::{AmiRow, EarForm, EarItem, EarSource, EarTurns, IntakeOptions};

use crate::{check, codes, items, take, take_with, told};

#[test]
fn our_own_lines() {
    check(
        EarForm::Jsonl,
        r#"{"type":"clock","t0":"2026-11-16T10:00:00Z"}
{"type":"present","speaker":"Ali","at":3.0,"on":true}
{"type":"segment","id":"a1","final":false,"speaker":"Ada","start":12.34,"end":13.0,"text":"so we"}
{"type":"segment","id":"a1","final":true,"speaker":"Ada","start":12.34,"end":15.02,"text":"So we\n ship it.","confidence":0.91,"channel":0,"lang":"en","stress":0.12,"words":[{"w":"So","s":12.34,"e":12.5}],"mood":"dry"}
{"type":"activity","speaker":"Bo","start":14.2,"end":16.0}
{"type":"activity","speaker":"Bo","at":17.2,"on":true}
{"type":"speaker","from":"S2","to":"Rebecca"}
{"type":"revise","id":"a1","speaker":"Carla"}
"#,
        &[
            "clock 2026-11-16T10:00:00Z",
            "present Ali 3.0 true",
            "draft Ada 12.34-13.0 so we",
            "final Ada 12.34-15.02 So we ship it.",
            "activity Bo 14.2-16.0",
            "onset Bo 17.2 true",
            "rename S2 Rebecca",
            "revise a1 Carla",
        ],
    );
}

#[test]
fn what_is_heard_is_written_as_it_is_read() {
    let text = r#"{"type":"segment","id":"x","final":true,"speaker":"?","start":1.25,"end":2.5,"text":"Wait.","confidence":0.5,"channel":3,"lang":"de","stress":0.95,"stress_source":"voice","emotion":"calm","emotion_source":"person","words":[{"w":"Wait.","s":1.25,"e":2.0}],"pulse":[90,91]}
{"type":"activity","speaker":null,"start":3,"end":4}
{"type":"present","speaker":"Bo","at":null,"on":false}
"#;
    let once = items(&take(None, text.as_bytes()));
    let EarItem::Segment(segment) = &once[0] else { panic!("{once:?}") };
    let stress = segment.stress.unwrap();
    assert_eq!((stress.permille, stress.source), (890, EarSource::Voice), "from the voice it is capped");
    assert_eq!(segment.extra["pulse"], serde_json::json!([90, 91]), "what is not ours is kept");
    let written: String = once.iter().map(|item| format!("{}\n", item.to_json())).collect();
    assert_eq!(items(&take(None, written.as_bytes())), once);
}

#[test]
fn subtitles_with_voices() {
    check(
        EarForm::Vtt,
        "WEBVTT - meeting\n\nNOTE\nmade --> by hand\n\nSTYLE\n::cue { color: red }\n\nintro\n00:01.000 --> 00:03.500 align:start\n\
         <v Ada Byron>Who takes the <i>notes</i>?</v>\n\n2\n00:00:03.250 --> 00:00:05.000\n<v.loud Bo>Not I &amp; not now\nand never.\n\n\
         01:00:00.000 --> 01:00:01.000\nno name here\n",
        &[
            "final Ada Byron 1.0-3.5 Who takes the notes?",
            "final Bo 3.25-5.0 Not I & not now and never.",
            "final - 3600.0-3601.0 no name here",
        ],
    );
}

#[test]
fn subtitles_without_voices() {
    check(
        EarForm::Srt,
        "1\r\n00:00:01,000 --> 00:00:02,500\r\nAda: The bridge is closed.\r\n\r\n2\r\n00:00:02,500 --> 00:00:04,000\r\n{\\an8}- Since when?\r\n\
         3\r\n00:00:04,000 --> 00:00:05,000\r\nSPEAKER_01: Since noon: they measure.\r\n",
        &[
            "final Ada 1.0-2.5 The bridge is closed.",
            "final - 2.5-4.0 - Since when?",
            "final SPEAKER_01 4.0-5.0 Since noon: they measure.",
        ],
    );
}

#[test]
fn speaker_turns_with_and_without_words() {
    check(
        EarForm::Rttm,
        ";; a comment\nSPKR-INFO m1 1 <NA> <NA> <NA> unknown ANN <NA> <NA>\nSPEAKER m1 1 5.463 0.640 <NA> <NA> ANN <NA> <NA>\n\
         SPEAKER m1 1 5.9 2.0 <NA> <NA> BEN <NA> <NA>\nLEXEME m1 1 5.5 0.2 well lex ANN 0.9 <NA>\n\
         LEXEME m1 1 5.8 0.3 now lex ANN 0.7 <NA>\nLEXEME m1 1 6.0 0.4 no lex BEN <NA> <NA>\nLEXEME m1 1 9.0 0.4 yes lex ANN <NA> <NA>\n",
        &[
            "activity ANN 5.463-6.103",
            "activity BEN 5.9-7.9",
            "final ANN 5.5-6.1 well now",
            "final BEN 6.0-6.4 no",
            "final ANN 9.0-9.4 yes",
        ],
    );
}

#[test]
fn words_of_one_file_and_turns_of_another() {
    let words = "m1 1 0.5 0.3 who 0.9\nm1 1 0.9 0.3 goes 0.9\nm1 A 1.6 0.3 I 0.8\nm1 1 2.0 0.4 do 0.8\nm1 1 8.0 0.4 nobody\n";
    check(EarForm::Ctm, words, &["final - 0.5-2.4 who goes I do", "final - 8.0-8.4 nobody"]);
    let (turns, notes) = EarTurns::read(b"SPEAKER m1 1 0.4 0.9 <NA> <NA> ANN <NA> <NA>\nSPEAKER m1 1 1.2 1.5 <NA> <NA> BEN <NA> <NA>\nrubbish\n", None);
    assert_eq!(notes.len(), 1);
    let with = |text: &str| {
        let options = IntakeOptions { turns: turns.clone(), ..IntakeOptions::default() };
        told(&take_with(options, text.as_bytes(), 11))
    };
    assert_eq!(
        with(words),
        ["final ANN 0.5-1.2 who goes", "final BEN 1.6-2.4 I do", "final - 8.0-8.4 nobody"]
    );
    assert_eq!(
        with(
            r#"{"segments":[{"start":0.5,"end":1.2,"text":"who goes"},{"start":1.5,"end":2.5,"text":"I do","speaker":"Cleo"}]}"#
        ),
        ["final ANN 0.5-1.2 who goes", "final Cleo 1.5-2.5 I do"]
    );
    assert_eq!(turns.who(1200, 1400), Some("BEN"));
    assert_eq!(turns.who(5000, 4000), None);
}

#[test]
fn of_several_recordings_one_is_read() {
    let text = "SPEAKER m1 1 1 2 <NA> <NA> ANN <NA> <NA>\nSPEAKER m2 1 1 3 <NA> <NA> BEN <NA> <NA>\n";
    let out = take(None, text.as_bytes());
    assert_eq!(
        (told(&out), codes(&out)),
        (vec!["activity ANN 1.0-3.0".into()], vec!["ears/other-recording"])
    );
    let only = IntakeOptions { only: Some("m2".into()), ..IntakeOptions::default() };
    assert_eq!(told(&take_with(only, text.as_bytes(), 7)), ["activity BEN 1.0-4.0"]);
}

#[test]
fn what_whisper_and_its_kin_write() {
    check(
        EarForm::Whisper,
        r#"{
  "language": "en",
  "segments": [
    {"start": 0.5, "end": 2.1, "text": " The pump is loud.", "speaker": "SPEAKER_00",
     "words": [{"word": "The", "start": 0.5, "end": 0.7, "score": 0.9, "speaker": "SPEAKER_00"}, {"word": "pump"}]},
    {"id": 4, "seek": 0, "start": 2.1, "end": 4.0, "text": " Then stop it. Why?",
     "words": [{"word": " Then", "start": 2.1, "end": 2.4, "probability": 0.8, "speaker": "SPEAKER_01"},
               {"word": " stop it.", "start": 2.4, "end": 3.0, "speaker": "SPEAKER_01"},
               {"word": " Why?", "start": 3.2, "end": 4.0, "speaker": "SPEAKER_00"}]}
  ],
  "word_segments": [{"word": "The", "start": 0.5, "end": 0.7}]
}"#,
        &[
            "final SPEAKER_00 0.5-2.1 The pump is loud.",
            "final SPEAKER_01 2.1-3.0 Then stop it.",
            "final SPEAKER_00 3.2-4.0 Why?",
        ],
    );
    check(
        EarForm::WhisperCpp,
        r#"{"systeminfo":"x","result":{"language":"de"},"transcription":[
{"timestamps":{"from":"00:00:00,000","to":"00:00:02,500"},"offsets":{"from":0,"to":2500},"text":" Die Pumpe ist laut.","speaker":"0"},
{"timestamps":{"from":"00:00:02,500","to":"00:00:03,000"},"text":" Ja.","speaker":"?"}]}"#,
        &["final 0 0.0-2.5 Die Pumpe ist laut.", "final - 2.5-3.0 Ja."],
    );
    check(
        EarForm::WhisperText,
        "### Transcription 0 START | t0 = 0 ms | t1 = 2000 ms\n\n[00:00:00.000 --> 00:00:02.000]   The pump is loud.\n\n\
         ### Transcription 0 END\n\n### Transcription 1 START | t0 = 8000 ms | t1 = 9000 ms\n\
         [00:00:00.500 --> 00:00:01.000]  (speaker 1) Still.\n",
        &["final - 0.0-2.0 The pump is loud.", "final 1 8.5-9.0 Still."],
    );
}

/// A long file in one line is read in parts, and comes to the same as line by line.
#[test]
fn a_long_file_comes_to_the_same_as_its_lines() {
    let word = |n: usize, k: usize| {
        format!(r#"{{"word":"word{k}","start":{},"end":{},"score":0.5}}"#, n * 4, n * 4 + 1)
    };
    let segment = |n: usize| {
        let words: Vec<String> = (0..40).map(|k| word(n, k)).collect();
        format!(
            r#"{{"start":{},"end":{},"text":"sentence number {n}","words":[{}]}}"#,
            n * 4,
            n * 4 + 3,
            words.join(",")
        )
    };
    let segments: Vec<String> = (0..1500).map(segment).collect();
    let words: Vec<String> = (0..30_000).map(|n| word(n % 1500, n)).collect();
    let whole = format!(
        r#"{{"language":"en","segments":[{}],"word_segments":[{}]}}"#,
        segments.join(","),
        words.join(",")
    );
    assert!(whole.len() > 4 << 20, "{}", whole.len());
    let lines: String = segments
        .iter()
        .map(|segment| format!("{{\"segments\":[{segment}],\"language\":\"en\"}}\n"))
        .collect();
    let (whole, lines) = (take(None, whole.as_bytes()), take(None, lines.as_bytes()));
    assert_eq!(whole.len(), 1500);
    assert_eq!(whole, lines);
}

/// The table of the lab, where it is here.
#[test]
fn the_table_of_real_meetings() {
    let small = "meeting\tidx\tstart\tend\tspeaker\trole\tact\taddressees\ttopic\ttext\n\
                 M1\t0\t1.42\t2.99\tB\tPM\tinf\t\t0\t<v> Um we begin\nM1\t1\t3\t4\tA\tME\toth\t\t0\t<v>\nM2\t0\t1\t2\tA\tID\tinf\t\t0\tno\n";
    let out = take(None, small.as_bytes());
    assert_eq!(told(&out), ["final B 1.42-2.99 Um we begin"]);
    assert_eq!(codes(&out), ["ears/other-recording"]);
    assert_eq!(AmiRow::table(small).unwrap().len(), 3);
    assert!(AmiRow::table("meeting\tstart\nM1\tsoon\n").unwrap_err().starts_with("line 2: "));

    let folder = std::env::var("SYNOD_LIVE_DATA").unwrap_or_else(|_| "../../../shared/data".into());
    let path = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join(folder).join("ami/utterances.tsv");
    let Ok(table) = std::fs::read_to_string(&path) else {
        crate::say("skipped: no meetings in SYNOD_LIVE_DATA");
        return;
    };
    let rows = AmiRow::table(&table).unwrap();
    let meetings: std::collections::BTreeSet<&str> = rows.iter().map(|row| row.meeting.as_str()).collect();
    let mut heard = 0;
    for meeting in &meetings {
        let options = IntakeOptions { only: Some((*meeting).into()), ..IntakeOptions::default() };
        let out = take_with(options, table.as_bytes(), 1 << 16);
        let odd: Vec<_> = codes(&out).into_iter().filter(|code| *code != "ears/other-recording").collect();
        assert_eq!(odd, [""; 0], "{meeting}");
        heard += items(&out).len();
    }
    let spoken = rows.iter().filter(|row| !row.words().is_empty()).count();
    assert_eq!((heard, meetings.len()), (spoken, 12));
}
