//! What ears read of others, for fuzzing: transcripts of every form, and sound. Takes any bytes, and panics where a promise is
//! broken. Not part of a release.

use std::io::Cursor;

use crate::{EarForm, EarItem, EarOutput, Intake, IntakeOptions, Sound, TEXT_MOST};

/// The first byte says which form is named, or none; the rest is the transcript. It comes to the same in any pieces.
pub fn ears(bytes: &[u8]) {
    let (form, text) = match bytes.split_first() {
        Some((first, rest)) => (EarForm::ALL.get(usize::from(*first)).copied(), rest),
        None => (None, bytes),
    };
    // Examples are kept as they are, and then their form is told by what they look like.
    for (form, text) in [(None, bytes), (form, text)] {
        let whole = taken(form, text, text.len().max(1));
        let shattered = taken(form, text, 7);
        assert_eq!(whole, shattered, "a transcript depends on its pieces");
        whole.iter().for_each(promise);
    }
}

fn taken(form: Option<EarForm>, text: &[u8], piece: usize) -> Vec<EarOutput> {
    let (mut intake, mut out) = (Intake::new(IntakeOptions { form, ..IntakeOptions::default() }), Vec::new());
    text.chunks(piece).for_each(|piece| intake.feed(piece, &mut out));
    intake.end(&mut out);
    out
}

fn promise(output: &EarOutput) {
    match output {
        EarOutput::Heard(EarItem::Segment(segment)) => {
            assert!(0 <= segment.start && segment.start <= segment.end, "{segment:?}");
            assert!(
                segment.text.len() <= TEXT_MOST && !segment.text.contains(char::is_control),
                "{segment:?}"
            );
        }
        EarOutput::Heard(EarItem::Activity { start, end, .. }) => assert!(0 <= *start && start < end),
        EarOutput::Heard(_) => (),
        EarOutput::Note(note) => {
            assert!(
                !note.detail.is_empty() && note.detail.len() < 2000 && !note.detail.contains('\n'),
                "{note}"
            );
        }
    }
}

/// A sound decodes, or it is said why not.
pub fn sound(bytes: &[u8]) {
    let read = Sound::pipe("-", Box::new(Cursor::new(bytes.to_vec()))).and_then(|mut sound| {
        let mut samples = Vec::new();
        while sound.read(&mut samples)? {
            samples.clear();
        }
        Ok(())
    });
    if let Err(error) = read {
        assert!(error.to_string().starts_with("-: "), "{error}");
    }
}

#[cfg(test)]
mod tests {
    use super::mutate::{Grammar, fuzz};

    const KNOWN: &[&str] = &[
        "type",
        "segment",
        "activity",
        "speaker",
        "revise",
        "present",
        "clock",
        "id",
        "final",
        "start",
        "end",
        "text",
        "words",
        "stress",
        "confidence",
        "segments",
        "lines",
        "new_lines",
        "n_lines",
        "lines_pruned",
        "diff",
        "results",
        "alternatives",
        "channel",
        "transcript",
        "data",
        "event",
        "trigger",
        "confirmed",
        "pending",
        "transcription",
        "offsets",
        "timestamp_ms",
        "turn_order",
        "message",
        "AddTranscript",
        "attributes",
        "lk.segment_id",
        "rtvi-ai",
        "2026-03-27T10:00:00Z",
        "0:00:12",
        "00:01.000 --> 00:02.000\n",
        "WEBVTT\n\n",
        "<v Ada>",
        "SPEAKER a 1 1 1",
        "\n\n",
        "LEXEME a 1 1 1 word lex ANN 0.5",
        "[00:00:00.000 --> 00:00:02.000]",
        "### Transcription 0 START | t0 = 0 ms",
        "meeting\tidx\tstart\tend\tspeaker\ttext\n",
        "\t",
        "1\n",
    ];

    #[test]
    fn transcripts() {
        fuzz("ears", Grammar::Json, KNOWN, super::ears);
    }

    #[test]
    fn lines_of_transcripts() {
        fuzz("ears", Grammar::Text, KNOWN, super::ears);
    }

    #[test]
    fn sounds() {
        fuzz("sound", Grammar::Text, &["RIFF", "WAVE", "fmt ", "data", "fLaC", "OggS", "ID3"], super::sound);
    }
}

#[cfg(test)]
#[path = "../../../fuzz/mutate.rs"]
mod mutate;
