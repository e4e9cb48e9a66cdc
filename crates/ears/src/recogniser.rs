//! An outside recogniser: a program that reads 16 kHz mono samples (16 bits, low byte first) and prints our own lines as it goes.
//!
//! It dies with us. When it ends, lags behind what was said, does not read, or repeats itself, that is told and never hidden.

use std::collections::VecDeque;
use std::process::ExitStatus;
use std::time::Duration;

use synod_programs::{Guard, StartedProgram, last_line, tail};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::process::{ChildStdin, ChildStdout};
use tokio::sync::mpsc;

use crate::forms::EarForm;
use crate::heard::{EarItem, Millis};
use crate::intake::{Intake, IntakeOptions};
use crate::note::{EarNote, EarNoteKind, EarOutput};
use crate::sound::millis_of;

/// Pieces of sound that wait for the program. With pieces of a quarter of a second that is a minute.
const WAITING: usize = 240;
/// Silence that is handed over in one go, in samples.
const SILENCE_MOST: u64 = 160_000;
/// Outputs that wait for the room.
const OUTPUTS: usize = 1024;
/// Stretches of speech that wait for their words.
const UNANSWERED: usize = 256;
/// Words that begin or end so far from the speech that was heard are still its words.
const NEAR: Millis = 1000;

/// How long the last words of a program that has ended are waited for.
const LAST_WORDS: Duration = Duration::from_secs(1);

/// How a recogniser is run.
#[derive(Debug, Clone)]
pub struct RecogniserOptions {
    /// The command, run by `sh -c`.
    pub command: String,
    /// Its environment, and no other.
    pub environment: Vec<(String, String)>,
    /// What ends it with us.
    pub guard: Option<Guard>,
    /// Speech without words for longer than this, in time of the sound, is a lag.
    pub lag_most: Duration,
    /// How long it may take after the end of the sound.
    pub finish_within: Duration,
}

/// What bears on how far the words are behind the sound.
#[derive(Debug)]
enum LagNews {
    Heard(u64),
    Spoke(Millis, Millis),
    Answered(Millis),
}

/// The end at which sound goes in. Dropping it is the end of the sound.
#[derive(Debug)]
pub struct RecogniserSound {
    to: mpsc::Sender<Vec<i16>>,
    news: mpsc::UnboundedSender<LagNews>,
    dropped: u64,
    /// Silence that is owed for what was dropped, so that the times of what follows are right.
    owed: u64,
}

/// Starts a recogniser. What it hears comes out of the receiver, which ends when the program has ended.
pub fn start_recogniser(
    options: RecogniserOptions,
) -> std::io::Result<(RecogniserSound, mpsc::Receiver<EarOutput>)> {
    let program = StartedProgram::start(&options.command, &options.environment, options.guard.as_ref())?;
    let (to, sound) = mpsc::channel(WAITING);
    let (out, outputs) = mpsc::channel(OUTPUTS);
    let (news, told) = mpsc::unbounded_channel();
    tokio::spawn(watch_lag(told, options.lag_most, out.clone()));
    tokio::spawn(run(program, options, sound, news.clone(), out));
    Ok((RecogniserSound { to, news, dropped: 0, owed: 0 }, outputs))
}

impl RecogniserSound {
    /// Hands sound over and waits until there is room: for files. False when the recogniser has ended.
    pub async fn push(&mut self, samples: Vec<i16>) -> bool {
        let _ = self.news.send(LagNews::Heard(samples.len() as u64));
        while let Some(silence) = self.silence() {
            let paid = silence.len() as u64;
            if self.to.send(silence).await.is_err() {
                return false;
            }
            self.owed -= paid;
        }
        self.to.send(samples).await.is_ok()
    }

    /// Hands live sound over and waits for nobody: what finds no room becomes silence, and is counted. False when the recogniser has
    /// ended.
    pub fn offer(&mut self, samples: Vec<i16>) -> bool {
        let count = samples.len() as u64;
        if let Some(silence) = self.silence() {
            let paid = silence.len() as u64;
            if self.to.try_send(silence).is_ok() {
                self.owed -= paid;
            }
        }
        let _ = self.news.send(LagNews::Heard(count));
        match self.to.try_send(samples) {
            Ok(()) => true,
            Err(mpsc::error::TrySendError::Full(_)) => {
                self.dropped += count;
                self.owed += count;
                true
            }
            Err(mpsc::error::TrySendError::Closed(_)) => false,
        }
    }

    /// The next of the silence that is owed.
    fn silence(&self) -> Option<Vec<i16>> {
        (self.owed > 0).then(|| vec![0; self.owed.min(SILENCE_MOST) as usize])
    }

    /// Tells that somebody spoke, so that a lag can be seen.
    pub fn spoke(&self, start: Millis, end: Millis) {
        let _ = self.news.send(LagNews::Spoke(start, end));
    }

    /// A note of sound that found no room since it was asked last.
    pub fn dropped(&mut self) -> Option<EarNote> {
        let dropped = std::mem::take(&mut self.dropped);
        let detail = format!(
            "{} ms of sound were kept from the recogniser, which does not read in time",
            millis_of(dropped)
        );
        (dropped > 0).then_some(EarNote { kind: EarNoteKind::SoundDropped, place: None, detail })
    }
}

/// How far the words are behind the sound.
#[derive(Debug, Default)]
struct LagWatch {
    heard: u64,
    unanswered: VecDeque<(Millis, Millis)>,
    lagging: bool,
}

impl LagWatch {
    /// Words came for everything up to there.
    fn answered(&mut self, until: Millis) -> Option<EarNote> {
        self.unanswered.retain(|(start, end)| *start > until && *end > until + NEAR);
        let caught_up = std::mem::take(&mut self.lagging);
        let detail = "the recogniser gives words again".to_string();
        caught_up.then_some(EarNote { kind: EarNoteKind::RecogniserCaughtUp, place: None, detail })
    }

