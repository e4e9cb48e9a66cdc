//! Where somebody speaks: a small net says for every 16 milliseconds how likely it is, and turns are made of that.

use earshot::Detector;

use crate::heard::Millis;
use crate::sound::millis_of;

/// Samples that the net looks at in one go.
pub(crate) const FRAME: usize = 256;
/// So likely is speech ...
const SPEECH: f32 = 0.5;
/// ... and once it has begun, so likely is more of it.
const STILL: f32 = 0.35;
/// Frames of speech that begin a turn, and frames without that end one.
const BEGINS: u32 = 3;
const ENDS: u32 = 25;

/// A turn begins or has ended, in milliseconds of the sound.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Turned {
    Began(Millis),
    Ended(Millis, Millis),
}

/// Listens for speech.
pub(crate) struct Activity {
    net: Box<Detector>,
    frames: u64,
    /// Frames in a row that speak against what is.
    against: u32,
    since: Option<u64>,
}

impl std::fmt::Debug for Activity {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Activity").field("frames", &self.frames).field("since", &self.since).finish()
    }
}

impl Default for Activity {
    fn default() -> Self {
        Self { net: Detector::default_boxed(), frames: 0, against: 0, since: None }
    }
}

impl Activity {
    /// Takes a frame of [`FRAME`] samples.
    pub(crate) fn frame(&mut self, frame: &[i16]) -> Option<Turned> {
        let likely = self.net.predict_i16(frame);
        self.frames += 1;
        let at = |frames: u64| millis_of(frames * FRAME as u64);
        match self.since {
            None => {
                self.against = if likely >= SPEECH { self.against + 1 } else { 0 };
                if self.against < BEGINS {
                    return None;
                }
                let since = self.frames - u64::from(self.against);
                self.since = Some(since);
                self.against = 0;
                Some(Turned::Began(at(since)))
            }
            Some(since) => {
                self.against = if likely >= STILL { 0 } else { self.against + 1 };
                if self.against < ENDS {
                    return None;
                }
                self.since = None;
                let end = self.frames - u64::from(std::mem::take(&mut self.against));
                Some(Turned::Ended(at(since), at(end)))
            }
        }
    }

    /// The end of the sound ends a turn.
    pub(crate) fn end(&mut self) -> Option<Turned> {
        let since = self.since.take()?;
        let end = self.frames - u64::from(std::mem::take(&mut self.against));
        Some(Turned::Ended(millis_of(since * FRAME as u64), millis_of(end * FRAME as u64)))
    }
}
