//! The first thing that sound meets: it is cut into frames, listened to for speech, and, where that was asked for, measured.

use std::collections::VecDeque;

use crate::heard::Millis;
use crate::sound::activity::{Activity, FRAME, Turned};
use crate::sound::spectrum::{HOP, PIECE, PieceMeasure, Spectrum, VoiceMeasure, sum_up};
use crate::sound::{SAMPLE_RATE, millis_of};

/// Measures are kept for two minutes of sound.
const KEPT: usize = 120 * SAMPLE_RATE as usize / HOP;

/// What the front hears.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum FrontEvent {
    /// Somebody begins to speak.
    Began(Millis),
    /// Somebody spoke from then to then.
    Spoke(Millis, Millis),
}

/// Listens to 16 kHz mono.
#[derive(Debug)]
pub struct SoundFront {
    activity: Activity,
    frame: Vec<i16>,
    taken: u64,
    /// Only where voices are measured.
    spectrum: Option<Spectrum>,
    piece: VecDeque<i16>,
    measures: VecDeque<PieceMeasure>,
    measured: u64,
}

impl SoundFront {
    /// Begins. Voices are measured only where somebody asked for it.
    pub fn new(measure_voices: bool) -> Self {
        Self {
            activity: Activity::default(),
            frame: Vec::with_capacity(FRAME),
            taken: 0,
            spectrum: measure_voices.then(Spectrum::default),
            piece: VecDeque::new(),
            measures: VecDeque::new(),
            measured: 0,
        }
    }

    /// How much was taken.
    pub fn heard(&self) -> Millis {
        millis_of(self.taken)
    }

    /// Takes samples.
    pub fn feed(&mut self, samples: &[i16], out: &mut Vec<FrontEvent>) {
        self.taken += samples.len() as u64;
        self.measure(samples);
        let mut rest = samples;
        while !rest.is_empty() {
            let (part, after) = rest.split_at(rest.len().min(FRAME - self.frame.len()));
            self.frame.extend_from_slice(part);
            rest = after;
            if self.frame.len() == FRAME {
                out.extend(self.activity.frame(&self.frame).map(event));
                self.frame.clear();
            }
        }
    }

    /// The end of the sound.
    pub fn end(&mut self, out: &mut Vec<FrontEvent>) {
        out.extend(self.activity.end().map(event));
    }

    fn measure(&mut self, samples: &[i16]) {
        let Some(spectrum) = &mut self.spectrum else { return };
        self.piece.extend(samples);
        while self.piece.len() >= PIECE {
            let measure = spectrum.measure(&self.piece.make_contiguous()[..PIECE]);
            self.piece.drain(..HOP);
            self.measures.push_back(measure);
            self.measured += 1;
            if self.measures.len() > KEPT {
                self.measures.pop_front();
            }
        }
    }

    /// What the voice was like between two moments, if that was measured and is not long gone.
    pub fn voice(&self, start: Millis, end: Millis) -> Option<VoiceMeasure> {
        let index = |at: Millis| at.max(0) as u64 * u64::from(SAMPLE_RATE) / 1000 / HOP as u64;
        let first = self.measured - self.measures.len() as u64;
        let (from, to) = (index(start).max(first) - first, index(end).min(self.measured).max(first) - first);
        let pieces: Vec<PieceMeasure> =
            self.measures.range(from.min(to) as usize..to as usize).copied().collect();
        sum_up(&pieces)
    }
}

fn event(turned: Turned) -> FrontEvent {
    match turned {
        Turned::Began(at) => FrontEvent::Began(at),
        Turned::Ended(start, end) => FrontEvent::Spoke(start, end),
    }
}
