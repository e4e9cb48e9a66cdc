//! Any sampling rate to 16 kHz, by a windowed sinc whose weights are worked out once. Mono.

use std::f64::consts::PI;

use crate::sound::SAMPLE_RATE;

/// Zero crossings of the sinc on each side.
const CROSSINGS: f64 = 16.0;
/// The share of the band that is kept; the rest is where the filter falls.
const KEPT: f64 = 0.92;
/// More positions between two samples than that are not told apart.
const PHASES_MOST: u64 = 1024;

/// Turns a stream of samples into one of 16 kHz.
#[derive(Debug)]
pub struct Resampler {
    /// So much further in the input, in parts of `scale`, for each sample out.
    step: u64,
    scale: u64,
    /// Weights for each phase.
    table: Vec<Vec<f32>>,
    half: usize,
    buffer: Vec<f32>,
    /// Where the next sample out lies: a place in the buffer, and parts of `scale` beyond.
    place: usize,
    part: u64,
}

impl Resampler {
    /// From this rate.
    pub fn from_rate(rate: u32) -> Self {
        let (rate, wanted) = (u64::from(rate.max(1)), u64::from(SAMPLE_RATE));
        let common = gcd(rate, wanted);
        let (step, scale) = (rate / common, wanted / common);
        let narrow = (wanted as f64 / rate as f64).min(1.0);
        let half = (CROSSINGS / narrow).ceil() as usize;
        let phases = scale.min(PHASES_MOST);
        let table = (0..phases).map(|phase| weights(phase as f64 / phases as f64, half, narrow)).collect();
        // Silence before the beginning, so that the first sample has neighbours.
        Self { step, scale, table, half, buffer: vec![0.0; half], place: half, part: 0 }
    }

    /// Takes samples and adds what they make.
    pub fn feed(&mut self, samples: &[f32], out: &mut Vec<f32>) {
        if self.step == self.scale {
            return out.extend_from_slice(samples);
        }
        self.buffer.extend_from_slice(samples);
        while self.place + self.half < self.buffer.len() {
            let phase = (self.part * self.table.len() as u64 / self.scale) as usize;
            let around = &self.buffer[self.place + 1 - self.half..=self.place + self.half];
            out.push(around.iter().zip(&self.table[phase]).map(|(sample, weight)| sample * weight).sum());
            self.part += self.step;
            self.place += (self.part / self.scale) as usize;
            self.part %= self.scale;
        }
        let done = (self.place + 1).saturating_sub(self.half).min(self.buffer.len());
        self.buffer.drain(..done);
        self.place -= done;
    }

    /// The end: what is still inside comes out.
    pub fn end(&mut self, out: &mut Vec<f32>) {
        if self.step != self.scale {
            self.feed(&vec![0.0; self.half], out);
        }
    }
}

/// The weights for a sample that lies this far beyond the middle of its neighbours.
fn weights(beyond: f64, half: usize, narrow: f64) -> Vec<f32> {
    let cut = narrow * KEPT;
    let weight = |at: usize| {
        let distance = at as f64 - (half as f64 - 1.0) - beyond;
        let x = PI * cut * distance;
        let sinc = if x.abs() < 1e-9 { 1.0 } else { x.sin() / x };
        let turn = PI * distance / half as f64;
        // Blackman's window.
        let window = if distance.abs() > half as f64 {
            0.0
        } else {
            0.42 + 0.5 * turn.cos() + 0.08 * (2.0 * turn).cos()
        };
        sinc * window
    };
    let raw: Vec<f64> = (0..2 * half).map(weight).collect();
    let sum: f64 = raw.iter().sum();
    raw.iter().map(|weight| (weight / sum) as f32).collect()
}

fn gcd(a: u64, b: u64) -> u64 {
    if b == 0 { a } else { gcd(b, a % b) }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tone(rate: u32, frequency: f64, seconds: f64) -> Vec<f32> {
        let count = (f64::from(rate) * seconds) as usize;
        (0..count).map(|n| (2.0 * PI * frequency * n as f64 / f64::from(rate)).sin() as f32 * 0.5).collect()
    }

    fn resampled(rate: u32, samples: &[f32], piece: usize) -> Vec<f32> {
        let (mut resampler, mut out) = (Resampler::from_rate(rate), Vec::new());
        samples.chunks(piece).for_each(|piece| resampler.feed(piece, &mut out));
        resampler.end(&mut out);
        out
    }

    fn error(found: &[f32], wanted: &[f32]) -> f64 {
        let middle = 800..found.len().min(wanted.len()) - 800;
        let squares =
            found[middle.clone()].iter().zip(&wanted[middle]).map(|(a, b)| f64::from(a - b).powi(2));
        let (count, sum) = squares.fold((0.0, 0.0), |(count, sum), square| (count + 1.0, sum + square));
        (sum / count).sqrt()
    }

    #[test]
    fn a_tone_stays_a_tone_at_any_rate_and_in_any_pieces() {
        for rate in [8000, 11_025, 22_050, 32_000, 44_100, 48_000, 44_099, 96_000] {
            let made = resampled(rate, &tone(rate, 440.0, 1.0), 777);
            assert!(made.len().abs_diff(16_000) <= 40, "{rate}: {}", made.len());
            let off = error(&made, &tone(SAMPLE_RATE, 440.0, 1.0));
            assert!(off < 0.003, "{rate}: {off}");
            assert_eq!(made, resampled(rate, &tone(rate, 440.0, 1.0), 5000), "{rate}");
        }
    }

    #[test]
    fn what_is_too_high_is_gone() {
        let made = resampled(48_000, &tone(48_000, 12_000.0, 1.0), 4096);
        let loudest = made[800..15_000].iter().fold(0.0_f32, |most, sample| most.max(sample.abs()));
        assert!(loudest < 0.002, "{loudest}");
    }
}
