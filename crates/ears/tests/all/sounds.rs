//! Sound: made here, tone by tone, and speech where a synthesiser or recordings are.

use std::f64::consts::PI;
use std::io::Cursor;
use std::path::Path;

use synod_ears::{
    EarSegment, EarSource, FrontEvent, SAMPLE_RATE, STRESS_CAP, Sound, SoundError, SoundFront, VoiceStress,
};

/// A voice of a pitch that a throat could make: pulses through two resonances, in syllables.
fn voice(hertz: f64, bright: f64, loud: f64, seconds: f64) -> Vec<i16> {
    let count = (seconds * f64::from(SAMPLE_RATE)) as usize;
    let mut phase = 0.0;
    (0..count)
        .map(|n| {
            let t = n as f64 / f64::from(SAMPLE_RATE);
            // The pitch wavers, and syllables come four times a second.
            let now = hertz * (1.0 + 0.03 * (2.0 * PI * 1.7 * t).sin());
            phase += 2.0 * PI * now / f64::from(SAMPLE_RATE);
            let overtone = |k: f64| {
                let f = k * now;
                let formant = |at: f64, wide: f64| 1.0 / (1.0 + ((f - at) / wide).powi(2));
                bright.powf(k)
                    * (formant(600.0, 150.0) + 0.6 * formant(1400.0, 200.0) + 0.3 * formant(2600.0, 300.0))
            };
            let sum: f64 = (1..=20)
                .map(f64::from)
                .filter(|k| k * now < 7000.0)
                .map(|k| overtone(k) * (k * phase).sin())
                .sum();
            let syllable = (0.55 - 0.45 * (2.0 * PI * 4.0 * t).cos()).clamp(0.0, 1.0);
            (sum * syllable * loud * 9000.0).clamp(-32_000.0, 32_000.0) as i16
        })
        .collect()
}

fn silence(seconds: f64) -> Vec<i16> {
    vec![0; (seconds * f64::from(SAMPLE_RATE)) as usize]
}

/// A WAV file of 16-bit samples.
fn wav(samples: &[i16], rate: u32, channels: u16) -> Vec<u8> {
    let size = (samples.len() * 2) as u32;
    let mut file = Vec::new();
    file.extend_from_slice(b"RIFF");
    file.extend_from_slice(&(36 + size).to_le_bytes());
    file.extend_from_slice(b"WAVEfmt ");
    file.extend_from_slice(&16_u32.to_le_bytes());
    file.extend_from_slice(&1_u16.to_le_bytes());
    file.extend_from_slice(&channels.to_le_bytes());
    file.extend_from_slice(&rate.to_le_bytes());
    file.extend_from_slice(&(rate * u32::from(channels) * 2).to_le_bytes());
    file.extend_from_slice(&(channels * 2).to_le_bytes());
    file.extend_from_slice(&16_u16.to_le_bytes());
    file.extend_from_slice(b"data");
    file.extend_from_slice(&size.to_le_bytes());
    file.extend(samples.iter().flat_map(|sample| sample.to_le_bytes()));
    file
}

fn whole(mut sound: Sound) -> Result<Vec<i16>, SoundError> {
    let mut samples = Vec::new();
    while sound.read(&mut samples)? {}
    Ok(samples)
}

fn pipe(bytes: Vec<u8>) -> Result<Vec<i16>, SoundError> {
    whole(Sound::pipe("-", Box::new(Cursor::new(bytes)))?)
}

#[test]
fn a_file_a_pipe_and_raw_samples_are_the_same_sound() {
    let samples = voice(120.0, 0.9, 0.5, 2.0);
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.wav");
    std::fs::write(&path, wav(&samples, SAMPLE_RATE, 1)).unwrap();
    let raw: Vec<u8> = samples.iter().flat_map(|sample| sample.to_le_bytes()).collect();
    assert_eq!(whole(Sound::file(&path).unwrap()).unwrap(), samples);
    assert_eq!(pipe(wav(&samples, SAMPLE_RATE, 1)).unwrap(), samples);
    assert_eq!(pipe(raw.clone()).unwrap(), samples);
    let path = folder.path().join("a.raw");
    std::fs::write(&path, &raw[..raw.len() - 1]).unwrap();
    assert_eq!(
        whole(Sound::file(&path).unwrap()).unwrap(),
        samples[..samples.len() - 1],
        "half a sample is none"
    );
}

