//! Broken input: clamped or refused with a note that says what and where, and what follows is heard.

use proptest::prelude::*;
use synod_ears::{EarForm, EarItem, EarOutput, Intake, IntakeOptions, TEXT_MOST};

use crate::{codes, items, notes, take, told};

fn after(bad: &str) -> Vec<EarOutput> {
    let text = format!(
        "{bad}\n{{\"type\":\"segment\",\"id\":\"good\",\"speaker\":\"Ada\",\"start\":20,\"end\":21,\"text\":\"heard\"}}\n"
    );
    let out = take(None, text.as_bytes());
    assert_eq!(told(&out).last().map(String::as_str), Some("final Ada 20.0-21.0 heard"), "{bad}");
    out
}

#[test]
fn every_fault_has_its_note_and_loses_nothing_else() {
    let segment = |fields: &str| format!(r#"{{"type":"segment","text":"said",{fields}}}"#);
    for (bad, code, kept) in [
        (segment(r#""start":5,"end":4"#), "ears/negative-duration", Some("final - 5.0-5.0 said")),
        (segment(r#""start":-3,"end":4"#), "ears/before-start", Some("final - 0.0-4.0 said")),
        (segment(r#""start":0,"end":9000"#), "ears/too-long", Some("final - 0.0-3600.0 said")),
        (segment(r#""start":5e300,"end":6"#), "ears/absurd-time", None),
        (segment(r#""start":-1e12,"end":6"#), "ears/absurd-time", None),
        (segment(r#""start":30000,"end":30001"#), "ears/clock-jump", None),
        (segment(r#""start":"soon","end":6"#), "ears/bad-value", Some("final - ~5.643-6.0 said")),
        (segment(r#""start":[],"end":6"#), "ears/bad-value", Some("final - ~5.643-6.0 said")),
        (segment(r#""start":1,"end":2,"confidence":7"#), "ears/bad-value", Some("final - 1.0-2.0 said")),
        (segment(r#""start":1,"end":2,"stress":-2"#), "ears/bad-value", Some("final - 1.0-2.0 said")),
        (
            segment(r#""start":1,"end":2,"stress":1,"stress_source":"stars""#),
            "ears/bad-value",
            Some("final - 1.0-2.0 said"),
        ),
        (segment(r#""start":1,"end":2,"words":["a"]"#), "ears/unreadable", Some("final - 1.0-2.0 said")),
        (r#"{"type":"segment","text":"cut off"#.into(), "ears/unreadable", None),
        (r#"{"type":"segment","text":"a","start":1e999}"#.into(), "ears/unreadable", None),
        (r#"{"type":"clock","t0":7}"#.into(), "ears/bad-value", None),
        (r#"{"type":"revise","id":"x"}"#.into(), "ears/unknown-form", None),
        ("not JSON at all".to_string().replace("not", "{}\nnot"), "ears/unreadable", None),
        (format!("{}1", "[".repeat(3000)), "ears/unreadable", None),
    ] {
        let out = after(&bad);
        assert!(codes(&out).contains(&code), "{bad}: {:?}", notes(&out));
        assert!(notes(&out).iter().all(|note| note.place.is_some() && !note.detail.is_empty()));
        let lines = told(&out);
        assert_eq!(lines.len(), 1 + usize::from(kept.is_some()), "{bad}: {lines:?}");
        if let Some(kept) = kept {
            assert_eq!(lines[0], kept, "{bad}");
        }
    }
}

#[test]
fn a_huge_text_is_cut_and_bytes_that_are_no_text_are_replaced() {
    let huge = format!(
        r#"{{"type":"segment","start":1,"end":2,"text":"{}"}}"#,
        (0..120_000).map(|n| format!("wörter{n} ")).collect::<String>()
    );
    assert!(huge.len() > 1 << 20);
    let out = after(&huge);
    assert_eq!(codes(&out), ["ears/cut"]);
    let EarItem::Segment(segment) = &items(&out)[0] else { panic!("a segment") };
    assert!(segment.text.len() <= TEXT_MOST && segment.text.starts_with("wörter0 wörter1"));
    let mut bytes = br#"{"type":"segment","start":1,"end":2,"speaker":"A"#.to_vec();
    bytes.extend_from_slice(b"\xff\xfe\",\"text\":\"a\xc3(\"}\n");
    let out = take(None, &bytes);
    assert_eq!(
        (codes(&out), told(&out)),
        (vec!["ears/not-utf8"], vec!["final A\u{fffd}\u{fffd} 1.0-2.0 a\u{fffd}(".into()])
    );
    let hidden = "{\"text\":\"a\\u0000\\u001b[2Jb\\u202ec\",\"speaker\":\"x\\ny\",\"start\":1,\"end\":2,\"type\":\"segment\"}";
    assert_eq!(told(&take(None, hidden.as_bytes())), ["final x y 1.0-2.0 a [2Jbc"]);
}

#[test]
fn times_out_of_order_are_told_and_a_leap_is_believed_when_a_second_agrees() {
    let line = |n: u32, start: u32| {
        format!(
            "{{\"type\":\"segment\",\"id\":\"{n}\",\"start\":{start},\"end\":{},\"text\":\"t{n}\"}}\n",
            start + 1
        )
    };
    let out = take(None, (line(1, 500) + &line(2, 10) + &line(3, 499)).as_bytes());
    assert_eq!((told(&out).len(), codes(&out)), (3, vec!["ears/out-of-order"]));
    let out = take(
        None,
        (line(1, 1) + &line(2, 90_000) + &line(3, 2) + &line(4, 90_000) + &line(5, 90_010)).as_bytes(),
    );
    assert_eq!(told(&out), ["final - 1.0-2.0 t1", "final - 2.0-3.0 t3", "final - 90010.0-90011.0 t5"]);
    assert_eq!(codes(&out), ["ears/clock-jump"; 3]);
}

#[test]
fn a_recogniser_that_repeats_itself_is_heard_as_speech_alone() {
    let line = |n: u32| {
        format!(
            "{{\"type\":\"segment\",\"id\":\"{n}\",\"start\":{n},\"end\":{},\"text\":\"Thank you for watching.\"}}\n",
            n + 1
        )
    };
    let text: String = (0..5).map(line).collect();
    let out = take(None, text.as_bytes());
    assert_eq!(
        told(&out),
        [
            "final - 0.0-1.0 Thank you for watching.",
            "final - 1.0-2.0 Thank you for watching.",
            "activity - 2.0-3.0",
            "activity - 3.0-4.0",
            "activity - 4.0-5.0",
        ]
    );
    assert_eq!(codes(&out), ["ears/repeated"; 3]);
    let stop: String = (0..5).map(|n| line(n).replace("Thank you for watching.", "Stop!")).collect();
    assert_eq!(told(&take(None, stop.as_bytes())).len(), 5, "what may be an override always passes");
}

#[test]
fn a_draft_never_replaces_what_is_final() {
    let line = |last: bool, text: &str| {
        format!(
            "{{\"type\":\"segment\",\"id\":\"a\",\"final\":{last},\"start\":1,\"end\":2,\"text\":\"{text}\"}}\n"
        )
    };
    let out = take(
        None,
        (line(true, "yes") + &line(false, "no") + &line(true, "yes") + &line(true, "yes!")).as_bytes(),
    );
    assert_eq!(told(&out), ["final - 1.0-2.0 yes", "final - 1.0-2.0 yes!"]);
    assert_eq!(codes(&out), ["ears/late-draft"]);
}

#[test]
fn many_notes_are_counted() {
    let text = "{\"type\":\"segment\",\"start\":2,\"end\":1,\"text\":\"a\"}\n".repeat(500);
    let out = take(None, text.as_bytes());
    let notes = notes(&out);
    assert_eq!(notes.len(), 51);
    assert_eq!(notes[50].to_string(), "450 more of ears/negative-duration (ears/more)");
    assert_eq!(
        notes[1].to_string(),
        "line 2: it ends 1000 ms before it begins; the end was set to the start (ears/negative-duration)"
    );
}

#[test]
fn subtitles_and_turns_that_are_broken() {
    let out = take(None, b"WEBVTT\n\n00:01.000 --> soon\nlost\n\n00:02.000 --> 00:03.000\nAda: kept\n");
    assert_eq!((told(&out), codes(&out)), (vec!["final Ada 2.0-3.0 kept".into()], vec!["ears/unreadable"]));
    assert_eq!(notes(&out)[0].place, Some(3));
    let out = take(None, b"SPEAKER m 1 5 -2 <NA> <NA> A <NA> <NA>\nSPEAKER m 1\nhello\nSPEAKER m 1 4 x <NA> <NA> A\nSPEAKER m 1 4 1 <NA> <NA> A\n");
    assert_eq!(told(&out), ["activity A 4.0-5.0"]);
    assert_eq!(
        codes(&out),
        ["ears/negative-duration", "ears/unreadable", "ears/unreadable", "ears/unreadable"]
    );
    let out = take(None, b"Once upon a time\nthere was no format\n");
    assert_eq!(codes(&out), ["ears/unknown-form"]);
    assert!(notes(&out)[0].detail.contains("--format"));
    assert_eq!(take(None, b""), [], "nothing is nothing");
}

/// What every output promises, whatever came in.
fn promises(out: &[EarOutput]) {
    for item in items(out) {
        let json = item.to_json();
        assert!(json["type"].is_string());
        match item {
            EarItem::Segment(segment) => {
                assert!(
                    0 <= segment.start
                        && segment.start <= segment.end
                        && segment.end - segment.start <= 3_600_000
                );
                assert!(segment.text.len() <= TEXT_MOST && !segment.text.contains(char::is_control));
                assert!(!segment.id.is_empty() && segment.speaker.is_none_or(|name| !name.trim().is_empty()));
                assert!(segment.confidence.is_none_or(|share| share <= 1000));
                assert!(
                    segment.words.iter().all(|word| segment.start <= word.start && word.end <= segment.end)
                );
            }
            EarItem::Activity { start, end, .. } => assert!(0 <= start && start < end),
            EarItem::Onset { at, .. } => assert!(at >= 0),
            EarItem::Rename { .. }
            | EarItem::Revise { .. }
            | EarItem::Presence { .. }
            | EarItem::Clock { .. } => (),
        }
    }
}

fn known_words() -> impl Strategy<Value = &'static str> {
    proptest::sample::select(vec![
        "type",
        "segment",
        "activity",
        "text",
        "start",
        "end",
        "speaker",
        "id",
        "final",
        "words",
        "w",
        "s",
        "e",
        "lines",
        "segments",
        "transcription",
        "offsets",
        "from",
        "to",
        "data",
        "event",
        "trigger",
        "channel",
        "alternatives",
        "transcript",
        "results",
        "message",
        "AddTranscript",
        "status",
        "new_lines",
        "n_lines",
        "lines_pruned",
        "diff",
        "timestamp_ms",
        "duration_ms",
        "confirmed",
        "pending",
        "turn_order",
        "Turn",
        "Results",
        "transcript.data",
        "on",
        "speech_start",
        "2026-03-27T10:00:00Z",
        "0:00:12",
        "-1",
        "1e18",
        "\u{202e}",
        "",
        "confidence",
        "stress",
        "clock",
    ])
}

fn json() -> impl Strategy<Value = String> {
    let leaf = prop_oneof![
        known_words().prop_map(|word| format!("{word:?}")),
        any::<i64>().prop_map(|number| number.to_string()),
        any::<f32>().prop_map(|number| format!("{number:e}")),
        Just("null".to_string()),
        Just("true".to_string()),
    ];
    leaf.prop_recursive(5, 60, 8, |inner| {
        prop_oneof![
            proptest::collection::vec(inner.clone(), 0..4).prop_map(|list| format!("[{}]", list.join(","))),
            proptest::collection::vec((known_words(), inner), 0..8).prop_map(|fields| {
                let fields: Vec<String> =
                    fields.iter().map(|(name, value)| format!("{name:?}:{value}")).collect();
                format!("{{{}}}", fields.join(","))
            }),
        ]
    })
}

proptest! {
    #[test]
    fn no_json_breaks_any_reader(messages in proptest::collection::vec(json(), 1..12), form in 0..EarForm::ALL.len(), forced in any::<bool>()) {
        let form = forced.then(|| EarForm::ALL[form]);
        let text = messages.join("\n");
        promises(&take(form, text.as_bytes()));
        let mut intake = Intake::new(IntakeOptions { form, ..IntakeOptions::default() });
        let mut out = Vec::new();
        messages.iter().for_each(|message| intake.message(message.as_bytes(), &mut out));
        intake.end(&mut out);
        promises(&out);
    }

    #[test]
    fn no_bytes_break_any_reader(bytes in proptest::collection::vec(any::<u8>(), 0..400), form in 0..EarForm::ALL.len()) {
        promises(&take(Some(EarForm::ALL[form]), &bytes));
        promises(&take(None, &bytes));
    }
}
