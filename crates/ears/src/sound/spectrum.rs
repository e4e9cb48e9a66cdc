//! What a voice is like for 40 milliseconds: how loud, how high, how bright. The pitch is found by autocorrelation of a windowed
//! piece, divided by that of the window.

use std::f32::consts::PI;

use crate::sound::SAMPLE_RATE;

/// Samples of a piece, and from one piece to the next.
pub(crate) const PIECE: usize = 640;
pub(crate) const HOP: usize = 320;
const SIZE: usize = 1024;
/// Voices lie between these, in Hz.
const LOWEST: usize = 60;
const HIGHEST: usize = 500;
/// From so much likeness to itself on, a piece has a pitch.
const VOICED: f32 = 0.55;
/// What a higher pitch must be better by than a lower one: half of a pitch is as like as itself.
const OCTAVE: f32 = 0.03;
/// So many pieces with a pitch are needed to say anything: half a second of vowels.
const VOICED_LEAST: usize = 25;
/// Pieces that are quieter by more than this than most are no part of the voice, in decibels.
const QUIETER: f32 = 15.0;

/// One piece.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct PieceMeasure {
    /// In decibels below the loudest.
    pub(crate) level: f32,
    /// In semitones above 55 Hz, if it has one.
    pub(crate) pitch: Option<f32>,
    /// 1 to 5 kHz over 50 to 1000 Hz, in decibels.
    pub(crate) alpha: f32,
}

/// A stretch of speech. It says nothing of who speaks, and is not to be kept with a name.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct VoiceMeasure {
    /// The median of the pitch, in semitones above 55 Hz.
    pub pitch: f32,
    /// The mean alpha ratio where there is a pitch, in decibels.
    pub alpha: f32,
    /// The level that a fifth of the pieces reach, in decibels below the loudest.
    pub level: f32,
}

/// Measures pieces.
pub(crate) struct Spectrum {
    window: Vec<f32>,
    /// How like the window is to itself, by lag.
    likeness: Vec<f32>,
    /// The share of each frequency that counts for the pitch: the rumble of a room and hiss would drown it.
    audible: Vec<f32>,
    turns: Vec<(f32, f32)>,
    work: Vec<(f32, f32)>,
}

impl Default for Spectrum {
    fn default() -> Self {
        let turn = |n: usize| -2.0 * PI * n as f32 / SIZE as f32;
        let window: Vec<f32> =
            (0..PIECE).map(|n| 0.5 - 0.5 * (2.0 * PI * (n as f32 + 0.5) / PIECE as f32).cos()).collect();
        let like = |lag: usize| window.iter().zip(&window[lag..]).map(|(a, b)| a * b).sum::<f32>();
        let likeness = (0..SAMPLE_RATE as usize / LOWEST + 2).map(|lag| like(lag) / like(0)).collect();
        Self {
            likeness,
            audible: (0..SIZE).map(|bin| audible(bin.min(SIZE - bin))).collect(),
            window,
            turns: (0..SIZE / 2).map(|n| (turn(n).cos(), turn(n).sin())).collect(),
            work: vec![(0.0, 0.0); SIZE],
        }
    }
}

fn audible(bin: usize) -> f32 {
    let hertz = (bin * SAMPLE_RATE as usize / SIZE) as f32;
    match hertz {
        ..70.0 => 0.0,
        ..200.0 => (hertz / 200.0).powi(2),
        ..2000.0 => 1.0,
        ..4000.0 => (4000.0 - hertz) / 2000.0,
        _ => 0.0,
    }
}

impl std::fmt::Debug for Spectrum {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Spectrum")
    }
}