#[test]
fn other_rates_and_channels_become_ours() {
    let one: Vec<i16> =
        (0..44_100).map(|n| ((f64::from(n) * 2.0 * PI * 300.0 / 44_100.0).sin() * 9000.0) as i16).collect();
    let both: Vec<i16> = one.iter().flat_map(|sample| [*sample, *sample]).collect();
    let opposite: Vec<i16> = one.iter().flat_map(|sample| [*sample, -*sample]).collect();
    let found = pipe(wav(&both, 44_100, 2)).unwrap();
    assert!(found.len().abs_diff(16_000) < 40, "{}", found.len());
    let loudest = found.iter().map(|sample| i32::from(*sample).abs()).max().unwrap();
    assert!((8900..9100).contains(&loudest), "{loudest}");
    assert!(
        pipe(wav(&opposite, 44_100, 2)).unwrap().iter().all(|sample| sample.abs() <= 1),
        "channels are mixed"
    );
}

#[test]
fn broken_sound_is_an_error_that_says_what_to_do_or_ends_early() {
    let good = wav(&voice(120.0, 0.9, 0.5, 1.0), SAMPLE_RATE, 1);
    let cut = pipe(good[..good.len() / 2].to_vec()).unwrap();
    assert!((6000..=8000).contains(&cut.len()), "what is there is heard: {}", cut.len());
    for head in [b"RIFF".as_slice(), b"fLaC", b"OggS", b"ID3"] {
        for length in [0, 1, 40, 5000] {
            let mut bytes = head.to_vec();
            bytes.extend((0..length).map(|n| (n * 37 % 251) as u8));
            if let Err(error) = pipe(bytes) {
                let said = error.to_string();
                assert!(said.starts_with("-: ") && !said.contains('\n'), "{said}");
            }
        }
    }
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.webm");
    std::fs::write(&path, b"\x1a\x45\xdf\xa3 no sound at all").unwrap();
    let said = Sound::file(&path).unwrap_err().to_string();
    assert!(said.contains("ffmpeg") && said.contains("a.webm"), "{said}");
    assert!(Sound::file(Path::new("nowhere.wav")).unwrap_err().to_string().contains("cannot be read"));
    // Every bit of a header turned over.
    for bit in 0..44 * 8 {
        let mut odd = good[..4000].to_vec();
        odd[bit / 8] ^= 1 << (bit % 8);
        let _ = pipe(odd);
    }
}

fn spoken(samples: &[i16], piece: usize) -> Vec<(i64, i64)> {
    let (mut front, mut events) = (SoundFront::new(false), Vec::new());
    samples.chunks(piece).for_each(|piece| front.feed(piece, &mut events));
    front.end(&mut events);
    let spoke = |event: &FrontEvent| match event {
        FrontEvent::Spoke(start, end) => Some((*start, *end)),
        FrontEvent::Began(_) => None,
    };
    assert_eq!(events.iter().filter(|event| matches!(event, FrontEvent::Began(_))).count() * 2, events.len());
    events.iter().filter_map(spoke).collect()
}

#[test]
fn speech_is_found_where_it_is() {
    let sound = [
        silence(1.0),
        voice(130.0, 0.92, 0.5, 2.0),
        silence(1.5),
        voice(190.0, 0.92, 0.5, 1.5),
        silence(1.0),
    ]
    .concat();
    let found = spoken(&sound, 4000);
    assert_eq!(found, spoken(&sound, 333), "in any pieces");
    assert_eq!(found.len(), 2, "{found:?}");
    for ((start, end), (from, to)) in found.iter().zip([(1000, 3000), (4500, 6000)]) {
        assert!((start - from).abs() <= 200 && (end - to).abs() <= 300, "{found:?}");
    }
    assert_eq!(spoken(&silence(5.0), 4000), []);
    let hum: Vec<i16> =
        (0..80_000).map(|n| ((f64::from(n) * 2.0 * PI * 50.0 / 16_000.0).sin() * 3000.0) as i16).collect();
    assert_eq!(spoken(&hum, 4000), [], "the hum of the mains is nobody");
}

fn said(speaker: &str, start: i64, end: i64) -> EarSegment {
    EarSegment {
        is_final: true,
        speaker: Some(speaker.into()),
        start,
        end,
        text: "x".into(),
        ..EarSegment::default()
    }
}

#[test]
fn a_voice_far_above_its_calm_is_marked_and_capped() {
    let calm = voice(120.0, 0.86, 0.15, 2.0);
    let high = voice(230.0, 0.96, 0.9, 2.0);
    let sound = [calm.clone(), calm.clone(), calm.clone(), calm, high].concat();
    let (mut front, mut events) = (SoundFront::new(true), Vec::new());
    front.feed(&sound, &mut events);
    assert_eq!(front.heard(), 10_000);
    let mut stress = VoiceStress::new(true);
    let mut marked = Vec::new();
    for n in 0..5 {
        let mut segment = said("Ada", n * 2000, n * 2000 + 1900);
        stress.mark(&mut segment, &front);
        marked.push(segment.stress.map(|stress| (stress.permille, stress.source)));
    }
    assert_eq!(marked[..3], [None, None, None], "a calm is made of three");
    let (level, source) = marked[3].unwrap();
    assert!(level < 200 && source == EarSource::Voice, "{level}");
    let (level, _) = marked[4].unwrap();
    assert!((700..=STRESS_CAP).contains(&level), "{level}");
    // Somebody talks over: it is not said whose voice that was.
    let mut over = said("Bo", 8000, 9900);
    stress.mark(&mut over, &front);
    let mut again = said("Ada", 8000, 9900);
    stress.mark(&mut again, &front);
    assert_eq!((over.stress, again.stress), (None, None));
    // Without being asked, nothing is measured.
    let mut deaf = SoundFront::new(false);
    deaf.feed(&sound, &mut events);
    assert_eq!(deaf.voice(0, 10_000), None);
}

