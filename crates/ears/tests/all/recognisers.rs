//! Outside recognisers: real programs, run by the shell.

use std::time::Duration;

use synod_ears::{
    EarItem, EarNoteKind, EarOutput, FrontEvent, RecogniserOptions, Sound, SoundFront, start_recogniser,
};

use crate::{codes, notes, told};

fn options(command: &str) -> RecogniserOptions {
    RecogniserOptions {
        command: command.into(),
        environment: vec![("PATH".into(), std::env::var("PATH").unwrap())],
        guard: None,
        lag_most: Duration::from_secs(60),
        finish_within: Duration::from_secs(20),
    }
}

/// Gives a program ten seconds of sound in which somebody speaks from one second to three, and hears it to its end.
async fn hear(options: RecogniserOptions) -> Vec<EarOutput> {
    let (mut sound, mut outputs) = start_recogniser(options).unwrap();
    let feeding = tokio::spawn(async move {
        for quarter in 0..40 {
            if quarter == 12 {
                sound.spoke(1000, 3000);
            }
            if !sound.push(vec![7; 4000]).await {
                break;
            }
        }
    });
    let mut out = Vec::new();
    while let Some(output) = outputs.recv().await {
        out.push(output);
    }
    feeding.await.unwrap();
    out
}

const SEGMENT: &str = r#"{"type":"segment","id":"r1","final":true,"speaker":null,"start":1.0,"end":3.0,"text":"Good morning."}"#;

#[tokio::test]
async fn what_a_recogniser_prints_is_heard() {
    let script = format!("head -c 100000 > /dev/null; echo '{SEGMENT}'; cat > /dev/null");
    let out = hear(options(&script)).await;
    assert_eq!((told(&out), codes(&out)), (vec!["final - 1.0-3.0 Good morning.".into()], vec![""; 0]));
}

#[tokio::test]
async fn it_gets_every_sample_and_nothing_else_of_ours() {
    let script = r#"n=$(wc -c); echo "{\"type\":\"segment\",\"start\":0,\"end\":1,\"text\":\"$n $(env | grep -c CARGO)\"}""#;
    assert_eq!(told(&hear(options(script)).await), ["final - 0.0-1.0 320000 0"]);
}

#[tokio::test]
async fn one_that_dies_is_told_with_its_last_words() {
    for (command, said) in [
        (
            "head -c 30000 >/dev/null; echo 'out of memory' >&2; exit 3",
            "ended with exit code 3 before the sound was over: out of memory",
        ),
        ("no-such-recogniser-here", "cannot be run"),
        ("cat >/dev/null; exit 4", "ended with exit code 4"),
        ("head -c 10 >/dev/null; kill -9 $$", "was killed"),
        ("head -c 10 >/dev/null; exit 0", "ended with exit code 0 before the sound was over"),
    ] {
        let out = hear(options(command)).await;
        let notes = notes(&out);
        let note = notes.iter().find(|note| note.kind == EarNoteKind::RecogniserEnded);
        assert!(note.is_some_and(|note| note.detail.contains(said)), "{command}: {notes:?}");
    }
}

#[tokio::test]
async fn one_that_lags_is_told_and_so_is_that_it_caught_up() {
    let script = format!("head -c 300000 >/dev/null; echo '{SEGMENT}'; cat >/dev/null");
    let out = hear(RecogniserOptions { lag_most: Duration::from_secs(5), ..options(&script) }).await;
    assert_eq!(codes(&out), ["ears/recogniser-lags", "ears/recogniser-caught-up"], "{:?}", notes(&out));
    assert!(notes(&out)[0].detail.starts_with("no words yet for speech that ended "), "{:?}", notes(&out));
}

#[tokio::test]
async fn one_that_repeats_itself_or_prints_rubbish_is_told() {
    let segment = |n: u32| {
        format!(
            r#"{{"type":"segment","id":"{n}","start":{n},"end":{},"text":"Subtitles by the community"}}"#,
            n + 1
        )
    };
    let script = format!(
        "cat >/dev/null; echo 'loading model'; printf '%s\\n' '{}' '{}' '{}'",
        segment(1),
        segment(2),
        segment(3)
    );
    let out = hear(options(&script)).await;
    assert_eq!(codes(&out), ["ears/unreadable", "ears/repeated"]);
    assert_eq!(told(&out).len(), 3);
}

