//! Sound: from a file, a pipe or a microphone's program to samples, to where somebody speaks, to how a voice stands to its own calm.
//!
//! All of it is pure Rust and far faster than speech. Which person has which voice is never written anywhere.

mod activity;
mod decode;
mod front;
mod resample;
mod spectrum;
mod stress;

pub use decode::{Sound, SoundError};
pub use front::{FrontEvent, SoundFront};
pub use resample::Resampler;
pub use spectrum::VoiceMeasure;
pub use stress::{VoiceStress, stress_of};

/// Samples a second, of everything after decoding.
pub const SAMPLE_RATE: u32 = 16_000;

/// How many milliseconds so many samples last.
pub(crate) fn millis_of(samples: u64) -> i64 {
    (samples * 1000 / u64::from(SAMPLE_RATE)) as i64
}