/// Speech of a synthesiser, where there is one.
#[test]
fn synthesised_speech_is_heard() {
    let text = "The meeting begins at nine. Who takes the notes?";
    let Ok(made) = std::process::Command::new("espeak-ng").args(["--stdout", "-v", "en", text]).output()
    else {
        crate::say("skipped: no espeak-ng here");
        return;
    };
    let samples = pipe(made.stdout).unwrap();
    let seconds = samples.len() as i64 / 16;
    let heard: i64 = spoken(&samples, 4000).iter().map(|(start, end)| end - start).sum();
    assert!(heard * 2 > seconds, "{heard} of {seconds} ms");
}

/// How long the front takes for ten minutes, in CPU time of this thread's wall clock. Shown, and bounded far above what a release
/// build needs.
#[test]
fn the_front_is_far_faster_than_speech() {
    let talk = [voice(130.0, 0.92, 0.5, 3.0), silence(1.0)].concat();
    let (mut front, mut events) = (SoundFront::new(true), Vec::new());
    let begun = std::time::Instant::now();
    for _ in 0..15 {
        front.feed(&talk, &mut events);
    }
    let took = begun.elapsed().as_secs_f64() / 60.0;
    crate::say(&format!("front with voices: {took:.5} s per second of sound"));
    assert!(!events.is_empty());
}

/// Real meetings, where recordings with speaker turns are: `NAME.wav` beside `NAME.rttm` in `SYNOD_EARS_SOUND`.
#[test]
fn real_speech_is_found_where_people_marked_it() {
    let Some(folder) = std::env::var_os("SYNOD_EARS_SOUND") else {
        crate::say("skipped: no recordings in SYNOD_EARS_SOUND");
        return;
    };
    let (mut right, mut frames, mut levels) = (0, 0, Vec::new());
    for entry in std::fs::read_dir(folder).unwrap().flatten() {
        let path = entry.path();
        let Ok(turns) = std::fs::read(path.with_extension("rttm")) else { continue };
        if path.extension().is_none_or(|ending| ending != "wav") {
            continue;
        }
        let samples = whole(Sound::file(&path).unwrap()).unwrap();
        let found = spoken(&samples, 4000);
        let turns: Vec<(String, i64, i64)> = crate::items(&crate::take(None, &turns))
            .into_iter()
            .filter_map(|item| match item {
                synod_ears::EarItem::Activity { speaker, start, end } => Some((speaker?, start, end)),
                _ => None,
            })
            .collect();
        for at in (0..samples.len() as i64 / 16).step_by(10) {
            let inside = |(start, end): (i64, i64)| start <= at && at < end;
            let marked = turns.iter().any(|(_, start, end)| inside((*start, *end)));
            right += usize::from(marked == found.iter().copied().any(inside));
            frames += 1;
        }
        let (mut front, mut events) = (SoundFront::new(true), Vec::new());
        front.feed(&samples, &mut events);
        let mut stress = VoiceStress::new(true);
        turns.iter().for_each(|(speaker, start, end)| stress.spoke(Some(speaker), *start, *end));
        // Excerpts are short, so turns are cut into utterances of two seconds.
        let utterances = turns.iter().flat_map(|(speaker, start, end)| {
            (*start..=end - 2000).step_by(2000).map(move |at| said(speaker, at, at + 2000))
        });
        for mut segment in utterances {
            stress.mark(&mut segment, &front);
            levels.extend(segment.stress.map(|stress| stress.permille));
        }
    }
    levels.sort_unstable();
    let wrong = 1.0 - right as f64 / frames as f64;
    let share = |over: u16| levels.iter().filter(|level| **level > over).count() as f64 / levels.len() as f64;
    crate::say(&format!(
        "frame error {wrong:.3} over {} s; {} utterances without overlap, stress above 0.5: {:.3}, above 0.7: {:.3}",
        frames / 100,
        levels.len(),
        share(500),
        share(700)
    ));
    assert!(frames > 0 && wrong < 0.2, "{wrong}");
    assert!(levels.len() > 20 && share(700) <= 0.02, "ordinary meetings are not above 0.7: {levels:?}");
}
