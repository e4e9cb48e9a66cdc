//! Whether anything still moves.

use super::voices::{HeardVoice, RoundVoices};
use crate::kernel::Who;

/// From here on two confidences of one seat are apart, in thousandths. Models say 0.8 and then 0.85 of the same mind.
const MOVED: u16 = 100;

/// Whether no free voice moved over so many intervals, so in one round more: each states the same side as before and
/// is about as sure of it. Words are not compared: the same position is put in other words every round.
///
/// A voice that is missing in a round or was under order makes it `false`, and so does one that moved. `None` if there
/// are too few rounds, if a voice stated its side or its confidence in some of the rounds only, or if not more than
/// half of the voices ever stated a side.
pub(super) fn converged(intervals: u32, rounds: &[RoundVoices<'_>]) -> Option<bool> {
    let intervals = usize::try_from(intervals).ok().filter(|intervals| *intervals > 0)?;
    let first = rounds.len().checked_sub(intervals + 1)?;
    let window = &rounds[first..];
    let mut names: Vec<&Who> =
        window.iter().flat_map(|round| &round.free).map(|said| said.voice.who).collect();
    names.sort_unstable();
    names.dedup();
    if names.is_empty() {
        return None;
    }
    let (all, mut stated, mut told) = (names.len(), 0, true);
    for who in names {
        match stays(who, window) {
            Stays::Yes => stated += 1,
            Stays::No => return Some(false),
            Stays::Unstated => (),
            Stays::Unknown => told = false,
        }
    }
    (told && 2 * stated > all).then_some(true)
}

enum Stays {
    Yes,
    No,
    /// It never stated a side.
    Unstated,
    /// It stated its side or its confidence only in some of the rounds.
    Unknown,
}

fn stays(who: &Who, window: &[RoundVoices<'_>]) -> Stays {
    let Some(voices) = window.iter().map(|round| round.free_voice(who)).collect::<Option<Vec<_>>>() else {
        return Stays::No;
    };
    if voices.iter().all(|said| said.stance.is_none()) {
        return Stays::Unstated;
    }
    let mut told = Stays::Yes;
    for pair in voices.windows(2) {
        match same(pair[0], pair[1]) {
            Some(true) => (),
            Some(false) => return Stays::No,
            None => told = Stays::Unknown,
        }
    }
    told
}

/// Whether a voice stands where it stood.
fn same(before: &HeardVoice<'_>, after: &HeardVoice<'_>) -> Option<bool> {
    if before.stance? != after.stance? {
        return Some(false);
    }
    match (before.confidence(), after.confidence()) {
        (Some(before), Some(after)) => Some(before.get().abs_diff(after.get()) < MOVED),
        (None, None) => Some(true),
        (Some(_), None) | (None, Some(_)) => None,
    }
}