impl Spectrum {
    /// Measures a piece of [`PIECE`] samples.
    pub(crate) fn measure(&mut self, piece: &[i16]) -> PieceMeasure {
        let mean = piece.iter().map(|sample| f32::from(*sample)).sum::<f32>() / PIECE as f32;
        let mut power = 0.0;
        self.work.fill((0.0, 0.0));
        for ((slot, sample), window) in self.work.iter_mut().zip(piece).zip(&self.window) {
            let sample = (f32::from(*sample) - mean) / 32_768.0;
            power += sample * sample;
            slot.0 = sample * window;
        }
        let level = 10.0 * (power / PIECE as f32 + 1e-10).log10();
        if level < -75.0 {
            return PieceMeasure { level, ..PieceMeasure::default() };
        }
        transform(&mut self.work, &self.turns);
        for slot in &mut self.work {
            *slot = (slot.0 * slot.0 + slot.1 * slot.1, 0.0);
        }
        let band = |from: usize, to: usize| {
            let bin = |hertz: usize| hertz * SIZE / SAMPLE_RATE as usize;
            self.work[bin(from).max(1)..bin(to)].iter().map(|slot| slot.0).sum::<f32>() + 1e-12
        };
        let alpha = 10.0 * (band(1000, 5000) / band(50, 1000)).log10();
        for (slot, share) in self.work.iter_mut().zip(&self.audible) {
            slot.0 *= share;
        }
        // The spectrum of powers is even, so forwards is as good as backwards.
        transform(&mut self.work, &self.turns);
        PieceMeasure { level, pitch: self.pitch(), alpha }
    }

    /// The pitch of the autocorrelation that lies in `work`.
    fn pitch(&self) -> Option<f32> {
        let whole = self.work[0].0;
        if whole <= 0.0 {
            return None;
        }
        let like = |lag: usize| self.work[lag].0 / whole / self.likeness[lag];
        let (shortest, longest) = (SAMPLE_RATE as usize / HIGHEST, SAMPLE_RATE as usize / LOWEST);
        let mut best: Option<(usize, f32)> = None;
        for lag in shortest..=longest {
            let here = like(lag);
            if here < VOICED || here < like(lag - 1) || here < like(lag + 1) {
                continue;
            }
            let worth = here - OCTAVE * (lag as f32 / shortest as f32).log2();
            if best.is_none_or(|(_, most)| worth > most) {
                best = Some((lag, worth));
            }
        }
        let (lag, _) = best?;
        let (before, here, after) = (like(lag - 1), like(lag), like(lag + 1));
        let bend = before - 2.0 * here + after;
        let beyond = if bend < 0.0 { 0.5 * (before - after) / bend } else { 0.0 };
        let hertz = SAMPLE_RATE as f32 / (lag as f32 + beyond.clamp(-0.5, 0.5));
        Some(12.0 * (hertz / 55.0).log2())
    }
}

/// What pieces come to, or nothing if too few of them have a pitch.
pub(crate) fn sum_up(pieces: &[PieceMeasure]) -> Option<VoiceMeasure> {
    let mut levels: Vec<f32> = pieces.iter().map(|piece| piece.level).collect();
    levels.sort_by(f32::total_cmp);
    let level = *levels.get(levels.len() * 4 / 5)?;
    // Between words the room is heard, and not the voice.
    let voiced = || pieces.iter().filter(|piece| piece.level > level - QUIETER);
    let mut pitches: Vec<f32> = voiced().filter_map(|piece| piece.pitch).collect();
    if pitches.len() < VOICED_LEAST {
        return None;
    }
    pitches.sort_by(f32::total_cmp);
    let alphas = voiced().filter(|piece| piece.pitch.is_some()).map(|piece| piece.alpha);
    Some(VoiceMeasure {
        pitch: pitches[pitches.len() / 2],
        alpha: alphas.sum::<f32>() / pitches.len() as f32,
        level,
    })
}

