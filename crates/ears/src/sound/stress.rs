//! How far a voice is above its own calm: pitch first, then brightness, then level, against the medians of what the same speaker
//! said before. It shows arousal and nothing more: joy sounds like fear. So it is asked for by name, capped, and forgotten with
//! the room; no type here can be written to a file.

use std::collections::{BTreeMap, VecDeque};

use crate::heard::{EarSegment, EarSource, EarStress, Millis};
use crate::sound::{SoundFront, VoiceMeasure};

/// So many utterances make a calm, and so many are remembered.
const CALM_LEAST: usize = 3;
const REMEMBERED: usize = 30;
/// Speakers at once.
const SPEAKERS_MOST: usize = 64;
/// Shorter speech says too little.
const SPEECH_LEAST: Millis = 700;
/// Speech that others talk over for more than this share of its length, in permille, is not measured.
const OVERLAP_MOST: Millis = 150;
/// Segments that are remembered to see who talks over whom.
const RECENT: usize = 64;

/// The stress of a voice against its calm, in permille, capped. `level_counts` where nothing evens out how loud the sound is.
pub fn stress_of(calm: &VoiceMeasure, voice: &VoiceMeasure, level_counts: bool) -> u16 {
    let above = |now: f32, calm: f32, unit: f32| ((now - calm) / unit).clamp(0.0, 1.5);
    let pitch = above(voice.pitch, calm.pitch, 8.0);
    let alpha = above(voice.alpha, calm.alpha, 10.0);
    let level = above(voice.level, calm.level, 15.0);
    let stress =
        if level_counts { 0.5 * pitch + 0.25 * alpha + 0.25 * level } else { 0.65 * pitch + 0.35 * alpha };
    ((stress * 1000.0).round() as u16).min(crate::STRESS_CAP)
}

/// The calm of those who speak in one room, for as long as it is open.
#[derive(Default)]
pub struct VoiceStress {
    level_counts: bool,
    voices: BTreeMap<String, VecDeque<VoiceMeasure>>,
    recent: VecDeque<(Option<String>, Millis, Millis)>,
}

impl std::fmt::Debug for VoiceStress {
    /// Says how many there are and nothing of anybody.
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("VoiceStress").field("speakers", &self.voices.len()).finish()
    }
}

impl VoiceStress {
    /// Begins. `level_counts` where nothing evens out how loud the sound is, as meeting software does.
    pub fn new(level_counts: bool) -> Self {
        Self { level_counts, ..Self::default() }
    }

    /// Marks a final segment with the stress of its voice, where that can be said: the speaker is known, has spoken before, and
    /// nobody talks over them.
    pub fn mark(&mut self, segment: &mut EarSegment, front: &SoundFront) {
        let (start, end) = (segment.start, segment.end);
        let clean = segment.is_final && end - start >= SPEECH_LEAST && !self.talked_over(segment);
        self.spoke(segment.speaker.as_deref(), start, end);
        let Some(speaker) = segment.speaker.clone().filter(|_| clean && segment.stress.is_none()) else {
            return;
        };
        let Some(voice) = front.voice(start, end) else { return };
        if let Some(permille) = self.judge(speaker, voice) {
            segment.stress = Some(EarStress { permille, source: EarSource::Voice });
        }
    }

    /// Tells that somebody spoke, so that nobody is measured while they did.
    pub fn spoke(&mut self, speaker: Option<&str>, start: Millis, end: Millis) {
        self.recent.push_back((speaker.map(str::to_string), start, end));
        if self.recent.len() > RECENT {
            self.recent.pop_front();
        }
    }

    /// Somebody's calm is forgotten.
    pub fn forget(&mut self, speaker: &str) {
        self.voices.remove(speaker);
    }

    fn judge(&mut self, speaker: String, voice: VoiceMeasure) -> Option<u16> {
        if self.voices.len() >= SPEAKERS_MOST && !self.voices.contains_key(&speaker) {
            return None;
        }
        let known = self.voices.entry(speaker).or_default();
        let stress = (known.len() >= CALM_LEAST).then(|| stress_of(&calm(known), &voice, self.level_counts));
        known.push_back(voice);
        if known.len() > REMEMBERED {
            known.pop_front();
        }
        stress
    }

    fn talked_over(&self, segment: &EarSegment) -> bool {
        let others = self.recent.iter().filter(|(speaker, ..)| *speaker != segment.speaker);
        let shared = others.map(|(_, start, end)| (segment.end.min(*end) - segment.start.max(*start)).max(0));
        shared.sum::<Millis>() * 1000 > OVERLAP_MOST * (segment.end - segment.start)
    }
}

/// The median of each measure.
fn calm(voices: &VecDeque<VoiceMeasure>) -> VoiceMeasure {
    let median = |of: fn(&VoiceMeasure) -> f32| {
        let mut values: Vec<f32> = voices.iter().map(of).collect();
        values.sort_by(f32::total_cmp);
        values[values.len() / 2]
    };
    VoiceMeasure { pitch: median(|v| v.pitch), alpha: median(|v| v.alpha), level: median(|v| v.level) }
}

#[cfg(test)]
mod tests {
    use super::*;

    const CALM: VoiceMeasure = VoiceMeasure { pitch: 18.0, alpha: -14.0, level: -25.0 };

    #[test]
    fn the_formula_is_the_documented_one() {
        let higher = |pitch: f32, alpha: f32, level: f32| VoiceMeasure {
            pitch: CALM.pitch + pitch,
            alpha: CALM.alpha + alpha,
            level: CALM.level + level,
        };
        assert_eq!(stress_of(&CALM, &CALM, true), 0);
        assert_eq!(stress_of(&CALM, &higher(4.0, 0.0, 0.0), true), 250);
        assert_eq!(stress_of(&CALM, &higher(4.0, 5.0, 7.5), true), 500);
        assert_eq!(stress_of(&CALM, &higher(4.0, 5.0, 30.0), false), 500);
        assert_eq!(stress_of(&CALM, &higher(-9.0, -9.0, -9.0), true), 0, "below calm is calm");
        assert_eq!(stress_of(&CALM, &higher(30.0, 30.0, 30.0), true), crate::STRESS_CAP);
        assert_eq!(stress_of(&CALM, &higher(30.0, 30.0, 30.0), false), 890);
    }

    #[test]
    fn a_calm_needs_three_utterances_and_one_shout_does_not_move_it() {
        let mut stress = VoiceStress::new(true);
        let shout = VoiceMeasure { pitch: 26.0, alpha: -4.0, level: -10.0 };
        for voice in [CALM, CALM, CALM] {
            assert_eq!(stress.judge("Ada".into(), voice), None);
        }
        for _ in 0..2 {
            assert_eq!(stress.judge("Ada".into(), shout), Some(890));
        }
        assert_eq!(stress.judge("Ada".into(), CALM), Some(0));
        assert_eq!(stress.judge("Bo".into(), shout), None, "each has their own");
        stress.forget("Ada");
        assert_eq!(stress.judge("Ada".into(), shout), None);
        assert_eq!(format!("{stress:?}"), "VoiceStress { speakers: 2 }", "nothing of anybody is shown");
    }
}
