//! Who spoke when, from one file, for words of another that do not say it.

use crate::forms::EarForm;
use crate::heard::{EarItem, Millis};
use crate::intake::{Intake, IntakeOptions};
use crate::note::{EarNote, EarOutput};
use crate::raw::{RawSegment, by_speaker};
use crate::when::RawTime;

/// Speaker turns, in order of their beginning.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct EarTurns {
    turns: Vec<(Millis, Millis, String)>,
    longest: Millis,
}

impl EarTurns {
    /// Reads turns as RTTM writes them, with what was wrong with them.
    pub fn read(rttm: &[u8], only: Option<String>) -> (Self, Vec<EarNote>) {
        let options = IntakeOptions { form: Some(EarForm::Rttm), only, ..IntakeOptions::default() };
        let (mut intake, mut out) = (Intake::new(options), Vec::new());
        intake.feed(rttm, &mut out);
        intake.end(&mut out);
        let (mut read, mut notes) = (Self::default(), Vec::new());
        for output in out {
            match output {
                EarOutput::Heard(EarItem::Activity { speaker: Some(speaker), start, end }) => {
                    read.longest = read.longest.max(end - start);
                    read.turns.push((start, end, speaker));
                }
                EarOutput::Heard(_) => (),
                EarOutput::Note(note) => notes.push(note),
            }
        }
        read.turns.sort();
        (read, notes)
    }

    /// Who speaks for most of the time between two moments.
    pub fn who(&self, start: Millis, end: Millis) -> Option<&str> {
        let end = end.max(start.saturating_add(1));
        let first = self.turns.partition_point(|turn| turn.0 < start.saturating_sub(self.longest));
        let near = self.turns[first..].iter().take_while(|turn| turn.0 < end);
        let shared = near.map(|(from, to, who)| (end.min(*to) - start.max(*from), who));
        shared
            .filter(|(shared, _)| *shared > 0)
            .max_by_key(|(shared, _)| *shared)
            .map(|(_, who)| who.as_str())
    }

    /// Says who speaks in a segment that does not, word by word where it has words.
    pub(crate) fn name(&self, mut segment: RawSegment) -> Vec<RawSegment> {
        if self.turns.is_empty() || segment.speaker.is_some() || segment.draft {
            return vec![segment];
        }
        let room = |when: Option<RawTime>| match when {
            Some(RawTime::Room(at)) => Some(at),
            Some(RawTime::Epoch(_)) | None => None,
        };
        for word in &mut segment.words {
            if let (Some(start), None) = (room(word.start), &word.speaker) {
                let who = self.who(start, room(word.end).unwrap_or(start));
                word.speaker = who.map(str::to_string);
            }
        }
        if segment.words.is_empty()
            && let (Some(start), Some(end)) = (room(segment.start), room(segment.end))
        {
            segment.speaker = self.who(start, end).map(str::to_string);
        }
        by_speaker(segment)
    }
}