/// Fourier's transform in place; the length is a power of two, `turns` has half as many.
fn transform(work: &mut [(f32, f32)], turns: &[(f32, f32)]) {
    let size = work.len();
    let bits = size.trailing_zeros();
    for at in 0..size {
        let other = at.reverse_bits() >> (usize::BITS - bits);
        if other > at {
            work.swap(at, other);
        }
    }
    let mut half = 1;
    while half < size {
        let stride = size / (2 * half);
        for block in work.chunks_exact_mut(2 * half) {
            let (low, high) = block.split_at_mut(half);
            for (n, (a, b)) in low.iter_mut().zip(high).enumerate() {
                let (cos, sin) = turns[n * stride];
                let turned = (b.0 * cos - b.1 * sin, b.0 * sin + b.1 * cos);
                *b = (a.0 - turned.0, a.1 - turned.1);
                *a = (a.0 + turned.0, a.1 + turned.1);
            }
        }
        half *= 2;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A voice of a pitch: the first overtones, each weaker by `fall`.
    fn voice(hertz: f32, fall: f32, loud: f32) -> Vec<i16> {
        let sample = |n: usize| {
            let t = n as f32 / SAMPLE_RATE as f32;
            let tones = (1..=12).filter(|k| *k as f32 * hertz < 7000.0);
            let sum: f32 =
                tones.map(|k| fall.powi(k - 1) * (2.0 * PI * hertz * k as f32 * t + k as f32).sin()).sum();
            (sum * loud * 8000.0).clamp(-32_000.0, 32_000.0) as i16
        };
        (0..PIECE).map(sample).collect()
    }

    #[test]
    fn a_transform_is_what_the_definition_says() {
        let spectrum = Spectrum::default();
        let mut work: Vec<(f32, f32)> = (0..SIZE).map(|n| ((n as f32 * 0.37).sin() + 0.1, 0.0)).collect();
        let input = work.clone();
        transform(&mut work, &spectrum.turns);
        for bin in [0, 1, 60, 511, 1000] {
            let turn = |n: usize| -2.0 * std::f64::consts::PI * (bin * n % SIZE) as f64 / SIZE as f64;
            let sum = input.iter().enumerate().fold((0.0, 0.0), |(re, im), (n, x)| {
                (re + f64::from(x.0) * turn(n).cos(), im + f64::from(x.0) * turn(n).sin())
            });
            assert!((f64::from(work[bin].0) - sum.0).abs() < 0.01, "{bin}");
            assert!((f64::from(work[bin].1) - sum.1).abs() < 0.01, "{bin}");
        }
    }

    #[test]
    fn the_pitch_of_a_voice_is_found() {
        let mut spectrum = Spectrum::default();
        for hertz in [85.0_f32, 110.0, 165.0, 220.0, 330.0, 440.0] {
            for fall in [0.5, 0.8] {
                let found = spectrum.measure(&voice(hertz, fall, 0.5)).pitch;
                let wanted = 12.0 * (hertz / 55.0).log2();
                assert!(
                    found.is_some_and(|found| (found - wanted).abs() < 0.3),
                    "{hertz}, {fall}: {found:?} for {wanted}"
                );
            }
        }
    }

    #[test]
    fn noise_and_silence_have_no_pitch() {
        let mut spectrum = Spectrum::default();
        let mut seed = 1_u32;
        let mut noise = || {
            seed = seed.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            ((seed >> 16) as i16) / 8
        };
        let voiced = (0..200).filter(|_| {
            let piece: Vec<i16> = (0..PIECE).map(|_| noise()).collect();
            spectrum.measure(&piece).pitch.is_some()
        });
        assert!(voiced.count() <= 2, "noise");
        let silence = spectrum.measure(&[0; PIECE]);
        assert!(silence.pitch.is_none() && silence.level < -90.0);
    }

    #[test]
    fn louder_and_brighter_voices_are_measured_so() {
        let mut spectrum = Spectrum::default();
        let (soft, loud) =
            (spectrum.measure(&voice(150.0, 0.5, 0.1)), spectrum.measure(&voice(150.0, 0.9, 0.4)));
        assert!(loud.level - soft.level > 12.0, "{soft:?} {loud:?}");
        assert!(loud.alpha - soft.alpha > 8.0, "{soft:?} {loud:?}");
    }
}