    fn spoke(&mut self, start: Millis, end: Millis) {
        self.unanswered.push_back((start, end));
        if self.unanswered.len() > UNANSWERED {
            self.unanswered.pop_front();
        }
    }

    /// Tells once that words are missing.
    fn look(&mut self, most: Duration) -> Option<EarNote> {
        let behind = millis_of(self.heard) - self.unanswered.front()?.1;
        if self.lagging || behind <= i64::try_from(most.as_millis()).unwrap_or(i64::MAX) {
            return None;
        }
        self.lagging = true;
        let detail = format!("no words yet for speech that ended {} s ago", behind / 1000);
        Some(EarNote { kind: EarNoteKind::RecogniserLags, place: None, detail })
    }
}

/// Tells of words that are missing, and that they come again, for as long as anybody has news.
async fn watch_lag(mut news: mpsc::UnboundedReceiver<LagNews>, most: Duration, out: mpsc::Sender<EarOutput>) {
    let mut lag = LagWatch::default();
    while let Some(news) = news.recv().await {
        let note = match news {
            LagNews::Heard(samples) => {
                lag.heard += samples;
                lag.look(most)
            }
            LagNews::Spoke(start, end) => {
                lag.spoke(start, end);
                None
            }
            LagNews::Answered(until) => lag.answered(until),
        };
        if let Some(note) = note
            && out.send(EarOutput::Note(note)).await.is_err()
        {
            return;
        }
    }
}

/// How the sound came to its end.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum SoundEnd {
    Over,
    /// The program closed its input.
    Refused,
    /// The program does not read and does not end.
    Stuck,
}

async fn run(
    mut program: StartedProgram,
    options: RecogniserOptions,
    sound: mpsc::Receiver<Vec<i16>>,
    news: mpsc::UnboundedSender<LagNews>,
    out: mpsc::Sender<EarOutput>,
) {
    let (stdin, stdout, stderr) = program.streams();
    let complaint = tokio::spawn(tail(stderr));
    let mut listening = tokio::spawn(listen(stdout, news, out.clone()));
    let end = feed(stdin, sound, options.finish_within).await;
    let status = match end {
        SoundEnd::Over | SoundEnd::Refused => {
            tokio::time::timeout(options.finish_within, program.wait()).await.ok()
        }
        SoundEnd::Stuck => None,
    };
    // What has not ended by now is ended here.
    drop(program);
    // A program that it left behind may hold its streams open; what was said by then is enough.
    if tokio::time::timeout(LAST_WORDS, &mut listening).await.is_err() {
        listening.abort();
    }
    let said = tokio::time::timeout(LAST_WORDS, complaint).await;
    let said = said.ok().and_then(Result::ok).and_then(|stderr| last_line(&stderr));
    let said: String =
        said.map_or(String::new(), |line| format!(": {}", line.chars().take(200).collect::<String>()));
    let within = options.finish_within;
    let how = match status {
        Some(Ok(status)) if status.success() && end == SoundEnd::Over => return,
        Some(Ok(status)) => ended(status, end),
        Some(Err(error)) => format!("cannot be waited for ({error})"),
        None if end == SoundEnd::Stuck => format!("did not read for {within:?} and was ended"),
        None => format!("did not end within {within:?} after the sound and was ended"),
    };
    let detail = format!("the recogniser {how}{said}");
    let _ =
        out.send(EarOutput::Note(EarNote { kind: EarNoteKind::RecogniserEnded, place: None, detail })).await;
}

fn ended(status: ExitStatus, end: SoundEnd) -> String {
    let when = if end == SoundEnd::Refused { " before the sound was over" } else { "" };
    match status.code() {
        Some(126 | 127) => "cannot be run: its command was not found or may not be executed".into(),
        Some(code) => format!("ended with exit code {code}{when}"),
        None => format!("was killed ({status}){when}"),
    }
}

/// Writes the sound.
async fn feed(
    stdin: Option<ChildStdin>,
    mut sound: mpsc::Receiver<Vec<i16>>,
    patience: Duration,
) -> SoundEnd {
    let Some(mut stdin) = stdin else { return SoundEnd::Refused };
    while let Some(samples) = sound.recv().await {
        let bytes: Vec<u8> = samples.iter().flat_map(|sample| sample.to_le_bytes()).collect();
        match tokio::time::timeout(patience, stdin.write_all(&bytes)).await {
            Ok(Ok(())) => (),
            Ok(Err(_)) => return SoundEnd::Refused,
            Err(_) => return SoundEnd::Stuck,
        }
    }
    // Its end closes the stream.
    SoundEnd::Over
}

/// Reads what the program prints.
async fn listen(
    stdout: Option<ChildStdout>,
    news: mpsc::UnboundedSender<LagNews>,
    out: mpsc::Sender<EarOutput>,
) {
    let Some(mut stdout) = stdout else { return };
    let mut intake = Intake::new(IntakeOptions { form: Some(EarForm::Jsonl), ..IntakeOptions::default() });
    let (mut piece, mut found) = (vec![0; 1 << 14], Vec::new());
    loop {
        let read = stdout.read(&mut piece).await.unwrap_or(0);
        if read == 0 {
            intake.end(&mut found);
        } else {
            intake.feed(&piece[..read], &mut found);
        }
        for output in found.drain(..) {
            if let EarOutput::Heard(EarItem::Segment(segment)) = &output {
                let _ = news.send(LagNews::Answered(segment.end));
            }
            if out.send(output).await.is_err() {
                return;
            }
        }
        if read == 0 {
            return;
        }
    }
}
