//! Ears: what a room says, and the light that answers.
//!
//! Transcripts of many forms, sound, and outside recognisers come in; [`EarItem`]s and [`EarNote`]s come out. Nothing here knows a
//! mode's rules, judges what was said, or keeps what a voice was like.
//!
//! To add a form of transcripts: `forms`. To add a kind of lamp: `light`.

mod fields;
mod forms;
#[cfg(any(test, fuzzing))]
pub mod fuzzing;
mod heard;
mod intake;
mod lamp;
mod light;
mod lines;
mod note;
mod raw;
mod recogniser;
mod repeat;
mod sound;
mod split;
mod straight;
mod turns;
mod when;

pub use forms::EarForm;
pub use heard::{EarItem, EarSegment, EarSource, EarStress, EarWord, Millis};
pub use intake::{Intake, IntakeOptions};
pub use lamp::{Lamp, LampAddress, LampError};
pub use light::{HookFacts, LightPattern, MODE_LIGHTS, ModeLight, mode_light};
pub use lines::AmiRow;
pub use note::{EarNote, EarNoteKind, EarOutput};
pub use recogniser::{RecogniserOptions, RecogniserSound, start_recogniser};
pub use sound::{
    FrontEvent, Resampler, SAMPLE_RATE, Sound, SoundError, SoundFront, VoiceMeasure, VoiceStress, stress_of,
};
pub use straight::TEXT_MOST;
pub use turns::EarTurns;
pub use when::TimeUnit;

/// The highest stress that is worked out from a voice, in permille: joy sounds like it, so it never stands alone.
pub const STRESS_CAP: u16 = 890;
