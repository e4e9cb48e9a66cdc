//! A recorded session of another parliament: its speeches as models wrote them, and the stance that its program took from each. The
//! session is not part of the project.

use std::collections::BTreeMap;
use std::fs;
use std::io::{self, Write as _};
use std::path::Path;

use serde::Deserialize;
use synod_core::brief::{AskedFor, read_stance};
use synod_core::kernel::{Choice, StanceSource};

#[derive(Debug, Deserialize)]
struct Speech {
    speaker: String,
    stance: String,
    time: String,
}

/// Says something that is seen also where a test passes.
fn say(line: &str) {
    let _ = writeln!(io::stderr(), "{line}");
}

/// What was said, by its time and speaker. A speaker may say two things in one second: an introduction, and a speech.
fn said(transcript: &str) -> BTreeMap<(String, String), Vec<String>> {
    let mut found: BTreeMap<(String, String), Vec<String>> = BTreeMap::new();
    for block in transcript.split("\n**[").skip(1) {
        let Some((head, text)) = block.split_once(":**\n") else { continue };
        let Some((time, speaker)) = head.split_once("] ") else { continue };
        found.entry((time.into(), speaker.into())).or_default().push(text.into());
    }
    found
}

#[test]
fn recorded_speeches_stand_where_their_own_program_put_them() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/data/conclave");
    let read = |file: &str| fs::read_to_string(folder.join(file));
    let (Ok(transcript), Ok(rows)) = (read("transcript.md"), read("speeches.jsonl")) else {
        return say("skipped: the recorded session is not here");
    };
    let said = said(&transcript);
    let (mut tokens, mut agree, mut unwritten) = (0, 0, Vec::new());
    let mut wrong = Vec::new();
    for row in rows.lines() {
        let speech: Speech = serde_json::from_str(row).expect("a speech");
        let texts = &said[&(speech.time.clone(), speech.speaker.clone())];
        let text = texts.iter().find(|text| text.contains("STANCE")).unwrap_or(&texts[0]);
        let reading = read_stance(text, AskedFor::Stance);
        let side = match speech.stance.as_str() {
            "FOR" => Choice::Yes,
            "AGAINST" => Choice::No,
            _ => Choice::Neutral,
        };
        let written = text.contains("STANCE");
        tokens += usize::from(written);
        match (written, reading.source == StanceSource::Token) {
            (true, _) if reading.side == Some(side) && reading.source == StanceSource::Token => agree += 1,
            (false, false) => unwritten.push((speech.speaker, speech.stance, reading.side)),
            (true, _) | (false, true) => wrong.push((speech.speaker, speech.time, side, reading)),
        }
    }
    say(&format!("{} speeches: {agree} of {tokens} written stances read as recorded", rows.lines().count()));
    say(&format!("without one, and counted as they stand by the other program: {unwritten:?}"));
    assert_eq!(tokens, 219);
    assert!(wrong.is_empty(), "{wrong:#?}");
    // The other program counted these as neutral, which nobody had said.
    assert!(unwritten.iter().all(|(_, stance, side)| stance == "NEUTRAL" && *side != Some(Choice::Neutral)));
}