#[tokio::test]
async fn one_that_never_reads_or_never_ends_is_ended() {
    let short =
        |command: &str| RecogniserOptions { finish_within: Duration::from_millis(300), ..options(command) };
    for (command, said) in
        [("sleep 600", "did not read for"), ("cat >/dev/null; sleep 600", "after the sound and was ended")]
    {
        let out = hear(short(command)).await;
        let notes = notes(&out);
        assert!(notes.iter().any(|note| note.detail.contains(said)), "{command}: {notes:?}");
    }
}

#[tokio::test]
async fn live_sound_that_finds_no_room_is_counted_and_becomes_silence() {
    let folder = tempfile::tempdir().unwrap();
    let gate = folder.path().join("gate");
    assert!(std::process::Command::new("mkfifo").arg(&gate).status().unwrap().success());
    // It reads only when it is let.
    let script = format!(
        "read x < '{}'; n=$(wc -c); echo \"{{\\\"type\\\":\\\"segment\\\",\\\"start\\\":0,\\\"end\\\":1,\\\"text\\\":\\\"$n\\\"}}\"",
        gate.display()
    );
    let (mut sound, mut outputs) = start_recogniser(options(&script)).unwrap();
    for _ in 0..400 {
        assert!(sound.offer(vec![1; 4000]));
    }
    let note = sound.dropped().unwrap();
    assert_eq!(note.kind, EarNoteKind::SoundDropped);
    assert!(sound.dropped().is_none(), "told once");
    std::fs::write(&gate, "go\n").unwrap();
    // What follows finds its place in time, because silence goes before it.
    assert!(sound.push(vec![1; 4000]).await);
    drop(sound);
    let mut out = Vec::new();
    while let Some(output) = outputs.recv().await {
        out.push(output);
    }
    assert_eq!(told(&out), [format!("final - 0.0-1.0 {}", 401 * 4000 * 2)]);
    assert_eq!(note.detail.split(' ').next(), Some("40000"), "160 of 400 quarters of a second: {note:?}");
}

/// The whole chain with a real recogniser, where its command is in `SYNOD_EARS_RECOGNISER` (`scripts/setup-audio` prints one) and a
/// synthesiser or a recording (`SYNOD_EARS_SPEECH`) is here.
#[tokio::test]
async fn a_real_recogniser_hears_words_where_our_own_ear_hears_speech() {
    let Ok(command) = std::env::var("SYNOD_EARS_RECOGNISER") else {
        crate::say("skipped: no recogniser in SYNOD_EARS_RECOGNISER");
        return;
    };
    let folder = tempfile::tempdir().unwrap();
    let path = match std::env::var_os("SYNOD_EARS_SPEECH") {
        Some(path) => path.into(),
        None => {
            let path = folder.path().join("speech.wav");
            let text = "The meeting begins at nine o'clock. Who takes the notes today?";
            let made = std::process::Command::new("espeak-ng")
                .arg("-w")
                .arg(&path)
                .args(["-v", "en", text])
                .status();
            if !made.is_ok_and(|status| status.success()) {
                crate::say("skipped: no espeak-ng here, and no recording in SYNOD_EARS_SPEECH");
                return;
            }
            path
        }
    };
    let (mut samples, mut speech) = (Vec::new(), Vec::new());
    let mut sound = Sound::file(&path).unwrap();
    while sound.read(&mut samples).unwrap() {}
    samples.extend(vec![0; 32_000]);
    let mut front = SoundFront::new(false);
    front.feed(&samples, &mut speech);
    front.end(&mut speech);
    let options = RecogniserOptions {
        lag_most: Duration::from_secs(600),
        finish_within: Duration::from_secs(120),
        environment: std::env::vars().collect(),
        ..options(&command)
    };
    let (mut to, mut outputs) = start_recogniser(options).unwrap();
    tokio::spawn(async move {
        for piece in samples.chunks(4000) {
            to.push(piece.to_vec()).await;
        }
    });
    let mut out = Vec::new();
    while let Some(output) = outputs.recv().await {
        out.push(output);
    }
    crate::say(&told(&out).join("\n"));
    assert_eq!(codes(&out), [""; 0], "{:?}", notes(&out));
    let segments = crate::items(&out);
    assert!(!segments.is_empty());
    for item in segments {
        let EarItem::Segment(segment) = item else { panic!("{item:?}") };
        let heard = speech.iter().any(|event| match event {
            FrontEvent::Spoke(start, end) => *start < segment.end && segment.start < *end,
            FrontEvent::Began(_) => false,
        });
        assert!(heard, "{segment:?} where nobody speaks: {speech:?}");
    }
}
